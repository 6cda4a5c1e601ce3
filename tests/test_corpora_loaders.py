"""CUAD, FinanceBench and GovReport in their published shapes: what each loader makes of a file, and what it says of a bad one.

The shapes are those of the publishers' repositories; the texts are made up.
"""

import gzip
import io
import json
import tarfile
import zipfile
from pathlib import Path

import pytest

from showable.errors import InputError
from showable.harness.corpora import archive
from showable.harness.corpora.cuad import CLAUSE_QUESTIONS, category_of, name_of, read_cuad
from showable.harness.corpora.financebench import read_financebench
from showable.harness.corpora.govreport import read_govreport

EVIDENCE = Path(__file__).parents[2] / "shared" / "data" / "answers" / "financebench_evidence.jsonl.gz"

TITLE = "QUILLMERE,INC_04_01_2030-EX-10.2-SUPPLY AGREEMENT"
LAW = "This Agreement is governed by the law of Westmark."
FILLER = "The parties keep records of every delivery and exchange them each month without delay. " * 30
CONTRACT = f"SUPPLY AGREEMENT\n\n{LAW}\n\n{FILLER}\n\nThe Supplier insures the goods in transit."


def instruction(category):
    return f'Highlight the parts (if any) of this contract related to "{category}" that should be reviewed by a lawyer.'


def asked(category, *spans, start=None):
    answers = [{"text": span, "answer_start": CONTRACT.index(span) if start is None else start} for span in spans]
    return {
        "id": f"{TITLE}__{category}",
        "question": instruction(category),
        "answers": answers,
        "is_impossible": not spans,
    }


def cuad(*qas, title=TITLE):
    paragraph = {"context": CONTRACT, "qas": list(qas)}
    return json.dumps({"version": "aok_v1.0", "data": [{"title": title, "paragraphs": [paragraph]}]}).encode()


def write(path, data):
    path.write_bytes(data)
    return path


def zipped(**files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data)  # without the time of day, which would change a test's name
    return out.getvalue()


def tarred(files):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return gzip.compress(out.getvalue(), mtime=0)


def words_of(corpus, evidence):
    return corpus.by_id[evidence.source_id].text[evidence.start : evidence.end]


def test_cuad_labels_what_a_contract_has_and_what_it_lacks(tmp_path):
    corpus = read_cuad(write(tmp_path / "CUADv1.json", cuad(asked("Governing Law", LAW), asked("Source Code Escrow"))))
    law, escrow = corpus.labelled
    assert law.question == "In the Supply Agreement of QUILLMERE, INC (2030), which law governs the agreement?"
    assert (law.kind, law.gold.answer, law.gold.answerable) == ("answered", LAW, True)
    assert [words_of(corpus, evidence) for evidence in law.gold.evidence] == [LAW]
    assert (escrow.kind, escrow.gold.answer, escrow.gold.answerable) == ("absent", None, False)
    assert law.document == escrow.document == "QUILLMERE_INC_04_01_2030-EX-10.2-SUPPLY_AGREEMENT"
    assert list(corpus.by_document) == [law.document]
    assert corpus.sources[0].title == "Supply Agreement of QUILLMERE, INC (2030)"
    assert corpus.licence == "CC BY 4.0"
    for source in corpus.sources:
        assert CONTRACT[source.metadata["start"] :].startswith(source.text)


def test_a_span_that_crosses_passages_is_evidence_in_each(tmp_path):
    corpus = read_cuad(write(tmp_path / "CUADv1.json", cuad(asked("Insurance", FILLER.strip()))))
    evidence = corpus.labelled[0].gold.evidence
    assert len(evidence) > 2
    assert len({one.source_id for one in evidence}) == len(evidence)
    assert " ".join(words_of(corpus, one) for one in evidence).split() == FILLER.split()


def test_every_marked_span_of_a_clause_is_evidence(tmp_path):
    spans = ["SUPPLY AGREEMENT", "The Supplier insures the goods in transit."]
    corpus = read_cuad(write(tmp_path / "CUADv1.json", cuad(asked("Document Name", *spans))))
    gold = corpus.labelled[0].gold
    assert gold.answer == "; ".join(spans)
    assert [words_of(corpus, one) for one in gold.evidence] == spans


def test_cuad_counts_what_it_leaves_out(tmp_path):
    body = cuad(asked("Governing Law", LAW, start=3), asked("Tea Breaks"), asked("Insurance"))
    corpus = read_cuad(write(tmp_path / "CUADv1.json", body))
    assert len(corpus.labelled) == 1
    assert corpus.notes == (
        "1 questions left out: a marked span does not stand where the label says",
        "1 questions left out: 'Tea Breaks' is none of CUAD's 41 kinds of clause",
    )


@pytest.mark.parametrize("inside", ["CUADv1.json", "CUAD_v1/CUAD_v1.json"], ids=["repository", "Zenodo"])
def test_cuad_is_read_from_its_archives(tmp_path, inside):
    body = zipped(**{inside: cuad(asked("Insurance")), "train_separate_questions.json": b"{", "._CUADv1.json": b"x"})
    assert len(read_cuad(write(tmp_path / "data.zip", body)).labelled) == 1


def test_there_is_a_question_for_each_of_the_41_kinds_of_clause():
    """41: Hendrycks et al. 2021, table of categories."""
    assert len(CLAUSE_QUESTIONS) == len(set(CLAUSE_QUESTIONS.values())) == 41
    assert all(name == name.casefold() and asks.endswith("?") for name, asks in CLAUSE_QUESTIONS.items())


@pytest.mark.parametrize(
    ("asked_id", "question", "expected"),
    [
        ("T__Rofr/Rofo/Rofn", instruction("Rofr/Rofo/Rofn"), "Rofr/Rofo/Rofn"),
        ("T__Cap On Liability", "What is the cap?", "Cap On Liability"),
    ],
)
def test_the_kind_of_clause_is_named_in_the_question_else_in_the_id(asked_id, question, expected):
    assert category_of(asked_id, question) == expected


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        # the forms of CUAD's titles, as in its list of contracts; the companies are made up
        ("QUILLMERECO_09_09_1999-EX-10-DISTRIBUTOR AGREEMENT", "Distributor Agreement of QUILLMERECO (1999)"),
        (
            "FennickDrayInc_20140520_10-Q_EX-10.27_8605784_EX-10.27_Affiliate Agreement1",
            "Affiliate Agreement of Fennick Dray Inc (2014)",
        ),
        ("THISTLE_05_11_2020-EX-99.(K)(1)-SERVICE AGREEMENT", "Service Agreement of THISTLE (2020)"),
        ("Tallow Company - SECOND AGENCY AND SALES AGREEMENT ", "Second Agency and Sales Agreement of Tallow Company"),
        ("Untold", "contract Untold"),
    ],
)
def test_a_contract_is_named_as_a_person_would(title, expected):
    assert name_of(title) == expected


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"{", "not JSON"),
        (b'{"data": []}', "data: "),
        (b'{"rows": 1}', "data: this field is missing"),
        (
            cuad({"id": "x", "question": "q", "answers": [{"text": "a"}]}),
            "answers.0.answer_start: this field is missing",
        ),
        (cuad({"id": "x", "question": "q"}), "qas.0.answers: this field is missing"),
        (cuad(title=""), "title: expected at least one character"),
        (b"\xff\xfe", "not UTF-8"),
    ],
)
def test_a_cuad_file_that_is_not_as_published_is_named_by_field(tmp_path, body, said):
    with pytest.raises(InputError, match=rf"CUADv1\.json.*{said}"):
        read_cuad(write(tmp_path / "CUADv1.json", body))


@pytest.mark.parametrize(
    ("name", "body", "said"),
    [
        ("data.zip", zipped(other=b"x"), r"holds no CUAD_v1\.json or CUADv1\.json"),
        ("data.zip", zipped(**{"CUADv1.json": b"{}" * 400})[:-30], "not UTF-8|damaged|not JSON"),
        ("data.tar.gz", tarred({"CUADv1.json": b"{}" * 4000})[:-20], "damaged"),
    ],
)
def test_an_archive_without_the_file_or_damaged_is_said(tmp_path, name, body, said):
    with pytest.raises(InputError, match=said) as caught:
        read_cuad(write(tmp_path / name, body))
    assert str(caught.value).startswith(str(tmp_path / name))


PAGE = "Consolidated results\nNet  sales\n2030\n412\n2029\n380\nThe accompanying notes are part of this statement."
ASKED = {
    "financebench_id": "financebench_id_1",
    "company": "Fennick",
    "doc_name": "FENNICK_2030_10K",
    "question_type": "metrics-generated",
    "question": "What were the net\n sales of Fennick in FY2030?",
    "answer": "$412.00",
    "justification": "Read off the line of net sales.",
    "evidence": [
        {
            "evidence_text": "Net sales 2030 412",
            "doc_name": "FENNICK_2030_10K",
            "evidence_page_num": 44,
            "evidence_text_full_page": PAGE,
        }
    ],
}
ABOUT = {
    "doc_name": "FENNICK_2030_10K",
    "company": "Fennick",
    "gics_sector": "Industrials",
    "doc_type": "10k",
    "doc_period": 2030,
    "doc_link": "https://example.com/fennick-2030.pdf",
}


def rows(*values):
    return "".join(json.dumps(value) + "\n" for value in values).encode()


def test_financebench_pages_are_passages_with_their_page_and_span(tmp_path):
    write(tmp_path / "financebench_open_source.jsonl", rows(ASKED))
    write(tmp_path / "financebench_document_information.jsonl", rows(ABOUT))
    corpus = read_financebench(tmp_path)
    (source,) = corpus.sources
    assert (source.source_id, source.page, source.text) == ("FENNICK_2030_10K-p44", 45, PAGE)
    assert source.url == "https://example.com/fennick-2030.pdf"
    assert source.metadata == {
        "company": "Fennick",
        "doc_type": "10k",
        "doc_period": "2030",
        "document": "FENNICK_2030_10K",
        "start": 0,
    }
    (one,) = corpus.labelled
    assert (one.id, one.kind, one.document) == ("financebench_id_1", "answered", "FENNICK_2030_10K")
    assert one.question == "What were the net sales of Fennick in FY2030?"
    assert (one.gold.answer, one.gold.why) == ("$412.00", "Read off the line of net sales.")
    assert [words_of(corpus, evidence) for evidence in one.gold.evidence] == ["Net  sales\n2030\n412"]


def test_financebench_without_full_pages_joins_the_pieces_of_a_page(tmp_path):
    pieces = [
        {"evidence_text": text, "evidence_doc_name": "F_2030_10K", "evidence_page_num": 0} for text in ("One.", "Two.")
    ]
    path = write(tmp_path / "f.jsonl", rows({**ASKED, "evidence": pieces}))
    corpus = read_financebench(path)
    assert [(source.source_id, source.page, source.text) for source in corpus.sources] == [
        ("F_2030_10K-p0", 1, "One.\n\nTwo.")
    ]
    assert [words_of(corpus, one) for one in corpus.labelled[0].gold.evidence] == ["One.", "Two."]


def test_evidence_that_is_not_on_its_page_points_to_the_page_alone(tmp_path):
    evidence = [{**ASKED["evidence"][0], "evidence_text": "Something else."}]
    corpus = read_financebench(write(tmp_path / "f.jsonl", rows({**ASKED, "evidence": evidence})))
    assert [(one.start, one.end) for one in corpus.labelled[0].gold.evidence] == [(None, None)]


def test_pages_of_a_document_come_in_order(tmp_path):
    late, early = dict(ASKED["evidence"][0]), {**ASKED["evidence"][0], "evidence_page_num": 3}
    corpus = read_financebench(write(tmp_path / "f.jsonl", rows({**ASKED, "evidence": [late, early]})))
    assert [source.metadata["start"] for source in corpus.sources] == [0, len(PAGE) + 2]
    assert [source.page for source in corpus.sources] == [4, 45]


def test_rows_of_question_passages_and_answers_are_financebench_too(tmp_path):
    row = {
        "id": "q1",
        "question": "Net sales?",
        "passages": [{"id": "F_2030_10K-p7", "title": "F_2030_10K", "text": PAGE, "evidence": "Net  sales\n2030\n412"}],
        "answers": [412],
        "answerable": True,
    }
    corpus = read_financebench(write(tmp_path / "e.jsonl.gz", gzip.compress(rows(row))))
    assert corpus.labelled[0].gold.answer == "412"
    assert words_of(corpus, corpus.labelled[0].gold.evidence[0]) == "Net  sales\n2030\n412"
    assert corpus.sources[0].page == 8
    with pytest.raises(InputError, match=r"e\.jsonl:1: passages\.0\.id: expected DOCUMENT-pNUMBER, got 'F_2030'"):
        read_financebench(write(tmp_path / "e.jsonl", rows({**row, "passages": [{"id": "F_2030", "text": "x"}]})))


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({**ASKED, "evidence": []}, "1: evidence: "),
        ({**ASKED, "evidence": [{"evidence_text": "x", "doc_name": "d"}]}, "1: evidence.0.evidence_page_num: "),
        ({**ASKED, "evidence": [{"evidence_text": "x", "evidence_page_num": 1}]}, "1: evidence.0.doc_name: "),
        ({**ASKED, "question": ""}, "1: question: expected at least one character"),
        ({**ASKED, "answer": None}, "1: answer: expected a string, got null"),
        ([1], "1: "),
        (ABOUT, "holds no questions"),
    ],
)
def test_a_financebench_row_that_is_not_as_published_is_named(tmp_path, row, said):
    with pytest.raises(InputError, match=rf"f\.jsonl:.*{said}"):
        read_financebench(write(tmp_path / "f.jsonl", rows(row)))


@pytest.mark.skipif(not EVIDENCE.exists(), reason="needs ../shared/data, which is not here")
def test_the_evidence_of_the_recorded_answers_is_read():
    """Counts of the file itself: 44 questions on 56 pages of 38 documents; every piece of evidence stands on its page."""
    corpus = read_financebench(EVIDENCE)
    assert (len(corpus.labelled), len(corpus.sources), len(corpus.by_document)) == (44, 56, 38)
    for one in corpus.labelled:
        assert one.gold.answerable
        assert one.gold.answer
        for evidence in one.gold.evidence:
            assert evidence.start is not None
            assert words_of(corpus, evidence).strip()


CRS = {
    "id": "R45001",
    "title": "Ferries: Background",
    "released_date": "2030-04-01",
    "summary": ["A summary."],
    "reports": {
        "section_title": "",
        "paragraphs": ["The ferries run daily."],
        "subsections": [
            {"section_title": "History", "paragraphs": ["They were slow.", "They are not now."], "subsections": []}
        ],
    },
}
GAO = {
    "id": "GAO-30-1",
    "title": "Bridges",
    "url": "https://example.org/gao-30-1",
    "released_date": ["Released: Apr 1, 2030."],
    "highlight": [],
    "report": [
        {"section_title": "Background", "paragraphs": ["The bridges are old."], "subsections": []},
        {"section_title": "Conclusions", "paragraphs": ["They should be renewed."], "subsections": []},
    ],
}


def test_both_kinds_of_report_are_read_with_their_sections(tmp_path):
    files = {"gov-report/crs/R45001.json": rows(CRS), "gov-report/gao/GAO-30-1.json": rows(GAO)}
    corpus = read_govreport(write(tmp_path / "gov-report.tar.gz", tarred(files)))
    crs, gao = corpus.sources
    assert crs.text == "The ferries run daily.\n\nHistory\n\nThey were slow.\n\nThey are not now."
    assert (crs.source_id, crs.title, crs.metadata["released"]) == ("R45001#1", "Ferries: Background", "2030-04-01")
    assert gao.text.split("\n\n") == ["Background", "The bridges are old.", "Conclusions", "They should be renewed."]
    assert (gao.url, gao.metadata["released"]) == ("https://example.org/gao-30-1", "Released: Apr 1, 2030.")
    assert (corpus.labelled, corpus.notes) == ((), ())


def test_of_the_whole_release_the_test_split_is_read_and_the_rest_is_said(tmp_path):
    files = {
        "gov-report/split_ids/crs_test.ids": b"R45001\n",
        "gov-report/split_ids/gao_test.ids": b"",
        "gov-report/split_ids/gao_train.ids": b"GAO-30-1\n",
        "gov-report/crs/R45001.json": rows(CRS),
        "gov-report/gao/GAO-30-1.json": b"{ not read",
    }
    corpus = read_govreport(write(tmp_path / "gov-report.tar.gz", tarred(files)))
    assert list(corpus.by_document) == ["R45001"]
    assert corpus.notes == ("the test split is read: 1 reports; 1 of other splits are not",)


def test_a_folder_of_reports_and_rows_of_text_are_read(tmp_path):
    write(tmp_path / "R45001.json", rows(CRS))
    write(tmp_path / "rows.jsonl", rows({"id": "GAO_1", "document": "The tunnels are new.", "summary": "s"}))
    assert list(read_govreport(tmp_path).by_document) == ["R45001", "GAO_1"]


@pytest.mark.parametrize(
    ("name", "body", "said"),
    [
        ("a.json", b"{", "not JSON"),
        ("a.json", rows({"id": "x"}), "expected the body of a report in `reports` or `report`"),
        ("a.json", rows({**CRS, "reports": {"paragraphs": "text"}}), "reports.paragraphs: expected a valid list"),
        ("a.json", rows({**CRS, "reports": {"paragraphs": [" "]}}), "the report is empty"),
        ("a.json", rows({**CRS, "id": None}), "id: "),
        ("a.jsonl", rows({"id": "x", "document": "y"}, {"id": "x"}), r"a\.jsonl:2: document: this field is missing"),
        ("a.tar.gz", tarred({"readme.txt": b"x"}), "holds no reports"),
    ],
)
def test_a_report_that_is_not_as_released_is_named(tmp_path, name, body, said):
    with pytest.raises(InputError, match=said) as caught:
        read_govreport(write(tmp_path / name, body))
    assert str(caught.value).startswith(str(tmp_path))


def test_spans_of_a_later_paragraph_are_placed_after_the_one_before(tmp_path):
    second = "The Buyer pays within ten days."
    later = {
        "id": "T__Insurance",
        "question": "",
        "answers": [{"text": "ten days", "answer_start": second.index("ten")}],
    }
    paragraphs = [{"context": CONTRACT, "qas": []}, {"context": second, "qas": [later]}]
    body = json.dumps({"data": [{"title": TITLE, "paragraphs": paragraphs}]}).encode()
    corpus = read_cuad(write(tmp_path / "CUADv1.json", body))
    assert [words_of(corpus, one) for one in corpus.labelled[0].gold.evidence] == ["ten days"]


def test_what_is_written_beside_downloads_is_no_file_of_a_folder(tmp_path):
    write(tmp_path / archive.CHECKSUMS, b"{}")
    write(tmp_path / "a.json", b"{}")
    assert [member.name for member in archive.members(tmp_path, lambda name: True)] == ["a.json"]


@pytest.mark.parametrize(("name", "pack"), [("a.zip", lambda files: zipped(**files)), ("a.tar.gz", tarred)])
def test_a_file_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch, name, pack):
    monkeypatch.setattr(archive, "_LARGEST", 1_000)
    path = write(tmp_path / name, pack({"CUADv1.json": b" " * 1_001}))
    with pytest.raises(InputError, match=r"holds CUADv1\.json, of more than"):
        read_cuad(path)
