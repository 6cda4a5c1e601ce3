"""The recorded answers that ship with the package, and the labels given to them beforehand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

_DATA = files("showable.demo") / "data"


@contextmanager
def records_path() -> Iterator[Path]:
    """Return the file of recorded answers, unpacked if the package is a zip."""
    with as_file(_DATA / "records.jsonl") as path:
        yield path


def expected_labels() -> dict[str, dict[str, Any]]:
    """Return by record id the bucket and cause expected, and why."""
    lines = (_DATA / "expected.jsonl").read_text("utf-8").splitlines()
    return {label["id"]: label for label in map(json.loads, lines)}
