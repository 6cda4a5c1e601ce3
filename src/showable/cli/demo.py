"""`showable demo`: the main job on recorded answers that ship with the package, beside a person's labels."""

from __future__ import annotations

from functools import partial
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
from showable.judging_settings import make_judge

ProtocolOption = Annotated[
    bool,
    typer.Option(
        "--protocol", help="Put the 130 embedded questions to the reference pipeline instead, and score that."
    ),
]


def demo(
    protocol: ProtocolOption = False,
    out: OutOption = None,
    output: OutputOption = None,
    judge: JudgeOption = None,
    fail_on: FailOnOption = None,
    details: DetailsOption = False,
    json: JsonOption = False,
) -> None:
    """Score the recorded answers that ship with showable, beside their labels; or run the protocol."""
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
