// The list of records and the filters beside it.

const STEP = 100;
const TITLES = { bucket: "Bucket", cause: "Cause", category: "Category", code: "Finding" };
const BUCKET_ORDER = ["wrong", "unsupported", "unknown", "refused", "correct"];
let chosen = [];
let drawn = 0;
const options = [];
const read = new Set();
const FLAGGED = {
  look: ["needs a look", "Wrong, unsupported, unknown, or refused although the evidence was retrieved"],
  unsure: ["judge was unsure", `The probability that a passage supports a claim lies within ${index.near} of the threshold (${index.thresholds}), or could not be judged`],
  differs: ["label differs", "A person's label names another bucket"],
};

function makeFilters() {
  const drawer = el("details", { class: "drawer" }, el("summary", {}, "Filters"));
  drawer.open = matchMedia("(min-width: 60rem)").matches;
  drawer.append(flagFilter());
  for (const facet of FACETS) drawer.append(facetFilter(facet));
  $("filters").append(drawer);
}

function flagFilter() {
  const made = FLAGS.filter((flag) => rows.some((row) => row[flag])).map((flag) => {
    const [what, meaning] = FLAGGED[flag];
    const box = el("input", { type: "checkbox", onchange: () => go({ [flag]: box.checked, record: null }) });
    const number = el("span", { class: "n" });
    const line = el("label", { class: "option", title: meaning }, box, el("span", { class: "what" }, what), number);
    options.push({ facet: flag, box, number, line });
    return line;
  });
  return made.length ? el("fieldset", {}, el("legend", {}, "Show only"), made) : "";
}

function facetFilter(facet) {
  const totals = new Map();
  for (const row of rows) for (const value of valuesOf(row, facet)) totals.set(value, (totals.get(value) || 0) + 1);
  const place = facet === "bucket" ? (value) => BUCKET_ORDER.indexOf(value) : (value) => -totals.get(value);
  const values = [...totals.keys()].sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
  if (!values.length || (facet === "category" && values.length === 1 && values[0] === "uncategorised")) return "";
  const made = values.map((value) => option(facet, value));
  const many = made.length > 10 && el("details", { class: "rest" }, el("summary", {}, `${made.length - 8} more`), ...made.splice(8));
  return el("fieldset", {}, el("legend", {}, TITLES[facet]), ...made, many);
}

// What a code means in brief; a code of somebody else is its own name.
const inBrief = (code) => (own(index.codeWords, code) || [breakable(code)])[0];

// A code may break behind its dots and underscores.
const breakable = (code) => code.match(/[^._]*[._]*/g).filter(Boolean).flatMap((part, n) => (n ? [el("wbr"), part] : [part]));

function option(facet, value) {
  const box = el("input", { type: "checkbox", onchange: () => toggle(facet, value) });
  const number = el("span", { class: "n" });
  const what = el("span", { class: `what ${facet === "code" && own(index.codeWords, value) ? "named" : facet}` }, facet === "bucket" ? badge(value) : el("bdi", {}, facet === "code" ? inBrief(value) : said(value)));
  const line = el("label", { class: "option", title: facet === "cause" ? own(index.meanings, value) : facet === "code" ? [value, ...(own(index.codeWords, value) || []).slice(1)].join(": ") : null }, box, what, number);
  options.push({ facet, value, box, number, line });
  return line;
}

function toggle(facet, value) {
  const values = new Set(state[facet]);
  if (!values.delete(value)) values.add(value);
  go({ [facet]: values, record: null });
}

function showFilters() {
  const counts = {};
  for (const facet of FACETS) {
    counts[facet] = new Map();
    for (const row of chosenRows(facet)) for (const value of valuesOf(row, facet)) counts[facet].set(value, (counts[facet].get(value) || 0) + 1);
  }
  for (const { facet, value, box, number, line } of options) {
    const n = FLAGS.includes(facet) ? chosenRows(facet).filter((row) => row[facet]).length : counts[facet].get(value) || 0;
    box.checked = FLAGS.includes(facet) ? state[facet] : state[facet].has(value);
    number.textContent = count(n);
    if (line) line.classList.toggle("none", n === 0 && !box.checked);
    if (box.checked && box.closest("details.rest")) box.closest("details.rest").open = true;
  }
}

// What is chosen, in words, each with the state that takes it away.
function choices() {
  const made = [];
  for (const facet of FACETS) for (const value of state[facet]) made.push([`${TITLES[facet].toLowerCase()}: ${facet === "code" ? (own(index.codeWords, value) || [value])[0] : said(value)}`, { [facet]: new Set([...state[facet]].filter((one) => one !== value)) }]);
  for (const flag of FLAGS) if (state[flag]) made.push([FLAGGED[flag][0], { [flag]: false }]);
  if (state.q) made.push([`search: ${state.q}`, { q: "" }]);
  return made;
}

function showChosen() {
  const chips = choices().map(([text, changes]) => el("button", { type: "button", class: "chip-off", onclick: () => go({ ...changes, record: null }) }, el("bdi", {}, text), el("span", { "aria-hidden": "true" }, " ×"), el("span", { class: "unseen" }, ": take this filter away")));
  if (chips.length > 1) chips.push(el("button", { type: "button", class: "chip-off all", onclick: () => go({ ...readState(""), order: state.order }) }, "clear all"));
  if (chips.length) chips.push(el("button", { type: "button", class: "chip-off link", onclick: () => copyLink(addressOf({ record: null })) }, "copy link"));
  $("chosen").replaceChildren(...chips);
}

function showStatus() {
  const n = chosen.length;
  let text = n === rows.length ? `${count(n)} ${n === 1 ? "answer" : "answers"}` : `${count(n)} of ${count(rows.length)} answers`;
  if (rows.length < index.n) text += ` on this page (the run has ${count(index.n)})`;
  if (state.q && search.done < rows.length) text += `; searched ${count(search.done)} of ${count(rows.length)} so far …`;
  else if (!n && rows.length) text = rows.length < index.n ? `None of the ${count(rows.length)} answers on this page passes these filters; the run has ${count(index.n)}.` : "No answer passes these filters.";
  else if (!rows.length) text = "There are no answers to show.";
  $("status").textContent = text;
  $("status").dataset.searched = search.done < rows.length ? "" : search.query;
}

function rowOf(row) {
  const beside = [row.claims === 1 ? "1 claim" : `${count(row.claims)} claims`, row.unsure ? "judge unsure" : "", row.differs ? "label differs" : "", read.has(row.id) ? "read" : ""].filter(Boolean);
  return el("li", {}, el("a", { class: `row ${row.bucket}${read.has(row.id) ? " read" : ""}`, href: addressOf({ record: row.id }), "data-at": row.at },
    el("span", { class: "first" }, badge(row.bucket), row.cause && el("span", { class: "cause" }, said(row.cause))),
    el("span", { class: "middle" }, el("span", { class: "q", dir: "auto" }, row.question || "(no question)"), el("span", { class: "id" }, el("bdi", {}, row.id))),
    el("span", { class: "last" }, row.category === "uncategorised" ? "" : el("span", {}, el("bdi", {}, said(row.category)), " "), el("span", {}, beside.join(" · ")))));
}

function drawMore(upto = drawn + STEP) {
  const to = Math.min(chosen.length, upto);
  if (to > drawn) $("list").append(...chosen.slice(drawn, to).map(rowOf));
  drawn = Math.max(drawn, to);
  const left = chosen.length - drawn;
  $("more").replaceChildren(...(left > 0 ? [el("button", { type: "button", onclick: () => drawMore() }, `Show more (${count(left)} left)`)] : []));
}

let listed = "";
function showList(force) {
  chosen = chosenRows();
  const what = `${writeState({ ...state, record: null })} ${search.done} ${chosen.length} ${read.size}`;
  showStatus();
  if (what === listed && !force) return;
  listed = what;
  drawn = 0;
  $("list").replaceChildren();
  drawMore();
  showFilters();
  showChosen();
}
