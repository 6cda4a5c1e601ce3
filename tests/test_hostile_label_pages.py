"""Records made to cost the labelling page: many claims, long passages, quotations that are nearly there."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scorecards import card

from showable.records.findings import Outcome
from showable.records.record import Record
from showable.records.scorecard import CitationScore, ClaimScore
from showable.review import record_view, showing_records
from showable.review.answer_pieces import answer_pieces
from showable.review.page_context import ClaimShown, PassageShown
from showable.review.record_view import beside
from showable.review.shared_words import PassageWords
from showable.review.showing_records import show_record
from showable.serving.time_limit import time_limit

WORDS = ["notice", "period", "tenant", "lease", "landlord", "deposit", *(f"word{n}" for n in range(300))]
CITED = (CitationScore(source_id="a", exists=Outcome.PASS, supports=Outcome.PASS),)


def shown(texts, passage, spans=None):
    claims = tuple(ClaimScore(text=text, support="supported", span=spans, citations=CITED) for text in texts)
    record = Record(id="r", question="q?", answer="x" * 20_000, retrieved=[{"source_id": "a", "text": passage}])
    return show_record(record, card("r", "correct").model_copy(update={"claims": claims}))


def made(count, length, seed=1):
    draw = random.Random(seed)  # noqa: S311 - the same every time
    return [" ".join(draw.choice(WORDS) for _ in range(length)) for _ in range(count)]


def test_a_page_of_many_claims_over_a_long_passage_takes_what_reading_it_once_takes():
    (passage,) = made(1, 60_000)
    with time_limit(5):  # of the processor: before, 400 claims took ten times as long as this allows
        record = shown(made(400, 30), passage)
        pairs = list(record_view._pairs(record))
    assert len(pairs) == 400, "every claim can be labelled"
    assert pairs[0]["shared"], "and the first of them are helped with"
    assert not pairs[-1]["shared"], "until the page has cost enough"


def test_quotations_are_looked_for_once_and_no_more_than_a_page_may_cost(monkeypatch):
    asked = []
    monkeypatch.setattr(showing_records, "place_of", lambda words, source: asked.append(words) or (0, 1))
    monkeypatch.setattr(showing_records, "_MOST_SEARCHED", 100_000)
    quote = "the tenant has to give notice in writing"
    record = shown([f'It says "{quote}".'] * 50, "p" * 1_000)
    assert asked == [quote]
    assert all(claim.citations[0].own_words == ((0, 1),) for claim in record.claims)
    asked.clear()
    record = shown([f'It says "{quote} {n:03}".' for n in range(50)], "p" * 1_000)
    assert len(asked) == 100_000 // (1_000 * (len(quote) + 4))
    assert record.claims[-1].citations[0].own_words == record.claims[-1].citations[0].missing_words == ()


def test_claims_that_cover_the_answer_many_times_are_placed_once():
    claims = [ClaimShown("c", (n % 7, 1_000_000 - n % 5), ()) for n in range(3_000)]
    with time_limit(3):  # 3,000 million characters were gone through
        pieces = answer_pieces("x" * 1_000_000, claims)
    assert "".join(piece.text for piece in pieces) == "x" * 1_000_000


def owners_one_by_one(text, claims):
    """What `answer_pieces` says, in the plainest way: a character belongs to the first claim that covers it."""
    owner = [None] * len(text)
    for number, claim in enumerate(claims):
        if claim.span and 0 <= claim.span[0] < claim.span[1] <= len(text):
            for at in range(*claim.span):
                owner[at] = number if owner[at] is None else owner[at]
    return owner


@given(
    st.text("ab", max_size=12),
    st.lists(st.one_of(st.none(), st.tuples(st.integers(-1, 13), st.integers(-1, 13))), max_size=6),
)
def test_pieces_are_those_of_the_first_claim_that_covers_them(text, spans):
    claims = [ClaimShown("c", span, ()) for span in spans]
    pieces = answer_pieces(text, claims)
    assert "".join(piece.text for piece in pieces) == text
    assert [piece.claim for piece in pieces for _ in piece.text] == owners_one_by_one(text, claims)
    assert all(one.claim != other.claim for one, other in itertools.pairwise(pieces)), "no cut without a cause"


def test_the_densest_stretch_is_found_in_linear_time():
    words = [f"word{n:05}" for n in range(20_000)]
    with time_limit(3):  # 20,000 words in sight of each of 20,000
        assert PassageWords(" ".join(words)).shared(" ".join(words))


def test_thirty_thousand_passages_of_one_document_find_their_neighbours():
    passages = [PassageShown(f"doc#{n}", "x", None, None, None) for n in reversed(range(30_000))]
    with time_limit(3):
        found = beside(passages)
    assert (found[0].before, found[0].after) == (1, None)
    assert (found[5_000].before, found[5_000].after, found[5_000].same) == (5_001, 4_999, True)


@pytest.mark.parametrize("spans", [(0, 20_000)])
def test_the_page_itself_is_made(spans):
    record = shown(made(30, 10), " ".join(made(1, 500)), spans)
    assert record_view._placed(record) == {0}, "one claim owns the whole answer, the others are listed below"
