// A recording: the pictures of a table in all metrics, with its events, as a file that can be shown again anywhere.
import {fetchJson, make} from "./page.js";

const FORMAT = "vaquita heat recording 1";
const METRICS = ["writes", "reads", "bytes"];

// `url` makes the address of the picture in a metric.
export async function recordNow(table, url, events) {
  const pictures = {};
  for (const metric of METRICS) pictures[metric] = await fetchJson(url(metric));
  return {format: FORMAT, table, pictures, events};
}

export function saveRecording(recording) {
  const {table, pictures} = recording;
  const blob = new Blob([JSON.stringify(recording)], {type: "application/json"});
  const link = make("a", {href: URL.createObjectURL(blob),
                          download: `heat-${String(table).replace(/[^\w.-]/g, "_")}-${pictures.writes.now}.json`});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// Reads a file that was saved so; throws what is wrong with it.
export async function loadRecording(file) {
  let recording = null;
  try {
    recording = JSON.parse(await file.text());
  } catch {
    throw new Error(`${file.name} is not JSON: choose a file that Save made`);
  }
  const right = recording?.format === FORMAT && Array.isArray(recording.events) &&
    METRICS.every((metric) => Array.isArray(recording.pictures?.[metric]?.columns));
  if (!right) throw new Error(`${file.name} is no recording of this version: choose a file that Save made`);
  return recording;
}
