"""A run in Markdown: what it says, in which order, and how large it may grow."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from report_views import (
    NAME_300,
    WHAT_COMES,
    hostile_entry,
    size,
    view_of,
    written,
)
from scorecards import PASS, SIGNATURE, card, claim, few_cards

from showable.records import OutcomeCounts
from showable.records.scorecard import Release
from showable.report.junit import write_junit
from showable.report.markdown import render_markdown
from showable.report.run_view import RunView


def test_markdown_says_what_matters_first_and_how_it_was_measured_last():
    lines = render_markdown(view_of(few_cards())).splitlines()
    assert lines[0] == "## showable: 9 of 12 answers are acceptable · run-1"
    assert lines[2] == "**1 wrong, 1 unsupported**, 1 unknown · 6 correct, 3 refused<br>"
    assert (
        lines[3] == "acceptable where decided: 81.8 % (9/11, 95 % CI 52.3–94.9); 1 unknown<br>"
    )  # Wilson (1927), as in test_rates
    assert lines[-1].startswith("<sub>signature version:0.1.0")


def test_markdown_shows_claim_why_and_passage_of_the_worst():
    page = render_markdown(view_of(few_cards()))
    assert "<details open><summary>🔴 <b>dose-1</b> · wrong · contradicts_source</summary>" in page
    assert "| **why** | claim 1 is contradicted by d1: the passage says 40 mg, the claim 400 mg |" in page
    assert "| **claim 1** | The usual dose is 400 mg &#91;bold&#93;a day&#91;/bold&#93;.<br>→ contradicted |" in page
    assert "<b>d1</b>: The usual dose is 40 mg a day." in page
    assert page.index("dose-1") < page.index("case-9") < page.index("trial-3") < page.index("moon-1")  # the worst first


def test_markdown_of_a_run_without_answers_says_so():
    assert "## showable: Nothing was scored" in render_markdown(view_of([]))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"records": 20}, "**not finished**: 8 of 20 records are not scored yet"),
        ({"rejected": 3}, "3 lines of the input were no records and are in none of these counts"),
    ],
)
def test_markdown_says_what_is_not_in_its_counts(changed, said):
    assert said in render_markdown(view_of(few_cards(), **changed))


def test_markdown_of_a_run_that_is_finished_does_not_call_it_unfinished():
    assert "not finished" not in render_markdown(view_of(few_cards(), records=12))


@given(st.integers(1, 400), st.sampled_from(["x" * 4_000, "&" * 4_000, "𝔸" * 4_000, "@a " * 1_500, NAME_300]))
@settings(max_examples=15)
def test_markdown_stays_under_the_bound(n, text):
    entries = [hostile_entry(text, str(at)) for at in range(n)]
    view = view_of([one.card for one in entries], [one.record for one in entries], name=text)
    page = render_markdown(view)
    assert size(page) < 65_536
    assert page.count("<details") == page.count("</details>")
    assert "signature version:" in page
    shown, left = page.count("<summary>🔴"), re.search(r"… and ([\d,]+) more\b", page)
    assert shown >= 1
    assert shown + (int(left[1].replace(",", "")) if left else 0) == n


@pytest.mark.parametrize("limit", [8_000, 20_000, 65_536])
def test_markdown_keeps_to_a_tighter_bound(limit):
    view = view_of(card(f"q{n}", "wrong", cause="contradicts_gold", category=f"category {n}") for n in range(300))
    page = render_markdown(view, limit)
    assert size(page) < limit
    assert "300" in page.splitlines()[0]


def test_markdown_says_what_the_profile_lets_through():
    release = Release(verdict="hold", citations=1, resolved=0, unresolved=1, floor=0.95)
    scored = card("q", claims=(claim("supported", (PASS, PASS)),), release=release)
    view = view_of([scored])
    signed = view.summary.model_copy(update={"signature": SIGNATURE.model_copy(update={"profile": "legal@abc"})})
    page = render_markdown(RunView("r", signed, view.entries))
    assert (
        "**under the legal profile**: 0 may be shown, 1 held back, 0 undecided; citations that resolve: 100 %" in page
    )
    tree = etree.fromstring(written(write_junit, RunView("r", signed, view.entries)))
    assert tree.xpath("//property[@name='released.hold']/@value") == ["1"]


def test_markdown_of_answers_that_could_not_be_decided_says_so():
    assert render_markdown(view_of(WHAT_COMES["all unknown"])).startswith(
        "## showable: None of 5 answers could be decided"
    )


def test_checks_are_never_added_up_into_one_number():
    checks = {"structural.schema": OutcomeCounts(passed=1), "semantic.not_entailed": OutcomeCounts(failed=1)}
    page = render_markdown(view_of([card("q", checks=checks)]))
    rows = re.findall(r"^\| (structural|resolvability|semantic)? ?\| (answers|claims|citations) \|", page, re.MULTILINE)
    assert [unit for _, unit in rows] == ["answers", "claims", "answers", "citations", "answers", "claims"]
    assert [name for name, _ in rows if name] == ["structural", "resolvability", "semantic"]
    assert not re.search(r"(?i)\b(overall|total|score)\b", page)
