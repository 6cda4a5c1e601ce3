"""Langfuse: observations of its API, its tables and its blob exports, and traces with their observations within."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from showable.errors import InputError
from showable.records.spans import Span
from showable.traces.files.documents import document_attributes, documents_of, langchain_documents, searched
from showable.traces.files.flattened import flatten, json_text, plain
from showable.traces.files.json_items import parse_json
from showable.traces.files.times import span_times
from showable.traces.otlp.decoded import Words
from showable.traces.otlp.refused import Refused

KINDS = {
    "SPAN": "CHAIN", "GENERATION": "LLM", "EVENT": "UNKNOWN", "AGENT": "AGENT", "TOOL": "TOOL", "CHAIN": "CHAIN",
    "RETRIEVER": "RETRIEVER", "EVALUATOR": "EVALUATOR", "EMBEDDING": "EMBEDDING", "GUARDRAIL": "GUARDRAIL",
}  # fmt: skip
"""OpenInference's kind of each type of observation."""
_TOKENS = (
    ("llm.token_count.prompt", ("input", "promptTokens", "prompt_tokens")),
    ("llm.token_count.completion", ("output", "completionTokens", "completion_tokens")),
    ("llm.token_count.total", ("total", "totalTokens", "total_tokens")),
)


def is_observation(row: Mapping[str, Any]) -> bool:
    """Tell an observation by its type, its own id and its trace's."""
    return "id" in row and get(row, "traceId") is not None and str(row.get("type")).upper() in KINDS


def is_trace(row: Mapping[str, Any]) -> bool:
    """Tell a trace that holds its observations, as the API gives it or as its page is downloaded."""
    return isinstance(row.get("observations"), list) and ("id" in row or isinstance(row.get("trace"), Mapping))


def get(row: Mapping[str, Any], name: str) -> Any:
    """Return a field by its name in the API (camelCase), or by that of the blob export (snake_case)."""
    if name in row:
        return row[name]
    return row.get("".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name))


def trace_spans(row: Mapping[str, Any]) -> Iterator[Span]:
    """Yield the spans of a trace. Its own input and output become a root's, where no single observation stands for the trace.

    Raises InputError naming the field that is not as expected.
    """
    held = row["trace"] if isinstance(row.get("trace"), Mapping) else row
    trace_id = _id(held, "id")
    own = [get(held, "input"), get(held, "output")]
    observations = []
    for i, one in enumerate(row["observations"]):
        if isinstance(one, str):
            said = "holds the ids of its observations alone: export each trace by its id, or the observations"
            raise InputError(said, field="observations")
        if not isinstance(one, Mapping):
            raise InputError("expected an object", field=f"observations[{i}]")
        observations.append({"traceId": trace_id, **one})
    roots = [one for one in observations if not get(one, "parentObservationId")]
    shared = {name: get(held, name) for name in ("sessionId", "userId", "tags", "environment")}
    alone = len(roots) == 1 and [get(roots[0], "input"), get(roots[0], "output")] == own
    made = None if alone or own == [None, None] else f"trace-{trace_id}"
    if made is not None:
        yield _own_span(held, trace_id, made, observations)
    for one in observations:
        span = {**{name: value for name, value in shared.items() if value is not None}, **one}
        yield observation_span(span, parent=None if get(one, "parentObservationId") else made)


def _own_span(held: Mapping[str, Any], trace_id: str, span_id: str, observations: list[dict[str, Any]]) -> Span:
    ends = [str(end) for one in observations if (end := get(one, "endTime"))]
    row = {
        **held,
        "id": span_id,
        "traceId": trace_id,
        "type": "CHAIN",
        "startTime": get(held, "timestamp"),
        "level": None,
    }
    return observation_span({**row, "endTime": max(ends, default=None)})


def observation_span(row: Mapping[str, Any], parent: str | None = None) -> Span:
    """Return an observation as a span with OpenInference's attributes. `parent` stands in where it has none.

    Raises InputError naming the field that is missing or is no text.
    """
    problems = Words()
    metadata = _loose(get(row, "metadata"))
    attributes, resource, scope = _otel(metadata, problems)
    service = resource.get("service.name")
    if (environment := get(row, "environment")) is not None:
        resource.setdefault("deployment.environment.name", str(environment))
    attributes = _attributes(row, metadata, problems) | attributes
    end = get(row, "endTime")
    kind = str(row.get("type")).upper()
    start, end = span_times(
        get(row, "startTime"), get(row, "startTime") if kind == "EVENT" and not end else end, problems
    )
    failed = str(row.get("level") or "").upper() == "ERROR"
    return Span(
        _id(row, "traceId"), _id(row, "id"), _parent(row) or parent, str(row.get("name") or ""), start, end,
        str(service or ""), attributes, status="error" if failed else "unset",
        status_message=str(get(row, "statusMessage") or ""), scope=scope, resource=resource, problems=problems.told(),
    )  # fmt: skip


def _id(row: Mapping[str, Any], name: str) -> str:
    held = get(row, name)
    if not isinstance(held, str) or not held:
        raise InputError("expected an id as text", field=name)
    return held


def _parent(row: Mapping[str, Any]) -> str | None:
    held = get(row, "parentObservationId")
    return held if isinstance(held, str) and held else None


def _loose(value: Any) -> Any:
    """Return what a text that is JSON holds: exports write input, output and metadata so."""
    if not isinstance(value, str) or value.lstrip()[:1] not in {"{", "[", '"'}:
        return value
    try:
        return parse_json(value.encode("utf-8", "replace"))
    except Refused:
        return value


def _otel(metadata: Any, problems: list[str]) -> tuple[dict[str, Any], dict[str, Any], str]:
    """Return what Langfuse keeps of a span that came by OTLP: its attributes, its resource's, and its scope's name."""
    if not isinstance(metadata, Mapping):
        return {}, {}, ""
    held = [_loose(metadata.get(name)) for name in ("attributes", "resourceAttributes", "scope")]
    attributes, resource, scope = (one if isinstance(one, Mapping) else {} for one in held)
    return flatten("", attributes, problems), flatten("", resource, problems), str(scope.get("name") or "")


def _attributes(row: Mapping[str, Any], metadata: Any, problems: list[str]) -> dict[str, Any]:
    kind = KINDS.get(str(row.get("type")).upper(), "UNKNOWN")
    given, taken = _loose(get(row, "output")), _loose(get(row, "input"))
    if kind == "CHAIN" and langchain_documents(given):
        kind = "RETRIEVER"
        problems.append("read as a retriever by its output, which is documents of LangChain")
    elif kind in {"CHAIN", "TOOL"} and searched(str(row.get("name") or ""), given):
        kind = "RETRIEVER"
        problems.append("read as a retriever by its name and its output, which is documents")
    held: dict[str, Any] = {"openinference.span.kind": kind}
    held |= _value("input", taken, problems) | _value("output", given, problems)
    if kind == "LLM":
        held |= message_attributes("input", taken, problems) | message_attributes("output", given, problems)
    elif kind == "RETRIEVER" and given is not None:
        documents = documents_of(given)
        if documents is None:
            problems.append("its output holds no list of documents")
        held |= document_attributes(documents or [], problems)
    if isinstance(metadata, Mapping) and (rest := {k: v for k, v in metadata.items() if k not in _OTEL}):
        held["metadata"] = json_text(rest, "metadata", problems)
    return held | _model(row, problems) | _who(row, problems)


_OTEL = frozenset({"attributes", "resourceAttributes", "scope"})


def _value(side: str, value: Any, problems: list[str]) -> dict[str, Any]:
    if value is None:
        return {}
    mime = "text/plain" if isinstance(value, str) else "application/json"
    return {f"{side}.value": json_text(value, f"{side}.value", problems), f"{side}.mime_type": mime}


def _model(row: Mapping[str, Any], problems: list[str]) -> dict[str, Any]:
    held: dict[str, Any] = {}
    if model := get(row, "model") or get(row, "providedModelName"):
        held["llm.model_name"] = plain(model, "model", problems)
    if parameters := _loose(get(row, "modelParameters")):
        held["llm.invocation_parameters"] = json_text(parameters, "modelParameters", problems)
    usage = [one for name in ("usageDetails", "usage") if isinstance(one := _loose(get(row, name)), Mapping)]
    for key, names in _TOKENS:
        count = next((one[name] for one in usage for name in names if isinstance(one.get(name), (int, float))), None)
        if count is not None:
            held[key] = int(count)
    costs = _loose(get(row, "costDetails"))
    cost = costs.get("total") if isinstance(costs, Mapping) else None
    for known in (cost, get(row, "totalCost"), get(row, "calculatedTotalCost")):
        if isinstance(known, (int, float)) and not isinstance(known, bool):
            held.setdefault("llm.cost.total", known)
    for key, name in (("llm.prompt_template.version", "promptVersion"), ("prompt.id", "promptName")):
        if (known := get(row, name)) is not None:
            held[key] = str(known)
    return held


def _who(row: Mapping[str, Any], problems: list[str]) -> dict[str, Any]:
    named = {"session.id": get(row, "sessionId"), "user.id": get(row, "userId"), "tag.tags": _loose(get(row, "tags"))}
    return flatten("", {name: value for name, value in named.items() if value}, problems)


# Messages of a model call as clients write them into a span's input and output, in OpenInference's names.


def message_attributes(side: str, value: Any, problems: list[str]) -> dict[str, Any]:
    """Lay messages out as ``llm.{side}_messages.{i}.message.…``. `side` is input or output.

    A list of messages, an object that holds it (``messages``, ``choices``), one message, or, as output, a bare text.
    Another shape gives nothing: it is kept as the span's value.
    """
    held: dict[str, Any] = {}
    for i, message in enumerate(_messages(side, value)):
        at = f"llm.{side}_messages.{i}.message"
        role = message.get("role") or message.get("type")
        held[f"{at}.role"] = str(role) if role else "assistant" if side == "output" else "user"
        content = _content(message.get("content"), problems)
        if content is not None:
            held[f"{at}.content"] = plain(content, at, problems)
        held |= _tool_calls(f"{at}.tool_calls", message.get("tool_calls"), problems)
    return held


def _messages(side: str, value: Any) -> list[Mapping[str, Any]]:
    if isinstance(value, Mapping):
        for name in ("messages", "choices"):
            if isinstance(value.get(name), list):
                return _messages(side, value[name])
        value = [value]
    if isinstance(value, str):
        return [{"role": "assistant", "content": value}] if side == "output" and value else []
    if not isinstance(value, list):
        return []
    flat = [_unwrapped(one) for one in value]
    return [one for one in flat if one is not None] if all(one is not None for one in flat) else []


def _unwrapped(one: Any) -> Mapping[str, Any] | None:
    if not isinstance(one, Mapping):
        return None
    inner = one.get("message")
    held = inner if isinstance(inner, Mapping) else one
    return held if "content" in held or "tool_calls" in held else None


def _content(raw: Any, problems: list[str]) -> str | None:
    if raw is None or isinstance(raw, str):
        return raw
    if not isinstance(raw, list):
        return json_text(raw, "content", problems)
    parts = [one if isinstance(one, str) else one.get("text") if isinstance(one, Mapping) else None for one in raw]
    texts = [part for part in parts if isinstance(part, str)]
    if len(texts) != len(parts):
        problems.append(f"{len(parts) - len(texts)} parts of a message are no text: left out")
    return "\n".join(texts)


def _tool_calls(at: str, raw: Any, problems: list[str]) -> dict[str, Any]:
    held: dict[str, Any] = {}
    for i, call in enumerate(raw if isinstance(raw, list) else []):
        function = call.get("function", call) if isinstance(call, Mapping) else None
        if not isinstance(function, Mapping):
            problems.append("a tool call is not an object: left out")
            continue
        name, arguments = function.get("name"), function.get("arguments", function.get("args"))
        held[f"{at}.{i}.tool_call.function.name"] = str(name or "")
        if arguments is not None:
            held[f"{at}.{i}.tool_call.function.arguments"] = json_text(arguments, "arguments", problems)
    return held
