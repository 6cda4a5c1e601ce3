"""Choose what to put to the unseen labels: by cross-validation on the fitting part alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from showable.calibrating.candidates import Labelled, Recipe, Rows, fit, take
from showable.calibrating.retune_split import renumbered
from showable.measure.acceptance import MOST_TNR_LOST, Measured
from showable.measure.agreement import Array, Flags, Tables
from showable.measure.cross_fit import dealt_folds
from showable.stores.judge_versions import Tried

_MAP_MAY_COST = 0.005
"""Balanced accuracy that a map of p may cost, where it makes p the better probability."""


def cross_validate(recipe: Recipe, data: Labelled, rows: Rows, *, seed: int = 0) -> Tried:
    """Fit a recipe on four parts of some rows and apply it to the fifth, five times; hold it beside the judge as it ships.

    Rows of one cluster are in one part. `brier` is None where no row has a p.
    """
    fold = dealt_folds(renumbered(data.clusters[rows]), seed=seed)
    if fold is None:
        raise ValueError("fewer than ten clusters cannot be dealt out to five parts")
    said: list[bool | None] = [None] * len(rows)
    p = np.full(len(rows), np.nan)
    for number in np.unique(fold):
        held = np.flatnonzero(fold == number)
        settings, after = fit(recipe, data, rows[fold != number])
        at = rows[held]
        mine, kinds = take(after, at), data.kinds_at(at)
        for place, decision in zip(held.tolist(), settings.decide(mine, kinds), strict=True):
            said[place] = decision
        p[held] = settings.probabilities(mine)
    before = take(data.plain, rows)
    shipped, plain = data.shipped.decide(before, data.kinds_at(rows)), data.shipped.probabilities(before)
    labels = data.labels[rows]
    now, then = _rates(labels, said), _rates(labels, shipped)
    return Tried(
        what=recipe.what,
        balanced_accuracy=now[0] - then[0],
        tnr=now[1] - then[1],
        brier=_brier(labels, p, plain),
    )


def _rates(labels: Flags, said: Sequence[bool | None]) -> tuple[float, float]:
    """Return balanced accuracy and TNR; a row that is not decided has not passed."""
    passed = np.array([one is True for one in said], dtype=np.bool_)
    table = Tables.of(labels, passed, np.ones((1, len(labels))))
    return float(table.balanced_accuracy[0]), float(table.tnr[0])


def _brier(labels: Flags, after: Array, before: Array) -> float | None:
    known = ~np.isnan(after) & ~np.isnan(before)
    if not known.any():
        return None
    return float(((after - labels)[known] ** 2).mean() - ((before - labels)[known] ** 2).mean())


def choose_recipe(recipes: Sequence[Recipe], tried: Sequence[Tried]) -> tuple[Recipe, Measured] | None:
    """Choose one recipe, and what it is to be measured by; None where none promises anything.

    The highest gain in balanced accuracy, of equals the one that changes least; a map of p goes along where it costs next
    to nothing and makes p the better probability. Where no decision gets better, a map that makes p better by itself.
    """
    both = list(zip(recipes, tried, strict=True))
    gaining = [one for one in both if one[1].balanced_accuracy > 0 and one[1].tnr >= -MOST_TNR_LOST]
    if gaining:
        best = min(gaining, key=lambda one: (-round(one[1].balanced_accuracy, 9), len(one[0].what)))
        wanted = {*best[0].what, "probability"}
        for recipe, found in gaining:
            near = found.balanced_accuracy >= best[1].balanced_accuracy - _MAP_MAY_COST
            if set(recipe.what) == wanted and near and (found.brier or 0.0) < (best[1].brier or 0.0):
                return recipe, "balanced_accuracy"
        return best[0], "balanced_accuracy"
    mapping = [one for one in both if "probability" in one[0].what and (one[1].brier or 0.0) < 0]
    calmer = [one for one in mapping if one[1].tnr >= -MOST_TNR_LOST]
    if not calmer:
        return None
    return min(calmer, key=lambda one: (one[1].brier or 0.0, len(one[0].what)))[0], "brier"
