"""`probative regrade RUN`: the saved evidence of a run, graded under other thresholds. No judge is called."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from probative.cli.options import (
    FailOnOption,
    JsonOption,
    OutOption,
    ProfileOption,
    ThresholdOption,
    read_buckets,
    read_thresholds,
)
from probative.cli.outputs import OutputOption, plan_outputs

if TYPE_CHECKING:
    from probative.records.profile import Profile
    from probative.records.signature import Signature


def regrade(
    run: Annotated[Path, typer.Argument(help="A run folder.", metavar="RUN")],
    threshold: ThresholdOption = None,
    profile: ProfileOption = None,
    out: OutOption = None,
    output: OutputOption = None,
    fail_on: FailOnOption = None,
    json: JsonOption = False,
) -> None:
    """Grade the saved evidence of a run again, without a judge call or a packet."""
    from probative.cli.score import finish
    from probative.cli.scoring import Scored, Tally, write_down
    from probative.errors import InputError
    from probative.evaluation import regrade_one
    from probative.measure.summary import SummaryBuilder
    from probative.records.evidence import Evidence
    from probative.stores.run_folder import EVIDENCE, PROFILE, RunFolder, need_finished_run
    from probative.stores.run_reading import joined

    outputs = plan_outputs(output)
    failing = read_buckets(fail_on)
    run = run.resolve()
    before, signed = need_finished_run(run)
    rules = _rules(run, signed, profile, threshold)
    signature = _sign_again(run, signed, rules)
    target = out or run.with_name(f"{run.name}-regraded-{_tag(signed, rules)}")
    counts = {"records": int(before["records"]), "rejected": int(before.get("rejected", 0))}
    facts: dict[str, Any] = {key: before[key] for key in ("pipeline", "asking") if key in before}
    name, fingerprint = f"{run.name} (regraded)", str(before.get("fingerprint"))
    with RunFolder.open(target, signature, name, fingerprint, **counts, **facts) as folder:
        folder.write_json(PROFILE, rules.model_dump(mode="json"))
        builder = SummaryBuilder(signature, str(target))
        for record, evidence in joined(run, EVIDENCE, Evidence):
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


def _rules(run: Path, signed: Signature, profile: str | None, threshold: str | None) -> Profile:
    """Take the rules that are asked for, else those of the run, which it carries in full."""
    from probative.errors import InputError
    from probative.profiles.load import load_profile, read_profile_json
    from probative.stores.run_folder import PROFILE

    if profile is None and signed.profile != "general" and not (run / PROFILE).is_file():
        said = f"is missing, and the run was scored under {signed.profile}; say which with --profile"
        raise InputError(said, path=str(run / PROFILE))
    rules = read_profile_json(run / PROFILE) if profile is None else load_profile(profile)
    if threshold is not None:
        return rules.at(read_thresholds(threshold))
    return rules if profile else rules.at(signed.thresholds)


def _tag(signed: Signature, rules: Profile) -> str:
    """Name what the regraded run was graded by: its thresholds, and its profile where that is another one."""
    thresholds = str(rules.thresholds).replace(",", "-").replace("=", "")
    return thresholds if rules.label == signed.profile else f"{rules.label}-{thresholds}"


def _sign_again(run: Path, signed: Signature, rules: Profile) -> Signature:
    """Sign with the grader of today; evidence indexes claims, so it must have been read by the same parser."""
    from probative import __version__
    from probative.errors import SettingError
    from probative.read.answer import PARSER_REVISION
    from probative.rubrics.grade import RUBRIC_REVISION

    if signed.parser != PARSER_REVISION:
        said = f"its answers were read by parser {signed.parser}, this is parser {PARSER_REVISION}; score it anew"
        raise SettingError(f"{run}: {said}")
    fresh = {
        "version": __version__,
        "rubric": RUBRIC_REVISION,
        "thresholds": rules.thresholds,
        "profile": rules.label,
    }
    return signed.model_copy(update=fresh)
