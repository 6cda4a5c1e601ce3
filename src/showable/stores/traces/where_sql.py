"""What is asked of the answers, as conditions in SQL: the same for every engine but for the search in text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, get_args

from showable.records.traced import SUPERSEDED
from showable.stores.traces.errors import StoreError
from showable.stores.traces.span_rows import MOST_NS, clean
from showable.stores.traces.store import By, Dimension, RouteCount, Where

_EXACT = ("service", "model", "prompt_version", "profile", "cohort", "bucket")
LIST_COLUMNS = (
    "id, trace_id, span_id, started_ns, service, model, prompt_version, profile, cohort, question, answer, bucket, cause,"
    " structural, resolvability, semantic, diagnosis, stratum, complete, latency_ms"
)
"""The fields of an AnswerRow, in its order."""


def conditions(where: Where, *, text: str) -> tuple[str, list[Any]]:
    """Return the conditions, with a question mark for each value; `text` is the condition on question and answer, of one value."""
    parts: list[str] = ["stratum <> ?"]
    values: list[Any] = [SUPERSEDED]
    for column, bound in (("started_ns >= ?", where.since_ns), ("started_ns < ?", where.until_ns)):
        if bound is not None:
            parts.append(column)
            values.append(min(max(bound, -MOST_NS), MOST_NS))
    for column in _EXACT:
        wanted = getattr(where, column)
        if wanted is not None:
            parts.append(f"{column} = ?")
            values.append(clean(wanted))
    if where.failing:
        parts.append("failing = 1")
    if where.text:
        parts.append(text)
        values.append(clean(where.text))
    return " AND ".join(parts), values


def route_counts(counted: Iterable[Sequence[Any]], took: Iterable[tuple[str, str, float, float]]) -> list[RouteCount]:
    """Put together counts (route, release, answers, dollars, priced), and the quantiles of a route's times by their column."""
    rows: dict[str, list[tuple[str, int, float, int]]] = {}
    for route, release, n, usd, priced in counted:
        rows.setdefault(route, []).append((release, int(n), float(usd or 0.0), int(priced)))
    times = {(route, column): (float(middle), float(high)) for route, column, middle, high in took}
    return [
        RouteCount(
            route,
            {release: n for release, n, _, _ in sorted(of)},
            sum(usd for _, _, usd, _ in of),
            sum(priced for _, _, _, priced in of),
            times.get((route, "guard_ms")),
            times.get((route, "latency_ms")),
        )
        for route, of in sorted(rows.items())
    ]


def group_column(by: By | None) -> str:
    """Return the column to group by. Raises StoreError for a name that is none: it goes into SQL as it stands."""
    if by is not None and by not in get_args(By):
        raise StoreError(f"answers cannot be grouped by {str(by)[:40]!r}; by one of {', '.join(get_args(By))}")
    return by or "''"


def dimension_columns(dimensions: Collection[Dimension]) -> list[Dimension]:
    """Return the dimensions once each, in the order of the type. Raises StoreError for a name that is none."""
    known = get_args(Dimension)
    for dimension in dimensions:
        if dimension not in known:
            raise StoreError(f"answers are not counted by {str(dimension)[:40]!r}; by one of {', '.join(known)}")
    return [dimension for dimension in known if dimension in dimensions]


def stretch(step_ns: int | None) -> int | None:
    """Check a step of time. Raises StoreError for one that leads nowhere."""
    if step_ns is not None and step_ns < 1:
        raise StoreError(f"a step of {step_ns} nanoseconds leads nowhere; give one of 1 or more")
    return None if step_ns is None else int(step_ns)
