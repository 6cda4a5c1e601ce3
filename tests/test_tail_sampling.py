"""Which answers a judge reads: strata in their order, thresholds from earlier answers alone, and draws that repeat."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from showable.errors import SettingError
from showable.measure.tail_sampling import (
    MOST_SERVICES,
    WARM_UP,
    WINDOW,
    RunningTop,
    TailSampler,
    Traits,
    draw,
)
from showable.records.findings import Outcome

PASS, FAIL, UNKNOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE


def traits(key="t", **of):
    return Traits(**{"key": key, "structural": PASS, "resolvability": PASS, **of})


@pytest.mark.parametrize(
    ("of", "stratum", "probability"),
    [
        ({"structural": FAIL}, "failure", 1.0),
        ({"resolvability": FAIL}, "failure", 1.0),
        ({"resolvability": FAIL, "cohort": "b", "declines": True, "always": True}, "failure", 1.0),
        ({"always": True, "cohort": "b"}, "rule", 1.0),
        ({"cohort": "b", "declines": True}, "cohort", 1.0),
        ({"declines": True, "structural": NOT_APPLICABLE}, "refusal", 1.0),
        ({"resolvability": UNKNOWN}, "rest", 0.15),
        ({"share": 0.1}, "rest", 0.1),
        ({"semantic": False, "structural": FAIL, "always": True}, "off", 1.0),
    ],
)
def test_the_first_stratum_that_holds_decides(of, stratum, probability):
    made = TailSampler().choose(traits(**of))
    assert (made.stratum, made.probability) == (stratum, probability)
    assert made.chosen or stratum in {"rest", "off"}
    assert not (made.chosen and stratum == "off")


def test_refusals_may_be_read_in_part():
    sampler = TailSampler(refusals=0.25)
    made = [sampler.choose(traits(f"t{n}", declines=True)) for n in range(400)]
    assert {(m.stratum, m.probability) for m in made} == {("refusal", 0.25)}
    assert 60 < sum(m.chosen for m in made) < 140  # 100 ± 4.6 standard errors
    with pytest.raises(SettingError, match="the share of refusals"):
        TailSampler(refusals=0.0)


def test_the_tail_is_held_against_earlier_answers_of_its_service():
    sampler = TailSampler()
    for n in range(WARM_UP):
        assert sampler.choose(traits(f"t{n}", service="a", latency_ms=1e9 if n == 0 else float(n))).stratum == "rest"
    # by hand: of 200 values the 198th smallest is 198, and 1 % lie above it
    assert sampler.choose(traits(service="a", latency_ms=198.0)).stratum == "rest"
    assert sampler.choose(traits(service="a", latency_ms=199.5)).stratum == "latency"
    assert sampler.choose(traits(service="b", latency_ms=1e9)).stratum == "rest", "another service has no threshold yet"
    assert sampler.choose(traits(service="a", latency_ms=float("nan"))).stratum == "rest"
    assert sampler.choose(traits(service="a")).stratum == "rest", "no latency is no tail"


def test_cost_has_a_threshold_of_its_own():
    sampler = TailSampler()
    for n in range(WARM_UP):
        sampler.choose(traits(cost_usd=0.001 * n))
    assert sampler.choose(traits(cost_usd=5.0)).stratum == "cost"


@settings(max_examples=25)
@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=120))
def test_the_running_threshold_is_the_exact_one_of_the_window(values):
    top = RunningTop(window=50, warm_up=20, top=0.1)
    for n, value in enumerate(values, 1):
        top.add(value)
        held = values[max(0, n - 50) : n]
        expected = None if len(held) < 20 else np.quantile(held, 0.9, method="inverted_cdf")
        assert top.threshold == expected


def test_memory_is_bounded_by_window_and_services():
    sampler = TailSampler()
    for n in range(MOST_SERVICES + 50):
        sampler.choose(traits(service=f"s{n}", latency_ms=1.0))
    assert len(sampler._tops) == MOST_SERVICES
    top = RunningTop()
    for n in range(3 * WINDOW):
        top.add(float(n % 7))
    assert len(top._ordered) == len(top._in_time) == WINDOW


def test_a_draw_depends_on_trace_and_seed_alone():
    assert draw("abc", 0) == draw("abc", 0) != draw("abc", 1)
    # coreutils: printf "0\nabc" | b2sum -l 64 gives a60350cf…, over 2**64; no later version may choose otherwise
    assert draw("abc", 0) == pytest.approx(0.648488, abs=1e-6)
    numbers = np.array([draw(f"{n:032x}", 0) for n in range(4000)])
    assert np.histogram(numbers, bins=10, range=(0, 1))[0].min() > 320, "400 expected in each, ± 19"


def test_a_larger_share_reads_all_that_a_smaller_one_does():
    few = {n for n in range(500) if TailSampler().choose(traits(f"{n}", share=0.1)).chosen}
    more = {n for n in range(500) if TailSampler().choose(traits(f"{n}", share=0.3)).chosen}
    assert few < more
