from __future__ import annotations

import io
from dataclasses import replace

import pytest
from gate_runs import failing, gate, run

from showable.measure.decision import Decision
from showable.ship_gate import GateRow


def test_moved_questions_come_the_worst_first():
    decision = gate(run("wcuc"), run("cwco"))
    assert [(m.id, m.before, m.after, m.cause_after) for m in decision.moved] == [
        ("q1", "correct", "wrong", None),
        ("q3", "correct", "refused", "over_refusal"),
        ("q2", "unsupported", "correct", None),
        ("q0", "wrong", "correct", None),
    ]


@pytest.mark.parametrize(("before", "after"), [("cr", "co"), ("co", "cr"), ("rc", "jc")])
def test_a_refusal_that_becomes_due_or_undue_has_moved(before, after):
    sides = [run(side, answerable=True) for side in (before, after)]
    assert len(gate(*sides).moved) == 1


def test_every_count_line_carries_the_paired_test_and_the_questions_behind_it():
    decision = gate(run("c" * 10), run("w" * 6 + "c" * 4))
    wrong, acceptable = decision.lines[0], decision.lines[2]
    assert (wrong.test.better, wrong.test.worse, wrong.worse) == (0, 6, ("q0", "q1", "q2", "q3", "q4", "q5"))
    assert wrong.test.p == pytest.approx(0.03125)
    assert wrong.test.mid_p == pytest.approx(0.015625)
    assert wrong.test.adjusted_p == pytest.approx(5 * 0.03125)  # Holm over five lines
    assert acceptable.test.adjusted_p is None
    assert "prove ≥ 74.1 %" in str(decision.can_show)


def test_categories_inform_and_decide_nothing():
    before = [replace(row, category="adversarial" if n < 2 else "answerable") for n, row in enumerate(run("wwcc"))]
    after = [
        replace(row, bucket=bucket)
        for row, bucket in zip(before, ("correct", "wrong", "wrong", "correct"), strict=True)
    ]
    decision = gate(before, after)
    assert decision.ship
    assert [(line.name, line.baseline, line.candidate, line.ok) for line in decision.categories] == [
        ("answerable", 2, 1, None),
        ("adversarial", 0, 1, None),
    ]


def called(letters, expected=("correct",)):
    return [replace(row, category="answerable", expected=expected) for row in run(letters)]


def test_a_category_says_beside_acceptable_what_is_as_expected():
    """A refusal of what can be answered is acceptable, and not what the question called for."""
    decision = gate(called("ccw?"), called("rrrr"))
    [line] = decision.categories
    assert (line.baseline, line.candidate) == (2, 4)
    assert line.expected.baseline.model_dump() == {"met": 2, "missed": 1, "unknown": 1}
    assert line.expected.candidate.model_dump() == {"met": 0, "missed": 4, "unknown": 0}
    assert all(rule.expected is None for rule in decision.lines)
    assert gate(called("cc", ()), called("rr", ())).categories[0].expected is None
    assert Decision.model_validate_json(decision.model_dump_json()) == decision


def test_what_is_expected_of_repeats_is_held_against_the_majority():
    [line] = gate([called("c"), called("r"), called("c")], [called("r"), called("r"), called("c")]).categories
    assert (line.expected.baseline.met, line.expected.candidate.met) == (1, 0)


def test_what_is_expected_decides_nothing():
    alike = gate(called("cr", ("correct", "refused")), called("cr", ("correct", "refused")))
    never = gate(called("cr", ("wrong",)), called("cr", ("wrong",)))
    assert alike.ship is never.ship is True
    assert (alike.categories[0].expected.candidate.met, never.categories[0].expected.candidate.met) == (2, 0)


@pytest.mark.parametrize("width", [60, 71, 72, 80])
def test_as_expected_is_printed_in_every_form(width):
    from rich.console import Console

    from showable.report.difference.markdown import render_gate_markdown
    from showable.report.gate_text import render_decision

    def printed(decision):
        page = Console(file=io.StringIO(), width=width, no_color=True)
        render_decision(decision, console=page)
        return " ".join(page.file.getvalue().split())

    decision = gate(called("cccc"), called("rrrr"))
    text = printed(decision)
    assert ("acceptable 4 → 4, as expected 4/4 → 0/4" if width < 72 else "answerable 4 → 4 4/4 → 0/4") in text
    assert "is not as expected" in text
    assert "| answerable | 4 → 4 | 4/4 → 0/4 |" in render_gate_markdown(decision)
    assert "expected" not in printed(gate(called("cc", ()), called("cr", ())))


def test_a_decision_survives_json_with_the_shape_that_others_rely_on():
    """Source: DESIGN §7: ship, reasons[], moved[]."""
    decision = gate(run("ccw"), run("cww"))
    assert Decision.model_validate_json(decision.model_dump_json()) == decision
    assert {"ship", "reasons", "moved"} <= decision.model_dump().keys()


@pytest.mark.slow
def test_a_hundred_thousand_questions_take_a_moment():
    rows = [GateRow(id=str(n), bucket="correct", extra_claim_count=0) for n in range(100_000)]
    changed = [replace(row, extra_claim_count=int(row.id) % 2) for row in rows]
    assert failing(gate(rows, changed)) == {"extra_claim_count"}
