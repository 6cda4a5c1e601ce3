"""The smoke test of live registries, on local ones, of which one has drifted."""

import asyncio
import json

import pytest
from aiohttp import web
from registry_doubles import loopback_web, serve
from registry_doubles.clinical_trials import clinical_trials
from registry_doubles.edgar import edgar
from registry_doubles.known_records import served
from registry_doubles.open_library import open_library
from registry_doubles.openfda import openfda
from tables import every_row

from showable.records import Reference
from showable.registries.catalogue import NAMES, registry_class
from showable.registries.clinical_trials import ClinicalTrials
from showable.registries.drugs_at_fda import DrugsAtFda
from showable.registries.edgar import Edgar
from showable.registries.open_library import OpenLibrary
from showable.registries.probe import EXPECTED, probe, probe_one
from showable.registries.settings import Settings

MINE = ("orange_book", "drugs_at_fda", "dailymed", "clinical_trials", "edgar", "open_library", "wayback", "web_page")


def probed(registry_class, app, *, mailto="reader@example.org"):
    with serve(app) as base:
        settings = Settings(base={registry_class.name: base, "edgar_archives": base}, mailto=mailto)
        return asyncio.run(probe_one(registry_class(loopback_web(base), settings)))


def saying(body, status=200):
    async def answer(_):
        return web.Response(body=body.encode(), status=status, content_type="application/json")

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    return app


@pytest.mark.parametrize(
    ("registry_class", "app"),
    [
        (DrugsAtFda, openfda([])),
        (ClinicalTrials, clinical_trials()),
        (Edgar, edgar([])),
        (OpenLibrary, open_library([])),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_registry_in_its_documented_shape(registry_class, app):
    result = probed(registry_class, app)
    assert (result.health, result.missing, result.status) == ("as_documented", (), "found")
    assert result.ms > 0
    assert result.asked == registry_class.known.text


def test_fields_that_have_gone_are_named():
    drifted = {
        "results": [{"application_number": "NDA020702", "sponsorName": "X", "products": [{"brandName": "LIPITOR"}]}]
    }
    result = probed(DrugsAtFda, saying(json.dumps(drifted)))
    assert result.health == "drifted"
    assert result.missing == ("title", "publisher", "facts.ingredients", "facts.approved")


def asked_of(name, change=None, *, status=None):
    """Probe a registry by name for the record that it names, on the server that has it."""
    with served(name, change, status) as at:
        settings = Settings(base=at.base, secrets=at.secrets, mailto="reader@example.org")
        registry = registry_class(name)(at.web, settings)
        if at.page:
            registry.known = registry.known.model_copy(update={"fields": {"url": at.page}})
        return asyncio.run(probe_one(registry))


@every_row("name", NAMES)
def test_a_healthy_record_has_not_drifted(name):
    result = asked_of(name)
    assert (result.health, result.missing, result.reason) == ("as_documented", (), None)


FIELDS = [
    # registry, what its answer has, what it has instead, and the field that is lost by it
    ("doi_org", '"URL"', '"HREF"', "url"),
    ("doi_org", '"value"', '"target"', "url"),
    ("doi_org", '"title"', '"name"', "title"),
    ("doi_org", '"author"', '"creator"', "authors"),
    ("doi_org", '"issued"', '"dated"', "years"),
    ("doi_org", '"container-title"', '"journal"', "containers"),
    ("crossref", '"title"', '"name"', "title"),
    ("crossref", '"author"', '"creator"', "authors"),
    ("crossref", '"issued"', '"dated"', "years"),
    ("crossref", '"container-title"', '"journal"', "containers"),
    ("crossref", '"volume"', '"vol"', "volume"),
    ("crossref", '"page"', '"pages"', "first_page"),
    ("crossref", '"DOI"', '"id"', "ids.doi"),
    ("datacite", '"titles"', '"names"', "title"),
    ("datacite", '"creators"', '"authors"', "authors"),
    ("datacite", '"publicationYear"', '"year"', "years"),
    ("datacite", '"publisher"', '"house"', "publisher"),
    ("datacite", '"doi"', '"handle"', "ids.doi"),
    ("datacite", '"resourceTypeGeneral"', '"kind"', "facts.type"),
    ("openalex", '"title"', '"name"', "title"),
    ("openalex", '"authorships"', '"authors"', "authors"),
    ("openalex", '"publication_year"', '"year"', "years"),
    ("openalex", '"volume"', '"vol"', "volume"),
    ("openalex", '"first_page"', '"start"', "first_page"),
    ("openalex", '"doi"', '"handle"', "ids.doi"),
    ("pubmed", '"title"', '"name"', "title"),
    ("pubmed", '"authors"', '"people"', "authors"),
    ("pubmed", '"pubdate"', '"date"', "years"),
    ("pubmed", '"Lancet', '"", "journal": "Lancet', "containers"),  # its long name and its short one
    ("pubmed", '"volume"', '"vol"', "volume"),
    ("pubmed", '"pages"', '"span"', "first_page"),
    ("pubmed", '"articleids"', '"ids"', "ids.doi"),
    ("pubmed", '"pubtype"', '"types"', "facts.pubtype"),
    ("pubmed", '"references"', '"links"', "notices"),
    ("pubmed", '"reftype"', '"type"', "notices"),
    ("pubmed", "Retraction in", "Retracted by", "notices"),
    ("ecitmatch", '"title"', '"name"', "title"),
    ("ecitmatch", '"authors"', '"people"', "authors"),
    ("ecitmatch", '"pubdate"', '"date"', "years"),
    ("ecitmatch", '"source"', '"journal"', "containers"),
    ("ecitmatch", '"volume"', '"vol"', "volume"),
    ("ecitmatch", '"pages"', '"span"', "first_page"),
    ("pmc_ids", '"pmid"', '"pubmed"', "ids.pmid"),
    ("pmc_ids", '"doi"', '"handle"', "ids.doi"),
    ("europe_pmc", '"title"', '"name"', "title"),
    ("europe_pmc", '"authorString"', '"people"', "authors"),
    ("europe_pmc", '"pubYear"', '"year"', "years"),
    ("europe_pmc", '"journal"', '"serial"', "containers"),
    ("europe_pmc", '"volume"', '"vol"', "volume"),
    ("europe_pmc", '"pageInfo"', '"pages"', "first_page"),
    ("europe_pmc", '"pmcid"', '"pmc"', "ids.pmcid"),
    ("europe_pmc", '"doi"', '"handle"', "ids.doi"),
    ("arxiv", "title>", "name>", "title"),
    ("arxiv", "author>", "creator>", "authors"),
    ("arxiv", "published>", "submitted>", "date"),
    ("arxiv", "v7<", "<", "facts.latest_version"),
    ("bookshelf", '"title"', '"name"', "title"),
    ("courtlistener", '"case_name', '"caption', "case_names"),
    ("courtlistener", '"reporter"', '"series"', "citations"),
    ("courtlistener", '"date_filed"', '"decided"', "years"),
    ("caselaw_access", '"name', '"caption', "case_names"),
    ("caselaw_access", '"cite"', '"place"', "citations"),
    ("caselaw_access", '"decision_date"', '"decided"', "years"),
    ("caselaw_access", '"last_page"', '"end"', "last_page"),
    ("caselaw_access", '"court"', '"bench"', "court"),
    ("ecfr", '"label"', '"heading"', "title"),
    ("ecfr", "Submission of patent information", "", "title"),
    ("ecfr", '"label"', '"heading"', "facts.title"),
    ("us_code", "Federal question", "", "title"),
    ("federal_register", '"title"', '"name"', "title"),
    ("federal_register", '"publication_date"', '"date"', "date"),
    ("federal_register", '"volume"', '"vol"', "volume"),
    ("federal_register", '"end_page"', '"last"', "last_page"),
    ("federal_register", '"citation"', '"cite"', "citations"),
    ("federal_register", '"document_number"', '"number"', "ids.document_number"),
    ("federal_register", '"html_url"', '"link"', "url"),
    ("federal_register", '"type"', '"kind"', "facts.type"),
    ("find_case_law", "FRBRname", "FRBRtitle", "case_names"),
    ("find_case_law", "uk:court>", "uk:bench>", "court"),
    ("find_case_law", "FRBRdate", "FRBRday", "years"),
    ("find_case_law", "uk:cite>", "uk:ncn>", "citations"),
    ("westlaw", '"case_name"', '"caption"', "case_names"),
    ("westlaw", '"court"', '"bench"', "court"),
    ("westlaw", '"date"', '"decided"', "date"),
    ("lexis", '"case_name"', '"caption"', "case_names"),
    ("lexis", '"court"', '"bench"', "court"),
    ("lexis", '"date"', '"decided"', "date"),
    ("pacer", '"caseTitle"', '"title"', "case_names"),
    ("pacer", '"courtId"', '"court"', "court"),
    ("orange_book", '"brand_name"', '"brand"', "title"),
    ("orange_book", '"application_full_name"', '"applicant"', "publisher"),
    ("orange_book", '"active_ingredients"', '"ingredients"', "facts.ingredients"),
    ("orange_book", '"marketing_status"', '"status"', "facts.marketing_status"),
    ("drugs_at_fda", '"brand_name"', '"brand"', "title"),
    ("drugs_at_fda", '"sponsor_name"', '"sponsor"', "publisher"),
    ("drugs_at_fda", '"active_ingredients"', '"ingredients"', "facts.ingredients"),
    ("drugs_at_fda", '"submissions"', '"history"', "facts.approved"),
    ("dailymed", '"title"', '"name"', "title"),
    ("dailymed", '"setid"', '"set"', "ids.setid"),
    ("dailymed", '"spl_version"', '"version"', "facts.version"),
    ("dailymed", '"published_date"', '"published"', "facts.published"),
    ("clinical_trials", 'Title"', 'Name"', "title"),
    ("clinical_trials", '"Eli Lilly and Company"', "null", "publisher"),
    ("clinical_trials", '"overallStatus"', '"status"', "facts.status"),
    ("edgar", '"name"', '"company"', "publisher"),
    ("edgar", '"filingDate"', '"filed"', "date"),
    ("edgar", '"form"', '"type"', "facts.form"),
    ("edgar", '"primaryDocument"', '"document"', "facts.document"),
    ("open_library", '"title"', '"name"', "title"),
    ("open_library", '"authors"', '"by"', "authors"),
    ("open_library", '"publish_date"', '"date"', "years"),
    ("open_library", '"publishers"', '"houses"', "publisher"),
    ("wayback", "Example Domain", "Welcome", "title"),
    ("web_page", "Robots Exclusion", "Sitemap", "title"),
]  # fmt: skip


@every_row(("name", "old", "new", "field"), FIELDS)
def test_a_field_that_has_another_name_is_told(name, old, new, field):
    result = asked_of(name, (old, new))
    assert result.health == "drifted"
    assert field in result.missing


WHOLE = [
    # what is around the fields: nothing is read without it, and the reason says what
    ("doi_org", '"responseCode"', '"code"', "no response code of a handle server"),
    ("crossref", '"message"', '"body"', "no message of type work"),
    ("datacite", '"attributes"', '"fields"', "without a record"),
    ("openalex", '"id"', '"key"', "without a work"),
    ("pubmed", '"result"', '"results"', "no summaries"),
    ("pubmed", '"uid"', '"pmid"', "not of the id asked for"),
    ("ecitmatch", "|2014248", "|found", "without PMID"),
    ("pmc_ids", '"records"', '"rows"', "no answer of the documented shape"),
    ("europe_pmc", '"resultList"', '"results"', "no list of results"),
    ("bookshelf", '"idlist"', '"ids"', "no list of ids"),
    ("bookshelf", '"accessionid"', '"accession"', "no summary has an accession"),
    ("caselaw_access", '"first_page"', '"start"', "a list without cases"),
    ("ecfr", '"ancestors"', '"path"', "no list of ancestors"),
    ("ecfr", '"titles"', '"list"', "no list of titles"),
    ("govinfo", "PLAW-111publ148", "law-148", "is no such document"),
    ("us_code", "<h3", "<p", "no heading of the section"),
    ("federal_register", '"results"', '"documents"', "no list of documents"),
    ("find_case_law", "FRBRWork", "Work", "no judgment in the XML"),
    ("westlaw", '"results"', '"rows"', "no list of results"),
    ("lexis", '"results"', '"rows"', "no list of results"),
    ("pacer", '"content"', '"rows"', "no list of cases"),
    ("orange_book", '"results"', '"rows"', "another shape"),
    ("drugs_at_fda", '"results"', '"rows"', "another shape"),
    ("dailymed", '"data"', '"rows"', "no list of labels"),
    ("clinical_trials", '"protocolSection"', '"protocol"', "names no study"),
    ("clinical_trials", '"nctId": "NCT04437511"', '"nctId": "NCT00000009"', "answered with NCT00000009"),
    ("edgar", '"accessionNumber"', '"accession"', "without accession numbers"),
    ("open_library", "ISBN:", "isbn:", "another book"),
]


@every_row(("name", "old", "new", "said"), WHOLE)
def test_an_answer_of_which_nothing_can_be_read_has_drifted(name, old, new, said):
    result = asked_of(name, (old, new))
    assert result.health == "drifted"
    assert said in result.reason


def test_every_field_that_is_expected_can_be_missed():
    """A field that an adapter makes up by itself is no sign of a shape."""
    listed = {name: {field.partition("~")[0] for field in fields} for name, fields in EXPECTED.items()}
    told = {name: {field for one, _, _, field in FIELDS if one == name} for name in NAMES}
    assert listed | {"govinfo": set()} == told
    assert set(listed) == set(NAMES)


@pytest.mark.parametrize(
    ("status", "health", "reason"),
    [(503, "no_answer", "none: "), (406, "no_answer", "status 406"), (204, "drifted", "status 204")],
)
def test_an_agency_that_does_not_answer_has_not_drifted(status, health, reason):
    result = asked_of("doi_org", status=status)
    assert (result.health, result.missing) == (health, ("title", "authors", "years", "containers"))
    assert reason in result.reason


@pytest.mark.parametrize(
    ("body", "status", "health"),
    [
        ('{"hits": []}', 200, "drifted"),
        ("<html>", 200, "drifted"),
        ('{"error": {"code": "NOT_FOUND", "message": "No matches found!"}}', 404, "lost"),
        ("<html>no such path</html>", 404, "no_answer"),
        ("", 403, "no_answer"),
    ],
)
def test_other_answers(body, status, health):
    result = probed(DrugsAtFda, saying(body, status))
    assert result.health == health
    assert result.reason


def test_an_adapter_that_fails_is_one_line_and_the_others_are_asked():
    class Failing(OpenLibrary):
        async def find(self, reference):
            raise KeyError("title\nof nothing")

    with serve(open_library([])) as base:
        settings = Settings(base={"open_library": base})
        way = loopback_web(base)
        made = {"failing": Failing(way, settings), "open_library": OpenLibrary(way, settings)}
        failed, asked = asyncio.run(probe(made))
    assert (failed.health, asked.health) == ("drifted", "as_documented")
    assert failed.reason.startswith("the adapter failed: KeyError")
    assert "\n" not in failed.reason


def test_what_is_not_configured_is_not_asked():
    result = probed(Edgar, edgar([]), mailto=None)
    assert (result.health, result.ms) == ("not_configured", 0.0)


def test_a_registry_without_a_known_record_is_told():
    class Silent(DrugsAtFda):
        known = None

    assert probed(Silent, openfda([])).health == "no_probe"


def test_all_are_asked_in_the_order_given():
    with serve(openfda([])) as base:
        settings = Settings(base={"drugs_at_fda": base, "orange_book": base})
        registries = {
            name: registry_class(name)(loopback_web(base), settings) for name in ("orange_book", "drugs_at_fda")
        }
        results = asyncio.run(probe(registries))
        assert [one.registry for one in asyncio.run(probe(registries, ["drugs_at_fda"]))] == ["drugs_at_fda"]
    assert [(one.registry, one.health) for one in results] == [
        ("orange_book", "as_documented"),
        ("drugs_at_fda", "as_documented"),
    ]
    assert json.dumps([one.as_row() for one in results])


def test_what_is_expected_is_of_registries_that_there_are():
    assert set(EXPECTED) <= set(NAMES)


@pytest.mark.parametrize("name", MINE)
def test_a_known_record_can_be_asked_for(name):
    loaded = registry_class(name)
    assert isinstance(loaded.known, Reference)
    registry = loaded(None, Settings(mailto="reader@example.org"))
    assert registry.key(loaded.known)
    assert loaded.known.kind in registry.kinds
    assert registry.proves <= registry.kinds
    assert registry.not_configured() is None
    assert registry.name == name
