"""Read scores that somebody hung on a span."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from showable.traces.conventions.values import Notes, named, number, text, word
from showable.traces.facts import Evaluation


def read_evaluations(items: Sequence[Any], key: str, notes: Notes) -> tuple[Evaluation, ...]:
    """Read evaluations from mappings, flattened or not: ``evaluation.name`` or ``name``."""
    read = []
    for item in items:
        if not isinstance(item, dict):
            notes.append(("type", f"an evaluation of {key} should be a JSON object, and is {named(item)}"))
            continue
        inner = next((item[name] for name in ("evaluation", "annotation") if isinstance(item.get(name), dict)), item)
        said = {str(name).partition(".")[2] or str(name): value for name, value in inner.items()}
        evaluation = read_evaluation(said, key, notes)
        if evaluation is not None:
            read.append(evaluation)
    return tuple(read)


def read_evaluation(said: Mapping[str, Any], key: str, notes: Notes) -> Evaluation | None:
    """Read one evaluation from its members; one without a name is nobody's, and is said."""
    name = word(said.get("name"), f"{key} name", notes)
    if name is None:
        notes.append(("unnamed_evaluation", f"{key} has an evaluation without a name"))
        return None
    return Evaluation(
        name=name,
        score=number(said.get("score"), f"{key} score", notes),
        label=text(said.get("label"), f"{key} label", notes),
        explanation=text(said.get("explanation"), f"{key} explanation", notes),
        target_span_id=word(said.get("target_span_id"), f"{key} target_span_id", notes),
        error=text(said.get("error"), f"{key} error", notes),
    )
