"""Whether the tool disagrees with people more than people disagree with one another, on the same things.

Of every thing that two people or more labelled: how often two of them differ, and how often the tool differs from one
of them. The difference of the two shares is resampled by question. An alarm is an interval that lies above 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from showable.measure.agreement import Array
from showable.measure.drift.few_moves import sign_agrees, too_few_said
from showable.measure.drift.report import DriftReport, Level, Test, Watched
from showable.records.label_guide import About
from showable.records.labels import Value

GRADED: tuple[About, ...] = ("support", "bucket", "refusal_quality", "extra_claims")
"""What the tool and people both say something about."""
LEAST_THINGS, LEAST_QUESTIONS = 30, 10
"""Fewer things that two people labelled, or fewer questions that they are of, say too little."""
RESAMPLES = 4_000
_BATCH = 500
_TWO = 2


@dataclass(frozen=True, slots=True)
class Told:
    """One thing: what it is about, the question it belongs to, what each person said, and what the tool says (None: nothing)."""

    about: About
    question: Hashable
    people: Mapping[str, Value]
    tool: Value | None


def compare_with_people(
    things: Sequence[Told],
    *,
    about: str,
    profile: str,
    false_alarms: float = 0.05,
    seed: int = 0,
    notes: Sequence[str] = (),
) -> DriftReport:
    """Compare the tool's disagreement with people with that among people, for each thing that is labelled.

    What nobody labelled takes no part; each of the rest has its share of the `false_alarms` (Bonferroni), one-sided.
    """
    labelled = [kind for kind in GRADED if any(thing.about == kind for thing in things)]
    level = false_alarms / max(1, len(labelled))
    watched = [_watch(kind, profile, [t for t in things if t.about == kind], level, seed) for kind in labelled]
    return DriftReport.of(
        "people",
        about,
        tuple(watched),
        false_alarms=false_alarms,
        family=_family(false_alarms, level, len(labelled)),
        notes=tuple(notes),
    )


def _family(false_alarms: float, level: float, figures: int) -> str:
    if not figures:
        return "nothing was compared, so that nothing could alarm"
    each = (
        f"{figures} figures, each one-sided at {100 * level:.2g} % (Bonferroni)"
        if figures > 1
        else "one figure, one-sided"
    )
    return (
        "if the tool disagrees with people as often as they do with one another, anything alarms with a probability of"
        f" at most {100 * false_alarms:g} %: {each}"
    )


def _s(n: int) -> str:
    return "" if n == 1 else "s"


def _watch(kind: About, profile: str, things: Sequence[Told], level: float, seed: int) -> Watched:
    shared = [thing for thing in things if len(thing.people) >= _TWO]
    known = [thing for thing in shared if thing.tool is not None]
    questions = len({thing.question for thing in known})
    what = f"{kind}_disagreement"
    if len(known) < LEAST_THINGS or questions < LEAST_QUESTIONS:
        said = (
            f"{len(known)} thing{_s(len(known))} of {questions} question{_s(questions)} had a label of two people or more, each"
            f" blind, and a verdict of the tool; it takes {LEAST_THINGS} things of {LEAST_QUESTIONS} questions"
        )
        needs = max(LEAST_THINGS - len(known), LEAST_QUESTIONS - questions)
        return Watched(what=what, profile=profile, state="unknown", window=_window(known), reason=said, needs=needs)
    exact, drawn = _shares(known, seed)
    among, beside = (_level(exact[at], drawn[:, at], len(known), level) for at in (0, 1))
    change = _level(exact[1] - exact[0], drawn[:, 1] - drawn[:, 0], len(known), level)
    low = change.low or 0.0
    better, worse = _moves(known)
    alarms = low > 0 and sign_agrees(better, worse, level)
    parts = ["before: among people; after: the tool against people"]
    if len(shared) > len(known):
        parts.append(f"{len(shared) - len(known)} that the tool left undecided are not in it")
    if low > 0 and not alarms:
        parts.append(f"the interval lies above 0, but {too_few_said(better, worse)}")
    return Watched(
        what=what,
        profile=profile,
        state="alarm" if alarms else "steady",
        window=_window(known),
        before=among,
        after=beside,
        change=change,
        n=len(known),
        test=Test(name="bootstrap difference", value=low, limit=0.0, level=level),
        reason="; ".join(parts),
    )


def _moves(things: Sequence[Told]) -> tuple[int, int]:
    """Count the questions on which the tool differs from people less than they from one another, and those on which more."""
    sums = _by_question(things).values()
    return sum(beside < among for among, beside, _ in sums), sum(beside > among for among, beside, _ in sums)


def _window(known: Sequence[Told]) -> str:
    return f"{len(known)} labelled by two or more"


def _shares(things: Sequence[Told], seed: int) -> tuple[tuple[float, float], Array]:
    """Return both shares of disagreement, and those of 4,000 seeded resamples of questions: (draws, 2).

    Each thing counts once, whoever many people labelled it: the mean over its pairs, and over its people.
    """
    sums = _by_question(things)
    distinct = Counter(tuple(total) for total in sums.values())
    table = np.array(sorted(distinct), dtype=np.float64)
    counts = np.array([distinct[key] for key in sorted(distinct)], dtype=np.float64)
    rng = np.random.default_rng(seed)
    n = len(sums)
    drawn = np.concatenate([rng.multinomial(n, counts / n, size=_BATCH) @ table for _ in range(RESAMPLES // _BATCH)])
    among, beside, size = (counts @ table).tolist()
    return (among / size, beside / size), drawn[:, :2] / drawn[:, 2:]


def _by_question(things: Sequence[Told]) -> dict[Hashable, list[float]]:
    """Add up by question: disagreement among people, that of the tool with people, and the number of things."""
    sums: dict[Hashable, list[float]] = {}
    for thing in things:
        total = sums.setdefault(thing.question, [0.0, 0.0, 0.0])
        words = list(thing.people.values())
        pairs = list(combinations(words, _TWO))
        total[0] += sum(a != b for a, b in pairs) / len(pairs)
        total[1] += sum(word != thing.tool for word in words) / len(words)
        total[2] += 1
    return sums


def _level(value: float, drawn: Array, n: int, level: float) -> Level:
    low, high = np.quantile(drawn, [level, 1 - level])
    return Level(value=value, low=float(low), high=float(high), n=n, confidence=1 - 2 * level)
