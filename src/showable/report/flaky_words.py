"""Repeats and flaky questions in plain words, the same on a terminal, on a page and in a comment."""

from __future__ import annotations

from typing import NamedTuple

from showable.measure.decision import Decision
from showable.measure.flaky import ACCEPTABLE, FlakyQuestion, Spread

_TOLD = ("wrong", "unsupported", "unknown", ACCEPTABLE)


class FlakySide(NamedTuple):
    """One side of the gate: what is said of its flaky questions, and these."""

    said: str
    questions: tuple[FlakyQuestion, ...]


def repeats_in_words(decision: Decision) -> str | None:
    """Return how many runs each side was folded from, or give None where each is one run."""
    mine, theirs = decision.repeats.baseline, decision.repeats.candidate
    if mine == theirs == 1:
        return None
    sides = (
        f"Both sides are {mine} repeats"
        if mine == theirs
        else f"The baseline is {_runs(mine)}, the candidate {_runs(theirs)}"
    )
    said = f"{sides}; a question counts as most of them came out, of ties as the worse, and as acceptable only if more than half are."
    if mine != theirs:
        said += " The numbers of repeats differ, so one side is known better than the other."
    return f"{said} {_single_runs(decision)}"


def _single_runs(decision: Decision) -> str:
    """Return what single runs came to: a majority hides what goes wrong now and then, each time elsewhere."""
    before, after = _spreads(decision.repeats.baseline_spread), _spreads(decision.repeats.candidate_spread)
    for line in decision.lines:  # the side that is one run
        for known, count in ((before, line.baseline), (after, line.candidate)):
            if count is not None and line.name in _TOLD:
                known.setdefault(line.name, f"{count:g}")
    told = [f"{name} {before[name]} → {after[name]}" for name in _TOLD if name in before and name in after]
    return f"In single runs: {', '.join(told)}." if told else ""


def _spreads(spreads: tuple[Spread, ...]) -> dict[str, str]:
    return {one.name: f"{one.low}" if one.low == one.high else f"{one.low}–{one.high}" for one in spreads}


def flaky_sides(decision: Decision) -> list[FlakySide]:
    """Return each side that has repeats, with how many of its questions did not come out alike."""
    sides = (
        ("baseline", decision.repeats.baseline, decision.flaky.baseline),
        ("candidate", decision.repeats.candidate, decision.flaky.candidate),
    )
    return [FlakySide(_side(name, runs, found, decision.n), found) for name, runs, found in sides if runs > 1]


def buckets_in_words(question: FlakyQuestion) -> str:
    """Return how a question came out, repeat by repeat: ``correct, correct, wrong: counts as correct``."""
    return f"{', '.join(question.buckets)}: counts as {question.counted}"


def _side(name: str, runs: int, found: tuple[FlakyQuestion, ...], n: int) -> str:
    if not found:
        return f"{name}: every one of {n} questions came out in the same bucket in all {runs} repeats"
    tipping = sum(question.acceptable_differs for question in found)
    said = f"{name}: {len(found)} of {n} questions came out differently over {runs} repeats"
    return f"{said}, {tipping} of them acceptable in some and not in others"


def _runs(count: int) -> str:
    return "one run" if count == 1 else f"{count} repeats"
