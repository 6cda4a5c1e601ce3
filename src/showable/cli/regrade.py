"""`showable regrade RUN`: the saved evidence of a run, graded under other thresholds or a calibration. No judge is called."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from showable.cli.calibration_option import CalibrationOption
from showable.cli.options import (
    FailOnOption,
    JsonOption,
    OutOption,
    ProfileOption,
    ThresholdOption,
    read_buckets,
    read_thresholds,
)
from showable.cli.outputs import OutputOption, plan_outputs
from showable.judging_settings import open_calibration, rules_under

if TYPE_CHECKING:
    from showable.records.calibration import Calibration
    from showable.records.profile import Profile
    from showable.records.signature import Signature


def regrade(
    run: Annotated[Path, typer.Argument(help="A run folder.", metavar="RUN")],
    threshold: ThresholdOption = None,
    calibration: CalibrationOption = None,
    profile: ProfileOption = None,
    out: OutOption = None,
    output: OutputOption = None,
    fail_on: FailOnOption = None,
    json: JsonOption = False,
) -> None:
    """Grade a run's saved evidence again, without a judge call."""
    import asyncio

    from showable.calibrating.calibration_file import CALIBRATION, calibration_of_run
    from showable.calibrating.replayed import replay
    from showable.cli.score import finish
    from showable.cli.scoring import Scored, Tally, write_down
    from showable.errors import InputError
    from showable.evaluation import regrade_one
    from showable.measure.summary import SummaryBuilder
    from showable.records.evidence import Evidence
    from showable.stores.run_folder import EVIDENCE, PROFILE, RunFolder, need_finished_run
    from showable.stores.run_reading import joined, read_summary

    outputs = plan_outputs(output)
    failing = read_buckets(fail_on)
    fitted = open_calibration(calibration, threshold=threshold)
    run = run.resolve()
    before, signed = need_finished_run(run)
    held = calibration_of_run(run)
    _refuse_other_verdicts(fitted, signed, held)
    rules = _rules(run, signed, profile, threshold, fitted)
    signature = _sign_again(run, signed, rules, fitted)
    target = out or run.with_name(f"{run.name}-regraded-{_tag(signed, rules, fitted)}")
    counts = {"records": int(before["records"]), "rejected": int(before.get("rejected", 0))}
    facts: dict[str, Any] = {key: before[key] for key in ("pipeline", "asking") if key in before}
    name, fingerprint = f"{run.name} (regraded)", str(before.get("fingerprint"))
    with RunFolder.open(target, signature, name, fingerprint, **counts, **facts) as folder:
        folder.write_json(PROFILE, rules.model_dump(mode="json"))
        if in_force := fitted or held:
            folder.write_json(CALIBRATION, in_force.model_dump(mode="json"))
        builder = SummaryBuilder(signature, str(target), max_failures=read_summary(run).max_failures)
        for record, saved in joined(run, EVIDENCE, Evidence):
            evidence = saved if fitted is None else asyncio.run(replay(record, saved, rules, fitted.recalibration))
            card = regrade_one(record, evidence, rules)
            builder.add(card)
            folder.append(record, evidence, card)
        summary = builder.build().model_copy(update=counts)
        if summary.n != counts["records"]:
            said = f"{counts['records']} records were scored, {summary.n} are in its files; were they damaged?"
            raise InputError(said, path=str(run))
        tally = Tally(total=summary.n, done=summary.n, facts=facts)
        write_down(folder, summary, tally)
    finish(Scored(summary, builder.worst(), tally), failing, outputs, as_json=json)


def _refuse_other_verdicts(fitted: Calibration | None, signed: Signature, held: Calibration | None) -> None:
    """Raise SettingError where a calibration is of another judge than the run's, or would have made it say something else."""
    from showable.errors import SettingError
    from showable.judges.calibrated import refuse_another_judge

    if fitted is None:
        return
    judge, prompt = (signed.judge, signed.prompt) if held is None else (held.judge, held.prompt)
    refuse_another_judge(fitted, judge, prompt)
    head, shots = (None, ()) if held is None else (held.head, held.shots)
    if (fitted.head, fitted.shots) != (head, shots):
        said = (
            "holds another head or other worked examples than the run's judge had, which must be asked anew: score it"
        )
        raise SettingError(f"calibration {fitted.label}: {said}")


def _rules(
    run: Path, signed: Signature, profile: str | None, threshold: str | None, fitted: Calibration | None
) -> Profile:
    """Take the rules that are asked for, else those of the run, which it carries in full.

    Raises SettingError where another profile would cut, by thresholds of its own, a p that a calibration has mapped.
    """
    from showable.errors import InputError, SettingError
    from showable.profiles.load import load_profile, read_profile_json
    from showable.records.signature import Thresholds
    from showable.stores.run_folder import PROFILE

    if profile is None and signed.profile != "general" and not (run / PROFILE).is_file():
        said = f"is missing, and the run was scored under {signed.profile}; say which with --profile"
        raise InputError(said, path=str(run / PROFILE))
    if profile is not None and signed.calibration is not None and fitted is None and threshold is None:
        said = (
            f"was scored under the calibration {signed.calibration}, and the thresholds of {profile} know nothing of it"
        )
        raise SettingError(f"{run}: {said}; say where p is cut with --calibration or --threshold")
    rules = held = read_profile_json(run / PROFILE)
    if profile is not None:  # the judge was asked under the run's own rubrics, whatever the profile
        rules = load_profile(profile).model_copy(update={"own_rubrics": held.own_rubrics})
    if fitted is not None:
        return rules_under(fitted, rules.at(Thresholds()) if signed.calibration and profile is None else rules)
    if threshold is not None:
        return rules.at(read_thresholds(threshold))
    return rules if profile else rules.at(signed.thresholds)


def _tag(signed: Signature, rules: Profile, fitted: Calibration | None) -> str:
    """Name what the regraded run was graded by: its thresholds or calibration, and its profile where that is another one."""
    thresholds = str(rules.thresholds).replace(",", "-").replace("=", "") if fitted is None else fitted.label
    return thresholds if rules.label == signed.profile else f"{rules.label}-{thresholds}"


def _sign_again(run: Path, signed: Signature, rules: Profile, fitted: Calibration | None) -> Signature:
    """Sign with the grader of today; evidence indexes claims, so it must have been read by the same parser.

    A calibration takes the place of the one that the run was scored under, if there was one: the evidence keeps what the
    judge itself said.
    """
    from showable import __version__
    from showable.errors import SettingError
    from showable.read.answer import PARSER_REVISION
    from showable.rubrics.answer_support import head_for
    from showable.rubrics.grade import RUBRIC_REVISION

    head = head_for(signed.judge)
    if signed.parser != PARSER_REVISION:
        said = f"its answers were read by parser {signed.parser}, this is parser {PARSER_REVISION}; score it anew"
        raise SettingError(f"{run}: {said}")
    fresh = {
        "version": __version__,
        "rubric": RUBRIC_REVISION,
        "thresholds": rules.thresholds,
        "profile": rules.label,
        "answer_head": None if head is None else head.revision,
        "calibration": signed.calibration if fitted is None else fitted.label,
    }
    return signed.model_copy(update=fresh)
