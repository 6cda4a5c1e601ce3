"""Rates with the judge's errors taken out, and intervals of shares: against statsmodels, published figures and limits."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from showable.measure.corrected_rate import corrected_rate, design_effect
from showable.measure.rates import wilson_interval

ENDLESS = 10**12


@pytest.mark.parametrize(
    ("seen", "tpr", "tnr", "rate", "source"),
    [
        ((23, 150), 0.96, 0.89, 0.051, "epiR, epi.prev, first example: brucellosis, 5.1 per 100"),
        ((6, 151), 0.964, 0.927, 0.0, "epiR, epi.prev, second example (Moujaber et al. 2008): 0 per 100, cut off at 0"),
        ((16, 100), 0.90, 0.95, 0.1294, "bootComb, adjPrevSensSpec: (.16 + .95 - 1) / .85"),
        ((100, 100), 0.9, 0.9, 1.0, "cut off at 1"),
        ((50, 100), 1.0, 1.0, 0.5, "a judge without errors changes nothing"),
    ],
)
def test_rogan_and_gladens_estimate(seen, tpr, tnr, rate, source):
    (yes, n), controls = seen, 10_000
    found = corrected_rate(yes, n, tpr * controls, (1 - tpr) * controls, (1 - tnr) * controls, tnr * controls)
    assert found.rate == pytest.approx(rate, abs=5e-4), source
    assert found.low <= found.rate <= found.high
    assert found.observed == pytest.approx(yes / n)
    assert (found.observed_low, found.observed_high) == pytest.approx(proportion_confint(yes, n, method="wilson"))


@settings(max_examples=60)
@given(st.integers(1, 200), st.floats(0, 1), st.floats(0.6, 0.99), st.floats(0.6, 0.99))
def test_with_error_rates_known_for_certain_the_interval_is_agresti_and_coulls(n, share, tpr, tnr):
    # Lang & Reiczigel 2014: as the controls grow without end only the observed rate varies, and its n' and p' are those
    # of Agresti & Coull 1998; each limit then goes through (p + TNR - 1) / (TPR + TNR - 1).
    yes = round(share * n)
    found = corrected_rate(yes, n, tpr * ENDLESS, (1 - tpr) * ENDLESS, (1 - tnr) * ENDLESS, tnr * ENDLESS)
    z2 = 1.959963984540054**2
    centre = (yes + z2 / 2) / (n + z2)
    half = sqrt(z2 * centre * (1 - centre) / (n + z2))
    limits = [min(1.0, max(0.0, (p + tnr - 1) / (tpr + tnr - 1))) for p in (centre - half, centre + half)]
    assert found.low == pytest.approx(min(limits[0], found.rate), abs=1e-5)
    assert found.high == pytest.approx(max(limits[1], found.rate), abs=1e-5)


def test_lang_and_reiczigel_by_hand():
    # 60 of 100 seen; TPR 40/50, TNR 45/50. z² = 3.84146.
    # n' = 103.84146, p' = 61.92073 / 103.84146 = .596301; TPR' = 41/52 = .788462, TNR' = 46/52 = .884615, J' = .673077
    # P' = (.596301 + .884615 - 1) / .673077 = .714504
    # TPR' var .788462 * .211538 / 52 = .00320750; TNR' var .884615 * .115385 / 52 = .00196290
    # shift 7.68292 * (.714504 * .00320750 - .285496 * .00196290) = .0133017
    # var (.596301 * .403699 / 103.84146 + .510516 * .00320750 + .081508 * .00196290) / .453033 = .00908517, root .0953162
    # .7278057 ± 1.959964 * .0953162: .540989 to .914622
    found = corrected_rate(60, 100, 40, 10, 5, 45)
    assert found.rate == pytest.approx(5 / 7)
    assert (found.low, found.high) == pytest.approx((0.540989, 0.914622), abs=2e-5)


def test_more_labels_narrow_it_and_a_design_effect_widens_it():
    widths = []
    for times in (1, 4, 16):
        found = corrected_rate(600, 1000, 40 * times, 10 * times, 5 * times, 45 * times)
        widths.append(found.high - found.low)
    assert widths[0] > widths[1] > widths[2]
    plain, grouped = corrected_rate(60, 100, 40, 10, 5, 45), corrected_rate(60, 100, 40, 10, 5, 45, design_effect=2)
    assert grouped.rate == plain.rate
    assert grouped.high - grouped.low > plain.high - plain.low
    assert grouped == corrected_rate(30, 50, 20, 5, 2.5, 22.5).model_copy(update={"n": 100})


@pytest.mark.parametrize(
    ("cells", "says"),
    [
        ((10, 40, 10, 40), "no better than chance here"),
        ((20, 30, 40, 10), "no better than chance here"),
        ((26, 24, 25, 25), "may be no better than chance"),
        ((3, 1, 1, 3), "may be no better than chance"),
        ((0, 0, 5, 45), "no labels of both classes"),
        ((40, 10, 0, 0), "no labels of both classes"),
    ],
)
def test_a_judge_that_may_be_no_better_than_chance_is_refused(cells, says):
    found = corrected_rate(60, 100, *cells)
    assert (found.rate, found.low, found.high) == (None, None, None)
    assert says in found.reason
    assert found.observed == 0.6


@settings(max_examples=60)
@given(st.integers(0, 50), *[st.integers(0, 60)] * 4)
def test_every_answer_is_a_rate_within_0_and_1_or_a_reason(yes, tp, fn, fp, tn):
    found = corrected_rate(yes, 50, tp, fn, fp, tn)
    assert (found.rate is None) == (found.reason is not None)
    if found.rate is not None:
        assert 0.0 <= found.low <= found.rate <= found.high <= 1.0


def test_the_design_effect_is_one_of_rows_that_stand_alone_and_the_size_of_a_question_whose_rows_are_alike():
    rng = np.random.default_rng(1)
    alike = rng.random(4_000) < 0.8
    assert design_effect(alike, np.arange(4_000)) == pytest.approx(1.0, abs=0.01)
    assert design_effect(np.repeat(alike, 4), np.repeat(np.arange(4_000), 4)) == pytest.approx(4.0, rel=0.01)
    assert design_effect(np.ones(8, dtype=bool), np.arange(8)) == 1.0
    assert design_effect([True, False], ["q1", "q1"]) == 1.0
    assert design_effect([True, False, True, False], "aabb") == 1.0, "rows that go against each other: never below 1"
    # by hand: deviations of ±1 a question, 2 · 2/1 over 4 · 1/4
    assert design_effect([True, True, False, False], "aabb") == 4.0
    assert design_effect([], []) == 1.0


@given(st.integers(1, 300), st.floats(0, 1))
@settings(max_examples=40)
def test_wilson_is_statsmodels(n, share):
    count = round(share * n)
    assert wilson_interval(count / n, n) == pytest.approx(proportion_confint(count, n, method="wilson"), abs=1e-12)
