"""What a question set can and cannot show, category by category: the table of `showable power`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from showable.measure.power import lower_bound, smallest_drop
from showable.records.wire import Many, Wire


class PowerRow(Wire):
    """What `n` questions show, as fractions.

    `all_pass` and `one_miss` are what `n` and `n - 1` of `n` acceptable answers prove (one-sided 95 % lower bound, Clopper
    and Pearson). `smallest_drop` is the smallest net fall of the acceptable share that McNemar's mid-p test sees four
    times in five, None where it sees none. `acceptable` is how many answers of a run are acceptable, and `proves`
    what that proves in the same way, the `unknown` ones taken as if they had failed; None where no run was given.
    """

    name: str
    n: int
    all_pass: float
    one_miss: float
    smallest_drop: float | None
    acceptable: int | None = None
    unknown: int = 0
    proves: float | None = None


class PowerTable(Wire):
    """A row a category, and the last row for all questions together."""

    rows: Many[PowerRow]


def power_table(categories: Iterable[tuple[str, int]]) -> PowerTable:
    """Make the table of a question set of so many questions a category; those without questions are left out."""
    rows = [_row(name, n) for name, n in categories if n]
    total = [_row("all", sum(row.n for row in rows))] if len(rows) > 1 else []
    return PowerTable(rows=(*rows, *total))


def power_table_of_run(categories: Mapping[str, Mapping[str, int]]) -> PowerTable:
    """Make the table of a run, from its bucket counts by category."""
    rows = [_row_of_run(name, counts) for name, counts in categories.items() if sum(counts.values())]
    everything = {bucket: sum(counts[bucket] for counts in categories.values()) for bucket in _buckets(categories)}
    if len(rows) == 1:
        return PowerTable(rows=tuple(rows))
    return PowerTable(rows=(*rows, _row_of_run("all", everything)) if rows else ())


def _row(name: str, n: int) -> PowerRow:
    return PowerRow(
        name=name,
        n=n,
        all_pass=lower_bound(n, n),
        one_miss=lower_bound(n - 1, n),
        smallest_drop=smallest_drop(n),
    )


def _row_of_run(name: str, counts: Mapping[str, int]) -> PowerRow:
    n = sum(counts.values())
    acceptable = counts["correct"] + counts["refused"]
    proved = {"acceptable": acceptable, "unknown": counts["unknown"], "proves": lower_bound(acceptable, n)}
    return _row(name, n).model_copy(update=proved)


def _buckets(categories: Mapping[str, Mapping[str, int]]) -> Iterable[str]:
    return next(iter(categories.values()), {})
