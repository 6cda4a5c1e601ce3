"""open-rag-eval: its report, its tables of results and of answers, and the results of its web service."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from showable.converters.fields import NO_LOG, Fields, converted, holds
from showable.converters.open_rag_eval_parts import read_answer, read_passages
from showable.converters.shape import Converted, FieldError, Row

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
        """Give each run of each query of a report (``{"version", "generated_at", "evaluation": [{"runs": […]}]}``)."""
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
        """Tell by which columns the rows of one run are known in a table of answers, which has one passage a row.

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
    """Give the prefix of the first run's columns, or none where columns have no runs."""
    numbers = {int(m[1]) for name in fields.held if isinstance(name, str) and (m := _RUN_COLUMN.fullmatch(name))}
    notes += [FIRST_RUN] if len(numbers) > 1 else []
    return f"run_{min(numbers)}_" if numbers else ""
