"""Refit the embedded judge's head on a user's labels: a logistic function that starts from the shipped one and stays near it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from showable.judges.embedded.head import StackedHead
from showable.measure.agreement import Array, Flags
from showable.measure.cross_fit import dealt_folds

STRENGTHS = (3.0, 1.0, 0.3, 0.1, 0.03, 0.01)
"""How strongly the head is held to the shipped one, from nearly fixed to nearly free; cross-validation chooses."""
_DIGITS = 4


def fit_head(
    x: Array, labels: Flags, clusters: NDArray[np.int64], shipped: StackedHead, *, seed: int = 0
) -> StackedHead:
    """Fit weights and intercept, both labels counting the same, with a ridge towards the shipped head.

    `x` is (n, features). The penalty is on the squared change of a weight times the feature's spread, so that the units of
    a feature do not matter. Its strength is the one with the least log loss on held-out questions, five-fold; of equals the
    strongest. Below ten questions, or with one label alone, the shipped head comes back. `contradiction` and `uncertain`
    stay as they are shipped.
    """
    fold = dealt_folds(clusters, seed=seed)
    if fold is None or labels.all() or not labels.any():
        return shipped
    losses = [_held_out_loss(x, labels, fold, shipped, strength) for strength in STRENGTHS]
    delta = _fit(x, labels, shipped, STRENGTHS[int(np.argmin(losses))])
    weights = tuple(round(float(w), _DIGITS) for w in np.array(shipped.weights) + delta[:-1])
    return shipped.model_copy(
        update={"weights": weights, "intercept": round(float(shipped.intercept + delta[-1]), _DIGITS)}
    )


def _held_out_loss(x: Array, labels: Flags, fold: NDArray[np.int64], shipped: StackedHead, strength: float) -> float:
    """Give the log loss over rows that each fit did not see, both labels counting the same."""
    loss = np.zeros(len(labels))
    for number in np.unique(fold):
        held = fold == number
        delta = _fit(x[~held], labels[~held], shipped, strength)
        loss[held] = _losses(_odds(x[held], shipped, delta), labels[held])
    return float((_balance(labels) * loss).sum())


def _fit(x: Array, labels: Flags, shipped: StackedHead, strength: float) -> Array:
    """Give the changes of the weights, and last that of the intercept."""
    from scipy.optimize import minimize  # noqa: PLC0415 - over half a second to import

    spread = np.append(np.where((sd := x.std(axis=0)) > 0, sd, 1.0), 1.0)
    scaled = np.column_stack([x, np.ones(len(x))]) / spread
    base, balance = _odds(x, shipped, np.zeros(len(spread))), _balance(labels)
    sign = np.where(labels, 1.0, -1.0)

    def loss(change: Array) -> tuple[float, Array]:
        odds = base + scaled @ change
        slope = -sign * balance / (1.0 + np.exp(np.clip(sign * odds, -40.0, 40.0)))
        value = float((balance * _losses(odds, labels)).sum() + strength * (change @ change))
        return value, scaled.T @ slope + 2.0 * strength * change

    found = minimize(loss, np.zeros(len(spread)), jac=True, method="L-BFGS-B")
    change: Array = found.x / spread
    return change


def _odds(x: Array, shipped: StackedHead, delta: Array) -> Array:
    odds: Array = x @ (np.array(shipped.weights) + delta[:-1]) + shipped.intercept + delta[-1]
    return odds


def _losses(odds: Array, labels: Flags) -> Array:
    losses: Array = np.logaddexp(0.0, np.where(labels, -odds, odds))
    return losses


def _balance(labels: Flags) -> Array:
    positives, negatives = max(1, int(labels.sum())), max(1, int((~labels).sum()))
    return np.where(labels, 0.5 / positives, 0.5 / negatives)
