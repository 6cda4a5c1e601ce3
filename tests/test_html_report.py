from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scorecards import FAIL, PASS, SIGNATURE, UNKNOWN, card, claim, few_cards, loose

from probative.measure.summary import summarise
from probative.records import Answer, Finding, Gold, Record, RefusalPoint, Source
from probative.report.html import (
    MOST_CHARACTERS,
    MOST_ITEMS,
    MOST_OF_ANSWER,
    MOST_OF_CLAIM,
    MOST_RECORDS,
    marked,
    render_html,
)


class Page(HTMLParser):
    """Collects what a page would show and load."""

    def __init__(self, html):
        super().__init__()
        self.text, self.tags, self.attributes, self.open = "", [], [], []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def pairs(cards, **fields):
    return [(Record(**{"id": c.id, "question": "How long?", "answer": "30 days [d1].", **fields}), c) for c in cards]


def html(cards, omitted=0, **fields):
    cards = list(cards)
    return render_html(summarise(cards, SIGNATURE, run="runs/first"), pairs(cards, **fields), omitted=omitted)


def test_the_page_is_whole_and_loads_nothing():
    written = html(few_cards())
    page = Page(written)
    assert page.open == []
    assert written.startswith("<!DOCTYPE html>")
    assert not {"script", "link", "img", "iframe", "a"} & set(page.tags)
    assert "http" not in written.replace("http-equiv", "")
    assert "prefers-color-scheme: dark" in written
    assert "9 of 12 answers are acceptable" in page.text
    assert str(SIGNATURE) in page.text
    assert "81.8 % (9/11, 95 % CI 52.3–94.9)" in page.text
    assert "runs/first" in page.text


def test_the_page_shows_the_worst_first_with_claims_and_passages():
    sources = (
        Source(source_id="d1", text="The dose is 40 mg.", title="Leaflet"),
        Source(source_id="d2"),
        Source(source_id="d3", text="x" * (MOST_CHARACTERS + 5)),
    )
    page = Page(html(few_cards(), retrieved=sources, gold=Gold(answer="40 mg")))
    assert (
        page.text.index("dose-1") < page.text.index("case-9") < page.text.index("trial-3") < page.text.index("lease-1")
    )
    for said in (
        "The usual dose is 400 mg",
        "contradicted by d1",
        "The dose is 40 mg.",
        "Leaflet",
        "40 mg",
        "The log holds no text.",
        "5 more characters are not shown.",
        "claim 1, citation 1",
    ):
        assert said in page.text


def test_the_page_tells_a_missing_log_from_an_empty_retrieval():
    scored = [card("q")]
    assert "The retrieval was not logged." in Page(html(scored)).text
    assert "The retrieval returned nothing." in Page(html(scored, retrieved=())).text


def test_the_page_says_how_many_answers_it_does_not_show():
    cards = [card(f"q{n:03}", "wrong" if n == 130 else "correct") for n in range(MOST_RECORDS + 31)]
    page = Page(html(cards, omitted=4))
    assert page.tags.count("article") == MOST_RECORDS
    assert f"{31 + 4} of {len(cards)} answers are not shown" in page.text
    assert page.text.index("q130") < page.text.index("q000")
    assert "not shown" not in Page(html(cards[:3])).text


def test_the_page_says_what_it_leaves_out_of_a_long_answer():
    claims = [claim("supported", text=f"Claim number {i}.") for i in range(MOST_ITEMS + 7)]
    claims[-1] = claim("contradicted", text="Last. " + "z" * (MOST_OF_CLAIM + 3))
    findings = tuple(Finding(code="semantic.unjudged", outcome=UNKNOWN) for _ in range(MOST_ITEMS + 5))
    scored = card("q", "wrong", claims=tuple(claims), loose=(loose(FAIL),) * (MOST_ITEMS + 2), findings=findings)
    page = Page(html([scored], answer="a" * (MOST_OF_ANSWER + 11)))
    assert "11 more characters of the answer are not shown." in page.text
    assert "7 more claims are not shown" in page.text
    assert "5 more findings are not shown" in page.text
    assert "2 more citations are not shown" in page.text
    assert "a" * MOST_OF_ANSWER in page.text
    assert "a" * (MOST_OF_ANSWER + 1) not in page.text
    assert f"Claim number {MOST_ITEMS - 2}." in page.text
    assert f"Claim number {MOST_ITEMS - 1}." not in page.text
    assert f"({len('Last. ') + 3} more characters are not shown)" in page.text, "the claim that fails is shown"
    assert page.attributes.count(("class", "failing")) == 1


def test_text_of_records_is_escaped_on_the_page():
    attack = "<script>alert(1)</script><img src=x onerror=alert(1)>"
    scored = card(
        attack,
        "wrong",
        why=attack,
        category=attack,
        labelled=attack,
        claims=(claim("partial", (PASS, FAIL), text=attack),),
    )
    written = html(
        [scored],
        question=attack,
        answer=attack,
        gold=Gold(answer=attack),
        retrieved=(Source(source_id=attack, text=attack, title=attack),),
    )
    page = Page(written)
    assert page.open == []
    assert not {"script", "img"} & set(page.tags)
    assert page.text.count("<script>alert(1)</script>") >= 8


def test_a_structured_answer_without_text_is_shown_by_its_claims():
    page = Page(html([card("q", claims=(claim("supported"),))], answer=Answer()))
    assert "The answer has no text." in page.text
    assert "The notice period is 30 days." in page.text


def test_the_page_says_why_a_refusal_got_its_grade():
    points = (
        RefusalPoint(point="reason", earned=True, why="says what is missing"),
        RefusalPoint(point="pointer", earned=False, why="names no closest passage"),
    )
    text = Page(html([card("q", "refused", cause="unjudged", refusal_quality=1, refusal_points=points)])).text
    assert "Refusal quality 1 of 3" in text
    assert "+1 reason: says what is missing" in text
    assert "0 pointer: names no closest passage" in text


def test_the_page_shows_citations_that_hang_on_no_claim():
    page = Page(html([card("q", "unsupported", cause="invented_source", loose=(loose(FAIL),))]))
    assert "Citations on no claim" in page.text
    assert "d1: exists fail" in page.text
    assert "Citations on no claim" not in Page(html([card("q")])).text


def test_the_page_lists_causes_and_checks_with_their_counts():
    passing = Finding(code="resolvability.quote_normalised", outcome=PASS)
    unjudged = Finding(code="semantic.unjudged", outcome=UNKNOWN)
    cards = [*few_cards(), card("q", findings=(passing, unjudged))]
    text = " ".join(Page(html(cards)).text.split())
    assert "warranted 2 contradicts_source 1" in text
    assert "semantic.contradicted 1 failed semantic.unjudged 1 unknown" in text
    assert "quote_normalised" not in text.split("Answers, the worst first")[0]


def test_a_page_of_nothing_says_so():
    assert "Nothing was scored" in Page(html([])).text


MARKED = [
    ("abcdef", [(1, 3)], (("a", False), ("bc", True), ("def", False)), "one span"),
    ("abcdef", [(4, 6), (0, 2)], (("ab", True), ("cd", False), ("ef", True)), "in any order"),
    ("abcdef", [(0, 4), (2, 5)], (("abcd", True), ("e", True), ("f", False)), "overlapping"),
    ("abc", [(2, 90), (50, 60)], (("ab", False), ("c", True)), "beyond the end"),
    ("abc", [], (("abc", False),), "no span"),
    ("", [(0, 2)], (), "no text"),
]


@pytest.mark.parametrize(("text", "spans", "expected", "source"), MARKED)
def test_quotes_are_marked_in_their_passage(text, spans, expected, source):
    assert marked(text, spans) == expected, source


@given(st.text(max_size=20), st.lists(st.tuples(st.integers(0, 25), st.integers(0, 25)), max_size=4))
def test_marking_loses_no_text(text, spans):
    assert "".join(piece for piece, _ in marked(text, spans)) == text


def test_the_page_says_what_is_not_in_its_counts():
    summary = summarise(few_cards(), SIGNATURE)
    partial = summary.model_copy(update={"records": summary.n + 7, "rejected": 2})
    page = render_html(partial, [], omitted=summary.n)
    assert f"Not finished: 7 of {summary.n + 7} records are not scored yet." in page
    assert "2 lines of the input were no records" in page
    assert "Not finished" not in render_html(summary, [], omitted=summary.n)
