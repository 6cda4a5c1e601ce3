"""TruLens: rows of a golden set, and the records that it writes of an app's calls."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from showable.converters.fields import FAILED, NO_ANSWER, NO_LOG, Fields, as_text, converted, kind_of, storable
from showable.converters.gold import evidence_among
from showable.converters.passages import ID_NAMES, TEXT_NAMES, looks_like_log, read_log
from showable.converters.shape import Converted, FieldError, Row
from showable.records.record import GoldEvidence, Source

GOLDEN = "a golden row holds no answer of a system"
FROM_CALLS = "the retrieval log is what the app's one retrieving method returned (record_json.calls)"
IN_CALLS = "passages may stand in the calls of record_json: no one method is known to have retrieved them"

_MARKS = {"app_id", "app_name", "app_json", "record_json", "cost_json", "perf_json"}
_KEPT = (
    "app_name",
    "app_version",
    "app_id",
    "tags",
    "type",
    "ts",
    "latency",
    "total_tokens",
    "total_cost",
    "cost_currency",
)


class TruLens:
    """Golden rows (``query, expected_response, expected_chunks``) and records (``record_id, input, output, record_json``).

    The results of feedback functions are other judges' opinions, and are lost.
    """

    name = "trulens"
    title = "TruLens"

    def rows(self, document: Any) -> Iterator[tuple[str, Mapping[str, Any]]] | None:  # noqa: ARG002 - its files are tables
        """Return None: TruLens wraps nothing around its rows."""
        return None

    def fits(self, fields: Mapping[str, Any]) -> bool:
        """Hold for a query with what is expected of it, or for a record by its id beside what went in and came out."""
        if "query" in fields and {"expected_response", "expected_chunks"} & fields.keys():
            return True
        if "record_id" not in fields or not _MARKS & fields.keys():
            return False
        return {"input", "output"} <= fields.keys() or "main_input" in fields

    def convert(self, row: Row) -> Converted:
        """Turn a row into a Record."""
        return _recorded(row) if "record_id" in row.fields else _golden(row)


def _golden(row: Row) -> Converted:
    fields = Fields(row.fields)
    answer = fields.text("response", "output")
    log = read_log(fields, "retrieved_contexts")
    notes = [GOLDEN] if answer is None else []
    notes += [NO_LOG] if log is None else []
    expected = fields.text("expected_response")
    evidence, said = find_evidence(fields, "expected_chunks", log)
    meta = fields.take("meta")
    metadata = dict(meta) if isinstance(meta, Mapping) and storable(meta) else {}
    own = fields.id("query_id") or fields.id("ground_truth_id") or row.fallback_id
    return converted(
        {
            "id": own,
            "question": fields.need_text("query"),
            "answer": answer,
            "retrieved": log,
            "gold": {"answer": expected or None, "evidence": evidence} if expected or evidence else None,
            "metadata": {**metadata, **fields.kept("ground_truth_id", "dataset_id", "dataset_name")},
        },
        fields,
        [*notes, *said],
        lost=["meta"] if meta and not metadata else [],
    )


def _recorded(row: Row) -> Converted:
    fields = Fields(row.fields)
    question, answer = fields.take("input"), fields.take("output")
    asked, said = ("input", "output") if question is not None else ("main_input", "main_output")
    if question is None:
        question, answer = fields.take("main_input"), fields.take("main_output")
    question, answer = unquoted(question, answer)
    inside = read_main(fields)
    failed = fields.take("main_error") or inside.get("main_error")
    if question is None:
        raise FieldError(asked, "this field is missing")
    log, notes = _retrieved(fields, inside)
    if answer is None:
        notes.append(FAILED if failed else NO_ANSWER)
    return converted(
        {
            "id": fields.id("record_id") or row.fallback_id,
            "question": as_text(question, asked),
            "answer": None if answer is None else as_text(answer, said),
            "retrieved": log,
            "metadata": fields.kept(*_KEPT),
        },
        fields,
        notes,
    )


def _retrieved(fields: Fields, inside: Mapping[str, Any]) -> tuple[tuple[Source, ...] | None, list[str]]:
    """Read the log that a row carries, else the one that the app's retrieving method returned."""
    if (log := read_log(fields, "retrieved_contexts")) is not None:
        return log, []
    calls = inside.get("calls")
    if not isinstance(calls, list) or not calls:
        return None, [NO_LOG]
    found = find_retrieval(calls)
    return (None, [NO_LOG, IN_CALLS]) if found is None else (found, [FROM_CALLS])


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
    """Return the record that a row carries as ``record_json``, an object or its text; else the row itself."""
    held = fields.held.get("record_json")
    if isinstance(held, str):
        try:
            held = json.loads(held)
        except (ValueError, RecursionError):
            return {}
    return held if isinstance(held, Mapping) else fields.held


def find_retrieval(calls: Sequence[Any]) -> tuple[Source, ...] | None:
    """Return what the retrieving method returned; None where none is known, or several returned different things.

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


NAMELESS = "expected passages could not be carried: one without an id is found word for word in no retrieved one"


def find_evidence(
    fields: Fields, name: str, log: Sequence[Source] | None
) -> tuple[tuple[GoldEvidence, ...], tuple[str, ...]]:
    """Return the expected passages as gold evidence: by their ids, else by their words in the log; all of them, or none and a note.

    A passage whose expected score is 0 is there as one that should not be found, and is no evidence.
    """
    value = fields.held.get(name)
    if isinstance(value, str):
        value = [value]
    if value is None or value == []:
        return (), ()
    if not isinstance(value, list | tuple):
        raise FieldError(fields.at(name), f"expected a list, got {kind_of(value)}")
    chunks = [_named(chunk, f"{fields.at(name)}[{i}]") for i, chunk in enumerate(value)]
    named = [own for own, _ in chunks if own is not None]
    texts = [text for own, text in chunks if own is None and text is not None]
    found, all_found = evidence_among(texts, log)
    if not all_found:
        return (), (NAMELESS,)
    fields.take(name)
    ids = dict.fromkeys([*named, *(one.source_id for one in found)])
    return tuple(GoldEvidence(source_id=one) for one in ids), ()


def _named(chunk: Any, path: str) -> tuple[str | None, str | None]:
    """Return a passage's id and text; neither for one that is no evidence."""
    if isinstance(chunk, str):
        return None, as_text(chunk, path)
    if not isinstance(chunk, Mapping):
        raise FieldError(path, f"expected text or an object, got {kind_of(chunk)}")
    scores = [chunk[key] for key in ("expected_score", "expect_score") if key in chunk]
    if scores and not isinstance(scores[0], bool) and scores[0] in (0, "0"):
        return None, None
    fields = Fields(chunk, path)
    return fields.id(*ID_NAMES), fields.text(*TEXT_NAMES)
