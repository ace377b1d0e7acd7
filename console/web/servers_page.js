// The servers, with a box per region, and the balancer.
import {addNavigation, at, bytesText, countText, errorText, fetchJson, keepUpdating, keyText, make, numberText, rateText, Rates,
        serverText} from "./page.js";
import {colorOf} from "./colors_of_tables.js";
import {run, showWriting} from "./work.js";

const rates = new Rates();
const MOVED_MS = 5000;
const places = new Map();  // of regions: the server, and when they came there
let first = true;

// Returns whether a region came to this server a moment ago.
function cameJustNow(region, server, now) {
  const place = places.get(region.name);
  if (!place || place.server !== server) places.set(region.name, {server, since: first ? 0 : now});
  return now - places.get(region.name).since < MOVED_MS;
}

function boxes(server, tables, now) {
  const list = make("div", {class: "boxes"}, ...server.regions.map((region) => {
    const rate = rates.of(region.name, region.requests, now);
    const box = make("a", {
      href: `region.html?region=${region.name}`, class: cameJustNow(region, server.name, now) ? "moved" : undefined,
      title: `${tables[region.table]} from ${keyText(region.start, "(first key)")}: ${rateText(rate)}, ${bytesText(region.bytes)}`,
    });
    box.style.background = colorOf(region.table);
    box.style.opacity = rate > 0 ? 1 : 0.55;
    return box;
  }));
  const more = server.open_regions - server.regions.length;
  if (more > 0) list.append(make("span", {class: "quiet"}, ` and ${numberText(more)} more`));
  return list;
}

function serverView(server, cluster, most) {
  const rate = rates.of(server.name, server.reads + server.writes, cluster.now);
  const load = make("span", {class: "load"});
  load.style.width = `${most > 0 ? 100 * rate / most : 0}%`;
  return make("section", {class: "server"},
    make("h3", {}, serverText(server.name)),
    make("div", {class: "bar"}, load, make("b", {}, rateText(rate))),
    make("p", {}, `${numberText(server.open_regions)} regions, ${bytesText(server.store_file_bytes)} in ` +
                  `${numberText(server.store_files)} files, ${bytesText(server.memstore_bytes)} in memory`),
    boxes(server, cluster.tables, cluster.now));
}

function deadView(name, recovering) {
  return make("section", {class: "server dead"}, make("h3", {}, serverText(name)),
    make("p", {}, make("strong", {class: "marker"}, "dead"),
         recovering ? " its regions are being recovered by the others" : " the others have its regions"));
}

// Regions on their way; the fastest are over before they are seen here, and are events on the heat map's page.
function transitionView(region) {
  return make("li", {}, make("a", {href: `table.html?table=${encodeURIComponent(region.table)}`}, region.table),
    ` from ${keyText(region.start, "the first key")}: ${region.state.toLowerCase().replaceAll("_", " ")}` +
    (region.server ? ` at ${serverText(region.server)}` : "") + `, for ${(region.for_ms / 1000).toFixed(1)} s`);
}

async function update() {
  const cluster = await fetchJson("/console/v1/servers");
  const loads = cluster.servers.map((server) => rates.of(server.name, server.reads + server.writes, cluster.now) ?? 0);
  const living = cluster.servers.length;
  at("summary").textContent = [
    `${living} server${living === 1 ? "" : "s"}` + (cluster.whole_cluster ? "" : "; the master's console shows all"),
    cluster.regions_in_transition > 0 ? `${countText(cluster.regions_in_transition, "region")} on the way` : "",
    cluster.dead_servers.length > 0 ? `${countText(cluster.dead_servers.length, "dead server")}` : "",
    cluster.backup_masters.length > 0 ? `backup masters: ${cluster.backup_masters.map(serverText).join(", ")}` : "",
  ].filter((text) => text).join(" · ");
  at("legend-tables").replaceChildren(...cluster.tables.map((table, place) => {
    const color = make("span", {class: "color"});
    color.style.background = colorOf(place);
    return make("li", {}, color, table);
  }));
  at("servers").replaceChildren(...cluster.servers.map((server) => serverView(server, cluster, Math.max(...loads))),
    ...cluster.dead_servers.map((name) => deadView(name, cluster.recovering_servers?.includes(name))));
  at("transitions").replaceChildren(...(cluster.transitions ?? []).map(transitionView));
  at("switch").textContent = `The balancer is ${cluster.balancer_on ? "on" : "off"}.`;
  first = false;
}

at("plan").addEventListener("click", async () => {
  const text = at("plan-text");
  text.hidden = false;
  text.textContent = "…";
  try {
    const plan = await fetchJson("/console/v1/plan");
    text.textContent = plan.text || `${plan.moves} moves`;
  } catch (error) {
    text.textContent = errorText(error);
  }
});
addNavigation();
const again = keepUpdating(update, 1000);
for (const [button, command] of [["on", ["balance_switch", true]], ["off", ["balance_switch", false]], ["balance", ["balancer"]]]) {
  at(button).addEventListener("click", async () => { await run(...command); again(); });
}
showWriting().catch(() => {});
