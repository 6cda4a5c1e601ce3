"""Read files of spans into the answers that are in them, and say on stderr what the traces did not carry."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from showable.cli.options import input_file

if TYPE_CHECKING:
    from showable.records.spans import Span
    from showable.records.traced import TracedAnswer
    from showable.stores.traces.store import TraceStore

_BATCH = 1_000
FilesArgument = Annotated[
    list[Path],
    typer.Argument(
        help="Spans: OTLP in JSON or protobuf, exports of Phoenix or Langfuse, .gz of these; - reads standard input.",
        metavar="FILE…",
    ),
]
TextsOption = Annotated[
    Path | None,
    typer.Option(
        "--texts",
        help='Passages for logs that carry ids alone: JSON Lines of {"source_id": …, "text": …}.',
        metavar="FILE",
    ),
]


@dataclass(frozen=True, slots=True)
class Found:
    """What files of spans hold: how many spans, traces and answers, how often something was lost, and the Records in the order of time."""

    spans: int
    traces: int
    answers: int
    losses: Counter[str]
    records: Path


@contextmanager
def found_in(files: Sequence[Path], texts: Path | None = None) -> Iterator[Found]:
    """Read spans and join each trace. Raises InputError at what is no span, with file and line.

    The files are read twice: how many spans each trace has is counted first, so that a trace can be joined, and let go of, when its last
    span has come. Held are the traces that are open at one time, and the ids of all.
    """
    from showable.traces.join import join

    passages = {} if texts is None else read_texts(texts)

    def look_up(ids: Collection[str]) -> Mapping[str, str]:
        return {one: passages[one] for one in ids if one in passages}

    losses: Counter[str] = Counter()

    def answers(paths: Sequence[Path]) -> Iterator[TracedAnswer]:
        for spans in _whole_traces(paths, counts):
            for answer in join(spans, texts=look_up):
                losses.update(loss.words for loss in answer.losses)
                yield answer

    with ExitStack() as held:
        paths = [held.enter_context(input_file(file)) for file in files]
        counts = Counter(span.trace_id for span in _spans(paths))
        records, found = held.enter_context(as_records(answers(paths)))
        yield Found(counts.total(), len(counts), found, losses, records)


def _whole_traces(paths: Sequence[Path], counts: Counter[str]) -> Iterator[list[Span]]:
    """Return the spans of each trace once they are all there. What is written to a file meanwhile is left for another time."""
    left = counts.copy()
    waiting: dict[str, list[Span]] = {}
    for span in islice(_spans(paths), counts.total()):
        waiting.setdefault(span.trace_id, []).append(span)
        left[span.trace_id] -= 1
        if not left[span.trace_id]:
            yield waiting.pop(span.trace_id)
    yield from waiting.values()


def spans_of_files(files: Sequence[Path]) -> Iterator[Span]:
    """Return the spans of several files, one after the other."""
    for file in files:
        with input_file(file) as path:
            yield from _spans([path])


def _spans(paths: Sequence[Path]) -> Iterator[Span]:
    from showable.traces.files.read import read_spans

    for path in paths:
        yield from read_spans(path)


def read_texts(path: Path) -> dict[str, str]:
    """Read passages by their id. Raises InputError, with the line, at what is none."""
    return dict(_passages(path))


def keep_texts(store: TraceStore, path: Path) -> int:
    """Put passages in a store, a batch at a time; gives how many. Raises InputError, with the line, at what is none."""
    kept, passages = 0, _passages(path)
    while batch := list(islice(passages, _BATCH)):
        store.add_texts(dict(batch))
        kept += len(batch)
    return kept


def _passages(path: Path) -> Iterator[tuple[str, str]]:
    from showable.records.lines import read_lines
    from showable.records.record import Source

    for line in read_lines(path, Source):
        if line.problem is not None:
            raise line.problem
        if line.value is not None and line.value.text is not None:
            yield line.value.source_id, line.value.text


def tell_found(found: Found, files: Sequence[Path]) -> None:
    """Print in a line or two what was read and what the traces did not say."""
    from showable.cli.reading import counted
    from showable.report.untrusted import printable

    name = ", ".join(map(str, files[:2])) + (f" and {len(files) - 2} more files" if len(files) > 2 else "")  # noqa: PLR2004 - named
    said = (
        f"{name}: {plural(found.spans, 'span')} of {plural(found.traces, 'trace')}, {plural(found.answers, 'answer')}"
    )
    typer.echo(f"showable: {printable(said)}", err=True)
    if found.losses:
        typer.echo(f"showable: what the traces do not say: {printable(counted(found.losses))}", err=True)


def plural(count: int, noun: str) -> str:
    """Return a count with its noun."""
    return f"{count} {noun}{'s' * (count != 1)}"


@contextmanager
def as_records(answers: Iterable[TracedAnswer]) -> Iterator[tuple[Path, int]]:
    """Put the answers by as a file of Records, in the order of time, and count them. Held in memory is where each stands, no more."""
    places: list[tuple[int, str, int, int]] = []
    with tempfile.TemporaryDirectory(prefix="showable-") as folder:
        path, unsorted = Path(folder) / "records.jsonl", Path(folder) / "unsorted.jsonl"
        at = 0
        with unsorted.open("wb") as handle:
            for answer in answers:
                line = answer.record.model_dump_json(exclude_defaults=True).encode() + b"\n"
                handle.write(line)
                places.append((answer.started_ns, answer.record.id, at, len(line)))
                at += len(line)
        with unsorted.open("rb") as handle, path.open("wb") as ordered:
            for _, _, start, size in sorted(places):
                handle.seek(start)
                ordered.write(handle.read(size))
        unsorted.unlink()
        yield path, len(places)
