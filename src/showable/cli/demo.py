"""`showable demo`: the main job on recorded answers that ship with the package, beside a person's labels."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from showable.cli.options import (
    DetailsOption,
    FailOnOption,
    JsonOption,
    JudgeOption,
    OutOption,
    read_buckets,
)
from showable.cli.outputs import OutputOption, plan_outputs
from showable.errors import SettingError
from showable.judging_settings import make_judge

ProtocolOption = Annotated[
    bool,
    typer.Option(
        "--protocol", help="Put the 130 embedded questions to the reference pipeline instead, and score that."
    ),
]

FeedOption = Annotated[
    bool,
    typer.Option("--feed", help="Score 120 answers with planted faults instead, and group what fails into issues."),
]


def demo(
    protocol: ProtocolOption = False,
    feed: FeedOption = False,
    out: OutOption = None,
    output: OutputOption = None,
    judge: JudgeOption = None,
    fail_on: FailOnOption = None,
    details: DetailsOption = False,
    json: JsonOption = False,
) -> None:
    """Score the recorded answers that ship with showable, beside their labels; or run the protocol, or group failures."""
    if protocol and feed:
        raise SettingError("demo: --protocol or --feed, not both")
    if feed:
        _group_planted(out, judge, as_json=json)
        return
    if protocol:
        from showable.cli.run import run

        asked = {"pipeline": "reference", "questions": "embedded", "out": out, "output": output}
        run(**asked, judge=judge, fail_on=fail_on, details=details, json=json)
        return
    from showable.cli.demo_labels import show_disagreements
    from showable.cli.score import default_folder, finish, run_plan
    from showable.cli.scoring import Plan
    from showable.demo.embedded import records_path
    from showable.records.profile import GENERAL
    from showable.records.record_file import check_record_file

    outputs = plan_outputs(output)
    failing = read_buckets(fail_on)
    made = make_judge(judge)
    with records_path() as path:
        check = check_record_file(path)
        folder = out or default_folder(path.with_stem("demo"), check, f"{made.name} {made.prompt_hash}")
        scored = run_plan(Plan(check, folder, made, GENERAL))
    then = partial(show_disagreements, folder) if details and not json else None
    finish(scored, failing, outputs, as_json=json, details=details, then=then)


def _group_planted(out: Path | None, judge: str | None, *, as_json: bool) -> None:
    """Score the answers with planted faults, and print the issues that they make."""
    from json import dumps
    from tempfile import TemporaryDirectory

    from showable.cli.feed import Source, build_feed, opened_feed, print_list
    from showable.cli.score import default_folder, run_plan
    from showable.cli.scoring import Plan
    from showable.demo.planted import planted_records
    from showable.production.feed.store import FEED
    from showable.records.profile import GENERAL
    from showable.records.record_file import check_record_file
    from showable.report.untrusted import printable

    made = make_judge(judge)
    with TemporaryDirectory() as place:
        path = Path(place) / "demo-feed.jsonl"
        path.write_text("".join(f"{dumps(record)}\n" for record in planted_records()), "utf-8")
        check = check_record_file(path)
        folder = out or default_folder(path, check, f"{made.name} {made.prompt_hash}")
        scored = run_plan(Plan(check, folder, made, GENERAL))
    if scored.stopped:
        raise SettingError(f"{folder}: the run was stopped; the same command goes on from there")
    source = Source(folder, None, folder / FEED, (), ())
    with opened_feed(source, make=True) as held:
        build_feed(held, source, 1)
        print_list(held, as_json=as_json, members=True)
    if not as_json:
        typer.echo(f"\nNext: showable feed show {printable(str(folder))} EF-1")
