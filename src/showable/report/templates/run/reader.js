// One record: the answer with its claims marked on the left, the evidence on the right.

const WORST_FIRST = ["contradicted", "unsupported", "partial", "uncited", "unknown", "supported"];

function answerText(body, printing) {
  if (body.answer === undefined) {
    const why = body.nothing ? "There is no answer (null)." : body.raw === undefined ? "The answer has no text: it came as claims." : "";
    return [why ? el("p", { class: "soft" }, why) : "", (body.claims || []).length ? claimList(body, printing) : ""];
  }
  const text = characters(body.answer);
  const claims = (body.claims || []).map((claim, n) => ({ claim, n, span: claim.span, kind: "claim" })).filter(({ span }) => inside(span, text.length));
  const flags = inlineFindings(body).filter(({ span }) => inside(span, text.length));
  const cites = (body.claims || []).flatMap((claim) => claim.citations || []).concat(body.loose || []).filter(({ span }) => inside(span, text.length)).map(({ span }) => ({ span, kind: "cite" }));
  const box = el("div", { class: columned(body.answer) ? "answer mono" : "answer", dir: "auto" }, pieces(text, [...claims, ...flags, ...cites]).map((piece) => answerPiece(piece, printing)));
  const placed = new Set(claims.map(({ n }) => n));
  return [
    text.length ? box : el("p", { class: "soft" }, "The answer is empty."),
    body.more ? el("p", { class: "note" }, `${count(body.more)} more characters of the answer are not shown; they are in the run's records.`) : "",
    (body.claims || []).length ? key(body) : "",
    (body.claims || []).some((_, n) => !placed.has(n)) ? [el("p", { class: "note" }, "Claims without a place in this text:"), claimList(body, printing, placed)] : "",
  ];
}

// What stands in the text: findings that failed or are open, save those that the mark of their claim already shows.
function inlineFindings(body) {
  const spans = (body.claims || []).map((claim) => String(claim.span));
  return (body.findings || []).map((finding, n) => ({ finding, n, span: finding.where, kind: "flag" }))
    .filter(({ finding }) => finding.where && (finding.outcome === "fail" || finding.outcome === "unknown"))
    .filter(({ finding }) => !(finding.claim !== undefined && spans[finding.claim] === String(finding.where)));
}

function answerPiece({ text, marks, begins }, printing) {
  const claims = marks.filter((mark) => mark.kind === "claim");
  const chips = begins.filter((mark) => mark.kind === "claim").map(({ claim, n }) => chip(claim, n, printing));
  const flags = begins.filter((mark) => mark.kind === "flag").map(({ finding, n }) => flag(finding, n, printing));
  let shown = text;
  if (marks.some((mark) => mark.kind === "cite")) shown = el("span", { class: "cite" }, shown);
  if (marks.some((mark) => mark.kind === "flag")) shown = el("span", { class: "flagged" }, shown);
  if (claims.length) {
    const worst = WORST_FIRST.find((support) => claims.some(({ claim }) => claim.support === support));
    shown = el("span", { class: `claim v-${worst}`, "data-claims": claims.map(({ n }) => n).join(" ") }, shown);
  }
  return [...chips, ...flags, shown];
}

function chip(claim, n, printing) {
  const mark = [String(n + 1), el("i", { "aria-hidden": "true" }, (own(index.supports, claim.support) || [""])[0])];
  if (printing) return el("span", { class: `chip v ${claim.support}` }, mark);
  return el("button", { type: "button", class: `chip v ${claim.support}`, title: `Claim ${n + 1}: ${said(claim.support)}`, "aria-label": `Claim ${n + 1}, ${said(claim.support)}: go to its evidence`, onclick: () => point(n) }, mark);
}

function flag(finding, n, printing) {
  const what = `${finding.code}, ${said(finding.outcome)}${finding.reason ? `: ${finding.reason}` : ""}`;
  if (printing) return el("span", { class: "flag" }, "⚑");
  return el("button", { type: "button", class: "flag", title: what, "aria-label": `Finding: ${what}`, onclick: () => reachElement($("reader").querySelector(`[data-findings~="${n}"]`)) }, "⚑");
}

function claimList(body, printing, except = new Set()) {
  return el("ol", { class: "claim-list" }, (body.claims || []).map((claim, n) => (except.has(n) ? "" : el("li", { value: n + 1 }, chip(claim, n, printing), el("span", { class: `claim v-${claim.support}`, dir: "auto", "data-claims": n }, claim.text)))));
}

function key(body) {
  const kinds = WORST_FIRST.filter((support) => (body.claims || []).some((claim) => claim.support === support));
  return el("p", { class: "legend" }, kinds.map((support) => el("span", {}, verdict({ support }), el("span", { class: "unseen" }, ": "), " ", el("small", {}, (own(index.supports, support) || [])[1]))));
}

const reach = (id) => reachElement(document.getElementById(id));

function reachElement(target) {
  if (!target) return;
  target.scrollIntoView({ block: "nearest", behavior: calm() ? "auto" : "smooth" });
  target.focus({ preventScroll: true });
}

function point(n) {
  for (const lit of $("reader").querySelectorAll(".lit")) lit.classList.remove("lit");
  const target = document.getElementById(`claim-${n}`);
  if (target) target.classList.add("lit");
  for (const part of $("reader").querySelectorAll("[data-claims]")) if (part.dataset.claims.split(" ").includes(String(n))) part.classList.add("lit");
  reach(`claim-${n}`);
}

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

const FOUND = { pass: "noted", fail: "failed", unknown: "not known", not_applicable: "noted" };

function findingLine(finding, group) {
  const words = own(index.codeWords, finding.code);
  const [mark, tone] = OUTCOMES[finding.outcome] || ["", "none"];
  const about = group ? [...new Set(group.about)].filter((one) => one !== "answer").join("; ") : "";
  return el("li", { "data-findings": group && group.numbers.join(" "), tabindex: group && "-1" },
    el("span", { class: `tag ${tone}` }, el("i", { "aria-hidden": "true" }, mark), ` ${FOUND[finding.outcome] || said(finding.outcome)}`), " ", words ? [el("span", { title: words[1] }, words[0]), " "] : "", el("code", {}, finding.code), about ? el("span", { class: "soft" }, ` ${about}`) : "", finding.reason ? el("span", { class: "reason", dir: "auto" }, finding.reason) : "");
}

// Findings that say the same of several claims stand together.
function findingLines(findings) {
  const groups = new Map();
  findings.forEach(([finding, n]) => {
    const same = JSON.stringify([finding.code, finding.outcome, finding.reason]);
    if (!groups.has(same)) groups.set(same, { finding, numbers: [], about: [] });
    groups.get(same).numbers.push(n);
    groups.get(same).about.push(finding.about);
  });
  return [...groups.values()].map((group) => findingLine(group.finding, group));
}

const sentence = (words) => `${words[0].toUpperCase()}${words.slice(1)}${/[.!?…)]$/.test(words) ? "" : "."}`;

const YES = { pass: "yes", fail: "no", unknown: "unknown", not_applicable: "no citation" };

function head(body, level) {
  const meaning = own(index.meanings, body.cause);
  const uncited = body.exists === "not_applicable" && body.supports === "not_applicable";
  const facts = [
    body.category && ["category", said(body.category)],
    body.label && ["a person's label", body.label === body.bucket ? `${body.label} (agrees)` : `${body.label} (differs)`],
    (body.expected || []).length && ["should be", body.expected.join(" or ")],
    body.agreement && body.agreement !== "not_applicable" && ["expected answer", said(body.agreement)],
    uncited ? ["citations", "none"] : ["every citation exists", YES[body.exists]],
    uncited ? "" : ["every citation supports its claim", YES[body.supports]],
    body.quality !== undefined && ["refusal quality", `${body.quality} of 3`],
    ["claims without a citation", body.extra === undefined ? "not counted" : String(body.extra)],
    body.basis && ["declines on", said(body.basis)],
    body.profile && ["profile", body.profile], body.trace && ["trace", body.trace],
  ].filter(Boolean);
  return el("header", { class: "record-head" },
    el(level, { class: "record-title", tabindex: "-1" }, badge(body.bucket), body.cause ? el("span", { class: "cause", title: meaning }, said(body.cause)) : "", el("bdi", { class: "record-id" }, body.id)),
    body.why || meaning ? el("p", { class: "why", dir: "auto" }, sentence(body.why || meaning)) : "",
    el("dl", { class: "facts" }, facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, el("bdi", {}, value))))));
}

function goldBox(gold, printing) {
  if (!gold) return "";
  return el("section", { class: "gold" }, el("h2", { class: "side" }, "Expected answer (gold)"),
    gold.answer === undefined ? "" : el("p", { class: "prose", dir: "auto" }, gold.answer),
    (gold.aliases || []).length ? el("p", { class: "note", dir: "auto" }, `also: ${gold.aliases.join("; ")}`) : "",
    gold.answerable === "no" ? el("p", { class: "note" }, "The sources do not answer the question: a refusal is due.") : "",
    gold.why ? el("p", { class: "note", dir: "auto" }, gold.why) : "",
    (gold.evidence || []).length ? el("p", { class: "note" }, "evidence: ", gold.evidence.map((one, n) => [n ? ", " : "", passageLink(one.source, printing)])) : "");
}

function refusalBox(body) {
  if (!(body.points || []).length) return "";
  return el("section", {}, el("h2", { class: "side" }, `Refusal quality${body.quality === undefined ? "" : `: ${body.quality} of 3`}`), el("ul", { class: "plain" }, body.points.map((one) => el("li", {}, el("span", { class: `tag ${one.earned ? "good" : "bad"}` }, `${one.earned ? "✓" : "✗"} ${one.point}`), one.why ? ` ${one.why}` : ""))));
}

function releaseBox(release, printing) {
  if (!release) return "";
  const words = { show: ["✓ may be shown", "good"], hold: ["✗ held back", "bad"], unknown: ["? undecided", "open"] }[release.verdict];
  return el("section", {}, el("h2", { class: "side" }, "Release"), el("p", {}, el("span", { class: `tag ${words[1]}` }, words[0]), release.citations ? el("span", { class: "soft" }, ` ${release.resolved} of ${release.citations} citations resolve${release.unresolved ? `, ${release.unresolved} do not` : ""}`) : ""),
    (release.reasons || []).length ? el("ul", { class: "plain" }, release.reasons.map((reason) => el("li", {}, reason))) : "",
    release.text && !printing ? el("details", {}, el("summary", {}, "What is shown in its place"), el("blockquote", { class: "passage", dir: "auto" }, release.text)) : "");
}

function recordView(body, { printing = false } = {}) {
  const beside = (body.claims || []).length;
  const findings = (body.findings || []).map((finding, n) => [finding, n]).filter(([finding]) => !(finding.claim < beside));
  return [
    head(body, printing ? "h3" : "h1"),
    el("div", { class: "reading" },
      el("div", { class: "left" },
        el("section", {}, el("h2", { class: "side" }, "Question"), el("p", { class: "prose question", dir: "auto" }, body.question || "(no question)")),
        el("section", {}, el("h2", { class: "side" }, "Answer"), answerText(body, printing)),
        goldBox(body.gold, printing),
        findings.length || body.findings_more ? el("section", {}, el("h2", { class: "side" }, beside ? "Findings on the whole answer" : "Findings"), el("ul", { class: "findings" }, findingLines(findings)), body.findings_more ? el("p", { class: "note" }, `${count(body.findings_more)} more are not shown.`) : "") : "",
        refusalBox(body)),
      el("div", { class: "right" }, evidence(body, printing)),
      el("div", { class: "rest" }, releaseBox(body.release, printing),
        printing ? "" : [body.raw ? el("details", {}, el("summary", {}, "The answer as it came"), el("pre", { class: "raw-answer", dir: "auto" }, body.raw)) : "",
          (body.metadata || []).length ? el("details", {}, el("summary", {}, "Metadata"), fieldList(body.metadata)) : ""])),
  ];
}

async function showRecord(id) {
  const row = byId.get(id);
  const reader = $("reader");
  $("overview").hidden = $("records").hidden = true;
  reader.hidden = false;
  if (!row) {
    const where = index.n > rows.length ? " It may be one of those that this page leaves out." : "";
    reader.replaceChildren(readerBar(null), el("h1", { class: "record-title", tabindex: "-1" }, "There is no such answer here"), el("p", {}, "The address names ", el("bdi", {}, id), `, which this page does not hold.${where}`));
    document.title = "No such answer";
    return;
  }
  reader.setAttribute("aria-busy", "true");
  try {
    const body = await record(row.at);
    if (state.record !== id) return;
    read.add(id);
    if (printable.size > 2 * MOST_PRINTED) printable.clear();
    printable.set(row.at, body);
    reader.replaceChildren(readerBar(row), ...recordView(body).flat(Infinity).filter(Boolean));
    showTerms(reader);
  } catch (error) {
    reader.replaceChildren(readerBar(row), el("p", { class: "notice" }, `This answer could not be unpacked: ${error}`));
  }
  reader.removeAttribute("aria-busy");
  document.title = `${id} · showable`;
  scrollTo(0, 0);
  const title = reader.querySelector(".record-title");
  if (title) title.focus({ preventScroll: true });
}

function readerBar(row) {
  const at = row ? chosen.indexOf(row) : -1;
  const step = (to, text, label) => (chosen[to] ? el("a", { class: "step", href: addressOf({ record: chosen[to].id }), "aria-label": label, onclick: (event) => { event.preventDefault(); go({ record: chosen[to].id }, { replace: true }); } }, text) : el("span", { class: "step off", "aria-hidden": "true" }, text));
  return el("nav", { class: "reader-bar", "aria-label": "Answers" },
    el("a", { href: addressOf({ record: null }), class: "back", onclick: (event) => { event.preventDefault(); close(); } }, "← ", filtered() ? `the ${count(chosen.length)} filtered answers` : "summary and all answers"),
    el("span", { class: "where" }, at >= 0 ? `${count(at + 1)} of ${count(chosen.length)}` : row ? "not among the filtered" : ""),
    at >= 0 ? [step(at - 1, "↑ previous", "Previous answer"), step(at + 1, "↓ next", "Next answer")] : "",
    row ? el("button", { type: "button", class: "quiet", onclick: () => copyLink(location.hash) }, "Copy link") : "");
}

// Whether the record was opened from the list, so that going back leads there.
let fromList = false;
function close() {
  if (fromList) history.back(); else go({ record: null }, { replace: true });
}
