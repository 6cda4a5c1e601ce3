"""Whole answers beside people: the bucket, whether it refuses, how well, and how many claims lack a citation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from showable.calibrating.people import People
from showable.calibrating.said_by_run import SaidAnswer
from showable.measure.bucket_agreement import ACCEPTABLE
from showable.measure.calibration_report import ALL_KINDS, Agreement, Graded, KindFit
from showable.measure.judge_agreement import agreement, graded_agreement
from showable.records.label_guide import About
from showable.records.labels import Value

_ABOUT: dict[Graded, About] = {
    "bucket": "bucket",
    "refusal": "bucket",
    "refusal_quality": "refusal_quality",
    "extra_claims": "extra_claims",
}
REFUSED = "refused"
Decided = tuple[bool | None, bool, str]
BY_RULES = (
    "buckets, refusals, their quality and extra claims are read by rules, which have no threshold: agreement and corrected"
    " rates are given, and nothing is fitted"
)
_OF_A_BASIS = (
    "of the answers that the tool reads as refusals on this basis: those that it misses have none, so only the share that"
    " people confirm can be said"
)
_SAYS: dict[Graded, Callable[[SaidAnswer], Value | None]] = {
    "bucket": lambda one: one.bucket,
    "refusal_quality": lambda one: one.quality,
    "extra_claims": lambda one: one.extra_claims,
}


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """People's word on an answer and what the tool said of it."""

    value: Value
    answer: SaidAnswer


def answer_rows(
    people: People, answers: Mapping[str, SaidAnswer], rubric: Graded, *, held_out: bool = False
) -> list[AnswerRow]:
    """Return the settled labels behind a rubric, of the hold-out or of all other records."""
    return [
        AnswerRow(value, answers[target.record])
        for target, value in people.settled.gold.items()
        if target.about == _ABOUT[rubric] and (target.record in people.hold_out) is held_out
    ]


def agreement_on_answers(
    people: People, answers: Mapping[str, SaidAnswer], *, held_out: bool = False
) -> dict[str, Agreement]:
    """Measure every rubric that people labelled; one of which there is no label at all is left out."""
    found: dict[str, Agreement] = {}
    for rubric, about in _ABOUT.items():
        rows = answer_rows(people, answers, rubric, held_out=held_out)
        counts = {which: people.count(about, which, held_out=held_out) for which in ("unsettled", "cannot_tell")}
        if rows or any(counts.values()):
            found[rubric] = _measured(rubric, rows).model_copy(update=counts)
    return found


def decided_answers(people: People, answers: Mapping[str, SaidAnswer], rubric: Graded) -> list[Decided]:
    """Return yes or no on every labelled answer, the tool's and people's, and its question: acceptable, or read as refused."""
    return [
        (
            yes_or_no(rubric, row.answer),
            row.value in ACCEPTABLE if rubric == "bucket" else row.value == REFUSED,
            row.answer.question,
        )
        for row in answer_rows(people, answers, rubric)
    ]


def yes_or_no(rubric: Graded, answer: SaidAnswer) -> bool | None:
    """Return the tool's yes or no on an answer: acceptable by its bucket, or read as refused; None where it could not tell."""
    if rubric == "bucket":
        return None if answer.bucket is None else answer.bucket in ACCEPTABLE
    return answer.refuses


def refusals_by_kind(people: People, answers: Mapping[str, SaidAnswer]) -> list[KindFit]:
    """Return a row for each basis of a refusal, of the reader and of the grader, and for each category of questions."""
    read, graded = (answer_rows(people, answers, rubric) for rubric in ("refusal", "refusal_quality"))
    found = []
    for basis, rows in _by(read, lambda one: one.basis if one.refuses else None):
        found.append(_confirmed(_measured("refusal", rows, basis)))
    found += [_measured("refusal", rows, category) for category, rows in _by(read, lambda one: one.category)]
    found += [_measured("refusal_quality", rows, basis) for basis, rows in _by(graded, lambda one: one.basis)]
    return [KindFit(kind=one.kind, rubric=one.rubric, agreement=one) for one in found]


def _confirmed(found: Agreement) -> Agreement:
    """Keep of rows that all are read as refusals the share that people confirm; every rate of a yes or no is empty there."""
    empty = dict.fromkeys(("balanced_accuracy", "tpr", "tnr", "kappa", "ac1"))
    intervals = {name: between for name, between in found.intervals.items() if name not in empty}
    return found.model_copy(update={**empty, "intervals": intervals, "notes": (_OF_A_BASIS,)})


def _by(rows: Iterable[AnswerRow], kind_of: Callable[[SaidAnswer], str | None]) -> list[tuple[str, list[AnswerRow]]]:
    found: dict[str, list[AnswerRow]] = {}
    for row in rows:
        if (kind := kind_of(row.answer)) is not None:
            found.setdefault(kind, []).append(row)
    return sorted(found.items())


def _measured(rubric: Graded, rows: list[AnswerRow], kind: str = ALL_KINDS) -> Agreement:
    clusters = [row.answer.question for row in rows]
    if rubric == "refusal":
        people = [row.value == REFUSED for row in rows]
        return agreement(rubric, kind, people, [row.answer.refuses for row in rows], clusters=clusters)
    said = [_SAYS[rubric](row.answer) for row in rows]
    return graded_agreement(rubric, [row.value for row in rows], said, kind=kind, clusters=clusters)
