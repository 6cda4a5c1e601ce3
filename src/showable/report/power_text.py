"""What a question set can show, on the terminal."""

from __future__ import annotations

from math import ceil, floor

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from showable.measure.power_table import PowerRow, PowerTable
from showable.report.untrusted import printable

_WIDE, _INDENT = 76, 2
_OF_NAME, _BESIDE_NAME = 40, 16
"""Names of categories are shortened to this, and where there is less room to that less the number beside it; never split."""


def render_power(table: PowerTable, *, console: Console) -> None:
    """Print the table, and how it is to be read. Where there is no room for columns each row takes two lines."""
    console.print(Text("What so many questions can show", style="bold"))
    body = _in_columns(table)
    if console.width < _WIDE or console.measure(body).maximum > console.width - _INDENT:
        body = _in_words(table, min(_OF_NAME, console.width - _BESIDE_NAME))
    console.print(Padding(body, (0, 0, 0, _INDENT)))
    console.print()
    for line in _notes(table):
        console.print(Text(line))


def _in_columns(table: PowerTable) -> Table:
    run = any(row.acceptable is not None for row in table.rows)
    drop = "smallest\ndrop seen" if run else "smallest drop seen"
    heads = ["", "n", "all pass", "one miss", drop, *(["this run", "proves"] if run else [])]
    laid = Table.grid(padding=(0, 2, 0, 0))
    for place, _ in enumerate(heads):
        laid.add_column(justify="right" if place else "left", no_wrap=True)
    laid.add_row(*(Text(head, style="dim") for head in heads))
    for row in table.rows:
        cells = [
            printable(row.name, limit=_OF_NAME),
            str(row.n),
            _proved(row.all_pass),
            _proved(row.one_miss),
            _drop(row),
        ]
        laid.add_row(*map(Text, [*cells, *(_of_run(row) if run else [])]))
    return laid


def _in_words(table: PowerTable, of_name: int) -> Table:
    laid = Table.grid(padding=(0, 2, 0, 0))
    laid.add_column(overflow="fold")
    for row in table.rows:
        laid.add_row(Text(f"{printable(row.name, limit=of_name)}, n = {row.n}", style="bold"))
        said = f"all pass {_proved(row.all_pass)}; one miss {_proved(row.one_miss)}; smallest drop seen {_drop(row)}"
        laid.add_row(Text(said))
        if row.acceptable is not None:
            laid.add_row(Text("this run {}, proves {}".format(*_of_run(row))))
    return laid


def _notes(table: PowerTable) -> list[str]:
    notes = [
        "all pass, one miss: the acceptable share that this proves (one-sided 95 % lower bound).",
        (
            "smallest drop seen: the net fall of the acceptable share that a paired test (McNemar's mid-p, two-sided 5 %)"
            " sees four times in five, where 2 % of the questions get better; none: it sees no drop so often, however large."
        ),
    ]
    if any(row.unknown for row in table.rows):
        notes.append("Answers that could not be decided count here as if they had failed.")
    return notes


def _proved(share: float) -> str:
    return f"≥ {floor(1000 * share) / 10:.1f} %"


def _drop(row: PowerRow) -> str:
    return "none" if row.smallest_drop is None else f"{ceil(1000 * row.smallest_drop - 1e-9) / 10:.1f} points"


def _of_run(row: PowerRow) -> list[str]:
    proved = "–" if row.proves is None else _proved(row.proves)
    return [f"{row.acceptable}/{row.n}", proved]
