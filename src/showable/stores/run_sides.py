"""One run or several repeats of it, read as one side of a comparison."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from pydantic import ValidationError

from showable.errors import InputError
from showable.measure.decision import Decision
from showable.measure.repeats import GateRow, fold_repeats
from showable.measure.summary import summarise
from showable.measure.what_changed import what_changed
from showable.records.asking import PIPELINE, PipelineFacts
from showable.records.lines import explain
from showable.records.outline import Outline
from showable.records.signature import Signature
from showable.report.run_view import Entry, RunView
from showable.ship_gate import EXCHANGE, UNKNOWN_CAP, decide, require_alike
from showable.stores.run_folder import SCORES, need_finished_run, read_run_lines
from showable.stores.run_folder import read_facts as read_summary_facts
from showable.stores.run_reading import SUMMARY, read_entries, view_run
from showable.stores.runs_of import runs_of


@dataclass(frozen=True)
class RunSide:
    """A run, or its repeats: the folders, what they were measured with, what answered, and a row a question and run.

    `pipeline` is None where nothing was said of what answered, as when a file was scored. `not_measured` says of which runs
    too many calls to judges or registries failed.
    """

    path: Path
    folders: tuple[Path, ...]
    signature: Signature
    pipeline: PipelineFacts | None
    runs: tuple[tuple[GateRow, ...], ...]
    not_measured: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What the side is called: the label or name of its pipeline, else of its folder."""
        folder = self.path.resolve().name
        return (self.pipeline.label or folder) if self.pipeline is not None else folder

    @cached_property
    def folded(self) -> tuple[GateRow, ...]:
        """One row a question, in the bucket that most repeats came to. Raises SettingError where they differ in questions."""
        return tuple(fold_repeats(self.runs, f"{self.path.name} run"))


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What the runs behind a path say of themselves, before any answer is read."""

    folders: tuple[Path, ...]
    signature: Signature
    pipeline: PipelineFacts | None


def read_side(path: Path) -> RunSide:
    """Read a run folder, or a folder of repeats. Raises as `read_facts` does."""
    facts = read_facts(path)
    runs = tuple(_whole(folder) for folder in facts.folders)
    summaries = ((folder, read_summary_facts(folder / SUMMARY) or {}) for folder in facts.folders)
    failed = tuple(f"{folder}: {said}" for folder, held in summaries if (said := held.get("not_measured")))
    return RunSide(path, facts.folders, facts.signature, facts.pipeline, runs, failed)


def _whole(folder: Path) -> tuple[GateRow, ...]:
    """Read the rows of a run. Raises InputError where they are not as many as were scored."""
    rows = tuple(read_rows(folder))
    run, _ = need_finished_run(folder)
    scored = run.get("scored")
    if len(rows) != scored:
        said = f"{scored} answers were scored, says run.json, and {len(rows)} are here; was the run damaged?"
        raise InputError(said, path=str(folder / SCORES))
    return rows


def decide_between(
    baseline: RunSide,
    candidate: RunSide,
    *,
    unknown_cap: float = UNKNOWN_CAP,
    exchange: float = EXCHANGE,
    strict: bool = False,
) -> Decision:
    """Decide by the gate whether one side may replace the other. Raises SettingError where they cannot be compared.

    It is inconclusive where too many calls failed on either side: what happened to be decided says nothing of the rest.
    """
    decision = decide(
        baseline.runs,
        candidate.runs,
        baseline.signature,
        candidate.signature,
        unknown_cap=unknown_cap,
        exchange=exchange,
        strict=strict,
        changed=what_changed(baseline.pipeline, candidate.pipeline),
    )
    failed = (*baseline.not_measured, *candidate.not_measured)
    if not failed:
        return decision
    return decision.model_copy(update={"ship": False, "inconclusive": True, "reasons": (*failed, *decision.reasons)})


def read_facts(path: Path) -> RunFacts:
    """Read what a run, or a folder of repeats, says of itself.

    Raises InputError where a run is missing, damaged or not finished, or where the repeats are of several pipelines;
    SettingError where they were not measured alike.
    """
    folders = tuple(runs_of(path))
    read = [need_finished_run(folder) for folder in folders]
    signatures = [signature for _, signature in read]
    require_alike(*signatures)
    facts = [pipeline_of(run, folder) for (run, _), folder in zip(read, folders, strict=True)]
    _require_one_pipeline(folders, facts)
    return RunFacts(folders, signatures[0], facts[0])


def read_rows(folder: Path) -> Iterator[GateRow]:
    """Yield of each question of a run what a comparison needs."""
    return (GateRow.of(card) for card in read_run_lines(folder / SCORES, Outline))


def pipeline_of(run: dict[str, object], folder: Path) -> PipelineFacts | None:
    """Return what `run.json` says of the pipeline; None where it says nothing. Raises InputError where it cannot be read."""
    held = run.get(PIPELINE)
    if held is None:
        return None
    try:
        return PipelineFacts.model_validate(held)
    except ValidationError as error:
        field, said = explain(error)
        raise InputError(said, path=str(folder / "run.json"), field=f"{PIPELINE}.{field}") from None


def view_side(side: RunSide) -> RunView:
    """Open a side for a report: the run itself, or of repeats, for each question, the first that came out as counted."""
    if len(side.folders) == 1:
        return view_run(side.folders[0])
    for folder in side.folders:
        view_run(folder)  # is each of them whole?
    chosen = _chosen(side)
    entries = partial(_chosen_entries, side.folders, chosen)
    return RunView(side.path.resolve().name, summarise((entry.card for entry in entries()), side.signature), entries)


def _chosen(side: RunSide) -> list[frozenset[str]]:
    """Return the ids that each repeat stands for: the first whose bucket and cause are the ones that count."""
    counted = {row.id: (row.bucket, row.cause) for row in side.folded}
    chosen: list[frozenset[str]] = []
    for run in side.runs:
        mine = frozenset(row.id for row in run if counted.get(row.id) == (row.bucket, row.cause))
        chosen.append(mine)
        for key in mine:
            del counted[key]
    return chosen


def _chosen_entries(folders: Sequence[Path], chosen: Sequence[frozenset[str]]) -> Iterator[Entry]:
    for folder, ids in zip(folders, chosen, strict=True):
        if ids:
            yield from (entry for entry in read_entries(folder) if entry.card.id in ids)


def _require_one_pipeline(folders: Sequence[Path], facts: Sequence[PipelineFacts | None]) -> None:
    first = facts[0]
    for folder, other in zip(folders, facts, strict=True):
        if _lasting(other) != _lasting(first):
            said = f"was answered by another pipeline than {folders[0].name} beside it; repeats are of one pipeline"
            raise InputError(said, path=str(folder))


def _lasting(facts: PipelineFacts | None) -> dict[str, object]:
    """Return what repeats of one pipeline have in common."""
    return {} if facts is None else facts.model_dump(exclude={"repeat", "repeats", "at"})
