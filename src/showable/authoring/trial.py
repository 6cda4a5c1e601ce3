"""A rubric before it may be used: what a judge makes of the labelled examples with it and without it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from pydantic import TypeAdapter, ValidationError

from showable.errors import InputError, SettingError
from showable.measure.agreement import Tables
from showable.measure.rates import wilson_interval
from showable.measure.resampling import mean_of_two
from showable.records.evidence import Cost, Judge, Pair, Verdict
from showable.records.findings import Outcome
from showable.records.lines import explain
from showable.records.rubric_file import OwnRubric, RubricExample, RubricTrial
from showable.rubrics.semantic import supports
from showable.stores.run_folder import replace_text
from showable.validation.judging import Told, judge_pairs

LEAST = 20
"""Labelled examples that a rubric is tested on at least: with fewer not even all right would show it to be better than chance by much."""
LEAST_OF_EACH = 8
"""Of these, so many supported and so many not, at least."""
_CHANCE = 0.5


@dataclass(frozen=True, slots=True)
class _Figures:
    """Balanced accuracy of decisions with its interval and both rates, None where nothing was decided."""

    both: float | None
    tpr: float | None
    tnr: float | None
    low: float | None = None
    high: float | None = None


def missing_labels(rubric: OwnRubric) -> str | None:
    """Return how many labelled examples are missing, of which class; None where there are enough."""
    labelled = [one for one in rubric.examples if one.label]
    yes = sum(one.label == "supported" for one in labelled)
    no = len(labelled) - yes
    if len(labelled) >= LEAST and min(yes, no) >= LEAST_OF_EACH:
        return None
    wants = [
        f"{max(0, need - have)} more {what}"
        for have, need, what in ((yes, LEAST_OF_EACH, "supported"), (no, LEAST_OF_EACH, "of the other verdicts"))
        if have < need
    ]
    rest = LEAST - len(labelled) - max(0, LEAST_OF_EACH - yes) - max(0, LEAST_OF_EACH - no)
    wants += [f"{rest} more of any verdict"] if rest > 0 else []
    blank = len(rubric.examples) - len(labelled)
    waiting = f"; {blank} examples wait for a label" if blank else ""
    return f"{len(labelled)} labelled examples ({yes} supported, {no} not), and it takes {LEAST}: {', '.join(wants)}{waiting}"


def missing_by_class(rubric: OwnRubric) -> list[dict[str, str | int]]:
    """Count what is missing by class, as ``{label, have, need}``; ``any`` is all labelled examples together."""
    yes = sum(one.label == "supported" for one in rubric.examples)
    labelled = sum(bool(one.label) for one in rubric.examples)
    counted = (
        ("supported", yes, LEAST_OF_EACH),
        ("not supported", labelled - yes, LEAST_OF_EACH),
        ("any", labelled, LEAST),
    )
    return [{"label": label, "have": have, "need": need} for label, have, need in counted if have < need]


async def try_rubric(rubric: OwnRubric, with_it: Judge, without: Judge, told: Told) -> tuple[RubricTrial, Cost]:
    """Judge the labelled examples with the rubric and without it, and say whether it may be used, and what judging cost.

    It passes with a balanced accuracy of `must_reach` or more whose interval lies above chance. The interval is made of
    Wilson's of both rates (Newcombe 1998). Raises SettingError where too few examples are labelled.
    """
    if missing := missing_labels(rubric):
        raise SettingError(f"rubric {rubric.name}: {missing}")
    labelled = [one for one in rubric.examples if one.label]
    pairs = [Pair(one.claim, one.passage, kind=rubric.kind) for one in labelled]
    judged = await judge_pairs(with_it, pairs, told)
    if with_it is without:
        return _trial(rubric, with_it, labelled, judged.verdicts, judged.verdicts), judged.cost
    plain = await judge_pairs(without, pairs, told)
    return _trial(rubric, with_it, labelled, judged.verdicts, plain.verdicts), judged.cost + plain.cost


def _trial(
    rubric: OwnRubric,
    with_it: Judge,
    labelled: Sequence[RubricExample],
    ruled: Sequence[Verdict],
    plain: Sequence[Verdict],
) -> RubricTrial:
    figures = _measure(labelled, ruled, rubric.threshold)
    undecided = sum(supports(verdict, rubric.threshold) is Outcome.UNKNOWN for verdict in ruled)
    passed, why = _passes(figures, rubric.must_reach, undecided, len(labelled))
    yes = sum(one.label == "supported" for one in labelled)
    return RubricTrial(
        digest=rubric.digest,
        judge=with_it.name,
        prompt=with_it.prompt_hash,
        n=len(labelled),
        positives=yes,
        negatives=len(labelled) - yes,
        undecided=undecided,
        balanced_accuracy=figures.both,
        low=figures.low,
        high=figures.high,
        tpr=figures.tpr,
        tnr=figures.tnr,
        without=_measure(labelled, plain, rubric.threshold).both,
        passed=passed,
        why=why,
        examples=_digest(labelled),
        at=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _measure(labelled: Sequence[RubricExample], verdicts: Sequence[Verdict], threshold: float) -> _Figures:
    """Measure the decisions; what was left undecided is none, and is counted beside."""
    decided = [(one.label == "supported", supports(v, threshold)) for one, v in zip(labelled, verdicts, strict=True)]
    kept = [(label, said is Outcome.PASS) for label, said in decided if said is not Outcome.UNKNOWN]
    labels = np.array([label for label, _ in kept], dtype=np.bool_)
    if not kept or labels.all() or not labels.any():
        return _Figures(None, None, None)
    table = Tables.of(labels, np.array([said for _, said in kept], dtype=np.bool_), np.ones((1, len(kept))))
    tpr, tnr = float(table.tpr[0]), float(table.tnr[0])
    of_tpr, of_tnr = wilson_interval(tpr, int(labels.sum())), wilson_interval(tnr, int((~labels).sum()))
    return _Figures((tpr + tnr) / 2, tpr, tnr, *mean_of_two(tpr, tnr, of_tpr, of_tnr))


def _passes(figures: _Figures, must_reach: float, undecided: int, n: int) -> tuple[bool, str]:
    if figures.both is None or figures.low is None:
        return False, f"{undecided} of {n} examples were left undecided: nothing to measure is left of one verdict"
    if undecided * 2 > n:
        return False, f"{undecided} of {n} examples were left undecided: what is left says too little"
    if figures.both < must_reach:
        return False, f"balanced accuracy {figures.both:.1%}, and it must reach {must_reach:.1%}"
    if figures.low <= _CHANCE:
        return (
            False,
            f"balanced accuracy {figures.both:.1%}, but its interval reaches down to {figures.low:.1%}: no better than chance",
        )
    return True, f"balanced accuracy {figures.both:.1%}, and it had to reach {must_reach:.1%}"


def _digest(labelled: Sequence[RubricExample]) -> str:
    said = json.dumps([one.model_dump() for one in labelled], ensure_ascii=False, sort_keys=True)
    return hashlib.blake2b(said.encode(errors="replace"), digest_size=4).hexdigest()


def trials_path(rubric_file: Path) -> Path:
    """Return where the trials of a rubric are kept: beside it, to be committed with it."""
    return rubric_file.with_name(rubric_file.name.removesuffix(".toml") + ".trials.json")


_TRIALS: TypeAdapter[list[RubricTrial]] = TypeAdapter(list[RubricTrial])


def read_trials(rubric_file: Path) -> list[RubricTrial]:
    """Read the trials of a rubric, the latest last; none where it was never tested. Raises InputError at a damaged file."""
    path = trials_path(rubric_file)
    try:
        return _TRIALS.validate_json(path.read_bytes())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InputError(error.strerror or str(error), path=str(path)) from None
    except ValidationError as error:
        field, said = explain(error)
        raise InputError(said, path=str(path), field=field) from None


def keep_trial(rubric_file: Path, trial: RubricTrial) -> None:
    """Write a trial down beside its rubric: the latest of each judge and prompt stands. Raises InputError where it cannot."""
    others = [one for one in read_trials(rubric_file) if (one.judge, one.prompt) != (trial.judge, trial.prompt)]
    path = trials_path(rubric_file)
    said = json.dumps([one.model_dump(mode="json") for one in [*others, trial]], ensure_ascii=False, indent=2)
    try:
        replace_text(path, said + "\n")
    except OSError as error:
        raise InputError(error.strerror or str(error), path=str(path)) from None


def need_tested(rubric_file: Path, rubric: OwnRubric, judge: str, prompt: str | None) -> RubricTrial:
    """Return the trial that lets a rubric be used with a judge, under the prompt that holds this rubric alone.

    Raises SettingError where there is none, or it failed.
    """
    trials = [one for one in read_trials(rubric_file) if one.digest == rubric.digest]
    with_judge = next((one for one in trials if (one.judge, one.prompt) == (judge, prompt)), None)
    how = f"`showable rubric test {rubric_file} --judge …` tests it"
    if with_judge is None:
        said = "was not tested as it stands" if not trials else f"was tested, but not with {judge} as it is asked now"
        raise SettingError(f"{rubric_file}: this rubric {said}; {how}")
    if not with_judge.passed:
        raise SettingError(f"{rubric_file}: this rubric failed its test ({with_judge.why}); it is not used")
    if with_judge.balanced_accuracy is None or with_judge.balanced_accuracy < rubric.must_reach:
        said = f"reached less than the {rubric.must_reach:.1%} that it must reach now"
        raise SettingError(f"{rubric_file}: this rubric {said}; {how}")
    return with_judge
