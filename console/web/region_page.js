// A region and its stores: for each the LSM tree, from the memstore in memory down to the files on the disk.
import {addNavigation, at, bytesText, countText, fetchJson, keepUpdating, keyText, make, numberText, parameters, rateText, Rates,
        serverText, timeText} from "./page.js";

const rates = new Rates();
const name = parameters.get("region") ?? "";

function bar(share, text, kind) {
  const inside = make("span", {class: kind});
  inside.style.width = `${Math.max(0, Math.min(100, 100 * share))}%`;
  return make("div", {class: "bar"}, inside, make("b", {}, text));
}

// Files from the newest to the oldest, each as wide as it is large beside the largest.
function files(store) {
  if (!store.files) {
    return make("p", {class: "quiet"}, "The files are shown by the console of the region's own server.");
  }
  if (store.files.length === 0) return make("p", {class: "quiet"}, "No file yet: all cells are in memory.");
  const most = Math.max(...store.files.map((file) => file.bytes));
  return make("ol", {class: "files"}, ...[...store.files].reverse().map((file) => make("li", {},
    bar(file.bytes / most, `${bytesText(file.bytes)}, ${numberText(file.entries)} cells` +
        `${file.reference ? ", shared with the region that it was split from" : ""}`, "file"),
    make("span", {class: "key quiet"}, `${keyText(file.first, "")} … ${keyText(file.last, "")}`))));
}

const FEW_BYTES = 100 << 10;  // of files so small most is index and properties

// One sentence of what the numbers mean.
function sentence(store) {
  const compactions = store.minor_compactions + store.major_compactions;
  if (store.flushes === 0) return "Nothing was flushed since the region was opened: cells wait in memory, and in the log.";
  const flushed = `${bytesText(store.flushed_bytes)} of cells were flushed to ${countText(store.flushes, "file")}`;
  if (compactions === 0) return `${flushed}; no compaction has run yet.`;
  if (store.flushed_bytes < FEW_BYTES) return `${flushed}; ${countText(compactions, "compaction")} joined them.`;
  return `Each flushed byte was written ${store.write_amplification.toFixed(1)} times so far: once by a flush, the rest ` +
    "by compactions (write amplification).";
}

const DROPPED = [["markers", "delete marker", "delete markers"], ["deleted", "deleted cell", "deleted cells"],
                 ["versions", "old version", "old versions"], ["expired", "expired cell", "expired cells"],
                 ["outside", "cell of the split's other half", "cells of the split's other half"],
                 ["skipped", "more of these in a long run", "more of these in long runs"]];

// Says which cells compactions left out, by the reason.
function droppedText(dropped) {
  if (!dropped) return "known at the region's own server";
  const parts = DROPPED.filter(([kind]) => dropped[kind] > 0)
    .map(([kind, one, many]) => `${numberText(dropped[kind])} ${dropped[kind] === 1 ? one : many}`);
  return parts.length > 0 ? parts.join(", ") : "nothing";
}

function storeView(store, region) {
  const full = region.memstore_flush_bytes;
  const facts = [
    ["Flushes", `${numberText(store.flushes)} (${bytesText(store.flushed_bytes)})`],
    ["Compactions", `${numberText(store.minor_compactions)} minor, ${numberText(store.major_compactions)} major`],
    ["They read and wrote", `${bytesText(store.compacted_bytes_read)}, ${bytesText(store.compacted_bytes_written)}`],
    ["They dropped", droppedText(store.dropped)],
    ["Last major compaction", timeText(store.last_major_compaction)],
  ];
  return make("section", {class: "store"},
    make("h3", {}, `Family ${store.family}`, store.compacting ? make("strong", {class: "running"}, "compacting now") : null),
    make("p", {class: "lead"}, sentence(store)),
    make("h4", {}, `In memory (memstore): ${numberText(store.memstore_cells)} cells`),
    full ? bar(store.memstore_bytes / full, `${bytesText(store.memstore_bytes)} of ${bytesText(full)}, then it is flushed`, "memstore")
      : make("p", {}, bytesText(store.memstore_bytes)),
    make("h4", {}, `On the disk: ${countText(store.store_files, "file")}, ` +
                   `${bytesText(store.store_file_bytes)}`),
    files(store),
    make("dl", {class: "options"}, ...facts.flatMap(([fact, value]) => [make("dt", {}, fact), make("dd", {}, value)])));
}

async function update() {
  const region = await fetchJson(`/console/v1/region?${new URLSearchParams({region: name})}`);
  at("title").replaceChildren(
    make("a", {href: `table.html?table=${encodeURIComponent(region.table)}`}, region.table),
    ` from ${keyText(region.start, "the first key")} to ${keyText(region.end, "the last key")}`);
  at("summary").textContent = `Region ${region.name} at ${serverText(region.server)}: ` +
    `${rateText(rates.of("w", region.writes, region.now))} written, ${rateText(rates.of("r", region.reads, region.now))} read`;
  at("stores").replaceChildren(...region.stores.map((store) => storeView(store, region)));
}

addNavigation();
keepUpdating(update, 500);
