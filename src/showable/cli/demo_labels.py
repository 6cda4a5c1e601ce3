"""Print where the scorer and the labels of the demo's answers disagree, and why each says so."""

from __future__ import annotations

from pathlib import Path

from rich.table import Table
from rich.text import Text

from showable.cli.console import ReportConsole
from showable.demo.embedded import expected_labels
from showable.records.scorecard import Scorecard
from showable.report.untrusted import printable
from showable.stores.run_folder import SCORES, read_run_lines


def show_disagreements(folder: Path) -> None:
    """Print a table of the records on which scorer and label part, with both reasons."""
    labels = expected_labels()
    cards = {card.id: card for card in read_run_lines(folder / SCORES, Scorecard)}
    apart = [card for card in cards.values() if not _agrees(card, labels[card.id])]
    buckets = sum(card.bucket == labels[card.id]["bucket"] for card in cards.values())
    console = ReportConsole()
    console.print()
    console.print(
        f"Beside the labels, given before the scorer first read the answers: {buckets} of {len(cards)} in the same bucket, "
        f"{len(cards) - len(apart)} for the same cause."
    )
    for card in sorted(apart, key=lambda card: card.id):
        console.print(_row(card, labels[card.id]))


def _agrees(card: Scorecard, label: dict[str, str]) -> bool:
    return (card.bucket, card.cause) == (label["bucket"], label["cause"])


def _row(card: Scorecard, label: dict[str, str]) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 1), pad_edge=False)
    table.add_column(style="bold", no_wrap=True, width=8)
    table.add_column(no_wrap=True, width=8)
    table.add_column(ratio=1)
    table.add_row(card.id, "label", Text(f"{_verdict(label['bucket'], label['cause'])}: {label['why']}"))
    failed = [f"{f.subject}: {f.reason}" for f in card.findings if f.outcome == "fail" and f.rubric != "structural"]
    said = f"{_verdict(card.bucket, card.cause)}: {card.why}" + (f" ({'; '.join(failed)[:200]})" if failed else "")
    table.add_row("", "scorer", Text(printable(said)))
    return table


def _verdict(bucket: str, cause: str | None) -> str:
    return f"{bucket} ({cause})" if cause else bucket
