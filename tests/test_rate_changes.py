"""Rates over claims and citations between two runs: counts by hand, intervals against scipy's own paired bootstrap."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from scipy.stats import bootstrap
from scorecards import FAIL, PASS, SIGNATURE, UNKNOWN, card, claim

from showable.measure.rate_changes import NONE_COUNTED, added, count, rate_changes
from showable.measure.repeats import GateRow
from showable.records.outline import Outline
from showable.report.difference.markdown import render_gate_markdown
from showable.report.gate_text import render_decision
from showable.report.rate_words import change_said, rate_sides
from showable.ship_gate import decide

COUNTS = st.tuples(st.integers(0, 4), st.integers(0, 4))


def sides(before, after):
    """Take citation counts alone; claims are left at nothing."""
    return [(pair, (0, 0)) for pair in before], [(pair, (0, 0)) for pair in after]


def precision(before, after, seed=0):
    return rate_changes(*sides(before, after), seed=seed)[0]


def test_counts_are_those_of_the_measures():
    """Source: one citation that supports, one that is nowhere, one padding; two claims, one of them supported."""
    made = card(
        "a",
        "unsupported",
        claims=(
            claim("supported", (PASS, PASS), (PASS, FAIL)),
            claim("unsupported", (FAIL, UNKNOWN)),
        ),
    )
    assert count(made) == ((1, 2), (1, 1))
    line = Outline.model_validate_json(made.model_dump_json())
    assert count(line) == count(made)
    assert GateRow.of(line) == GateRow.of(made)
    assert count(card("b", "refused")) == NONE_COUNTED


def test_repeats_add_up():
    assert added([((1, 0), (2, 1)), ((0, 1), (3, 0))]) == ((1, 1), (5, 1))


def test_the_change_is_of_sums_and_not_a_mean_of_answers():
    """Source: 9 of 10 against 10 of 11 by hand; a mean of answers would give 0.5 against 0.545."""
    change = precision([(9, 0), (0, 1)], [(9, 0), (1, 1)])
    assert (change.baseline_passed, change.baseline_decided) == (9, 10)
    assert (change.candidate_passed, change.candidate_decided) == (10, 11)
    assert change.change == pytest.approx(10 / 11 - 9 / 10)
    assert (change.low, change.high) == (None, None), "two questions are too few"
    assert change_said(change) == "+0.9 points; no interval of 2 questions"
    assert rate_sides(change) == ("90.0 % (9/10)", "90.9 % (10/11)")


@pytest.mark.parametrize(
    ("before", "after"), [([], []), ([(0, 0)] * 20, [(1, 1)] * 20), ([(1, 1)] * 20, [(0, 0)] * 20)]
)
def test_nothing_decided_on_a_side_is_no_change_of_nought(before, after):
    change = precision(before, after)
    assert (change.change, change.low, change.high) == (None, None, None)
    assert change_said(change) == "cannot be compared"


def test_the_interval_is_that_of_scipy():
    """Source: scipy.stats.bootstrap, paired, percentile, of the same ratio; both are simulations, hence a tolerance."""
    generator = np.random.default_rng(5)
    before = [(int(p), int(3 - p)) for p in generator.binomial(3, 0.6, size=120)]
    after = [(int(p), int(3 - p)) for p in generator.binomial(3, 0.75, size=120)]
    change = precision(before, after)

    def difference(p, f, q, g, axis):
        p, f, q, g = (side.sum(axis=axis) for side in (p, f, q, g))
        return q / (q + g) - p / (p + f)

    columns = [np.array(column) for column in zip(*[(*b, *a) for b, a in zip(before, after, strict=True)], strict=True)]
    known = bootstrap(columns, difference, paired=True, method="percentile", n_resamples=4_000, rng=generator)
    assert change.low == pytest.approx(known.confidence_interval.low, abs=0.01)
    assert change.high == pytest.approx(known.confidence_interval.high, abs=0.01)


@given(st.lists(st.tuples(COUNTS, COUNTS), max_size=30))
def test_the_other_way_round_is_the_change_with_its_sign_turned(pairs):
    before, after = [b for b, _ in pairs], [a for _, a in pairs]
    there, back = precision(before, after), precision(after, before)
    assert there.questions == back.questions == sum(b + a != (0, 0, 0, 0) for b, a in pairs)
    if there.change is None:
        assert back.change is None
    else:
        assert there.change == pytest.approx(-back.change)
        assert there.low is None or -1 <= there.low <= there.high <= 1


def test_identical_sides_have_not_changed():
    change = precision([(1, 2)] * 15, [(1, 2)] * 15)
    assert (change.change, change.low, change.high) == (0, 0, 0)


def runs():
    supported = claim("supported", (PASS, PASS))
    padded = claim("unsupported", (PASS, FAIL))
    before = [
        card(f"q{n}", "unsupported" if n % 3 == 0 else "correct", claims=((padded,) if n % 3 == 0 else (supported,)))
        for n in range(30)
    ]
    return before, [card(f"q{n}", "correct", claims=(supported,)) for n in range(30)]


def test_the_gate_shows_it_and_decides_nothing_by_it():
    decision = decide(*runs(), SIGNATURE, SIGNATURE)
    assert decision.ship
    assert [(rate.name, rate.baseline_passed, rate.candidate_passed) for rate in decision.rates] == [
        ("citation_precision", 20, 30),
        ("citation_recall", 20, 30),
    ]
    console = Console(width=100, record=True)
    render_decision(decision, console=console)
    text = console.export_text()
    assert "citation_precision  66.6 % (20/30) → 100 % (30/30)" in text or "66.7 % (20/30) → 100 % (30/30)" in text
    assert "resampled by question" in " ".join(text.split())
    assert "| citation_recall |" in render_gate_markdown(decision)


def test_without_claims_nothing_is_shown():
    cards = [card(f"q{n}", "refused") for n in range(3)]
    decision = decide(cards, cards, SIGNATURE, SIGNATURE)
    console = Console(width=100, record=True)
    render_decision(decision, console=console)
    assert "Claims and citations" not in console.export_text()
    assert "claims and citations" not in render_gate_markdown(decision)


def test_a_run_written_before_keeps_its_rows():
    line = card("q").model_dump_json(exclude_defaults=True)
    assert GateRow.of(Outline.model_validate_json(line)).counted == NONE_COUNTED
