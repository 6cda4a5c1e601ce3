"""Rows with a tool's names, and with columns that only named columns are read by: whose they are, or that it cannot be told."""

from __future__ import annotations

from collections.abc import Sequence

from showable.converters.csv_columns import CsvColumns, decisive
from showable.converters.shape import Converted, FieldError, Row, Shape
from showable.records.record import Gold, Record


def whose_rows(shape: Shape, rows: Sequence[Row], *, table: bool) -> list[Shape]:
    """Give the shapes that rows may be of which `shape` fits: itself, named columns, or both.

    Ids of passages, passages and gold that `shape` would leave unread change what an answer is said to be. A table goes
    by named columns where these read all that `shape` reads, and those besides; otherwise both are given. A column of
    passages that `shape` left may be one that it knows for something else, so it never settles it.
    """
    columns = CsvColumns()
    read = [(row, done) for row in rows if columns.knows(row.fields) and (done := _converted(shape, row)) is not None]
    unread = {what for _, done in read for name in done.lost if (what := decisive(name))}
    if not unread:
        return [shape]
    if table and "contexts" not in unread and all(_says_no_less(columns, row, done.record) for row, done in read):
        return [columns]
    return [columns, shape]


def _converted(shape: Shape, row: Row) -> Converted | None:
    try:
        return shape.convert(row)
    except FieldError:
        return None


def _says_no_less(columns: CsvColumns, row: Row, theirs: Record) -> bool:
    """Tell whether named columns read what another shape read of a row; where they refuse it, they say so themselves."""
    done = _converted(columns, row)
    if done is None:
        return True
    mine = done.record
    same = (mine.question, mine.answer) == (theirs.question, theirs.answer)
    logged = theirs.retrieved is None or _texts(mine) == _texts(theirs)
    return same and logged and _holds_gold(mine.gold, theirs.gold)


def _texts(record: Record) -> list[str | None]:
    return [source.text for source in record.retrieved or ()]


def _holds_gold(mine: Gold | None, theirs: Gold | None) -> bool:
    if theirs is None or mine is None:
        return theirs is None
    said = (mine.answer, mine.aliases) == (theirs.answer, theirs.aliases)
    return said and len(mine.evidence) >= len(theirs.evidence)
