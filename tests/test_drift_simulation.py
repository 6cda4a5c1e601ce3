"""The simulation of drift, small and seeded: what is degraded alarms, what is not does not, and the tables print."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))

import drift_simulation as sim

JUDGE = {change.name: change for change in sim.JUDGE_CHANGES}
STREAM = {change.name: change for change in sim.STREAM_CHANGES}


@pytest.mark.parametrize(
    ("name", "n", "least", "most"),
    [
        ("none, the same answers", 200, 0, 0),
        pytest.param("none; 10 % of answers differ each time", 200, 0, 3, marks=pytest.mark.slow),
        pytest.param("20 % of verdicts flipped", 400, 28, 30, marks=pytest.mark.slow),
        ("threshold up, TPR 80 to 60 %", 200, 27, 30),
    ],
)
def test_degraded_judges_alarm_and_unchanged_ones_do_not(name, n, least, most):
    assert least <= sim.anchor_alarms((JUDGE[name], n, 30, 0)) <= most


def test_a_stream_that_refuses_more_alarms_soon(monkeypatch):
    monkeypatch.setattr(sim, "HORIZON", 300)
    monkeypatch.setattr(sim, "STEADY", 50)
    (delay,) = sim.stream_delays((STREAM["refusal rate + 20 points"], 500, 1, 0, 0))
    assert 0 <= delay < 250


def test_a_change_is_what_it_is_called():
    rng = np.random.default_rng(0)
    found = sim.stream_of(STREAM["refusal rate + 20 points"], 8000, rng, at=4000)
    refused = np.array([one.outcomes["refusal_rate"] for one in found])
    assert refused[:4000].mean() == pytest.approx(sim.REFUSED, abs=0.02)
    assert refused[4000:].mean() == pytest.approx(sim.REFUSED + 0.2, abs=0.02)
    rows = sim.anchor_of(JUDGE["threshold up, TPR 80 to 70 %"], 8000, rng)
    tpr = [np.mean([getattr(row, side) for row in rows if row.label]) for side in ("before", "now")]
    assert tpr == pytest.approx([0.8, 0.7], abs=0.02)
    assert sim.share(1, 4).startswith("25.0 [")


def test_the_cells_of_the_tables():
    inf = float("inf")
    assert sim.stream_cells(np.array([inf] * 9 + [5.0]), unchanged=True).startswith("10.0 [")
    said = sim.stream_cells(np.array([-3.0, 10.0, 20.0, inf]), unchanged=False)
    assert said.startswith("66.7 [")  # the one before the change is not in time
    assert said.endswith("| 20 | > 800")
    assert sim.first_n([1, 40, 60, 95, 100], 100, 0.5) == "400"
    assert sim.first_n([1, 40, 60, 70, 80], 100, 0.9) == "> 1600"
    assert sim.first_n([0, 0, 1, 2, 1], 100, 0.5) == "–"
