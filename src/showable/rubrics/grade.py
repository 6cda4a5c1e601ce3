"""Grade one record: what was read and gathered in, a scorecard out. Pure, so that saved evidence can be graded again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from showable.read.reading import Reading
from showable.records.asking import ASK
from showable.records.calls import CallCounts, Calls, count_calls_of
from showable.records.evidence import Evidence
from showable.records.findings import Finding, Outcome, OutcomeCounts
from showable.records.profile import Profile
from showable.records.record import Gold, Record
from showable.records.scorecard import (
    AnswerSupport,
    Cause,
    RefusalPoint,
    Scorecard,
)
from showable.records.signature import Thresholds
from showable.rubrics.answer_facts import AnswerFacts, ClaimFacts
from showable.rubrics.answer_support import claim_odds, decide_answer, head_for, report_answer
from showable.rubrics.behind_log import BehindLog, read_corpus, report_corpus
from showable.rubrics.bucket_rows import answerable
from showable.rubrics.checks import Checks
from showable.rubrics.demands import check_formats, check_refusal, check_versions
from showable.rubrics.factuality import bucket_between, wanting_corpus
from showable.rubrics.gold_agreement import agree_alike, compare_with_gold
from showable.rubrics.gold_reading import GoldReading
from showable.rubrics.gold_verdicts import settle_with_verdicts
from showable.rubrics.left_out import check_left_out
from showable.rubrics.premises import check_premises
from showable.rubrics.refusal_quality import grade_refusal
from showable.rubrics.release import release_of
from showable.rubrics.resolvability import Resolution, check_quotes, resolve_citations, resolve_loose
from showable.rubrics.retrieval_log import RetrievalLog
from showable.rubrics.scanning import check_scans
from showable.rubrics.semantic import ClaimSupport, gather_verdicts, judge_claims
from showable.rubrics.structural import check_structure, possibly_cited
from showable.rubrics.tables import chunk_scores, claim_scores, loose_score, with_steps

RUBRIC_REVISION = "10"
"""Part of the signature: raised whenever the same evidence may come out in another bucket."""

_ENGLISH_ONLY = frozenset({"embedded", "lexical"})
"""Judges that were trained or fitted on English; of another it is not known."""


def grade(record: Record, reading: Reading, evidence: Evidence, profile: Profile) -> Scorecard:
    """Grade a record on all five axes from its reading and the evidence gathered for it, under the rules of a profile."""
    checks, log = Checks(), RetrievalLog(record)
    thresholds = profile.thresholds
    check_structure(record, reading, log, profile, checks)
    check_formats(reading, profile, checks)
    check_scans(reading, log, profile, checks)
    claims = reading.answer.claims if reading.answer else ()
    resolutions = resolve_citations(claims, log, evidence, checks)
    check_quotes(reading.quotes, resolutions, log, checks)
    check_versions(claims, resolutions, log, profile, checks)
    loose = resolve_loose(reading.loose, log, evidence, checks)
    verdicts = gather_verdicts(claims, evidence, profile, log)
    supports = judge_claims(claims, resolutions, verdicts, log=log, checks=checks)
    if reading.answer is not None:
        check_left_out(claims, supports, log, reading.text, checks)
        check_premises(record.asked, claims, supports, log, checks)
    gold = read_gold(record, reading, evidence, thresholds)
    behind = read_corpus(claims, evidence, profile)
    report_corpus(claims, behind, checks)
    found = _Found(supports, resolutions, loose, behind, gold)
    decision = decide_answer(supports, resolutions, log, head_for(evidence.judge))
    report_answer(decision.support, [claim.span for claim in claims], checks)
    understood = evidence.judge.partition("@")[0] not in _ENGLISH_ONLY
    facts = [_facts(record, reading, log, replace(found, supports=s), profile) for s in decision.readings]
    facts = [replace(one, language=None) if understood else one for one in facts]
    ruling = bucket_between(facts, decision.support)
    quality, points = _refusal(record, reading, loose, checks)
    check_refusal(profile, reading.text, points, checks)
    scores = tuple(claim_scores(reading, resolutions, supports, gold, behind))
    return Scorecard(
        id=record.id,
        bucket=ruling.bucket,
        cause=ruling.cause,
        why=ruling.why,
        citation_exists=_axis(reading, log, (r.exists for r in _every(resolutions, loose))),
        citation_supports=_axis(reading, log, (outcome for s in supports for outcome, _ in s.citations)),
        refusal_quality=quality,
        refusal_points=points,
        extra_claim_count=None if reading.answer is None else sum(not claim.citations for claim in claims),
        gold_agreement=gold.overall,
        refusal=reading.refusal.extent,
        refusal_basis=reading.refusal.basis,
        retrieved_count=len(log) if log.logged else None,
        category=record.gold.category if record.gold else None,
        expected=record.gold.expected if record.gold else (),
        labelled=record.gold.bucket if record.gold else None,
        answerable=answerable(record.gold) if record.gold else None,
        question_hash=_question_hash(record),
        support=decision.support,
        claims=scores,
        loose=tuple(loose_score(resolution) for resolution in loose),
        chunks=tuple(chunk_scores(log, resolutions, supports)),
        findings=tuple(with_steps(checks.findings, claims, log)),
        checks=checks.counts(),
        release=release_of(
            ruling.bucket, scores, _every(resolutions, loose), checks.findings, profile, support=decision.support
        ),
        calls=count_calls_of(evidence),
    )


def ungraded(record: Record, why: str) -> Scorecard:
    """Return the scorecard of a record that scoring itself failed on: unknown, with the reason, and a failed call."""
    failed = Finding(code="scoring.failed", outcome=Outcome.UNKNOWN, reason=why)
    return Scorecard(
        id=record.id,
        bucket="unknown",
        why=why,
        citation_exists=Outcome.UNKNOWN,
        citation_supports=Outcome.UNKNOWN,
        retrieved_count=None if record.retrieved is None else len(record.retrieved),
        category=record.gold.category if record.gold else None,
        expected=record.gold.expected if record.gold else (),
        labelled=record.gold.bucket if record.gold else None,
        answerable=answerable(record.gold) if record.gold else None,
        question_hash=_question_hash(record),
        findings=(failed,),
        checks={failed.code: OutcomeCounts(unknown=1)},
        calls=CallCounts(judge=Calls(made=1, failures={"scoring": 1})),
    )


def read_gold(record: Record, reading: Reading, evidence: Evidence | None, thresholds: Thresholds) -> GoldReading:
    """Compare the answer with gold; with evidence, settle by its verdicts what words and numbers left undecided."""
    claims = reading.answer.claims if reading.answer else ()
    if record.gold is None or not record.gold.answer or answerable(record.gold) is False:
        return agree_alike("not_applicable", len(claims), "there is no gold answer to compare with")
    if reading.answer is None:
        return agree_alike("unknown", 0, "the answer could not be read")
    if reading.refusal.extent == "full" and "answering" not in reading.roles:
        return agree_alike("absent", len(claims), "the answer declines")
    texts = [claim.text for claim in claims]
    compared = compare_with_gold(record.asked, record.gold, texts, reading.text)
    if evidence is None or not compared.open:
        return compared
    pairs = [pair for pair in evidence.pairs if pair.role in {"gold_in_answer", "answer_in_gold"}]
    return settle_with_verdicts(compared, pairs, thresholds)


def odds_of_claims(record: Record, reading: Reading, evidence: Evidence, profile: Profile) -> list[float | None]:
    """Return the log odds of support that an answer's probability is made of, claim by claim; None where there are none."""
    log = RetrievalLog(record)
    pairs = zip(*_judged(reading, evidence, profile, log), strict=True)
    return [claim_odds(one.read_by_p(resolved, log), resolved) for one, resolved in pairs]


def decide_support(record: Record, reading: Reading, evidence: Evidence, profile: Profile) -> AnswerSupport | None:
    """Decide whether the claims of an answer are all supported, by what was gathered so far; None without a probability."""
    head, log = head_for(evidence.judge), RetrievalLog(record)
    return None if head is None else decide_answer(*_judged(reading, evidence, profile, log), log, head).support


def _judged(
    reading: Reading, evidence: Evidence, profile: Profile, log: RetrievalLog
) -> tuple[list[ClaimSupport], list[list[Resolution]]]:
    """Read the support of every claim, and where its citations lead; no other rubric."""
    checks, claims = Checks(), reading.answer.claims if reading.answer else ()
    resolutions = resolve_citations(claims, log, evidence, checks)
    verdicts = gather_verdicts(claims, evidence, profile, log)
    return judge_claims(claims, resolutions, verdicts, log=log, checks=checks), resolutions


def claims_to_look_up(record: Record, reading: Reading, evidence: Evidence, profile: Profile) -> list[int]:
    """Return the claims to be looked up in the corpus behind the log, by what was gathered so far.

    What registries say may come later, and can only make fewer of them matter.
    """
    checks, log = Checks(), RetrievalLog(record)
    claims = reading.answer.claims if reading.answer else ()
    supports, resolutions = _judged(reading, evidence, profile, log)
    check_quotes(reading.quotes, resolutions, log, checks)
    check_versions(claims, resolutions, log, profile, checks)
    loose = resolve_loose(reading.loose, log, evidence, checks)
    gold = read_gold(record, reading, evidence, profile.thresholds)
    decision = decide_answer(supports, resolutions, log, head_for(evidence.judge))
    found = _Found(decision.readings[-1], resolutions, loose, [BehindLog()] * len(claims), gold)
    return wanting_corpus(_facts(record, reading, log, found, profile))


@dataclass(frozen=True, slots=True)
class _Found:
    """What the rubrics found out, claim by claim."""

    supports: Sequence[ClaimSupport]
    resolutions: Sequence[Sequence[Resolution]]
    loose: Sequence[Resolution]
    behind: Sequence[BehindLog]
    gold: GoldReading


def _facts(record: Record, reading: Reading, log: RetrievalLog, found: _Found, profile: Profile) -> AnswerFacts:
    gold = found.gold
    rows = zip(reading.roles, found.supports, gold.per_claim, found.resolutions, found.behind, strict=True)
    perhaps = possibly_cited(reading, log)
    claims = [
        ClaimFacts(
            role,
            Outcome.UNKNOWN if index in perhaps else support.own,
            support.log,
            support.contradicted,
            agreement,
            resolved,
            corpus_supports=corpus.supports,
            corpus_contradicts=corpus.contradicts,
            miscalculated=Outcome.PASS if support.miscalculated else Outcome.FAIL,
            perhaps_cited=index in perhaps,
        )
        for index, (role, support, agreement, resolved, corpus) in enumerate(rows)
    ]
    cause: Cause = "empty_answer" if reading.form in {"null", "empty"} else "unparsed"
    return AnswerFacts(
        readable=reading.answer is not None,
        unreadable_cause=cause,
        extent=reading.refusal.extent,
        claims=claims,
        retrieved=len(log) if log.logged else None,
        gold=record.gold,
        agreement=gold.overall,
        incomplete=gold.incomplete,
        loose=found.loose,
        language=reading.language,
        unread=tuple(reading.text[start:end] for start, end in reading.unread),
        evidence_retrieved=_evidence_retrieved(record.gold, log),
        failure=failure_of(record),
        conflict_unsettled=profile.sources_conflict == "unknown",
    )


def _evidence_retrieved(gold: Gold | None, log: RetrievalLog) -> Outcome:
    """Return whether all of the gold evidence is in the log: what rests on two passages cannot be answered from one."""
    if gold is None or not gold.evidence or not log.logged:
        return Outcome.UNKNOWN
    if all(e.source_id in log for e in gold.evidence):
        return Outcome.PASS
    return Outcome.UNKNOWN if log.doubt else Outcome.FAIL


def _axis(reading: Reading, log: RetrievalLog, outcomes: Iterable[Outcome]) -> Outcome:
    """One bad citation fails the axis; no citation at all is not applicable, never a pass; what was not read, or cannot be told from a citation, is unknown."""
    if reading.answer is None:
        return Outcome.UNKNOWN
    seen = set(outcomes)
    for outcome in (Outcome.FAIL, Outcome.UNKNOWN, Outcome.PASS):
        if outcome in seen:
            return outcome
    return Outcome.UNKNOWN if possibly_cited(reading, log) else Outcome.NOT_APPLICABLE


def _every(resolutions: Sequence[Sequence[Resolution]], loose: Sequence[Resolution]) -> Iterable[Resolution]:
    yield from loose
    for resolved in resolutions:
        yield from resolved


def _refusal(
    record: Record, reading: Reading, loose: Sequence[Resolution], checks: Checks
) -> tuple[int | None, tuple[RefusalPoint, ...]]:
    refusal = reading.refusal
    if reading.answer is None:
        return None, ()
    _check_field(reading, checks)
    if refusal.extent != "full":
        checks.not_applicable("refusal.flat")
        return None, ()
    cited = sum(r.in_log is Outcome.PASS for r in loose) + sum(len(c.citations) for c in reading.answer.claims)
    titles = [source.title for source in record.retrieved or () if source.title]
    quality, points = grade_refusal(reading.text, refusal, cited, titles)
    if refusal.kind == "harm":
        checks.failed("refusal.harm", "a refusal on policy, which says nothing about the evidence")
    if quality == 0:
        checks.failed("refusal.flat", "; ".join(point.why for point in points) or "it says only that it declines")
    else:
        checks.passed("refusal.flat")
    return quality, points


def _check_field(reading: Reading, checks: Checks) -> None:
    """Compare the structured refusal field with what the text does. The text beats the field."""
    if reading.answer is None or reading.form == "text":
        checks.not_applicable("refusal.mismatch")
        return
    field, extent = reading.answer.refusal, reading.refusal.extent
    if (field == "none") == (extent in {"none", "partial"}) or (field != "none" and extent == "partial"):
        checks.passed("refusal.mismatch")
    else:
        checks.failed("refusal.mismatch", f"the refusal field says {field}, the text reads as {extent}")


def _question_hash(record: Record) -> str:
    """Return whether two runs asked the same question of the same gold; a person's label of one answer is left out."""
    gold = None if record.gold is None else record.gold.model_copy(update={"bucket": None})
    return hashlib.blake2b(f"{record.question}\n{gold!r}".encode("utf-8", "replace"), digest_size=6).hexdigest()


_LONGEST = 200


def failure_of(record: Record) -> str | None:
    """Return what went wrong in one short line of characters that show, or None where nothing was written down."""
    asked = record.metadata.get(ASK)
    error = asked.get("error") if isinstance(asked, dict) else None
    if not isinstance(error, str):
        return None
    line = " ".join("".join(c if c.isprintable() else " " for c in error).split())
    return (line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1].rstrip()}…") or None
