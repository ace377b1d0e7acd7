// The workshop: exercises whose steps run when they are clicked, show what happened, and ask what comes next.
import {addNavigation, at, errorText, fetchJson, make, parameters, serverText} from "./page.js";
import {byRegion, drawRegions, regionAxis, shareText} from "./region_heat.js";
import {post, showWriting} from "./work.js";
import {EXERCISES} from "./workshop_steps.js";

const session = `workshop-${crypto.getRandomValues(new Uint32Array(2)).join("-")}`;
const number = Number(parameters.get("exercise")) || 0;
const exercise = EXERCISES[number - 1];
const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
const state = {step: 0};
window.vaquita = state;

async function runLines(lines, output) {
  for (const line of lines) {
    output.append(make("b", {}, `hbase> ${line}`), "\n");
    output.append((await post("shell", {session, text: `${line}\n`})).output);
    output.scrollTop = output.scrollHeight;
  }
}

async function hasTable(table) {
  const {output} = await post("shell", {session, text: `exists '${table}'\n`});
  return output.includes("does exist");
}

// An exercise begins without its tables.
async function dropTables() {
  for (const table of exercise.tables) {
    if (!await hasTable(table)) continue;
    await post("command", {command: "disable", arguments: [table]}).catch(() => {});  // it may be disabled
    await post("command", {command: "drop", arguments: [table]});
  }
}

async function settle(table) {
  for (let look = 0; look < 100; ++look) {
    const {output} = await post("shell", {session, text: `compaction_state '${table}'\n`});
    if (output.includes("NONE")) return;
    await pause(100);
  }
}

// Draws each table's writes between two times, by region.
async function drawTables(place, tables, from, until) {
  for (const table of tables) {
    const asked = new URLSearchParams({table, from, to: until + 400, rows: 512, columns: 300});
    const heat = await fetchJson(`/console/v1/heat?${asked}`).catch(() => null);  // none until the first write
    if (!heat) continue;
    const starts = heat.regions.map((region) => region.start.text);
    const columns = byRegion(heat);
    const canvas = make("canvas", {role: "img", "aria-label": `Writes to ${table} by region and time`, "data-table": table});
    drawRegions(canvas, columns, starts.length);
    const figure = make("figure", {"data-table": table}, make("figcaption", {}, make("b", {}, `${table}: `), shareText(starts, columns)),
      make("div", {class: "mini"}, regionAxis(starts), canvas));
    const old = [...place.children].find((child) => child.dataset.table === table);
    if (old) old.replaceWith(figure);
    else place.append(figure);
  }
}

async function runLoad(step, view) {
  const designs = step.load.designs.map((design, at) => ({name: String(at + 1), ...design}));
  let status = await post("run", {...step.load, regions: 1, splits: "none", designs});
  state.started ??= status.started - 200;
  while (true) {
    status = await post("run-status", {});
    view.progress.textContent = `${status.designs[0].written} of ${status.rows} rows`;
    await drawTables(view.pictures, step.show, state.started, status.until);
    if (!status.running) break;
    await pause(400);
  }
  if (status.error) throw new Error(status.error);
}

// Draws how many regions each server has, by what the master knows: servers report theirs a moment later. Returns a text
// of it, or null while a region is on its way.
async function drawServers(place, table) {
  const {servers} = await fetchJson("/console/v1/servers");
  const {regions} = await fetchJson(`/console/v1/table?${new URLSearchParams({table, limit: 1000})}`);
  const open = regions.filter((region) => region.state === "OPEN");
  place.replaceChildren(...servers.map(({name}) => {
    const its = open.filter((region) => region.server === name);
    const boxes = make("span", {class: "boxes"}, ...its.map(() => make("i", {class: "box"})));
    return make("p", {class: "row"}, make("b", {}, `${serverText(name)}: ${its.length} of ${table}`), boxes);
  }));
  return open.length < regions.length ? null : open.map((region) => region.server).join();
}

const LOOKS = 40, LOOK_MS = 250;

// Draws moves as they happen, until none has for a moment.
async function followServers(place, table) {
  let before = null;
  for (let look = 0; look < LOOKS; ++look) {
    const now = await drawServers(place, table);
    if (now !== null && now === before) return;
    before = now;
    await pause(LOOK_MS);
  }
}

async function moveAll(table, output) {
  const {servers} = await fetchJson("/console/v1/servers");
  const {regions} = await fetchJson(`/console/v1/table?${new URLSearchParams({table})}`);
  if (servers.length < 2) output.append("There is one server: nothing can move. vaquita cluster --servers 3 has three.\n");
  for (const region of regions.filter((one) => one.server !== servers[0].name)) {
    await runLines([`move '${region.name}', '${servers[0].name}'`], output);
  }
}

async function runStep(step, view) {
  if (state.step === 0) await dropTables();
  if (step.shell) await runLines(step.shell, view.output);
  if (step.settle) await settle(step.settle);
  if (step.then) await runLines(step.then, view.output);
  if (step.move) await moveAll(step.move, view.output);
  if (step.load) await runLoad(step, view);
  if (step.servers) await followServers(view.pictures, exercise.tables[0]);
}

function askView({question, answers, right, why}, next) {
  const reason = make("p", {class: "lead", role: "status"});
  const buttons = answers.map((answer, place) => make("button", {type: "button", onclick: () => {
    reason.textContent = `${place === right ? "Right." : `Not so: ${answers[right].toLowerCase()}.`} ${why}`;
    buttons.forEach((button, at) => {
      button.disabled = true;
      button.classList.toggle("right", at === right);
    });
    next();
  }}, answer));
  return make("div", {class: "ask"}, make("p", {class: "lead"}, question), make("p", {}, ...buttons), reason);
}

// The question at the end, whose answer is something that the reader does. The check changes nothing.
function endView() {
  const last = number === EXERCISES.length;
  const said = make("pre", {hidden: true, role: "status", id: "check-output"});
  const check = make("button", {type: "button", id: "check", onclick: async () => {
    said.hidden = false;
    said.textContent = "…";
    try {
      said.textContent = (await post("check", {exercise: number})).output;
    } catch (error) {
      said.textContent = errorText(error);
    }
  }}, "Check my answer");
  return make("section", {class: "step", id: "end"}, make("h3", {}, "Your turn"),
    make("p", {class: "lead"}, `${exercise.turn} docs/workshop has the flights, and an answer.`),
    make("p", {}, check, ` The same in a terminal: vaquita workshop check ${number}`), said,
    make("p", {class: "lead"},
      make("a", {href: last ? "workshop.html" : `workshop.html?exercise=${number + 1}`}, last ? "All exercises" : "The next exercise")));
}

function showNext() {
  const place = state.step, step = exercise.steps[place];
  if (!step) {
    at("steps").append(endView());
    return at("end").querySelector("a").focus();
  }
  const view = {output: make("pre", {hidden: true, tabindex: 0, "aria-label": "Output"}), progress: make("span", {role: "status"}),
                pictures: make("div", {class: "pair"})};
  const command = step.load ? step.load.designs.map((design) => `${design.table}: ${design.expression}`).join("\n")
    : [...step.shell, ...(step.move ? [`move each region of '${step.move}' to one server`] : [])].join("\n");
  const button = make("button", {type: "button", class: "go", onclick: async () => {
    button.disabled = true;
    at("message").textContent = "";
    view.output.hidden = !step.shell;
    view.output.replaceChildren();
    try {
      await runStep(step, view);
      finish();
    } catch (error) {
      at("message").textContent = errorText(error);
      button.disabled = false;
    }
  }}, "Run it");
  const finish = () => {
    state.step = place + 1;
    if (step.see) section.append(make("p", {class: "lead"}, step.see));
    if (!step.ask) return showNext();
    const asked = askView(step.ask, showNext);
    section.append(asked);
    asked.querySelector("button").focus();
    asked.scrollIntoView({block: "nearest"});
  };
  const section = make("section", {class: "step"}, make("h3", {}, `${place + 1}. ${step.text}`),
    make("pre", {class: "command"}, command), make("p", {}, button, " ", view.progress), view.output, view.pictures);
  at("steps").append(section);
  button.focus();
  section.scrollIntoView({block: "nearest"});
}

async function begin() {
  if (!exercise) {
    at("about").textContent = `${EXERCISES.length} exercises of about ten minutes. Each makes tables of its own, ws1_... to ws${EXERCISES.length}_..., and drops them when it begins again.`;
    at("exercises").replaceChildren(...EXERCISES.map(({title, about}, place) => make("li", {},
      make("a", {href: `workshop.html?exercise=${place + 1}`}, title), make("br"), about)));
    return showWriting();
  }
  at("title").textContent = `${number}. ${exercise.title}`;
  at("about").textContent = exercise.about;
  if (await showWriting()) showNext();
}

addNavigation();
begin().catch((error) => { at("message").textContent = errorText(error); });
