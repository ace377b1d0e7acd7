// The tables of the cluster, fifty at a time.
import {addNavigation, at, bytesText, fetchJson, fillTable, keepUpdating, make, numberText, parameters, rateText,
        Rates} from "./page.js";
import {addPager} from "./pager.js";
import {onSubmit, run, showWriting} from "./work.js";

const LIMIT = 50;
const rates = new Rates();
const offset = Number(parameters.get("offset")) || 0;
const rate = (table, metric, now) => rateText(rates.of(`${table.name} ${metric}`, table[metric], now));

async function update() {
  const cluster = await fetchJson(`/console/v1/cluster?offset=${offset}&limit=${LIMIT}`);
  at("summary").textContent = cluster.tables_total === 0 ? "There is no table yet."
    : `${numberText(cluster.tables_total)} table${cluster.tables_total === 1 ? "" : "s"}` +
      (cluster.whole_cluster ? "" : " with regions at this server; the master's console shows all");
  fillTable(at("tables"), [
    ["Table", (table) => make("a", {href: `table.html?table=${encodeURIComponent(table.name)}`}, table.name)],
    ["State", (table) => table.state.toLowerCase()],
    ["Families", (table) => table.families.join(", ")],
    ["Regions", (table) => numberText(table.open_regions), "number"],
    ["Writes", (table) => rate(table, "writes", cluster.now), "number"],
    ["Reads", (table) => rate(table, "reads", cluster.now), "number"],
    ["Files", (table) => numberText(table.store_files), "number"],
    ["In files", (table) => bytesText(table.store_file_bytes), "number"],
    ["In memory", (table) => bytesText(table.memstore_bytes), "number"],
    ["", (table) => make("span", {}, make("a", {href: `./?table=${encodeURIComponent(table.name)}`}, "heat map"), " · ",
                         make("a", {href: `data.html?table=${encodeURIComponent(table.name)}`}, "data"))],
  ], cluster.tables);
  addPager(at("pager"), offset, LIMIT, cluster.tables_total);
}

const listed = (text) => String(text).split(",").map((part) => part.trim()).filter((part) => part !== "");

addNavigation();
const again = keepUpdating(update, 1000);
onSubmit("create", async (fields) => {
  const families = listed(fields.get("families")).map((NAME) => ({NAME, VERSIONS: Number(fields.get("versions")) || 1}));
  const splits = listed(fields.get("splits"));
  if (await run("create", fields.get("table").trim(), ...families, ...(splits.length > 0 ? [{SPLITS: splits}] : []))) again();
});
showWriting().catch(() => {});
