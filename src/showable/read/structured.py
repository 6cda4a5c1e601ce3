"""Answers that arrive as JSON: the Answer noun itself, or a model's tool call that carries it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from showable.read.own_schema import differences
from showable.read.reading import Form, Problem
from showable.read.tool_calls import Call, tool_calls
from showable.records import Answer, Citation, Claim
from showable.records.lines import explain, plain_name
from showable.records.profile import OwnSchema
from showable.records.regex import regex
from showable.records.wire import Wire

TRUNCATED = "structural.truncated_json"
SCHEMA = "structural.schema"

Parsed = tuple[Form, Answer | None, list[Problem]]

_THOUGHT = regex(r"\s*<(?:think|thinking|reasoning)>", re.IGNORECASE)
_THOUGHT_END = regex(r"</(?:think|thinking|reasoning)>", re.IGNORECASE)
_FENCE = regex(r"\s*```[ \t]*(?:json[c5]?|JSON)?[ \t]*\r?\n?")
# "Here is the answer:", above a block of JSON: words that announce and say nothing else.
_NOUN = r"(?:(?:final|full|complete|short|structured|formatted|requested|cited|json) ){0,2}(?:answer|response|result|output|reply|object|json)"
_HOW = r"(?: (?:to (?:the|your) question|as (?:a )?(?:valid )?json(?: object)?|in (?:the )?(?:\w+ )?(?:json|format|schema)(?: format| schema)?|you (?:asked for|requested)|as requested|below))*"
_ANNOUNCED = regex(
    r"[*_#\s]*(?:(?:sure|certainly|of course|okay|ok|absolutely)[,.!:]? +)?(?:(?:based on|according to|from) (?:the|these|your) [a-z ]{1,40}, +)?"
    rf"(?:here(?:['’]s| is)? (?:it is|you (?:go|are)|(?:the|my|your|an?) {_NOUN}{_HOW})|(?:the |my )?{_NOUN}{_HOW}(?: is| as follows| follows| is as follows)?)"
    r"[*_ \t]*[:.]?[*_ \t]*\r?\n\s*```[ \t]*json[c5]?[ \t]*\r?\n\s*(?=\{\s*\"(?:claims|refusal|text)\"\s*:)",
    re.IGNORECASE,
)
_FENCE_END = regex(r"\s*(?:```)?\s*")
_STARTS = regex(r"\s*(?:\{\s*(?:[\"'}]|$)|\[\s*\{|\"\{)")
_SPACE = regex(r"\s*")
_STRINGS = regex(r"\"(?:[^\"\\]|\\.)*+(\"|\\?\Z)", re.DOTALL)
_HALF = regex(r"[\ud800-\udfff]")
_HALF_WRITTEN = regex(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")
_ANSWER_KEYS = frozenset(Answer.model_fields)


class _NotJsonError(ValueError):
    """JSON that Python's reader would accept and that means nothing definite: a repeated key, NaN, half a character."""


def answer_start(text: str) -> int:
    """Return the offset at which the answer begins, after any ``<think>…</think>`` that comes before it."""
    at = 0
    while (thought := _THOUGHT.match(text, at)) is not None:
        close = _THOUGHT_END.search(text, thought.end())
        if close is None:
            return at
        at = close.end()
    return at


def open_thought(text: str) -> tuple[int, int] | None:
    """Return the place of a ``<think>`` before the answer that is never closed: nothing says where the answer begins."""
    at = answer_start(text)
    return (at, len(text)) if _THOUGHT.match(text, at) else None


def parse_structured(text: str, own: OwnSchema | None = None) -> Parsed | None:
    """Read an answer that is JSON, or None where the text is no JSON and is to be read as prose.

    Read are the Answer noun, an OpenAI message or list with `tool_calls`, a single function call, and a
    call's arguments; bare, in a code fence, or after ``<think>…</think>``; and the Answer noun in a ``json``
    fence that a line announces ("Here is the answer:"). JSON amid other prose is prose.
    JSON that is cut off, breaks the schema, or offers more than one answer gives no Answer and a Problem
    that names the field, whose `where` is the JSON's place in `text`. With a schema of the team's `own`, what differs from
    that is a Problem beside the Answer, and fields that only their schema knows are passed over.
    """
    start, fenced = _json_start(text)
    if start is None:
        return None
    try:
        value, end = _decode(text, start)
    except ValueError as error:
        return _undecoded(text, start, error)
    rest = _FENCE_END.match(text, end) if fenced else _SPACE.match(text, end)
    after = rest.end() if rest else end
    if after < len(text):
        if not _STARTS.match(text, after):
            return None
        return _failed(
            "json", SCHEMA, "more than one JSON value, and no way to tell which is the answer", (start, len(text))
        )
    if isinstance(value, str):
        inner = parse_structured(value, own)
        return _moved(inner, (start, end)) if inner else None
    return _read_value(value, (start, end), own)


def _json_start(text: str) -> tuple[int | None, bool]:
    at = answer_start(text)
    if announced := _ANNOUNCED.match(text, at):
        return announced.end(), True
    fence = _FENCE.match(text, at)
    at = fence.end() if fence else at
    if not _STARTS.match(text, at):
        return None, False
    space = _SPACE.match(text, at)
    return (space.end() if space else at), fence is not None


def _decode(text: str, start: int) -> tuple[Any, int]:
    try:
        value, end = _DECODER.raw_decode(text, start)
        half = _HALF.search(json.dumps(value, ensure_ascii=False)) if _HALF_WRITTEN.search(text, start, end) else None
    except RecursionError:
        raise _NotJsonError("nested too deeply") from None
    if half is not None:
        raise _NotJsonError(f"\\u{ord(half[0]):x} is half a character, which no text can hold")
    return value, end


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name, count in Counter(names).items() if count > 1)
        raise _NotJsonError(f"{plain_name(twice)}: the field stands twice")
    return found


def _constant(name: str) -> Any:
    raise _NotJsonError(f"{name} is not a JSON number")


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant)


def _undecoded(text: str, start: int, error: ValueError) -> Parsed:
    where = (start, len(text))
    if isinstance(error, _NotJsonError):
        return _failed("json", SCHEMA, str(error), where)
    if _is_cut_off(text, start):
        return _failed("json", TRUNCATED, "the JSON ends before it is complete", where)
    if isinstance(error, json.JSONDecodeError):
        said = f"not JSON: {error.msg} at character {error.pos + 1}"
        return _failed("json", SCHEMA, said, (min(error.pos, len(text)), len(text)))
    return _failed("json", SCHEMA, f"not JSON: {str(error).splitlines()[0]}", where)


def _is_cut_off(text: str, start: int) -> bool:
    """Check whether a string, object or list is still open at the end."""
    outside = _STRINGS.sub(_unless_open, text[start:].rstrip().removesuffix("```"))
    return '"' in outside or outside.count("{") > outside.count("}") or outside.count("[") > outside.count("]")


def _unless_open(string: re.Match[str]) -> str:
    return "" if string[1] == '"' else '"'


def _failed(form: Form, code: str, reason: str, where: tuple[int, int]) -> Parsed:
    return form, None, [Problem(code, reason, where)]


def _moved(parsed: Parsed, where: tuple[int, int]) -> Parsed:
    form, answer, problems = parsed
    return form, answer, [Problem(p.code, p.reason, where, p.claim, p.citation) for p in problems]


def _read_value(value: Any, where: tuple[int, int], own: OwnSchema | None) -> Parsed:
    calls = tool_calls(value)
    if calls is not None:
        return _choose(calls, where, own)
    if isinstance(value, list):
        return _failed("json", SCHEMA, f"expected one object, got a list of {len(value)}", where)
    return _validated("json", value, where, own=own)


def _validated(
    form: Form,
    value: Any,
    where: tuple[int, int],
    *,
    at: str = "",
    own: OwnSchema | None = None,
    name: str | None = None,
) -> Parsed:
    problems = [] if own is None else [Problem(SCHEMA, said, where) for said in _different(own, form, value, name)]
    try:
        answer = Answer.model_validate(value if own is None else _known(value, Answer))
    except ValidationError as error:
        field, said = explain(error)
        return form, None, problems or _failed(form, SCHEMA, _joined(at, field, said), where)[2]
    return form, answer, problems


def _joined(*parts: str) -> str:
    return ": ".join(part for part in parts if part)


def _different(own: OwnSchema, form: Form, value: Any, name: str | None) -> Iterator[str]:
    """Yield what is otherwise than a team's schema has it: the function first, then its arguments."""
    if form == "tool_call" and own.function is not None and name != own.function:
        yield f"function: expected {own.function!r}, got {name!r}"
    yield from differences(own, value)


_INSIDE: dict[str, type[Wire]] = {"claims": Claim, "citations": Citation}


def _known(value: Any, model: type[Wire]) -> Any:
    """Return an answer's JSON without the fields that only a team's schema knows."""
    if not isinstance(value, dict):
        return value
    kept = {key: held for key, held in value.items() if key in model.model_fields}
    for key in _INSIDE.keys() & kept.keys():
        if isinstance(kept[key], list):
            kept[key] = [_known(item, _INSIDE[key]) for item in kept[key]]
    return kept


def _choose(calls: list[Call], where: tuple[int, int], own: OwnSchema | None) -> Parsed:
    """Take the one call whose arguments are an Answer: none, or several, is a problem and never a guess."""
    if own is not None and sum(call.name == own.function for call in calls) == 1:
        calls = [call for call in calls if call.name == own.function]
    read = [_read_arguments(call, where, own) for call in calls]
    good = [parsed for parsed in read if parsed[1] is not None]
    if len(good) == 1:
        return good[0]
    if len(good) > 1:
        return _failed(
            "tool_call", SCHEMA, f"{len(good)} tool calls carry an answer, and no way to tell which is meant", where
        )
    if len(read) == 1:
        return read[0]
    said = "; ".join(problem.reason for _, _, problems in read[:3] for problem in problems)
    return _failed(
        "tool_call",
        SCHEMA,
        f"no tool call carries an answer ({said})" if said else "no tool call carries an answer",
        where,
    )


def _read_arguments(call: Call, where: tuple[int, int], own: OwnSchema | None) -> Parsed:
    at, value = call.at, call.arguments
    if isinstance(arguments := call.arguments, str):
        try:
            value, end = _decode(arguments, len(arguments) - len(arguments.lstrip()))
        except ValueError as error:
            problem = _undecoded(arguments, 0, error)[2][0]
            return _failed("tool_call", problem.code, f"{at}: {problem.reason}", where)
        if arguments[end:].strip():
            return _failed("tool_call", SCHEMA, f"{at}: more than one JSON value", where)
    if not isinstance(value, dict) or not _ANSWER_KEYS & value.keys():
        missing = Problem(SCHEMA, f"{at}: claims: this field is missing", where)
        told = () if own is None else _different(own, "tool_call", value, call.name)
        return "tool_call", None, [*(Problem(SCHEMA, said, where) for said in told), missing]
    return _validated("tool_call", value, where, at=at, own=own, name=call.name)


def answer_schema(reference: dict[str, Any] | None = None, kinds: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the JSON Schema of an answer, for a model to be made to answer in (structured output, strict).

    `reference` is the schema of a field's own form of citation, `kinds` the kinds of claim to choose from.

    Every property is required and no other is allowed; what may be left out is a union with null. What a
    model returns under it parses as an Answer. Offsets are not asked of a model: they are read from the text.
    """
    citation = _object(
        "One source that the claim rests on.",
        source_id=_string("The id of the source, exactly as it was given.", optional=True),
        quoted_span=_string("The words of the source that say so, verbatim.", optional=True),
        page={"type": ["string", "null"], "description": "The page, where the source has pages."},
        url=_string("The URL, where the source has no id.", optional=True),
        **({"reference": reference} if reference else {}),
    )
    kind = _string("What sort of claim it is: holding, dosage, quotation.", optional=True)
    if kinds:
        kind = {"type": ["string", "null"], "enum": [*kinds, None], "description": "What sort of claim it is."}
    claim = _object(
        "One asserted fact.",
        text=_string("The fact as a sentence that can be read alone, without markers."),
        citations={"type": "array", "description": "Every source that supports the claim.", "items": citation},
        kind=kind,
    )
    return _object(
        "An answer as claims with citations, or a refusal.",
        claims={"type": "array", "description": "Every fact that the answer asserts.", "items": claim},
        refusal={
            "type": "string",
            "enum": ["none", "ambiguous", "out_of_scope", "no_evidence"],
            "description": "Why the question is not answered, or none.",
        },
        text=_string("The whole answer as it is to be shown.", optional=True),
    )


def function_schema(answer: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an answer as a tool that a model can be made to call (OpenAI function calling, strict)."""
    description = "Give the answer as claims, each with the sources that support it, or say why it cannot be given."
    function = {"name": "answer", "description": description, "strict": True, "parameters": answer}
    return {"type": "function", "function": function}


def _object(description: str, **properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "description": description,
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _string(description: str, *, optional: bool = False) -> dict[str, Any]:
    return {"type": ["string", "null"] if optional else "string", "description": description}
