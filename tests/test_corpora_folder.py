"""A folder of documents as a corpus: what is read, what is left out and said so, and where each passage stands."""

import gzip
import io
import json
import os

import pytest
from small_pdf import pdf

from showable.errors import InputError, SettingError
from showable.harness.corpora import labelled_rows
from showable.harness.corpora.folder import read_folder
from showable.harness.corpora.open import EMBEDDED, LOADERS, open_corpus

LEASE = "# Lease of Unit 4\n\nThe tenant pays rent each quarter.\n"


def docx(*paragraphs):
    import docx as library

    document, out = library.Document(), io.BytesIO()
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    document.save(out)
    return out.getvalue()


def lines(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def fill(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def test_every_kind_of_document_is_read_in_the_order_of_names(tmp_path):
    files = {
        "b.md": LEASE,
        "a.txt": "The roof is kept by the landlord.",
        "c.html": "<html><body><p>The lift is old.</p></body></html>",
        "d.pdf": pdf(["The first page says this."], ["The second page says that."]),
        "e.docx": docx("The heating is new.", "The windows are not."),
        "f.jsonl": lines({"id": 7, "title": "Seven", "text": "The seventh document.", "year": 2030}),
        "sub/g.TXT": "A file in a folder.",
        "notes": "A file without an ending is read by what it holds.",
    }
    corpus = read_folder(fill(tmp_path, files))
    assert list(corpus.by_document) == ["a.txt", "b.md", "c.html", "d.pdf", "e.docx", "7", "notes", "sub/g.TXT"]
    assert corpus.notes == ()
    assert corpus.by_id["b.md#1"].title == "Lease of Unit 4"
    assert corpus.by_id["a.txt#1"].title == "a"
    assert corpus.by_id["7#1"].title == "Seven"
    assert corpus.by_id["7#1"].metadata == {"year": 2030, "document": "7", "start": 0}
    assert "The lift is old." in corpus.by_id["c.html#1"].text
    assert "The heating is new." in corpus.by_id["e.docx#1"].text
    assert read_folder(tmp_path) == corpus


def test_pages_are_those_of_the_pdf(tmp_path):
    """Every sentence names its page, so a passage's first sentence tells which page it should carry."""
    pages = [
        [f"On sheet {page} the tenant pays the rent of month {n} on time." for n in range(20)] for page in (1, 2, 3)
    ]
    corpus = read_folder(fill(tmp_path, {"long.pdf": pdf(*pages)}))
    for source in corpus.sources:
        assert source.text.startswith(f"On sheet {source.page} ")
    assert {source.page for source in corpus.sources} == {1, 2, 3}


def test_text_has_no_pages(tmp_path):
    assert read_folder(fill(tmp_path, {"a.txt": "Plain."})).sources[0].page is None


def test_offsets_are_into_the_file_where_its_text_is_its_own(tmp_path):
    text = "\n\n".join(f"Clause {number}. " + "The parties agree on a matter of note. " * 12 for number in range(9))
    for source in read_folder(fill(tmp_path, {"a.txt": text})).sources:
        start = source.metadata["start"]
        assert text[start : start + len(source.text)] == source.text


def test_hidden_files_and_folders_are_left_out_without_a_word(tmp_path):
    corpus = read_folder(fill(tmp_path, {"a.txt": "Seen.", ".b.txt": "Not seen.", ".git/c.txt": "Nor this."}))
    assert list(corpus.by_document) == ["a.txt"]
    assert corpus.notes == ()


def test_files_that_cannot_be_read_are_named_and_counted(tmp_path):
    files = {
        "a.txt": "Seen.",
        "empty.txt": "",
        "table.csv": "a,b\n",
        "bad.pdf": "no pdf at all",
        "bad.jsonl": b'{"id": "x", "text": "y"}\n{"id": "z"}\n',
    }
    corpus = read_folder(fill(tmp_path, files))
    assert list(corpus.by_document) == ["a.txt"]
    count, *left_out = corpus.notes
    assert count == "4 of 5 files left out:"
    assert left_out == [
        f"left out: {tmp_path}/bad.jsonl:2: text: this field is missing",
        f"left out: {tmp_path}/bad.pdf: is called .pdf and is no PDF: its first bytes are 'no pdf at all'",
        f"left out: {tmp_path}/empty.txt: is empty",
        f"left out: {tmp_path}/table.csv: is called .csv, and read are txt, md, html, pdf, docx, jsonl",
    ]


def test_a_link_to_nowhere_is_left_out_and_said(tmp_path):
    fill(tmp_path, {"a.txt": "Seen."})
    (tmp_path / "b.txt").symlink_to(tmp_path / "gone.txt")
    assert read_folder(tmp_path).notes[0] == "1 of 2 files left out:"


def test_a_pipe_is_left_out_and_not_waited_for(tmp_path):
    fill(tmp_path, {"a.txt": "Seen."})
    os.mkfifo(tmp_path / "b.txt")
    corpus = read_folder(tmp_path)
    assert corpus.notes == (
        "1 of 2 files left out:",
        f"left out: {tmp_path}/b.txt: is no file (a pipe, a device?)",
    )


def test_a_link_to_a_folder_is_not_followed_and_said(tmp_path):
    """It may lead back to where it stands."""
    fill(tmp_path / "in", {"a.txt": "Seen.", "deep/b.txt": "Seen too."})
    (tmp_path / "in/deep/round").symlink_to(tmp_path / "in")
    corpus = read_folder(tmp_path / "in")
    assert list(corpus.by_document) == ["a.txt", "deep/b.txt"]
    said = f"{tmp_path}/in/deep/round: is a link to a folder, and is not followed"
    assert corpus.notes == (said,)
    (tmp_path / "links").mkdir()
    (tmp_path / "links/in").symlink_to(tmp_path / "in")
    with pytest.raises(InputError, match=r"no documents in this folder .*; .*links/in: is a link to a folder"):
        read_folder(tmp_path / "links")


def test_a_folder_that_cannot_be_read_is_said(tmp_path, monkeypatch):
    """As `os.walk` reports it: a test that runs as root may read everything."""
    walk = os.walk

    def refused(top, *, onerror):
        onerror(PermissionError(13, "Permission denied", f"{top}/shut"))
        return walk(top)

    fill(tmp_path, {"a.txt": "Seen."})
    monkeypatch.setattr(os, "walk", refused)
    assert read_folder(tmp_path).notes == (f"{tmp_path}/shut: this folder cannot be read: Permission denied",)


def test_a_name_that_is_no_utf8_becomes_text(tmp_path):
    path = os.fsencode(tmp_path) + b"/caf\xe9.txt"
    try:
        with open(path, "w") as file:
            file.write("Seen.")
    except OSError:
        pytest.skip("this file system takes only names in UTF-8")
    source = read_folder(tmp_path).sources[0]
    assert (source.source_id, source.title, source.metadata["file"]) == (
        "caf\ufffd.txt#1",
        "caf\ufffd",
        "caf\ufffd.txt",
    )


def test_what_a_reader_noted_is_passed_on(tmp_path):
    corpus = read_folder(fill(tmp_path, {"a.txt": "Der Schl\xfcssel.".encode("cp1252")}))
    assert corpus.notes == (f"{tmp_path}/a.txt:1: is not UTF-8: the file is read as Windows-1252",)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "no documents in this folder"),
        ({".hidden.txt": "words"}, "no documents in this folder"),
        ({"a.csv": "x", "b.txt": ""}, r"none of 2 files could be read: .*a\.csv: is called \.csv.* \(and 1 more\)"),
    ],
)
def test_a_folder_without_a_document_is_the_users_mistake(tmp_path, files, said):
    with pytest.raises(InputError, match=said):
        read_folder(fill(tmp_path, files))


def test_a_pair_of_halves_is_a_character(tmp_path):
    row = r'{"id": "a", "text": "A whole \ud83d\ude00 one."}'
    assert read_folder(fill(tmp_path, {"p.jsonl": row})).sources[0].text == "A whole \U0001f600 one."


def test_an_id_that_stands_twice_is_refused(tmp_path):
    row = {"source_id": "x#1", "text": "words"}
    corpus = read_folder(fill(tmp_path, {"a.jsonl": lines(row), "b.jsonl": lines(row)}))
    assert corpus.notes[1] == f"left out: {tmp_path}/b.jsonl: the id 'x#1' stands twice, also in {tmp_path}/a.jsonl"
    with pytest.raises(InputError, match="the id 'x#1' stands twice"):
        read_folder(fill(tmp_path, {"a.jsonl": lines(row, row)}) / "a.jsonl")


def test_one_file_is_a_corpus(tmp_path):
    assert list(read_folder(fill(tmp_path, {"a b.txt": "Seen."}) / "a b.txt").by_document) == ["a_b.txt"]


def test_passages_keep_their_ids_and_get_a_place(tmp_path):
    """Where no place is told, a document's text is its passages with a blank line between two."""
    rows = [
        {"source_id": "lease#1", "text": "Twelve chars", "page": 3},
        {"source_id": "other", "text": "Alone."},
        {"source_id": "lease#2", "text": "More."},
        {"source_id": "x9", "text": "Told.", "metadata": {"document": "deed", "start": 40, "status": "superseded"}},
    ]
    corpus = read_folder(fill(tmp_path, {"p.jsonl": lines(*rows)}) / "p.jsonl")
    assert [(s.source_id, s.metadata["document"], s.metadata["start"]) for s in corpus.sources] == [
        ("lease#1", "lease", 0),
        ("other", "other", 0),
        ("lease#2", "lease", 14),
        ("x9", "deed", 40),
    ]
    assert corpus.by_id["lease#1"].page == 3
    assert corpus.by_id["x9"].metadata["status"] == "superseded"


def test_gzipped_rows_are_read(tmp_path):
    fill(tmp_path, {"p.jsonl.gz": gzip.compress(lines({"id": "a", "text": "Packed."}))})
    assert read_folder(tmp_path).sources[0].text == "Packed."


def test_rows_that_unpack_to_too_much_are_refused(tmp_path, monkeypatch):
    fill(tmp_path, {"p.jsonl.gz": gzip.compress(b" " * 3_000_001)})
    monkeypatch.setattr(labelled_rows, "_LARGEST", 3_000_000)
    with pytest.raises(InputError, match=r"p\.jsonl\.gz: unpacks to more than 3 MB"):
        read_folder(tmp_path)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ('{"source_id": "a"}', "1: text: expected a text, got none"),
        ('{"source_id": "a", "text": "  "}', "1: text: expected a text, got none"),
        ('{"id": "a", "text": ""}', "1: text: expected a text, got none"),
        ('{"id": "a"}', "1: text: this field is missing"),
        ('{"id": "", "text": "x"}', "1: id: expected at least one character"),
        ('{"text": "x"}', r"1: expected a passage \(source_id, text\) or a document \(id, text, title\)"),
        ('{"source_id": "a", "text": "x", "colour": 1}', "1: colour: unknown field"),
        ("[1]", "1: expected a passage"),
        ("{", "1: not JSON"),
        ("[" * 100_000, "1: not JSON that can be read: it is nested too deeply"),
        ('{"id": ' + "1" * 5_000 + ', "text": "x"}', "1: not JSON that can be read: a number is too long"),
        (r'{"id": "a", "text": "half \ud83d here"}', r"1: holds half a character, \\ud83d"),
        ('\n{"id": "a", "text": ["x"]}', "2: text: expected a string"),
    ],
)
def test_rows_that_are_not_as_expected_are_named_by_line_and_field(tmp_path, row, said):
    with pytest.raises(InputError, match=rf"p\.jsonl:{said}"):
        read_folder(fill(tmp_path, {"p.jsonl": row}) / "p.jsonl")


def test_the_embedded_corpus_has_its_documents_and_places():
    corpus = open_corpus(EMBEDDED)
    assert len(corpus.sources) >= 53
    assert len(corpus.by_id) == len(corpus.sources)
    for document, passages in corpus.by_document.items():
        starts = [source.metadata["start"] for source in passages]
        assert starts == sorted(set(starts)), document


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("nowhere", r"no such file or folder, nor a corpus by that name \(embedded, contractnli"),
        ("cuad:", "give a path after the colon"),
        ("cuadd:x", "no such file or folder"),
    ],
)
def test_a_corpus_that_is_none_is_the_users_mistake(spec, said):
    with pytest.raises(SettingError, match=said):
        open_corpus(spec)


def test_a_folder_called_anything_has_a_name_that_a_signature_can_hold(tmp_path):
    assert read_folder(fill(tmp_path / "a|b\nc d", {"a.txt": "Seen."})).name == "a_b_c d"


def test_a_folder_is_opened_by_its_path(tmp_path):
    assert open_corpus(str(fill(tmp_path, {"a.txt": "Seen."}))).name == tmp_path.name


@pytest.mark.parametrize("name", LOADERS)
def test_every_named_corpus_has_a_loader_that_refuses_a_missing_path(tmp_path, name):
    with pytest.raises(InputError, match=r"gone\.json"):
        open_corpus(f"{name}:{tmp_path / 'gone.json'}")
