"""EDGAR's full-text submissions: the header, the documents in one, and the pages of those from before HTML.

The form is that of sec.gov's "PDS Dissemination Specification": SGML tags, one header, one <DOCUMENT> each. The text is made up.
"""

import json

import pytest

from showable.errors import InputError
from showable.harness.corpora.edgar import read_edgar
from showable.harness.corpora.open import open_corpus

HEADER = """<SEC-DOCUMENT>0000999999-30-000012.txt : 20300401
<SEC-HEADER>0000999999-30-000012.hdr.sgml : 20300401
<ACCEPTANCE-DATETIME>20300401160153
ACCESSION NUMBER:		0000999999-30-000012
CONFORMED SUBMISSION TYPE:	10-K
PUBLIC DOCUMENT COUNT:		3
CONFORMED PERIOD OF REPORT:	20291231
FILED AS OF DATE:		20300401

FILER:

	COMPANY DATA:
		COMPANY CONFORMED NAME:			FENNICK & DRAY INC
		CENTRAL INDEX KEY:			0000999999
</SEC-HEADER>
"""
LONG = "The company binds books for libraries and repairs old ones by hand. " * 40


def document(kind, name, text, description="A DESCRIPTION"):
    named = f"<FILENAME>{name}\n" if name else ""
    return f"<DOCUMENT>\n<TYPE>{kind}\n<SEQUENCE>1\n{named}<DESCRIPTION>{description}\n<TEXT>\n{text}\n</TEXT>\n</DOCUMENT>\n"


def submission(*documents, header=HEADER):
    return header + "".join(documents) + "</SEC-DOCUMENT>\n"


def write(path, text):
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_html_documents_are_read_and_what_is_no_text_is_passed_over(tmp_path):
    page = (
        "<XBRL>\n<?xml version='1.0' encoding='ASCII'?>\n<html><head><meta charset='windows-1252'></head>"
        "<body><p>We bind books — by hand.</p><p>Net sales were 412.</p></body></html>\n</XBRL>"
    )
    text = submission(
        document("10-K", "fd-20291231.htm", page),
        document("EX-21.1", "ex21.htm", "<html><body><p>One subsidiary.</p></body></html>"),
        document("GRAPHIC", "logo.jpg", "begin 644 logo.jpg\nM_]C_X\nend"),
        document("EX-101.SCH", "fd.xsd", "<XBRL><?xml version='1.0'?><xsd/></XBRL>"),
        document("ZIP", "all.zip", "begin 644 all.zip\nend"),
    )
    corpus = read_edgar(write(tmp_path / "s.txt", text))
    assert list(corpus.by_document) == [
        "0000999999-30-000012/fd-20291231.htm",
        "0000999999-30-000012/ex21.htm",
    ]
    first = corpus.sources[0]
    assert first.text.split("\n\n") == ["We bind books — by hand.", "Net sales were 412."]
    assert (first.title, first.page) == ("FENNICK & DRAY INC, 10-K, 2029-12-31", None)
    assert first.metadata == {
        "accession": "0000999999-30-000012",
        "form": "10-K",
        "company": "FENNICK & DRAY INC",
        "cik": "0000999999",
        "filed": "2030-04-01",
        "period": "2029-12-31",
        "type": "10-K",
        "document": "0000999999-30-000012/fd-20291231.htm",
        "start": 0,
    }
    assert corpus.sources[1].metadata["type"] == "EX-21.1"
    assert (corpus.labelled, corpus.notes) == ((), ())


def test_a_plain_text_filing_keeps_its_pages(tmp_path):
    body = f"ANNUAL REPORT\n\n{LONG}\n<PAGE>   2\nItem 2. Properties\n\n{LONG}\n<PAGE>\n{LONG}"
    corpus = read_edgar(write(tmp_path / "s.txt", submission(document("10-K405", "", body))))
    assert list(corpus.by_document) == ["0000999999-30-000012/1"]
    assert "<PAGE>" not in "".join(source.text for source in corpus.sources)
    by_page = {source.page: source.text for source in reversed(corpus.sources)}
    assert list(by_page) == [3, 2, 1]
    assert by_page[1].startswith("ANNUAL REPORT")
    assert corpus.sources == tuple(sorted(corpus.sources, key=lambda source: source.page))


def test_a_page_mark_at_the_very_top_begins_page_one(tmp_path):
    body = f"<PAGE>   1\n{LONG}\n<PAGE>   2\n{LONG}"
    corpus = read_edgar(write(tmp_path / "s.txt", submission(document("10-K", "", body))))
    assert {source.page for source in corpus.sources} == {1, 2}


def test_marks_of_tables_are_no_words(tmp_path):
    body = "Results\n<TABLE>\n<CAPTION>\n             2029   2030\n<S>          <C>    <C>\nNet sales    380    412\n</TABLE>\nThe end."
    corpus = read_edgar(write(tmp_path / "s.txt", submission(document("10-K", "", body))))
    text = corpus.sources[0].text
    assert "Net sales    380    412" in text
    assert "<" not in text


def test_a_folder_of_filings_names_what_it_leaves_out(tmp_path):
    (tmp_path / "sub").mkdir()
    write(tmp_path / "a.txt", submission(document("8-K", "a.txt", "An event took place.")))
    write(tmp_path / "sub" / "b.htm", "<html><body><p>Another filing.</p></body></html>")
    write(tmp_path / "c.txt", "Notes of somebody.")
    write(tmp_path / "checksums.json", "{}")
    corpus = read_edgar(tmp_path)
    assert list(corpus.by_document) == ["0000999999-30-000012/a.txt", "sub/b.htm"]
    assert corpus.notes == (
        "1 of 3 files left out:",
        f"left out: {tmp_path}/c.txt: is no EDGAR submission: it begins with none of <SEC-DOCUMENT>, <SEC-HEADER>",
    )


REPORT = {
    "filename": "999999_2030.htm",
    "cik": "999999",
    "year": "2030",
    "section_1": "We bind books.",
    "section_1A": "",
}


def test_rows_of_edgar_corpus_are_reports_by_their_items(tmp_path):
    """Fields as EDGAR-CORPUS publishes them: filename, cik, year, and a section for each item."""
    rows = json.dumps({**REPORT, "section_7": "Sales rose."}) + "\n\n" + json.dumps({**REPORT, "filename": "2.htm"})
    first, second = read_edgar(write(tmp_path / "test.jsonl", rows)).sources
    assert first.text == "Item 1\n\nWe bind books.\n\nItem 7\n\nSales rose."
    assert (first.source_id, first.title) == ("999999_2030.htm#1", "999999 2030, 10-K")
    assert (first.metadata["cik"], first.metadata["year"]) == ("999999", "2030")
    assert second.source_id == "2.htm#1"
    assert len(read_edgar(write(tmp_path / "one.json", json.dumps(REPORT))).sources) == 1
    assert len(read_edgar(tmp_path).sources) == 3


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ({**REPORT, "section_1": ""}, r"t\.jsonl:1: expected the text of an item"),
        ({**REPORT, "section_1": 5}, r"t\.jsonl:1: section_1: expected a string"),
        ({"cik": "1", "year": "2030"}, r"t\.jsonl:1: filename: this field is missing"),
    ],
)
def test_a_row_that_is_no_report_is_named(tmp_path, rows, said):
    with pytest.raises(InputError, match=said):
        read_edgar(write(tmp_path / "t.jsonl", json.dumps(rows)))


def test_a_packed_document_is_left_out_and_said(tmp_path):
    text = submission(document("10-K", "", "The report."), document("EX-99", "x.doc", "begin 644 x.doc\nM1\nend"))
    corpus = read_edgar(write(tmp_path / "s.txt", text))
    assert [source.text for source in corpus.sources] == ["The report."]
    assert corpus.notes[1] == f"left out: {tmp_path}/s.txt/x.doc: is no text: it is packed (uuencoded)"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("s.txt", "plain words", "is no EDGAR submission"),
        ("s.txt", submission(header=HEADER), "holds no <DOCUMENT> with text"),
        (
            "s.txt",
            submission(document("10-K", "", "x"), header="<SEC-DOCUMENT>\n"),
            "its header has no ACCESSION NUMBER",
        ),
        ("s.txt", submission(document("GRAPHIC", "a.jpg", "x")), "holds no <DOCUMENT> with text"),
        ("s.txt", submission("<DOCUMENT>\n<TYPE>10-K\n</DOCUMENT>\n"), "holds no <DOCUMENT> with text"),
        ("s.txt", b"\x01\x02\x03" * 99, "control bytes"),
        ("s.htm", "", "is empty"),
    ],
)
def test_a_file_that_is_no_filing_is_said_once(tmp_path, name, text, said):
    with pytest.raises(InputError, match=said) as caught:
        read_edgar(write(tmp_path / name, text))
    assert str(caught.value).count(str(tmp_path)) == 1


def test_an_empty_folder_is_the_users_mistake(tmp_path):
    with pytest.raises(InputError, match=r"no filing in it \(\.txt, \.htm"):
        read_edgar(tmp_path)


def test_a_filing_that_is_there_twice_is_refused(tmp_path):
    for name in ("a.txt", "b.txt"):
        write(tmp_path / name, submission(document("8-K", "e.txt", "An event took place.")))
    with pytest.raises(InputError, match=r"the passage '0000999999-30-000012/e\.txt#1' stands twice"):
        open_corpus(f"edgar:{tmp_path}")
