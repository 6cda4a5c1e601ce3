"""The list at the end of an answer that says what its markers mean, and footnote definitions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from showable.read.cited_sources import read_sources
from showable.read.trailing_notes import find_trailing_notes
from showable.records.regex import regex

Span = tuple[int, int]

_HEADING_WORDS = (
    r"references?(?: list)?|list of (?:references|sources)|sources?(?: cited| used| consulted)?|citations?|bibliography|works cited|"
    r"foot ?notes?|end ?notes?|cited (?:sources|works|documents|files)|literature(?: cited)?|(?:key |main )?sources? (?:documents?|files?|list|material|referenced|referred to)|"
    r"(?:documents|files|passages|texts|works|materials?) (?:cited|used|consulted|referenced|referred to)|(?:sources?|references?)(?: and | & | ?/ ?)(?:notes|sources?|references?|citations?)"
)
_HEADING = regex(
    rf"(?im)^[ \t>]*(?:<[^<>\n]{{1,20}}>){{0,3}}(?:#{{1,6}}[ \t]*)?(?:[*_]{{1,3}})?(?:[^\w\s\[\](){{}}<>|*_#.,:;\"'`-]{{1,3}}[ \t]*)?(?:\d{{1,2}}\.[ \t]*)?(?:{_HEADING_WORDS})(?:[*_]{{1,3}})?[ \t]*(:)?(?:[*_]{{1,3}})?(?:</[^<>\n]{{1,20}}>){{0,3}}[ \t]*(.*)$"
)
_HINTS = (
    "eference",
    "ource",
    "itation",
    "ibliograph",
    "orks cited",
    "otes",
    "iterature",
    "REFERENCE",
    "SOURCE",
    "NOTES",
    "ootnote",
    " cited",
    " used",
    " consulted",
    " referenced",
    " referred",
)
_LABEL = regex(
    r"[ \t>]*(?:[-*•–][ \t]+)?(?:\*\*)?(?:\[\^?([\w.:-]{1,60})\^?\](?!\():?|【(\d{1,3})】:?|(\d{1,3})[.):](?=\s)|\^(\d{1,3})\^?:?|([⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}):?|"
    r"<sup>\[?(\d{1,3})\]?</sup>:?)(?:\*\*)?[ \t]*(?:[-–—:][ \t]+)?"
)
_BULLET = regex(r"[ \t>]*[-*•–+][ \t]+")
_RULE = regex(r"[ \t]*(?:-{3,}|={3,}|\*{3,}|_{3,}|</?details>)[ \t]*$")
_CLOSING = regex(r"\s*(?:</\w{1,10}>\s*){1,4}")
_DEFINITION = regex(
    r"(?m)^[ \t]{0,3}\[(\^?[^\[\]\s]{1,60})\]:(?:[ \t]+|[ \t]*\n[ \t]{2,})(\S.*(?:\n(?:[ ]{2,}|\t)[ \t]*\S.*)*)$"
)
_IN_LINE = regex(r"\[\^?(\d{1,3})\]:?[ \t]*([^\[\n]+)")
_TRAILING = regex(r"\[(\d{1,3})\](:?)[ \t.-]*(\S.*)")
_CITED = regex(r"\[([\d\s,;–-]+)\]")
_URL = regex(r"(?i)(?:https?|ftp)://[^\s<>\"\[\]{}]+|\bwww\.[^\s<>\"\[\]{}]+")
_ONLY_MARKS = regex(r"[\s\[\]\d,;.^()–-]*")
_HEADINGS_TRIED = 3
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


@dataclass(frozen=True, slots=True)
class Entry:
    """What one label stands for: the words after it, where they are (label included), and the URL in them."""

    text: str
    span: Span
    url: str | None = None


@dataclass(frozen=True, slots=True)
class ReferenceList:
    """What the markers of an answer mean, by the answer's own account.

    `entries` are keyed by label (``1``, ``smith``); an entry without a label by its text. `span` is the
    list under its heading, or all definitions where they stand together at the end; `spans` is everything
    that is no prose: the list, and each definition wherever it stands.
    """

    span: Span | None = None
    entries: dict[str, Entry] = field(default_factory=dict)
    spans: tuple[Span, ...] = ()


_NONE = ReferenceList()


@lru_cache(maxsize=4)
def find_reference_list(text: str, known: frozenset[str] = frozenset()) -> ReferenceList:
    """Find the reference list of an answer: under a heading at its end, or as ``[^1]: …`` definitions.

    Without a heading, lines at the end that are labels and names of `known` sources are one too. A list that only repeats markers (``Sources: [1], [2]``) defines nothing and is left in the text.
    """
    definitions = _definitions(text) if "]:" in text else []
    listed = _under_heading(text) if any(hint in text for hint in _HINTS) else None
    if listed is None and known:
        listed = _noted(text, known)
    if listed is None and "\n[" in text:
        listed = _trailing_block(text)
    if not definitions and listed is None:
        return _NONE
    span, entries = listed or (None, {})
    if span and _CLOSING.fullmatch(text, span[1]):
        span = (span[0], len(text))
    for label, entry in definitions:
        if span is None or not span[0] <= entry.span[0] < span[1]:
            entries.setdefault(label, entry)
    loose = [entry.span for _, entry in definitions if span is None or not span[0] <= entry.span[0] < span[1]]
    if span is None and loose and not text[loose[-1][1] :].strip() and _together(text, loose):
        span = (loose[0][0], loose[-1][1])
        loose = []
    return ReferenceList(span, entries, tuple(sorted([*loose, *([span] if span else [])])))


def _noted(text: str, known: frozenset[str]) -> tuple[Span, dict[str, Entry]] | None:
    """Read the notes at the end of a text whose words name sources of the log, or files."""
    found = find_trailing_notes(text, lambda words: bool(read_sources(words, known, files=True)))
    if found is None:
        return None
    return found[0], {label: _entry(words, *span) for label, words, span in found[1]}


def _together(text: str, spans: list[Span]) -> bool:
    return all(not text[before[1] : after[0]].strip() for before, after in pairwise(spans))


def _definitions(text: str) -> list[tuple[str, Entry]]:
    """Read ``[^1]: …`` and ``[1]: https://…`` at the beginning of a line."""
    found = []
    for match in _DEFINITION.finditer(text):
        label = match[1].strip("^")
        if match[1][0] == "^" or _URL.match(match[2].lstrip("<")):
            found.append((label, _entry(match[2], match.start(), match.end())))
    return found


def _entry(words: str, start: int, end: int) -> Entry:
    url = _URL.search(words)
    return Entry(words.strip(), (start, end), url[0].rstrip(".,;:!?'*_)") if url else None)


def _under_heading(text: str) -> tuple[Span, dict[str, Entry]] | None:
    for heading in list(_HEADING.finditer(text))[: -_HEADINGS_TRIED - 1 : -1]:
        rest = heading[2].strip()
        if rest and not heading[1]:
            continue
        entries = _in_line(text, heading) if rest else _lines(text, heading.end())
        if entries:
            return (heading.start(), max(entry.span[1] for entry in entries.values())), entries
    return None


def _in_line(text: str, heading: re.Match[str]) -> dict[str, Entry]:
    """Read ``Sources: [1] Handbook, [2] Notice``. Markers alone, or words without labels, define nothing."""
    if not heading[2].lstrip().startswith("["):
        return {}
    found = {}
    for match in _IN_LINE.finditer(text, heading.start(2), heading.end(2)):
        words = match[2].strip(" \t,;")
        if not words or words.startswith("("):
            return {}
        found[match[1]] = _entry(words, *match.span())
    if found:
        found.update(_lines(text, heading.end()))
    return found


def _rows(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Yield the lines after an offset as spans, without their line breaks."""
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield start, end
        start = end + 1


def _lines(text: str, start: int) -> dict[str, Entry]:
    """Read entries a line each until prose takes over: a line without label or bullet after a blank line.

    A line that has neither goes on with the entry above it, where entries have labels or bullets.
    """
    rows: list[_Row] = []
    blank = False
    for begin, end in _rows(text, start):
        line = text[begin:end]
        if not line.strip() or _RULE.fullmatch(line):
            blank = bool(rows)
            continue
        row = _row(line, begin, end)
        if row.marked or not rows or not (rows[-1].marked or blank):
            if line.lstrip().startswith("#"):
                break
            rows.append(row)
        elif blank:
            break
        else:
            rows[-1].words.append(line.strip())
            rows[-1].end = end
        blank = False
    if any(_ONLY_MARKS.fullmatch(row.words[0]) for row in rows):
        return {}
    found: dict[str, Entry] = {}
    for row in rows:
        words = " ".join(row.words)
        found.setdefault(row.label or words.strip(), _entry(words, row.begin, row.end))
    return found


@dataclass(slots=True)
class _Row:
    """An entry while it is being read: its label, whether it had one or a bullet, its words line by line."""

    label: str
    marked: bool
    words: list[str]
    begin: int
    end: int


def _row(line: str, begin: int, end: int) -> _Row:
    label = _LABEL.match(line)
    if label:
        key = next(group for group in label.groups() if group).translate(_RAISED)
        return _Row(key, True, [line[label.end() :]], begin, end)  # noqa: FBT003 - a field
    bullet = _BULLET.match(line)
    return _Row("", bullet is not None, [line[bullet.end() :] if bullet else line], begin, end)


def _trailing_block(text: str) -> tuple[Span, dict[str, Entry]] | None:
    """Read lines ``[1] …`` at the very end, without a heading: a list only if the text above cites one of them."""
    found: dict[str, Entry] = {}
    lines = list(_rows(text.rstrip(), 0))
    first, above, defines = len(text), 0, False
    for begin, end in reversed(lines):
        if not text[begin:end].strip():
            continue
        match = _TRAILING.fullmatch(text, begin, end)
        if match is None:
            break
        if found and int(match[1]) >= above:
            break
        above, first = int(match[1]), begin
        found[match[1]] = entry = _entry(match[3], begin, end)
        defines = bool(match[2] or entry.url)
    cited = {number for body in _CITED.findall(text[:first]) for number in re.findall(r"\d+", body)}
    if cited.isdisjoint(found) or not (defines or len(found) > 1):
        return None
    return (first, max(entry.span[1] for entry in found.values())), found
