"""Tell the kind of a span from what it names itself, else from what it carries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from showable.traces.conventions.gathering import Gathered
from showable.traces.conventions.keys import CONVENTIONS
from showable.traces.conventions.values import Notes, named
from showable.traces.facts import Kind

KINDS: Mapping[str, Kind] = {name: kind for one in reversed(CONVENTIONS) for name, kind in one.kinds.items()}
OF_STEPS = "traceloop.span.kind"
"""What a span is within its workflow, which says less than what it does."""
TASK = "task"
"""OpenLLMetry's name for any step: what it carries says more."""


def read_kind(gathered: Gathered, notes: Notes) -> tuple[Kind | None, bool]:
    """Read the kind that the span names, None where it names none, and whether it is no more than some step of a chain.

    Where it names several, one that is not UNKNOWN decides; letter case, hyphens and an enumeration's name in front do not matter.
    """
    said: Kind | None = None
    named_kinds = gathered.of("kind")
    if len(named_kinds) > 1:
        named_kinds = sorted(named_kinds, key=lambda it: it[1] == OF_STEPS)
    for _, key, value in named_kinds:
        if not isinstance(value, str):
            notes.append(("type", f"{key} should be text, and is {named(value)}"))
            continue
        folded = value.strip().lower().replace("-", "_").replace(" ", "_").rpartition(".")[2]
        kind = KINDS.get(folded)
        if kind is None:
            notes.append(("unknown_kind", f"{key} names a kind that is not known"))
        elif kind != "UNKNOWN":
            return kind, folded == TASK
        else:
            said = kind
    return said, False


def supposed_kind(found: Mapping[str, Any]) -> Kind:
    """Suppose the kind of a span that names none, from the facts that it carries."""
    if found.get("reranked") is not None:
        return "RERANKER"
    if found.get("documents") is not None:
        return "RETRIEVER"
    return "LLM" if "outputs" in found else "UNKNOWN"
