"""Files of answers as a newcomer has them: other names, no ids, a spreadsheet, another encoding."""

import json
import time
import zipfile

import pytest

from showable.api import read_records
from showable.errors import InputError
from showable.records.record_file import check_record_file

QUESTION, ANSWER, PASSAGES = "How long is the notice?", "Thirty days [1].", ["Notice is thirty days.", "Rent is due."]
ROW = {"question": QUESTION, "answer": ANSWER}
TEXTS = [(QUESTION, ANSWER, PASSAGES)]


def read(tmp_path, name, data):
    path = tmp_path / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return read_records(path)


def texts(records):
    return [(one.question, one.answer, [source.text for source in one.retrieved or ()]) for one in records]


NAMES = [
    # names of the row's fields, source of the row
    (("query", "response", "contexts"), "the names in the README of most RAG tutorials"),
    (("Query", "Response", "Documents"), "capitals, as a spreadsheet writes them"),
    (("user_query", "generated_answer", "retrieved_documents"), "names of teams"),
    (("prompt", "completion", "chunks"), "names of teams"),
    (("question", "answer", "docs"), "names of teams"),
]


@pytest.mark.parametrize(("names", "source"), NAMES)
@pytest.mark.parametrize("form", ["jsonl", "json", "csv"])
def test_the_names_that_tables_have_are_read_in_every_form(tmp_path, names, source, form):
    question, answer, contexts = names
    row = {question: QUESTION, answer: ANSWER, contexts: PASSAGES}
    cells = [json.dumps(PASSAGES).replace('"', '""')]
    data = {
        "jsonl": json.dumps(row) + "\n",
        "json": json.dumps([row], indent=2),
        "csv": f'{question},{answer},{contexts}\n{QUESTION},{ANSWER},"{cells[0]}"\n',
    }[form]
    assert texts(read(tmp_path, f"answers.{form}", data)) == TEXTS, source


RECORDS_WITH_A_MISTAKE = [
    # the row, what is said of it
    (ROW | {"id": "a", "retreived": []}, "retreived"),  # misspelt, and the log is in it
    (ROW | {"id": "a", "profil": "legal"}, "profil"),  # misspelt, and a text
    (ROW | {"retrieved": [{"source_id": "s"}], "contexts": ["x"]}, "contexts"),  # two logs
    (ROW | {"passages": ["x"], "hits": [{"text": "y"}]}, "passages"),  # a list under a name that nobody knows
]


@pytest.mark.parametrize(("row", "said"), RECORDS_WITH_A_MISTAKE)
def test_a_record_with_a_mistake_is_not_taken_for_a_row(tmp_path, row, said):
    with pytest.raises(InputError, match=said):
        read(tmp_path, "answers.jsonl", json.dumps(row) + "\n")


IDS = [
    # lines, ids, source
    ([ROW, ROW], ["line-1", "line-2"], "no line has one"),
    ([ROW | {"id": "a"}, ROW], ["a", "line-2"], "one has one"),
    ([ROW, "", ROW], ["line-1", "line-3"], "a blank line is a line: editors count it"),
]


@pytest.mark.parametrize(("lines", "ids", "source"), IDS)
def test_an_id_is_made_from_the_line_and_is_the_same_every_time(tmp_path, lines, ids, source):
    data = "".join(f"{json.dumps(line) if line else ''}\n" for line in lines)
    for _ in range(2):
        assert [record.id for record in read(tmp_path, "answers.jsonl", data)] == ids, source
    assert check_record_file(tmp_path / "answers.jsonl").named == sum(name.startswith("line-") for name in ids)


def test_a_given_id_that_a_line_is_called_by_is_refused(tmp_path):
    data = json.dumps(ROW | {"id": "line-2"}) + "\n" + json.dumps(ROW) + "\n"
    with pytest.raises(InputError, match="'line-2' stands on line 1 already"):
        read(tmp_path, "answers.jsonl", data)


def test_made_ids_are_told_once(cli, tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(ROW | {"retrieved": []}) + "\n" for _ in range(30)))
    code, _, err = cli("score", path, "--judge", "lexical", "--out", tmp_path / "run")
    assert (code, err.count("have no id")) == (0, 1)
    assert "30 of 30 records have no id: called by line (line-1 …)" in err


def workbook(path, *rows, sheets=1):
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl reads spreadsheets: pip install 'showable[xlsx]'")
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for _ in range(sheets - 1):
        book.create_sheet().append(["not", "read"])
    book.save(path)
    return path


HEADER = ["Question", "Answer", "Contexts", "ID", "Score"]


@pytest.mark.parametrize("name", ["answers.xlsx", "answers.csv", "answers.jsonl", "answers"])
def test_the_first_sheet_of_a_workbook_is_read_whatever_it_is_called(tmp_path, name):
    row = [QUESTION, ANSWER, json.dumps(PASSAGES), 7.0, 0.25]
    path = workbook(tmp_path / "made.xlsx", ["Answers of March"], [], HEADER, [], row, sheets=2)
    path.rename(tmp_path / name)
    records = read_records(tmp_path / name)
    assert texts(records) == TEXTS
    assert [record.id for record in records] == ["7"]


def test_a_row_wider_than_the_header_is_named(tmp_path):
    path = workbook(tmp_path / "a.xlsx", ["question", "answer"], [QUESTION, ANSWER], [QUESTION, ANSWER, "more"])
    with pytest.raises(InputError, match=r"a\.xlsx:3: expected 2 cells, as the header has, got 3"):
        read_records(path)


def test_a_workbook_beyond_the_cap_is_refused(tmp_path, monkeypatch):
    path = workbook(tmp_path / "a.xlsx", ["question", "answer"], *([QUESTION, ANSWER] for _ in range(9)))
    monkeypatch.setattr("showable.converters.spreadsheet.MAX_CELLS", 10)
    with pytest.raises(InputError, match="10 cells: save it as CSV"):
        read_records(path)
    monkeypatch.setattr("showable.converters.spreadsheet.MAX_UNPACKED", 10)
    with pytest.raises(InputError, match="is a workbook of 0 MiB: save the sheet as CSV"):
        read_records(path)


def test_a_sheet_that_says_it_is_huge_costs_what_it_holds(tmp_path):
    """Its dimension is the file's word: believed, every row is padded to 16,384 cells."""
    path = workbook(tmp_path / "a.xlsx", ["question", "answer"], *([QUESTION, ANSWER] for _ in range(999)))
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    sheet = parts["xl/worksheets/sheet1.xml"]
    assert b'ref="A1:B1000"' in sheet
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data.replace(b'ref="A1:B1000"', b'ref="A1:XFD1048576"') if data == sheet else data)
    began = time.process_time()
    assert len(read_records(path)) == 999
    assert time.process_time() - began < 2.0


def test_without_openpyxl_a_workbook_is_named(tmp_path, monkeypatch):
    path = workbook(tmp_path / "a.xlsx", ["question", "answer"])
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    with pytest.raises(InputError, match=r"is a spreadsheet: save it as CSV, or pip install 'showable\[xlsx\]'"):
        read_records(path)


def zipped(path, *names):
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, "<x/>")
    return path.read_bytes()


LATIN = "question,answer\n" + "Où est la clé ?,Là.\n" * 3
OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(64)
KINDS = [
    # name, bytes, what is said
    ("a.csv", ("\ufeff" + LATIN).encode("utf-16-le"), "is UTF-16"),
    ("a.csv", LATIN.encode("utf-16-be"), "is binary, or UTF-16"),
    ("a.txt", LATIN.encode("latin-1"), "is not UTF-8 text"),
    ("a.jsonl", (json.dumps(ROW | {"question": "Où ?"}, ensure_ascii=False) + "\n").encode("latin-1") * 9, "not UTF-8"),
    ("a.jsonl", b"\xff\xfa{}\n", "is not UTF-8 text"),
    ("a.jsonl", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is binary"),
    ("a.pdf", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "is a PDF"),
    ("a.xls", OFFICE, "is an old Office file"),
    ("a.xlsx", OFFICE, "is an old Office file"),
]


@pytest.mark.parametrize(("name", "data", "said"), KINDS)
def test_a_file_of_another_kind_is_one_line(cli, tmp_path, name, data, said):
    path = tmp_path / name
    path.write_bytes(data)
    code, out, err = cli("score", path, "--judge", "lexical", "--out", tmp_path / "run")
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert f"{name}" in err
    assert said in err


@pytest.mark.parametrize(
    ("held", "said"), [("word/document.xml", "a Word document"), ("content.xml", "an OpenDocument file")]
)
def test_other_office_files_are_named(tmp_path, held, said):
    with pytest.raises(InputError, match=f"is {said}: save the answers as CSV"):
        read(tmp_path, "a.xlsx", zipped(tmp_path / "z.zip", held))


def test_a_damaged_workbook_is_one_line(tmp_path):
    pytest.importorskip("openpyxl", reason="openpyxl reads spreadsheets: pip install 'showable[xlsx]'")
    with pytest.raises(InputError, match="is a damaged workbook"):
        read(tmp_path, "a.xlsx", zipped(tmp_path / "z.zip", "xl/workbook.xml"))


def test_one_bad_line_among_good_ones_is_told_by_its_number(tmp_path):
    good = json.dumps(ROW | {"retrieved": []}).encode() + b"\n"
    with pytest.raises(InputError, match=r"a\.jsonl:2: not UTF-8"):
        read(tmp_path, "a.jsonl", good + b'{"question": "\xe9"}\n' + good * 3)
