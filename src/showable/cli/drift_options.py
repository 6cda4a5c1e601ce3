"""What the looks for drift have in common: options, telling a webhook, printing, and the exit code."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from showable.measure.drift.report import DriftReport

STATE = Path("drift-state.json")

FalseAlarmsOption = Annotated[
    float,
    typer.Option(
        "--false-alarms",
        help="Probability that any of the things watched alarms although nothing has changed.",
        metavar="P",
    ),
]
WebhookOption = Annotated[
    str | None,
    typer.Option(
        "--webhook",
        help="POST each new alarm here as JSON: https, or http on this machine. Holds no text of answers.",
        metavar="URL",
    ),
]
StateOption = Annotated[
    Path,
    typer.Option("--state", help="Remembers the alarms that --webhook has sent; one file a job.", metavar="FILE"),
]


LEAST_BY_RESAMPLING = 0.01
"""The least --false-alarms of looks by 4,000 resamples: the ends of finer intervals rest on a handful of them."""


def check_share(name: str, value: float, most: float = 0.5, least: float = 0.0001) -> float:
    """Return a share from `least` to `most`. Raises SettingError on any other."""
    from showable.errors import SettingError

    if not least <= value <= most:
        raise SettingError(f"{name}: expected a number from {least:g} to {most:g}, got {value:g}")
    return value


def check_webhook(url: str | None, state: Path) -> str | None:
    """Refuse an address, and a state that cannot be used, before any work is done. Raises SettingError or InputError."""
    from showable.drifting.alarm_state import AlarmState
    from showable.drifting.webhook import check_address
    from showable.errors import SettingError

    if url is None:
        if state != STATE:
            raise SettingError("--state goes with --webhook: it remembers what was sent there")
        return None
    AlarmState.read(state)
    if not state.parent.is_dir():
        raise SettingError(f"--state {state}: its folder does not exist")
    return check_address(url)


def finish(report: DriftReport, webhook: str | None, state: Path, *, as_json: bool) -> None:
    """Tell the webhook of new alarms, print the report, and leave with its exit code, which no delivery changes."""
    if webhook is not None:
        report = _tell(report, webhook, state)
    if as_json:
        typer.echo(report.model_dump_json(indent=2))
    else:
        from showable.cli.console import ReportConsole
        from showable.report.drift_text import render_drift

        render_drift(report, console=ReportConsole())
    raise typer.Exit(report.exit_code)


def _tell(report: DriftReport, url: str, path: Path) -> DriftReport:
    from showable.drifting.alarm_state import AlarmState
    from showable.drifting.webhook import deliver
    from showable.errors import SettingError
    from showable.measure.drift.report import Sent

    state = AlarmState.read(path)
    new = state.new(report.alarms)
    found = deliver(url, report, new)
    try:
        state.after(report, found.delivered).write(path)
    except SettingError as error:  # the alarm itself must not be lost over it
        typer.echo(f"showable: webhook: {error}; the same alarms will be sent again", err=True)
    failed = len(new) - len(found.delivered)
    if failed:
        typer.echo(f"showable: webhook: {failed} of {len(new)} new alarms not sent: {found.reason}", err=True)
    sent = Sent(new=len(new), delivered=len(found.delivered), failed=failed, reason=found.reason)
    return report.model_copy(update={"webhook": sent})
