"""What is printed of a run besides its buckets: how the asking went, and over repeats what differs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from showable.cli.run_progress import cost_of

if TYPE_CHECKING:
    from rich.console import Console

    from showable.cli.asking import Asked
    from showable.harness.asking_tally import AskTally
    from showable.measure.flaky import FlakyQuestion, Spread
    from showable.measure.repeats import GateRow
    from showable.records.signature import Signature
    from showable.stores.run_sides import RunSide

_LISTED, _WAYS = 12, 3


def asking_lines(tally: AskTally) -> list[str]:
    """Return how the asking went: failures, time, cost, and whether empty retrievals were honoured."""
    parts = [f"{tally.done} asked"]
    parts += [f"{tally.failed} failed"] if tally.failed else []
    parts += [f"{tally.retried} tried again"] if tally.retried else []
    if (median := tally.quantile(0.5)) is not None:
        parts.append(f"{_seconds(median)} in the median (95 % within {_seconds(tally.quantile(0.95) or median)})")
    parts.append(cost_of(tally))
    lines = ["Asking: " + ", ".join(parts), *_failure_lines(tally)]
    if tally.nulls:
        lines.append(_null_line(tally))
    return lines


def _failure_lines(tally: AskTally) -> list[str]:
    """State in which ways questions failed, the most frequent first."""
    from showable.report.untrusted import printable

    ways = tally.failures.most_common(_WAYS)
    lines = [f"  failed {n}×: {printable(tally.first[way])}" for way, n in ways]
    lines += [f"  and in {len(tally.failures) - _WAYS} more ways"] if len(tally.failures) > _WAYS else []
    return [*lines, "  --retry-failed with --out asks those again"] if lines else []


def _null_line(tally: AskTally) -> str:
    kept = tally.nulls - tally.nulls_broken - tally.nulls_unlogged
    said = (
        f"Empty retrieval: asked for with {tally.nulls} question{'' if tally.nulls == 1 else 's'}, honoured in {kept}"
    )
    if tally.nulls_broken:
        said += f"; {tally.nulls_broken} retrieved all the same and count as unknown"
    if tally.nulls_unlogged:
        said += f"; {tally.nulls_unlogged} without a retrieval log, so nobody can tell"
    return said


def _seconds(value: float) -> str:
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.1f} s"


def rows_of(folders: Sequence[Path]) -> list[list[GateRow]]:
    """Read of each run what repeats are compared by."""
    from showable.stores.run_sides import read_rows

    return [list(read_rows(folder)) for folder in folders]


def show_repeats(runs: Sequence[Asked], rows: Sequence[Sequence[GateRow]], signature: Signature) -> None:
    """Print the buckets of each repeat beside their spread, the categories as most repeats have them, and what differs."""
    from rich.table import Table

    from showable.cli.console import ReportConsole
    from showable.measure.flaky import flaky, spread

    n = len(rows[0])
    table = Table(title=f"{n} questions, {len(rows)} repeats", title_justify="left", box=None, pad_edge=False)
    table.add_column("bucket")
    for number in range(1, len(rows) + 1):
        table.add_column(f"repeat {number}", justify="right")
    table.add_column("spread", justify="right")
    for held in spread(rows):
        table.add_row(held.name, *map(str, held.counts), str(held))
    console = ReportConsole()
    console.print(table)
    _show_categories(_side(runs, rows, signature), console)
    for line in _flaky_lines(flaky(rows), n):
        typer.echo(line)
    for run in runs:
        for line in asking_lines(run.tally):
            typer.echo(f"repeat {run.facts.repeat}: {line}")


def _side(runs: Sequence[Asked], rows: Sequence[Sequence[GateRow]], signature: Signature) -> RunSide:
    from showable.stores.run_sides import RunSide

    folders = tuple(run.folder for run in runs)
    return RunSide(folders[0].parent, folders, signature, runs[0].facts, tuple(map(tuple, rows)))


def _show_categories(side: RunSide, console: Console) -> None:
    from showable.report.category_table import EXPECTED_NOTE, category_table
    from showable.stores.run_sides import view_side

    summary = view_side(side).summary
    if (categories := category_table(summary, console.width)) is None:
        return
    console.print("\nCategories of question (most repeats decide, ties the worse)")
    console.print(categories)
    if summary.expected:
        console.print(EXPECTED_NOTE)


def _flaky_lines(found: Sequence[FlakyQuestion], n: int) -> list[str]:
    if not found:
        return ["", "Every question came out the same in every repeat.", ""]
    from showable.report.untrusted import printable

    lines = [
        "",
        f"{len(found)} of {n} questions came out differently (the worst first; most repeats decide, ties the worse):",
    ]
    lines += [f"  {printable(one.id)}: {', '.join(one.buckets)} -> {one.counted}" for one in found[:_LISTED]]
    lines += [f"  and {len(found) - _LISTED} more"] if len(found) > _LISTED else []
    return [*lines, ""]


def repeats_document(documents: Sequence[dict[str, Any]], rows: Sequence[Sequence[GateRow]]) -> dict[str, Any]:
    """Return what ``--json`` prints of repeats: each run's document, the spread of each count, the questions that differ."""
    from showable.measure.flaky import flaky, spread

    lines: Sequence[Spread] = spread(rows)
    return {
        "runs": list(documents),
        "spread": {line.name: line.model_dump(mode="json", exclude={"name"}) for line in lines},
        "flaky": [one.model_dump(mode="json") for one in flaky(rows)],
    }
