"""Read runs for a comparison: one pass over each, keeping little of each answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import ConfigDict, Field

from showable.errors import InputError
from showable.measure.contender import Contender
from showable.records.asking import AskFacts
from showable.records.outline import Outline
from showable.records.signature import Signature
from showable.records.wire import Id, Wire
from showable.stores.run_folder import RECORDS, SCORES, read_run_lines
from showable.stores.run_sides import read_facts


class _Metadata(Wire):
    """What metadata says of how a question was asked; the rest is passed over."""

    model_config = ConfigDict(extra="ignore")

    ask: AskFacts | None = None


class _Asked(Wire):
    """A record's id and how it was asked, without the passages, which are most of a record."""

    model_config = ConfigDict(extra="ignore")

    id: Id
    metadata: _Metadata = Field(default_factory=_Metadata)


def read_contenders(paths: Sequence[Path]) -> tuple[list[Contender], list[Signature]]:
    """Read runs, or repeats of them, in the order given, each under a name of its own.

    Runs that would be called the same are told apart by their folder, and folders of the same name by their path. Raises
    InputError where a run is missing, damaged or not finished, or how a question was asked cannot be read.
    """
    names = [path.resolve().name for path in paths]
    folders = [str(path) if names.count(name) > 1 else name for path, name in zip(paths, names, strict=True)]
    read = [_read(path, folder) for path, folder in zip(paths, folders, strict=True)]
    contenders = [contender for contender, _ in read]
    called = [contender.name for contender in contenders]
    for contender in contenders:
        if called.count(contender.name) > 1:
            contender.name = f"{contender.name} ({contender.folder})"
    return contenders, [signature for _, signature in read]


def _read(path: Path, folder: str) -> tuple[Contender, Signature]:
    facts = read_facts(path)
    label = facts.pipeline.label if facts.pipeline is not None else None
    contender = Contender(label or folder, folder, facts.pipeline)
    for each in facts.folders:
        contender.begin_run()
        asked = {record.id: record.metadata.ask for record in read_run_lines(each / RECORDS, _Asked)}
        for card in read_run_lines(each / SCORES, Outline):
            if card.id not in asked:
                raise InputError(f"no record has the id {card.id!r} of {SCORES}", path=str(each / RECORDS))
            contender.add(card, asked[card.id])
    return contender, facts.signature
