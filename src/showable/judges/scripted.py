"""A judge that reads its verdicts from a table: for tests, and for replaying what another judge or a person said."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pydantic import Field

from showable.read.injection import suspect_injection
from showable.records import Cost, InputError, Pair, SettingError, Verdict
from showable.records.evidence import Label
from showable.records.lines import read_lines
from showable.records.wire import Wire


class ScriptedVerdict(Wire):
    """One line of the table. Without a passage it holds for the claim against any passage that has no line of its own."""

    claim: str
    label: Label
    passage: str | None = None
    p: float | None = Field(default=None, ge=0.0, le=1.0)
    topical: bool | None = None
    quote: str | None = None
    reason: str | None = None


class ScriptedJudge:
    """Gives the verdict that the table holds for a claim and a passage, compared character by character.

    A pair that the table does not hold is `unknown` with a reason. The judge's name carries a hash of
    the table, which does not depend on the order of its lines. Raises SettingError where two lines
    disagree about one pair.
    """

    prompt_hash: str | None = None

    def __init__(self, rows: Iterable[ScriptedVerdict]) -> None:
        """Index the table."""
        self._rows: dict[tuple[str, str | None], ScriptedVerdict] = {}
        for row in rows:
            if self._rows.setdefault((row.claim, row.passage), row) != row:
                raise SettingError(f"scripted judge: two lines disagree about the claim {row.claim[:80]!r}")
        said = (row.model_copy(update={"topical": bool(row.topical)}) for row in self._rows.values())
        lines = sorted(row.model_dump_json() for row in said)
        self.name = f"scripted:{hashlib.sha256(chr(10).join(lines).encode()).hexdigest()[:12]}@1"

    @classmethod
    def of(cls, labels: Mapping[str | tuple[str, str], Label]) -> ScriptedJudge:
        """Make one from ``{claim: label}`` or ``{(claim, passage): label}``."""
        keys = ((key, None) if isinstance(key, str) else key for key in labels)
        rows = zip(keys, labels.values(), strict=True)
        return cls(ScriptedVerdict(claim=claim, passage=passage, label=label) for (claim, passage), label in rows)

    @classmethod
    def read(cls, path: Path) -> ScriptedJudge:
        """Read the table from JSON Lines. Raises InputError naming the file, the line and the field that is wrong."""
        lines = list(read_lines(path, ScriptedVerdict))
        for line in lines:
            if line.problem is not None:
                raise line.problem
        rows = [line.value for line in lines if line.value is not None]
        if not rows:
            raise InputError("a scripted judge needs at least one line", path=str(path))
        return cls(rows)

    async def verdicts(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """Look every pair up."""
        return [self._verdict(pair) for pair in pairs]

    def estimate(self, pairs: Sequence[Pair]) -> Cost:  # noqa: ARG002 - a table costs nothing, whatever is asked
        """Nothing: no call is made."""
        return Cost()

    def _verdict(self, pair: Pair) -> Verdict:
        row = self._rows.get((pair.claim, pair.passage)) or self._rows.get((pair.claim, None))
        suspected = suspect_injection(pair.passage)
        if row is None:
            reason = "the scripted table does not hold this pair"
            return Verdict(label="unknown", judge=self.name, reason=reason, injection_suspected=suspected, cost=Cost())
        at = -1 if row.quote is None else pair.passage.find(row.quote)
        return Verdict(
            label=row.label,
            judge=self.name,
            p=row.p,
            topical=row.topical,
            quote=row.quote,
            quote_span=None if at < 0 or row.quote is None else (at, at + len(row.quote)),
            reason=row.reason or ("the scripted table says unknown" if row.label == "unknown" else None),
            injection_suspected=suspected,
            cost=Cost(),
        )
