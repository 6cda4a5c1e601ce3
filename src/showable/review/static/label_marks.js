// Elements whose text is text, and texts with places marked in them. Places count characters (code points), as in a run.

// Nothing that comes from a record is ever read as markup.
export function el(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== "" && child !== false));
  return made;
}

function characters(text) {
  const points = /[\ud800-\udfff]/.test(text) ? Array.from(text) : null;
  return { length: points ? points.length : text.length, slice: (from, to) => (points ? points.slice(from, to).join("") : text.slice(from, to)) };
}

const WORDS = { own: "quoted by the answer", relied: "what the tool relied on", shared: "" };

// Tables and code keep their columns only where every character is as wide as the next.
const columned = (text) => /^[ \t]*(?:\||```|~~~|\+-)/m.test(text) || text.includes("\t");

// A passage with its marks: { span: [from, to], kind }. Marks outside the text are passed over.
export function passageBlock(text, marks) {
  const held = characters(text);
  const good = marks.filter(({ span }) => Array.isArray(span) && span[0] >= 0 && span[0] < span[1] && span[1] <= held.length);
  const cuts = [...new Set([0, held.length, ...good.flatMap(({ span }) => span)])].sort((a, b) => a - b);
  const box = el("blockquote", { class: columned(text) ? "passage mono" : "passage", dir: "auto" });
  const spans = good.map((mark) => ({ ...mark, from: mark.span[0], to: mark.span[1] }));
  cuts.slice(0, -1).forEach((start, n) => {
    const over = spans.filter((mark) => mark.from <= start && mark.to >= cuts[n + 1]);
    box.append(piece(held.slice(start, cuts[n + 1]), over, over.filter((mark) => mark.from === start)));
  });
  return box;
}

function piece(text, over, begin) {
  if (!over.length) return document.createTextNode(text);
  const kinds = [...new Set(over.map((mark) => mark.kind))];
  const label = kinds.map((kind) => WORDS[kind]).filter(Boolean).join(", ");
  const opens = begin.some((mark) => WORDS[mark.kind]);
  return el("mark", { class: kinds.join(" "), title: label || null }, opens ? el("span", { class: "unseen" }, `[${label}: `) : "", text, opens ? el("span", { class: "unseen" }, "] ") : "");
}

// Bring a place into the middle of its own scroller, without moving the page.
export function showPlace(scroller, place) {
  if (!place) return;
  const top = place.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
  scroller.scrollTop = Math.max(0, top - scroller.clientHeight * 0.32);
}
