// Draws a heat picture (the JSON of /console/v1/heat): one pixel of the canvas for each row and column, stretched by the
// browser. Rows are as high as each other, whatever their part of the key space.
import {colorAt, shareOf} from "./colors.js";
import {rowColors} from "./server_colors.js";

// The largest count of a picture.
export function mostOf(picture) {
  let most = 0;
  for (const column of picture.columns) {
    for (let at = 1; at < column.cells.length; at += 2) most = Math.max(most, column.cells[at]);
  }
  return most;
}

// The number of columns that fit between a picture's times.
export function columnCount(picture) {
  return Math.max(1, Math.ceil((picture.to - firstColumn(picture)) / picture.column_ms));
}

// When the first column starts: columns stand at multiples of their length.
export function firstColumn(picture) {
  return Math.ceil(picture.from / picture.column_ms) * picture.column_ms;
}

export function countAt(picture, row, column) {
  const start = firstColumn(picture) + column * picture.column_ms;
  const found = picture.columns.find((candidate) => candidate.start === start);
  if (!found) return 0;
  for (let at = 0; at < found.cells.length; at += 2) {
    if (found.cells[at] === row) return found.cells[at + 1];
  }
  return 0;
}

// The whole picture after an answer to a request with `since`: what lies before the new columns is `before`'s.
export function continued(before, answer) {
  if (!answer.goes_on) return answer;
  const kept = before.columns.filter(({start}) => start >= answer.from && start < answer.columns_from);
  return {...answer, regions: before.regions, rows: before.rows, columns: [...kept, ...answer.columns]};
}

// Returns what gives a cell its [red, green, blue, opacity], by its row and its share of the scale.
export function painter(picture, by) {
  if (by !== "server") return (row, share) => [...colorAt(share), 255];
  const colors = rowColors(picture);
  return (row, share) => [...colors[row], Math.round(90 + 165 * share)];
}

// Colours by "value" or by "server".
export function drawHeat(canvas, picture, by = "value") {
  const width = columnCount(picture), height = Math.max(1, picture.rows.length);
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  const image = context.createImageData(width, height);
  const most = mostOf(picture), first = firstColumn(picture), paint = painter(picture, by);
  for (const column of picture.columns) {
    const x = Math.round((column.start - first) / picture.column_ms);
    if (x < 0 || x >= width) continue;
    for (let at = 0; at < column.cells.length; at += 2) {
      const row = column.cells[at];
      image.data.set(paint(row, shareOf(column.cells[at + 1], most)), 4 * (row * width + x));
    }
  }
  context.putImageData(image, 0, 0);
}

export function drawScale(canvas) {
  const context = canvas.getContext("2d");
  for (let x = 0; x < canvas.width; ++x) {
    context.fillStyle = `rgb(${colorAt(x / (canvas.width - 1)).join(" ")})`;
    context.fillRect(x, 0, 1, 1);
  }
}
