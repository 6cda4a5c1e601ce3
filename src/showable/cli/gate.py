"""`showable gate BASE CANDIDATE`: may this change ship?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from showable.cli.options import DetailsOption, JsonOption
from showable.cli.outputs import DifferenceOutputOption, plan_outputs

if TYPE_CHECKING:
    from showable.measure.decision import Decision
    from showable.measure.regressions import Regressions

REGRESSIONS = "regressions"
"""Where in a side's folder its run over the regression set stands."""


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
    regressions: Annotated[
        Path | None,
        typer.Option(
            "--regressions",
            help="A regression set: what passed on BASE/regressions may not fail on CANDIDATE/regressions.",
            metavar="SET",
        ),
    ] = None,
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
    if regressions is not None:
        decision = _with_regressions(decision, regressions, before.path, after.path)
    outputs.write_sides(decision, before, after)  # first: `| head` must not cost a file
    if json:
        typer.echo(decision.model_dump_json(indent=2))
    else:
        from showable.cli.console import ReportConsole
        from showable.report.gate_text import render_decision
        from showable.stores.baselines import told_as

        sides = told_as(base, before.path), told_as(candidate, after.path)
        render_decision(decision, console=ReportConsole(), sides=sides, details=details)
        if decision.regressions is not None:
            _tell_regressions(decision.regressions)
    raise typer.Exit(decision.exit_code)


def _with_regressions(decision: Decision, regressions: Path, base: Path, candidate: Path) -> Decision:
    """Add what became of the regression set; it decides beside the rules, and is pooled with none of them."""
    from showable.errors import InputError
    from showable.harness.questions.regressions import issues_of, read_regressions
    from showable.measure.regressions import compare_regressions
    from showable.ship_gate import require_alike
    from showable.stores.run_sides import read_side

    pinned = read_regressions(regressions)
    sides = []
    for path in (base / REGRESSIONS, candidate / REGRESSIONS):
        if not path.is_dir():
            said = f"no run over the set; `showable run --questions {regressions} --out {path}` makes one"
            raise InputError(said, path=str(path))
        sides.append(read_side(path))
    require_alike(sides[0].signature, sides[1].signature)
    found = compare_regressions(issues_of(pinned), sides[0].folded, sides[1].folded)
    failed = tuple(said for side in sides for said in side.not_measured)
    reasons = (*failed, *found.reasons)
    return decision.model_copy(
        update={
            "regressions": found,
            "ship": decision.ship and not reasons,
            "inconclusive": decision.inconclusive or (decision.ship and (found.inconclusive or bool(failed))),
            "reasons": (*decision.reasons, *reasons),
        }
    )


def _tell_regressions(found: Regressions) -> None:
    typer.echo(f"regression set: {found.n}, from {found.issues} issues")
    for said in found.reasons:
        typer.echo(f"  {said}")
    if found.mended:
        typer.echo(f"  failed on the baseline and pass now: {', '.join(found.mended[:10])}")
    if found.resolvable:
        typer.echo(f"  every question passes, so they may be resolved: {', '.join(found.resolvable[:10])}")
