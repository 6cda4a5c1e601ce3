"""Find the citations of a document, each with its place, the sentence it stands in, and what scanners say of it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from showable.documents.document import Document
from showable.read.references.found import FoundReference
from showable.read.sentences import Sentence, split_sentences
from showable.records.record import Reference
from showable.report.check_outcome import Where

MOST_PASSAGE = 600
_EMPHASIS = re.compile(r"(?<![\w*/])[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}(?![\w*/])")
"""Signs of Markdown, of which a citation often holds only one of the two."""
_SIGNAL = 12
"""Letters of a signal that may stand before a citation: ``See, e.g.,``, ``Accord``."""
_BESIDE = 250
"""Characters kept on either side of a citation where its sentence is longer than a passage may be."""


@dataclass(frozen=True, slots=True)
class Spotted:
    """One citation as it stands. `antecedent` counts within its document, `sentence` is the span it stands in."""

    document: Document
    found: FoundReference
    sentence: tuple[int, int]

    @property
    def reference(self) -> Reference:
        """What it was read as."""
        return self.found.reference

    def where(self) -> Where:
        """Return its place."""
        start, end = self.found.span
        place, last = self.document.place(start), self.document.place(max(start, end - 1))
        return Where(
            document=self.document.name,
            page=place.page,
            line=place.line,
            column=place.column,
            part=place.part,
            start=start,
            end=end,
            end_line=last.line,
            end_column=last.column + 1,
        )

    def full(self) -> str:
        """Return all that belongs to the citation, on one line: the names before it, the parenthesis after it."""
        written = " ".join(self.document.text[slice(*self.found.full)].split())[:MOST_PASSAGE]
        if written.startswith("<") and written.endswith(">"):  # the signs around an address
            written = written[1:-1]
        return _EMPHASIS.sub("", written) if self.document.format == "markdown" else written

    def passage(self) -> str:
        """Return the sentence around it, cut to what a report can show; an entry of a reference list is its own passage."""
        if self.document.entries is not None:
            return ""
        first, last = self.sentence
        if last - first > MOST_PASSAGE:
            first, last = max(first, self.found.span[0] - _BESIDE), min(last, self.found.span[1] + _BESIDE)
        cut = self.document.text[first:last]
        before, after = first > self.sentence[0], last < self.sentence[1]
        return f"{'…' if before else ''}{' '.join(cut.split())}{'…' if after else ''}"[: 2 * MOST_PASSAGE]


def spot(document: Document) -> list[Spotted]:
    """Find all citations of a document, in order of place."""
    references = document.entries
    if references is None:
        find: Any = import_module("showable.read.references.find")  # late: the grammar of cases takes long to load
        references = _with_state_codes(tuple(find.find_references(document.text)), document.text)
    if not references:
        return []
    sentences = split_sentences(document.text) if document.entries is None else []
    starts = [sentence.start for sentence in sentences]
    return [Spotted(document, found, _around(found, sentences, starts, document.text)) for found in references]


def _with_state_codes(found: Sequence[FoundReference], text: str) -> tuple[FoundReference, ...]:
    """Return references with the codes of states between them: nobody can be asked about these, and that is told.

    What points back at a reference by its number is pointed at its new one.
    """
    codes: Any = import_module("showable.read.references.legal.state_codes")
    taken = [one.span for one in found]
    new = [
        one
        for one in codes.find_state_codes(text)
        if not any(start < one.span[1] and one.span[0] < end for start, end in taken)
    ]
    if not new:
        return tuple(found)
    order = sorted([*found, *new], key=lambda one: one.span)
    numbers = {id(one): number for number, one in enumerate(order)}
    moved = [numbers[id(one)] for one in found]
    return tuple(
        replace(
            one,
            antecedent=None if one.antecedent is None else moved[one.antecedent],
            group=None if one.group is None else moved[one.group],
        )
        for one in order
    )


def _around(found: FoundReference, sentences: Sequence[Sentence], starts: Sequence[int], text: str) -> tuple[int, int]:
    """Return the sentence that a citation begins in, as far as its end; its own line where it begins in none."""
    start, end = found.span
    at = bisect_right(starts, start) - 1
    if at >= 0 and sentences[at].end > start:
        last = at
        while last + 1 < len(sentences) and sentences[last].end < end:
            last += 1
        first = at
        if at and _says_nothing(text, sentences[at].start, sentences[last].end, found.full):
            first = at - (sentences[at - 1].paragraph == sentences[at].paragraph)
        return sentences[first].start, max(sentences[last].end, end)
    line_end = text.find("\n", end)
    return text.rfind("\n", 0, start) + 1, len(text) if line_end < 0 else line_end


def _says_nothing(text: str, start: int, end: int, full: tuple[int, int]) -> bool:
    """Return whether a sentence is the citation alone, so that what it is cited for stands in the one before."""
    around = text[start : max(start, full[0])] + text[min(end, full[1]) : end]
    return sum(map(str.isalnum, around)) <= _SIGNAL
