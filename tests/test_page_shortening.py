"""Passages cut to the room on the page: around what is marked in them, every place still true, and what is left out counted."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scorecards import FAIL, PASS, SIGNATURE, card, claim

from showable.measure.summary import summarise
from showable.records import Gold, Record, Source
from showable.records.record import GoldEvidence
from showable.records.scorecard import CitationScore
from showable.records.signature import Thresholds
from showable.report.page.keeping import CUTS, SPARED, Keeping
from showable.report.page.packing import pack
from showable.report.page.shortening import MOST_OF_PASSAGE, allot, cut_to, moved_by, shorten, windows_of
from showable.report.page.write import page_parts
from showable.report.run_view import Entry, RunView

WINDOWS = [
    (100, [], 30, [(0, 30)], "nothing is marked: the start"),
    (100, [(50, 60)], 30, [(40, 70)], "ten characters either side of ten"),
    (100, [(0, 10)], 30, [(0, 30)], "at the start the room goes to what follows"),
    (100, [(95, 100)], 30, [(83, 100)], "at the end nothing follows"),
    (100, [(10, 20), (80, 90)], 40, [(5, 25), (75, 95)], "the room is divided"),
    (100, [(40, 45), (50, 55)], 40, [(33, 63)], "what touches is one"),
    (100, [(20, 90)], 30, [(20, 50)], "of what is longer than the room, its beginning"),
    (100, [(90, 300), (-4, 5), (7, 7)], 30, [(80, 100)], "places that are none do not count"),
    (10, [(2, 4)], 30, [(0, 10)], "all of it"),
]


@pytest.mark.parametrize(("length", "spans", "room", "expected", "source"), WINDOWS, ids=[row[-1] for row in WINDOWS])
def test_what_is_kept_of_a_passage(length, spans, room, expected, source):
    assert windows_of(length, spans, room) == expected


ALLOTTED = [
    ([10, 10], [1, 1], 100, [10, 10], "all fit"),
    ([100, 100], [1, 1], 60, [30, 30], "evenly"),
    ([100, 100], [4, 1], 60, [48, 12], "by weight"),
    ([10, 100, 100], [1, 1, 1], 110, [10, 50, 50], "what one does not need is the others'"),
    ([100, 100], [1, 1], 0, [1, 1], "never nothing: a passage without text would seem to have none"),
    ([], [], 10, [], "none"),
]


@pytest.mark.parametrize(("lengths", "weights", "room", "expected", "source"), ALLOTTED)
def test_room_is_divided(lengths, weights, room, expected, source):
    assert allot(lengths, weights, room) == expected, source


SPANS = st.lists(st.tuples(st.integers(0, 120), st.integers(0, 30)).map(lambda one: (one[0], sum(one))), max_size=4)


@given(st.integers(1, 120), SPANS, st.integers(1, 90), st.integers(1, 60))
def test_however_often_it_is_cut_places_stay_true_and_nothing_goes_uncounted(length, spans, room, less):
    whole = "".join(map(chr, range(0x4E00, 0x4E00 + length)))
    text, gaps, more, places = whole, [], 0, [(span, span) for span in spans]
    for size in (room, less):
        windows = windows_of(len(text), [place for _, place in places], size)
        assert all(low < high for low, high in windows)
        assert all(first[1] < second[0] for first, second in pairwise(windows))
        places = [(span, moved) for span, place in places if (moved := moved_by(place, windows))]
        text, gaps, more = cut_to(text, windows, gaps, more)
        assert len(text) + sum(count for _, count in gaps) + more == length
        for (start, _), (low, high) in places:
            assert text[low:high] == whole[start : start + high - low]
    at, rebuilt = 0, ""
    for place, count in [*gaps, (len(text), more)]:
        rebuilt += text[at:place] + "?" * count
        at = place
    assert len(rebuilt) == length
    assert all(one in ("?", other) for one, other in zip(rebuilt, whole, strict=True)), (
        "each gap stands where it was cut"
    )


def entry(number, characters, *, bucket="wrong", prefix=""):
    """A record with three passages of its own; what the judge relied on stands far behind the start of the first."""
    chance = random.Random(number)  # noqa: S311 - no secret
    texts = ["".join(chr(0x4E00 + chance.randrange(9_000)) for _ in range(characters)) for _ in range(3)]
    start = characters * 2 // 3
    cited = CitationScore(
        source_id="d0", exists=PASS, supports=FAIL, quote_span=(start, start + 20), quote=texts[0][start : start + 20]
    )
    scored = card(f"{prefix}q{number:04}", bucket, claims=(claim("unsupported", text="c").model_copy(update={"citations": (cited,)}),))  # fmt: skip
    gold = Gold(
        answer="g", evidence=(GoldEvidence(source_id="d1", start=start, end=start + 9), GoldEvidence(source_id="d2"))
    )
    sources = tuple(Source(source_id=f"d{n}", text=text) for n, text in enumerate(texts))
    return Entry(Record(id=scored.id, question="?", answer="!", gold=gold, retrieved=sources), scored)


def held(keeping):
    return [(body, [keeping.text(key) for key in kept.texts]) for kept, body in keeping.records()]


def test_passages_are_cut_before_any_record_is_left_out(monkeypatch):
    monkeypatch.setattr("showable.report.page.keeping.CUTS", ((3_000, 2), (600, 2), (600, 0)))
    monkeypatch.setattr("showable.report.page.packing.CUTS", ((3_000, 2), (600, 2), (600, 0)))
    monkeypatch.setattr("showable.report.page.packing.BLOCK_RECORDS", 5)
    entries = [entry(n, 4_000) for n in range(30)]
    keeping = Keeping(Thresholds())
    keeping.add_all(entries)
    packed = pack(keeping, most_bytes=250_000)
    assert packed.count == 30
    assert sum(map(len, packed.blocks)) <= 250_000
    for at, ((body, texts), (record, _)) in enumerate(zip(held(keeping), entries, strict=True)):
        relied = body["claims"][0]["citations"][0]["relied"]
        assert (
            texts[0][slice(*relied)]
            == record.retrieved[0].text[slice(*entries[at].card.claims[0].citations[0].quote_span)]
        )
        first, second = body["gold"]["evidence"]
        assert texts[1][slice(*first["at"])] == record.retrieved[1].text[2_666:2_675]
        assert "at" not in second, "the whole passage is meant"
        for passage, text, source in zip(body["passages"], texts, record.retrieved, strict=True):
            assert len(text) + sum(n for _, n in passage.get("gaps", ())) + passage.get("more", 0) == len(source.text)
        assert (sum(map(len, texts)) == 12_000) is (at < 2), "the worst two are whole"
        assert len(texts[0]) >= len(texts[2]), "where something is marked more is kept"


def test_a_run_that_outgrows_the_memory_is_cut_while_it_is_read():
    keeping = Keeping(Thresholds(), memory=1_500_000)
    keeping.add_all(entry(n, 4_000) for n in range(60))
    assert len(keeping) == 60
    assert keeping.cuts == len(CUTS), "sixty are fewer than are spared at first"
    assert max(sum(map(len, texts)) for _, texts in held(keeping)) <= CUTS[-1][0]


def test_the_page_says_that_passages_were_cut():
    entries = [entry(n, 4_000) for n in range(3)]
    keeping = Keeping(Thresholds())
    keeping.add_all(entries)
    keeping.cut()
    summary = summarise((one.card for one in entries), SIGNATURE)
    html = "".join(page_parts(RunView("x", summary, lambda: iter(entries)), keeping))
    assert "the passages of an answer are cut to 40,000 characters together" in html
    assert f"those of the first {SPARED} answers are whole" in html


def test_one_endless_passage_is_cut_around_what_was_relied_on():
    record, scored = entry(1, MOST_OF_PASSAGE * 2)
    keeping = Keeping(Thresholds())
    keeping.add(Entry(record, scored))
    ((body, texts),) = held(keeping)
    assert [len(text) for text in texts] == [MOST_OF_PASSAGE] * 3
    relied = body["claims"][0]["citations"][0]["relied"]
    assert texts[0][slice(*relied)] == scored.claims[0].citations[0].quote
    assert shorten(body, texts, 10**6) == texts, "what fits is left alone"
