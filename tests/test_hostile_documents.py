"""Files and pages made to cost more than they weigh: each is read within bounds, or refused with one line."""

from __future__ import annotations

import asyncio
import io
import zipfile
import zlib

import pytest
from registry_doubles.site import Answer
from test_documents import W, docx
from test_registry_pages import look

from showable.documents import pdf, web
from showable.documents.pdf_lines import joint
from showable.documents.read import read_bytes
from showable.documents.word import MOST_SIGNS
from showable.errors import InputError
from showable.read.html_tags import MOST_ATTRIBUTES
from showable.registries.pages.hosts import page_of
from showable.registries.web.asking import Reply
from showable.serving.time_limit import time_limit

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
WORDML = "application/vnd.openxmlformats-officedocument.wordprocessingml"


def pages_over_one_stream(drawn, pages, forms=()):
    """A PDF whose pages share one deflated stream (ISO 32000-1, 7.7.3.3), so that a small file draws much."""
    packed = zlib.compress(drawn, 9)
    names = b" ".join(b"/X%d %d 0 R" % (n, n + 5) for n in range(len(forms)))
    resources = b"/Resources << /Font << /F1 3 0 R >> /XObject << " + names + b" >> >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Filter /FlateDecode /Length %d >>\nstream\n%b\nendstream" % (len(packed), packed),
    ]
    for form in forms:
        head = b"<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] " + resources
        objects.append(b"%b /Length %d >>\nstream\n%b\nendstream" % (head, len(form), form))
    first = len(objects) + 1
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] " + resources + b" /Contents 4 0 R >>"
    objects += [page] * pages
    kids = b" ".join(b"%d 0 R" % number for number in range(first, first + pages))
    objects[1] = b"<< /Type /Pages /Kids [%b] /Count %d >>" % (kids, pages)
    written, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(written))
        written += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(written))
    return written + b"xref\n0 %d\n0000000000 65535 f \n%b" % (len(objects) + 1, table) + end


def test_a_pdf_with_one_line_of_letters_is_read_in_linear_time():
    line = b"BT /F1 12 Tf 50 700 Td (" + b"abcdefgh" * 20_000 + b") Tj ET"
    with time_limit(10):  # 75 s of the processor while a line's end was searched from all its places
        text = read_bytes("a.pdf", pages_over_one_stream(line, 2)).text
    assert len(text) > 320_000


@pytest.mark.parametrize(
    "line",
    [
        "a" * 300_000,
        "a" * 300_000 + " b",
        "www." * 100_000 + " b",
        "doi:" * 100_000 + " b",
        "10.1234/" * 50_000 + " b",
        " ".join(["https://a"] * 50_000),
    ],
    ids=lambda line: line[:9],
)
def test_the_end_of_a_line_is_found_in_linear_time(line):
    with time_limit(2):
        assert joint(line, "following text")[0] == line


@pytest.mark.parametrize(
    ("line", "following", "expected", "source"),
    [
        ("doi: 10.1000/abc-", "123 and", ("doi: 10.1000/abc-", ""), "an address keeps its own hyphen"),
        ("see doi: abc/", "12x", ("see doi: abc/", ""), "the blank after doi:"),
        ("of the consti-", "tution", ("of the consti", ""), "a cut word"),
        ("of the Consti-", "Tution", ("of the Consti-", "\n"), "a capital begins a word of its own"),
        ("pages 12-", "14", ("pages 12-", "\n"), "no letter before the hyphen"),
    ],
)
def test_joints_stay_as_they_were(line, following, expected, source):
    assert joint(line, following) == expected, source


def test_a_pdf_has_a_budget_of_time_and_names_the_pages_left_out(monkeypatch):
    ticks = iter(range(10_000))
    monkeypatch.setattr(pdf.time, "thread_time", lambda: float(next(ticks)))
    monkeypatch.setattr(pdf, "SECONDS", 20.0)  # a tick an operator: each page draws four, and is asked for once
    document = read_bytes("a.pdf", pages_over_one_stream(b"BT /F1 12 Tf (Some words here) Tj ET", 9))
    assert document.text.count("Some words here") == 4
    assert document.unread == ("a.pdf: 5 pages (5–9) of 9 left out (reading took more than 20 s: split the file)",)


def test_the_budget_also_ends_a_single_page_of_forms_within_forms(monkeypatch):
    ticks = iter(range(1_000_000))
    monkeypatch.setattr(pdf.time, "thread_time", lambda: float(next(ticks)))
    monkeypatch.setattr(pdf, "SECONDS", 50.0)
    forms = [b"/X%d Do " % (n + 1) * 10 for n in range(5)] + [b"BT /F1 12 Tf (deep) Tj ET"]
    with pytest.raises(InputError, match=r"page 1 of 1 left out .*; nothing in it can be checked"):
        read_bytes("a.pdf", pages_over_one_stream(b"/X0 Do", 1, forms))
    assert next(ticks) < 200, "100,000 operators were to be walked through"


def test_a_pdf_with_more_text_than_is_read_is_refused_before_it_is_all_in_memory(monkeypatch):
    monkeypatch.setattr(pdf, "LONGEST", 100)
    with pytest.raises(InputError, match=r"^a\.pdf: holds more than 100 characters: split it$"):
        read_bytes("a.pdf", pages_over_one_stream(b"BT /F1 12 Tf (Some words here) Tj ET", 1_000))


def word_file(body=b"", parts=(), relations=""):
    """A .docx with this in its body, and further parts: name, kind of relation, content."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(docx(lambda d: d.add_paragraph("TEXT")))) as old,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for item in old.infolist():
            held = old.read(item)
            if item.filename == "[Content_Types].xml":
                kinds = "".join(
                    f'<Override PartName="/word/{name}" ContentType="{WORDML}.{kind}+xml"/>' for name, kind, _ in parts
                )
                held = held.replace(b"</Types>", kinds.encode() + b"</Types>")
            if item.filename == "word/_rels/document.xml.rels":
                links = "".join(
                    f'<Relationship Id="x{n}" Type="{OFFICE}/{kind}" Target="{name}"/>'
                    for n, (name, kind, _) in enumerate(parts)
                )
                held = held.replace(b"</Relationships>", (links + relations).encode() + b"</Relationships>")
            if item.filename == "word/document.xml":
                held = body(held) if callable(body) else held.replace(b"<w:body>", b"<w:body>" + body)
            new.writestr(item.filename, held)
        for name, _, held in parts:
            new.writestr(f"word/{name}", held)
    return out.getvalue()


def stored(added, **options):
    """A .docx with more in the root of some parts, not compressed, so that it is no bomb by its ratio."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(word_file(**options))) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            start, close, end = old.read(name).rpartition(b"</")
            new.writestr(name, start + added.get(name, b"") + close + end)
    return out.getvalue()


def test_parts_of_a_word_file_that_are_not_read_are_not_parsed():
    unparsable = b"<w:hdr>" + b"<w:p/>" * 1_000  # python-docx parses every header: 200 MB of memory for 10 MB of these
    for kind in ("header", "footer", "comments", "theme", "styles"):
        assert read_bytes("a.docx", word_file(parts=[("part.xml", kind, unparsable)])).text == "TEXT\n", kind


@pytest.mark.parametrize(
    ("unit", "share"),
    [(b"<w:p/>", 1), (b"<w:p><w:r><w:t/></w:r></w:p>", 5), (b'<w:p a=""/>', 2), (b"<!---->", 1)],
)
def test_a_word_file_with_more_markup_than_is_read_is_refused(unit, share):
    with pytest.raises(InputError, match=r"'word/document.xml' holds more markup than is read$"):
        read_bytes("a.docx", stored({"word/document.xml": unit * (MOST_SIGNS // share)}))


def test_the_parts_that_are_read_count_together():
    empty = f'<w:footnotes xmlns:w="{W}"></w:footnotes>'.encode()
    half = b"<w:p/>" * (MOST_SIGNS // 2)
    data = stored({"word/document.xml": half, "word/n.xml": half}, parts=[("n.xml", "footnotes", empty)])
    with pytest.raises(InputError, match="holds more markup than is read"):
        read_bytes("a.docx", data)


def test_a_part_in_another_encoding_is_refused_for_its_markup_cannot_be_counted():
    def in_utf_7(held):
        text = held.decode().replace("standalone='yes'", "").replace('standalone="yes"', "")
        head, _, rest = text.partition("?>")
        return head.replace("UTF-8", "UTF-7").encode() + b"?>" + rest.encode("utf-7")

    with pytest.raises(InputError, match=r"'word/document.xml' is not in UTF-8 or UTF-16"):
        read_bytes("a.docx", word_file(in_utf_7))
    in_utf_16 = word_file(lambda held: held.decode().replace("UTF-8", "UTF-16").encode("utf-16"))
    assert read_bytes("a.docx", in_utf_16).text == "TEXT\n", "ECMA-376, part 2, 8.1.1.3"


CROWDED = {
    "plain": "<div {}>y</div>",
    "quoted ends": "<div x='>' {}>y</div>",
    "a comment that hides a quotation mark": '<!-- <a x=" --><div {}>y</div>',
    "a script that hides one": "<script>'<a x=\"'</script><div {}>y</div>",
    "within a table": "<table><tr><td {}>y</table>",
}
NEVER_BUILT = ["<p>some words<div {}", "<body><p>some words<body {}>", "<html b=1><p>some words<html {}>"]
"""The parser drops a tag that the file ends in, and what a second body or html adds: neither costs anything."""


@pytest.mark.parametrize("name", CROWDED)
def test_a_tag_with_more_attributes_than_are_read_is_refused(name):
    def page(count):
        return ("<p>some words</p>" + CROWDED[name].format(" ".join(f"a{n}=1" for n in range(count)))).encode()

    with pytest.raises(InputError, match=r"^a\.html: holds a tag of more than 500 attributes: it is not read$"):
        read_bytes("a.html", page(60_000))
    assert "some words" in read_bytes("a.html", page(MOST_ATTRIBUTES - 5)).text


@pytest.mark.parametrize("page", NEVER_BUILT)
def test_attributes_that_the_parser_drops_cost_nothing(page):
    html = page.format(" ".join(f"a{n}=1" for n in range(60_000)))
    assert read_bytes("a.html", html.encode()).text == "some words\n"


def test_many_words_and_long_values_are_no_attributes():
    page = f"<p>{'a=1 ' * 60_000}</p><img src='data:image/png;base64,{'A b=1 ' * 60_000}'>"
    assert read_bytes("a.html", page.encode()).text.startswith("a=1 a=1")


def test_a_page_is_not_read_beyond_its_size(monkeypatch):
    monkeypatch.setattr(web, "LARGEST", 1_000)
    with pytest.raises(InputError, match=r"^a\.html: is an HTML page larger than 0 MB: split it$"):
        read_bytes("a.html", b"<p>" + b"x" * 1_000)


def test_a_look_up_of_a_crowded_page_is_unknown_with_the_reason():
    page = "<html><head><title>A story of today</title></head><body " + " ".join(f"a{n}" for n in range(60_000)) + ">"
    answer, _ = look({"/a/story": Answer(page)}, "/a/story")
    assert answer.status == "unreachable"
    assert "a tag of the page has more than 500 attributes" in (answer.reason or "")


def test_a_page_is_read_beside_the_loop_so_that_other_look_ups_go_on():
    async def both():
        reply = Reply(200, "http://127.0.0.1/", b"<title>x</title>", {"content-type": "text/html"})
        reading = asyncio.ensure_future(page_of(reply))
        await asyncio.sleep(0)
        assert not reading.done(), "it is read in a thread of its own"
        return await reading

    assert asyncio.run(both()).tab == "x"
