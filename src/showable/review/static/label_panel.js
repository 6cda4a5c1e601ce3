// The panel beside the answer: claim, passage, verdict; or the whole answer with its rubric; or what was said of it all.

import { logInstead, logPart } from "./label_log.js";
import { el } from "./label_marks.js";
import { passageView } from "./label_passage.js";
import { $, SUMMARY, current, data, judge, keyOf, mine, nameOf, openSteps, placeName, sign, stepOf, steps, toCount, toneOf, view } from "./label_state.js";

const acts = { label: () => {}, kind: () => {}, go: () => {}, done: () => {}, log: () => {}, leaveLog: () => {} };
export const onPanel = (given) => Object.assign(acts, given);

const word = (about, value) => el("span", { class: `b ${toneOf(value)}` }, sign(value) ? el("i", { "aria-hidden": "true" }, sign(value)) : "", nameOf(about, value));
const percent = (p) => (p === null || p === undefined ? "" : `, p ${p.toFixed(2)}`);

export function agreement(about, own, said) {
  if (!said || said.said === null || said.said === undefined || said.said === "unknown") return "open";
  if (own === "cannot_tell") return "open";
  return own === said.said ? "agrees" : "differs";
}

const AGREES = { agrees: "It agrees with you.", differs: "It differs from you.", open: "" };

// The record's own answer is nobody's verdict; it comes with the tool's, so that it leads nobody.
function goldLine(gold) {
  if (gold.answer) return el("p", { class: "note gold" }, "The record's own answer (gold): ", el("q", { dir: "auto" }, gold.answer));
  if (gold.answerable === null) return "";
  return el("p", { class: "note gold" }, `By the record's gold, the question ${gold.answerable ? "can" : "cannot"} be answered.`);
}

// What the tool said of a target, once one's own word is held by the server.
export function judgeBox(key) {
  const about = key.split(":")[0];
  const own = mine.get(key);
  const said = judge.get(key);
  if (own === undefined || !said) return "";
  const how = agreement(about, own, said);
  return el("aside", { class: `judge ${how}`, "aria-label": "What the tool said" },
    el("p", {}, el("span", { class: "soft" }, "The tool: "), said.said === null || said.said === undefined ? el("span", { class: "soft" }, "said nothing") : word(about, said.said), el("span", { class: "soft num" }, percent(said.p)), ". ", el("span", { class: `how ${how}` }, AGREES[how])),
    said.reason || said.cause ? el("p", { class: "note", dir: "auto" }, [said.cause && String(said.cause).replaceAll("_", " "), said.reason].filter(Boolean).join(": ")) : "",
    (said.points || []).map((one) => el("p", { class: "note", dir: "auto" }, `${one.earned ? "✓" : "✗"} ${one.point}${one.why ? `: ${one.why}` : ""}`)),
    said.gold ? goldLine(said.gold) : "",
    said.quote && !said.where ? el("p", { class: "note" }, "It relied on ", el("q", { dir: "auto" }, said.quote)) : "",
    el("p", { class: "note after" }, "A change from here on is kept as made after seeing this."));
}

function kindField(step) {
  const key = keyOf("claim_kind", step.claim);
  const field = el("input", { id: "kind", list: data.kinds.length ? "kinds" : null, value: mine.get(key) || "", placeholder: "none given", maxlength: "40", autocomplete: "off", spellcheck: "false", size: "12", "aria-label": `Type of claim ${step.claim + 1}` });
  field.addEventListener("change", () => acts.kind(step.claim, field));
  return el("label", { class: "kind" }, el("kbd", {}, "t"), el("span", { class: "soft" }, "type"), field, judge.get(key) && mine.has(key) ? el("span", { class: "note" }, ` the tool: ${judge.get(key).said || "none"}`) : "");
}

const logButton = () => (view.log
  ? el("button", { type: "button", class: "quiet", id: "to-log", onclick: () => acts.leaveLog() }, "back to the passage ", el("kbd", {}, "Esc"))
  : el("button", { type: "button", class: "quiet", id: "to-log", onclick: () => acts.log(1) }, "all that was retrieved ", el("kbd", {}, "l")));

function pairView(step) {
  const pair = data.pairs[step.pair];
  const claim = [el("p", { class: "claim-text", dir: "auto", id: "claim-text" }, data.claims[step.claim]), el("div", { class: "pair-line" }, kindField(step), step.about === "support" ? logButton() : "")];
  if (step.about === "uncited") return { parts: [...claim, el("p", { class: "notice nothing" }, "It cites nothing: there is no passage to judge it by. It counts in the verdict on the whole answer."), logInstead()], shown: () => {} };
  if (view.log) return { parts: [...claim, logInstead()], shown: () => {} };
  const passage = passageView(pair);
  return { parts: [...claim, ...passage.parts, judgeBox(step.key)], shown: passage.shown };
}

function rubricView(step) {
  const guide = data.guide[step.about];
  const own = mine.get(step.key);
  const said = step.about === "bucket" ? steps.filter((one) => one.about === "support") : [];
  return { parts: [
    el("div", { class: "rubric", tabindex: "0", role: "region", "aria-label": "Rubric" },
      el("p", { class: "rule" }, guide.rule),
      data.passages.length ? el("button", { type: "button", class: "quiet to-log-below", onclick: () => acts.log(1) }, "read what was retrieved") : "",
      el("dl", { class: "choices" }, guide.choices.map((choice) => el("div", { class: choice.value === own ? "own-choice" : null }, el("dt", {}, el("kbd", {}, choice.key), choice.name === choice.key ? "" : [" ", word(step.about, choice.value)]), el("dd", {}, choice.when)))),
      step.about === "refusal_quality" && mine.get("bucket") !== "refused" ? el("p", { class: "note" }, "Asked of answers that you call refused; you may answer it for any.") : "",
      said.length ? el("section", { class: "so-far" }, el("h3", { class: "side" }, "Your verdicts on its citations"), el("ul", { class: "plain" }, said.map((one) => el("li", {}, el("button", { type: "button", class: "quiet", onclick: () => acts.go(steps.indexOf(one)) }, placeName(one.key)), " ", word("support", mine.get(one.key)))))) : "",
      logPart()),
    judgeBox(step.key)], shown: () => {} };
}

function summaryView() {
  const rows = steps.filter((step) => step.key && (step.about !== "refusal_quality" && step.about !== "extra_claims" || mine.has(step.key) || (step.about === "extra_claims" && toCount())));
  const row = (step) => {
    const said = judge.get(step.key);
    const how = agreement(step.about, mine.get(step.key), said);
    return el("tr", {}, el("th", { scope: "row" }, el("button", { type: "button", class: "quiet", onclick: () => acts.go(steps.indexOf(step)) }, placeName(step.key))), el("td", {}, word(step.about, mine.get(step.key))),
      el("td", {}, mine.has(step.key) && said ? [said.said === null ? "–" : word(step.about, said.said), el("span", { class: "soft num p" }, percent(said.p)), how === "differs" ? el("small", { class: "how differs" }, " differs") : ""] : el("span", { class: "soft" }, mine.has(step.key) ? "not yet" : "after you")));
  };
  return { parts: [el("div", { class: "summary", tabindex: "0", role: "region", "aria-label": "Your labels" }, el("table", { class: "grid" }, el("thead", {}, el("tr", {}, ["What", "You", "The tool"].map((name) => el("th", { scope: "col" }, name)))), el("tbody", {}, rows.map(row))))], shown: () => {} };
}

const TITLES = { bucket: "The whole answer", refusal_quality: "Refusal quality", extra_claims: "Uncited sentences", summary: "Your labels" };

function title(step) {
  if (!("claim" in step)) return step.about === "summary" && openSteps().length ? "Still open" : TITLES[step.about];
  const own = data.pairs.filter((pair) => pair.claim === step.claim);
  const many = own.length > 1 ? ` · citation ${step.citation + 1} of ${own.length}` : "";
  return `Claim ${step.claim + 1} of ${data.claims.length}${many}`;
}

// Buttons stay the same elements while the question stays the same, so that focus stays where it is.
function drawBar(step) {
  const bar = $("verdict-bar");
  const own = mine.get(step.key);
  if (bar.dataset.about !== step.about) bar.replaceChildren(...barFor(step));
  bar.dataset.about = step.about;
  for (const button of bar.querySelectorAll("[data-value]")) button.setAttribute("aria-pressed", String(own !== undefined && button.dataset.value === String(own)));
  const number = bar.querySelector("input[type=number]");
  if (number && document.activeElement !== number) number.value = own ?? "";
  if ($("skip")) $("skip").hidden = !toCount();
  const none = step.about === "support" && !data.passages[data.pairs[step.pair].passage]?.text;
  bar.querySelector("[data-value=cannot_tell]")?.classList.toggle("suggested", none && own === undefined);
  if (step.about === "summary") bar.replaceChildren(...summaryBar());
}

function barFor(step) {
  if (step.about === "summary") return [];
  if (step.about === "uncited") return [el("p", { class: "ask" }, "Nothing to judge here."), el("div", { class: "buttons one" }, el("button", { type: "button", onclick: () => acts.go(view.at + 1) }, el("kbd", {}, "j"), " Go on"))];
  const guide = data.guide[step.about];
  const button = (value, key, name) => el("button", { type: "button", class: `choice ${toneOf(value)}`, "data-value": String(value), "aria-pressed": "false", "aria-label": name ? null : key, title: guide.choices.find((one) => one.value === value)?.when, onclick: () => acts.label(value) }, el("kbd", { "aria-hidden": "true" }, key), el("span", {}, name));
  const asks = el("p", { class: "ask", id: "ask" }, guide.asks);
  if (step.about !== "extra_claims") return [asks, el("div", { class: `buttons ${step.about}`, role: "group", "aria-labelledby": "ask" }, guide.choices.map((one) => button(one.value, one.key, one.name === one.key ? "" : one.name)))];
  const more = el("input", { type: "number", min: "0", max: String(data.most.extra), step: "1", "aria-label": "Another number", placeholder: "more" });
  more.addEventListener("change", () => { if (more.value !== "" && more.checkValidity()) acts.label(Number(more.value)); });
  return [asks, el("div", { class: "buttons count", role: "group", "aria-labelledby": "ask" }, [...Array(10).keys()].map((n) => button(n, String(n), "")), more), el("button", { type: "button", class: "quiet", id: "skip", hidden: "", onclick: () => acts.done() }, el("kbd", {}, "Enter"), el("span", {}, " Skip, next answer"))];
}

function summaryBar() {
  const open = openSteps();
  if (open.length) return [el("p", { class: "ask" }, `${open.length} still open.`), el("div", { class: "buttons one" }, el("button", { type: "button", class: "primary", onclick: () => acts.go(steps.indexOf(open[0])) }, "Go to the first"))];
  const count = toCount() ? el("button", { type: "button", id: "to-count", onclick: () => acts.go(stepOf("extra_claims")) }, el("kbd", {}, "e"), " Count them") : "";
  return [el("p", { class: "ask" }, count ? "All but the number of uncited sentences is labelled." : "Everything is labelled."), el("div", { class: "buttons one" }, count, el("button", { type: "button", class: "primary", id: "next-answer", onclick: () => acts.done() }, el("kbd", {}, "Enter"), " Next answer"))];
}

// Nothing is drawn anew under somebody's fingers: a field that is being typed in stays.
let drawn = null;
export function drawPanel() {
  const step = current();
  $("panel").hidden = false;
  $("panel-title").textContent = title(step);
  drawBar(step);
  $("step-back").disabled = view.at === 0;
  $("step-on").disabled = view.at === SUMMARY;
  if (drawn === step && $("panel-body").contains(document.activeElement?.closest("input"))) return;
  const again = drawn === step ? [...$("panel-body").children].map((one) => one.scrollTop) : [];
  drawn = step;
  const { parts, shown } = step.about === "summary" ? summaryView() : "claim" in step ? pairView(step) : rubricView(step);
  $("panel").dataset.about = step.about;
  $("panel-body").replaceChildren(...parts.flat(Infinity).filter(Boolean));
  shown();
  if (again.length && !view.log) [...$("panel-body").children].forEach((one, at) => { if (again[at]) one.scrollTop = again[at]; });
}

export function drawEnd(progress) {
  const part = el("div", { class: "end" }, el("p", { class: "lead" }, "That was the last one for you in this queue."), el("p", {}, `${progress.done} answers are labelled. `, el("a", { href: "/" }, "All queues"), ", or take your labels along: ", el("a", { href: "/export/labels.jsonl?whose=mine" }, "JSON Lines"), ", ", el("a", { href: "/export/labels.csv?whose=mine" }, "CSV"), "."));
  $("panel").dataset.about = "end";
  $("panel-title").textContent = "Done";
  $("panel-body").replaceChildren(part);
  $("verdict-bar").replaceChildren();
  delete $("verdict-bar").dataset.about;
  part.querySelector("a").focus();
}
