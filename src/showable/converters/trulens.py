"""TruLens: rows of a golden set, and the records that it writes of an app's calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from showable.converters.fields import FAILED, NO_ANSWER, NO_LOG, Fields, as_text, converted, storable
from showable.converters.passages import read_log
from showable.converters.shape import Converted, FieldError, Row
from showable.converters.trulens_calls import find_retrieval, read_main, unquoted
from showable.converters.trulens_golden import find_evidence
from showable.records.record import Source

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
        """Give None: TruLens wraps nothing around its rows."""
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
