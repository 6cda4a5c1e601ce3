"""The text of an OpenAI reply as it is put together, and the citations that its annotations hang on it."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from functools import cached_property

from showable.converters.cited_spans import Cited
from showable.converters.fields import Fields
from showable.converters.shape import FieldError
from showable.records.record import Citation

_MADE = frozenset({"file_path", "container_file_citation"})
"""Annotations of files that a tool made: they cite nothing."""


@dataclass(slots=True)
class Said:
    """An answer's text so far, its citations, the functions it calls, and what of it has no place in a record.

    `spoken` is set once a message or a refusal was there at all, were it empty.
    """

    text: str = ""
    cited: list[Cited] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    calls: list[Fields] = field(default_factory=list)
    spoken: bool = False

    @property
    def files(self) -> set[str]:
        """Return the ids of the files cited."""
        return {one.citation.source_id for one in self.cited if one.citation.source_id}

    def next_message(self) -> None:
        """Set what comes apart from what stands there already."""
        self.spoken = True
        if self.text.strip():
            self.text = self.text.rstrip() + "\n\n"

    def add(self, part: Fields, name: str, *, at: str, refusal: str = "") -> None:
        """Add the text in field `name` with its annotations, and a refusal if the part holds one; `at` names lost fields."""
        words = part.text(name) or ""
        begun = len(self.text)
        marks = _Marks(words)
        read = [
            (one, found) for one in part.objects("annotations") if (found := self._read(one, marks, at)) is not None
        ]
        self.text += marks.cleaned
        for found in (found for _, found in read):
            start = None if found.start is None else begun + marks.moved(found.start)
            end = begun + marks.moved(found.end)
            self.cited.append(Cited(None if start == end else start, end, found.citation))
        if refusal and (declined := part.text(refusal)):
            self.text += ("\n\n" if self.text.strip() else "") + declined

    def _read(self, given: Fields, marks: _Marks, at: str) -> Cited | None:
        kind = given.kind
        if kind == "file_citation":
            return _file(given, marks)
        if kind == "url_citation":
            return _page(given, marks)
        if kind == "container_file_citation":
            self.lost.append(f"{at}.annotations.container_file_citation")
        elif kind not in _MADE:
            self.lost.append(f"{at}.annotations")
        return None


class _Marks:
    """The marks of a text that stand for annotations, to be taken out of it."""

    def __init__(self, words: str) -> None:
        self.words = words
        self._spans: set[tuple[int, int]] = set()

    def take_out(self, start: int, end: int) -> None:
        """Note the place of a mark."""
        self._spans.add((start, end))
        self.__dict__.pop("_ordered", None)

    @cached_property
    def _ordered(self) -> list[tuple[int, int, int]]:
        """Marks in order, none over another, each with the characters that those up to it take."""
        kept: list[tuple[int, int, int]] = []
        for start, end in sorted(self._spans):
            last, taken = kept[-1][1:] if kept else (0, 0)
            if start >= last:
                kept.append((start, end, taken + end - start))
        return kept

    @property
    def cleaned(self) -> str:
        """Return the text without its marks."""
        pieces, at = [], 0
        for start, end, _ in self._ordered:
            pieces.append(self.words[at:start])
            at = end
        return "".join([*pieces, self.words[at:]])

    def moved(self, offset: int) -> int:
        """Return where an offset of the text stands once the marks are out."""
        offset = max(0, min(offset, len(self.words)))
        at = bisect_left(self._ordered, (offset,)) - 1
        if at < 0:
            return offset
        start, end, taken = self._ordered[at]
        return offset - taken + max(0, end - max(start, offset))


def _file(given: Fields, marks: _Marks) -> Cited:
    """Read a citation of a file: of a thread, with the mark in the text that stands for it, or of a response, a point."""
    held = given.inner("file_citation")
    if held is not None:
        start, end = _extent(given)
        mark = given.text("text")
        if mark and marks.words[start:end] != mark:
            found = marks.words.find(mark)
            start, end = (found, found + len(mark)) if found >= 0 else (end, end)
        if start < end:
            marks.take_out(start, end)
        return Cited(None, start, _citation(held, held.text("quote")))
    point = given.whole("index")
    if point is None or point < 0:
        raise FieldError(given.at("index"), "expected a whole number from 0")
    return Cited(None, point, _citation(given, given.text("quote")))


def _citation(given: Fields, quote: str | None) -> Citation:
    file_id = given.text("file_id")
    if not file_id:
        raise FieldError(given.at("file_id"), "expected the id of the file")
    return Citation(source_id=file_id, quoted_span=quote or None, raw=given.text("filename") or None)


def _page(given: Fields, marks: _Marks) -> Cited:
    """Read a citation of a web page, whose fields stand in it or, in a completion or a thread, one level down."""
    held = given.inner("url_citation") or given
    start, end = _extent(given if given.raw("start_index") is not None else held)
    url = held.text("url")
    if not url:
        raise FieldError(held.at("url"), "expected the address of the page")
    mark = given.text("text")
    if mark and mark.startswith("【") and marks.words[start:end] == mark:
        marks.take_out(start, end)
        return Cited(None, start, Citation(url=url))
    return Cited(start, end, Citation(url=url))


def _extent(given: Fields) -> tuple[int, int]:
    start, end = given.whole("start_index"), given.whole("end_index")
    if start is None or end is None or not 0 <= start <= end:
        raise FieldError(given.at("start_index"), "expected start_index and end_index, whole numbers from 0")
    return start, end
