"""The page of a run as it is written: what stands in it without script, what is packed into it, and how large it may grow."""

from __future__ import annotations

import base64
import hashlib
import io
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from run_pages import Page, page, view
from scorecards import FAIL, PASS, SIGNATURE, UNKNOWN, card, claim, few_cards, runs

from showable.measure.summary import summarise
from showable.measure.worst import place
from showable.records import Answer, Citation, Claim, Finding, Gold, Record, RefusalPoint, Source
from showable.records.scorecard import CitationScore, Release
from showable.records.signature import Thresholds
from showable.report.html import write_run
from showable.report.page.answers import given as given_answer
from showable.report.page.body import body_of
from showable.report.page.texts import held, line, name
from showable.report.page.uncertain import is_uncertain
from showable.report.page.write import MOST_OF_TEXT, WITHOUT_SCRIPT, marked


def test_the_page_is_whole_and_loads_nothing():
    made = page(few_cards())
    assert made.open == []
    assert made.html.startswith("<!DOCTYPE html>")
    assert not {"link", "img", "iframe", "object", "base"} & set(made.tags)
    assert not [pair for pair in made.attributes if pair[0] in {"src", "srcset", "style"} or pair[0].startswith("on")]
    assert "url(" not in made.html
    assert "@import" not in made.html


def test_it_is_written_as_it_is_rendered():
    handle = io.StringIO()
    write_run(view(few_cards()), handle)
    assert Page(handle.getvalue()).html == page(few_cards()).html


def test_the_policy_names_this_script_and_this_style_and_nothing_else():
    made = page(few_cards())
    policy = next(value for key, value in made.attributes if key == "content" and "default-src" in value)
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    style = re.search(r"<style>(.*?)</style>", made.html, re.DOTALL)[1]
    first, script = made.scripts[0][1], made.scripts[-1][1]
    for what, texts in (("script-src", (first, script)), ("style-src", (style,))):
        digests = [f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in texts]
        assert f"{what} {' '.join(digests)};" in policy, what


def test_the_summary_stands_on_top_with_counts_and_intervals():
    text = page(few_cards()).text
    assert "9 of 12 answers are acceptable" in text
    assert "6 correct and 3 refused; 1 wrong, 1 unsupported, 1 unknown." in text
    assert "81.8 % are acceptable (9/11, 95 % interval 52.3–94.9)" in text, "Wilson, as in test_rates"
    assert str(SIGNATURE) in text
    for rubric in ("structural", "resolvability", "semantic", "refusal"):
        assert rubric in text
    assert "never averaged" in text
    assert "semantic.contradicted" in text


def test_every_table_follows_the_order_of_its_head():
    """Six labelled correct came out correct, one wrong: each under its own heading, whatever the order of columns."""
    made = page(few_cards())
    table = re.search(r'<table class="grid confusion">(.*?)</table>', made.html, re.DOTALL)[1]
    heads = re.findall(r"scored<br>(\w+)", table)
    cells = re.findall(r'<td class="num[^"]*">(?:<b>)?(\d+)', table)
    assert dict(zip(heads, cells, strict=True)) == {
        "correct": "6",
        "refused": "0",
        "wrong": "1",
        "unsupported": "0",
        "unknown": "0",
    }


@settings(max_examples=30)
@given(runs())
def test_counts_on_the_page_add_up_to_the_summary(cards):
    made = page(cards)
    index, summary = made.index, summarise(cards, SIGNATURE)
    assert len(index["rows"]) == sum(index["blocks"]) == summary.n == len(cards)
    for bucket, count in summary.buckets.items():
        assert sum(index["buckets"][row[2]] == bucket for row in index["rows"]) == count
    for cause, count in summary.causes.items():
        assert sum(row[3] >= 0 and index["causes"][row[3]] == cause for row in index["rows"]) == count
    for category, buckets in summary.categories.items():
        assert sum(index["categories"][row[4]] == category for row in index["rows"]) == sum(buckets.values())
    assert [row[0] for row in index["rows"]] == [one.id for one in sorted(cards, key=place)]
    assert [body["id"] for block in made.blocks for body in block["records"]] == [row[0] for row in index["rows"]]


EMPTY = [
    ([], {}, "Nothing was scored", "no answers"),
    ([card("q")], {}, "The one answer is acceptable", "one"),
    ([card("q", "wrong", cause="contradicts_gold")], {}, "The one answer is not acceptable", "one bad"),
    ([card("a", "unknown"), card("b", "unknown")], {}, "None of 2 answers could be decided", "all unknown"),
    ([card("a", "unknown"), card("b", "unknown")], {}, "nothing was decided", "no share of nothing"),
    ([card("a", "refused"), card("b", "refused")], {}, "2 of 2 answers are acceptable", "all refused"),
    ([card("a")], {"records": 8}, "Not finished: 7 of 8 records are not scored yet", "stopped"),
    ([card("a")], {"rejected": 2}, "2 lines of the input were no records", "rejected"),
]


@pytest.mark.parametrize(("cards", "change", "said", "source"), EMPTY, ids=[row[-1] for row in EMPTY])
def test_a_run_of_few_or_nothing_is_put_into_words(cards, change, said, source):
    made = page(cards, change)
    assert said in made.text
    assert not re.search(r"\bNaN\b|\bNone\b(?! of)|\binf\b", made.text)


def test_what_could_not_be_measured_is_never_a_number():
    text = page([card("q")]).text
    assert "nothing to check" in text
    assert "not applicable: nothing was refused" in text


def test_without_script_the_worst_are_laid_out_in_full():
    sources = (
        Source(source_id="d1", text="The dose is 40 mg.", title="Leaflet"),
        Source(source_id="d2"),
        Source(source_id="d3", text="x" * (MOST_OF_TEXT + 5)),
    )
    text = page(few_cards(), retrieved=sources, gold=Gold(answer="40 mg")).text
    assert (
        text.index("The usual dose is 400 mg")
        < text.index("The appeal lies to the full court.")
        < text.index("the judge timed out")
    )
    for said in (
        "contradicted by d1",
        "The dose is 40 mg.",
        "Leaflet",
        "The log holds no text",
        "5 more characters are not shown",
        "claim 1, citation 1",
        "Scripts are off",
    ):
        assert said in text
    many = page([card(f"q{n:03}") for n in range(WITHOUT_SCRIPT + 9)])
    assert many.tags.count("article") == WITHOUT_SCRIPT + 1, "and the reader, which is empty"


def test_a_missing_log_is_told_from_an_empty_retrieval():
    assert "The retrieval was not logged." in page([card("q")]).text
    assert "The retrieval returned nothing." in page([card("q")], retrieved=()).text


HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>--><!--\u202egnp\x1b[31m\u2028"


def test_text_of_records_ends_no_element_and_begins_none():
    scored = card(
        HOSTILE, "wrong", why=HOSTILE, category=HOSTILE, labelled=HOSTILE, claims=(claim("partial", (PASS, FAIL), text=HOSTILE),),
        findings=(Finding(code=HOSTILE, outcome=FAIL, reason=HOSTILE),), release=Release(verdict="hold", reasons=(HOSTILE,), text=HOSTILE),
    )  # fmt: skip
    made = page(
        [scored], question=HOSTILE, answer=HOSTILE, gold=Gold(answer=HOSTILE, why=HOSTILE), metadata={HOSTILE: HOSTILE},
        retrieved=(Source(source_id=HOSTILE, text=HOSTILE, title=HOSTILE, url=HOSTILE, metadata={HOSTILE: HOSTILE}),),
    )  # fmt: skip
    quiet = page([card("q")])
    made.html.encode()
    assert made.open == []
    assert "img" not in made.tags
    assert len(made.scripts) == len(quiet.scripts)
    assert "alert" not in made.scripts[-1][1]
    outside = re.sub(r"<script.*?</script>", "", made.html, flags=re.DOTALL)
    assert not re.search("[\x1b\u202e]", outside)
    assert "alert(1)" in made.blocks[0]["records"][0]["answer"]


def test_what_steers_is_seen_and_moves_no_offset():
    text = "a\x1b[1mb\u202ec\U000e0041d\ud800e\u200ff\n"
    assert len(held(text)) == len(text)
    assert held(text) == "a␛[1mb\ufffdc\ufffdd\ufffde\u200ff\n", "marks of direction and line ends stay"
    assert line("one  two\x00 three") == "one two three"


def test_long_names_are_cut_and_stay_apart():
    first, second = name("x" * 900 + "a"), name("x" * 900 + "b")
    assert first != second
    assert len(first) < 520
    assert name("q-1") == "q-1"


QUOTED = "The Tenant shall give three months notice in writing."
OWN = [
    (Answer(claims=(Claim(text="c", citations=(Citation(source_id="d1", quoted_span="three months notice"),)),)), "c", "three months notice", "a structured answer's quoted span"),
    ('{"claims": [{"text": "c", "citations": [{"source_id": "d1", "quoted_span": "three months notice"}]}]}', "c", "three months notice", "the same as JSON in a string"),
    ("It says “shall give three months notice” [1].", "It says “shall give three months notice”", "shall give three months notice", "quotation marks in the claim"),
    ("It says “must give six weeks of warning” [1].", "It says “must give six weeks of warning”", None, "a quotation that is not there"),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "text", "expected", "source"), OWN, ids=[row[-1] for row in OWN])
def test_the_models_own_quotation_is_placed_in_the_source(answer, text, expected, source):
    cited = CitationScore(source_id="d1", exists=PASS, supports=PASS)
    scored = card("q", claims=(claim("supported", text=text).model_copy(update={"citations": (cited,)}),))
    record = Record(id="q", question="?", answer=answer, retrieved=(Source(source_id="d1", text=QUOTED),))
    body, _ = body_of(record, scored, Thresholds())
    own = body["claims"][0]["citations"][0]["own"]
    assert len(own) == 1
    at = own[0].get("at")
    assert (at and QUOTED[slice(*at)]) == expected


def test_an_answer_in_json_is_shown_by_the_text_that_its_places_index():
    assert given_answer('{"text": "Thirty days.", "claims": []}').text == "Thirty days."
    assert given_answer('{"text": "Thirty days.", "claims": []}').raw.startswith("{")
    assert given_answer("[1] says so.").text == "[1] says so."
    assert given_answer(None).text is None


UNSURE = [
    (claim("supported", p=0.65), {}, True, "0.15 from the threshold counts"),
    (claim("supported", p=0.651), {}, False, "more does not"),
    (claim("supported", p=0.65, kind="holding"), {"per_kind": {"holding": 0.9}}, False, "the threshold of its kind"),
    (claim("supported", p=0.8, kind="holding"), {"per_kind": {"holding": 0.9}}, True, "near that of its kind"),
    (claim("supported"), {}, False, "a label without a probability is taken at its word"),
    (claim("unknown"), {}, True, "a verdict unknown"),
    (claim("supported", (PASS, UNKNOWN)), {}, True, "a citation's verdict unknown"),
]


@pytest.mark.parametrize(("one", "thresholds", "expected", "source"), UNSURE, ids=[row[-1] for row in UNSURE])
def test_where_the_judge_was_unsure(one, thresholds, expected, source):
    assert is_uncertain(card("q", claims=(one,)), Thresholds(**thresholds)) is expected


def test_why_a_refusal_got_its_grade_is_said():
    points = (
        RefusalPoint(point="reason", earned=True, why="says what is missing"),
        RefusalPoint(point="pointer", earned=False, why="names no closest passage"),
    )
    made = page([card("q", "refused", cause="unjudged", refusal_quality=1, refusal_points=points)])
    assert "Refusal, reason: yes – says what is missing" in made.text
    assert made.blocks[0]["records"][0]["quality"] == 1


def test_zero_is_kept_and_nothing_is_not():
    scored = card("q", refusal_quality=0, extra_claim_count=0, claims=(claim("unsupported", p=0.0),))
    body, _ = body_of(Record(id="q", question="?", answer=None), scored, Thresholds())
    assert (body["quality"], body["extra"], body["claims"][0]["p"]) == (0, 0, 0.0)
    assert "answer" not in body
    assert body["nothing"] is True


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


def test_a_category_in_which_nothing_was_decided_has_no_share_of_acceptable_answers():
    cards = [card(f"u{n}", "unknown", cause="undecided", category="adversarial") for n in range(4)]
    made = page([*cards, card("c", "correct", category="answerable"), card("v", "unknown", category="answerable")])
    table = made.html.split('class="grid by-category"')[1].split("</table>")[0]
    answerable, undecided = (row for row in table.split("<tr>")[2:])
    assert "none decided" in undecided
    assert "100\u00a0%" in answerable, "of the one that was decided"
