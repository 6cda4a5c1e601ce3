"""What a rubric says about one subject, and the four outcomes that everything falls into."""

from __future__ import annotations

from enum import StrEnum

from showable.records.wire import Span, Wire


class Outcome(StrEnum):
    """The four outcomes. `unknown` is what could not be checked; `not_applicable` what there was no call to check."""

    PASS = "pass"  # noqa: S105 - an outcome, not a password
    FAIL = "fail"
    UNKNOWN = "unknown"
    NOT_APPLICABLE = "not_applicable"


class Subject(Wire):
    """What a finding is about: the whole answer, a claim, or a citation of a claim. Indexes count from 0.

    Prints as a person counts: ``claim 1, citation 2``.
    """

    claim: int | None = None
    citation: int | None = None

    def __str__(self) -> str:
        """Print from 1, as people count."""
        if self.claim is None:
            return "answer"
        claim = f"claim {self.claim + 1}"
        return claim if self.citation is None else f"{claim}, citation {self.citation + 1}"


class Finding(Wire):
    """One check made: its code (`resolvability.not_retrieved`), outcome, subject, reason, and place in the text."""

    code: str
    outcome: Outcome
    subject: Subject = Subject()
    reason: str = ""
    where: Span | None = None

    @property
    def rubric(self) -> str:
        """The rubric that the code belongs to: the part before the dot."""
        return self.code.partition(".")[0]


class OutcomeCounts(Wire):
    """How many checks came out each way. Counts always add up to the checks made."""

    passed: int = 0
    failed: int = 0
    unknown: int = 0
    not_applicable: int = 0

    def __add__(self, other: OutcomeCounts) -> OutcomeCounts:
        """Add counts outcome by outcome."""
        return OutcomeCounts(
            passed=self.passed + other.passed,
            failed=self.failed + other.failed,
            unknown=self.unknown + other.unknown,
            not_applicable=self.not_applicable + other.not_applicable,
        )
