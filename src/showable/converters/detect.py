"""Tell what a file holds: Records, or the rows of exactly one shape; nothing is guessed between two."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from showable.converters.catalogue import COLUMNS, NAMES, RECORDS, all_shapes, shape_named
from showable.converters.csv_columns import CsvColumns, unlike_records
from showable.converters.framing import Archive, Document, Frame, Item, Lines, field_names, transposed
from showable.converters.opening import open_frame
from showable.converters.records_shape import REQUIRED, RecordsShape, is_record
from showable.converters.shape import Shape
from showable.converters.spreadsheet import Sheet
from showable.converters.tables import TABLE_ENDINGS, Table, ending
from showable.converters.unread_columns import whose_rows
from showable.errors import InputError

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
    """Tell whether a file may be JSON Lines, which Records are read from without being taken apart here."""
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
    """Give the shapes that fit; named columns are for rows in which no tool's own names are, or leave columns unread."""
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
    """Tell whether most of a file's first items are of a shape; the odd ones are told one by one when they are converted.

    In a document that the shape takes apart one is enough: its wrapping has spoken already.
    """
    heads = [item for item in islice(frame.items(shape), LOOKED_AT) if item.fields is not None]
    fit = sum((fits or shape.fits)(item.fields or {}) for item in heads)
    wrapped = isinstance(frame, Document) and isinstance(frame.value, Mapping) and shape.rows(frame.value) is not None
    return fit > 0 if wrapped else 2 * fit > len(heads)


def _nothing(frame: Frame, name: str, heads: list[Item]) -> Found:
    """Say what is there and what could be read: an error for a file that cannot be Records, a hint beside their error."""
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
    """Tell the first problem of a table none of whose first rows can be read; one without a row is empty."""
    if not heads:
        raise InputError("holds no records", path=name)
    problem = heads[0].problem
    raise InputError(problem.message if problem else "holds no records", path=name, line=heads[0].line)
