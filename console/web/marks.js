// Marks on the heat map for what happened, where it happened, and a list of the last of them.
import {make, serverText} from "./page.js";
import {columnCount, firstColumn} from "./heat_map.js";

const SVG = "http://www.w3.org/2000/svg";
const LETTERS = {flush: "F", compaction: "C", split: "S", merge: "M", open: "O", close: "X", server: "!", balance: "B"};
const LISTED = 5;

// The row whose range holds a key, by its hexadecimal form, which is ordered as the bytes are.
function rowOf(picture, hex) {
  let low = 0, high = picture.rows.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (picture.rows[middle].start.hex <= hex) low = middle;
    else high = middle - 1;
  }
  return low;
}

// Draws a letter at the time and key of each event of the picture.
export function drawMarks(svg, picture, events) {
  const {width, height} = svg.getBoundingClientRect();
  const first = firstColumn(picture), spanMs = columnCount(picture) * picture.column_ms;
  const marks = [], places = [];
  for (const event of events) {
    const x = width * (event.time - first) / spanMs;
    if (x < 0 || x > width || picture.rows.length === 0) continue;
    const y = height * rowOf(picture, event.key.hex) / picture.rows.length;
    const mark = document.createElementNS(SVG, "g");
    mark.setAttribute("class", event.kind);
    const circle = document.createElementNS(SVG, "circle");
    const text = document.createElementNS(SVG, "text");
    const cx = Math.max(11, Math.min(width - 11, x));
    // Marks of one moment stand below each other.
    let cy = Math.max(11, Math.min(height - 11, y));
    while (places.some(([otherX, otherY]) => Math.hypot(otherX - cx, otherY - cy) < 22)) cy += 11;
    places.push([cx, cy]);
    for (const [name, value] of [["cx", cx], ["cy", cy], ["r", 10]]) circle.setAttribute(name, value);
    for (const [name, value] of [["x", cx], ["y", cy + 5], ["text-anchor", "middle"]]) text.setAttribute(name, value);
    text.textContent = LETTERS[event.kind] ?? "?";
    mark.append(circle, text);
    marks.push(mark);
  }
  svg.replaceChildren(...marks);
}

export function listEvents(list, events) {
  const last = events.slice(-LISTED).reverse();
  list.replaceChildren(...last.map((event) => make("li", {},
    make("b", {class: "letter"}, LETTERS[event.kind] ?? "?"),
    `${new Date(event.time).toLocaleTimeString([], {hour12: false})} ${event.kind}: ${event.text}` +
    (event.server && event.kind !== "server" ? ` (${serverText(event.server)})` : ""))));
}
