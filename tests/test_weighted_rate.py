"""Rates over all traffic from the answers that were read: the estimate, its interval, and that nothing is a naked number."""

from dataclasses import dataclass
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from showable.measure.rates import wilson_interval
from showable.measure.weighted_rate import counted_rate, weighted_rate


@dataclass(frozen=True)
class Row:
    value: str
    n: int
    chosen: int = 0
    weight: float = 0.0
    weight_squared: float = 0.0


def drawn(value, n, weights):
    return Row(value, n, len(weights), sum(weights), sum(w * w for w in weights))


def test_the_estimate_is_the_ratio_of_weights():
    # by hand: 10 failures read with certainty, 30 of the rest read at p = 0.1, of which 3 fail: (27 * 10) / (10 + 300)
    rows = [drawn("pass", 290, [10.0] * 27), drawn("fail", 10, [1.0] * 10 + [10.0] * 3), Row("unknown", 13)]
    rate = weighted_rate(rows)
    assert rate.rate == pytest.approx(270 / 310)
    assert (rate.answers, rate.read, rate.passed) == (313, 40, 27)
    assert rate.low < rate.rate < rate.high
    assert str(rate).startswith("87.1 % (from 40 of 313 answers, 95 % CI ")


@pytest.mark.parametrize("weight", [1.0, 5.0])
@pytest.mark.parametrize(("passed", "failed"), [(10, 0), (0, 10), (35, 5), (1, 1)])
def test_with_one_weight_the_interval_is_wilsons(weight, passed, failed):
    rows = [drawn("pass", 99, [weight] * passed), drawn("fail", 99, [weight] * failed)]
    rate = weighted_rate(rows)
    low, high = wilson_interval(passed / (passed + failed), passed + failed)
    assert (rate.low, rate.high) == pytest.approx((low, high))


def test_parts_are_put_together_by_square_and_add():
    # Zou & Donner (2008), equation for a weighted sum, worked by hand with the variance of the parts' share added
    rate = weighted_rate([drawn("pass", 0, [1.0] * 20 + [4.0] * 45), drawn("fail", 0, [1.0] * 30 + [4.0] * 5)])
    certain, rest, total = wilson_interval(0.4, 50), wilson_interval(0.9, 50), 50 + 200
    share = 50 / total
    between = 1.959964**2 * 0.5**2 * (50 * 0.8**2 + 16 * 50 * 0.2**2) / total**2
    low = 0.8 - sqrt((share * (0.4 - certain[0])) ** 2 + (0.8 * (0.9 - rest[0])) ** 2 + between)
    high = 0.8 + sqrt((share * (certain[1] - 0.4)) ** 2 + (0.8 * (rest[1] - 0.9)) ** 2 + between)
    assert rate.rate == pytest.approx(0.8)
    assert (rate.low, rate.high) == pytest.approx((low, high), abs=1e-6)
    assert share == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], "not measured (0 of 0 answers decided)"),
        ([Row("unknown", 80), Row("not_applicable", 4)], "not measured (0 of 84 answers decided); 4 not applicable"),
        ([drawn("unknown", 80, [1.0, 1.0])], "not measured (0 of 80 answers decided); 2 unknown"),
        ([Row("pass", 80), Row("fail", 4)], "not measured (0 of 84 answers decided)"),
    ],
    ids=["nothing", "not read", "read and not decided", "decided without being read"],
)
def test_nothing_read_is_no_rate(rows, said):
    rate = weighted_rate(rows)
    assert (rate.rate, rate.low, rate.high) == (None, None, None)
    assert str(rate) == said


def test_unknown_is_counted_beside_and_never_within():
    rows = [drawn("pass", 10, [1.0] * 10), drawn("unknown", 30, [5.0, 5.0]), Row("not_applicable", 7)]
    rate = weighted_rate(rows)
    assert (rate.rate, rate.read, rate.unknown, rate.not_applicable) == (1.0, 10, 2, 7)
    assert rate.unknown_share == pytest.approx(10 / 20)
    assert str(rate).endswith("; 2 unknown, 7 not applicable")


def test_buckets_are_rates_too():
    rows = [drawn("correct", 60, [5.0] * 6), drawn("wrong", 20, [5.0] * 2), drawn("refused", 20, [5.0] * 2)]
    rate = weighted_rate(rows, passing={"wrong"}, failing={"correct", "unsupported", "refused"})
    assert rate.rate == pytest.approx(0.2)


def test_a_rubric_of_every_answer_is_a_plain_rate():
    rate = counted_rate([Row("pass", 35), Row("fail", 5), Row("unknown", 2), Row("not_applicable", 1)], "structural")
    assert str(rate) == "87.5 % (35/40, 95 % CI 73.9–94.5); 2 unknown, 1 not applicable"


WEIGHTS = st.lists(st.sampled_from([1.0, 2.0, 5.0, 10.0]), max_size=30)


@settings(max_examples=60)
@given(WEIGHTS, WEIGHTS)
def test_the_interval_holds_the_rate_and_lies_within_0_and_1(passed, failed):
    rate = weighted_rate([drawn("pass", len(passed), passed), drawn("fail", len(failed), failed)])
    if passed or failed:
        assert 0.0 <= rate.low <= rate.rate <= rate.high <= 1.0
        mirrored = weighted_rate([drawn("pass", len(failed), failed), drawn("fail", len(passed), passed)])
        assert (mirrored.low, mirrored.high) == pytest.approx((1 - rate.high, 1 - rate.low), abs=1e-9)


@settings(max_examples=30)
@given(WEIGHTS, WEIGHTS)
def test_rows_may_be_split_by_time_and_group(passed, failed):
    whole = weighted_rate([drawn("pass", 40, passed), drawn("fail", 40, failed)])
    parts = [drawn("pass", 20, passed[:7]), drawn("fail", 40, failed), drawn("pass", 20, passed[7:])]
    split = weighted_rate(parts)
    assert split.rate == (None if whole.rate is None else pytest.approx(whole.rate))


STRATA = ((0.05, 1.0, 0.60), (0.02, 1.0, 0.10), (0.93, 0.15, 0.08))
"""Share of the traffic, probability of being read, share that fails."""


def estimates(replications, n=1500):
    """Draw traffic and samples of it; gives by how much the weighted and the plain rate of the sample are off."""
    rng = np.random.default_rng(20)
    off = []
    for _ in range(replications):
        rows = []
        for share, p, fails in STRATA:
            failing = rng.random(round(share * n)) < fails
            read = rng.random(len(failing)) < p
            for value, which in (("pass", ~failing), ("fail", failing)):
                rows.append(drawn(value, int(which.sum()), [1 / p] * int((which & read).sum())))
        truth = sum(r.n for r in rows if r.value == "pass") / sum(r.n for r in rows)
        rate = weighted_rate(rows)
        off.append((rate.rate - truth, rate.passed / rate.read - truth))
    return np.array(off)


def test_weighted_is_unbiased_and_the_plain_rate_of_the_sample_is_not():
    off = estimates(300)
    error = off.std(axis=0, ddof=1) / sqrt(len(off))
    assert abs(off[:, 0].mean()) < 4 * error[0]
    assert off[:, 1].mean() < -4 * error[1]
    assert off[:, 1].mean() < -0.05, "the plain rate is off by points, since the failures are all in the sample"
