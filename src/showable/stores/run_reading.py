"""Read a run back: its summary, and its files joined line by line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from showable.errors import InputError
from showable.measure.summary import Summary
from showable.records.evidence import Evidence
from showable.records.lines import explain
from showable.records.record import Record
from showable.records.scorecard import Scorecard
from showable.report.run_view import Entry, RunView
from showable.stores.run_folder import RECORDS, SCORES, need_finished_run, raw_lines, read_facts, read_run_lines

SUMMARY = "summary.json"

Side = TypeVar("Side", Evidence, Scorecard)


def view_run(path: Path) -> RunView:
    """Open a finished run for a report. Raises InputError where the folder holds none, or is damaged."""
    need_finished_run(path)
    summary = read_summary(path)
    scored = sum(1 for _ in raw_lines(path / SCORES))
    if scored != summary.n:
        said = f"{summary.n} answers are summed up in {SUMMARY}, {scored} are scored here; was the run damaged?"
        raise InputError(said, path=str(path / SCORES))
    return RunView(path.resolve().name, summary, partial(read_entries, path))


def read_summary(path: Path) -> Summary:
    """Read `summary.json` of a run. Raises InputError where it is missing or is none."""
    file = path / SUMMARY
    held = read_facts(file)
    if held is None:
        raise InputError("a file of the run is missing", path=str(file))
    known: Any = {name: value for name, value in held.items() if name in Summary.model_fields}
    try:
        return Summary.model_validate_json(json.dumps(known))
    except ValidationError as error:
        field, said = explain(error)
        raise InputError(said, path=str(file), field=field) from None


def read_entries(path: Path) -> Iterator[Entry]:
    """Yield every record of a run with its scorecard."""
    return (Entry(record, card) for record, card in joined(path, SCORES, Scorecard))


def joined(path: Path, name: str, model: type[Side]) -> Iterator[tuple[Record, Side]]:
    """Join the records of a run and another of its files by id: both stand in the same order, but a resumed run may have a gap."""
    waiting: dict[str, Record] = {}
    records = read_run_lines(path / RECORDS, Record)
    for other in read_run_lines(path / name, model):
        while other.id not in waiting:
            record = next(records, None)
            if record is None:
                raise InputError(f"no record has the id {other.id!r} of {name}", path=str(path / RECORDS))
            waiting[record.id] = record
        yield waiting.pop(other.id), other
