// The keys. Those of the verdicts come from the guide, and only those of the question at hand are taken.

import { $, SUMMARY, current, data, openSteps, stepOf, toCount, view } from "./label_state.js";

const typing = (target) => target.closest("input, select, textarea, [contenteditable]");
const pressing = (target) => target.closest("button, a, summary");

export function keysOf(step) {
  const guide = data.guide[step.about];
  if (step.about === "extra_claims") return Object.fromEntries([...Array(10).keys()].map((n) => [String(n), n]));
  return Object.fromEntries((guide?.choices || []).map((one) => [one.key, one.value]));
}

function scrollPassage(step) {
  const scroller = $("scroller") || $("panel-body").querySelector("[tabindex='0']");
  if (scroller) scroller.scrollTop += step * scroller.clientHeight * 0.85;
}

export function bindKeys(acts) {
  const moves = {
    j: () => acts.go(view.at + 1), k: () => acts.go(view.at - 1),
    ArrowRight: () => acts.go(view.at + 1), ArrowLeft: () => acts.go(view.at - 1),
    ArrowDown: () => acts.go(view.at + 1), ArrowUp: () => acts.go(view.at - 1),
    b: () => acts.go(stepOf("bucket")), r: () => acts.go(stepOf("refusal_quality")), e: () => acts.go(stepOf("extra_claims")),
    l: () => acts.log(1), L: () => acts.log(-1), n: () => acts.note(), t: () => acts.type(), z: () => acts.undo(), g: () => acts.guide(), "?": () => acts.keys(),
  };
  const reading = new Set(["ArrowUp", "ArrowDown"]);
  addEventListener("keydown", (event) => {
    if (event.isComposing || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    const { key, target } = event;
    if (typing(target)) {
      if (key === "Escape" || (key === "Enter" && (event.ctrlKey || target.tagName === "INPUT"))) { event.preventDefault(); target.blur(); }
      return;
    }
    if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && key.toLowerCase() === "z") { event.preventDefault(); acts.undo(); return; }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const values = keysOf(current());
    if (Object.hasOwn(values, key)) { event.preventDefault(); if (!event.repeat) acts.label(values[key]); return; }
    if (key === "Escape" && view.log) { event.preventDefault(); acts.leaveLog(); return; }
    if (reading.has(key) && target.matches("[tabindex='0']")) return;
    if (key === "Enter" && !pressing(target)) { event.preventDefault(); if (!event.repeat) enter(acts); return; }
    if (key === " " && !pressing(target)) { event.preventDefault(); scrollPassage(event.shiftKey ? -1 : 1); return; }
    if (Object.hasOwn(moves, key)) { event.preventDefault(); moves[key](); }
  });
}

function enter(acts) {
  if (view.at === SUMMARY && !openSteps().length) acts.done();
  else if (current().about === "extra_claims" && toCount()) acts.done();
  else if (view.at === SUMMARY) acts.open();
  else acts.enterPassage();
}
