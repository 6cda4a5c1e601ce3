"""What the labelling page is made of: the answer in pieces, words in common, neighbours, marks, and the page itself."""

import json
import re
from importlib.resources import files

import pytest
from label_records import MARKUP
from review_server import SENTINEL

from showable.records.label_guide import GUIDE
from showable.review.answer_pieces import answer_pieces
from showable.review.page_context import (
    CitationShown,
    ClaimShown,
    LabelPage,
    PassageShown,
    ProgressShown,
    RecordShown,
    Visit,
)
from showable.review.record_view import SCRIPTS, Beside, beside, page_data, render
from showable.review.shared_words import shared_words
from showable.review.unseen import marked_unseen


def claim(text, span=None, *citations):
    return ClaimShown(text, span, tuple(CitationShown(source, f"[{source}]", at) for source, at in citations))


def test_an_answer_is_cut_at_its_claims_and_markers_and_nothing_is_lost():
    text = "It is red [1]. It is blue [1][2]. So it seems."
    claims = (
        claim("It is red", (0, 14), ("1", (10, 13))),
        claim("It is blue", (15, 33), ("1", (26, 29)), ("2", (29, 32))),
    )
    pieces = answer_pieces(text, claims)
    assert "".join(piece.text for piece in pieces) == text
    assert [(piece.text, piece.pair) for piece in pieces if piece.pair is not None] == [
        ("[1]", 0),
        ("[1]", 1),
        ("[2]", 2),
    ]
    assert [(piece.text, piece.claim) for piece in pieces if piece.first] == [("It is red ", 0), ("It is blue ", 1)]
    assert pieces[-1].claim is None


@pytest.mark.parametrize(
    ("spans", "firsts"),
    [
        ([(0, 10), (5, 15)], [0, 1]),  # overlapping: a character belongs to the first
        ([(0, 15), (3, 9)], [0]),  # one inside the other has no place of its own
        ([(4, 99), (-2, 3), (5, 5), None], []),  # outside the text, or nowhere
        ([(6, 10), (0, 4)], [1, 0]),  # out of order
    ],
)
def test_claims_that_overlap_or_lie_outside_cost_no_character(spans, firsts):
    text = "abcdefghijklmnopqrstuvwxyz"[:15]
    pieces = answer_pieces(text, tuple(claim("c", span) for span in spans))
    assert "".join(piece.text for piece in pieces) == text
    assert [piece.claim for piece in pieces if piece.first] == firsts


@pytest.mark.parametrize(
    ("said", "passage", "marked"),
    [
        ("Open from 09:00 on weekdays.", "It is open on weekdays from 09:00.", ["open", "weekdays", "09:00"]),
        ("The fee is 12 crowns.", "Nothing of that kind stands here.", []),
        ("Opening hours vary.", "Opening day.", []),  # one word alone is no match
        ("They were there with them.", "They were there with them.", []),  # common words say nothing
        ("Straße und Größe", "STRASSE UND GRÖSSE", ["STRASSE", "GRÖSSE"]),
    ],
)
def test_words_in_common_are_found_by_plain_match(said, passage, marked):
    assert [passage[start:end] for start, end in shared_words(said, passage)] == marked


def test_in_a_long_passage_one_stretch_is_marked():
    passage = "stacks " * 300 + "the northern stacks are kept at 17 degrees " + "degrees " * 300
    spans = shared_words("The northern stacks are kept at 17 degrees", passage)
    assert {passage[start:end] for start, end in spans} == {"northern", "stacks", "kept", "17", "degrees"}
    assert spans[-1][1] - spans[0][0] <= 600


@pytest.mark.parametrize(
    ("ids", "wanted"),
    [
        ([("doc#1", None, None), ("other", None, None), ("doc#2", None, None)], [Beside(None, 2, True), Beside(0, 2), Beside(0, None, True)]),
        ([("a", "T", "7"), ("b", "T", "3"), ("c", "U", "4")], [Beside(1, None, True), Beside(None, 0, True), Beside(1, None)]),
        ([("solo", None, None)], [Beside(None, None)]),
    ],
)  # fmt: skip
def test_what_stands_beside_a_passage(ids, wanted):
    passages = [PassageShown(key, "text", title, page) for key, title, page in ids]
    assert list(beside(passages)) == wanted


def test_hidden_characters_become_marks_one_for_one():
    text = "a\u200bb\u00adc\u202ed\u2066e\x1bf\u200eg\ufeffh"
    assert marked_unseen(text) == "a\ufffdb\ufffdc\ufffdd\ufffde\u241bf\ufffdg\ufffdh"
    kept = "می\u200cخواهم 👩\u200d🔬 naïve\tx\ny"
    assert marked_unseen(kept) == kept


def a_page(record, **given):
    known = {"visit": Visit("token", "run", "Ana", "senior"), "queue": "random", "kind": "random", "position": 1}
    return LabelPage(**{**known, "record": record, "progress": ProgressShown(0, 1), **given})


def test_the_page_holds_nothing_of_the_tool_on_what_is_not_labelled_yet():
    record = RecordShown("r", "r", "Q?", "A [1].", (claim("A", (0, 6), ("p", (2, 5))),), (PassageShown("p", "A"),))
    said = {"support:0:0": {"said": SENTINEL}, "bucket": {"said": SENTINEL}}
    assert SENTINEL not in render(a_page(record, judge=said))
    assert page_data(a_page(record, judge=said, mine={"bucket": "correct"}))["judge"] == {"bucket": {"said": SENTINEL}}


def test_data_ends_no_element_and_holds_no_entity():
    record = RecordShown("r", "r", "Q?", f"{MARKUP}\u2028&amp;", (), (PassageShown("p", f"</script>{MARKUP}"),))
    page = render(a_page(record))
    held = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1]
    assert not set("<>&\u2028\u2029") & set(held)
    assert json.loads(held)["passages"][0]["text"] == f"</script>{MARKUP}"
    assert "<img" not in page


def test_cited_passages_are_whole_and_endless_neighbours_are_cut_with_a_count():
    passages = (PassageShown("cited", "c" * 3_000_000), *(PassageShown(f"n{k}", "n" * 1_000_000) for k in range(3)))
    record = RecordShown("r", "r", "Q?", "A", (ClaimShown("A", None, (CitationShown("cited", passage=0),)),), passages)
    held = page_data(a_page(record))["passages"]
    assert len(held[0]["text"]) == 3_000_000
    assert [len(one["text"]) + one["more"] for one in held[1:]] == [1_000_000] * 3
    assert sum(len(one["text"]) for one in held[1:]) <= 1_510_000


def test_keys_of_the_page_collide_with_none_of_the_guide():
    page = render(a_page(RecordShown("r", "r", "Q?", "A")))
    guide = {choice.key for one in GUIDE.values() for choice in one.choices}
    ours = set("jkbretnzgl?")
    assert not ours & guide
    assert all(f"<kbd>{key}</kbd>" in page for key in ours | {one.key for one in GUIDE["support"].choices})


@pytest.mark.parametrize("logged", [True, False])
def test_an_empty_log_is_told_from_none(logged):
    held = page_data(a_page(RecordShown("r", "r", "Q?", "A", logged=logged)))
    assert (held["passages"], held["logged"]) == ([], logged)


def test_every_script_that_a_script_imports_is_asked_for_with_the_page():
    folder = files("showable.review") / "static"
    imported = {
        name
        for file in ("label.js", *SCRIPTS)
        for name in re.findall(r'from "\./([\w.]+)"', (folder / file).read_text("utf-8"))
    }
    assert imported == set(SCRIPTS)
