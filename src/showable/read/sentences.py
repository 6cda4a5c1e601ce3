"""Split an answer into sentences: citations, abbreviations, numbers, quotes and Markdown do not break them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from showable.read.abbreviations import ends_sentence, opens_sentence
from showable.read.blocks import Block, Kind, find_blocks, runs
from showable.read.plain_text import plain
from showable.read.predication import is_predication
from showable.records.regex import regex

# A mark of citation that may stand between the full stop and the next sentence.
_MARK = (
    r"(?:\[{1,2}\^?[^\[\]\n]{1,80}\]{1,2}(?:\([^()\s]{1,500}\))?(?![a-z:(])"
    r"|\((?=[^()\n]{0,80}(?:\d{4}|\bibid\b|\bid\.|\bpp?\.\s?\d|\bsources?\b|\badded\b|\bomitted\b|\]\())"
    r"(?:[^()\n]|\([^()\s]{1,200}\)){2,120}(?<![.!?])\)"
    r"|【[^】\n]{1,40}】|[⁰¹²³⁴⁵⁶⁷⁸⁹]+|<sup>[^\n]{1,60}?</sup>|https?://\S+)"
)
_CANDIDATE = regex(
    r"(?P<stop>[.!?…]+)(?P<close>[\"'”’»)\]*_]*)(?P<marks>(?:\s?" + _MARK + r")*)(?P<gap>\s*)"
    r"|(?P<wide>[。！？؟۔।]+[」』”’）]*(?:\s?" + _MARK + r")*)"
    r"|(?P<bare>\])(?=\s[A-Z])"
)
_PROTECTED = regex(
    r"(?<!\w)\"(?![\s\"])[^\"]{1,300}\"|“[^“”]{1,300}”|«[^«»]{1,300}»|(?<!\w)‘[^‘’]{1,300}’(?!\w)"
    r"|\([^()]{1,300}\)|\[[^\[\]]{1,300}\]"
)
_OPENING = regex(r"[\"'“‘«(\[*_`¿¡$€£¥#<&]*")
_BRACKET = regex(r"\s?\[([^\[\]\n]{20,80})\]")
_MIXED_CASE = regex(r"[a-z]{1,2}[A-Z]|[a-z]\d|[α-ω]-")
_ENUMERATOR = regex(r"[\"'“(*_]*(?:\d{1,3}|[ivxIVX]{1,5}|[A-Za-z])$")
_SUFFIX = regex(r"(?:Inc|Corp|Ltd|LLC|Mail|Finance|News)\b")
_LONGEST_MARK = 42
_LONGEST_LEAD = 200
_FIRST_MARK = regex(r"\[\^?[\w:.,–-]{1,40}\]\s+[A-Z]")
_LAST_MARK = regex(r"[\])¹²³⁴-⁹】>]\W{0,3}$")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, or what stands for one: a heading, a table row, a block of code.

    `start` and `end` index the answer; a marker after the full stop lies inside. `paragraph` counts from 0. `lead` is
    the lead-in of a list ("The fees are:"), or the header cells of a table joined by `` | ``.
    """

    start: int
    end: int
    kind: Kind
    paragraph: int
    lead: str | None


def split_sentences(text: str) -> list[Sentence]:
    """Split `text` into sentences in order; they never overlap, and hold every character that is prose.

    Bullets, heading signs, quote signs and rules belong to no sentence.
    """
    sentences: list[Sentence] = []
    for block in find_blocks(text):
        sentences.extend(_of_block(text, block))
    return sentences


def _of_block(text: str, block: Block) -> Iterator[Sentence]:
    if block.kind in ("heading", "table_row", "code"):
        yield Sentence(block.lines[0][0], block.lines[-1][1], block.kind, block.paragraph, block.lead)
        return
    lead, led = block.lead, None
    for start, end in runs(text, block):
        for first, last in _split_run(text, start, end):
            yield Sentence(first, last, block.kind, block.paragraph, lead)
            lead = block.lead if block.kind == "list_item" else None
        if block.kind == "prose" and end - start < _LONGEST_LEAD and text[end - 1] == ":":
            led = lead = plain(text[start:end])
        elif block.kind == "prose":
            lead = led


def _split_run(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Split one stretch of running text."""
    protected: list[tuple[int, int]] | None = None
    caseless = _is_caseless(text, start, end)
    prefixed = bool(_FIRST_MARK.match(text, start, end)) and not _LAST_MARK.search(text[max(start, end - 12) : end])
    begin = start
    for found in _CANDIDATE.finditer(text, start, end):
        if found.start() < begin:
            continue
        cut = _cut(text, begin, found, end, caseless=caseless, prefixed=prefixed)
        if cut is None:
            continue
        if protected is None:
            protected = [span.span() for span in _PROTECTED.finditer(text, start, end)]
        if _inside(protected, found.start(), cut):
            continue
        yield begin, cut
        begin = cut
        while begin < end and text[begin].isspace():
            begin += 1
    if begin < end:
        yield begin, end


def _is_caseless(text: str, start: int, end: int) -> bool:
    """Text typed without any capitals: a small letter may open a sentence."""
    return text[start:end].islower()


def _inside(protected: list[tuple[int, int]], stop: int, cut: int) -> bool:
    at = bisect_right(protected, (stop, 1 << 62)) - 1
    return at >= 0 and protected[at][0] <= stop and cut < protected[at][1]


def _cut(text: str, begin: int, found: re.Match[str], end: int, *, caseless: bool, prefixed: bool) -> int | None:
    """Return where the sentence ends at this candidate, or None where it goes on."""
    if found["wide"]:
        return found.end() if found.end() < end else None
    if (stated := _stated_in_bracket(text, found)) is not None or found["bare"]:
        return _after_bare_mark(text, begin, found) if stated is None else stated
    following = found.end()
    if following >= end:
        return None
    cut = found.start("gap")
    if found["marks"] and (prefixed or text[following].islower()) and found["marks"][0].isspace():
        following, cut = found.start("marks") + 1, found.start("marks")
    elif not found["gap"] and not _glued(text, begin, found):
        return None
    if not _may_open(text, following, end, caseless=caseless):
        return None
    return cut if _stops(text, begin, found, following) else None


def _stated_in_bracket(text: str, found: re.Match[str]) -> int | None:
    """Return where a bracket behind the stop begins that is a statement and no mark: "It is 5 %. [The fee is due.]"."""
    brackets = _BRACKET.finditer(text, *found.span("marks")) if found["marks"] else ()
    return next((one.start() for one in brackets if is_predication(one[1])), None)


def _after_bare_mark(text: str, begin: int, found: re.Match[str]) -> int | None:
    """End a sentence at a mark without a full stop where the next word only opens one ("5% [1] The fee …")."""
    opened = text.rfind("[", max(begin, found.start() - _LONGEST_MARK), found.start())
    if opened <= begin or any(map(str.isspace, text[opened : found.start()])):
        return None
    before = text[max(begin, opened - _LONGEST_MARK) : opened].rstrip()
    if not before or not (before[-1].isalnum() or before[-1] in '%)]"”’') or " " not in before:
        return None
    return found.end() if opens_sentence(text, found.end() + 1) else None


def _glued(text: str, begin: int, found: re.Match[str]) -> bool:
    """Check whether a sentence ends with no space after it: behind a real word, before one that opens a sentence."""
    following = found.end()
    if found["marks"]:
        return text[following].isupper()
    at = found.start()
    ending = text[at - 3 : at] if at - 3 >= begin else ""
    word = ending[-1:].isalnum() and ending == ending.lower()
    return word and not found["close"].strip('"”') and opens_sentence(text, following)


def _may_open(text: str, at: int, end: int, *, caseless: bool) -> bool:
    """Check whether a sentence could start here by its first letter or figure."""
    first = _OPENING.match(text, at, end)
    start = first.end() if first else at
    if start >= end:
        return start > at
    letter = text[start]
    if letter.islower():
        return caseless or bool(_MIXED_CASE.match(text, start)) or text[at] in '"“«`'
    return letter.isalnum() or letter in "-–—•§@→✓✔|" or not letter.isascii()


def _stops(text: str, begin: int, found: re.Match[str], following: int) -> bool:
    stop = found["stop"]
    if "…" in stop or stop.startswith(".."):
        bare = _OPENING.match(text, following)
        return opens_sentence(text, bare.end() if bare else following)
    if stop[0] in "!?":
        return not _SUFFIX.match(text, following)
    if found.start() - begin < 8 and _ENUMERATOR.match(text, begin, found.start()):  # noqa: PLR2004 - "(viii"
        return False
    return ends_sentence(text, begin, found.start(), following)
