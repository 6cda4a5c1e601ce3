"""What a run of a pipeline wrote down about a question that it could not answer."""

from __future__ import annotations

from showable.records.asking import ASK
from showable.records.record import Record

_LONGEST = 200


def failure_of(record: Record) -> str | None:
    """Give what went wrong in one short line of characters that show, or None where nothing was written down."""
    asked = record.metadata.get(ASK)
    error = asked.get("error") if isinstance(asked, dict) else None
    if not isinstance(error, str):
        return None
    line = " ".join("".join(c if c.isprintable() else " " for c in error).split())
    return (line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1].rstrip()}…") or None
