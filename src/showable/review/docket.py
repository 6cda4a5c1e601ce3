"""What people disagree on: the cases to adjudicate, in an order that stays, and who may decide them."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from showable.measure.consensus import settle
from showable.measure.labelled_answer import digest_of, target_problem
from showable.measure.labelled_refusals import refusal_cases
from showable.measure.stale_labels import part_stale
from showable.records.label_guide import About
from showable.records.labels import CANNOT_TELL, Label, ReviewerRole, Target, Value
from showable.review.desk import Desk

_PLACEHOLDER = "0" * 32
_LETTERS = 26
_ORDER: tuple[About, ...] = ("support", "claim_kind", "extra_claims", "refusal_quality", "bucket", "comment")


@dataclass(frozen=True, slots=True)
class Word:
    """What one person said on a case. `letter` stands for the name until the adjudicator has given their own word."""

    letter: str
    value: Value
    reviewer: str
    role: ReviewerRole


@dataclass(frozen=True, slots=True)
class Case:
    """One target on which people disagree: their words, in an order that tells nothing, and what adjudication said.

    `remarks` are people's notes on the whole answer, in alphabetical order and on nobody's word: a note that stood beside a
    letter would tell, from the next case of the answer on, whose letter it is. `rulings` are all labels that adjudicate it, `standing` the value that holds by them (None while it is open).
    """

    target: Target
    words: tuple[Word, ...]
    remarks: tuple[str, ...] = ()
    rulings: tuple[Label, ...] = ()
    standing: Value | None = None

    @property
    def settled(self) -> bool:
        """Check whether it is decided."""
        return self.standing is not None

    def ruling_of(self, reviewer: str | None) -> Label | None:
        """Return the word of one adjudicator."""
        return next((label for label in self.rulings if label.reviewer == reviewer), None)


@dataclass(frozen=True, slots=True)
class Docket:
    """The cases that a person may decide, in the order of the records; `waiting` on their own labels; `barred` by role."""

    cases: tuple[Case, ...]
    waiting: int = 0
    barred: int = 0

    @property
    def open(self) -> int:
        """Count what is still to be decided."""
        return sum(not case.settled for case in self.cases)

    def number_of(self, target: Target) -> int | None:
        """Return the place of a case, counted from 1."""
        return next((n for n, case in enumerate(self.cases, 1) if case.target == target), None)

    def next_open(self, after: int = 0) -> int | None:
        """Return the first open case behind a place, else the first of all; None where all are settled."""
        undecided = [n for n, case in enumerate(self.cases, 1) if not case.settled]
        return next((n for n in undecided if n > after), undecided[0] if undecided else None)


def docket(desk: Desk) -> Docket:
    """Find what people disagree on, as far as this person may know of it.

    A case is a target that two or more people whose word counts have labelled otherwise; who cannot tell says nothing.
    Labels on another answer, or under another text of the rubric, take no part. Records that this person still has to
    label are left out: their number alone is told.
    """
    found = _disputes(_State.of(desk))
    seen = [case for case in found.cases if case.target.record not in desk.hidden]
    mine = [case for case in seen if may_rule(case.target, found.said[case.target.record], desk, found.refusals)]
    return Docket(tuple(mine), len(found.cases) - len(seen), len(seen) - len(mine))


@dataclass(frozen=True, slots=True)
class _Disputes:
    """All cases, whoever looks, the labels that they rest on by record, and the refusals that are held out."""

    cases: tuple[Case, ...]
    said: Mapping[str, Sequence[Label]]
    refusals: frozenset[str]


@dataclass(frozen=True, slots=True)
class _State:
    """All that the cases depend on; `desk` only leads to it."""

    file: Path
    run: Path
    changes: int
    hold_out: tuple[str, ...]
    rules: str
    desk: Desk = field(compare=False)

    @classmethod
    def of(cls, desk: Desk) -> _State:
        store, run = desk.store, desk.run
        return cls(store.path, run.path, store.count(), tuple(store.hold_out()), run.profile.model_dump_json(), desk)


@lru_cache(maxsize=2)
def _disputes(state: _State) -> _Disputes:
    """Find all cases. Kept until a label is given: everybody's pages begin here, and the labels may be many."""
    labels = state.desk.store.current()
    disputed = _disputed(labels)
    fresh = _fresh([label for label in labels if label.record in disputed], state.desk)
    refusals = _held_out_refusals(fresh, state.desk)
    said: dict[str, list[Label]] = defaultdict(list)
    for label in fresh:
        said[label.record].append(label)
    return _Disputes(tuple(_cases(fresh, state.desk, refusals)), said, refusals)


def _held_out_refusals(labels: Iterable[Label], desk: Desk) -> frozenset[str]:
    """Return the labelled records of the hold-out that are refusals before anybody's word."""
    pinned = {label.record for label in labels} & set(desk.store.hold_out())
    return refusal_cases((desk.run.card(key) for key in pinned), pinned)


def may_rule(target: Target, labels: Sequence[Label], desk: Desk, refusals: Collection[str]) -> bool:
    """Check whether this person's word would settle a target of a record: their role counts for it, in the hold-out too."""
    visit = desk.visit
    if visit.name is None or visit.role is None:
        return False
    given = next((label for label in labels if label.target == target and not label.adjudicated), None)
    if given is None:
        return False
    mine = given.model_copy(
        update={"id": _PLACEHOLDER, "reviewer": visit.name, "role": visit.role, "adjudicated": True, "blind": False}
    )
    others = [label for label in labels if not label.adjudicated]
    found = settle([*others, mine], desk.run.profile.counts, desk.store.hold_out(), refusals=refusals)
    return target in found.adjudicated


def _disputed(labels: Iterable[Label]) -> set[str]:
    """Return the records that hold a target with two different words: all others need not be read."""
    said: dict[Target, set[Value]] = defaultdict(set)
    for label in labels:
        if _speaks(label) and label.value is not None:
            said[label.target].add(label.value)
    return {target.record for target, values in said.items() if len(values) > 1}


def _speaks(label: Label) -> bool:
    return not label.adjudicated and label.about != "comment" and label.value != CANNOT_TELL


def _fresh(labels: Sequence[Label], desk: Desk) -> list[Label]:
    """Leave out what was said of another answer, of a claim that it does not have, or under another text of the rubric."""
    records = {label.record for label in labels if label.record in desk.run}
    cards = {key: desk.run.card(key) for key in records}
    answers = {key: digest_of(desk.run.record(key), card) for key, card in cards.items()}
    standing = part_stale(labels, answers).fresh
    return [label for label in standing if target_problem(cards[label.record], label.target) is None]


def _cases(labels: Sequence[Label], desk: Desk, refusals: Collection[str]) -> list[Case]:
    settled = settle(labels, desk.run.profile.counts, desk.store.hold_out(), refusals=refusals)
    left_out = {label.id for label in settled.not_counted}
    by_target: dict[Target, list[Label]] = defaultdict(list)
    remarks: dict[str, list[str]] = defaultdict(list)
    for label in labels:
        if label.about == "comment" and not label.adjudicated:
            remarks[label.record].append(str(label.value))
        elif label.id not in left_out:
            by_target[label.target].append(label)
    cases = []
    for target in sorted(settled.differing, key=_in_reading_order(desk)):
        given = [label for label in by_target[target] if not label.adjudicated]
        rulings = tuple(label for label in by_target[target] if label.adjudicated)
        standing = _standing(target, settled.gold, settled.cannot_tell) if rulings else None
        notes = tuple(sorted(remarks[target.record]))
        cases.append(Case(target, _words(target, given), notes, rulings, standing))
    return cases


def _in_reading_order(desk: Desk) -> Callable[[Target], tuple[int, int, int, int]]:
    """Return a sort key: as the run has its records, and of each its citations first, the whole answer last."""
    places = {key: at for at, key in enumerate(desk.run.ids)}

    def place(target: Target) -> tuple[int, int, int, int]:
        claim, citation = (-1 if at is None else at for at in (target.claim, target.citation))
        return places[target.record], _ORDER.index(target.about), claim, citation

    return place


def _standing(target: Target, gold: dict[Target, Value], cannot_tell: Sequence[Target]) -> Value | None:
    return gold.get(target, CANNOT_TELL if target in cannot_tell else None)


def _words(target: Target, given: Sequence[Label]) -> tuple[Word, ...]:
    """Put the words in an order by lot, the same at every look, so that the letter tells nothing of the person."""

    def lot(label: Label) -> bytes:
        return hashlib.blake2b(f"{target}\x1f{label.reviewer}".encode("utf-8", "surrogatepass")).digest()

    return tuple(
        Word(chr(ord("A") + n) if n < _LETTERS else str(n + 1), value, label.reviewer, label.role)
        for n, label in enumerate(sorted(given, key=lot))
        if (value := label.value) is not None
    )
