"""CourtListener as it behaves: 200 for the case that contains a page, and every other status it has.

The selector takes the exact cite; where there is none, the case before it in the volume whose text has the page as a
star page. Citations in a text are found by eyecite, as there, so that an unknown reporter is not seen at all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from registry_doubles.law_reports import Library, ReportedCase

MOST_CITES = 250
MOST_CHARACTERS = 64_000


@dataclass
class CourtListenerDouble:
    library: Library
    token: str = "secret"
    throttled: list[dict[str, Any]] = field(default_factory=list)
    """Bodies of HTTP 429 answers to give before the next one that is served."""
    item_429: set[str] = field(default_factory=set)
    """Cites that are one too many in a batch; alone they are served."""
    empty: Any = field(default_factory=list)
    """What stands for no citations at all: the documentation has ``[]`` and ``{}``."""
    leave_out: tuple[str, ...] = ()
    """Fields that a serializer may leave out."""
    shift: int = 0
    """By how much start_index is off."""
    asked: list[dict[str, str]] = field(default_factory=list)
    dockets_asked: list[str] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)

    def app(self) -> web.Application:
        app = web.Application()
        app.router.add_post("/api/rest/v4/citation-lookup/", self.look_up)
        app.router.add_get("/api/rest/v4/dockets/", self.list_dockets)
        app.router.add_get("/api/rest/v4/dockets/{id}/", self.docket)
        return app

    async def look_up(self, request: web.Request) -> web.Response:
        form = {key: str(value) for key, value in (await request.post()).items()}
        self.asked.append(form)
        refused = self.refuse(request)
        if refused is not None:
            return refused
        if self.throttled:
            return web.json_response(self.throttled.pop(0), status=429)
        if wrong := self.wrong(form):
            return web.json_response(wrong, status=400)
        items = self.items_of_text(form["text"]) if form.get("text") else [self.item_of_parts(form)]
        for item in items:
            for name in self.leave_out:
                item.pop(name, None)
        return web.json_response(items or self.empty)

    def refuse(self, request: web.Request) -> web.Response | None:
        given = request.headers.get("Authorization", "")
        self.tokens.append(given)
        if given != f"Token {self.token}":
            detail = "Invalid token." if given else "Authentication credentials were not provided."
            return web.json_response({"detail": detail}, status=401)
        return None

    @staticmethod
    def wrong(form: dict[str, str]) -> dict[str, list[str]] | None:
        if len(form.get("text", "")) > MOST_CHARACTERS:
            return {"text": [f"Ensure this field has no more than {MOST_CHARACTERS} characters."]}
        if not form.get("text") and not form.get("reporter"):
            return {"non_field_errors": ["Either 'text' or 'reporter' is required."]}
        missing = [] if form.get("text") else [name for name in ("volume", "page") if not form.get(name)]
        return {name: ["This field is required."] for name in missing} or None

    def items_of_text(self, text: str) -> list[dict[str, Any]]:
        from eyecite import get_citations
        from eyecite.models import FullCaseCitation

        items = []
        full = [one for one in get_citations(text) if isinstance(one, FullCaseCitation)]
        for number, cite in enumerate(full):
            start, end = cite.span()
            written = text[start:end]
            groups = cite.groups
            readings = sorted({edition.short_name for edition in cite.all_editions})
            many = [f"{groups['volume']} {name} {groups['page']}" for name in readings]
            place = {"citation": written, "start_index": start + self.shift, "end_index": end + self.shift}
            over = number >= MOST_CITES or (written in self.item_429 and len(full) > 1)
            items.append(place | (self.too_many(many) if over else self.found(many, groups)))
        return items

    def item_of_parts(self, form: dict[str, str]) -> dict[str, Any]:
        from reporters_db import EDITIONS, VARIATIONS_ONLY

        reporter = form["reporter"]
        written = f"{form['volume']} {reporter} {form['page']}"
        names = [reporter] if reporter in EDITIONS else sorted(set(VARIATIONS_ONLY.get(reporter, ())))
        place = {"citation": written, "start_index": 0, "end_index": len(written)}
        if not names:
            why = f"Unable to find reporter with abbreviation of '{reporter}'"
            return place | {"normalized_citations": [], "status": 400, "error_message": why, "clusters": []}
        many = [f"{form['volume']} {name} {form['page']}" for name in names]
        return place | self.found(many, {"volume": form["volume"], "page": form["page"]})

    @staticmethod
    def too_many(readings: list[str]) -> dict[str, Any]:
        return {
            "normalized_citations": readings,
            "status": 429,
            "error_message": "Too many citations requested.",
            "clusters": [],
        }

    def found(self, readings: list[str], groups: dict[str, str]) -> dict[str, Any]:
        places = [(groups["volume"], cite.split(" ", 1)[1].rsplit(" ", 1)[0], groups["page"]) for cite in readings]
        cases = self.standing(places)
        if not cases:
            why = f"Citation not found: '{readings[0]}'"
            return {"normalized_citations": readings, "status": 404, "error_message": why, "clusters": []}
        status = 300 if len(cases) > 1 or len(readings) > 1 else 200
        clusters = [self.cluster(case) for case in cases]
        return {"normalized_citations": readings, "status": status, "error_message": "", "clusters": clusters}

    def standing(self, places: Iterable[tuple[str, str, str]]) -> list[ReportedCase]:
        found = [case for place in places for case in self.library.exactly(*place)]
        if found:
            return found
        inside = [case for place in places for case in self.library.around(*place) if case.stars]
        return inside[-1:]

    def cluster(self, case: ReportedCase) -> dict[str, Any]:
        number = self.library.cases.index(case) + 1
        return {
            "resource_uri": f"https://www.courtlistener.com/api/rest/v4/clusters/{number}/",
            "id": number,
            "absolute_url": f"/opinion/{number}/case/",
            "docket_id": number,
            "docket": f"https://www.courtlistener.com/api/rest/v4/dockets/{number}/",
            "sub_opinions": [f"https://www.courtlistener.com/api/rest/v4/opinions/{number}/"],
            "citations": [
                {"volume": int(volume) if volume.isdigit() else volume, "reporter": reporter, "page": page, "type": 1}
                for volume, reporter, page in case.cites
            ],
            "case_name": case.name,
            "case_name_short": case.short_name,
            "case_name_full": case.full_name,
            "date_filed": case.date,
            "precedential_status": "Published",
            "judges": case.judges,
            "blocked": False,
        }

    def docket_of(self, case: ReportedCase) -> dict[str, Any]:
        number = self.library.cases.index(case) + 1
        return {
            "id": number,
            "court": f"https://www.courtlistener.com/api/rest/v4/courts/{case.court}/",
            "court_id": case.court,
            "docket_number": case.docket,
            "case_name": case.name,
            "case_name_full": case.full_name,
            "date_filed": case.date,
            "absolute_url": f"/docket/{number}/case/",
        }

    async def docket(self, request: web.Request) -> web.Response:
        self.dockets_asked.append(request.match_info["id"])
        refused = self.refuse(request)
        if refused is not None:
            return refused
        number = int(request.match_info["id"])
        if not 0 < number <= len(self.library.cases):
            return web.json_response({"detail": "Not found."}, status=404)
        return web.json_response(self.docket_of(self.library.cases[number - 1]))

    async def list_dockets(self, request: web.Request) -> web.Response:
        refused = self.refuse(request)
        if refused is not None:
            return refused
        wanted, court = request.query.get("docket_number", ""), request.query.get("court")
        found = [
            self.docket_of(case)
            for case in self.library.cases
            if case.docket == wanted and (court is None or case.court == court)
        ]
        return web.json_response({"count": len(found), "next": None, "previous": None, "results": found})
