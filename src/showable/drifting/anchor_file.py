"""An anchor: labelled rows with what a judge said of them when they were frozen, in a file that cannot change unnoticed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from showable.errors import InputError, SettingError
from showable.records.evidence import Label as VerdictLabel
from showable.records.evidence import Verdict
from showable.records.lines import explain
from showable.records.signature import Thresholds
from showable.records.wire import Many, Wire
from showable.stores.run_folder import replace_text
from showable.validation.rows import LabelledPair

ANCHOR_SCHEMA: Literal["1"] = "1"


class FrozenRow(Wire):
    """A claim, a passage, people's label (1 or 0), and the judge's verdict and p at the time.

    `group`, `question` and `kind` are as in labelled rows; `id` names the row in its source.
    """

    id: str
    claim: str
    passage: str
    label: Literal[0, 1]
    group: str | None = None
    question: str | None = None
    kind: str | None = None
    verdict: VerdictLabel
    p: float | None = None

    def labelled(self) -> LabelledPair:
        """Return the row as labelled rows are read."""
        return LabelledPair(
            claim=self.claim,
            passage=self.passage,
            label=float(self.label),
            group=self.group,
            question=self.question,
            kind=self.kind,
            id=self.id,
        )


class Anchor(Wire):
    """The whole of it. `digest` is that of all the rest; `at` is when it was frozen (ISO 8601, UTC).

    `judge`, `prompt`, `calibration` and `thresholds` are those that the verdicts were given and are decided under.
    """

    schema_version: Literal["1"] = ANCHOR_SCHEMA
    source: str
    judge: str
    prompt: str | None = None
    calibration: str | None = None
    thresholds: Thresholds = Thresholds()
    profile: str = "general"
    at: str
    rows: Many[FrozenRow]
    digest: str = ""

    def sealed(self) -> Anchor:
        """Return it with its digest."""
        return self.model_copy(update={"digest": self.true_digest()})

    def true_digest(self) -> str:
        """Compute the digest of what it holds now."""
        held = self.model_dump(mode="json", exclude={"digest"})
        written = json.dumps(held, sort_keys=True, ensure_ascii=True)
        return hashlib.blake2b(written.encode(), digest_size=16).hexdigest()

    @property
    def numbered(self) -> list[tuple[int, LabelledPair]]:
        """The rows as labelled rows are read, counted from 1."""
        return [(number, row.labelled()) for number, row in enumerate(self.rows, 1)]

    @property
    def verdicts(self) -> list[Verdict]:
        """What the judge said then."""
        return [Verdict(label=row.verdict, judge=self.judge, p=row.p) for row in self.rows]


def frozen_rows(rows: Sequence[tuple[int, LabelledPair]], verdicts: Sequence[Verdict]) -> tuple[FrozenRow, ...]:
    """Put rows and verdicts together. Labels must be 1 or 0."""
    return tuple(
        FrozenRow(
            id=row.id or f"line {number}",
            claim=row.claim,
            passage=row.passage,
            label=1 if row.label == 1.0 else 0,
            group=row.group,
            question=row.question,
            kind=row.kind,
            verdict=verdict.label,
            p=verdict.p,
        )
        for (number, row), verdict in zip(rows, verdicts, strict=True)
    )


def write_anchor(path: Path, anchor: Anchor) -> None:
    """Write an anchor. Raises SettingError where it cannot be written, or where a file is there: an anchor is not replaced."""
    if path.exists():
        raise SettingError(f"{path}: exists, and an anchor is never written over; give another --out")
    try:
        replace_text(path, anchor.model_dump_json(indent=1) + "\n")
    except OSError as error:
        raise SettingError(f"{path}: cannot be written: {error.strerror or error}") from None


def read_anchor(path: Path) -> Anchor:
    """Read an anchor. Raises InputError where it is none, or where it is not what was frozen."""
    try:
        anchor = Anchor.model_validate_json(path.read_bytes())
    except OSError as error:
        raise InputError(error.strerror or str(error), path=str(path)) from None
    except ValidationError as error:
        field, said = explain(error)
        made = "`showable drift anchor freeze` makes an anchor"
        raise InputError(f"{said} ({made})", path=str(path), field=field) from None
    if anchor.digest != anchor.true_digest():
        said = f"was changed since it was frozen: its digest is {anchor.true_digest()}, and it says"
        raise InputError(f"{said} {anchor.digest or 'nothing'}", path=str(path), field="digest")
    return anchor
