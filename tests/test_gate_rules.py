from __future__ import annotations

from dataclasses import replace

import pytest
from gate_runs import failing, gate, line_of, run
from hypothesis import given
from hypothesis import strategies as st
from tables import every_row

from showable.errors import SettingError
from showable.ship_gate import GateRow

RULES = [
    # baseline, candidate, lines that fail, source
    ("cccwur", "cccwur", set(), "identical runs ship"),
    ("cccwur", "ccccur", set(), "one wrong mended"),
    ("cccuuuwcccccc", "ccccccwcccccw", {"wrong"}, "DESIGN §6: +3 correct and +1 wrong is rejected"),
    ("cccc" * 10 + "uuuu", "cccc" * 10 + "ccwc", {"wrong"}, "wrong may not rise, for any reason"),
    ("ccww", "ccuw", {"unsupported"}, "unsupported may not rise, even out of wrong"),
    ("ccu", "ccw", {"wrong"}, "unsupported turned wrong"),
    ("cwcccc", "cocccc", set(), "safer: one wrong turned over-refusal"),
    ("cwcccc", "oocccc", set(), "DESIGN §6: one correct answer lost, one wrong went away"),
    ("cwcccc", "owcccc", {"correct_on_answerable"}, "an answer lost for nothing"),
    ("cwcccc", "ocrccc", set(), "net 1 correct lost, wrong fell by 1"),
    ("cwcccc", "orrrcc", set(), "3 correct lost, wrong fell by 1: DESIGN §6, three for each"),
    ("cwcccc", "orrrrc", {"correct_on_answerable"}, "4 correct lost, wrong fell by 1"),
    ("cwuu", "oooo", {"correct_on_answerable"}, "refusing everything never ships"),
    ("cwwwwu", "orrrrr", {"correct_on_answerable"}, "refusing everything, though most of it was due"),
    ("w" * 10, "o" * 10, {"correct_on_answerable"}, "refusing everything, from however bad a baseline"),
    ("www", "jjj", {"correct_on_answerable"}, "refusing everything, though nobody noted where the evidence is"),
    ("rrww", "rrrr", {"correct_on_answerable"}, "refusing everything, though the evidence was not retrieved"),
    ("wwww", "owww", {"correct_on_answerable"}, "refusing more, answering nothing"),
    ("wwwc", "oooc", set(), "safer, and one question is still answered"),
    ("wooj", "wooj", set(), "identical runs ship, whatever they refuse"),
    ("wooo", "uooo", {"unsupported"}, "nothing is answered before either, and no more is refused"),
    ("wwwwwccccc", "oooooooooc", set(), "4 correct lost for 5 wrong: DESIGN §6"),
    ("wwwwwccccc", "jjjjjjjjjc", set(), "the same where nobody noted where the evidence is"),
    ("wwwwwccccc", "rrrrcccccc", set(), "warranted refusals for wrong answers"),
    (
        "c" * 85 + "w" * 10 + "u" * 5,
        "c" * 60 + "o" * 35 + "www" + "uu",
        set(),
        "DESIGN §6: 85/10/5 to 60/35/3/2 ships: 25 for 10",
    ),
    (
        "c" * 85 + "w" * 10 + "u" * 5,
        "o" * 100,
        {"correct_on_answerable"},
        "DESIGN §6: refusing everything costs 85 for 15",
    ),
    ("c" * 40, "c" * 39 + "?", {"acceptable", "correct_on_answerable", "unknown"}, "unknown may not rise"),
    ("c" * 19 + "?", "c" * 19 + "?", set(), "5 % unknown is at the cap"),
    ("c" * 18 + "??", "c" * 18 + "??", {"unknown_share"}, "10 % unknown is over it, though nothing changed"),
    ("c" * 18 + "??", "c" * 20, set(), "fewer unknown"),
]


@every_row(("baseline", "candidate", "expected", "source"), RULES)
def test_the_rules(baseline, candidate, expected, source):
    before, after = run(baseline), run(candidate)
    after = [replace(a, answerable=b.answerable) for a, b in zip(after, before, strict=True)]
    decision = gate(before, after)
    assert failing(decision) == expected, source
    assert decision.ship is (not expected)
    assert decision.exit_code == int(bool(expected))
    assert len(decision.reasons) == len(expected)


def test_refusing_what_cannot_be_answered_ships_where_nothing_else_is_asked():
    due = [replace(row, answerable=False) for row in run("rwwu")]
    assert gate(due, [replace(row, bucket="refused", cause="warranted") for row in due]).ship


@pytest.mark.parametrize("cause", ["unjudged", "warranted"])
def test_without_gold_refusing_everything_never_ships(cause):
    """Source: DESIGN §6; a retriever that returns nothing makes every refusal warranted."""
    wrong = run("www", answerable=None)
    refusing = [replace(row, bucket="refused", cause=cause) for row in wrong]
    assert failing(gate(wrong, refusing)) == {"correct_on_answerable"}
    assert gate(refusing, refusing).ship


def test_the_reason_says_that_more_is_refused_and_nothing_answered():
    line = line_of(gate(run("www"), run("oow")), "correct_on_answerable")
    assert line.reason == "no change; no answerable question is answered correctly, and 2 more of them are refused"


REFUSALS = [
    # bucket, cause, answerable, counted, source
    ("refused", "over_refusal", True, 1, "its evidence was retrieved"),
    ("refused", "over_refusal", None, 1, "its evidence was retrieved"),
    ("refused", "unjudged", True, 1, "gold without evidence: nobody noted where it is"),
    ("refused", "unjudged", None, 0, "no gold: nobody can say"),
    ("refused", "warranted", True, 0, "its evidence was not retrieved"),
    ("refused", "warranted", False, 0, "made by hand"),
    ("correct", None, True, 0, "made by hand"),
]


@pytest.mark.parametrize(("bucket", "cause", "answerable", "counted", "source"), REFUSALS)
def test_the_line_of_refusals_counts_those_of_answerable_questions_that_are_not_warranted(
    bucket, cause, answerable, counted, source
):
    rows = [GateRow("q", bucket, cause, answerable=answerable)]
    line = line_of(gate(rows, rows), "refused_on_answerable")
    assert (line.baseline, line.candidate) == (counted, counted), source
    assert line.reason == "no change (warranted refusals are left out)"


def test_the_cap_holds_for_identical_runs_and_says_so():
    """Source: DESIGN §6: unknown stays under its cap, 5 % of all questions."""
    rows = run("c" * 94 + "?" * 6)
    decision = gate(rows, rows)
    assert decision.reasons == (
        "unknown_share: 6.0 % (6/100) could not be decided; the cap is 5 %, and holds for identical runs too",
    )
    risen = line_of(gate(run("c" * 95 + "?" * 5), rows), "unknown_share")
    assert "identical" not in risen.reason


def graded(*grades):
    """Rows: a correct answer, then a warranted refusal of each grade, or the bucket of a letter."""
    rows = [
        run(g, id=f"q{n}")[0]
        if isinstance(g, str)
        else GateRow(id=f"q{n}", bucket="refused", cause="warranted", refusal_quality=g)
        for n, g in enumerate(grades)
    ]
    return [*run("c", id="other"), *rows]


QUALITY = [
    # baseline, candidate, ships, ships under strict, source
    ((3, 1), (2, 1), False, False, "DESIGN §6: worse where both refuse"),
    ((3, 1), (1, 3), True, True, "the mean over both is the same"),
    ((3, "w"), (3, 2), True, False, "DESIGN §6: a wrong answer became a refusal that reaches 2; the mean of all fell"),
    ((3, "w"), (3, 1), False, False, "DESIGN §6: every new refusal reaches 2"),
    (("w", "w"), (2, "w"), True, True, "the first refusal"),
    (("w", "w"), (0, "w"), False, False, "the first refusal is a flat one"),
    ((1, "w"), ("c", 2), True, True, "a poor refusal became an answer"),
    ((1, 3), (1, "c"), True, False, "none got worse; the mean of all fell, as a good refusal became an answer"),
]


@pytest.mark.parametrize(("baseline", "candidate", "ships", "strict", "source"), QUALITY)
def test_refusals_may_not_get_worse(baseline, candidate, ships, strict, source):
    before, after = graded(*baseline), graded(*candidate)
    assert failing(gate(before, after)) == (set() if ships else {"refusal_quality"}), source
    assert ("refusal_quality" not in failing(gate(before, after, strict=True))) is strict, source


def test_strict_lets_no_bucket_worsen():
    """Source: DESIGN §6, `--strict`: the right direction, bucket by bucket."""
    assert failing(gate(run("cwcccc"), run("oocccc"), strict=True)) == {
        "correct_on_answerable",
        "refused_on_answerable",
    }
    assert failing(gate(run("cwcccc"), run("cocccc"), strict=True)) == {"refused_on_answerable"}
    assert gate(run("cwcccc"), run("cccccc"), strict=True).ship
    decision = gate(run("cwcccc"), run("oocccc"), strict=True)
    assert (decision.strict, decision.exchange) == (True, 0.0)


@pytest.mark.parametrize(
    ("exchange", "lost", "ships"),
    [(3, 3, True), (3, 4, False), (0, 1, False), (1.5, 1, True), (1.5, 2, False), (4, 4, True)],
)
def test_the_exchange_rate_is_how_many_correct_answers_one_harmful_one_less_may_cost(exchange, lost, ships):
    decision = gate(run("w" + "c" * 9), run("r" + "r" * lost + "c" * (9 - lost)), exchange=exchange)
    assert decision.ship is ships
    line = line_of(decision, "correct_on_answerable")
    assert line.reason == (
        f"fell by {lost}, from 9 to {9 - lost}; 1 wrong or unsupported went away (allowed: {int(exchange)}, {exchange:g} for each)"
    )


@pytest.mark.parametrize("exchange", [-1, float("inf"), float("nan")])
def test_an_exchange_rate_is_a_number(exchange):
    with pytest.raises(SettingError, match="exchange rate"):
        gate(run("c"), run("c"), exchange=exchange)


@pytest.mark.parametrize(
    ("baseline", "candidate", "said"),
    [("ccw", "ccc", "either side"), ("ccr", "ccc", "the candidate")],
)
def test_quality_without_refusals_on_a_side_is_not_applicable_and_says_where(baseline, candidate, said):
    sides = [
        [replace(r, refusal_quality=0 if r.bucket == "refused" else None) for r in run(s)]
        for s in (baseline, candidate)
    ]
    decision = gate(*sides)
    line = line_of(decision, "refusal_quality")
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
    line = line_of(decision, "extra_claim_count")
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


letters = st.text("cwuroj?", max_size=12)


@st.composite
def pairs(draw):
    """Two runs over the same questions, with grades."""
    before = draw(letters)
    after = draw(st.text("cwuroj?", min_size=len(before), max_size=len(before)))
    extra = st.integers(0, 2)
    return tuple(
        [
            replace(
                row,
                answerable=before[n] != "r",
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


@given(pairs(), st.floats(0, 10), st.floats(0, 10))
def test_a_lower_exchange_rate_and_strict_never_ship_more(sides, one, other):
    low, high = sorted((one, other))
    assert gate(*sides, exchange=low).ship <= gate(*sides, exchange=high).ship
    assert gate(*sides, strict=True).ship <= gate(*sides, exchange=0).ship


@given(pairs(), st.data())
def test_turning_a_correct_answer_wrong_never_turns_no_ship_into_ship(sides, data):
    before, after = sides
    correct = [n for n, row in enumerate(after) if row.bucket == "correct"]
    if correct:
        spoilt, at = list(after), data.draw(st.sampled_from(correct))
        spoilt[at] = replace(spoilt[at], bucket="wrong", cause="contradicts_gold")
        assert gate(before, spoilt, unknown_cap=1.0).ship <= gate(before, after, unknown_cap=1.0).ship


@given(pairs(), st.sampled_from(["over_refusal", "warranted", "unjudged"]))
def test_refusing_everything_never_ships_where_anything_answerable_was_not_refused_before(sides, cause):
    """However bad the baseline: a system that answers nothing is no better one."""
    before, _ = sides
    refusing = [replace(row, bucket="refused", cause=cause, refusal_quality=3, extra_claim_count=0) for row in before]
    if any(row.answerable and row.bucket != "refused" for row in before):
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
