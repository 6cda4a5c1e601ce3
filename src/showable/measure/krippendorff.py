"""Krippendorff's alpha: agreement of any number of people, each of whom may have left out what others labelled."""

from __future__ import annotations

from typing import Literal

import numpy as np

from showable.measure.agreement import MIN_VALUES, Array

Level = Literal["nominal", "ordinal", "interval"]
MIN_WORDS = 2
"""A unit that one person alone labelled says nothing of agreement."""


def alphas(counts: Array, values: Array, level: Level, weights: Array) -> Array:
    """Return alpha one a draw: 1 less the disagreement within units over that between any two words.

    Krippendorff (2011), Computing Krippendorff's Alpha-Reliability. `counts` is (units, k), how many people gave each of k
    values to a unit; `values` holds the k values in rising order, as numbers where the level is interval; `weights` is
    (draws, units). Units with fewer than two words take no part. NaN where one value alone was given.
    """
    words = counts.sum(axis=1)
    taking_part = words >= MIN_WORDS
    counts, words, weights = counts[taking_part], words[taking_part], weights[:, taking_part]
    given = weights @ counts
    total = given.sum(axis=1)
    if level == "nominal":
        within = weights @ ((words**2 - (counts**2).sum(axis=1)) / (words - 1))
        between = total**2 - (given**2).sum(axis=1)
    else:
        places = _places(given, values, level)
        within = _within(counts, words, places, weights)
        between = 2 * (total * (given * places**2).sum(axis=1) - (given * places).sum(axis=1) ** 2)
    several = (given > 0).sum(axis=1) >= MIN_VALUES
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(several, 1 - (total - 1) * within / between, np.nan)


def _places(given: Array, values: Array, level: Level) -> Array:
    """Put the values on a line, a line a draw: differences on it, squared, are the metric of the level.

    Ordinal: a value lies at the middle of the ranks that it takes up among all words given.
    """
    if level == "interval":
        return np.broadcast_to(values - values.mean(), given.shape)
    return np.asarray(np.cumsum(given, axis=1) - given / 2, dtype=np.float64)


def _within(counts: Array, words: Array, places: Array, weights: Array) -> Array:
    """Sum the squared differences of all ordered pairs of words in a unit, over one less than its words."""
    squares, sums = places**2 @ counts.T, places @ counts.T
    return np.asarray((weights * 2 * (words * squares - sums**2) / (words - 1)).sum(axis=1), dtype=np.float64)
