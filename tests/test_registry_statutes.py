"""Codes, the Federal Register, UK judgments, and what costs or needs a contract, against servers that behave as the real ones do."""

import asyncio
import json
from decimal import Decimal

import pytest
from aiohttp import web
from registry_doubles import loopback_web, serve
from registry_doubles.courtlistener import CourtListenerDouble
from registry_doubles.federal_codes import EcfrDouble, FederalRegisterDouble, GovInfoDouble, UsCodeDouble
from registry_doubles.find_case_law import FindCaseLawDouble, Judgment
from registry_doubles.law_reports import Library, ReportedCase
from registry_doubles.pacer import PacerDouble
from tables import every_row

from showable.records import Reference, Registry
from showable.records.lookups import Entry
from showable.registries.caselaw_access import CaselawAccess
from showable.registries.contract_database import number_facts
from showable.registries.courtlistener import CourtListener
from showable.registries.ecfr import Ecfr
from showable.registries.federal_register import FederalRegister
from showable.registries.find_case_law import FindCaseLaw
from showable.registries.govinfo import GovInfo
from showable.registries.lexis import Lexis
from showable.registries.pacer import Budget, Pacer
from showable.registries.settings import Settings
from showable.registries.us_code import UsCode
from showable.registries.westlaw import Westlaw
from showable.rubrics.metadata.cases import compare_case
from showable.rubrics.metadata.statutes import compare_statute, notice_of_heading, section_of_heading


def reference(kind, text="", **fields):
    return Reference(kind=kind, text=text, fields=fields)


def ask(registry_class, double, *references, secrets=None, base_as=()):
    async def every(registry):
        return [await registry.find(one) for one in references]

    app = double.app() if hasattr(double, "app") else double
    with serve(app) as base:
        settings = Settings(base=dict.fromkeys((registry_class.name, *base_as), base), secrets=secrets or {})
        registry = registry_class(loopback_web(base), settings)
        return asyncio.run(every(registry))


# eCFR (section 6)

CFR = EcfrDouble(
    {
        ("21", "314", "314.53"): "§ 314.53 Submission of patent information.",
        ("45", "164", "164.512"): "§ 164.512 Uses and disclosures for which an authorization is not required.",
        ("21", "314", "314.60"): "§ 314.60 [Reserved]",
        ("17", "240", "240.15Ba1-1"): "§ 240.15Ba1-1 Definitions.",
        ("17", "240", "240.10b-5"): "§ 240.10b-5 Employment of manipulative and deceptive devices.",
    },
    {("21", "310.502"): [
        {"date": "2017-01-03", "identifier": "310.502", "name": "§ 310.502 Old rule.", "part": "310", "removed": False, "title": "21", "type": "section"},
        {"date": "2019-04-01", "identifier": "310.502", "name": "§ 310.502 Old rule.", "part": "310", "removed": True, "title": "21", "type": "section"},
    ]},
    reserved=frozenset({("21", "314", "314.60")}),
    subparts=frozenset({("21", "314", "B")}),
)  # fmt: skip
CFR_TABLE = [
    ("a section", {"title": "21", "part": "314", "section": "314.53"}, "found", None),
    ("its section without the part before", {"title": "21", "part": "314", "section": "53"}, "found", None),
    ("its part from the section alone", {"title": "45", "section": "164.512"}, "found", None),
    ("a part", {"title": "21", "part": "314"}, "found", None),
    ("none such", {"title": "21", "part": "314", "section": "314.999"}, "not_found", None),
    (
        "none such, of an edition before 2017",
        {"title": "21", "part": "314", "section": "314.999", "year": "1998"},
        "not_covered",
        None,
    ),
    ("no such title", {"title": "60", "part": "1"}, "not_found", None),
    ("a removed one", {"title": "21", "part": "310", "section": "310.502"}, "found", "withdrawn"),
    (
        "a removed one, cited from before",
        {"title": "21", "part": "310", "section": "310.502", "year": "2018"},
        "found",
        None,
    ),
    ("a reserved one", {"title": "21", "part": "314", "section": "314.60"}, "found", "withdrawn"),
    ("nothing to go by", {"title": "21"}, "not_covered", None),
    ("letters of both cases", {"title": "17", "part": "240", "section": "240.15Ba1-1"}, "found", None),
    ("in capitals alone", {"title": "17", "part": "240", "section": "240.10B-5"}, "found", None),
    ("a range", {"title": "21", "part": "314", "section": "314.53", "section_to": "314.60"}, "found", None),
    (
        "a range without its end",
        {"title": "21", "part": "314", "section": "314.53", "section_to": "314.999"},
        "not_found",
        None,
    ),
    ("a subpart", {"title": "21", "part": "314", "subpart": "B"}, "found", None),
    # of the part alone it would be there; whether the service knows every subpart is not documented
    ("no such subpart", {"title": "21", "part": "314", "subpart": "ZZ"}, "not_covered", None),
    ("two subparts", {"title": "21", "part": "314", "subpart": "A and B"}, "not_covered", None),
]


def test_an_answer_that_passes_a_subpart_over_is_not_one_about_it():
    double = EcfrDouble(CFR.sections)

    async def of_the_part(request):
        return web.json_response({"ancestors": [{"identifier": "314", "label": "Part 314", "type": "part"}]})

    double.ancestry = of_the_part
    (found,) = ask(Ecfr, double, reference("cfr", title="21", part="314", subpart="B"))
    assert (found.status, "subpart B" in found.reason) == ("not_covered", True)


def test_a_subsection_is_said_not_to_have_been_looked_up():
    (found,) = ask(Ecfr, CFR, reference("cfr", title="21", part="314", section="314.53", subsection="(z)(99)"))
    assert found.entries[0].facts["subsection"] == "only the section was looked up, not (z)(99)"


def test_many_sections_at_once_ask_for_the_titles_once():
    double = EcfrDouble(CFR.sections)

    async def every(registry):
        one = reference("cfr", title="21", part="314", section="314.53")
        return await asyncio.gather(*(registry.find(one) for _ in range(6)))

    with serve(double.app()) as base:
        found = asyncio.run(every(Ecfr(loopback_web(base), Settings(base={"ecfr": base}))))
    assert {one.status for one in found} == {"found"}
    assert double.asked.count("/api/versioner/v1/titles.json") == 1


@every_row(("what", "fields", "status", "notice"), CFR_TABLE)
def test_the_code_of_federal_regulations(what, fields, status, notice):
    (found,) = ask(Ecfr, CFR, reference("cfr", **fields))
    assert found.status == status, what
    assert [one.kind for entry in found.entries for one in entry.notices] == ([notice] if notice else [])


@pytest.mark.parametrize(
    ("status", "body"), [(404, "<html>a proxy's page</html>"), (404, "{}"), (200, "{}"), (200, "[]")]
)
def test_only_an_empty_history_says_that_there_never_was_one(status, body):
    double = EcfrDouble(CFR.sections)

    async def instead(request):
        return web.Response(status=status, text=body, content_type="application/json")

    double.history = instead
    (found,) = ask(Ecfr, double, reference("cfr", title="21", part="314", section="314.999"))
    assert found.status == "unreachable"


TITLE = {"number": 21, "name": "Food and Drugs", "up_to_date_as_of": "2026-11-19", "reserved": False}


@every_row(
    ("what", "titles", "title", "status"),
    [
        ("as documented", [TITLE], "21", "found"),
        ("a zero before it", [TITLE], "021", "found"),
        ("its number in a string", [TITLE | {"number": "21"}], "21", "found"),
        ("the date renamed", [{"number": 21, "current_to": "2026-11-19", "reserved": False}], "21", "unreachable"),
        ("no date", [TITLE | {"up_to_date_as_of": None}], "21", "unreachable"),
        ("no date of this one", [TITLE, {"number": 22}], "22", "unreachable"),
        ("the number renamed", [{"title": 21, "up_to_date_as_of": "2026-11-19"}], "21", "unreachable"),
        ("the number renamed in some", [TITLE, {"title": 22}], "99", "unreachable"),
        # 50 titles: 1 C.F.R. 8.1 has the Code divided into them
        ("a list without one of the fifty", [TITLE], "22", "unreachable"),
        ("no fifty-first", [TITLE], "51", "not_found"),
        ("no list", {}, "21", "unreachable"),
        # title 35 has been reserved since the Panama Canal was handed over; 35 C.F.R. stood until then
        ("reserved", [TITLE, {"number": 35, "up_to_date_as_of": None, "reserved": True}], "35", "not_covered"),
        ("no number that an address can have", [TITLE], "٢١", "not_covered"),
    ],
)
def test_a_list_of_titles_that_has_changed_says_nothing_of_a_title(what, titles, title, status):
    double = EcfrDouble(CFR.sections)

    async def instead(request):
        return web.json_response({"titles": titles})

    double.titles = instead
    (found,) = ask(Ecfr, double, reference("cfr", title=title, part="314", section="314.53"))
    assert found.status == status, what


@pytest.mark.parametrize("versions", [[7], ["314.999"], [None, {}], {}, None])
def test_a_history_that_cannot_be_read_is_not_an_empty_one(versions):
    double = EcfrDouble(CFR.sections)

    async def instead(request):
        return web.json_response({"content_versions": versions})

    double.history = instead
    (found,) = ask(Ecfr, double, reference("cfr", title="21", part="314", section="314.999"))
    assert found.status == "unreachable"


def test_the_date_is_that_up_to_which_the_title_is_current():
    double = EcfrDouble(CFR.sections, current_to="2026-10-01")
    found = ask(Ecfr, double, *[reference("cfr", title="21", part="314", section="314.53")] * 2)
    assert {one.status for one in found} == {"found"}
    assert found[0].entries[0].title == "§ 314.53 Submission of patent information."
    assert double.asked.count("/api/versioner/v1/titles.json") == 1
    assert "/api/versioner/v1/ancestry/2026-10-01/title-21.json?part=314&section=314.53" in double.asked


# GovInfo's links

LINKS = GovInfoDouble({
    "plaw/111/public/148": "https://www.govinfo.gov/content/pkg/PLAW-111publ148/pdf/PLAW-111publ148.pdf",
    "plaw/111/public/9": "https://www.govinfo.gov/content/pkg/PLAW-111publ99/pdf/PLAW-111publ99.pdf",
    "plaw/111/public/5": "https://evil.example/content/pkg/PLAW-111publ5/pdf/PLAW-111publ5.pdf",
    "plaw/111/public/6": "https://www.govinfo.gov/error",
    "fr/86/7009": "https://www.govinfo.gov/content/pkg/FR-2021-01-25/pdf/2021-01753.pdf",
    "uscode/28/1331": "https://www.govinfo.gov/content/pkg/USCODE-2023-title28/pdf/USCODE-2023-title28-partIV-chap85-sec1331.pdf",
    "cfr/45/164": "/app/details/CFR-2025-title45-vol2/CFR-2025-title45-vol2-sec164-512",
    "statute/124/119": "https://www.govinfo.gov/content/pkg/STATUTE-124/pdf/STATUTE-124-Pg119.pdf",
})  # fmt: skip
LINK_TABLE = [
    ("a public law", "public_law", {"congress": "111", "number": "148"}, "found"),
    ("another law than asked for", "public_law", {"congress": "111", "number": "9"}, "not_covered"),
    ("another host", "public_law", {"congress": "111", "number": "5"}, "not_covered"),
    ("an error page", "public_law", {"congress": "111", "number": "6"}, "not_covered"),
    ("no such law", "public_law", {"congress": "111", "number": "9999"}, "not_covered"),
    ("a page of the Register", "fed_reg", {"volume": "86", "page": "7,009"}, "found"),
    ("a section", "usc", {"title": "28", "section": "1331"}, "found"),
    ("a rule", "cfr", {"title": "45", "part": "164", "section": "164.512"}, "found"),
    ("a page of the Statutes", "statutes_at_large", {"volume": "124", "page": "119"}, "found"),
    ("no number", "public_law", {"congress": "111"}, "not_covered"),
    ("a range of sections", "usc", {"title": "28", "section": "1331", "section_to": "9998"}, "not_covered"),
    ("a subpart", "cfr", {"title": "45", "part": "164", "subpart": "E"}, "not_covered"),
]


@every_row(("what", "kind", "fields", "status"), LINK_TABLE)
def test_links_lead_to_the_document_asked_for(what, kind, fields, status):
    (found,) = ask(GovInfo, LINKS, reference(kind, **fields))
    assert found.status == status, what
    assert found.status == "found" or found.reason


@pytest.mark.parametrize("status", [200, 400, 404])
def test_a_link_that_leads_nowhere_proves_nothing(status):
    (found,) = ask(GovInfo, GovInfoDouble({}, miss=status), reference("usc", title="38", section="1835"))
    assert found.status == "not_covered"


# The United States Code

CODE = UsCodeDouble({
    ("28", "1331"): "&sect;1331. Federal question",
    ("42", "1983"): "§1983. Civil action for deprivation of rights",
    ("42", "2000e-5"): "§2000e–5. Enforcement provisions",
    ("18", "3150"): "[§3150. Repealed. Pub. L. 98–473, title II, §203(a), Oct. 12, 1984, 98 Stat. 1976]",
    ("2", "31"): "[§31. Transferred]",
    ("16", "470a"): "[§470a. Renumbered §302101 of Title 54]",
    ("1", "108"): "§108. Repeal of repealing act",
    ("26", "6662A"): "§6662A. Imposition of accuracy-related penalty on understatements with respect to reportable transactions",
    ("42", "7401"): "§7401. Congressional findings and declaration of purpose",
    ("42", "7671q"): "§7671q. Authority of Administrator",
})  # fmt: skip
USC_TABLE = [
    ("a section", "28", "1331", {}, "found", None),
    ("marks and dashes", "42", "§ 2000e–5", {}, "found", None),
    ("a repealed one", "18", "3150", {}, "found", "withdrawn"),
    ("a moved one", "2", "31", {}, "found", "superseded_version"),
    ("a renumbered one", "16", "470a", {}, "found", "superseded_version"),
    ("a name that speaks of repeal", "1", "108", {}, "found", None),
    ("none such: 200, and a page that says so", "28", "99999", {}, "not_found", None),
    ("none such, in an edition that is not held", "28", "99999", {"year": "1964"}, "not_covered", None),
    ("no such title", "77", "1", {}, "not_found", None),
    ("an appendix", "28", "1331", {"appendix": "yes"}, "not_covered", None),
    ("a capital, as the Code has it", "26", "6662A", {}, "found", None),
    ("a small letter for it", "26", "6662a", {}, "found", None),
    ("a capital for a small letter", "42", "2000E-5", {}, "found", None),
    ("a range", "42", "7401", {"section_to": "7671q"}, "found", None),
    ("a range without its end", "42", "7401", {"section_to": "9998"}, "not_found", None),
    ("what may be a range", "42", "1a-5", {"range_from": "1a"}, "not_covered", None),
]


@every_row("row", USC_TABLE)
def test_the_united_states_code(row):
    what, title, section, more, status, notice = row
    (found,) = ask(UsCode, CODE, reference("usc", title=title, section=section, **more))
    assert found.status == status, what
    assert [one.kind for entry in found.entries for one in entry.notices] == ([notice] if notice else [])


def test_a_renumbered_section_says_where_it_is_now():
    (found,) = ask(UsCode, CODE, reference("usc", title="16", section="470a"))
    assert found.entries[0].notices[0].by == "§ 302101 of Title 54"


@pytest.mark.parametrize(
    "body",
    [
        "<html><h3>§1332. Diversity</h3></html>",
        "",
        "<h3>" * 50_000,
        "§1331. Federal question",
        "<h1>Sorry</h1><p>Page not found. Sign in to use this network.</p>",  # not a page of the Code's own
    ],
)
def test_a_page_that_says_neither_is_no_answer(body):
    async def view(request):
        return web.Response(text=body, content_type="text/html")

    app = web.Application()
    app.router.add_get("/view.xhtml", view)
    (found,) = ask(UsCode, app, reference("usc", title="28", section="1331"))
    assert found.status == "unreachable"


def test_headings():
    assert section_of_heading("§1331. Federal question") == ("1331", "Federal question")
    assert section_of_heading("CHAPTER 85—DISTRICT COURTS") is None
    assert notice_of_heading("Federal question") is None
    assert notice_of_heading("Omitted").kind == "withdrawn"


# The Federal Register

RULE = {
    "title": "Advancing Something", "document_number": "2021-01753", "type": "Presidential Document", "publication_date": "2021-01-25",
    "citation": "86 FR 7009", "volume": 86, "start_page": 7009, "end_page": 7013, "html_url": "https://www.federalregister.gov/d/2021-01753",
    "agency_names": ["Executive Office of the President"], "mentions": ["86 FR 7009"],
}  # fmt: skip
REGISTER = FederalRegisterDouble(
    [RULE, RULE | {"start_page": 7014, "end_page": 7015, "citation": "86 FR 7014", "mentions": []}]
)
REGISTER_TABLE = [
    (
        "a page and its day",
        {"volume": "86", "page": "7009", "date": "2021-01-25", "year": "2021"},
        "found",
        {"date": "agrees", "page": "agrees"},
    ),
    (
        "a page within",
        {"volume": "86", "page": "7,011", "date": "2021-01-25"},
        "found",
        {"date": "agrees", "page": "agrees"},
    ),
    (
        "a page and its year",
        {"volume": "86", "page": "7009", "year": "2021"},
        "found",
        {"year": "agrees", "page": "agrees"},
    ),
    ("another year", {"volume": "86", "page": "7009", "year": "2019"}, "found", {"year": "differs", "page": "agrees"}),
    (
        "another day",
        {"volume": "86", "page": "7009", "date": "2021-03-01"},
        "found",
        {"date": "differs", "page": "agrees"},
    ),
    ("no such page", {"volume": "86", "page": "99999", "date": "2021-01-25"}, "not_covered", None),
    ("another volume", {"volume": "85", "page": "7009", "date": "2021-01-25"}, "not_covered", None),
    ("before the API begins", {"volume": "44", "page": "1", "year": "1979"}, "not_covered", None),
]


@pytest.mark.parametrize(("what", "fields", "status", "checks"), REGISTER_TABLE)
def test_the_federal_register(what, fields, status, checks):
    claimed = reference("fed_reg", **fields)
    (found,) = ask(FederalRegister, REGISTER, claimed)
    assert found.status == status, what
    if checks:
        assert {check.field: check.outcome for check in compare_statute(claimed, found.entries[0])} == checks


def test_other_statutes_claim_their_number_alone():
    assert compare_statute(reference("usc", title="28", section="1331", year="1994"), Entry(years=(2026,))) == ()


def test_a_page_for_people_is_no_answer():
    async def blocked(request):
        return web.Response(text="<html>Request Access</html>", content_type="text/html")

    app = web.Application()
    app.router.add_get("/api/v1/documents.json", blocked)
    (found,) = ask(FederalRegister, app, reference("fed_reg", volume="86", page="7009"))
    assert found.status == "unreachable"


# Find Case Law (section 5.3)

ARCHIVE = FindCaseLawDouble([
    Judgment("ewhc/admin/2020/12", "Ayre, R (On the Application Of) v The London Borough of Nowhere", "[2020] EWHC 12 (Admin)", "2020-02-03"),
    Judgment("ewca/civ/2019/7", "Doe v Roe", "[2019] EWCA Civ 7", "2019-01-15"),
    Judgment("uksc/2018/3", "Poe v Coe", "[2018] UKSC 3", "2018-01-31"),
    Judgment("d-0123", "Newer v Newest", "[2026] EWHC 99 (Ch)", "2026-05-01"),
])  # fmt: skip
UK = [
    (
        "its own name",
        {"year": "2020", "court": "EWHC", "number": "12", "division": "Admin", "case_name": "R (Ayre) v Nowhere LBC"},
        "agrees",
    ),
    (
        "another name",
        {"year": "2020", "court": "EWHC", "number": "12", "division": "Admin", "case_name": "Nemo v Nobody"},
        "differs",
    ),
    (
        "a court with its division",
        {"year": "2019", "court": "EWCA", "number": "7", "division": "Civ", "case_name": "Doe v Roe"},
        "agrees",
    ),
    ("both in one field", {"year": "2019", "court": "EWCA Civ", "number": "7", "case_name": "Doe v Roe"}, "agrees"),
    ("no division", {"year": "2018", "court": "UKSC", "number": "3", "case_name": "Poe v Coe"}, "agrees"),
    (
        "an address that cannot be made",
        {"year": "2026", "court": "EWHC", "number": "99", "division": "Ch", "case_name": "Newer v Newest"},
        "agrees",
    ),
]


@pytest.mark.parametrize(("what", "fields", "outcome"), UK)
def test_neutral_citations(what, fields, outcome):
    claimed = reference("neutral_uk", **fields)
    (found,) = ask(FindCaseLaw, ARCHIVE, claimed)
    assert found.status == "found", what
    assert {check.field: check.outcome for check in compare_case(claimed, found.entries[0])}["case_name"] == outcome


def test_a_judgment_that_the_archive_has_not_may_be_elsewhere():
    absent = reference("neutral_uk", year="1999", court="EWHC", number="5", division="Admin")
    unheard = reference("neutral_uk", year="1999", court="ZZZZ", number="5")
    assert [one.status for one in ask(FindCaseLaw, ARCHIVE, absent, unheard)] == ["not_covered", "not_covered"]


@pytest.mark.parametrize("body", [b"<html>", b'<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>', b"", b"<x/>"])
def test_xml_that_is_none_or_declares_things_is_not_read(body):
    async def data(request):
        return web.Response(body=body, content_type="application/xml")

    app = web.Application()
    app.router.add_get("/{path:.*}/data.xml", data)
    (found,) = ask(FindCaseLaw, app, reference("neutral_uk", year="2018", court="UKSC", number="3"))
    assert found.status == "unreachable"


# Westlaw, Lexis: never evidence


@pytest.mark.parametrize(("registry", "kind"), [(Westlaw, "westlaw"), (Lexis, "lexis")])
def test_without_a_contract_nothing_is_known(registry, kind):
    claimed = reference(kind, year="2019", number="4639462", case_name="Nemo v. Nobody", date="2015-09-25")
    (found,) = ask(
        registry, web.Application(), claimed, secrets={"SHOWABLE_WESTLAW_KEY": "k"} if kind == "lexis" else None
    )
    assert found.status == "not_configured" or registry.name not in found.reason
    assert (found.entries, found.near) == ((), ())
    offline = registry(None, Settings())
    assert offline.not_configured()
    assert asyncio.run(offline.find(claimed)).status == "not_configured"
    assert "the number is of 2019, the decision is said to be of 2015" in asyncio.run(offline.find(claimed)).reason


def test_a_number_of_the_year_of_the_decision_or_the_next_is_nothing_odd():
    assert number_facts(reference("westlaw", year="2019", number="1", date="2019-09-25")) == ()
    assert number_facts(reference("westlaw", year="2020", number="1", date="2019-12-30")) == ()
    assert number_facts(reference("westlaw", year="2019", number="1")) == ()


def test_the_docket_beside_a_number_is_a_fact_and_no_verdict():
    library = Library(
        [
            ReportedCase(
                "Cornea v. U.S. Attorney General", (("1", "F.3d", "1"),), "2", "2018-10-01", "ca11", docket="18-13694"
            )
        ]
    )
    named = reference(
        "westlaw", year="2019", number="1", docket="No. 18-13694", court="ca11", case_name="Nemo v. Nobody"
    )
    same = reference(
        "westlaw", year="2019", number="1", docket="18-13694", court="ca11", case_name="Cornea v. Att'y Gen."
    )
    with serve(CourtListenerDouble(library).app()) as base:
        settings = Settings(base={"courtlistener": base}, secrets={"SHOWABLE_COURTLISTENER_TOKEN": "secret"})
        registry = Westlaw(loopback_web(base), settings)
        one, two = asyncio.run(registry.find(named)), asyncio.run(registry.find(same))
    assert (one.status, two.status) == ("not_configured", "not_configured")
    assert one.reason.startswith("RECAP has docket No. 18-13694 of 11th Cir. as Cornea v. U.S. Attorney General")
    assert "under that name" in two.reason


def contract_service():
    async def lookup(request):
        if request.headers.get("Authorization") != "Bearer key":
            return web.json_response({}, status=401)
        rows = [{"case_name": "Doe v. Roe", "court": "nysd", "date": "2019-09-25", "docket": "19-cv-1", "url": None}]
        return web.json_response({"results": rows if request.query["number"] == "77" else []})

    app = web.Application()
    app.router.add_get("/lookup", lookup)
    return app


def test_a_service_under_contract():
    claimed = reference("westlaw", year="2019", number="77", case_name="Doe v. Roe", court="S.D.N.Y.")
    absent = reference("westlaw", year="2019", number="78", case_name="Doe v. Roe")
    found, missed = ask(Westlaw, contract_service(), claimed, absent, secrets={"SHOWABLE_WESTLAW_KEY": "key"})
    assert {check.field: check.outcome for check in compare_case(claimed, found.entries[0])}["court"] == "agrees"
    assert missed.status == "not_covered"
    (refused,) = ask(Westlaw, contract_service(), claimed, secrets={"SHOWABLE_WESTLAW_KEY": "another"})
    assert refused.status == "not_configured"


# PACER

DOCKET = {
    "courtId": "nysdc", "caseId": 1, "caseYear": 2022, "caseNumber": 1461, "caseOffice": "1", "caseType": "cv",
    "caseTitle": "Mata v. Avianca, Inc.", "dateFiled": "2022-02-22", "caseNumberFull": "1:22-cv-01461",
}  # fmt: skip
LOGIN = {"SHOWABLE_PACER_LOGIN": "someone", "SHOWABLE_PACER_PASSWORD": "something"}
MATA = reference("docket", number="No. 1:22-cv-1461", case_name="Mata v. Avianca, Inc.", court="nysd")


def ask_pacer(double, *references, **secrets):
    return ask(Pacer, double, *references, secrets=LOGIN | secrets, base_as=("pacer_login",))


def test_a_docket_while_the_money_lasts():
    double = PacerDouble([DOCKET])
    first, second = ask_pacer(double, MATA, MATA, SHOWABLE_PACER_CAP_USD="0.15")
    assert first.status == "found"
    assert first.entries[0].court == "nysd"
    assert second.status == "not_configured"
    assert "spending cap of $0.15 reached" in second.reason
    assert double.searches == [{"caseNumberFull": "1:22-cv-01461", "courtId": ["nysdc"]}]
    assert len(double.logins) == 1


@pytest.mark.parametrize("cap", [None, "0", "0.09", "-5", "nan", "much"])
def test_off_unless_a_cap_is_set(cap):
    double = PacerDouble([DOCKET])
    (found,) = ask_pacer(double, MATA, **({"SHOWABLE_PACER_CAP_USD": cap} if cap else {}))
    assert found.status == "not_configured"
    assert double.logins == double.searches == []


def test_a_refused_login_is_not_configured():
    secrets = {"SHOWABLE_PACER_PASSWORD": "wrong-one", "SHOWABLE_PACER_CAP_USD": "1"}
    (found,) = ask_pacer(PacerDouble([DOCKET]), MATA, **secrets)
    assert found.status == "not_configured"
    assert "Invalid username or password" in found.reason
    assert "wrong-one" not in json.dumps(found.model_dump())


def test_a_token_that_ran_out_is_renewed_once_and_not_charged_twice():
    double = PacerDouble([DOCKET], expire=1)
    first, second = ask_pacer(double, MATA, MATA, SHOWABLE_PACER_CAP_USD="0.10")
    assert first.status == "found"
    assert len(double.logins) == 2
    assert second.status == "not_configured"
    (found,) = ask_pacer(PacerDouble([DOCKET], expire=9), MATA, SHOWABLE_PACER_CAP_USD="1")
    assert found.status == "not_configured"


def test_more_pages_than_expected_are_counted():
    double = PacerDouble([DOCKET], billed=5)
    found = ask_pacer(double, MATA, MATA, SHOWABLE_PACER_CAP_USD="0.50")
    assert [one.status for one in found] == ["found", "not_configured"]


def test_a_miss_of_pacer_proves_nothing():
    absent = reference("docket", number="1:22-cv-99999", court="nysd")
    ill = reference("docket", number="none")
    found = ask_pacer(PacerDouble([DOCKET]), absent, ill, SHOWABLE_PACER_CAP_USD="1")
    assert [one.status for one in found] == ["not_covered", "not_covered"]


def test_a_budget():
    budget = Budget(Decimal("0.30"))
    assert [budget.take(), budget.take(2), budget.take()] == [True, True, False]
    budget.give_back()
    assert budget.take()
    assert not budget.take(0)


# All of them


EVERY = (CourtListener, CaselawAccess, Ecfr, GovInfo, UsCode, FederalRegister, FindCaseLaw, Westlaw, Lexis, Pacer)
SECRETS = {"SHOWABLE_COURTLISTENER_TOKEN": "t", "SHOWABLE_WESTLAW_KEY": "k", "SHOWABLE_LEXIS_KEY": "k"}


@pytest.mark.parametrize("registry_class", EVERY, ids=lambda one: one.name)
def test_each_keeps_the_protocol_and_names_a_record_that_exists(registry_class):
    registry = registry_class(None, Settings())
    assert isinstance(registry, Registry)
    assert registry.proves <= registry.kinds
    assert registry.known.kind in registry.kinds
    assert registry.key(registry.known)
    assert registry_class.__module__.rpartition(".")[2] == registry.name


@every_row("registry_class", EVERY)
@every_row("answer", [(200, b"", "text/html"), (200, b"\xff{", "application/json"), (200, b"[1, null]", "application/json"),
                                    (200, b'{"results": 3}', "application/json"), (403, b"no", "text/plain"), (400, b"<html>", "text/html")])  # fmt: skip
def test_garbage_is_evidence_of_nothing(registry_class, answer):
    async def garbage(request):
        return web.Response(status=answer[0], body=answer[1], content_type=answer[2])

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", garbage)
    (found,) = ask(registry_class, app, registry_class.known, secrets=SECRETS)
    assert found.status in {"unreachable", "not_covered", "not_configured"}
    assert found.reason


HOSTILE = [
    "",
    " ",
    "0",
    "٩٢٥",
    "²",
    "-1",
    "9" * 400,
    "../..",
    "?x=1#y",
    "%2f",
    "\u202e1",
    "a" * 5_000,
    "1\n2",
    "(((",
    "§",
    "x v. y",
]


@pytest.mark.parametrize("registry_class", EVERY, ids=lambda one: one.name)
def test_no_field_is_too_odd(registry_class):
    names = (
        "volume",
        "reporter",
        "page",
        "title",
        "part",
        "section",
        "year",
        "number",
        "court",
        "division",
        "congress",
        "case_name",
        "date",
        "docket",
    )
    hostile = [
        reference(kind, **dict.fromkeys(names, text)) for kind in sorted(registry_class.kinds) for text in HOSTILE
    ]

    async def nothing(request):
        return web.Response(status=404, text="no")

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", nothing)
    for one in (registry_class(None, Settings()).key(reference) for reference in hostile):
        assert one is None or isinstance(one, str)
    found = ask(registry_class, app, *hostile, secrets=SECRETS)
    assert {one.status for one in found} <= {
        "unreachable",
        "not_covered",
        "not_configured",
        "blocked_url",
        "not_found",
        "malformed",
    }
    assert not [one for one in found if one.status == "not_found" and registry_class not in {UsCode, Ecfr}]
