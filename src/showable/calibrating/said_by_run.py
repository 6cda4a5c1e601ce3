"""What the tool said of the answers of a run: on every cited passage, and on every answer as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from showable.errors import InputError, SettingError
from showable.evaluation import regrade_one
from showable.measure.labelled_answer import digest_of
from showable.read.answer import PARSER_REVISION, read_answer
from showable.reader.read import replayed
from showable.records.evidence import Evidence, Verdict
from showable.records.findings import Outcome
from showable.records.labels import Target
from showable.records.profile import Profile
from showable.records.record import Record
from showable.records.roles import RefusalBasis
from showable.records.scorecard import Scorecard
from showable.records.signature import Signature
from showable.rubrics.retrieval_log import RetrievalLog
from showable.rubrics.semantic import ClaimVerdicts, gather_verdicts, tier_weights
from showable.stores.run_folder import EVIDENCE, SCORES, read_run_lines
from showable.stores.run_reading import joined

_UNREAD = frozenset({"empty_answer", "unparsed"})


@dataclass(frozen=True, slots=True)
class SaidPair:
    """What a judge said of a claim and a passage that it cites.

    `p` is the judge's own, before any calibration; `verdict` its label. `weight` is that of the source's tier, whose
    threshold is the higher the lower it is. `said` is what scoring made of it, None where it could not decide; `reason` is
    the judge's own.
    """

    kind: str | None
    verdict: str
    p: float | None
    judge: str
    said: bool | None
    weight: float = 1.0
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class SaidAnswer:
    """What the tool said of an answer: None where it could not tell. `digest` is that of the answer that it read.

    `shown_p` is there for an answer that may be shown: the probability that it is supported, 1 where none decides it.
    """

    question: str
    digest: str
    bucket: str | None
    refuses: bool | None
    basis: RefusalBasis | None
    category: str | None
    quality: int | None
    extra_claims: int | None
    shown_p: float | None = None


@dataclass(slots=True)
class Said:
    """All of it, by target and by record."""

    pairs: dict[Target, SaidPair] = field(default_factory=dict)
    answers: dict[str, SaidAnswer] = field(default_factory=dict)

    @property
    def judges(self) -> set[str]:
        """Whose probabilities there are: of a cascade those of both judges, labelled or not."""
        return {pair.judge for pair in self.pairs.values() if pair.p is not None}


def read_said(run: Path, signed: Signature, profile: Profile, *, regraded: bool) -> Said:
    """Read a run: its scorecards as they stand, or graded again under `profile` where that is another than the run's.

    Raises SettingError where its answers were read by another parser: labels and evidence count claims as that one did.
    """
    if signed.parser != PARSER_REVISION:
        said = f"its answers were read by parser {signed.parser}, this is parser {PARSER_REVISION}; score it anew"
        raise SettingError(f"{run}: {said}")
    found = Said()
    for record, evidence, card in _lines(run, profile, regraded=regraded):
        found.answers[record.id] = _answer(record, card)
        for target, pair in _pairs(record, evidence, profile):
            found.pairs[target] = pair
    return found


def _lines(run: Path, profile: Profile, *, regraded: bool) -> Iterator[tuple[Record, Evidence, Scorecard]]:
    if regraded:
        for record, evidence in joined(run, EVIDENCE, Evidence):
            yield record, evidence, regrade_one(record, evidence, profile)
        return
    cards = {card.id: card for card in read_run_lines(run / SCORES, Scorecard)}
    for record, evidence in joined(run, EVIDENCE, Evidence):
        if record.id not in cards:
            raise InputError(f"no line has the id {record.id!r}; was the run damaged?", path=str(run / SCORES))
        yield record, evidence, cards.pop(record.id)


def _answer(record: Record, card: Scorecard) -> SaidAnswer:
    read = card.cause not in _UNREAD
    return SaidAnswer(
        question=record.question,
        digest=digest_of(record, card),
        bucket=None if card.bucket == "unknown" else card.bucket,
        refuses=card.refusal == "full" if read else None,
        basis=card.refusal_basis,
        category=card.category,
        quality=card.refusal_quality,
        extra_claims=card.extra_claim_count,
        shown_p=_shown_p(card),
    )


def _shown_p(card: Scorecard) -> float | None:
    if card.release is None or card.release.verdict != "show":
        return None
    return 1.0 if card.support is None else card.support.p


def _pairs(record: Record, evidence: Evidence, profile: Profile) -> Iterator[tuple[Target, SaidPair]]:
    """Yield every citation that a judge has read, decided by the very function that scoring decides with."""
    reading = read_answer(record, profile, replayed(evidence.read))
    if reading.answer is None:
        return
    claims = reading.answer.claims
    log = RetrievalLog(record)
    weights = tier_weights(log, profile)
    tables = gather_verdicts(claims, evidence, profile, log)
    for index, (claim, table) in enumerate(zip(claims, tables, strict=True)):
        for place, citation in enumerate(claim.citations):
            verdict = table.parts.get(place, table.single.get(citation.source_id or ""))
            if verdict is not None and citation.source_id is not None:
                weight = weights.get(citation.source_id, 1.0)
                yield Target(record.id, "support", index, place), _pair(claim.kind, verdict, table, weight)


def _pair(kind: str | None, verdict: Verdict, table: ClaimVerdicts, weight: float) -> SaidPair:
    own = verdict.p if verdict.raw_p is None else verdict.raw_p
    said = decided(verdict, table.threshold, weight, topical=table.topical)
    return SaidPair(kind, verdict.label, own, verdict.judge, said, weight, verdict.reason)


def decided(verdict: Verdict, threshold: float, weight: float = 1.0, *, topical: bool = False) -> bool | None:
    """Return whether scoring takes a verdict for support; None where it is left open."""
    outcome = ClaimVerdicts(threshold, weights={"": weight}, topical=topical).decide(verdict, [""])
    return None if outcome is Outcome.UNKNOWN else outcome is Outcome.PASS
