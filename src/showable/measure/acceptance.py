"""Whether a new version of a judge is better than the one before, on labels that neither was fitted on.

The bar rises with every look at the same labels. At look j the level is 0.05 / (j (j + 1)) to one side: 2.5 %, which is the
usual 95 % interval, then 0.8 %, 0.4 % and so on. All of them together come to 5 %, so that on one set of unseen labels the
chance of ever taking a version that is no better stays below 5 %, however often it is retuned (Bonferroni over the looks,
with the level spent in falling shares; Foster & Stine 2008, J. R. Stat. Soc. B 70: 429, spend it alike). That holds for
versions whose fit never read those labels; whoever picks what to try next by the figures can still overfit them.
"""

from __future__ import annotations

from math import sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from showable.measure.agreement import Array, Flags, Tables
from showable.measure.least_n import LEAST_PER_CLASS
from showable.measure.paired import PairedTest, mcnemar, sign_flip
from showable.records.wire import Wire

ALPHA = 0.05
MOST_LOOKS = 20
"""Looks at the same unseen labels after which no further one is taken: the level would be finer than 9,999 flips can tell."""
LEAST_CLUSTERS = 10
"""Unseen questions with a label of either class that a test needs: below that a bootstrap interval is too narrow."""
MOST_TNR_LOST = 0.05
"""How far the TNR may fall at most, whatever its interval says."""
MOST_MORE_UNDECIDED = 0.02
"""Share of the unseen labels that a new version may leave undecided beyond the version before."""
RESAMPLES = 4_000
_CELLS_A_BATCH = 2_000_000
_TINY = 1e-12

Measured = Literal["balanced_accuracy", "brier"]


class VersionTest(Wire):
    """A version beside the one before on unseen labels. Differences are after minus before; fractions 0-1.

    `measured` is what must rise: the balanced accuracy, or, for a version that maps the probability and moves no
    decision, the Brier score, which must fall. `level` is what this look may spend, to one side; `low` and `high` are
    the bootstrap interval of the difference at 1 - 2 · level, over questions; `p` is two-sided, by flipping the signs of
    the questions' differences, and must be at most 2 · level. `tnr` and `decisions` (McNemar's exact test on right and
    wrong decisions) stand beside.
    """

    measured: Measured
    n: int
    positives: int
    negatives: int
    clusters: int
    undecided: int = 0
    look: int
    level: float
    before: float
    after: float
    difference: float
    low: float
    high: float
    p: float
    tpr_before: float
    tpr_after: float
    tnr_before: float
    tnr_after: float
    tnr_low: float
    tnr_high: float
    decisions: PairedTest
    better: bool
    why: str


def level_of(look: int) -> float:
    """Return what a look may spend of the 5 %, looks counting from 1; the shares of all looks add up to 5 %."""
    return ALPHA / (look * (look + 1))


class Sides:
    """What two versions say of the same unseen rows.

    `labels` and `clusters` have n entries; `said` are decisions, None where a version has none; `p` are probabilities,
    NaN where a version has none, and are there where they are what is measured. A row that either version leaves open
    takes no part and is counted.
    """

    def __init__(
        self,
        labels: Flags,
        clusters: NDArray[np.int64],
        said: tuple[list[bool | None], list[bool | None]],
        p: tuple[Array, Array] | None = None,
    ) -> None:
        known = np.array([a is not None and b is not None for a, b in zip(*said, strict=True)], dtype=np.bool_)
        if p is not None:
            known &= ~np.isnan(p[0]) & ~np.isnan(p[1])
        self.labels = labels[known]
        self.clusters = np.unique(clusters[known], return_inverse=True)[1].astype(np.int64)
        self.before, self.after = (np.array(one, dtype=object)[known].astype(np.bool_) for one in said)
        self.p = None if p is None else (p[0][known], p[1][known])
        self.undecided = int((~known).sum())
        self.more_undecided = (said[1].count(None) - said[0].count(None)) / max(1, len(labels))

    @property
    def weights(self) -> Array:
        """What a row weighs in the balanced accuracy: half of its class."""
        positives = max(1, int(self.labels.sum()))
        negatives = max(1, int((~self.labels).sum()))
        return np.where(self.labels, 0.5 / positives, 0.5 / negatives)


def hold_beside(sides: Sides, *, look: int, measured: Measured = "balanced_accuracy", seed: int = 0) -> VersionTest:
    """Test a version against the one before, at its look; both classes must be there.

    Accepted is what passes all of: the interval of the difference lies on the better side of 0; so does the sign-flip
    test; the TNR falls neither demonstrably (its own 95 % interval wholly below 0) nor by more than five points; no more
    than two in a hundred rows more are left undecided.
    """
    level = level_of(look)
    ones = np.ones((1, len(sides.labels)))
    old, new = Tables.of(sides.labels, sides.before, ones), Tables.of(sides.labels, sides.after, ones)
    draws, tnr_draws = _draws(sides, measured, seed)
    low, high = (float(x) for x in np.quantile(draws, [level, 1 - level]))
    tnr_low, tnr_high = (float(x) for x in np.quantile(tnr_draws, [0.025, 0.975]))
    before, after = _figures(sides, measured)
    flips = _flip(sides, measured, seed)
    right = (sides.before == sides.labels, sides.after == sides.labels)
    test = VersionTest(
        measured=measured,
        n=len(sides.labels),
        positives=int(sides.labels.sum()),
        negatives=int((~sides.labels).sum()),
        clusters=int(sides.clusters.max()) + 1,
        undecided=sides.undecided,
        look=look,
        level=level,
        before=before,
        after=after,
        difference=after - before,
        low=low,
        high=high,
        p=flips.p,
        tpr_before=float(old.tpr[0]),
        tpr_after=float(new.tpr[0]),
        tnr_before=float(old.tnr[0]),
        tnr_after=float(new.tnr[0]),
        tnr_low=tnr_low,
        tnr_high=tnr_high,
        decisions=mcnemar(int((right[1] & ~right[0]).sum()), int((right[0] & ~right[1]).sum()), len(sides.labels)),
        better=False,
        why="",
    )
    failed = _failures(test, sides.more_undecided)
    why = "; ".join(failed) or f"better on {test.n} labels that it was not fitted on"
    return test.model_copy(update={"better": not failed, "why": why})


def _failures(test: VersionTest, more_undecided: float) -> list[str]:
    """Return what speaks against a version, in words; nothing where it is to be taken."""
    failed = []
    name = "balanced accuracy" if test.measured == "balanced_accuracy" else "Brier score"
    gained = test.low if test.measured == "balanced_accuracy" else -test.high
    right_way = test.difference > 0 if test.measured == "balanced_accuracy" else test.difference < 0
    if gained <= _TINY or not right_way:
        between = f"{100 * test.low:+.1f} to {100 * test.high:+.1f} points"
        failed.append(f"not shown to be better: the difference in {name} is {between}")
    elif test.p > 2 * test.level:
        failed.append(f"not shown to be better: p {test.p:.3g}, and look {test.look} asks for {2 * test.level:.3g}")
    fall = test.tnr_before - test.tnr_after
    if fall > MOST_TNR_LOST + _TINY:
        failed.append(f"lets more pass that is not supported: the TNR falls by {100 * fall:.1f} points, 5 at most")
    elif test.tnr_high < -_TINY:
        failed.append(
            f"lets more pass that is not supported: the TNR falls by {100 * fall:.1f} points, and its interval has no 0"
        )
    if more_undecided > MOST_MORE_UNDECIDED:
        failed.append(f"leaves {100 * more_undecided:.0f} in a hundred more undecided than the version before")
    return failed


def _figures(sides: Sides, measured: Measured) -> tuple[float, float]:
    if measured == "brier":
        before, after = _squares(sides)
        return float(before.mean()), float(after.mean())
    weights = sides.weights
    return (
        float((weights * (sides.before == sides.labels)).sum()),
        float((weights * (sides.after == sides.labels)).sum()),
    )


def _squares(sides: Sides) -> tuple[Array, Array]:
    if sides.p is None:
        raise ValueError("the Brier score needs a probability of every row")
    return (sides.p[0] - sides.labels) ** 2, (sides.p[1] - sides.labels) ** 2


def _flip(sides: Sides, measured: Measured, seed: int) -> PairedTest:
    """Flip the signs of the questions' differences: rows of one question change together."""
    if measured == "brier":
        before, after = _squares(sides)
    else:
        before, after = (sides.weights * (said == sides.labels) for said in (sides.before, sides.after))
    difference = np.bincount(sides.clusters, weights=after - before)
    difference[np.abs(difference) < _TINY] = 0.0
    none = [0.0] * len(difference)
    return sign_flip(none, difference.tolist(), higher_is_better=measured == "balanced_accuracy", seed=seed)


def _draws(sides: Sides, measured: Measured, seed: int) -> tuple[Array, Array]:
    """Resample questions; give the difference, and that of the TNR, of each draw that holds both classes."""
    count = int(sides.clusters.max()) + 1
    rng = np.random.default_rng(seed)
    size = max(1, _CELLS_A_BATCH // len(sides.labels))
    differences, tnrs = [], []
    for start in range(0, RESAMPLES, size):
        drawn = rng.multinomial(count, np.full(count, 1 / count), size=min(size, RESAMPLES - start))
        weights = drawn[:, sides.clusters].astype(np.float64)
        old, new = Tables.of(sides.labels, sides.before, weights), Tables.of(sides.labels, sides.after, weights)
        tnrs.append(new.tnr - old.tnr)
        if measured == "brier":
            before, after = _squares(sides)
            differences.append(weights @ (after - before) / weights.sum(axis=1))
        else:
            differences.append(new.balanced_accuracy - old.balanced_accuracy)
    found, found_tnr = np.concatenate(differences), np.concatenate(tnrs)
    return found[np.isfinite(found)], found_tnr[np.isfinite(found_tnr)]


def best_look(looks: NDArray[np.int64], labels: Flags, clusters: NDArray[np.int64]) -> tuple[int, Flags] | None:
    """Choose the unseen rows to test on, and the look that it is: by their numbers alone, never by what was said of them.

    `looks` says how often each row was looked at. Fresh rows alone have the full level, all rows together a lower one;
    taken is what has the smaller error, z of the level over the root of the rarer class. None where no choice has the
    least number of labels and questions, or all have been looked at too often.
    """
    from scipy.stats import norm  # noqa: PLC0415 - over a second to import

    found: list[tuple[float, int, Flags]] = []
    for seen in np.unique(looks):
        chosen = looks <= seen
        look = int(seen) + 1
        if look <= MOST_LOOKS and not too_few(labels[chosen], clusters[chosen]):
            rarer = min(int(labels[chosen].sum()), int((~labels[chosen]).sum()))
            found.append((float(norm.isf(level_of(look))) / sqrt(rarer), look, chosen))
    if not found:
        return None
    _, look, chosen = min(found, key=lambda one: one[:2])
    return look, chosen


def too_few(labels: Flags, clusters: NDArray[np.int64]) -> bool:
    """Check whether either class has too few labels, or too few questions."""
    return any(
        int(inside.sum()) < LEAST_PER_CLASS or len(np.unique(clusters[inside])) < LEAST_CLUSTERS
        for inside in (labels, ~labels)
    )
