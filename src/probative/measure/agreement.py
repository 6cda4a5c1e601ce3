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


def _ratio(part: Array, whole: Array) -> Array:
    """Divide; 0/0 is NaN, said once here and not as a warning."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(whole > 0, part / whole, np.nan)


def weighted_auc(labels: Flags, score: Array, weights: Array) -> Array:
    """Give the area under the ROC curve: how often a yes scores above a no, ties counting half (Mann–Whitney).

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
