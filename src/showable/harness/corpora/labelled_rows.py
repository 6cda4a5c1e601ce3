"""Read the files of labelled data sets: one JSON document, or rows of JSON, gzipped or not."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from showable.errors import InputError
from showable.records.lines import explain
from showable.records.record import GoldEvidence, Source

_LARGEST = 1_000_000_000
"""Bytes of an unpacked file."""
_MAY_BE_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
"""An escaped half of a pair of surrogates, which no text of a run folder can hold without the other."""


class Published(BaseModel):
    """A shape that a data set is published in: what is read is checked, the rest is passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True)


P = TypeVar("P", bound=Published)


class PassageRow(Published):
    """A passage in a row."""

    id: str
    text: str
    title: str | None = None


def holds_rows(path: Path) -> bool:
    """Tell a file of rows (``.jsonl``, ``.jsonl.gz``) from one JSON document."""
    return path.name.endswith((".jsonl", ".jsonl.gz"))


def read_rows(path: Path, model: type[P]) -> Iterator[P]:
    """Yield the rows of a file. Raises InputError at the first that is not what was expected."""
    for number, line in enumerate(read_bytes(path).splitlines(), 1):
        if line.strip():
            yield shaped(parsed(line, str(path), number), model, str(path), number)


def read_published(path: Path, model: type[P]) -> P:
    """Read one JSON document in its published shape. Raises InputError where it is not what was expected."""
    return shaped(parsed(read_bytes(path), str(path)), model, str(path))


def read_bytes(path: Path) -> bytes:
    """Read a file, unpacked where its name ends in ``.gz``. Raises InputError where that fails."""
    try:
        if path.suffix != ".gz":
            return path.read_bytes()
        with gzip.open(path) as packed:
            data = packed.read(_LARGEST + 1)
    except (OSError, EOFError, zlib.error) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(reason, path=str(path)) from None
    if len(data) > _LARGEST:
        raise InputError(f"unpacks to more than {_LARGEST // 1_000_000} MB", path=str(path))
    return data


def parsed(raw: bytes, path: str, line: int | None = None) -> Any:
    """Parse JSON. `path` and `line` say in the message where it stands."""
    try:
        value = json.loads(raw.decode("utf-8-sig"))
        if _MAY_BE_HALF.search(raw):
            json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = error.object[error.start]
        raise InputError(f"holds half a character, \\u{ord(half):04x}", path=path, line=line) from None
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8: byte 0x{raw[error.start]:02x}", path=path, line=line) from None
    except json.JSONDecodeError as error:
        at = error.lineno if line is None else line
        raise InputError(f"not JSON: {error.msg} at column {error.colno}", path=path, line=at) from None
    except RecursionError:
        raise InputError("not JSON that can be read: it is nested too deeply", path=path, line=line) from None
    except ValueError:  # as Python says of a number of more than 4,300 digits
        raise InputError("not JSON that can be read: a number is too long", path=path, line=line) from None
    return value


def shaped(value: Any, model: type[P], path: str, line: int | None = None) -> P:
    """Check a JSON value against a shape. The message names the first field that is not what was expected."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        field, said = explain(error)
        raise InputError(said, path=path, line=line, field=field) from None


def evidence_in(passages: list[Source], start: int, end: int) -> list[GoldEvidence]:
    """Map characters of a document's text onto the passages that hold them: one piece of evidence a passage.

    White space at either end of a piece is left out, and so is a piece that holds nothing else.
    """
    found = []
    for passage in passages:
        text, offset = passage.text or "", passage.metadata["start"]
        low, high = max(start - offset, 0), min(end - offset, len(text))
        piece = text[low:high] if low < high else ""
        if piece.strip():
            low += len(piece) - len(piece.lstrip())
            found.append(GoldEvidence(source_id=passage.source_id, start=low, end=low + len(piece.strip())))
    return found
