"""JSON Lines of passages (a `Source` a line) or of whole documents (`id`, `text`, `title`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import ConfigDict, Field, ValidationError

from showable.errors import InputError
from showable.harness.corpora.chunking import chunk
from showable.harness.corpora.labelled_rows import Published, parsed, shaped
from showable.records.lines import explain
from showable.records.record import Source

_PASSAGE = re.compile(r"(.+)#\d+", re.DOTALL)
_GAP = 2
"""Between two passages of a document whose places are not told: as if a blank line stood there."""


class _Document(Published):
    """A document in a row; what it has besides is kept in the metadata of its passages."""

    model_config = ConfigDict(extra="allow")

    id: str = Field(min_length=1)
    text: str
    title: str | None = None
    url: str | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)


def sources_in(name: str, data: bytes) -> list[Source]:
    """Return the passages of a file's bytes: a `Source` as it is, a document cut into passages.

    Raises InputError with the line and field, also where a text is missing or blank.
    """
    sources: list[Source] = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line.strip():
            sources += _of_row(parsed(line, name, number), name, number)
    return list(placed(sources))


def placed(sources: Iterable[Source]) -> Iterator[Source]:
    """Yield passages with `document` and `start` in their metadata.

    Without `document`, it is what stands before ``#NUMBER`` in the id, else the whole id. Without `start`, the
    document's text is taken to be its passages in this order with a blank line between two.
    """
    ends: dict[str, int] = {}
    for source in sources:
        named = source.metadata.get("document")
        matched = _PASSAGE.fullmatch(source.source_id)
        document = str(named) if named is not None else matched[1] if matched else source.source_id
        told = source.metadata.get("start")
        start = told if isinstance(told, int) and not isinstance(told, bool) else ends.get(document, 0)
        ends[document] = start + len(source.text or "") + _GAP
        yield source.model_copy(update={"metadata": {**source.metadata, "document": document, "start": start}})


def _of_row(row: Any, name: str, number: int) -> list[Source]:
    if not isinstance(row, dict) or not row.keys() & {"source_id", "id"}:
        said = "expected a passage (source_id, text) or a document (id, text, title)"
        raise InputError(said, path=name, line=number)
    found = [_passage(row, name, number)] if "source_id" in row else _cut(row, name, number)
    if not found or not (found[0].text or "").strip():
        raise InputError("expected a text, got none", path=name, line=number, field="text")
    return found


def _passage(row: dict[str, Any], name: str, number: int) -> Source:
    try:
        return Source.model_validate(row)
    except ValidationError as error:
        field, said = explain(error)
        raise InputError(said, path=name, line=number, field=field) from None


def _cut(row: dict[str, Any], name: str, number: int) -> list[Source]:
    document = shaped(row, _Document, name, number)
    metadata = {**(document.model_extra or {}), **document.metadata}
    return chunk(document.id, document.text, title=document.title, url=document.url, metadata=metadata)
