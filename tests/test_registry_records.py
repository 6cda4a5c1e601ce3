"""Medicines, trials, filings and books, asked of local servers in the shapes that their registries document."""

import asyncio
import json

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st
from registry_doubles import loopback_web, serve
from registry_doubles.clinical_trials import clinical_trials
from registry_doubles.dailymed import SET_ID, dailymed
from registry_doubles.edgar import UNLISTED, edgar
from registry_doubles.open_library import open_library
from registry_doubles.openfda import openfda
from tables import every_row

from showable.records import Reference
from showable.registries import openfda as openfda_terms
from showable.registries.clinical_trials import ClinicalTrials
from showable.registries.dailymed import DailyMed
from showable.registries.drugs_at_fda import DrugsAtFda
from showable.registries.edgar import Edgar
from showable.registries.open_library import OpenLibrary, isbn13
from showable.registries.orange_book import OrangeBook
from showable.registries.settings import Settings
from showable.registries.shapes import iso_day, rows_of, table_of, text_of, texts_of, years_in
from showable.registries.wayback import Wayback, settled
from showable.registries.web.limits import Limits

ONE_TRY = Limits(connect_s=2, read_s=2, total_s=2, tries=1)


def ask(registry_class, app, reference, *, base=None, **settings):
    with serve(app) as address:
        bases = dict.fromkeys(base or [registry_class.name], address)
        registry = registry_class(loopback_web(address, limits=ONE_TRY), Settings(base=bases, **settings))
        return asyncio.run(registry.find(reference))


def application(kind, number):
    return Reference(kind="fda_application", text=f"{kind} {number}", fields={"type": kind, "number": number})


def of(kind, **fields):
    return Reference(kind=kind, text="", fields=fields)


@pytest.mark.parametrize(
    ("kind", "number", "status", "says"),
    [
        ("NDA", "020702", "found", None),
        ("NDA", "20702", "found", None),  # zero-padded
        ("nda", "20-702", "found", None),
        ("BLA", "125514", "found", None),
        ("NDA", "999999", "not_found", "holds no NDA999999"),
        ("ANDA", "020702", "not_found", "the number is that of NDA020702"),
        ("BLA", "103000", "not_covered", "holds no BLA103000"),  # vaccines and blood are another centre's
        ("NDA", "0207020", "malformed", "up to six digits"),
        ("NDA", "000000", "malformed", "up to six digits"),
        ("NDA", '1" OR "', "malformed", "up to six digits"),
        ("IND", "020702", "malformed", "NDA, ANDA or BLA"),
    ],
)
def test_drugs_at_fda(kind, number, status, says):
    answer = ask(DrugsAtFda, openfda([]), application(kind, number))
    assert (answer.status, answer.registry) == (status, "drugs_at_fda")
    assert says is None or says in answer.reason


@pytest.mark.parametrize(
    ("status", "body", "expected"),
    [
        (404, '{"error": {"code": "NOT_FOUND", "message": "No matches found!"}}', "not_found"),
        # the gateway before it, where an address has moved
        (404, '{"error": {"code": "NOT_FOUND", "message": "The requested URL was not found on this server."}}', "unreachable"),
        (404, '{"error": {"code": "NOT_FOUND"}}', "unreachable"),
        (200, '{"results": [{"application_number": "ANDA020702"}]}', "not_found"),  # another type's number
        (200, '{"results": [{"application_no": "NDA020702", "products": []}]}', "unreachable"),
        (200, '{"results": [{"application_number": null}]}', "unreachable"),
        (200, '{"results": [{"application_number": ["NDA020702"]}]}', "unreachable"),
        (200, '{"results": [{"application_number": "N020702"}]}', "unreachable"),
        (200, '{"results": [{"application_number": "NDA000001"}]}', "unreachable"),  # not what was asked for
        (200, '{"results": [{"application_number": "ANDA020702"}, {"number": "NDA020702"}]}', "unreachable"),
        (200, '{"results": [{"number": "x"}, {"application_number": "NDA020702"}]}', "found"),
    ],
)  # fmt: skip
def test_only_what_drugs_at_fda_says_of_the_number_is_a_miss(status, body, expected):
    assert ask(DrugsAtFda, _answering(status, body), application("NDA", "020702")).status == expected


def test_drugs_at_fda_describes_an_application():
    entry = ask(DrugsAtFda, openfda([]), application("NDA", "020702")).entries[0]
    assert entry.title == "LIPITOR"
    assert entry.other_titles == ("ATORVASTATIN CALCIUM",)
    assert entry.publisher == "VIATRIS SPECIALTY"
    assert entry.ids == {"fda_application": "NDA020702"}
    assert entry.facts["approved"] == "1996-12-17"  # of the original, not of an earlier supplement
    assert "discontinued" not in entry.facts
    assert entry.years == ()  # an approval is no year of publication that a citation could get wrong


def test_a_discontinued_product_is_a_fact_and_no_accusation():
    answer = ask(DrugsAtFda, openfda([]), application("ANDA", "076543"))
    assert answer.status == "found"
    assert answer.entries[0].facts["discontinued"] == "every product"
    assert answer.entries[0].notices == ()


@pytest.mark.parametrize(
    ("kind", "number", "status", "says"),
    [
        ("NDA", "020702", "found", None),
        ("ANDA", "76543", "found", None),
        ("NDA", "999999", "not_covered", "lists no NDA 999999"),  # Drugs@FDA is the authority
        ("ANDA", "020702", "not_covered", "that of NDA 020702"),
        ("BLA", "125514", "not_covered", "Purple Book"),
    ],
)
def test_orange_book(kind, number, status, says):
    answer = ask(OrangeBook, openfda([]), application(kind, number))
    assert answer.status == status
    assert says is None or says in answer.reason


def test_orange_book_joins_the_products_of_an_application():
    entry = ask(OrangeBook, openfda([]), application("NDA", "020702")).entries[0]
    assert (entry.title, entry.publisher) == ("LIPITOR", "UPJOHN US 2 LLC")
    assert entry.facts["marketing_status"] == "RX; DISCN"
    assert entry.facts["discontinued"] == "some products"
    assert entry.facts["approved"] == "1996-12-17"
    assert entry.facts["patents"] == "5969156*PED"


def test_nobody_is_asked_about_a_biologic_in_the_orange_book():
    asked = []
    ask(OrangeBook, openfda(asked), application("BLA", "125514"))
    assert asked == []


def test_the_key_of_openfda_is_optional_and_never_shown():
    asked = []
    answer = ask(DrugsAtFda, openfda(asked), application("NDA", "020702"), secrets={"SHOWABLE_OPENFDA_KEY": "s3cret"})
    assert asked[0]["api_key"] == "s3cret"
    assert "s3cret" not in answer.url
    ask(DrugsAtFda, openfda(asked), application("NDA", "020702"))
    assert "api_key" not in asked[1]


@pytest.mark.parametrize(
    ("text", "quoted"),
    [("020702", '"020702"'), ('a"b', r'"a\"b"'), (r"a\b", r'"a\\b"'), ("a:b AND (c)", '"a:b AND (c)"')],
)
def test_lucene_phrases(text, quoted):  # special characters of a phrase: Lucene's classic query syntax
    assert openfda_terms.phrase(text) == quoted


def _answering(status, body, content_type="application/json"):
    async def answer(_):
        return web.Response(status=status, body=body.encode(), content_type=content_type)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    return app


@every_row(
    ("registry_class", "reference"),
    [
        (DrugsAtFda, application("NDA", "020702")),
        (OrangeBook, application("NDA", "020702")),
        (DailyMed, application("NDA", "020702")),
        (ClinicalTrials, of("nct", nct="NCT04437511")),
        (Edgar, of("sec_accession", accession="0000320193-24-000123", cik="320193")),
        (OpenLibrary, of("isbn", isbn="9780262033848")),
    ],
)
@every_row(
    ("status", "body"),
    [
        (200, "<html>maintenance</html>"),
        (200, "[]"),
        (200, "null"),
        (200, '{"results": 7, "data": 7, "protocolSection": 7, "filings": 7}'),
        (200, '{"results": ["x"], "data": ["x"], "ISBN:9780262033848": "x"}'),
        (400, '{"error": {"code": "BAD_REQUEST", "message": "no"}}'),
        (401, "{}"),
        (403, "<html>denied</html>"),
        (400, "<html>NCT04437511 is no host that this proxy knows</html>"),
        (404, "<html>a proxy's own 404</html>"),
        (404, "<html>/api/v2/studies/NCT04437511 not found</html>"),
        (404, "Not Found"),
        (404, '{"message": "no Route matched with those values"}'),
        (404, ""),
        (200, '{"results": []}'),  # openFDA says with a 404 that there is none
        (200, "[" * 200_000),  # deeper than Python reads JSON
        (429, '{"error": {"code": "OVER_RATE_LIMIT"}}'),
        (500, "oops"),
        (503, ""),
    ],
)
def test_an_answer_of_another_shape_accuses_nobody(registry_class, reference, status, body):
    app = _answering(status, body)
    bases = [registry_class.name, "edgar_archives"]
    answer = ask(registry_class, app, reference, base=bases, mailto="reader@example.org")
    assert answer.status in {"unreachable", "rate_limited", "not_covered"}
    assert answer.reason
    assert answer.status == "rate_limited" or status != 429


@every_row(
    ("nct", "status", "facts"),
    [
        ("NCT04437511", "found", {"status": "COMPLETED", "has_results": "yes", "started": "2020-06-19"}),
        ("nct04437511", "found", {}),  # lower case
        ("NCT4437511", "found", {}),  # a dropped zero
        ("NCT04000001", "found", {"alias": "NCT04000001 is now NCT04437511"}),
        ("NCT00000002", "found", {"status": "WITHDRAWN", "why_stopped": "no participants enrolled"}),
        ("NCT99999999", "not_found", None),
        ("NCT00000003", "unreachable", None),  # another study than the one asked for, and no redirect
        ("NCT00000004", "unreachable", None),  # a 404 that is not the register's
        ("NCT00000005", "malformed", None),  # a 400 of the register's, in plain text, of what passes for a number here
        ("NCT5", "malformed", None),  # the same, written short
        ("NCT00000006", "unreachable", None),  # a 400 that does not speak of the number
        ("NCT123456789", "malformed", None),
        ("NCT", "malformed", None),
        ("ISRCTN12345678", "malformed", None),
    ],
)
def test_clinical_trials(nct, status, facts):
    answer = ask(ClinicalTrials, clinical_trials(), of("nct", nct=nct))
    assert answer.status == status
    if facts is None:
        assert answer.reason
    else:
        assert facts.items() <= answer.entries[0].facts.items()


@every_row(
    ("status", "body", "expected"),
    [
        (404, "NCT number NCT04437511 not found", "not_found"),
        (404, "Study nct04437511 not found.\n", "not_found"),
        (404, "Cannot GET /api/v2/studies/NCT04437511", "unreachable"),
        (404, "The requested URL /api/v2/studies/NCT04437511 was not found on this server.", "unreachable"),
        (404, "not found: studies%2FNCT04437511", "unreachable"),
        (404, "https://clinicaltrials.gov/api/v2/studies/NCT04437511 not found", "unreachable"),
        (404, "NCT number NCT044375110 not found", "unreachable"),  # another number
        (404, "NCT04437511", "unreachable"),
        (404, "NCT04437511 not found\n" + "a log of the gateway\n" * 20, "unreachable"),
        (404, "The page you want was not found. " * 20 + "NCT04437511", "unreachable"),
        (404, '"NCT04437511 not found" <a>', "unreachable"),
        (400, "`NCT04437511` is not a valid NCT number", "malformed"),
        (400, "Bad request line: GET /api/v2/studies/NCT04437511", "unreachable"),
    ],
)
def test_a_gateway_that_quotes_the_path_is_not_the_register(status, body, expected):
    app = _answering(status, body, "text/plain")
    assert ask(ClinicalTrials, app, of("nct", nct="NCT04437511")).status == expected


@pytest.mark.parametrize(("value", "told"), [(True, "yes"), (False, "no"), (None, None), ({}, None), ([True], None)])
def test_whether_a_study_has_results_is_told_where_it_is_said(value, told):
    study = {"protocolSection": {"identificationModule": {"nctId": "NCT04437511"}}, "hasResults": value}
    answer = ask(ClinicalTrials, _answering(200, json.dumps(study)), of("nct", nct="NCT04437511"))
    assert answer.status == "found"
    assert answer.entries[0].facts.get("has_results") == told


def test_what_the_register_says_of_a_number_is_told():
    answer = ask(ClinicalTrials, clinical_trials(), of("nct", nct="NCT00000005"))
    assert (answer.http_status, "`NCT00000005` is not a valid NCT number" in answer.reason) == (400, True)
    assert ask(ClinicalTrials, clinical_trials(), of("nct", nct="NCT123456789")).http_status is None  # nobody was asked


def test_a_withdrawn_study_is_not_a_withdrawn_publication():
    entry = ask(ClinicalTrials, clinical_trials(), of("nct", nct="NCT00000002")).entries[0]
    assert entry.notices == ()


def test_an_alias_keeps_the_number_that_was_cited():
    entry = ask(ClinicalTrials, clinical_trials(), of("nct", nct="NCT04000001")).entries[0]
    assert entry.ids == {"nct": "NCT04000001"}
    assert entry.url == "https://clinicaltrials.gov/study/NCT04437511"
    assert entry.facts["aliases"] == "NCT04000001"


@pytest.mark.parametrize(
    ("reference", "status"),
    [
        (application("NDA", "020702"), "found"),
        (application("NDA", "999999"), "not_covered"),
        (application("XXX", "1"), "malformed"),
        (of("url", url=f"https://dailymed.nlm.nih.gov/dailymed/drugInfo.cfm?setid={SET_ID}"), "found"),
        (of("url", url=f"https://dailymed.nlm.nih.gov/dailymed/lookup.cfm?setid={SET_ID.upper()}&version=41"), "found"),
        (of("url", url="https://dailymed.nlm.nih.gov/dailymed/drugInfo.cfm?setid=" + SET_ID.replace("a", "c")), "not_covered"),
    ],
)  # fmt: skip
def test_dailymed(reference, status):
    assert ask(DailyMed, dailymed(), reference).status == status


def test_dailymed_names_the_label_and_its_version():
    entry = ask(DailyMed, dailymed(), application("NDA", "020702")).entries[0]
    assert entry.title.startswith("LIPITOR (ATORVASTATIN")
    assert entry.facts == {"version": "41", "published": "Apr 12, 2024", "labels": "2"}
    assert entry.notices == ()


def test_a_link_to_an_older_version_of_a_label_is_superseded():
    url = f"https://dailymed.nlm.nih.gov/dailymed/lookup.cfm?setid={SET_ID}&version=7"
    notices = ask(DailyMed, dailymed(), of("url", url=url)).entries[0].notices
    assert [notice.kind for notice in notices] == ["superseded_version"]
    assert "version 7" in notices[0].reason
    assert "41" in notices[0].reason


@pytest.mark.parametrize(
    "url",
    ["https://example.com/?setid=" + SET_ID, "https://dailymed.nlm.nih.gov/dailymed/", "http://[::1", "", "setid"],
)
def test_dailymed_is_not_asked_about_other_links(url):
    assert DailyMed(None, Settings()).key(of("url", url=url)) is None


MAIL = "reader@example.org"


@pytest.mark.parametrize(
    ("accession", "cik", "status", "says"),
    [
        ("0000320193-24-000123", "320193", "found", None),
        ("000032019324000123", "0000320193", "found", None),
        ("0001140361-24-040659", "320193", "found", None),  # transmitted by an agent, 1140361
        ("0000320193-05-000010", "320193", "found", None),  # in a file of older filings
        (UNLISTED, "320193", "found", None),  # in the archive alone
        ("0000320193-24-000123", "", "found", None),  # the company transmitted it itself
        ("0001140361-24-040659", "", "not_covered", "needs the number of the company"),
        ("0000320193-24-999999", "320193", "not_found", "has not filed"),
        ("0000320193-24-000123", "789019", "not_found", "company 789019 has not filed"),  # its list is no such file
        ("0000320193-24-00012", "320193", "malformed", "10, 2 and 6 digits"),
    ],
)
def test_edgar(accession, cik, status, says):
    reference = of("sec_accession", accession=accession, **({"cik": cik} if cik else {}))
    answer = ask(Edgar, edgar([]), reference, base=["edgar", "edgar_archives"], mailto=MAIL)
    assert answer.status == status
    assert says is None or says in answer.reason


def test_edgar_reads_columns_as_rows():
    reference = of("sec_accession", accession="0000320193-24-000123", cik="320193")
    entry = ask(Edgar, edgar([]), reference, base=["edgar", "edgar_archives"], mailto=MAIL).entries[0]
    assert entry.publisher == "Apple Inc."
    assert entry.date == "2024-11-01"
    assert entry.facts["form"] == "10-K"
    assert entry.facts["period"] == "2024-09-28"
    assert entry.title is None  # a filing has none that a citation could get wrong
    assert entry.url.endswith("/320193/000032019324000123/0000320193-24-000123-index.htm")


def test_edgar_gives_a_row_no_more_than_its_columns_have():
    reference = of("sec_accession", accession="0001140361-24-040659", cik="320193")
    entry = ask(Edgar, edgar([]), reference, base=["edgar", "edgar_archives"], mailto=MAIL).entries[0]
    assert entry.facts["form"] == "4"
    assert "period" not in entry.facts


def test_edgar_needs_a_mail_address_and_says_who_asks():
    asked = []
    reference = of("sec_accession", accession="0000320193-24-000123", cik="320193")
    answer = ask(Edgar, edgar(asked), reference, base=["edgar", "edgar_archives"])
    assert (answer.status, asked) == ("not_configured", [])
    assert "SHOWABLE_MAILTO" in answer.reason
    ask(Edgar, edgar(asked), reference, base=["edgar", "edgar_archives"], mailto=MAIL)
    assert asked[0][2].startswith("showable/")
    assert asked[0][2].endswith(MAIL)
    assert not [path for _, path, _ in asked if "passwd" in path]


@pytest.mark.parametrize(
    ("throttled", "mail", "status"), [(True, MAIL, "rate_limited"), (False, "nobody", "unreachable")]
)
def test_a_refusal_of_edgar_is_no_miss(throttled, mail, status):
    reference = of("sec_accession", accession="0000320193-24-000123", cik="320193")
    app = edgar([], throttled=throttled)
    assert ask(Edgar, app, reference, base=["edgar", "edgar_archives"], mailto=mail).status == status


@pytest.mark.parametrize(
    ("isbn", "status"),
    [
        ("9780262033848", "found"),
        ("978-0-262-03384-8", "found"),
        ("0-262-03384-4", "found"),  # the same book by its ten digits
        ("9780140328721", "not_covered"),  # a good number of a book that it does not have
        ("9780262033849", "malformed"),
        ("0262033845", "malformed"),
        ("12345", "malformed"),
    ],
)
def test_open_library(isbn, status):
    asked = []
    answer = ask(OpenLibrary, open_library(asked), of("isbn", isbn=isbn))
    assert answer.status == status
    assert bool(asked) == (status != "malformed")  # nobody is asked about a number that cannot be one


def test_open_library_describes_a_book():
    entry = ask(OpenLibrary, open_library([]), of("isbn", isbn="0262033844")).entries[0]
    assert entry.title == "Introduction to Algorithms: Third Edition"
    assert entry.other_titles == ("Introduction to Algorithms",)
    assert [(one.given, one.family) for one in entry.authors] == [("Thomas H.", "Cormen"), ("Charles E.", "Leiserson")]
    assert (entry.years, entry.publisher) == ((2009,), "MIT Press")
    assert entry.ids == {"isbn": "9780262033848"}


@pytest.mark.parametrize(
    ("written", "number"),
    [  # ISO 2108:2017, and the examples of the ISBN users' manual: 978-0-11-000222-4, 0-8044-2957-X
        ("978-0-11-000222-4", "9780110002224"),
        ("0-8044-2957-X", "9780804429573"),
        ("080442957x", "9780804429573"),
        ("0-8044-2957-1", None),
        ("X804429570", None),
        ("9770262033849", None),  # 977 is for serials
        ("٩٧٨٠٢٦٢٠٣٣٨٤٨", None),
        ("", None),
        ("X", None),
    ],
)
def test_check_digits(written, number):
    assert isbn13(written) == number


@given(st.integers(0, 10**9 - 1), st.sampled_from("0123456789X"))
def test_one_check_digit_in_eleven_is_right(body, check):
    digits = f"{body:09}"
    good = [one for one in "0123456789X" if isbn13(digits + one)]
    assert len(good) == 1
    assert (isbn13(digits + check) is not None) == (check == good[0])


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))  # fmt: skip
def test_no_shape_of_json_is_too_odd(value):
    text_of(value)
    texts_of(value, "a", "b")
    rows_of(value)
    table_of(value, "a")


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("September 2001", (2001,)),
        ("c1998", (1998,)),
        ("2009", (2009,)),
        ("12345", ()),
        (None, ()),
        ("1999-2001", (1999, 2001)),
    ],
)
def test_years_in(text, years):
    assert years_in(text) == years


@pytest.mark.parametrize(
    ("digits", "day"), [("19961217", "1996-12-17"), ("19961317", None), ("1996", None), (None, None), ("x", None)]
)
def test_iso_day(digits, day):
    assert iso_day(digits) == day


@pytest.mark.parametrize(
    ("registry_class", "reference"),
    [
        (DrugsAtFda, application("NDA", "1234567")),
        (OrangeBook, application("NDA", "1234567")),
        (ClinicalTrials, of("nct", nct="NCT123456789")),
        (Edgar, of("sec_accession", accession="0000320193-24-12")),
        (OpenLibrary, of("isbn", isbn="9780262033849")),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_what_cannot_be_an_id_has_a_key_and_is_malformed(registry_class, reference):
    registry = registry_class(None, Settings(mailto=MAIL))  # without a key it would not be asked, and could not say so
    assert registry.key(reference)
    assert registry.key(Reference(kind=reference.kind, text="")) is None
    assert asyncio.run(registry.find(reference)).status == "malformed"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://example.com/a/b?c=../d", "http://example.com/a/b?c=../d"),
        ("http://example.com/../../save/x", "http://example.com/save/x"),
        ("http://example.com/a/b/c/./../../g", "http://example.com/a/g"),  # RFC 3986, 5.2.4
        ("http://example.com/a/..", "http://example.com/"),
        ("http://example.com/a/.", "http://example.com/a/"),
        ("http://example.com/%2e%2E/%2e/x/", "http://example.com/x/"),
        ("http://example.com//a", "http://example.com//a"),
        ("http://example.com/", "http://example.com/"),
    ],
)
def test_no_step_of_an_address_climbs_out_of_its_copy(url, expected):
    assert settled(url) == expected


def test_the_archive_is_asked_for_nothing_but_a_copy():
    asked = []

    async def answer(request):
        asked.append(request.path)
        snapshot = {"timestamp": "20130919044612", "available": True, "status": "200"}
        return web.json_response({"archived_snapshots": {"closest": snapshot}})

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    bases = ["wayback", "wayback_copies"]
    ask(Wayback, app, of("url", url="http://example.com/../../../../../save/x"), base=bases)
    assert asked[0] == "/wayback/available"
    assert all(path.startswith("/web/20130919044612id_/") for path in asked[1:])
    assert len(asked) > 1
