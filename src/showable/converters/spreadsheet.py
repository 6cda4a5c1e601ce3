"""Spreadsheets: the first sheet of an ``.xlsx`` workbook, as a table; what its formulas last came to, never reckoned anew."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from showable.converters.tables import Table
from showable.errors import InputError

MAX_CELLS, MAX_COLUMNS = 5_000_000, 1_000
MAX_UNPACKED = 256 * 1024 * 1024
"""Bytes of the sheets and of their shared texts, unpacked: a workbook that holds more is refused before it is read."""
_FEWEST_NAMES = 2
_WORKBOOK = "xl/workbook.xml"
_OTHERS = {
    "word/document.xml": "a Word document",
    "ppt/presentation.xml": "a PowerPoint presentation",
    "xl/workbook.bin": "a binary workbook (.xlsb)",
    "Index/Document.iwa": "a Numbers or Pages document",
    "content.xml": "an OpenDocument file",
}
"""What other office files hold, by which they are told from archives of answers."""


@dataclass(frozen=True, slots=True)
class Sheet(Table):
    """The first sheet of a workbook: its first row of two cells or more names the columns; above it may stand a title."""

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the rows that hold anything, with their numbers in the sheet, all as wide as the first."""
        import openpyxl  # noqa: PLC0415 - an extra

        try:
            with (
                self.path.open("rb") as file,  # of a path, openpyxl looks at the ending
                closing(openpyxl.load_workbook(file, read_only=True, data_only=True)) as book,
            ):
                for sheet in book.worksheets[:1]:
                    sheet.reset_dimensions()  # what a file says of its size is padded with empty cells
                    yield from _filled(sheet.iter_rows(values_only=True))
        except InputError:
            raise
        except Exception as error:  # noqa: BLE001 - openpyxl raises whatever the part that it was in raises
            raise InputError(f"is a damaged workbook ({type(error).__name__}): save it as CSV") from None


def open_spreadsheet(path: Path, name: str) -> Sheet | None:
    """Return the sheet of a zip archive that is a workbook, else None.

    Raises InputError where openpyxl is not installed, where it is too large, and for any other office file.
    """
    with zipfile.ZipFile(path) as archive:
        sizes = {info.filename: info.file_size for info in archive.infolist()}
    if other := next((said for held, said in _OTHERS.items() if held in sizes), None):
        raise InputError(f"is {other}: save the answers as CSV", path=name)
    if _WORKBOOK not in sizes:
        return None
    if (unpacked := sum(sizes.values())) > MAX_UNPACKED:
        raise InputError(f"is a workbook of {unpacked >> 20} MiB: save the sheet as CSV", path=name)
    try:
        import openpyxl  # noqa: F401, PLC0415 - an extra
    except ImportError:
        said = "is a spreadsheet: save it as CSV, or pip install 'showable[xlsx]' to read it as it is"
        raise InputError(said, path=name) from None
    return Sheet(path, "")


def _filled(rows: Any) -> Iterator[tuple[int, list[str]]]:
    width = cells = 0
    for number, row in enumerate(rows, 1):
        texts = [_text(value) for value in row]
        while texts and not texts[-1].strip():
            texts.pop()
        if not texts or (not width and sum(bool(text.strip()) for text in texts) < _FEWEST_NAMES):
            continue
        width = width or len(texts)
        cells += len(texts)
        if len(texts) > MAX_COLUMNS or cells > MAX_CELLS:
            raise InputError(f"more than {MAX_COLUMNS:,} columns or {MAX_CELLS:,} cells: save it as CSV", line=number)
        yield number, texts + [""] * (width - len(texts))


def _text(value: Any) -> str:
    """Return a cell as a CSV would hold it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return str(value)
