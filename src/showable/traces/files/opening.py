"""What a file is, told by its first bytes, with gzip taken off."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Literal

from showable.errors import InputError

Kind = Literal["json", "protobuf", "parquet", "text", "nothing"]
BOM = b"\xef\xbb\xbf"
_GZIP = b"\x1f\x8b"
_HEAD = 1 << 16
_LONGEST_LENGTH = 5
"""Bytes of a length, behind which a message of protobuf begins with a line break."""
_CONTROLS = bytes(set(range(0x20)) - set(b"\t\n\r\f"))
_REFUSED = (
    (b"\xff\xfe", "is UTF-16: save it as UTF-8"),
    (b"\xfe\xff", "is UTF-16: save it as UTF-8"),
    (b"PK\x03\x04", "is a zip archive: unpack it first"),
    (b"SQLite format 3\0", "is a database: export its spans as JSON Lines"),
    (b"(\xb5/\xfd", "is packed with zstd: unpack it first"),
)


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for reading bytes, unpacked. Raises InputError where it cannot be opened, or its gzip is damaged."""
    try:
        with path.open("rb") as raw:
            packed = raw.read(2) == _GZIP
            raw.seek(0)
            if not packed:
                yield raw
                return
            with gzip.open(raw) as inner:
                yield io.BufferedReader(inner)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"is gzip, and damaged: {error}", path=str(path)) from None
    except OSError as error:
        raise InputError(error.strerror or str(error), path=str(path)) from None


def kind_of(path: Path) -> Kind:
    """Return what a file holds. Raises InputError for a kind that is known and cannot be read here."""
    with opened(path) as handle:
        head = handle.read(_HEAD)
    for magic, said in _REFUSED:
        if head.startswith(magic):
            raise InputError(said, path=str(path))
    if head.startswith(b"PAR1"):
        return "parquet"
    if _is_protobuf(head):
        return "protobuf"
    start = head.removeprefix(BOM).lstrip()[:1]
    if not start:
        return "nothing"
    return "json" if start in {b"{", b"["} else "text"


def _is_protobuf(head: bytes) -> bool:
    """Tell protobuf by its control characters: JSON holds none, and a table only in the texts below the names of its columns."""
    first, _, _ = head.removeprefix(BOM).partition(b"\n")
    names = b"," in first and len(first) > _LONGEST_LENGTH and not _has_controls(first)
    return _has_controls(head) and not names


def _has_controls(data: bytes) -> bool:
    return len(data.translate(None, _CONTROLS)) != len(data)
