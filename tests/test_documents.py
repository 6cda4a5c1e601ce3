"""Readers of files: every file here is made in its test."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_pdf import pdf
from tables import every_row

from showable.documents.pdf import is_garbled, pages_in_words
from showable.documents.pdf_lines import body_lines, ends_paragraph, joint
from showable.documents.read import read_bytes, read_document
from showable.errors import InputError

CITE = "Obergefell v. Hodges, 576 U.S. 644 (2015)"


def docx(build):
    import docx as library

    document, out = library.Document(), io.BytesIO()
    build(document)
    document.save(out)
    return out.getvalue()


W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def with_notes(data, kind, notes):
    """Add foot- or endnotes to a .docx, as Word writes them: two separators, then the notes."""
    xml = "".join(f'<w:{kind} w:id="{n}"><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:{kind}>' for n, text in notes)
    part = (
        f'<?xml version="1.0"?><w:{kind}s xmlns:w="{W}"><w:{kind} w:type="separator" w:id="-1"><w:p/></w:{kind}>'
        f"{xml}</w:{kind}s>"
    )
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for item in old.infolist():
            held = old.read(item)
            if item.filename == "[Content_Types].xml":
                held = held.replace(
                    b"</Types>",
                    f'<Override PartName="/word/{kind}s.xml" ContentType="application/vnd.openxmlformats-officedocument'
                    f'.wordprocessingml.{kind}s+xml"/></Types>'.encode(),
                )
            if item.filename == "word/_rels/document.xml.rels":
                held = held.replace(
                    b"</Relationships>",
                    '<Relationship Id="rIdNotes" Type="http://schemas.openxmlformats.org/officeDocument/2006/'
                    f'relationships/{kind}s" Target="{kind}s.xml"/></Relationships>'.encode(),
                )
            new.writestr(item, held)
        new.writestr(f"word/{kind}s.xml", part)
    return out.getvalue()


def element(paragraph, xml):
    from docx.oxml import parse_xml

    paragraph._p.append(parse_xml(xml))


TEXTS = [
    (CITE.encode(), CITE, "UTF-8"),
    (b"\xef\xbb\xbf" + CITE.encode(), CITE, "a byte-order mark is no text"),
    (b"\xff\xfe" + "§ 7 é".encode("utf-16-le"), "§ 7 é", "UTF-16 LE, RFC 2781"),
    (b"\xfe\xff" + "§ 7 é".encode("utf-16-be"), "§ 7 é", "UTF-16 BE"),
    (b"\xff\xfe\0\0" + "§ 7".encode("utf-32-le"), "§ 7", "UTF-32, whose mark begins as that of UTF-16"),
    ("See 576 U.S. 644".encode("utf-16-le"), "See 576 U.S. 644", "UTF-16 without a mark"),
    (b"\x93Caf\xe9\x94 \xa7 7", "“Café” § 7", "Windows-1252, as Word pastes it"),
]


@pytest.mark.parametrize(("data", "text", "source"), TEXTS)
def test_text_in_any_encoding(data, text, source):
    assert read_bytes("brief.txt", data).text == text, source


def test_what_was_guessed_about_an_encoding_is_said():
    assert read_bytes("b.txt", b"a\nb \xe9").notes == ("b.txt:2: is not UTF-8: the file is read as Windows-1252",)
    assert "no byte-order mark" in read_bytes("b.txt", "abcdef".encode("utf-16-be")).notes[0]
    assert read_bytes("b.txt", CITE.encode()).notes == ()


LINES = [
    ("one\ntwo\nthree", "three", 3, "LF"),
    ("one\r\ntwo\r\nthree", "three", 3, "CR LF is one line end"),
    ("one\rtwo\rthree", "three", 3, "CR alone, as old Macs wrote"),
    ("one\x0ctwo\nthree", "three", 2, "a form feed ends no line"),
    ("one\u2028two\nthree", "three", 2, "nor does a Unicode separator"),
    ("\n\n\nfour", "four", 4, "blank lines count"),
]


@pytest.mark.parametrize(("text", "word", "line", "source"), LINES)
def test_lines_count_as_editors_count_them(text, word, line, source):
    document = read_bytes("a.txt", text.encode())
    assert document.text == text
    place = document.place(document.text.index(word))
    assert (place.line, place.column) == (line, 1), source


REFUSED = [
    ("a.txt", b"", "is empty"),
    ("a.txt", b" \n\t \n", "is empty"),
    ("a.txt", b"\x00\x01\x02\x03\x04" * 40, "no text"),
    ("a.txt", b"\xff\xfeabc", "does not decode as UTF-16-LE"),
    ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest", "save it as .docx"),
    ("a.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest", "save it as .docx"),
    ("a.rtf", b"{\\rtf1\\ansi}", "save it as .docx"),
    ("a.png", b"\x89PNG\r\n\x1a\n0000", "is an image"),
    ("a.pdf", b"just words", "is called .pdf and is no PDF"),
    ("a.docx", b"just words", "is called .docx and is no Word document"),
    ("a.zip", b"PK\x03\x04" + b"\0" * 60, "zip archive"),
    ("a.odt", b"PK\x03\x04" + b"\0" * 26 + b"mimetypeapplication/vnd.oasis.opendocument.text", "OpenDocument"),
    ("a.xlsx", b"PK\x03\x04" + b"\0" * 26 + b"xl/workbook.xml", "Excel"),
    ("a.docx", b"PK\x03\x04" + b"\0" * 26 + b"xl/workbook.xml", "Excel"),
    ("a.docx", b"PK\x03\x04" + b"\0" * 26 + b"word/document.xml", "damaged Word document"),
    ("a.bib", b"nothing of the kind", "holds no entry"),
    ("a.html", b"<html><script>render()</script></html>", "holds no text"),
    ("a.pdf", b"%PDF-1.7\ngarbage without end", "damaged PDF"),
    ("a.gz", b"\x1f\x8b\x08rest", "unpack it first"),
    ("a.tex", b"% a comment\n\\documentclass{article}", "is LaTeX: give the PDF"),
]


@every_row(("name", "data", "said"), REFUSED)
def test_what_cannot_be_read_is_one_clear_line(name, data, said):
    with pytest.raises(InputError) as caught:
        read_bytes(name, data)
    assert said in str(caught.value)
    assert str(caught.value).startswith(f"{name}:")
    assert "\n" not in str(caught.value)


def test_missing_files_and_folders_are_one_clear_line(tmp_path):
    with pytest.raises(InputError, match=r"none\.txt: cannot be read: No such file"):
        read_document(tmp_path / "none.txt")
    with pytest.raises(InputError, match="is a folder"):
        read_document(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(InputError, match="loop: cannot be read"):
        read_document(tmp_path / "loop")


def test_a_standard_input_that_is_closed_is_empty(monkeypatch):
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(InputError, match="stdin: is empty"):
        read_document(Path("-"))


SNIFFED = [
    ("stdin", b"<!DOCTYPE html><p>x</p>", "html"),
    ("stdin", b"\n  <html lang=en><p>x</p>", "html"),
    ("stdin", b"@article{a, title={B}}", "bib"),
    ("stdin", b"% my references\n\n@book{a, title={B}}", "bib"),
    ("stdin", b"Plain words <b>here</b>.", "text"),
    ("stdin", pdf([CITE]), "pdf"),
    ("brief.txt", pdf([CITE]), "pdf"),
    ("stdin", docx(lambda d: d.add_paragraph("x")), "docx"),
    ("notes.md", b"# A\n\nB", "markdown"),
    ("main.tex", b"\\cite{a}", "text"),
]


@pytest.mark.parametrize(("name", "data", "kind"), SNIFFED)
def test_what_a_file_holds_decides(name, data, kind):
    assert read_bytes(name, data).format == kind


HTML = [
    ("<p>One <b>two</b>\n three</p><p>four", "One two three\n\nfour\n", "white space is one blank, blocks are lines"),
    ("a<br>b", "a\nb\n", "line break"),
    ("<script>no</script><style>no</style><p hidden>no</p><p style='display: none'>no</p>yes", "yes\n", "not shown"),
    ("<p><a href='https://example.org/x'>here</a> it is</p>", "here it is\n<https://example.org/x>\n", "link kept"),
    ("<a href='https://example.org/x/'>https://example.org/x</a>", "https://example.org/x\n", "link that is its own text"),
    ("<a href='#n1'>1</a> <a href='javascript:x()'>j</a>", "1 j\n", "no address in the world"),
    ("<table><tr><td>a</td><td>b</td></tr></table>", "a\nb\n", "cells"),
    ("&sect; 7 &amp; &lt;8&gt;", "§ 7 & <8>\n", "entities"),
    ("<p>x<!-- no --></p>", "x\n", "comment"),
    ("<p>347 U.S. 483<sup><a href='#n'>1</a></sup> CO<sub>2</sub> 2<sup>d</sup></p>", "347 U.S. 483 1 CO2 2d\n", "the mark of a note"),
    ("<p>347 <i>U.S.</i> 483</p>", "347 U.S. 483\n", "inline markup cuts nothing"),
]  # fmt: skip


@pytest.mark.parametrize(("page", "text", "source"), HTML)
def test_html(page, text, source):
    assert read_bytes("a.html", page.encode()).text == text, source


def test_html_lines_are_those_of_the_file_and_navigation_is_counted():
    page = "<html>\n<nav><a href='https://a.example/'>A</a></nav>\n<p>one</p>\n\n<p>two\nthree</p></html>"
    document = read_bytes("a.html", page.encode())
    assert document.place(document.text.index("one")).line == 3
    assert document.place(document.text.index("two")).line == 5
    assert document.notes == ("a.html: 1 link is in its navigation, and not read",)


CHARSETS = [
    ("utf-16", "cite §", "utf-8", "HTML standard, 13.2.3.5: a declaration of UTF-16 that can be read is none"),
    ("cp500", "cite §", "utf-8", "nor is EBCDIC"),
    ("windows-1252", "cite §", "utf-8-sig", "13.2.3.2: a byte-order mark goes before the declaration"),
    ("idna", "cite", "utf-8", "no charset of a page"),
    ("unicode_escape", r"\u0041", "utf-8", "nor this one, which would rewrite it"),
    ("undefined", "cite", "utf-8", "nor this one, which raises what no charset raises"),
    ("windows-1252", "cite §", "cp1252", "as declared"),
]


@pytest.mark.parametrize(("charset", "said", "saved", "source"), CHARSETS)
def test_a_page_that_declares_what_it_is_not_loses_nothing(charset, said, saved, source):
    page = f'<meta charset="{charset}"><p>{said}</p>'.encode(saved)
    assert read_bytes("a.html", page).text == f"{said}\n", source


def test_html_says_its_own_charset_and_deep_nesting_loses_nothing():
    page = '<meta charset="shift_jis"><p>判例'.encode("shift_jis")
    assert read_bytes("a.html", page).text == "判例\n"
    assert "deep" in read_bytes("a.html", b"<div>" * 2_000 + b"deep").text
    with pytest.raises(InputError, match=r"a\.html:1: cannot be read as HTML: Excessive depth"):
        read_bytes("a.html", b"<p>words</p>" + b"<div>" * 50_000 + b"deep")


def brief(document):
    document.add_heading("Argument", 1)
    first = document.add_paragraph("The rule is old.")
    element(first, f'<w:r xmlns:w="{W}"><w:footnoteReference w:id="2"/></w:r>')
    element(first, f'<w:del xmlns:w="{W}"><w:r><w:delText>deleted</w:delText></w:r></w:del>')
    element(first, f'<w:ins xmlns:w="{W}"><w:r><w:t> inserted</w:t></w:r></w:ins>')
    table = document.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "Case", CITE
    last = document.add_paragraph()
    element(last, f'<w:r xmlns:w="{W}"><w:br w:type="page"/><w:t>On the next page.</w:t></w:r>')


def test_docx_paragraphs_tables_notes_and_tracked_changes():
    data = with_notes(docx(brief), "footnote", [(1, "Never called."), (2, f"See {CITE}.")])
    document = read_bytes("brief.docx", data)
    assert "The rule is old. inserted" in document.text
    assert "deleted" not in document.text
    assert document.place(document.text.index(CITE)).part == "table 1"
    footnote = document.place(document.text.index(f"See {CITE}"))
    assert (footnote.part, footnote.page) == ("footnote 1", 1)
    assert str(footnote) == "page 1, footnote 1"
    assert document.place(document.text.index("Never")).part == "footnote that nothing calls"
    assert str(document.place(document.text.index("On the next"))).startswith("page 2, paragraph")


def test_docx_cells_in_content_controls_and_tables_in_tables_are_read_once():
    from docx.oxml import parse_xml

    def build(document):
        table = document.add_table(1, 2)
        table.cell(0, 0).text, table.cell(0, 1).text = "first", "second"
        row, first, second = table.rows[0]._tr, table.cell(0, 0)._tc, table.cell(0, 1)._tc
        row.insert(0, parse_xml(f'<w:sdt xmlns:w="{W}"><w:sdtContent/></w:sdt>'))
        row[0][0].append(first)
        inner = f"<w:tbl><w:tr><w:tc><w:p><w:r><w:t>{CITE}</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
        second.insert(0, parse_xml(f'<w:sdt xmlns:w="{W}"><w:sdtContent>{inner}</w:sdtContent></w:sdt>'))

    document = read_bytes("a.docx", docx(build))
    assert document.text.split("\n") == ["first", "", CITE, "second", ""]
    assert document.place(document.text.index("second")).part == "table 1"


def test_docx_marks_of_notes_are_no_figures():
    def build(document):
        paragraph = document.add_paragraph("347 U.S. 483")
        paragraph.add_run("1").font.superscript = True
        paragraph.add_run(" in the 2")
        paragraph.add_run("d").font.superscript = True

    assert read_bytes("a.docx", docx(build)).text == "347 U.S. 483 1 in the 2d\n"


def test_docx_endnotes_and_links():
    def build(document):
        paragraph = document.add_paragraph("See ")
        relation = document.part.relate_to(
            "https://example.org/opinion",
            "http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink",
            is_external=True,
        )
        element(
            paragraph,
            f'<w:hyperlink xmlns:w="{W}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
            f' r:id="{relation}"><w:r><w:t>the opinion</w:t></w:r></w:hyperlink>',
        )

    document = read_bytes("a.docx", with_notes(docx(build), "endnote", [(1, "An endnote.")]))
    assert document.text == "See the opinion\n<https://example.org/opinion>\n\nAn endnote.\n"
    assert document.place(0).page is None, "no page break, so no pages are told"


def test_docx_bombs_and_damage_are_refused():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("word/document.xml", b"0" * 30_000_000)
    with pytest.raises(InputError, match="zip bomb"):
        read_bytes("a.docx", out.getvalue())
    whole = docx(lambda d: d.add_paragraph("x"))
    with pytest.raises(InputError, match=r"a\.docx: .*Word document"):
        read_bytes("a.docx", whole[: len(whole) // 2])
    with pytest.raises(InputError, match="holds no text"):
        read_bytes("a.docx", docx(lambda d: None))


def test_docx_entities_are_not_expanded():
    out, whole = io.BytesIO(), docx(lambda d: d.add_paragraph("TEXT"))
    with zipfile.ZipFile(io.BytesIO(whole)) as old, zipfile.ZipFile(out, "w") as new:
        for item in old.infolist():
            held = old.read(item)
            if item.filename == "word/document.xml":
                held = held.replace(b"?>", b'?><!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>', 1)
                held = held.replace(b"TEXT", b"TEXT &x;")
            new.writestr(item, held)
    assert "root:" not in read_bytes("a.docx", out.getvalue()).text


def test_pdf_pages_and_lines():
    document = read_bytes("a.pdf", pdf(["First page.", "Second line."], [f"See {CITE}."]))
    place = document.place(document.text.index("Obergefell"))
    assert (place.page, place.line) == (2, 1)
    assert str(document.place(document.text.index("Second"))) == "page 1, line 2"
    assert document.unread == ()


def test_pdf_pages_without_text_are_named_and_counted():
    document = read_bytes("a.pdf", pdf(["words"], None, None, ["more words"], None))
    assert document.unread == ("a.pdf: 3 pages (2–3, 5) of 5 without text (scanned? OCR makes it readable)",)
    with pytest.raises(InputError, match=r"^a\.pdf: 2 pages \(1–2\) of 2 without text .*nothing in it can be checked"):
        read_bytes("a.pdf", pdf(None, None))


def test_pdf_with_a_password_is_refused():
    with pytest.raises(InputError, match="is encrypted"):
        read_bytes("a.pdf", pdf(["words"], encrypt=True))


def test_garbled_pages_are_told_from_text():
    shuffled = "".join(
        chr((ord(c) - 97 + 3) % 26 + 97) if c.islower() else c for c in "the court holds that the rule applies " * 10
    )
    assert is_garbled(shuffled)
    assert is_garbled("/g12/g7/g33 /g4/g5")
    assert is_garbled("(cid:12)(cid:44)(cid:9) and")
    assert is_garbled("\ue012\ue013\ue014 abc")
    assert not is_garbled("The court holds that the rule applies. " * 10)
    assert not is_garbled("Smith J, Brown KL. Lancet. 1998;351(9103):637-41. doi:10.1016/S0140-6736(97)11096-0 " * 5)
    assert not is_garbled("判決は次のとおり " * 40)
    document = read_bytes("a.pdf", pdf(["plain words"], [shuffled[i : i + 80] for i in range(0, len(shuffled), 80)]))
    assert document.unread == ("a.pdf: page 2 of 2 whose text does not decode (print it to PDF anew, or use OCR)",)


JOINTS = [
    ("the consti-", "tution says", ("the consti", ""), "a cut word loses its hyphen"),
    ("a well-", "Known name", ("a well-", "\n"), "a capital opens no rest of a word"),
    ("pages 12-", "14 of it", ("pages 12-", "\n"), "a range is no word"),
    ("see https://example.org/a-", "b-c/d", ("see https://example.org/a-", ""), "an address keeps its hyphen"),
    ("doi:10.1016/S0140-", "6736(97)11096-0", ("doi:10.1016/S0140-", ""), "so does a DOI"),
    ("10.1056/", "NEJMoa2034577", ("10.1056/", ""), "letters with figures are no word"),
    ("https://example.org/", "The court held", ("https://example.org/", "\n"), "a sentence begins"),
    ("https://example.org/a/", "2 See above", ("https://example.org/a/", "\n"), "a footnote's number"),
    ("at https://example.org.", "and so on", ("at https://example.org.", "\n"), "a full stop"),
    ("plain line", "next", ("plain line", "\n"), "nothing cut"),
    ("last", "", ("last", "\n"), "nothing follows"),
]


@pytest.mark.parametrize(("line", "following", "expected", "source"), JOINTS)
def test_line_ends(line, following, expected, source):
    assert joint(line, following) == expected, source


PARAGRAPHS = [
    ("the end of it.", "The next begins", True, "short, and a sentence ends"),
    ("the end of it.”3", "The next begins", True, "with a footnote's call"),
    ("a line that is as wide as all of the others are.", "The next goes on", False, "a full line"),
    ("so it was held in", "Obergefell v. Hodges", False, "short, and no sentence ends"),
    ("(quoting Smith Corp.", "and others)", False, "an abbreviation"),
    ("REFERENCES", "1. Doe J", True, "a heading"),
    ("Statement of the Case", "the facts are these", True, "a heading in small and large letters"),
    ("Varghese v. China Southern", "Airlines Co., 925 F.3d 1339", False, "a name that is wrapped"),
    ("Education, 347", "U.S. 483", False, "a cite that is wrapped"),
    ("", "", False, "nothing"),
    ("the end.", "", False, "nothing follows"),
]


@pytest.mark.parametrize(("line", "following", "expected", "source"), PARAGRAPHS)
def test_paragraphs(line, following, expected, source):
    assert ends_paragraph(line, following, 50) is expected, source


def test_pdf_paragraphs_are_parted():
    full = "a full line of a column, and all of them are as wide"
    document = read_bytes("a.pdf", pdf(["ARGUMENT", full, full, "and it ends.", full, full]))
    assert document.text == f"ARGUMENT\n\n{full}\n{full}\nand it ends.\n{full}\n{full}\n"
    document = read_bytes("a.pdf", pdf([full, "and it ends.", full.capitalize()]))
    assert document.text == f"{full}\nand it ends.\n\n{full.capitalize()}\n"
    assert document.place(document.text.index("A full")).line == 3


def test_a_citation_over_a_page_end_is_whole_without_the_furniture():
    head = "Case 1:22-cv-01461 Document 29 Filed 04/25/23 Page {} of 3"
    pages = [
        "\n".join([head.format(n), text, "more", str(n)])
        for n, text in enumerate(["See Brown v. Board, 347", "U.S. 483 (1954).", "End."], 1)
    ]
    lines = body_lines(["\n".join([*p.splitlines()[:2], p.splitlines()[3]]) for p in pages])
    assert lines == [[(2, "See Brown v. Board, 347")], [(2, "U.S. 483 (1954).")], [(2, "End.")]]


def test_a_word_that_a_page_end_cuts_is_whole():
    document = read_bytes("a.pdf", pdf(["See Brown v. Board of Edu-"], ["cation, 347 U.S. 483 (1954)."]))
    assert "Brown v. Board of Education, 347 U.S. 483" in document.text
    assert document.place(document.text.index("347")).page == 2


def test_pleading_paper_loses_its_line_numbers():
    numbered = "\n".join(f"{n} words of line {n}" for n in range(1, 29))
    assert body_lines([numbered])[0][6] == (7, "words of line 7")
    few = "1 first\n2 second\n3 third"
    assert body_lines([few])[0][0] == (1, "1 first")


def test_pages_in_words():
    assert pages_in_words([3]) == "page 3"
    assert pages_in_words([1, 2, 3, 7]) == "4 pages (1–3, 7)"


BIB = r"""@string{nips = "Advances in Neural Information Processing Systems"}
% a comment
@inproceedings{vaswani2017,
  title = {Attention Is {All} You Need},
  author = {Vaswani, Ashish and Shazeer, Noam and others},
  booktitle = nips,
  year = 2017,
  pages = {1--11},
  eprint = {1706.03762v5}, archivePrefix = {arXiv},
}
@article{muller, author = {M{\"u}ller, J. and {\O}rsted, H.}, title = {On {\'e}clairs}, journal = {Ann. Phys.},
  volume = 4, number = {2}, date = {1999-05-01}, doi = {https://doi.org/10.1002/ANDP.1}}
@article{muller, title = {Again}}
@article{broken, title = {Never closed
@book{after, title = {Still read}, isbn = {978-0-262-03384-8}, publisher = {MIT Press}}
"""


def test_bib_entries_are_references_with_their_lines():
    document = read_bytes("refs.bib", BIB.encode())
    fields = [entry.reference.fields for entry in document.entries]
    assert fields[0] == {
        "style": "bibtex",
        "et_al": "yes",
        "authors": "Vaswani, Ashish; Shazeer, Noam",
        "title": "Attention Is All You Need",
        "year": "2017",
        "container": "Advances in Neural Information Processing Systems",
        "pages": "1-11",
        "arxiv": "1706.03762",
        "version": "v5",
    }
    assert fields[2]["title"] == "Again"
    assert fields[1]["authors"] == "Müller, J.; Ørsted, H."
    assert fields[1] | {"year": "1999", "issue": "2", "doi": "10.1002/ANDP.1"} == fields[1]
    assert [document.place(entry.span[0]).line for entry in document.entries] == [3, 11, 13, 15]
    for entry in document.entries:
        assert document.text[slice(*entry.span)] == entry.reference.text
        assert entry.reference.kind == "bibliographic"
    assert document.unread == ("refs.bib:14: an entry cannot be read: its braces or quotation marks do not close",)
    assert document.notes == ("refs.bib:13: the key 'muller' stands twice",)


CROSSREF = """@inproceedings{a, crossref = {P}, title = {A part}, pages = {3--4}}
@inproceedings{b, crossref = {P}, title = {Another}, year = 1999, booktitle = {Elsewhere}}
@inproceedings{c, crossref = {c}, title = {Itself}}
@proceedings{p, title = {The Whole}, year = 2003, publisher = {MIT Press}, doi = {10.1000/whole}}
"""


def test_bib_entries_inherit_from_what_they_are_part_of():
    fields = [entry.reference.fields for entry in read_bytes("refs.bib", CROSSREF.encode()).entries]
    assert fields[0] == {
        "style": "bibtex", "title": "A part", "year": "2003", "publisher": "MIT Press", "container": "The Whole", "pages": "3-4",
    }  # fmt: skip
    assert (fields[1]["year"], fields[1]["container"]) == ("1999", "Elsewhere")
    assert fields[2] == {"style": "bibtex", "title": "Itself"}


def test_crlf_bib_keeps_its_offsets():
    document = read_bytes("refs.bib", BIB.replace("\n", "\r\n").encode())
    assert [document.place(entry.span[0]).line for entry in document.entries] == [3, 11, 13, 15]
    assert all(document.text[slice(*e.span)].startswith("@") for e in document.entries)


def assert_read_or_refused(name, data):
    """There is text, or one line that says why there is none."""
    try:
        said = read_bytes(name, data).text
    except InputError as error:
        said = str(error)
        lines = said.count("\n") + 1
    else:
        lines = 1
    assert said.strip()
    assert lines == 1


@settings(max_examples=80)
@given(st.sampled_from(["a.txt", "a.html", "a.bib", "a.md", "a.docx", "a.pdf", "stdin"]), st.binary(max_size=300))
def test_hostile_bytes_are_read_or_refused(name, data):
    assert_read_or_refused(name, data)


@settings(max_examples=60)
@given(st.integers(0, 2_000), st.binary(min_size=1, max_size=20))
def test_damaged_files_are_read_or_refused(at, junk):
    for name, whole in (("a.pdf", WHOLE_PDF), ("a.docx", WHOLE_DOCX)):
        place = at * len(whole) // 2_000
        assert_read_or_refused(name, whole[:place] + junk + whole[place + len(junk) :])


WHOLE_PDF, WHOLE_DOCX = pdf([CITE], ["words"]), docx(brief)
