"""What tickets may quote of an issue: nothing, unless the target is set to it, a person said so of this issue, and many traces are in it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from showable.production.feed.corrections import standing_events
from showable.production.feed.items import deciding_claim
from showable.production.feed.nouns import Event, Issue
from showable.profiles.load import load_profile, read_profile_json
from showable.read.scan.patterns import scan_patterns
from showable.records.record import Record
from showable.records.scorecard import Scorecard
from showable.stores.run_folder import PROFILE, SCORES
from showable.stores.run_reading import joined
from showable.stores.traces.opening import open_trace_store

LEAST_TRACES = 5
"""Traces below which an issue may be one person's, and is quoted nowhere."""
_QUOTED, _LONGEST = 3, 280


@dataclass(frozen=True, slots=True)
class Text:
    """An answer as it may be quoted; `patterns` are those of its profile, whose matches are masked."""

    record: Record
    card: Scorecard
    patterns: Mapping[str, str]


Texts = Callable[[Collection[str]], Mapping[str, Text]]
"""Reads answers by their ids; those that are gone are left out."""


def texts_of(run: Path | None, store: str | None) -> Texts:
    """Return what reads the answers of a run, or of a store of traces, when they are asked for."""

    def read(ids: Collection[str]) -> dict[str, Text]:
        if run is not None:
            patterns = read_profile_json(run / PROFILE).patterns
            rows = joined(run, SCORES, Scorecard)
            return {record.id: Text(record, card, patterns) for record, card in rows if record.id in ids}
        held = open_trace_store(str(store), make=False)
        try:
            scores = held.scores(sorted(ids))
        finally:
            held.close()
        return {
            one.id: Text(one.answer.record, one.scorecard, load_profile(one.profile or "general").patterns)
            for one in scores
        }

    return read


def may_quote(issue: Issue, events: Sequence[Event]) -> bool:
    """Check whether a person let tickets quote an issue, and enough traces are in it."""
    return issue.traces >= LEAST_TRACES and any(
        one.kind == "quote" and one.issue == issue.issue for one in standing_events(events)
    )


def quotes_of(issue: Issue, texts: Texts) -> tuple[tuple[str, str], ...]:
    """Return questions and claims of the answers that stand for an issue, masked and cut."""
    ids = [one.id for one in issue.representatives[:_QUOTED]]
    found, quotes = texts(ids), []
    for number, held in enumerate((found[answer] for answer in ids if answer in found), 1):
        claim = deciding_claim(held.card)
        quotes.append((f"Question {number}", _masked(held.record.question, held.patterns)))
        if claim is not None:
            quotes.append((f"Claim {number}", _masked(claim.text, held.patterns)))
    return tuple(quotes)


def _masked(text: str, patterns: Mapping[str, str]) -> str:
    """Return a text with each match of a pattern replaced by the pattern's name, and cut."""
    made, at = "", 0
    for finding in scan_patterns(text, patterns):
        start, end = finding.where
        if end > at:
            made += f"{text[at : max(start, at)]}[{finding.name}]"
            at = end
    return (made + text[at:])[:_LONGEST]
