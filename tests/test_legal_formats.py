"""Bluebook form, citation by citation, and the structured form that a model answers in."""

from __future__ import annotations

import pytest
from tables import every_row

from showable.errors import InputError
from showable.read.formats.bluebook import bluebook_faults
from showable.read.references.legal import find_legal
from showable.read.references.structured_legal import from_structured, legal_citations_schema

# text with one citation, codes of its faults, source
FORMS = [
    ("Roe v. Wade, 410 U.S. 113 (1973)", [], "Bluebook rule 10"),
    ("Roe v. Wade, 410 U.S. 113, 120 (1973)", [], "Bluebook rule 3.2"),
    ("Roe v. Wade, 410 U.S. 113", ["missing_year"], "Bluebook rule 10.5"),
    ("See 410 U.S. 113 (1973).", ["missing_name"], "Bluebook rule 10.2"),
    ("Roe vs. Wade, 410 U.S. 113 (1973)", ["versus_form"], "Bluebook rule 10.2.1"),
    ("Roe v Wade, 410 U.S. 113 (1973)", ["versus_form"], "Bluebook rule 10.2.1"),
    ("Roe v. Wade 410 U.S. 113 (1973)", ["missing_comma"], "Bluebook rule 10.1"),
    ("Roe v. Wade, 410 US 113 (1973)", ["reporter_form"], "Bluebook table T1.1"),
    ("Doe v. Roe, 12 F3d 34 (2d Cir. 1993)", ["reporter_form"], "Bluebook table T1.1"),
    ("Doe v. Roe, 12 F. 3d 34 (2d Cir. 1993)", ["reporter_form"], "Bluebook rule 6.1(a)"),
    ("Doe v. Roe, 12 F.3d 34 (1993)", ["missing_court"], "Bluebook rule 10.4"),
    ("Doe v. Roe, 410 Mass. 309, 312, 500 N.E.2d 1 (1991)", [], "Bluebook rule 10.3.1: the official reporter tells the court"),
    ("In re Hudson, 11 U.S. 225 (U.S. 1812)", ["needless_court"], "Bluebook rule 10.4(a)"),
    ("People v. Smith (1990) 50 Cal. 3d 100", ["year_before_citation"], "Bluebook rule 10.5"),
    ("Doe v. Roe, 33 Umbrella 422 (2d Cir. 1999)", ["unknown_reporter"], "Bluebook table T1"),
    ("Roe v. Wade, 410 U.S. 113 at 120 (1973)", ["pin_form"], "Bluebook rule 3.2"),
    ("Doe v. Roe, No. 12-cv-345, 2013 WL 999, at *2 (S.D.N.Y. Jan. 5, 2013)", [], "Bluebook rule 10.8.1"),
    ("Doe v. Roe, 2013 WL 999 (S.D.N.Y. 2013)", ["missing_docket", "missing_date"], "Bluebook rule 10.8.1"),
    ("Doe v. Roe, No. 12-cv-345 (S.D.N.Y. Jan. 5, 2013)", [], "Bluebook rule 10.8.1"),
    ("28 U.S.C. § 1331", [], "Bluebook rule 12.3.2: no year is needed"),
    ("28 U.S.C. §1331", ["section_space"], "Bluebook rule 6.2(c)"),
    ("28 USC 1331", ["code_form", "missing_section_mark"], "Bluebook table T1.1"),
    ("21 C.F.R. § 314.53(b) (2023)", [], "Bluebook rule 14.2"),
    ("21 C.F.R. § 314.53(b)", ["missing_year"], "Bluebook rule 14.2"),
    ("85 Fed. Reg. 12,345 (Mar. 3, 2020)", [], "Bluebook rule 14.2"),
    ("85 FR 12345", ["register_form", "missing_date", "page_comma"], "Bluebook rule 14.2"),
    ("Fed. R. Civ. P. 12(b)(6)", [], "Bluebook rule 12.9.3"),
    ("FRCP 12(b)(6)", ["rule_form"], "Bluebook rule 12.9.3"),
    ("Pub. L. No. 111-148", [], "Bluebook rule 12.4"),
    ("P.L. 111-148", ["public_law_form"], "Bluebook rule 12.4"),
    ("Charles A. Reich, The New Property, 73 Yale L.J. 733 (1964)", [], "Bluebook rule 16"),
    ("See 73 Yale L.J. 733.", ["missing_author", "missing_title", "missing_year"], "Bluebook rule 16"),
    ("Ibid.", ["ibid_form", "no_antecedent"], "Bluebook rule 4.1"),
]  # fmt: skip


@every_row(("text", "codes", "source"), FORMS)
def test_bluebook(text, codes, source):
    found = find_legal(text)
    faults = bluebook_faults(found[0], text)
    assert [fault.code for fault in faults] == codes
    assert all(
        fault.said and (fault.where is None or 0 <= fault.where[0] < fault.where[1] <= len(text)) for fault in faults
    )


def test_a_fault_stands_where_it_is_written():
    text = "He cites Doe v. Roe, 12 F3d 34 (2d Cir. 1993)."
    (fault,) = bluebook_faults(find_legal(text)[0], text)
    assert text[slice(*fault.where)] == "F3d"


# structured row, kind, fields
ROWS = [
    ({"case": "Roe v. Wade", "reporter": "U.S.", "volume": 410, "page": 113, "year": 1973, "court": None},
     "case", {"case_name": "Roe v. Wade", "plaintiff": "Roe", "reporter": "U.S.", "volume": "410", "page": "113", "year": "1973", "court": "scotus"}),
    ({"case": "Varghese v. China Southern Airlines Co.", "reporter": "F3d", "volume": "925", "page": "1339", "year": "2019", "court": "11th Cir."},
     "case", {"reporter": "F.3d", "court": "ca11", "court_text": "11th Cir.", "reporter_known": "yes"}),
    ({"case": "Doe v. Roe", "reporter": "Umbrella", "volume": "33", "page": "422", "year": None, "court": None}, "case", {"reporter_known": "no", "year": None}),
    ({"case": "Gibbs v. Wright", "reporter": "WL", "volume": "2020", "page": "1877661", "year": "2020", "court": "E.D. Tenn."}, "westlaw", {"number": "1877661", "court": "tned"}),
]  # fmt: skip


@pytest.mark.parametrize(("row", "kind", "fields"), ROWS, ids=[row[0]["case"] for row in ROWS])
def test_a_structured_citation_has_the_fields_of_the_grammar(row, kind, fields):
    for value in (row, [row], {"citations": [row]}):
        (reference,) = from_structured(value)
        assert reference.kind == kind
        assert {name: reference.fields.get(name) for name in fields} == fields


@pytest.mark.parametrize(
    "value",
    [
        None,
        5,
        "Roe v. Wade",
        {"citations": 3},
        [{"case": "Roe"}],
        [{"case": "", "reporter": "U.S.", "volume": 1, "page": 1}],
    ],
)
def test_what_is_no_list_of_citations_is_said_in_one_line(value):
    with pytest.raises(InputError) as caught:
        from_structured(value)
    assert "\n" not in str(caught.value)


def test_the_schema_is_strict():
    item = legal_citations_schema()["properties"]["citations"]["items"]
    assert item["required"] == ["case", "reporter", "volume", "page", "year", "court"]
    assert item["additionalProperties"] is False
