"""What questions call for against what came of them, category by category; expected values are counted by hand."""

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from scorecards import SIGNATURE, card

from showable.measure.expectations import Expected, in_order
from showable.measure.summary import summarise
from showable.report.category_table import category_table
from showable.report.markdown import categories
from showable.report.over_refusals import over_refusals
from showable.report.page.overview import category_rows

PROTOCOL = [
    "answerable",
    "tempt_wrong",
    "tempt_unsupported",
    "refusal_due",
    "unanswerable",
    "adversarial",
    "null_retrieval",
]
BUCKETS = ["correct", "wrong", "unsupported", "refused", "unknown"]


def cards():
    """Two answerable questions, one of them refused; three that call for a refusal; one of no category."""
    return [
        card("a1", "correct", category="answerable", expected=("correct",)),
        card("a2", "refused", category="answerable", expected=("correct",), cause="over_refusal"),
        card("n1", "refused", category="null_retrieval", expected=("refused",), cause="warranted"),
        card("n2", "unsupported", category="null_retrieval", expected=("refused",)),
        card("n3", "unknown", category="null_retrieval", expected=("refused",), cause="undecided"),
        card("x", "wrong"),
    ]


def test_a_refusal_of_what_can_be_answered_is_acceptable_and_not_as_expected():
    summary = summarise(cards(), SIGNATURE)
    assert summary.expected == {
        "answerable": Expected(met=1, missed=1),
        "null_retrieval": Expected(met=1, missed=1, unknown=1),
    }
    assert summary.buckets["refused"] == 2
    assert [expected.n for expected in summary.expected.values()] == [2, 3]


def test_questions_that_call_for_nothing_in_particular_are_in_no_count():
    summary = summarise([card("x", "wrong"), card("y", "correct", category="answerable")], SIGNATURE)
    assert summary.expected == {}


@given(st.permutations([*PROTOCOL, "another", "zz"]))
def test_categories_come_in_the_order_of_the_protocol(names):
    assert in_order(names) == [*PROTOCOL, "another", "zz"]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(PROTOCOL),
            st.sampled_from(BUCKETS),
            st.sampled_from([(), ("refused",), ("correct", "refused")]),
        )
    )
)
def test_counts_add_up(rows):
    made = [card(str(n), bucket, category=name, expected=wanted) for n, (name, bucket, wanted) in enumerate(rows)]
    summary = summarise(made, SIGNATURE)
    assert sum(expected.n for expected in summary.expected.values()) == sum(bool(wanted) for *_, wanted in rows)
    assert list(summary.categories) == in_order(summary.categories)


@pytest.mark.parametrize("width", [40, 60, 79, 80, 91, 92, 120])
def test_the_table_fits_every_width_and_holds_every_count(width):
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(category_table(summarise(cards(), SIGNATURE), width))
    text = console.export_text()
    assert all(len(line) <= width for line in text.splitlines())
    flat = " ".join(text.split())
    assert "1/2" in flat
    assert ("95 %" in flat) == (width >= 92)
    if width >= 80:
        assert re.search(r"null_retrieval 3 1/2( \S+)? 0 1 0 1 1", flat)
    else:
        assert "1/2 as expected: 1 refused, 1 unsupported, 1 unknown" in flat


def test_an_undecided_category_has_no_share():
    summary = summarise([card("u", "unknown", category="adversarial", expected=("refused",))], SIGNATURE)
    (row,) = category_rows(summary)
    assert row.expected is None
    assert "none decided" in categories(summary)


def test_markdown_and_page_say_the_same():
    summary = summarise(cards(), SIGNATURE)
    shares = {row.name: row.expected and (row.expected.count, row.expected.of) for row in category_rows(summary)}
    assert shares == {"answerable": (1, 2), "null_retrieval": (1, 2), "uncategorised": None}
    said = categories(summary)
    assert re.search(r"answerable \| *1 / 2", said)
    assert re.search(r"uncategorised \| *–", said)


@pytest.mark.parametrize(
    ("buckets", "said"),
    [
        (["correct", "correct"], None),
        (["refused", "correct", "correct"], "over-refusals: 1 of 3 questions that could be answered was refused"),
        (["refused", "refused"], "over-refusals: 2 of 2 questions that could be answered were refused"),
        (["refused"], "over-refusals: 1 of the one question that could be answered was refused"),
        ([], None),
    ],
)
def test_who_refuses_everything_is_told_beside_the_headline(buckets, said):
    made = [
        card(
            str(n),
            bucket,
            answerable=True,
            cause="over_refusal" if bucket == "refused" else None,
            refusal="full" if bucket == "refused" else "none",
        )
        for n, bucket in enumerate(buckets)
    ]
    assert over_refusals(summarise(made, SIGNATURE)) == said
