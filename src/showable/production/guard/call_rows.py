"""One row a call, in a file a day: what `showable guard costs` adds up. No text is kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from showable.errors import InputError
from showable.production.guard.tracked import RELEASE_NAMES, TrackedCall

_DAY = re.compile(r"calls-(\d{4}-\d{2}-\d{2})-\d+\.jsonl")


class CallRow(NamedTuple):
    """A call: when (seconds since 1970), its route and release, dollars, output tokens, and the share of structure.

    `structure` is the share of an answer's characters that are keys, ids, quotations and braces; None where the answer is
    running text. Dollars and tokens are None where they are not known.
    """

    at: float
    route: str
    release: str
    usd: float | None
    output: int | None
    structure: float | None


class CallRows:
    """The rows of one worker, written once a second."""

    def __init__(self, folder: Path, worker: int) -> None:
        self._folder, self._worker = folder, worker
        self._rows: list[bytes] = []

    def add(self, call: TrackedCall, at: float) -> None:
        """Add a call of a route that has asked an upstream."""
        if call.route is None or not call.spent:
            return
        usages = [spent.usage for spent in call.spent]
        output = None if None in usages else sum(usage.output for usage in usages if usage is not None)
        row = CallRow(at, call.route.name, RELEASE_NAMES[call.outcome], call.usd, output, call.structure)
        self._rows.append(orjson.dumps(row._asdict()))

    def save(self, at: float) -> None:
        """Append the rows to the file of the day."""
        if self._rows:
            day = datetime.fromtimestamp(at, UTC).date().isoformat()
            with (self._folder / f"calls-{day}-{self._worker}.jsonl").open("ab") as file:
                file.write(b"\n".join([*self._rows, b""]))
            self._rows.clear()


def structure_of(text: str) -> float | None:
    """Return the share of a structured answer that is not the words of its claims, None for running text."""
    if not text.startswith("{"):
        return None
    try:
        answer = orjson.loads(text)
    except ValueError:
        return None
    claims = answer.get("claims")
    if not isinstance(claims, list):
        return None
    words = sum(
        len(claim["text"]) for claim in claims if isinstance(claim, dict) and isinstance(claim.get("text"), str)
    )
    words += len(answer["text"]) if isinstance(answer.get("text"), str) else 0
    return 1 - min(words, len(text)) / len(text)


def read_rows(folder: Path, since: float) -> Iterator[CallRow]:
    """Yield the rows since a time. Raises InputError for a folder that no guard has written to, and for a row that is none."""
    first = datetime.fromtimestamp(since, UTC).date().isoformat()
    paths = [path for path in sorted(folder.glob("calls-*.jsonl")) if _DAY.fullmatch(path.name)]
    if not paths:
        raise InputError("no calls: give the folder that `showable guard --data` was given", path=str(folder))
    for path in paths:
        if path.name[len("calls-") :][: len(first)] < first:
            continue
        for number, line in enumerate(path.read_bytes().splitlines(), 1):
            try:
                given: dict[str, Any] = orjson.loads(line)
                row = CallRow(**given)
            except (ValueError, TypeError):
                raise InputError("expected the row of a call", path=str(path), line=number) from None
            if row.at >= since:
                yield row
