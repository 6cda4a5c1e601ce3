"""Find a quotation in a text: verbatim, after normalisation, or approximately with its edit distance; and compare pages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import islice
from typing import Literal

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from showable.records.regex import regex

Match = Literal["verbatim", "normalised", "approximate", "absent", "too_short"]

MIN_LETTERS = 3
"""A shorter quotation stands in almost any text: that it is there proves nothing, that it is not does."""
APPROXIMATE = 85.0
"""Share of the quotation (per cent, Indel similarity) that must align before it is called a misquotation
of this passage rather than absent from it."""
LONGEST_APPROXIMATE = 2_000
"""Characters of a quotation that is aligned where it does not stand in the text as it is: that costs its square."""
_WINDOW = 10_000
_MOST_PLACES = 50
_SHORT_PIECE = 64
_MARGIN = 12
"""Characters on either side of the best alignment, which may be off by a word that was changed."""
_TYPO_LENGTH = 6

_FOLD = str.maketrans(
    {
        "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'", "`": "'", "´": "'",
        "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "\u00ad": None, "\u200b": None, "\u2060": None, "\ufeff": None,
    }
)  # fmt: skip
_SPACE = regex(r"\s+")
_HYPHEN_BREAK = regex(r"(?<=[a-z])-\s*\n\s*(?=[a-z])")
_ELLIPSIS = regex(r"\s*(?:\[\s*(?:\.\s?){3,4}\]|\[\s*…\s*\]|(?:\.\s?){3,4}|…)\s*")
_ALTERED = regex(r"\[(\w{1,3})\]")
_WORD = regex(r"\w+")
_CLUSTER = regex(r"(?s).[\u0300-\u036f]*")
"""A character with the accents that follow it: they are folded into one."""
_CONTRACTED = regex(r"(?<=[a-z])n't\b")
_EDGE = " \t\n\"'.,;:"


@dataclass(frozen=True, slots=True)
class QuoteMatch:
    """How a quotation stands in a text, and where: exact for verbatim matches, else of the best alignment.

    `distance` counts the characters that differ after normalisation (Levenshtein), `changed` lists
    the words that differ, as ``said → source``; a change that looks like a slip of the pen is not listed.
    """

    match: Match
    where: tuple[int, int] | None = None
    distance: int = 0
    changed: tuple[str, ...] = ()


def find_quote(quote: str, text: str) -> QuoteMatch:
    """Look for `quote` in `text`. An ellipsis in the quotation may stand for any words left out, in order."""
    bare = quote.strip().strip("\"'“”‘’«»„").strip()
    letters = sum(map(str.isalnum, bare))
    if letters < MIN_LETTERS:
        return QuoteMatch("too_short" if not letters or bare.casefold() in text.casefold() else "absent")
    at = _find_words(bare, text, 0)
    if at >= 0:
        return QuoteMatch("verbatim", (at, at + len(bare)))
    said, source = normalise(bare).strip(_EDGE), normalise(text)
    found = QuoteMatch("normalised") if _in_order(said, source) else _approximate(said, source)
    return found if found.match == "absent" else replace(found, where=_locate(bare, text))


def quote_places(quote: str, text: str) -> list[tuple[int, int]]:
    """Return the places in a text where a quotation stands, the first 50, however it is set; [] where it does not.

    Where it stands word for word, others where it differs in typesetting are left out. The pieces between ellipses are
    places of their own, in order. One that differs by a few words is where it aligns best.
    """
    bare = quote.strip().strip("\"'“”‘’«»„").strip()
    if bare and (verbatim := _every(bare, text)):
        return verbatim
    pieces = [p for raw in _ELLIPSIS.split(_ALTERED.sub(r"\1", normalise(bare))) if (p := raw.strip(_EDGE))]
    source, offsets = _with_offsets(text)
    found: list[tuple[int, int]] = []
    if len(pieces) == 1:
        found = _every(pieces[0], source)
    for piece in pieces if len(pieces) > 1 else ():
        begin = _find_words(piece, source, found[-1][1] if found else 0)
        if begin < 0:
            found = []
            break
        found.append((begin, begin + len(piece)))
    if found:
        return [(offsets[begin], offsets[end - 1] + 1) for begin, end in found]
    match = find_quote(quote, text)
    return [match.where] if match.where else []


def _every(piece: str, source: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    while len(found) < _MOST_PLACES and (at := _find_words(piece, source, found[-1][1] if found else 0)) >= 0:
        found.append((at, at + len(piece)))
    return found


@lru_cache(maxsize=32)
def _with_offsets(text: str) -> tuple[str, tuple[int, ...]]:
    """Return a text as `normalise` folds it, and for each of its characters the place in the original."""
    broken = {at for gap in _HYPHEN_BREAK.finditer(text) for at in range(*gap.span())}
    folded: list[str] = []
    offsets: list[int] = []
    for cluster in _CLUSTER.finditer(text):
        if cluster.start() in broken:
            continue
        plain = unicodedata.normalize("NFKC", cluster[0].translate(_FOLD)).translate(_FOLD).casefold()
        for character in plain:
            blank = character.isspace()
            if blank and (not folded or folded[-1] == " "):
                continue
            folded.append(" " if blank else character)
            offsets.append(cluster.start())
    return "".join(folded), tuple(offsets)


def _locate(bare: str, text: str) -> tuple[int, int] | None:
    """Return where in the original a quotation that is not verbatim stands: its first piece, by best alignment."""
    piece = next((p for p in _ELLIPSIS.split(bare) if p.strip()), bare)
    return _best_alignment(piece.lower(), text.lower()) if len(text.lower()) == len(text) else None


@lru_cache(maxsize=256)
def normalise(text: str) -> str:
    """Fold what typesetting changes: case, quotes, dashes, ligatures, spaces, hyphens at line ends."""
    folded = unicodedata.normalize("NFKC", _HYPHEN_BREAK.sub("", text).translate(_FOLD)).translate(_FOLD)
    return _SPACE.sub(" ", folded).strip().casefold()


def _in_order(said: str, source: str) -> bool:
    """Check whether every piece between ellipses stands in the source, one after the other."""
    pieces = [p for raw in _ELLIPSIS.split(_ALTERED.sub(r"\1", said)) if (p := raw.strip(_EDGE))]
    if not pieces:
        return False
    at = 0
    for piece in pieces:
        found = _find_words(piece, source, at)
        if found < 0:
            return False
        at = found + len(piece)
    return True


def _find_words(piece: str, source: str, start: int) -> int:
    """Find a piece that neither begins nor ends inside a word of the source."""
    return next((at for at in _occurrences(piece, source, start) if not _cuts_a_word(piece, source, at)), -1)


def _cuts_a_word(piece: str, source: str, at: int) -> bool:
    end = at + len(piece)
    return (at > 0 and source[at - 1].isalnum() and piece[0].isalnum()) or (
        end < len(source) and source[end].isalnum() and piece[-1].isalnum()
    )


def _occurrences(piece: str, source: str, start: int) -> Iterator[int]:
    """Yield where a piece stands, places that overlap too, in linear time (Knuth, Morris & Pratt 1977).

    `str.find` is far quicker, but takes the piece's length for each place: it is used for the first, and for short pieces.
    """
    at = source.find(piece, start)
    while at >= 0:
        yield at
        if len(piece) > _SHORT_PIECE:
            break
        at = source.find(piece, at + 1)
    if at < 0:
        return
    borders = [0]
    for character in islice(piece, 1, None):
        borders.append(_border(piece, borders, borders[-1], character))
    length = borders[-1]
    for place in range(at + len(piece), len(source)):
        length = _border(piece, borders, length, source[place])
        if length == len(piece):
            yield place + 1 - length
            length = borders[-1]


def _border(piece: str, borders: list[int], length: int, character: str) -> int:
    """Return how much of the piece's beginning stands before and at a character, where `length` stood before it."""
    while length and piece[length] != character:
        length = borders[length - 1]
    return length + (piece[length] == character)


def _best_alignment(said: str, source: str) -> tuple[int, int] | None:
    """Align in overlapping windows, so that a long source costs no more than its length."""
    if len(said) > LONGEST_APPROXIMATE:
        return None
    best, where = APPROXIMATE, None
    for start in range(0, max(1, len(source) - len(said)), _WINDOW):
        window = source[start : start + _WINDOW + 2 * len(said)]
        found = fuzz.partial_ratio_alignment(said, window, score_cutoff=best)
        if found is not None and (where is None or found.score > best):
            best, where = found.score, (found.dest_start + start, found.dest_end + start)
    return where


def _approximate(said: str, source: str) -> QuoteMatch:
    best = _best_alignment(said, source) if len(said) <= len(source) else None
    if best is None:
        return QuoteMatch("absent")
    ours = _words(said)
    if not ours:
        return QuoteMatch("absent")
    theirs = _words(_whole_words(source, best[0] - _MARGIN, best[1] + _MARGIN))
    theirs, steps = _align(ours, theirs)
    distance = Levenshtein.distance(" ".join(ours), " ".join(theirs))
    return QuoteMatch("approximate", distance=distance, changed=_changed_words(ours, theirs, steps))


Step = tuple[str, int, int, int, int]


def _align(ours: list[str], theirs: list[str]) -> tuple[list[str], list[Step]]:
    """Align the words, and cut off the words of the source before and after the quotation."""
    kind, a, b, c, d = _steps(ours, theirs)[0]
    if kind != "equal":
        theirs = theirs[max(c, d - (b - a)) :]
    kind, a, b, c, d = _steps(ours, theirs)[-1]
    if kind != "equal":
        theirs = theirs[: min(d, c + (b - a))]
    return theirs, _steps(ours, theirs)


def _whole_words(source: str, start: int, end: int) -> str:
    start, end = max(0, start), min(len(source), end)
    while start > 0 and source[start - 1].isalnum() and source[start].isalnum():
        start -= 1
    while end < len(source) and source[end - 1].isalnum() and source[end].isalnum():
        end += 1
    return source[start:end]


def _words(text: str) -> list[str]:
    """The words, with `didn't` read as `did not`: a change that people make without noticing."""
    return _WORD.findall(_CONTRACTED.sub(" not", text))


def _steps(ours: list[str], theirs: list[str]) -> list[Step]:
    return list(SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes())


def _changed_words(ours: list[str], theirs: list[str], steps: list[Step]) -> tuple[str, ...]:
    changed = []
    for tag, a, b, c, d in steps:
        mine, source = " ".join(ours[a:b]), " ".join(theirs[c:d])
        if tag != "equal" and not _slip(mine, source):
            changed.append(f"{mine or '(nothing)'} → {source or '(nothing)'}")
    return tuple(changed)


def _slip(mine: str, source: str) -> bool:
    """A slip of the pen: one letter inside one long word, for `typical` and `atypical` differ at the edge."""
    if min(len(mine), len(source)) < _TYPO_LENGTH or not (mine + source).isalpha():
        return False
    return mine[0] == source[0] and mine[-1] == source[-1] and Levenshtein.distance(mine, source) == 1


_LABEL = regex(r"^\s*(?:pages?|pp?|pg)\b\.?\s*", re.IGNORECASE)
_RANGE = regex(r"^(\d+)\s*[-–—]\s*(\d+)$")


def same_page(cited: int | str, known: int | str) -> bool:
    """Check whether a cited page lies on (or its range covers) the page of the passage, or the other way round."""
    a, b = _bare(cited), _bare(known)
    if a == b:
        return True
    ours, theirs = _extent(a), _extent(b)
    return ours is not None and theirs is not None and ours[0] <= theirs[1] and theirs[0] <= ours[1]


def _bare(page: int | str) -> str:
    return _LABEL.sub("", str(page)).strip().casefold()


def _extent(page: str) -> tuple[int, int] | None:
    if page.isdecimal():
        return int(page), int(page)
    if match := _RANGE.match(page):
        first, last = match[1], match[2]
        if len(last) < len(first):  # 112–14 means 112 to 114
            last = first[: len(first) - len(last)] + last
        return int(first), int(last)
    return None
