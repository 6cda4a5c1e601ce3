from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, permutation_test

from showable.measure.paired import MOST_RESAMPLED, holm, mcnemar, sign_flip
from showable.measure.power import can_show, detection_power, lower_bound, proves, smallest_drop

MCNEMAR = [
    # better, worse, exact p, mid-p, source
    (0, 6, 0.03125, 0.015625, "two-sided p < .05 needs 6-0"),
    (6, 0, 0.03125, 0.015625, "two-sided"),
    (0, 5, 0.0625, 0.03125, "mid-p 5-0"),
    (0, 4, 0.125, 0.0625, "4-0 shows nothing either way"),
    (1, 8, 0.0390625, 0.021484375, "binomial table"),
    (2, 2, 1.0, 0.8125, "Fagerland et al. 2013, eq. for b = c: 1 - pmf/2"),
    (0, 0, 1.0, 1.0, "nothing moved"),
]


@pytest.mark.parametrize(("better", "worse", "p", "mid_p", "source"), MCNEMAR)
def test_mcnemar_gives_exact_and_mid_p(better, worse, p, mid_p, source):
    test = mcnemar(better, worse, 130)
    assert (test.p, test.mid_p) == pytest.approx((p, mid_p)), source


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_the_binomial_test_and_symmetrical(better, worse):
    test, swapped = mcnemar(better, worse, 100), mcnemar(worse, better, 100)
    assert (test.p, test.mid_p) == pytest.approx((swapped.p, swapped.mid_p))
    assert 0 < test.mid_p <= test.p <= 1
    if better + worse:
        assert test.p == pytest.approx(binomtest(worse, better + worse).pvalue)


ALL_PASS = [(10, 74.1), (20, 86.1), (40, 92.8), (100, 97.0), (130, 97.7)]
ONE_MISS = [(10, 60.6), (20, 78.4), (40, 88.7), (130, 96.4)]


@pytest.mark.parametrize(
    ("passed", "n", "percent"), [*((n, n, p) for n, p in ALL_PASS), *((n - 1, n, p) for n, p in ONE_MISS)]
)
def test_what_n_can_show(passed, n, percent):
    """Source: the project's table of one-sided 95 % lower bounds."""
    assert 100 * lower_bound(passed, n) == pytest.approx(percent, abs=0.051)


@given(st.integers(1, 200), st.data())
def test_the_lower_bound_is_clopper_pearson(n, data):
    passed = data.draw(st.integers(0, n))
    expected = binomtest(passed, n, alternative="greater").proportion_ci(method="exact").low
    assert lower_bound(passed, n) == pytest.approx(expected, abs=1e-9)


POWER = [
    # n, net drop, exact, mid-p
    (130, 0.05, 0.37, 0.47),
    (130, 0.08, 0.72, 0.79),
    (130, 0.10, 0.86, 0.90),
    (40, 0.20, 0.71, 0.80),
    (20, 0.30, 0.53, 0.68),
]


@pytest.mark.parametrize(("n", "drop", "exact", "mid_p"), POWER)
def test_power_at_two_percent_fixes(n, drop, exact, mid_p):
    """Source: the project's table of power; two per cent of questions get mended."""
    assert detection_power(n, drop) == pytest.approx(exact, abs=0.02)
    assert detection_power(n, drop, mid_p=True) == pytest.approx(mid_p, abs=0.02)


@pytest.mark.slow
def test_power_agrees_with_simulation():
    rng = np.random.default_rng(0)
    draws = rng.multinomial(60, [0.02, 0.14, 0.84], size=2_000)
    seen = np.mean([mcnemar(b, w, 60).p <= 0.05 for b, w, _ in draws.tolist()])
    assert detection_power(60, 0.12) == pytest.approx(seen, abs=0.03)


def test_the_smallest_drop_is_where_power_reaches_four_in_five():
    drop = smallest_drop(130)
    assert detection_power(130, drop, mid_p=True) >= 0.8 > detection_power(130, drop - 0.001, mid_p=True)
    assert smallest_drop(4) is None
    assert smallest_drop(1_000) < drop


def test_what_n_can_show_is_said_in_a_sentence_that_promises_no_more_than_it_holds():
    assert str(can_show(130)).startswith("n = 130: all passing would only prove ≥ 97.7 %; a paired test sees net drops")
    assert str(can_show(3)).endswith("no net drop, however large, is seen by a paired test four times in five")
    assert proves(10) == "all passing would only prove ≥ 74.1 %"
    assert proves(1_000_000) == "all passing would only prove ≥ 99.9 %"  # rounded down: 100 % is never proved


def test_holm_steps_down():
    """Source: worked by hand after Holm 1979."""
    adjusted = holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.9})
    assert adjusted == pytest.approx({"a": 0.04, "b": 0.09, "c": 0.09, "d": 0.9})
    assert list(adjusted) == ["a", "b", "c", "d"]
    assert holm({}) == {}


@given(st.dictionaries(st.integers(), st.floats(0, 1), max_size=8))
def test_holm_never_lowers_a_p_and_keeps_their_order(p_values):
    named = {str(key): p for key, p in p_values.items()}
    adjusted = holm(named)
    assert all(named[key] <= adjusted[key] <= 1 for key in named)
    ranked = sorted(named, key=named.__getitem__)
    assert all(adjusted[a] <= adjusted[b] for a, b in pairwise(ranked))


SIGN_FLIPS = [
    # before, after, p, source
    ((0,) * 6, (1,) * 6, 2 / 64, "all six one way: 2 of the 64 sign patterns are as extreme"),
    ((0,) * 5, (1,) * 5, 2 / 32, "five: 2 of 32"),
    ((1, 2, 3), (1, 2, 3), 1.0, "nothing changed"),
    ((1, 3), (1, 2), 1.0, "one change: both signs are as extreme"),
    ((0, 0, 0), (2, 1, -1), 0.75, "sums of 2, 1, 1 with signs: 6 of 8 are at least 2 in size"),
]


@pytest.mark.parametrize(("before", "after", "p", "source"), SIGN_FLIPS)
def test_sign_flips_are_counted_exactly_when_few(before, after, p, source):
    test = sign_flip(before, after, higher_is_better=True, seed=0)
    assert test.p == pytest.approx(p), source
    assert test.n == len(before)


def test_sign_flip_says_which_way_is_better():
    up = sign_flip((0, 0, 1), (1, 2, 0), higher_is_better=True, seed=0)
    down = sign_flip((0, 0, 1), (1, 2, 0), higher_is_better=False, seed=0)
    assert (up.better, up.worse, down.better, down.worse) == (2, 1, 1, 2)
    assert up.p == down.p


def test_the_three_ways_to_the_sign_flip_p_agree():
    rng = np.random.default_rng(5)
    few = rng.choice([-1, 1, 2], size=12, p=[0.4, 0.4, 0.2])
    sampled = permutation_test(
        (few,), np.sum, permutation_type="samples", n_resamples=3_000, vectorized=True, random_state=1
    ).pvalue
    assert sign_flip([0] * 12, few.tolist(), higher_is_better=True, seed=0).p == pytest.approx(sampled, abs=0.03)
    many = rng.choice([-1, 1, 2], size=MOST_RESAMPLED, p=[0.5, 0.47, 0.03]).tolist()
    resampled = sign_flip([0] * len(many), many, higher_is_better=True, seed=0).p
    longer = [*many, 1, -1]
    limit = sign_flip([0] * len(longer), longer, higher_is_better=True, seed=0).p
    assert resampled == pytest.approx(limit, abs=0.03)


def test_sign_flip_depends_on_the_seed_alone():
    before, after = [0] * 40, [1, -1, 1, 2] * 10
    first = sign_flip(before, after, higher_is_better=True, seed=1)
    assert first == sign_flip(before, after, higher_is_better=True, seed=1)
