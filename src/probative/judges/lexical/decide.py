"""From signs to a verdict: a fixed logistic function for the probability, and rules for the label."""

from __future__ import annotations

import math

from probative.judges.lexical.signs import Signs

INTERCEPT = -4.0
COEFFICIENTS = (4.0, 1.0, 1.0, 0.2, -1.0, -0.3, -0.2, -0.2, -0.4, -1.0, -0.3)

def probability(signs: Signs) -> float:
    """Give the probability that the passage supports the claim."""
    z = INTERCEPT + sum(c * f for c, f in zip(COEFFICIENTS, signs.features(), strict=True))
    return 1.0 / (1.0 + math.exp(-z))
