"""The legal registries against servers that behave as the real ones do, traps included."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from aiohttp import web
from registry_doubles import loopback_web, serve
from registry_doubles.caselaw_access import CaselawAccessDouble
from registry_doubles.courtlistener import CourtListenerDouble
from registry_doubles.law_reports import Library, ReportedCase
from tables import every_row

from showable.records import Reference
from showable.registries.caselaw_access import CaselawAccess
from showable.registries.cite_batches import CiteBatches
from showable.registries.courtlistener import CourtListener
from showable.registries.settings import Settings
from showable.registries.web.asking import RateLimitedError
from showable.registries.web.limits import DEADLINE
from showable.rubrics.metadata.cases import compare_case

TOKEN = {"SHOWABLE_COURTLISTENER_TOKEN": "secret"}

OBERGEFELL = ReportedCase(
    "Obergefell v. Hodges", (("576", "U.S.", "644"), ("135", "S. Ct.", "2584"), ("192", "L. Ed. 2d", "609")), "742",
    "2015-06-26", "scotus", "James OBERGEFELL, et al., Petitioners v. Richard HODGES, Director", "14-556",
)  # fmt: skip
AZAR = ReportedCase("J.D. v. Azar", (("925", "F.3d", "1291"),), "1349", "2019-06-14", "cadc", docket="18-5093")
IQBAL = ReportedCase("Ashcroft v. Iqbal", (("556", "U.S.", "662"),), "700", "2009-05-18", "scotus")
WITHOUT_STARS = ReportedCase("Zervos v. Verizon", (("252", "F.3d", "163"),), "175", "2001-05-16", "ca2", stars=False)
TWINS = [
    ReportedCase("Alpha v. Beta", (("92", "F.3d", "1074"),), "1074", "1996-08-01", "ca11"),
    ReportedCase("Gamma v. Delta", (("92", "F.3d", "1074"),), "1074", "1996-08-02", "ca11"),
]
ORDERS = [
    ReportedCase(f"Petitioner{n} v. United States", (("540", "U.S.", "1045"),), "1045", "2003-12-01", "scotus")
    for n in range(6)
]
SUPPLEMENT = ReportedCase("Ex parte Roman", (("12", "F. Supp. 2d", "S12"),), "S14", "1998-03-02", "nysd")
ROMAN = ReportedCase("Memorial of the Bar", (("12", "F. Supp. 2d", "xii"),), "xiv", "1998-03-02", "nysd")
PLAIN = ReportedCase("Ordinary v. Regular", (("12", "F. Supp. 2d", "20"),), "29", "1998-04-02", "nysd")
HANDY = [
    ReportedCase("Kamehameha v. Dole", (("1", "Haw.", "150"),), "155", "1853-01-01", "haw"),
    ReportedCase("Barnes v. Hill", (("1", "Hill", "150"),), "155", "1841-01-01", "nysupct"),
]
EVERY = [OBERGEFELL, AZAR, IQBAL, WITHOUT_STARS, *TWINS, *ORDERS, SUPPLEMENT, ROMAN, PLAIN, *HANDY]
SCANNED = {("556", "U.S."), ("540", "U.S."), ("925", "F.3d"), ("252", "F.3d"), ("92", "F.3d"), ("12", "F. Supp. 2d")}


def library():
    return Library([*EVERY], {(reporter, volume) for volume, reporter in SCANNED})


def case(name, volume, reporter, page, **fields):
    cite = {"case_name": name, "volume": volume, "reporter": reporter, "page": page}
    return Reference(kind="case", text=f"{volume} {reporter} {page}", fields=cite | fields)


def ask(registry_class, double, *references, secrets=TOKEN, **options):
    """Look references up one after the other; a double is served as each of the names it stands for."""

    async def every(registry):
        return [await registry.find(reference) for reference in references]

    app = double.app() if hasattr(double, "app") else double
    with serve(app) as base:
        names = ("courtlistener", "pacer_login", registry_class.name)
        settings = Settings(base=dict.fromkeys(names, base), secrets=secrets)
        registry = registry_class(loopback_web(base, **options), settings)
        return asyncio.run(every(registry))


def compared(reference, found):
    return [{check.field: check.outcome for check in compare_case(reference, entry)} for entry in found.entries]


# CourtListener (specification of the registries, sections 0.3, 0.4 and 5.1)


def test_a_case_at_its_own_page():
    reference = case("Obergefell v. Hodges", "576", "U.S.", "644", year="2015")
    double = CourtListenerDouble(library())
    (found,) = ask(CourtListener, double, reference)
    assert found.status == "found"
    (entry,) = found.entries
    assert entry.citations == ("576 U.S. 644", "135 S. Ct. 2584", "192 L. Ed. 2d 609")
    assert entry.date == "2015-06-26"
    assert compared(reference, found) == [
        {"citation": "agrees", "case_name": "agrees", "court": "agrees", "year": "agrees"}
    ]
    assert double.asked == [{"text": "576 U.S. 644"}]
    assert double.dockets_asked == []


def test_200_for_the_case_that_contains_the_page_is_no_existence():
    reference = case("Varga v. Orient Airlines", "925", "F.3d", "1339", court="ca11", year="2019")
    double = CourtListenerDouble(library())
    (found,) = ask(CourtListener, double, reference)
    assert found.status == "found"
    assert found.http_status == 200
    (checks,) = compared(reference, found)
    assert checks["citation"] == checks["case_name"] == "differs"
    said = {check.field: check.found for check in compare_case(reference, found.entries[0])}
    assert said["citation"] == "inside J.D. v. Azar, 925 F.3d 1291 (2019), which begins at 1291"
    assert double.dockets_asked == [], "whose court it is matters only where the name agrees"


def test_the_court_is_asked_for_where_one_is_claimed_and_the_name_agrees():
    right = case("J.D. v. Azar", "925", "F.3d", "1291", court="cadc", year="2019")
    wrong = case("J.D. v. Azar", "925", "F.3d", "1291", court_text="11th Cir.", year="2019")
    double = CourtListenerDouble(library())
    found = ask(CourtListener, double, right, wrong)
    assert [compared(*pair)[0]["court"] for pair in zip((right, wrong), found, strict=True)] == ["agrees", "differs"]
    assert double.dockets_asked == ["2"], "asked once, and kept"
    assert found[0].entries[0].facts["docket"] == "18-5093"


def test_a_miss_proves_nothing():
    outside = case("Nemo v. Nobody", "925", "F.3d", "12")
    starless = case("Nemo v. Nobody", "252", "F.3d", "170")
    found = ask(CourtListener, CourtListenerDouble(library()), outside, starless)
    assert [one.status for one in found] == ["not_covered", "not_covered"]
    assert "Citation not found" in found[0].reason


def test_several_cases_on_a_page():
    claimed = case("Gamma v. Delta", "92", "F.3d", "1074")
    nobody = case("Nemo v. Nobody", "92", "F.3d", "1074")
    first, second = ask(CourtListener, CourtListenerDouble(library()), claimed, nobody)
    assert [entry.case_names[0] for entry in first.entries] == ["Gamma v. Delta"]
    assert [entry.case_names[0] for entry in second.entries] == ["Alpha v. Beta", "Gamma v. Delta"]
    assert all(checks["case_name"] == "differs" for checks in compared(nobody, second))


def test_a_table_of_orders_is_not_complete():
    listed = case("Petitioner3 v. United States", "540", "U.S.", "1045")
    unlisted = case("Nemo v. United States", "540", "U.S.", "1045")
    for registry, double in (
        (CourtListener, CourtListenerDouble(library())),
        (CaselawAccess, CaselawAccessDouble(library())),
    ):
        first, second = ask(registry, double, listed, unlisted)
        assert [entry.case_names[0] for entry in first.entries] == ["Petitioner3 v. United States"]
        assert (second.status, second.entries) == ("ambiguous", ())


def test_an_ambiguous_reporter():
    claimed = case("Barnes v. Hill", "1", "H.", "150")
    nobody = case("Nemo v. Nobody", "1", "H.", "150")
    first, second = ask(CourtListener, CourtListenerDouble(library()), claimed, nobody)
    assert first.status == "found"
    assert compared(claimed, first) == [{"citation": "agrees", "case_name": "agrees"}]
    assert (second.status, second.entries) == ("ambiguous", ())
    assert "1 Haw. 150" in second.reason


def test_an_unknown_reporter_is_asked_for_by_its_parts():
    double = CourtListenerDouble(library())
    (found,) = ask(CourtListener, double, case("Nemo v. Nobody", "33", "Umbrella", "422"))
    assert found.status == "not_covered"
    assert "Unable to find reporter" in found.reason
    assert double.asked == [{"text": "33 Umbrella 422"}, {"volume": "33", "reporter": "Umbrella", "page": "422"}]


@pytest.mark.parametrize("empty", [[], {}])
def test_no_citations_in_a_text_is_said_in_two_ways(empty):
    (found,) = ask(CourtListener, CourtListenerDouble(library(), empty=empty), case("A v. B", "12th", "Nowhere", "1"))
    assert found.status == "not_covered"


def test_a_batch_is_one_request_and_its_items_are_told_apart():
    double = CourtListenerDouble(library(), shift=1, leave_out=("error_message",))
    references = [
        case("Obergefell v. Hodges", "576", "U.S.", "644"),
        case("J.D. v. Azar", "925", "F.3d", "1291"),
        case("Nemo v. Nobody", "925", "F.3d", "12"),
        case("Ashcroft v. Iqbal", "556", "U.S.", "662"),
        case("Obergefell v. Hodges", "576", "U.S.", "644", pin="700"),
    ]

    async def together(registry):
        return await asyncio.gather(*(registry.find(reference) for reference in references))

    with serve(double.app()) as base:
        registry = CourtListener(loopback_web(base), Settings(base={"courtlistener": base}, secrets=TOKEN))
        found = asyncio.run(together(registry))
        again = asyncio.run(registry.find(references[0]))
    assert [one.entries[0].case_names[0] if one.entries else one.status for one in found] == [
        "Obergefell v. Hodges", "J.D. v. Azar", "not_covered", "Ashcroft v. Iqbal", "Obergefell v. Hodges",
    ]  # fmt: skip
    assert double.asked[0] == {"text": "576 U.S. 644; 925 F.3d 1291; 925 F.3d 12; 556 U.S. 662"}
    assert len(double.asked) == 2
    assert again.status == "found", "the registry works on the next event loop too"


def test_an_item_beyond_the_limit_is_asked_for_again():
    double = CourtListenerDouble(library(), item_429={"556 U.S. 662"})

    async def together(registry):
        references = [case("J.D. v. Azar", "925", "F.3d", "1291"), case("Ashcroft v. Iqbal", "556", "U.S.", "662")]
        return await asyncio.gather(*(registry.find(reference) for reference in references))

    with serve(double.app()) as base:
        registry = CourtListener(loopback_web(base), Settings(base={"courtlistener": base}, secrets=TOKEN))
        found = asyncio.run(together(registry))
    assert [one.status for one in found] == ["found", "found"]
    assert double.asked[1] == {"volume": "556", "reporter": "U.S.", "page": "662"}


@pytest.mark.parametrize("name", ["wait_until", "wait_util"])
def test_a_throttle_is_waited_out_where_there_is_time(name):
    soon = (datetime.now(UTC) + timedelta(seconds=0.05)).isoformat()
    double = CourtListenerDouble(library(), throttled=[{"error": "throttled", name: soon}])
    (found,) = ask(CourtListener, double, case("Ashcroft v. Iqbal", "556", "U.S.", "662"))
    assert found.status == "found"
    assert len(double.asked) == 2


@pytest.mark.parametrize(
    "body",
    [
        {"wait_until": (datetime.now(UTC) + timedelta(days=1)).isoformat()},
        {"detail": "Request was throttled. Expected available in 85774 seconds."},
    ],
)
def test_a_throttle_until_tomorrow_is_no_miss(body):
    (found,) = ask(
        CourtListener, CourtListenerDouble(library(), throttled=[body] * 5), case("A v. B", "556", "U.S.", "662")
    )
    assert found.status == "rate_limited"


def test_without_a_token_nothing_is_asked_and_nothing_concluded():
    double = CourtListenerDouble(library())
    (found,) = ask(CourtListener, double, case("A v. B", "556", "U.S.", "662"), secrets={})
    assert found.status == "not_configured"
    assert "SHOWABLE_COURTLISTENER_TOKEN" in found.reason
    assert double.asked == []


def test_a_refused_token_is_not_configured_and_not_shown():
    double = CourtListenerDouble(library())
    (found,) = ask(
        CourtListener,
        double,
        case("A v. B", "556", "U.S.", "662"),
        secrets={"SHOWABLE_COURTLISTENER_TOKEN": "stale-one"},
    )
    assert found.status == "not_configured"
    assert "Invalid token" in found.reason
    assert "stale-one" not in found.model_dump_json()


def test_an_answer_of_another_shape_is_no_answer():
    async def broken(request):
        return web.Response(text="<html>maintenance</html>", content_type="text/html")

    app = web.Application()
    app.router.add_post("/api/rest/v4/citation-lookup/", broken)
    (found,) = ask(CourtListener, app, case("A v. B", "556", "U.S.", "662"))
    assert found.status == "unreachable"


def test_keys_depend_on_what_the_answer_depends_on():
    registry = CourtListener(None, Settings(secrets=TOKEN))
    plain = case("A v. B", "556", "U.S.", "662")
    assert registry.key(plain) == registry.key(case("A v. B", "556", "U. S.", "662", year="1999"))
    assert registry.key(plain) != registry.key(case("A v. B", "556", "U.S.", "662", court="ca2"))
    assert registry.key(Reference(kind="case", text="", fields={"case_name": "A v. B"})) is None
    docket = Reference(kind="docket", text="", fields={"number": "No. 2:24-cv-1776-JHC", "court": "wawd"})
    assert registry.key(docket) == "docket 2:24-cv-01776 wawd"


def docket(number, name="", **fields):
    return Reference(kind="docket", text=number, fields={"number": number, "case_name": name, **fields})


def test_dockets_of_recap():
    right = docket("No. 18-5093", "J.D. v. Azar", court="cadc")
    wrong = docket("No. 18-5093", "Nemo v. Nobody", court="cadc")
    nowhere = docket("18-5093", "Nemo v. Nobody")
    missing = docket("18-9999", "Nemo v. Nobody", court="cadc")
    found = ask(CourtListener, CourtListenerDouble(library()), right, wrong, nowhere, missing)
    assert [one.status for one in found] == ["found", "found", "ambiguous", "not_covered"]
    assert compared(right, found[0])[0]["case_name"] == "agrees"
    assert compared(wrong, found[1])[0]["case_name"] == "differs"
    assert "proves nothing" in found[3].reason


def test_so_many_cites_a_minute():
    sent = []

    async def send(cites):
        sent.append(cites)
        return dict.fromkeys(cites, "told")

    async def many():
        DEADLINE.set(asyncio.get_running_loop().time() + 5)
        batches = CiteBatches(send, most=3, per_minute=5, gather_s=0)
        return await asyncio.gather(*(batches.ask(str(n)) for n in range(7)), return_exceptions=True)

    told = asyncio.run(many())
    assert sent == [("0", "1", "2"), ("3", "4")]
    assert told[:5] == ["told"] * 5
    assert all(isinstance(error, RateLimitedError) for error in told[5:])
    assert "5 cites a minute" in str(told[5])


def test_what_goes_wrong_with_a_batch_is_told_to_all_who_wait():
    async def send(cites):
        raise RateLimitedError("later")

    async def two():
        batches = CiteBatches(send, most=3, per_minute=5, gather_s=0)
        return await asyncio.gather(batches.ask("1"), batches.ask("2"), return_exceptions=True)

    assert [str(error) for error in asyncio.run(two())] == ["later", "later"]


# The Caselaw Access Project (section 5.2)

CAP = [
    ("at its page", case("J.D. v. Azar", "925", "F.3d", "1291", court="cadc", year="2019"), "found", "J.D. v. Azar", None),
    ("another name there", case("Nemo v. Nobody", "925", "F.3d", "1291"), "found", "J.D. v. Azar", None),
    ("a page within another case", case("Nemo v. Nobody", "925", "F.3d", "1339"), "found", "J.D. v. Azar", None),
    ("a page within it", case("J.D. v. Azar", "925", "F.3d", "1339"), "found", "J.D. v. Azar", None),
    ("another page, its name in the volume", case("Ashcroft v. Iqbal", "556", "U.S.", "12"), "not_found", None, "Ashcroft v. Iqbal"),
    ("beyond the last page", case("Nemo v. Nobody", "925", "F.3d", "1500"), "not_found", None, None),
    ("a page where no case stands", case("Nemo v. Nobody", "925", "F.3d", "30"), "not_found", None, None),
    ("a volume not scanned", case("Obergefell v. Hodges", "576", "U.S.", "644"), "not_covered", None, None),
    ("a reporter not scanned", case("A v. B", "10", "F.4th", "1"), "not_covered", None, None),
    ("a supplement's page", case("Ex parte Roman", "12", "F. Supp. 2d", "S12"), "found", "Ex parte Roman", None),
    ("a page within a supplement", case("Ex parte Roman", "12", "F. Supp. 2d", "S13"), "found", "Ex parte Roman", None),
    ("a roman page", case("Memorial of the Bar", "12", "F. Supp. 2d", "xii"), "found", "Memorial of the Bar", None),
    ("twelve is not S12", case("Ex parte Roman", "12", "F. Supp. 2d", "12"), "not_found", None, "Ex parte Roman"),
    ("one of two on a page", case("Gamma v. Delta", "92", "F.3d", "1074"), "found", "Gamma v. Delta", None),
]  # fmt: skip


@every_row(("what", "reference", "status", "stands", "near"), CAP)
def test_what_stands_at_a_page(what, reference, status, stands, near):
    (found,) = ask(CaselawAccess, CaselawAccessDouble(library()), reference)
    assert found.status == status, what
    assert [entry.case_names[0] for entry in found.entries] == ([stands] if stands else [])
    assert [entry.case_names[0] for entry in found.near] == ([near] if near else [])
    assert found.status == "found" or found.reason


def test_a_page_within_a_case_says_from_where_to_where_it_stands():
    reference = case("Nemo v. Nobody", "925", "F.3d", "1339")
    (found,) = ask(CaselawAccess, CaselawAccessDouble(library()), reference)
    said = {check.field: check.found for check in compare_case(reference, found.entries[0])}
    assert said["citation"] == "inside J.D. v. Azar, 925 F.3d 1291 (D.C. Cir. 2019), pp. 1291–1349"


def test_the_right_page_of_a_name_is_named_beside_the_occupant():
    shelf = library()
    shelf.cases.append(ReportedCase("Doe v. Roe", (("925", "F.3d", "1"),), "9", "2019-01-02", "ca1"))
    (found,) = ask(CaselawAccess, CaselawAccessDouble(shelf), case("Doe v. Roe", "925", "F.3d", "1300"))
    assert [entry.case_names[0] for entry in found.entries] == ["J.D. v. Azar"]
    assert [(entry.case_names[0], entry.first_page) for entry in found.near] == [("Doe v. Roe", "1")]


def test_a_volume_is_asked_for_once():
    double = CaselawAccessDouble(library())

    async def together(registry):
        references = [case("Nemo v. Nobody", "925", "F.3d", str(page)) for page in range(1291, 1311)]
        return await asyncio.gather(*(registry.find(reference) for reference in references))

    with serve(double.app()) as base:
        registry = CaselawAccess(loopback_web(base), Settings(base={"caselaw_access": base}))
        found = asyncio.run(together(registry))
    assert {one.status for one in found} == {"found"}
    assert double.asked == ["/f3d/925/CasesMetadata.json"]


def test_reporters_beyond_the_common_ones_are_looked_up_in_the_list():
    shelf = Library(
        [ReportedCase("Addams v. Steele", (("648", "N.E.2d", "773"),), "778", "1995-04-20", "massappct")],
        {("N.E.2d", "648")},
    )
    double = CaselawAccessDouble(shelf)
    first, second = ask(
        CaselawAccess, double, case("Addams v. Steele", "648", "N.E.2d", "773"), case("A v. B", "1", "Umbrella", "1")
    )
    assert first.status == "found"
    assert second.status == "not_covered"
    assert double.asked.count("/ReportersMetadata.json") == 1


@pytest.mark.parametrize("volume", ["12th", "2013", ""])
def test_what_is_no_volume_there_is_not_asked_for(volume):
    registry = CaselawAccess(None, Settings())
    reference = case("A v. B", volume, "IL App (1st)", "111279-U")
    assert registry.key(reference) is None
    assert asyncio.run(registry.find(reference)).status == "not_covered"


def test_a_volume_of_which_a_page_cannot_be_read_proves_nothing():
    shelf = library()
    shelf.cases.append(ReportedCase("Torn v. Page", (("925", "F.3d", "__"),), "12", "2019-01-02", "ca1"))
    gap, standing = case("Nemo v. Nobody", "925", "F.3d", "30"), case("J.D. v. Azar", "925", "F.3d", "1291")
    found = ask(CaselawAccess, CaselawAccessDouble(shelf), gap, standing)
    assert [one.status for one in found] == ["not_covered", "found"]


def test_a_volume_that_cannot_be_read_is_no_answer():
    async def broken(request):
        return web.json_response({"error": "no"})

    app = web.Application()
    app.router.add_get("/f3d/925/CasesMetadata.json", broken)
    (found,) = ask(CaselawAccess, app, case("A v. B", "925", "F.3d", "1291"))
    assert found.status == "unreachable"


# The two together, as a citation is looked up


SETTLED = [
    ("as it stands", case("Obergefell v. Hodges", "576", "U.S.", "644", year="2015"), "resolved", "courtlistener", None),
    ("a fake inside another case", case("Varga v. Orient Air", "925", "F.3d", "1339", court="ca11", year="2019"), "mismatch", None, "J.D. v. Azar"),
    ("a fake where another begins", case("Nemo v. Nobody", "556", "U.S.", "662", year="2009"), "mismatch", None, "Ashcroft v. Iqbal"),
    ("a page within its own case", case("Ashcroft v. Iqbal", "556", "U.S.", "670", year="2009"), "mismatch", None, "Ashcroft v. Iqbal"),
    ("its page elsewhere in the volume", case("Ashcroft v. Iqbal", "556", "U.S.", "12", year="2009"), "mismatch", "caselaw_access", "Ashcroft v. Iqbal"),
    ("another year", case("Ashcroft v. Iqbal", "556", "U.S.", "662", year="2012"), "mismatch", None, "2009"),
    ("another court", case("J.D. v. Azar", "925", "F.3d", "1291", court="ca11", year="2019"), "mismatch", None, "D.C. Cir."),
    ("a page where no case stands", case("Nemo v. Nobody", "925", "F.3d", "30"), "not_found", "caselaw_access", "no case stands"),
    ("a page beyond the volume", case("Nemo v. Nobody", "925", "F.3d", "1900"), "not_found", "caselaw_access", "ends at page"),
    ("nobody's page, not scanned", case("Nemo v. Nobody", "999", "F.3d", "30"), "not_covered", None, None),
    ("no star pages, but scanned", case("Nemo v. Nobody", "252", "F.3d", "170"), "mismatch", "caselaw_access", "Zervos v. Verizon"),
    ("two on a page, neither it", case("Nemo v. Nobody", "92", "F.3d", "1074"), "mismatch", None, "v."),
    ("unlisted in a table of orders", case("Nemo v. United States", "540", "U.S.", "1045"), "ambiguous", None, None),
]  # fmt: skip


def look_up(references, secrets=TOKEN):
    from showable.registries.consult import make_consultation
    from showable.registries.web.asking import Pace

    async def every(consultation):
        try:
            return await consultation.lookup_all(references)
        finally:
            await consultation.aclose()

    shelf = library()
    with serve(CourtListenerDouble(shelf).app()) as first, serve(CaselawAccessDouble(shelf).app()) as second:
        settings = Settings(base={"courtlistener": first, "caselaw_access": second}, secrets=secrets)
        return asyncio.run(every(make_consultation(settings, pace=Pace(10_000, 64))))


def test_what_becomes_of_a_citation():
    results = look_up([row[1] for row in SETTLED])
    for (what, _, status, registry, said), result in zip(SETTLED, results, strict=True):
        assert result.status == status, f"{what}: {result}"
        assert registry is None or result.registry == registry, what
        assert said is None or said in f"{result.reason} {result.compared}", f"{what}: {result}"


def test_without_a_token_the_scans_alone_decide():
    references = [row[1] for row in SETTLED[1:4]] + [case("Obergefell v. Hodges", "576", "U.S.", "644", year="2015")]
    results = look_up(references, secrets={})
    assert [result.status for result in results] == ["mismatch", "mismatch", "mismatch", "not_configured"]
