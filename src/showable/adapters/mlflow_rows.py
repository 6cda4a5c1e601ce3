"""The Record of a row of MLflow: inputs, outputs, expectations, and the trace with what its retrievers returned."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pydantic import ValidationError

from showable.adapters.passages import passages
from showable.errors import InputError
from showable.records import Answer, Gold, Record, Source
from showable.records.lines import explain
from showable.records.wire import Wire

W = TypeVar("W", bound=Wire)

_QUESTION = ("question", "query", "input", "user_input", "prompt", "request", "messages", "input_messages")
_ANSWER = ("answer", "response", "output", "content", "text", "messages", "choices", "message")
_PASSAGES = ("retrieved", "retrieved_contexts", "retrieved_context", "contexts", "documents")
_DEEP = 6
"""Levels of an output that an answer is looked for in."""


def as_record(*, inputs: Any, outputs: Any, expectations: Any = None, trace: Any = None) -> Record:
    """Read a row by the names that teams use.

    The question is the inputs, or their ``question``, ``query``, ``input``, ``prompt``, ``messages`` …; the answer the
    outputs, or their ``answer``, ``response``, ``output``, ``content``, ``choices`` …, or claims in the form of
    `Answer`. The passages are ``retrieved``, ``contexts`` or ``documents`` of outputs or inputs, else what the
    trace's RETRIEVER spans returned; where there is neither, nothing was logged. Gold is ``expected_response``, or
    ``gold`` in the form of `Gold`. Raises InputError where there is no question or no answer to be found.
    """
    question = _text(inputs, _QUESTION)
    if question is None:
        raise InputError(f"no question: expected text, or one of {', '.join(_QUESTION)}", field="inputs")
    trace_id = trace.info.trace_id if trace is not None else None
    return Record(
        id=trace_id or question[:200] or "row",
        question=question,
        answer=_answer(outputs),
        retrieved=_retrieved(inputs, outputs, trace),
        gold=_gold(expectations),
        trace_id=trace_id,
    )


def checked(model: type[W], given: Any, field: str) -> W:
    """Read a value in the form of a model. Raises InputError, naming the field that is wrong."""
    try:
        return model.model_validate(given)
    except ValidationError as error:
        inner, said = explain(error)
        raise InputError(said, field=f"{field}.{inner}" if inner else field) from None


def _text(given: Any, names: Sequence[str], depth: int = 0) -> str | None:
    if isinstance(given, str):
        return given
    if isinstance(given, list | tuple) and given and depth < _DEEP:
        return _text(given[-1], names, depth + 1)
    if not isinstance(given, Mapping) or depth >= _DEEP:
        return None
    found = (_text(given[name], (*names, "content", "text"), depth + 1) for name in names if name in given)
    said = next((text for text in found if text is not None), None)
    only = next(iter(given.values())) if len(given) == 1 else None
    return only if said is None and isinstance(only, str) else said


def _answer(outputs: Any) -> Answer | str | None:
    if outputs is None:
        return None
    if isinstance(outputs, Mapping) and "claims" in outputs:
        return checked(Answer, {name: outputs[name] for name in Answer.model_fields if name in outputs}, "outputs")
    said = _text(outputs, _ANSWER)
    if said is None and not (isinstance(outputs, Mapping) and any(outputs.get(one, 0) is None for one in _ANSWER)):
        raise InputError(f"no answer: expected text, or one of {', '.join(_ANSWER)}", field="outputs")
    return said


def _gold(expectations: Any) -> Gold | None:
    if not isinstance(expectations, Mapping):
        return None
    if expectations.get("gold") is not None:
        return checked(Gold, expectations["gold"], "expectations.gold")
    said = expectations.get("expected_response")
    return Gold(answer=said) if isinstance(said, str) and said else None


def _retrieved(inputs: Any, outputs: Any, trace: Any) -> tuple[Source, ...] | None:
    for side, given in (("outputs", outputs), ("inputs", inputs)):
        for name in _PASSAGES:
            if isinstance(given, Mapping) and given.get(name) is not None:
                return passages(given[name], f"{side}.{name}")
    returned = [_returned(span) for span in _retrievers(trace)]
    logged = [one for one in returned if one is not None]
    return passages([one for many in logged for one in many], "trace") if logged else None


def _retrievers(trace: Any) -> list[Any]:
    """Return the spans that retrieve and are not part of one that retrieves, in the order they began."""
    spans = {span.span_id: span for span in trace.data.spans} if trace is not None and trace.data else {}

    def inside(span: Any) -> bool:
        seen: set[str] = set()
        while (span := spans.get(span.parent_id)) is not None and span.span_id not in seen:
            if span.span_type == "RETRIEVER":
                return True
            seen.add(span.span_id)  # a trace may be malformed
        return False

    outer = [span for span in spans.values() if span.span_type == "RETRIEVER" and not inside(span)]
    return sorted(outer, key=lambda span: span.start_time_ns)


def _returned(span: Any) -> list[Any] | None:
    given = span.outputs
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError:
            return [given]
    return given if isinstance(given, list) else None
