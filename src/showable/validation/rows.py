"""Labelled rows, as a user writes them down: JSON Lines, plain or gzip; fields that are not asked for are passed over."""

from __future__ import annotations

import gzip
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator, ConfigDict, Field

from showable.errors import InputError
from showable.records.lines import read_lines
from showable.records.wire import Id, Wire

_GZIP = b"\x1f\x8b"
_LABELS = (0.0, 0.5, 1.0)
NEITHER = 0.5
"""The label of a row that people call neither yes nor no: excluded, and counted."""

_DECLINED = ("full", "yes", "refused", "refusal", "refused_then_answered")
_KINDS = ("evidence", "no_evidence", "insufficient_evidence", "out_of_scope", "ambiguous", "harm", "safety", "policy")
_REFUSAL_WORDS = {
    **dict.fromkeys(("none", "no", "answered"), 0.0),
    "partial": NEITHER,
    **dict.fromkeys((*_DECLINED, *_KINDS), 1.0),
}


def _label(value: Any) -> float:
    if isinstance(value, (bool, int, float)) and float(value) in _LABELS:
        return float(value)
    raise ValueError(f"expected 1, 0 or 0.5 (true and false will do), got {_brief(value)}")


def _refusal(value: Any) -> float:
    if isinstance(value, str) and value.strip().casefold() in _REFUSAL_WORDS:
        return _REFUSAL_WORDS[value.strip().casefold()]
    if isinstance(value, (bool, int, float)) and float(value) in _LABELS:
        return float(value)
    words = ", ".join(_REFUSAL_WORDS)
    raise ValueError(f"expected true, false, 0.5 or one of {words}; got {_brief(value)}")


def _kind(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _brief(value: Any) -> str:
    shown = "null" if value is None else repr(value)
    return shown if len(shown) <= 40 else f"{shown[:37]}…"  # noqa: PLR2004 - fits one terminal line


class LabelledPair(Wire):
    """A claim, a passage, and whether people say that the passage contains the claim.

    Rows that share `group` and claim are chunks of one source, of which the best stands for it. Rows
    that share `question` (else `group`) are not independent and are resampled together. `kind` is the kind
    of the claim, which a cascade may call critical; what is no text there is passed over.
    """

    model_config = ConfigDict(extra="ignore")

    claim: str
    passage: str
    label: Annotated[float, BeforeValidator(_label)]
    group: Id | None = None
    question: str | None = None
    kind: Annotated[str | None, BeforeValidator(_kind)] = None
    id: Id | None = None


class LabelledResponse(Wire):
    """A response, and whether people say that it refuses: true or false, 1, 0 or 0.5, or a word for the kind of refusal."""

    model_config = ConfigDict(extra="ignore")

    response: str | None
    refusal: Annotated[float, BeforeValidator(_refusal)]
    question: str = Field(default="")
    id: Id | None = None


R = TypeVar("R", bound=Wire)


def read_rows(path: Path, model: type[R], name: str | None = None) -> list[tuple[int, R]]:
    """Read the rows of a file with their line numbers (from 1).

    Raises InputError at the first line that is none, naming file (as `name`), line and field; and where there is no row.
    """
    called = name or str(path)
    rows = []
    with unpacked(path, called) as plain:
        for line in read_lines(plain, model):
            if line.problem is not None:
                found = line.problem
                raise InputError(found.message, path=called, line=found.line, field=found.field)
            if line.value is not None:
                rows.append((line.number, line.value))
    if not rows:
        raise InputError("holds no rows", path=called)
    return rows


@contextmanager
def unpacked(path: Path, name: str) -> Iterator[Path]:
    """Give the file itself, or where it is gzip (by its first bytes, whatever it is called) an unpacked copy."""
    try:
        with path.open("rb") as handle:
            packed = handle.read(2) == _GZIP
    except OSError as error:
        raise InputError(error.strerror or str(error), path=name) from None
    if not packed:
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="showable-") as folder:
        plain = Path(folder) / "rows.jsonl"
        try:
            with gzip.open(path, "rb") as source, plain.open("wb") as target:
                shutil.copyfileobj(source, target)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise InputError(f"not a whole gzip file: {error}", path=name) from None
        yield plain
