// A table: its families with their options, and its regions, fifty at a time.
import {addNavigation, at, bytesText, fetchJson, fillTable, keepUpdating, keyText, make, numberText, parameters,
        rateText, Rates, serverText} from "./page.js";
import {addPager} from "./pager.js";
import {fillChoice, onSubmit, run, showWriting} from "./work.js";

const LIMIT = 50;
const rates = new Rates();
const name = parameters.get("table") ?? "";
const offset = Number(parameters.get("offset")) || 0;
let shownOptions = "";
let shown = [];  // regions, and the first of the next page, to merge with

const known = (region, cell) => region.open_regions === undefined ? "–" : cell(region);

// A bar per region: wide for those that take most of the requests.
function drawShares(regions) {
  const share = at("share"), most = Math.max(1, ...regions.map((region) => region.rate));
  share.replaceChildren(...regions.map((region) => {
    const bar = make("span", {title: `${keyText(region.start, "(first key)")}: ${rateText(region.rate)}`});
    bar.style.height = `${Math.max(3, 100 * region.rate / most)}%`;
    return bar;
  }));
  share.setAttribute("aria-label", `Requests of ${regions.length} regions`);
}

function drawFamilies(families) {
  const text = JSON.stringify(families);
  if (text === shownOptions) return;
  shownOptions = text;
  at("family-names").replaceChildren(...families.map((family) => new Option(family.name)));
  at("option-names").replaceChildren(...(families[0]?.options ?? []).map(([option]) => new Option(option)));
  at("families").replaceChildren(...families.map((family) => make("details", {},
    make("summary", {}, family.name),
    make("dl", {class: "options"}, ...family.options.flatMap(([option, value]) =>
      [make("dt", {}, option), make("dd", {}, value)])))));
}

async function update() {
  const table = await fetchJson(`/console/v1/table?${new URLSearchParams({table: name, offset, limit: LIMIT + 1})}`);
  shown = table.regions;
  table.regions = shown.slice(0, LIMIT);
  at("title").textContent = table.table;
  drawFamilies(table.families);
  for (const region of table.regions) {
    region.rate = rates.of(region.name, (region.reads ?? 0) + (region.writes ?? 0), table.now);
  }
  const all = table.regions.reduce((sum, region) => sum + region.rate, 0);
  const top = table.regions.reduce((best, region) => region.rate > best.rate ? region : best, {rate: -1});
  at("summary").replaceChildren(
    `${table.state.toLowerCase()}, ${numberText(table.regions_total)} region${table.regions_total === 1 ? "" : "s"}. `,
    all > 0 && table.regions.length > 1
      ? `The region that begins with ${keyText(top.start, "the first key")} gets ` +
        `${(top.rate * table.regions.length / all).toFixed(2)} x an even share of the requests` +
        `${table.regions_total > LIMIT ? " on this page" : ""}. ` : "",
    make("a", {href: `./?table=${encodeURIComponent(name)}`}, "Heat map"), " · ",
    make("a", {href: `data.html?table=${encodeURIComponent(name)}`}, "Data"));
  drawShares(table.regions);
  fillTable(at("regions"), [
    ["First key", (region) => make("a", {href: `region.html?region=${region.name}`, class: "key"},
                                   keyText(region.start, "(first key)"))],
    ["State", (region) => region.state.toLowerCase().replaceAll("_", " ") + (region.compacting ? ", compacting" : "")],
    ["Server", (region) => serverText(region.server)],
    ["Requests", (region) => known(region, () => rateText(region.rate)), "number"],
    ["Written", (region) => known(region, () => numberText(region.writes)), "number"],
    ["Read", (region) => known(region, () => numberText(region.reads)), "number"],
    ["Files", (region) => known(region, () => numberText(region.store_files)), "number"],
    ["In files", (region) => known(region, () => bytesText(region.store_file_bytes)), "number"],
    ["In memory", (region) => known(region, () => bytesText(region.memstore_bytes)), "number"],
  ], table.regions);
  addPager(at("pager"), offset, LIMIT, table.regions_total);
  fillChoice(at("region"), table.regions.map((region) => [region.name, keyText(region.start, "(first key)")]));
}

// Servers to move to; they change seldom.
async function updateServers() {
  const {servers} = await fetchJson("/console/v1/servers");
  fillChoice(at("server"), [["", "any other"], ...servers.map((server) => [server.name, serverText(server.name)])]);
}

async function changeRegion(fields, what) {
  const region = fields.get("region"), key = fields.get("key");
  if (what === "split") return run("split", region, ...(key ? [key] : []));
  if (what === "move") return run("move", region, ...(fields.get("server") ? [fields.get("server")] : []));
  const next = shown[shown.findIndex((other) => other.name === region) + 1];
  if (next) return run("merge_region", region, next.name);
  at("done").hidden = false;
  at("done").textContent = "The last region has no next one to merge with.";
  return false;
}

function alter(fields, what) {
  const family = fields.get("family").trim();
  if (what === "delete") return run("alter", name, {NAME: family, METHOD: "delete"});
  return run("alter", name, {NAME: family, [fields.get("option").trim().toUpperCase()]: fields.get("value")});
}

async function drop(fields) {
  if (fields.get("name") !== name) {
    at("done").hidden = false;
    at("done").textContent = `That is not "${name}": nothing was dropped.`;
    return;
  }
  if (await run("disable", name) && await run("drop", name)) location.href = "tables.html";
}

addNavigation();
const again = keepUpdating(update, 1000);
for (const [form, work] of [["change-region", changeRegion], ["alter", alter], ["drop", drop],
                            ["change-table", (_, what) => run(what, name)]]) {
  onSubmit(form, async (fields, what) => { await work(fields, what); again(); });
}
// Only the value of an option is asked for when a family is deleted.
at("alter").addEventListener("click", (event) => {
  if (event.target.tagName === "BUTTON") at("alter").elements.option.required = event.target.value === "set";
});
showWriting().then((may) => { if (may) updateServers(); }).catch(() => {});
