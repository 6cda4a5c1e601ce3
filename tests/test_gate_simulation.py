"""The simulation of the gate: it is the gate's own rules that it applies, its changes are what they say, a stricter setting never ships more."""

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import every_row

from showable import ship_gate
from showable.judges.scripted import ScriptedJudge
from showable.measure.repeats import GateRow, pair
from showable.records import GENERAL
from showable.ship_gate import decide, reasons_against

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))

import gate_simulation as sim

from showable.evaluation import sign

SIGNED = sign(ScriptedJudge.of({}), GENERAL)
BY_NAME = {scenario.name: scenario for scenario in sim.SCENARIOS}
NEVER, GOLD, CLAIMS = sim.readers()


def rows(side):
    return [
        GateRow(
            id=str(i),
            bucket=bucket,
            cause="over_refusal" if bucket == "refused" and answerable else None,
            answerable=answerable,
            refusal_quality=quality if bucket == "refused" else None,
            extra_claim_count=extra,
            category="answerable" if answerable else "unanswerable",
        )
        for i, (bucket, answerable, quality, extra) in enumerate(side)
    ]


answers = st.tuples(st.sampled_from(sim.BUCKETS), st.booleans(), st.integers(0, 3), st.integers(0, 2))


@st.composite
def runs(draw):
    """Two sides of the same few questions, in one to three runs each."""
    n = draw(st.integers(1, 12))
    answerable = draw(st.lists(st.booleans(), min_size=n, max_size=n))

    def side():
        one = st.lists(answers, min_size=n, max_size=n)
        found = draw(st.lists(one, min_size=1, max_size=3))
        return [rows([(b, known, q, e) for (b, _, q, e), known in zip(run, answerable, strict=True)]) for run in found]

    before = side()
    return before, (before if draw(st.booleans()) and draw(st.booleans()) else side())


CAPS = st.floats(0.0, 1.0)


@given(runs(), CAPS, CAPS)
def test_a_lower_cap_never_ships_more(sides, one, other):
    paired = pair(*sides)
    low, high = sorted((one, other))
    assert reasons_against(paired, high) == [] or reasons_against(paired, low) != []


@given(runs(), st.sets(st.integers(0, len(ship_gate.RULES) - 1)))
def test_more_rules_never_ship_more(sides, kept):
    paired = pair(*sides)
    strict = reasons_against(paired)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ship_gate, "RULES", tuple(rule for i, rule in enumerate(ship_gate.RULES) if i in kept))
        assert set(reasons_against(paired)) <= set(strict)


@given(runs(), CAPS)
@settings(max_examples=25)
def test_the_rules_applied_here_are_those_of_the_decision(sides, cap):
    decision = decide(*sides, SIGNED, SIGNED, unknown_cap=cap)
    reasons = reasons_against(pair(*sides), cap)
    assert list(decision.reasons) == reasons
    assert decision.ship is not bool(reasons)


def test_no_questions_ship_nothing():
    assert reasons_against(pair([[]], [[]])) == ["there are no questions, so nothing was measured"]


@pytest.mark.parametrize("reader", [NEVER, GOLD, CLAIMS], ids=lambda reader: reader.name)
def test_a_reader_reads_every_answer_as_something(reader):
    assert reader.rates.shape == (4, 5)
    assert np.allclose(reader.rates.sum(axis=1), 1)
    assert (reader.rates >= 0).all()


def test_the_readers_err_as_was_measured():
    """Of docs/validity.md: 340 of 363, 12 of 143, 193 of 198; macro TPR 71.1, TNR 68.3; before declining and 2 % unknown."""
    read = 0.98 * (1 - 10 / 506)
    assert GOLD.rates[sim.CORRECT, sim.CORRECT] == pytest.approx(read * 340 / 363)
    assert GOLD.rates[sim.WRONG, sim.CORRECT] == pytest.approx(read * 12 / 143)
    assert GOLD.rates[sim.REFUSED, sim.REFUSED] == pytest.approx(0.98 * 193 / 198)
    assert CLAIMS.rates[sim.CORRECT, sim.CORRECT] == pytest.approx(read * 0.711)
    assert CLAIMS.rates[sim.UNSUPPORTED, sim.CORRECT] == pytest.approx(read * (1 - 0.683))


def counts(pipeline):
    return np.bincount(pipeline.usual, minlength=5)


MOVES = [
    # what changes in the counts of correct + refused, wrong, unsupported; None where it depends on the draw
    ("no change", 0, 0, 0),
    ("mends 8 (6 %)", 8, None, None),
    ("+5 wrong", -5, 5, 0),
    ("mends 3 unsupported, +1 wrong", 2, 1, -3),
    ("declines 8 it had correct", 0, 0, 0),
]


@every_row("row", MOVES)
@every_row("seed", range(5))
def test_a_change_is_what_it_is_called(row, seed):
    name, acceptable, wrong, unsupported = row
    rng = np.random.default_rng(seed)
    before = sim.draw(rng)
    after = sim.changed(before, BY_NAME[name], rng)
    moved = counts(after) - counts(before)
    assert moved[sim.CORRECT] + moved[sim.REFUSED] == acceptable
    assert wrong is None or moved[sim.WRONG] == wrong
    assert unsupported is None or moved[sim.UNSUPPORTED] == unsupported
    if name.startswith("declines"):
        assert moved[sim.REFUSED] == 8 == -moved[sim.CORRECT]


def cell(name, reader=NEVER, repeats=1, pairs=20, **more):
    return sim.simulate(sim.Setting(BY_NAME[name], reader, repeats, pairs, 0, **more))


def test_a_steady_pipeline_and_a_judge_that_never_errs_are_decided_right():
    for scenario in sim.SCENARIOS:
        steady = cell(scenario.name, flaky=0.0)
        assert steady.on_counts == (20 if scenario.should_ship == "yes" else 0), scenario.name
        assert steady.shipped <= steady.on_counts
    assert cell("no change", flaky=0.0).shipped == 20


def test_the_same_seed_gives_the_same_cell():
    once, twice = (cell("mends 4 (3 %)", GOLD, 3, 5) for _ in range(2))
    assert once == twice
    assert once.pairs == 5


def test_a_lower_cap_ships_no_more_over_the_same_pairs():
    shipped = [cell("no change", GOLD, 1, 15, cap=cap).shipped for cap in (0.0, 0.02, 0.05, 1.0)]
    assert shipped == sorted(shipped)


@pytest.mark.slow
def test_the_tables_print(capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["gate_simulation.py", "--pairs", "4", "--workers", "1"])
    monkeypatch.setattr(sim, "ProcessPoolExecutor", _Here)
    sim.main()
    said = capsys.readouterr().out
    assert said.count("\n| +1 wrong | no | ") == 3
    assert "| 5 % | " in said


class _Here:
    """A pool that runs in this process."""

    def __init__(self, workers):
        self.workers = workers

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    map = staticmethod(map)
