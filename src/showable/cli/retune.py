"""`showable retune RUN…`: fit a judge to people's labels, and keep what was not shown to be better aside."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from showable.cli.option_groups import spread
from showable.cli.options import (
    ChatOptions,
    ConcurrencyOption,
    DryRunOption,
    JsonOption,
    MaxCostOption,
    ProfileOption,
    input_file,
)
from showable.cli.reading import tell_labels
from showable.judging_settings import make_judge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from showable.calibrating.candidates import What
    from showable.calibrating.retune_judging import Asking
    from showable.calibrating.retune_report import RetuneReport
    from showable.calibrating.retune_rows import LabelledClaims
    from showable.records.calibration import Shot
    from showable.records.evidence import Judge
    from showable.records.profile import Profile

INCONCLUSIVE = 3


RunsArgument = Annotated[
    list[Path] | None, typer.Argument(help="Run folders with labels from `showable review`.", metavar="[RUN]...")
]
LabelsOption = Annotated[
    Path | None, typer.Option("--labels", help="Labels of the run, in place of its own.", metavar="FILE")
]
LabelledOption = Annotated[
    list[Path] | None,
    typer.Option("--labelled", help="Labelled rows {claim, passage, label}; may be given again.", metavar="FILE"),
]
RetunedOption = Annotated[
    str | None,
    typer.Option(
        "--judge",
        help="The judge to retune. With a RUN the default is the run's own, where its name says how to reach it"
        " (embedded, lexical); with --labelled alone it is embedded. Else onnx:FOLDER, scripted:FILE,"
        " chat:MODEL[@URL], or cascade:chat:MODEL[@URL].",
        metavar="JUDGE",
    ),
]
WhatOption = Annotated[
    str | None,
    typer.Option(
        "--what",
        help="What may change: thresholds, probability, head, examples. Default: all that the judge has.",
        metavar="WHAT,WHAT",
    ),
]
VersionsOption = Annotated[
    Path, typer.Option("--versions", help="Folder of the versions; keep it under version control.", metavar="DIR")
]
HistoryOption = Annotated[bool, typer.Option("--history", help="List the versions in the folder and leave.")]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Seed of the split of new labels, and of the fits.")]


@spread
def retune(
    *,
    runs: RunsArgument = None,
    labels: LabelsOption = None,
    labelled: LabelledOption = None,
    judge: RetunedOption = None,
    what: WhatOption = None,
    versions: VersionsOption = Path("judge-versions"),
    history: HistoryOption = False,
    profile: ProfileOption = None,
    seed: SeedOption = 0,
    dry_run: DryRunOption = False,
    max_cost: MaxCostOption = None,
    chat: ChatOptions,
    concurrency: ConcurrencyOption = 8,
    json: JsonOption = False,
) -> None:
    """Retune a judge on human labels. Its thresholds, the map of its probability, its head, examples in its prompt.

    Half of the labels is fitted on, half stays unseen. A version is accepted where it is better on unseen labels (paired
    test; the bar rises with every look at them), else kept aside with why. Exit 3: too few labels, or too
    few that the judge decides; it says which.
    """
    if history:
        _show_history(versions, given=bool(runs or labelled), as_json=json)
        return
    wished, rules = _read_what(what), _rules(runs or [], profile)
    claims = _read(runs or [], labels, labelled or [], rules)
    spec = judge if judge is not None else _judge_of(runs or [])
    asking = _asking(spec, chat, max_cost, concurrency, dry_run=dry_run)
    if dry_run:
        _tell_estimate(claims, asking, wished, as_json=json)
    else:
        _carry_out(claims, asking, wished, rules, versions, seed, as_json=json)


def _asking(spec: str | None, chat: ChatOptions, max_cost: float | None, concurrency: int, *, dry_run: bool) -> Asking:
    """Make the judge; a chat judge can be made again with examples in its prompt."""
    from showable.calibrating.retune_judging import Asking

    def with_shots(shots: tuple[Shot, ...]) -> Judge:
        return make_judge(spec, chat, concurrency=concurrency, dry_run=dry_run, shots=shots)

    takes_shots = (spec or "").strip().startswith("chat:")
    return Asking(with_shots(()), with_shots if takes_shots else None, max_cost, concurrency)


def _read_what(text: str | None) -> frozenset[What]:
    """Read --what; without it, all. Raises SettingError at a word that is none."""
    from showable.calibrating.candidates import WHATS
    from showable.errors import SettingError

    if text is None:
        return frozenset(WHATS)
    names = [name.strip() for name in text.split(",") if name.strip()]
    if unknown := [name for name in names if name not in WHATS] or ([] if names else ["nothing"]):
        raise SettingError(f"--what: {unknown[0]!r} cannot be retuned; choose of {', '.join(WHATS)}")
    return frozenset(one for one in WHATS if one in names)


def _rules(runs: Sequence[Path], profile: str | None) -> Profile:
    """Take the profile that is asked for, else that of the runs, which must be the same in all."""
    from showable.errors import SettingError
    from showable.profiles.load import load_profile, read_profile_json
    from showable.stores.run_folder import PROFILE, need_finished_run

    if profile is not None:
        return load_profile(profile)
    signed = [need_finished_run(run)[1] for run in runs]
    if any(one.calibration is not None for one in signed):
        said = "was scored under a calibration, whose thresholds are not its profile's; say which with --profile"
        raise SettingError(f"{runs[0]}: {said}")
    held = [read_profile_json(run / PROFILE) for run in runs if (run / PROFILE).is_file()]
    if len({one.label for one in held}) > 1:
        raise SettingError(f"{runs[0]} and another were scored under different profiles; say which with --profile")
    return held[0] if held else load_profile("general")


def _read(runs: Sequence[Path], labels: Path | None, files: Sequence[Path], rules: Profile) -> LabelledClaims:
    from showable.calibrating.retune_rows import claims_of_file, put_together
    from showable.errors import SettingError
    from showable.validation.rows import LabelledPair, read_rows

    if not runs and not files:
        raise SettingError("give a run folder with labels, or labelled rows with --labelled FILE")
    if labels is not None and len(runs) != 1:
        raise SettingError("--labels names the labels of one run; give one run with it")
    for given in (runs, files):
        if len({path.resolve() for path in given}) < len(given):
            raise SettingError(f"{given[-1]}: given twice, and would count twice")
    parts = [_of_run(run, labels, rules) for run in runs]
    read = []
    for file in files:
        with input_file(file) as path:
            read.append((str(file), read_rows(path, LabelledPair, str(file))))
    tell_labels(row for _, rows in read for _, row in rows)
    parts += [claims_of_file(name, rows) for name, rows in read]
    return put_together(parts)


def _of_run(run: Path, labels: Path | None, rules: Profile) -> LabelledClaims:
    from showable.calibrating.people import read_people
    from showable.calibrating.retune_rows import claims_of_run
    from showable.measure.labelled_answer import digest_of
    from showable.records.scorecard import Scorecard
    from showable.stores.run_folder import SCORES, need_finished_run
    from showable.stores.run_reading import joined

    facts, _ = need_finished_run(run)
    answers = {record.id: digest_of(record, card) for record, card in joined(run, SCORES, Scorecard)}
    people = read_people(run, labels, rules, answers, facts.get("fingerprint"))
    return claims_of_run(str(run), joined(run, SCORES, Scorecard), people, rules)


def _judge_of(runs: Sequence[Path]) -> str | None:
    from showable.cli.run_judge import judge_of_runs
    from showable.stores.run_folder import need_finished_run

    return judge_of_runs([need_finished_run(run)[1].judge for run in runs], wanted="the one to be retuned")


def _carry_out(
    claims: LabelledClaims,
    asking: Asking,
    what: frozenset[What],
    rules: Profile,
    folder: Path,
    seed: int,
    *,
    as_json: bool,
) -> None:
    import asyncio

    from showable.calibrating.retune import retune as run
    from showable.calibrating.retune_beginning import Wanted
    from showable.cli.count_progress import CountProgress
    from showable.evaluation import close_judge
    from showable.stores.judge_versions import open_versions

    async def go() -> RetuneReport:
        try:
            return await run(claims, asking, Wanted(what, rules, seed), versions)
        finally:
            await close_judge(asking.judge)

    with open_versions(folder) as versions, CountProgress(0, "judging", "judged") as progress:
        asking.told, asking.expect = progress.add, progress.expect
        report = asyncio.run(go())
    if as_json:
        typer.echo(report.model_dump_json(indent=2))
    else:
        from showable.cli.retune_report import tell

        tell(report)
    if report.refused is not None:
        raise typer.Exit(INCONCLUSIVE)


def _tell_estimate(claims: LabelledClaims, asking: Asking, what: frozenset[What], *, as_json: bool) -> None:
    """Print what judging may cost at most: every pair as the judge is, and once more with examples."""
    from showable.calibrating.retune_judging import most_cost
    from showable.report.check_words import counted

    most, pairs = most_cost(claims.rows, asking, examples="examples" in what), counted(len(claims.rows), "pair")
    if as_json:
        import json

        typer.echo(json.dumps({"pairs": len(claims.rows), "most": most.model_dump()}, indent=2))
        return
    if not most.calls:
        typer.echo(f"{pairs}, judge {asking.judge.name}: no judge call and no cost")
        return
    money = "price unknown: give --price-in and --price-out (USD per million tokens)"
    if most.usd is not None:
        money = f"at most ${most.usd:.4f}"
    typer.echo(f"{pairs}, judge {asking.judge.name}")
    typer.echo(f"at most {counted(most.calls, 'judge call')}, {most.tokens_in:,} tokens in, {most.tokens_out:,} out")
    typer.echo(f"{money}; verdicts that are cached cost nothing")


def _show_history(folder: Path, *, given: bool, as_json: bool) -> None:
    from showable.errors import InputError, SettingError
    from showable.stores.judge_versions import VERSIONS, JudgeVersions

    if given:
        raise SettingError("--history lists what is in the folder of --versions; it takes no run and no labels")
    if not (folder / VERSIONS).is_file():
        raise InputError(f"holds no versions (no {VERSIONS}); `showable retune RUN` makes one", path=str(folder))
    held = JudgeVersions(folder)
    if as_json:
        import json

        typer.echo(json.dumps([one.model_dump(mode="json") for one in held.entries], indent=2, ensure_ascii=False))
        return
    from showable.cli.retune_report import tell_history

    tell_history(held)
