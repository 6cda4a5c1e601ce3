"""The comment on a difference: what it says, its limit, and text that stays text."""

from __future__ import annotations

import re
from html import unescape

import pytest
from difference_views import ATTACK, assert_harmless, comment_of, decided, few, many
from gate_runs import gate, run
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from scorecards import SIGNATURE
from tables import every_row

from showable.errors import SettingError
from showable.measure.decision import Decision, GateLine, Moved
from showable.measure.paired import PairedTest
from showable.report.difference.markdown import LEAST, render_gate_markdown
from showable.report.markdown_text import inline
from showable.report.untrusted import printable

# Markdown


INLINE = [
    ("plain text, 5.9 %", "plain text, 5.9 %", "nothing to do"),
    ("snake_case stays", "snake_case stays", "CommonMark 0.31 §6.2: no emphasis inside a word"),
    ("_x_", "&#95;x&#95;", "emphasis"),
    ("**x** ~y~", "&#42;&#42;x&#42;&#42; &#126;y&#126;", "emphasis, strikethrough"),
    ("a|b", "a&#124;b", "GFM §4.10: a pipe ends a cell"),
    ("a `b` \\", "a &#96;b&#96; &#92;", "code, escapes"),
    ("<b>&amp;", "&#60;b&#62;&#38;amp;", "markup, references"),
    ("![x](y)", "!&#91;x&#93;(y)", "images"),
    ("@octocat", "<code>&#64;octocat</code>", "a mention; rendered text is searched, code is not"),
    ("me@x.org", "me<code>&#64;x</code>.org", "an address"),
    ("#12 o/r#3", "<code>&#35;12</code> o/r<code>&#35;3</code>", "references"),
    ("GH-12 xGH-1", "<code>GH-12</code> xGH-1", "references"),
    ("https://a.b", "<code>https&#58;//a&#46;b</code>", "GFM §6.9: addresses that become links"),
    ("www.a", "<code>www&#46;a</code>", "the same"),
    ("1a2b3c4d5e", "<code>1a2b3c4d5e</code>", "a commit"),
    (":tada: 10:30:45", "<code>&#58;</code>tada: 10:30:45", "emoji, and a time of day"),
    ("# x", "&#35; x", "a heading"),
    ("- x", "&#45; x", "a list"),
    ("12. x", "12&#46; x", "a numbered list"),
    ("$x$", "&#36;x&#36;", "mathematics"),
    ("a\n\n> b\x1b[2J\u202e", "a &#62; b", "one line; controls go"),
    ("", "", "nothing"),
]


@every_row(("text", "expected", "source"), INLINE)
def test_text_in_markdown_is_only_text(text, expected, source):
    assert inline(text) == expected, source
    assert_harmless(inline(text))


def test_a_cell_is_cut_by_its_own_characters_and_not_within_a_reference():
    assert inline("a|b|c", limit=4) == "a&#124;b…"
    assert inline("@octocat and more", limit=5) == "<code>&#64;oct</code>…"


alphabet = st.sampled_from(list("@#|`<>&*_[]()!~\\$:/.-+=1aWwGgHhttps\n\t \u202e\x1b\U0001f600é"))
hostile = st.text(alphabet, max_size=60) | st.text(max_size=30) | st.just(ATTACK)


@given(hostile)
def test_no_text_does_anything_in_markdown(text):
    shown = inline(text)
    assert_harmless(shown)
    assert "\n" not in shown
    assert "|" not in shown
    assert "`" not in shown


def rendered(markdown):
    """What a CommonMark renderer shows, with its code elements and line breaks taken away."""
    return re.sub(
        r"</?(?:p|code)>|\n$", "", MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(markdown)
    )


@given(hostile)
def test_a_renderer_shows_text_as_it_was_written(text):
    """Source: CommonMark 0.31 by way of markdown-it-py, an implementation that is not ours."""
    assert unescape(rendered(inline(text)).strip()) == printable(text)


@given(hostile, hostile)
def test_a_renderer_finds_the_cells_of_a_table(one, other):
    shown = rendered(f"| a | b |\n|---|---|\n| {inline(one, limit=99)} | {inline(other, limit=99)} |")
    cells = re.findall(r"<td>(.*?)</td>", shown, re.DOTALL)
    assert [unescape(each).strip() for each in cells] == [printable(one).strip(), printable(other).strip()]


@given(st.lists(hostile, max_size=6))
def test_a_table_is_never_broken(texts):
    """Source: GFM §4.10: cells are split at pipes before anything else is read."""
    assert f"| {' | '.join(inline(text, limit=30) for text in texts)} |".count("|") == max(2, len(texts) + 1)


buckets = st.sampled_from(["correct", "wrong", "unsupported", "refused", "unknown"])
causes = st.sampled_from([None, "miscited", "over_refusal"])
tests = st.none() | st.builds(
    PairedTest, kind=st.just("mcnemar"), n=st.just(9), better=st.integers(0, 9), worse=st.integers(0, 9),
    p=st.floats(0, 1), mid_p=st.none() | st.floats(0, 1), adjusted_p=st.none() | st.floats(0, 1),
)  # fmt: skip
lines = st.builds(
    GateLine, name=hostile, baseline=st.none() | st.integers(0, 10**9), candidate=st.none() | st.floats(0, 1e9),
    ok=st.sampled_from([True, False, None]), reason=hostile, test=tests,
)  # fmt: skip
moves = st.builds(Moved, id=hostile, before=buckets, after=buckets, cause_before=causes, cause_after=causes)
decisions = st.builds(
    Decision, ship=st.booleans(), inconclusive=st.booleans(), reasons=st.lists(hostile, max_size=3),
    moved=st.lists(moves, max_size=12), lines=st.lists(lines, max_size=5), categories=st.lists(lines, max_size=4),
    n=st.integers(0, 10**7), can_show=st.none(), unknown_cap=st.just(0.05), signature=st.just(SIGNATURE),
)  # fmt: skip


@settings(max_examples=60)
@given(decisions, st.integers(LEAST, 4_000))
def test_a_comment_is_never_longer_than_its_limit(decision, limit):
    written = render_gate_markdown(decision, limit=limit)
    assert len(written) <= limit
    assert len(written.encode("utf-16-le")) // 2 <= limit
    assert written.startswith("## showable: ")
    assert_harmless(written)
    for block in written.split("\n\n"):
        rows = [line for line in block.split("\n") if line.startswith("|")]
        assert len({row.count("|") for row in rows}) <= 1


@pytest.mark.parametrize("limit", [1_000, 3_000, 65_536])
def test_a_comment_on_many_questions_counts_what_has_no_room(limit):
    base, cand = many(1_000, "correct", "It is"), many(1_000, "wrong", "It was")
    written = comment_of(base, cand, limit=limit)
    assert len(written) <= limit
    shown = len(re.findall(r"^\| q\d+ \| 🟢\xa0correct → 🔴\xa0wrong \|", written, re.MULTILINE))
    if shown:
        assert f"… and {1_000 - shown:,} more." in written
    assert written.count("<details") == written.count("</details>")
    without = render_gate_markdown(decided(base, cand), limit=limit)
    assert len(without) <= limit


def test_a_comment_says_what_the_gate_says_and_shows_both_answers():
    base, cand = few(moved=False), few(moved=True)
    written = comment_of(base, cand)
    for said in (
        "## showable: DO NOT SHIP",
        "- Wrong answers rose by 1, from 1 to 2.",
        "| **NO** | Wrong answers | 1 | **2** | rose by 1, from 1 to 2 |",
        "| 🟢\xa0correct | 4 | **1** | · | · | **1** |",
        "**Questions that moved: 2** (2 worse, 0 better). Another cause in the same bucket: 1. Another answer, bucket and cause the same: 1.",
        "| lease-1 | 🟢\xa0correct → 🔴\xa0wrong (contradicts gold) | How long is the notice period? |",
        "| case-9 | 🟠\xa0unsupported (invented source → miscited) | How long is the notice period? |",
        "<details open><summary>lease-1: 🟢\xa0correct → 🔴\xa0wrong</summary>",
        "is <del>30</del> days",
        "is <ins>60</ins> days",
        "Gold: 30 days\n",
        "The answer is the same, word for word; what it was judged by is not. Retrieval: 2 → 2 sources: 1 re-ranked.\n",
        "What this can show. n = 12",
    ):
        assert said in written
    assert_harmless(written)


def test_a_comment_of_identical_runs_and_of_none():
    base = few(moved=False)
    same = gate(run("cc"), run("cc"))
    assert "SHIP\n" in render_gate_markdown(same)
    assert "No question moved." in render_gate_markdown(same)
    assert "identical" in comment_of(base, base)
    assert "INCONCLUSIVE" in render_gate_markdown(gate([], []))


def test_a_limit_that_holds_no_decision_is_refused():
    with pytest.raises(SettingError, match="at least 1000"):
        render_gate_markdown(gate([], []), limit=999)
