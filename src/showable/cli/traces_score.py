"""From spans to a run, or to Records, without a server: `showable traces score FILE`, and what `export` does."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from showable.cli.judging_options import JudgingOptions, open_judging
from showable.cli.option_groups import spread
from showable.cli.options import (
    ChatOptions,
    ConcurrencyOption,
    DetailsOption,
    FailOnOption,
    JsonOption,
    MaxFailuresOption,
    OutOption,
    read_buckets,
)
from showable.cli.outputs import OutputOption, plan_outputs
from showable.cli.traces_reading import FilesArgument, TextsOption, as_records, found_in, plural, tell_found

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from showable.cli.traces_reading import Found
    from showable.records.traced import TracedAnswer


@spread
def score_traces(
    files: FilesArgument,
    *,
    out: OutOption = None,
    output: OutputOption = None,
    texts: TextsOption = None,
    by: JudgingOptions,
    chat: ChatOptions,
    concurrency: ConcurrencyOption = 8,
    fail_on: FailOnOption = None,
    max_failures: MaxFailuresOption = "5%",
    details: DetailsOption = False,
    json: JsonOption = False,
) -> None:
    """Score every answer in files of spans: joined to what was retrieved in its trace, then as `score` does."""
    from showable.cli.score import accepted, default_folder, finish, run_plan, setting
    from showable.cli.scoring import Plan
    from showable.measure.not_measured import parse_share
    from showable.records.record_file import check_record_file

    outputs, failing = plan_outputs(output, inputs=files), read_buckets(fail_on)
    limit = parse_share(max_failures)
    judging = open_judging(by, chat, concurrency=concurrency)
    with some_found(files, texts) as found:
        check = accepted(check_record_file(found.records, str(files[0])), keep_going=False)
        rules = judging.rules(check.profiles)
        judge, asked = judging.judge(rules), judging.registries(rules)
        folder = out or default_folder(files[0], check, setting(judge, rules, asked, None))
        plan = Plan(check, folder, judge, rules, concurrency, registries=asked, max_failures=limit)
        finish(run_plan(plan), failing, outputs, as_json=json, details=details)


@contextmanager
def some_found(files: list[Path], texts: Path | None) -> Iterator[Found]:
    """Read the answers of files of spans, and tell of them. Raises SettingError where there is none."""
    from showable.errors import SettingError

    with found_in(files, texts) as found:
        tell_found(found, files)
        if not found.answers:
            raise SettingError(
                f"{files[0]}: no answer in {plural(found.spans, 'span')}: "
                "a span of a model call whose output is text, or a chain with input and output, is one"
            )
        yield found


def export_records(files: list[Path], texts: Path | None, out: Path | None) -> None:
    """Turn files of spans into Records, JSON Lines."""
    from showable.cli.convert import write_records

    with some_found(files, texts) as found:
        write_records(found.records, out, converted=True)


def write_answers(answers: Iterable[TracedAnswer], out: Path | None) -> None:
    """Write answers as Records, JSON Lines."""
    from showable.cli.convert import write_records

    with as_records(answers) as (path, _):
        write_records(path, out, converted=True)
