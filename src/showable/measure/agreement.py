"""Agreement of yes-or-no decisions with people's labels, for many weightings of the same rows at once.

Every statistic here takes the weights of n rows, shape (draws, n), and gives one value a draw: a bootstrap resample is a
weighting by whole numbers, and the figure itself is the weighting by ones. One formula so serves figure and interval.
A value is NaN where a weighting leaves nothing to measure; whoever prints it turns that into "not measurable".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
Codes = NDArray[np.int64]
MIN_VALUES = 2
"""With one value to choose from nobody can disagree."""


@dataclass(frozen=True, slots=True)
class Tables:
    """Two-by-two tables, one a draw: people's yes or no against the decision's, as sums of weights."""

    tp: Array
    fn: Array
    fp: Array
    tn: Array

    @classmethod
    def of(cls, labels: Flags, said: Flags, weights: Array) -> Tables:
        """Count decisions (n) against labels (n) under weights (draws, n)."""
        cells = (labels & said, labels & ~said, ~labels & said, ~labels & ~said)
        return cls(*(weights @ cell.astype(np.float64) for cell in cells))

    @property
    def tpr(self) -> Array:
        """True positive rate: of what people call yes, the share decided yes."""
        return _ratio(self.tp, self.tp + self.fn)

    @property
    def tnr(self) -> Array:
        """True negative rate: of what people call no, the share decided no."""
        return _ratio(self.tn, self.tn + self.fp)

    @property
    def balanced_accuracy(self) -> Array:
        """Mean of the two rates: 0.5 for whoever always says the same, however skewed the labels."""
        return (self.tpr + self.tnr) / 2

    @property
    def accuracy(self) -> Array:
        """Share of rows decided as people did."""
        return _ratio(self.tp + self.tn, self.tp + self.fn + self.fp + self.tn)

    @property
    def f1(self) -> Array:
        """Harmonic mean of precision and recall of the yes; NaN where neither side says yes."""
        return _ratio(2 * self.tp, 2 * self.tp + self.fn + self.fp)

    @property
    def kappa(self) -> Array:
        """Cohen's kappa (1960), Educ. Psychol. Meas. 20: 37; NaN where chance alone agrees on everything."""
        n = self.tp + self.fn + self.fp + self.tn
        yes = (self.tp + self.fn) * (self.tp + self.fp)
        no = (self.fp + self.tn) * (self.fn + self.tn)
        expected = _ratio(yes + no, n * n)
        return _ratio(self.accuracy - expected, 1 - expected)

    @property
    def ac1(self) -> Array:
        """Gwet's AC1 (2008), Br. J. Math. Stat. Psychol. 61: 29: stays near the raw agreement where one class is rare."""
        n = self.tp + self.fn + self.fp + self.tn
        share = _ratio(2 * self.tp + self.fn + self.fp, 2 * n)
        expected = 2 * share * (1 - share)
        return _ratio(self.accuracy - expected, 1 - expected)


def weighted_kappas(mine: Codes, theirs: Codes, distance: Array, weights: Array) -> Array:
    """Return Cohen's kappa of codes 0 to k-1, disagreements weighing as `distance` (k, k) says, one a draw.

    Cohen (1968), Psychol. Bull. 70: 213; with a distance of 1 between any two values it is the plain kappa of 1960. `mine`
    and `theirs` have n entries, `weights` is (draws, n). NaN where chance alone agrees on everything.
    """
    one_hot = np.eye(len(distance))
    observed = weights @ distance[mine, theirs]
    expected = (((weights @ one_hot[mine]) @ distance) * (weights @ one_hot[theirs])).sum(axis=1)
    return 1 - _ratio(observed * weights.sum(axis=1), expected)


def ac1s(mine: Codes, theirs: Codes, values: int, weights: Array) -> Array:
    """Return Gwet's AC1 of codes 0 to values-1, one a draw; NaN where there is but one value to choose from.

    Gwet (2008), Br. J. Math. Stat. Psychol. 61: 29, equation 3: chance is the mean of pi (1 - pi) over values, pi the mean
    share of a value over both raters. `weights` is (draws, n).
    """
    total = weights.sum(axis=1)
    if values < MIN_VALUES:
        return np.full(len(total), np.nan)
    one_hot = np.eye(values)
    share = _ratio(weights @ (one_hot[mine] + one_hot[theirs]), 2 * total[:, np.newaxis])
    expected = (share * (1 - share)).sum(axis=1) / (values - 1)
    agreed = _ratio(weights @ (mine == theirs).astype(np.float64), total)
    return _ratio(agreed - expected, 1 - expected)


def _ratio(part: Array, whole: Array) -> Array:
    """Divide; 0/0 is NaN, said once here and not as a warning."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(whole > 0, part / whole, np.nan)


def weighted_auc(labels: Flags, score: Array, weights: Array) -> Array:
    """Return the area under the ROC curve: how often a yes scores above a no, ties counting half (Mann–Whitney).

    `labels` and `score` have n entries, `weights` is (draws, n); NaN where a draw holds one class alone.
    """
    order = np.argsort(score, kind="stable")
    starts = np.flatnonzero(np.diff(score[order], prepend=np.nan) != 0)
    sorted_weights = weights[:, order]
    positive = np.add.reduceat(sorted_weights * labels[order], starts, axis=1)
    negative = np.add.reduceat(sorted_weights * ~labels[order], starts, axis=1)
    below = np.cumsum(negative, axis=1) - negative
    won = np.sum(positive * (below + negative / 2), axis=1)
    return _ratio(won, positive.sum(axis=1) * negative.sum(axis=1))
