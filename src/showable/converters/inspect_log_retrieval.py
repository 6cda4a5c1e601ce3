"""Where an Inspect sample may keep what was retrieved for it: its store, its metadata, or documents in its input."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from showable.converters.fields import NO_LOG, Fields
from showable.converters.inspect_log_messages import resolved
from showable.converters.passages import looks_like_log, read_log
from showable.records.record import Source

NAMES = ("retrieved", "retrieved_contexts", "sources", "documents", "contexts")
NO_PLACE = "Inspect has no place of its own for what was retrieved: the log was read from {}"
UNNAMED = "the answer cites a document by a title that no passage bears: the passages that were found are no log of it"


def find_log(
    fields: Fields, attachments: Mapping[str, Any], documents: Sequence[Source]
) -> tuple[tuple[Source, ...] | None, list[str]]:
    """Give the retrieval log with a note that says where it was read: the store first, which the run itself filled."""
    for place in ("store", "metadata"):
        held = fields.object(place)
        for name in NAMES:
            for key, value in held.held.items():
                if isinstance(key, str) and key.rpartition(":")[2] == name and looks_like_log(value):
                    inner = Fields({key: _whole(value, attachments)}, place)
                    held.take(key)
                    return read_log(inner, key), [NO_PLACE.format(f"{place}.{name}")]
    if documents:
        return tuple(documents), [NO_PLACE.format("the documents put to the model")]
    return None, [NO_LOG]


def _whole(value: Sequence[Any], attachments: Mapping[str, Any]) -> list[Any]:
    """Put attachments in where passages are kept as such."""
    return [
        {name: resolved(held, attachments) for name, held in one.items()}
        if isinstance(one, Mapping)
        else resolved(one, attachments)
        for one in value
    ]
