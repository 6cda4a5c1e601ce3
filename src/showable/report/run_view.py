"""A run as a report sees it: its summary, and its records with their scorecards, read as often as needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from showable.measure.summary import Summary
from showable.records.record import Record
from showable.records.scorecard import Scorecard


class Entry(NamedTuple):
    """One record and what came out for it."""

    record: Record
    card: Scorecard


@dataclass(frozen=True, slots=True)
class RunView:
    """A run to report on, called `name` towards people.

    `entries()` reads the run from its beginning, in the order in which it was scored and in constant memory;
    there are `summary.n` of them. Thresholds and the rest of what was measured with are in `summary.signature`.
    """

    name: str
    summary: Summary
    entries: Callable[[], Iterator[Entry]]
