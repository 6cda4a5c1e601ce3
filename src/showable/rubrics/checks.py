"""Collect what a rubric checked: every check is counted, and all but plain passes leave a finding."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

from showable.records.findings import Finding, Outcome, OutcomeCounts, Subject

ANSWER = Subject()
_FIELD = {Outcome.PASS: 0, Outcome.FAIL: 1, Outcome.UNKNOWN: 2, Outcome.NOT_APPLICABLE: 3}


@lru_cache(maxsize=4096)
def _counted(passed: int, failed: int, unknown: int, not_applicable: int) -> OutcomeCounts:
    return OutcomeCounts(passed=passed, failed=failed, unknown=unknown, not_applicable=not_applicable)


class Checks:
    """A growing list of findings and, by code, how many checks came out each way."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self._counts: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])

    def passed(self, code: str) -> None:
        """Count a check that passed and needs no words."""
        self._counts[code][0] += 1

    def not_applicable(self, code: str) -> None:
        """Count a check that there was no call to make."""
        self._counts[code][3] += 1

    def note(
        self,
        code: str,
        outcome: Outcome,
        reason: str,
        subject: Subject = ANSWER,
        where: tuple[int, int] | None = None,
    ) -> None:
        """Count a check and keep a finding that says what was seen."""
        self._counts[code][_FIELD[outcome]] += 1
        self.findings.append(Finding(code=code, outcome=outcome, subject=subject, reason=reason, where=where))

    def failed(self, code: str, reason: str, subject: Subject = ANSWER, where: tuple[int, int] | None = None) -> None:
        """Count a check that failed, with why."""
        self.note(code, Outcome.FAIL, reason, subject, where)

    def unknown(self, code: str, reason: str, subject: Subject = ANSWER, where: tuple[int, int] | None = None) -> None:
        """Count a check that could not be made, with why."""
        self.note(code, Outcome.UNKNOWN, reason, subject, where)

    def counts(self) -> dict[str, OutcomeCounts]:
        """Return the counts by code, in order of code."""
        return {code: _counted(p, f, u, n) for code, (p, f, u, n) in sorted(self._counts.items())}
