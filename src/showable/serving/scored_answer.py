"""From an answer found in a trace to its row: graded without a judge, rubrics switched off as the rule says, chosen or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from showable.measure.rubric_outcomes import RubricOutcomes, rubric_outcomes
from showable.measure.tail_sampling import Choice, TailSampler, Traits
from showable.records.findings import Finding, Outcome, OutcomeCounts
from showable.records.record import Record
from showable.records.scorecard import Scorecard
from showable.records.spans import Span
from showable.records.traced import SUPERSEDED, LiveScore, Loss, TracedAnswer
from showable.report.untrusted import printable
from showable.rubrics.grade import ungraded
from showable.serving.live_rules import Holding, LiveRules, NoJudge
from showable.traces.diagnosis import diagnose
from showable.traces.rules import RUBRICS, Applied
from showable.traces.scorers import Scored, Scorer, grade_unjudged

OFF = "switched_off"
FAILED = "failed"
"""Strata of what could not be scored, and of what turned out to be no answer: not judged, and in no sample."""
_UNCHOSEN = frozenset({FAILED, SUPERSEDED})
_SAID = 300
_COUNT = {
    Outcome.PASS: OutcomeCounts(passed=1),
    Outcome.FAIL: OutcomeCounts(failed=1),
    Outcome.UNKNOWN: OutcomeCounts(unknown=1),
    Outcome.NOT_APPLICABLE: OutcomeCounts(not_applicable=1),
}


class AnswerScoring:
    """Scores answers one at a time, and remembers what tail-aware sampling has to."""

    def __init__(self, rules: LiveRules, sampler: TailSampler, sample: float) -> None:
        self.rules, self._sampler, self._sample = rules, sampler, sample
        self._nobody = NoJudge()

    def score(
        self, traced: TracedAnswer, attributes: Mapping[str, Any], previous: LiveScore | None, now_ns: int
    ) -> LiveScore | None:
        """Score an answer. `previous` is its row, where it has one; None is given back where that still holds."""
        holding = self.rules.of(traced, attributes)
        applied = holding.applied
        if applied.cohort and not traced.cohort:
            traced = replace(traced, cohort=applied.cohort)
        if previous is not None and previous.stratum not in _UNCHOSEN and _holds_still(previous, traced, holding):
            return None if previous.answer == traced else replace(previous, answer=traced, scored_ns=now_ns)
        card = grade_unjudged(traced.record, holding.profile)
        made = with_own(card, [s for s in applied.scorers if not s.asks_judge], traced.record)
        made, outcomes = switch_off(made, rubric_outcomes(card), applied)
        choice = self._choose(traced, outcomes, card, applied, previous)
        whose, why = diagnose(traced.record, card)
        return LiveScore(
            answer=traced,
            scorecard=made,
            structural=outcomes.structural,
            resolvability=outcomes.resolvability,
            semantic=outcomes.semantic,
            stratum=choice.stratum,
            probability=choice.probability,
            chosen=choice.chosen,
            judged=False,
            signature=self.rules.signature(self._nobody, holding.profile),
            profile=holding.profile.name,
            diagnosis=whose,
            rubrics=tuple(applied.rubrics),
            scored_ns=now_ns,
            diagnosis_why=why,
        )

    def _choose(
        self,
        traced: TracedAnswer,
        outcomes: RubricOutcomes,
        card: Scorecard,
        applied: Applied,
        previous: LiveScore | None,
    ) -> Choice:
        """Choose, or keep what was chosen before: thresholds move, and a choice that was made must not.

        An answer that turns out to fail when the rest of its trace comes in is read all the same, with probability 1:
        what decides that is known before the judge is asked.
        """
        semantic = "semantic" in applied.rubrics
        if previous is not None and previous.stratum not in {*_UNCHOSEN, "off"} and semantic:
            if Outcome.FAIL in outcomes[:2] and previous.probability < 1.0:
                return Choice("failure", 1.0, chosen=True)
            return Choice(previous.stratum, previous.probability, previous.chosen)  # type: ignore[arg-type]
        return self._sampler.choose(
            Traits(
                key=traced.trace_id,
                structural=outcomes.structural,
                resolvability=outcomes.resolvability,
                service=traced.service,
                declines=card.refusal != "none",
                cohort=traced.cohort,
                latency_ms=traced.latency_ms,
                cost_usd=traced.cost_usd,
                always=applied.always,
                semantic=semantic,
                share=self._sample if applied.sample is None else applied.sample,
            )
        )


def switch_off(card: Scorecard, outcomes: RubricOutcomes, applied: Applied) -> tuple[Scorecard, RubricOutcomes]:
    """Take out what rubrics say that a rule switches off: not applicable, with why, and never a pass."""
    if not applied.off:
        return card, outcomes
    off = {rubric for rubric, _ in applied.off}
    findings = [f for f in card.findings if f.rubric not in off]
    findings += [
        Finding(code=f"{rubric}.{OFF}", outcome=Outcome.NOT_APPLICABLE, reason=why) for rubric, why in applied.off
    ]
    checks = {code: counts for code, counts in card.checks.items() if code.partition(".")[0] not in off}
    checks |= {f"{rubric}.{OFF}": _COUNT[Outcome.NOT_APPLICABLE] for rubric in off}
    said = (Outcome.NOT_APPLICABLE if rubric in off else outcomes[n] for n, rubric in enumerate(RUBRICS))
    return card.model_copy(update={"findings": tuple(findings), "checks": checks}), RubricOutcomes(*said)


def with_own(card: Scorecard, scorers: Sequence[Scorer], record: Record) -> Scorecard:
    """Add what one's own scorers say, as findings under their names."""
    findings, checks = list(card.findings), dict(card.checks)
    for scorer in scorers:
        outcome, why, own = _ask(scorer, record)
        code = f"{scorer.name}.outcome"
        findings += [*own, Finding(code=code, outcome=outcome, reason=why)]
        checks[code] = checks.get(code, OutcomeCounts()) + _COUNT[outcome]
    return card if not scorers else card.model_copy(update={"findings": tuple(findings), "checks": checks})


def _ask(scorer: Scorer, record: Record) -> tuple[Outcome, str, Sequence[Finding]]:
    try:
        scored = scorer.score(record)
        outcome, own = Outcome(scored.outcome), tuple(map(Finding.model_validate, scored.findings))
    except Exception as error:  # noqa: BLE001 - whatever a user's scorer raises or gives is an unknown of this answer
        return Outcome.UNKNOWN, printable(f"the scorer failed: {reason_of(error)}", limit=_SAID), ()
    return outcome, printable(Scored(outcome, own).why, limit=_SAID), own


def unreadable(trace_id: str, spans: Sequence[Span], why: str, now_ns: int) -> LiveScore:
    """Return the row of a trace that could not be joined or scored: unknown on every rubric, with the reason."""
    root = next((span for span in spans if span.parent_id is None), spans[0] if spans else None)
    span_id = root.span_id if root else "-"
    said = printable(f"it could not be scored: {why}", limit=_SAID)
    traced = TracedAnswer(
        record=Record(id=f"{trace_id}:{span_id}", question="", answer=None, trace_id=trace_id),
        trace_id=trace_id,
        span_id=span_id,
        parent_id=root.parent_id if root else None,
        service=root.service if root else "",
        name=root.name if root else "",
        started_ns=root.start_ns if root else 0,
        complete=False,
        spans=len(spans),
        losses=(Loss("not_scored", said),),
    )
    return unscored(traced, said, now_ns)


def unscored(traced: TracedAnswer, said: str, now_ns: int) -> LiveScore:
    """Return the row of an answer about which nothing could be found out."""
    unknown, card = Outcome.UNKNOWN, ungraded(traced.record, said)
    return LiveScore(
        answer=traced,
        scorecard=card,
        structural=unknown,
        resolvability=unknown,
        semantic=unknown,
        stratum=FAILED,
        probability=1.0,
        chosen=False,
        judged=False,
        signature="-",
        profile="general",
        scored_ns=now_ns,
    )


def superseded(score: LiveScore, by: Sequence[str], now_ns: int) -> LiveScore:
    """Return the row of what was taken for an answer of its trace, until more of it came: not applicable on every rubric."""
    none = Outcome.NOT_APPLICABLE
    said = printable(f"no answer of its trace, now that more of it has come; that is {', '.join(by)}", limit=_SAID)
    card = Scorecard(
        id=score.id,
        bucket="unknown",
        why=said,
        citation_exists=none,
        citation_supports=none,
        findings=(Finding(code="scoring.superseded", outcome=none, reason=said),),
        checks={"scoring.superseded": _COUNT[none]},
    )
    return replace(
        score,
        scorecard=card,
        structural=none,
        resolvability=none,
        semantic=none,
        stratum=SUPERSEDED,
        probability=1.0,
        chosen=False,
        judged=False,
        diagnosis="unknown",
        rubrics=(),
        scored_ns=now_ns,
        diagnosis_why="",
    )


def reason_of(error: BaseException) -> str:
    """Return what went wrong on one line: the kind of error where its words alone would not say."""
    return printable(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__, limit=_SAID)


def _holds_still(previous: LiveScore, traced: TracedAnswer, holding: Holding) -> bool:
    """Check whether a row is about the same record under the same rule, so that what a judge said of it stands."""
    same_rules = previous.profile == holding.profile.name and tuple(previous.rubrics) == tuple(holding.applied.rubrics)
    return same_rules and previous.answer.record == traced.record
