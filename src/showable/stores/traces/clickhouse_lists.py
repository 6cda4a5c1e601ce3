"""What the dashboard asks of ClickHouse: lists, counts, values, and the join of cited against retrieved ids."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from showable.stores.traces.clickhouse_engine import Engine
from showable.stores.traces.errors import StoreError
from showable.stores.traces.span_rows import clean
from showable.stores.traces.store import AnswerRow, By, Count, Dimension, RouteCount, Where
from showable.stores.traces.where_sql import (
    LIST_COLUMNS,
    conditions,
    dimension_columns,
    group_column,
    route_counts,
    stretch,
)

_FOUND = "positionCaseInsensitiveUTF8(concat(question, '\\n', answer), ?) > 0"
MOST_VALUES = 200


def answers(engine: Engine, where: Where, limit: int, after: str | None) -> list[AnswerRow]:
    """Return answers in brief, latest first: their keys from the narrow columns, then the rows."""
    said, values = conditions(where, text=_FOUND)
    if after is not None:
        row = engine.first("SELECT started_ns FROM answers FINAL WHERE id = ?", (clean(after),))
        if row is None:
            raise StoreError("the answer that the list went on from is not held any more; begin the list again")
        said += " AND (started_ns, id) < (?, ?)"
        values += [row[0], clean(after)]
    keys = engine.rows(
        f"SELECT started_ns, id FROM answers FINAL WHERE {said} ORDER BY started_ns DESC, id DESC LIMIT ?",  # noqa: S608 - our own names; values are bound
        (*values, limit),
    )
    if not keys:
        return []
    rows = engine.rows(
        f"SELECT {LIST_COLUMNS} FROM answers FINAL WHERE started_ns IN ? AND id IN ?"  # noqa: S608 - our own names
        " ORDER BY started_ns DESC, id DESC",
        ([key[0] for key in keys], [key[1] for key in keys]),
    )
    return [AnswerRow(*(*row[:-2], bool(row[-2]), row[-1])) for row in rows]


def counts(
    engine: Engine, where: Where, dimensions: Collection[Dimension], by: By | None, step_ns: int | None
) -> list[Count]:
    """Count answers by time, group and value, in one statement that reads each row once."""
    wanted, group, step = dimension_columns(dimensions), group_column(by), stretch(step_ns)
    if not wanted:
        return []
    said, values = conditions(where, text=_FOUND)
    at = "toInt64(0)" if step is None else f"started_ns - started_ns % {step}"
    sums = (
        f"SELECT {at} AS at, {group} AS part, {', '.join(wanted)}, count() AS n, countIf(chosen AND judged) AS m,"  # noqa: S608 - our own names; values are bound
        " sumIf(1 / probability, chosen AND judged) AS w, sumIf(1 / (probability * probability), chosen AND judged) AS ww"
        f" FROM answers FINAL WHERE {said} GROUP BY at, part, {', '.join(wanted)}"
    )
    pairs = ", ".join(f"('{name}', toString({name}))" for name in wanted)
    query = (
        f"SELECT at, part, pair.1 AS dimension, pair.2 AS value, sum(n), sum(m), sum(w), sum(ww) FROM ({sums})"  # noqa: S608 - our own names
        f" ARRAY JOIN [{pairs}] AS pair GROUP BY at, part, dimension, value ORDER BY at, part, dimension, value"
    )
    return [Count(*row) for row in engine.rows(query, values)]


def values_of(engine: Engine, by: By) -> list[str]:
    """Return the values that answers have there, the most frequent first."""
    column = group_column(by)
    query = f"SELECT {column}, count() AS n FROM answers FINAL GROUP BY {column} ORDER BY n DESC, {column} LIMIT ?"  # noqa: S608 - our own names
    return [row[0] for row in engine.rows(query, (MOST_VALUES,))]


def routes(engine: Engine, where: Where) -> list[RouteCount]:
    """Return what became of guarded answers, by route."""
    said, values = conditions(where, text=_FOUND)
    guarded = f"FROM answers FINAL WHERE {said} AND route <> ''"
    counted = engine.rows(
        f"SELECT route, release, count(), sum(cost_usd), count(cost_usd) {guarded} GROUP BY route, release",
        values,
    )
    took: list[tuple[str, str, float, float]] = []
    for column in ("guard_ms", "latency_ms"):
        ranked = f"arraySort(groupArray({column}))"  # nearest rank, as SQLite is asked for it
        quantiles = f"{ranked}[toUInt64(ceil(0.5 * count()))], {ranked}[toUInt64(ceil(0.95 * count()))]"
        rows = engine.rows(
            f"SELECT route, {quantiles} {guarded} AND {column} IS NOT NULL GROUP BY route",
            values,
        )
        took += [(route, column, middle, high) for route, middle, high in rows]
    return route_counts(counted, took)


def not_retrieved(engine: Engine, where: Where, limit: int) -> list[tuple[str, Sequence[str]]]:
    """Return answers that cite ids their retrieval log does not hold, latest first; those without a log are left out."""
    said, values = conditions(where, text=_FOUND)
    rows = engine.rows(
        "SELECT id, arrayFilter(cited -> NOT has(retrieved_ids, cited), cited_ids) FROM answers FINAL"  # noqa: S608 - our own names; values are bound
        f" WHERE {said} AND retrieval_logged AND NOT hasAll(retrieved_ids, cited_ids)"
        " ORDER BY started_ns DESC, id DESC LIMIT ?",
        (*values, limit),
    )
    return [(identifier, tuple(missing)) for identifier, missing in rows]
