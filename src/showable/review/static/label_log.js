// What was retrieved: every passage of the log in rank order, folded, those that the answer cites marked as such.
// The order and the marks are the log's and the answer's own; nothing here comes from the tool's verdicts.

import { el } from "./label_marks.js";
import { $, data } from "./label_state.js";

const count = (n) => n.toLocaleString("en-US");
const opened = new Set();
export const foldLog = () => opened.clear();

export const logTitle = () => (data.passages.length ? `What was retrieved (${count(data.passages.length)})` : "What was retrieved");

function citing(at) {
  const claims = [...new Set(data.pairs.filter((pair) => pair.citation !== null && pair.passage === at).map((pair) => pair.claim + 1))];
  return claims.length ? `cited by claim${claims.length === 1 ? "" : "s"} ${claims.join(", ")}` : "";
}

function entry(passage, at) {
  const cited = citing(at);
  const text = passage.text?.trim() ? passage.text : null;
  const none = passage.text === null ? "The log holds no text of it." : "Its text is empty.";
  const box = el("details", { class: cited ? "retrieved cited" : "retrieved", open: opened.has(at) },
    el("summary", {},
      el("span", { class: "rank num" }, String(at + 1)),
      el("span", { class: "entry" },
        passage.title ? el("cite", { dir: "auto" }, passage.title, " ") : "",
        passage.page ? el("span", {}, "page ", el("bdi", {}, passage.page), " ") : "",
        el("code", {}, el("bdi", {}, passage.id)), " ",
        cited ? el("span", { class: "tag" }, cited) : "",
        el("span", { class: "peek", dir: "auto" }, text ? text.trim().slice(0, 160) : none))),
    text ? el("div", { class: "log-text", dir: "auto" }, text) : el("p", { class: "note" }, none),
    passage.more ? el("p", { class: "note" }, `${count(passage.more)} more characters are left out here.`) : "",
    passage.url ? el("p", { class: "note address" }, el("bdi", {}, passage.url)) : "");
  box.addEventListener("toggle", () => { if (box.open) opened.add(at); else opened.delete(at); });
  return box;
}

function emptyLog() {
  return data.logged
    ? el("p", { class: "notice nothing" }, "The search returned nothing: the log is there, and it is empty.")
    : el("p", { class: "notice nothing" }, "The record holds no retrieval log: nobody knows from this page what was found.");
}

export function logPart() {
  return el("section", { class: "log", id: "log", "aria-labelledby": "log-title" },
    el("h3", { class: "side", id: "log-title" }, logTitle(), data.passages.length ? el("kbd", {}, "l") : ""),
    data.passages.length ? data.passages.map(entry) : emptyLog());
}

// The log in place of a cited passage.
export const logInstead = () => el("div", { class: "scroller", id: "scroller", tabindex: "0", role: "region", "aria-label": "What was retrieved" }, logPart());

// Open the passage after (or before) the one at hand, and fold that one away where the key had opened it.
export function walkLog(by) {
  const all = [...document.querySelectorAll("#log details")];
  if (!all.length) { $("log")?.scrollIntoView({ block: "nearest" }); return; }
  const held = all.indexOf(document.activeElement?.closest("#log details"));
  const next = held < 0 ? (by > 0 ? 0 : all.length - 1) : held + by;
  if (held >= 0) all[held].open = false;
  const place = all[Math.min(Math.max(next, 0), all.length - 1)];
  place.open = next >= 0 && next < all.length;
  place.querySelector("summary").focus({ preventScroll: true });
  const box = [place.closest("[tabindex='0']"), $("panel-body")].find((one) => one.scrollHeight > one.clientHeight) || $("panel-body");
  box.scrollTop += place.getBoundingClientRect().top - box.getBoundingClientRect().top - 12;
}
