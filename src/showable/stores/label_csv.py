"""Cells of a CSV file that spreadsheets take for text and nothing else, and that read back as they were."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TextIO

from showable.errors import InputError
from showable.records.lines import plain_name

BOM = "\ufeff"
"""Begins the file: spreadsheets take it for UTF-8 only then."""
_QUOTE = "'"
_STEERS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20", _QUOTE)
"""What a cell may not begin with: a spreadsheet would run it as a formula (the full-width forms too), or eat the quote."""
_DELIMITERS = (",", ";", "\t")
"""What spreadsheets write between cells; which, goes by the country."""


_BEGINS = r"([;\t\r\n][^\S\t\r\n]*)"
"""Where a cell begins within a cell, in a spreadsheet that parts cells otherwise: after `;` or a tab, and in a new line."""
_STEERS_WITHIN = re.compile(_BEGINS + r"('*[=+\-@\uff1d\uff0b\uff0d\uff20])")
_NEUTRAL_WITHIN = re.compile(_BEGINS + r"'('*[=+\-@\uff1d\uff0b\uff0d\uff20])")


def neutral(text: str) -> str:
    """Put a quote before what could be taken for a formula; `plain` takes it away. An empty text is a quote alone."""
    within = _STEERS_WITHIN.sub(r"\1'\2", text)
    return _QUOTE + within if not text or _steers(text) else within


def plain(cell: str) -> str:
    """Return the text that `neutral` was given; a cell that people wrote is the text itself."""
    rest = cell[1:]
    text = rest if cell.startswith(_QUOTE) and (not rest or _steers(rest)) else cell
    return _NEUTRAL_WITHIN.sub(r"\1\2", text)


def _steers(text: str) -> bool:
    return text.startswith(_STEERS) or text.lstrip().startswith(_STEERS)


def csv_lines(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the text of a CSV file (RFC 4180) a row at a time: a byte-order mark, the header, the rows."""
    yield BOM
    line = io.StringIO()
    writer = csv.writer(line)
    for cells in chain([header], rows):
        writer.writerow(cells)
        yield line.getvalue()
        line.seek(0)
        line.truncate()


def read_csv(path: Path, needed: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of a CSV file by column, each with its line (from 1); empty rows are passed over.

    Cells may be parted by commas, semicolons or tabs. Raises InputError where the file is no UTF-8, lacks one of the
    columns `needed`, has one twice, or a row has more or fewer cells than the header.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as handle:
            yield from _rows(path, handle, needed)
    except UnicodeDecodeError as error:
        said = f"not UTF-8: byte 0x{error.object[error.start]:02x}; save it as CSV UTF-8"
        raise InputError(said, path=str(path)) from None
    except OSError as error:
        raise InputError(error.strerror or str(error), path=str(path)) from None


def _rows(path: Path, handle: TextIO, needed: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    first = handle.readline()
    handle.seek(0)
    delimiter = max(_DELIMITERS, key=first.count)
    reader = csv.reader(handle, delimiter=delimiter, strict=True)
    line = 1
    try:
        header = [name.strip() for name in next(reader, [])]
        _check_header(path, header, needed)
        line = reader.line_num + 1
        for cells in reader:
            if any(cells):
                if len(cells) != len(header):
                    said = f"expected {len(header)} cells as in the header, got {len(cells)}"
                    raise InputError(said, path=str(path), line=line)
                yield line, dict(zip(header, cells, strict=True))
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"not CSV: {error}", path=str(path), line=line) from None


def _check_header(path: Path, header: Sequence[str], needed: Sequence[str]) -> None:
    for name in needed:
        if name not in header:
            raise InputError("this column is missing", path=str(path), line=1, field=name)
    if twice := [name for name, count in Counter(header).items() if count > 1]:
        raise InputError("this column comes twice", path=str(path), line=1, field=plain_name(twice[0]))
