"""What `showable questions` prints for people: counts against the protocol's, then problems grouped by what is wrong."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from showable.harness.questions.check_found import Problem, SetCheck

_SHOWN = 12
_SHOWN_IDS = 6


def show_check(found: SetCheck) -> None:
    """Print the outcome of a check."""
    from rich.text import Text

    from showable.cli.console import ReportConsole

    console = ReportConsole()
    _line(console, f"{found.name}: {found.n} questions, {found.held_out} held out", style="bold")
    _counts(console, found.categories, found.protocol)
    groups: dict[str, list[Problem]] = defaultdict(list)
    for problem in found.problems:
        groups[problem.code].append(problem)
    for code, problems in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        _line(console, f"\n{code.replace('_', ' ')} ({len(problems)})", style="bold red")
        for problem in problems[:_SHOWN]:
            _line(console, f"  {_where(problem)}{problem.problem}")
        if len(problems) > _SHOWN:
            _line(console, f"  and {len(problems) - _SHOWN} more (--json lists all)")
    if found.unchecked:
        console.print(Text("\nNot checked", style="bold yellow"))
        for one in found.unchecked:
            ids = ", ".join(one.ids[:_SHOWN_IDS]) + (" …" if len(one.ids) > _SHOWN_IDS else "")
            count = f" ({len(one.ids)}: {ids})" if one.ids else ""
            _line(console, f"  {one.what}{count}: {one.why}")
    _line(console, f"\n{_verdict(found)}", style="bold")


def show_built(facts: Mapping[str, Any], folder: Path, spec: str) -> None:
    """Print what was built, and where it is."""
    from showable.cli.console import ReportConsole

    console = ReportConsole()
    corpus, held = facts["corpus"], facts["held_out"]
    said = (
        f"{facts['n']} questions over {corpus['name']} ({corpus['documents']} documents, {corpus['passages']} passages)"
    )
    _line(console, said, style="bold")
    _counts(console, facts["categories"], None, held["categories"])
    if missing := facts["missing"]:
        listed = ", ".join(f"{count} {name}" for name, count in missing.items())
        then = "" if facts["model"] else "; more documents or --model MODEL would fill in"
        _line(console, f"\nmissing for {facts['n'] + sum(missing.values())}: {listed}{then}", style="bold yellow")
    own = "of documents of their own" if held["own_documents"] else held["note"] or ""
    _line(console, f"\nheld out: {held['n']}{f', {own}' if own else ''}")
    if facts["model_cost"] is not None:
        from showable.harness.questions.card import priced

        _line(console, f"{facts['model']}: {priced(facts['model_cost'])}")
    for note in facts["notes"]:
        _line(console, f"note: {note}")
    if facts["rejected"]:
        reasons = ", ".join(f"{count} {reason.replace('_', ' ')}" for reason, count in facts["rejected"].items())
        _line(console, f"left out: {reasons}")
    _line(
        console,
        f"\nSet: {folder} (README.md says how it was made). Read some of it; then: showable questions check {folder} --corpus {spec}",
    )


def _counts(
    console: Console,
    counted: Mapping[str, int],
    protocol: Mapping[str, int] | None,
    held_out: Mapping[str, int] | None = None,
) -> None:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("category")
    table.add_column("questions", justify="right")
    beside = protocol if protocol is not None else held_out or {}
    table.add_column("protocol" if protocol is not None else "held out", justify="right")
    for name, count in counted.items():
        table.add_row(name, str(count), str(beside.get(name, 0)))
    console.print(table)


def _where(problem: Problem) -> str:
    place = " ".join(part for part in (problem.id, problem.field) if part)
    return f"{place}: " if place else ""


def _verdict(found: SetCheck) -> str:
    if found.ok:
        return "No problems found." if not found.unchecked else "No problems found in what could be checked."
    concerned = len({problem.id for problem in found.problems if problem.id})
    return f"{len(found.problems)} problem{'s'[: len(found.problems) > 1]}, with {concerned} of {found.n + found.held_out} questions."


def _line(console: Console, said: str, style: str = "") -> None:
    from rich.text import Text

    from showable.report.untrusted import printable

    console.print(Text("\n".join(printable(line) for line in said.split("\n")), style=style))
