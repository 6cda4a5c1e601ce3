"""Imported citations: every form of file, what a hit and a miss say, and the commands."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import sqlite3
from importlib import import_module

import pytest
import typer
from tables import every_row
from typer.testing import CliRunner

from showable.cli.registry import app
from showable.errors import InputError, SettingError, ShowableError
from showable.records import Reference, Registry
from showable.registries.local import Local, store_of
from showable.registries.local_sets.entry_keys import id_key, reference_keys
from showable.registries.local_sets.importing import ImportPlan, import_file, read_columns
from showable.registries.local_sets.store import SetStore
from showable.registries.settings import Settings, settings_from

RUN = CliRunner()

CASES = """\
Case Name,volume,reporter,page,year,court,notes
Obergefell v. Hodges,576,U.S.,644,2015,scotus,marriage
Brown v. Board of Education,347,U.S.,483,1954,scotus,
"Loving v. Virginia",388,U.S.,1,1967,scotus,
"""

# Cases of 925 F.3d, by the facts of the reporter; pages of the made-up ones are marked so by their names.
VOLUME = [
    {
        "id": 1, "name": "J. D., Appellee v. Alex M. AZAR, II, Appellant", "name_abbreviation": "J.D. v. Azar",
        "decision_date": "2019-06-14", "docket_number": "No. 18-5093", "first_page": "1291", "last_page": "1339",
        "citations": [{"type": "official", "cite": "925 F.3d 1291"}], "court": {"name_abbreviation": "D.C. Cir.", "name": "United States Court of Appeals for the District of Columbia Circuit"},
    },
    {
        "id": 2, "name": "Made-up Alpha Corp. v. Made-up Beta LLC", "name_abbreviation": "Made-up Alpha Corp. v. Made-up Beta LLC",
        "decision_date": "2019-06-18", "docket_number": "No. 17-1", "first_page": "1341", "last_page": "1349",
        "citations": [{"type": "official", "cite": "925 F.3d 1341"}], "court": {"name": "Made-up Court"},
    },
]  # fmt: skip

RETRACTIONS = """\
Record ID,Title,Subject,Journal,Publisher,Author,RetractionDate,RetractionDOI,RetractionPubMedID,OriginalPaperDate,OriginalPaperDOI,OriginalPaperPubMedID,RetractionNature,Reason,Paywalled,Notes
1,"Ileal-lymphoid-nodular hyperplasia, non-specific colitis, and pervasive developmental disorder in children",(HSC),The Lancet,Elsevier,AJ Wakefield;SH Murch,2/6/2010 0:00,10.1016/S0140-6736(10)60175-4,20137807,2/28/1998 0:00,10.1016/S0140-6736(97)11096-0,9500320,Retraction,+Misconduct by Author;,No,
2,"Ileal-lymphoid-nodular hyperplasia, non-specific colitis, and pervasive developmental disorder in children",(HSC),The Lancet,Elsevier,AJ Wakefield,3/6/2004 0:00,unavailable,0,2/28/1998 0:00,10.1016/S0140-6736(97)11096-0,9500320,Correction,,No,
3,A made-up paper without ids,(X),Made-up Letters,,A One,1/2/2020 0:00,,0,1/1/2019 0:00,unavailable,0,Expression of concern,,No,
"""


def write(folder, name, text):
    path = folder / name
    path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
    return path


def put(folder, path, name="mine", **options):
    with SetStore.open(folder / "store.sqlite") as store:
        return import_file(ImportPlan(path, name, **options), store)


def ask(folder, kind, text="x", **fields):
    local = Local(path=folder / "store.sqlite")
    try:
        return asyncio.run(local.find(Reference(kind=kind, text=text, fields=fields)))
    finally:
        local.close()


def case(volume, reporter, page, name=""):
    fields = {"volume": volume, "reporter": reporter, "page": page, "case_name": name}
    return {key: value for key, value in fields.items() if value}


# --- a file's form and its rows ---

SAME_TWO = [
    {"kind": "doi", "doi": "10.1000/a1", "title": "On made-up things", "year": 2001},
    {"kind": "doi", "doi": "10.1000/b2", "title": "More made-up things", "year": 2002},
]


def as_csv(rows, delimiter=","):
    said = io.StringIO()
    writer = csv.DictWriter(said, list(rows[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return said.getvalue()


def as_sqlite(path, rows):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE works (kind TEXT, doi TEXT, title TEXT, year INTEGER)")
        connection.executemany("INSERT INTO works VALUES (:kind, :doi, :title, :year)", rows)
    connection.close()
    return path


@pytest.mark.parametrize(
    ("name", "text", "form"),
    [
        ("a.csv", as_csv(SAME_TWO), "csv"),
        ("a.txt", as_csv(SAME_TWO, "\t"), "csv"),
        ("a.csv", "\ufeff" + as_csv(SAME_TWO, ";").replace("\n", "\r\n"), "csv"),
        ("a.jsonl", "".join(json.dumps(row) + "\n\n" for row in SAME_TWO), "jsonl"),
        ("a.json", json.dumps(SAME_TWO), "json"),
        ("a.jsonl", "".join(json.dumps({"kind": "doi", "text": "t", "fields": {**row, "year": "2001"}}) + "\n" for row in SAME_TWO), "jsonl"),
    ],
    ids=["comma", "tab", "semicolon, BOM, CRLF", "lines with blanks", "list", "references as this program writes them"],
)  # fmt: skip
def test_one_set_in_every_form(tmp_path, name, text, form):
    done = put(tmp_path, write(tmp_path, name, text))
    assert (done.about.form, done.about.kinds, done.bad) == (form, {"doi": 2}, ())
    answer = ask(tmp_path, "doi", doi="https://doi.org/10.1000/A1")
    assert answer.status == "found"
    assert (answer.entries[0].title, answer.entries[0].years) == ("On made-up things", (2001,))


def test_an_sqlite_table(tmp_path):
    done = put(tmp_path, as_sqlite(tmp_path / "works.db", SAME_TWO))
    assert (done.about.form, done.about.kinds) == ("sqlite", {"doi": 2})
    other = sqlite3.connect(tmp_path / "works.db")
    other.execute("CREATE TABLE more (x TEXT)")
    other.close()
    with pytest.raises(InputError, match="expected one table, or --table with one of more, works"):
        put(tmp_path, tmp_path / "works.db")
    assert put(tmp_path, tmp_path / "works.db", table="works").about.kinds == {"doi": 2}
    with pytest.raises(InputError, match="no table is called"):
        put(tmp_path, tmp_path / "works.db", table="others")


def test_a_list_of_dois(tmp_path):
    text = "DOI\n10.1000/a1\nhttps://doi.org/10.1000/B2\n# a note\n\ndoi:10.1000/c3(1)\nnot-a-doi\n10.1000/a1\n"
    done = put(tmp_path, write(tmp_path, "dois.txt", text.replace("DOI\n", "")))
    assert (done.about.form, done.about.kinds) == ("doi-list", {"doi": 3})
    assert [error.line for error in done.bad] == [6]
    assert ask(tmp_path, "doi", doi="10.1000/C3(1)").status == "found"


def test_citations_as_people_write_them(tmp_path):
    rows = [
        "Obergefell v. Hodges, 576 U.S. 644, 135 S. Ct. 2584 (2015)",
        "Kucsko G, Maurer PC. Nanometre-scale thermometry in a living cell. Nature. 2013;500(7460):54-58. doi:10.1038/nature12373",
        "[2020] UKSC 5",
        "21 C.F.R. § 314.53",
        "PMID: 9500320",
        "nothing that is a citation",
    ]
    said = io.StringIO()
    csv.writer(said).writerows([["citation"], *([row] for row in rows)])
    done = put(tmp_path, write(tmp_path, "list.csv", said.getvalue()))
    assert done.about.kinds == {"bibliographic": 1, "case": 1, "cfr": 1, "neutral_uk": 1, "pmid": 1}
    assert [(error.line, "no citation could be read" in error.message) for error in done.bad] == [(7, True)]
    for volume, reporter, page in (("576", "U.S.", "644"), ("135", "S.Ct.", "2584")):
        answer = ask(tmp_path, "case", **case(volume, reporter, page))
        assert answer.entries[0].case_names == ("Obergefell v. Hodges",)
    assert ask(tmp_path, "doi", doi="10.1038/nature12373").entries[0].first_page == "54"
    assert ask(tmp_path, "neutral_uk", year="2020", court="UKSC", number="5").entries[0].citations == ("[2020] UKSC 5",)
    assert ask(tmp_path, "cfr", title="21", part="314", section="314.53").status == "found"
    assert ask(tmp_path, "cfr", title="21", part="314", section="314.54").status == "not_covered"


# One citation of each kind as people write it, without --kind: (citation, kind, some of its fields, where the form is from)
WRITTEN = [
    ("Brown v. Board of Education, 347 U.S. 483 (1954)", "case", case("347", "U.S.", "483"), "Bluebook rule 10"),
    ("R (Miller) v The Prime Minister [2019] UKSC 41", "neutral_uk", {"year": "2019", "court": "UKSC", "number": "41"}, "Practice Direction [2001] 1 WLR 194"),
    ("Doe v. Poe, 2020 WL 12345 (D. Mass. Jan. 2, 2020)", "westlaw", {"year": "2020", "number": "12345"}, "Bluebook rule 10.8.1"),
    ("Doe v. Poe, 2011 U.S. Dist. LEXIS 12345 (S.D.N.Y. Jan. 3, 2011)", "lexis", {"year": "2011", "series": "U.S. Dist.", "number": "12345"}, "Bluebook rule 10.8.1"),
    ("Doe v. Roe, No. 1:20-cv-12345 (S.D.N.Y. Jan. 5, 2021)", "docket", {"number": "1:20-cv-12345", "court": "nysd"}, "Bluebook rule 10.8.1"),
    ("28 U.S.C. § 1331 (2018)", "usc", {"title": "28", "section": "1331"}, "Bluebook rule 12.3"),
    ("21 C.F.R. § 314.53(b) (2023)", "cfr", {"title": "21", "part": "314", "section": "314.53"}, "Bluebook rule 14.2"),
    ("85 Fed. Reg. 12,345 (Mar. 3, 2020)", "fed_reg", {"volume": "85", "page": "12345"}, "Bluebook rule 14.2"),
    ("Pub. L. No. 111-148, 124 Stat. 119 (2010)", "public_law", {"congress": "111", "number": "148"}, "Bluebook rule 12.4"),
    ("124 Stat. 119 (2010)", "statutes_at_large", {"volume": "124", "page": "119"}, "Bluebook rule 12.4"),
    ("Fed. R. Civ. P. 11(b)(2)", "fed_rule", {"rules": "Fed. R. Civ. P.", "rule": "11"}, "Bluebook rule 12.9.3"),
    ("120 Harv. L. Rev. 1234 (2007)", "law_journal", {"volume": "120", "journal": "Harv. L. Rev.", "page": "1234"}, "Bluebook rule 16"),
    ("Charles A. Reich, The New Property, 73 Yale L.J. 733 (1964)", "law_journal", {"volume": "73", "journal": "Yale L.J.", "page": "733"}, "Bluebook rule 16"),
    ("10.1038/nature12373", "doi", {"doi": "10.1038/nature12373"}, "DOI Handbook"),
    ("PMID: 9500320", "pmid", {"pmid": "9500320"}, "NLM"),
    ("PMCID: PMC7029759", "pmcid", {"pmcid": "PMC7029759"}, "NLM"),
    ("arXiv:1706.03762v7 [cs.CL]", "arxiv", {"arxiv": "1706.03762"}, "arXiv"),
    ("ISBN 978-0-262-03384-8 (hardback)", "isbn", {"isbn": "9780262033848"}, "ISO 2108"),
    ("ISSN 0028-0836", "issn", {"issn": "0028-0836"}, "ISO 3297"),
    ("NCT04437511", "nct", {"nct": "NCT04437511"}, "ClinicalTrials.gov"),
    ("NDA 020702", "fda_application", {"type": "NDA", "number": "020702"}, "Orange Book"),
    ("CIK 0000320193, accession no. 0000320193-24-000123", "sec_accession", {"accession": "0000320193-24-000123"}, "EDGAR"),
    ("NBK1247", "nbk", {"nbk": "NBK1247"}, "NCBI Bookshelf"),
    ("[Rules on things](https://www.reuters.com/x), by Jane Roe, Reuters, 3 March 2024", "news", {"title": "Rules on things", "url": "https://www.reuters.com/x"}, "a link and a byline"),
    ("https://example.org/a", "url", {"url": "https://example.org/a"}, "an address"),
    ("Roe A. A Book of Things. 2nd ed. Oxford University Press; 2019. ISBN 978-0-262-03384-8", "bibliographic", {"title": "A Book of Things"}, "an id inside a longer entry"),
    ("Roe A. Things of note. ClinicalTrials.gov. 2020. NCT04437511", "bibliographic", {"title": "Things of note"}, "an id inside a longer entry"),
    ("Kucsko et al. Nanometre-scale thermometry in a living cell, doi:10.1038/nature12373", "bibliographic", {"doi": "10.1038/nature12373"}, "an id inside a longer entry"),
]  # fmt: skip


@pytest.mark.parametrize(("citation", "kind", "fields", "source"), WRITTEN, ids=[row[0][:50] for row in WRITTEN])
def test_each_kind_of_citation_is_that_kind_and_is_found_again(tmp_path, citation, kind, fields, source):
    said = io.StringIO()
    csv.writer(said).writerows([["citation"], [citation]])
    path = write(tmp_path, "one.csv", said.getvalue())
    done = put(tmp_path, path, complete_for=(kind,))
    assert (done.about.kinds, done.bad) == ({kind: 1}, ()), source
    assert ask(tmp_path, kind, **fields).status == "found", source
    assert put(tmp_path, path, kind=kind).about.kinds == {kind: 1}


@pytest.mark.parametrize("citation", ["S. Rep. No. 94-1476, at 5 (1976)", "Id. § 1332", "In 2019, Acme acquired Foo."])
def test_what_is_no_citation_that_can_be_looked_up_is_left_out(tmp_path, citation):
    said = io.StringIO()
    csv.writer(said).writerows([["citation"], [citation], ["PMID: 9500320"]])
    done = put(tmp_path, write(tmp_path, "two.csv", said.getvalue()))
    assert done.about.kinds == {"pmid": 1}
    assert [(error.line, "no citation could be read" in error.message) for error in done.bad] == [(2, True)]


def test_an_id_of_an_entry_is_read_where_that_kind_is_asked_for(tmp_path):
    said = io.StringIO()
    csv.writer(said).writerows([["citation"], ["Roe A. Things of note. Pain. 2020;1:2. PMID: 9500320"]])
    assert put(tmp_path, write(tmp_path, "a.csv", said.getvalue()), kind="pmid").about.kinds == {"pmid": 1}
    assert ask(tmp_path, "pmid", pmid="9500320").entries[0].title == "Things of note"


def test_columns_by_their_usual_names_and_as_mapped(tmp_path):
    text = 'Paper,Pub Med ID,Journal Title,Written by,PP\nOn things,123,Made-up J,"Doe J, Roe RA",637-41\n'
    columns = read_columns(["title=Paper", "pmid=Pub Med ID", "authors=Written by", "pages=PP"])
    put(tmp_path, write(tmp_path, "a.csv", text), columns=columns)
    entry = ask(tmp_path, "pmid", pmid="0123").entries[0]
    assert (entry.title, entry.containers, entry.first_page, entry.last_page) == (
        "On things",
        ("Made-up J",),
        "637",
        "641",
    )
    assert [(person.family, person.given) for person in entry.authors] == [("Doe", "J"), ("Roe", "RA")]


# --- what is refused, and what is left out ---


@pytest.mark.parametrize(
    ("name", "text", "options", "said"),
    [
        ("a.csv", "", {}, "the form of the file cannot be told|there are no rows"),
        ("a.csv", "doi,title\n", {}, "there are no rows"),
        ("a.csv", "doi,doi\n1,2\n", {}, r"a.csv:1: the column 'doi' stands twice"),
        ("a.bin", b"\xff\xfe\x00\x01", {}, "expected text in UTF-8"),
        ("a.csv", b"doi,title\n10.1000/a,caf\xe9\n", {}, "expected text in UTF-8"),
        ("a.json", "[1, 2", {"form": "json"}, "a.json:1: not JSON"),
        ("a.json", '{"a": 1}', {"form": "json"}, "expected a list"),
        ("a.txt", "some words", {}, "the form of the file cannot be told"),
        ("a.csv", "doi,title\nnope,x\n", {}, r"no row of it can be imported; first: .*a.csv:2: doi: 'nope'"),
        ("a.csv", "doi\n10.1000/a\nnope\n", {"complete_for": ("doi",)}, "1 rows cannot be read, so that it is not complete for doi"),
        ("a.csv", "doi\n10.1000/a\n", {"kind": "paper"}, "--kind: 'paper' is none of"),
        ("a.csv", "doi\n10.1000/a\n", {"complete_for": ("papers",)}, "--complete-for: 'papers' is none of"),
        ("a.csv", "citation\nFed. R. Evid. 702\n", {"complete_for": ("fed_rule", "bibliographic")}, "--complete-for bibliographic: it has none"),
        ("a.csv", "doi\n10.1000/a\n", {"form": "xml"}, "--format: 'xml' is none of"),
        ("a.csv", "doi\n10.1000/a\n", {"columns": {"heading": "doi"}}, "--column: 'heading' is no field"),
        ("a.csv", "doi\n10.1000/a\n", {"columns": {"title": "Title"}}, "a.csv:2: Title: there is no such column"),
        ("a.csv", "doi\n10.1000/a\n", {"form": "retraction-watch"}, "a.csv:1: column OriginalPaperDOI: missing"),
        ("a.db", b"SQLite format 3\x00 and no more", {}, "cannot be read as an SQLite database"),
        ("a.csv", "doi\n10.1000/a\n", {"name": " "}, "--name"),
        ("a.csv", "doi\n10.1000/a\n", {"complete_for": ("case",)}, "--complete-for case: it has none of that kind"),
        ("a.csv", "doi\n10.1000/a," + "x" * 32_000_001, {}, "a.csv:2: a line of more than"),
        ("a.json", '[{"doi": "10.1000/abc", "title": "\\ud800"}]', {}, "half a character"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_imported_changes_nothing(tmp_path, name, text, options, said):
    put(tmp_path, write(tmp_path, "before.csv", "doi\n10.1000/before\n"), name="mine")
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ShowableError, match=said):
        put(tmp_path, path, **{"name": "mine", **options})
    assert ask(tmp_path, "doi", doi="10.1000/before").status == "found"


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match=r"gone\.csv: No such file"):
        put(tmp_path, tmp_path / "gone.csv")


BAD_ROWS = [
    ('{"doi": "10.1000/a"}\nnot json\n[1]\n{"doi": 7}\n{"title": {}}\n{"x": 1}\n', {2, 3, 4, 5, 6}),
    ('{"doi": "10.1000/a"}\n{"isbn": "9780262033849"}\n{"pmid": "12345678901"}\n{"kind": "paper", "title": "x"}\n', {2, 3, 4}),
    ('{"doi": "10.1000/a"}\n{"doi": "10.1000/b", "notice": "gone"}\n{"kind": "case", "year": "1999"}\n', {2, 3}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "lines"), BAD_ROWS)
def test_bad_rows_are_left_out_and_named_by_line(tmp_path, text, lines):
    done = put(tmp_path, write(tmp_path, "a.jsonl", text))
    assert {error.line for error in done.bad} == lines
    assert done.about.bad == len(lines)
    assert done.about.kinds == {"doi": 1}


def test_the_same_file_again_changes_nothing_but_the_date(tmp_path):
    path = write(tmp_path, "cases.csv", CASES)
    first, again = put(tmp_path, path).about, put(tmp_path, path).about
    assert {**first.as_row(), "at": ""} == {**again.as_row(), "at": ""}
    with sqlite3.connect(tmp_path / "store.sqlite") as connection:
        queries = ("SELECT COUNT(*) FROM entries", "SELECT COUNT(*) FROM cites")
        counts = [connection.execute(query).fetchone()[0] for query in queries]
    connection.close()
    assert counts == [3, 3]
    put(tmp_path, write(tmp_path, "cases.csv", CASES.splitlines()[0] + "\nRoe v. Wade,410,U.S.,113,1973,scotus,\n"))
    assert ask(tmp_path, "case", **case("576", "U.S.", "644")).status == "not_covered"
    assert ask(tmp_path, "case", **case("410", "U. S.", "113")).status == "found"


@pytest.mark.parametrize("text", [b"something else\n", b"SQLite format 3\x00garbage"])
def test_a_store_that_is_none_is_refused(tmp_path, text):
    (tmp_path / "store.sqlite").write_bytes(text)
    with pytest.raises(SettingError, match=r"store\.sqlite: is no file of imported citations"):
        put(tmp_path, write(tmp_path, "cases.csv", CASES))


# --- what a hit and a miss say ---


def test_without_any_set_nothing_is_covered_and_nothing_made(tmp_path):
    local = Local(settings=Settings(base={"local": str(tmp_path / "store.sqlite")}))
    assert isinstance(local, Registry)
    assert local.not_configured() is not None
    assert asyncio.run(local.find(Reference(kind="doi", text="x", fields={"doi": "10.1000/a"}))).status == "not_covered"
    assert not (tmp_path / "store.sqlite").exists()


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("case", case("576", "U.S.", "645")),
        ("case", case("1", "U.S.", "1", "Nobody v. Noone")),
        ("doi", {"doi": "10.1000/none"}),
        ("bibliographic", {"title": "A title that no set has"}),
        ("id", {}),
        ("case", {}),
        ("usc", {"title": "28"}),
    ],
)
def test_a_miss_is_not_covered_unless_complete(tmp_path, kind, fields):
    put(tmp_path, write(tmp_path, "cases.csv", CASES))
    answer = ask(tmp_path, kind, **fields)
    assert answer.status == "not_covered"
    assert answer.reason


def test_a_miss_in_a_complete_set_is_not_found_for_that_kind_alone(tmp_path):
    put(tmp_path, write(tmp_path, "cases.csv", CASES), complete_for=("case",))
    answer = ask(tmp_path, "case", **case("576", "U.S.", "999", "Varghese v. China Southern Airlines"))
    assert (answer.status, "complete for case: mine" in answer.reason) == ("not_found", True)
    assert ask(tmp_path, "doi", doi="10.1000/none").status == "not_covered"
    wrong_page = ask(tmp_path, "case", **case("576", "U.S.", "999", "Obergefell v. Hodges"))
    assert wrong_page.near[0].citations == ("576 U.S. 644",)


def test_a_volume_says_who_stands_at_a_page(tmp_path):
    done = put(tmp_path, write(tmp_path, "CasesMetadata.json", VOLUME), name="925-f3d")
    assert (done.about.form, done.about.kinds, done.about.volumes) == ("cap", {"case": 2}, 1)
    fake = ask(tmp_path, "case", **case("925", "F.3d", "1339", "Varghese v. China Southern Airlines Co."))
    assert (fake.status, fake.entries[0].case_names[0]) == ("found", "J.D. v. Azar")
    assert (fake.entries[0].first_page, fake.entries[0].last_page) == ("1291", "1339")
    real = ask(tmp_path, "case", **case("925", "F. 3d", "1291"))
    assert (real.entries[0].date, real.entries[0].facts) == ("2019-06-14", {"docket": "No. 18-5093"})
    moved = ask(tmp_path, "case", **case("925", "F.3d", "1345", "J.D. v. Azar"))
    assert [entry.case_names[0] for entry in moved.near] == ["J.D. v. Azar"]
    for page in ("1340", "2000", "12"):
        assert ask(tmp_path, "case", **case("925", "F.3d", page)).status == "not_covered"


def test_volumes_are_complete_within_themselves(tmp_path):
    put(tmp_path, write(tmp_path, "CasesMetadata.json", VOLUME), complete_for=("case",))
    for page in ("1340", "2000", "12"):
        answer = ask(tmp_path, "case", **case("925", "F.3d", page))
        assert (answer.status, f"no case stands at 925 F.3d {page}" in answer.reason) == ("not_found", True)
    assert ask(tmp_path, "case", **case("924", "F.3d", "1339")).status == "not_covered"
    assert ask(tmp_path, "case", case_name="Varghese v. China Southern Airlines").status == "not_covered"
    assert ask(tmp_path, "case", **case("925", "F.3d", "1339")).status == "found"


def test_a_page_of_a_table_of_orders_is_ambiguous_where_the_name_is_not_listed(tmp_path):
    orders = [
        {**VOLUME[1], "name_abbreviation": f"{name} v. State", "name": f"{name} v. State", "first_page": "1400", "last_page": "1401", "citations": [{"cite": "925 F.3d 1400"}]}
        for name in ("Aronsby", "Bartleton", "Cydwick", "Doramere", "Ezraford")
    ]  # fmt: skip
    put(tmp_path, write(tmp_path, "CasesMetadata.json", [*VOLUME, *orders]), complete_for=("case",))
    assert ask(tmp_path, "case", **case("925", "F.3d", "1400", "Zedworth v. Nation")).status == "ambiguous"
    assert ask(tmp_path, "case", **case("925", "F.3d", "1402", "Zedworth v. Nation")).status == "ambiguous"
    listed = ask(tmp_path, "case", **case("925", "F.3d", "1400", "Doramere v. State"))
    assert [entry.case_names[0] for entry in listed.entries] == ["Doramere v. State"]


def test_retraction_watch_rows_are_notices_and_the_worst_comes_first(tmp_path):
    done = put(tmp_path, write(tmp_path, "retraction_watch.csv", RETRACTIONS))
    assert (done.about.form, done.about.kinds, done.bad) == ("retraction-watch", {"bibliographic": 1, "doi": 2}, ())
    for kind, fields in (("doi", {"doi": "10.1016/s0140-6736(97)11096-0"}), ("pmid", {"pmid": "9500320"})):
        (entry,) = ask(tmp_path, kind, **fields).entries
        assert [notice.kind for notice in entry.notices] == ["retracted", "corrected"]
        assert entry.notices[0].by == "10.1016/s0140-6736(10)60175-4"
        assert (entry.notices[0].date, entry.years) == ("2010-02-06", (1998,))
        assert "Misconduct by Author" in entry.notices[0].reason
    (entry,) = ask(tmp_path, "bibliographic", title="A Made-up Paper without IDs").entries
    assert [notice.kind for notice in entry.notices] == ["concern"]


RETRACTION_DAYS = [  # month/day/year and the hour, as the file has them; what is no day stays as it is written
    ("2/6/2010 0:00", "2010-02-06"), ("12/31/2019", "2019-12-31"), ("31/12/2019 0:00", "31/12/2019 0:00"),
    ("2/30/2020 0:00", "2/30/2020 0:00"), ("2/6/20101", "2/6/20101"), ("\u0662/6/2010", "\u0662/6/2010"), ("", None),
]  # fmt: skip


@pytest.mark.parametrize(("written", "date"), RETRACTION_DAYS)
def test_the_day_of_a_retraction(tmp_path, written, date):
    text = f"OriginalPaperDOI,RetractionNature,RetractionDate\n10.1000/a,Retraction,{written}\n"
    put(tmp_path, write(tmp_path, "retraction_watch.csv", text))
    (entry,) = ask(tmp_path, "doi", doi="10.1000/a").entries
    assert entry.notices[0].date == date


@pytest.mark.parametrize(
    ("natures", "kinds"),
    [
        (["Retraction 2/6/2010", "Reinstatement 3/1/2012"], {"corrected"}),
        (["Reinstatement 3/1/2012", "Retraction 2/6/2010"], {"corrected"}),
        (["Retraction 2/6/2010", "Reinstatement 3/1/2012", "Retraction 5/5/2015"], {"retracted", "corrected"}),
        (["Expression of concern 2/6/2010", "Reinstatement 3/1/2012"], {"concern", "corrected"}),
    ],
)
def test_a_paper_that_was_reinstated_is_retracted_no_more(tmp_path, natures, kinds):
    rows = [",".join(("10.1000/a", *nature.rsplit(" ", 1))) for nature in natures]
    text = "\n".join(["OriginalPaperDOI,RetractionNature,RetractionDate", *rows, ""])
    put(tmp_path, write(tmp_path, "retraction_watch.csv", text))
    (entry,) = ask(tmp_path, "doi", doi="10.1000/a").entries
    assert {notice.kind for notice in entry.notices} == kinds


def test_a_header_of_many_columns_takes_no_longer_than_it_is(tmp_path):
    wide = ",".join(["doi", *(f"c{n}" for n in range(200_000))])
    put(tmp_path, write(tmp_path, "wide.csv", f"{wide}\n10.1000/a{',' * 200_000}\n"))
    assert ask(tmp_path, "doi", doi="10.1000/a").status == "found"


@pytest.mark.parametrize(
    "view",
    [
        "SELECT '10.1000/a' AS doi, zeroblob(900000000) AS title",  # more than a field may hold
        "SELECT load_extension('/nowhere') AS doi",  # a function that a file from elsewhere may not call
    ],
)
def test_a_view_of_a_database_from_elsewhere_does_nothing_but_give_rows(tmp_path, view):
    with sqlite3.connect(tmp_path / "evil.db") as connection:
        connection.execute(f"CREATE VIEW v AS {view}")
    connection.close()
    with pytest.raises(InputError, match="cannot be read as an SQLite database"):
        put(tmp_path, tmp_path / "evil.db")


def test_sets_answer_together(tmp_path):
    put(tmp_path, write(tmp_path, "retraction_watch.csv", RETRACTIONS), name="retractions")
    own = [
        {
            "doi": "10.1016/S0140-6736(97)11096-0",
            "volume": "351",
            "pages": "637-641",
            "title": "Ileal-lymphoid-nodular hyperplasia",
        }
    ]
    put(tmp_path, write(tmp_path, "own.json", own), name="own")
    (entry,) = ask(tmp_path, "doi", doi="10.1016/S0140-6736(97)11096-0").entries
    assert (entry.volume, entry.first_page, entry.last_page) == ("351", "637", "641")
    assert [notice.kind for notice in entry.notices] == ["retracted", "corrected"]
    assert "Ileal-lymphoid-nodular hyperplasia" in (entry.title, *entry.other_titles)


TITLES = [
    ("Nanometre-scale thermometry in a living cell", "found"),
    ("NANOMETRE-SCALE THERMOMETRY IN A LIVING CELL.", "found"),
    ("Nanometer-scale thermometry in a living cell", "found"),
    ("Nanometre-scale thermometry in a dying cell", "not_covered"),
    ("Thermometry", "not_covered"),
    ("of the and", "not_covered"),
    ("Deep networks", "found"),
    ("Deep networks: a second subtitle", "not_covered"),
]


@pytest.mark.parametrize(("title", "status"), TITLES)
def test_titles_are_found_by_their_words(tmp_path, title, status):
    rows = [{"title": "Nanometre-scale thermometry in a living cell"}, {"title": "Deep networks: a made-up subtitle"}]
    put(tmp_path, write(tmp_path, "a.json", [*rows, *({"title": f"Made-up cell number {n}"} for n in range(50))]))
    answer = ask(tmp_path, "bibliographic", title=title)
    assert answer.status == status
    if title.endswith("dying cell"):
        assert answer.near[0].title == rows[0]["title"]


@every_row(
    ("kind", "one", "other"),
    [
        ("doi", "https://doi.org/10.1000/ABC", "10.1000/abc"),
        ("arxiv", "arXiv:1706.03762v5", "https://arxiv.org/abs/1706.03762"),
        ("pmid", "PMID 00123", "123"),
        ("pmcid", "PMC3531190", "3531190"),
        ("nbk", "NBK1116", "1116"),
        ("isbn", "0-262-03384-4", "9780262033848"),
        ("nct", "nct04437511", "NCT04437511"),
        ("fda_application", "NDA 020702", "20702"),
        ("sec_accession", "0000320193-24-000123", "000032019324000123"),
        ("url", "https://www.example.org/a/", "http://example.org/a"),
        ("url", "HTTPS://WWW.Example.ORG/a", "https://example.org/a"),
        ("url", "www.example.org/a", "https://example.org/a"),
        ("url", "https://example.org/paper?id=1#sec", "https://example.org/paper?id=1"),
        ("url", "https://example.org/a%2fb", "https://example.org/a%2Fb"),
    ],
)
def test_one_id_has_one_key(kind, one, other):
    assert id_key(kind, one) == id_key(kind, other)


APART = [
    # one address, another, where that they are two is from
    ("https://youtu.be/AbCdEf", "https://youtu.be/abcdef", "RFC 3986, 6.2.2.1: scheme and host alone ignore case"),
    ("https://example.org/p?id=A", "https://example.org/p?id=a", "RFC 3986, 6.2.2.1"),
    ("https://example.org?id=A", "https://example.org?id=a", "RFC 3986, 6.2.2.1, no path"),
    ("https://example.org/#/a", "https://example.org/#/b", "sites that are one program route by the fragment"),
]


@pytest.mark.parametrize(("one", "other", "source"), APART, ids=[row[0] for row in APART])
def test_two_addresses_have_two_keys(one, other, source):
    assert id_key("url", one) != id_key("url", other), source


# A set's row, what is cited, whether a set complete for the kind has it, where that is from
SECTIONS = [
    ("cfr", {"title": "26", "part": "1", "section": "1.461-1"}, {"section": "1.461-1"}, "found", "26 CFR part 1"),
    ("cfr", {"title": "26", "part": "1", "section": "§ 1.461–1"}, {"section": "1.461-1"}, "found", "a mark and a dash are spelling"),
    ("cfr", {"title": "26", "part": "1", "section": "1.461-1"}, {"section": "1.46-11"}, "not_found", "another section: hyphens tell them apart"),
    ("cfr", {"title": "26", "part": "1", "section": "1.401(k)-1(a)"}, {"section": "1.401(k)-1"}, "found", "a part of a section is of the section"),
    ("cfr", {"title": "28", "part": "0", "section": "0.85"}, {"section": "0.85"}, "found", "28 CFR part 0"),
    ("usc", {"title": "42", "section": "300-1"}, {"section": "3001"}, "not_found", "42 U.S.C. §§ 300-1 and 3001 are two"),
    ("usc", {"title": "42", "section": "2000e–2"}, {"section": "2000e-2"}, "found", "as the Code prints it"),
    ("usc", {"title": "5", "section": "552(a)"}, {"section": "552"}, "found", "a part of a section is of the section"),
    ("usc", {"title": "5", "section": "552(a)"}, {"section": "552a"}, "not_found", "5 U.S.C. § 552a is the Privacy Act"),
    ("fed_rule", {"rules": "Fed. R. Civ. P.", "rule": "41"}, {"rule": "4.1"}, "not_found", "Fed. R. Civ. P. 4.1 and 41 are two"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "row", "cited", "status"), [row[:4] for row in SECTIONS], ids=[row[4] for row in SECTIONS]
)
def test_a_section_is_found_by_its_own_number_alone(tmp_path, kind, row, cited, status):
    put(tmp_path, write(tmp_path, "one.csv", as_csv([row])), kind=kind, complete_for=(kind,))
    assert ask(tmp_path, kind, **{**row, **cited}).status == status


# A set's row, what is cited, the answer of a set that is complete for dockets, why
NYSD = {"court": "nysd", "number": "1:22-cv-01461"}
JUDGED = {"court": "S.D.N.Y.", "number": "1:22-cv-01461-PKC-RWL"}
DOCKETS = [
    (NYSD, {"number": "1:22-cv-1461", "court": "nysd"}, "found", "leading zeros are spelling"),
    (NYSD, {"number": "22-cv-1461", "court": "nysd"}, "found", "an office that is not written may be any"),
    (NYSD, {"number": "22 Civ. 1461 (PKC)", "court": "nysd"}, "found", "as S.D.N.Y. writes it in its opinions"),
    (NYSD, {"number": "22-1461", "court": "nysd"}, "found", "as E.D. Pa. writes civil actions, without the sort"),
    (NYSD, {"number": "1:22-cv-01461-PKC", "court": "nysd"}, "found", "a judge's initials are no part of it"),
    (NYSD, {"number": "1:22-cv-01461", "court_text": "S.D.N.Y."}, "found", "Bluebook table T1.1"),
    (JUDGED, {"number": "22-cv-1461", "court": "nysd"}, "found", "initials and a court's abbreviation in the set"),
    (JUDGED, {"number": "22-cv-1461; 1:22-cv-01461", "court": "nysd"}, "found", "one number twice"),
    (NYSD, {"number": "22-cv-1461; 22-cv-1462", "court": "nysd"}, "not_found", "one of two numbers is not there"),
    (NYSD, {"number": "7:22-cv-1461", "court": "nysd"}, "not_found", "White Plains has numbers of its own"),
    (NYSD, {"number": "1:22-cr-1461", "court": "nysd"}, "not_found", "civil and criminal numbers are counted apart"),
    (NYSD, {"number": "1:22-cv-14610", "court": "nysd"}, "not_found", "zeros at the end count"),
    (NYSD, {"number": "1:22-cv-1461", "court": "mad"}, "not_found", "another court"),
    (NYSD, {"number": "22-cv-1461"}, "ambiguous", "no court is cited: each has such a number"),
    (NYSD, {"number": "22-cv-1461", "court_text": "Made-up Ct."}, "ambiguous", "a court that nobody knows"),
    ({**NYSD, "case_name": "Doe v. Roe"}, {"number": "22-cv-1461", "case_name": "Doe v. Roe"}, "found", "number and name"),
    ({"number": "1:22-cv-01461"}, {"number": "22-cv-1461", "court": "nysd"}, "ambiguous", "the set does not say of which court"),
    ({"number": "1:22-cv-01461"}, {"number": "22-cv-1461"}, "found", "no more is cited than the set says"),
    ({"court": "nysd", "docket": "1:22-cv-01461"}, {"number": "22-cv-1461", "court": "nysd"}, "found", "a column of this name"),
    ({"court": "nysd", "Docket Number": "Case No. 1:22-cv-01461"}, {"number": "22-cv-1461", "court": "nysd"}, "found", "a column of this name"),
    ({"court": "texapp", "number": "14-20-00123-CV"}, {"number": "14-20-00456-CV", "court": "texapp"}, "not_found", "Tex. R. App. P. 12.2: court, year, number, sort"),
    ({"court": "texapp", "number": "14-20-00123-CV"}, {"number": "14-20-123-CV", "court": "texapp"}, "found", "leading zeros are spelling"),
]  # fmt: skip


@pytest.mark.parametrize(("row", "cited", "status", "why"), DOCKETS)
def test_a_docket_is_found_however_its_number_is_spelt(tmp_path, row, cited, status, why):
    put(tmp_path, write(tmp_path, "one.csv", as_csv([row])), kind="docket", complete_for=("docket",))
    assert ask(tmp_path, "docket", **cited).status == status, why


def test_a_docket_without_its_number_says_which_field_is_missing(tmp_path):
    done = put(tmp_path, write(tmp_path, "two.csv", "court,number\nnysd,1:22-cv-01461\nnysd,\n"), kind="docket")
    assert [(error.line, error.message) for error in done.bad] == [(3, "number: this field is missing")]


def test_sets_kept_by_other_keys_are_to_be_imported_again(tmp_path):
    put(tmp_path, write(tmp_path, "cases.csv", CASES))
    connection = sqlite3.connect(tmp_path / "store.sqlite")
    connection.execute("PRAGMA user_version=1")
    connection.close()
    with pytest.raises(SettingError, match=r"store\.sqlite: its sets were imported by an earlier version[^\n]*again$"):
        ask(tmp_path, "case", **case("576", "U.S.", "644"))


def test_an_id_of_several_parts_counts_whole_or_not_at_all():
    assert reference_keys("usc", {"title": "28", "section": "1331"}) == [("usc", "28/1331")]
    assert reference_keys("usc", {"section": "1331"}) == []
    assert reference_keys("westlaw", {"year": "2019", "number": "0123"}) == [("westlaw", "2019/123")]


CONCLUSIONS = [
    (case("925", "F.3d", "1291", "J.D. v. Azar"), "resolved", ""),
    (case("925", "F.3d", "1339", "Varghese v. China Southern Airlines Co."), "mismatch", "J.D. v. Azar"),
    (case("925", "F.3d", "1345", "J.D. v. Azar"), "mismatch", ""),
    (case("925", "F.3d", "2000", "Varghese v. China Southern Airlines Co."), "not_found", "no case stands at"),
    (case("926", "F.3d", "1", "Nobody v. Noone"), "unreachable", "offline"),
]


@pytest.mark.parametrize(("fields", "status", "said"), CONCLUSIONS)
def test_offline_a_volume_settles_what_is_claimed_of_it(tmp_path, fields, status, said):
    from showable.registries.consult import make_consultation

    put(tmp_path, write(tmp_path, "CasesMetadata.json", VOLUME), complete_for=("case",))
    local = Local(path=tmp_path / "store.sqlite")
    consultation = make_consultation(Settings(), offline=True, local=local)
    result = asyncio.run(consultation.lookup(Reference(kind="case", text="x", fields=fields)))
    local.close()
    assert (result.status, said in (result.reason or "")) == (status, True)


LISTED = """\
case_name,volume,reporter,page,last_page,court,year
United States v. Johnson,383,U.S.,169,189,scotus,1966
Ashcroft v. Iqbal,556,U.S.,662,699,scotus,2009
Lujan v. Defenders of Wildlife,504,U.S.,555,606,scotus,1992
Brown v. Board of Education,347,U.S.,483,500,scotus,1954
Lochner v. New York,198,U.S.,45,76,scotus,1905
"""
IN_PART = [
    # fields, status offline, where the expectation comes from: a list of some cases says nothing of the others
    ({**case("457", "U.S.", "537", "United States v. Johnson"), "year": "1982"}, "unreachable", "United States v. Johnson, 457 U.S. 537 (1982)"),
    ({**case("123", "F.3d", "456", "United States v. Johnson"), "year": "1997", "court": "ca9"}, "unreachable", "another court and year"),
    ({**case("129", "S. Ct.", "1937", "Ashcroft v. Iqbal"), "year": "2009"}, "unreachable", "556 U.S. 662 in another reporter"),
    ({**case("497", "U.S.", "871", "Lujan v. National Wildlife Federation"), "year": "1990"}, "unreachable", "497 U.S. 871"),
    ({**case("349", "U.S.", "294", "Brown v. Board of Education"), "year": "1955"}, "unreachable", "349 U.S. 294, the second decision, a year later"),
    ({**case("347", "U.S.", "489", "Brown v. Board of Education"), "year": "1954"}, "mismatch", "a page within the case"),
    ({**case("347", "U.S.", "900", "Brown v. Board of Education"), "year": "1954"}, "mismatch", "its volume and year, another page"),
    ({**case("347", "U.S.", "900", "Brown v. Board of Education"), "year": "1958"}, "unreachable", "its volume, but no year of it"),
    ({**case("346", "U.S.", "483", "Brown v. Board of Education"), "year": "1954"}, "mismatch", "its page and year, another volume"),
    ({**case("198", "U.S.", "45", "Jones v. New York"), "year": "1905"}, "mismatch", "Lochner v. New York stands there"),
    ({"case_name": "Ashcroft v. Iqbal", "year": "2009"}, "resolved", "no place is claimed"),
    ({"case_name": "United States v. Johnson", "volume": "603", "reporter": "U.S.", "year": "2024"}, "unreachable", "a page is not yet printed"),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "status", "why"), IN_PART, ids=[row[2] for row in IN_PART])
def test_a_list_of_some_cases_accuses_no_other_case_of_the_name(tmp_path, fields, status, why):
    from showable.registries.consult import make_consultation

    put(tmp_path, write(tmp_path, "listed.csv", LISTED), kind="case")
    local = Local(path=tmp_path / "store.sqlite")
    consultation = make_consultation(Settings(), offline=True, local=local)
    result = asyncio.run(consultation.lookup(Reference(kind="case", text="x", fields=fields)))
    local.close()
    assert (result.status if result.status != "not_covered" else "unreachable") == status, why


def test_a_case_of_the_name_at_another_place_is_named(tmp_path):
    put(tmp_path, write(tmp_path, "listed.csv", LISTED), kind="case")
    answer = ask(tmp_path, "case", **case("129", "S. Ct.", "1937", "Ashcroft v. Iqbal"))
    assert (answer.status, answer.near) == ("not_covered", ())
    assert "of that name there is Ashcroft v. Iqbal, 556 U.S. 662 (2009)" in answer.reason


WHOLE = [
    ("usc", {"title": "16", "section": "1531", "section_to": "1544"}, "found", "both ends are in the set"),
    ("usc", {"title": "16", "section": "1531", "section_to": "9998"}, "not_covered", "the end is not"),
    ("usc", {"title": "16", "section": "1531"}, "found", "one section"),
    ("cfr", {"title": "40", "part": "60"}, "found", "a part"),
    ("cfr", {"title": "40", "part": "60", "subpart": "ZZZZZ"}, "not_covered", "a part says nothing of its subparts"),
]


@pytest.mark.parametrize(("kind", "fields", "status", "why"), WHOLE, ids=[row[3] for row in WHOLE])
def test_a_set_has_a_range_or_a_subpart_whole_or_not_at_all(tmp_path, kind, fields, status, why):
    rows = [
        {"kind": "usc", "title": "16", "section": "1531"},
        {"kind": "usc", "title": "16", "section": "1544"},
        {"kind": "cfr", "title": "40", "part": "60"},
    ]
    put(tmp_path, write(tmp_path, "laws.jsonl", "".join(json.dumps(row) + "\n" for row in rows)))
    assert ask(tmp_path, kind, **fields).status == status, why


def test_offline_a_retracted_paper_is_retracted(tmp_path):
    from showable.registries.consult import make_consultation

    put(tmp_path, write(tmp_path, "retraction_watch.csv", RETRACTIONS))
    local = Local(path=tmp_path / "store.sqlite")
    consultation = make_consultation(Settings(), offline=True, local=local)
    cited = Reference(kind="doi", text="x", fields={"doi": "10.1016/S0140-6736(97)11096-0", "year": "1998"})
    result = asyncio.run(consultation.lookup(cited))
    local.close()
    assert (result.status, result.registry) == ("retracted", "local")


# --- the commands ---


def run(folder, *arguments):
    done = RUN.invoke(app, [*arguments, "--store", str(folder / "store.sqlite")])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def test_import_and_list(tmp_path):
    assert "no citations have been imported" in run(tmp_path, "list").output
    path = write(tmp_path, "cases.csv", CASES)
    done = run(tmp_path, "import", str(path), "--name", "firm", "--complete-for", "case")
    assert (done.exit_code, done.stdout.strip()) == (0, "firm: 3 case")
    shown = run(tmp_path, "list")
    assert all(word in shown.output for word in ("firm", "3 case", "complete for", "cases.csv"))
    listed = json.loads(run(tmp_path, "list", "--json").stdout)
    assert [(one["name"], one["kinds"], one["complete_for"]) for one in listed["sets"]] == [
        ("firm", {"case": 3}, ["case"])
    ]


def test_bad_rows_are_told_and_leave_exit_code_two(tmp_path):
    path = write(tmp_path, "a.csv", "doi\n10.1000/a\nnope\n")
    done = run(tmp_path, "import", str(path), "--name", "mine")
    assert done.exit_code == 2
    assert f"{path}:3: doi: 'nope'" in done.output
    assert "1 doi; 1 bad rows were left out" in done.output
    said = json.loads(run(tmp_path, "import", str(path), "--name", "mine", "--json").stdout)
    assert (said["kinds"], [row["line"] for row in said["bad_rows"]]) == ({"doi": 1}, [3])


def test_a_set_cannot_be_complete_for_a_kind_that_it_has_none_of(tmp_path):
    path = write(tmp_path, "rules.csv", "citation\nFed. R. Evid. 702\n")
    with pytest.raises(InputError, match=r"^\S*rules\.csv: --complete-for case: it has none of that kind[^\n]*$"):
        run(tmp_path, "import", str(path), "--name", "rules", "--complete-for", "case")
    assert "no citations have been imported" in run(tmp_path, "list").output


def test_imported_rules_settle_a_brief_offline(tmp_path, monkeypatch):
    from showable.cli.check import check

    path = write(tmp_path, "rules.csv", "citation\nFed. R. Civ. P. 11(b)(2)\nFed. R. Evid. 702\nFed. R. Civ. P. 12\n")
    done = run(tmp_path, "import", str(path), "--name", "rules", "--complete-for", "fed_rule")
    assert (done.exit_code, done.stdout.strip()) == (0, "rules: 3 fed_rule")
    monkeypatch.setenv("SHOWABLE_REGISTRY_LOCAL", str(tmp_path / "store.sqlite"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    brief = write(
        tmp_path, "brief.txt", "See Fed. R. Civ. P. 11(b) and Fed. R. Evid. 702. But Fed. R. Civ. P. 999 is none.\n"
    )
    command = typer.Typer()
    command.command()(check)
    checked = RUN.invoke(command, [str(brief), "--offline", "--json"])
    found = json.loads(checked.stdout)["citations"]
    assert [(one["kind"], one["status"]) for one in found] == [
        ("fed_rule", "resolved"),
        ("fed_rule", "resolved"),
        ("fed_rule", "not_found"),
    ]
    assert checked.exit_code == 1


def test_a_mapping_that_is_none_is_refused(tmp_path):
    path = write(tmp_path, "a.csv", "doi\n10.1000/a\n")
    with pytest.raises(SettingError, match="expected FIELD=COLUMN"):
        run(tmp_path, "import", str(path), "--name", "mine", "--column", "title")


def test_probe_refuses_a_name_that_is_none():
    with pytest.raises(SettingError, match="no registry is called"):
        RUN.invoke(app, ["probe", "nobody"], catch_exceptions=False)


@pytest.mark.parametrize(
    ("health", "code"),
    [(("as_documented", "not_configured"), 0), (("as_documented", "drifted"), 1), (("lost", "no_answer"), 1), (("as_documented", "no_answer"), 3)],
)  # fmt: skip
def test_probe_shows_a_table_and_its_exit_code_says_the_worst(monkeypatch, health, code):
    from showable.registries.probe import ProbeResult

    results = [
        ProbeResult(f"r{n}", one, ms=12.3, missing=("title",) if one == "drifted" else ())
        for n, one in enumerate(health)
    ]

    async def answered(names):
        return results

    monkeypatch.setattr(import_module("showable.cli.registry"), "_probe", answered)
    done = RUN.invoke(app, ["probe"], catch_exceptions=False)
    assert done.exit_code == code
    assert all(one.replace("_", " ") in done.output for one in health)
    assert ("no longer has title" in done.output) == ("drifted" in health)
    assert [row["health"] for row in json.loads(RUN.invoke(app, ["probe", "--json"]).stdout)["registries"]] == list(
        health
    )


def test_probe_asks_a_real_server_and_says_that_a_known_record_is_lost(monkeypatch):
    from aiohttp import web
    from registry_doubles import serve

    async def nothing(request):
        return web.json_response({})

    server = web.Application()
    server.router.add_get("/{anything:.*}", nothing)
    with serve(server) as base:
        monkeypatch.setenv("SHOWABLE_REGISTRY_OPEN_LIBRARY", base)
        done = RUN.invoke(app, ["probe", "open_library", "--json"], catch_exceptions=False)
    (row,) = json.loads(done.stdout)["registries"]
    assert (row["registry"], row["health"], done.exit_code) == ("open_library", "lost", 1)


def test_the_store_is_named_by_option_or_environment_or_is_the_users_own(tmp_path, monkeypatch):
    assert store_of(settings_from({"SHOWABLE_REGISTRY_LOCAL": "/srv/known.sqlite"})).name == "known.sqlite"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert store_of(Settings()) == tmp_path / "showable" / "citations.sqlite"
