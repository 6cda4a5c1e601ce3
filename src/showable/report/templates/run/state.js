// What is chosen lives in the address, after the #: a view can be shared, and the back button works.

const FACETS = ["bucket", "cause", "category", "code"];
const FLAGS = ["look", "unsure", "differs"];
const ORDERS = ["worst", "file"];

function readState(fragment) {
  const given = new URLSearchParams(fragment.replace(/^#/, ""));
  const state = { q: given.get("q") || "", record: given.get("record"), order: given.get("order") };
  for (const facet of FACETS) state[facet] = new Set(given.getAll(facet));
  for (const flag of FLAGS) state[flag] = given.get(flag) === "1";
  if (!ORDERS.includes(state.order)) state.order = "worst";
  return state;
}

function writeState(state) {
  const given = new URLSearchParams();
  for (const facet of FACETS) for (const value of state[facet]) given.append(facet, value);
  for (const flag of FLAGS) if (state[flag]) given.set(flag, "1");
  if (state.q) given.set("q", state.q);
  if (state.order !== "worst") given.set("order", state.order);
  if (state.record !== null && state.record !== undefined) given.set("record", state.record);
  return given.toString();
}

const addressOf = (changes) => `#${writeState({ ...state, ...changes })}`;
const filtered = () => FACETS.some((facet) => state[facet].size) || FLAGS.some((flag) => state[flag]) || state.q !== "";
let state = readState(location.hash);

function go(changes, { replace = false } = {}) {
  const next = addressOf(changes);
  try {
    history[replace ? "replaceState" : "pushState"](null, "", next === "#" ? location.pathname + location.search : next);
    arrive();
  } catch {
    location.hash = next;
  }
}

const passes = {
  bucket: (row) => !state.bucket.size || state.bucket.has(row.bucket),
  cause: (row) => !state.cause.size || state.cause.has(row.cause),
  category: (row) => !state.category.size || state.category.has(row.category),
  code: (row) => !state.code.size || row.codes.some((code) => state.code.has(code)),
  ...Object.fromEntries(FLAGS.map((flag) => [flag, (row) => !state[flag] || row[flag]])),
  q: (row) => !state.q || search.found(row),
};

function chosenRows(except) {
  const tests = Object.entries(passes).filter(([name]) => name !== except).map(([, test]) => test);
  const chosen = rows.filter((row) => tests.every((test) => test(row)));
  return state.order === "file" ? chosen.sort((a, b) => a.number - b.number) : chosen;
}

function valuesOf(row, facet) {
  return facet === "code" ? row.codes : row[facet] ? [row[facet]] : [];
}
