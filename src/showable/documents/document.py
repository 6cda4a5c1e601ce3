"""A document as its citations are read: one text, and for every offset of it the page and the line in the file."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Literal

from showable.read.references.found import FoundReference

Format = Literal["text", "markdown", "html", "docx", "pdf", "bib"]
LONGEST = 10_000_000
"""Characters of one text: some 3,000 pages."""
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a line of the file begins in the text. `part` names what is not running text: ``footnote 3``, ``table 1``."""

    start: int
    line: int
    page: int | None = None
    part: str | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A place a reader can turn to. Pages, lines and columns count from 1; a line counts within its page where there are pages."""

    line: int
    column: int
    page: int | None = None
    part: str | None = None

    def __str__(self) -> str:
        """Say it as one would to a colleague: ``page 3, line 12``."""
        page = [] if self.page is None else [f"page {self.page}"]
        return ", ".join([*page, self.part or f"line {self.line}"])


@dataclass(frozen=True, slots=True)
class Document:
    """What was read of one file.

    `exact` says that the text is the file's own, so that offsets are also offsets into the (decoded) file.
    `entries` are references that the format itself sets apart (BibTeX); None where they are still to be
    found in the text. `unread` has one line for each part that could not be read, so that nothing is known
    of the citations in it. `notes` are what else its reader should know.
    """

    name: str
    format: Format
    text: str
    marks: tuple[Mark, ...]
    exact: bool = False
    entries: tuple[FoundReference, ...] | None = None
    unread: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def place(self, offset: int) -> Place:
        """Return where an offset of the text lies in the file."""
        at = bisect_right(self.marks, offset, key=lambda mark: mark.start) - 1
        if at < 0:
            return Place(1, offset + 1)
        mark = self.marks[at]
        return Place(mark.line, offset - mark.start + 1, mark.page, mark.part)


@dataclass(slots=True)
class TextBuilder:
    """Puts a text together line by line and keeps the marks."""

    pieces: list[str] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    length: int = 0

    def add(self, line: str, number: int, *, page: int | None = None, part: str | None = None, end: str = "\n") -> None:
        """Add a line that has this number in the file. `end` is empty where the next one goes on in the same word."""
        self.marks.append(Mark(self.length, number, page, part))
        self.pieces.append(line + end)
        self.length += len(line) + len(end)

    def gap(self) -> None:
        """Leave a blank line, which parts paragraphs; never two of them, nor one at the beginning."""
        if self.pieces and self.pieces[-1] != "\n":
            self.pieces.append("\n")
            self.length += 1

    def text(self) -> str:
        """Return the text so far."""
        return "".join(self.pieces).rstrip("\n") + "\n" if self.pieces else ""


def line_marks(text: str) -> tuple[Mark, ...]:
    """Mark the lines of a text that is the file's own: they end at LF, CR LF or CR, as editors count them."""
    marks = [Mark(line.start(), number) for number, line in enumerate(_LINE.finditer(text), start=1)]
    return tuple(marks) or (Mark(0, 1),)
