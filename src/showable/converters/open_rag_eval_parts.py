"""What open-rag-eval writes an answer and a retrieval log as: parts with ids, texts by id, or either as JSON in a cell."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from showable.converters.fields import FAILED, NO_ANSWER, Fields, as_text, kind_of
from showable.converters.passages import read_log
from showable.converters.shape import FieldError
from showable.records.lines import plain_name
from showable.records.record import Source

REBUILT = "the answer was put together again from its cited parts, whose line breaks are not in the payload"

_BRACKETED = re.compile(r"\[([^\[\]]+)\]")
_NO_ANSWER, _API_ERROR = "NO_ANSWER", "API_ERROR"
_CLOSING = (".", ",", ";", ":", "!", "?", ")", "\n")


def read_answer(fields: Fields, name: str, notes: list[str]) -> str | None:
    """Read an answer with its markers; None, and a note why, where there is none."""
    value = fields.take(name)
    if isinstance(value, str):
        value = _parsed(as_text(value, fields.at(name)), list)
    if value in (None, _NO_ANSWER, _API_ERROR, []):
        notes.append(FAILED if value == _API_ERROR else NO_ANSWER)
        return None
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        raise FieldError(fields.at(name), f"expected text or a list of parts, got {kind_of(value)}")
    notes.append(REBUILT)
    said: list[str] = []
    parts: list[Any] = value
    for i, item in enumerate(parts):
        part = fields.item(name, i, item)
        text = part.need_text("text")
        markers = "".join(
            _marker(c, f"{part.at('citations')}[{j}]") for j, c in enumerate(part.list("citations") or ())
        )
        said += ["" if not said or text.startswith(_CLOSING) else " ", text, f" {markers}" if markers else ""]
    return "".join(said)


def _marker(value: Any, path: str) -> str:
    token = str(value) if isinstance(value, int) and not isinstance(value, bool) else as_text(value, path)
    return token if _BRACKETED.fullmatch(token) else f"[{token}]"


def read_passages(fields: Fields, name: str) -> tuple[Source, ...] | None:
    """Read the passages of a run in their order; None where there are none, or rows that stand for an error."""
    if "passages" in fields.held:
        log = read_log(fields, "passages")
        ids = [source.source_id for source in log or ()]
        return None if log is None or ids in (["NA"], ["ERROR"]) else _unbracketed(log)
    value = fields.take(name)
    if isinstance(value, str):
        value = _parsed(as_text(value, fields.at(name)), dict)
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise FieldError(fields.at(name), f"expected an object of passages by id, got {kind_of(value)}")
    at = fields.at(name)
    return _unbracketed(_passage(at, i, key, text) for i, (key, text) in enumerate(value.items(), 1))


def _passage(path: str, position: int, key: Any, text: Any) -> Source:
    source_id = as_text(key, path) or f"passage {position}"
    return Source(source_id=source_id, text=None if text is None else as_text(text, f"{path}.{plain_name(source_id)}"))


def _unbracketed(log: Iterable[Source]) -> tuple[Source, ...]:
    ids = ((source, _BRACKETED.fullmatch(source.source_id)) for source in log)
    return tuple(s.model_copy(update={"source_id": m[1]}) if m else s for s, m in ids)


def _parsed(cell: str, kind: type[list[Any] | dict[str, Any]]) -> Any:
    """Give what a cell holds as JSON where it is of this kind; else the cell's own text."""
    if not cell.lstrip().startswith("[" if kind is list else "{"):
        return cell
    try:
        value = json.loads(cell)
    except (ValueError, RecursionError):
        return cell
    if isinstance(value, list) and not all(isinstance(part, dict) for part in value):
        return cell
    return value if isinstance(value, kind) else cell
