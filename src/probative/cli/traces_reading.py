"""Read files of spans into the answers that are in them, and say on stderr what the traces did not carry."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from probative.cli.options import input_file

if TYPE_CHECKING:
    from probative.records.spans import Span
    from probative.records.traced import TracedAnswer

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
    """What files of spans hold: how many spans and traces, the answers in them, and how often something was lost."""

    spans: int
    traces: int
    answers: Sequence[TracedAnswer]
    losses: Counter[str]


def read_answers(files: Sequence[Path], texts: Path | None = None) -> Found:
    """Read spans and join each trace. Raises InputError at what is no span, with file and line."""
    from probative.traces.join import join

    passages = {} if texts is None else read_texts(texts)
    traces: defaultdict[str, list[Span]] = defaultdict(list)
    count = 0
    for span in spans_of_files(files):
        traces[span.trace_id].append(span)
        count += 1

    def look_up(ids: Collection[str]) -> Mapping[str, str]:
        return {one: passages[one] for one in ids if one in passages}

    answers = [answer for spans in traces.values() for answer in join(spans, texts=look_up)]
    losses = Counter(loss.words for answer in answers for loss in answer.losses)
    return Found(count, len(traces), answers, losses)


def spans_of_files(files: Sequence[Path]) -> Iterator[Span]:
    """Give the spans of several files, one after the other."""
    from probative.traces.files.read import read_spans

    for file in files:
        with input_file(file) as path:
            yield from read_spans(path)


def read_texts(path: Path) -> dict[str, str]:
    """Read passages by their id. Raises InputError, with the line, at what is none."""
    from probative.records.lines import read_lines
    from probative.records.record import Source

    held: dict[str, str] = {}
    for line in read_lines(path, Source):
        if line.problem is not None:
            raise line.problem
        if line.value is not None and line.value.text is not None:
            held[line.value.source_id] = line.value.text
    return held


def tell_found(found: Found, files: Sequence[Path]) -> None:
    """Say in a line or two what was read and what the traces did not say."""
    from probative.cli.reading import counted
    from probative.report.untrusted import printable

    name = ", ".join(map(str, files[:2])) + (f" and {len(files) - 2} more files" if len(files) > 2 else "")  # noqa: PLR2004 - named
    said = f"{name}: {found.spans} spans of {found.traces} traces, {len(found.answers)} answers"
    typer.echo(f"probative: {printable(said)}", err=True)
    if found.losses:
        typer.echo(f"probative: what the traces do not say: {printable(counted(found.losses))}", err=True)


@contextmanager
def as_records(answers: Iterable[TracedAnswer]) -> Iterator[Path]:
    """Put the answers by as a file of Records, in the order of time."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="probative-") as folder:
        path = Path(folder) / "records.jsonl"
        with path.open("wb") as handle:
            handle.writelines(record_lines(answers))
        yield path


def record_lines(answers: Iterable[TracedAnswer]) -> Iterator[bytes]:
    """Give answers as Records, JSON Lines, in the order of time."""
    for answer in sorted(answers, key=lambda one: (one.started_ns, one.record.id)):
        yield answer.record.model_dump_json(exclude_defaults=True).encode() + b"\n"
