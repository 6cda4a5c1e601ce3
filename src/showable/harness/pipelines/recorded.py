"""`recorded:PATH`: answers that were given before, found again by the id of their question, or by its exact text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import Field

from showable.converters.convert_file import open_records
from showable.errors import InputError
from showable.harness.pipelines.failures import PipelineError
from showable.harness.pipelines.pipeline import Asked, Reply
from showable.harness.pipelines.reading_replies import read_reply
from showable.records.asking import ASK
from showable.records.evidence import Cost
from showable.records.lines import read_lines
from showable.records.record import Answer, Gold, Source
from showable.records.wire import Id, Many, Wire

_OF_A_RUN = ("records.jsonl", "answers.jsonl")


class RecordedAnswer(Wire):
    """A line of recorded answers: a Record, or as much of one as there is. `id` or `question` has to be there.

    Gold is passed over: that of the question set counts.
    """

    id: Id | None = None
    question: str | None = None
    answer: Answer | str | None
    retrieved: Many[Source] | None = None
    shown: Many[Id] | None = None
    cost: Cost | None = None
    gold: Gold | None = None
    profile: str | None = None
    trace_id: str | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)

    def reply(self) -> Reply:
        """Return it as a pipeline would. What an earlier run wrote down about asking is not of this one."""
        metadata = {name: value for name, value in self.metadata.items() if name != ASK}
        return Reply(answer=self.answer, retrieved=self.retrieved, shown=self.shown, cost=self.cost, metadata=metadata)


class RecordedPipeline:
    """Looks answers up. One that is missing is a failure of this question.

    `path` is a file in any shape that `score` reads, or a folder: a run's, or one of such files. Raises InputError at
    the first line that cannot be read, and where an id stands twice.
    """

    always_there = True
    """That some questions have no answer says nothing of the next."""

    def __init__(self, path: Path) -> None:
        self.name = f"recorded:{path.name or path.resolve().name}"
        self._by_id: dict[str, RecordedAnswer] = {}
        self._by_text: dict[str, list[RecordedAnswer]] = defaultdict(list)
        for file in _files(path):
            for number, row in _rows(file):
                self._keep(row, file, number)

    async def ask(self, asked: Asked) -> Reply:
        """Return the recorded answer. Raises PipelineError where there is none, or more than one for the same text."""
        if (row := self._by_id.get(asked.id)) is not None:
            return read_reply(row.reply())
        found = self._by_text.get(asked.question.strip(), [])
        if len(found) > 1:
            said = f"{len(found)} recorded answers have the text of this question, and none its id"
            raise PipelineError(said, again=False)
        if not found:
            raise PipelineError("there is no recorded answer to this question", again=False)
        return read_reply(found[0].reply())

    async def aclose(self) -> None:
        """Nothing is open."""

    def _keep(self, row: RecordedAnswer, file: Path, number: int) -> None:
        if row.id is None and not (row.question or "").strip():
            said = "expected an `id` or a `question`, to tell which question is answered"
            raise InputError(said, path=str(file), line=number)
        if row.id is not None:
            if row.id in self._by_id:
                raise InputError(f"the id {row.id!r} stands twice", path=str(file), line=number, field="id")
            self._by_id[row.id] = row
        if row.question:
            self._by_text[row.question.strip()].append(row)


def _files(path: Path) -> list[Path]:
    if not path.exists():
        raise InputError("there is no such file or folder of recorded answers", path=str(path))
    if not path.is_dir():
        return [path]
    if (of_a_run := next((path / name for name in _OF_A_RUN if (path / name).is_file()), None)) is not None:
        return [of_a_run]
    files = sorted(one for one in path.iterdir() if one.suffix in {".jsonl", ".json", ".csv"} and one.is_file())
    if not files:
        raise InputError("holds no recorded answers (.jsonl, .json or .csv)", path=str(path))
    return files


def _rows(file: Path) -> Iterator[tuple[int, RecordedAnswer]]:
    """Yield the answers of a file with their lines, converted where it holds another tool's rows."""
    with open_records(file, str(file), None) as reading:
        if reading.found is not None and reading.found.problems:
            raise reading.found.problems[0]
        empty = True
        for line in read_lines(reading.path, RecordedAnswer):
            if line.value is None:
                problem = line.problem or InputError("cannot be read")
                raise InputError(problem.message, path=str(file), line=line.number, field=problem.field)
            empty = False
            yield line.number, line.value
    if empty:
        raise InputError("holds no recorded answers", path=str(file))
