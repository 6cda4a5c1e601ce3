"""A run, or a gate's decision, as JSON: the documents that other programs may rely on."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import IO, Any

from showable.measure.decision import Decision
from showable.report.run_view import RunView

_HALVES = re.compile("[\ud800-\udfff]")


def run_document(view: RunView) -> dict[str, Any]:
    """Return the document of `--json` and of `summary.json`: the summary, fractions 0-1 with their counts and intervals."""
    return view.summary.model_dump(mode="json")


def gate_document(decision: Decision) -> dict[str, Any]:
    """Return the document of `gate --json`."""
    return decision.model_dump(mode="json")


def write_document(document: Mapping[str, Any], file: IO[bytes]) -> None:
    """Write one JSON document, indented, as UTF-8."""
    file.write(_whole(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)))


def write_scores(view: RunView, file: IO[bytes]) -> None:
    """Write the scorecards, JSON Lines, one an answer, as `scores.jsonl` has them, in constant memory."""
    for entry in view.entries():
        card = entry.card.model_dump(mode="json")
        file.write(_whole(json.dumps(card, ensure_ascii=False, separators=(",", ":"), allow_nan=False)))


def _whole(line: str) -> bytes:
    """Encode a line; half characters, which no file can hold, become U+FFFD."""
    return _HALVES.sub("\ufffd", line).encode("utf-8") + b"\n"
