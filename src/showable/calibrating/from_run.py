"""Calibrate on the labels that people gave to the answers of a run."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from showable.calibrating.answer_rows import (
    BY_RULES,
    agreement_on_answers,
    decided_answers,
    refusals_by_kind,
    yes_or_no,
)
from showable.calibrating.calibration_file import calibration_of_run
from showable.calibrating.corrected_rates import Labelled, Seen, corrected
from showable.calibrating.outcome import (
    NO_GAIN,
    Calibrated,
    FittedFrom,
    all_least_n,
    calibration_of,
    held_out_agreement,
    kind_fits,
    not_measured,
)
from showable.calibrating.people import People, read_people
from showable.calibrating.recalibrating import undone
from showable.calibrating.said_by_run import Said, read_said
from showable.calibrating.support_fit import SupportFit, fit_support
from showable.calibrating.support_rows import NOBODY, SupportRow, agreement_on
from showable.errors import InputError, SettingError
from showable.measure.calibration_report import (
    Agreement,
    CalibrationReport,
    CorrectedRate,
    Graded,
    InterRater,
    KindFit,
)
from showable.measure.least_n import LEAST_PER_CLASS
from showable.measure.rater_agreement import inter_rater
from showable.profiles.load import read_profile_json
from showable.records.calibration import Calibration, IsotonicMap
from showable.records.label_guide import GUIDE, About
from showable.records.labels import Target
from showable.records.profile import Profile
from showable.records.signature import Signature, Thresholds
from showable.stores.run_folder import PROFILE, need_finished_run
from showable.stores.run_reading import read_summary

_BETWEEN_PEOPLE: tuple[About, ...] = tuple(about for about in GUIDE if about != "comment")
_OPEN = "unknown"
_NO_VERDICT = "no verdict on it is kept; its source is not in the log, or has no text"


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """A run as it is calibrated: how it is signed, under which rules, and the calibration that it was scored under."""

    signed: Signature
    profile: Profile
    began: Calibration | None
    said: Said


@dataclass(frozen=True, slots=True)
class LabelledRun:
    """A run beside its labels."""

    run: ScoredRun
    people: People


def open_labelled(run: Path, labels: Path | None, profile: Profile | None = None) -> LabelledRun:
    """Open a run with its labels. Raises InputError or SettingError where either cannot be read."""
    opened, fingerprint = _open(run, profile)
    digests = {record: one.digest for record, one in opened.said.answers.items()}
    return LabelledRun(opened, read_people(run, labels, opened.profile, digests, fingerprint))


def calibrate_run(
    run: Path, labels: Path | None, *, name: str, profile: Profile | None = None, least: int = LEAST_PER_CLASS
) -> Calibrated:
    """Hold a run against its labels, and fit what they bear.

    `labels` is a file in place of the run's own store; `profile` rules in place of the run's own, under which its evidence
    is graded again; `least` the labels of each class before anything is fitted. Raises InputError or SettingError where
    the run or its labels cannot be read, or where a run under a calibration is to be graded under another profile.
    """
    labelled = open_labelled(run, labels, profile)
    opened, people = labelled.run, labelled.people
    beside = _beside_hold_out(people, opened.said)
    rows, other_kinds = support_rows(people, opened.said, without=people.hold_out | beside)
    held = support_rows(people, opened.said, without=opened.said.answers.keys() - people.hold_out)[0]
    earlier = _own_scale(opened.profile.thresholds, opened.began)
    fit = fit_support(rows, earlier, least=least, judges=opened.said.judges)
    rests_on = [label for label in people.fitted_on(opened.profile) if label.record not in beside]
    given = FittedFrom(
        name,
        opened.profile.name,
        opened.signed,
        people.digest,
        len({label.reviewer for label in rests_on}),
        tuple(sorted({f"{label.about}@{label.rubric}" for label in rests_on})),
        opened.began,
    )
    calibration = calibration_of(fit, rows, given)
    report = _report(people, opened, rows, fit, calibration)
    notes = [
        *people.notes(),
        *_beside_notes(people, beside),
        *fit.notes,
        *_kind_notes(other_kinds),
        *([] if fit.refused or fit.anything else [NO_GAIN]),
    ]
    if any(rubric != "support" for rubric in report.agreement):
        notes.append(BY_RULES)
    held_out = held_out_agreement(held, fit)
    if (headline := read_summary(run).not_measured) is not None:
        return not_measured(report, headline)
    return Calibrated(report.model_copy(update={"notes": tuple(notes), "held_out": held_out}), calibration)


def _open(run: Path, profile: Profile | None) -> tuple[ScoredRun, str | None]:
    facts, signed = need_finished_run(run)
    if profile is None and signed.profile != "general" and not (run / PROFILE).is_file():
        raise InputError(f"is missing, and the run was scored under {signed.profile}", path=str(run / PROFILE))
    began = calibration_of_run(run)
    rules = _rules(run, signed, profile).model_copy(update={"shown_from": None})  # a bound is found anew
    bounded = began is not None and began.shown_from is not None
    regraded = bounded or (rules.label, rules.thresholds) != (signed.profile, signed.thresholds)
    said = read_said(run, signed, rules, regraded=regraded)
    fresh = signed.model_copy(update={"thresholds": rules.thresholds, "profile": rules.label})
    return ScoredRun(fresh, rules, began, said), facts.get("fingerprint")


def _rules(run: Path, signed: Signature, profile: Profile | None) -> Profile:
    """Take the rules that are asked for, else those of the run, with the rubrics that its judge was asked under.

    A calibration stands in place of its own profile's thresholds. Those of another profile cut the judge's own p, not the
    mapped one: raises SettingError.
    """
    held = read_profile_json(run / PROFILE)
    if profile is None:
        return held.at(signed.thresholds)
    rules = profile.model_copy(update={"own_rubrics": held.own_rubrics})
    if signed.calibration is None:
        return rules
    if rules.label != signed.profile:
        said = f"was scored under the calibration {signed.calibration}, and the thresholds of {profile.name} know nothing of it"
        raise SettingError(f"{run}: {said}; score it under {profile.name}, and calibrate that run")
    return rules.at(signed.thresholds)


def _own_scale(thresholds: Thresholds, began: Calibration | None) -> Thresholds:
    """Return thresholds of a calibrated p as those of the judge's own."""
    mapping: IsotonicMap | None = None if began is None else began.recalibration
    per_kind = {kind: undone(mapping, at) for kind, at in thresholds.per_kind.items()}
    return Thresholds(support=undone(mapping, thresholds.support), per_kind=per_kind)


def _beside_hold_out(people: People, said: Said) -> frozenset[str]:
    """Name the records that are not held out, and share a question with one that is: what is fitted on them has seen it."""
    questions = {said.answers[record].question for record in people.hold_out if record in said.answers}
    return frozenset(
        record
        for record, answer in said.answers.items()
        if answer.question in questions and record not in people.hold_out
    )


def _beside_notes(people: People, beside: Collection[str]) -> list[str]:
    n = sum(target.about == "support" and target.record in beside for target in people.settled.gold)
    return [f"{n:,} labelled pairs share a question with a record held out, and are not fitted on"] if n else []


def support_rows(people: People, said: Said, *, without: Collection[str]) -> tuple[list[SupportRow], int]:
    """Return a row for each settled citation, and how many of them people call another kind than the tool.

    Records of `without` are left out. The kind is people's word where they gave one. A citation that no judge could read
    is left open.
    """
    rows, other = [], 0
    for target, value in people.settled.gold.items():
        if target.about != "support" or target.record in without:
            continue
        pair = said.pairs.get(target)
        kind = people.settled.gold.get(Target(target.record, "claim_kind", target.claim))
        own = None if pair is None else pair.kind
        other += kind is not None and kind != own
        rows.append(
            SupportRow(
                label=value == "supported",
                said=None if pair is None else pair.said,
                p=None if pair is None else pair.p,
                verdict=_OPEN if pair is None else pair.verdict,
                judge=NOBODY if pair is None else pair.judge,
                kind=own if kind is None else str(kind),
                cluster=said.answers[target.record].question,
                weight=1.0 if pair is None else pair.weight,
                reason=_NO_VERDICT if pair is None else pair.reason,
            )
        )
    return rows, other


def _kind_notes(other: int) -> list[str]:
    if not other:
        return []
    said = "pairs are of another claim kind by people's word than by the tool's; they count under people's, and scoring"
    return [f"{other} {said} picks the threshold of a claim by the tool's"]


def _report(
    people: People, opened: ScoredRun, rows: list[SupportRow], fit: SupportFit, calibration: Calibration | None
) -> CalibrationReport:
    answers = opened.said.answers
    agreements: dict[str, Agreement] = {}
    unsettled, cannot_tell = (people.count("support", which) for which in ("unsettled", "cannot_tell"))
    if rows or unsettled or cannot_tell:
        agreements["support"] = agreement_on(rows, unsettled=unsettled, cannot_tell=cannot_tell)
    agreements |= agreement_on_answers(people, answers)
    per_kind = [_with_rate(one, opened.said, rows) for one in kind_fits(rows, fit)] + refusals_by_kind(people, answers)
    return CalibrationReport(
        signature=opened.signed,
        judge=opened.signed.judge,
        source=people.source,
        labels=len(people.labels),
        reviewers=people.reviewers,
        by_role=people.by_role,
        not_counted=len(people.settled.not_counted),
        stale=sum(people.stale.values()),
        agreement=agreements,
        inter_rater=_between_people(people, opened.said),
        per_kind=tuple(per_kind),
        thresholds=None if fit.refused else fit.thresholds,
        own_thresholds=fit.own,
        taken=fit.taken,
        bought=(*fit.bought, *fit.recalibration.bought),
        reliability=fit.recalibration.before,
        reliability_after=fit.recalibration.after,
        corrected=_corrected(agreements, people, opened.said, rows),
        least_n=all_least_n([*agreements.values(), *(one.agreement for one in per_kind)]),
        held_out_answers=agreement_on_answers(people, answers, held_out=True),
        refused=fit.refused,
        calibration=None if calibration is None else calibration.label,
    )


def _between_people(people: People, said: Said) -> tuple[InterRater, ...]:
    found = []
    for about in _BETWEEN_PEOPLE:
        units = {target: words for target, words in people.settled.by_reviewer.items() if target.about == about}
        clusters = {target: said.answers[target.record].question for target in units}
        one = inter_rater(about, units, clusters=clusters)
        if one.n:
            found.append(one)
    return tuple(found)


def _corrected(
    agreements: Mapping[str, Agreement], people: People, said: Said, rows: list[SupportRow]
) -> dict[str, CorrectedRate]:
    """Correct the rates of the whole run by what is known of its labelled part."""
    support: tuple[Seen, Labelled] = (_seen(said), _labelled(rows))
    rates: dict[str, tuple[Graded, tuple[Seen, Labelled]]] = {"support": ("support", support)}
    whole: tuple[tuple[str, Graded], ...] = (("acceptable", "bucket"), ("refusal", "refusal"))
    for name, rubric in whole:
        seen = [(yes_or_no(rubric, one), one.question) for one in said.answers.values()]
        rates[name] = rubric, (seen, decided_answers(people, said.answers, rubric))
    found = {}
    for name, (rubric, counted) in rates.items():
        if rubric in agreements and (rate := corrected(agreements[rubric], *counted)) is not None:
            found[name] = rate
    return found


def _seen(said: Said, kind: str | None = None) -> Seen:
    return [
        (pair.said, said.answers[target.record].question)
        for target, pair in said.pairs.items()
        if kind is None or pair.kind == kind
    ]


def _labelled(rows: list[SupportRow]) -> Labelled:
    return [(row.said, row.label, row.cluster) for row in rows]


def _with_rate(one: KindFit, said: Said, rows: list[SupportRow]) -> KindFit:
    """Add the corrected share of supported pairs of a kind, over the whole run."""
    labelled = _labelled([row for row in rows if row.kind == one.kind])
    return one.model_copy(update={"corrected": corrected(one.agreement, _seen(said, one.kind), labelled)})
