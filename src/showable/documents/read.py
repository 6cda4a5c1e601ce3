"""Read a file, whatever it is: what it holds decides, then what it is called."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from showable.documents.document import LONGEST, Document
from showable.documents.sniff import format_of
from showable.errors import InputError

if TYPE_CHECKING:
    from showable.documents.document import Format

LARGEST = 100_000_000
"""Bytes of one file."""
_READERS: dict[Format, str] = {
    "text": "plain",
    "markdown": "plain",
    "html": "web",
    "docx": "word",
    "pdf": "pdf",
    "bib": "bibtex",
}


class _Reader(Protocol):
    def __call__(self, name: str, data: bytes) -> Document: ...


def read_document(path: Path) -> Document:
    """Read a file; ``-`` is standard input.

    Raises InputError where it is missing, empty, too large, of a kind that cannot be read, or holds no text.
    """
    if str(path) == "-":
        # a command that is started without standard input has none
        return read_bytes("stdin", sys.stdin.buffer.read(LARGEST + 1) if sys.stdin is not None else b"")
    if path.is_dir():
        raise InputError("is a folder: give the files in it", path=str(path))
    try:
        with path.open("rb") as handle:
            data = handle.read(LARGEST + 1)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=str(path)) from None
    return read_bytes(str(path), data)


def read_bytes(name: str, data: bytes) -> Document:
    """Read a file's bytes. `name` is what it is called, and its ending a hint."""
    if len(data) > LARGEST:
        raise InputError(f"is larger than {LARGEST // 1_000_000} MB: split it", path=name)
    if not data.strip(b"\0 \t\r\n"):
        raise InputError("is empty", path=name)
    kind = format_of(name, data)
    module = import_module(
        f"showable.documents.{_READERS[kind]}"
    )  # late: the readers of PDF and Word take long to load
    document = cast("_Reader", getattr(module, f"read_{kind}"))(name, data)
    if len(document.text) > LONGEST:
        raise InputError(f"holds more than {LONGEST:,} characters: split it", path=name)
    return document
