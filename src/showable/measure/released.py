"""How many answers of a run may be shown under its profile, and whether the run as a whole reaches the floor."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from showable.records.findings import OutcomeCounts
from showable.records.scorecard import Release
from showable.records.shown_from import ShownFrom
from showable.records.wire import Wire


class Released(Wire):
    """How many answers may be shown under the profile, how many are held back, and of how many that is undecided.

    `verdict` is that of the run: ``hold`` where the share of citations that resolve is under the floor whatever
    becomes of the undecided ones, ``unknown`` where those settle it, ``show`` where it is reached; None
    without a floor or without citations. `shown_from` is the bound of the calibration that the answers were scored under.
    """

    show: int
    hold: int
    unknown: int
    floor: float | None
    verdict: Literal["show", "hold", "unknown"] | None
    shown_from: ShownFrom | None = None


class ReleaseTally:
    """Counts releases as scorecards stream past."""

    def __init__(self) -> None:
        self._verdicts: Counter[str] = Counter()
        self._floor: float | None = None
        self._shown_from: ShownFrom | None = None

    def add(self, release: Release | None) -> None:
        """Add one; a card from before there were profiles has none, and is undecided."""
        self._verdicts[release.verdict if release else "unknown"] += 1
        if release is not None and release.floor is not None:
            self._floor = release.floor
        if release is not None and release.shown_from is not None:
            self._shown_from = release.shown_from

    def build(self, citations: OutcomeCounts) -> Released:
        """Sum up. `citations` counts those that resolve, of the whole run."""
        return Released(
            show=self._verdicts["show"],
            hold=self._verdicts["hold"],
            unknown=self._verdicts["unknown"],
            floor=self._floor,
            verdict=self._verdict(citations),
            shown_from=self._shown_from,
        )

    def _verdict(self, citations: OutcomeCounts) -> Literal["show", "hold", "unknown"] | None:
        n = citations.passed + citations.failed + citations.unknown
        if self._floor is None or not n:
            return None
        if citations.passed / n >= self._floor:
            return "show"
        return "hold" if (n - citations.failed) / n < self._floor else "unknown"
