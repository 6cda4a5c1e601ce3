"""Lines at an answer's end that are labels and names of sources, without a heading: ``¹ lease.pdf``, ``(2) kb-7``, ``† notice.txt``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from showable.records.regex import regex

Span = tuple[int, int]
Note = tuple[str, str, Span]
"""A label, the words after it, and where both are."""

SIGN = r"\\?\*{1,3}|[†‡§¶]{1,2}"
"""What stands for a note without a number. A star may be escaped for Markdown."""

RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_NOTE = r"(?:fn|footnote|note|n)\.? ?"
_LABEL = regex(
    rf"(?i)[ \t>]*(?:[-•–+*][ \t]+(?=[\[(]))?(?:\*\*)?(?:\[\^?(?:{_NOTE})?([\w-]{{1,12}})\^?\]|\((?:{_NOTE})?(\d{{1,3}})\)|{_NOTE}(\d{{1,3}})(?=[.:)\s])|(\d{{1,3}})(?=[.):]?[ \t])|"
    rf"\^(\d{{1,3}})\^?|([⁰¹²³⁴⁵⁶⁷⁸⁹]{{1,3}})|<sup>\[?(\d{{1,3}})\]?</sup>|({SIGN}))(?:\*\*)?[.):]?[ \t]*(?:[-–—:=][ \t]*)?"
)
_ROW = regex(r"[ \t]*\|[ \t]*\[?(\d{1,3})\]?[ \t]*\|([^|\n]+)\|[^\n]*")
_SEE = regex(r"(?i)(?:see|source:|from)[ \t]+")
_BETWEEN = regex(r"(?<=[.;,\s])(?=\[\^?[\w-]{1,12}\])")
_IDLE = regex(r"(?i)</?details>|[ \t|:-]*|\*{3,}|_{3,}")
_HEADING = regex(
    r"(?i)[ \t>|]*(?:<[^<>]{1,20}>)*(?:#{1,6}[ \t]*)?[*_]{0,3}(?:(?:foot ?|end ?)?notes?|sources?|references?|legend|key)[*_]{0,3}:?[*_]{0,3}(?:</[^<>]{1,20}>)*[ \t]*"
)
_TABLE_HEAD = regex(
    r"(?i)[ \t]*\|[ \t]*(?:#|nos?\.?|nr\.?|numbers?|refs?\.?|citations?|markers?|notes?|id|\[#\])?[ \t]*\|[^\n]*"
)
_CITED = regex(
    rf"(?i)\[([^\[\]\n]{{1,60}})\]|<sup>([^<>\n]{{1,60}})</sup>|\^(\d{{1,3}})|([⁰¹²³⁴⁵⁶⁷⁸⁹]+)|\({_NOTE}(\d{{1,3}})\)|(?<=[\w.,;:!?)%”\"’])({SIGN})(?=[\s.,;:!?)]|\Z)"
)


def find_trailing_notes(text: str, names: Callable[[str], bool]) -> tuple[Span, list[Note]] | None:
    """Read the notes at the very end: lines of labels, with words after them that name sources, as `names` can tell.

    None if the text above cites none of the labels: then the lines are what the answer says.
    """
    found: list[list[Note]] = []
    first = last = len(text)
    for start, end in reversed(list(_lines(text))):
        line = text[start:end]
        read = _read(line, start)
        if read and all(names(words) for _, words, _ in read):
            last = end if not found else last
            found.append(read)
            first = start
        elif found and (_HEADING.fullmatch(line) or _TABLE_HEAD.fullmatch(line)) and line.strip():
            first = start
            break
        elif not _IDLE.fullmatch(line.strip(" \t>")):
            break
    notes = [note for read in reversed(found) for note in read]
    labels = [label for label, _, _ in notes]
    if not notes or len(set(labels)) < len(labels) or set(labels).isdisjoint(_cited(text[:first])):
        return None
    return (first, last), notes


def _lines(text: str) -> Iterator[Span]:
    at = 0
    for line in text.split("\n"):
        yield at, at + len(line)
        at += len(line) + 1


def _read(line: str, start: int) -> list[Note]:
    """Read a line as notes, one or, in brackets, several; none if any part of it is no note."""
    if row := _ROW.fullmatch(line):
        return [(row[1], row[2].strip(), (start, start + len(line)))]
    opens = len(line) - len(line.lstrip(" \t>*-•"))
    cuts = [0, *(match.start() for match in _BETWEEN.finditer(line) if match.start() > opens), len(line)]
    notes: list[Note] = []
    for begin, end in pairwise(cuts):
        label = _LABEL.match(line, begin, end)
        if label is None:
            return []
        words = line[label.end() : end].strip().rstrip(";,")
        see = _SEE.match(words)
        notes.append((_key(label), words[see.end() :] if see else words, (start + begin, start + end)))
    return notes


def _key(label: re.Match[str]) -> str:
    return next(group for group in label.groups() if group).translate(RAISED).lstrip("\\")


def _cited(above: str) -> set[str]:
    """Return the labels that the text above cites."""
    found: set[str] = set()
    for match in _CITED.finditer(above):
        body = next(group for group in match.groups() if group).translate(RAISED)
        found.update((body.strip("^ ").lstrip("\\"), *re.findall(r"\d{1,3}", body)))
    return found
