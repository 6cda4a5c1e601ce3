"""Answers that came as JSON of one's own making: an object with the answer's words, and a list of what it cites, by their usual names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from showable.read.structured import parse_structured
from showable.traces.conventions.citations import read_citations
from showable.traces.conventions.values import sound
from showable.traces.facts import TracedCitation
from showable.traces.text_values import given_in, parsed

_LISTS = ("citations", "references", "sources", "source_ids", "cited_sources")
_NAMES: Mapping[str, Sequence[str]] = {
    "source_id": ("source_id", "id", "document_id", "doc_id", "chunk_id", "source"),
    "quoted_span": ("quoted_span", "quote", "quoted_text", "snippet"),
    "claim": ("claim", "statement", "sentence"),
    "page": ("page",),
    "url": ("url", "link"),
    "start": ("start",),
    "end": ("end",),
}


def is_structured(text: str) -> bool:
    """Check whether an answer is of a form that answers are read from; most are not, and are told at a glance."""
    if text.lstrip()[:1] not in {"{", "[", "`"}:
        return False
    try:
        found = parse_structured(text)
    except RecursionError:
        return False
    return found is not None and found[1] is not None


def answer_in(value: str) -> str:
    """Return the answer that stands in what a step gave: all of it where it carries claims or citations, else the words alone."""
    found = parsed(value)
    whole = isinstance(found, dict) and (isinstance(found.get("claims"), list) or _listed(found) is not None)
    return value if whole else given_in(value) or value


def read_json_answer(text: str) -> tuple[str, Sequence[TracedCitation] | None] | None:
    """Return the words of a JSON answer and what it cites, None where it has no list of that; None where it names no answer."""
    found = parsed(text)
    words = given_in(text)
    if not isinstance(found, dict) or words is None or parsed(words) is not None:
        return None
    listed = _listed(found)
    return sound(words), None if listed is None else read_citations([_renamed(item) for item in listed], [])


def _listed(found: Mapping[str, Any]) -> list[Any] | None:
    return next((found[name] for name in _LISTS if isinstance(found.get(name), list)), None)


def _renamed(item: Any) -> Any:
    if not isinstance(item, dict):
        return item
    said = {
        name: next((item[other] for other in others if item.get(other) is not None), None)
        for name, others in _NAMES.items()
    }
    return {name: value for name, value in said.items() if value is not None}
