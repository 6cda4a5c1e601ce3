"""Read a file, whatever it is: what it holds decides, then what it is called."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING

from showable.errors import InputError

if TYPE_CHECKING:
    from showable.documents.document import Format

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from showable.documents.document import LONGEST, Document

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


_HEAD = 1_024
"""Bytes within which a PDF must say that it is one (ISO 32000-1, annex H.3.4.1)."""
_ENDINGS: dict[str, Format] = {
    ".txt": "text",
    ".text": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".docx": "docx",
    ".pdf": "pdf",
    ".bib": "bib",
    ".bibtex": "bib",
}
_REFUSED = (
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "is an old Office file (.doc): save it as .docx or PDF"),
    (b"{\\rtf", "is RTF: save it as .docx or PDF"),
    (b"\x89PNG", "is an image (PNG): give the document itself, or its text after OCR"),
    (b"\xff\xd8\xff", "is an image (JPEG): give the document itself, or its text after OCR"),
    (b"GIF8", "is an image (GIF): give the document itself, or its text after OCR"),
    (b"II*\0", "is an image (TIFF): give the document itself, or its text after OCR"),
    (b"MM\0*", "is an image (TIFF): give the document itself, or its text after OCR"),
    (b"\x1f\x8b", "is gzip: unpack it first"),
    (b"7z\xbc\xaf", "is a 7z archive: unpack it first"),
    (b"Rar!", "is a RAR archive: unpack it first"),
    (b"%!PS", "is PostScript: make a PDF of it"),
)
_ZIPPED = (
    (b"mimetypeapplication/vnd.oasis.opendocument", "is an OpenDocument file: save it as .docx or PDF"),
    (b"mimetypeapplication/epub", "is an EPUB: give its pages as HTML"),
    (b"ppt/presentation", "is a PowerPoint file: save it as PDF"),
    (b"xl/workbook", "is an Excel file: save it as PDF, or the references as text"),
)
_HTML = re.compile(
    rb"\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--.{0,500}?-->\s*)?<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_LATEX = re.compile(rb"(?:\s*%[^\n]{0,500}\n){0,50}\s*\\documentclass\b")
_BIB = re.compile(rb"(?:\s*%[^\n]{0,500}\n){0,50}\s*@(?:[a-z]{3,20})\s*[{(]", re.IGNORECASE)


def format_of(name: str, data: bytes) -> Format:
    """Return how a file is to be read. Raises InputError where it is of a kind that cannot be."""
    head = data.removeprefix(b"\xef\xbb\xbf")[: 4 * _HEAD]
    ending = PurePath(name).suffix.casefold()
    named = _ENDINGS.get(ending)
    if b"%PDF-" in head[:_HEAD] and (named in {None, "pdf"} or head.startswith(b"%PDF-")):
        return "pdf"
    for magic, said in _REFUSED:
        if data.startswith(magic):
            raise InputError(said, path=name)
    if data.startswith(b"PK\x03\x04"):
        return _zipped(name, data)
    if named == "pdf":
        raise InputError(f"is called {ending} and is no PDF: its first bytes are {_shown(data)}", path=name)
    if named == "docx":
        raise InputError(f"is called {ending} and is no Word document: its first bytes are {_shown(data)}", path=name)
    if _LATEX.match(head):
        raise InputError("is LaTeX: give the PDF that it makes, and its .bib file", path=name)
    if named is not None:
        return named
    if _HTML.match(head):
        return "html"
    return "bib" if _BIB.match(head) else "text"


def _zipped(name: str, data: bytes) -> Format:
    if b"word/document" in data:
        return "docx"
    said = next((said for sign, said in _ZIPPED if sign in data), "is a zip archive: unpack it first")
    raise InputError(said, path=name)


def _shown(data: bytes) -> str:
    return repr(data[:16])[1:]
