"""The answers that a feed is built from: a run's, or those of a window of traffic, with what is known of how each came about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from showable.records.record import Record
from showable.records.scorecard import Scorecard
from showable.records.traced import LiveScore, TracedAnswer
from showable.stores.run_folder import SCORES, need_finished_run
from showable.stores.run_reading import joined
from showable.stores.traces.store import TraceStore, Where

_PAGE = 500
_VERSIONS: tuple[str, ...] = ("model", "prompt_version", "prompt", "index")
_LONGEST_VALUE = 80
_CHUNK = re.compile(r"[-_:#/.](?:p|c|chunk|page)?\d+$")
"""What a passage's id has beyond its document's: ``handbook-12`` → ``handbook``, ``act.pdf#p4`` → ``act.pdf``; not ``v2``."""
DOCUMENT = "document"


@dataclass(frozen=True, slots=True)
class Answered:
    """A scored answer. `fields` are the circumstances that may explain a failure: values by name, several of `document`.

    `weight` is how many answers of the traffic it stands for (1 / probability), None where it was not read by a judge and so
    says nothing about rates. `traced` is there for answers of a trace store.
    """

    record: Record
    card: Scorecard
    fields: Mapping[str, tuple[str, ...]]
    scored_ns: int = 0
    at_ns: int | None = None
    weight: float | None = 1.0
    trace: str = ""
    service: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    traced: TracedAnswer | None = None


def answers_of_run(path: Path) -> Iterator[Answered]:
    """Yield the answers of a finished run; scalars of a record's `metadata` are its circumstances.

    Raises InputError where the folder holds no run, or is damaged.
    """
    need_finished_run(path)
    for record, card in joined(path, SCORES, Scorecard):
        fields: dict[str, tuple[str, ...]] = {
            name: (said,) for name, value in record.metadata.items() if (said := _scalar(value)) is not None
        }
        if record.profile:
            fields["profile"] = (record.profile,)
        service = fields.get("service", ("",))[0]
        versions = {name: fields[name][0] for name in _VERSIONS if name in fields}
        yield Answered(
            record, card, fields | _documents(record), trace=record.trace_id or "", service=service, versions=versions
        )


def answers_of_store(store: TraceStore, where: Where) -> Iterator[Answered]:
    """Yield the answers of a window of traffic, latest first. Raises StoreError as the store does."""
    after: str | None = None
    while True:
        page = store.answers(where, limit=_PAGE, after=after)
        for score in store.scores([row.id for row in page]):
            yield _answered(score)
        if len(page) < _PAGE:
            return
        after = page[-1].id


def document_of(source_id: str) -> str:
    """Return the part of a passage's id that names its document."""
    return _CHUNK.sub("", source_id) or source_id


def _answered(score: LiveScore) -> Answered:
    traced = score.answer
    told = {
        "service": traced.service,
        "model": traced.model,
        "prompt_version": traced.prompt_version,
        "profile": score.profile,
        "cohort": traced.cohort,
        "span": traced.name,
    }
    fields: dict[str, tuple[str, ...]] = {name: (value,) for name, value in told.items() if value}
    fields["hour"] = (f"{traced.started_ns // 3_600_000_000_000 % 24:02d}",)
    if losses := tuple(sorted({loss.code for loss in traced.losses})):
        fields["loss"] = losses
    for name, value in traced.record.metadata.items():
        said = _scalar(value)
        if said is not None and name not in fields:
            fields[name] = (said,)
    read = score.chosen and score.judged
    return Answered(
        record=traced.record,
        card=score.scorecard,
        fields=fields | _documents(traced.record),
        scored_ns=score.scored_ns,
        at_ns=traced.started_ns or None,
        weight=1.0 / score.probability if read else None,
        trace=traced.trace_id,
        service=traced.service,
        versions={
            name: value for name, value in (("model", traced.model), ("prompt_version", traced.prompt_version)) if value
        },
        traced=traced,
    )


def _documents(record: Record) -> dict[str, tuple[str, ...]]:
    names = tuple(sorted({document_of(source.source_id) for source in record.retrieved or ()}))
    return {DOCUMENT: names} if names else {}


def _scalar(value: Any) -> str | None:
    """Return a value that may be told apart from others, as text; None for what is nested, empty or long."""
    if isinstance(value, bool | int | str) and 0 < len(text := str(value).strip()) <= _LONGEST_VALUE:
        return text
    return None
