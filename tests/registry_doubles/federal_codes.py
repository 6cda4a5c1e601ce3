"""The eCFR's versioner, GovInfo's link service, the House's U.S. Code, and the Federal Register's API, as they behave."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from aiohttp import web


@dataclass
class EcfrDouble:
    """`sections` are those of today by (title, part, section), `versions` what is left of those removed."""

    sections: dict[tuple[str, str, str], str]
    versions: dict[tuple[str, str], list[dict[str, Any]]] = field(default_factory=dict)
    current_to: str = "2026-11-19"
    reserved: frozenset[tuple[str, str, str]] = frozenset()
    subparts: frozenset[tuple[str, str, str]] = frozenset()
    asked: list[str] = field(default_factory=list)

    def app(self) -> web.Application:
        app = web.Application()
        app.router.add_get("/api/versioner/v1/titles.json", self.titles)
        app.router.add_get("/api/versioner/v1/ancestry/{date}/{file}", self.ancestry)
        app.router.add_get("/api/versioner/v1/versions/{file}", self.history)
        return app

    async def titles(self, request: web.Request) -> web.Response:
        self.asked.append(request.path)
        rows = [
            {
                "number": int(title),
                "name": "A title",
                "latest_amended_on": self.current_to,
                "up_to_date_as_of": self.current_to,
                "reserved": False,
            }
            for title in sorted({key[0] for key in self.sections})
        ]
        return web.json_response({"titles": rows, "meta": {"date": self.current_to, "import_in_progress": False}})

    async def ancestry(self, request: web.Request) -> web.Response:
        self.asked.append(request.path_qs)
        title = request.match_info["file"].removeprefix("title-").removesuffix(".json")
        part, section = request.query.get("part", ""), request.query.get("section", "")
        subpart = request.query.get("subpart", "")
        if request.match_info["date"] > self.current_to or (section and not part):
            return web.json_response({"error": "bad request"}, status=400)
        key = (title, part, section)
        label = self.sections.get(key) or (
            next(("a part" for k in self.sections if k[:2] == (title, part)), None) if not section else None
        )
        if label is None or (subpart and (title, part, subpart) not in self.subparts):
            return web.json_response({"error": "not found"}, status=404)
        rows: list[dict[str, Any]] = [
            {
                "identifier": title,
                "label": f"Title {title}",
                "label_level": f"Title {title}",
                "reserved": False,
                "type": "title",
            },
            {"identifier": part, "label": f"Part {part}", "reserved": False, "type": "part"},
        ]
        if subpart:
            rows.append({"identifier": subpart, "label": f"Subpart {subpart}", "reserved": False, "type": "subpart"})
        if section:
            rows.append({"identifier": section, "label": label, "reserved": key in self.reserved, "type": "section"})
        return web.json_response({"ancestors": rows})

    async def history(self, request: web.Request) -> web.Response:
        self.asked.append(request.path_qs)
        title = request.match_info["file"].removeprefix("title-").removesuffix(".json")
        rows = self.versions.get((title, request.query.get("section", "")), [])
        return web.json_response({"content_versions": rows, "meta": {"title": title}})


@dataclass
class GovInfoDouble:
    """`links` map a path to where it leads; everything else is a miss, told with `miss`."""

    links: dict[str, str]
    miss: int = 400
    asked: list[str] = field(default_factory=list)

    def app(self) -> web.Application:
        app = web.Application()
        app.router.add_get("/link/{path:.*}", self.link)
        return app

    async def link(self, request: web.Request) -> web.Response:
        path = request.match_info["path"]
        self.asked.append(request.path_qs)
        if path in self.links:
            return web.Response(status=302, headers={"Location": self.links[path]})
        return web.Response(
            status=self.miss, text="<html><h1>Error</h1>No results found</html>", content_type="text/html"
        )


@dataclass
class UsCodeDouble:
    """`headings` by (title, section), as the page prints them; what is missing is answered 200 all the same."""

    headings: dict[tuple[str, str], str]
    asked: list[str] = field(default_factory=list)

    def app(self) -> web.Application:
        app = web.Application()
        app.router.add_get("/view.xhtml", self.view)
        return app

    async def view(self, request: web.Request) -> web.Response:
        wanted = request.query.get("req", "")
        self.asked.append(wanted)
        title, _, section = wanted.removeprefix("granuleid:USC-prelim-title").partition("-section")
        heading = self.headings.get((title, section))
        chrome = "<h1>Office of the Law Revision Counsel</h1><h2>United States Code</h2>"
        body = (
            f'<h3 class="section-head">{heading}</h3><p>…</p>'
            if heading
            else "<p>Sorry, the document was not found.</p>"
        )
        return web.Response(text=f"<html><body>{chrome}{body}</body></html>", content_type="text/html")


@dataclass
class FederalRegisterDouble:
    """Documents by page; they are found by their day, and by words in their text."""

    documents: list[dict[str, Any]]
    asked: list[dict[str, str]] = field(default_factory=list)

    def app(self) -> web.Application:
        app = web.Application()
        app.router.add_get("/api/v1/documents.json", self.find)
        return app

    async def find(self, request: web.Request) -> web.Response:
        query = {key: value for key, value in request.query.items() if key != "fields[]"}
        self.asked.append(query)
        day, term = query.get("conditions[publication_date][is]"), query.get("conditions[term]", "").strip('"')
        rows = [
            row
            for row in self.documents
            if (day and row["publication_date"] == day) or (term and term in row.get("mentions", ()))
        ]
        if not rows:
            return web.json_response({"count": 0, "description": "No documents"})
        kept = [{key: value for key, value in row.items() if key != "mentions"} for row in rows]
        return web.json_response({"count": len(rows), "total_pages": 1, "results": kept})
