"""References as they are met: ids in fields that are not made for them, namesakes, series with a space, codes of states."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from showable.checking.spotting import spot
from showable.cli import app
from showable.documents.bibtex import read_bib
from showable.documents.document import Document, line_marks
from showable.read.references.entry_bibtex import find_bibtex
from showable.read.references.find import find_references
from showable.read.references.legal import find_legal
from showable.read.references.legal.state_codes import find_state_codes
from showable.records import Entry, Person, Reference
from showable.rubrics.metadata.compare import agreement

TITLE = "Sorting parcels by weight with two belts"


def entry(fields):
    return f"@article{{k, title = {{{TITLE}}}, author = {{Roe, Ann}}, year = {{2024}}, {fields}}}\n"


# fields of an entry, the ids read from them, where the form comes from
IDS = [
    ("journal = {arXiv preprint arXiv:2405.01234}", {"arxiv": "2405.01234"}, "Google Scholar"),
    ("journal = {CoRR}, volume = {abs/2405.01234}", {"arxiv": "2405.01234"}, "DBLP"),
    ("journal = {ArXiv}, volume = {2405.01234}", {"arxiv": "2405.01234"}, "the number alone, beside its server"),
    ("note = {arXiv:2405.01234}", {"arxiv": "2405.01234"}, "a note that is nothing else"),
    ("howpublished = {\\url{https://arxiv.org/pdf/2405.01234.pdf}}", {"arxiv": "2405.01234"}, "an address"),
    ("url = {https://arxiv.org/abs/2405.01234v2}", {"arxiv": "2405.01234"}, "an address with a version"),
    ("eprint = {https://arxiv.org/abs/2405.01234}", {"arxiv": "2405.01234"}, "an address for a number"),
    ("eprint = {hep-th/9711200}, archivePrefix = {arXiv}", {"arxiv": "hep-th/9711200"}, "the old numbers"),
    ("eprint = {32282878}, eprinttype = {pubmed}", {"pmid": "32282878"}, "biblatex"),
    ("note = {PMID: 32282878}", {"pmid": "32282878"}, "exports of PubMed"),
    ("url = {https://doi.org/10.1000/xyz12}", {"doi": "10.1000/xyz12"}, "an address"),
    ("howpublished = {doi:10.1000/xyz12}", {"doi": "10.1000/xyz12"}, "a label"),
    ("url = {https://www.ncbi.nlm.nih.gov/pmc/articles/PMC7654321/}", {"pmcid": "PMC7654321"}, "an address"),
    ("eid = {arXiv:2405.01234}", {"arxiv": "2405.01234"}, "REVTeX's article number"),
    ("institution = {arXiv}, number = {2405.01234}", {"arxiv": "2405.01234"}, "a report of the server"),
    ("addendum = {\\href{https://arxiv.org/abs/2405.01234}{arXiv}}", {"arxiv": "2405.01234"}, "biblatex's last words, linked"),
    ("biburl = {https://dblp.org/rec/journals/corr/abs-2405-01234.bib}", {"arxiv": "2405.01234"}, "DBLP's own address"),
    ("journal = {arXiv preprint arXiv: Arxiv-2405.01234}", {"arxiv": "2405.01234"}, "Semantic Scholar"),
    ("url = {https://huggingface.co/papers/2405.01234}", {"arxiv": "2405.01234"}, "another's page of the paper"),
    ("doi = {10.48550/arxiv.2405.01234}", {"doi": "10.48550/arxiv.2405.01234", "arxiv": "2405.01234"}, "the server's own DOI"),
    ("usera = {arXiv:2405.01234}", {"arxiv": "2405.01234"}, "a field that nobody has named"),
    # what must not change
    ("usera = {as arXiv:2401.00001 says of this}", {}, "another work"),
    ("doi = {10.1000/own}, url = {https://doi.org/10.1000/other}", {"doi": "10.1000/own"}, "its own field is believed"),
    ("eprint = {2405.01234}, archivePrefix = {arXiv}, note = {arXiv:2401.00001}", {"arxiv": "2405.01234"}, "its own field"),
    ("note = {See also arXiv:2401.00001 for a longer version of the proof}", {}, "another work"),
    ("journal = {Parcels}, volume = {2405}, number = {1}", {}, "a volume"),
    ("journal = {Parcels}, volume = {2405.01234}", {}, "a number that no preprint server is named beside"),
    ("url = {https://parcels.test/abs/2405.01234}", {}, "another's address"),
    ("abstract = {We extend arXiv:2401.00001.}", {}, "words about another work"),
    ("publisher = {ACM}, pages = {10--12}", {}, "no id"),
]  # fmt: skip


@pytest.mark.parametrize(
    "read", [lambda text: read_bib("a.bib", text.encode()).entries, find_bibtex], ids=["file", "text"]
)
@pytest.mark.parametrize(("fields", "ids", "source"), IDS, ids=[row[0] for row in IDS])
def test_an_entry_has_the_ids_that_its_fields_hold(read, fields, ids, source):
    [found] = read(entry(fields))
    held = found.reference.fields
    assert {kind: held[kind] for kind in ("doi", "pmid", "pmcid", "arxiv") if kind in held} == ids, source
    assert held["title"] == TITLE


def test_a_volume_that_is_a_preprint_number_is_no_volume():
    [found] = read_bib("a.bib", entry("journal = {CoRR}, volume = {abs/2405.01234}").encode()).entries
    assert "volume" not in found.reference.fields


PRIMER = Entry(
    title="An introduction to parcel sorting", containers=("Current Parcels",), years=(2007,),
    authors=(Person(family="Lind", given="B."), Person(family="Sato", given="A.")),
)  # fmt: skip
LONG = PRIMER.model_copy(update={"title": "An introduction to parcel sorting by weight, size and place on two belts"})
# what is claimed beside the title, the entry, what it makes of the entry
NAMESAKES = [
    ({"authors": "Roe A; Park J", "year": "1986", "container": "Belt Magazine"}, PRIMER, "another", "all else differs: a namesake"),
    ({"authors": "Roe A; Park J", "year": "1986"}, PRIMER, "another", "people and year differ"),
    ({"authors": "Roe A", "container": "Belt Magazine"}, PRIMER, "another", "people and journal differ"),
    # what must not change
    ({"authors": "Lind B; Sato A", "year": "2007", "container": "Current Parcels"}, PRIMER, "agrees", "the work"),
    ({"authors": "Lind B", "year": "1986", "container": "Belt Magazine"}, PRIMER, "differs", "one of its authors"),
    ({"authors": "Roe A", "year": "2007", "container": "Belt Magazine"}, PRIMER, "differs", "its year"),
    ({"authors": "Roe A", "year": "1986", "container": "Current Parcels"}, PRIMER, "differs", "its journal"),
    ({"authors": "Roe A; Park J", "year": "1986", "container": "Belt Magazine"}, LONG, "differs", "a title too long for chance"),
    ({}, PRIMER, "agrees", "the title alone is claimed"),
]  # fmt: skip


@pytest.mark.parametrize(("claimed", "work", "outcome", "source"), NAMESAKES, ids=[row[3] for row in NAMESAKES])
def test_a_namesake_is_another_work(claimed, work, outcome, source):
    reference = Reference(kind="bibliographic", text="x", fields={"title": work.title, **claimed})
    assert agreement(reference, work) == outcome, source


# text, (volume, reporter, page) of its cases
SERIES = [
    ("See 560 F. Supp. 2 d 894.", [("560", "F. Supp. 2d", "894")]),
    ("See 44 A. 2 d 276; 12 F. 3 d 100.", [("44", "A.2d", "276"), ("12", "F.3d", "100")]),
    ("Ord v. Bay, 44 Cal. App. 4 th 9 (1996).", [("44", "Cal. App. 4th", "9")]),
    ("Doe v. Roe, 12 F.3 d 34 (2d Cir. 1993).", [("12", "F.3d", "34")]),
    ("See 123 N. Y. S. 2 d 456.", [("123", "N.Y.S.2d", "456")]),
    ("See 10 P. 3 d 100, 104.", [("10", "P.3d", "100")]),
    ("See 560 F. Supp. 2nd 894.", [("560", "F. Supp. 2d", "894")]),
    ("Doe v. Roe, 12 F. 3rd 34 (2d Cir. 1993).", [("12", "F.3d", "34")]),
    ("DOE v. ROE, 560 F. SUPP. 2D 894 (S.D.N.Y. 2008)", [("560", "F. Supp. 2d", "894")]),
    ("SEE 44 CAL. APP. 4TH 9.", [("44", "Cal. App. 4th", "9")]),
    # what must not change
    ("It fell on the 2nd 5 times, in May 2nd 2005.", []),
    ("WE SOLD 12 BOXES 34 TIMES.", []),
    ("See 560 F. Supp. 2d 894.", [("560", "F. Supp. 2d", "894")]),
    ("See 560 F. Supp. 2.", [("560", "F. Supp.", "2")]),
    ("See 12 F. 3, 5 (1880).", [("12", "F.", "3")]),
    ("It took 2 d 5 h in all.", []),
    ("See 288 U.S. 344.", [("288", "U.S.", "344")]),
]


@pytest.mark.parametrize(("text", "cases"), SERIES, ids=[row[0] for row in SERIES])
def test_a_series_apart_from_its_ending_is_one(text, cases):
    found = [one for one in find_legal(text) if one.reference.kind == "case"]
    assert [tuple(one.reference.fields[name] for name in ("volume", "reporter", "page")) for one in found] == cases
    assert all(text[slice(*one.span)] == one.reference.text for one in found)


# text, then the codes and sections in it
CODES = [
    ("See N.C. Gen. Stat. § 163-82.6.", [("N.C. Gen. Stat.", "163-82.6")]),
    ("Ohio Rev. Code § 3501.01 governs.", [("Ohio Rev. Code", "3501.01")]),
    ("Ga. Code Ann. § 21-2-417 (2019).", [("Ga. Code Ann.", "21-2-417")]),
    ("It is barred by Cal. Penal Code § 187(a).", [("Cal. Penal Code", "187(a)")]),
    ("N.Y. Gen. Bus. Law § 349(h) and Mass. Gen. Laws ch. 93A, § 9.", [("N.Y. Gen. Bus. Law", "349(h)"), ("Mass. Gen. Laws", "9")]),
    ("Tex. Bus. & Com. Code Ann. § 17.46", [("Tex. Bus. & Com. Code Ann.", "17.46")]),
    ("RCW 42.56.030 and NRS 34.726", [("RCW", "42.56.030"), ("NRS", "34.726")]),
    ("O.C.G.A. § 9-11-12; 42 Pa.C.S. § 5524; G.L. c. 231, § 60B.", [("O.C.G.A.", "9-11-12"), ("42 Pa.C.S.", "5524"), ("G.L.", "60B")]),
    ("735 ILCS 5/2-619, CPLR 3212 and N.Y. C.P.L.R. 214", [("735 ILCS", "5/2-619"), ("CPLR", "3212"), ("N.Y. C.P.L.R.", "214")]),
    ("NMSA 1978, § 37-1-8; Minn. Stat. 541.05; La. Civ. Code art. 2315", [("NMSA", "37-1-8"), ("Minn. Stat.", "541.05"), ("La. Civ. Code", "2315")]),
    ("Pen. Code, § 187; Code Civ. Proc., § 437c", [("Pen. Code", "187"), ("Code Civ. Proc.", "437c")]),
    ("Md. Code Ann., Cts. & Jud. Proc. § 5-101", [("Md. Code Ann., Cts. & Jud. Proc.", "5-101")]),
    # no codes of states
    ("The MSA § 4.2, the SLA § 3 and RC 5", []),
    ("I.R.C. § 501(c)(3), which is title 26", []),
    ("42 U.S.C. § 1983; 17 C.F.R. § 240.10b-5.", []),
    ("44 Cal. App. 4th 9; 410 Mass. 309.", []),
    ("Ohio Code of conduct and Va. 22", []),
    ("Section 3 of the lease; § 12.", []),
    ("The Code § 5 says so.", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "codes"), CODES, ids=[row[0] for row in CODES])
def test_codes_of_states_are_found(text, codes):
    found = find_state_codes(text)
    assert [(one.reference.fields["code"], one.reference.fields["section"]) for one in found] == codes
    assert all(text[slice(*one.span)] == one.reference.text for one in found)


def test_a_code_between_references_moves_what_points_back():
    text = "Roe v. Wade, 410 U.S. 113 (1973). Ga. Code Ann. § 21-2-417. Bay v. Ord, 12 F.3d 100 (9th Cir. 1993). Id. at 104."
    spotted = spot(Document("a.txt", "text", text, line_marks(text)))
    assert [one.reference.kind for one in spotted] == ["case", "state_code", "case", "id"]
    assert spotted[3].found.antecedent == 2


def test_a_code_of_a_state_is_told_as_not_covered(tmp_path):
    (tmp_path / "a.txt").write_text("Ohio Rev. Code § 3501.01 governs.")
    done = CliRunner().invoke(app, ["check", str(tmp_path / "a.txt"), "--offline", "--json"])
    [citation] = json.loads(done.stdout)["citations"]
    assert (done.exit_code, citation["kind"], citation["status"]) == (3, "state_code", "not_covered")


def test_a_broken_command_of_latex_does_not_reach_the_log(caplog):
    [found] = read_bib("a.bib", entry("note = {\\url}, howpublished = {\\href}").encode()).entries
    assert (found.reference.fields["title"], caplog.records) == (TITLE, [])


HEAD = "| Paper | Link |\n|---|---|\n"
ROWS = [
    # table, the title that is claimed of its arXiv number, why
    (f"{HEAD}| Another work | x |\n| {TITLE} | https://arxiv.org/abs/2405.01234 |", TITLE, "its row names the paper"),
    (f"No | Title | Link\n--|--|--\n1 | {TITLE} | arXiv:2405.01234", TITLE, "a table without outer bars"),
    (
        f"| Data | Link |\n|---|---|\n| {TITLE} | https://arxiv.org/abs/2405.01234 |",
        None,
        "its head says something else",
    ),
    (f"{TITLE}\n\nhttps://arxiv.org/abs/2405.01234", None, "no table"),
]


@pytest.mark.parametrize(("table", "title", "source"), ROWS, ids=[row[2] for row in ROWS])
def test_a_row_of_a_table_claims_its_title(table, title, source):
    [found] = [one.reference for one in find_references(table) if one.reference.kind == "arxiv"]
    assert found.fields.get("title") == title, source
