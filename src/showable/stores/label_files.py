"""Labels as files: JSON Lines or CSV, a label a line, to be kept under version control, sent, and taken in elsewhere.

A file holds everybody's last word on everything. A word taken back has no value, so that it is taken back elsewhere too.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from showable.errors import InputError
from showable.measure.labelled_answer import target_problem
from showable.measure.labelled_texts import TextRow
from showable.records.labels import Label
from showable.records.lines import explain, plain_name, read_lines
from showable.records.scorecard import Scorecard
from showable.stores.label_csv import csv_lines, neutral, plain, read_csv
from showable.stores.labels.label_file import RefusedLabelError, sortable
from showable.stores.labels.store import LabelStore

LabelFormat = Literal["jsonl", "csv"]
COLUMNS = tuple(Label.model_fields)
_TEXT_COLUMNS = tuple(field.name for field in fields(TextRow))
_NEEDED = tuple(name for name, field in Label.model_fields.items() if field.is_required())
_WHOLE, _MEASURED, _YES_NO = ("claim", "citation"), ("seconds",), ("blind", "adjudicated", "held_out")
_COUNTED = ("refusal_quality", "extra_claims")
"""What is labelled with a number."""
_WORDS = {
    "id": "expected 1 to 64 letters, digits, - and _",
    "reviewer": "expected a name of 1 to 60 characters without commas, bars and line breaks",
}

NumberedLabel = tuple[int, Label]
"""A label and its line in the file (from 1)."""


def label_lines(labels: Iterable[Label], form: LabelFormat = "jsonl", hold_out: Collection[str] = ()) -> Iterator[str]:
    """Yield the text of a label file, line by line. JSON Lines hold labels alone, so that files can be joined.

    Labels on a record of `hold_out` say that it is held out.
    """
    pinned = frozenset(hold_out)
    written = (label.model_copy(update={"held_out": True}) if label.record in pinned else label for label in labels)
    if form == "csv":
        yield from csv_lines(COLUMNS, (_cells(label) for label in written))
    else:
        yield from (label.model_dump_json() + "\n" for label in written)


def text_lines(rows: Iterable[TextRow], form: LabelFormat = "jsonl") -> Iterator[str]:
    """Yield settled rows with their texts: as `validate entailment` and `calibrate --labelled` read them, or as CSV."""
    if form == "csv":
        yield from csv_lines(_TEXT_COLUMNS, ([_cell(getattr(row, name)) for name in _TEXT_COLUMNS] for row in rows))
    else:
        yield from (json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in rows)


def read_labels(path: Path) -> list[NumberedLabel]:
    """Read a file of labels, JSON Lines or CSV, told apart by how it begins. The same label twice counts once.

    Raises InputError at the first line that is none: file, line, field, and what was expected.
    """
    numbered = list(_from_jsonl(path) if _is_jsonl(path) else _from_csv(path))
    seen: dict[str, NumberedLabel] = {}
    for line, label in numbered:
        try:
            sortable(label.at)
        except RefusedLabelError as error:
            raise InputError(error.message, path=str(path), line=line, field=error.field) from None
        first_line, first = seen.setdefault(label.id, (line, label))
        if first != label.model_copy(update={"held_out": first.held_out}):
            said = f"another label has the id {label.id} on line {first_line}"
            raise InputError(said, path=str(path), line=line, field="id")
        if label.held_out:  # of two exports that were joined, one may be from before the hold-out was pinned
            seen[label.id] = first_line, label
    return list(seen.values())


def check_labels(
    path: Path, labels: Iterable[NumberedLabel], cards: Mapping[str, Scorecard], answers: Mapping[str, str]
) -> None:
    """Raise InputError at the first label that cannot belong to a run: of no record of it, or of no claim of its answer.

    `cards` are the run's by record, `answers` the digests of its answers. A label on another answer than the run's may be
    about claims that this one does not have.
    """
    for line, label in labels:
        if label.record not in cards:
            said = f"this run has no record {plain_name(label.record)!r}"
            raise InputError(said, path=str(path), line=line, field="record")
        problem = target_problem(cards[label.record], label.target)
        if problem and label.answer == answers[label.record]:
            field, _, said = problem.partition(": ")
            raise InputError(said, path=str(path), line=line, field=field)


def import_labels(store: LabelStore, path: Path, labels: Iterable[NumberedLabel]) -> int:
    """Take the labels of a file into a store, all of them or none; gives how many were new.

    What they say is held out is pinned where the store has no hold-out yet (`LabelStore.add_many`).
    Raises InputError at the first that does not go together with what the store holds.
    """
    at = 0

    def each() -> Iterator[Label]:
        nonlocal at
        for line, label in labels:
            at = line
            yield label

    try:
        return store.add_many(each())
    except RefusedLabelError as error:
        raise InputError(error.message, path=str(path), line=at, field=error.field) from None


def _is_jsonl(path: Path) -> bool:
    try:
        with path.open("rb") as handle:
            head = handle.read(4096)
    except OSError as error:
        raise InputError(error.strerror or str(error), path=str(path)) from None
    begun = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return not begun or begun.startswith(b"{")


def _from_jsonl(path: Path) -> Iterator[NumberedLabel]:
    for line in read_lines(path, Label):
        if line.problem is not None:
            found = line.problem
            raise InputError(_in_words(found.field, found.message), path=str(path), line=found.line, field=found.field)
        if line.value is not None:
            yield line.number, line.value


def _from_csv(path: Path) -> Iterator[NumberedLabel]:
    for line, row in read_csv(path, _NEEDED):
        if unknown := [name for name in row if name not in COLUMNS]:
            raise InputError("unknown column", path=str(path), line=1, field=plain_name(unknown[0]))
        try:
            given = {name: _value(name, cell, row) for name, cell in row.items() if cell or name == "value"}
            yield line, Label.model_validate(given)
        except _BadCellError as error:
            raise InputError(error.said, path=str(path), line=line, field=error.field) from None
        except ValidationError as error:
            field, said = explain(error)
            raise InputError(_in_words(field, said), path=str(path), line=line, field=field) from None


class _BadCellError(Exception):
    def __init__(self, field: str, wanted: str, cell: str) -> None:
        self.field, self.said = field, f"expected {wanted}, got {plain_name(cell)[:40]!r}"


def _value(name: str, cell: str, row: Mapping[str, str]) -> Any:
    """Read one cell as what its column holds."""
    if name in _YES_NO:
        if cell.strip().casefold() not in {"true", "false"}:
            raise _BadCellError(name, "true or false", cell)
        return cell.strip().casefold() == "true"
    number = name in _WHOLE or (name == "value" and row["about"] in _COUNTED)
    if name == "value" and not cell:
        return None
    if not number and name not in _MEASURED:
        return plain(cell)
    try:
        return int(cell) if number else float(cell)
    except ValueError:
        raise _BadCellError(name, "a whole number" if number else "a number", cell) from None


def _cells(label: Label) -> list[str]:
    return [_cell(getattr(label, name)) for name in COLUMNS]


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return neutral(value) if isinstance(value, str) else str(value)


def _in_words(field: str, said: str) -> str:
    return _WORDS.get(field, said) if said.startswith("String should match") else said
