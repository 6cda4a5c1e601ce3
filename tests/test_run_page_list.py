"""The list of the answers on the page of a run, in Chromium: filters, search, links, keys; few answers, and many."""

from __future__ import annotations

import pytest
from browser import faults, needs_chromium
from run_pages import few, fragment, listed, many, search_for
from scorecards import card

from showable.records import Record, Source
from showable.report.run_view import Entry

pytestmark = needs_chromium


@pytest.mark.slow
def test_filters_stand_in_the_address_and_the_back_button_takes_them_off(opened):
    with opened(few()) as page:
        assert page.locator("#status").inner_text() == "13 answers"
        assert listed(page)[0] == "dose", "the worst first"
        page.click('a[href="#bucket=unsupported"]')
        assert fragment(page) == "bucket=unsupported"
        assert listed(page) == ["case-9"]
        page.locator("label.option", has_text="wrong").first.click()
        assert page.locator("#status").inner_text() == "3 of 13 answers"
        assert page.locator("label.option", has_text="refused").locator(".n").first.inner_text() == "3"
        page.go_back()
        assert listed(page) == ["case-9"]
        page.go_back()
        assert len(listed(page)) == 13
        page.locator("label.option", has_text="was unsure").click()
        assert listed(page) == ["dose", "case-9"], "p 0.45 at 0.5; a verdict unknown"
        page.locator("label.option", has_text="Contradicted").click()
        assert fragment(page) == "code=semantic.contradicted&unsure=1"
        assert listed(page) == ["dose"]
        assert faults(page) == []
        page.click("text=clear all")
        assert len(listed(page)) == 13
        page.select_option("#sort", "file")
        assert listed(page)[:2] == ["dose", "lease-1"]


def test_a_filtered_view_and_a_record_open_from_their_address(opened):
    with opened(few(), "#category=answerable&bucket=refused&record=moon-1") as page:
        page.wait_for_selector("#reader .record-title")
        assert "moon-1" in page.locator("#reader h1").inner_text()
        assert "1 of 1" in page.locator(".reader-bar").inner_text()
        page.keyboard.press("Escape")
        assert listed(page) == ["moon-1"]
        page.goto(page.url.partition("#")[0] + "#record=nobody")
        page.wait_for_selector("text=There is no such answer here")


def test_everything_works_by_keyboard(opened):
    with opened(few()) as page:
        page.keyboard.press("?")
        assert page.locator("#help").is_visible()
        page.keyboard.press("Escape")
        page.keyboard.press("j")
        page.keyboard.press("j")
        page.keyboard.press("o")
        page.wait_for_selector("#reader .record-title")
        second = page.locator("#reader .record-id").inner_text()
        page.keyboard.press("j")
        page.wait_for_selector("text=3 of 13")
        page.keyboard.press("k")
        page.wait_for_selector("text=2 of 13")
        assert page.locator("#reader .record-id").inner_text() == second
        page.keyboard.press("Escape")
        page.wait_for_selector("#list", state="visible")
        assert page.evaluate("document.activeElement.className").startswith("row"), "back where one was"
        page.keyboard.press("/")
        page.keyboard.type("?j")
        assert page.input_value("#search") == "?j", "letters typed are letters"
        page.keyboard.press("c")
        page.wait_for_selector("#status[data-searched='?jc']")


SEARCHES = [
    ("needle77", ["q00077"], "in a passage of a later block"),
    ("NEEDLE77 question", ["q00077"], "every word, wherever it stands"),
    ('"the word needle9."', ["q00009"], "words together"),
    ("q00123", ["q00123"], "the id"),
    ('"claim 41."', ["q00041"], "the claim and the answer"),
    ("nowhere", [], "nothing"),
]


@pytest.mark.slow
def test_search_goes_through_everything(opened):
    with opened(many(230)) as page:
        for words, expected, source in SEARCHES:
            assert search_for(page, words) == expected, source
        assert page.locator("#status").inner_text() == "No answer passes these filters."
        search_for(page, "many share")
        assert page.locator("#status").inner_text() == "115 of 230 answers", (
            "a passage that stands in the first block alone"
        )


def test_search_folds_case_and_accents_and_shows_what_it_found(opened):
    with opened(few()) as page:
        assert search_for(page, "creme brulee") == ["dose"]
        page.click("a.row")
        page.wait_for_selector(".claim-card")
        page.click("details.retrieved summary")
        page.locator(
            "details.retrieved .passage"
        ).wait_for()  # put there, and marked, after the click has come to its end
        assert (
            page.evaluate("[...CSS.highlights.get('searched')].map(String)") == ["Crème", "brûlée"]
            or page.evaluate("CSS.highlights.get('searched').size") >= 2
        )


SPACED = [
    ('"annual service charge"', ["spaced"], "across the end of a line"),
    ('"the service charge"', ["spaced"], "across two spaces"),
    ('"service  charge"', ["spaced"], "spaces in the search count as one"),
    ('"spaced how"', [], "the end of one field and the start of the next are not together"),
]


def test_words_together_are_found_over_line_ends_and_marked_where_they_stand(opened):
    text = "The annual\n  service  charge is due. It is known as the service  charge."
    record = Record(
        id="spaced", question="How much?", answer="900 [d1].", retrieved=[Source(source_id="d1", text=text)]
    )
    with opened([Entry(record, card("spaced", "unsupported"))]) as page:
        for words, expected, source in SPACED:
            assert search_for(page, words) == expected, source
        search_for(page, '"annual service charge"')
        page.click("a.row")
        page.wait_for_selector("#reader .record-title")
        page.click("details.retrieved summary")
        page.locator("details.retrieved .passage").wait_for()
        marked = page.evaluate("[...CSS.highlights.get('searched')].map((one) => one.toString().replace(/\\s+/g, ' '))")
        assert "annual service charge" in marked


def test_what_is_not_among_those_on_the_page_is_not_said_of_the_run(opened):
    with opened(few(), change={"n": 9_000}) as page:
        search_for(page, "nowhere")
        assert page.locator("#status").inner_text().startswith("None of the ")
        assert page.locator("#status").inner_text().endswith("the run has 9,000.")


@pytest.mark.slow
def test_five_thousand_answers_open_and_are_drawn_as_they_are_seen(opened):
    with opened(many(5_000)) as page:
        assert page.locator("#status").inner_text() == "5,000 answers"
        assert page.locator("#list li").count() < 500
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.wait_for_selector("#list li:nth-child(101)", state="attached")
        assert search_for(page, "needle4999") == ["q04999"]


EMPTY = [
    ([], {}, "There are no answers to show.", "no records"),
    (
        [Entry(Record(id="q", question="", answer=None), card("q", "unknown", cause="empty_answer"))],
        {},
        "1 answer",
        "one, without an answer",
    ),
    (
        [Entry(Record(id="q", question="?", answer=""), card("q", "refused", cause="unjudged"))],
        {"records": 9},
        "1 answer",
        "stopped",
    ),
]


@pytest.mark.parametrize(("entries", "change", "said", "source"), EMPTY, ids=[row[-1] for row in EMPTY])
def test_a_run_of_little_or_nothing_opens(opened, entries, change, said, source):
    with opened(entries, change=change) as page:
        assert page.locator("#status").inner_text() == said
        assert faults(page) == []
        if entries:
            page.click("a.row")
            page.wait_for_selector("#reader .record-title")
            assert "undefined" not in page.locator("#reader").inner_text()


def test_what_needs_a_look_is_counted_as_everywhere_and_what_was_read_is_told(opened):
    over = Entry(
        Record(id="over", question="?", answer="!"), card("over", "refused", cause="over_refusal", labelled="correct")
    )
    with opened([*few(), over]) as page:
        assert page.locator(".start").inner_text().startswith("Read the 6 that need a look")
        page.click(".start a")
        assert fragment(page) == "look=1"
        assert "over" in listed(page)
        assert page.locator("#status").inner_text() == "6 of 14 answers"
        page.keyboard.press("j")
        page.keyboard.press("o")
        page.wait_for_selector("#reader .record-title")
        page.keyboard.press("Escape")
        page.wait_for_selector("a.row.read")
        assert page.locator("a.row.read").count() == 1
        page.locator("label.option", has_text="label differs").click()
        assert "over" in listed(page)
        assert "look=1&differs=1" in fragment(page)
