"""The quantities of a passage that a claim may have reckoned from, each with the words that say what it is of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from showable.read.passage_tables import Span, read_tables
from showable.read.quantities import find_quantities
from showable.read.quantity import Quantity
from showable.records.regex import regex
from showable.rubrics.table_values import cell_quantities, in_unit, terms

MOST_READ = 400
"""Quantities of a passage that are read as operands, and sentences: a longer one is a data set, in which something always comes out."""
_SENTENCE = regex(r"[^.!?\n]+(?:[.!?](?!\s)[^.!?\n]*)*")
_CLAUSE = regex(r"[,;:](?=\s)|\b(?:and|but|while|whereas)\b")
_YEAR = regex(r"\b(?:19|20)\d\d\b")
_ADJECTIVE = regex(r" [a-z]{4,} ([a-z]{3,})\b")
_ITEM = regex(r"^[ \t]*(?:[-*•–]|\(?(?:\d{1,2}|[a-z])[.)])[ \t]+\S", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Operand:
    """A quantity that stands in a passage.

    `near` are the terms of its clause, or of its row and column, `far` those of its sentence or caption. `groups` name what
    it may be summed up with: its sentence, its column, its row. `year` is the one that it is of, as far as one is told.
    """

    quantity: Quantity
    near: frozenset[str]
    far: frozenset[str]
    groups: tuple[str, ...]
    year: int | None
    place: Span
    label: str = ""

    @property
    def value(self) -> float:
        """The value of the quantity."""
        return self.quantity.value

    def __str__(self) -> str:
        return f"{self.quantity.text} ({self.label})" if self.label else self.quantity.text


@lru_cache(maxsize=128)
def read_operands(passage: str) -> tuple[Operand, ...]:
    """Read the operands of a passage in order of place: those of its tables by row and column, the others by clause."""
    found = [*_in_tables(passage), *_in_prose(passage)]
    return tuple(sorted(found, key=lambda operand: operand.place)[:MOST_READ])


@lru_cache(maxsize=256)
def sentences_of(passage: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """Return the sentences of a passage with their terms."""
    found = (match[0].strip() for match in _SENTENCE.finditer(passage))
    return tuple((text, frozenset(terms(text))) for text in found if text)[:MOST_READ]


@lru_cache(maxsize=128)
def listed_items(passage: str) -> tuple[int, ...]:
    """Return how many items each list of a passage has; the rows of a table are one."""
    counts, at, last = [], 0, None
    for match in [*_ITEM.finditer(passage), None]:
        if match is not None and (last is None or passage.count("\n\n", last, match.start()) <= 1):
            at += 1
        else:
            counts.append(at)
            at = 1
        last = match.end() if match else None
    return (*(count for count in counts if count > 1), *(len(table.rows) for table in read_tables(passage)))


def _in_tables(passage: str) -> Iterator[Operand]:
    for number, table in enumerate(read_tables(passage)):
        caption = frozenset(terms(table.caption))
        for row in table.rows:
            keys = find_quantities(table.row_name(row[0].row))
            row_words = frozenset(terms(" ".join([table.row_name(row[0].row), *_words_of(row)])))
            for cell in row[1:]:
                quantities = cell_quantities(table, cell)
                if not quantities or cell.place is None:
                    continue
                header = table.header[cell.column]
                quantity = quantities[min(1, len(quantities) - 1)]
                year = _YEAR.search(header) or _YEAR.search(table.row_name(cell.row))
                yield Operand(
                    quantity,
                    row_words | frozenset(terms(header)),
                    caption,
                    (f"{number}c{cell.column}", f"{number}r{cell.row}"),
                    int(year[0]) if year else None,
                    cell.place,
                    table.address(cell),
                )
            first = row[0]
            if len(keys) == 1 and first.place is not None and keys[0].kind not in {"number", "year"}:
                yield Operand(keys[0], row_words, caption, (f"{number}k",), None, first.place, table.header[0])


def _words_of(row: Iterable[object]) -> Iterator[str]:
    for cell in row:
        text = getattr(cell, "text", "")
        if not any(c.isdigit() for c in text):
            yield text


def _in_prose(passage: str) -> Iterator[Operand]:
    spans = [table.span for table in read_tables(passage)]
    quantities = [q for q in find_quantities(passage) if not any(a <= q.span[0] < b for a, b in spans)]
    for sentence in _SENTENCE.finditer(passage):
        start, end = sentence.span()
        inside = [q for q in quantities if start <= q.span[0] < end and q.text.lower() != "one"]
        if not inside:
            continue
        far = frozenset(terms(sentence[0]))
        cuts = [start, *(start + m.start() for m in _CLAUSE.finditer(sentence[0])), end]
        for quantity in inside:
            if quantity.in_brackets:  # in prose brackets are an aside, no accountant's minus
                quantity = replace(quantity, value=-quantity.value, mantissa=abs(quantity.mantissa))  # noqa: PLW2901
            low = max(cut for cut in cuts if cut <= quantity.span[0])
            high = min(cut for cut in cuts if cut > quantity.span[0])
            clause = passage[low:high]
            quantity = _counted(passage, quantity)  # noqa: PLW2901 - the same number, with what it counts
            year = None if quantity.kind in {"year", "date"} else _only_year(clause)
            yield Operand(quantity, frozenset(terms(clause)), far, (f"s{start}",), year, quantity.span)


def _counted(passage: str, quantity: Quantity) -> Quantity:
    """Return a number with the unit that an adjective parts it from: "4 further days"."""
    after = _ADJECTIVE.match(passage, quantity.span[1]) if quantity.kind == "number" else None
    counted = in_unit(quantity, after[1]) if after else None
    return counted if counted is not None and counted.kind == "duration" else quantity


def _only_year(clause: str) -> int | None:
    years = set(_YEAR.findall(clause))
    return int(years.pop()) if len(years) == 1 else None
