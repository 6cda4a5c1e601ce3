"""What the tool itself said of a target, and when a person may see it: only after their own word, so that it stays their own."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from showable.measure.labelled_answer import citation_targets, source_of, target_problem
from showable.records.evidence import Evidence, PairVerdict
from showable.records.labels import Target
from showable.records.record import Gold
from showable.records.scorecard import Scorecard
from showable.report.page.texts import held
from showable.review.page_context import target_key
from showable.review.reading_runs import OpenRun

Said = dict[str, Any]


def revealed(card: Scorecard, labelled: Collection[Target]) -> frozenset[Target]:
    """Return the targets of a record of which a person may see what the tool said, who has labelled these targets.

    The bucket gives away what was said of the citations, so it waits until all of them are labelled. Labels on claims
    that the answer does not have (they were given on another reading of it) reveal nothing.
    """
    mine = {target for target in labelled if target.record == card.id and target_problem(card, target) is None}
    whole = all(target in mine for target in citation_targets(card))
    return frozenset(one for one in mine if one.about != "comment" and (one.about != "bucket" or whole))


def shown_judge(run: OpenRun, card: Scorecard, labelled: Collection[Target]) -> dict[str, Said]:
    """Return what the tool said of every target of a record that may be seen, by `target_key`."""
    open_ones = revealed(card, labelled)
    evidence = run.evidence(card.id) if any(target.about == "support" for target in open_ones) else None
    said = {target_key(target): what_it_said(card, evidence, target) for target in sorted(open_ones, key=target_key)}
    if "bucket" in said and (gold := run.record(card.id).gold):
        said["bucket"]["gold"] = _gold(gold)
    return said


def what_it_said(card: Scorecard, evidence: Evidence | None, target: Target) -> Said:
    """Return the tool's own word on a target, with its grounds; ``said`` is None where it had none."""
    if target.about == "support":
        return _of_citation(card, evidence, target)
    if target.about == "claim_kind":
        return {"said": None if target.claim is None else card.claims[target.claim].kind}
    if target.about == "refusal_quality":
        points = [{"point": one.point, "earned": one.earned, "why": held(one.why)} for one in card.refusal_points]
        return {"said": card.refusal_quality, "points": points}
    if target.about == "extra_claims":
        return {"said": card.extra_claim_count}
    findings = [{"code": one.code, "outcome": one.outcome.value, "reason": held(one.reason)} for one in card.findings]
    return {"said": card.bucket, "cause": card.cause, "reason": held(card.why), "findings": findings}


def _gold(gold: Gold) -> Said:
    """Return the record's own answer: nobody's verdict, but it would lead whoever has not given theirs."""
    return {"answer": held(gold.answer) if gold.answer else None, "answerable": gold.answerable}


def _of_citation(card: Scorecard, evidence: Evidence | None, target: Target) -> Said:
    pair = verdict_on(card, evidence, target)
    if pair is None:
        return {"said": None, "p": None, "reason": "no judge was asked about it", "quote": None, "where": None}
    verdict = pair.verdict
    return {
        "said": verdict.label,
        "p": verdict.p,
        "reason": held(verdict.reason) if verdict.reason else None,
        "quote": held(verdict.quote) if verdict.quote else None,
        "where": list(verdict.quote_span) if verdict.quote_span else None,
        "judge": held(verdict.judge),
    }


def verdict_on(card: Scorecard, evidence: Evidence | None, target: Target) -> PairVerdict | None:
    """Find the judge's verdict on a claim and the passage it cites, that passage read alone."""
    source = source_of(card, target)
    pairs = (pair for pair in (evidence.pairs if evidence else ()) if pair.role == "cited")
    return next((pair for pair in pairs if pair.claim == target.claim and pair.sources == (source,)), None)
