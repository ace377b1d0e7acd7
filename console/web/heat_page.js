// The page: asks for the picture of the chosen table twice a second and draws it. window.vaquita.picture is what is
// shown, for tests.
import {drawKeys, drawTimes} from "./axes.js";
import {drawMarks, listEvents} from "./marks.js";
import {listenToKeys, middleOf} from "./heat_keys.js";
import {loadRecording, recordNow, saveRecording} from "./recording.js";
import {Replay} from "./replay.js";
import {addNavigation, at, countText, errorText, fetchJson, numberText} from "./page.js";
import {columnCount, continued, countAt, drawHeat, drawScale, firstColumn, mostOf} from "./heat_map.js";
import {listServers} from "./server_colors.js";

const PERIOD_MS = 500;
const MOST_EVENTS = 2000;
// `url` is what the picture answers; null: it is a recording's.
const state = {events: [], picture: null, url: null, recording: null, paused: false, zoom: null, drag: null};
window.vaquita = state;

const chosen = (name) => document.querySelector(`input[name="${name}"]:checked`).value;

async function updateTables() {
  const {tables} = await fetchJson("/console/v1/tables");
  const select = at("table");
  const wanted = select.value || new URLSearchParams(location.search).get("table");
  const shown = [...select.options].map((option) => option.value);
  if (shown.join() !== tables.join()) {
    select.replaceChildren(...tables.map((name) => new Option(name, name)));
    if (tables.includes(wanted)) select.value = wanted;
  }
  return tables.length > 0;
}

function pictureUrl(metric) {
  const parameters = new URLSearchParams({table: at("table").value, metric});
  if (state.zoom) {
    for (const [name, value] of Object.entries(state.zoom)) parameters.set(name, value);
  } else {
    parameters.set("last", chosen("span"));
  }
  return `/console/v1/heat?${parameters}`;
}

function showRecording() {
  state.url = null;
  state.picture = replay.picture(state.recording, chosen("metric"));
  state.events = replay.events(state.recording);
  at("message").textContent = `A recording of table ${state.recording.table}, ` +
    `${new Date(state.picture.now).toLocaleString([], {hour12: false})}`;
  draw();
}

// Servers see events a moment after they happened.
const LATE_MS = 5000;

// The events of a table: the known ones, and those that came since.
async function updatedEvents(table, known) {
  const from = known.length > 0 ? Math.max(0, known[known.length - 1].time - LATE_MS) : 0;
  const {events} = await fetchJson(`/console/v1/events?${new URLSearchParams({table, from})}`);
  return [...known.filter((event) => event.time < from), ...events].slice(-MOST_EVENTS);
}

// `isWanted` tells whether the answers are still to be shown: an earlier question may be answered late.
async function update(isWanted) {
  if (state.recording) return showRecording();
  if (!await updateTables()) {
    if (isWanted()) at("message").textContent = "No table was read or written lately. Write to one, and its picture appears here.";
    return;
  }
  const url = pictureUrl(chosen("metric")), table = at("table").value;
  const known = state.url === url ? {picture: state.picture, events: state.events} : null;
  const answer = await fetchJson(known ? `${url}&since=${encodeURIComponent(known.picture.since)}` : url);
  const events = await updatedEvents(table, known ? known.events : []);
  if (!isWanted()) return;
  state.picture = continued(known?.picture, answer);
  state.url = url;
  state.events = events;
  if (Date.now() > toldUntil) at("message").textContent = "";
  draw();
  if (!performance.getEntriesByName("first picture").length) performance.mark("first picture");
}

function draw() {
  const picture = state.picture;
  if (!picture) return;
  listEvents(at("events"), state.events);
  const by = chosen("colors");
  drawHeat(at("heat"), picture, by);
  drawKeys(at("keys"), picture, by);
  drawTimes(at("times"), picture);
  drawMarks(at("marks"), picture, state.events);
  at("findings").replaceChildren(...picture.findings.map((text) => {
    const item = document.createElement("li");
    item.textContent = text;
    return item;
  }));
  const seconds = picture.column_ms / 1000, one = picture.metric.slice(0, -1);
  at("scale").hidden = by === "server";
  at("servers-of").hidden = by !== "server";
  listServers(at("servers-of"), picture);
  at("least").textContent = `${by === "server" ? "pale: " : ""}1 ${one}`;
  at("most").textContent = `${by === "server" ? "full: " : ""}${countText(mostOf(picture), one)} in ${seconds} s`;
  at("whole").hidden = !state.zoom;
}

// The row and column of the picture below the mouse.
function cellAt(event) {
  const box = at("heat").getBoundingClientRect();
  const part = (value, from, size) => Math.max(0, Math.min(0.999999, (value - from) / size));
  return {
    row: Math.floor(part(event.clientY, box.top, box.height) * state.picture.rows.length),
    column: Math.floor(part(event.clientX, box.left, box.width) * columnCount(state.picture)),
  };
}

function showTip({row, column}, x, y) {
  const tip = at("tip");
  const picture = state.picture, its = picture.rows[row], region = picture.regions[its.region];
  const count = countAt(picture, row, column);
  const rate = Math.round(count * 1000 / picture.column_ms);
  const lines = [
    ["from key", its.start.text || "(first key)"],
    ["hex", its.start.hex || "–"],
    ["region", its.regions > 1 ? `${its.regions} regions from ${region.name}` : region.name],
    ["server", region.server],
    ["time", new Date(firstColumn(picture) + column * picture.column_ms).toLocaleTimeString([], {hour12: false})],
    [picture.metric, `${numberText(count)} (${numberText(rate)}/s)`],
  ];
  const list = document.createElement("dl");
  for (const [name, value] of lines) {
    list.append(Object.assign(document.createElement("dt"), {textContent: name}),
                Object.assign(document.createElement("dd"), {textContent: value}));
  }
  tip.replaceChildren(list);
  tip.hidden = false;
  const {width, height} = tip.getBoundingClientRect();
  tip.style.left = `${Math.min(x + 14, innerWidth - width - 8)}px`;
  tip.style.top = `${Math.min(y + 14, innerHeight - height - 8)}px`;
}

// Shows what lies between two cells alone, and stays there.
function zoomTo(from, to) {
  const picture = state.picture;
  const rows = [from.row, to.row].sort((a, b) => a - b), columns = [from.column, to.column].sort((a, b) => a - b);
  const first = firstColumn(picture);
  state.zoom = {
    start: picture.rows[rows[0]].start.text,
    from: first + columns[0] * picture.column_ms,
    to: first + (columns[1] + 1) * picture.column_ms,
  };
  const next = picture.rows[rows[1] + 1];
  if (next) state.zoom.end = next.start.text;
  refresh();
}

// Number of the question whose answer is wanted; a later one, a pause or a recording makes the answer needless.
let asked = 0;
let waits = false;

async function refresh() {
  const number = ++asked;
  const isWanted = () => number === asked;
  waits = true;
  try {
    await update(isWanted);
  } catch (error) {
    if (isWanted()) at("message").textContent = errorText(error);
  }
  if (isWanted()) waits = false;
}

// Shows for some seconds why a click did nothing, whatever the server answers meanwhile.
const TOLD_MS = 8000;
let toldUntil = 0;

function tell(error) {
  at("message").textContent = error.message;
  toldUntil = Date.now() + TOLD_MS;
}

function dropAnswers() {
  ++asked;
  waits = false;
}

const replay = new Replay(() => { if (state.recording) showRecording(); });
listenToKeys(state, {
  show: (cell) => { const {x, y} = middleOf(state.picture, cell); showTip(cell, x, y); },
  hide: () => { at("tip").hidden = true; },
  zoom: (from, to) => { if (!state.recording) zoomTo(from, to); },
  leave: () => { state.zoom = null; refresh(); },
});
at("heat").addEventListener("pointermove", (event) => {
  if (state.picture && state.picture.rows.length > 0) showTip(cellAt(event), event.clientX, event.clientY);
});
at("heat").addEventListener("pointerleave", () => { at("tip").hidden = true; });
at("heat").addEventListener("pointerdown", (event) => {
  state.drag = state.picture && state.picture.rows.length > 0 ? cellAt(event) : null;
});
at("heat").addEventListener("pointerup", (event) => {
  if (!state.drag) return;
  const to = cellAt(event), from = state.drag;
  state.drag = null;
  if (state.recording) return;
  if (Math.abs(to.row - from.row) + Math.abs(to.column - from.column) > 1) zoomTo(from, to);
});
at("whole").addEventListener("click", () => { state.zoom = null; refresh(); });
at("pause").addEventListener("click", () => {
  dropAnswers();
  state.paused = !state.paused;
  at("pause").setAttribute("aria-pressed", String(state.paused));
  at("pause").textContent = state.paused ? "Go on" : "Pause";
});
at("save").addEventListener("click", async () => {
  try {
    saveRecording(state.recording ?? await recordNow(at("table").value, pictureUrl, state.events));
  } catch (error) {
    tell(error);
  }
});
at("load").addEventListener("click", () => {
  if (!state.recording) return at("file").click();
  state.recording = null;
  replay.close();
  at("load").textContent = "Load";
  refresh();
});
at("file").addEventListener("change", async () => {
  try {
    state.recording = await loadRecording(at("file").files[0]);
    state.zoom = null;
    replay.open(state.recording);
    at("load").textContent = "Show live";
    refresh();
  } catch (error) {
    tell(error);
  }
  at("file").value = "";
});
for (const id of ["table", "metric", "span"]) {
  at(id).addEventListener("change", () => { state.zoom = null; refresh(); });
}
at("colors").addEventListener("change", draw);
addEventListener("resize", draw);
addNavigation();
drawScale(at("scale"));
refresh();
setInterval(() => { if (!waits && !state.paused && !document.hidden && !state.zoom) refresh(); }, PERIOD_MS);
