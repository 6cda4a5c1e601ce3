"""The state of an issue: what people said last, held against what came since."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from showable.production.feed.corrections import standing_events
from showable.production.feed.nouns import Event, State
from showable.production.feed.trend import DAY_NS

NEW_DAYS, FADING_DAYS = 7, 14
AGAIN, SURE = 3, 0.8
"""Members that bring a resolved issue back, and the probability that each of them must have."""
_ENOUGH, _EXPECTED = 200, 3.0
"""An issue fades only in a version with so many answers, and where so many members were to be expected."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """A member: when it came, the versions it came from, its probability."""

    answer: str
    at_ns: int | None
    versions: Mapping[str, str]
    p: float


@dataclass(frozen=True, slots=True)
class Observed:
    """What a batch saw of an issue. `expected` is how many members its earlier share leads to expect since the last one."""

    batches: int
    first_ns: int | None
    last_ns: int | None
    members: Sequence[Sighting]
    escalating: bool = False
    answers_since: int = 0
    expected: float = 0.0
    now_ns: int = 0


def state_of(observed: Observed, events: Sequence[Event], previous: State | None = None) -> State:
    """Return the state of an issue, given what was done to it, in order."""
    word = next((e for e in reversed(standing_events(events)) if e.kind in {"resolve", "archive", "reopen"}), None)
    if word is not None and word.kind == "resolve":
        return "regressed" if len(_again(observed, word)) >= AGAIN else "resolved"
    if word is not None and word.kind == "archive" and not _archive_ends(observed, word):
        return "archived"
    return _unsaid(observed, regressed=word is None and previous == "regressed")


def _unsaid(observed: Observed, *, regressed: bool) -> State:
    """Return the state of an issue about which nobody has said anything that still holds."""
    if observed.batches < 2:  # noqa: PLR2004 - a second batch has to bear it out
        return "provisional"
    if observed.escalating:
        return "escalating"
    if regressed:
        return "regressed"
    if _fades(observed):
        return "fading"
    young = observed.first_ns is not None and observed.now_ns - observed.first_ns <= NEW_DAYS * DAY_NS
    return "new" if young else "ongoing"


def _again(observed: Observed, word: Event) -> list[Sighting]:
    """Return members that bring a resolved issue back: sure ones, unknown then, from a version that was not seen then.

    Where no version is named, any that came after will do.
    """
    known = frozenset(word.body.get("members", ()))
    versions: Mapping[str, Sequence[str]] = word.body.get("versions", {})
    return [
        one
        for one in observed.members
        if one.p >= SURE
        and one.answer not in known
        and (
            not versions
            or not one.versions
            or any(value not in versions.get(name, ()) for name, value in one.versions.items())
        )
    ]


def _archive_ends(observed: Observed, word: Event) -> bool:
    until = word.body.get("until", "escalating")
    if until == "escalating":
        return observed.escalating
    known = frozenset(word.body.get("members", ()))
    return isinstance(until, int) and sum(one.answer not in known for one in observed.members) >= until


def _fades(observed: Observed) -> bool:
    """Check whether an issue seems gone: silent for long, where traffic would have shown it."""
    if observed.last_ns is None or observed.now_ns - observed.last_ns < FADING_DAYS * DAY_NS:
        return False
    return observed.answers_since >= _ENOUGH and observed.expected >= _EXPECTED
