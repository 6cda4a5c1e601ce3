"""The chart of a rate: exact against enumeration and dense algebra, its false-alarm rate against simulation; PSI and KS."""

from fractions import Fraction
from itertools import product
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from tables import every_row

from showable.measure.drift import bernoulli_chart as chart
from showable.measure.drift import distribution
from showable.measure.drift.bernoulli_chart import Reference

EIGHTHS = Reference(0.1, 0.15, 1, 8)
THIRDS = Reference(0.3, 0.37, 1, 3)


def page(reference, events):
    """Page's recursion, one answer at a time, in fractions."""
    total, sums = Fraction(0), []
    for event in events:
        total = max(Fraction(0), total + int(event) - Fraction(reference.down, reference.parts))
        sums.append(total * reference.parts)
    return [int(one) for one in sums]


@given(st.lists(st.booleans(), min_size=1, max_size=60), st.sampled_from([EIGHTHS, THIRDS, Reference(0.5, 0.6, 8, 15)]))
def test_the_path_is_pages_recursion(events, reference):
    assert chart.path(reference, np.array(events)).tolist() == page(reference, events)


@pytest.mark.parametrize("rate", [0.05, 0.3, 0.8])
@pytest.mark.parametrize(("reference", "limit"), [(EIGHTHS, 12), (THIRDS, 4), (THIRDS, 1)])
def test_survival_is_what_enumerating_every_sequence_gives(reference, limit, rate):
    steps = 9
    alive = np.zeros(steps)
    for events in product([False, True], repeat=steps):
        probability = np.prod([rate if event else 1 - rate for event in events])
        first = next((i for i, value in enumerate(page(reference, events)) if value >= limit), steps)
        alive[:first] += probability
    assert chart.survival(reference, limit, np.array([rate]), steps)[:, 0] == pytest.approx(alive, abs=1e-12)


@pytest.mark.parametrize(("reference", "limit", "rate"), [(EIGHTHS, 30, 0.2), (THIRDS, 9, 0.3), (EIGHTHS, 8, 0.05)])
def test_the_run_length_is_that_of_the_dense_chain_and_the_sum_of_survival(reference, limit, rate):
    chain = np.zeros((limit, limit))
    for state in range(limit):
        if state + reference.up < limit:
            chain[state, state + reference.up] += rate
        chain[state, max(0, state - reference.down)] += 1 - rate
    dense = np.linalg.solve(np.eye(limit) - chain, np.ones(limit))[0]
    found = chart.run_length(reference, limit, rate)
    assert found == pytest.approx(dense, rel=1e-9)
    alive = chart.survival(reference, limit, np.array([rate]), 6000)[:, 0]
    assert found == pytest.approx(1 + alive.sum(), rel=1e-3)


def test_a_chart_that_one_event_sets_off_has_a_geometric_run_length():
    assert chart.run_length(EIGHTHS, EIGHTHS.up, 0.04) == pytest.approx(25.0)


@every_row("before", [0.001, 0.03, 0.1, 0.3, 0.5, 0.9])
@every_row("shift", [0.02, 0.05, 0.1])
def test_a_reference_is_tuned_to_about_the_shift_that_is_asked_for(before, shift):
    found = Reference.between(before, shift)
    wanted = min(shift, (1 - before) / 2)
    assert 0.74 * wanted <= found.after - before <= 1.26 * wanted
    # γ by its definition: where both rates make an outcome equally likely on the whole (Reynolds & Stoumbos 1999, eq. 4)
    gamma = log((1 - before) / (1 - found.after)) / log(found.after * (1 - before) / (before * (1 - found.after)))
    assert found.down / found.parts == pytest.approx(gamma, rel=1e-6)
    assert before < gamma < found.after


@given(st.integers(100, 100_000), st.floats(0, 1), st.floats(0.01, 0.5))
def test_every_rate_with_room_has_a_reference(n, share, shift):
    before = (round(share * n) + 0.5) / (n + 1)
    if chart.has_room(before):
        found = Reference.between(before, shift)
        assert 0 < found.down < found.parts
        assert before < found.after < 1
    else:
        assert before > 0.99


def test_the_limit_is_the_lowest_that_keeps_the_false_alarms():
    reference = Reference.between(0.1, 0.1)
    limit = chart.limit_for(reference, 50, 500, 300, 0.01)
    assert chart.false_alarm_rate(reference, limit, 50, 500, 300) <= 0.01
    assert chart.false_alarm_rate(reference, int(0.95 * limit), 50, 500, 300) > 0.01


def test_the_false_alarm_rate_is_that_of_simulated_streams_with_a_rate_that_is_only_estimated():
    rng, reference, limit, n = np.random.default_rng(3), EIGHTHS, 70, 4000
    rates = rng.beta(20.5, 180.5, n)[:, None]
    steps = np.where(rng.random((n, 400)) < rates, reference.up, -reference.down)
    total = np.cumsum(steps, axis=1)
    sums = total - np.minimum(np.minimum.accumulate(total, axis=1), 0)
    simulated = (sums.max(axis=1) >= limit).mean()
    exact = chart.false_alarm_rate(reference, limit, 20, 200, 400)
    assert exact == pytest.approx(simulated, abs=3 * (simulated * (1 - simulated) / n) ** 0.5)


def test_a_short_baseline_asks_for_a_higher_limit():
    limits = [chart.limit_for(EIGHTHS, n // 10, n, 300, 0.01) for n in (100, 300, 3000)]
    assert limits == sorted(limits, reverse=True)
    assert limits[0] > limits[-1]


def test_no_chart_is_laid_that_could_see_hardly_anything():
    assert chart.limit_for(Reference.between(0.5, 0.05), 50, 100, 600, 0.0001) is None


def test_the_beginning_of_a_change_is_found():
    events = np.array([i % 10 == 0 for i in range(200)] + [i % 2 == 0 for i in range(60)])
    assert chart.began_at(events, 259, 0.1) == 200
    assert chart.began_at(np.array([True]), 0, 0.1) == 0


def test_answers_to_see_is_where_survival_falls_below_a_fifth():
    seen = chart.answers_to_see(EIGHTHS, 40, 0.3, 500)
    alive = chart.survival(EIGHTHS, 40, np.array([0.3]), 500)[:, 0]
    assert alive[seen - 1] <= 0.2 < alive[seen - 2]
    assert chart.answers_to_see(EIGHTHS, 400, 0.05, 50) is None


def test_the_stability_index_by_hand():
    # before 10, 30; after 30, 10; half a count in each bin: shares 10.5/41 and 30.5/41; 2 · (20/41) · ln(30.5/10.5)
    assert distribution.stability_index([10, 30], [30, 10]) == pytest.approx(2 * 20 / 41 * log(30.5 / 10.5))
    assert distribution.stability_index([7, 3], [70, 30]) == pytest.approx(0, abs=2e-3)
    assert distribution.stability_index([5, 5, 0], [5, 5, 0]) == 0


def test_spreads_that_moved_and_that_did_not():
    rng = np.random.default_rng(0)
    before, same, lower = rng.beta(4, 2, 500), rng.beta(4, 2, 250), rng.beta(3, 3, 250)
    found = distribution.spread_moved(before, lower, 250)
    assert (found.value, found.p) == tuple(stats.ks_2samp(before, lower))
    assert found.start == 250
    assert found.p < 1e-6 > distribution.spread_moved(before, lower, 0).p
    assert distribution.spread_moved(before, same, 0).p > 0.01 < distribution.index_moved(before, same, 0, 1).p
    assert distribution.index_moved(before, lower, 0, 1).p == 1 / 10_000


def test_the_p_of_the_index_is_that_of_the_chi_square_limit_in_large_samples():
    # PSI · n·m/(n+m) tends to χ² with bins - 1 degrees (Yurdakul & Naranjo 2020, J. Risk Model Valid. 14: 89)
    rng = np.random.default_rng(5)
    before, after = rng.random(4000), np.concatenate([rng.random(1900), rng.uniform(0, 0.5, 100)])
    found = distribution.index_moved(before, after, 0, 0)
    scaled = found.value * 4000 * 2000 / 6000
    assert found.p == pytest.approx(float(stats.chi2.sf(scaled, 9)), abs=0.02)


def test_scores_that_are_all_alike_do_not_move():
    assert distribution.index_moved(np.full(200, 0.5), np.full(250, 0.5), 0, 0).p == 1
    assert distribution.whole_blocks(249, 1000) == []
    assert distribution.whole_blocks(1600, 1000) == [500, 750, 1000, 1250]
    assert distribution.blocks_in(100) == 1
