"""`showable gate BASE CANDIDATE`: may this change ship?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from showable.cli.options import DetailsOption, JsonOption
from showable.cli.outputs import DifferenceOutputOption, plan_outputs


def gate(
    base: Annotated[
        Path,
        typer.Argument(
            help="Run folder of the baseline, a folder of repeats of it, or the name of a pinned baseline.",
            metavar="BASE",
        ),
    ],
    candidate: Annotated[Path, typer.Argument(help="The same of the candidate.", metavar="CANDIDATE")],
    unknown_cap: Annotated[
        float, typer.Option("--unknown-cap", min=0.0, max=1.0, help="Largest share of unknown answers.")
    ] = 0.05,
    exchange: Annotated[
        float,
        typer.Option(
            "--exchange",
            min=0.0,
            help="Correct answers that one wrong or unsupported answer less may cost.",
            metavar="N",
        ),
    ] = 3.0,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="No bucket may worsen, nor the mean quality of all refusals; --exchange 0."),
    ] = False,
    output: DifferenceOutputOption = None,
    details: DetailsOption = False,
    json: JsonOption = False,
) -> None:
    """Decide whether a change may ship, bucket by bucket. Exit 0: ship; 1: do not; 3: nothing could be measured.

    Of repeats (repeat-1, repeat-2 …) a question counts as most of them came out, of ties as the worse.
    """
    from showable.stores.baselines import resolve_run
    from showable.stores.run_sides import decide_between, read_side

    outputs = plan_outputs(output, "gate")
    before, after = (read_side(resolve_run(path)) for path in (base, candidate))
    decision = decide_between(before, after, unknown_cap=unknown_cap, exchange=exchange, strict=strict)
    outputs.write_sides(decision, before, after)  # first: `| head` must not cost a file
    if json:
        typer.echo(decision.model_dump_json(indent=2))
    else:
        from showable.cli.console import ReportConsole
        from showable.report.gate_text import render_decision
        from showable.stores.baselines import told_as

        sides = told_as(base, before.path), told_as(candidate, after.path)
        render_decision(decision, console=ReportConsole(), sides=sides, details=details)
    raise typer.Exit(decision.exit_code)
