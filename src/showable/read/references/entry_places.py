"""Where entries may stand in a text: under a heading, in a list, on a line of their own, or as the whole text."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from showable.read.references.found import Span
from showable.records.regex import regex

Standing = Literal["listed", "alone", "line"]
"""Under a heading for references; the whole text; a line or a list item elsewhere."""


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of text that may be an entry, its label left out, and how it stands."""

    span: Span
    standing: Standing


_HEADING = regex(
    r"(?im)^[ \t>]*(?:#{1,6}[ \t]*)?[*_]{0,3}(?:\d{1,2}\.?[ \t]*|[ivx]{1,4}\.[ \t]*)?(?:selected |key |cited |further )?"
    r"(?:references?(?: list| cited| and notes)?|list of (?:references|sources)|sources?(?: cited| used| consulted)?|citations?|bibliography|works cited|"
    r"literature(?: cited)?|reading|endnotes?|footnotes?|notes and references|publications)[ \t]*:?[*_]{0,3}[ \t]*:?[ \t]*$"
)
_OTHER_HEADING = regex(
    r"(?i)[ \t>]*(?:#{1,6}[ \t]+\S.*|[*_]{2,3}[^*_\n]{3,60}[*_]{2,3}:?[ \t]*|(?:appendix|acknowledge?ments?|supplement\w*|abbreviations|author contributions|funding|disclosures?|conflicts? of interest|figure legends|tables?)\b.{0,60})$"
)
_LABEL = regex(
    r"[ \t>]*(?:(?:[-*•–+]|[*_]{2})[ \t]+)?(?:\[\^?[\w+.-]{1,20}\]:?(?!\()|\(\d{1,3}\)|\d{1,3}[.)](?=\s)|\d{1,3}(?=[ \t]{1,4}[A-Z][\w'-]+,? [A-Z])|【\d{1,3}】|[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})[ \t]*"
    r"|[ \t>]*[-*•–+][ \t]+"
)
_LEAD = regex(r"(?i)(?:reference|citation|source|cite|see|ref)s?:[ \t]+")
_ENDED = regex(r"[.\d/\])>”\"][ \t]*$")
_STARTS = regex(r"[ \t]*[^\W\d_][\w'’-]+(?:[ -][^\W\d_][\w'’-]+){0,3},? (?:[A-Z]{1,3}\b|[A-Z]\.|&|and\b|et al)")
_INDENTED = regex(r"[ \t]{2,}\S")
_YEAR = regex(r"(?<!\d)(?:1[6-9]|20)\d\d(?!\d)")
_LONGEST, _SHORTEST = 2000, 15
_LONGEST_ALONE = 900
_MOST_LINES_ALONE = 8


def places_of(text: str) -> Iterator[Place]:
    """Yield the stretches of a text that may be entries, in order of place."""
    sections = list(_HEADING.finditer(text)) if "\n" in text else []
    if not sections and (alone := _alone(text)) is not None:
        yield alone
        return
    at = 0
    for heading in sections:
        if heading.start() < at:
            continue
        yield from _loose(text, at, heading.start())
        at = yield from _listed(text, heading.end())
    yield from _loose(text, at, len(text))


def _alone(text: str) -> Place | None:
    """Take a text of one paragraph for one entry; a list of several lines with labels is none."""
    start, end = len(text) - len(text.lstrip()), len(text.rstrip())
    body = text[start:end]
    if not _SHORTEST <= len(body) <= _LONGEST_ALONE or "\n\n" in body or body.count("\n") > _MOST_LINES_ALONE:
        return None
    label = _LABEL.match(text, start)
    begin = label.end() if label else start
    lead = _LEAD.match(text, begin)
    lines = body.split("\n")
    if any(_LABEL.match(line) or (_STARTS.match(line) and _ENDED.search(before)) for before, line in pairwise(lines)):
        return None
    return Place((lead.end() if lead else begin, end), "alone")


def _rows(text: str, start: int, end: int) -> Iterator[Span]:
    while start < end:
        close = text.find("\n", start, end)
        close = end if close < 0 else close
        yield start, close
        start = close + 1


def _listed(text: str, start: int) -> Generator[Place, None, int]:
    """Yield the entries of a list under a heading; give back where the list ends."""
    begin = finish = -1
    labelled = blank = False
    at = start
    for row in _rows(text, start, len(text)):
        line = text[slice(*row)]
        at = row[1]
        if not line.strip():
            blank = True
            continue
        if _OTHER_HEADING.match(line) and not _YEAR.search(line):
            at = row[0]
            break
        label = _LABEL.match(line)
        if begin < 0 or label or _begins(line, text[begin:finish], labelled=labelled, blank=blank):
            if begin >= 0:
                yield Place((begin, finish), "listed")
            labelled = label is not None
            begin = row[0] + (label.end() if label else len(line) - len(line.lstrip()))
        finish = row[0] + len(line.rstrip())
        blank = False
    if begin >= 0:
        yield Place((begin, min(finish, begin + _LONGEST)), "listed")
    return at


def _begins(line: str, before: str, *, labelled: bool, blank: bool) -> bool:
    """Check whether a line without a label begins an entry: after a blank line, or where the one above is complete."""
    if blank:
        return True
    if labelled or (_INDENTED.match(line) and not _STARTS.match(line)):
        return False
    complete = _ENDED.search(before[-40:]) is not None and _YEAR.search(before) is not None
    return complete and (_STARTS.match(line) is not None or line[:1].isupper()) and len(before) > _SHORTEST


def _loose(text: str, start: int, end: int) -> Iterator[Place]:
    """Yield list items and lines with a year, away from any heading."""
    for row in _rows(text, start, end):
        length = row[1] - row[0]
        if not _SHORTEST <= length <= _LONGEST or _YEAR.search(text, *row) is None:
            continue
        label = _LABEL.match(text, *row)
        begin = label.end() if label else row[0]
        lead = _LEAD.match(text, begin, row[1])
        begin = lead.end() if lead else begin
        line = text[begin : row[1]]
        yield Place((begin + len(line) - len(line.lstrip()), begin + len(line.rstrip())), "line")
