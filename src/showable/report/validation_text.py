"""A validation on the terminal: a table, one or two lines a file, then what it means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap

from rich.console import Console
from rich.text import Text

from showable.measure.rates import Rate
from showable.measure.validated import FileFigures, Macro, Validation
from showable.report.untrusted import printable
from showable.report.validation_words import caveats, headline, meaning, short_names, spent

WIDTH = 100
_NARROWEST, _NARROWEST_NAME = 60, 12
_NAME_ENOUGH = 24
"""Letters of a name that tell most files apart; where there is no room for them, intervals go below their figures."""
_GAP, _TIGHT = 2, 1
_MOST_CAVEATS = 20


@dataclass(frozen=True, slots=True)
class Column:
    """One figure: its heading, its name, how many decimals, and whether its interval stands beside it."""

    head: str
    name: str
    decimals: int = 0
    interval: bool = True


_MAJORITY = Column("maj.", "majority_balanced_accuracy", interval=False)
_BALANCED = Column("bal. acc.", "balanced_accuracy", 1)
_RATES = (_BALANCED, Column("TPR", "tpr"), Column("TNR", "tnr"))
COLUMNS: dict[str, tuple[Column, ...]] = {
    "entailment": (
        *_RATES,
        Column("AUC", "auc"),
        Column("kappa", "kappa"),
        Column("ECE", "ece"),
        Column("words", "coverage_balanced_accuracy", interval=False),
        _MAJORITY,
    ),
    "refusal": (
        *_RATES,
        Column("F1", "f1"),
        Column("kappa", "kappa"),
        Column("words", "usual_words_balanced_accuracy", interval=False),
        _MAJORITY,
    ),
    "factuality": (*_RATES, Column("bucket", "bucket_accuracy"), Column("kappa", "kappa"), _MAJORITY),
}
_KEYS = {
    "entailment": "; words and maj.: balanced accuracy of counting the claim's words in the passage, and of"
    " always saying the more frequent label",
    "refusal": "; words and maj.: balanced accuracy of looking for the usual words (cannot, unable, no"
    " information), and of always saying the more frequent label",
    "factuality": "; bucket: share in the very bucket of its label; kappa: over the four buckets; maj.: balanced accuracy of"
    " always saying the more frequent label",
}


def render_validation(found: Validation, *, console: Console) -> None:
    """Print a validation, 100 columns wide in a log and on any terminal that is as wide, else as wide as the terminal."""
    width = max(_NARROWEST, min(WIDTH, console.width)) if console.is_terminal else WIDTH
    _paragraph(headline(found), console, width, style="bold")
    console.print()
    table = _table(found, width)
    for number, line in enumerate(table):
        console.print(Text(line.rstrip(), style="bold" if not number else ""), soft_wrap=True)
    _paragraph(
        f"In percent (kappa in hundredths) with 95 % intervals{_KEYS[found.task]}{_dash(found)}.", console, width
    )
    console.print()
    for said in meaning(found):
        _paragraph(said, console, width)
    if found.task == "factuality":
        _confusions(found.files, console, width)
    _notes(found, console, width)
    if (cost := spent(found)) is not None:
        _paragraph(cost, console, width)
    console.print(Text(f"signature {found.signature}", style="dim"), soft_wrap=True)


def _dash(found: Validation) -> str:
    """Return what a dash means, where there is one."""
    entries = _entries(found)
    dashes = any("–" in (*entry.values, *entry.intervals) for entry in entries)
    return "; –: not measurable, or too few rows for an interval" if dashes else ""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line of the table: a name, its figures from n to ms, and their intervals, empty where a figure has none by nature."""

    name: str
    values: tuple[str, ...]
    intervals: tuple[str, ...]

    def beside(self) -> tuple[str, list[str]]:
        """Put intervals beside their figures."""
        pairs = zip(self.values, self.intervals, strict=True)
        return self.name, [f"{value} {interval:>5}" if interval else value for value, interval in pairs]

    def below(self) -> list[tuple[str, Sequence[str]]]:
        """Put intervals on a line of their own."""
        return [(self.name, self.values), *([("", self.intervals)] if any(self.intervals) else [])]


def _table(found: Validation, width: int) -> list[str]:
    """Lay the figures out in columns as wide as they need to be, intervals beside them where that leaves room for the names."""
    entries = _entries(found)
    longest = max(len(entry.name) for entry in entries)
    beside = [entry.beside() for entry in entries]
    if _room(beside, width) >= min(longest, _NAME_ENOUGH):
        return _lay_out(beside, width)
    return _lay_out([line for entry in entries for line in entry.below()], width)


def _entries(found: Validation) -> list[_Entry]:
    columns, names = COLUMNS[found.task], short_names(found.files)
    figures: list[tuple[str, FileFigures | Macro]] = [(names[file.file], file) for file in found.files]
    if len(found.files) > 1:
        figures.append(("mean over files", found.macro))
    heads = ("n", *(column.head for column in columns), "ms")
    entries = [_Entry("file", heads, ("",) * len(heads))]
    for name, one in figures:
        values = (str(one.n), *(_value(one, column) for column in columns), _milliseconds(one.ms_per_pair))
        entries.append(_Entry(name, values, ("", *(_interval(one, column) for column in columns), "")))
    return entries


def _widths(lines: Sequence[tuple[str, Sequence[str]]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*(cells for _, cells in lines), strict=True)]


def _room(lines: Sequence[tuple[str, Sequence[str]]], width: int, gap: int = _GAP) -> int:
    """Return the columns that are left for names."""
    widths = _widths(lines)
    return width - sum(widths) - gap * len(widths)


def _lay_out(lines: Sequence[tuple[str, Sequence[str]]], width: int) -> list[str]:
    widths = _widths(lines)
    gap = _GAP if _room(lines, width) >= max(len(name) for name, _ in lines) else _TIGHT
    names = [_shortened(name, max(_NARROWEST_NAME, _room(lines, width, gap))) for name, _ in lines]
    longest = max(map(len, names))
    return [
        f"{name:<{longest}}" + "".join(f"{cell:>{wide + gap}}" for cell, wide in zip(cells, widths, strict=True))
        for name, (_, cells) in zip(names, lines, strict=True)
    ]


def _value(figures: FileFigures | Macro, column: Column) -> str:
    value = getattr(figures, column.name, None)
    if value is None:
        value = figures.baseline.get(column.name)
    return "–" if value is None else f"{100 * value:.{column.decimals}f}"


def _interval(figures: FileFigures | Macro, column: Column) -> str:
    if not column.interval or getattr(figures, column.name, None) is None:
        return ""
    interval = figures.intervals.get(column.name)
    return "–" if interval is None else f"{100 * interval[0]:.0f}–{100 * interval[1]:.0f}"


def _milliseconds(ms: float | None) -> str:
    if ms is None:
        return "–"
    return f"{ms:.2f}" if ms < 1 else f"{ms:.1f}" if ms < 10 else f"{ms:.0f}"  # noqa: PLR2004 - three digits tell enough


def _shortened(name: str, room: int) -> str:
    """Cut a long name in its middle: beginnings and ends tell files apart."""
    if len(name) <= room:
        return name
    tail = (room - 1) // 2
    return f"{name[: room - 1 - tail]}…{name[-tail:]}"


def _confusions(files: Sequence[FileFigures], console: Console, width: int) -> None:
    names = short_names(files)
    for file in files:
        if not file.confusion:
            continue
        console.print()
        axes = ": label (rows) against score (columns)"
        said = f"{_shortened(names[file.file], width - len(axes))}{axes}"
        console.print(Text(said, style="bold"), soft_wrap=True)
        heads = list(next(iter(file.confusion.values())))
        columns = "".join(f"{head:>{len(head) + _GAP}}" for head in heads)
        console.print(Text(f"{'':<13}{columns}  found again, %"), soft_wrap=True)
        for label, counts in file.confusion.items():
            cells = "".join(f"{counts[head]:>{len(head) + _GAP}}" for head in heads)
            again = _again(file.recall[label]) if file.recall else "–"
            console.print(Text(f"  {label:<11}{cells}  {again}"), soft_wrap=True)


def _again(rate: Rate) -> str:
    """Print a rate whose counts stand in the same line."""
    if rate.rate is None or rate.low is None or rate.high is None:
        return "–"
    return f"{100 * rate.rate:.0f} {100 * rate.low:.0f}–{100 * rate.high:.0f}"


def _notes(found: Validation, console: Console, width: int) -> None:
    said = caveats(found)
    if said:
        console.print()
        console.print(Text("Not in the figures, or missing from them", style="bold"))
    for note in said[:_MOST_CAVEATS]:
        _paragraph(f"- {printable(note)}", console, width, indent="  ")
    if len(said) > _MOST_CAVEATS:
        _paragraph(f"- and notes on {len(said) - _MOST_CAVEATS} more files: see --json", console, width)
    console.print()


def _paragraph(text: str, console: Console, width: int, *, style: str = "", indent: str = "") -> None:
    for line in wrap(text, width, break_on_hyphens=False, break_long_words=False, subsequent_indent=indent):
        console.print(Text(line, style=style), soft_wrap=True)
