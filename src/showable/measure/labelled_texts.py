"""Settled labels as rows with their texts: a claim, a passage, and whether people say that the one is in the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from showable.measure.consensus import Settled
from showable.records.labels import Target, Value
from showable.records.record import Record
from showable.records.scorecard import Scorecard
from showable.rubrics.retrieval_log import RetrievalLog

_LABELS = {"supported": 1.0, "partial": 0.5, "unsupported": 0.0, "contradicted": 0.0}


@dataclass(frozen=True, slots=True)
class TextRow:
    """One settled (claim, citation) as `validate entailment` reads it: label 1, 0.5 (partial) or 0.

    `kind` is what people called the claim, else what the run did. `id` names record, claim and citation, counted from 0.
    """

    id: str
    question: str
    claim: str
    passage: str
    label: float
    kind: str | None
    verdict: str


def text_rows(settled: Settled, entries: Iterable[tuple[Record, Scorecard]]) -> Iterator[TextRow | Target]:
    """Yield a row a settled (claim, citation), in the order of the run; the bare target where the log has no such text."""
    wanted: dict[str, list[tuple[Target, Value]]] = {}
    for target, value in settled.gold.items():
        if target.about == "support":
            wanted.setdefault(target.record, []).append((target, value))
    for record, card in entries:
        texts = RetrievalLog(record).texts if record.id in wanted else {}
        for target, value in wanted.get(record.id, ()):
            claim, citation = target.claim or 0, target.citation or 0
            scored = card.claims[claim]
            passage = texts.get(scored.citations[citation].source_id or "")
            if passage is None:
                yield target
                continue
            kind = settled.gold.get(Target(record.id, "claim_kind", claim), scored.kind)
            yield TextRow(
                id=f"{record.id}/{claim}/{citation}",
                question=record.question,
                claim=scored.text,
                passage=passage,
                label=_LABELS[str(value)],
                kind=None if kind is None else str(kind),
                verdict=str(value),
            )
