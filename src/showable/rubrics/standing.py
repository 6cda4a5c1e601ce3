"""Whether a source may still be relied on, by what its own metadata says."""

from __future__ import annotations

from showable.records.record import Source

BAD_STATUS = frozenset({"retracted", "withdrawn", "superseded", "repealed"})
"""`Source.metadata["status"]` of a source that may no longer be relied on."""


def no_longer_stands(source: Source) -> bool:
    """Say whether a source is marked as retracted, withdrawn, repealed or superseded."""
    return _status(source) in BAD_STATUS or bool(source.metadata.get("superseded_by"))


def standing(source: Source) -> str:
    """Say in words why a source may no longer be relied on: "superseded by X", "repealed, and superseded by X"."""
    status, successor = _status(source), source.metadata.get("superseded_by")
    if not successor:
        return status
    replaced = f"superseded by {successor}"
    return f"{status}, and {replaced}" if status in BAD_STATUS - {"superseded"} else replaced


def _status(source: Source) -> str:
    return str(source.metadata.get("status", "")).strip().casefold()
