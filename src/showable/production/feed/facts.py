"""What a batch keeps of each answer while it is made: little enough that a window of traffic fits into memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from showable.production.feed.answers import Answered
from showable.production.feed.contrast import Circumstances
from showable.production.feed.dimensions import Plan, Scored, dimensions
from showable.production.feed.fixes import Failure
from showable.production.feed.items import Item, Standing, deciding_claim, item_of, standing
from showable.production.feed.nouns import DimensionName
from showable.records.signature import Thresholds
from showable.traces.diagnosis import diagnose

_NEAR = 0.1
"""Distance of a p from the threshold within which the verdict might have been the other one."""
_LONGEST = 400
_WORDING = 200


@dataclass(frozen=True, slots=True)
class Facts:
    """One answer of the window. `failure`, `item` and `scores` are there for failing ones alone."""

    answer: str
    standing: Standing
    question: str
    at_ns: int | None
    weight: float | None
    trace: str
    service: str
    versions: Mapping[str, str]
    circumstances: Circumstances
    item: Item | None = None
    failure: Failure | None = None
    scores: Mapping[DimensionName, Scored] | None = None


def facts_of(answered: Answered, thresholds: Thresholds, plan: Plan | None = None, held: Item | None = None) -> Facts:
    """Return what a batch needs of an answer; `plan` is what its trace says, where it is whole.

    `held` is its item where the same score was read before.
    """
    record, card = answered.record, answered.card
    state = standing(card)
    weight = answered.weight if answered.weight is not None else 1.0
    common = {
        "answer": card.id,
        "standing": state,
        "question": record.question[:_LONGEST],
        "at_ns": answered.at_ns,
        "weight": answered.weight,
        "trace": answered.trace,
        "service": answered.service,
        "versions": answered.versions,
        "circumstances": Circumstances(answered.fields, answered.service, weight),
    }
    if state != "failing":
        return Facts(**common)  # type: ignore[arg-type]  # the types of the fields stand above
    if held is not None and answered.scored_ns and held.scored_ns == answered.scored_ns:
        item = held
    else:
        item = item_of(record, card, scored_ns=answered.scored_ns, at_ns=answered.at_ns, weight=weight)
    claim = deciding_claim(card)
    decided_by_p = claim is not None and claim.support in {"unsupported", "partial"}
    near = (
        decided_by_p and claim is not None and claim.p is not None and abs(claim.p - thresholds.of(claim.kind)) <= _NEAR
    )
    failure = Failure(
        features=item.features,
        diagnosis=diagnose(record, card)[0],
        question=common["question"],  # type: ignore[arg-type]
        wording=" ".join(claim.text.casefold().split())[:_WORDING] if claim is not None else "",
        near=near,
        kind=claim.kind if claim is not None else None,
        missed=tuple(one.source_id for one in claim.corpus_by if one.says == "supports") if claim is not None else (),
    )
    return Facts(**common, item=item, failure=failure, scores=dimensions(answered, plan))  # type: ignore[arg-type]
