from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scorecards import SIGNATURE, card, few_cards

from probative.measure.decision import Decision
from probative.records import SettingError, Thresholds
from probative.ship_gate import GateRow, decide, majority, require_alike

BUCKET = {"c": "correct", "w": "wrong", "u": "unsupported", "r": "refused", "?": "unknown", "o": "refused"}


def run(letters, **fields):
    """One answer a letter: correct, wrong, unsupported, refused (warranted), over-refused, or ? for unknown."""
    return [
        GateRow(
            id=f"q{n}",
            bucket=BUCKET[letter],
            cause={"o": "over_refusal", "r": "warranted"}.get(letter),
            answerable=letter != "r",
            **fields,
        )
        for n, letter in enumerate(letters)
    ]


def gate(baseline, candidate, **settings):
    return decide(baseline, candidate, SIGNATURE, SIGNATURE, **settings)


def failing(decision):
    return {line.name for line in decision.lines if line.ok is False}


RULES = [
    # baseline, candidate, lines that fail, source
    ("cccwur", "cccwur", set(), "identical runs ship"),
    ("cccwur", "ccccur", set(), "one wrong mended"),
    ("cccuuuwcccccc", "ccccccwcccccw", {"wrong"}, "DESIGN §6: +3 correct and +1 wrong is rejected"),
    ("cccc" * 10 + "uuuu", "cccc" * 10 + "ccwc", {"wrong"}, "wrong may not rise, for any reason"),
    ("ccww", "ccuw", {"unsupported"}, "unsupported may not rise, even out of wrong"),
    ("ccu", "ccw", {"wrong"}, "unsupported turned wrong"),
    ("cwcccc", "cocccc", set(), "safer: one wrong turned over-refusal"),
    ("cwcccc", "oocccc", {"over_refusal"}, "two over-refusals for one wrong"),
    ("cwcccc", "owcccc", {"correct_on_answerable", "over_refusal"}, "an answer lost for nothing"),
    ("cwcccc", "ocrccc", set(), "net 1 correct lost, wrong fell by 1"),
    ("cwcccc", "orrccc", {"correct_on_answerable"}, "2 correct lost, wrong fell by 1"),
    ("cwuu", "oooo", {"correct_on_answerable", "over_refusal"}, "refusing everything never ships"),
    ("cwwwwu", "orrrrr", {"correct_on_answerable"}, "refusing everything, though most of it was due"),
    ("rrww", "rrrr", set(), "nothing answerable was answered before either"),
    ("c" * 40, "c" * 39 + "?", {"acceptable", "correct_on_answerable", "unknown"}, "unknown may not rise"),
    ("c" * 19 + "?", "c" * 19 + "?", set(), "5 % unknown is at the cap"),
    ("c" * 18 + "??", "c" * 18 + "??", {"unknown_share"}, "10 % unknown is over it, though nothing changed"),
    ("c" * 18 + "??", "c" * 20, set(), "fewer unknown"),
]


@pytest.mark.parametrize(("baseline", "candidate", "expected", "source"), RULES)
def test_the_rules(baseline, candidate, expected, source):
    before, after = run(baseline), run(candidate)
    after = [replace(a, answerable=b.answerable) for a, b in zip(after, before, strict=True)]
    decision = gate(before, after)
    assert failing(decision) == expected, source
    assert decision.ship is (not expected)
    assert decision.exit_code == int(bool(expected))
    assert len(decision.reasons) == len(expected)


def graded(*grades):
    return [GateRow(id=f"q{n}", bucket="refused", cause="warranted", refusal_quality=g) for n, g in enumerate(grades)]


def test_refusals_may_not_get_worse_on_average():
    assert failing(gate(graded(3, 1), graded(2, 1))) == {"refusal_quality"}
    assert gate(graded(3, 1), graded(1, 3)).ship


@pytest.mark.parametrize(
    ("baseline", "candidate", "said"),
    [("ccw", "ccc", "either side"), ("ccw", "ccr", "the baseline"), ("ccr", "ccc", "the candidate")],
)
def test_quality_without_refusals_on_a_side_is_not_applicable_and_says_where(baseline, candidate, said):
    sides = [
        [replace(r, refusal_quality=0 if r.bucket == "refused" else None) for r in run(s)]
        for s in (baseline, candidate)
    ]
    decision = gate(*sides)
    line = next(line for line in decision.lines if line.name == "refusal_quality")
    assert (line.ok, line.baseline, line.candidate) == (None, None, None)
    assert said in line.reason


def test_claims_without_a_citation_may_not_increase():
    before, after = run("ccc", extra_claim_count=1), run("ccc", extra_claim_count=1)
    assert gate(before, after).ship
    after[0] = replace(after[0], extra_claim_count=2)
    assert failing(gate(before, after)) == {"extra_claim_count"}
    after[1] = replace(after[1], extra_claim_count=0)
    decision = gate(before, after)
    assert decision.ship
    line = next(line for line in decision.lines if line.name == "extra_claim_count")
    assert (line.baseline, line.candidate, line.worse, line.better) == (3, 3, ("q0",), ("q1",))


def test_without_gold_every_question_may_be_answerable():
    no_gold = [replace(row, answerable=None) for row in run("ccccw")]
    refusing = [replace(row, bucket="refused", cause="unjudged") for row in no_gold]
    assert "correct_on_answerable" in failing(gate(no_gold, refusing))


@pytest.mark.parametrize(("baseline", "candidate"), [("", ""), ("??", "??"), ("cc", "??"), ("??", "cc")])
def test_where_nothing_was_measured_it_is_inconclusive_and_does_not_ship(baseline, candidate):
    decision = gate(run(baseline), run(candidate), unknown_cap=1.0)
    assert (decision.ship, decision.inconclusive, decision.exit_code) == (False, True, 3)
    assert "nothing was measured" in decision.reasons[0]


def test_unlike_signatures_are_refused_with_what_differs():
    other = SIGNATURE.model_copy(update={"judge": "chat@2", "thresholds": Thresholds(support=0.7)})
    with pytest.raises(SettingError, match=r"judge: lexical@1 → chat@2; thresholds: 0\.5 → 0\.7"):
        decide(run("c"), run("c"), SIGNATURE, other)
    require_alike(SIGNATURE, SIGNATURE, SIGNATURE)
    with pytest.raises(SettingError, match="not measured alike"):
        require_alike(SIGNATURE, SIGNATURE, other)


def test_other_questions_are_refused_with_the_first_that_are_missing():
    with pytest.raises(SettingError, match=r"7 missing from the candidate \(q3, q4, q5, q6, q7, …\)"):
        gate(run("c" * 10), run("ccc"))
    with pytest.raises(SettingError, match=r"1 missing from the baseline \(q2\)"):
        gate(run("cc"), run("ccc"))


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
]


@pytest.mark.parametrize(("letters", "expected"), MAJORITIES)
def test_the_majority_decides_and_of_ties_the_worse(letters, expected):
    """Source: DESIGN §6, with repeats."""
    assert majority(BUCKET[letter] for letter in letters) == expected


def test_repeated_runs_are_folded_before_the_rules():
    steady = [run("cccc"), run("cccc"), run("cccc")]
    once_wrong = [run("cccc"), run("wccc"), run("cccc")]
    twice_wrong = [run("wccc"), run("wccc"), run("cccc")]
    assert gate(steady, once_wrong).ship
    assert failing(gate(steady, twice_wrong)) == {"wrong", "acceptable", "correct_on_answerable"}
    assert gate(run("cccc"), steady).ship


def test_repeats_with_grades_of_thirds_still_equal_themselves():
    repeats = [graded(*grades) for grades in ((0, 1, 2), (1, 1, 3), (0, 2, 2))]
    assert gate(repeats, list(reversed(repeats))).ship


def test_repeats_must_hold_the_same_questions():
    with pytest.raises(SettingError, match="1 missing from the candidate run 2"):
        gate(run("cc"), [run("cc"), run("c")])


def test_moved_questions_come_the_worst_first():
    decision = gate(run("wcuc"), run("cwco"))
    assert [(m.id, m.before, m.after, m.cause_after) for m in decision.moved] == [
        ("q1", "correct", "wrong", None),
        ("q3", "correct", "refused", "over_refusal"),
        ("q2", "unsupported", "correct", None),
        ("q0", "wrong", "correct", None),
    ]


def test_a_refusal_that_becomes_undue_has_moved():
    assert [m.id for m in gate(run("cr"), run("co")).moved] == ["q1"]


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
        ("adversarial", 0, 1, None),
        ("answerable", 2, 1, None),
    ]


def test_scorecards_and_rows_are_the_same_to_the_gate():
    cards = list(few_cards())
    assert gate(cards, [GateRow.of(scored) for scored in cards]) == gate(cards, cards)


def test_a_decision_survives_json_with_the_shape_that_others_rely_on():
    """Source: DESIGN §7: ship, reasons[], moved[]."""
    decision = gate(run("ccw"), run("cww"))
    assert Decision.model_validate_json(decision.model_dump_json()) == decision
    assert {"ship", "reasons", "moved"} <= decision.model_dump().keys()


def test_a_hundred_thousand_questions_take_a_moment():
    rows = [GateRow(id=str(n), bucket="correct", extra_claim_count=0) for n in range(100_000)]
    changed = [replace(row, extra_claim_count=int(row.id) % 2) for row in rows]
    assert failing(gate(rows, changed)) == {"extra_claim_count"}


letters = st.text("cwuro?", max_size=12)


@st.composite
def pairs(draw):
    """Two runs over the same questions, with grades."""
    before = draw(letters)
    after = draw(st.text("cwuro?", min_size=len(before), max_size=len(before)))
    extra = st.integers(0, 2)
    return tuple(
        [
            replace(
                row,
                answerable=BUCKET[before[n]] != "refused" or before[n] == "o",
                refusal_quality=draw(st.integers(0, 3)) if row.bucket == "refused" else None,
                extra_claim_count=draw(extra),
            )
            for n, row in enumerate(run(side))
        ]
        for side in (before, after)
    )


@given(letters.filter(lambda side: set(side) - {"?"}))
def test_identical_runs_ship_unless_too_much_is_unknown(side):
    decision = gate(run(side), run(side))
    assert decision.ship is (side.count("?") <= 0.05 * len(side))
    assert gate(run(side), run(side), unknown_cap=1.0).ship
    assert not decision.moved


@given(pairs(), st.floats(0, 1), st.floats(0, 1))
def test_a_stricter_cap_never_ships_more(sides, one, other):
    strict, lax = sorted((one, other))
    assert gate(*sides, unknown_cap=strict).ship <= gate(*sides, unknown_cap=lax).ship


@given(pairs(), st.data())
def test_turning_a_correct_answer_wrong_never_turns_no_ship_into_ship(sides, data):
    before, after = sides
    correct = [n for n, row in enumerate(after) if row.bucket == "correct"]
    if correct:
        spoilt, at = list(after), data.draw(st.sampled_from(correct))
        spoilt[at] = replace(spoilt[at], bucket="wrong", cause="contradicts_gold")
        assert gate(before, spoilt, unknown_cap=1.0).ship <= gate(before, after, unknown_cap=1.0).ship


@given(pairs(), st.sampled_from(["over_refusal", "warranted", "unjudged"]))
def test_refusing_everything_never_ships_where_something_was_answered(sides, cause):
    before, _ = sides
    refusing = [replace(row, bucket="refused", cause=cause, refusal_quality=3, extra_claim_count=0) for row in before]
    if any(row.answered for row in before):
        assert not gate(before, refusing).ship


@given(pairs())
def test_wrong_and_unsupported_never_rise_in_what_ships(sides):
    before, after = sides
    if gate(before, after).ship:
        for bucket in ("wrong", "unsupported", "unknown"):
            assert sum(row.bucket == bucket for row in after) <= sum(row.bucket == bucket for row in before)
        assert sum(row.acceptable for row in after) >= sum(row.acceptable for row in before)


@given(pairs(), st.randoms(use_true_random=False))
def test_the_order_of_the_questions_decides_nothing(sides, random):
    before, after = sides
    shuffled = list(after)
    random.shuffle(shuffled)
    assert gate(before, shuffled) == gate(before, after)


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
        )
    )
    assert row == GateRow("q", "refused", "over_refusal", "answerable", True, 2, 1)
