"""The floor under resolvability: false alarms over simulated weeks, traffic that crosses it, and the interval beside it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from showable.measure.floor import LEVEL, look_at_floor

WEEKS, ANSWERS = 200, 400


def week(rng, share, answers=ANSWERS, spread=0.0):
    """A week's answers with one to five citations each; `spread` lets whole answers be better or worse than the mean."""
    counts = rng.integers(1, 6, answers)
    bad = rng.random(answers) < spread
    each = np.where(bad, 0.5, (share - 0.5 * spread) / (1 - spread))
    return (rng.binomial(counts, each) / counts).tolist()


@pytest.mark.parametrize("spread", [0.0, 0.01], ids=["independent citations", "some answers fail as a whole"])
@pytest.mark.parametrize("floor", [0.99, 0.97])
def test_traffic_at_the_floor_raises_false_alarms_as_rarely_as_stated(floor, spread):
    """200 weeks looked at after every answer: at 1 % a week two are expected, more than seven come up once in 1,000 times."""
    rng = np.random.default_rng(1)
    alarms = sum(look_at_floor(week(rng, floor, spread=spread), floor).below for _ in range(WEEKS))
    assert alarms <= 7


@pytest.mark.parametrize(("floor", "share"), [(0.99, 0.995), (0.97, 0.985)])
def test_traffic_above_the_floor_raises_none(floor, share):
    rng = np.random.default_rng(2)
    assert not sum(look_at_floor(week(rng, share), floor).below for _ in range(WEEKS))


@pytest.mark.parametrize(("floor", "share", "within"), [(0.99, 0.95, 200), (0.97, 0.90, 120), (0.99, 0.5, 10)])
def test_traffic_that_crosses_the_floor_is_seen_within_the_week(floor, share, within):
    rng = np.random.default_rng(3)
    looks = [look_at_floor(week(rng, share), floor) for _ in range(50)]
    assert sum(look.below for look in looks) >= 48
    assert np.median([look.alarmed_at for look in looks if look.below]) <= within


def test_the_upper_end_holds_the_mean_as_often_as_stated():
    rng = np.random.default_rng(4)
    assert sum(look_at_floor(week(rng, 0.96), 0.99).upper < 0.96 for _ in range(WEEKS)) <= 7


@given(st.lists(st.floats(0, 1), max_size=60), st.floats(0.5, 1.0))
def test_a_window_below_its_floor_says_so_by_its_interval(shares, floor):
    look = look_at_floor(shares, floor)
    if not shares:
        assert (look.share, look.upper, look.below) == (None, None, False)
        return
    assert look.share <= look.upper <= 1.0
    assert look.below is (look.upper < floor or (look.upper == pytest.approx(floor) and look.below))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60), st.floats(0.5, 0.99), st.floats(0.5, 0.99))
def test_a_higher_floor_alarms_no_later(shares, one, other):
    low, high = sorted((one, other))
    if look_at_floor(shares, low).below:
        assert look_at_floor(shares, high).below


def test_a_floor_of_one_is_no_division_by_zero():
    assert look_at_floor([1.0] * 50, 1.0).below is False
    assert look_at_floor([0.0] * 50, 1.0).alarmed_at <= 5
    assert LEVEL == 0.01
