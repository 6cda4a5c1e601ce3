"""Repeats and flaky questions in plain words, the same on a terminal, on a page and in a comment."""

from __future__ import annotations

from typing import NamedTuple

from probative.measure.decision import Decision
from probative.measure.flaky import FlakyQuestion


class FlakySide(NamedTuple):
    """One side of the gate: what is said of its flaky questions, and these."""

    said: str
    questions: tuple[FlakyQuestion, ...]


def repeats_in_words(decision: Decision) -> str | None:
    """Say how many runs each side was folded from, or give None where each is one run."""
    mine, theirs = decision.repeats.baseline, decision.repeats.candidate
    if mine == theirs == 1:
        return None
    sides = (
        f"Both sides are {mine} repeats"
        if mine == theirs
        else f"The baseline is {_runs(mine)}, the candidate {_runs(theirs)}"
    )
    said = f"{sides}; a question counts as most of them came out, of ties as the worse."
    return (
        said if mine == theirs else f"{said} The numbers of repeats differ, so one side is known better than the other."
    )


def flaky_sides(decision: Decision) -> list[FlakySide]:
    """Give each side that has repeats, with how many of its questions did not come out alike."""
    sides = (
        ("baseline", decision.repeats.baseline, decision.flaky.baseline),
        ("candidate", decision.repeats.candidate, decision.flaky.candidate),
    )
    return [FlakySide(_side(name, runs, found, decision.n), found) for name, runs, found in sides if runs > 1]


def buckets_in_words(question: FlakyQuestion) -> str:
    """Say how a question came out, repeat by repeat: ``correct, correct, wrong: counts as correct``."""
    return f"{', '.join(question.buckets)}: counts as {question.counted}"


def _side(name: str, runs: int, found: tuple[FlakyQuestion, ...], n: int) -> str:
    if not found:
        return f"{name}: every one of {n} questions came out in the same bucket in all {runs} repeats"
    tipping = sum(question.acceptable_differs for question in found)
    said = f"{name}: {len(found)} of {n} questions came out differently over {runs} repeats"
    return f"{said}, {tipping} of them acceptable in some and not in others"


def _runs(count: int) -> str:
    return "one run" if count == 1 else f"{count} repeats"
