"""Rows of a table of spans, as dataframes are written: CSV, and Parquet where pyarrow is there to read it."""

from __future__ import annotations

import ast
import csv
import io
import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from showable.errors import InputError
from showable.traces.files.json_items import parse_json
from showable.traces.files.opening import opened
from showable.traces.otlp.refused import Refused

_LONGEST_CELL = 64 * 1024 * 1024
_NUMBERS = re.compile(r"(token_count\.|\.cost\.|\.score$|Cost$)")
"""Columns of numbers: CSV has text alone."""


def csv_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each row with its line, from 1. Cells that hold JSON, or a list or mapping as Python prints it, are read as that.

    Raises InputError where it is no CSV.
    """
    csv.field_size_limit(_LONGEST_CELL)
    with opened(path) as handle, io.TextIOWrapper(handle, "utf-8-sig", newline="") as text:
        reader = csv.DictReader(text, strict=True)
        try:
            for row in reader:
                if None in row or None in row.values():
                    raise InputError(
                        "expected as many cells as the first line has", path=str(path), line=reader.line_num
                    )
                yield reader.line_num, {name: _cell(name, value) for name, value in row.items()}
        except UnicodeDecodeError:
            raise InputError("not UTF-8", path=str(path), line=reader.line_num + 1) from None
        except csv.Error as error:
            raise InputError(f"not CSV: {error}", path=str(path), line=reader.line_num) from None


def _cell(name: str, value: str) -> Any:
    if not value:
        return None
    if _NUMBERS.search(name):
        try:
            number = float(value)
        except ValueError:
            return value
        return int(number) if number.is_integer() else number
    if value[0] not in "[{":
        return value
    try:
        return parse_json(value.encode("utf-8", "replace"))
    except Refused:
        return _printed(value)


def _printed(value: str) -> Any:
    """Give what Python printed into a cell; pandas writes lists into CSV so."""
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return value


def parquet_rows(path: Path) -> Iterator[tuple[None, Mapping[str, Any]]]:
    """Yield the rows of a Parquet file, in batches. Raises InputError where pyarrow is not installed, or cannot read the file."""
    try:
        parquet = import_module("pyarrow.parquet")
    except ImportError:
        said = "is Parquet, which takes pyarrow to read: install it, or write the spans as JSON Lines"
        raise InputError(said, path=str(path)) from None
    problem = import_module("pyarrow").ArrowException
    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=256):
                yield from ((None, row) for row in batch.to_pylist())
    except (problem, OSError) as error:
        raise InputError(f"is Parquet, and cannot be read: {str(error).splitlines()[0]}", path=str(path)) from None
