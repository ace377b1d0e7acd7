// The axes of a heat map: regions and keys beside it, times below.
import {columnCount, firstColumn} from "./heat_map.js";
import {cssColor, rowColors, rowLetters} from "./server_colors.js";

const SVG = "http://www.w3.org/2000/svg";

function element(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

// A key in at most `most` characters; a time that is all the key begins with stays whole.
export function shortKey(text, most) {
  if (text === "") return most < 12 ? "(first)" : "(first key)";
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

// A strip of the servers' colours beside the map, with their letters.
function serverStrip(picture, width, rowHeight) {
  const colors = rowColors(picture), letters = rowLetters(picture), marks = [];
  for (let from = 0, to; from < letters.length; from = to) {
    for (to = from + 1; to < letters.length && letters[to] === letters[from];) ++to;
    const y = from * rowHeight, height = (to - from) * rowHeight;
    marks.push(element("rect", {x: width - 12, y, width: 12, height, fill: cssColor(colors[from])}));
    if (height >= 14) {
      marks.push(element("text", {x: width - 6, y: y + height / 2 + 5, "text-anchor": "middle", class: "letter-of"}, letters[from]));
    }
  }
  return marks;
}

// Marks where regions begin, with the key that they begin with; in between, keys where there is room. Colours by
// "server": a strip says which server has them.
export function drawKeys(svg, picture, by) {
  const {width, height} = svg.getBoundingClientRect();
  const rowHeight = height / Math.max(1, picture.rows.length);
  const most = Math.max(6, Math.floor((width - 14) / 8.5));
  const marks = by === "server" ? serverStrip(picture, width, rowHeight) : [];
  let last = -Infinity;
  picture.rows.forEach((row, at) => {
    const y = at * rowHeight;
    const begins = picture.regions[row.region].start.text === row.start.text;
    if (begins) marks.push(element("line", {x1: width - 12, x2: width, y1: y, y2: y, "stroke-width": 2}));
    if (y - last < 18 || (!begins && y - last < 36)) return;
    const name = shortKey(row.start.text, most);
    marks.push(element("text", {x: width - 16, y: Math.max(12, y + 5), "text-anchor": "end",
                                class: begins ? "key" : "key quiet"}, name));
    last = y;
  });
  svg.replaceChildren(...marks);
}

function timeText(ms, spanMs) {
  const time = new Date(ms);
  const options = spanMs > 600_000 ? {hour: "2-digit", minute: "2-digit"}
    : {hour: "2-digit", minute: "2-digit", second: "2-digit"};
  return time.toLocaleTimeString([], {...options, hour12: false});
}

export function drawTimes(svg, picture) {
  const {width} = svg.getBoundingClientRect();
  const spanMs = columnCount(picture) * picture.column_ms;
  const steps = Math.max(1, Math.min(8, Math.floor(width / 110)));
  const marks = [];
  for (let step = 0; step <= steps; ++step) {
    const x = width * step / steps;
    marks.push(element("line", {x1: x, x2: x, y1: 0, y2: 6, "stroke-width": 2}));
    const anchor = step === 0 ? "start" : step === steps ? "end" : "middle";
    marks.push(element("text", {x, y: 22, "text-anchor": anchor},
                       timeText(firstColumn(picture) + spanMs * step / steps, spanMs)));
  }
  svg.replaceChildren(...marks);
}
