"""--rubric: rubrics of one's own, put in force for the kind of claim that each is for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

RubricOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--rubric",
        rich_help_panel="Judge",
        help="A rubric of yours that `showable rubric test` passed; once for each.",
        metavar="FILE",
    ),
]
