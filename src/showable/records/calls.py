"""The calls to judges and registries that a score rests on, and how many of them failed."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import Field

from showable.records.evidence import Evidence
from showable.records.wire import Wire

OFFLINE = "offline, and not in the cache"
"""The reason of a lookup for which no packet may be sent: nothing was asked, so nothing failed."""
_NOBODY = "none"
_CITED_PAGE = "web_page"
"""A cited page that cannot be read says something about the citation, not about a registry."""
_FAILED = frozenset({"unreachable", "rate_limited"})
_NOT_ASKED = frozenset({"not_configured", "not_covered"})


class Calls(Wire):
    """How many verdicts or lookups were asked for, and of those that failed how many in which way (``401``)."""

    made: int = 0
    failures: dict[str, int] = Field(default_factory=dict)

    @property
    def failed(self) -> int:
        """How many failed."""
        return sum(self.failures.values())

    @property
    def share(self) -> float:
        """The share of calls that failed; 0 where none was made."""
        return self.failed / self.made if self.made else 0.0

    @property
    def most(self) -> str:
        """The most frequent way of failing; empty where nothing failed."""
        return max(sorted(self.failures), key=self.failures.__getitem__, default="")

    def __add__(self, other: Calls) -> Calls:
        """Add calls up."""
        names = sorted(self.failures.keys() | other.failures.keys())
        failures = {name: self.failures.get(name, 0) + other.failures.get(name, 0) for name in names}
        return Calls(made=self.made + other.made, failures=failures)

    @classmethod
    def of(cls, outcomes: Iterable[str | None]) -> Calls:
        """Count calls: None for one that was answered, else how it failed."""
        listed = list(outcomes)
        failed = [one for one in listed if one is not None]
        return cls(made=len(listed), failures={name: failed.count(name) for name in sorted(set(failed))})


class CallCounts(Wire):
    """The calls behind one scorecard, or a whole run."""

    judge: Calls = Calls()
    registries: Calls = Calls()

    @property
    def failed(self) -> int:
        """How many calls of either kind failed."""
        return self.judge.failed + self.registries.failed

    def __add__(self, other: CallCounts) -> CallCounts:
        """Add calls up, each kind by itself."""
        return CallCounts(judge=self.judge + other.judge, registries=self.registries + other.registries)


def count_calls_of(evidence: Evidence) -> CallCounts:
    """Count the calls that evidence was gathered with."""
    judge = (pair.verdict.failure for pair in evidence.pairs if pair.verdict.judge != _NOBODY)
    return CallCounts(judge=Calls.of(judge), registries=Calls.of(_lookups(evidence)))


def _lookups(evidence: Evidence) -> Iterable[str | None]:
    for lookup in evidence.lookups:
        if lookup.registry == _CITED_PAGE or (lookup.reason or "").startswith(OFFLINE):
            continue
        if lookup.status in _FAILED:
            yield str(lookup.http_status or lookup.status.replace("_", " "))
        elif lookup.status not in _NOT_ASKED or lookup.asked:
            yield None
