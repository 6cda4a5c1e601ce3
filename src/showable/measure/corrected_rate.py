"""A rate with its judge's errors taken out."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from showable.measure.agreement import Flags
from showable.measure.calibration_report import CorrectedRate
from showable.measure.rates import Z_95, wilson_interval
from showable.measure.resampling import Interval, mean_of_two, number_clusters

_Share = tuple[float, float]
"""A share and the n that it is of."""
MIN_QUESTIONS = 2
_NO_LABELS = "no labels of both classes: the judge's error rates are not known"


def corrected_rate(  # noqa: PLR0917 - the four cells of a table, in their usual order
    observed_yes: float, observed_n: float, tp: float, fn: float, fp: float, tn: float, *, design_effect: float = 1.0
) -> CorrectedRate:
    """Return the rate that a judge saw, and what it is likely to be once the judge's errors are taken out.

    (observed + TNR - 1) / (TPR + TNR - 1), Rogan & Gladen (1978), Am. J. Epidemiol. 107: 71, clipped to 0-1, with the
    interval of Lang & Reiczigel (2014), Prev. Vet. Med. 113: 13, which carries the error of TPR and TNR too. `tp` to `tn`
    are counts on labelled rows. No rate but a reason where the judge may be no better than chance: TPR + TNR - 1 is not
    above 0, or its interval (Newcombe's, square-and-add) reaches 0. `design_effect` divides every n where rows of one
    question go together. `observed_n` must be above 0.
    """
    observed, n = observed_yes / observed_n, observed_n / design_effect
    low, high = wilson_interval(observed, n)
    seen = CorrectedRate(observed=observed, observed_low=low, observed_high=high, n=round(observed_n))
    if not (tp + fn and fp + tn):
        return seen.model_copy(update={"reason": _NO_LABELS})
    tpr, tnr = tp / (tp + fn), tn / (fp + tn)
    positives, negatives = (tp + fn) / design_effect, (fp + tn) / design_effect
    if reason := _no_better_than_chance(tpr, tnr, positives, negatives):
        return seen.model_copy(update={"reason": reason})
    rate = _clipped((observed + tnr - 1) / (tpr + tnr - 1))
    low, high = _lang_reiczigel((observed, n), (tpr, positives), (tnr, negatives))
    return seen.model_copy(update={"rate": rate, "low": min(low, rate), "high": max(high, rate)})


def design_effect(alike: Sequence[bool] | Flags, clusters: Sequence[Hashable] | NDArray[np.int64]) -> float:
    """Return how many rows weigh as one independent row, 1 or more: what `corrected_rate` divides every n by.

    `alike` says of each labelled row whether the judge agrees with people, `clusters` names its question. The variance of
    the mean between questions over that of independent rows (Kish 1965, §8.2). 1 where all are alike.
    """
    right = np.asarray(alike, dtype=np.float64)
    share = float(right.mean()) if len(right) else 0.0
    of_question = np.bincount(number_clusters([*clusters]), weights=right - share)
    if not 0.0 < share < 1.0 or len(of_question) < MIN_QUESTIONS:
        return 1.0
    between = float(of_question @ of_question) * len(of_question) / (len(of_question) - 1)
    return max(1.0, between / (len(right) * share * (1 - share)))


def _no_better_than_chance(tpr: float, tnr: float, positives: float, negatives: float) -> str | None:
    """Return why nothing can be taken out, or None where the judge is surely better than chance."""
    informedness = tpr + tnr - 1
    if informedness <= 0:
        return f"TPR + TNR - 1 is {informedness:.2f}: the judge is no better than chance here, so its errors cannot be taken out"
    mean_low, mean_high = mean_of_two(tpr, tnr, wilson_interval(tpr, positives), wilson_interval(tnr, negatives))
    low, high = 2 * mean_low - 1, 2 * mean_high - 1
    if low > 0:
        return None
    return (
        f"TPR + TNR - 1 is {informedness:.2f} (95 % CI {low:.2f} to {high:.2f}): on so few labels the judge may be no better"
        " than chance, so its errors cannot be taken out"
    )


def _lang_reiczigel(of_seen: _Share, of_hits: _Share, of_misses: _Share) -> Interval:
    """Return the interval of the corrected rate: Lang & Reiczigel (2014), equations 6, 7, 16 and 17.

    Counts are moved towards a half (z² rows to the observed rate, two to each error rate), then the delta method is used
    around a shifted centre. Equation 4 as printed has 1 + P in its last term where 1 - P is meant.
    """
    (observed, n), (tpr, positives), (tnr, negatives) = of_seen, of_hits, of_misses
    square = Z_95 * Z_95
    seen = (n * observed + square / 2) / (n + square)
    hit, miss = (positives * tpr + 1) / (positives + 2), (negatives * tnr + 1) / (negatives + 2)
    informedness = hit + miss - 1
    rate = (seen + miss - 1) / informedness
    of_hit, of_miss = hit * (1 - hit) / (positives + 2), miss * (1 - miss) / (negatives + 2)
    variance = (seen * (1 - seen) / (n + square) + rate**2 * of_hit + (1 - rate) ** 2 * of_miss) / informedness**2
    centre = rate + 2 * square * (rate * of_hit - (1 - rate) * of_miss)
    half = Z_95 * sqrt(variance)
    return _clipped(centre - half), _clipped(centre + half)


def _clipped(rate: float) -> float:
    return min(1.0, max(0.0, rate))
