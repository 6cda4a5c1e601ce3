"""Passages are the document's own characters, in order, all of them, and of a length that can be read in one piece."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from showable.harness.corpora.chunking import FEWEST, MOST, chunk, id_of, passages_of

PIECES = st.sampled_from(
    [
        "word ",
        "The end. ",
        "\n",
        "\n\n",
        "- item ",
        "# Heading\n",
        "| a | b |\n",
        "Term: ",
        "x" * 400 + " ",
        "中文字。" * 9,
        "\r\n",
        "\x0c",
        "\u2028",
        "  \n \n",
        "No. 5 v. Smith ",
        '"Quoted. Twice." ',
        "1. ",
        "```\ncode\n```\n",
        "\ud7ff",
        "é́ ",
    ]
)


def sentences(count, of="The clerk files the form on time"):
    return " ".join(f"{of} in case {number}." for number in range(count))


@settings(max_examples=80)
@given(st.lists(PIECES, max_size=400))
def test_passages_hold_every_character_that_is_not_blank_in_order(pieces):
    text = "".join(pieces)
    at = 0
    for start, end in passages_of(text):
        assert start >= at
        assert not text[at:start].strip()
        assert text[start:end] == text[start:end].strip() != ""
        at = end
    assert not text[at:].strip()


@settings(max_examples=60)
@given(st.lists(PIECES, max_size=600))
def test_no_passage_is_longer_than_the_most(pieces):
    text = "".join(pieces)
    assert all(len(text[start:end].split()) <= MOST for start, end in passages_of(text))


@given(st.lists(PIECES, max_size=60))
@settings(max_examples=40)
def test_every_source_is_a_slice_of_its_document(pieces):
    text = "".join(pieces)
    for number, source in enumerate(chunk("d", text, title="T"), start=1):
        start = source.metadata["start"]
        assert source.source_id == f"d#{number}"
        assert source.text == text[start : start + len(source.text)]


def lengths(text):
    return [len(text[start:end].split()) for start, end in passages_of(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t\n ", []),
        ("One word.", [2]),
        (sentences(18), [180]),  # ten words a sentence
        (sentences(19), [130, 60]),  # what is left over gets enough words to be found
        (sentences(36), [180, 180]),
    ],
    ids=["empty", "blank", "short", "just fits", "a little more", "two"],
)
def test_lengths(text, expected):
    assert lengths(text) == expected


def test_a_long_text_makes_passages_of_about_a_paragraph():
    found = lengths(sentences(200))
    assert all(FEWEST <= words <= MOST for words in found[:-1])


def test_the_last_passage_is_no_crumb():
    """A text a little longer than a passage is cut so that its end keeps enough words to be found."""
    for count in range(1, 60):
        *others, last = lengths(sentences(count))
        assert not others or last >= 50, count


def test_the_end_of_a_paragraph_is_preferred_to_that_of_a_sentence():
    text = "\n\n".join([sentences(13), sentences(8), sentences(13)])
    first, second = text.index("\n\n"), text.rindex("\n\n")
    ends = [end for _, end in passages_of(text)]
    assert first in ends
    assert second not in ends or len(ends) > 2


def test_sentences_are_kept_whole():
    text = sentences(100, of="Smith v. Jones, 5 U.S. 137 (1803), at p. 3, holds")
    assert all(text[end - 1] == "." and text[start:].startswith("Smith") for start, end in passages_of(text))


def test_a_heading_stays_with_what_follows():
    text = "\n\n".join(f"Part {number}\n\n{sentences(6)}" for number in range(12))
    for start, end in passages_of(text):
        assert text[start:end].endswith(".")


def test_a_bullet_belongs_to_its_item():
    text = "\n".join(f"- The item {number} of this list is about a thing of some length." for number in range(80))
    assert all(text[start] == "-" for start, _ in passages_of(text))


def test_a_table_is_cut_between_its_rows():
    text = "\n".join(f"| row {number} | {number * 7} | some words in a cell |" for number in range(120))
    assert all(text[start] == "|" and text[end - 1] == "|" for start, end in passages_of(text))


def test_text_without_spaces_is_cut_all_the_same():
    text = "字" * 10_000
    spans = passages_of(text)
    assert len(spans) > 3
    assert "".join(text[start:end] for start, end in spans) == text


def test_the_page_is_that_of_the_first_character():
    text = sentences(60)
    border = len(text) // 2
    sources = chunk("d", text, title=None, url="https://example.org/d", pages=lambda at: 1 if at < border else 2)
    assert [source.page for source in sources] == [1 if source.metadata["start"] < border else 2 for source in sources]
    assert {source.page for source in sources} == {1, 2}
    assert {source.url for source in sources} == {"https://example.org/d"}


def test_metadata_is_carried_by_every_passage():
    for source in chunk("d", sentences(60), title=None, metadata={"version": "2", "document": "not this"}):
        assert source.metadata["version"] == "2"
        assert source.metadata["document"] == "d"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("lease.pdf", "lease.pdf"),
        ("a folder/My Lease, signed [2].pdf", "a_folder/My_Lease_signed_2_.pdf"),
        ("a|b;c\td", "a_b_c_d"),
    ],
)
def test_ids_can_be_cited_in_brackets(name, expected):
    assert id_of(name) == expected


@pytest.mark.parametrize("heading", ["\n\nPart two\n\n", "\n\nThe duties are:\n\n", "\n# Rules\n"])
def test_a_heading_ends_no_passage_though_what_follows_does_not_fit(heading):
    """What follows is one sentence of 150 words: with the words before it, it would be more than a passage."""
    text = sentences(11) + heading + "The clerk " + "very " * 147 + "slowly writes."
    spans = passages_of(text)
    assert [text[start:].startswith(heading.strip()) for start, _ in spans] == [False, True]
