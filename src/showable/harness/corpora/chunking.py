"""Cut a document into passages: at the end of a paragraph where one is near, else at the end of a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from showable.read.sentences import split_sentences
from showable.records.record import Source

FEWEST, MOST = 120, 180
"""Words of a passage: about a paragraph, which a judge reads in one piece and a person in one look."""
_TAIL = 60
"""Words that the last passage of a document gets where the text allows it: a shorter one says too little to be found."""
_CHARACTERS_A_WORD = 12
"""Beyond so many characters a word, the characters are counted: text without spaces (Chinese, a key, a row of dots) is long too."""
_HEADING = 12
"""Words of a line without a full stop that may be a heading."""
_PARAGRAPH = re.compile(r"\n[^\S\n]*\n\s*|\f")
_LINE = re.compile(r"\n")
_SPACE = re.compile(r"\s+")

_NOT_IN_AN_ID = re.compile(r"[\[\],;|\s]+")
"""What would end or split a citation that names the id in brackets."""

PageOf = Callable[[int], int | str | None]
"""Says on which page an offset of the document's text stands."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """Text that is not cut: from where to where, how long it is, and whether a paragraph ends with it.

    `leads` says that it leads into what follows, and so ends no passage: a heading, a line that ends in a colon.
    """

    start: int
    end: int
    words: int
    closes: bool
    leads: bool = False


def chunk(
    document: str,
    text: str,
    *,
    title: str | None,
    url: str | None = None,
    pages: PageOf | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> list[Source]:
    """Cut `text` into passages of about 120 to 180 words, in order; together they hold all of it that is not blank.

    Ids are ``DOCUMENT#1``, ``DOCUMENT#2`` …; ``metadata.start`` is the offset of the first character in `text`, and
    the page is that of this character. A heading stays with what follows it.
    """
    return [
        Source(
            source_id=f"{document}#{number}",
            text=text[start:end],
            title=title,
            page=None if pages is None else pages(start),
            url=url,
            metadata={**(metadata or {}), "document": document, "start": start},
        )
        for number, (start, end) in enumerate(passages_of(text), start=1)
    ]


def id_of(name: str) -> str:
    """Make an id of a document's name: one that can be cited in brackets."""
    return _NOT_IN_AN_ID.sub("_", name.strip())


def passages_of(text: str) -> list[tuple[int, int]]:
    """Return the spans of the passages of a text, without the white space around them."""
    pieces = list(_pieces(text))
    left = sum(piece.words for piece in pieces)
    spans, at = [], 0
    while at < len(pieces):
        after = _cut(pieces, at, left)
        left -= sum(piece.words for piece in pieces[at:after])
        spans.append((pieces[at].start, pieces[after - 1].end))
        at = after
    return spans


def _cut(pieces: Sequence[_Piece], at: int, left: int) -> int:
    """Say after which piece the passage that begins at `at` ends, `left` being all the words from there on."""
    if left <= MOST:
        return len(pieces)
    most = min(MOST, max(FEWEST, left - _TAIL))
    words, after, paragraph = 0, at, None
    while after < len(pieces) and (after == at or words + pieces[after].words <= most):
        words += pieces[after].words
        after += 1
        if words >= FEWEST and pieces[after - 1].closes:
            paragraph = after
    if paragraph is not None:
        return paragraph
    before = after - 1
    return before if before > at and pieces[before].leads and not pieces[before - 1].leads else after


def _pieces(text: str) -> Iterator[_Piece]:
    """Cut a text into paragraphs, and those too long into sentences; no piece is longer than a passage."""
    for start, end in _parted(text, 0, len(text), _PARAGRAPH):
        if _words(text, start, end) <= _TAIL:
            leads = _leads(text[start:end])
            yield _Piece(start, end, _words(text, start, end), closes=not leads, leads=leads)
            continue
        sentences = [piece for span in _sentences(text, start, end) for piece in _short(text, *span)]
        for number, (first, last) in enumerate(sentences, start=1):
            yield _Piece(first, last, _words(text, first, last), closes=number == len(sentences))


def _leads(paragraph: str) -> bool:
    if paragraph.endswith(":") or paragraph.startswith("#"):
        return True
    return "\n" not in paragraph and len(paragraph.split()) <= _HEADING and paragraph[-1].isalnum()


def _sentences(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Cut at the beginnings of sentences; a bullet or number before one belongs to it, and a heading to what follows."""
    part = text[start:end]
    begins, heading = [start], False
    for sentence in split_sentences(part):
        at = start + sentence.start
        line = text.rfind("\n", begins[-1], at) + 1
        at = line if line and not any(map(str.isalpha, text[line:at])) else at
        if at > begins[-1] and not heading and text[begins[-1] : at].strip():
            begins.append(at)
        heading = sentence.kind == "heading"
    return [span for first, last in pairwise([*begins, end]) if (span := _bare(text, first, last))]


def _short(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Cut what is longer than a passage at line ends (a table, a list), else between words, else anywhere."""
    if _words(text, start, end) <= MOST:
        return [(start, end)]
    for where in (_LINE, _SPACE):
        parts = _parted(text, start, end, where)
        if len(parts) > 1:
            return [span for part in _gathered(text, parts) for span in _short(text, *part)]
    size = MOST * _CHARACTERS_A_WORD
    return [(at, min(at + size, end)) for at in range(start, end, size)]


def _gathered(text: str, parts: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Put small parts together, up to half the length of the shortest passage."""
    gathered = [parts[0]]
    for start, end in parts[1:]:
        if _words(text, gathered[-1][0], end) <= FEWEST // 2:
            gathered[-1] = (gathered[-1][0], end)
        else:
            gathered.append((start, end))
    return gathered


def _parted(text: str, start: int, end: int, where: re.Pattern[str]) -> list[tuple[int, int]]:
    ends = [*(found.span() for found in where.finditer(text, start, end)), (end, end)]
    spans, at = [], start
    for stop, after in ends:
        if span := _bare(text, at, stop):
            spans.append(span)
        at = after
    return spans


def _bare(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Leave out the white space around a span; None where nothing else is in it."""
    part = text[start:end]
    first, last = start + len(part) - len(part.lstrip()), start + len(part.rstrip())
    return (first, last) if first < last else None


def _words(text: str, start: int, end: int) -> int:
    return max(len(text[start:end].split()), -(-(end - start) // _CHARACTERS_A_WORD))
