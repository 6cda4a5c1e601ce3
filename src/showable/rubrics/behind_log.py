"""The corpus behind the retrieval log: what it says about a claim that nothing retrieved supports. Read from saved verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from showable.records.evidence import Evidence, PairVerdict
from showable.records.findings import Outcome, Subject
from showable.records.profile import Profile
from showable.records.record import Claim
from showable.records.scorecard import CorpusPassage
from showable.rubrics.checks import Checks
from showable.rubrics.semantic import ClaimVerdicts


@dataclass(frozen=True, slots=True)
class BehindLog:
    """Of one claim: whether a passage of the corpus supports it, whether one contradicts it, and which.

    Both are not applicable where there was no corpus, and unknown where one was at hand and was not asked.
    """

    supports: Outcome = Outcome.NOT_APPLICABLE
    contradicts: Outcome = Outcome.NOT_APPLICABLE
    passages: tuple[CorpusPassage, ...] = ()
    unsure: str = ""
    """Why a verdict is missing, where one is."""
    suspected: tuple[str, ...] = ()
    """The passages that address the judge, whatever the verdict on them."""


def read_corpus(claims: Sequence[Claim], evidence: Evidence, profile: Profile) -> list[BehindLog]:
    """Say of each claim what the corpus says about it. A weaker tier of source must be clearer, as in the log."""
    if evidence.corpus is None:
        return [BehindLog()] * len(claims)
    asked = set(evidence.corpus_claims)
    found = [pair for pair in evidence.pairs if pair.role == "corpus"]
    return [
        _of(claim, [pair for pair in found if pair.claim == index], profile)
        if index in asked
        else BehindLog(Outcome.UNKNOWN, Outcome.UNKNOWN)
        for index, claim in enumerate(claims)
    ]


def _of(claim: Claim, pairs: Sequence[PairVerdict], profile: Profile) -> BehindLog:
    weights = {p.passage.source_id: profile.weight(p.passage.metadata.get("tier")) for p in pairs if p.passage}
    table = ClaimVerdicts(
        profile.thresholds.of(claim.kind),
        weights=weights if profile.tiers else {},
        topical=claim.kind in profile.topical,
    )
    table.single.update({pair.passage.source_id: pair.verdict for pair in pairs if pair.passage})
    outcomes = [table.of(source_id) for source_id in table.single]
    missing = [pair.verdict.reason or "no verdict" for pair in pairs if pair.verdict.label == "unknown"]
    otherwise = Outcome.UNKNOWN if missing else Outcome.FAIL
    unsure = Outcome.UNKNOWN if Outcome.UNKNOWN in outcomes else Outcome.FAIL
    supports = Outcome.PASS if Outcome.PASS in outcomes else unsure
    contradicts = Outcome.PASS if table.contradicting else otherwise
    for_it = _passages(pairs, table.supporting_among(list(table.single)), "supports")
    against = _passages(pairs, table.contradicting, "contradicts")
    suspected = tuple(p.passage.source_id for p in pairs if p.passage is not None and p.verdict.injection_suspected)
    return BehindLog(supports, contradicts, (*for_it, *against), missing[0] if missing else "", suspected)


def _passages(pairs: Sequence[PairVerdict], ids: Sequence[str], says: str) -> list[CorpusPassage]:
    return [
        CorpusPassage.model_validate(
            {"source_id": p.passage.source_id, "says": says, "text": p.passage.text or "", "title": p.passage.title}
        )
        for p in pairs
        if p.passage is not None and p.passage.source_id in ids
    ]


def report_corpus(claims: Sequence[Claim], behind: Sequence[BehindLog], checks: Checks) -> None:
    """Write down as findings what the corpus says about the claims that were looked up in it."""
    for index, (claim, corpus) in enumerate(zip(claims, behind, strict=True)):
        at = Subject(claim=index), claim.span
        by = [repr(passage.source_id) for passage in corpus.passages if passage.says == "supports"]
        against = [repr(passage.source_id) for passage in corpus.passages if passage.says == "contradicts"]
        if by and against:
            said = f"in the corpus {', '.join(by)} supports the claim, {', '.join(against)} contradicts it"
            checks.failed("semantic.corpus_conflict", said, *at)
        elif against:
            checks.failed(
                "semantic.corpus_contradicts", f"{', '.join(against)} of the corpus contradicts the claim", *at
            )
        if by:
            said = f"{', '.join(by)} of the corpus supports the claim, and was not retrieved"
            checks.failed("semantic.retrieval_miss", said, *at)
        elif corpus.unsure:
            checks.unknown("semantic.corpus_unjudged", corpus.unsure, *at)
        for source_id in corpus.suspected:
            said = f"{source_id!r} of the corpus contains text that addresses a judge"
            checks.failed("semantic.injection_suspected", said, Subject(claim=index))
