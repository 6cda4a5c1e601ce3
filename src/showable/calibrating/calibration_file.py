"""Read and write calibration files: pretty JSON, versioned, closed to fields that nobody knows."""

from __future__ import annotations

import json
import re
from pathlib import Path

from pydantic import ValidationError

from showable.errors import InputError, SettingError
from showable.records.calibration import CALIBRATION_SCHEMA, Calibration
from showable.records.lines import explain
from showable.stores.run_folder import replace_text

CALIBRATION = "calibration.json"
"""What a run folder calls the calibration that its answers were scored under."""
_LONGEST = 60
_LARGEST = 64 * 1024 * 1024


def read_calibration(path: Path) -> Calibration:
    """Read a calibration file. Raises InputError (file, field) where it is none, or one of another schema."""
    try:
        if path.stat().st_size > _LARGEST:
            raise InputError("no calibration: larger than 64 MiB", path=str(path))
        text = path.read_text("utf-8")
        held = json.loads(text)
    except OSError as error:
        raise InputError(error.strerror or str(error), path=str(path)) from None
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise InputError(f"no calibration: not JSON ({error})", path=str(path)) from None
    if not isinstance(held, dict):
        raise InputError("no calibration: expected an object", path=str(path))
    schema = held.get("schema_version", CALIBRATION_SCHEMA)
    if schema != CALIBRATION_SCHEMA:
        said = f"expected {CALIBRATION_SCHEMA!r}, got {str(schema)[:20]!r}: written by another version of showable; calibrate anew"
        raise InputError(said, path=str(path), field="schema_version")
    try:
        return Calibration.model_validate_json(text)
    except ValidationError as error:
        field, said = explain(error)
        raise InputError(said, path=str(path), field=field) from None


def calibration_of_run(run: Path) -> Calibration | None:
    """Return the calibration that a run was scored under, which its folder carries in full; None where there was none."""
    file = run / CALIBRATION
    return read_calibration(file) if file.exists() else None


def write_calibration(path: Path, calibration: Calibration) -> None:
    """Write it in one step, so that no reader sees half of it. Raises SettingError where it cannot be written."""
    try:
        replace_text(path, as_text(calibration))
    except OSError as error:
        raise SettingError(f"{path}: cannot be written: {error.strerror or error}") from None


def as_text(calibration: Calibration) -> str:
    """Return what a file holds."""
    return json.dumps(calibration.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"


def name_from(stem: str) -> str:
    """Make a calibration's name of the name of a file or a folder: letters, digits, dots, hyphens and underscores."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", stem).strip("-._")[:_LONGEST]
    return name or "calibration"
