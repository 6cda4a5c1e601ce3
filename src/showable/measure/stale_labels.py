"""Which labels still stand: a label counts only on the answer, and under the words of the guide, that it was given on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from showable.records.label_guide import About
from showable.records.labels import Label, current_guide

Staleness = Literal["another_record", "another_answer", "another_guide"]


class Stale(NamedTuple):
    """A label that no longer counts, and why: no such record or claim, another answer, another text of the guide."""

    label: Label
    why: Staleness


class Freshness(NamedTuple):
    """Labels that stand, and those that do not."""

    fresh: list[Label]
    stale: list[Stale]


def part_stale(
    labels: Iterable[Label], answers: Mapping[str, str], guide: Mapping[About, str] | None = None
) -> Freshness:
    """Part labels by whether they still stand.

    `answers` gives the digest of each answer by its record (`labelled_answer.digest_of`); `guide` is today's unless given.
    """
    guide = current_guide() if guide is None else guide
    parted = Freshness([], [])
    for label in labels:
        if (why := _staleness(label, answers, guide)) is None:
            parted.fresh.append(label)
        else:
            parted.stale.append(Stale(label, why))
    return parted


def _staleness(label: Label, answers: Mapping[str, str], guide: Mapping[About, str]) -> Staleness | None:
    if label.record not in answers:
        return "another_record"
    if label.answer != answers[label.record]:
        return "another_answer"
    return None if label.rubric == guide[label.about] else "another_guide"
