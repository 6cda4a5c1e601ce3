"""Lines that say where an answer is from: ``Source: lease.pdf, p. 3``, a list under "Sources", a column of a table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from showable.read.brackets import ends_as_cited
from showable.read.cited_items import Item
from showable.read.cited_sources import read_sources
from showable.read.marker import Found, Marker, Span
from showable.read.reference_lists import find_reference_list
from showable.read.source_names import is_bare_word
from showable.records.regex import regex

_NOUN = (
    r"(?:sources?|references?|refs?\.?|citations?|source (?:documents?|files?|passages?|ids?)|(?:document|file) ids?)"
)
_LINE = regex(
    rf"(?im)(?:^[ \t>]*(?:[-*•–+][ \t]+)?|(?<=[.!?])[ \t]+)([*_]{{0,3}}{_NOUN}[*_]{{0,3}}[ \t]*:[*_]{{0,3}}[ \t]*+(?!\d{{1,3}}[.)])([^\[\]\n]{{1,300}}))$"
)
_SIGNED = regex(r"(?m)(?:^[ \t>]*|(?<=[.!?])[ \t]+)(?:—|–|--)[ \t]*([^\[\]\n]{1,200}?)[.]?[ \t]*$")
_AFTER_DASH = regex(r"(?<=[\w%)”\"])[ \t]*(?:[—–†‡]|--)[ \t]*([\w.:/#-]{2,80}?)(?=[.;]?(?:\s|$))")
"""An id behind a dash or a dagger: ``… every day — kb-7.``"""
_HEADED = regex(
    r"(?i)[*_` ]*(?:sources?|references?|refs?\.?|citations?|cited (?:in|source)|documents?|files?|source (?:documents?|files?|ids?)|passages?|evidence)[*_` ]*"
)
_BULLET = regex(r"[ \t>]*(?:(?:[-*•–+]|\d{1,3}[.)])[ \t]+)?")
_COUNTS = regex(r"(?i)[ \t]*\|?[ \t]*(?:#|nos?\.?|nr\.?)[ \t]*\|")
"""The head of a table that says what numbers mean."""
_DIVIDER = regex(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")


def find_source_lines(text: str, known: frozenset[str]) -> Found:
    """Find lines that name nothing but sources, and the cells of a column of sources. Each takes up its whole line or cell."""
    found = Found()
    if not known:
        return found
    for match in _LINE.finditer(text) if ":" in text else ():
        _note(text, match.span(1), read_sources(match[2], known, files=True), found)
    for match in _SIGNED.finditer(text) if "—" in text or "–" in text or "--" in text else ():
        _note(text, match.span(), read_sources(match[1], known), found)
    for match in _AFTER_DASH.finditer(text) if any(sign in text for sign in ("—", "–", "†", "‡", "--")) else ():
        if (
            match[1] in known
            and not is_bare_word(match[1])
            and not match[1].isdecimal()
            and ends_as_cited(text, match.span())
        ):
            found.markers.append(Marker(match[0], *match.span(), match[1], "bracket"))
    for start, end in _cells(text) if "|" in text else ():
        _note(text, (start, end), read_sources(text[start:end], known), found)
    return found


def find_listed(text: str, known: frozenset[str]) -> Found:
    """Find the sources that the list at an answer's end names, for an answer that cites nothing else: the list is what it cites."""
    found = Found()
    entries = find_reference_list(text, known).entries.values() if known else ()
    read = [(entry.span, read_sources(entry.text, known)) for entry in entries]
    for span, items in read if all(items for _, items in read) else ():
        _note(text, span, items, found)
    return found


def _note(text: str, span: Span, items: list[Item], found: Found) -> None:
    begun = _BULLET.match(text, *span)
    start, end = begun.end() if begun else span[0], span[1]
    found.markers.extend(Marker(text[start:end], start, end, item.token, "reference", page=item.page) for item in items)


def _cells(text: str) -> Iterator[Span]:
    """Yield the cells under a header that says that they are sources, without the spaces around them."""
    columns: list[int] | None = None
    at, above = 0, ""
    for line in text.split("\n"):
        if "|" not in line:
            columns = None
        elif _DIVIDER.fullmatch(line.strip()) and not _COUNTS.match(above):
            columns = [number for number, (a, b) in enumerate(_parted(above)) if _HEADED.fullmatch(above[a:b])]
        for number, (a, b) in enumerate(_parted(line)) if columns else ():
            if number in (columns or ()) and line[a:b].strip():
                yield at + a, at + b
        at, above = at + len(line) + 1, line


def _parted(line: str) -> list[Span]:
    """Return the cells of a row of a table as places in it."""
    bars = [-1, *(match.start() for match in re.finditer(r"(?<!\\)\|", line)), len(line)]
    spans = [(bar + 1, end) for bar, end in pairwise(bars)]
    stripped = [(a + len(line[a:b]) - len(line[a:b].lstrip()), a + len(line[a:b].rstrip())) for a, b in spans]
    return stripped[1:] if line.lstrip().startswith("|") else stripped
