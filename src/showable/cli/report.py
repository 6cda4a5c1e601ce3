"""`showable report RUN`: a finished run once more, in any format; of two runs, what moved between them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from showable.cli.options import DetailsOption, JsonOption
from showable.cli.outputs import OutputOption, Outputs, Writer, plan_outputs, run_document_in


def report(
    run: Annotated[Path, typer.Argument(help="A run folder, or the name of a pinned baseline.", metavar="RUN")],
    candidate: Annotated[
        Path | None,
        typer.Argument(
            help="Another run over the same questions: report what moved between them.", metavar="[CANDIDATE]"
        ),
    ] = None,
    output: OutputOption = None,
    details: DetailsOption = False,
    json: JsonOption = False,
) -> None:
    """Rebuild a run's report. Without -o or --json its report.html is written again and the terminal report printed.

    With CANDIDATE the two runs are compared as `gate` does (.html, .md, .xml and .json), but the exit code is 0 whatever moved.
    """
    if candidate is None:
        outputs = plan_outputs(output)
        _one(run, outputs, as_json=json, details=details)
    else:
        outputs = plan_outputs(output, "gate")
        _two(run, candidate, outputs, as_json=json, details=details)
    if not json:
        for path, _ in outputs.files:
            _told(path)


def _one(run: Path, outputs: Outputs, *, as_json: bool, details: bool) -> None:
    from showable.stores.baselines import resolve_run
    from showable.stores.run_reading import view_run
    from showable.stores.runs_of import one_run

    run = one_run(resolve_run(run))
    view = view_run(run)
    document = run_document_in(run, view)
    outputs.write_run(view, document)
    if as_json:
        _print(document)
    elif not outputs.files:
        from showable.cli.console import ReportConsole
        from showable.cli.writers import RunWriters
        from showable.measure.worst import WORST_SHOWN
        from showable.report.terminal import render_summary
        from showable.report.what_failed import worst_entries

        _keep_report(run / "report.html", RunWriters(view).html)
        worst = [entry.card for entry in worst_entries(view.entries(), WORST_SHOWN)]
        render_summary(view.summary, worst, console=ReportConsole(), details=details)
        typer.echo()
        _told(run / "report.html")


def _keep_report(path: Path, write: Writer) -> None:
    """Write the report of a run in its folder, where a link is replaced: nobody named it."""
    from showable.errors import SettingError
    from showable.own_files import replacing

    try:
        with replacing(path) as handle:
            write(handle)
    except OSError as error:
        raise SettingError(f"{path}: cannot be written: {error.strerror or error}") from None


def _two(run: Path, candidate: Path, outputs: Outputs, *, as_json: bool, details: bool) -> None:
    from showable.report.json_report import gate_document
    from showable.stores.baselines import resolve_run, told_as
    from showable.stores.run_sides import decide_between, read_side

    before, after = (read_side(resolve_run(path)) for path in (run, candidate))
    decision = decide_between(before, after)
    outputs.write_sides(decision, before, after)
    if as_json:
        _print(gate_document(decision))
    elif not outputs.files:
        from showable.cli.console import ReportConsole
        from showable.report.gate_text import render_decision

        sides = told_as(run, before.path), told_as(candidate, after.path)
        render_decision(decision, console=ReportConsole(), sides=sides, details=details)


def _print(document: dict[str, Any]) -> None:
    import json

    typer.echo(json.dumps(document, ensure_ascii=False, indent=2))


def _told(path: Path) -> None:
    from showable.report.untrusted import printable

    typer.echo(f"Written: {printable(str(path))}")
