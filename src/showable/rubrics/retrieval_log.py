"""The retrieval log of one record, indexed by source id: the only list that a citation is joined against."""

from __future__ import annotations

from functools import cached_property

from showable.read.log_references import SearchedLog
from showable.records.record import Record, Source

LOG_DOUBT = "log_doubt"
"""The key of a record's metadata that says why a source may have been retrieved though the log does not hold its id: a trace
that logged documents without ids, or of which a part never came. Absence from such a log proves nothing."""

CITATIONS_DOUBT = "citations_doubt"
"""The key of a record's metadata that says why citations of the answer may be missing: its span lost attributes on the way."""


class RetrievalLog:
    """Sources by id. Several log entries of one id are passages of one document, and are read together.

    `logged` is False where the record carries no log: then nothing can be said about membership. `doubt` says why the
    log may hold less than was retrieved, "" where nothing says so; `citations_doubt` why the answer may cite more than came.
    """

    def __init__(self, record: Record) -> None:
        self.logged = record.retrieved is not None
        self.doubt, self.citations_doubt = _words(record, LOG_DOUBT), _words(record, CITATIONS_DOUBT)
        self.by_id: dict[str, list[Source]] = {}
        for source in record.retrieved or ():
            self.by_id.setdefault(source.source_id, []).append(source)

    def __contains__(self, source_id: object) -> bool:
        return source_id in self.by_id

    def __len__(self) -> int:
        return len(self.by_id)

    @cached_property
    def texts(self) -> dict[str, str]:
        """The text of each id that has any, its passages joined by a blank line."""
        joined = {i: "\n\n".join(s.text for s in group if s.text) for i, group in self.by_id.items()}
        return {source_id: text for source_id, text in joined.items() if text.strip()}

    @cached_property
    def searched(self) -> SearchedLog:
        """The sources, for references that name none by its id."""
        return SearchedLog(source for group in self.by_id.values() for source in group)

    @cached_property
    def duplicates(self) -> list[str]:
        """The ids that the log carries more than once."""
        return [source_id for source_id, group in self.by_id.items() if len(group) > 1]


def known_shown(record: Record) -> tuple[str, ...] | None:
    """Return the ids of what the model was shown, in its order; None where that is not known.

    A trace that does not tell the order leaves no id in it, and a doubt beside it.
    """
    return None if not record.shown and _words(record, LOG_DOUBT) else record.shown


def _words(record: Record, key: str) -> str:
    said = record.metadata.get(key)
    return said if isinstance(said, str) else ""


BAD_STATUS = frozenset({"retracted", "withdrawn", "superseded", "repealed"})
"""`Source.metadata["status"]` of a source that may no longer be relied on."""


def no_longer_stands(source: Source) -> bool:
    """Check whether a source is marked as retracted, withdrawn, repealed or superseded."""
    return _status(source) in BAD_STATUS or bool(source.metadata.get("superseded_by"))


def standing(source: Source) -> str:
    """Return in words why a source may no longer be relied on: "superseded by X", "repealed, and superseded by X"."""
    status, successor = _status(source), source.metadata.get("superseded_by")
    if not successor:
        return status
    replaced = f"superseded by {successor}"
    return f"{status}, and {replaced}" if status in BAD_STATUS - {"superseded"} else replaced


def _status(source: Source) -> str:
    return str(source.metadata.get("status", "")).strip().casefold()
