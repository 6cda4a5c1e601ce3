from __future__ import annotations

from dataclasses import replace

import pytest
from gate_runs import BUCKET, failing, gate, run
from scorecards import SIGNATURE, card, few_cards
from tables import every_row

from showable.records import SettingError, Thresholds
from showable.ship_gate import GateRow, decide, majority, require_alike


def test_unlike_signatures_are_refused_with_what_differs():
    other = SIGNATURE.model_copy(update={"judge": "chat@2", "thresholds": Thresholds(support=0.7)})
    with pytest.raises(SettingError, match=r"judge: lexical@1 → chat@2; thresholds: 0\.5 → 0\.7"):
        decide(run("c"), run("c"), SIGNATURE, other)
    require_alike(SIGNATURE, SIGNATURE, SIGNATURE)
    with pytest.raises(SettingError, match="not measured alike"):
        require_alike(SIGNATURE, SIGNATURE, other)


def test_what_one_side_does_not_have_is_a_dash():
    other = SIGNATURE.model_copy(update={"judge": "chat@2", "prompt": "p@1"})
    assert SIGNATURE.differences(other) == ["judge: lexical@1 → chat@2", "prompt: - → p@1"]
    assert other.differences(SIGNATURE)[1] == "prompt: p@1 → -"


def test_other_questions_are_refused_with_the_first_that_are_missing():
    with pytest.raises(SettingError, match=r"7 missing from the candidate \(q3, q4, q5, q6, q7, …\)"):
        gate(run("c" * 10), run("ccc"))
    with pytest.raises(SettingError, match=r"1 missing from the baseline \(q2\)"):
        gate(run("cc"), run("ccc"))


def asked(*hashes):
    return [replace(row, question_hash=known) for row, known in zip(run("c" * len(hashes)), hashes, strict=True)]


def test_the_same_id_with_another_question_or_gold_is_refused_with_the_first_that_differ():
    with pytest.raises(SettingError, match=r"2 of the same id differ in question or gold .*candidate \(q1, q2\)"):
        gate(asked("a", "b", "c"), asked("a", "x", "y"))
    with pytest.raises(SettingError, match=r"baseline run 1 and the baseline run 2 \(q0\)"):
        gate([asked("a"), asked("b")], asked("a"))


def test_a_question_without_a_hash_on_one_side_is_the_same_by_its_id():
    assert gate(asked("a", None), asked(None, "b")).ship
    assert gate([asked(None), asked("a")], asked("a")).ship
    with pytest.raises(SettingError, match="differ in question or gold"):
        gate([asked(None), asked("a")], asked("b"))


def test_an_id_that_is_twice_in_a_run_is_refused():
    with pytest.raises(SettingError, match="'q0' is there twice"):
        gate(run("cc") + run("c"), run("cc"))


@pytest.mark.parametrize("cap", [-0.1, 1.1])
def test_a_cap_that_is_no_share_is_refused(cap):
    with pytest.raises(SettingError, match="fraction from 0 to 1"):
        gate(run("c"), run("c"), unknown_cap=cap)


def test_one_run_and_several_may_not_be_mixed_on_a_side():
    with pytest.raises(SettingError, match="not a mixture"):
        gate([*run("c"), run("c")], run("c"))


MAJORITIES = [
    ("ccw", "correct"),
    ("cw", "wrong"),
    ("cu", "unsupported"),
    ("wu", "wrong"),
    ("u?", "unsupported"),
    ("r?", "unknown"),
    ("cr", "refused"),
    ("ccwwr", "wrong"),
    ("w", "wrong"),
    ("ccwu?", "wrong"),  # two of five are acceptable: the failures differ, and of these each came once
    ("ccwu", "wrong"),  # half is not more than half
    ("ccuu?", "unsupported"),
    ("ccu??", "unknown"),  # the most frequent of the others
    ("crrwu", "refused"),  # three of five are acceptable
    ("cccwu", "correct"),
    ("crwu?", "wrong"),
    ("cr??w", "unknown"),
]


@every_row(("letters", "expected"), MAJORITIES)
def test_the_majority_decides_and_of_ties_the_worse(letters, expected):
    """Source: DESIGN §6, with repeats; what is acceptable takes more than half of them."""
    assert majority(BUCKET[letter] for letter in letters) == expected


def test_repeated_runs_are_folded_before_the_rules():
    steady = [run("cccc"), run("cccc"), run("cccc")]
    once_wrong = [run("cccc"), run("wccc"), run("cccc")]
    twice_wrong = [run("wccc"), run("wccc"), run("cccc")]
    assert gate(steady, once_wrong).ship
    assert failing(gate(steady, twice_wrong)) == {"wrong", "acceptable", "correct_on_answerable"}
    assert gate(run("cccc"), steady).ship


def test_repeats_with_grades_of_thirds_still_equal_themselves():
    repeats = [
        [replace(row, refusal_quality=grade) for row, grade in zip(run("rrr"), grades, strict=True)]
        for grades in ((0, 1, 2), (1, 1, 3), (0, 2, 2))
    ]
    assert gate(repeats, list(reversed(repeats))).ship


def test_repeats_must_hold_the_same_questions():
    with pytest.raises(SettingError, match="1 missing from the candidate run 2"):
        gate(run("cc"), [run("cc"), run("c")])


def test_scorecards_and_rows_are_the_same_to_the_gate():
    cards = list(few_cards())
    assert gate(cards, [GateRow.of(scored) for scored in cards]) == gate(cards, cards)


def test_the_gate_reads_a_scorecard_whole():
    row = GateRow.of(
        card(
            "q",
            "refused",
            cause="over_refusal",
            category="answerable",
            answerable=True,
            refusal_quality=2,
            extra_claim_count=1,
            question_hash="c0ffee",
            expected=("correct",),
        )
    )
    assert row == GateRow("q", "refused", "over_refusal", "answerable", True, 2, 1, "c0ffee", ("correct",))
