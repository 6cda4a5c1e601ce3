// Beside each claim: what it cites, with the words relied on, what contradicts it, and what else supports it.

const OUTCOMES = { pass: ["✓", "good"], fail: ["✗", "bad"], unknown: ["?", "open"], not_applicable: ["–", "none"] };

const AGAINST = new Set(["not_found", "mismatch", "malformed", "retracted", "withdrawn", "superseded_version", "blocked_url"]);
const registry = ({ status, registry: who }) => (status ? tag(`${who || "registry"}: ${said(status)}`, status === "resolved" ? "good" : AGAINST.has(status) ? "bad" : "open") : "");

const CARRIES = { pass: "✓ supports a claim", fail: "supports no claim", unknown: "not checked against every claim" };

const CHECKED = {
  exists: { pass: "was retrieved", fail: "was not retrieved", unknown: "not known whether it was retrieved", title: "Whether the source it names is in the retrieval log" },
  resolves: { pass: "reference holds", fail: "reference does not hold", unknown: "reference not checked", title: "Whether it leads to a real source, and the quotation and page it gives are right" },
  supports: { pass: "supports the claim", fail: "does not support the claim", unknown: "support could not be judged", title: "Whether the passage, read alone, says what the claim says" },
};

function outcome(what, value) {
  const words = own(CHECKED[what], value);
  if (!words) return "";
  const [mark, tone] = OUTCOMES[value];
  return el("span", { class: `tag ${tone}`, title: CHECKED[what].title }, el("i", { "aria-hidden": "true" }, mark), ` ${words}`);
}

const AGREES = { agrees: ["✓ agrees with the expected answer", "good"], disagrees: ["✗ disagrees with the expected answer", "bad"], unknown: ["? agreement with the expected answer not judged", "open"] };

function probability({ p, at, near }) {
  const words = `probability of support ${p.toFixed(2)}, needs ${at}${near ? ": close, the judge was unsure" : ""}`;
  return el("span", { class: `tag ${near ? "open" : ""}`, title: "What the judge gives that the cited passages say what the claim says; from the threshold of its kind on it counts as support" }, words);
}

const tag = (text, tone = "") => el("span", { class: `tag ${tone}` }, text);
const verdict = (claim) => el("span", { class: `v ${claim.support}`, title: (own(index.supports, claim.support) || [])[1] }, el("i", { "aria-hidden": "true" }, (own(index.supports, claim.support) || [""])[0]), ` ${said(claim.support)}`);

function evidence(body, printing) {
  const sources = new Map((body.passages || []).map((passage) => [passage.source, passage]).reverse());
  const claims = body.claims || [];
  const short = claims.map((claim, n) => printing && bare(body, claim, n));
  const cards = claims.map((claim, n) => (short[n] ? "" : claimCard(body, claim, n, sources, printing)));
  const mute = short.flatMap((one, n) => (one ? [n + 1] : []));
  return [
    el("h2", { class: "side" }, claims.length ? "Claims and their evidence" : "Evidence"),
    mute.length ? el("p", { class: "note" }, `${mute.length === 1 ? "Claim" : "Claims"} ${mute.join(", ")} ${mute.length === 1 ? "cites" : "cite"} nothing.`) : "",
    claims.length ? cards : el("p", { class: "soft" }, body.bucket === "refused" ? "A refusal asserts nothing that would need evidence." : "There is no claim to hold against a passage."),
    body.claims_more ? el("p", { class: "note" }, `${count(body.claims_more)} more claims are not shown; all are in the run's scores.`) : "",
    looseCitations(body, sources),
    printing ? "" : retrieved(body),
  ];
}

// What the card of a claim says anyway.
const UNCITED = "structural.uncited_claim";

// On paper a claim of which there is nothing to say but that it cites nothing needs no card: it stands in the answer.
function bare(body, claim, n) {
  const told = [claim.citations, claim.against, claim.by, claim.corpus].some((list) => (list || []).length) || own(AGREES, claim.gold) || claim.p !== undefined;
  return claim.support === "uncited" && !told && Array.isArray(claim.span) && !(body.findings || []).some((finding) => finding.claim === n && finding.code !== UNCITED);
}

function claimCard(body, claim, n, sources, printing) {
  const tags = [
    claim.p === undefined ? "" : probability(claim),
    claim.kind ? tag(said(claim.kind)) : "",
    claim.role === "aside" ? el("span", { class: "tag", title: "It does not answer the question itself" }, "aside") : "",
    own(AGREES, claim.gold) ? tag(...AGREES[claim.gold]) : "",
  ];
  const cited = (claim.citations || []).map((citation) => citationBlock(citation, claim, sources));
  const against = (claim.against || []).filter((id) => !(claim.citations || []).some((citation) => citation.source === id));
  const others = (claim.by || []).filter((id) => !(claim.citations || []).some((citation) => citation.source === id));
  const told = new Set((claim.citations || []).map((citation) => citation.reason));
  const found = (body.findings || []).map((finding, number) => ({ finding, number })).filter(({ finding }) => finding.claim === n && finding.code !== UNCITED);
  const uncited = (body.findings || []).some((finding) => finding.claim === n && finding.code === UNCITED);
  const unsupported = !cited.length && !others.length && claim.log === "fail" ? " No retrieved passage that was looked at supports it." : "";
  return el("section", { class: `claim-card v-${claim.support}`, "data-claim": n, id: printing ? null : `claim-${n}`, tabindex: printing ? null : "-1", "aria-label": `Claim ${n + 1}, ${said(claim.support)}` },
    el("p", { class: "head" }, el("span", { class: "number" }, String(n + 1)), verdict(claim), tags),
    el("p", { class: "claim-text", dir: "auto" }, claim.text),
    cited.length ? cited : el("p", { class: "note" }, `It cites nothing.${unsupported} `, uncited && el("code", {}, UNCITED)),
    against.map((id) => otherPassage("Contradicted by", id, sources, "bad")),
    (claim.corpus || []).map(corpusPassage),
    others.length ? el("p", { class: "note" }, "Not cited, but supported by: ", others.map((id, at) => [at ? ", " : "", passageLink(id, printing)])) : "",
    found.length ? el("ul", { class: "found-here" }, found.map(({ finding, number }) => findingLine(told.has(finding.reason) ? { ...finding, reason: "" } : finding, { numbers: [number], about: [] }))) : "");
}

function citationBlock(citation, claim, sources) {
  const passage = sources.get(citation.source);
  const marks = [];
  if (citation.relied) marks.push({ span: citation.relied, kind: "relied" });
  const own = citation.own || [];
  for (const one of own) if (one.at) marks.push({ span: one.at, kind: "own" });
  const contradicts = (claim.against || []).includes(citation.source);
  return el("div", { class: "cited" },
    sourceLine(passage, citation),
    el("p", { class: "tags" }, outcome("exists", citation.exists), citation.exists === "fail" && citation.resolves === "fail" ? "" : outcome("resolves", citation.resolves), contradicts ? tag("✗ contradicts the claim", "bad") : outcome("supports", citation.supports),
      registry(citation)),
    citation.reason ? el("p", { class: "reason" }, citation.reason) : "",
    passageText(passage, citation, marks),
    passage && typeof passage.text === "string" ? legend(marks.filter((mark) => inside(mark.span, characters(passage.text).length))) : "",
    own.filter((one) => !one.at).map((one) => el("p", { class: "note" }, "The answer quotes ", el("q", { dir: "auto" }, one.text), passage && passage.text ? ", which does not stand in this passage." : ", which could not be looked for.")));
}

function passageText(passage, citation, marks) {
  if (!passage) return el("p", { class: "soft" }, citation.exists === "fail" ? "Nothing of this name was retrieved." : "It points outside the retrieval log.");
  if (typeof passage.text !== "string") return el("p", { class: "soft" }, "The log holds no text of it.");
  const beyond = !inside(citation.relied, characters(passage.text).length);
  return [...excerpt(passage, marks), beyond && citation.quote ? el("blockquote", { class: "passage", dir: "auto" }, el("mark", { class: "relied" }, citation.quote)) : ""];
}

const legend = (marks) => marks.length > 0 && el("p", { class: "legend", "aria-hidden": "true" },
  marks.some((mark) => mark.kind === "relied") ? el("span", {}, el("mark", { class: "relied" }, "words the judge relied on")) : "",
  marks.some((mark) => mark.kind === "own") ? el("span", {}, el("mark", { class: "own" }, "the answer's own quotation")) : "");

function sourceLine(passage, citation) {
  const id = citation.source || citation.raw || "a citation that names no source";
  return el("p", { class: "source" }, citation.raw && citation.raw !== id ? [el("code", { class: "raw" }, el("bdi", {}, citation.raw)), " → "] : "", el("code", {}, el("bdi", {}, id)), passage ? about(passage) : "");
}

function about(passage) {
  const page = passage.page === undefined ? "" : el("span", {}, ", page ", el("bdi", {}, passage.page));
  return [passage.title ? [" ", el("cite", { dir: "auto" }, passage.title)] : "", page, address(passage.url), passage.doi ? el("span", { class: "address" }, " doi ", el("bdi", {}, passage.doi)) : ""];
}

// Only what is plainly a web address becomes a link, and it is shown in full.
function address(url) {
  if (!url) return "";
  const plain = /^https?:\/\/[\x21-\x7e]+$/i.test(url);
  return el("span", { class: "address" }, " ", plain ? el("a", { href: url, rel: "noopener noreferrer", target: "_blank" }, url) : el("bdi", {}, url));
}

function otherPassage(words, id, sources, tone) {
  const passage = sources.get(id);
  return el("div", { class: "cited" }, el("p", { class: "source" }, tag(`✗ ${words}`, tone), " ", el("code", {}, el("bdi", {}, id)), passage ? about(passage) : ""),
    passage && typeof passage.text === "string" ? excerpt(passage, []) : el("p", { class: "soft" }, "The log holds no text of it."));
}

// Not retrieved, so that it is in no list of passages: found in the corpus behind the retrieval log.
function corpusPassage(passage) {
  const [words, tone] = passage.says === "supports" ? ["△ Not retrieved, but in the corpus; it supports the claim", "open"] : ["✗ Not retrieved, but in the corpus; it contradicts the claim", "bad"];
  return el("div", { class: "cited" }, el("p", { class: "source" }, tag(words, tone), " ", el("code", {}, el("bdi", {}, passage.source)), about(passage)),
    el("blockquote", { class: "passage", dir: "auto" }, passage.text));
}

function looseCitations(body, sources) {
  if (!body.loose || !body.loose.length) return "";
  return el("section", { class: "claim-card" }, el("h3", {}, "Citations on no claim"), body.loose.map((citation) => el("div", { class: "cited" },
    sourceLine(sources.get(citation.source), citation),
    el("p", { class: "tags" }, outcome("exists", citation.exists), outcome("resolves", citation.resolves), registry(citation)),
    citation.reason ? el("p", { class: "reason" }, citation.reason) : "")));
}

function retrieved(body) {
  if (body.log === undefined) return el("p", { class: "soft" }, "The retrieval was not logged.");
  if (!body.log) return el("p", { class: "soft" }, "The retrieval returned nothing.");
  const shown = new Set(body.shown || []);
  const list = (body.passages || []).map((passage, n) => {
    const box = el("details", { class: "retrieved", "data-source": passage.source, ontoggle: () => {
      if (!box.open || box.childElementCount > 1) return;
      box.append(el("div", {}, passageFields(passage), typeof passage.text === "string" ? excerpt(passage, marksOf(body, passage), { whole: true }) : el("p", { class: "soft" }, "The log holds no text of it."),
        leftOut(passage) ? el("p", { class: "note" }, `${count(leftOut(passage))} characters are left out here; they are in the run's records.`) : ""));
      showTerms($("reader"));
    } }, el("summary", {}, el("span", { class: "number" }, String(n + 1)), " ", el("code", {}, el("bdi", {}, passage.source)), about({ ...passage, url: undefined, doi: undefined }),
      passage.supports && passage.supports !== "not_applicable" && (body.claims || []).length ? tag(CARRIES[passage.supports], passage.supports === "pass" ? "good" : "") : "", body.shown && !shown.has(passage.source) ? tag("not shown to the model") : ""));
    return box;
  });
  return el("section", { class: "log" }, el("h2", { class: "side" }, `Retrieved: ${count(body.log)}, in rank order`), list,
    body.log > list.length ? el("p", { class: "note" }, `${count(body.log - list.length)} more passages are not shown; they are in the run's records.`) : "");
}

// An id that opens the passage in the list of what was retrieved.
function passageLink(id, printing) {
  const name = el("code", {}, el("bdi", {}, id));
  return printing ? name : el("button", { type: "button", class: "quiet", onclick: () => openPassage(id) }, name);
}

function openPassage(id) {
  const box = [...$("reader").querySelectorAll("details.retrieved")].find((one) => one.dataset.source === id);
  if (!box) return tell("It is not among the passages shown.");
  box.open = true;
  box.firstElementChild.focus({ preventScroll: true });
  box.scrollIntoView({ block: "start", behavior: calm() ? "auto" : "smooth" });
}

function passageFields(passage) {
  const fields = [...(passage.score === undefined ? [] : [["score", passage.score]]), ...(passage.metadata || [])];
  return [passage.url || passage.doi ? el("p", {}, address(passage.url), passage.doi ? ` doi ${passage.doi}` : "") : "", fields.length ? fieldList(fields) : ""];
}

const fieldList = (fields) => el("dl", { class: "fields" }, fields.map(([name, value]) => el("div", {}, el("dt", {}, el("bdi", {}, name)), el("dd", { dir: "auto" }, String(value)))));

function marksOf(body, passage) {
  const marks = [];
  if (body.passages.find((one) => one.source === passage.source) !== passage) return marks;
  for (const claim of body.claims || []) for (const citation of claim.citations || []) {
    if (citation.source !== passage.source) continue;
    if (citation.relied) marks.push({ span: citation.relied, kind: "relied" });
    for (const one of citation.own || []) if (one.at) marks.push({ span: one.at, kind: "own" });
  }
  for (const one of (body.gold || {}).evidence || []) if (one.source === passage.source && one.at) marks.push({ span: one.at, kind: "gold" });
  return marks;
}
