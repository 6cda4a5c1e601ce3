"""Questions that come out differently between repeats, and the spread of every count."""

import pytest
from gate_runs import run
from hypothesis import given
from hypothesis import strategies as st

from showable.errors import SettingError
from showable.measure.flaky import flaky, spread
from showable.measure.repeats import fold_repeats

LETTERS = "cwur?"


def repeats(*letters, **fields):
    return [run(each, **fields) for each in letters]


@pytest.mark.parametrize(
    ("letters", "expected", "source"),
    [
        (("ccc", "ccc"), [], "every repeat alike"),
        (("cc", "cw"), [("q1", ("correct", "wrong"), "wrong", True)], "a tie counts as the worse"),
        (("c", "c", "w"), [("q0", ("correct", "correct", "wrong"), "correct", True)], "the majority counts"),
        (("c", "r", "c"), [("q0", ("correct", "refused", "correct"), "correct", False)], "both may be shown"),
        (("wu", "uw", "ww"), [("q0", ("wrong", "unsupported", "wrong"), "wrong", False), ("q1", ("unsupported", "wrong", "wrong"), "wrong", False)], "neither may be shown"),
        (("ro", "or"), [], "refusals due and undue are one bucket"),
        (("c",), [], "one run cannot differ from itself"),
        ((), [], "no run"),
    ],
)  # fmt: skip
def test_questions_whose_bucket_differs_are_flaky(letters, expected, source):
    found = flaky(repeats(*letters, answerable=True))
    assert [(one.id, one.buckets, one.counted, one.acceptable_differs) for one in found] == expected, source


def test_those_come_first_that_tip_between_acceptable_and_not():
    found = flaky(repeats("cwc", "rcw", answerable=True))
    assert [(one.id, one.acceptable_differs) for one in found] == [("q1", True), ("q2", True), ("q0", False)]


def test_repeats_of_other_questions_are_refused():
    with pytest.raises(SettingError, match=r"different questions: 1 missing from the run run 2 \(q1\)"):
        flaky(repeats("cc", "c"))


def test_the_order_of_a_repeat_does_not_matter():
    first, second = repeats("cwu", "ccu")
    assert flaky([first, second]) == flaky([first, list(reversed(second))])


@pytest.mark.parametrize(
    ("letters", "name", "counts", "said"),
    [
        (("ccw", "cww", "ccw"), "correct", (2, 1, 2), "1–2, mean 1.7"),
        (("ccw", "cww", "ccw"), "wrong", (1, 2, 1), "1–2, mean 1.3"),
        (("ccw", "cww", "ccw"), "acceptable", (2, 1, 2), "1–2, mean 1.7"),
        (("cr", "rc"), "acceptable", (2, 2), "2"),
        (("c?",), "unknown", (1,), "1"),
    ],
)
def test_the_spread_of_a_bucket_over_repeats(letters, name, counts, said):
    found = {one.name: one for one in spread(repeats(*letters))}[name]
    assert (found.counts, found.low, found.high, str(found)) == (counts, min(counts), max(counts), said)


@given(st.integers(1, 8).flatmap(lambda n: st.lists(st.text(LETTERS, min_size=n, max_size=n), min_size=2, max_size=4)))
def test_what_is_not_flaky_counts_as_it_is_in_every_repeat(letters):
    runs = repeats(*letters)
    moving = {one.id for one in flaky(runs)}
    for place, row in enumerate(fold_repeats(runs)):
        buckets = {one[place].bucket for one in runs}
        assert (len(buckets) > 1) == (row.id in moving)
        assert row.bucket in buckets


@given(st.lists(st.text(LETTERS, min_size=5, max_size=5), min_size=1, max_size=4))
def test_the_counts_of_every_repeat_add_up_to_its_questions(letters):
    found = [one for one in spread(repeats(*letters)) if one.name != "acceptable"]
    assert [sum(one.counts[place] for one in found) for place in range(len(letters))] == [5] * len(letters)
