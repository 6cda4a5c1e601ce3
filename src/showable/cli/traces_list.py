"""`showable traces list`: the answers in a store, or those that cite what was not retrieved."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from showable.cli.options import JsonOption
from showable.cli.store_option import STORE, StoreOption, opened_store
from showable.cli.traces_filters import (
    BucketOption,
    FailingOption,
    ServiceOption,
    SinceOption,
    every_answer,
    read_where,
)
from showable.cli.traces_reading import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from showable.records.traced import LiveScore
    from showable.stores.traces.store import AnswerRow, Holdings, TraceStore, Where

_ID, _SERVICE, _QUESTION, _BUCKET, _MISSING, _GAP = 9, 24, 200, 27, 30, 2
_WIDE = 110
"""Columns from which the service is shown too."""
Column = tuple[str, int]


def list_answers(
    store: StoreOption = STORE,
    since: SinceOption = None,
    service: ServiceOption = None,
    bucket: BucketOption = None,
    failing: FailingOption = False,
    not_retrieved: Annotated[
        bool,
        typer.Option("--not-retrieved", help="Only what cites ids that its retrieval log does not hold, with the ids."),
    ] = False,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, help="How many, latest first.")] = 30,
    json: JsonOption = False,
) -> None:
    """List the answers in a store, the latest first, each with its three rubrics and its bucket."""
    where = read_where(since, service, bucket, failing=failing)
    with opened_store(store, make=False) as held:
        rows = [] if not_retrieved else list(every_answer(held, where, limit))
        citing = _not_retrieved(held, where, limit) if not_retrieved else []
        holds = held.holdings()
    if json:
        found = [_citing(score, ids) for score, ids in citing] if not_retrieved else [asdict(row) for row in rows]
        typer.echo(document({"answers": found, "held": holds.answers}))
    elif not rows and not citing:
        typer.echo(_none_of(holds))
    else:
        _print(rows, citing, holds)


def document(told: dict[str, Any]) -> str:
    """Write what a command has to say as JSON."""
    import json

    return json.dumps(told, ensure_ascii=False, indent=2, default=str)


def _not_retrieved(store: TraceStore, where: Where, limit: int) -> list[tuple[LiveScore, Sequence[str]]]:
    found = store.not_retrieved(where, limit=limit)
    scores = {score.id: score for score in store.scores([answer for answer, _ in found])}
    return [(scores[answer], ids) for answer, ids in found if answer in scores]  # one may be pruned in between


def _citing(score: LiveScore, ids: Sequence[str]) -> dict[str, Any]:
    answer = score.answer
    said = {name: getattr(answer, name) for name in ("trace_id", "span_id", "started_ns", "service")}
    return {"id": score.id, **said, "question": answer.record.question, "not_retrieved": list(ids)}


def _none_of(holds: Holdings) -> str:
    if holds.answers:
        return f"None of the {plural(holds.answers, 'answer')} held is one of these."
    if holds.spans:
        held = f"{plural(holds.spans, 'span')} {'is' if holds.spans == 1 else 'are'} held"
        return f"{held}, and no answer was found in them; `showable traces show TRACE` shows a trace."
    return "No answer is held yet."


def _print(rows: Sequence[AnswerRow], citing: Sequence[tuple[LiveScore, Sequence[str]]], holds: Holdings) -> None:
    from showable.cli.console import ReportConsole

    console = ReportConsole()
    console.print(answers_table(rows, console.width) if rows else _citing_table(citing, console.width))
    if rows:
        typer.echo("S structural, R resolvability, M semantic: ✓ pass, ✗ fail, ? unknown, – does not apply")
    said = f" cite{'s' * (len(citing) == 1)} what was not retrieved" if citing else ""
    typer.echo(
        f"{len(rows) + len(citing)} of {holds.answers} answers held{said}; `showable traces show TRACE` shows one."
    )


def answers_table(rows: Sequence[AnswerRow], width: int) -> Table:
    """Return answers as a table that fits a terminal of so many columns."""
    from rich.text import Text

    from showable.report.terminal import STYLES
    from showable.report.untrusted import printable

    columns = [("UTC", 11), ("trace", _ID), ("S R M", 5), ("bucket", _BUCKET)]
    columns += [("service", _SERVICE)] if width >= _WIDE else []
    table = _table(columns, width)
    for row in rows:
        signs = " ".join(map(_sign, (row.structural, row.resolvability, row.semantic)))
        bucket = Text(f"{row.bucket} {row.cause}".strip().replace("_", " "), style=STYLES.get(row.bucket, ""))
        service = [Text(printable(row.service, limit=_SERVICE))] if width >= _WIDE else []
        question = Text(printable(row.question, limit=_QUESTION))
        trace = Text(printable(row.trace_id, limit=_ID))
        table.add_row(_time(row.started_ns), trace, signs, bucket, *service, question)
    return table


def _citing_table(citing: Sequence[tuple[LiveScore, Sequence[str]]], width: int) -> Table:
    from rich.text import Text

    from showable.report.untrusted import printable

    columns = [("UTC", 11), ("trace", _ID), ("not retrieved", _MISSING)]
    columns += [("service", _SERVICE)] if width >= _WIDE else []
    table = _table(columns, width)
    for score, ids in citing:
        answer = score.answer
        service = [Text(printable(answer.service, limit=_SERVICE))] if width >= _WIDE else []
        missing = Text(printable(", ".join(ids), limit=_QUESTION))
        question = Text(printable(answer.record.question, limit=_QUESTION))
        trace = Text(printable(answer.trace_id, limit=_ID))
        table.add_row(_time(answer.started_ns), trace, missing, *service, question)
    return table


def _table(columns: Sequence[Column], width: int) -> Table:
    """Return a table with these columns and the question in what room is left."""
    from rich import box
    from rich.table import Table

    room = width - sum(size + _GAP for _, size in columns)  # rich takes width from all columns alike, down to none
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, _GAP - 1, 0, 0))
    for name, size in (*columns, ("question", max(room, 1))):
        table.add_column(name, no_wrap=True, width=size, overflow="ellipsis")
    return table


def _sign(outcome: str) -> str:
    return {"pass": "✓", "fail": "✗", "not_applicable": "–"}.get(outcome, "?")


def _time(at_ns: int) -> str:
    return datetime.fromtimestamp(at_ns / 1e9, UTC).strftime("%m-%d %H:%M") if at_ns else "unknown"
