"""Passages of a row, which are its retrieval log: texts, or objects under the names that tools give to text and id."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from showable.converters.cells import read_list
from showable.converters.fields import Fields, as_text, missing, storable
from showable.converters.shape import FieldError
from showable.records.record import Source

ID_NAMES = ("source_id", "id", "doc_id", "document_id", "chunk_id", "passage_id", "id_")
META_ID_NAMES = ("id", "chunk_id", "doc_id", "doc_uri", "source")
"""Under these, LangChain and others put a passage's id into its metadata, where it has none of its own."""
TEXT_NAMES = ("text", "content", "page_content", "passage", "chunk", "context")
_EXPECTED = "expected a text, or an object with a text or an id"
TITLE_NAMES = ("title", "name")
URL_NAMES = ("url", "uri", "link")

POSITIONS = (
    "the bracketed numbers fit no id but fit positions: they are read as positions, and ids are written `doc:ID`"
)

_NUMBERS = re.compile(r"\[(\d{1,4}(?:\s*[,;–-]\s*\d{1,4}){0,40})\]")  # fixed-length runs: linear in the answer


def read_log(fields: Fields, name: str) -> tuple[Source, ...] | None:
    """Read a list of retrieved passages in rank order; None where the field is not there.

    Without ids of their own, sources are called by their position, from 1. Raises FieldError where an item
    is neither text nor an object with a text or an id.
    """
    items = fields.list(name)
    return None if items is None else _named(_sources(fields, name, items))


def read_cell(fields: Fields, name: str) -> tuple[Source, ...] | None:
    """Read such a list, or a cell that holds one (see `cells`), in which all have ids or none. Raises FieldError besides where some have."""
    items = read_list(fields.take(name), name)
    if items is None:
        return None
    read = _sources(fields, name, items)
    if len({source_id is None for source_id, _ in read}) > 1:
        raise FieldError(fields.at(name), "expected an id for every passage, or for none")
    return _named(read)


def _named(read: Sequence[tuple[str | None, dict[str, Any]]]) -> tuple[Source, ...]:
    bare = not any(source_id for source_id, _ in read)
    return tuple(
        Source(source_id=source_id or (str(i) if bare else f"passage {i}"), **said)
        for i, (source_id, said) in enumerate(read, 1)
    )


def _sources(fields: Fields, name: str, items: Sequence[Any]) -> list[tuple[str | None, dict[str, Any]]]:
    return [_source(fields, name, i, item) for i, item in enumerate(items)]


def looks_like_log(value: Any) -> bool:
    """Recognise a list of texts, or of objects with a text, from any other value. An empty list is a log that is empty."""
    if not isinstance(value, list | tuple):
        return False
    return all(isinstance(item, str) or (isinstance(item, Mapping) and _has_text(item)) for item in value)


def _has_text(item: Mapping[str, Any]) -> bool:
    return any(isinstance(item.get(name), str) for name in TEXT_NAMES)


def _source(outer: Fields, name: str, index: int, item: Any) -> tuple[str | None, dict[str, Any]]:
    path = f"{outer.at(name)}[{index}]"
    if isinstance(item, str):
        return None, {"text": as_text(item, path)}
    if not isinstance(item, Mapping):
        raise FieldError(path, _EXPECTED)
    return read_object(outer.item(name, index, item))


def read_object(fields: Fields) -> tuple[str | None, dict[str, Any]]:
    """Read one passage that is an object: its id where it has one, and the other fields of a Source that it has.

    Raises FieldError where it has neither a text nor an id of its own, or one that is none.
    """
    source_id, text = fields.id(*ID_NAMES), fields.text(*TEXT_NAMES)
    if source_id is None and text is None:
        raise FieldError(fields.path, _EXPECTED)
    found: dict[str, Any] = {"text": text, "title": fields.text(*TITLE_NAMES), "url": fields.text(*URL_NAMES)}
    found |= {"page": _page(fields.take("page")), "score": _score(fields.take("score"))}
    metadata = fields.held.get("metadata")
    if isinstance(metadata, Mapping):  # the id in it counts though the rest, a NaN in it, may have no place in a Record
        found |= fields.kept("metadata")
        source_id = _given_id(metadata) if source_id is None else source_id
    return source_id, {name: value for name, value in found.items() if value not in (None, "")}


def _given_id(metadata: Mapping[str, Any]) -> str | None:
    named = (metadata.get(name) for name in META_ID_NAMES if storable(metadata.get(name)))
    return next(
        (str(one) for one in named if isinstance(one, str | int) and not isinstance(one, bool) and one != ""), None
    )


def _page(value: Any) -> int | str | None:
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    return value if storable(value) else None


def _score(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or missing(value):
        return None
    try:
        score = float(value)
    except OverflowError:
        return None
    return score if math.isfinite(score) else None


def numbers_cited(answer: str) -> set[int]:
    """Return the numbers that stand alone in brackets: ``[1]``, ``[2, 3]``; of a range its ends."""
    return {int(number) for run in _NUMBERS.findall(answer) for number in re.findall(r"\d+", run)}


def with_positions(
    log: tuple[Source, ...] | None, answer: str | None
) -> tuple[tuple[Source, ...] | None, tuple[str, ...]]:
    """Let ``[1]`` mean the first source where ids are numbers that no marker of the answer can mean (``000``, ``001``).

    A number is otherwise read as an id as soon as any id is a number, and such an answer would be said to cite
    what was never retrieved. Gives the log, and a note where its ids were changed.
    """
    if log is None:
        return None, ()
    ids = {source.source_id for source in log}
    cited = numbers_cited(answer or "")
    if not cited or not any(i.isdecimal() for i in ids) or {str(number) for number in cited} & ids:
        return log, ()
    if not all(1 <= number <= len(log) for number in cited):
        return log, ()
    return tuple(s.model_copy(update={"source_id": f"doc:{s.source_id}"}) for s in log), (POSITIONS,)


def numbered(texts: Iterable[str] | None) -> tuple[Source, ...] | None:
    """Make sources of passages without ids: ``1``, ``2`` … in rank order, as markers such as ``[1]`` count them."""
    return None if texts is None else tuple(Source(source_id=str(i), text=text) for i, text in enumerate(texts, 1))


def with_ids(ids: list[Any] | None, texts: Sequence[str] | None, field: str) -> tuple[Source, ...] | None:
    """Make sources of ids and of passages, either of which may be missing. Raises FieldError where they do not pair up."""
    if ids is None:
        return numbered(texts)
    if texts is not None and len(ids) != len(texts):
        raise FieldError(field, f"expected one id a passage, got {len(ids)} for {len(texts)}")
    named = ids_of(ids, field)
    passages: Sequence[str | None] = [None] * len(ids) if texts is None else texts
    return tuple(Source(source_id=one, text=text) for one, text in zip(named, passages, strict=True))


def ids_of(ids: list[Any] | None, field: str) -> list[str]:
    """Check a list of ids: texts, or whole numbers."""
    for one in ids or ():
        if isinstance(one, bool) or not isinstance(one, str | int) or one == "":
            raise FieldError(field, "expected a list of ids: strings or whole numbers")
    return [str(one) for one in ids or ()]
