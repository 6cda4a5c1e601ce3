"""The retrieval log of a record, from the lists of documents that tools hand around."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from showable.converters.fields import Fields
from showable.converters.passages import TEXT_NAMES, read_object
from showable.errors import InputError
from showable.records import Source
from showable.records.lines import explain


def passages(given: Any, field: str = "retrieved") -> tuple[Source, ...] | None:
    """Read a list of strings, mappings or documents, in rank order; None means that nothing was logged.

    A mapping is a Source (``source_id``, ``text`` …), or has the names that `showable convert` knows: its text under
    ``text``, ``content``, ``page_content`` …, its id under ``id``, ``doc_id``, ``chunk_id`` … or in its ``metadata``, and
    ``title``, ``url``, ``page`` and ``score``. Where none has an id, each has its rank, from 1. Raises InputError where an
    item is something else, has an id that is neither text nor a whole number, or where some have ids and others none.
    """
    if given is None:
        return None
    if not isinstance(given, list | tuple):
        raise InputError(f"expected a list of passages, got {type(given).__name__}", field=field)
    read = [_fields(one, f"{field}[{i}]") for i, one in enumerate(given)]
    named = ["source_id" in fields for fields in read]
    if any(named) and not all(named):
        raise InputError("expected an id for every passage, or for none", field=field)
    return tuple(_source({"source_id": str(i + 1), **fields}, f"{field}[{i}]") for i, fields in enumerate(read))


def _fields(given: Any, place: str) -> dict[str, Any]:
    """Return the fields of a Source, without an id where the passage has none."""
    if isinstance(given, str):
        return {"text": given}
    if isinstance(given, Source):
        return given.model_dump()
    if hasattr(given, "page_content"):
        given = {name: getattr(given, name, None) for name in ("page_content", "metadata", "id")}
    if not isinstance(given, Mapping):
        raise InputError(f"expected a string or a mapping, got {type(given).__name__}", field=place)
    if "source_id" in given and not any(given.get(name) is not None for name in TEXT_NAMES if name != "text"):
        return dict(given)
    source_id, fields = read_object(Fields(given, place))
    if isinstance(held := given.get("metadata"), Mapping):
        fields["metadata"] = dict(held)  # as it is: what no file could take, a date among it, is never written
    return fields | ({} if source_id is None else {"source_id": source_id})


def _source(fields: dict[str, Any], place: str) -> Source:
    try:
        return Source.model_validate(fields)
    except ValidationError as error:
        inner, said = explain(error)
        raise InputError(said, field=f"{place}.{inner}") from None
