// Settling disagreements by keyboard. A word is shown as settled only once the server has it on disk.

import { $, data, fail, freshId, post, tell, typing } from "./rooms.js";

const opened = performance.now();
const SETTLED = "showable-settled";
let busy = false;
let value = data.value;
let comment = data.comment;
let goOn = data.next;

const name = (given) => data.options.find((one) => one.value === given)?.name ?? String(given);

async function send(given) {
  return post("/api/adjudicate", { id: freshId(), seconds: Math.round((performance.now() - opened) / 100) / 10, ...given });
}

async function settle(given) {
  if (busy || data.locked) return;
  busy = true;
  const reply = await send({ ...data.target, value: given });
  busy = false;
  if (!reply.ok) return fail(reply.said?.error);
  fail(null);
  remember(given === null ? null : data.number);
  value = given;
  press();
  count(reply.said);
  if (given === null) return location.reload();
  await keepComment();
  reveal(reply.said);
  tell(`Settled: ${name(given)}`);
}

function press() {
  document.querySelectorAll("#options button").forEach((button) => {
    button.setAttribute("aria-pressed", String(value !== null && data.options[button.dataset.at].value === value));
  });
  const other = $("other");
  if (other) other.value = value !== null && data.options.every((one) => one.value !== value) ? value : "";
}

function count(said) {
  $("settled").textContent = said.of - said.open;
  $("of").textContent = said.of;
  $("bar").max = said.of;
  $("bar").value = said.of - said.open;
  goOn = said.next;
}

const ROLES = { senior: "senior domain reviewer", reviewer: "domain reviewer", engineer: "engineer" };

function reveal(said) {
  for (const word of said.words || []) {
    const place = document.querySelector(`[data-letter="${CSS.escape(word.letter)}"]`);
    const who = document.createElement("bdi");
    const role = document.createElement("small");
    who.textContent = word.name;
    role.textContent = ROLES[word.role] ?? word.role;
    place.replaceChildren(who, " ", role);
  }
  $("names-later").hidden = true;
  if (said.judge) toolSaid(said.judge);
  const on = $("go-on");
  on.href = goOn || "/";
  on.firstChild.textContent = goOn ? "Next open case " : "All settled: to the start page ";
  on.hidden = false;
}

function toolSaid(judge) {
  const bold = document.createElement("b");
  const given = judge.said;
  bold.className = "b " + (typeof given === "string" ? given : "");
  bold.textContent = given === null ? "nothing" : name(given);
  const p = judge.p === null || judge.p === undefined ? "" : ` (p ${judge.p.toFixed(2)})`;
  $("tool-said").replaceChildren("The tool said ", bold, p, judge.reason ? `: ${judge.reason}` : "");
  $("tool-said").hidden = false;
}

async function keepComment() {
  const field = $("comment");
  if (!field || field.value.trim() === comment) return true;
  const now = field.value.trim();
  const reply = await send({ record: data.target.record, about: "comment", value: now || null });
  if (!reply.ok) {
    fail(reply.said?.error);
    return false;
  }
  comment = now;
  return true;
}

// What was settled in this tab, so that undo takes back the last of it, on whatever case it was.
function settledHere() {
  try {
    return JSON.parse(sessionStorage.getItem(SETTLED)) || [];
  } catch {
    return [];
  }
}

function remember(number) {
  const before = settledHere().filter((one) => one !== data.number);
  sessionStorage.setItem(SETTLED, JSON.stringify(number === null ? before : [...before, number]));
}

function undo() {
  const last = settledHere().at(-1);
  if (last !== undefined && last !== data.number) {
    sessionStorage.setItem("showable-undo", "yes");
    location.assign(`/adjudicate/${last}`);
  } else if (value !== null && !data.locked) settle(null);
  else tell("There is nothing to take back");
}

async function leave(address) {
  if (address && (await keepComment())) location.assign(address);
}

const moves = {
  j: () => leave($("following")?.href),
  k: () => leave($("previous")?.href),
  ArrowRight: () => leave($("following")?.href),
  ArrowLeft: () => leave($("previous")?.href),
  Enter: () => (!$("go-on").hidden ? leave($("go-on").href) : tell("Settle it first, or go on with j")),
  n: () => $("comment")?.focus(),
  z: undo,
  "?": () => $("keys").showModal(),
};

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && typing(event.target)) return event.target.blur();
  if ((event.ctrlKey || event.metaKey) && event.key === "z" && !typing(event.target)) {
    event.preventDefault();
    return undo();
  }
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || $("keys").open) return;
  if (event.key === "Enter" && event.target.closest("a, button")) return;
  if (event.key === " " && !event.target.closest("a, button")) return scrollPassage(event);
  const option = data.options.find((one) => one.key === event.key);
  const move = option ? () => settle(option.value) : Object.hasOwn(moves, event.key) ? moves[event.key] : null;
  if (!move || event.repeat) return;
  event.preventDefault();
  move();
});

function scrollPassage(event) {
  const passage = $("passage");
  if (!passage) return;
  event.preventDefault();
  passage.scrollBy({ top: (event.shiftKey ? -0.8 : 0.8) * passage.clientHeight });
}

document.querySelectorAll("#options button").forEach((button) => {
  button.addEventListener("click", () => settle(data.options[button.dataset.at].value));
});
$("free")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const given = $("other").value.trim();
  if (given) settle(data.free.kind === "number" ? Number(given) : given);
});
$("comment")?.addEventListener("change", () => value !== null && keepComment());
$("undo").addEventListener("click", undo);
$("open-keys").addEventListener("click", moves["?"]);
$("go-on").addEventListener("click", (event) => {
  event.preventDefault();
  leave($("go-on").href);
});
addEventListener("beforeunload", (event) => busy && event.preventDefault());

press();
document.querySelector("#passage mark")?.scrollIntoView({ block: "nearest" });
scrollTo(0, 0);
if (sessionStorage.getItem("showable-undo")) {
  sessionStorage.removeItem("showable-undo");
  if (value !== null) settle(null);
}
