"""The records that registries are probed for, on servers in the shapes that the registries document.

`served(name)` gives what a registry needs in order to be probed here. With a change (old, new), every answer has the new
bytes where it had the old ones, in its body or in its Location: a field that was renamed, or is gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from registry_doubles import arxiv, entrez, handles, loopback_web, serve
from registry_doubles.caselaw_access import CaselawAccessDouble
from registry_doubles.clinical_trials import clinical_trials
from registry_doubles.courtlistener import CourtListenerDouble
from registry_doubles.crossref import crossref
from registry_doubles.dailymed import dailymed
from registry_doubles.datacite import datacite
from registry_doubles.edgar import edgar
from registry_doubles.europe_pmc import europe_pmc
from registry_doubles.federal_codes import EcfrDouble, FederalRegisterDouble, GovInfoDouble, UsCodeDouble
from registry_doubles.find_case_law import FindCaseLawDouble, Judgment
from registry_doubles.law_reports import Library, ReportedCase
from registry_doubles.open_library import open_library
from registry_doubles.openalex import openalex
from registry_doubles.openfda import openfda
from registry_doubles.pacer import PacerDouble
from registry_doubles.site import Answer, site
from registry_doubles.wayback import wayback

Change = tuple[str, str]


@dataclass(frozen=True)
class Served:
    """Where the registry's addresses lead to, its Web, its secrets, and the address of the page where one is asked for."""

    base: Mapping[str, str]
    web: Any
    secrets: Mapping[str, str] = field(default_factory=dict)
    page: str | None = None


@contextmanager
def served(name: str, change: Change | None = None, status: int | None = None) -> Iterator[Served]:
    """Serve a registry's known record; with `status`, the agency behind doi.org answers that instead."""
    with ExitStack() as stack:
        if name == "doi_org":
            behind = _agency(status)
            agency = stack.enter_context(serve(changed(behind, change)))
            app, others = handles.handles([_CHEM["DOI"]], agency=agency), [agency]
        else:
            app, others = APPS[name](), []
        base = stack.enter_context(serve(changed(app, change)))
        names = (name, *_ALSO.get(name, ()))
        page = f"{base}/rfc/rfc9309.html" if name == "web_page" else None
        yield Served(dict.fromkeys(names, base), loopback_web(base, *others), _SECRETS.get(name, {}), page)


def changed(app: web.Application, change: Change | None) -> web.Application:
    """Put new bytes for old ones into every answer."""
    if change is None:
        return app
    old, new = change

    @web.middleware
    async def rewrite(request: web.Request, handler: Any) -> web.StreamResponse:
        response = await handler(request)
        if isinstance(response, web.Response) and isinstance(response.body, bytes):
            response.body = response.body.replace(old.encode(), new.encode())
        if "Location" in response.headers:
            response.headers["Location"] = response.headers["Location"].replace(old, new)
        return response

    app.middlewares.append(rewrite)
    return app


def _agency(status: int | None) -> web.Application:
    if status is None:
        return handles.agency({_CHEM["DOI"]: _CHEM})

    async def answer(_: web.Request) -> web.Response:
        return web.Response(status=status)

    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    return app


def _contract(row: Mapping[str, str]) -> web.Application:
    async def look_up(_: web.Request) -> web.Response:
        return web.json_response({"results": [row]})

    app = web.Application()
    app.router.add_get("/lookup", look_up)
    return app


# --- the records: well-known works, in the fields that are read -----------------------------------------------------

_CHEM = {
    "DOI": "10.1002/chem.202000622", "type": "journal-article", "title": "A record of an article in chemistry",
    "author": [{"family": "Someone", "given": "A."}], "issued": {"date-parts": [[2020, 5, 15]]},
    "container-title": "Chemistry – A European Journal", "volume": "26", "page": "7000-7010", "URL": "http://dx.doi.org/10.1002/chem.202000622",
}  # fmt: skip
_THERMOMETRY = {
    "DOI": "10.1038/nature12373", "type": "journal-article", "title": ["Nanometre-scale thermometry in a living cell"],
    "author": [{"given": "G.", "family": "Kucsko", "sequence": "first"}], "container-title": ["Nature"],
    "issued": {"date-parts": [[2013, 7, 31]]}, "volume": "500", "issue": "7460", "page": "54-58", "updated-by": [],
}  # fmt: skip
_ATTENTION = {
    "titles": [{"title": "Attention Is All You Need"}], "publicationYear": 2017, "publisher": "arXiv",
    "creators": [{"name": "Vaswani, Ashish", "givenName": "Ashish", "familyName": "Vaswani"}],
    "types": {"resourceTypeGeneral": "Preprint"}, "url": "https://arxiv.org/abs/1706.03762",
}  # fmt: skip
_STATE_OF_OA = {
    "id": "https://openalex.org/W2741809807", "doi": "https://doi.org/10.7717/peerj.4375", "title": "The state of OA",
    "publication_year": 2018, "type": "article", "is_retracted": False,
    "authorships": [{"author_position": "first", "author": {"display_name": "Heather Piwowar"}}],
    "biblio": {"volume": "6", "issue": None, "first_page": "e4375", "last_page": "e4375"},
}  # fmt: skip
_SUMMARIES = {
    "9500320": {
        "pubdate": "1998 Feb 28", "epubdate": "", "source": "Lancet", "fulljournalname": "Lancet (London, England)",
        "authors": [{"name": "Wakefield AJ", "authtype": "Author"}], "title": "RETRACTED: Ileal-lymphoid-nodular hyperplasia.",
        "volume": "351", "issue": "9103", "pages": "637-41", "pubtype": ["Journal Article", "Retracted Publication"],
        "articleids": [{"idtype": "doi", "value": "10.1016/s0140-6736(97)11096-0"}],
        "references": [{"refsource": "Lancet. 2010 Feb 6;375(9713):445", "reftype": "Retraction in", "pmid": 20137807}],
    },
    "2014248": {
        "pubdate": "1991 Apr 15", "source": "Proc Natl Acad Sci U S A", "title": "On amoebae.", "volume": "88", "pages": "3248-52",
        "authors": [{"name": "Mann BJ", "authtype": "Author"}], "pubtype": ["Journal Article"],
    },
    "1": {"title": "GeneReviews", "accessionid": "NBK1116", "pubdate": "1993"},
}  # fmt: skip
_GENBANK = {
    "id": "23193287", "source": "MED", "pmid": "23193287", "pmcid": "PMC3531190", "doi": "10.1093/nar/gks1195", "title": "GenBank.",
    "authorString": "Benson DA, Cavanaugh M.", "pubYear": "2013", "pageInfo": "D36-42",
    "journalInfo": {"volume": "41", "issue": "D1", "journal": {"title": "Nucleic acids research"}},
}  # fmt: skip
_PAPERS = {
    "1706.03762": {"title": "Attention Is All You Need", "authors": ["Ashish Vaswani"], "published": "2017-06-12", "version": 7}
}  # fmt: skip
_LIBRARY = Library(
    [
        ReportedCase(
            "Obergefell v. Hodges", (("576", "U.S.", "644"), ("135", "S. Ct.", "2584")), "742", "2015-06-26", "scotus"
        ),
        ReportedCase("J.D. v. Azar", (("925", "F.3d", "1291"),), "1350", "2019-06-14", "cadc"),
        ReportedCase("Someone v. Another", (("925", "F.3d", "1351"),), "1360", "2019-06-17", "ca9"),
    ],
    scanned={("F.3d", "925"), ("925", "F.3d")},
)
_ORDER = {
    "title": "Advancing Racial Equity and Support for Underserved Communities Through the Federal Government",
    "document_number": "2021-01753", "type": "Presidential Document", "publication_date": "2021-01-25", "citation": "86 FR 7009",
    "volume": 86, "start_page": 7009, "end_page": 7013, "html_url": "https://www.federalregister.gov/d/2021-01753",
    "agency_names": ["Executive Office of the President"],
}  # fmt: skip
_JUDGMENT = Judgment(
    "ewhc/admin/2025/1040", "R (Someone) v The Secretary of State", "[2025] EWHC 1040 (Admin)", "2025-05-01"
)
_DOCKET = {
    "caseNumberFull": "1:22-cv-01461",
    "courtId": "nysdc",
    "caseTitle": "Mata v. Avianca, Inc.",
    "caseYear": 2022,
}
_PAGE = """<html><head><title>%s</title></head><body><h1>%s</h1><p>%s</p></body></html>"""
_TEXT = "What stands on a page that is there, in as many words as such a page has. " * 20
_EXAMPLE = _PAGE % ("Example Domain", "Example Domain", _TEXT)
_ROBOTS = _PAGE % ("RFC 9309: Robots Exclusion Protocol", "Robots Exclusion Protocol", _TEXT)

APPS: Mapping[str, Callable[[], web.Application]] = {
    "crossref": lambda: crossref([_THERMOMETRY]),
    "datacite": lambda: datacite({"10.48550/arxiv.1706.03762": _ATTENTION}),
    "openalex": lambda: openalex({"doi:10.7717/peerj.4375": _STATE_OF_OA}),
    "pubmed": lambda: entrez.entrez(_SUMMARIES),
    "ecitmatch": lambda: entrez.entrez(_SUMMARIES, matches={"proc natl acad sci u s a|88|3248": "2014248"}),
    "pmc_ids": lambda: entrez.idconv({"PMC3531190": {"pmid": 23193287, "doi": "10.1093/nar/gks1195"}}),
    "europe_pmc": lambda: europe_pmc({"EXT_ID:23193287 AND SRC:MED": [_GENBANK]}),
    "arxiv": lambda: arxiv.arxiv(_PAPERS),
    "bookshelf": lambda: entrez.entrez(_SUMMARIES, found={"NBK1116": ["1"]}),
    "courtlistener": lambda: CourtListenerDouble(_LIBRARY).app(),
    "caselaw_access": lambda: CaselawAccessDouble(_LIBRARY).app(),
    "ecfr": lambda: EcfrDouble({("21", "314", "314.53"): "§ 314.53 Submission of patent information."}).app(),
    "govinfo": lambda: GovInfoDouble(
        {"plaw/111/public/148": "https://www.govinfo.gov/content/pkg/PLAW-111publ148/pdf/PLAW-111publ148.pdf"}
    ).app(),
    "us_code": lambda: UsCodeDouble({("28", "1331"): "§1331. Federal question"}).app(),
    "federal_register": lambda: FederalRegisterDouble([_ORDER]).app(),
    "find_case_law": lambda: FindCaseLawDouble([_JUDGMENT]).app(),
    "westlaw": lambda: _contract({"case_name": "Mata v. Avianca, Inc.", "court": "nysd", "date": "2023-06-22"}),
    "lexis": lambda: _contract({"case_name": "Obergefell v. Hodges", "court": "scotus", "date": "2015-06-26"}),
    "pacer": lambda: PacerDouble([_DOCKET]).app(),
    "orange_book": lambda: openfda([]),
    "drugs_at_fda": lambda: openfda([]),
    "dailymed": dailymed,
    "clinical_trials": clinical_trials,
    "edgar": lambda: edgar([]),
    "open_library": lambda: open_library([]),
    "wayback": lambda: wayback(
        {"http://example.com/": ("20130919044612", "200")},
        {},
        {("20130919044612", "http://example.com/"): _EXAMPLE.encode()},
    ),
    "web_page": lambda: site({"/rfc/rfc9309.html": Answer(_ROBOTS)}),
}
_ALSO = {
    "edgar": ("edgar_archives",),
    "wayback": ("wayback_copies",),
    "web_page": ("wayback",),
    "pacer": ("pacer_login",),
}
_SECRETS = {
    "courtlistener": {"SHOWABLE_COURTLISTENER_TOKEN": "secret"},
    "openalex": {"SHOWABLE_OPENALEX_KEY": "key"},
    "westlaw": {"SHOWABLE_WESTLAW_KEY": "key"},
    "lexis": {"SHOWABLE_LEXIS_KEY": "key"},
    "pacer": {
        "SHOWABLE_PACER_LOGIN": "someone",
        "SHOWABLE_PACER_PASSWORD": "something",
        "SHOWABLE_PACER_CAP_USD": "1",
    },
}
