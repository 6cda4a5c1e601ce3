"""Find what an attribute's key says: one look-up for a key seen before, whichever convention it is of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from showable.traces.conventions import citations, grouping
from showable.traces.conventions.convention import Convention, Slots
from showable.traces.conventions.documents import written
from showable.traces.conventions.fi import FI
from showable.traces.conventions.openinference import OPENINFERENCE
from showable.traces.conventions.openllmetry import OPENLLMETRY
from showable.traces.conventions.otel_genai import OTEL_GENAI
from showable.traces.conventions.writing import grouped
from showable.traces.facts import SpanFacts

SLOTS: Slots = {"documents": ("rag.document", "rag.documents")}
_NOT = "documents, and nothing else"
CANNOT_SAY = {
    "documents.title": _NOT,
    "documents.page": _NOT,
    "documents.url": _NOT,
    "documents.doi": _NOT,
    "documents.metadata": _NOT,
} | dict.fromkeys(
    (
        "kind", "inputs", "outputs", "input_text", "output_text", "rerank_input", "reranked", "evaluations", "model",
        "prompt_version", "session", "tokens_in", "tokens_out", "cost_usd", "finish", "metadata", "tool_calls",
    ),
    _NOT,
)  # fmt: skip


def write(facts: SpanFacts) -> dict[str, Any]:
    """Write the documents of a retriever."""
    said: dict[str, Any] = {} if facts.documents is None or facts.documents else {"rag.document": "[]"}
    for index, source in enumerate(facts.documents or ()):
        members = written(source)
        said |= {
            f"rag.document.{index}.{name}": members[name] for name in ("id", "content", "score") if name in members
        }
    return said | grouped(facts)


RAG_DOCUMENT = Convention("rag_document", SLOTS, {}, write, CANNOT_SAY)


CONVENTIONS: tuple[Convention, ...] = (OPENINFERENCE, OTEL_GENAI, FI, OPENLLMETRY, RAG_DOCUMENT)
"""All, in the order in which a key that several have is taken for theirs where nothing else on the span decides."""
OURS: tuple[Slots, ...] = (citations.SLOTS, grouping.SLOTS)
"""Keys that name no convention."""

LISTS = frozenset(
    {"inputs", "outputs", "documents", "memories", "rerank_input", "reranked", "citations", "evaluations", "finish"}
)
"""Facts that are lists: their keys may be flattened."""
NAMED = frozenset({"metadata"})
"""Facts that are mappings: a member may have a key of its own."""
LONGEST_KEY = 200
"""Longer keys are nobody's: remembering what a key says must not keep all that a stranger sends."""
MOST_DIGITS = 6
KEYS_REMEMBERED = 8192


@dataclass(frozen=True, slots=True)
class Key:
    """What a key says: a fact (`slot`), its `rank` among the keys of that fact, whose it is, and where in a list it points."""

    slot: str
    rank: int
    conventions: tuple[str, ...]
    prefix: str
    index: int | None = None
    member: str = ""
    place: tuple[int, str] = (0, "")


def _table() -> Mapping[str, Key]:
    found: dict[str, Key] = {}
    given = [(one.name, one.slots) for one in CONVENTIONS] + [("", slots) for slots in OURS]
    for name, slots in given:
        for slot, keys in slots.items():
            for rank, key in enumerate(keys):
                known = found.get(key)
                whose = (*(known.conventions if known else ()), *((name,) if name else ()))
                found[key] = Key(slot, max(rank, known.rank) if known else rank, whose, key)
    return found


KEYS = _table()
_FLATTENING = {one.name for one in CONVENTIONS if one.flattens}


@lru_cache(maxsize=KEYS_REMEMBERED)
def _find(key: str) -> Key | None:
    folded = key.lower()
    whole = KEYS.get(folded)
    if whole is not None:
        return whole
    parts = folded.split(".")
    for place, part in enumerate(parts[1:], 1):
        prefix = ".".join(parts[:place])
        known = KEYS.get(prefix)
        if known is not None and known.slot in NAMED:
            return Key(known.slot, known.rank, known.conventions, prefix, None, key[len(prefix) + 1 :])
        if (
            known is not None
            and known.slot in LISTS
            and part.isascii()
            and part.isdecimal()
            and len(part) <= MOST_DIGITS
        ):
            whose = tuple(name for name in known.conventions if name in _FLATTENING) or known.conventions
            return Key(
                known.slot, known.rank, whose, prefix, int(part), ".".join(parts[place + 1 :]), (known.rank, prefix)
            )
    return None


def find_key(key: str) -> Key | None:
    """Return what a key says, in any letter case; None where it says nothing that is read."""
    return _find(key) if len(key) <= LONGEST_KEY else None
