"""Records that do not stand one a line: in a JSON list, pretty-printed, or wrapped in one object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from showable.converters.shape import Converted, Row
from showable.records.record import Record

REQUIRED = frozenset(name for name, field in Record.model_fields.items() if field.is_required()) - {"id"}
"""What an item must have to be meant as a Record; an id is made where there is none."""


class RecordsShape:
    """Records as they are; a mistake in one is told as it is for a line of Records."""

    name = "records"
    title = "Records"

    def rows(self, document: Any) -> Iterator[tuple[str, Mapping[str, Any]]] | None:  # noqa: ARG002 - nothing wraps them
        """Give None: no document wraps Records."""
        return None

    def fits(self, fields: Mapping[str, Any]) -> bool:
        """Tell whether an item is meant as a Record: it holds every field that one must have."""
        return fields.keys() >= REQUIRED

    def convert(self, row: Row) -> Converted:
        """Check the item. Raises ValidationError as pydantic does."""
        return Converted(Record.model_validate({"id": row.fallback_id} | dict(row.fields)))


def is_record(fields: Mapping[str, Any] | None) -> bool:
    """Tell whether an item is a Record as it stands."""
    if fields is None or not fields.keys() >= REQUIRED:
        return False
    try:
        Record.model_validate({"id": "made"} | dict(fields))
    except ValidationError:
        return False
    return True
