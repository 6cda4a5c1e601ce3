"""Choose worked examples for a chat judge's prompt: claims that it got wrong, with what people say of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from showable.read.injection import suspect_injection
from showable.records.calibration import Shot
from showable.records.evidence import Label

MOST_SHOTS = 6
LONGEST_PASSAGE = 1_200
LONGEST_CLAIM = 400
"""Characters of an example at most: they are paid for with every call."""
_ALIKE = 0.6
"""Share of the shorter one's words that two examples may have in common."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Corrected:
    """A labelled pair: what people say, and whether the judge's decision was another."""

    claim: str
    passage: str
    label: Label
    kind: str | None
    wrong: bool


def choose_shots(rows: Sequence[Corrected], most: int = MOST_SHOTS) -> tuple[Shot, ...]:
    """Choose examples among pairs of the fitting part, the same ones whatever the order of the rows.

    Each step takes, of the pairs that the judge got wrong, one whose label is the rarest among those chosen, then one whose
    kind is, then the shortest. One that resembles another is passed over. Where all mistakes have people on one side, the
    last place goes to a pair of the other side that the judge got right, since examples of one verdict alone would teach
    that verdict. No pair is taken that is long, or that seems to give orders to a model.
    """
    usable = sorted({row for row in rows if _usable(row)}, key=_order)
    wrong = [row for row in usable if row.wrong]
    chosen: list[Corrected] = []
    while wrong and len(chosen) < most:
        labels, kinds = Counter(row.label for row in chosen), Counter(row.kind for row in chosen)
        row = min(wrong, key=lambda one: (labels[one.label], kinds[one.kind], *_order(one)))
        wrong.remove(row)
        if not any(_alike(row, other) for other in chosen):
            chosen.append(row)
    sides = {row.label == "supported" for row in chosen}
    if len(sides) == 1:
        other = next(
            (row for row in usable if (row.label == "supported") not in sides and not _among(row, chosen)), None
        )
        if other is not None:
            chosen = [*chosen[: most - 1], other]
    return tuple(Shot(claim=row.claim, passage=row.passage, label=row.label, kind=row.kind) for row in chosen)


def _usable(row: Corrected) -> bool:
    return (
        row.label != "unknown"
        and len(row.passage) <= LONGEST_PASSAGE
        and len(row.claim) <= LONGEST_CLAIM
        and not suspect_injection(row.passage)
        and not suspect_injection(row.claim)
    )


def _order(row: Corrected) -> tuple[int, str, str, str]:
    return len(row.claim) + len(row.passage), row.claim, row.passage, row.label


def _among(row: Corrected, chosen: Sequence[Corrected]) -> bool:
    return any(_alike(row, other) for other in chosen)


def _alike(one: Corrected, other: Corrected) -> bool:
    """Compare claims: one passage may well stand in two examples, with claims that people judge differently."""
    ours, theirs = (set(_WORD.findall(row.claim.casefold())) for row in (one, other))
    same = len(ours & theirs) >= _ALIKE * max(1, min(len(ours), len(theirs)))
    return same and one.label == other.label
