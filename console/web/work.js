// Work that changes the cluster, or that asks it by POST: sent with the console's token, so that no other site's page
// can have it done.
import {at, fetchJson, make} from "./page.js";

const MOST_MS = 120_000;
let session = null;

// Resolves to {may_write, token, works}.
export function askSession() {
  session ??= fetchJson("/console/v1/session").catch((error) => { session = null; throw error; });
  return session;
}

export async function post(work, body) {
  const {token} = await askSession();
  const response = await fetch(`/console/v1/${work}`, {
    method: "POST",
    headers: {"Content-Type": "application/json", "X-Vaquita-Token": token},
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(MOST_MS),
  });
  const json = await response.json();
  // Another start of the server has another token.
  if (response.status === 403) session = null;
  if (!response.ok) throw new Error(json.error);
  return json;
}

// A value as the shell writes it.
export function rubyText(value) {
  if (Array.isArray(value)) return `[${value.map(rubyText).join(", ")}]`;
  if (value !== null && typeof value === "object") {
    return `{${Object.entries(value).map(([name, its]) => `${name} => ${rubyText(its)}`).join(", ")}}`;
  }
  if (typeof value !== "string") return value === null ? "nil" : String(value);
  return value.includes("\\x") ? `"${value.replaceAll('"', '\\"')}"` : `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

export const commandText = (command, args) => `${command} ${args.map(rubyText).join(", ")}`.trim();

// Runs a command of the shell and shows it in #done with its answer, as in the shell. Returns whether it was done.
export async function run(command, ...args) {
  const done = at("done");
  const line = make("b", {}, `hbase> ${commandText(command, args)}`);
  done.hidden = false;
  done.className = "";
  done.replaceChildren(line, "\n…");
  try {
    const {output} = await post("command", {command, arguments: args});
    done.replaceChildren(line, `\n${output.trim() || "Done."}`);
    done.scrollIntoView({block: "nearest"});
    return true;
  } catch (error) {
    done.className = "failed";
    done.replaceChildren(line, `\nERROR: ${error.message}`);
    done.scrollIntoView({block: "nearest"});
    return false;
  }
}

// Shows the parts of the page that change things, or says why there are none. `elements` have the class "writing".
export async function showWriting() {
  const {may_write, works} = await askSession();
  for (const element of document.querySelectorAll(".writing")) element.hidden = !may_write;
  const why = at("read-only");
  why.hidden = may_write;
  why.textContent = works.length === 0
    ? "This console only shows. The master's console changes tables, if it was started with --console-write."
    : "This console only shows. To change tables here, start the server with --console-write.";
  return may_write;
}

// Has a form run `work` when it is sent, with its button out of use meanwhile.
export function onSubmit(form, work) {
  at(form).addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = event.submitter ?? at(form).querySelector("button");
    button.disabled = true;
    try {
      await work(new FormData(at(form)), button.value);
    } finally {
      button.disabled = false;
      button.focus();
    }
  });
}

// Fills a list to choose from, and keeps the choice. `options`: [value, text].
export function fillChoice(select, options) {
  const text = JSON.stringify(options);
  if (select.dataset.options === text) return;
  select.dataset.options = text;
  const chosen = select.value;
  select.replaceChildren(...options.map(([value, name]) => new Option(name, value)));
  if (options.some(([value]) => value === chosen)) select.value = chosen;
}
