"""Tests on two runs over the same questions. They inform; the gate's hard rules are on counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import erfc, sqrt
from typing import Literal

from showable.records.wire import Wire

RESAMPLES = 9_999
MOST_RESAMPLED = 2_000
_BATCH = 500


class PairedTest(Wire):
    """A paired two-sided test: how many questions got better and worse, and p.

    `mid_p` belongs to McNemar's test alone; `adjusted_p` is `p` after Holm's correction, where several are read together.
    """

    kind: Literal["mcnemar", "sign_flip"]
    n: int
    better: int
    worse: int
    p: float
    mid_p: float | None = None
    adjusted_p: float | None = None


def mcnemar(better: int, worse: int, n: int) -> PairedTest:
    """Test yes/no outcomes of the same `n` questions by McNemar's exact test.

    `better` and `worse` are the discordant pairs. The exact p is the two-sided binomial test of `worse`
    out of both at 1/2; the mid-p takes off half of the probability of what was observed, in each tail (Fagerland,
    Lydersen & Laake 2013, BMC Med. Res. Methodol. 13: 91). No discordant pair: p = 1.
    """
    discordant = better + worse
    if not discordant:
        return PairedTest(kind="mcnemar", n=n, better=0, worse=0, p=1.0, mid_p=1.0)
    from scipy.stats import binom, binomtest  # noqa: PLC0415 - over a second to import

    p = float(binomtest(worse, discordant).pvalue)
    observed = float(binom.pmf(worse, discordant, 0.5))
    mid_p = 1.0 - observed / 2 if better == worse else p - observed
    return PairedTest(kind="mcnemar", n=n, better=better, worse=worse, p=p, mid_p=mid_p)


def sign_flip(before: Sequence[float], after: Sequence[float], *, higher_is_better: bool, seed: int) -> PairedTest:
    """Test graded scores of the same questions by flipping the signs of their differences.

    Under the hypothesis of no change each difference is as likely up as down (Fisher's randomisation test,
    paired). All sign patterns are taken up to 13 changed questions, 9,999 seeded ones up to 2,000, and the
    normal limit of the same distribution beyond. Questions without a difference say nothing either way.
    """
    sign = 1 if higher_is_better else -1
    differences = [sign * (b - a) for a, b in zip(before, after, strict=True) if a != b]
    better = sum(difference > 0 for difference in differences)
    return PairedTest(
        kind="sign_flip",
        n=len(before),
        better=better,
        worse=len(differences) - better,
        p=_sign_flip_p(differences, seed) if differences else 1.0,
    )


def _sign_flip_p(differences: Sequence[float], seed: int) -> float:
    if len(differences) > MOST_RESAMPLED:
        return erfc(abs(sum(differences)) / sqrt(2 * sum(d * d for d in differences)))
    if len(differences) == 1:
        return 1.0  # one sign flipped either way; the library wants two observations
    import numpy as np  # noqa: PLC0415 - with the next line: over a second to import
    from scipy.stats import permutation_test  # noqa: PLC0415

    result = permutation_test(
        (np.asarray(differences, dtype=np.float64),),
        np.sum,
        permutation_type="samples",
        vectorized=True,
        n_resamples=RESAMPLES,
        batch=_BATCH,
        random_state=np.random.default_rng(seed),
    )
    return float(result.pvalue)


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Adjust p values that are read together, so that one false alarm among them stays as rare as alpha.

    Holm (1979), Scand. J. Stat. 6: 65, step-down; the order of the mapping is kept.
    """
    adjusted: dict[str, float] = {}
    running = 0.0
    for rank, name in enumerate(sorted(p_values, key=p_values.__getitem__)):
        running = max(running, min(1.0, (len(p_values) - rank) * p_values[name]))
        adjusted[name] = running
    return {name: adjusted[name] for name in p_values}
