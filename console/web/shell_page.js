// The HBase shell: lines with history and completion; the server runs them.
import {addNavigation, at, errorText, make} from "./page.js";
import {askSession, post} from "./work.js";

const MOST_OUTPUT = 400_000;  // characters that the page keeps
const HISTORY = "vaquita shell history", MOST_LINES = 200;
const session = crypto.getRandomValues(new Uint32Array(4)).join("-");
const history = JSON.parse(localStorage.getItem(HISTORY) ?? "[]");
let place = history.length;  // in the history
let open = "";               // lines before, of a command that goes on

function print(...parts) {
  const output = at("output");
  output.append(...parts);
  while (output.textContent.length > MOST_OUTPUT && output.childNodes.length > 1) output.firstChild.remove();
  output.scrollTop = output.scrollHeight;
}

function remember(line) {
  if (line.trim() !== "" && history.at(-1) !== line) history.push(line);
  history.splice(0, history.length - MOST_LINES);
  localStorage.setItem(HISTORY, JSON.stringify(history));
  place = history.length;
}

async function runLine(line) {
  remember(line);
  at("choices").textContent = "";
  print(make("b", {}, at("prompt").textContent + line), "\n");
  at("line").value = "";
  at("line").readOnly = true;
  try {
    const text = open + line + "\n";
    const answer = await post("shell", {session, text});
    print(answer.output);
    open = answer.incomplete ? text : "";
    at("prompt").textContent = answer.ended ? "hbase:001:0> " : answer.prompt;
  } catch (error) {
    print(make("b", {class: "failed"}, `${errorText(error)}\n`));
  }
  at("line").readOnly = false;
  at("line").focus();
}

async function runText(text) {
  for (const line of text.split("\n")) await runLine(line);
}

async function complete() {
  const field = at("line"), end = field.selectionStart;
  try {
    const {insert, choices} = await post("complete", {text: open + field.value.slice(0, end)});
    field.setRangeText(insert, end, end, "end");
    at("choices").textContent = choices.length > 1 ? choices.join("   ") : choices.length === 0 ? "No word fits." : "";
  } catch (error) {
    at("choices").textContent = errorText(error);
  }
}

function showEarlier(step) {
  place = Math.max(0, Math.min(history.length, place + step));
  at("line").value = history[place] ?? "";
}

at("form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (!at("line").readOnly) runText(at("line").value);
});
at("line").addEventListener("keydown", (event) => {
  const field = at("line");
  if (event.key === "Enter" && !event.shiftKey) {
    event.preventDefault();
    at("form").requestSubmit();
  } else if (event.key === "Tab" && !event.shiftKey && field.value.trim() !== "") {
    event.preventDefault();  // in an empty line Tab leaves the field, so that the keyboard gets on
    complete();
  } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
    event.preventDefault();
    showEarlier(event.key === "ArrowUp" ? -1 : 1);
  } else if (event.key === "c" && event.ctrlKey && field.selectionStart === field.selectionEnd) {
    open = field.value = "";
    print(make("b", {}, "^C"), "\n");
  }
});
addNavigation();
askSession().then(({may_write, works}) => {
  if (!works.includes("shell")) {
    at("screen").hidden = true;
    at("message").textContent = "The shell is at the master's console.";
  } else if (!may_write) {
    at("read-only").hidden = false;
    at("read-only").textContent = "Only commands that read run here; --console-write lets the others run, too.";
  }
  at("line").focus();
}).catch((error) => { at("message").textContent = errorText(error); });
