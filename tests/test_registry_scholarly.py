"""Registries of papers against local servers of their documented shapes: what each answers, and each trap by name.

Shapes and codes are those of the services' own documentation, which each adapter's docstring names. The works are
well-known ones, in a few fields, or made up under prefixes kept for that (10.5555, example).
"""

from __future__ import annotations

import asyncio

import pytest
from aiohttp import web
from registry_doubles import arxiv as arxiv_double
from registry_doubles import crossref as crossref_double
from registry_doubles import datacite as datacite_double
from registry_doubles import entrez as entrez_double
from registry_doubles import europe_pmc as europe_pmc_double
from registry_doubles import handles as handles_double
from registry_doubles import loopback_web, serve
from registry_doubles import openalex as openalex_double
from tables import every_row

from showable.records import Reference, Registry
from showable.registries.arxiv import ArXiv
from showable.registries.bookshelf import Bookshelf
from showable.registries.crossref import Crossref
from showable.registries.csl import entry_of
from showable.registries.datacite import DataCite
from showable.registries.doi_org import DoiOrg
from showable.registries.ecitmatch import ECitMatch
from showable.registries.europe_pmc import EuropePmc
from showable.registries.openalex import OpenAlex
from showable.registries.pmc_ids import PmcIds
from showable.registries.pubmed import PubMed
from showable.registries.settings import Settings

CLASSES = [DoiOrg, Crossref, DataCite, OpenAlex, PubMed, ECitMatch, PmcIds, EuropePmc, ArXiv, Bookshelf]


def ask(registry_class, app, kind="doi", *, secrets=None, others=(), **fields):
    with serve(app) as base:
        settings = Settings(base={registry_class.name: base}, secrets=secrets or {})
        registry = registry_class(loopback_web(base, *others), settings)
        return asyncio.run(registry.find(Reference(kind=kind, text="…", fields=fields)))


@pytest.mark.parametrize("registry_class", CLASSES)
def test_a_registry_keeps_its_contract(registry_class):
    registry = registry_class(None, Settings())
    assert isinstance(registry, Registry)
    assert registry.proves <= registry.kinds
    assert registry.known.kind in registry.kinds
    assert registry.key(registry.known)
    assert registry.pace.per_second > 0
    empty = Reference(kind=registry.known.kind, text="")
    assert registry.key(empty) is None


@every_row("registry_class", CLASSES)
@every_row("junk", ["", "\x00", "10.", "x" * 5000, "½", "{}[]()|", "../../etc", "10.1/x", "999999999"])
def test_no_text_is_an_exception(registry_class, junk):
    for kind in registry_class.kinds:
        fields = dict.fromkeys((kind, "title", "authors", "year", "container", "volume", "pages"), junk)
        reference = Reference(kind=kind, text=junk, fields=fields)
        found = ask_nobody(registry_class, reference)
        assert found.status in {"malformed", "not_covered", "unreachable", "not_configured", "not_found"}
        assert found.reason


def ask_nobody(registry_class, reference):
    class Silent:
        async def ask(self, *_, **__):
            from showable.registries.web.asking import UnreachableError

            raise UnreachableError("nobody is there")

    return asyncio.run(registry_class(Silent(), Settings()).find(reference))


# --- 1 and 3: doi.org ------------------------------------------------------------------------------------------------

CSL = {
    "type": "journal-article",
    "title": "Nanometre-scale thermometry in a living cell",
    "author": [{"family": "Kucsko", "given": "G."}, {"family": "Maurer", "given": "P. C."}],
    "issued": {"date-parts": [[2013, 7, 31]]},
    "container-title": "Nature",
    "volume": "500",
    "issue": "7460",
    "page": "54-58",
    "DOI": "10.1038/nature12373",
}


@pytest.mark.parametrize(
    ("doi", "status", "reason"),
    [
        ("10.1038/nature12373", "found", None),
        ("10.1038/NATURE12373", "found", None),
        ("https://doi.org/10.1038/nature12373", "found", None),
        ("10.5555/nowhere", "not_found", "there is no DOI 10.5555/nowhere"),
        ("10.5555/no-url", "found", None),
        ("10.5555/broken", "unreachable", None),
        ("10.1/x", "malformed", "no DOI"),
    ],
)
def test_handles(doi, status, reason):
    app = handles_double.handles(
        ["10.1038/nature12373", "10.5555/no-url"], without_url={"10.5555/no-url"}, broken={"10.5555/broken"}
    )
    found = ask(DoiOrg, app, doi=doi)
    assert found.status == status
    assert reason is None or reason in found.reason


def test_metadata_comes_from_the_agency_that_doi_org_redirects_to():
    with serve(handles_double.agency({"10.1038/nature12373": CSL})) as agency:
        found = ask(DoiOrg, handles_double.handles([CSL["DOI"]], agency=agency), others=[agency], doi=CSL["DOI"])
    (entry,) = found.entries
    assert (entry.title, entry.years, entry.containers) == (CSL["title"], (2013,), ("Nature",))
    assert (entry.volume, entry.issue, entry.first_page, entry.last_page) == ("500", "7460", "54", "58")
    assert [person.family for person in entry.authors] == ["Kucsko", "Maurer"]
    assert entry.url == "https://publisher.example/10.1038/nature12373"


@pytest.mark.parametrize("record", [None, {"DOI": "10.5555/other", "title": "Another"}, {"type": "journal-article"}])
def test_a_doi_without_metadata_exists_all_the_same(record):
    with serve(handles_double.agency({"10.5555/1": record})) as agency:
        found = ask(DoiOrg, handles_double.handles(["10.5555/1"], agency=agency), others=[agency], doi="10.5555/1")
    assert found.status == "found"
    assert found.entries[0].title is None
    assert found.entries[0].ids == {"doi": "10.5555/1"}
    assert found.entries[0].facts["metadata"].startswith("none")


def test_a_redirect_to_a_host_that_is_no_agency_is_not_followed():
    app = handles_double.handles(["10.5555/1"], agency="http://169.254.169.254")
    found = ask(DoiOrg, app, doi="10.5555/1")
    assert found.status == "found"
    assert found.entries[0].facts["metadata"].startswith("none")


# --- 2: Crossref -----------------------------------------------------------------------------------------------------

WAKEFIELD = {
    "DOI": "10.1016/S0140-6736(97)11096-0",
    "type": "journal-article",
    "title": ["RETRACTED: Ileal-lymphoid-nodular hyperplasia, non-specific colitis"],
    "author": [{"family": "Wakefield", "given": "AJ"}],
    "issued": {"date-parts": [[1998, 2]]},
    "container-title": ["The Lancet"],
    "page": "637-641",
    "updated-by": [
        {"DOI": "10.1016/S0140-6736(04)15715-2", "type": "correction", "label": "Correction", "updated": {"date-parts": [[2004, 3, 6]]}},
        {"DOI": "10.1016/S0140-6736(10)60175-4", "type": "retraction", "label": "Retraction", "source": "publisher", "updated": {"date-parts": [[2010, 2, 6]]}},
        {"DOI": "10.1016/s0140-6736(10)60175-4", "type": "retraction", "label": "Retraction", "source": "retraction-watch", "updated": {"date-parts": [[2010, 2, 6]]}},
    ],
}  # fmt: skip
NOTICE = {
    "DOI": "10.1016/S0140-6736(10)60175-4",
    "title": ["Retraction—Ileal-lymphoid-nodular hyperplasia, non-specific colitis"],
    "update-to": [{"DOI": "10.1016/S0140-6736(97)11096-0", "type": "retraction"}],
    "issued": {"date-parts": [[2010, 2]]},
}
CORRECTED = {
    "DOI": "10.5555/corrected",
    "title": ["On cats"],
    "updated-by": [{"DOI": "10.5555/c", "type": "erratum"}],
}


def updated(doi, *updates, **more):
    """A work and what has updated it since: type, DOI, and the year where one is given."""
    rows = [
        {"type": said, "DOI": by, **({"updated": {"date-parts": [list(day)]}} if day else {})}
        for said, by, *day in updates
    ]
    return {"DOI": doi, "title": ["A guideline"], "type": "journal-article", "updated-by": rows, **more}


UPDATED = [
    updated("10.5555/edition", ("new_edition", "10.5555/edition.2", 2021, 5, 1)),
    updated("10.5555/hyphen", ("New-Edition", "10.5555/edition.2")),
    updated("10.5555/nameless", ("new_edition", None)),
    updated("10.5555/version", ("new_version", "10.5555/version.2")),
    updated("10.5555/posted", ("new_version", "10.5555/posted.2"), type="posted-content", subtype="preprint"),
    updated("10.5555/posted-in-csl", ("new_version", "10.5555/posted.2"), type="article"),
    updated("10.5555/posted-book", ("new_edition", "10.5555/posted.2"), type="posted-content"),
    updated("10.5555/itself", ("new_version", "10.5555/ITSELF")),
    updated("10.5555/both", ("erratum", "10.5555/e"), ("new_edition", "10.5555/both.2")),
    updated("10.5555/gone", ("new_edition", "10.5555/gone.2"), ("withdrawal", "10.5555/w")),
    updated("10.5555/worst", ("new_edition", "10.5555/w.2"), ("withdrawal", "10.5555/w"), ("retraction", "10.5555/r")),
    updated("10.5555/newer", **{"update-to": [{"type": "new_edition", "DOI": "10.5555/edition"}]}),
]
WORKS = [
    WAKEFIELD,
    NOTICE,
    CORRECTED,
    {"DOI": "10.5555/dates", "title": ["On <i>dogs</i>"], "subtitle": ["a field study"], "published-online": {"date-parts": [[2019, 12]]}, "published-print": {"date-parts": [[2020]]}, "issued": {"date-parts": [[2019, 12]]}},
    {"DOI": "10.1101/2020.01.01.000001", "type": "posted-content", "subtype": "preprint", "title": ["On birds"], "institution": [{"name": "bioRxiv"}], "relation": {"is-preprint-of": [{"id": "10.5555/birds", "id-type": "doi"}]}},
    {"DOI": "10.5555/odd", "title": None, "author": "nobody", "issued": {"date-parts": [[None]]}, "page": 7},
]  # fmt: skip


def test_a_retraction_outweighs_a_correction_and_is_told_once():
    found = ask(Crossref, crossref_double.crossref(WORKS), doi="10.1016/S0140-6736(97)11096-0")
    (entry,) = found.entries
    assert [(notice.kind, notice.date) for notice in entry.notices] == [
        ("retracted", "2010-02-06"),
        ("corrected", "2004-03-06"),
    ]
    assert entry.notices[0].by == "10.1016/s0140-6736(10)60175-4"


@every_row(
    ("doi", "notices", "facts"),
    [
        # What a notice updates says nothing against the notice.
        ("10.1016/S0140-6736(10)60175-4", [], {"retracts": "10.1016/s0140-6736(97)11096-0"}),
        ("10.5555/corrected", ["corrected"], {}),  # a correction is no retraction
        # What takes the place of a work (the types of Crossref's updates; "new version" of a preprint is the same work).
        ("10.5555/edition", ["superseded_version"], {"latest_version": "10.5555/edition.2"}),
        ("10.5555/hyphen", ["superseded_version"], {"latest_version": "10.5555/edition.2"}),
        ("10.5555/nameless", ["superseded_version"], {}),
        ("10.5555/version", ["superseded_version"], {"latest_version": "10.5555/version.2"}),
        ("10.5555/posted", [], {"latest_version": "10.5555/posted.2"}),
        ("10.5555/posted-in-csl", [], {"latest_version": "10.5555/posted.2"}),
        ("10.5555/posted-book", ["superseded_version"], {"latest_version": "10.5555/posted.2"}),
        ("10.5555/itself", [], {}),  # updated in place
        ("10.5555/both", ["superseded_version", "corrected"], {}),
        ("10.5555/gone", ["withdrawn", "superseded_version"], {}),  # the worst first
        ("10.5555/worst", ["retracted", "withdrawn", "superseded_version"], {}),
        ("10.5555/newer", [], {}),  # the new edition itself
        ("10.1101/2020.01.01.000001", [], {"published_as": "10.5555/birds"}),
    ],
)
def test_what_has_become_of_a_work(doi, notices, facts):
    (entry,) = ask(Crossref, crossref_double.crossref([*WORKS, *UPDATED]), doi=doi).entries
    assert [notice.kind for notice in entry.notices] == notices
    assert entry.facts.items() >= facts.items()
    assert ("latest_version" in entry.facts) == ("latest_version" in facts or len(notices) > 1)


def test_what_replaces_a_work_is_named():
    (entry,) = ask(Crossref, crossref_double.crossref(UPDATED), doi="10.5555/edition").entries
    (notice,) = entry.notices
    assert (notice.by, notice.date) == ("10.5555/edition.2", "2021-05-01")
    assert notice.reason == "replaced since: new edition"


def test_every_date_and_every_part_of_a_title_is_kept():
    (entry,) = ask(Crossref, crossref_double.crossref(WORKS), doi="10.5555/dates").entries
    assert set(entry.years) == {2019, 2020}
    assert entry.title == "On <i>dogs</i>: a field study"
    assert "On <i>dogs</i>" in entry.other_titles


def test_a_preprints_server_is_its_container():
    (entry,) = ask(Crossref, crossref_double.crossref(WORKS), doi="10.1101/2020.01.01.000001").entries
    assert entry.containers == ("bioRxiv",)


def test_a_record_of_odd_types_is_read_as_far_as_it_goes():
    (entry,) = ask(Crossref, crossref_double.crossref(WORKS), doi="10.5555/odd").entries
    assert (entry.title, entry.authors, entry.years, entry.first_page) == (None, (), (), "7")


def test_crossrefs_miss_is_text_and_proves_nothing():
    found = ask(Crossref, crossref_double.crossref(WORKS), doi="10.5555/none")
    assert (found.status, found.http_status) == ("not_covered", 404)


def test_crossref_is_asked_again_after_429_and_told_whose_mail_address_it_is():
    seen = []
    app = crossref_double.crossref(WORKS, busy=1, seen=seen, limits={})
    with serve(app) as base:
        registry = Crossref(
            loopback_web(base),
            Settings(base={"crossref": base}, secrets={"SHOWABLE_CROSSREF_PLUS_TOKEN": "t0"}, mailto="a@example.org"),
        )
        found = asyncio.run(registry.find(Reference(kind="doi", text="", fields={"doi": "10.5555/corrected"})))
    assert found.status == "found"
    assert len(seen) == 2
    assert seen[1].query["mailto"] == "a@example.org"
    assert seen[1].headers["Crossref-Plus-API-Token"] == "Bearer t0"
    assert "example.org" not in found.url


def test_a_slash_in_a_suffix_is_one_segment_of_the_path():
    seen = []
    works = [{"DOI": "10.5555/a/b<c>;d#e?f", "title": ["On signs"]}]
    found = ask(Crossref, crossref_double.crossref(works, seen=seen), doi="10.5555/a/b<c>;d#e?f")
    assert found.status == "found"
    assert "10.5555%2Fa%2Fb%3Cc%3E%3Bd%23e%3Ff" in str(seen[0].rel_url.raw_path)


@pytest.mark.parametrize(
    ("title", "status"), [("Ileal lymphoid nodular hyperplasia", "found"), ("zzz", "not_covered"), ("—", "not_covered")]
)
def test_crossref_searches_by_title(title, status):
    found = ask(Crossref, crossref_double.crossref(WORKS), "bibliographic", title=title, authors="Wakefield AJ")
    assert found.status in {status, "found"} if title == "zzz" else found.status == status


# --- 4: DataCite -----------------------------------------------------------------------------------------------------

ATTENTION = {
    "titles": [{"title": "Attention Is All You Need"}],
    "creators": [{"name": "Vaswani, Ashish", "givenName": "Ashish", "familyName": "Vaswani"}, {"name": "Noam Shazeer"}],
    "publicationYear": 2017,
    "publisher": {"name": "arXiv"},
    "types": {"resourceTypeGeneral": "Preprint"},
    "version": "7",
    "dates": [{"date": "2017-06-12T17:57:34Z", "dateType": "Submitted"}, {"date": "2023-08", "dateType": "Updated"}],
}


def test_datacite_reads_a_preprint_whose_publisher_is_an_object():
    found = ask(
        DataCite, datacite_double.datacite({"10.48550/arxiv.1706.03762": ATTENTION}), doi="10.48550/arXiv.1706.03762"
    )
    (entry,) = found.entries
    assert (entry.title, entry.years, entry.containers) == ("Attention Is All You Need", (2017,), ("arXiv",))
    assert [(one.family, one.given) for one in entry.authors] == [("Vaswani", "Ashish"), ("Shazeer", "Noam")]
    assert entry.ids == {"doi": "10.48550/arxiv.1706.03762", "arxiv": "1706.03762"}


def test_datacites_miss_is_a_document_and_proves_nothing():
    found = ask(DataCite, datacite_double.datacite({}), doi="10.5555/none")
    assert (found.status, found.http_status) == ("not_covered", 404)


@pytest.mark.parametrize(
    ("title", "status"), [("Attention is all you need", "found"), ("Attention is not", "not_covered")]
)
def test_datacite_searches_by_title(title, status):
    app = datacite_double.datacite({"10.48550/arxiv.1706.03762": ATTENTION})
    assert ask(DataCite, app, "bibliographic", title=title).status == status


# --- 5: OpenAlex -----------------------------------------------------------------------------------------------------

OA = {
    "id": "https://openalex.org/W2741809807",
    "doi": "https://doi.org/10.7717/peerj.4375",
    "title": "The state of OA",
    "publication_year": 2018,
    "is_retracted": False,
    "authorships": [{"author_position": "first", "author": {"display_name": "Heather Piwowar"}}],
    "biblio": {"volume": "6", "issue": None, "first_page": "e4375", "last_page": "e4375"},
    "ids": {"pmid": "https://pubmed.ncbi.nlm.nih.gov/29456894"},
}
KEY = {"SHOWABLE_OPENALEX_KEY": "key"}


@pytest.mark.parametrize(
    ("doi", "secrets", "status"),
    [
        ("10.7717/peerj.4375", KEY, "found"),
        ("10.7717/peerj.4375", {}, "not_configured"),
        ("10.7717/peerj.4375", {"SHOWABLE_OPENALEX_KEY": "wrong"}, "not_configured"),
        ("10.5555/merged", KEY, "found"),
        ("10.48550/arxiv.1706.03762", KEY, "not_covered"),
    ],
)
def test_openalex(doi, secrets, status):
    works = {"doi:10.7717/peerj.4375": OA, "W1": {**OA, "is_retracted": True}}
    found = ask(
        OpenAlex, openalex_double.openalex(works, merged={"doi:10.5555/merged": "W1"}), doi=doi, secrets=secrets
    )
    assert found.status == status
    assert "key=" not in (found.url or "")
    if status == "found":
        assert found.entries[0].ids["pmid"] == "29456894"
        assert bool(found.entries[0].notices) is (doi == "10.5555/merged")


@every_row("doi", ["10.1038/../../admin", "10.1038/a?b=c#d", "10.1038/a/b;c", "10.1038/%2e%2e/x"])
@every_row(
    ("registry_class", "before"),
    [(OpenAlex, "/works/doi:"), (Crossref, "/works/"), (DataCite, "/dois/"), (DoiOrg, "/api/handles/")],
)
def test_a_doi_is_one_segment_of_a_path(registry_class, before, doi):
    asked = []

    async def answer(request):
        asked.append(request.rel_url.raw_path)
        return web.json_response({}, status=404)

    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    ask(registry_class, app, doi=doi, secrets=KEY)
    (path,) = asked
    assert path.startswith(f"{before}10.1038%2F")
    assert not set(path.removeprefix(before)) & set("/?#;")


# --- 6 and 7: PubMed, its citation matcher ---------------------------------------------------------------------------

SUMMARIES = {
    "9500320": {
        "pubdate": "1998 Feb 28",
        "epubdate": "",
        "source": "Lancet",
        "fulljournalname": "Lancet (London, England)",
        "authors": [{"name": "Wakefield AJ", "authtype": "Author"}, {"name": "Murch SH", "authtype": "Author"}],
        "title": "RETRACTED: Ileal-lymphoid-nodular hyperplasia.",
        "volume": "351",
        "issue": "9103",
        "pages": "637-41",
        "pubtype": ["Journal Article", "Retracted Publication"],
        "articleids": [{"idtype": "doi", "value": "10.1016/s0140-6736(97)11096-0"}, {"idtype": "pubmed", "value": "9500320"}],
        "references": [{"refsource": "Lancet. 2010 Feb 6;375(9713):445", "reftype": "Retraction in", "pmid": 20137807}],
    },
    "11111111": {"title": "Drugs for colds.", "pubdate": "2010", "pubtype": ["Journal Article", "Review"], "references": [{"refsource": "Example Syst Rev. 2018 Mar 2;3:CD1", "reftype": "Update in", "pmid": 22222222}, {"refsource": "Example. 2011", "reftype": "Erratum in", "pmid": 33333333}]},
    "22222222": {"title": "Drugs for colds.", "pubdate": "2018", "pubtype": ["Journal Article"], "references": [{"refsource": "Example Syst Rev. 2010", "reftype": "Update of", "pmid": 11111111}]},
    "44444444": {"title": "On colds.", "pubdate": "2009", "references": [{"refsource": "Example. 2018", "reftype": "UpdateIn", "pmid": 22222222}, {"refsource": "Example. 2012", "reftype": "Retraction in", "pmid": 55555555}]},
    "20137807": {"title": "Retraction--Ileal hyperplasia.", "pubdate": "2010 Feb 6", "pubtype": ["Retraction of Publication"], "references": []},
    "2014248": {"title": "On amoebae.", "pubdate": "1991 Apr 15", "source": "Proc Natl Acad Sci U S A", "volume": "88", "pages": "3248-52", "authors": [{"name": "Mann BJ", "authtype": "Author"}], "pubtype": ["Journal Article"]},
    "33301246": {"title": "On vaccines.", "pubdate": "2021", "epubdate": "2020 Dec 10", "elocationid": "pii: e12. doi: 10.5555/v", "authors": [{"name": "C4591001 Clinical Trial Group", "authtype": "CollectiveName"}], "pubtype": ["Journal Article"]},
}  # fmt: skip


@pytest.mark.parametrize(
    ("pmid", "status", "notices"),
    [
        ("9500320", "found", ["retracted", "retracted"]),
        ("20137807", "found", []),
        ("11111111", "found", ["superseded_version", "corrected"]),  # the worst first
        ("22222222", "found", []),  # what took its place
        ("44444444", "found", ["retracted", "superseded_version"]),
        ("2014248", "found", []),
        ("99999999", "not_found", []),
        ("999999999", "malformed", []),
        ("PMID: 2014248", "found", []),
    ],
)
def test_pubmed(pmid, status, notices):
    found = ask(PubMed, entrez_double.entrez(SUMMARIES), "pmid", pmid=pmid)
    assert found.status == status
    if status == "found":
        assert list(dict.fromkeys(notice.kind for notice in found.entries[0].notices)) == list(dict.fromkeys(notices))


def test_pubmed_names_the_update():
    notice = ask(PubMed, entrez_double.entrez(SUMMARIES), "pmid", pmid="11111111").entries[0].notices[0]
    assert (notice.by, notice.date) == ("PMID 22222222", "2018-03-02")
    assert notice.reason == "Update in Example Syst Rev. 2018 Mar 2;3:CD1"


def test_a_pubmed_summary_is_read():
    (entry,) = ask(PubMed, entrez_double.entrez(SUMMARIES), "pmid", pmid="9500320").entries
    assert (entry.years, entry.volume, entry.issue, entry.first_page, entry.last_page) == (
        (1998,),
        "351",
        "9103",
        "637",
        "41",
    )
    assert entry.containers == ("Lancet (London, England)", "Lancet")
    assert (entry.authors[0].family, entry.authors[0].given) == ("Wakefield", "AJ")
    assert entry.ids == {"pmid": "9500320", "doi": "10.1016/s0140-6736(97)11096-0"}
    assert (entry.notices[0].by, entry.notices[0].date) == ("PMID 20137807", "2010-02-06")


def test_a_group_an_article_number_and_two_dates():
    (entry,) = ask(PubMed, entrez_double.entrez(SUMMARIES), "pmid", pmid="33301246").entries
    assert entry.authors[0].family == "C4591001 Clinical Trial Group"
    assert set(entry.years) == {2020, 2021}
    assert entry.first_page == "e12"


def test_pubmed_by_doi_takes_only_what_has_that_doi():
    doi = "10.1016/s0140-6736(97)11096-0"
    app = entrez_double.entrez(
        SUMMARIES, found={f'"{doi}"[AID]': ["2014248", "9500320"], '"10.5555/x"[AID]': ["2014248"]}
    )
    assert ask(PubMed, app, "doi", doi=doi).entries[0].ids["pmid"] == "9500320"
    app = entrez_double.entrez(SUMMARIES, found={'"10.5555/x"[AID]': ["2014248"]})
    assert ask(PubMed, app, "doi", doi="10.5555/x").status == "not_covered"


def test_ncbi_that_asks_for_patience_is_asked_again():
    assert ask(PubMed, entrez_double.entrez(SUMMARIES, busy=1), "pmid", pmid="2014248").status == "found"


@pytest.mark.parametrize(
    ("error", "status"),
    [
        ("cannot get document summary", "not_found"),
        (" Cannot get document summary. ", "not_found"),
        ("Database failure", "unreachable"),
        ("cannot get document summary: backend timed out", "unreachable"),
        ("Invalid uid 2014248 at position=0", "unreachable"),
    ],
)
def test_only_one_error_of_a_summary_is_a_miss(error, status):
    def app():
        return entrez_double.entrez({"2014248": {"error": error}}, found={'"10.5555/x"[AID]': ["2014248"]})

    assert ask(PubMed, app(), "pmid", pmid="2014248").status == status
    by_doi = ask(PubMed, app(), "doi", doi="10.5555/x").status
    assert by_doi == ("not_covered" if status == "not_found" else status)


def test_a_refusal_of_eutils_is_no_miss():
    found = ask(PubMed, entrez_double.entrez({}, refused="Invalid uid"), "pmid", pmid="2014248")
    assert (found.status, "Invalid uid" in found.reason) == ("unreachable", True)


@pytest.mark.parametrize(
    ("said", "status", "pmids"),
    [
        ("2014248", "found", ["2014248"]),
        # It gives the article at journal, volume and page, whoever is claimed to have written it.
        ("9500320", "found", ["9500320"]),
        ("AMBIGUOUS 2014248,9500320", "ambiguous", ["2014248", "9500320"]),
        ("AMBIGUOUS (7 citations)", "found", []),
        ("NOT_FOUND;INVALID_JOURNAL", "not_covered", []),
        ("NOT_FOUND", "not_covered", []),
        ("77777777", "not_covered", []),
        ("", "unreachable", []),
    ],
)
def test_ecitmatch(said, status, pmids):
    app = entrez_double.entrez(SUMMARIES, matches={"proc natl acad sci u s a|88|3248": said})
    fields = {
        "container": "Proc Natl Acad Sci U S A",
        "year": "1991",
        "volume": "88",
        "pages": "3248-52",
        "authors": "Mann B.J.",
    }
    found = ask(ECitMatch, app, "bibliographic", **fields)
    if said == "AMBIGUOUS (7 citations)":
        assert found.status in {"not_covered", "ambiguous"}
        return
    assert found.status == status
    assert [entry.ids["pmid"] for entry in found.entries] == pmids


def test_ecitmatch_is_not_asked_without_a_page():
    assert (
        ask(ECitMatch, entrez_double.entrez({}), "bibliographic", container="Lancet", year="1998").status
        == "not_covered"
    )


# --- 8: PMC's converter ----------------------------------------------------------------------------------------------

GENBANK = {"PMC3531190": {"pmid": 23193287, "doi": "10.1093/nar/gks1195"}}


@pytest.mark.parametrize("strings", [False, True])
def test_pmc_ids_may_be_numbers_or_strings(strings):
    (entry,) = ask(PmcIds, entrez_double.idconv(GENBANK, strings=strings), "pmcid", pmcid="pmc3531190").entries
    assert entry.ids == {"pmcid": "PMC3531190", "pmid": "23193287", "doi": "10.1093/nar/gks1195"}


@pytest.mark.parametrize(
    ("pmcid", "status"), [("PMC999", "not_found"), ("PMC0", "malformed"), ("3531190", "found"), ("PMCx", "malformed")]
)
def test_pmc_ids(pmcid, status):
    assert ask(PmcIds, entrez_double.idconv(GENBANK), "pmcid", pmcid=pmcid).status == status


@pytest.mark.parametrize("pmcid", ["PMC3531190", "PMC999"])
def test_ids_of_two_types_in_one_request_are_refused_and_prove_nothing(pmcid):
    found = ask(PmcIds, entrez_double.idconv(GENBANK, added=["23193287"]), "pmcid", pmcid=pmcid)
    assert (found.status, found.http_status) == ("unreachable", 400)
    assert "IDs of different types" in found.reason


@pytest.mark.parametrize(
    ("pmcid", "sent"),
    [
        ("PMC3531190", "PMC3531190"),
        ("3531190", "PMC3531190"),
        (" pmc3531190.2 ", "PMC3531190"),
        ("PMC3531190,23193287", None),
        ("PMC3531190 PMC999", None),
        ("10.1093/nar/gks1195", None),
    ],
)
def test_one_id_of_one_type_is_asked_for_whatever_else_is_claimed(pmcid, sent):
    asked = []
    app = entrez_double.idconv(GENBANK, asked=asked)
    found = ask(PmcIds, app, "pmcid", pmcid=pmcid, pmid="23193287", doi="10.1093/nar/gks1195")
    assert [(one["ids"], one["idtype"]) for one in asked] == ([(sent, "pmcid")] if sent else [])
    assert found.status == ("found" if sent else "malformed")


# --- 9: Europe PMC ---------------------------------------------------------------------------------------------------

RESULT = {
    "id": "23193287",
    "source": "MED",
    "pmid": "23193287",
    "pmcid": "PMC3531190",
    "doi": "10.1093/nar/gks1195",
    "title": "GenBank.",
    "authorString": "Benson DA, Cavanaugh M.",
    "journalInfo": {"volume": "41", "issue": "D1", "yearOfPublication": 2013, "journal": {"title": "Nucleic acids research", "isoabbreviation": "Nucleic Acids Res"}},
    "pubYear": "2013",
    "firstPublicationDate": "2012-11-27",
    "pageInfo": "D36-42",
}  # fmt: skip
RETRACTED = {
    **RESULT,
    "pubTypeList": {"pubType": ["retracted publication"]},
    "commentCorrectionList": {"commentCorrection": [{"type": "Retraction in", "id": "20137807"}]},
}


@pytest.mark.parametrize(
    ("kind", "fields", "query"),
    [
        ("pmid", {"pmid": "23193287"}, "EXT_ID:23193287 AND SRC:MED"),
        ("pmcid", {"pmcid": "PMC3531190"}, "PMCID:PMC3531190"),
        ("doi", {"doi": "10.1093/nar/gks1195"}, 'DOI:"10.1093/nar/gks1195"'),
        ("bibliographic", {"title": 'Gen(Bank): a "survey"'}, 'TITLE:"Gen Bank a survey"'),
    ],
)
def test_europe_pmc(kind, fields, query):
    found = ask(EuropePmc, europe_pmc_double.europe_pmc({query: [RESULT]}), kind, **fields)
    (entry,) = found.entries
    assert (entry.title, set(entry.years), entry.containers[0]) == ("GenBank", {2012, 2013}, "Nucleic acids research")
    assert [(one.family, one.given) for one in entry.authors] == [("Benson", "DA"), ("Cavanaugh", "M")]
    assert ask(EuropePmc, europe_pmc_double.europe_pmc({}), kind, **fields).status == "not_covered"


def test_europe_pmc_knows_of_retractions():
    (entry,) = ask(
        EuropePmc, europe_pmc_double.europe_pmc({"EXT_ID:23193287 AND SRC:MED": [RETRACTED]}), "pmid", pmid="23193287"
    ).entries
    assert [(notice.kind, notice.by) for notice in entry.notices] == [("retracted", "PMID 20137807")]


@pytest.mark.parametrize(
    ("types", "kinds"),
    [
        (["Update in"], ["superseded_version"]),
        (["Update of"], []),
        (["Erratum in", "Update in"], ["superseded_version", "corrected"]),
        (["Update in", "Retraction in"], ["retracted", "superseded_version"]),
        (["Corrected and republished in"], ["corrected"]),
    ],
)
def test_europe_pmc_knows_of_updates(types, kinds):
    notes = [{"type": said, "id": str(31110000 + number), "reference": "Example"} for number, said in enumerate(types)]
    row = {**RESULT, "commentCorrectionList": {"commentCorrection": notes}}
    app = europe_pmc_double.europe_pmc({"EXT_ID:23193287 AND SRC:MED": [row]})
    (entry,) = ask(EuropePmc, app, "pmid", pmid="23193287").entries
    assert [notice.kind for notice in entry.notices] == kinds
    assert all(notice.by.startswith("PMID 3111000") for notice in entry.notices)


def test_an_error_with_status_200_is_no_miss():
    found = ask(EuropePmc, europe_pmc_double.failing(404, "No such query"), "pmid", pmid="1")
    assert (found.status, "404" in found.reason) == ("unreachable", True)


# --- 10: arXiv -------------------------------------------------------------------------------------------------------

PAPERS = {
    "1706.03762": {"title": "Attention Is All You Need, and a title that is long enough to be wrapped", "authors": ["Ashish Vaswani", "Noam Shazeer"], "published": "2017-06-12", "updated": "2023-08-02", "version": 7, "comment": "15 pages, 5 figures"},
    "math/0309136": {"title": "On knots", "authors": ["Ada Byron"], "published": "2003-09-08", "journal_ref": "J. Knots 1 (2004) 1-9", "doi": "10.5555/knots"},
    "2001.00001": {"title": "On error", "authors": ["Ada Byron"], "published": "2020-01-01", "version": 2, "comment": "This paper has been withdrawn by the author"},
    "2001.00002": {"title": "On remorse", "authors": ["Ada Byron"], "published": "2020-01-01", "summary": "This submission has been withdrawn by arXiv administrators."},
    "2001.00003": {"title": "On stopping", "authors": ["Ada Byron"], "published": "2020-01-01", "summary": "Treatment was withdrawn in ten patients."},
}  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "status", "reason"),
    [
        ({"arxiv": "1706.03762"}, "found", None),
        ({"arxiv": "arXiv:1706.03762v3"}, "found", None),
        ({"arxiv": "1706.03762", "version": "7"}, "found", None),
        ({"arxiv": "1706.03762", "version": "99"}, "not_found", "no version 99"),
        ({"arxiv": "1706.03762v99"}, "not_found", "up to version 7"),
        ({"arxiv": "math.GT/0309136"}, "found", None),
        ({"arxiv": "1706.99999"}, "not_found", "arXiv has no 1706.99999"),
        ({"arxiv": "1201.56789"}, "malformed", "4 digits"),
        ({"arxiv": "2313.01234"}, "malformed", "13 is no month"),
        ({"arxiv": "nonsense"}, "malformed", None),
    ],
)
def test_arxiv(fields, status, reason):
    found = ask(ArXiv, arxiv_double.arxiv(PAPERS), "arxiv", **fields)
    assert found.status == status
    assert reason is None or reason in found.reason


def test_a_wrapped_title_is_one_line_and_the_latest_version_a_fact():
    (entry,) = ask(ArXiv, arxiv_double.arxiv(PAPERS), "arxiv", arxiv="1706.03762v1").entries
    assert entry.title == PAPERS["1706.03762"]["title"]
    assert entry.facts["latest_version"] == "7"
    assert entry.years == (2017, 2023)
    assert not entry.notices


def test_a_journal_reference_is_what_it_was_published_in():
    (entry,) = ask(ArXiv, arxiv_double.arxiv(PAPERS), "arxiv", arxiv="math/0309136").entries
    assert entry.facts["published_in"] == "J. Knots 1 (2004) 1-9"
    assert entry.ids == {"arxiv": "math/0309136", "doi": "10.5555/knots"}


ATOM = 'xmlns="http://www.w3.org/2005/Atom" xmlns:o="http://a9.com/-/spec/opensearch/1.1/"'
TOTAL = "<o:totalResults>{}</o:totalResults>"
PAPER = "<entry><id>http://arxiv.org/abs/1706.03762v7</id><title>Attention Is All You Need</title></entry>"


@every_row(
    ("what", "status", "inside", "by_id", "by_title"),
    [
        ("nothing, and said to be", 200, TOTAL.format(0), "not_found", "not_covered"),
        ("one, and said to be", 200, TOTAL.format(1) + PAPER, "found", "found"),
        ("nothing, uncounted", 200, "", "unreachable", "unreachable"),
        ("one, uncounted", 200, PAPER, "unreachable", "unreachable"),
        ("a count that is no number", 200, TOTAL.format("none"), "unreachable", "unreachable"),
        ("more than there is", 200, TOTAL.format(1), "unreachable", "unreachable"),
        ("less than there is", 200, TOTAL.format(0) + PAPER, "unreachable", "unreachable"),
        ("nothing, at a status of errors", 400, TOTAL.format(0), "unreachable", "unreachable"),
        ("another paper", 200, TOTAL.format(1) + PAPER.replace("1706.03762", "1706.03763"), "unreachable", "found"),
        ("without an id", 200, TOTAL.format(1) + PAPER.replace("id>", "guid>"), "unreachable", "unreachable"),
        ("without a title", 200, TOTAL.format(1) + PAPER.replace("title>", "name>"), "found", "unreachable"),
        ("an empty entry", 200, TOTAL.format(1) + "<entry/>", "unreachable", "unreachable"),
        ("entries under another name", 200, TOTAL.format(1) + PAPER.replace("entry>", "item>"), "unreachable", "unreachable"),
    ],
)  # fmt: skip
def test_a_miss_of_arxiv_is_a_feed_that_counts_none(what, status, inside, by_id, by_title):
    async def answer(_):
        return web.Response(status=status, text=f"<feed {ATOM}>{inside}</feed>", content_type="application/atom+xml")

    title = PAPERS["1706.03762"]["title"]
    for kind, fields, expected in (
        ("arxiv", {"arxiv": "1706.03762"}, by_id),
        ("bibliographic", {"title": title}, by_title),
    ):
        app = web.Application()
        app.router.add_get("/api/query", answer)
        assert ask(ArXiv, app, kind, **fields).status == expected, (what, kind)


@pytest.mark.parametrize(("number", "withdrawn"), [("2001.00001", True), ("2001.00002", True), ("2001.00003", False)])
def test_withdrawals(number, withdrawn):
    (entry,) = ask(ArXiv, arxiv_double.arxiv(PAPERS), "arxiv", arxiv=number).entries
    assert [notice.kind for notice in entry.notices] == (["withdrawn"] if withdrawn else [])


@pytest.mark.parametrize("status", [200, 429])
def test_rate_exceeded_is_no_feed(status):
    found = ask(ArXiv, arxiv_double.arxiv(PAPERS, busy=9, exceeded_at=status), "arxiv", arxiv="1706.03762")
    assert found.status == "rate_limited"


def test_arxiv_searches_by_title_without_what_its_query_language_would_read():
    found = ask(ArXiv, arxiv_double.arxiv(PAPERS), "bibliographic", title='"On": knots) AND (all')
    assert found.status == "not_covered"
    assert ask(ArXiv, arxiv_double.arxiv(PAPERS), "bibliographic", title="On knots").status == "found"


# --- NCBI Bookshelf --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("nbk", "status"),
    [
        ("NBK1116", "found"),
        ("nbk1116", "found"),
        ("NBK9999", "not_covered"),
        ("NBK7", "not_covered"),
        ("NBKx", "malformed"),
    ],
)
def test_bookshelf(nbk, status):
    rows = {
        "1": {"title": "A chapter on something else", "accessionid": "NBK2"},
        "2": {"title": "GeneReviews", "bookaccessionid": "NBK1116", "pubdate": "1993"},
    }
    app = entrez_double.entrez(rows, found={"NBK1116": ["1", "2"], "NBK7": ["1"]})
    found = ask(Bookshelf, app, "nbk", nbk=nbk)
    assert found.status == status
    if status == "found":
        assert (found.entries[0].title, found.entries[0].years) == ("GeneReviews", (1993,))


def test_csl_json_has_strings_where_crossref_has_lists():
    as_csl = entry_of({"title": "On cats", "container-title": "Nature", "author": [{"literal": "Cat Group"}]})
    as_crossref = entry_of({"title": ["On cats"], "container-title": ["Nature"], "author": [{"name": "Cat Group"}]})
    assert as_csl == as_crossref
