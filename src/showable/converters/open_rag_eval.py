"""open-rag-eval: its report, its tables of results and of answers, and the results of its web service."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from showable.converters.fields import FAILED, NO_ANSWER, NO_LOG, Fields, as_text, converted, holds, kind_of
from showable.converters.passages import read_log
from showable.converters.shape import Converted, FieldError, Row
from showable.records.lines import plain_name
from showable.records.record import Source

FIRST_RUN = "the row holds several runs, of which the first was taken: the report (.json) keeps them apart"

_RUN_COLUMN = re.compile(r"run_(\d{1,6})_(generated_answer|retrieved_passages|generation_score_expected_answer)")
_RUN = ("query_id", "query", "query_run")
_PASSAGE_COLUMNS = {"query", "passage_id", "passage", "generated_answer"}


class OpenRagEval:
    """One run of one query: its retrieved passages by id, and its answer as parts with the ids that each cites.

    Scores of every metric are lost. Passage ids are written ``[1]`` there and ``1`` here, which is what a marker names.
    """

    name = "open-rag-eval"
    title = "open-rag-eval"

    def rows(self, document: Any) -> Iterator[tuple[str, Mapping[str, Any]]] | None:
        """Return each run of each query of a report (``{"version", "generated_at", "evaluation": [{"runs": […]}]}``)."""
        items = document.get("evaluation") if isinstance(document, Mapping) else None
        if not isinstance(items, list) or not any(isinstance(item, Mapping) and "runs" in item for item in items):
            return None
        return self._runs(items)

    def _runs(self, items: Iterable[Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
        for i, item in enumerate(items):
            runs = item.get("runs") if isinstance(item, Mapping) else None
            if not isinstance(runs, list) or not runs:
                yield f"evaluation[{i}]", item
                continue
            outer = {name: value for name, value in item.items() if name != "runs"}
            for j, run in enumerate(runs):
                yield f"evaluation[{i}].runs[{j}]", {**outer, "run": j + 1, **run} if isinstance(run, Mapping) else run

    def alike(self, columns: Sequence[str]) -> Sequence[str] | None:
        """Return by which columns the rows of one run are known in a table of answers, which has one passage a row.

        None for another table, of results: its rows are runs.
        """
        return _RUN if "passage_id" in columns else None

    def gather(self, rows: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """Put the rows of one run together: their passages in order, and the answer, which stands in one of them, the first as a rule."""
        item = {name: value for name, value in rows[0].items() if name not in {"passage_id", "passage"}}
        item["passages"] = [{name: row.get(name) for name in ("passage_id", "passage")} for row in rows]
        item["generated_answer"] = next((answer for row in rows if holds(answer := row.get("generated_answer"))), None)
        return item

    def fits(self, fields: Mapping[str, Any]) -> bool:
        """Hold for a query with a generated answer and passages, under these names, or a pair of results of the service."""
        pair = inner if isinstance(inner := fields.get("rag_result"), Mapping) else fields
        if isinstance(pair.get("retrieval_result"), Mapping):
            return isinstance(pair.get("generation_result"), Mapping)
        if "query" not in fields:
            return False
        if "generated_answer" in fields:
            return bool({"retrieved_passages", "passages", "run"} & fields.keys()) or fields.keys() >= _PASSAGE_COLUMNS
        return any(isinstance(name, str) and _RUN_COLUMN.fullmatch(name) for name in fields)

    def convert(self, row: Row) -> Converted:
        """Turn one run into a Record."""
        fields = Fields(row.fields)
        if isinstance(row.fields.get("rag_result"), Mapping):
            return self._record(fields.object("rag_result"), row, fields)
        return self._record(fields, row, fields)

    def _record(self, held: Fields, row: Row, whole: Fields) -> Converted:
        if "passage_id" in held.held and "passages" not in held.held:
            raise FieldError(
                "passage_id",
                "has one passage a row: only the rows of a table (CSV, TSV) are put together to one answer",
            )
        notes: list[str] = []
        asked = held.object("generation_result") if "generation_result" in held.held else held
        found = held.object("retrieval_result") if "retrieval_result" in held.held else held
        run = _first_run(held, notes)
        answer = read_answer(asked, f"{run}generated_answer", notes)
        log = read_passages(found, f"{run}retrieved_passages")
        notes += [NO_LOG] if log is None else []
        gold = held.text(f"{run}generation_score_expected_answer", "expected_answer")
        queries = [one.text("query") for one in (held, asked, found)]  # the service writes it into both results
        query = next(filter(None, queries), None)
        number = held.id("query_run", "run")
        return converted(
            {
                "id": _run_id(held.id("query_id") or row.fallback_id, number),
                "question": asked.need_text("query") if query is None else query,
                "answer": answer,
                "retrieved": log,
                "gold": {"answer": gold} if gold else None,
                "metadata": {} if number is None else {"run": number},
            },
            whole,
            notes,
        )


def _run_id(query_id: str, run: str | None) -> str:
    """Keep the runs of one query apart: the first has the query's own id."""
    return query_id if run in (None, "1") else f"{query_id}#{run}"


def _first_run(fields: Fields, notes: list[str]) -> str:
    """Return the prefix of the first run's columns, or none where columns have no runs."""
    numbers = {int(m[1]) for name in fields.held if isinstance(name, str) and (m := _RUN_COLUMN.fullmatch(name))}
    notes += [FIRST_RUN] if len(numbers) > 1 else []
    return f"run_{min(numbers)}_" if numbers else ""


REBUILT = "the answer was put together again from its cited parts, whose line breaks are not in the payload"

_BRACKETED = re.compile(r"\[([^\[\]]+)\]")
_NO_ANSWER, _API_ERROR = "NO_ANSWER", "API_ERROR"
_CLOSING = (".", ",", ";", ":", "!", "?", ")", "\n")


def read_answer(fields: Fields, name: str, notes: list[str]) -> str | None:
    """Read an answer with its markers; None, and a note why, where there is none."""
    value = fields.take(name)
    if isinstance(value, str):
        value = _parsed(as_text(value, fields.at(name)), list)
    if value in (None, _NO_ANSWER, _API_ERROR, []):
        notes.append(FAILED if value == _API_ERROR else NO_ANSWER)
        return None
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        raise FieldError(fields.at(name), f"expected text or a list of parts, got {kind_of(value)}")
    notes.append(REBUILT)
    said: list[str] = []
    parts: list[Any] = value
    for i, item in enumerate(parts):
        part = fields.item(name, i, item)
        text = part.need_text("text")
        markers = "".join(
            _marker(c, f"{part.at('citations')}[{j}]") for j, c in enumerate(part.list("citations") or ())
        )
        said += ["" if not said or text.startswith(_CLOSING) else " ", text, f" {markers}" if markers else ""]
    return "".join(said)


def _marker(value: Any, path: str) -> str:
    token = str(value) if isinstance(value, int) and not isinstance(value, bool) else as_text(value, path)
    return token if _BRACKETED.fullmatch(token) else f"[{token}]"


def read_passages(fields: Fields, name: str) -> tuple[Source, ...] | None:
    """Read the passages of a run in their order; None where there are none, or rows that stand for an error."""
    if "passages" in fields.held:
        log = read_log(fields, "passages")
        ids = [source.source_id for source in log or ()]
        return None if log is None or ids in (["NA"], ["ERROR"]) else _unbracketed(log)
    value = fields.take(name)
    if isinstance(value, str):
        value = _parsed(as_text(value, fields.at(name)), dict)
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise FieldError(fields.at(name), f"expected an object of passages by id, got {kind_of(value)}")
    at = fields.at(name)
    return _unbracketed(_passage(at, i, key, text) for i, (key, text) in enumerate(value.items(), 1))


def _passage(path: str, position: int, key: Any, text: Any) -> Source:
    source_id = as_text(key, path) or f"passage {position}"
    return Source(source_id=source_id, text=None if text is None else as_text(text, f"{path}.{plain_name(source_id)}"))


def _unbracketed(log: Iterable[Source]) -> tuple[Source, ...]:
    ids = ((source, _BRACKETED.fullmatch(source.source_id)) for source in log)
    return tuple(s.model_copy(update={"source_id": m[1]}) if m else s for s, m in ids)


def _parsed(cell: str, kind: type[list[Any] | dict[str, Any]]) -> Any:
    """Return what a cell holds as JSON where it is of this kind; else the cell's own text."""
    if not cell.lstrip().startswith("[" if kind is list else "{"):
        return cell
    try:
        value = json.loads(cell)
    except (ValueError, RecursionError):
        return cell
    if isinstance(value, list) and not all(isinstance(part, dict) for part in value):
        return cell
    return value if isinstance(value, kind) else cell
