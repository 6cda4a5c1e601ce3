"""Find Case Law as it behaves: judgments as Akoma Ntoso at addresses made of their citations, newer ones by the feed alone."""

from __future__ import annotations

from dataclasses import dataclass, field

from aiohttp import web

JUDGMENT = """<?xml version="1.0" encoding="utf-8"?>
<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0" xmlns:uk="https://caselaw.nationalarchives.gov.uk/akn">
<judgment name="judgment"><meta><identification source="#tna"><FRBRWork><FRBRthis value="x"/><FRBRdate date="{date}" name="judgment"/>
<FRBRname value="{name}"/></FRBRWork><FRBRExpression><FRBRdate date="{date}" name="judgment"/></FRBRExpression></identification>
<proprietary source="#"><uk:court>{court}</uk:court><uk:year>{year}</uk:year><uk:cite>{cite}</uk:cite></proprietary></meta>
<judgmentBody><p>…</p></judgmentBody></judgment></akomaNtoso>"""
FEED = """<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:tna="https://caselaw.nationalarchives.gov.uk"><title>Latest</title>{entries}</feed>"""
ENTRY = """<entry><title>{name}</title><link href="https://caselaw.nationalarchives.gov.uk/{path}" rel="alternate"/>
<published>{date}T00:00:00+00:00</published><tna:identifier slug="{path}" type="ukncn">{cite}</tna:identifier></entry>"""


@dataclass(frozen=True)
class Judgment:
    path: str
    name: str
    cite: str
    date: str
    court: str = "EWHC-QBD-Admin"


@dataclass
class FindCaseLawDouble:
    judgments: list[Judgment]
    asked: list[str] = field(default_factory=list)

    def app(self) -> web.Application:
        app = web.Application()
        app.router.add_get("/atom.xml", self.feed)
        app.router.add_get("/{path:.*}/data.xml", self.judgment)
        return app

    async def judgment(self, request: web.Request) -> web.Response:
        self.asked.append(request.path)
        for one in self.judgments:
            if one.path == request.match_info["path"]:
                text = JUDGMENT.format(name=one.name, cite=one.cite, date=one.date, court=one.court, year=one.date[:4])
                return web.Response(text=text, content_type="application/akn+xml")
        return web.Response(status=404, text="<html>Page not found</html>", content_type="text/html")

    async def feed(self, request: web.Request) -> web.Response:
        wanted = request.query.get("query", "").strip('"')
        self.asked.append(request.path_qs)
        found = [
            ENTRY.format(name=one.name, cite=one.cite, date=one.date, path=one.path)
            for one in self.judgments
            if wanted in one.cite
        ]
        return web.Response(text=FEED.format(entries="".join(found)), content_type="application/atom+xml")
