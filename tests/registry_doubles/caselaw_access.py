"""The Caselaw Access Project's static files: a volume's cases in one document, 404 for a volume that was not scanned."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from registry_doubles.law_reports import Library, ReportedCase

SLUGS = {
    "us": "U.S.",
    "f2d": "F.2d",
    "f3d": "F.3d",
    "f-supp": "F. Supp.",
    "f-supp-2d": "F. Supp. 2d",
    "f-supp-3d": "F. Supp. 3d",
    "br": "B.R.",
    "ne2d": "N.E.2d",
    "ne3d": "N.E.3d",
    "sw2d": "S.W.2d",
    "a2d": "A.2d",
    "p3d": "P.3d",
}


@dataclass
class CaselawAccessDouble:
    library: Library
    slugs: dict[str, str] = field(default_factory=lambda: dict(SLUGS))
    asked: list[str] = field(default_factory=list)

    def app(self) -> web.Application:
        app = web.Application()
        app.router.add_get("/{file:ReportersMetadata.json}", self.reporters)
        app.router.add_get("/{slug}/{volume}/CasesMetadata.json", self.cases)
        return app

    async def reporters(self, request: web.Request) -> web.Response:
        self.asked.append(request.path)
        rows = [
            {"id": n, "full_name": name, "short_name": name, "start_year": 1800, "end_year": 2020, "slug": slug}
            for n, (slug, name) in enumerate(self.slugs.items())
        ]
        return web.json_response(rows)

    async def cases(self, request: web.Request) -> web.Response:
        self.asked.append(request.path)
        reporter, volume = self.slugs.get(request.match_info["slug"]), request.match_info["volume"]
        if reporter is None or (reporter, volume) not in self.library.scanned:
            return web.Response(
                status=404, text="<Error><Code>NoSuchKey</Code></Error>", content_type="application/xml"
            )
        return web.json_response(
            [self.row(case, volume, reporter) for case in self.library.in_volume(volume, reporter)]
        )

    def row(self, case: ReportedCase, volume: str, reporter: str) -> dict[str, Any]:
        first = case.first_page(volume, reporter) or ""
        official = case.cites[0][:2] == (volume, reporter)
        kinds = ["official" if n == 0 else "parallel" for n in range(len(case.cites))]
        return {
            "id": self.library.cases.index(case) + 1,
            "name": case.full_name or case.name,
            "name_abbreviation": case.name,
            "decision_date": case.date,
            "docket_number": case.docket,
            "first_page": first,
            "last_page": case.last_page if official else first,
            "citations": [{"type": kind, "cite": " ".join(cite)} for kind, cite in zip(kinds, case.cites, strict=True)],
            "court": {"id": 1, "name": COURT_NAMES.get(case.court, case.court), "name_abbreviation": case.court},
            "jurisdiction": {"id": 39, "name_long": "United States", "name": "U.S."},
            "file_name": f"{first.zfill(4)}-01",
        }


COURT_NAMES = {
    "scotus": "Supreme Court of the United States",
    **{
        f"ca{n}": f"United States Court of Appeals for the {name} Circuit"
        for n, name in enumerate(
            ("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth", "Tenth", "Eleventh"),
            1,
        )
    },
    "cadc": "United States Court of Appeals for the District of Columbia Circuit",
    "nysd": "United States District Court for the Southern District of New York",
    "dcd": "United States District Court for the District of Columbia",
    "mont": "Montana Supreme Court",
    "massappct": "Massachusetts Appeals Court",
    "indctapp": "Indiana Court of Appeals",
    "tex": "Supreme Court of Texas",
    "dc": "District of Columbia Court of Appeals",
}
