from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from showable.measure.bootstrap import MOST_DISTINCT, ClusterCounts
from showable.measure.rates import Rate, percent, wilson_interval
from showable.records import OutcomeCounts

PUBLISHED_INTERVALS = [
    # passed, n, low, high, source
    (81, 263, 0.2553, 0.3662, "Newcombe 1998, Stat. Med. 17: 857, table I, method 3"),
    (15, 148, 0.0624, 0.1605, "Newcombe 1998, table I, method 3"),
    (0, 20, 0.0, 0.1611, "Newcombe 1998, table I, method 3"),
    (1, 29, 0.0061, 0.1718, "Newcombe 1998, table I, method 3"),
    (35, 40, 0.7389, 0.9454, "scipy 1.17 binomtest"),
]


@pytest.mark.parametrize(("passed", "n", "low", "high", "source"), PUBLISHED_INTERVALS)
def test_wilson_gives_the_published_interval(passed, n, low, high, source):
    assert wilson_interval(passed / n, n) == pytest.approx((low, high), abs=6e-5), source


@given(st.integers(1, 500), st.data())
def test_wilson_equals_scipy(n, data):
    passed = data.draw(st.integers(0, n))
    expected = binomtest(passed, n).proportion_ci(method="wilson")
    assert wilson_interval(passed / n, n) == pytest.approx((expected.low, expected.high), abs=1e-9)


@given(st.integers(0, 300), st.integers(0, 300))
def test_a_rate_lies_in_its_interval_which_has_width(passed, failed):
    rate = Rate.of(OutcomeCounts(passed=passed, failed=failed))
    if passed + failed == 0:
        assert (rate.rate, rate.low, rate.high) == (None, None, None)
    else:
        assert 0 <= rate.low <= rate.rate <= rate.high <= 1
        assert rate.low < rate.high
        assert rate.n == passed + failed


PRINTED = [
    (OutcomeCounts(passed=35, failed=5), "87.5 % (35/40, 95 % CI 73.9–94.5)"),
    (
        OutcomeCounts(passed=35, failed=5, unknown=2, not_applicable=3),
        "87.5 % (35/40, 95 % CI 73.9–94.5); 2 unknown, 3 not applicable",
    ),
    (OutcomeCounts(passed=35, failed=5, not_applicable=3), "87.5 % (35/40, 95 % CI 73.9–94.5); 3 not applicable"),
    (OutcomeCounts(passed=0, failed=5), "0 % (0/5, 95 % CI 0–43.4)"),
    (OutcomeCounts(unknown=12), "not measured (0 of 12 could be checked)"),
    (OutcomeCounts(unknown=12, not_applicable=1), "not measured (0 of 12 could be checked); 1 not applicable"),
    (OutcomeCounts(), "not measured (0 of 0 could be checked)"),
]


@pytest.mark.parametrize(("counts", "said"), PRINTED)
def test_a_rate_prints_with_its_counts_and_interval(counts, said):
    assert str(Rate.of(counts)) == said  # 35/40 from the brief of this part; the rest made by hand


def test_a_rate_survives_json():
    rate = Rate.of(OutcomeCounts(passed=3, failed=1, unknown=2), "citation_precision")
    assert Rate.model_validate_json(rate.model_dump_json()) == rate


@pytest.mark.parametrize(
    ("share", "said"), [(0.0, "0"), (1.0, "100"), (0.875, "87.5"), (0.99999, ">99.9"), (0.00001, "<0.1")]
)
def test_a_share_that_is_not_whole_never_prints_as_whole(share, said):
    assert percent(share) == said


def clustered(*pairs):
    counts = ClusterCounts()
    for passed, failed in pairs:
        counts.add(OutcomeCounts(passed=passed, failed=failed))
    return counts


def test_nothing_decided_has_no_interval():
    counts = ClusterCounts()
    counts.add(OutcomeCounts(unknown=3))
    rate = counts.rate("groundedness")
    assert (rate.rate, rate.low, rate.high, rate.n, rate.unknown) == (None, None, None, 0, 3)


@pytest.mark.parametrize("pair", [(5, 0), (0, 5), (1, 1), (3, 1)])
def test_answers_that_are_all_alike_count_as_one_observation_each(pair):
    rate = clustered(*[pair] * 40).rate()
    assert (rate.low, rate.high) == wilson_interval(pair[0] / sum(pair), 40)
    assert rate.n == 40


def test_few_answers_get_the_wide_interval():
    rate = clustered((9, 1), (8, 2), (10, 0)).rate()
    assert (rate.low, rate.high) == wilson_interval(27 / 30, 3)


def test_clustered_claims_give_a_wider_interval_than_independent_ones():
    rate = clustered(*[(10, 0)] * 30, *[(0, 10)] * 10).rate()
    independent = wilson_interval(0.75, 400)
    assert rate.high - rate.low > 2 * (independent[1] - independent[0])
    as_if_one_claim_each = wilson_interval(0.75, 40)
    assert (rate.low, rate.high) == pytest.approx(as_if_one_claim_each, abs=0.02)


def test_the_multinomial_draw_equals_resampling_the_answers_themselves():
    pairs = [(i % 4, (i * 7) % 3 + 1) for i in range(50)]
    table = np.array(pairs)
    rng = np.random.default_rng(1)
    drawn = table[rng.integers(0, 50, size=(4_000, 50))].sum(axis=1)
    plain = np.quantile(drawn[:, 0] / drawn.sum(axis=1), [0.025, 0.975])
    rate = clustered(*pairs).rate(seed=3)
    assert (rate.low, rate.high) == pytest.approx(tuple(plain), abs=0.01)


def test_the_interval_depends_on_the_seed_alone():
    pairs = [(i % 4, (i * 7) % 3 + 1) for i in range(50)]
    assert clustered(*pairs).rate(seed=7) == clustered(*reversed(pairs)).rate(seed=7)
    assert clustered(*pairs).rate(seed=7) != clustered(*pairs).rate(seed=8)


def test_answers_with_nothing_decided_are_counted_but_not_resampled():
    pairs = [(i % 4, (i * 7) % 3 + 1) for i in range(50)]
    with_gaps = clustered(*pairs, *[(0, 0)] * 20)
    assert with_gaps.interval() == clustered(*pairs).interval()


def test_beyond_many_distinct_answers_memory_is_flat_and_the_interval_agrees_with_the_bootstrap():
    few = [(40 + i % 31, 60 + i % 17) for i in range(5_000)]
    many = [(40 + i % 31, 60 + i % 37) for i in range(5_000)]
    bootstrapped, linearised = clustered(*few), clustered(*many)
    assert len(set(few)) <= MOST_DISTINCT < len(set(many))
    assert linearised._pairs is None
    expected = ClusterCounts._linearised(bootstrapped, bootstrapped.rate().rate)
    assert bootstrapped.interval() == pytest.approx(expected, abs=5e-4)
    low, high = linearised.interval()
    assert low < linearised.rate().rate < high


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=30), st.integers(0, 9))
def test_a_clustered_rate_adds_up_and_never_has_an_interval_without_width(pairs, seed):
    rate = clustered(*pairs).rate(seed=seed)
    assert (rate.passed, rate.failed) == (sum(p for p, _ in pairs), sum(f for _, f in pairs))
    if rate.rate is None:
        assert rate.passed + rate.failed == 0
    else:
        assert 0 <= rate.low < rate.high <= 1
        assert not math.isnan(rate.rate)
