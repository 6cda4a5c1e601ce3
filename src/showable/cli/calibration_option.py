"""--calibration: the judge and the thresholds of a calibration file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

CalibrationOption = Annotated[
    Path | None,
    typer.Option(
        "--calibration",
        rich_help_panel="Judge",
        help="Thresholds and recalibration fitted on people's labels, a file of `showable calibrate`.",
        metavar="FILE",
    ),
]
