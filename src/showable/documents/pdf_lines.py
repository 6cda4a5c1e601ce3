"""Lines of PDF pages: what is furniture and what is text, and where a line end has cut a word or an address."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

Line = tuple[int, str]
"""The number of a line within its page, and its text."""

_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"[\s\-–—|]*(?:page\s+)?(?:\d{1,4}|[ivxlc]{1,6})(?:\s*(?:of|/)\s*\d{1,4})?[\s\-–—|]*", re.IGNORECASE
)
_LEAST_PAGES = 3
_EDGE = 2
"""Lines at the top and at the foot of a page that may be a running head."""
_LINE_NUMBER = re.compile(r"\s{0,8}(\d{1,2})(?:\s+(?=\S)|\s*$)")
_LEAST_NUMBERED = 15
"""Pleading paper has 24 to 32 numbered lines; a list that long, each item on one line, is no running text."""

_ADDRESS = re.compile(r"(?:https?://|www\.|doi:\s?|\b10\.\d{4,9}/)\S*$", re.IGNORECASE)
_CUT_WORD = re.compile(r"[a-z]-$")
_FIRST_WORD = re.compile(r"\S+")
_GOES_ON = re.compile(r"[^\W_]*[\d/_=?&%~.-][^\W_]")
"""A word that is none: digits, slashes or dots inside it."""
_LEAST_REST = 3
_SHORT = 0.75
"""Share of the column below which a line is short."""
_SENTENCE_END = re.compile(r"[.!?:][\"”’)\]]{0,2}\d{0,3}$")
_SMALL_WORD = 3
_LONGEST_HEADING = 6
_NO_HEADING = re.compile(r"[,;.]|\bv\b|\d|[-–—]$")
"""What stands in names, cites and wrapped lines, and hardly in a heading."""


def body_lines(pages: Sequence[str]) -> list[list[Line]]:
    """Number the lines of each page and leave out blank ones, line numbers of pleading paper, running heads and page numbers.

    A running head is a line at the top or foot that stands, but for its figures, on at least half of the pages and on
    at least three.
    """
    numbered = [
        [(n, line.strip()) for n, line in enumerate(_unnumbered(page.splitlines()), 1) if line.strip()]
        for page in pages
    ]
    heads = _running_heads(numbered)
    return [_without_furniture(page, heads) for page in numbered]


def _unnumbered(lines: Sequence[str]) -> list[str]:
    """Take the numbers off the lines of pleading paper: 1, 2, 3 … down the page, in order."""
    found = [(at, int(match[1]), match) for at, line in enumerate(lines) if (match := _LINE_NUMBER.match(line))]
    expected, taken = 1, {}
    for at, number, match in found:
        if number == expected:
            taken[at] = match.end()
            expected += 1
    if len(taken) < _LEAST_NUMBERED:
        return list(lines)
    return [line[taken.get(at, 0) :] for at, line in enumerate(lines)]


def _masked(line: str) -> str:
    return _DIGITS.sub("0", line.casefold())


def _running_heads(pages: Sequence[Sequence[Line]]) -> frozenset[str]:
    counts: Counter[str] = Counter()
    for page in pages:
        counts.update({_masked(line) for _, line in (*page[:_EDGE], *page[-_EDGE:])})
    least = max(_LEAST_PAGES, len(pages) / 2)
    return frozenset(line for line, count in counts.items() if count >= least)


def _without_furniture(page: Sequence[Line], heads: frozenset[str]) -> list[Line]:
    last = len(page) - 1

    def is_furniture(at: int, line: str) -> bool:
        at_edge = at < _EDGE or at > last - _EDGE
        return at_edge and (_masked(line) in heads or (at in {0, last} and bool(_PAGE_NUMBER.fullmatch(line))))

    kept = [entry for at, entry in enumerate(page) if not is_furniture(at, entry[1])]
    return kept or list(page)


def joint(line: str, following: str) -> tuple[str, str]:
    """Return what remains of a line before the next one, and what comes between them: a line end, or nothing where a word goes on.

    ``consti-`` before ``tution`` loses its hyphen; an address keeps its own and goes on in the next line where
    what follows can be no new sentence. Where that cannot be told, the line end stays.
    """
    first = _FIRST_WORD.match(following)
    if not first:
        return line, "\n"
    *before, last = line.rsplit(None, 1)  # a line may be a whole page long: nothing is searched from all its places
    last = f"doi: {last}" if before and before[0].casefold().endswith("doi:") else last
    if (address := _ADDRESS.search(last)) and len(address[0]) > _LEAST_REST:
        return line, "" if _is_rest(line, first[0]) else "\n"
    if _CUT_WORD.search(line[-2:]) and following[0].islower():
        return line[:-1], ""
    return line, "\n"


def _is_rest(line: str, word: str) -> bool:
    """Return whether an address at the end of a line goes on with the word that opens the next."""
    if line[-1] == "-":
        return True
    inner = _GOES_ON.match(word) is not None or (any(map(str.isdigit, word)) and not word.strip(".,;)").isdigit())
    figures = word.strip(".,;)").isdigit() and len(word.strip(".,;)")) > _LEAST_REST
    return line[-1] in "/_=?&%~.#" and (inner or figures) and len(word) >= _LEAST_REST


def ends_paragraph(line: str, following: str, width: int) -> bool:
    """Return whether a paragraph ends with a line: it stops short of the column's `width` at the end of a sentence, or is a heading.

    PDF keeps no paragraphs. A line that is short for another reason is let go on, for a citation may.
    """
    if not following or len(line) >= _SHORT * width:
        return False
    if _SENTENCE_END.search(line):
        return following[0].isupper() or not following[0].isalpha()
    words = line.split()
    is_title = all(word[0].isupper() or len(word) <= _SMALL_WORD for word in words) and words[0][0].isupper()
    return is_title and len(words) <= _LONGEST_HEADING and not _NO_HEADING.search(line) and following[0].isalnum()


def column_width(lines: Sequence[Line]) -> int:
    """Return the number of characters that a full line of a page has: nine tenths of its lines have no more."""
    lengths = sorted(len(line) for _, line in lines)
    return lengths[len(lengths) * 9 // 10] if lengths else 0
