// Parts that all pages have: the links between them, asking the server, elements, and numbers as people read them.

const PAGES = [["/console/", "Heat map"], ["/console/tables.html", "Tables"], ["/console/servers.html", "Servers"],
               ["/console/data.html", "Data"], ["/console/laboratory.html", "Laboratory"],
               ["/console/workshop.html", "Workshop"], ["/console/shell.html", "Shell"]];

export const at = (id) => document.getElementById(id);
export const parameters = new URLSearchParams(location.search);

// Makes an element. Texts become text, never markup.
export function make(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export function addNavigation() {
  const here = location.pathname.replace("index.html", "");
  const links = PAGES.map(([path, name]) =>
    make("a", {href: path, "aria-current": path === here ? "page" : undefined}, name));
  document.querySelector("header h1").after(make("nav", {"aria-label": "Pages"}, ...links));
}

export async function fetchJson(path) {
  const response = await fetch(path, {signal: AbortSignal.timeout(10000)});
  const json = await response.json();
  if (!response.ok) throw new Error(json.error);
  return json;
}

export function errorText(error) {
  return error.name === "TypeError" || error.name === "TimeoutError" ? "The server does not answer; trying again."
    : error.message;
}

// Runs `update` now and every `periodMs` while the page is seen; shows what goes wrong in #message.
export function keepUpdating(update, periodMs) {
  let running = false;
  const run = async () => {
    if (running) return;
    running = true;
    try {
      await update();
      at("message").textContent = "";
    } catch (error) {
      at("message").textContent = errorText(error);
    }
    running = false;
  };
  run();
  setInterval(() => { if (!document.hidden) run(); }, periodMs);
  return run;
}

export const numberText = (number) => Number(number).toLocaleString("en");

export const countText = (number, name) => `${numberText(number)} ${name}${number === 1 ? "" : "s"}`;

// Multiples of 1,024, as HBase's pages have them: a memstore of 128 MB.
const UNITS = ["B", "KB", "MB", "GB", "TB"];
export function bytesText(bytes) {
  let unit = 0, value = bytes;
  while (value >= 1024 && unit < UNITS.length - 1) { value /= 1024; ++unit; }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

export const keyText = (key, ifEmpty) => key.text === "" ? ifEmpty : key.text;

export function timeText(ms) {
  return ms > 0 ? new Date(ms).toLocaleString([], {hour12: false}) : "never";
}

// Returns the beginning of a server's name: host:port.
export const serverText = (name) => name ? name.split(",").slice(0, 2).join(":") : "–";

// A table row per item; `columns`: [title, cell of an item (text or element), class].
export function fillTable(table, columns, items) {
  const head = make("tr", {}, ...columns.map(([title, , kind]) => make("th", {scope: "col", class: kind}, title)));
  const rows = items.map((item) => make("tr", {}, ...columns.map(([, cell, kind]) => make("td", {class: kind}, cell(item)))));
  table.replaceChildren(make("thead", {}, head), make("tbody", {}, ...rows));
}

// Rates from counters that are asked for again and again.
export class Rates {
  #last = new Map();
  // Events a second since the last call with this name; null the first time.
  of(name, count, nowMs) {
    const before = this.#last.get(name);
    if (before && nowMs - before.nowMs < 400) return before.rate;
    const rate = before && nowMs > before.nowMs && count >= before.count
      ? (count - before.count) * 1000 / (nowMs - before.nowMs) : null;
    this.#last.set(name, {count, nowMs, rate});
    return rate;
  }
}
export const rateText = (rate) => rate === null ? "…" : rate > 0 && rate < 1 ? "< 1/s" : `${numberText(Math.round(rate))}/s`;
