// Heat by region: a prediction beside what the server counted, with a row for each region.
import {make} from "./page.js";
import {colorAt, shareOf} from "./colors.js";
import {columnCount, firstColumn} from "./heat_map.js";

// A heat picture's counts by region: [column][region].
export function byRegion(picture) {
  const first = firstColumn(picture);
  const columns = Array.from({length: columnCount(picture)}, () => new Array(picture.regions.length).fill(0));
  for (const column of picture.columns) {
    const counts = columns[Math.round((column.start - first) / picture.column_ms)];
    for (let at = 0; counts && at < column.cells.length; at += 2) {
      counts[picture.rows[column.cells[at]].region] += column.cells[at + 1];
    }
  }
  return columns;
}

// Draws [column][region] on a canvas, a pixel for each, stretched by the browser.
export function drawRegions(canvas, columns, regions) {
  canvas.width = Math.max(1, columns.length);
  canvas.height = Math.max(1, regions);
  const context = canvas.getContext("2d"), image = context.createImageData(canvas.width, canvas.height);
  const most = columns.reduce((best, counts) => counts.reduce((a, b) => Math.max(a, b), best), 0);
  columns.forEach((counts, x) => counts.forEach((count, y) => {
    if (count > 0) image.data.set([...colorAt(shareOf(count, most)), 255], 4 * (y * canvas.width + x));
  }));
  context.putImageData(image, 0, 0);
}

const MOST_LABELS = 12;

// The first keys of regions, as an axis beside a canvas.
export function regionAxis(starts) {
  const each = Math.ceil(starts.length / MOST_LABELS);
  return make("ol", {class: "axis", "aria-hidden": "true"}, ...starts.map((start, at) =>
    make("li", {}, at % each === 0 ? start || "(first key)" : "")));
}

const MOST_MOMENTS = 20;

// A load as a multiple of an even share.
function timesEven(share, regions) { return `${(share * regions).toFixed(2)} x an even share`; }

// The share of the busiest region of a moment, on average over the run's moments that had requests.
function shareAtATime(columns) {
  const each = Math.ceil(columns.length / MOST_MOMENTS);
  let shares = 0, moments = 0;
  for (let from = 0; from < columns.length; from += each) {
    const counts = sumOf(columns.slice(from, from + each));
    const all = counts.reduce((a, b) => a + b, 0);
    if (all === 0) continue;
    shares += Math.max(...counts) / all;
    ++moments;
  }
  return moments === 0 ? 0 : shares / moments;
}

// Adds up [column][region].
export function sumOf(columns) {
  const sums = new Array(columns[0]?.length ?? 0).fill(0);
  for (const column of columns) column.forEach((count, region) => { sums[region] += count; });
  return sums;
}

// How the requests, as [column][region], are shared: the busiest region, in words.
export function shareText(starts, columns) {
  const counts = sumOf(columns), all = counts.reduce((a, b) => a + b, 0);
  if (all === 0) return "nothing yet";
  if (counts.length === 1) return "one region has all";
  const most = Math.max(...counts), at = counts.indexOf(most);
  const place = at === counts.length - 1 ? "the last region" : at === 0 ? "the first region" : `the region from ${starts[at]}`;
  const share = most / all, moment = shareAtATime(columns), regions = counts.length;
  if (share * regions >= 2) return `${place} has ${timesEven(share, regions)}`;
  return moment * regions >= 2 && moment > 0.5
    ? `one region at a time has ${timesEven(moment, regions)}`
    : `spread evenly: the busiest region has ${timesEven(share, regions)}`;
}
