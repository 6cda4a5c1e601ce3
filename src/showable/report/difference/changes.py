"""What changed between two runs, question by question, from two streams that may be long and in any order."""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Generic, Literal, NamedTuple, TypeVar, get_args

from showable.measure.decision import Decision
from showable.measure.expectations import UNCATEGORISED
from showable.measure.repeats import GateRow
from showable.measure.summary import BUCKETS
from showable.measure.worst import SEVERITY
from showable.records.record import Answer, Record
from showable.records.scorecard import Bucket, Cause
from showable.report.run_view import Entry, RunView

MOST_OUTCOMES = 300
"""Questions with another outcome that are kept whole, the worst first."""
MOST_ANSWERS = 150
"""Questions with the same outcome and another answer that are kept whole."""
MOST_NAMED = 5_000
"""Questions that are named alone."""

_BUCKETS: dict[Bucket, Bucket] = {name: name for name in BUCKETS}
_CAUSES: dict[Cause, Cause] = {name: name for name in get_args(Cause)}
"""One object a name: what is read from files is a new text every time, and a million of them add up."""

Place = tuple[int, int, int, str]
Direction = Literal["worse", "better", "undecided", "cause"]
"""Which way an outcome changed. ``undecided``: what did harm can no longer be decided; ``cause``: the cause alone is another."""


class Outcome(NamedTuple):
    """What a run made of one question, small enough for a million of them."""

    bucket: Bucket
    cause: Cause | None
    refused_undue: bool
    answer: bytes

    @classmethod
    def of(cls, entry: Entry) -> Outcome:
        """Take it from a record and its scorecard."""
        card = entry.card
        cause = None if card.cause is None else _CAUSES[card.cause]
        return cls(_BUCKETS[card.bucket], cause, GateRow.of(card).refused_undue, _digest(entry.record))


@dataclass(frozen=True, slots=True)
class Change:
    """One question that is not as it was: its outcome on both sides, and what the candidate said."""

    before: Outcome
    after: Outcome
    entry: Entry

    @property
    def id(self) -> str:
        """The question's id."""
        return self.entry.card.id

    @property
    def category(self) -> str:
        """The question's category."""
        return self.entry.card.category or UNCATEGORISED

    @property
    def steps(self) -> int:
        """By how many buckets it got better, below 0 worse."""
        return SEVERITY[self.after.bucket] - SEVERITY[self.before.bucket]

    @property
    def other_outcome(self) -> bool:
        """Whether bucket or cause changed, or a refusal became due or undue, and not the answer alone."""
        return self.before[:3] != self.after[:3]

    @property
    def direction(self) -> Direction:
        """Which way it changed. All but ``cause`` are what the gate calls moved."""
        if self.before.refused_undue != self.after.refused_undue and self.before.bucket == self.after.bucket:
            return "worse" if self.after.refused_undue else "better"
        return direction_of(self.before.bucket, self.after.bucket) or "cause"

    @property
    def place(self) -> Place:
        """A sort key, the worst first, as the gate orders what moved; of one bucket what became undue first."""
        undue = self.before.refused_undue - self.after.refused_undue
        return self.steps, undue, SEVERITY[self.after.bucket], self.id


def direction_of(before: Bucket, after: Bucket) -> Literal["worse", "better", "undecided"] | None:
    """Return which way leads from one bucket to another, in the gate's order of severity; None where they are the same.

    The gate counts a wrong answer that can no longer be decided for the candidate in the line of `wrong` and against
    it in that of `unknown`: it is neither better nor worse, and has a word of its own.
    """
    steps = SEVERITY[after] - SEVERITY[before]
    if not steps:
        return None
    if steps > 0 and after == "unknown":
        return "undecided"
    return "better" if steps > 0 else "worse"


T = TypeVar("T")


@dataclass(slots=True)
class Foremost(Generic[T]):
    """The first of a stream by some order: a few kept whole, more by their id alone, and all counted."""

    whole: int
    named: int = MOST_NAMED
    count: int = 0
    items: list[tuple[Place, T]] = field(default_factory=list)
    ids: list[Place] = field(default_factory=list)

    def add(self, place: Place, item: T) -> None:
        """Take one, and keep of it what has room."""
        self.count += 1
        insort(self.items, (place, item), key=lambda kept: kept[0])
        insort(self.ids, place)
        del self.items[self.whole :], self.ids[self.named :]

    def kept(self) -> list[T]:
        """Return what was kept whole, in order."""
        return [item for _, item in self.items]

    def names(self) -> list[str]:
        """Return the ids in order, of what was kept whole too."""
        return [place[-1] for place in self.ids]


Flow = tuple[Bucket, Bucket]


@dataclass(slots=True)
class Changes:
    """Two runs joined by id, counted, with what is worth showing of them.

    `flows` counts questions by bucket before and after, moved or not; `lost` and `gained` those whose cause changed,
    by the cause before and after. `only` names and counts the questions that one run alone holds.
    """

    n: int = 0
    flows: Counter[Flow] = field(default_factory=Counter)
    categories: dict[str, Counter[Flow]] = field(default_factory=dict)
    before_causes: Counter[Cause] = field(default_factory=Counter)
    after_causes: Counter[Cause] = field(default_factory=Counter)
    lost: Counter[Cause] = field(default_factory=Counter)
    gained: Counter[Cause] = field(default_factory=Counter)
    directions: Counter[Direction] = field(default_factory=Counter)
    other_outcome: Foremost[Change] = field(default_factory=lambda: Foremost(MOST_OUTCOMES))
    other_answer: Foremost[Change] = field(default_factory=lambda: Foremost(MOST_ANSWERS))
    only_baseline: Foremost[None] = field(default_factory=lambda: Foremost(0))
    only_candidate: Foremost[None] = field(default_factory=lambda: Foremost(0))

    @property
    def moved(self) -> int:
        """How many questions moved, as the gate counts them: to another bucket, or to a refusal (not) due."""
        return self.other_outcome.count - self.directions["cause"]

    @property
    def alike(self) -> int:
        """How many questions have the same outcome and the same answer."""
        return self.n - self.other_outcome.count - self.other_answer.count

    @property
    def identical(self) -> bool:
        """Whether nothing at all differs."""
        return self.alike == self.n and not (self.only_baseline.count or self.only_candidate.count)

    def add(self, change: Change) -> None:
        """Count one question."""
        before, after = change.before, change.after
        self.n += 1
        flow = (before.bucket, after.bucket)
        self.flows[flow] += 1
        self.categories.setdefault(change.category, Counter())[flow] += 1
        self.before_causes.update([before.cause] if before.cause else ())
        self.after_causes.update([after.cause] if after.cause else ())
        if before.cause != after.cause:
            self.lost.update([before.cause] if before.cause else ())
            self.gained.update([after.cause] if after.cause else ())
        if change.other_outcome:
            self.directions[change.direction] += 1
            self.other_outcome.add(change.place, change)
        elif before.answer != after.answer:
            self.other_answer.add(change.place, change)


def compare(baseline: RunView, candidate: RunView) -> Changes:
    """Join two runs by id and count what changed. Keeps one small outcome a question, and whole entries of a few."""
    changes = Changes()
    waiting = {entry.card.id: Outcome.of(entry) for entry in baseline.entries()}
    for entry in candidate.entries():
        before = waiting.pop(entry.card.id, None)
        if before is None:
            changes.only_candidate.add((0, 0, 0, entry.card.id), None)
        else:
            changes.add(Change(before, Outcome.of(entry), entry))
    for key in waiting:
        changes.only_baseline.add((0, 0, 0, key), None)
    return changes


def folded(decision: Decision, changes: Changes) -> bool:
    """Check whether the gate looked at other outcomes than these two runs hold, as it does where it folds repeats into one."""
    flows = Counter((move.before, move.after) for move in decision.moved if move.before != move.after)
    return decision.n != changes.n or flows != Counter({f: n for f, n in changes.flows.items() if f[0] != f[1]})


@dataclass(frozen=True, slots=True)
class Compared:
    """Two runs with what changed between them, and the baseline's entries of the questions that are kept whole.

    It is made once, however many reports are made from it.
    """

    baseline: RunView
    candidate: RunView
    changes: Changes
    before: Mapping[str, Entry]


def compared(baseline: RunView, candidate: RunView) -> Compared:
    """Compare two runs, reading the baseline twice and the candidate once, and holding of few questions more than an outcome."""
    changes = compare(baseline, candidate)
    kept = [*changes.other_outcome.kept(), *changes.other_answer.kept()]
    return Compared(baseline, candidate, changes, entries_of(baseline, [change.id for change in kept]))


def entries_of(view: RunView, ids: Sequence[str]) -> dict[str, Entry]:
    """Read a run again for a few of its entries, and no further than the last of them."""
    wanted = set(ids)
    found: dict[str, Entry] = {}
    for entry in view.entries() if wanted else ():
        if entry.card.id in wanted:
            found[entry.card.id] = entry
            if len(found) == len(wanted):
                break
    return found


def _digest(record: Record) -> bytes:
    answer = record.answer
    said = repr(answer) if isinstance(answer, Answer) else answer
    if said is None:
        return b""
    return blake2b(said.encode("utf-8", "surrogatepass"), digest_size=8).digest()
