// The labelling page: what is done by key, click and touch, and what it leads to.

import { drawAnswer, showClaim } from "./label_answer.js";
import { startClock, takeSeconds } from "./label_clock.js";
import { bindKeys } from "./label_keys.js";
import { foldLog, walkLog } from "./label_log.js";
import { el } from "./label_marks.js";
import { drain, onOutbox, outboxState, put, settled, tryNow, waitingItems } from "./label_outbox.js";
import { agreement, drawEnd, drawPanel, onPanel } from "./label_panel.js";
import { drawProgress, say, tell, trouble } from "./label_says.js";
import { pageToLayIn, post, readAgain } from "./label_server.js";
import { $, SUMMARY, current, data, firstOpen, judge, keyOf, mine, nameOf, nextOpen, placeName, stepOf, steps, takeData, targetOf, view } from "./label_state.js";
import { onUndo, seeWhatStands, undo, undoUnsure } from "./label_undo.js";

let leaving = false;
let everSaved = false;
let shown = location.pathname;

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

function draw() {
  drawPanel();
  drawAnswer();
  drawBefore();
}

function go(at, { fold = false } = {}) {
  if (at < 0 || at > SUMMARY || leaving) return;
  if (at !== view.at) takeSeconds();
  view.log = false;
  view.at = at;
  if (!fold) setSheet(true);
  draw();
  showClaim();
}

// One's own word: shown at once, held by the server when it has said so.
function setMine(key, value, { seconds = null } = {}) {
  const was = mine.get(key);
  if (value === null) mine.delete(key); else mine.set(key, value);
  put(targetOf(key), value, { was, seconds });
}

function label(value) {
  const step = current();
  if (!step.key || leaving) return;
  setMine(step.key, value, { seconds: takeSeconds() });
  view.before = step.key;
  go(nextOpen(view.at));
  const now = current();
  say(`${placeName(step.key)}: ${nameOf(step.about, value)}. ${now.about === "summary" ? "Everything is labelled; Enter goes to the next answer." : `Now ${$("panel-title").textContent}.${now.about === "extra_claims" ? " Enter skips it." : ""}`}`);
}

function setKind(claim, field) {
  const key = keyOf("claim_kind", claim);
  const value = field.value.trim().toLowerCase().replaceAll(/[\s|=,/]+/g, "_").slice(0, 40);
  field.value = value;
  if (value === (mine.get(key) ?? "")) return;
  setMine(key, value || null);
  view.before = value ? key : view.before;
}

let typed = 0;
function setNote() {
  clearTimeout(typed);
  const value = $("comment").value.trim();
  if (value !== (mine.get("comment") ?? "")) setMine("comment", value || null);
}

// What was labelled last, and what the tool said of it, once that is known.
function drawBefore() {
  const key = view.before;
  const at = key ? steps.findIndex((step) => step.key === key) : -1;
  const place = $("before");
  if (!key || !mine.has(key)) { place.replaceChildren(); return ""; }
  const { about } = targetOf(key);
  const said = judge.get(key);
  const how = agreement(about, mine.get(key), said);
  const words = !said ? "" : said.said === null ? " The tool said nothing." : how === "agrees" ? " The tool agrees." : ` The tool says ${nameOf(about, said.said).toLowerCase()}.`;
  if (at === view.at || view.at === SUMMARY) { place.replaceChildren(); return words; }
  place.replaceChildren(el("span", {}, `${placeName(key)}: ${nameOf(about, mine.get(key)).toLowerCase()}.`), el("span", { class: said?.said === null ? "" : `how ${how}` }, words), at >= 0 && said ? el("button", { type: "button", class: "quiet", onclick: () => go(at) }, "look") : "");
  return words;
}

function saved(body, reply) {
  everSaved = true;
  if (reply.progress) drawProgress(reply.progress);
  if (body.record !== data.record) return;
  const key = keyOf(body.about, body.claim, body.citation);
  const later = waitingItems().some((item) => item.body.record === data.record && keyOf(item.body.about, item.body.claim, item.body.citation) === key);
  if (!later && same(mine.get(key) ?? null, body.value)) {
    if (body.value === null || !reply.judge) judge.delete(key); else judge.set(key, reply.judge);
  }
  for (const [name, said] of Object.entries(reply.also || {})) if (mine.has(name)) judge.set(name, said);
  if (reply.changed_elsewhere) tell(`${placeName(key)} had been changed in another tab; what you said here holds now.`);
  const words = drawBefore();
  if (key === view.before && words) say(`${placeName(key)} saved.${words}`);
  redraw(key);
}

// Only what a new verdict of the tool changes is drawn again: nobody's place in a passage is lost.
function redraw(key) {
  const step = current();
  if (step.key === key || step.about === "summary" || (key.startsWith("claim_kind") && step.claim === targetOf(key).claim)) drawPanel();
  drawAnswer();
}

function refused(body, why) {
  trouble(`${placeName(keyOf(body.about, body.claim, body.citation))}: not saved. ${why}`);
  compare(true);
}

function drawSaved() {
  const { count, failing, stopped } = outboxState();
  const place = $("saved");
  const words = count === 0 ? (everSaved ? "All saved" : "Nothing to save yet") : stopped || failing ? `${count} not saved yet` : "Saving …";
  place.className = `saved ${count === 0 ? (everSaved ? "good" : "") : stopped || failing ? "bad" : "busy"}`;
  if (place.firstElementChild?.textContent !== words || Boolean(place.querySelector("button")) !== (count > 0 && (failing || Boolean(stopped)))) {
    place.replaceChildren(el("span", {}, words), count > 0 && (failing || stopped) ? el("button", { type: "button", class: "quiet", onclick: tryNow }, "try now") : "");
  }
  if (stopped) trouble(`Your ${count === 1 ? "label is" : "labels are"} kept in this browser and not sent: ${stopped}.`);
  else if (failing) trouble("The server cannot be reached. What you label is kept in this browser and sent when it is back.");
  else if (count === 0 && $("trouble").dataset.kind === "away") trouble("");
  $("trouble").dataset.kind = stopped || failing ? "away" : count ? $("trouble").dataset.kind : "";
}

function takeBack() {
  setNote();
  return undo();
}

// The page as the server has it: what another tab did is taken over, and said. Gives what differed; null where it is not known.
async function compare(aloud) {
  if (waitingItems().length) return null;
  const now = await readAgain();
  if (!now || waitingItems().length) return null;
  const keys = new Set([...mine.keys(), ...Object.keys(now.mine)]);
  const changed = [...keys].filter((key) => !same(mine.get(key), now.mine[key]));
  const more = [...new Set([...judge.keys(), ...Object.keys(now.judge)])].filter((key) => !same(judge.get(key), now.judge[key]));
  drawProgress(now.progress);
  if (!changed.length && !more.length) return changed;
  mine.clear();
  judge.clear();
  for (const [key, value] of Object.entries(now.mine)) mine.set(key, value);
  for (const [key, value] of Object.entries(now.judge)) judge.set(key, value);
  if (document.activeElement !== $("comment")) $("comment").value = mine.get("comment") ?? "";
  everSaved = true;
  if (aloud && changed.length) tell(`Brought up to date: ${changed.length === 1 ? "1 label was" : `${changed.length} labels were`} changed in another tab.`);
  draw();
  return changed;
}

// What stands after an undo where the page could not be read again: the reply to the undo says it.
function stands(key, value) {
  if (value === undefined) mine.delete(key); else mine.set(key, value);
  judge.delete(key);
  draw();
}

async function done() {
  setNote();
  if (leaving) return;
  if (!(await settled())) { tell(`${outboxState().count} not saved yet: the next answer opens when they are.`); return; }
  leaving = true;
  const reply = await post("/api/done", { queue: data.queue, record: data.record }).catch(() => ({ status: 0 }));
  if (!reply.ok) { leaving = false; tell(reply.said?.error || "The server cannot be reached; try again."); return; }
  if (reply.said.next) { await open(reply.said.next); return; }
  if (reply.said.progress) drawProgress(reply.said.progress);
  drawEnd(reply.said.progress || data.progress);
  say("That was the last one for you in this queue.");
}

// The next answer is laid into this page, so that nothing flickers; where that fails, the browser goes there.
async function open(address) {
  const page = await pageToLayIn(address);
  if (!page) { location.assign(address); return; }
  $("left").replaceWith(document.adoptNode(page.getElementById("left")));
  $("data").textContent = page.getElementById("data").textContent;
  document.title = page.title;
  takeData($("data").textContent);
  leaving = false;
  foldLog();
  setSheet(true);
  scrollTo(0, 0);
  begin();
  shown = address;
  history.pushState(null, "", address);
  say(`${$("question-side").textContent}. ${document.querySelector(".question").textContent}`);
}

function begin() {
  everSaved = mine.size > 0;
  bindLeft();
  takeUp();
  $("comment").value = mine.get("comment") ?? "";
  drawProgress(data.progress);
  view.at = firstOpen();
  draw();
  showClaim();
  drawSaved();
}

function setSheet(open) {
  document.body.classList.toggle("sheet-folded", !open);
  $("sheet-toggle").setAttribute("aria-expanded", String(open));
  $("sheet-toggle").setAttribute("aria-label", open ? "Fold the passage away" : "Open the passage");
}

const pairAt = (number) => steps.findIndex((step) => step.pair === number);
function openClaim(claim) {
  const own = steps.map((step, at) => [step, at]).filter(([step]) => step.claim === claim);
  const open = own.find(([step]) => step.key && !mine.has(step.key));
  go((open || own[0])[1]);
}

function bindLeft() {
  $("left").addEventListener("click", (event) => {
    const place = event.target.closest("[data-pair], [data-claim], [data-step]");
    if (!place || String(getSelection())) return;
    if (place.dataset.pair !== undefined) go(pairAt(Number(place.dataset.pair)));
    else if (place.dataset.step) go(stepOf(place.dataset.step));
    else openClaim(Number(place.dataset.claim));
  });
  $("comment").addEventListener("input", () => { clearTimeout(typed); typed = setTimeout(setNote, 1500); });
  $("comment").addEventListener("change", setNote);
}

function bindPanel() {
  $("step-back").addEventListener("click", () => go(view.at - 1));
  $("step-on").addEventListener("click", () => go(view.at + 1));
  $("undo").addEventListener("click", takeBack);
  $("open-guide").addEventListener("click", guide);
  $("open-keys").addEventListener("click", () => $("keys").showModal());
  $("sheet-toggle").addEventListener("click", () => setSheet(document.body.classList.contains("sheet-folded")));
}

// What was retrieved: beside the whole answer it stands already, a cited passage makes room for it.
function log(by) {
  if (current().about === "summary") go(stepOf("bucket"));
  setSheet(true);
  if (current().about === "support" && !view.log) { view.log = true; drawPanel(); }
  walkLog(by);
}

function leaveLog() {
  view.log = false;
  drawPanel();
  $("to-log")?.focus();
}

function guide() {
  $("guide").showModal();
  const part = $(`guide-${current().about}`);
  for (const one of document.querySelectorAll(".guide-part")) one.classList.toggle("here", one === part);
  part?.scrollIntoView({ block: "nearest" });
}

let looking = false;
async function lookAgain() {
  if (document.hidden || looking || leaving) return;
  looking = true;
  await (undoUnsure() ? seeWhatStands() : compare(true)).catch(() => {});
  looking = false;
}

// Labels that a page left behind, in a crash or on a closed lid, stand here again and are sent.
function takeUp() {
  for (const { body } of waitingItems()) {
    if (body.record !== data.record) continue;
    const key = keyOf(body.about, body.claim, body.citation);
    if (body.value === null) mine.delete(key); else mine.set(key, body.value);
  }
}

onPanel({ label, kind: setKind, go, done, log, leaveLog });
onUndo({ go, compare, stands, leave: (address) => { leaving = true; location.assign(address); } });
onOutbox({ saved, refused, changed: drawSaved });
bindKeys({
  go, label, undo: takeBack, guide, done, log, leaveLog,
  keys: () => $("keys").showModal(),
  open: () => go(firstOpen()),
  enterPassage: () => { setSheet(true); ($("scroller") || $("panel-body").querySelector("[tabindex='0']"))?.focus(); },
  note: () => { $("comment").focus(); $("comment").scrollIntoView({ block: "nearest" }); },
  type: () => $("kind")?.focus(),
});
bindPanel();
startClock();
addEventListener("focus", lookAgain);
document.addEventListener("visibilitychange", lookAgain);
addEventListener("popstate", () => { if (location.pathname !== shown) location.reload(); });
begin();
if (waitingItems().length) drain();
document.documentElement.dataset.ready = "yes";
