"""Read runs for a comparison: one pass over each, keeping little of each answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from probative.errors import InputError
from probative.measure.contender import Contender
from probative.records.asking import ASK, AskFacts
from probative.records.lines import explain
from probative.records.record import Record
from probative.records.signature import Signature
from probative.stores.run_reading import read_entries
from probative.stores.run_sides import read_facts


def read_contenders(paths: Sequence[Path]) -> tuple[list[Contender], list[Signature]]:
    """Read runs, or repeats of them, in the order given; of runs that would be called the same each is called by its folder.

    Raises InputError where a run is missing, damaged or not finished, or how a question was asked cannot be read.
    """
    read = [_read(path) for path in paths]
    contenders = [contender for contender, _ in read]
    names = [contender.name for contender in contenders]
    for contender in contenders:
        if names.count(contender.name) > 1 and contender.name != contender.folder:
            contender.name = f"{contender.name} ({contender.folder})"
    return contenders, [signature for _, signature in read]


def _read(path: Path) -> tuple[Contender, Signature]:
    facts = read_facts(path)
    folder = path.resolve().name
    label = facts.pipeline.label if facts.pipeline is not None else None
    contender = Contender(label or folder, folder, facts.pipeline)
    for each in facts.folders:
        contender.begin_run()
        for record, card in read_entries(each):
            contender.add(card, _asked(record, each))
    return contender, facts.signature


def _asked(record: Record, folder: Path) -> AskFacts | None:
    held = record.metadata.get(ASK)
    if held is None:
        return None
    try:
        return AskFacts.model_validate(held)
    except ValidationError as error:
        field, said = explain(error)
        raise InputError(f"record {record.id!r}: {said}", path=str(folder), field=f"metadata.{ASK}.{field}") from None
