"""People beside people: Cohen's kappa, Gwet's AC1 and Krippendorff's alpha, with intervals by question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Literal

import numpy as np

from showable.measure.agreement import Array, Codes, ac1s, weighted_kappas
from showable.measure.calibration_report import InterRater
from showable.measure.krippendorff import MIN_WORDS, Level, alphas
from showable.measure.rates import wilson_interval
from showable.measure.resampling import FEWEST, number_clusters
from showable.measure.smoothed_intervals import prior_pairs, smoothed_intervals
from showable.measure.validated import Between
from showable.records.label_guide import About
from showable.records.labels import CANNOT_TELL, Target, Value

Weighting = Literal["linear", "quadratic"]
LEVELS: Mapping[About, Level] = {"refusal_quality": "ordinal", "extra_claims": "interval"}
"""How far apart two values are; whatever is not named here is alike or is not."""
_TWO = 2


def cohen_kappa(
    a: Sequence[Value], b: Sequence[Value], weights: Weighting | None = None, values: Sequence[Value] | None = None
) -> float | None:
    """Return Cohen's kappa of two people's words on the same things; None where chance alone agrees on everything.

    Cohen (1960), Educ. Psychol. Meas. 20: 37; weighted: Cohen (1968), Psychol. Bull. 70: 213. Weighted disagreements count
    as the difference of numbers, or of places in `values` (by default all that occur, sorted), or as its square.
    """
    order = ordered_values(a, b, values=values)
    return known(weighted_kappas(*coded(order, a, b), distances(order, weights), _ones(len(a)))[0])


def gwet_ac1(a: Sequence[Value], b: Sequence[Value], values: Sequence[Value] | None = None) -> float | None:
    """Return Gwet's AC1 of two people's words on the same things; None where there is but one value to choose from.

    Gwet (2008), Br. J. Math. Stat. Psychol. 61: 29. `values` names those that might have been given, by default those
    that were: a value that nobody gave lowers what chance is held to agree on.
    """
    order = ordered_values(a, b, values=values)
    return known(ac1s(*coded(order, a, b), len(order), _ones(len(a)))[0])


def krippendorff_alpha(units: Sequence[Mapping[str, Value]], level: Level = "nominal") -> float | None:
    """Return Krippendorff's alpha of things that any number of people labelled, each perhaps only some of them.

    A unit maps people to what they said of it; units with one word take no part. None where one value alone was given, or
    nothing by two. At the levels `ordinal` and `interval` values are numbers, or words that sort. Krippendorff (2011),
    Computing Krippendorff's Alpha-Reliability.
    """
    counts, values = counted(units)
    return known(alphas(counts, values, level, _ones(len(units)))[0]) if len(values) else None


def inter_rater(
    about: About,
    units: Mapping[Target, Mapping[str, Value]],
    *,
    clusters: Mapping[Target, Hashable] | None = None,
    seed: int = 0,
) -> InterRater:
    """Measure people against people on everything that two or more of them labelled.

    Of more than two people kappa is the mean of Cohen's over their pairs (Light 1971, Psychol. Bull. 76: 365), each pair
    weighing by the things it shares: Light's own mean where everybody labelled everything. All intervals are of the same
    draws, resampled by question: by record, unless `clusters` says what belongs together. A word `cannot_tell` is no value:
    it counts as not labelled. Refusal quality is ordinal (kappa weighted by squared differences), extra claims interval, all
    else nominal.
    """
    level = LEVELS.get(about, "nominal")
    shared = {target: _told(said) for target, said in units.items()}
    shared = {target: said for target, said in shared.items() if len(said) >= MIN_WORDS}
    raters = sorted({name for said in shared.values() for name in said})
    if not shared:
        return InterRater(about=about, n=0, raters=0, level=level, notes=("nothing was labelled by two people",))
    numbers = number_clusters([clusters[target] if clusters else target.record for target in shared])
    words, questions = list(shared.values()), int(numbers.max()) + 1
    rows = _Shared.of(words, raters, level)
    values = {name: known(found[0]) for name, found in rows.figures(rows.alone).items()}
    drawn = smoothed_intervals(rows.figures, numbers, rows.prior, seed=seed)
    intervals: dict[str, Between] = {name: drawn.get(name) for name, value in values.items() if value is not None}
    if questions < FEWEST and values["exact"] is not None:
        intervals["exact"] = wilson_interval(values["exact"], questions)
    return InterRater(
        about=about,
        n=len(words),
        raters=len(raters),
        level=level,
        **values,
        intervals=intervals,
        notes=tuple(_notes(raters, len(rows.pairs), counted(words)[1].size, questions)),
    )


def _told(said: Mapping[str, Value]) -> dict[str, Value]:
    return {name: value for name, value in said.items() if value != CANNOT_TELL}


def _notes(raters: Sequence[str], measurable: int, values: int, questions: int) -> list[str]:
    notes = []
    if values == 1:
        notes.append("kappa and alpha are not measurable: everybody gave the same one value")
    elif len(raters) > _TWO:
        pairs = comb(len(raters), 2)
        some = "" if measurable == pairs else f"; measurable for {measurable} of {pairs} pairs"
        notes.append(f"kappa of {len(raters)} people is the mean of Cohen's kappa over their pairs (Light 1971){some}")
    if questions < FEWEST:
        of = f"labels of {questions} question{'' if questions == 1 else 's'}"
        notes.append(f"{of}: below {FEWEST} only the share of equal words has an interval, kappa and alpha have none")
    return notes


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two people: the rows that both labelled and the prior ones after them, what each said there, how many they share."""

    rows: Codes
    mine: Codes
    theirs: Codes
    shared: int


@dataclass(frozen=True, slots=True)
class _Shared:
    """What several people said of the same things, prior pairs of words after it, for many weightings of all of these rows.

    `counts` (rows, k) is how many gave each of the k values in `places`; `prior` is what the prior rows weigh in a draw.
    """

    counts: Array
    places: Array
    level: Level
    distance: Array
    pairs: tuple[_Pair, ...]
    prior: Array

    @classmethod
    def of(cls, words: Sequence[Mapping[str, Value]], raters: Sequence[str], level: Level) -> _Shared:
        """Lay the words out. Where all are one value there stands another beside it, or nobody could disagree beforehand."""
        counts, places = counted(words)
        if len(places) == 1:
            counts, places = np.pad(counts, ((0, 0), (0, 1))), np.array([places[0], places[0] + 1])
        order = ordered_values(*(list(said.values()) for said in words))
        distance = 1 - np.eye(len(places)) if level == "nominal" else (places[:, np.newaxis] - places) ** 2
        before, after, prior = prior_pairs(len(places))
        one_hot = np.eye(len(places))
        pairs = [_pair(words, one, order, (before, after)) for one in combinations(raters, 2)]
        measurable = [pair for pair in pairs if _is_measurable(pair, distance)]
        beside = np.concatenate([counts, one_hot[before] + one_hot[after]])
        return cls(beside, places, level, distance, tuple(measurable), prior)

    @property
    def alone(self) -> Array:
        """Weigh the words by one, and what stands beforehand by nothing: for the figures themselves."""
        return np.concatenate([_ones(len(self.counts) - len(self.prior)), np.zeros((1, len(self.prior)))], axis=1)

    def figures(self, weights: Array) -> dict[str, Array]:
        """Return the share of pairs of people that say the same, their kappa, and alpha, one a draw."""
        words = self.counts.sum(axis=1)
        alike = (self.counts * (self.counts - 1)).sum(axis=1)
        return {
            "exact": (weights @ alike) / (weights @ (words * (words - 1))),
            "kappa": self._kappas(weights),
            "alpha": alphas(self.counts, self.places, self.level, weights),
        }

    def _kappas(self, weights: Array) -> Array:
        """Return the mean kappa of the pairs, one a draw; NaN where there is none."""
        if not self.pairs:
            return np.full(len(weights), np.nan)
        each = [weighted_kappas(one.mine, one.theirs, self.distance, weights[:, one.rows]) for one in self.pairs]
        return np.asarray(np.average(each, axis=0, weights=[one.shared for one in self.pairs]), dtype=np.float64)


def _pair(
    words: Sequence[Mapping[str, Value]], names: tuple[str, str], order: Sequence[Value], prior: tuple[Codes, Codes]
) -> _Pair:
    both = [at for at, said in enumerate(words) if all(name in said for name in names)]
    said = coded(order, *([words[at][name] for at in both] for name in names))
    mine, theirs = (np.concatenate(side) for side in zip(said, prior, strict=True))
    rows = np.concatenate([np.array(both, dtype=np.int64), len(words) + np.arange(len(prior[0]))])
    return _Pair(rows, mine, theirs, len(both))


def _is_measurable(pair: _Pair, distance: Array) -> bool:
    n = pair.shared
    return n > 0 and bool(np.isfinite(weighted_kappas(pair.mine[:n], pair.theirs[:n], distance, _ones(n))[0]))


def ordered_values(*said: Sequence[Value], values: Sequence[Value] | None = None) -> list[Value]:
    """Return the values to choose from, each once: those named, else all that occur, numbers before words, sorted."""
    if values is not None:
        return list(dict.fromkeys(values))
    return sorted({value for side in said for value in side}, key=lambda value: (isinstance(value, str), value))


def coded(order: Sequence[Value], a: Sequence[Value], b: Sequence[Value]) -> tuple[Codes, Codes]:
    """Number what both said by its place in `order`. Raises KeyError on a value that is not in it."""
    place = {value: at for at, value in enumerate(order)}
    first, second = (np.array([place[value] for value in side], dtype=np.int64) for side in (a, b))
    return first, second


def distances(order: Sequence[Value], weights: Weighting | None) -> Array:
    """Return how much a disagreement between any two values counts: a matrix (k, k), 0 on its diagonal."""
    if weights is None:
        return 1 - np.eye(len(order))
    places = _numbers(order)
    apart = np.abs(places[:, np.newaxis] - places)
    return apart if weights == "linear" else apart**2


def counted(units: Sequence[Mapping[str, Value]]) -> tuple[Array, Array]:
    """Count how many people gave each value to each unit (units, k), and give the k values as numbers, rising.

    Only values that occur in a unit with two words or more are counted.
    """
    taking_part = [list(said.values()) if len(said) >= MIN_WORDS else [] for said in units]
    order = ordered_values(*taking_part)
    counts = np.zeros((len(units), len(order)))
    for row, said in zip(counts, taking_part, strict=True):
        for value, times in Counter(said).items():
            row[order.index(value)] = times
    return counts, _numbers(order)


def _numbers(order: Sequence[Value]) -> Array:
    """Return values as numbers: themselves, or their places where they are words."""
    if any(isinstance(value, str) for value in order):
        return np.arange(len(order), dtype=np.float64)
    return np.array(order, dtype=np.float64)


def known(value: float) -> float | None:
    """Return a value, or None where it was not measurable."""
    return float(value) if np.isfinite(value) else None


def _ones(n: int) -> Array:
    return np.ones((1, n))
