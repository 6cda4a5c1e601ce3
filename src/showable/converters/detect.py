"""Return what a file holds: Records, or the rows of exactly one shape; nothing is guessed between two."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from showable.converters.catalogue import COLUMNS, NAMES, RECORDS, all_shapes, shape_named
from showable.converters.csv_columns import CsvColumns, decisive, unlike_records
from showable.converters.framing import Archive, Document, Frame, Item, Lines, field_names, transposed
from showable.converters.opening import open_frame
from showable.converters.shape import Converted, FieldError, Row, Shape
from showable.converters.spreadsheet import Sheet
from showable.converters.tables import TABLE_ENDINGS, Table, ending
from showable.errors import InputError
from showable.records.record import Gold, Record

_BY_NAMES = f"{COLUMNS} are fields by their usual names (question, answer, contexts …: see showable convert --help)"
LOOKED_AT = 20
"""Items at the head of a file by which its shape is told."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a file was found to be: with no shape, it is to be read as JSON Lines of Records, as it stands.

    `hint` says of a file that is nothing known what it holds, and what could be read.
    """

    frame: Frame | None = None
    shape: Shape | None = None
    hint: str = ""


def detect(path: Path, name: str, wanted: str | None = None) -> Found:
    """Find the shape of a file, or take the one that is `wanted`.

    Raises InputError where two shapes fit, where a table or a JSON document fits none, or where the file is of a kind
    that cannot be read; SettingError where `wanted` is no shape's name.
    """
    frame = open_frame(path, name)
    if wanted is not None and wanted.strip().casefold() != RECORDS:
        shape = shape_named(wanted)
        return Found() if frame is None else _as_wanted(frame, shape, name)
    if frame is None:
        return Found()
    try:
        return _as_records(frame) if wanted is not None else _by_looking(frame, name)
    except InputError as error:
        if isinstance(frame, Table) and not _surely_table(frame, name):  # some text, and no table at all
            return Found()
        raise InputError(error.message, path=name, line=error.line, field=error.field) from None


def _surely_table(frame: Frame, name: str) -> bool:
    return isinstance(frame, Sheet) or (isinstance(frame, Table) and ending(name) in TABLE_ENDINGS)


def _as_records(frame: Frame) -> Found:
    return Found() if _as_it_stands(frame) else Found(frame, RecordsShape())


def _as_it_stands(frame: Frame) -> bool:
    """Return whether a file may be JSON Lines, which Records are read from without being taken apart here."""
    return isinstance(frame, Lines) or (isinstance(frame, Document) and frame.one_line)


def _as_wanted(frame: Frame, shape: Shape, name: str) -> Found:
    try:
        turned = None if _fits_head(shape, frame) else _turned(frame)
        return Found(turned if turned is not None and _fits_head(shape, turned) else frame, shape)
    except InputError as error:
        raise InputError(error.message, path=name, line=error.line, field=error.field) from None


def _by_looking(frame: Frame, name: str) -> Found:
    heads = list(islice(frame.items(None), LOOKED_AT))
    if not isinstance(frame, Table) and any(is_record(item.fields) for item in heads):
        return _as_records(frame)
    fitting = _fitting(frame)
    if not fitting and (turned := _turned(frame)) is not None:
        frame, fitting = turned, _fitting(turned)
    if len(fitting) > 1:
        names = " and ".join(shape.name for shape in fitting)
        raise InputError(f"could be {names}: say which with --from {fitting[0].name}", path=name)
    return Found(frame, fitting[0]) if fitting else _nothing(frame, name, heads)


def _turned(frame: Frame) -> Document | None:
    rows = transposed(frame.value) if isinstance(frame, Document) else None
    return None if rows is None else Document(rows)


def _fitting(frame: Frame) -> list[Shape]:
    """Return the shapes that fit; named columns are for rows in which no tool's own names are, or leave columns unread."""
    fitting = [shape for shape in all_shapes() if shape.name != COLUMNS and _fits_head(shape, frame)]
    table = isinstance(frame, Table)
    columns = CsvColumns()
    if not fitting and _fits_head(columns, frame, columns.fits if table else columns.fits_object):
        return [columns]
    if len(fitting) != 1:
        return fitting
    heads = islice(frame.items(fitting[0]), LOOKED_AT)
    return whose_rows(fitting[0], [item.row() for item in heads if item.fields is not None], table=table)


def _fits_head(shape: Shape, frame: Frame, fits: Callable[[Mapping[str, Any]], bool] | None = None) -> bool:
    """Return whether most of a file's first items are of a shape; the odd ones are told one by one when they are converted.

    In a document that the shape takes apart one is enough: its wrapping has spoken already.
    """
    heads = [item for item in islice(frame.items(shape), LOOKED_AT) if item.fields is not None]
    fit = sum((fits or shape.fits)(item.fields or {}) for item in heads)
    wrapped = isinstance(frame, Document) and isinstance(frame.value, Mapping) and shape.rows(frame.value) is not None
    return fit > 0 if wrapped else 2 * fit > len(heads)


def _nothing(frame: Frame, name: str, heads: list[Item]) -> Found:
    """Return what is there and what could be read: an error for a file that cannot be Records, a hint beside their error."""
    read = [item for item in heads if item.fields]
    known = f"known are {RECORDS}, {', '.join(NAMES)}; {_BY_NAMES}"
    said = f"no shape that is known (its fields: {field_names(heads)}); {known}"
    meant = any(item.fields is not None and item.fields.keys() >= REQUIRED for item in read)
    if _surely_table(frame, name):
        if not read:
            return _unread(heads, name)
        shape_named(COLUMNS).convert(read[0].row())  # says which column is missing
        raise InputError(said, path=name)
    if _as_it_stands(frame):
        if meant and any(unlike_records(item.fields or {}) for item in read):
            return Found(hint=f"no Records, by its fields; {_BY_NAMES}")
        return Found(hint=said if read and not meant else "")
    if isinstance(frame, Table):
        return Found()
    if meant:
        return Found(frame, RecordsShape())
    if isinstance(frame, Archive):
        said = f"is a zip archive of no shape that is known; {known}"
    raise InputError(said if heads or isinstance(frame, Archive) else "holds no records", path=name)


def _unread(heads: list[Item], name: str) -> Found:
    """Raise the first problem of a table none of whose first rows can be read; one without a row is empty."""
    if not heads:
        raise InputError("holds no records", path=name)
    problem = heads[0].problem
    raise InputError(problem.message if problem else "holds no records", path=name, line=heads[0].line)


REQUIRED = frozenset(name for name, field in Record.model_fields.items() if field.is_required()) - {"id"}
"""What an item must have to be meant as a Record; an id is made where there is none."""


class RecordsShape:
    """Records as they are; a mistake in one is told as it is for a line of Records."""

    name = "records"
    title = "Records"

    def rows(self, document: Any) -> Iterator[tuple[str, Mapping[str, Any]]] | None:  # noqa: ARG002 - nothing wraps them
        """Return None: no document wraps Records."""
        return None

    def fits(self, fields: Mapping[str, Any]) -> bool:
        """Return whether an item is meant as a Record: it holds every field that one must have."""
        return fields.keys() >= REQUIRED

    def convert(self, row: Row) -> Converted:
        """Check the item. Raises ValidationError as pydantic does."""
        return Converted(Record.model_validate({"id": row.fallback_id} | dict(row.fields)))


def is_record(fields: Mapping[str, Any] | None) -> bool:
    """Return whether an item is a Record as it stands."""
    if fields is None or not fields.keys() >= REQUIRED:
        return False
    try:
        Record.model_validate({"id": "made"} | dict(fields))
    except ValidationError:
        return False
    return True


def whose_rows(shape: Shape, rows: Sequence[Row], *, table: bool) -> list[Shape]:
    """Return the shapes that rows may be of which `shape` fits: itself, named columns, or both.

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
    """Return whether named columns read what another shape read of a row; where they refuse it, they say so themselves."""
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
