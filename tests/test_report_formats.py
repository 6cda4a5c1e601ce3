"""Every format of a run: its counts are those of the summary, and no text of a record breaks it."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_checks import JUNIT, assert_text_stays_text, check_sarif
from report_views import (
    HEBREW,
    HOSTILE,
    NAME_300,
    WHAT_COMES,
    hostile_view,
    junit_of,
    recorded,
    sarif_of,
    size,
    table_of,
    view_of,
    written,
)
from scorecards import FAIL, PASS, UNKNOWN, card, claim, few_cards, runs
from tables import every_row

from showable.measure.summary import BUCKETS
from showable.records import Source
from showable.report.json_report import run_document, write_document, write_scores
from showable.report.junit import write_junit
from showable.report.markdown import render_markdown
from showable.report.run_view import Entry
from showable.report.sarif import write_sarif
from showable.report.table import write_table
from showable.report.what_failed import what_failed


@pytest.mark.parametrize("cards", WHAT_COMES.values(), ids=WHAT_COMES)
def test_the_counts_of_every_format_are_those_of_the_summary(cards):
    assert_that_the_counts_agree(view_of(cards))


@given(runs())
@settings(max_examples=15)
def test_the_counts_agree_whatever_the_run(cards):
    assert_that_the_counts_agree(view_of(cards))


def assert_that_the_counts_agree(view):
    summary, buckets = view.summary, view.summary.buckets
    suite = junit_of(view)[0]
    assert int(suite.get("tests")) == summary.n == len(suite.findall("testcase"))
    bad = buckets["wrong"] + buckets["unsupported"]
    assert int(suite.get("failures")) == bad == len(suite.findall("testcase/failure"))
    assert int(suite.get("skipped")) == buckets["unknown"] == len(suite.findall("testcase/skipped"))
    assert int(suite.get("errors")) == 0 == len(suite.findall("testcase/error"))
    properties = {one.get("name"): one.get("value") for one in suite.find("properties")}
    assert {bucket: int(properties[bucket]) for bucket in BUCKETS} == buckets
    assert Counter(row["bucket"] for row in table_of(view)) == Counter(buckets)
    levels = Counter(result["properties"]["outcome"] for result in sarif_of(view)["runs"][0]["results"])
    assert levels["fail"] == bad + sum(counts.failed for counts in summary.findings.values())
    assert levels["unknown"] == buckets["unknown"] + sum(counts.unknown for counts in summary.findings.values())
    lines = written(write_scores, view).decode().splitlines()
    assert Counter(json.loads(line)["bucket"] for line in lines) == Counter(buckets)
    assert json.loads(written(write_document, run_document(view)))["buckets"] == buckets
    page = render_markdown(view)
    for bucket in BUCKETS if summary.n else ():
        assert re.search(rf"{bucket} \| {buckets[bucket]:,} / {summary.n:,} \|", page)


def test_thousands_of_answers_are_reported_in_full_where_there_is_room():
    kinds = list(few_cards())
    cards = [kinds[n % len(kinds)].model_copy(update={"id": f"q{n}"}) for n in range(2_000)]
    view = view_of(cards)
    assert_that_the_counts_agree(view)
    assert size(render_markdown(view)) < 65_536
    assert "more" in render_markdown(view)


@given(
    st.lists(st.one_of(st.sampled_from(HOSTILE), st.text(st.characters(exclude_categories=()))), min_size=1, max_size=3)
)
@settings(max_examples=30)
def test_no_text_breaks_a_format(texts):
    view = hostile_view(texts)
    suite = junit_of(view)[0]
    assert len(suite.findall("testcase/failure")) == view.summary.n
    assert len({case.get("name") for case in suite.findall("testcase")}) == view.summary.n
    assert JUNIT.validate(suite.getparent()), JUNIT.error_log
    assert len(table_of(view)) == view.summary.n
    check_sarif(sarif_of(view))
    assert len(written(write_scores, view).splitlines()) == view.summary.n
    assert_text_stays_text(render_markdown(view))


@every_row("text", [*HOSTILE, NAME_300, HEBREW])
def test_hostile_text_in_every_field_stays_text(text):
    view = hostile_view([text])
    page = render_markdown(view)
    assert_text_stays_text(page)
    for out in (page, written(write_table, view).decode("utf-8"), written(write_junit, view).decode("utf-8")):
        assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", out)
    assert all(escape not in written(write_sarif, view) for escape in (b"\\u001b", b"\\u0000", b"\x1b"))


def test_names_of_300_characters_stay_whole_and_apart():
    cards = [card(f"{NAME_300}{n}") for n in range(3)]
    cases = junit_of(view_of(cards))[0].findall("testcase")
    assert [case.get("name") for case in cases] == [f"{NAME_300}{n}" for n in range(3)]


def test_names_that_look_alike_once_cleaned_stay_apart():
    names = ["case\x00", "case\x01", "case", "n" * 600 + "a", "n" * 600 + "b"]
    cases = junit_of(view_of([card(name) for name in names]))[0].findall("testcase")
    assert len({case.get("name") for case in cases}) == len(names)  # GitLab takes tests of one name for one test


def test_the_passage_is_cut_where_it_speaks_of_the_claim():
    text = (
        f"{'Rent falls due monthly. ' * 100}The deposit is repaid within thirty days. {'Keys are handed over. ' * 100}"
    )
    said = claim("unsupported", (PASS, FAIL), text="The deposit is repaid within sixty days.")
    scored = card("q", "unsupported", claims=(said,))
    found = what_failed(Entry(recorded(scored, retrieved=[Source(source_id="d1", text=text)]), scored), limit=120)
    assert "The deposit is repaid within thirty days." in found.passage
    assert len(found.passage) <= 124
    assert found.passage.startswith("… ")
    assert found.passage.endswith(" …")


def test_what_was_not_retrieved_has_no_passage():
    scored = card("q", "unsupported", claims=(claim("unknown", (FAIL, UNKNOWN)),))
    found = what_failed(Entry(recorded(scored, retrieved=()), scored))
    assert (found.source_id, found.passage) == ("d1", None)
