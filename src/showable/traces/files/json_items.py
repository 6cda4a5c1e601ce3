"""The JSON values of a file: one a line, in constant memory, or one document."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any

from showable.errors import InputError
from showable.records.lines import MAX_LINE_BYTES
from showable.traces.files.opening import BOM, opened
from showable.traces.otlp.json_body import parse_body
from showable.traces.otlp.refused import Refused

MOST_BYTES = 1024 * 1024 * 1024
"""A longer document is refused: it would have to be held in memory whole."""
_SEEN = 2
"""Lines that tell JSON Lines from one document."""


def json_items(path: Path) -> Iterator[tuple[int | None, Any]]:
    """Yield each value with its line, from 1; None for the line where the file is one document.

    Blank lines and a byte-order mark are passed over. Raises InputError with the line, or with line and column, of what is no JSON.
    """
    with opened(path) as handle:
        first = list(islice(_lines(handle, path), _SEEN))
    if _one_document([raw for _, raw in first]):
        yield None, _document(path)
        return
    with opened(path) as handle:
        for number, raw in _lines(handle, path):
            try:
                yield number, parse_json(raw)
            except Refused as refused:
                raise InputError(refused.reason.replace("the body", "the line"), path=str(path), line=number) from None


def _one_document(first: list[bytes]) -> bool:
    """Return by the first two lines: two that are no JSON by themselves, or a bracket alone, belong to one document."""
    if len(first) < _SEEN or first[0] in {b"[", b"{"}:
        return True
    return not any(_is_json(raw) for raw in first)


def _lines(handle: IO[bytes], path: Path) -> Iterator[tuple[int, bytes]]:
    number = 0
    while raw := handle.readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(raw) > MAX_LINE_BYTES:
            if number == 1:  # a document on one line may be longer than a line may be
                yield number, raw
                return
            raise InputError(f"the line is longer than {MAX_LINE_BYTES >> 20} MiB", path=str(path), line=number)
        raw = raw.removeprefix(BOM).strip() if number == 1 else raw.strip()
        if raw:
            yield number, raw


def _is_json(raw: bytes) -> bool:
    try:
        parse_json(raw)
    except Refused:
        return False
    return True


def _document(path: Path) -> Any:
    with opened(path) as handle:
        raw = handle.read(MOST_BYTES + 1)
    if len(raw) > MOST_BYTES:
        said = f"one JSON document of more than {MOST_BYTES >> 30} GiB: write it as JSON Lines, one object a line"
        raise InputError(said, path=str(path))
    try:
        return parse_json(raw.removeprefix(BOM))
    except Refused as refused:
        raise InputError(refused.reason.replace("the body", "the file"), path=str(path)) from None


def parse_json(raw: bytes) -> Any:
    """Parse JSON as exports hold it: with NaN, which Python writes, and with text cut within a character. Raises Refused."""
    try:
        return parse_body(raw)[0]
    except Refused:
        if b"NaN" not in raw and b"Infinity" not in raw:
            raise
    try:
        return json.loads(raw.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        raise Refused(400, "the body is not JSON") from None
