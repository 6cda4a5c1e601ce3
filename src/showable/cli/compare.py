"""`showable compare RUN…`: models, prompts and pipelines side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from showable.cli.options import DetailsOption, JsonOption
from showable.cli.outputs import plan_outputs

if TYPE_CHECKING:
    from showable.cli.outputs import Outputs
    from showable.measure.comparison import Comparison


def compare(
    runs: Annotated[
        list[Path],
        typer.Argument(
            help="Run folders, folders of repeats, or names of pinned baselines; two or more.", metavar="RUN..."
        ),
    ],
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "--output",
            "-o",
            help="Write the comparison here; the ending says how: .html, .md, .json or .csv. May be repeated.",
            metavar="FILE",
        ),
    ] = None,
    details: DetailsOption = False,
    json: JsonOption = False,
) -> None:
    """Compare runs over the same questions side by side. Buckets, axes, categories, time, cost, and what the refusal licence does.

    The rows stand in the order given. Nothing is averaged into one number, and nothing is ranked.
    """
    outputs = plan_outputs(output, "comparison")
    comparison = _compare(runs)
    _write(comparison, outputs)
    if json:
        typer.echo(comparison.model_dump_json(indent=2))
        return
    from showable.cli.console import ReportConsole
    from showable.report.comparison.text import render_comparison

    render_comparison(comparison, console=ReportConsole(), details=details)


def _compare(runs: list[Path]) -> Comparison:
    from showable.errors import SettingError
    from showable.report.comparison.compare_runs import FEWEST, MOST, compare_runs
    from showable.stores.baselines import resolve_run
    from showable.stores.contenders import read_contenders

    if not FEWEST <= len(runs) <= MOST:
        raise SettingError(f"compare: expected {FEWEST} to {MOST} runs, got {len(runs)}")
    paths = [resolve_run(run) for run in runs]
    real = [path.resolve() for path in paths]
    if twice := next((path for path, at in zip(paths, real, strict=True) if real.count(at) > 1), None):
        raise SettingError(f"compare: {twice} is given twice")
    return compare_runs(*read_contenders(paths))


def _write(comparison: Comparison, outputs: Outputs) -> None:
    from showable.cli.outputs import replace_file
    from showable.cli.step_summary import add_to_step_summary, step_summary
    from showable.cli.writers import comparison_writers

    writers = comparison_writers(comparison)
    for path, ending in outputs.files:
        replace_file(path, writers[ending])
    if step_summary() is not None:
        add_to_step_summary(writers[".md"])
