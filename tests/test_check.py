"""`showable check`: citations of documents asked about, quotes looked for, exit codes, and the command itself."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
import types
from pathlib import Path

import pytest
import typer
from registry_doubles import serve
from registry_doubles.crossref import crossref
from registry_doubles.site import Answer, site
from small_pdf import pdf
from test_documents import brief, docx, with_notes
from typer.testing import CliRunner

from showable.checking.asking import asked_of, orders
from showable.checking.quoting import check_quote, quotes_of
from showable.checking.run import Check, as_pointed, pin_note, question, text_of
from showable.checking.sources import Library, SourceFile
from showable.checking.spotting import Spotted
from showable.cli.check import check as command
from showable.cli.check import uris
from showable.documents.read import read_bytes
from showable.errors import SettingError
from showable.read.references.found import FoundReference
from showable.records.lookups import LookupResult
from showable.records.record import Reference
from showable.registries.consult_order import DEFAULT_ALSO, DEFAULT_ORDER
from showable.report.check_outcome import exit_code

CITE = re.compile(r"(\d+) (U\.S\.|F\.3d) (\d+)(?:, (\d+))?|Id\.(?: at (\d+))?|(?<=doi:)10\.\d+/\S+")


def find(text):
    """Stands in for the grammars: cites, ids. that point at the one before, and DOIs."""
    found, last = [], None
    for match in CITE.finditer(text):
        span = match.span()
        if match[0].startswith("Id."):
            fields = {"pin": match[5]} if match[5] else {}
            found.append(
                FoundReference(Reference(kind="id", text=match[0], fields=fields), span, span, antecedent=last)
            )
            continue
        if match[1] is None:
            fields, kind = {"doi": match[0]}, "doi"
        else:
            fields, kind = dict(zip(("volume", "reporter", "page", "pin"), match.groups()[:4], strict=True)), "case"
            fields = {name: said for name, said in fields.items() if said}
            span = (span[0], match.end(3))
        last = len(found)
        found.append(FoundReference(Reference(kind=kind, text=text[slice(*span)], fields=fields), span, span))
    return found


@pytest.fixture
def grammar(monkeypatch):
    fake = types.ModuleType("showable.read.references.find")
    fake.find_references = find
    monkeypatch.setitem(sys.modules, "showable.read.references.find", fake)


class Scripted:
    """A consultation whose answers are written down by the citation's text; it keeps count of what it was asked."""

    def __init__(self, answers=None, fails_after=None):
        self.answers, self.asked, self.fails_after = answers or {}, [], fails_after

    async def lookup_all(self, references, done=None):
        results = []
        for place, reference in enumerate(references):
            if self.fails_after is not None and place >= self.fails_after:
                raise KeyboardInterrupt
            self.asked.append(reference.text)
            given = self.answers.get(reference.text, {})
            results.append(LookupResult(**({"status": "resolved", "registry": "caselaw_access"} | given)))
            if done is not None:
                done(place, results[-1])
        return results


def checked(consultation, *documents, library=None, **given):
    check = Check(
        [read_bytes(name, data if isinstance(data, bytes) else data.encode()) for name, data in documents], library
    )
    told = []
    stopped = None
    try:
        asyncio.run(check.run(consultation, told.append))
    except KeyboardInterrupt:
        stopped = "stopped"
    assert len(told) <= len(check.answers)
    return check.outcome(stopped=stopped, **given)


BRIEF = """See Obergefell, 576 U.S. 644, 675. It was so held.

Later: 925 F.3d 1339. Id. at 1340. And 576 U.S. 644, 681 once more. Id.

A trial: doi:10.1000/xyz1
"""


def test_each_question_is_asked_once_and_short_forms_share_its_answer(grammar):
    consultation = Scripted({"925 F.3d 1339": {"status": "mismatch", "reason": "another case stands there"}})
    found = checked(consultation, ("brief.txt", BRIEF))
    # each page that is pointed into is a question of its own, for it may lie beyond the case
    assert consultation.asked == ["576 U.S. 644", "925 F.3d 1339", "925 F.3d 1339", "576 U.S. 644", "10.1000/xyz1"]
    assert [one.claimed.get("pin") for one in found.citations] == ["675", None, "1340", "681", "681", None]
    assert [(one.raw, one.status, one.antecedent) for one in found.citations] == [
        ("576 U.S. 644", "resolved", None),
        ("925 F.3d 1339", "mismatch", None),
        ("Id. at 1340", "mismatch", 1),
        ("576 U.S. 644", "resolved", None),
        ("Id.", "resolved", 3),
        ("10.1000/xyz1", "resolved", None),
    ]
    assert found.citations[2].reason == "another case stands there"
    assert exit_code(found) == 1
    assert found.standings == {"good": 4, "bad": 2}


def test_places_and_passages(grammar):
    found = checked(Scripted(), ("brief.txt", BRIEF)).citations
    assert [(one.where.line, one.where.column) for one in found] == [
        (1, 17),
        (3, 8),
        (3, 23),
        (3, 40),
        (3, 69),
        (5, 14),
    ]
    assert found[0].passage.startswith("See Obergefell, 576 U.S. 644, 675.")
    assert all(one.raw in BRIEF[one.where.start : one.where.end] for one in found)


def test_antecedents_count_over_all_documents(grammar):
    found = checked(Scripted(), ("a.txt", "576 U.S. 644."), ("b.txt", "925 F.3d 1339. Id."))
    assert [(one.where.document, one.antecedent) for one in found.citations] == [
        ("a.txt", None),
        ("b.txt", None),
        ("b.txt", 1),
    ]
    assert [document.citations for document in found.documents] == [1, 2]


def test_citations_without_fields_are_told_apart_by_their_words():
    plain = [Reference(kind="url", text=text) for text in ("one", "two", "one")]
    assert len({question(reference) for reference in plain}) == 2


def test_a_short_form_that_points_nowhere_is_not_checked(grammar):
    consultation = Scripted()
    found = checked(consultation, ("a.txt", "Id. at 4."))
    assert consultation.asked == []
    assert (found.citations[0].status, exit_code(found)) == ("not_covered", 3)
    assert "cannot be told" in found.citations[0].reason


def test_an_interrupted_check_keeps_what_it_knows(grammar):
    found = checked(Scripted(fails_after=1), ("brief.txt", BRIEF))
    assert [one.status for one in found.citations] == [
        "resolved",
        *["unreachable"] * 5,
    ]
    assert found.citations[1].reason == "the check was stopped before an answer came"
    assert found.stopped == "stopped"


def test_a_document_without_citations_is_said_and_passes(grammar):
    found = checked(Scripted(), ("a.txt", "Nothing is cited here."))
    assert (found.citations, exit_code(found)) == ((), 0)


def test_pages_that_could_not_be_read_leave_the_check_open(grammar):
    found = checked(Scripted(), ("a.pdf", pdf(["See 576 U.S. 644."], None)))
    assert found.citations[0].where.page == 1
    assert exit_code(found) == 3
    assert "page 2 of 2 without text" in found.unread[0]


def test_footnotes_of_word_files_are_checked(grammar):
    data = with_notes(docx(brief), "footnote", [(2, "See 925 F.3d 1339.")])
    found = checked(Scripted(), ("brief.docx", data))
    assert [str(one.where) for one in found.citations] == ["page 1, table 1", "page 1, footnote 1"]


def test_bib_entries_are_asked_about_as_they_are():
    consultation = Scripted()
    found = checked(consultation, ("refs.bib", "@article{a, title={On Things}, author={Doe, Jane}, year=2001}"))
    assert [one.kind for one in found.citations] == ["bibliographic"]
    assert len(consultation.asked) == 1
    assert found.citations[0].shown == "Doe, Jane: On Things (2001)"
    assert found.citations[0].passage == ""


def test_invisible_characters_in_a_citation_are_flagged(grammar):
    found = checked(Scripted(), ("a.txt", "doi:10.1000/x\u200byz and 576 U.S. 644"))
    flagged, clean = found.citations
    assert "U+200B" in flagged.flags[0].reason
    assert clean.flags == ()


def test_a_dangerous_address_is_refused_without_asking_anybody(grammar, monkeypatch):
    def links(text):
        spans = [match.span() for match in re.finditer(r"https?://\S+", text)]
        return [
            FoundReference(Reference(kind="url", text=text[a:b], fields={"url": text[a:b]}), (a, b), (a, b))
            for a, b in spans
        ]

    monkeypatch.setattr(sys.modules["showable.read.references.find"], "find_references", links)
    consultation = Scripted()
    found = checked(
        consultation, ("a.txt", "See https://nature.com@evil.example/x and https://www.example.org/story today")
    )
    assert [one.status for one in found.citations] == ["blocked_url", "resolved"]
    assert found.citations[0].registry == "url_scan"
    assert consultation.asked == ["https://www.example.org/story"]
    assert exit_code(found) == 1


def test_the_passage_of_a_bare_citation_is_what_it_is_cited_for(grammar):
    text = "Nothing else was said.\n\nMarriage is a right. See 576 U.S. 644. The rest follows from that."
    assert checked(Scripted(), ("a.txt", text)).citations[0].passage == "Marriage is a right. See 576 U.S. 644."


POINTED = [
    ("case", {"volume": "576", "pin": "675"}, {"pin": "680"}, {"volume": "576", "pin": "680"}, "another page"),
    ("case", {"volume": "576", "pin": "675"}, {}, {"volume": "576", "pin": "675"}, "Bluebook, rule 4.1: the very same place"),
    ("case", {"volume": "576"}, {"section": "3"}, {"volume": "576"}, "a case has no sections"),
    ("case", {"volume": "576"}, {"section": "3", "pin": "9"}, {"volume": "576", "pin": "9"}, "but pages"),
    ("usc", {"title": "18", "section": "2", "subsection": "(a)"}, {"section": "4"}, {"title": "18", "section": "4"}, "another section"),
    ("cfr", {"title": "29", "part": "1910", "section": "1910.1"}, {"section": "1926.5"},
     {"title": "29", "part": "1926", "section": "1926.5"}, "a section is numbered after its part"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "full", "short", "meant", "source"), POINTED)
def test_what_a_short_form_stands_for(kind, full, short, meant, source):
    found = as_pointed(
        Reference(kind="id", text="Id.", fields=short), Reference(kind=kind, text="the whole", fields=full)
    )
    assert (found.kind, found.text, found.fields) == (kind, "the whole", meant), source


PINS = [
    ({"pin": "675"}, {"pages": "644–692"}, None, "within"),
    ({"pin": "700"}, {"pages": "644–692"}, "the pin cite, 700, lies beyond the last page, 692", "beyond"),
    ({"pin": "600"}, {"pages": "644–692"}, "the pin cite, 600, lies before the first page, 644", "before"),
    ({"pin": "700"}, {"pages": "644"}, None, "the last page is not known"),
    ({"pin": "*3"}, {"pages": "1-2"}, "the pin cite, *3, lies beyond the last page, 2", "star page"),
    ({"pin": "n.4"}, {"pages": "1-2"}, None, "no page"),
    ({}, {"pages": "1-2"}, None, "no pin"),
    ({"pin": "700"}, {}, None, "nothing known"),
    ({"pin": "700", "volume": "1"}, {"pages": "5–9", "volume": "2"}, None, "pages of another volume"),
]


@pytest.mark.parametrize(("fields", "found", "said", "source"), PINS)
def test_pins(fields, found, said, source):
    assert pin_note(Reference(kind="case", text="x", fields=fields), found) == said, source


OPINION = """\
347 U.S. 483 (1954)
BROWN ET AL. v. BOARD OF EDUCATION OF TOPEKA ET AL.

We conclude that, in the field of public education, the doctrine has no place. Separate facilities for
teaching are inherently unequal, as was said below.
"""
OTHER = "A treatise. It says that the rule of reason governs all restraints of trade."


def library(**files):
    return Library(tuple(SourceFile(read_bytes(f"{name}.txt", text.encode())) for name, text in files.items()))


def cited(text="347 U.S. 483", **fields):
    fields = fields or {"volume": "347", "reporter": "U.S.", "page": "483"}
    reference = Reference(kind="case", text=text, fields=fields)
    return Spotted(
        read_bytes("brief.txt", text.encode()),
        FoundReference(reference, (0, len(text)), (0, len(text))),
        (0, len(text)),
    )


QUOTES = [
    ("Separate facilities for teaching are inherently unequal", "found", "verbatim over a line end"),
    ("Separate facilities for teaching are inherently equal", "misquoted", "one word of another meaning"),
    ("all persons born or naturalized in the United States", "absent", "of another text"),
    ("separate facilities … are inherently unequal", "found", "an ellipsis leaves words out"),
]


@pytest.mark.parametrize(("words", "status", "source"), QUOTES)
def test_quotes_are_held_against_the_source_that_is_meant(words, status, source):
    found = check_quote(words, 0, len(words), cited(), library(opinion=OPINION, treatise=OTHER))
    assert (found.status, found.source) == (status, "opinion.txt"), source


def test_a_quote_without_its_source_is_not_known():
    for words in ("Separate facilities for teaching are inherently equal", "all persons born or naturalized here"):
        found = check_quote(
            words, 0, 9, cited("1 U.S. 2", volume="1", reporter="U.S.", page="2"), library(opinion=OPINION)
        )
        assert found.status == "no_source", words
    found = check_quote(
        "the rule of reason governs all restraints", 0, 9, cited("1 F.3d 2", page="2"), library(treatise=OTHER)
    )
    assert (found.status, found.source) == ("found", "treatise.txt")


MEANT = [
    ({"volume": "347", "reporter": "U.S.", "page": "483"}, "its cite stands on its first lines"),
    ({"plaintiff": "Brown", "defendant": "Board of Education"}, "its caption"),
    ({"case_name": "Brown v. Board of Education"}, "its caption, from the whole name"),
    ({"volume": "9", "reporter": "F.2d", "page": "9", "parallel": "74 S. Ct. 686; 347 U.S. 483"}, "a parallel cite"),
]


@pytest.mark.parametrize(("fields", "source"), MEANT)
def test_the_source_that_a_citation_means(fields, source):
    reference = Reference(kind="case", text="x", fields=fields)
    names = [one.document.name for one in library(opinion=OPINION, treatise=OTHER).meant(reference)]
    assert names == ["opinion.txt"], source


NOT_MEANT = [
    {"plaintiff": "Brown", "defendant": "Allen"},
    {"plaintiff": "United States", "defendant": "States"},
    {"volume": "347", "reporter": "U.S.", "page": "48"},
    {"title": "A treatise"},
    {"doi": "10.1"},
    {},
]


@pytest.mark.parametrize("fields", NOT_MEANT)
def test_a_source_that_is_not_meant(fields):
    assert library(opinion=OPINION, treatise=OTHER).meant(Reference(kind="case", text="x", fields=fields)) == ()


def test_files_are_known_by_their_names_and_ids():
    held = library(**{"smith2020": "words", "brown v board of education": "words", "paper": "doi:10.1000/XYZ1 words"})
    for fields, name in [
        ({"authors": "Smith, Jane; Doe, J.", "year": "2020"}, "smith2020.txt"),
        ({"case_name": "Brown v. Board of Education"}, "brown v board of education.txt"),
        ({"doi": "10.1000/xyz1"}, "paper.txt"),
    ]:
        assert [one.document.name for one in held.meant(Reference(kind="x", text="x", fields=fields))] == [name]


OWNERS = [
    ('The Court said, "separate things are inherently not equal." 347 U.S. 483.', 0, "the citation after it"),
    ('In 347 U.S. 483, the Court said "separate things are inherently not equal" and no more.', 0, "the one before in its sentence"),
    ('See 347 U.S. 483 ("separate things are inherently not equal"); 576 U.S. 644.', 0, "in its parenthetical"),
    ('See 347 U.S. 483. "Separate things are inherently not equal." 576 U.S. 644.', 1, "not the sentence before"),
    ('347 U.S. 483.\n\n"Separate things are inherently not equal."\n\n576 U.S. 644.', None, "paragraphs of their own"),
    ('347 U.S. 483 (holding that "separate things are inherently not\nequal").', 0, "over a line end"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "owner", "source"), OWNERS)
def test_whose_a_quotation_is(grammar, text, owner, source):
    check = Check([read_bytes("a.txt", text.encode())])
    found = quotes_of(check.spotted, check.first, library(treatise=OTHER))
    assert list(found) == ([] if owner is None else [owner]), source
    for quotes in found.values():
        assert text[quotes[0].start : quotes[0].end].split()[0].lower() == "separate"


def test_a_bad_quote_fails_a_citation_that_resolves(grammar):
    text = 'They said "Separate facilities for teaching are inherently equal," 347 U.S. 483. Id. ("the doctrine has no place").'
    found = checked(Scripted(), ("a.txt", text), library=library(opinion=OPINION))
    assert [(one.label, [quote.status for quote in one.quotes]) for one in found.citations] == [
        ("bad_quote", ["misquoted"]),
        ("resolved", ["found"]),
    ]
    assert exit_code(found) == 1
    assert found.sources == 1


def test_a_folder_of_sources(tmp_path):
    (tmp_path / "a.txt").write_text("words")
    (tmp_path / ".hidden").write_text("words")
    (tmp_path / "b.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    held = Library.read(tmp_path)
    assert len(held.files) == 1
    assert "is an image" in held.unread[0]
    with pytest.raises(SettingError, match="is no folder"):
        Library.read(tmp_path / "none")
    with pytest.raises(SettingError, match="no file in"):
        Library.read(tmp_path, leave_out=[tmp_path / "a.txt"])


def test_who_is_asked():
    order, also = orders(None, None)
    assert order == dict(DEFAULT_ORDER)
    assert also == dict(DEFAULT_ALSO)
    assert asked_of(["westlaw", "id"], order, also) == ("westlaw",)
    assert {"crossref", "doi_org", "pubmed"} <= set(asked_of(["bibliographic"], order, also))
    order, also = orders(None, ["crossref"])
    assert asked_of(["doi", "case"], order, also) == ("crossref",)
    with pytest.raises(SettingError, match="--registry: 'nexis' is none"):
        orders(None, ["nexis"])


def test_breaks_of_a_page_that_shows_the_text():
    document = read_bytes("a.pdf", pdf(["one", "two"], ["three"]))
    assert text_of(document).breaks == ((0, "page 1"), (document.text.index("three"), "page 2"))
    assert text_of(read_bytes("a.txt", b"one\ntwo")).breaks == ()

    def build(made):
        made.add_table(1, 1).cell(0, 0).text = "cell"
        made.add_paragraph("after")

    assert [said for _, said in text_of(read_bytes("a.docx", docx(build))).breaks] == ["table 1", "text"]


def test_a_long_document_is_checked_quickly_enough_to_wait_for(grammar):
    text = "Some words are said here about it, 576 U.S. 644, at length. " * 4_000
    found = checked(Scripted(), ("a.txt", text))
    assert len(found.citations) == 4_000


def case_row(name, cite, first, last, year):
    """A row of CasesMetadata.json, as the Caselaw Access Project's static files have it."""
    court = "Court of Appeals" if "F." in cite else "Supreme Court"
    return {
        "id": first, "name": name, "name_abbreviation": name, "decision_date": f"{year}-06-26", "docket_number": "",
        "first_page": str(first), "last_page": str(last), "citations": [{"type": "official", "cite": cite}],
        "court": {"id": 1, "name": court, "name_abbreviation": court}, "jurisdiction": {"name": "U.S."}, "file_name": f"{first:04}-01",
    }  # fmt: skip


VOLUMES = {
    "/us/576/CasesMetadata.json": [case_row("Obergefell v. Hodges", "576 U.S. 644", 644, 742, 2015)],
    "/us/347/CasesMetadata.json": [case_row("Brown v. Board of Education", "347 U.S. 483", 483, 496, 1954)],
    "/f3d/925/CasesMetadata.json": [case_row("J.D. v. Azar", "925 F.3d 1291", 1291, 1350, 2019)],
}
GOOD = "Marriage is a right. Obergefell v. Hodges, 576 U.S. 644, 675 (2015). Id. at 676.\n"
FAKE = "It is tolled. Varghese v. China Southern Airlines Co., 925 F.3d 1339 (11th Cir. 2019).\n"
WESTLAW = "See Gibson v. Acme Corp., 2019 WL 1234567 (S.D.N.Y. Mar. 4, 2019).\n"


@pytest.fixture
def volumes(monkeypatch, tmp_path):
    """A server of volumes that the command is pointed at, and the paths that it was asked for."""
    asked = []
    answers = {path: Answer(json.dumps(rows), type="application/json") for path, rows in VOLUMES.items()}
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    with serve(site(answers, asked)) as base:
        monkeypatch.setenv("SHOWABLE_REGISTRY_CASELAW_ACCESS", base)
        yield asked


def run(*arguments, stdin=None):
    app = typer.Typer()
    app.command()(command)
    return CliRunner().invoke(
        app, ["--registry", "caselaw_access", *map(str, arguments)], input=stdin, catch_exceptions=False
    )


def write(name, data):
    Path(name).write_bytes(data if isinstance(data, bytes) else data.encode())
    return name


def test_the_command_catches_a_case_that_stands_at_no_such_page(volumes):
    done = run(write("brief.txt", GOOD + FAKE))
    assert done.exit_code == 1, done.output
    assert done.stdout.startswith("3 citations in brief.txt: 1 bad, 2 resolved\n")
    assert "J.D. v. Azar" in done.stdout
    assert "asking about 2 distinct citations" in done.stderr
    assert "never the document: caselaw_access" in done.stderr
    assert len(volumes) == 2


def test_a_second_run_is_served_from_the_cache(volumes):
    first = run(write("brief.txt", GOOD + FAKE), "--json")
    asked = len(volumes)
    second = run("brief.txt", "--json")
    assert len(volumes) == asked == 2
    one, two = json.loads(first.stdout), json.loads(second.stdout)
    assert [held["status"] for held in one["citations"]] == [held["status"] for held in two["citations"]]
    assert [held["cached"] for held in two["citations"]] == [True, True, True]
    assert second.exit_code == first.exit_code == 1
    offline = run("brief.txt", "--json", "--offline")
    assert [held["status"] for held in json.loads(offline.stdout)["citations"]] == [
        held["status"] for held in one["citations"]
    ]


def test_a_page_beyond_the_case_is_its_own_citations_fault(volumes):
    within = GOOD.partition(" Id.")[0]
    beyond = within.replace("675", "9000")
    done = run(write("brief.txt", f"{beyond}\n\n{within} Id. at 9001.\n\n{within}\n"), "--json")
    found = json.loads(done.stdout)["citations"]
    assert [one["status"] for one in found] == ["mismatch", "resolved", "mismatch", "resolved"]
    assert [one["claimed"]["pin"] for one in found] == ["9000", "675", "9001", "675"]
    assert len(volumes) == 1, "one volume is asked for, however many pages are pointed into"
    assert "asking about 1 distinct citation, of each" in done.stderr


def test_parallel_cites_are_told_apart(volumes):
    done = run(write("a.txt", "Brown v. Board of Education, 347 U.S. 483, 74 S. Ct. 686 (1954).\n"), "--details")
    said = " ".join(done.stdout.split())
    assert "2 citations in a.txt: 1 could not be checked, 1 resolved" in said
    whole = "line 1: Brown v. Board of Education, 347 U.S. 483, 74 S. Ct. 686 (1954)"
    assert said.index(f"{whole} [74 S. Ct. 686]") < said.index("Resolved: 1") < said.index(f"{whole} [347 U.S. 483]")


def test_where_nobody_is_asked_that_is_said(volumes):
    done = run(write("a.txt", WESTLAW))
    assert "no registry to ask on the network; looking for 1 distinct citation in imported lists" in done.stderr


EXITS = [
    (GOOD, 0, "all resolve"),
    (GOOD + FAKE, 1, "one is another's"),
    (GOOD + WESTLAW, 3, "one can be looked up nowhere"),
    (FAKE + WESTLAW, 1, "bad beats unchecked"),
    ("No citation at all.\n", 0, "nothing to check"),
]


@pytest.mark.parametrize(("text", "code", "source"), EXITS)
def test_exit_codes_of_the_command(volumes, text, code, source):
    done = run(write("brief.txt", text))
    assert done.exit_code == code, (source, done.output)


def crossref_work(doi, *updates):
    """A work as Crossref has it, with what has updated it since: type, DOI and day."""
    rows = [{"type": said, "DOI": by, "updated": {"date-parts": [day]}} for said, by, day in updates]
    return {"DOI": doi, "type": "journal-article", "title": ["A guideline on colds"], "updated-by": rows}


EDITION = ("new_edition", "10.5555/colds.2", [2021, 5, 1])
REPLACED = [
    (crossref_work("10.5555/colds", EDITION), "superseded_version", 1, ("new edition (2021-05-01)", "10.5555/colds.2")),
    (crossref_work("10.5555/colds", ("correction", "10.5555/e", [2020])), "resolved", 0, ("corrected",)),
    (crossref_work("10.5555/colds", EDITION, ("retraction", "10.5555/r", [2022])), "retracted", 1, ("10.5555/r",)),
]


@pytest.mark.parametrize("row", REPLACED, ids=lambda row: row[1])
def test_a_work_that_another_has_replaced_is_superseded(volumes, monkeypatch, row):
    """Types of Crossref's updates: www.crossref.org/documentation/crossmark."""
    work, status, code, said = row
    with serve(crossref([work])) as base:
        monkeypatch.setenv("SHOWABLE_REGISTRY_CROSSREF", base)
        text = write("paper.txt", "Rest is advised. https://doi.org/10.5555/colds\n")
        done = run(text, "--registry", "crossref", "--json")
        shown = run(text, "--registry", "crossref")
    (found,) = json.loads(done.stdout)["citations"]
    assert (found["status"], done.exit_code, shown.exit_code) == (status, code, code)
    assert all(words in found["reason"] for words in said)
    assert status == "resolved" or all(words in " ".join(shown.stdout.split()) for words in said)


def test_a_file_without_citations_asks_nobody_and_says_so(volumes):
    done = run(write("a.txt", "Nothing is cited here.\n"))
    assert (done.stdout, done.stderr, volumes) == ("No citation found in a.txt\n", "", [])


def test_offline_without_a_cache_is_said_once(volumes):
    done = run(
        write("a.txt", "".join(f"A v. B, 576 U.S. {n} (2015).\n\n" for n in range(600, 650))), "--offline", "--details"
    )
    assert done.exit_code == 3
    assert volumes == []
    assert done.stdout.count("offline") == 1
    assert "(50 citations)" in done.stdout


@pytest.mark.parametrize("name", ["brief.docx", "brief.pdf", "brief.html", "brief.md", "-"])
def test_every_format_leads_to_the_same_answer(volumes, name):
    data = {
        "brief.docx": with_notes(docx(brief), "footnote", [(2, FAKE.strip())]),
        "brief.pdf": pdf([GOOD[:60], GOOD[60:].strip()], [FAKE[:50], FAKE[50:].strip()]),
        "brief.html": f"<p>{GOOD}</p><p><i>{FAKE[:30]}</i>{FAKE[30:]}</p>".encode(),
    }.get(name, (GOOD + FAKE).encode())
    done = run(name if name == "-" else write(name, data), "--json", stdin=data if name == "-" else None)
    found = json.loads(done.stdout)["citations"]
    assert [one["raw"] for one in found if one["kind"] == "case"] == ["576 U.S. 644", "925 F.3d 1339"]
    assert [one["status"] for one in found if one["kind"] == "case"] == ["resolved", "mismatch"]
    assert done.exit_code == 1


def test_the_files_that_it_writes(volumes):
    Path("filings").mkdir()
    done = run(write("filings/my brief.txt", GOOD + FAKE), "-o", "out.sarif", "-o", "out.html")
    assert done.exit_code == 1
    log = json.loads(Path("out.sarif").read_text(encoding="utf-8"))
    uri = log["runs"][0]["results"][1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "filings/my%20brief.txt"
    assert 'id="m3"' in Path("out.html").read_text(encoding="utf-8")


def test_uris_are_relative(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    inside, outside = str(tmp_path / "a b.txt"), "/elsewhere/c.txt"
    held = uris([read_bytes(name, b"x") for name in (inside, outside, "d/é.txt")])
    assert list(held.values()) == ["a%20b.txt", "c.txt", "d/%C3%A9.txt"]


def test_quotes_are_looked_for_in_sources(volumes):
    Path("sources").mkdir()
    write("sources/brown.txt", OPINION)
    write("sources/scan.png", b"\x89PNG\r\n\x1a\n")
    text = '"Separate facilities for teaching are inherently equal." Brown v. Board of Education, 347 U.S. 483, 495 (1954).\n'
    done = run(write("brief.txt", text), "--sources", "sources", "--details")
    assert done.exit_code == 1
    assert "line 1: bad_quote" in done.stdout
    assert "equal → unequal" in done.stdout
    assert "--sources: sources/scan.png: is an image" in done.stderr
    assert run(write("brief.txt", text.replace("equal", "unequal")), "--sources", "sources").exit_code == 0


USAGE = [
    (["a.txt", "a.txt"], "given twice"),
    (["loop"], "loop: cannot be read"),
    (["a.html", "-o", "a.html"], "would be written over"),
    (["a.txt", "-o", "o.html", "-o", "./o.html"], "given twice"),
    (["a.txt", "-o", "o"], "a check of documents ends in .html, .sarif or .json"),
    (["a.txt", "-o", "none/o.html"], "its folder does not exist"),
    (["a.txt", "--sources", "none"], "is no folder"),
    (["a.txt", "--registry", "nexis"], "'nexis' is none"),
    (["none.txt"], "cannot be read"),
    (["a.txt", "--profile", "none"], "none"),
]


@pytest.mark.parametrize(("arguments", "said"), USAGE)
def test_mistakes_are_found_before_anybody_is_asked(volumes, arguments, said):
    from showable.errors import ShowableError

    write("a.txt", GOOD)
    write("a.html", GOOD)
    Path("loop").symlink_to("loop")
    with pytest.raises(ShowableError, match=said):
        run(*arguments)
    assert volumes == []


MAIN = """
import typer
from showable import cli
from showable.cli.check import check
if "check" not in {one.name or one.callback.__name__ for one in cli.app.registered_commands}:
    cli.app.command()(check)
cli.main()
"""


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_prints_what_is_known(tmp_path):
    answers = {path: Answer(json.dumps(rows), type="application/json") for path, rows in VOLUMES.items()}
    answers["/f3d/925/CasesMetadata.json"] = Answer(slow=True)
    asked = []
    (tmp_path / "brief.txt").write_text(GOOD + FAKE)
    with serve(site(answers, asked)) as base:
        environment = {"SHOWABLE_REGISTRY_CASELAW_ACCESS": base, "XDG_CACHE_HOME": str(tmp_path / "cache")}
        running = subprocess.Popen(
            [sys.executable, "-c", MAIN, "check", "brief.txt", "--registry", "caselaw_access", "--details"],
            cwd=tmp_path, env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        with running:
            while len(asked) < 2 and running.poll() is None:
                time.sleep(0.05)
            running.send_signal(signal.SIGINT)
            out, err = running.communicate(timeout=120)
    assert running.returncode == 130, err
    assert out.startswith("3 citations in brief.txt: ")
    assert "Not finished: stopped by Ctrl-C" in out
    assert "the check was stopped before an answer came" in out
    assert "Traceback" not in err
