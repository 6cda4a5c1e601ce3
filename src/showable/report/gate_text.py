"""The gate's decision on the terminal: ship or not first, then what stands against it, then every line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from showable.measure.decision import Decision, GateLine, Moved
from showable.measure.paired import PairedTest
from showable.measure.rate_changes import RateChange
from showable.measure.what_changed import Changed
from showable.report.category_table import EXPECTED_NOTE
from showable.report.expected_words import met_on_both_sides
from showable.report.flaky_words import FlakySide, buckets_in_words, flaky_sides, repeats_in_words
from showable.report.rate_words import RATES_NOTE, change_said, rate_sides
from showable.report.released_words import released_in_words
from showable.report.untrusted import printable

_MOST_MOVED, _MOST_FLAKY, _MOST_IN_BRIEF = 20, 8, 8
_MOST_IDS = 3
_ID_LIMIT = 80
_MOST_CHANGED = 400
_NARROW = 72


def render_decision(
    decision: Decision, *, console: Console, sides: tuple[str, str] | None = None, details: bool = True
) -> None:
    """Print a decision, and between which `sides` it is; without `details`, one screen of it.

    Of the questions that moved at most twenty are shown, of a side's flaky ones eight; it says how many are not.
    """
    verdict, style = _verdict(decision)
    console.print(Text(f"{verdict} (n = {decision.n} questions)", style=f"bold {style}"))
    for reason in decision.reasons:
        console.print(Padding(Text(f"- {reason}"), (0, 0, 0, 2)))
    if sides is not None:
        console.print(Text(f"baseline {printable(sides[0])} → candidate {printable(sides[1])}"))
    _changed(decision.changed, console)
    if (said := repeats_in_words(decision)) is not None:
        console.print(Text(said, style="dim"))
    if (said := released_in_words(decision)) is not None:
        console.print(Text(said))
    if not details:
        _in_brief(decision, console)
        return
    if decision.lines:
        _section("Rules: baseline → candidate, two-sided paired test", _lines(decision.lines, console.width), console)
    if decision.categories:
        _section(
            "By category of question: informs, decides nothing",
            _categories(decision.categories, console.width),
            console,
        )
    if any(rate.questions for rate in decision.rates):
        _section("Claims and citations: informs, decides nothing", _rates(decision.rates), console)
    _moved(decision.moved, console)
    _flaky(flaky_sides(decision), console)
    console.print()
    _foot(decision, console)


def _in_brief(decision: Decision, console: Console) -> None:
    """Print each rule on a line, the worst questions that moved, and where the rest is."""
    if decision.lines:
        _section("Rules: baseline → candidate", _head(decision.lines), console)
    _moved(decision.moved, console, most=_MOST_IN_BRIEF)
    flaky = len(decision.flaky.baseline) + len(decision.flaky.candidate)
    said = f"{flaky} flaky questions; " if flaky else ""
    console.print()
    console.print(
        Text(f"{said}--details prints tests, categories, claims and citations, and all that moved", style="dim")
    )
    _foot(decision, console)


def _foot(decision: Decision, console: Console) -> None:
    if decision.can_show is not None:
        console.print(Text(f"What this can show. {decision.can_show}."))
    console.print(Text(f"signature {decision.signature}", style="dim"), soft_wrap=True)


def _verdict(decision: Decision) -> tuple[str, str]:
    if decision.inconclusive:
        return "INCONCLUSIVE", "magenta"
    return ("SHIP", "green") if decision.ship else ("DO NOT SHIP", "red")


def _lines(lines: Sequence[GateLine], width: int) -> Table | Group:
    """Lay lines out in columns, or each over its reason where the terminal is too narrow for both."""
    if width < _NARROW:
        return Group(*(part for line in lines for part in (_head([line]), Padding(Text(_said(line)), (0, 0, 0, 4)))))
    return _head(lines, reasons=True)


def _head(lines: Sequence[GateLine], *, reasons: bool = False) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for _ in range(3):
        table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for line in lines:
        mark, style = {True: ("ok", "green"), False: ("NO", "red"), None: ("-", "dim")}[line.ok]
        cells = (Text(mark, style=style), Text(printable(line.name)), Text(_numbers(line)))
        table.add_row(*cells, Text(_said(line)) if reasons else "")
    return table


def _categories(lines: Sequence[GateLine], width: int) -> Group:
    """Lay categories out in columns, or each over its reason where the terminal is too narrow for both."""
    expects = any(line.expected is not None for line in lines)
    heads = ["", "acceptable", *(["as expected"] if expects else [])]
    if width < _NARROW:
        parts = [part for line in lines for part in (Text(_category(line)), Padding(Text(_said(line)), (0, 0, 0, 4)))]
        return Group(*parts, *_expected_note(lines))
    table = Table.grid(padding=(0, 2, 0, 0))
    for place, _ in enumerate([*heads, ""]):
        table.add_column(no_wrap=place < len(heads), overflow="fold")
    table.add_row(*(Text(head, style="dim") for head in heads), "")
    for line in lines:
        met = [" → ".join(met_on_both_sides(line) or ("–",))] if expects else []
        table.add_row(*map(Text, [printable(line.name, limit=40), _numbers(line), *met, _said(line)]))
    return Group(table, *_expected_note(lines))


def _rates(changes: Sequence[RateChange]) -> Group:
    table = Table.grid(padding=(0, 2, 0, 0))
    for folds in (False, True, True):
        table.add_column(no_wrap=not folds, overflow="fold")
    for change in changes:
        table.add_row(*map(Text, [change.name, " → ".join(rate_sides(change)), change_said(change)]))
    return Group(table, Text(RATES_NOTE, style="dim"))


def _category(line: GateLine) -> str:
    both = met_on_both_sides(line)
    met = f", as expected {' → '.join(both)}" if both else ""
    return f"{printable(line.name)}  acceptable {_numbers(line)}{met}"


def _expected_note(lines: Sequence[GateLine]) -> list[Text]:
    return [Text(EXPECTED_NOTE, style="dim")] if any(line.expected is not None for line in lines) else []


def _said(line: GateLine) -> str:
    said = line.reason
    if line.test is not None and line.better + line.worse:
        said += f"; {_test(line.test)}"
    return f"{said}; worse: {_some(line.worse)}" if line.worse else said


def _numbers(line: GateLine) -> str:
    if line.baseline is None or line.candidate is None:
        return "n/a"
    if line.name == "unknown_share":
        return f"{100 * line.baseline:.1f} → {100 * line.candidate:.1f} %"
    return f"{line.baseline:.4g} → {line.candidate:.4g}"


def _test(test: PairedTest) -> str:
    """Say a test in brief: discordant questions, exact p, and the mid-p and Holm-adjusted p where there are any."""
    said = [f"{test.better} better, {test.worse} worse, p = {test.p:.3g}"]
    if test.mid_p is not None:
        said.append(f"mid-p {test.mid_p:.3g}")
    if test.adjusted_p is not None:
        said.append(f"Holm {test.adjusted_p:.3g}")
    return ", ".join(said)


def _moved(moved: Sequence[Moved], console: Console, most: int = _MOST_MOVED) -> None:
    if not moved:
        return
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(overflow="fold")
    table.add_column(overflow="fold")
    for move in moved[:most]:
        before, after = _outcome(move.before, move.cause_before), _outcome(move.after, move.cause_after)
        table.add_row(Text(printable(move.id, limit=_ID_LIMIT)), Text(f"{before} → {after}"))
    _section(f"Questions that moved: {len(moved)}, the worst first", table, console)
    if len(moved) > most:
        console.print(Text(f"  … and {len(moved) - most} more that are not shown"))


def _changed(changed: Sequence[Changed], console: Console) -> None:
    """Report what differs between the pipelines, on top: it is what the decision is about."""
    for change in changed:
        console.print(Text(f"changed: {printable(str(change), limit=_MOST_CHANGED)}"))


def _flaky(sides: Sequence[FlakySide], console: Console) -> None:
    """List the questions that did not come out alike in all repeats, the worst first."""
    if not sides:
        return
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(overflow="fold")
    table.add_column(overflow="fold")
    said = []
    for side in sides:
        said.append(f"  {side.said}")
        for question in side.questions[:_MOST_FLAKY]:
            name = f"{side.said.partition(':')[0]} {printable(question.id, limit=_ID_LIMIT)}"
            table.add_row(Text(name), Text(buckets_in_words(question)))
        if len(side.questions) > _MOST_FLAKY:
            table.add_row(Text(f"… and {len(side.questions) - _MOST_FLAKY} more"), Text("that are not shown"))
    _section(
        "Flaky questions: the bucket differs between repeats",
        Group(*map(Text, (line.strip() for line in said))),
        console,
    )
    if table.row_count:
        console.print(Padding(table, (0, 0, 0, 2)))


def _outcome(bucket: str, cause: str | None) -> str:
    return f"{bucket} ({cause})" if cause else bucket


def _some(ids: Sequence[str]) -> str:
    shown = ", ".join(printable(key, limit=_ID_LIMIT) for key in islice(ids, _MOST_IDS))
    return f"{shown} and {len(ids) - _MOST_IDS} more" if len(ids) > _MOST_IDS else shown


def _section(title: str, body: Table | Group, console: Console) -> None:
    console.print()
    console.print(Text(title, style="bold"))
    console.print(Padding(body, (0, 0, 0, 2)))
