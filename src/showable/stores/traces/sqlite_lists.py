"""What the dashboard asks of SQLite: lists, counts, values, and the join of cited against retrieved ids."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

from showable.stores.traces.errors import StoreError
from showable.stores.traces.span_rows import clean
from showable.stores.traces.sqlite_file import SqliteFile
from showable.stores.traces.store import AnswerRow, By, Count, Dimension, RouteCount, Where
from showable.stores.traces.where_sql import (
    LIST_COLUMNS,
    conditions,
    dimension_columns,
    group_column,
    route_counts,
    stretch,
)

_FOUND = "instr(folded(question || char(10) || answer), folded(?)) > 0"
MOST_VALUES = 200


def _asked(where: Where) -> tuple[str, list[object], str]:
    """Return the conditions, their values, and the table to ask: with the texts where they are searched in."""
    said, values = conditions(where, text=_FOUND)
    return said, values, "answers JOIN answer_texts USING (row)" if where.text else "answers"


def answers(file: SqliteFile, where: Where, limit: int, after: str | None) -> list[AnswerRow]:
    """Return answers in brief, latest first."""
    said, values, _ = _asked(where)
    if after is not None:
        row = file.first("SELECT started_ns FROM answers WHERE id=?", (clean(after),))
        if row is None:
            raise StoreError("the answer that the list went on from is not held any more; begin the list again")
        said += " AND (started_ns, id) < (?, ?)"
        values += [row[0], clean(after)]
    rows = file.rows(
        f"SELECT {LIST_COLUMNS} FROM answers JOIN answer_texts USING (row) WHERE {said}"  # noqa: S608 - our own names; values are bound
        " ORDER BY started_ns DESC, id DESC LIMIT ?",
        (*values, limit),
    )
    return [AnswerRow(*(*row[:-2], bool(row[-2]), row[-1])) for row in rows]


def counts(
    file: SqliteFile, where: Where, dimensions: Collection[Dimension], by: By | None, step_ns: int | None
) -> list[Count]:
    """Count answers by time, group and value, in one statement: the rows are read once, and counted out of a small table of sums."""
    wanted, group, step = dimension_columns(dimensions), group_column(by), stretch(step_ns)
    if not wanted:
        return []
    said, values, table = _asked(where)
    at = "0" if step is None else f"started_ns - started_ns % {step}"
    sums = (
        f"SELECT {at} AS at, {group} AS part, {', '.join(wanted)}, COUNT(*) AS n, SUM(chosen AND judged) AS m,"  # noqa: S608 - our own names; values are bound
        " SUM(CASE WHEN chosen AND judged THEN 1.0 / probability ELSE 0.0 END) AS w,"
        " SUM(CASE WHEN chosen AND judged THEN 1.0 / (probability * probability) ELSE 0.0 END) AS ww"
        f" FROM {table} WHERE {said} GROUP BY at, part, {', '.join(wanted)}"
    )
    each = " UNION ALL ".join(
        f"SELECT at, part, '{name}', {name}, SUM(n), SUM(m), SUM(w), SUM(ww) FROM sums GROUP BY at, part, {name}"  # noqa: S608 - our own names
        for name in wanted
    )
    return [Count(*row) for row in file.rows(f"WITH sums AS MATERIALIZED ({sums}) {each} ORDER BY 1, 2, 3, 4", values)]


def values_of(file: SqliteFile, by: By) -> list[str]:
    """Return the values that answers have there, the most frequent first."""
    group_column(by)
    rows = file.rows("SELECT value FROM counters WHERE name=? ORDER BY n DESC, value LIMIT ?", (by, MOST_VALUES))
    return [value for (value,) in rows]


_MISSING = (
    "SELECT DISTINCT cited.value FROM json_each(answers.cited_ids) cited"
    " WHERE cited.value NOT IN (SELECT value FROM json_each(answers.retrieved_ids))"
)


def routes(file: SqliteFile, where: Where) -> list[RouteCount]:
    """Return what became of guarded answers, by route."""
    said, values, table = _asked(where)
    guarded = f"FROM {table} WHERE {said} AND route <> ''"
    counted = file.rows(
        f"SELECT route, release, COUNT(*), SUM(cost_usd), COUNT(cost_usd) {guarded} GROUP BY route, release",
        values,
    )
    took: list[tuple[str, str, float, float]] = []
    for column in ("guard_ms", "latency_ms"):
        ranked = (
            f"SELECT route, {column} AS ms, ROW_NUMBER() OVER (PARTITION BY route ORDER BY {column}) AS place,"
            f" COUNT(*) OVER (PARTITION BY route) AS n {guarded} AND {column} IS NOT NULL"
        )
        quantiles = "MIN(ms) FILTER (WHERE place >= 0.5 * n), MIN(ms) FILTER (WHERE place >= 0.95 * n)"
        rows = file.rows(f"SELECT route, {quantiles} FROM ({ranked}) GROUP BY route", values)  # noqa: S608 - as above
        took += [(route, column, middle, high) for route, middle, high in rows]
    return route_counts(counted, took)


def not_retrieved(file: SqliteFile, where: Where, limit: int) -> list[tuple[str, Sequence[str]]]:
    """Return answers that cite ids their retrieval log does not hold, latest first; those without a log are left out."""
    said, values, table = _asked(where)
    rows = file.rows(
        f"SELECT id, (SELECT json_group_array(value) FROM ({_MISSING})) FROM {table} WHERE {said}"  # noqa: S608 - our own names; values are bound
        f" AND retrieved_ids IS NOT NULL AND EXISTS ({_MISSING}) ORDER BY started_ns DESC, id DESC LIMIT ?",
        (*values, limit),
    )
    return [(identifier, tuple(json.loads(missing))) for identifier, missing in rows]
