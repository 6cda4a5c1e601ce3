"""`showable power`: what so many questions can and cannot show."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from showable.cli.options import JsonOption

if TYPE_CHECKING:
    from showable.measure.power_table import PowerTable


def power(
    n: Annotated[
        int | None,
        typer.Argument(
            help="Questions in all, shared out as the protocol does. Default: its 130.",
            metavar="[N]",
            min=1,
            max=1_000_000,
        ),
    ] = None,
    run: Annotated[
        Path | None,
        typer.Option(
            "--run", help="A run, repeats or pinned baseline of yours: its own categories, and what it proves."
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Show how small a change a question set can detect, and what passing proves."""
    from showable.errors import SettingError

    if run is not None and n is not None:
        raise SettingError("power: give N or --run, not both; a run has its own number of questions")
    table = _of_protocol(n) if run is None else _of_run(run)
    if json:
        typer.echo(table.model_dump_json(indent=2))
        return
    from showable.cli.console import ReportConsole
    from showable.report.power_text import render_power

    render_power(table, console=ReportConsole())


def _of_protocol(n: int | None) -> PowerTable:
    from showable.harness.questions.shape import N, counts_for
    from showable.measure.power_table import power_table

    return power_table(counts_for(N if n is None else n).items())


def _of_run(path: Path) -> PowerTable:
    from collections import Counter

    from showable.errors import InputError
    from showable.measure.expectations import UNCATEGORISED, in_order
    from showable.measure.power_table import power_table_of_run
    from showable.measure.summary import BUCKETS
    from showable.stores.baselines import resolve_run
    from showable.stores.run_sides import read_side

    rows = read_side(resolve_run(path)).folded
    if not rows:
        raise InputError("the run holds no questions, so there is nothing that it could show", path=str(path))
    counted = Counter((row.category or UNCATEGORISED, row.bucket) for row in rows)
    names = in_order({name for name, _ in counted})
    return power_table_of_run({name: {bucket: counted[name, bucket] for bucket in BUCKETS} for name in names})
