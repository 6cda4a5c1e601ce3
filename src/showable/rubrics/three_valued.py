"""Yes, no and not known: the logic in which the rows of the bucket table are written (strong Kleene; Kleene 1952, §64)."""

from __future__ import annotations

from collections.abc import Iterable

from showable.records.findings import Outcome

YES, NO, MAYBE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN


def any_of(outcomes: Iterable[Outcome]) -> Outcome:
    """Say yes where one is, else not known where one is not known; no of nothing."""
    seen = set(outcomes)
    return YES if YES in seen else MAYBE if MAYBE in seen else NO


def all_of(outcomes: Iterable[Outcome]) -> Outcome:
    """Say no where one is, else not known where one is not known; yes of nothing."""
    seen = set(outcomes)
    return NO if NO in seen else MAYBE if MAYBE in seen else YES


def negated(outcome: Outcome) -> Outcome:
    """Turn yes and no round; what is not known, or does not apply, stays not known."""
    return {YES: NO, NO: YES}.get(outcome, MAYBE)


def when(condition: bool) -> Outcome:  # noqa: FBT001 - it lifts a bool
    """Say yes or no."""
    return YES if condition else NO
