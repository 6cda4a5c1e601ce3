"""Search over passages by their words: what is found, in which order, and what names the collection."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from showable.records import Source
from showable.records.passages import Passages
from showable.search.bm25 import Bm25, words_of


def sources(*texts):
    return [Source(source_id=f"s{n}", text=text) for n, text in enumerate(texts)]


def found(index, query, k=5):
    return [source.source_id for source in index.search(query, k)]


def test_it_is_a_collection_of_passages():
    assert isinstance(Bm25([]), Passages)


def test_scores_are_those_of_the_formula():
    """Source: Lucene's BM25 (Kamphuis et al. 2020, ECIR, table 1), k1 = 1.5, b = 0.75, worked out by hand."""
    index = Bm25(sources("red apple", "green apple pie", "blue sky"))
    idf = math.log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    expected = idf * 1 / (1 + 1.5 * (1 - 0.75 + 0.75 * 3 / (7 / 3)))
    (pie,) = index.search("pie", 3)
    assert pie.source_id == "s1"
    assert pie.score == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("notice", ["s0"]),
        ("notices", ["s0"]),
        ("NOTICE PERIODS", ["s0"]),
        ("noticed", ["s0"]),
        ("the deposits of £9,600", ["s1"]),
        ("9", []),
        ("", []),
        ("?!", []),
        ("nowhere", []),
    ],
)
def test_words_are_found_whatever_their_case_and_ending(query, expected):
    index = Bm25(sources("Notice period: thirty days.", "A deposit, £9,600, is due."))
    assert [one for one in found(index, query) if one in expected] == expected
    assert expected or not found(index, query)


def test_titles_count():
    index = Bm25(
        [Source(source_id="a", title="Lease of Unit 4", text="Rent is due."), Source(source_id="b", text="Rent.")]
    )
    assert found(index, "unit 4") == ["a"]


def test_of_equal_scores_the_earlier_comes_first():
    assert found(Bm25(sources(*["same words here"] * 40)), "same", 7) == [f"s{n}" for n in range(7)]


@pytest.mark.parametrize("texts", [[], [None], [""], ["…"], [None, "", "!"]])
def test_nothing_is_found_where_there_are_no_words(texts):
    assert found(Bm25(sources(*texts)), "anything") == []


def test_the_name_tells_collections_apart():
    names = {
        Bm25(sources("a b", "c"), "x").name,
        Bm25(sources("a", "b c"), "x").name,
        Bm25(sources("a b", "c"), "y").name,
    }
    assert len(names) == 3
    assert Bm25(sources("a b", "c"), "x").name == Bm25(sources("a b", "c"), "x").name


@given(
    st.lists(st.text(alphabet="ab cd,.", max_size=20), max_size=12),
    st.text(alphabet="ab cd", max_size=10),
    st.integers(0, 5),
)
def test_what_is_found_shares_a_word_and_falls_in_score(texts, query, k):
    hits = Bm25(sources(*texts)).search(query, k)
    assert len(hits) <= k
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert all(set(words_of(hit.text)) & set(words_of(query)) for hit in hits)
