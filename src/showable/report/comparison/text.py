"""A comparison on the terminal: runs are numbered once, so that every table fits eighty columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from showable.measure.comparison import CategoryShare, Comparison, LicenceEffect, Row, Share
from showable.report.category_table import EXPECTED_NOTE
from showable.report.comparison import words
from showable.report.decision_words import p_value
from showable.report.untrusted import printable

_NAME, _LONG_NAME, _OF_ID, _MOST_MOVED, _MOST_SAID = 28, 60, 60, 8, 1_000
_WIDE = 100
T = TypeVar("T")
_OF_ONE, _OF_HEAD, _BESIDE_COUNTS = 8, 7, 11
"""Columns of the table of categories: what one run takes, the head over what is as expected, and all else of a run then."""
_MOST_REASONS_FOR_ALL = 4
"""Up to so many runs the gate's reasons are told for every pair, else with the first run as the baseline."""


def render_comparison(comparison: Comparison, *, console: Console, details: bool = True) -> None:
    """Print a comparison; without `details` what fits a screen, which leaves out the categories."""
    console.print(Text(f"Comparison of {words.head_of(comparison)}", style="bold"))
    console.print(Padding(_runs(comparison, console.width), (0, 0, 0, 2)))
    _section("Buckets: answers, and the 95 % interval of their share", [_buckets(comparison, console.width)], console)
    _section("Axes, refusals, time and cost", [_axes(comparison, console.width)], console)
    by_category = "By category of question" if words.expects(comparison) else "Acceptable answers by category"
    if details:
        _section(by_category, list(_categories(comparison, console.width)), console)
    for effect in comparison.licence:
        _licence(effect, comparison, console)
    if comparison.swaps:
        _swaps(comparison, console)
    for unclear in comparison.licence_unclear:
        said = printable(words.unclear_in_words(unclear, words.by_number(comparison)), limit=_MOST_SAID)
        _section("What the refusal licence does", [Text(said)], console)
    _gate(comparison, console)
    console.print()
    for note in _notes(comparison):
        console.print(Text(note))
    if not details:
        console.print(Text("--details prints the categories of question as well"))
    console.print(Text(f"signature {comparison.signature}", style="dim"), soft_wrap=True)


def _runs(comparison: Comparison, width: int) -> Table:
    """List the runs under their numbers, with a heading wherever the class of model changes."""
    table = _grid("rll") if width >= _WIDE else _grid("rl")
    before = None
    classed = any(row.model_class != "not said" for row in comparison.rows)
    for row in comparison.rows:
        if classed and words.class_of(row) != before:
            before = words.class_of(row)
            table.add_row("", Text(f"model class: {before}", style="dim"))
        number, facts = Text(str(row.number), style="bold"), printable(words.facts_in_words(row), limit=200)
        if width >= _WIDE:
            table.add_row(number, Text(_name(row)), Text(facts))
        else:
            table.add_row(number, Text.assemble(printable(row.name, limit=_LONG_NAME), "\n", (facts, "dim")))
    return table


def _buckets(comparison: Comparison, width: int) -> Table:
    heads = [*words.BUCKETS, "acceptable"]
    table = _grid("rl" + "r" * len(heads)) if width >= _WIDE else _grid("r" + "r" * len(heads))
    _head(table, ["", *([""] if width >= _WIDE else []), *heads])
    for row in comparison.rows:
        shares = [*(row.buckets[bucket] for bucket in words.BUCKETS), row.acceptable]
        table.add_row(
            *_labels(row, width), *(_two(words.count(one), words.interval(one.low, one.high)) for one in shares)
        )
    return table


def _axes(comparison: Comparison, width: int) -> Table:
    heads = [
        "cit.\nexist",
        "cit.\nsupport",
        "refusal\nquality",
        "claims\nuncited",
        "refusals\nright",
        "over-\nrefusals",
    ]
    heads += ["time,\np95", "cost a\nquest."]
    table = _grid("rl" + "r" * len(heads)) if width >= _WIDE else _grid("r" + "r" * len(heads))
    _head(table, ["", *([""] if width >= _WIDE else []), *heads])
    for row in comparison.rows:
        cells = [
            words.rate(row.citation_exists),
            words.rate(row.citation_supports),
            words.quality(row.refusal_quality),
            (f"{row.extra_claim_count.sum:.4g}", ""),
            _of(row.refusals.right),
            _of(row.refusals.over),
            (words.seconds(row.latency.median), words.seconds(row.latency.p95) if row.latency.n else ""),
            (words.cost(row.cost)[0], ""),
        ]
        table.add_row(*_labels(row, width), *(_two(*cell) for cell in cells))
    return table


def _categories(comparison: Comparison, width: int) -> Iterator[Table | Text]:
    """Lay categories out by run, as many runs beside one another as there is room for, and say how to read it."""
    expects = words.expects(comparison)
    of_pair = _BESIDE_COUNTS + max(_OF_HEAD, 2 * len(str(comparison.n)) + 1)
    for rows in _in_parts(comparison.rows, max(1, (width - 24) // (of_pair if expects else _OF_ONE))):
        table = _grid("lr" + "r" * len(rows) * (1 + expects))
        if expects:
            _head(table, ["", "", *(cell for row in rows for cell in (str(row.number), ""))])
            _head(table, ["", "of", *["accept-\nable", "as ex-\npected"] * len(rows)])
        else:
            _head(table, ["", "of", *(str(row.number) for row in rows)])
        for name in words.category_names(comparison):
            n = rows[0].categories[name].acceptable.n
            cells = [cell for row in rows for cell in _counted(row.categories[name], expects=expects)]
            table.add_row(Text(printable(name.replace("_", " "), limit=24)), Text(str(n)), *map(Text, cells))
        yield table
    if expects:
        yield Text(EXPECTED_NOTE, style="dim")


def _counted(one: CategoryShare, *, expects: bool) -> list[str]:
    return [str(one.acceptable.count), *([words.expected(one)[0].removesuffix(" decided")] if expects else [])]


def _licence(effect: LicenceEffect, comparison: Comparison, console: Console) -> None:
    table = _grid("lrrrrr")
    _head(table, ["", "without", "with", "change", "p", "Holm"])
    for line in words.in_order(effect):
        p = (p_value(line.test.p), p_value(line.test.adjusted_p)) if line.test.better + line.test.worse else ("–", "–")
        moved = words.change(line.without, line.licensed)
        table.add_row(*map(Text, [line.name, str(line.without), str(line.licensed), moved, *p]))
    parts: list[Table | Text] = [
        Text(printable(words.licence_head(effect, words.by_number(comparison)), limit=200)),
        table,
    ]
    if effect.moved:
        parts.append(Text(f"{words.moved_in_words(effect)}. The worst first:"))
        parts += [
            Text(f"  {printable(one.id, limit=_OF_ID)}  {one.without} → {one.licensed}")
            for one in effect.moved[:_MOST_MOVED]
        ]
    if len(effect.moved) > _MOST_MOVED:
        parts.append(Text(f"  … and {len(effect.moved) - _MOST_MOVED} more that are not shown"))
    _section("What the refusal licence does", parts, console)


def _swaps(comparison: Comparison, console: Console) -> None:
    """Print the buckets down and the swaps across, as many beside each other as fit."""
    rows, room = words.by_number(comparison), max(1, (console.width - 14) // 24)
    parts: list[Table | Text] = []
    for swaps in _in_parts(comparison.swaps, room):
        table = _grid("l" + "r" * len(swaps))
        _head(table, ["", *(printable(words.swap_head(swap, rows), limit=60) for swap in swaps)])
        for cells in zip(words.SWAP_LINES, *map(words.swap_cells, swaps), strict=True):
            table.add_row(*map(Text, cells))
        parts.append(table)
    _section(words.SWAPS, parts, console)


def _gate(comparison: Comparison, console: Console) -> None:
    """Print what the gate decides between any two rows, and why; of more than fit beside each other, with the first as baseline."""
    room = max(1, (console.width - 16) // 6)
    parts: list[Table | Text] = [_matrix(comparison)] if len(comparison.rows) <= room else []
    every = len(comparison.rows) <= _MOST_REASONS_FOR_ALL
    parts += [
        Text(f"{one.baseline} → {one.candidate}: {words.verdict(one)}: {printable(words.reason(one), limit=200)}")
        for one in comparison.gate
        if every or one.baseline == 1
    ]
    if not every:
        parts.append(Text("The others, and why: -o FILE writes all of them (.html, .md or .json)."))
    _section("The gate: may the candidate (column) replace the baseline (row)?", parts, console)


def _matrix(comparison: Comparison) -> Table:
    crossings = {(one.baseline, one.candidate): one for one in comparison.gate}
    signs = {"SHIP": ("ship", "green"), "DO NOT SHIP": ("no", "red"), "INCONCLUSIVE": ("?", "magenta")}
    table = _grid("r" + "l" * len(comparison.rows))
    _head(table, ["baseline", *(str(row.number) for row in comparison.rows)])
    for row in comparison.rows:
        cells = [Text(str(row.number), style="bold")]
        for column in comparison.rows:
            crossing = crossings.get((row.number, column.number))
            sign, style = signs[words.verdict(crossing)] if crossing else ("·", "dim")
            cells.append(Text(sign, style=style))
        table.add_row(*cells)
    return table


def _notes(comparison: Comparison) -> list[str]:
    notes = [words.REFUSALS_NOTE]
    if any(row.repeats > 1 for row in comparison.rows):
        notes.append(words.REPEATS_NOTE)
    notes.append("The rows stand as they were given; no one number ranks them.")
    return notes


def _labels(row: Row, width: int) -> list[Text]:
    number = Text(str(row.number), style="bold")
    return [number, Text(_name(row))] if width >= _WIDE else [number]


def _name(row: Row) -> str:
    return printable(row.name, limit=_NAME)


def _of(one: Share) -> tuple[str, str]:
    return (f"{one.count}/{one.n}" if one.n else "n/a"), words.interval(one.low, one.high)


def _two(first: str, second: str) -> Text:
    """Put the interval under its figure."""
    return Text(first) if not second else Text.assemble(first, "\n", (second.removesuffix(" %"), "dim"))


def _grid(columns: str) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for place, side in enumerate(columns):
        last = place == len(columns) - 1 and side == "l"
        table.add_column(justify="right" if side == "r" else "left", overflow="fold", no_wrap=not last)
    return table


def _head(table: Table, heads: Sequence[str]) -> None:
    table.add_row(*(Text(head, style="dim") for head in heads))


def _section(title: str, parts: Sequence[Table | Text], console: Console) -> None:
    console.print()
    console.print(Text(title, style="bold"))
    for part in parts:
        console.print(Padding(part, (0, 0, 0, 2)))


def _in_parts(rows: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (rows[start : start + size] for start in range(0, len(rows), size))
