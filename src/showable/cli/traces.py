"""`showable traces`: spans from files, the answers in them, and what was found out about each."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from showable.cli.help import Commands, HeadedCommand
from showable.cli.options import JsonOption, ProfileOption
from showable.cli.store_option import STORE, StoreOption, opened_store
from showable.cli.traces_filters import (
    BucketOption,
    FailingOption,
    ServiceOption,
    SinceOption,
    every_answer,
    read_where,
)
from showable.cli.traces_list import document, list_answers
from showable.cli.traces_reading import FilesArgument, TextsOption, keep_texts, plural, spans_of_files
from showable.cli.traces_score import export_records, score_traces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from showable.records.spans import Span
    from showable.records.traced import LiveScore
    from showable.stores.traces.store import TraceStore

_BATCH = 1_000
_NAMED = 3
"""Traces that are named where several begin alike."""

app = typer.Typer(
    name="traces",
    help="Read, score and list traces from files or a store.",
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.command("score", cls=HeadedCommand)(score_traces)


@app.command("import")
def import_spans(
    files: FilesArgument,
    store: StoreOption = STORE,
    texts: TextsOption = None,
    judge: Annotated[
        str | None,
        typer.Option("--judge", metavar="JUDGE", help="Read every answer with this judge too. Default: none reads."),
    ] = None,
    profile: ProfileOption = None,
    json: JsonOption = False,
) -> None:
    """Keep the spans of files in a store, and score the answers in them by what needs no judge.

    Spans that are held already are left as they are. `serve` on the same store goes on from here.
    """
    from showable.cli.serve import need_serving
    from showable.serving.draining import score_all
    from showable.serving.settings import ServeSettings

    need_serving()
    with opened_store(store) as held:
        if texts is not None:
            keep_texts(held, texts)
        read, new, traces = _keep(held, files)
        done = score_all(held, ServeSettings(store, profile=profile, judge=judge), judged=traces if judge else ())
        waiting = held.holdings().to_judge
    if json:
        told = {"spans": read, "new": new, "traces": len(traces), "answers": done, "to_judge": waiting, "store": store}
        typer.echo(document(told))
        return
    typer.echo(
        f"{plural(read, 'span')} of {plural(len(traces), 'trace')} read, {new} of them new; {plural(done, 'answer')} scored"
    )
    if waiting:
        typer.echo(
            f"{plural(waiting, 'answer')} wait{'s' * (waiting == 1)} for a judge: `import --judge JUDGE` reads those of its files, `serve` a sample"
        )


def _keep(store: TraceStore, files: Sequence[Path]) -> tuple[int, int, set[str]]:
    """Keep spans a batch at a time. Gives how many there were, how many were new, and the traces they are of.

    Raises InputError at what is no span; what came before it is kept, and is scored by what next reads the store.
    """
    from showable.errors import InputError

    read, new, traces = 0, 0, set[str]()
    batch: list[Span] = []

    def keep() -> None:
        nonlocal read, new
        traces.update(span.trace_id for span in batch)
        new += store.add_spans(batch)
        read += len(batch)
        batch.clear()

    try:
        for span in spans_of_files(files):
            batch.append(span)
            if len(batch) == _BATCH:
                keep()
    except InputError as error:
        keep()
        said = (
            f"{error.message}; the {plural(read, 'span')} before it {'is' if read == 1 else 'are'} kept"
            if read
            else error.message
        )
        raise InputError(said, path=error.path, line=error.line, field=error.field) from None
    keep()
    return read, new, traces


app.command("list")(list_answers)


@app.command("show")
def show(
    trace: Annotated[str, typer.Argument(help="The id of a trace or of an answer, or how it begins.", metavar="TRACE")],
    store: StoreOption = STORE,
    json: JsonOption = False,
) -> None:
    """Show a trace as a tree: what each step was, and under each answer what was found out about it."""
    from showable.errors import SettingError
    from showable.report.untrusted import printable

    with opened_store(store, make=False) as held:
        whole = _whole_id(held, trace.partition(":")[0])
        spans, scores = held.spans_of(whole), held.scores_of(whole)
    if not spans:
        raise SettingError(f"{printable(store)} holds no trace {printable(trace, limit=80) or '(no id)'}")
    if json:
        typer.echo(document({"trace": whole, "spans": list(map(_span, spans)), "answers": list(map(_answer, scores))}))
        return
    from showable.cli.console import ReportConsole
    from showable.report.trace_tree import render_trace
    from showable.traces.conventions.read import read_span

    kinds: dict[str, str] = {span.span_id: read_span(span).kind for span in spans}
    render_trace(spans, kinds, scores, console=ReportConsole())


def _whole_id(store: TraceStore, given: str) -> str:
    """Complete the beginning of an id where one trace alone begins so; a list shows no more of it."""
    from showable.errors import SettingError
    from showable.report.untrusted import printable

    if not given or store.spans_of(given):
        return given
    found = store.traces_like(given, _NAMED + 1)
    if len(found) > 1:
        named = ", ".join(printable(trace, limit=40) for trace in found[:_NAMED]) + " …" * (len(found) > _NAMED)
        raise SettingError(f"several traces begin with {printable(given, limit=80)}: {named}; give more of the id")
    return found[0] if found else given


def _span(span: Span) -> dict[str, Any]:
    return asdict(span)


def _answer(score: LiveScore) -> dict[str, Any]:
    answer = score.answer
    said = {name: getattr(answer, name) for name in answer.__slots__ if name not in {"record", "losses"}}
    return said | {
        "record": answer.record.model_dump(mode="json", exclude_defaults=True),
        "scorecard": score.scorecard.model_dump(mode="json"),
        "losses": [asdict(loss) for loss in answer.losses],
        **{
            name: getattr(score, name)
            for name in ("structural", "resolvability", "semantic", "diagnosis", "diagnosis_why")
        },
        **{name: getattr(score, name) for name in ("stratum", "probability", "chosen", "judged", "signature")},
    }


@app.command("export")
def export(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Files of spans. Without any, what is in the store.", metavar="[FILE…]", show_default=False
        ),
    ] = None,
    store: StoreOption = STORE,
    since: SinceOption = None,
    service: ServiceOption = None,
    bucket: BucketOption = None,
    failing: FailingOption = False,
    texts: TextsOption = None,
    out: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Where the Records go. Default: standard output.", metavar="FILE"),
    ] = None,
) -> None:
    """Write the answers of files of spans, or of a store, as Records: to score, label or build a question set from."""
    if files:
        export_records(files, texts, out)
        return
    from showable.cli.traces_score import write_answers

    where = read_where(since, service, bucket, failing=failing)
    with opened_store(store, make=False) as held:
        ids = [row.id for row in every_answer(held, where)]
        write_answers((score.answer for score in _scores(held, ids)), out)


def _scores(store: TraceStore, ids: Sequence[str]) -> Any:
    for start in range(0, len(ids), _BATCH):
        yield from store.scores(ids[start : start + _BATCH])
