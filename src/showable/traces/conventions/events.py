"""Read what a span's events say: messages, the details of a call, evaluations, and rows that a vector store returned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from showable.records.spans import SpanEvent
from showable.traces.conventions.evaluations import read_evaluation
from showable.traces.conventions.gathering import LATER, Gathered
from showable.traces.conventions.values import Notes, shallow, unpacked
from showable.traces.facts import Evaluation

CHOICE = "gen_ai.choice"
EVALUATION = "gen_ai.evaluation.result"
DETAILS = frozenset({"gen_ai.client.inference.operation.details", "gen_ai.content.prompt", "gen_ai.content.completion"})
"""Events whose attributes are those of a span, kept apart from it."""
ROLES = {f"gen_ai.{role}.message": role for role in ("system", "user", "assistant", "tool")}
ROWS = ("db.query.result", "db.search.result")
NAMES = frozenset({CHOICE, EVALUATION, *DETAILS, *ROLES, *ROWS})
GEN_AI = ("otel_genai", "fi", "openllmetry")
OTEL = ("otel_genai",)
VECTORS = ("openllmetry",)


@dataclass(slots=True)
class Happened:
    """What the events say; None where none of them says it."""

    inputs: list[Any] | None = None
    outputs: list[Any] | None = None
    rows: list[Any] | None = None
    evaluations: list[Evaluation] = field(default_factory=list)


def read_events(events: Sequence[SpanEvent], gathered: Gathered, notes: Notes) -> Happened:
    """Read events in the order of their times; attributes of a call's details go to `gathered`, after the span's own."""
    happened = Happened()
    for event in sorted(events, key=lambda it: it.at_ns):
        name = event.name.lower()
        if name in NAMES and not shallow(dict(event.attributes), f"the event {name}", notes):
            continue
        if name in ROLES:
            gathered.owners[GEN_AI] = None
            happened.inputs = [*(happened.inputs or ()), {"role": ROLES[name], **_said(event, notes)}]
        elif name == CHOICE:
            gathered.owners[GEN_AI] = None
            happened.outputs = [*(happened.outputs or ()), _said(event, notes)]
        elif name in DETAILS:
            gathered.owners[GEN_AI] = None
            gathered.take({**event.attributes, **_body(event, notes)}, LATER)
        elif name == EVALUATION:
            gathered.owners[OTEL] = None
            happened.evaluations.extend(_evaluations(event, notes))
        elif name in ROWS:
            gathered.owners[VECTORS] = None
            happened.rows = [*(happened.rows or ()), _row(event, name, notes)]
    return happened


def _body(event: SpanEvent, notes: Notes) -> Mapping[str, Any]:
    """Return the body of a log record, which stands among the attributes of the event that is made of it."""
    for key in ("body", "gen_ai.event.content", "event.body"):
        held = unpacked(event.attributes.get(key), f"{event.name} {key}", notes, partial_text=True)
        if isinstance(held, dict):
            return {str(name): value for name, value in held.items()}
        if isinstance(held, str):
            return {"content": held}
    return {}


def _said(event: SpanEvent, notes: Notes) -> dict[str, Any]:
    names = ("role", "content", "message", "finish_reason", "tool_calls", "parts")
    beside = {name: event.attributes[name] for name in names if event.attributes.get(name) is not None}
    said = {**beside, **_body(event, notes)}
    if "message" in said:
        said["message"] = unpacked(said["message"], event.name, notes, partial_text=True)
    return said


def _evaluations(event: SpanEvent, notes: Notes) -> Iterator[Evaluation]:
    held = event.attributes
    prefix = "gen_ai.evaluation."
    said = {
        "name": held.get(f"{prefix}name"),
        "score": held.get(f"{prefix}score.value"),
        "label": held.get(f"{prefix}score.label"),
        "explanation": held.get(f"{prefix}explanation"),
        "target_span_id": held.get(f"{prefix}target_span_id"),
        "error": held.get("error.type"),
    }
    read = read_evaluation(said, event.name, notes)
    if read is not None:
        yield read


def _row(event: SpanEvent, name: str, notes: Notes) -> dict[str, Any]:
    held = {key.lower().removeprefix(f"{name}."): value for key, value in event.attributes.items()}
    row = {member: held[member] for member in ("id", "score", "metadata", "document") if held.get(member) is not None}
    if (entity := held.get("entity")) is not None:
        read = unpacked(entity, f"{name} entity", notes)
        row |= {"metadata": read} if isinstance(read, dict) else {}
    return row
