"""The runs of a folder on the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from showable.measure.history import History, PastRun
from showable.measure.rates import percent
from showable.report.history import words
from showable.report.untrusted import printable

_WIDE = 110


def render_history(history: History, *, console: Console) -> None:
    """Print the runs, the newest last, and what is the matter with those that cannot be told of."""
    if not history.runs and not history.left_out:
        console.print(
            Text(f"{printable(history.folder)} holds no runs yet; `showable run` and `showable score` make them.")
        )
    if history.runs:
        console.print(Text(words.head_of(history), style="bold"))
        console.print(Padding(_table(history, wide=console.width >= _WIDE), (0, 0, 0, 2)))
        console.print()
        console.print(Text(words.note_of(history)))
    if history.left_out:
        console.print()
        console.print(Text(f"Not told of: {len(history.left_out)}", style="bold"))
        for one in history.left_out:
            console.print(
                Padding(
                    Text(f"{printable(one.folder, limit=60)}{_pins(one.pinned)}: {printable(one.why)}"), (0, 0, 0, 2)
                )
            )
    for name, run in history.missing.items():
        console.print(Text(f"The baseline {printable(name)} stands for {printable(run)}, which is gone; pin another."))


def _table(history: History, *, wide: bool) -> Table:
    heads = [
        "when",
        "run",
        "n",
        "ok %",
        "cor.",
        "ref.",
        "wrong",
        "unsup.",
        "unk.",
        "set",
        *(["signature"] if wide else []),
    ]
    table = Table.grid(padding=(0, 1, 0, 0) if not wide else (0, 2, 0, 0))
    minutes = wide or words.share_a_day(history)
    for head in heads:
        table.add_column(
            justify="left" if head in {"when", "run", "set", "signature"} else "right",
            no_wrap=head != "run",
            overflow="fold",
        )
    table.add_row(*(Text(head, style="dim") for head in heads))
    for run in history.runs:
        cells = [words.moment(run) if minutes else words.day(run), "", f"{run.n}", _share(run)]
        cells += [f"{run.buckets[bucket].count}" for bucket in words.BUCKETS]
        cells += [run.questions_fingerprint[:6], *([run.signature_short] if wide else [])]
        table.add_row(*(_run(run) if not place - 1 else Text(cell) for place, cell in enumerate(cells)))
    return table


def _run(run: PastRun) -> Text:
    """The folder, by which commands know it, the names pinned to it, and under them the pipeline's label."""
    repeats = f" ×{run.repeats}" if run.repeats > 1 else ""
    said = Text.assemble(printable(run.folder, limit=60), repeats, (_pins(run.pinned), "green"))
    return said if run.name == run.folder else Text.assemble(said, "\n", (printable(run.name, limit=60), "dim"))


def _pins(names: tuple[str, ...]) -> str:
    return f" [{', '.join(names)}]" if names else ""


def _share(run: PastRun) -> str:
    return "n/a" if run.acceptable.share is None else percent(run.acceptable.share)
