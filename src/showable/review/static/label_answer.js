// The answer on the left: which claim is at hand, and what one has said of each.

import { $, current, data, keyOf, mine, nameOf, sign, toneOf } from "./label_state.js";

export function drawAnswer() {
  const step = current();
  for (const marked of document.querySelectorAll("[data-claim]")) drawClaim(marked, Number(marked.dataset.claim), step);
  for (const cite of document.querySelectorAll("[data-pair]")) drawCite(cite, Number(cite.dataset.pair), step);
  for (const button of $("whole-steps").querySelectorAll("[data-step]")) button.setAttribute("aria-current", String(button.dataset.step === step.about));
  for (const said of document.querySelectorAll("[data-own]")) drawWhole(said, said.dataset.own);
}

function drawClaim(marked, claim, step) {
  const pairs = data.pairs.filter((pair) => pair.claim === claim && pair.citation !== null);
  const words = pairs.map((pair) => mine.get(keyOf("support", claim, pair.citation)));
  const done = words.length > 0 && words.every((one) => one !== undefined);
  const alike = done && new Set(words).size === 1;
  marked.classList.toggle("here", step.claim === claim);
  marked.classList.toggle("done", done);
  marked.classList.toggle("uncited", pairs.length === 0);
  for (const tone of ["supported", "partial", "unsupported", "contradicted", "cannot_tell"]) marked.classList.toggle(tone, alike && words[0] === tone);
  if (!marked.classList.contains("chip")) return;
  const state = pairs.length === 0 ? "cites nothing" : done ? words.map((one) => nameOf("support", one)).join(", ") : `${words.filter((one) => one === undefined).length} to label`;
  marked.setAttribute("aria-label", `Claim ${claim + 1}, ${state}`);
  marked.setAttribute("aria-current", String(step.claim === claim));
  marked.textContent = `${claim + 1}${done ? ` ${alike ? sign(words[0]) : "✓"}` : ""}`;
}

function drawCite(cite, number, step) {
  cite.classList.toggle("here", step.pair === number);
  const pair = data.pairs[number];
  cite.classList.toggle("done", mine.has(keyOf("support", pair.claim, pair.citation)));
}

function drawWhole(said, about) {
  const value = mine.get(about);
  said.className = `own-word b ${toneOf(value)}`;
  said.textContent = `${sign(value)} ${nameOf(about, value)}`.trim();
}

// The claim at hand is brought into view where it is not; on a phone above the sheet.
export function showClaim() {
  const claim = current().claim;
  const place = claim === undefined ? null : document.querySelector(`.chip[data-claim="${claim}"]`);
  if (!place) return;
  const box = place.getBoundingClientRect();
  const sheet = getComputedStyle($("panel")).position === "fixed" ? $("panel").getBoundingClientRect().top : innerHeight;
  const head = 64;
  if (box.top >= head && box.bottom <= sheet - 48) return;
  const left = $("left");
  if (getComputedStyle(left).overflowY === "auto") left.scrollTop += box.top - left.getBoundingClientRect().top - left.clientHeight * 0.3;
  else scrollTo({ top: Math.max(0, scrollY + box.top - head - 24) });
}
