"""The attribute that this project publishes for citations, which no convention has: `llm.output.citations`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from showable.traces.conventions.convention import Slots
from showable.traces.conventions.values import Notes, json_text, mapping, named, text, unpacked, whole, word
from showable.traces.facts import TracedCitation

KEY = "llm.output.citations"
SLOTS: Slots = {"citations": (KEY,)}


def write_citations(citations: Sequence[TracedCitation] | None) -> dict[str, Any]:
    """Write citations as a JSON list: members that a citation does not have are left out."""
    if citations is None:
        return {}
    members = [
        {name: value for name in READERS if (value := getattr(citation, name)) is not None} for citation in citations
    ]
    return {KEY: json_text(members)}


def read_citations(items: Sequence[Any], notes: Notes) -> tuple[TracedCitation, ...]:
    """Read citations from a list of mappings, flattened or not; a bare text is a source id."""
    read = (_read_one(unpacked(item, KEY, notes), notes) for item in items)
    return tuple(citation for citation in read if citation is not None)


def _read_one(item: Any, notes: Notes) -> TracedCitation | None:
    if isinstance(item, str | int) and not isinstance(item, bool):
        return TracedCitation(source_id=word(item, KEY, notes))
    if not isinstance(item, dict):
        notes.append(("type", f"a citation of {KEY} should be a JSON object, and is {named(item)}"))
        return None
    inner = item.get("citation")
    members = (mapping(inner, KEY, notes) or {}) if inner is not None else item
    held = {str(name).removeprefix("citation."): value for name, value in members.items()}
    if "source_id" not in held and "id" in held:
        held["source_id"] = held["id"]
    said = {name: READERS[name](value, f"{KEY} {name}", notes) for name, value in held.items() if name in READERS}
    citation = TracedCitation(**said)
    if citation == TracedCitation():
        notes.append(("empty_citation", f"{KEY} has a citation that says nothing"))
        return None
    return citation


def read_page(value: Any, key: str, notes: Notes) -> int | str | None:
    """Read a page: a whole number, or a name such as "iv"."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return word(value, key, notes)


READERS: Mapping[str, Callable[[Any, str, Notes], Any]] = {
    "claim": text,
    "source_id": word,
    "quoted_span": text,
    "page": read_page,
    "url": word,
    "start": whole,
    "end": whole,
}
