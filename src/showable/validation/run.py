"""Validate files of labelled rows: read all of them first, so that a mistake in the last one costs no judge call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from showable import __version__
from showable.evaluation import close_judge, sign
from showable.gather import bounds
from showable.judges.budget import BudgetJudge
from showable.judges.cascade import CascadeName
from showable.measure.not_measured import MAX_FAILURES, FailureTally
from showable.measure.validated import (
    CascadeShare,
    Task,
    ThresholdMode,
    UnderCalibration,
    ValidatedRow,
    Validation,
    without_figures,
)
from showable.measure.validation_figures import macro_mean
from showable.read.answer import PARSER_REVISION, read_answer
from showable.reader.read import reader_name
from showable.records.evidence import Cost, Judge
from showable.records.profile import GENERAL
from showable.records.record import Record
from showable.records.signature import Signature, Thresholds
from showable.rubrics.grade import RUBRIC_REVISION
from showable.validation.entailment import pair_of, validate_entailment
from showable.validation.factuality import label_of, read_labelled_records, validate_factuality
from showable.validation.judging import Told
from showable.validation.measured import Measured
from showable.validation.refusal import NumberedResponse, validate_refusal
from showable.validation.rows import LabelledPair, LabelledResponse, read_rows
from showable.validation.units import NumberedRow

NO_JUDGE = "none"
"""What stands in the signature where no judge took part."""


@dataclass(frozen=True, slots=True)
class LabelledFile:
    """One file, read: what it is called, and the rows of the one kind that its task asks for."""

    name: str
    pairs: list[NumberedRow]
    responses: list[NumberedResponse]
    records: list[Record]

    @classmethod
    def read(cls, task: Task, path: Path, name: str) -> LabelledFile:
        """Read a file for a task. Raises InputError at the first line that is not what the task asks for."""
        if task == "entailment":
            return cls(name, read_rows(path, LabelledPair, name), [], [])
        if task == "refusal":
            return cls(name, [], read_rows(path, LabelledResponse, name), [])
        return cls(name, [], [], read_labelled_records(path, name))

    @property
    def size(self) -> int:
        """How many steps of progress it takes: pairs, responses or labelled records."""
        return len(self.pairs) + len(self.responses) + sum(label_of(record) is not None for record in self.records)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is validated, with what. `judge` is None where the task needs none; `per_kind` holds thresholds beside `at`.

    `calibration` is what is said of the one that the judge is under.
    """

    task: Task
    files: Sequence[LabelledFile]
    judge: Judge | None
    mode: ThresholdMode = "fixed"
    at: float = 0.5
    concurrency: int = 8
    max_cost: float | None = None
    per_kind: dict[str, float] = field(default_factory=dict)
    calibration: UnderCalibration | None = None
    max_failures: float = MAX_FAILURES

    @property
    def thresholds(self) -> Thresholds:
        """The thresholds as a scored answer would use them."""
        return Thresholds(support=self.at, per_kind=self.per_kind)

    @property
    def cascade(self) -> CascadeName | None:
        """What the judge's name says of its two judges, where it has two."""
        return None if self.judge is None else CascadeName.parse(self.judge.name)

    @property
    def idle_kinds(self) -> list[str]:
        """Kinds that a cascade calls critical and no row is of; only rows of claims and passages are looked through."""
        critical = self.cascade.critical if self.cascade and self.task == "entailment" else frozenset[str]()
        return sorted(critical - {row.kind for file in self.files for _, row in file.pairs})

    def sign(self) -> Signature:
        """Write down what can move a figure."""
        if self.judge is not None:
            signature = sign(self.judge, GENERAL.at(self.thresholds))
            return signature.model_copy(update={"calibration": "per-file"}) if self.mode == "per-file" else signature
        return Signature(
            version=__version__, rubric=RUBRIC_REVISION, parser=PARSER_REVISION, reader=reader_name(), judge=NO_JUDGE
        )


async def validate(plan: Plan, told: Told) -> tuple[Validation, list[ValidatedRow]]:
    """Judge and measure every file; give the figures and every row as it was decided.

    Raises BudgetReachedError before a call that might pass `max_cost`.
    """
    signature = plan.sign()
    judge = plan.judge
    if judge is not None and plan.max_cost is not None:
        judge = BudgetJudge(judge, plan.max_cost)
    try:
        measured = [await _measure(plan, judge, file, told) for file in plan.files]
    finally:
        if plan.judge is not None:
            await close_judge(plan.judge)
    files = [one.figures for one in measured]
    found = Validation(
        task=plan.task,
        judge=signature.judge,
        signature=signature,
        threshold=plan.mode,
        at=plan.at,
        files=tuple(files),
        macro=macro_mean(files, [one.estimates for one in measured]),
        cost=sum((one.cost for one in measured), Cost()),
        cascade=_share(CascadeName.parse(signature.judge), measured),
        calibration=plan.calibration,
        max_failures=plan.max_failures,
    )
    return _if_measured(found, measured), [row for one in measured for row in one.rows]


def _if_measured(found: Validation, measured: Sequence[Measured]) -> Validation:
    """Return the validation with its calls counted; without figures where too many of them failed."""
    tally = FailureTally(found.max_failures)
    for one in measured:
        for calls in one.calls:
            tally.add_calls(calls)
    headline = tally.headline("answers" if found.task == "factuality" else "rows")
    counted: dict[str, object] = {"calls": tally.calls.judge, "not_measured": headline}
    if headline is not None:
        counted |= {"files": tuple(map(without_figures, found.files)), "macro": without_figures(found.macro)}
    return found.model_copy(update=counted)


def _share(cascade: CascadeName | None, measured: Sequence[Measured]) -> CascadeShare | None:
    """Count by whose verdict stands; where a judge failed as a whole, nobody's does."""
    if cascade is None:
        return None
    counts = Counter[str]()
    for one in measured:
        counts.update(one.by_judge)
    return CascadeShare(pairs=counts.total(), asked=counts[cascade.second], saved=counts[cascade.first])


async def _measure(plan: Plan, judge: Judge | None, file: LabelledFile, told: Told) -> Measured:
    if judge is None:
        return validate_refusal(file.name, file.responses, told)
    if plan.task == "entailment":
        return await validate_entailment(
            file.name,
            file.pairs,
            judge,
            told,
            mode=plan.mode,
            at=plan.at,
            per_kind=plan.per_kind,
            concurrency=plan.concurrency,
        )
    return await validate_factuality(
        file.name, file.records, judge, told, thresholds=plan.thresholds, concurrency=plan.concurrency
    )


def estimate_cost(plan: Plan) -> tuple[Cost, Cost]:
    """Say the least and the most that judging may cost. Nothing is called.

    The least of a cascade is what claims of critical kinds cost: of all others its first judge may be sure.
    """
    least, most = Cost(), Cost()
    cascade = plan.cascade
    if plan.judge is None:
        return least, most
    for file in plan.files:
        if file.pairs:
            pairs = [pair_of(row) for _, row in file.pairs]
            sure = pairs if cascade is None else [pair for pair in pairs if pair.kind in cascade.critical]
            least, most = least + plan.judge.estimate(sure), most + plan.judge.estimate(pairs)
        for record in file.records:
            if label_of(record) is not None:
                low, high = bounds(record, read_answer(record), plan.judge, GENERAL.at(plan.thresholds))
                least, most = (least if cascade else least + low), most + high
    return least, most
