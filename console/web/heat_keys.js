// The heat map by keyboard: a cursor over its cells.
import {at} from "./page.js";
import {columnCount} from "./heat_map.js";

const FAR = 10;  // cells, with Shift
const STEPS = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};

// The middle of a cell in the window.
export function middleOf(picture, {row, column}) {
  const box = at("heat").getBoundingClientRect();
  return {x: box.left + box.width * (column + 0.5) / columnCount(picture),
          y: box.top + box.height * (row + 0.5) / Math.max(1, picture.rows.length)};
}

function place(element, picture, cell) {
  const {x, y} = middleOf(picture, cell);
  element.style.left = `${x}px`;
  element.style.top = `${y}px`;
  element.hidden = false;
}

// `state.picture` is what is shown; `show(cell)` shows what is there, `hide()` no more, `zoom(from, to)` and `leave()`
// change what is shown.
export function listenToKeys(state, {show, hide, zoom, leave}) {
  let cursor = null, corner = null;
  const clear = () => {
    corner = null;
    at("cursor").hidden = at("corner").hidden = true;
    hide();
  };
  const move = ([rows, columns], far) => {
    const {picture} = state, times = far ? FAR : 1;
    const within = (value, count) => Math.max(0, Math.min(count - 1, value));
    cursor ??= {row: Math.floor(picture.rows.length / 2), column: columnCount(picture) - 2};
    cursor = {row: within(cursor.row + times * rows, picture.rows.length),
              column: within(cursor.column + times * columns, columnCount(picture))};
    place(at("cursor"), picture, cursor);
    show(cursor);
  };
  const mark = () => {
    if (!cursor) return move([0, 0], false);
    if (!corner) {
      corner = cursor;
      return place(at("corner"), state.picture, corner);
    }
    const from = corner;
    clear();
    return zoom(from, cursor);
  };
  at("heat").addEventListener("keydown", (event) => {
    if (!state.picture || state.picture.rows.length === 0) return;
    const step = STEPS[event.key];
    if (step) move(step, event.shiftKey);
    else if (event.key === "Enter") mark();
    else if (event.key === "Escape") { clear(); leave(); }
    else return;
    event.preventDefault();
  });
  at("heat").addEventListener("blur", clear);
}
