"""A look for drift on the terminal: alarm or none first, then each alarm, then everything that was watched."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from showable.measure.drift.report import Alarm, DriftReport, Watched
from showable.report import drift_words as words
from showable.report.untrusted import printable

_STYLES = {"alarm": "red", "steady": "green", "unknown": "magenta"}
_MARKS = {"alarm": "ALARM", "steady": "ok", "unknown": "?"}
_INSIDE = (0, 0, 0, 2)
_MARK_AND_NAME, _LAST = 2, 4


def render_drift(report: DriftReport, *, console: Console) -> None:
    """Print a look for drift."""
    state = "alarm" if report.alarms else "unknown" if report.exit_code else "steady"
    console.print(Text(words.headline(report), style=f"bold {_STYLES[state]}"))
    console.print(Text(printable(report.about)))
    for alarm in report.alarms:
        console.print()
        console.print(Text(words.moved_said(report, alarm), style="bold"))
        console.print(Padding(_alarm(report, alarm), _INSIDE))
    if report.alarms and report.notes:
        console.print()
    for note in report.notes:
        console.print(Text(f"- {printable(note)}"))
    for profile in dict.fromkeys(one.profile for one in report.watched):
        mine = [one for one in report.watched if one.profile == profile]
        console.print()
        console.print(Text(f"Watched: {printable(profile)}", style="bold"))
        console.print(Padding(_watched(report, mine), _INSIDE))
    console.print()
    console.print(Text(f"{report.family[:1].upper()}{report.family[1:]}.", style="dim"))
    if report.webhook is not None:
        console.print(Text(_sent(report)))


def _alarm(report: DriftReport, alarm: Alarm) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style="dim")
    table.add_column(overflow="fold")
    before, after, _ = _heads(report)
    table.add_row(before, Text(f"{words.level_said(alarm.what, alarm.before)}, n = {alarm.before.n:,}"))
    table.add_row(after, Text(f"{words.level_said(alarm.what, alarm.after)}, n = {alarm.n:,}{_where(report, alarm)}"))
    if (began := words.began_said(alarm)) is not None:
        table.add_row("began", Text(began))
    said = "; ".join(dict.fromkeys(part for part in (words.said_of_test(alarm), alarm.reason) if part))
    table.add_row("why", Text(said if alarm.standing else f"{said}; it has come down since"))
    return table


def _where(report: DriftReport, alarm: Alarm) -> str:
    return f", {alarm.window}" if report.look == "stream" else ""


def _watched(report: DriftReport, watched: Sequence[Watched]) -> Group:
    table = Table.grid(padding=(0, 2, 0, 0))
    for place in range(5):
        table.add_column(no_wrap=place < _MARK_AND_NAME, overflow="fold", justify="right" if place == _LAST else "left")
    table.add_row(*(Text(head, style="dim") for head in ("", "", *_heads(report))))
    for one in watched:
        mark = Text(_MARKS[one.state], style=_STYLES[one.state])
        table.add_row(mark, Text(words.name_of(one)), *map(Text, _cells(one)))
    why = [Text(f"?: {said}", style="dim") for said in words.why_unknown(watched)]
    sees = words.sees_said(watched)
    return Group(table, *why, *([Text(sees, style="dim")] if sees else []))


def _cells(one: Watched) -> tuple[str, str, str]:
    """Return before, after and the last column; of a paired difference the interval is that of the difference alone."""
    if one.state == "unknown":
        return words.level_said(one.what, one.before), words.needs_said(one), ""
    if one.change is None:
        return words.level_said(one.what, one.before), words.level_said(one.what, one.after), f"{one.n:,}"
    before, after = (words.value_said(one.what, level) for level in (one.before, one.after))
    return before, after, words.change_said(one.change)


def _heads(report: DriftReport) -> tuple[str, str, str]:
    if report.look == "stream":
        return "before", "since", "n"
    sure = next((one.change.confidence for one in report.watched if one.change), 0.95)
    change = f"change, points ({100 * sure:.3g} % interval)"
    return ("people", "the tool", change) if report.look == "people" else ("then", "now", change)


def _sent(report: DriftReport) -> str:
    sent = report.webhook
    if sent is None or not sent.new:
        return "Webhook: no new alarm, nothing sent."
    said = f"Webhook: {sent.delivered} of {sent.new} new alarms sent"
    return f"{said}." if not sent.failed else f"{said}; {printable(sent.reason or 'failed')}."
