// What is labelled here: the steps through one answer, one's own words, and what the tool said once it may be seen.

export const $ = (id) => document.getElementById(id);
export const data = {};
export const keyOf = (about, claim, citation) => [about, claim, citation].filter((part) => part !== undefined && part !== null).join(":");

// By the key of a target: one's own word as it stands on this page, and the tool's word, which the server gives after it.
export const mine = new Map();
export const judge = new Map();

const WHOLE = ["bucket", "refusal_quality", "extra_claims"];
export const steps = [];
const stepsOf = () => [
  ...data.pairs.map((pair, number) => ({ about: pair.citation === null ? "uncited" : "support", pair: number, claim: pair.claim, citation: pair.citation, key: pair.citation === null ? null : keyOf("support", pair.claim, pair.citation) })),
  ...WHOLE.map((about) => ({ about, key: about })),
  { about: "summary", key: null },
];
export let SUMMARY = 0;
export const stepOf = (about) => steps.findIndex((step) => step.about === about);

export const view = { at: 0, before: null, log: false };
export const current = () => steps[view.at];

// Take up an answer: the one that this page came with, and later the next ones.
export function takeData(text) {
  for (const name of Object.keys(data)) delete data[name];
  Object.assign(data, JSON.parse(text));
  for (const [held, given] of [[mine, data.mine], [judge, data.judge]]) {
    held.clear();
    for (const [key, value] of Object.entries(given)) held.set(key, value);
  }
  steps.splice(0, steps.length, ...stepsOf());
  SUMMARY = steps.length - 1;
  Object.assign(view, { at: 0, before: null, log: false });
}

takeData($("data").textContent);

// What has to be said before an answer is done: every citation, the whole answer, and a refusal's quality where it is one.
function isOpen(step) {
  if (!step.key || mine.has(step.key)) return false;
  if (step.about === "refusal_quality") return mine.get("bucket") === "refused";
  return step.about !== "extra_claims";
}

export const openSteps = () => steps.filter(isOpen);

// The last question, of an answer that asserts something. It may be skipped, and one is not led to it again where it was.
export const toCount = () => data.asserts && !openSteps().length && mine.get("bucket") !== "refused" && !mine.has("extra_claims");

// The next step that is open, after the one at hand and then from the beginning; the summary where there is none.
export function nextOpen(after) {
  const order = [...steps.keys()].slice(after + 1).concat([...steps.keys()].slice(0, after + 1));
  const found = order.find((at) => isOpen(steps[at]));
  return found ?? (toCount() && !data.finished ? stepOf("extra_claims") : SUMMARY);
}

export const firstOpen = () => nextOpen(-1);

const SIGNS = { supported: "✓", partial: "◐", unsupported: "△", contradicted: "✗", cannot_tell: "?", correct: "✓", wrong: "✗", refused: "○", unknown: "?" };
export const sign = (value) => (Object.hasOwn(SIGNS, value) ? SIGNS[value] : "");

export function nameOf(about, value) {
  if (value === undefined || value === null) return "–";
  const choice = (data.guide[about]?.choices || []).find((one) => one.value === value);
  return choice ? choice.name : String(value).replaceAll("_", " ");
}

export const toneOf = (value) => (Object.hasOwn(SIGNS, value) ? value : "");

export function targetOf(key) {
  const [about, claim, citation] = key.split(":");
  return { about, ...(claim === undefined ? {} : { claim: Number(claim) }), ...(citation === undefined ? {} : { citation: Number(citation) }) };
}

export function placeName(key) {
  const { about, claim, citation } = targetOf(key);
  if (about === "support") {
    const many = data.pairs.filter((pair) => pair.claim === claim).length > 1;
    return `Claim ${claim + 1}${many ? `, citation ${citation + 1}` : ""}`;
  }
  return { bucket: "The whole answer", refusal_quality: "Refusal quality", extra_claims: "Uncited sentences", claim_kind: `Type of claim ${claim + 1}`, comment: "Note" }[about];
}
