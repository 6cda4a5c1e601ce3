// The cited passage beside its claim: where it comes from, its text with its marks, and what stands next to it.

import { el, passageBlock, showPlace } from "./label_marks.js";
import { data, judge, keyOf, mine } from "./label_state.js";

const count = (n) => n.toLocaleString("en-US");

export function sourceLine(pair) {
  const passage = data.passages[pair.passage];
  const id = pair.source && pair.source !== pair.raw ? pair.source : "";
  return el("div", { class: "source" },
    pair.raw ? el("span", { class: "raw" }, el("bdi", {}, pair.raw)) : "",
    el("div", { class: "source-words" },
      passage?.title ? el("cite", { dir: "auto" }, passage.title) : "",
      passage?.page ? el("span", {}, "page ", el("bdi", {}, passage.page)) : "",
      id ? el("code", {}, el("bdi", {}, id)) : "",
      passage?.url ? el("span", { class: "address" }, el("bdi", {}, passage.url)) : ""));
}

// Only the answer's own quotation, or the same words, are marked before one's own word; what the tool relied on after it.
function marksOf(pair) {
  const said = judge.get(keyOf("support", pair.claim, pair.citation));
  const after = said?.where && mine.has(keyOf("support", pair.claim, pair.citation)) ? [{ span: said.where, kind: "relied" }] : [];
  return [...pair.own.map((span) => ({ span, kind: "own" })), ...(after.length ? [] : pair.shared).map((span) => ({ span, kind: "shared" })), ...after];
}

function neighbour(at, where, same) {
  const passage = data.passages[at];
  if (!passage || passage.text === null) return "";
  const title = same ? `${where} it in the same document${passage.page ? `, page ${passage.page}` : ""}` : `${where} it in the retrieval log`;
  return el("details", { class: "neighbour", open: same && passage.text.length < 1500 },
    el("summary", {}, `${title} `, el("code", {}, el("bdi", {}, passage.id))),
    el("div", { class: "neighbour-text", dir: "auto" }, passage.text),
    passage.more ? el("p", { class: "note" }, `${count(passage.more)} more characters are left out here.`) : "");
}

function legend(pair, marks) {
  const kinds = new Set(marks.map((mark) => mark.kind));
  return el("p", { class: "legend note" },
    kinds.has("own") ? el("span", {}, el("mark", { class: "own" }, "quoted by the answer")) : "",
    kinds.has("relied") ? el("span", {}, el("mark", { class: "relied" }, "what the tool relied on")) : "",
    kinds.has("shared") ? el("span", {}, el("mark", { class: "shared" }, "the same words"), " as in the claim, by plain word match") : "",
    pair.missing.map((words) => el("span", { class: "missing" }, "The answer quotes ", el("q", { dir: "auto" }, words), ", which does not stand in this passage.")),
    kinds.size || pair.missing.length ? "" : "Nothing is marked: the answer quotes nothing of it.");
}

// Gives the parts, and what to do once they are on the page.
export function passageView(pair) {
  const passage = data.passages[pair.passage];
  const nothing = (words) => ({ parts: [sourceLine(pair), el("p", { class: "notice nothing" }, words, " “Cannot tell” fits.")], shown: () => {} });
  if (!passage) return nothing(pair.source || pair.raw ? "Nothing of this name was retrieved, so there is no passage to read." : "The citation names no source, so there is no passage to read.");
  if (passage.text === null) return nothing("The retrieval log holds no text of this source.");
  if (!passage.text.trim()) return nothing("The retrieval log holds this source with an empty text.");
  const marks = marksOf(pair);
  const block = passageBlock(passage.text, marks);
  const scroller = el("div", { class: "scroller", tabindex: "0", role: "region", "aria-label": `Cited passage ${passage.title || passage.id}`, id: "scroller" },
    neighbour(passage.before, "Before", passage.same), block, neighbour(passage.after, "After", passage.same));
  return { parts: [sourceLine(pair), scroller, legend(pair, marks)], shown: () => showPlace(scroller, block.querySelector("mark.own") || block.querySelector("mark.relied") || block.querySelector("mark.shared") || (passage.before === null ? null : block)) };
}
