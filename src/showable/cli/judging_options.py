"""Who judges the answers, and by which rules: the options of `score`, `run`, `traces score` and `serve`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from showable import judging_settings
from showable.cli.calibration_option import CalibrationOption
from showable.cli.options import ChatOptions, CriticalOption, JudgeOption, ProfileOption, ThresholdOption
from showable.judging_settings import Judging, JudgingSettings

RubricOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--rubric",
        rich_help_panel="Judge",
        help="A rubric of yours that `showable rubric test` passed; once for each.",
        metavar="FILE",
    ),
]
LookUpOption = Annotated[
    bool,
    typer.Option(
        "--look-up",
        rich_help_panel="Registries and corpus",
        help="Ask registries of record about what is cited: the citations leave this machine, never the documents.",
    ),
]
OfflineOption = Annotated[
    bool,
    typer.Option(
        "--offline",
        rich_help_panel="Registries and corpus",
        help="Look up in the cache and in imported registries only; no packet is sent.",
    ),
]
SchemaOption = Annotated[
    Path | None,
    typer.Option(
        "--schema",
        help="Your own JSON Schema of an answer, or the function that your model calls: what differs is structural.schema.",
        metavar="FILE",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgingOptions:
    """Which judge, under which rules, and whether registries are asked."""

    judge: JudgeOption = None
    threshold: ThresholdOption = None
    calibration: CalibrationOption = None
    profile: ProfileOption = None
    rubric: RubricOption = None
    schema: SchemaOption = None
    look_up: LookUpOption = False
    offline: OfflineOption = False
    critical: CriticalOption = None


def values_of(options: JudgingOptions, chat: ChatOptions) -> dict[str, Any]:
    """Return the options as the plain values of JudgingSettings."""
    return asdict(options) | {"chat": judging_settings.ChatOptions(**asdict(chat))}


def open_judging(options: JudgingOptions, chat: ChatOptions, *, concurrency: int = 8, dry_run: bool = False) -> Judging:
    """Make the judge that was asked for. Raises SettingError where an option does not go with it."""
    judging = Judging(JudgingSettings(**values_of(options, chat), concurrency=concurrency, dry_run=dry_run))
    judging.plain()
    return judging
