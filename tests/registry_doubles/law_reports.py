"""Cases on the pages of reporters, for the servers that stand for CourtListener and the Caselaw Access Project."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class ReportedCase:
    """A case where it stands: `cites` as (volume, reporter, first page), the first of them the one whose last page is known.

    `stars` says whether its text has star pages, so that CourtListener finds it for a page within.
    """

    name: str
    cites: tuple[tuple[str, str, str], ...]
    last_page: str
    date: str
    court: str
    full_name: str = ""
    docket: str = ""
    stars: bool = True
    short_name: str = ""
    judges: str = ""

    def first_page(self, volume: str, reporter: str) -> str | None:
        return next((page for vol, rep, page in self.cites if (vol, rep) == (volume, reporter)), None)

    def covers(self, volume: str, reporter: str, page: str) -> bool:
        first = self.first_page(volume, reporter)
        if first is None or not (first.isdigit() and page.isdigit() and self.last_page.isdigit()):
            return False
        return int(first) < int(page) <= int(self.last_page) and (volume, reporter) == self.cites[0][:2]


@dataclass
class Library:
    """All the cases there are, with which volumes the Caselaw Access Project has scanned."""

    cases: list[ReportedCase] = field(default_factory=list)
    scanned: set[tuple[str, str]] = field(default_factory=set)

    def exactly(self, volume: str, reporter: str, page: str) -> list[ReportedCase]:
        return [case for case in self.cases if (volume, reporter, page) in case.cites]

    def around(self, volume: str, reporter: str, page: str) -> list[ReportedCase]:
        return [case for case in self.cases if case.covers(volume, reporter, page)]

    def in_volume(self, volume: str, reporter: str) -> list[ReportedCase]:
        return [case for case in self.cases if case.first_page(volume, reporter) is not None]
