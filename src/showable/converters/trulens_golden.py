"""The passages that a TruLens golden row expects: gold evidence where they can be named, never a retrieval log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from showable.converters.fields import Fields, as_text, kind_of
from showable.converters.gold import evidence_among
from showable.converters.passages import ID_NAMES, TEXT_NAMES
from showable.converters.shape import FieldError
from showable.records.record import GoldEvidence, Source

NAMELESS = "expected passages could not be carried: one without an id is found word for word in no retrieved one"


def find_evidence(
    fields: Fields, name: str, log: Sequence[Source] | None
) -> tuple[tuple[GoldEvidence, ...], tuple[str, ...]]:
    """Give the expected passages as gold evidence: by their ids, else by their words in the log; all of them, or none and a note.

    A passage whose expected score is 0 is there as one that should not be found, and is no evidence.
    """
    value = fields.held.get(name)
    if isinstance(value, str):
        value = [value]
    if value is None or value == []:
        return (), ()
    if not isinstance(value, list | tuple):
        raise FieldError(fields.at(name), f"expected a list, got {kind_of(value)}")
    chunks = [_named(chunk, f"{fields.at(name)}[{i}]") for i, chunk in enumerate(value)]
    named = [own for own, _ in chunks if own is not None]
    texts = [text for own, text in chunks if own is None and text is not None]
    found, all_found = evidence_among(texts, log)
    if not all_found:
        return (), (NAMELESS,)
    fields.take(name)
    ids = dict.fromkeys([*named, *(one.source_id for one in found)])
    return tuple(GoldEvidence(source_id=one) for one in ids), ()


def _named(chunk: Any, path: str) -> tuple[str | None, str | None]:
    """Give a passage's id and text; neither for one that is no evidence."""
    if isinstance(chunk, str):
        return None, as_text(chunk, path)
    if not isinstance(chunk, Mapping):
        raise FieldError(path, f"expected text or an object, got {kind_of(chunk)}")
    scores = [chunk[key] for key in ("expected_score", "expect_score") if key in chunk]
    if scores and not isinstance(scores[0], bool) and scores[0] in (0, "0"):
        return None, None
    fields = Fields(chunk, path)
    return fields.id(*ID_NAMES), fields.text(*TEXT_NAMES)
