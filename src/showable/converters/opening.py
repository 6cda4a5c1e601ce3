"""What kind of file it is, told by its first bytes, and only then by its name."""

from __future__ import annotations

import gzip
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from showable.converters.framing import BOM, MAX_DOCUMENT_BYTES, Archive, Document, Frame, Lines, raw_lines
from showable.converters.json_text import JsonError, decode, parse_json
from showable.converters.spreadsheet import open_spreadsheet
from showable.converters.tables import ending, find_table
from showable.errors import InputError

_GZIP, _ZIP = b"\x1f\x8b\x08", b"PK\x03\x04"
_BINARY_HEAD = 1024
_MAX_UNPACKED = 64 * MAX_DOCUMENT_BYTES
_SEEN = 4
"""Lines at the head of a file that tell JSON Lines from one document."""
_REFUSED = (
    (b"PAR1", 'is Parquet: write it as JSON Lines, with to_json(orient="records", lines=True)'),
    (b"ARROW1", "is an Arrow file: write it as JSON Lines"),
    (b"%PDF-", "is a PDF: save the answers as CSV or JSON Lines"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "is an old Office file (.xls, .doc): save it as CSV"),
    (b"SQLite format 3\0", "is a database: export its rows as JSON Lines or CSV"),
    *(
        (mark, "is a recorded stream of events: join its parts into the whole reply, and save that as JSON")
        for mark in (b"data: {", b"event: ", b"id: 0\nevent")
    ),
    (b"\xff\xfe", "is UTF-16: save it as UTF-8"),
    (b"\xfe\xff", "is UTF-16: save it as UTF-8"),
)


@contextmanager
def unpacked(path: Path, name: str) -> Iterator[Path]:
    """Return the file itself, or, for a gzip file, what is in it, put by in a folder that goes when this ends.

    Raises InputError where the gzip file is damaged, or holds more than 64 GiB.
    """
    if not path.is_file() or head_of(path)[:3] != _GZIP:
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="showable-") as folder:
        inner = Path(folder) / "unpacked"
        try:
            with gzip.open(path) as packed, inner.open("wb") as handle:
                for chunk in iter(lambda: packed.read(1 << 20), b""):
                    if handle.tell() > _MAX_UNPACKED:
                        raise InputError(f"holds more than {_MAX_UNPACKED >> 30} GiB: unpack it first", path=name)
                    handle.write(chunk)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise InputError(f"is gzip, and damaged: {error}", path=name) from None
        yield inner


def head_of(path: Path) -> bytes:
    """Return the first bytes of a file. Raises InputError where it cannot be opened."""
    try:
        with path.open("rb") as handle:
            return handle.read(1 << 16)
    except OSError as error:
        raise InputError(error.strerror or str(error), path=str(path)) from None


def open_frame(path: Path, name: str) -> Frame | None:
    """Return how items stand in a file; None where there is nothing to tell: no file, or an empty one.

    Raises InputError where it is of a kind that cannot be read, or a JSON document that is none.
    """
    if not path.is_file():
        return None
    head = head_of(path)
    for magic, said in _REFUSED:
        if head.startswith(magic):
            raise InputError(said, path=name)
    if head.startswith(_ZIP) and zipfile.is_zipfile(path):
        return open_spreadsheet(path, name) or Archive(path)
    _refuse_no_text(head, name)
    start = head.removeprefix(BOM).lstrip()[:1]
    if start == b"[":
        return Document(read_document(path, name))
    if start == b"{":
        return _lines_or_document(path, name)
    if start and ending(name) in {".yaml", ".yml"}:
        raise InputError("is YAML: export it as JSON, or JSON Lines", path=name)
    return find_table(path, name) if start else None


def _refuse_no_text(head: bytes, name: str) -> None:
    """Raise InputError for a file that is no UTF-8 text; single bad lines are told one by one when they are read."""
    if b"\0" in head[:_BINARY_HEAD]:
        raise InputError("is binary, or UTF-16: save it as CSV or JSON Lines in UTF-8", path=name)
    lines = head.split(b"\n")[:-1] or [head]  # the last may be cut within a character
    bad = [(number, line) for number, line in enumerate(lines, 1) if not _is_text(line)]
    if not bad or 2 * len(bad) <= sum(bool(line.strip()) for line in lines):
        return
    said = f"is not UTF-8 text, on {len(bad)} of its first {len(lines)} lines: save it as CSV or JSON Lines in UTF-8"
    raise InputError(said, path=name, line=bad[0][0])


def _is_text(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _lines_or_document(path: Path, name: str) -> Frame:
    """One object a line, or one object over many lines: the first few tell.

    A single line may be either, so it is a document that a shape may take apart. Where the first line is broken it is
    a document if it can be read as one, and lines if others of them can.
    """
    with path.open("rb") as handle:
        first = list(islice(_parsed(raw_lines(handle)), _SEEN))
    if isinstance(first[0], Mapping):
        return Lines(path) if len(first) > 1 else Document(first[0], one_line=True)
    objects = sum(isinstance(held, Mapping) for held in first)
    if objects > 1:
        return Lines(path)
    try:
        return Document(read_document(path, name))
    except InputError:
        if objects or len(first) == 1:
            return Lines(path)
        raise


def _parsed(lines: Iterator[bytes | None]) -> Iterator[Any]:
    """Parse the lines that are not blank, giving None for one that is no JSON."""
    for raw in lines:
        if raw is None or raw.strip():
            try:
                yield None if raw is None else parse_json(decode(raw.removeprefix(BOM).strip()))
            except JsonError:
                yield None


def read_document(path: Path, name: str) -> Any:
    """Read a whole JSON document. Raises InputError where it is too long, or none."""
    if path.stat().st_size > MAX_DOCUMENT_BYTES:
        said = (
            f"one JSON document of more than {MAX_DOCUMENT_BYTES >> 30} GiB: write it as JSON Lines, one object a line"
        )
        raise InputError(said, path=name)
    try:
        return parse_json(decode(path.read_bytes().removeprefix(BOM)))
    except JsonError as error:
        raise InputError(error.told(), path=name, line=error.line or None, field=error.key) from None
