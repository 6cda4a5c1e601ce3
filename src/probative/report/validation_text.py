"""A validation on the terminal: one line a file, 100 columns, then what it means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap

from rich.console import Console
from rich.text import Text

from probative.measure.validated import FileFigures, Macro, Validation
from probative.report.untrusted import printable
from probative.report.validation_words import caveats, headline, meaning, short_name, spent

WIDTH = 100
_NARROWEST_NAME = 12
_GAP = 2
_MOST_CAVEATS = 20


@dataclass(frozen=True, slots=True)
class Column:
    """One figure: its heading, its name, how many decimals, and whether its interval stands beside it."""

    head: str
    name: str
    decimals: int = 0
    interval: bool = True


_BALANCED = Column("bal. acc.", "balanced_accuracy", 1)
_RATES = (_BALANCED, Column("TPR", "tpr"), Column("TNR", "tnr"))
COLUMNS: dict[str, tuple[Column, ...]] = {
    "entailment": (
        *_RATES,
        Column("AUC", "auc"),
        Column("kappa", "kappa"),
        Column("ECE", "ece"),
        Column("words", "coverage_balanced_accuracy", interval=False),
    ),
    "refusal": (
        *_RATES,
        Column("F1", "f1"),
        Column("kappa", "kappa"),
        Column("words", "usual_words_balanced_accuracy", interval=False),
    ),
    "factuality": (*_RATES, Column("bucket", "bucket_accuracy"), Column("kappa", "kappa")),
}
_KEYS = {
    "entailment": "; words: balanced accuracy of counting the claim's words in the passage",
    "refusal": "; words: balanced accuracy of looking for the usual words (cannot, unable, no information)",
    "factuality": "; bucket: share in the very bucket of its label; kappa: over the four buckets",
}


def render_validation(found: Validation, *, console: Console) -> None:
    """Print a validation. Lines are 100 columns wide whatever the console, so that a log reads like a terminal."""
    _paragraph(headline(found), console, style="bold")
    console.print()
    for number, line in enumerate(_table(found)):
        console.print(Text(line, style="bold" if not number else ""), soft_wrap=True)
    _paragraph(f"In percent (kappa in hundredths), the 95 % interval after each figure{_KEYS[found.task]}.", console)
    console.print()
    for said in meaning(found):
        _paragraph(said, console)
    if found.task == "factuality":
        _confusions(found.files, console)
    _notes(found, console)
    if (cost := spent(found)) is not None:
        console.print(Text(cost), soft_wrap=True)
    console.print(Text(f"signature {found.signature}", style="dim"), soft_wrap=True)


def _table(found: Validation) -> list[str]:
    """Lay the figures out in columns as wide as they need to be; file names get what is left of the line."""
    columns = COLUMNS[found.task]
    entries: list[tuple[str, FileFigures | Macro]] = [(short_name(file.file), file) for file in found.files]
    if len(found.files) > 1:
        entries.append(("mean over files", found.macro))
    rows = [["n", *(column.head for column in columns), "ms"]]
    for _, figures in entries:
        cells = [_cell(figures, column) for column in columns]
        rows.append([str(figures.n), *cells, _milliseconds(figures.ms_per_pair)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    room = max(_NARROWEST_NAME, WIDTH - sum(widths) - _GAP * len(widths))
    names = [_shortened(name, room) for name in ("file", *(name for name, _ in entries))]
    longest = max(map(len, names))
    return [
        f"{name:<{longest}}" + "".join(f"{cell:>{width + _GAP}}" for cell, width in zip(row, widths, strict=True))
        for name, row in zip(names, rows, strict=True)
    ]


def _cell(figures: FileFigures | Macro, column: Column) -> str:
    value = getattr(figures, column.name, None)
    if value is None:
        value = figures.baseline.get(column.name)
    if value is None:
        return "–"
    said = f"{100 * value:.{column.decimals}f}"
    if not column.interval:
        return said
    interval = figures.intervals.get(column.name)
    return f"{said} {'–' if interval is None else f'{100 * interval[0]:.0f}–{100 * interval[1]:.0f}':>5}"


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


def _confusions(files: Sequence[FileFigures], console: Console) -> None:
    for file in files:
        if not file.confusion:
            continue
        console.print()
        console.print(
            Text(f"{short_name(file.file)}: label (rows) against score (columns)", style="bold"), soft_wrap=True
        )
        heads = list(next(iter(file.confusion.values())))
        console.print(Text(f"{'':<14}" + "".join(f"{head:>13}" for head in heads) + "   found again"), soft_wrap=True)
        for label, counts in file.confusion.items():
            rate = file.recall[label] if file.recall else None
            again = "–" if rate is None or rate.rate is None else str(rate)
            cells = "".join(f"{counts[head]:>13}" for head in heads)
            console.print(Text(f"  {label:<12}{cells}   {again}"), soft_wrap=True)


def _notes(found: Validation, console: Console) -> None:
    said = caveats(found)
    if said:
        console.print()
        console.print(Text("Not in the figures, or missing from them", style="bold"))
    for note in said[:_MOST_CAVEATS]:
        _paragraph(f"- {printable(note)}", console)
    if len(said) > _MOST_CAVEATS:
        _paragraph(f"- and notes on {len(said) - _MOST_CAVEATS} more files: see --json", console)
    console.print()


def _paragraph(text: str, console: Console, *, style: str = "") -> None:
    for line in wrap(text, WIDTH, break_on_hyphens=False, break_long_words=False):
        console.print(Text(line, style=style), soft_wrap=True)
