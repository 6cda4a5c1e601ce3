"""May this answer be shown? The grader's own rule, on what can be known before it is shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from showable.converters.cited_spans import Cited, with_citations
from showable.converters.shape import FieldError
from showable.measure.rubric_outcomes import ONLY_WARNINGS, resolvability_outcome, structural_outcome
from showable.production.guard.call import ASKING, GivenAnswer, GuardCall, Policy, SemanticRule
from showable.production.guard.in_order import citations_in_order
from showable.production.guard.lean_reading import read_lean
from showable.read.answer import read_answer
from showable.read.reading import Reading
from showable.reader.read import replayed
from showable.records.evidence import Evidence, PairVerdict, Verdict
from showable.records.findings import Finding, Outcome
from showable.records.profile import Profile
from showable.records.record import Citation, Record
from showable.records.roles import ReadText
from showable.records.scorecard import Release, RestsOn, RubricState
from showable.rubrics.answer_facts import AnswerFacts, ClaimFacts
from showable.rubrics.checks import Checks
from showable.rubrics.factuality import bucket_of, ruling_on_citations
from showable.rubrics.grade import grade
from showable.rubrics.release import release_of
from showable.rubrics.resolvability import Resolution, resolve_citations, resolve_loose
from showable.rubrics.retrieval_log import RetrievalLog
from showable.rubrics.scanning import check_words
from showable.rubrics.structural import check_structure

NO_LOG = "resolvability.log_missing"
NO_TEXT = "resolvability.text_missing"
NOT_JUDGED = "no judge was asked whether the passages say what is claimed"
UNJUDGED = "semantic.unjudged"
ONLY_CRITICAL = "claims of no critical kind were put to no judge"
NOT_READ = (
    "reading=lean: sentences have no roles, so whether an uncited one asserts and whether the answer declines is open"
)
NOT_SCANNED = "reading=lean: passages are not scanned for text that addresses a model"
NO_REGISTRY = "no registry was asked"
MOST_CODES = 8
_WORST_FIRST = (Outcome.FAIL, Outcome.UNKNOWN, Outcome.PASS)
_STRICTEST_FIRST = ("hold", "unknown", "show")
_SUPPORT = {"supported": Outcome.PASS, "unknown": Outcome.UNKNOWN}
_IN_ORDER = RestsOn(
    structural="pass",
    resolvability="pass",
    semantic="not_run",
    reading="lean",
    left_out={"semantic": NOT_JUDGED, "passages": NOT_SCANNED, "registries": NO_REGISTRY},
)
ASSUMED = Verdict(label="supported", judge="assumed")
"""What stands for the verdicts that nobody gave: the question is then whether anything else speaks against the answer."""
_NO_EVIDENCE = Evidence(id="call", judge="none")


def decide(call: GuardCall, policy: Policy) -> Release:
    """Return whether the answers of a call may be shown: the strictest release of any of them.

    Pure: no network, clock or environment. A turn that ends in tool calls is no answer: its words are scanned for hidden
    characters and addresses, and for their citations where there is a log.
    """
    if not call.answers:
        return Release(verdict="unknown", reasons=("the reply holds no answer",), codes=("structural.empty_answer",))
    scanned = [*call.findings, *(finding for scanner in policy.scanners for finding in scanner(call))]
    gathered: Iterable[Evidence | None] = call.evidence or [None] * len(call.answers)
    releases = [
        _release(call, answer, evidence, policy, scanned)
        for answer, evidence in zip(call.answers, gathered, strict=True)
    ]
    return min(releases, key=lambda release: _STRICTEST_FIRST.index(release.verdict))


def release_inline(
    record: Record,
    profile: Profile,
    *,
    native: Sequence[Citation] = (),
    evidence: Evidence | None = None,
    full: bool = False,
    semantic: SemanticRule = "off",
) -> Release:
    """Return the release of a record, `native` being the interface's own citation objects.

    `evidence` holds what registries and a judge said before the answer is shown. Without verdicts the bucket is the
    grader's, on the supposition that each cited passage supports its claim. A lean reading becomes a
    full one where only a refusal may be shown, and telling one takes the sentences: where the retrieval returned nothing,
    and where a structured answer has a text and no claims.
    Open remain an answer without a log, a cited source without text, and by `semantic` every answer that asserts
    (`required`) or has a claim of a kind that is critical to the profile (`critical`) and that no judge has read.
    """
    given = evidence or _NO_EVIDENCE
    if not full and evidence is None and not native and semantic not in ASKING and (sources := record.retrieved):
        count = citations_in_order(record.answer, sources, profile) if isinstance(record.answer, str) else None
        if count is not None:
            return _in_order(count, profile.floor)
    if record.gold is not None:  # nobody knows it when an answer is to be shown
        record = record.model_copy(update={"gold": None})
    try:
        read = read_inline(record, profile, native, full=full, read=given.read)
    except FieldError as error:
        return Release(verdict="unknown", reasons=(str(error),), codes=("structural.unparsed",))
    checked = _by_full_reading(read, profile, given, semantic) if read.full else _by_lean_reading(read, profile, given)
    opened = [finding for finding in checked.findings if finding.code == NO_TEXT]
    if record.retrieved is None:
        opened.append(Finding(code=NO_LOG, outcome=Outcome.UNKNOWN, reason="there is no retrieval log"))
    if not given.pairs and asks_judge(checked.kinds, profile, semantic):
        opened.append(Finding(code=UNJUDGED, outcome=Outcome.UNKNOWN, reason=NOT_JUDGED))
    return tightened(checked.release, opened, frozenset())


@lru_cache(maxsize=1024)
def _in_order(count: int, floor: float | None) -> Release:
    return Release(verdict="show", citations=count, resolved=count, floor=floor, rests_on=_IN_ORDER)


def asks_judge(kinds: Sequence[str | None] | None, profile: Profile, semantic: SemanticRule) -> bool:
    """Return True where claims of such kinds need a verdict; None stands for an answer that was not read for claims."""
    if semantic == "required":
        return kinds is None or bool(kinds)
    return semantic == "critical" and any(kind in profile.critical for kind in kinds or ())


def record_of(call: GuardCall, answer: GivenAnswer) -> Record:
    """Build the record of one answer of a call, the words of a refusal included."""
    text = "\n\n".join(filter(None, (answer.text, answer.refusal)))
    return Record(id="call", question=call.question, answer=text, retrieved=call.retrieved, shown=call.shown)


@dataclass(frozen=True, slots=True)
class ReadInline:
    """A record as it is decided on, and its reading: lean, or full."""

    record: Record
    reading: Reading
    full: bool


def read_inline(
    record: Record, profile: Profile, native: Sequence[Citation], *, full: bool, read: Sequence[ReadText] = ()
) -> ReadInline:
    """Read an answer as deeply as its decision takes; `read` is what was saved of an earlier reading. Raises FieldError.

    Whoever gathers evidence reads by this too: what is said of a citation is said of its place in the reading.
    """
    lean = None if full or record.retrieved == () else read_lean(record, native, profile)
    if lean is not None and not _declines_in_words(lean):
        return ReadInline(record, lean, full=False)
    record = cited(record, native)
    return ReadInline(record, read_answer(record, profile, replayed(read)), full=True)


def cited(record: Record, native: Sequence[Citation]) -> Record:
    """Return a record with the interface's own citation objects on its claims. Raises FieldError where they do not fit."""
    spans = [Cited(c.span[0], c.span[1], c) if c.span else Cited(None, len(str(record.answer)), c) for c in native]
    return with_citations(record, spans)[0]


def _release(
    call: GuardCall, answer: GivenAnswer, evidence: Evidence | None, policy: Policy, scanned: Iterable[Finding]
) -> Release:
    profile = policy.profile
    besides = "\n\n".join(answer.beside)
    if answer.finish == "tools" and (not answer.text or call.retrieved is None):
        words = "\n\n".join(filter(None, (answer.text, answer.refusal, besides)))
        return tightened(_of_words(words, profile), scanned, policy.holding)
    full = policy.reading == "full" and answer.finish != "tools"  # words beside a call answer nothing by themselves
    release = release_inline(
        record_of(call, answer),
        profile,
        native=answer.citations,
        evidence=evidence,
        full=full,
        semantic=policy.semantic,
    )
    found = [*call.doubts, *scanned]
    if besides:
        release = _stricter(release, _of_words(besides, profile))
    if answer.finish in {"length", "filter"}:
        said = (
            "the answer was cut off at a limit" if answer.finish == "length" else "the provider's filter cut the answer"
        )
        found.append(Finding(code="structural.truncated", outcome=Outcome.UNKNOWN, reason=said))
    return tightened(release, found, policy.holding)


def _of_words(text: str, profile: Profile) -> Release:
    """Return the release of words that are no answer: hidden characters, addresses and patterns alone."""
    checks = Checks()
    check_words(text, profile, checks)
    states: dict[str, RubricState] = {"resolvability": "not_run", "semantic": "not_run"}
    rests = RestsOn(structural=_structural(checks.findings), reading="lean", **states)  # type: ignore[arg-type]
    released = release_of(None, (), (), checks.findings, profile)
    return released.model_copy(update={"codes": _codes(checks.findings), "rests_on": rests})


def tightened(release: Release, findings: Iterable[Finding], holding: frozenset[str]) -> Release:
    """Tighten a release by findings from outside of the grader: a failure holds where it is listed, an unknown opens it."""
    held = [f for f in findings if f.outcome is Outcome.FAIL and f.code in holding]
    opened = [f for f in findings if f.outcome is Outcome.UNKNOWN]
    if not held and not opened:
        return release
    found = held or opened
    tighter = Release(
        verdict="hold" if held else "unknown",
        reasons=tuple(dict.fromkeys(finding.reason or finding.code for finding in found)),
        codes=tuple(dict.fromkeys(finding.code for finding in found)),
        rests_on=release.rests_on,
    )
    return _stricter(release, tighter)


def _stricter(release: Release, other: Release) -> Release:
    """Return the first with the verdict and reasons of the stricter of two; the codes of both stay."""
    codes = tuple(dict.fromkeys((*release.codes, *other.codes)))[:MOST_CODES]
    ranks = [_STRICTEST_FIRST.index(one.verdict) for one in (release, other)]
    if ranks[1] > ranks[0]:
        return release.model_copy(update={"codes": codes})
    reasons = other.reasons if ranks[1] < ranks[0] else (*release.reasons, *other.reasons)
    text = other.text or release.text or (f"This answer is held back: {'; '.join(reasons)}." if reasons else None)
    update = {"verdict": other.verdict, "reasons": reasons, "codes": codes, "text": text}
    return release.model_copy(update=update)


@dataclass(frozen=True, slots=True)
class _Checked:
    """A release, the findings behind it, and the kinds of the claims; None where running text was not read for claims."""

    release: Release
    findings: Sequence[Finding]
    kinds: Sequence[str | None] | None


@dataclass(frozen=True, slots=True)
class _Joined:
    """What became of the citations of one answer, claim by claim and on no claim."""

    by_claim: Sequence[Sequence[Resolution]]
    loose: Sequence[Resolution]

    @property
    def every(self) -> list[Resolution]:
        """All of them."""
        return [*self.loose, *(resolution for resolved in self.by_claim for resolution in resolved)]


def _declines_in_words(reading: Reading) -> bool:
    """Return True for a structured answer whose text alone may say that it declines."""
    answer = reading.answer
    return (
        answer is not None
        and reading.form != "text"
        and not answer.claims
        and answer.refusal == "none"
        and bool(answer.text)
    )


def _by_lean_reading(read: ReadInline, profile: Profile, evidence: Evidence) -> _Checked:
    reading, log = read.reading, RetrievalLog(read.record)
    checks = Checks()
    claims = reading.answer.claims if reading.answer else ()
    structured = reading.form != "text"
    if structured or reading.answer is None:
        check_structure(read.record, reading, log, profile, checks)
    else:  # whether running text asserts anything is not known
        for problem in reading.problems:
            checks.failed(problem.code, problem.reason, where=problem.where)
    if reading.answer is not None:
        check_words(reading.text, profile, checks)
    joined = _Joined(
        resolve_citations(claims, log, evidence, checks), resolve_loose(reading.loose, log, evidence, checks)
    )
    facts = _supposed_facts(reading, joined, log)
    ruling = bucket_of(facts) if structured or reading.answer is None else ruling_on_citations(facts)
    resolutions = joined.every
    released = release_of(ruling.bucket if ruling else None, (), resolutions, checks.findings, profile)
    left_out = {"semantic": NOT_JUDGED, "passages": NOT_SCANNED}
    left_out |= {} if evidence.lookups else {"registries": NO_REGISTRY}
    left_out |= {} if structured else {"sentences": NOT_READ}
    rests = RestsOn(
        structural=_structural(checks.findings) if reading.answer else "unknown",
        resolvability=_worst(resolution.resolves for resolution in resolutions),
        semantic="not_run",
        reading="lean",
        left_out=left_out,
    )
    whole = released.model_copy(update={"codes": _codes(checks.findings), "rests_on": rests})
    return _Checked(whole, checks.findings, tuple(claim.kind for claim in claims) if structured else None)


def _supposed_facts(reading: Reading, joined: _Joined, log: RetrievalLog) -> AnswerFacts:
    """Return the facts of an answer of which each cited passage is supposed to support its claim."""
    claims = [
        ClaimFacts(
            "answering",
            Outcome.PASS if resolved else Outcome.FAIL,
            Outcome.PASS,
            Outcome.FAIL,
            "not_applicable",
            resolved,
        )
        for resolved in joined.by_claim
    ]
    return AnswerFacts(
        readable=reading.answer is not None,
        unreadable_cause="empty_answer" if reading.form in {"null", "empty"} else "unparsed",
        extent=reading.refusal.extent,
        claims=claims,
        retrieved=len(log) if log.logged else None,
        gold=None,
        agreement="not_applicable",
        incomplete=False,
        loose=joined.loose,
        evidence_retrieved=Outcome.UNKNOWN,
    )


def _by_full_reading(read: ReadInline, profile: Profile, evidence: Evidence, semantic: SemanticRule) -> _Checked:
    """Grade the answer as offline; where there are no verdicts each is supposed: the judge's part alone is left out."""
    record, reading = read.record, read.reading
    judged = bool(evidence.pairs)
    if not judged:
        supposed = tuple(_supposed(record, reading))
        evidence = evidence.model_copy(update={"judge": ASSUMED.judge, "pairs": supposed})
    card = grade(record, reading, evidence, profile)
    left_out = {} if evidence.lookups else {"registries": NO_REGISTRY}
    state: RubricState = "not_run"
    if judged:
        asked = [claim for claim in card.claims if semantic == "required" or claim.kind in profile.critical]
        state = _worst(_SUPPORT.get(claim.support, Outcome.FAIL) for claim in asked)
    if semantic != "required" or not judged:
        left_out["semantic"] = ONLY_CRITICAL if judged else NOT_JUDGED
    rests = RestsOn(
        structural=structural_outcome(card).value,
        resolvability=resolvability_outcome(card).value,
        semantic=state,
        reading="full",
        left_out=left_out,
    )
    released = card.release or Release(verdict="unknown")
    whole = released.model_copy(update={"codes": _codes(card.findings), "rests_on": rests})
    return _Checked(whole, card.findings, tuple(claim.kind for claim in card.claims))


def _supposed(record: Record, reading: Reading) -> Iterable[PairVerdict]:
    """Yield a verdict of support for each claim and each source of the log."""
    ids = list(dict.fromkeys(source.source_id for source in record.retrieved or ()))
    for index, claim in enumerate(reading.answer.claims if reading.answer else ()):
        cited = {citation.source_id for citation in claim.citations}
        for source_id in ids:
            role = "cited" if source_id in cited else "other"
            yield PairVerdict(claim=index, sources=(source_id,), role=role, verdict=ASSUMED)  # type: ignore[arg-type]


def _structural(findings: Iterable[Finding]) -> RubricState:
    failed = (f for f in findings if f.outcome is Outcome.FAIL and f.rubric == "structural")
    return "fail" if any(finding.code not in ONLY_WARNINGS for finding in failed) else "pass"


def _worst(outcomes: Iterable[Outcome]) -> RubricState:
    seen = set(outcomes)
    return next((outcome.value for outcome in _WORST_FIRST if outcome in seen), "not_applicable")


def _codes(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Return the codes of what failed, then of what is unknown, each once; at most eight."""
    listed = sorted(
        (f for f in findings if f.outcome in {Outcome.FAIL, Outcome.UNKNOWN}),
        key=lambda f: f.outcome is not Outcome.FAIL,
    )
    return tuple(dict.fromkeys(finding.code for finding in listed))[:MOST_CODES]
