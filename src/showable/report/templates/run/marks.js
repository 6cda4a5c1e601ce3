// Texts with places marked in them. Places count characters (code points), as everywhere in a run.

function characters(text) {
  const points = /[\ud800-\udfff]/.test(text) ? Array.from(text) : null;
  return { length: points ? points.length : text.length, slice: (from, to) => (points ? points.slice(from, to).join("") : text.slice(from, to)) };
}

// Tables and code keep their columns only where every character is as wide as the next.
const columned = (text) => /^[ \t]*(?:\||```|~~~|\+-)/m.test(text) || text.includes("\t");

const inside = (span, length) => Array.isArray(span) && span[0] >= 0 && span[0] < Math.min(span[1], length);

// Cut [from, to) of a text wherever a mark begins or ends. Gives pieces { text, marks, begins }.
function pieces(text, marks, from = 0, to = text.length, also = []) {
  const kept = marks.map((mark) => ({ ...mark, start: Math.max(mark.span[0], from), end: Math.min(mark.span[1], to) })).filter((mark) => mark.start < mark.end);
  const cuts = [...new Set([from, to, ...kept.flatMap((mark) => [mark.start, mark.end]), ...also.filter((at) => at > from && at < to)])].sort((a, b) => a - b);
  return cuts.slice(0, -1).map((start, n) => {
    const end = cuts[n + 1];
    return { start, text: text.slice(start, end), marks: kept.filter((mark) => mark.start <= start && mark.end >= end), begins: kept.filter((mark) => mark.start === start) };
  });
}

// A passage around what is marked in it, with a way to see it whole.
// What had no room on the page is left out of a passage, and each gap says how much.
const leftOut = ({ gaps = [], more = 0 }) => gaps.reduce((sum, [, n]) => sum + n, more);
const gap = (n) => el("span", { class: "gap" }, ` [… ${count(n)} characters left out …] `);
const AROUND = 260;
const SHORT = 900;

function excerpt(passage, marks, { whole = false } = {}) {
  const { text, gaps = [], more: after = 0 } = passage;
  const held = characters(text);
  const good = marks.filter((mark) => inside(mark.span, held.length));
  const box = el("blockquote", { class: columned(text) ? "passage mono" : "passage", dir: "auto" });
  const show = (from, to) => {
    const parts = pieces(held, good, from, to, gaps.map(([at]) => at)).flatMap((piece) => [...gaps.filter(([at]) => at === piece.start).map(([, n]) => gap(n)), markedPiece(piece)]);
    box.replaceChildren(...[from > 0 ? "… " : "", ...parts, to < held.length ? " …" : after ? gap(after) : ""].filter((one) => one !== ""));
  };
  const first = Math.min(held.length, ...good.map((mark) => mark.span[0]));
  const last = Math.min(held.length, Math.max(0, ...good.map((mark) => mark.span[1])));
  const [from, to] = good.length ? [Math.max(0, first - AROUND), Math.min(held.length, Math.max(last + AROUND, first + AROUND))] : [0, Math.min(held.length, 2 * AROUND)];
  if (whole || held.length <= SHORT || to - from >= held.length) {
    show(0, held.length);
    return [box];
  }
  show(from, to);
  const showAll = leftOut(passage) ? `Show the ${count(held.length)} characters that are here` : `Show all ${count(held.length)} characters`;
  const more = el("button", { type: "button", class: "quiet", "aria-expanded": "false", onclick: () => {
    const open = more.getAttribute("aria-expanded") === "false";
    show(...(open ? [0, held.length] : [from, to]));
    more.setAttribute("aria-expanded", String(open));
    more.textContent = open ? "Show less" : showAll;
    showTerms($("reader"));
  } }, showAll);
  return [box, more];
}

function markedPiece({ text, marks, begins }) {
  const kinds = new Set(marks.map((mark) => mark.kind));
  if (!kinds.size) return text;
  const label = [kinds.has("relied") && "the judge relied on", kinds.has("own") && "the answer's quotation", kinds.has("gold") && "gold evidence"].filter(Boolean).join(", ");
  return el("mark", { class: [...kinds].join(" "), title: label }, begins.length ? el("span", { class: "unseen" }, `[${label}: `) : "", text, begins.length ? el("span", { class: "unseen" }, "] ") : "");
}
