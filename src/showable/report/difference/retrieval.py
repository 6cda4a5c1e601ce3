"""What changed in the retrieval log of one question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from showable.records.record import Source
from showable.report.difference.rising import longest_rising

MOST_SOURCES = 12
"""Sources that are named, of each kind of change."""
_READ = 1_000


@dataclass(frozen=True, slots=True)
class SourceChange:
    """One source that is lost, added, at another rank, or there with another text. Ranks count from 1."""

    kind: str
    source: Source
    said: str


@dataclass(frozen=True, slots=True)
class RetrievalChange:
    """What changed, in words and source by source; `more` sources changed and are not named."""

    said: str
    sources: tuple[SourceChange, ...] = ()
    more: int = 0


def retrieval_change(before: Sequence[Source] | None, after: Sequence[Source] | None) -> RetrievalChange:
    """Compare two logs in rank order by source id; of an id that stands there twice the first counts."""
    if before is None or after is None:
        side = "either side" if before is after else "the baseline" if before is None else "the candidate"
        return RetrievalChange(f"The retrieval was not logged on {side}.")
    if not before and not after:
        return RetrievalChange("The retrieval returned nothing on either side.")
    old, new = _ranked(before), _ranked(after)
    kinds = [_lost(old, new), _added(old, new), _moved(old, new), _rewritten(old, new)]
    counted = [f"{len(found)} {found[0].kind}" for found in kinds if found]
    if not counted:
        return RetrievalChange(f"Same {len(new)} sources in the same order." if len(new) > 1 else "Same source.")
    return RetrievalChange(
        f"{len(before)} → {len(after)} sources: {', '.join(counted)}.",
        tuple(change for found in kinds for change in found[:MOST_SOURCES]),
        sum(max(0, len(found) - MOST_SOURCES) for found in kinds),
    )


_Ranked = dict[str, tuple[int, Source]]


def _ranked(log: Sequence[Source]) -> _Ranked:
    ranked: _Ranked = {}
    for rank, source in enumerate(log[:_READ], 1):
        ranked.setdefault(source.source_id, (rank, source))
    return ranked


def _lost(old: _Ranked, new: _Ranked) -> list[SourceChange]:
    return [SourceChange("lost", source, f"was rank {rank}") for key, (rank, source) in old.items() if key not in new]


def _added(old: _Ranked, new: _Ranked) -> list[SourceChange]:
    return [SourceChange("added", source, f"rank {rank}") for key, (rank, source) in new.items() if key not in old]


def _moved(old: _Ranked, new: _Ranked) -> list[SourceChange]:
    """Return the fewest sources whose moving explains the new order; the others were merely passed."""
    order = [key for key in new if key in old]
    stayed = {order[place] for place in longest_rising([old[key][0] for key in order])}
    return [
        SourceChange("re-ranked", new[key][1], f"rank {old[key][0]} → {new[key][0]}")
        for key in order
        if key not in stayed
    ]


def _rewritten(old: _Ranked, new: _Ranked) -> list[SourceChange]:
    return [
        SourceChange("with another text", source, f"rank {rank}")
        for key, (rank, source) in new.items()
        if key in old and old[key][1].text != source.text
    ]
