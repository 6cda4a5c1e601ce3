"""How far labelling is, on the terminal."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from showable.measure.label_status import LabelStatus
from showable.measure.stale_labels import Staleness
from showable.report.check_words import counted
from showable.report.untrusted import printable

ABOUT = {
    "support": "claim and passage",
    "bucket": "bucket",
    "refusal_quality": "refusal quality",
    "extra_claims": "extra claims",
    "claim_kind": "claim kind",
    "comment": "comment",
}
_STALE: Mapping[Staleness, str] = {
    "another_answer": "given on another answer than this run holds",
    "another_guide": "given under another text of the guide",
    "another_record": "of records that this run does not hold",
}


def render_status(status: LabelStatus, *, console: Console) -> None:
    """Print who labelled what, how far the queues are, where people disagree, and which labels no longer count."""
    said = f"{counted(status.labels, 'label')} on {status.labelled} of {counted(status.records, 'record')} of {printable(status.run)}"
    console.print(Text(said, style="bold"))
    if status.reviewers:
        _section(console, "Who", _people(status))
    if status.targets:
        _section(console, "What", _targets(status))
    if status.queues:
        _section(console, "Queues", _queues(status))
    console.print()
    for line in _notes(status):
        console.print(Text(line))


def stale_lines(stale: Mapping[Staleness, int]) -> list[str]:
    """Return how many labels no longer count, and why: one line a reason."""
    return [
        f"{counted(n, 'label')} {'does' if n == 1 else 'do'} not count here: {_STALE[why]}."
        for why, n in sorted(stale.items())
    ]


def _section(console: Console, title: str, table: Table) -> None:
    console.print()
    console.print(Text(title, style="bold"))
    console.print(Padding(table, (0, 0, 0, 2)))


def _people(status: LabelStatus) -> Table:
    abouts = [about for about in ABOUT if any(about in one.labels for one in status.reviewers)]
    table = _table(
        ["name", "role", *(ABOUT[about] for about in abouts), "stale", "last"], left={"name", "role", "last"}
    )
    for one in status.reviewers:
        counts = [str(one.labels.get(about, 0)) for about in abouts]
        _row(table, printable(one.name), one.role, *counts, str(one.stale), _moment(one.last))
    return table


def _targets(status: LabelStatus) -> Table:
    heads = ["about", "labelled", "by two", "settled", "disagree", "can't tell", "uncounted"]
    table = _table(heads, left={"about"})
    for one in status.targets:
        counts = (one.labelled, one.twice, one.settled, one.disagree, one.cannot_tell, one.uncounted)
        _row(table, ABOUT.get(one.about, one.about), *map(str, counts))
    return table


def _queues(status: LabelStatus) -> Table:
    table = _table(["queue", "kind", "records", "for all", "to do", "done by"], left={"queue", "kind", "done by"})
    for one in status.queues:
        shares = (
            ", ".join(f"{printable(share.name)} {share.done}/{share.dealt}" for share in one.reviewers) or "nobody yet"
        )
        _row(table, one.name, one.kind, str(one.n), str(one.overlap), str(one.unfinished), shares)
    return table


def _notes(status: LabelStatus) -> list[str]:
    lines = []
    if disagreeing := sum(one.disagree for one in status.targets):
        lines.append(f"People disagree on {disagreeing}: `showable review` has a page to settle them.")
    lines += stale_lines(status.stale)
    if status.hold_out:
        lines.append(f"Held out: {counted(status.hold_out, 'record')}, {status.hold_out_labelled} of them labelled.")
    return [*lines, f"Labels: {printable(status.file)}"]


def _table(heads: list[str], left: set[str]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for head in heads:
        table.add_column(justify="left" if head in left else "right", overflow="fold")
    table.add_row(*(Text(head, style="dim") for head in heads))
    return table


def _row(table: Table, *cells: str) -> None:
    table.add_row(*(Text(cell) for cell in cells))


def _moment(at: str | None) -> str:
    return "–" if at is None else f"{at[:10]} {at[11:16]}"
