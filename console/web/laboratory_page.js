// The laboratory: designs of row keys, simulated side by side, and run against tables of the server.
import {addNavigation, at, bytesText, errorText, fetchJson, make, numberText, parameters} from "./page.js";
import {byRegion, drawRegions, regionAxis, shareText} from "./region_heat.js";
import {askSession, post, showWriting} from "./work.js";

const PERIOD_MS = 700, MOST_DESIGNS = 4;
const NAMES = ["A", "B", "C", "D"];
const state = {examples: [], simulation: null, run: null, live: {}};
window.vaquita = state;
let timer = null;

const expressions = () => [...document.querySelectorAll("#designs input")].map((field) => field.value.trim());

function addDesign(expression) {
  const name = NAMES[at("designs").children.length];
  at("designs").append(make("label", {class: "long"}, `Design ${name} `,
    make("input", {value: expression, autocomplete: "off", spellcheck: "false"})));
  at("more").disabled = at("designs").children.length === MOST_DESIGNS;
}

const MOST_CSV_BYTES = 4 << 20;  // as the server has it
const fromCsv = () => at("source").value === "csv";

// Throws what is wrong with the rows of the page, before they are sent.
function csvText() {
  const text = at("csv-rows").value, bytes = new Blob([text]).size;
  if (text.trim() === "") throw new Error("There are no CSV rows yet: choose a file or paste some. The first row names the fields.");
  if (bytes > MOST_CSV_BYTES) throw new Error(`The CSV text has ${bytesText(bytes)}; at most 4 MB are taken. Leave rows out.`);
  return text;
}

// Shows what a chosen file has; one that is too large, or no text, is refused.
async function takeFile(file) {
  if (file.size > MOST_CSV_BYTES) throw new Error(`${file.name} has ${bytesText(file.size)}; at most 4 MB are taken. Leave rows out.`);
  const bytes = await file.arrayBuffer();
  let text = null;
  try {
    text = new TextDecoder("utf-8", {fatal: true}).decode(bytes);
  } catch {
    throw new Error(`${file.name} is no UTF-8 text: choose a CSV file`);
  }
  at("csv-rows").value = text;
  at("csv-text").textContent = `${file.name}: ${bytesText(file.size)}, fields ${text.split(/\r?\n/, 1)[0]}`;
}

function records() {
  return fromCsv() ? {csv: csvText()} : {records: at("records").value, example: at("example").value};
}

function showSource() {
  at("csv").hidden = !fromCsv();
  at("generated").hidden = fromCsv();
}

function request(most) {
  const splits = at("splits").value === "keys" ? at("keys").value : at("splits").value;
  const designs = expressions().map((expression, place) => ({name: NAMES[place], expression}))
    .filter((design) => design.expression !== "");
  return {...records(), rows: Math.min(most, Number(at("rows").value)),
          regions: Number(at("regions").value), splits: splits || "none", designs};
}

function choose(example) {
  at("records").value = example.records;
  at("about").textContent = `${example.question} ${example.about}`;
  at("designs").replaceChildren();
  for (const design of example.designs.slice(0, 2)) addDesign(design.expression);
}

function picture(title, id, starts) {
  return make("figure", {}, make("figcaption", {}, make("b", {}, title), make("span", {id: `${id}-text`})),
    make("div", {class: "mini"}, regionAxis(starts),
         make("canvas", {id, width: 1, height: 1, role: "img", "aria-label": `${title}: requests by region and time`})));
}

function view(design) {
  const title = make("h3", {}, `Design ${design.name}`);
  if (design.error) return make("section", {class: "design"}, title, make("pre", {class: "failed"}, design.error));
  const starts = design.writes.regions.map((region) => region.start);
  return make("section", {class: "design"}, title,
    make("p", {class: "key"}, design.design),
    make("div", {class: "pair"}, picture("Predicted: ", `predicted-${design.name}`, starts),
         picture("Counted: ", `counted-${design.name}`, starts)),
    design.findings.length > 0 ? make("p", {class: "lead"}, design.findings[0]) : null,
    design.repeated ? make("p", {class: "lead"}, design.repeated) : null,
    make("details", {}, make("summary", {}, "Keys and advice"),
      make("p", {}, "The first keys: ", make("span", {class: "key"}, design.keys.join("   "))),
      make("ul", {}, ...design.parts.map((part) => make("li", {}, make("span", {class: "key"}, part.source),
        `: ${part.meaning}. ${part.note}`))),
      make("ul", {}, ...design.proposals.map((proposal) => make("li", {}, make("span", {class: "key"}, proposal.design),
        `: ${proposal.reason}`)))));
}

function drawPredicted(design) {
  if (design.error) return;
  const starts = design.writes.regions.map((region) => region.start);
  drawRegions(at(`predicted-${design.name}`), design.writes.slices, starts.length);
  at(`predicted-${design.name}-text`).textContent = shareText(starts, design.writes.slices);
}

async function simulate() {
  at("message").textContent = "…";
  state.simulation = await post("simulate", request(200_000));
  at("message").textContent = "";
  at("results").replaceChildren(...state.simulation.designs.map(view));
  for (const design of state.simulation.designs) drawPredicted(design);
}

// Shows what the server counted of a design's table.
async function showCounted({name, table}) {
  if (!at(`counted-${name}`)) return;
  const {started, until} = state.run;
  const asked = new URLSearchParams({table, from: started - 200, to: until + 400, rows: 512, columns: 300});
  const heat = await fetchJson(`/console/v1/heat?${asked}`);
  state.live[name] = heat;
  const columns = byRegion(heat);
  drawRegions(at(`counted-${name}`), columns, heat.regions.length);
  at(`counted-${name}-text`).textContent = shareText(heat.regions.map((region) => region.start.text), columns);
}

async function follow() {
  state.run = await post("run-status", {});
  const {run} = state;
  at("stop").disabled = !run.running;
  at("run").disabled = run.running;
  if (run.designs.length === 0) return;
  const written = run.designs[0].written;
  at("progress").textContent = run.error ? `The run ended: ${run.error}`
    : `${run.running ? "Writing" : "Wrote"} ${numberText(written)} of ${numberText(run.rows)} rows to ` +
      `${run.designs.map((design) => design.table).join(", ")}` + (run.running ? ` at ${numberText(run.rate)} rows/s` : "");
  at("message").textContent = "";
  for (const design of run.designs) {
    // Until its first count a table has no picture.
    await showCounted(design).catch((error) => { at("message").textContent = errorText(error); });
  }
  if (!run.running) { clearInterval(timer); timer = null; }
}

const safely = (work) => async (...args) => {
  try {
    await work(...args);
  } catch (error) {
    at("message").textContent = errorText(error);
  }
};

async function run() {
  at("run").disabled = true;
  try {
    await simulate();
    const asked = request(2_000_000);
    // The tables get the regions that the prediction has.
    asked.designs = asked.designs.map((design, place) => ({...design,
      splits: state.simulation.designs[place].writes?.regions.slice(1).map((region) => region.start_key)}));
    await post("run", {...asked, rate: Number(at("rate").value)});
    timer ??= setInterval(safely(follow), PERIOD_MS);
    at("stop").disabled = false;
  } catch (error) {
    at("run").disabled = false;
    throw error;
  }
}

async function begin() {
  await askSession();
  state.examples = (await post("examples", {})).examples;
  at("example").replaceChildren(...state.examples.map((example) => new Option(example.question, example.name)));
  const wanted = parameters.get("example") ?? "sequential-ids";
  at("example").value = wanted;
  choose(state.examples.find((example) => example.name === at("example").value) ?? state.examples[0]);
  await showWriting();
  await simulate();
  await follow();
  if (state.run.running) timer ??= setInterval(safely(follow), PERIOD_MS);
}

// From a click on, the pictures are what counts.
const look = (work) => async () => {
  await safely(work)();
  at("progress").scrollIntoView({block: "start"});
};

at("form").addEventListener("submit", (event) => { event.preventDefault(); look(simulate)(); });
at("example").addEventListener("change", safely(async () => {
  at("source").value = "generated";
  showSource();
  choose(state.examples.find((example) => example.name === at("example").value));
  await simulate();
}));
at("splits").addEventListener("change", () => { at("keys").hidden = at("splits").value !== "keys"; });
at("source").addEventListener("change", showSource);
at("choose").addEventListener("click", () => at("csv-file").click());
at("csv-file").addEventListener("change", safely(async () => {
  const [file] = at("csv-file").files;
  at("csv-file").value = "";
  await takeFile(file);
  at("message").textContent = "";
}));
at("more").addEventListener("click", () => { addDesign(""); at("designs").lastChild.querySelector("input").focus(); });
at("run").addEventListener("click", look(run));
at("stop").addEventListener("click", safely(async () => { await post("run-stop", {}); await follow(); }));
addNavigation();
safely(begin)();
