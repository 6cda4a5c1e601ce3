"""Plain text and Markdown, in whatever encoding they were saved."""

from __future__ import annotations

import codecs

from showable.documents.document import Document, Format, line_marks
from showable.errors import InputError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16: its mark begins with the same two bytes
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
BYTE_ORDER_MARKS = tuple(mark for mark, _ in _MARKS)
_SAMPLE = 4_096
_MOST_CONTROLS = 0.02
"""Share of control characters beyond which bytes are no text in any encoding."""
_CONTROLS = frozenset(range(0x20)) - frozenset(b"\t\n\v\f\r\x1b") | {0x7F}


def read_text(name: str, data: bytes) -> Document:
    """Read plain text."""
    return _read(name, data, "text")


def read_markdown(name: str, data: bytes) -> Document:
    """Read Markdown as it stands: the text is the file's own, signs and all."""
    return _read(name, data, "markdown")


def _read(name: str, data: bytes, kind: Format) -> Document:
    text, notes = decode(name, data)
    if not text.strip():
        raise InputError("is empty", path=name)
    return Document(name, kind, text, line_marks(text), exact=True, notes=notes)


def decode(name: str, data: bytes) -> tuple[str, tuple[str, ...]]:
    """Decode a text by its byte-order mark, as UTF-8, as UTF-16 without a mark, or else as Windows-1252, which is said.

    The mark is no part of the text. Raises InputError for bytes that are no text, with the line where decoding fails.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _strictly(name, data[len(mark) :], encoding), ()
    if (wide := _unmarked_wide(data)) is not None:
        return _strictly(name, data, wide), (f"{name}: has no byte-order mark: read as {wide.upper()}",)
    sample = data[:_SAMPLE]
    if sum(byte in _CONTROLS for byte in sample) > _MOST_CONTROLS * len(sample):
        raise InputError("is no text: it holds control bytes (a program, an image, an archive?)", path=name)
    try:
        return data.decode("utf-8"), ()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        said = f"{name}:{line}: is not UTF-8: the file is read as Windows-1252"
        return data.decode("cp1252", "replace"), (said,)


def _strictly(name: str, data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].decode(encoding, "replace").count("\n") + 1
        raise InputError(
            f"does not decode as {encoding.upper()}, which its first bytes promise", path=name, line=line
        ) from None


def _unmarked_wide(data: bytes) -> str | None:
    """Recognise UTF-16 without a mark by the zeros at every other byte of Latin text."""
    sample = data[: _SAMPLE & ~1]
    pairs = len(sample) // 2
    if pairs < 2:  # noqa: PLR2004 - one letter tells nothing
        return None
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if odd > 0.4 * pairs and even < 0.05 * pairs:
        return "utf-16-le"
    return "utf-16-be" if even > 0.4 * pairs and odd < 0.05 * pairs else None
