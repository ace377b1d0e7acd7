// Rows of a table, by prefix and range, with versions and delete markers.
import {addNavigation, at, errorText, fetchJson, fillTable, make, numberText, parameters} from "./page.js";

const state = {rows: [], next: null};
window.vaquita = state;

function bytesOf(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

// Eight or four bytes as a number, most significant first; null if it is neither.
function numberOf(hex) {
  const bytes = bytesOf(hex);
  const view = new DataView(bytes.buffer);
  if (bytes.length === 8) return view.getBigInt64(0);
  return bytes.length === 4 ? BigInt(view.getInt32(0)) : null;
}

function timeOf(ms) {
  const time = new Date(Number(ms));
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

// `as`: text, hex, number or time; what cannot be shown so is shown as text.
export function show(bytes, as) {
  const more = bytes.bytes ? ` … (${numberText(bytes.bytes)} bytes)` : "";
  if (as === "hex") return bytes.hex + more;
  const number = as === "text" || more ? null : numberOf(bytes.hex);
  if (number === null) return bytes.text + more;
  return as === "time" ? timeOf(number) ?? bytes.text : number.toString();
}

function draw() {
  const as = at("form-of").value;
  const cells = state.rows.flatMap((row) => row.cells.map((cell, place) => ({row, cell, first: place === 0})));
  at("rows").className = "data";
  fillTable(at("rows"), [
    ["Key", ({row, first}) => first ? (as === "hex" ? row.key.hex : row.key.text) + (row.cut ? " (cut)" : "") : "", "key"],
    ["Column", ({cell}) => `${cell.family}:${cell.qualifier.text}`, "key"],
    ["Time", ({cell}) => make("span", {title: String(cell.timestamp)}, timeOf(cell.timestamp) ?? String(cell.timestamp))],
    ["Value", ({cell}) => cell.type === "Put" ? show(cell.value, as) : make("strong", {class: "marker"}, cell.type), "key"],
  ], cells);
  at("summary").textContent = state.rows.length === 0 ? "No row is there."
    : `${state.rows.length} row${state.rows.length === 1 ? "" : "s"}, ${cells.length} cell${cells.length === 1 ? "" : "s"}` +
      (state.next ? ", and more" : "");
  at("next").hidden = !state.next;
}

async function read(start) {
  const asked = new URLSearchParams(new FormData(at("form")));
  for (const [name, value] of [...asked]) if (value === "") asked.delete(name);
  history.replaceState(null, "", `?${asked}`);
  if (start !== undefined) asked.set("start", start);
  try {
    const answer = await fetchJson(`/console/v1/rows?${asked}`);
    state.rows = answer.rows;
    state.next = answer.next ?? null;
    at("message").textContent = "";
    draw();
  } catch (error) {
    at("message").textContent = errorText(error);
  }
}

async function begin() {
  const {tables} = await fetchJson("/console/v1/cluster?limit=1000");
  const names = tables.map(({name}) => name), wanted = parameters.get("table");
  if (wanted && !names.includes(wanted)) names.push(wanted);  // the list is no longer than the limit
  at("table").replaceChildren(...names.map((name) => new Option(name, name)));
  for (const [name, value] of parameters) {
    const field = at("form").elements.namedItem(name);
    if (field && field.type === "checkbox") field.checked = value === "1";
    else if (field) field.value = value;
  }
  if (names.length > 0) await read();
  else at("message").textContent = "There is no table yet.";
}

at("form").addEventListener("submit", (event) => { event.preventDefault(); read(); });
at("table").addEventListener("change", () => read());
at("form-of").addEventListener("change", draw);
at("next").addEventListener("click", () => read(state.next.text));
addNavigation();
begin().catch((error) => { at("message").textContent = errorText(error); });
