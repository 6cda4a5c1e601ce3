"""The calls that TruLens records of an app: what went in, what came out, and what its retriever returned."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from showable.converters.fields import Fields, storable
from showable.converters.passages import looks_like_log, read_log
from showable.converters.shape import FieldError
from showable.records.record import Source

RETRIEVERS = frozenset({"retrieve", "get_relevant_documents", "_get_relevant_documents", "_retrieve", "aretrieve"})
"""Methods by these names retrieve: in the quickstart's own app, in LangChain, in LlamaIndex."""


def unquoted(question: Any, answer: Any) -> tuple[Any, Any]:
    """Undo the JSON in which the database keeps both texts, and older tables show them: in quotation marks.

    Both or neither: one text alone may well stand in quotation marks of its own.
    """
    decoded = [_decoded(value) for value in (question, answer)]
    return (decoded[0][1], decoded[1][1]) if all(done for done, _ in decoded) else (question, answer)


def _decoded(value: Any) -> tuple[bool, Any]:
    if value is None:
        return True, None
    if not isinstance(value, str) or not (value == "null" or (value[:1] == '"' == value[-1:])):
        return False, value
    try:
        inner = json.loads(value)
    except ValueError:
        return False, value
    return inner is None or isinstance(inner, str), inner


def read_main(fields: Fields) -> Mapping[str, Any]:
    """Give the record that a row carries as ``record_json``, an object or its text; else the row itself."""
    held = fields.held.get("record_json")
    if isinstance(held, str):
        try:
            held = json.loads(held)
        except (ValueError, RecursionError):
            return {}
    return held if isinstance(held, Mapping) else fields.held


def find_retrieval(calls: Sequence[Any]) -> tuple[Source, ...] | None:
    """Give what the retrieving method returned; None where none is known, or several returned different things.

    A LangChain retriever is recorded once for each of its layers, with the same passages each time.
    """
    found: list[Any] = []
    for call in calls:
        if not isinstance(call, Mapping) or _method(call) not in RETRIEVERS:
            continue
        passages = _passages(call.get("rets"))
        if not storable(passages):
            return None
        if passages not in found:
            found.append(passages)
    if len(found) != 1 or not looks_like_log(found[0]):
        return None
    try:
        return read_log(Fields({"rets": found[0]}), "rets")
    except FieldError:
        return None


def _method(call: Mapping[str, Any]) -> str:
    stack = call.get("stack")
    top = stack[-1] if isinstance(stack, list) and stack else None
    method = top.get("method") if isinstance(top, Mapping) else None
    name = method.get("name") if isinstance(method, Mapping) else None
    return name if isinstance(name, str) else ""


def _passages(returned: Any) -> Any:
    """Take passages out of what LlamaIndex puts around each: a node and its score."""
    if not isinstance(returned, list):
        return returned
    return [{**one["node"], "score": one.get("score")} if _is_node(one) else one for one in returned]


def _is_node(one: Any) -> bool:
    return isinstance(one, Mapping) and isinstance(one.get("node"), Mapping)
