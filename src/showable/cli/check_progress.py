"""Show how far a check has come, and what is known so far."""

from __future__ import annotations

from showable.cli.count_progress import CountProgress
from showable.records.lookups import PROVEN_BAD, LookupResult


class CheckProgress(CountProgress):
    """Answers of all questions, how many of them speak against a citation, and how many came from the cache."""

    def __init__(self, total: int) -> None:
        super().__init__(total, "checking", "asked")
        self._bad = self._kept = 0

    def told(self, result: LookupResult) -> None:
        """Count one answer."""
        self._bad += result.status in PROVEN_BAD
        self._kept += result.cached
        parts = [f"{self._bad} bad"] * bool(self._bad) + [f"{self._kept} from the cache"] * bool(self._kept)
        self.add(1, ", ".join(parts))
