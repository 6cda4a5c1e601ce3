"""Word documents: paragraphs, tables, text boxes, footnotes and endnotes, without what tracked changes have deleted."""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from io import BytesIO
from typing import TYPE_CHECKING, Any

from showable.documents.document import Document, TextBuilder
from showable.errors import InputError

if TYPE_CHECKING:
    from docx.document import Document as WordDocument

MOST_PARTS = 5_000
LARGEST_UNPACKED = 300_000_000
"""Bytes of all parts of a document together, unpacked."""
MOST_PACKED = 300
"""How many times smaller than itself a large part may be packed; prose reaches 20, a bomb 1,000."""
_LARGE = 10_000_000
MOST_SIGNS = 4_000_000
"""`<` and `=` in the parts that are read. Each may become an element or an attribute, of 120 to 500 bytes of memory."""
_READ = frozenset({"officeDocument", "footnotes", "endnotes", "hyperlink"})
"""Kinds of relation that lead to what is read. Headers, comments, themes and pictures are not even unpacked."""
_CODED = re.compile(rb"\A\s*<\?xml[^>]*?encoding\s*=\s*[\"'](?!utf-?8|utf-?16|us-ascii)", re.IGNORECASE)
"""ECMA-376, part 2, 8.1.1.3: parts are UTF-8 or UTF-16. In UTF-7, which libxml2 reads, `<` is written `+ADw-`."""
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_SKIPPED = frozenset(
    {f"{_W}del", f"{_W}delText", f"{_W}moveFrom", f"{_W}delInstrText", f"{_W}pPr", f"{_W}rPr", f"{_W}tblPr", _FALLBACK}
)
_SAID = {f"{_W}tab": "\t", f"{_W}br": "\n", f"{_W}cr": "\n", f"{_W}noBreakHyphen": "-", f"{_W}softHyphen": "\u00ad"}
_NOTES = {"footnotes": ("footnote", "footnoteReference"), "endnotes": ("endnote", "endnoteReference")}
_WRAPPERS = frozenset({f"{_W}sdt", f"{_W}sdtContent", f"{_W}ins", f"{_W}customXml", f"{_W}txbxContent"})
"""What may stand around paragraphs, and around the rows and cells of a table: content controls, tracked insertions."""
_FIELD_LINK = re.compile(r'HYPERLINK\s+"(https?://[^"\s]{1,2000})"', re.IGNORECASE)


def read_docx(name: str, data: bytes) -> Document:
    """Read a .docx file. A line is a paragraph; pages are those that Word laid out last, where it says so.

    Headers and footers are left out: they repeat the document's own number, which is no citation.
    """
    _refuse_bombs(name, data)
    document = _opened(name, data)
    try:
        story = _Story(document.part.rels, paged=_breaks(document.element.body))
        story.read(document.element.body)
        for kind, (element, _) in _NOTES.items():
            story.read_notes(_part(document, kind), element)
    except (AttributeError, KeyError, TypeError, ValueError, SyntaxError) as error:
        raise InputError(f"cannot be read as a Word document: {type(error).__name__}", path=name) from None
    text = story.lines.text()
    if not text.strip():
        raise InputError("holds no text (pages pasted as pictures need OCR first)", path=name)
    return Document(name, "docx", text, tuple(story.lines.marks))


def _refuse_bombs(name: str, data: bytes) -> None:
    try:
        parts = zipfile.ZipFile(BytesIO(data)).infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise InputError(f"is a damaged Word document: {error}", path=name) from None
    if len(parts) > MOST_PARTS:
        raise InputError(f"holds {len(parts):,} parts, and at most {MOST_PARTS:,} are read", path=name)
    if sum(part.file_size for part in parts) > LARGEST_UNPACKED:
        raise InputError(f"unpacks to more than {LARGEST_UNPACKED // 1_000_000} MB: it is not read", path=name)
    for part in parts:
        if part.file_size > _LARGE and part.file_size > MOST_PACKED * max(1, part.compress_size):
            said = f"is packed {part.file_size // max(1, part.compress_size)} to 1 in {part.filename!r}, as a zip bomb is: it is not read"
            raise InputError(said, path=name)
        if part.flag_bits & 1:
            raise InputError("is encrypted: save it without a password", path=name)


def _opened(name: str, data: bytes) -> WordDocument:
    import docx  # noqa: PLC0415 - late: it takes long to load

    try:
        return docx.Document(_trimmed(name, data))
    except InputError:
        raise
    except Exception as error:  # noqa: BLE001 - a parser of another's files may fail in any way
        said = " ".join(str(error).split())[:120] or type(error).__name__
        raise InputError(f"cannot be read as a Word document: {said}", path=name) from None


def _trimmed(name: str, data: bytes) -> BytesIO:
    """Return a copy that has no parts but those that are read. Raises InputError where they hold too much markup."""
    out, signs = BytesIO(), 0
    with zipfile.ZipFile(BytesIO(data)) as whole, zipfile.ZipFile(out, "w") as copy:
        present, waiting = set(whole.namelist()), ["", "[Content_Types].xml"]
        for part in waiting:
            for copied in (part, posixpath.join(posixpath.dirname(part), "_rels", f"{posixpath.basename(part)}.rels")):
                if copied not in present:
                    continue
                present.remove(copied)
                held = whole.read(copied)
                signs += held.count(b"<") + held.count(b"=")
                if signs > MOST_SIGNS or _CODED.match(held):
                    said = "is not in UTF-8 or UTF-16" if signs <= MOST_SIGNS else "holds more markup than is read"
                    raise InputError(f"cannot be read as a Word document: {copied!r} {said}", path=name)
                if copied != part:
                    held = _only_read(held, part, waiting)
                copy.writestr(copied, held)
    out.seek(0)
    return out


def _only_read(relations: bytes, part: str, waiting: list[str]) -> bytes:
    """Return a part's relations without those that are not followed; what the others lead to is put on `waiting`."""
    etree = import_module("lxml.etree")
    root = etree.fromstring(relations, etree.XMLParser(resolve_entities=False, no_network=True))
    for relation in list(root):
        if relation.get("Type", "").rsplit("/", 1)[-1] not in _READ:
            root.remove(relation)
        elif relation.get("TargetMode") != "External":
            target = posixpath.join("/", posixpath.dirname(part), relation.get("Target", ""))
            waiting.append(posixpath.normpath(target).lstrip("/"))
    return bytes(etree.tostring(root))


def _part(document: WordDocument, kind: str) -> Any | None:
    """Return the root of the part that holds the notes, for which the reader has no object of its own."""
    etree = import_module("lxml.etree")

    for relation in document.part.rels.values():
        if relation.reltype.rsplit("/", 1)[-1] == kind and not relation.is_external:
            return etree.fromstring(relation.target_part.blob, etree.XMLParser(resolve_entities=False, no_network=True))
    return None


def _breaks(body: Any) -> str | None:
    """State by which mark pages are told apart: where Word last broke them, else where the author did; None without either."""
    if next(body.iter(f"{_W}lastRenderedPageBreak"), None) is not None:
        return "rendered"
    hard = any(mark.get(f"{_W}type") == "page" for mark in body.iter(f"{_W}br"))
    return "hard" if hard else None


def _cells(table: Any) -> Iterator[Any]:
    """Return the cells of a table, row by row, and not those of a table within one of them."""
    for child in table:
        if child.tag == f"{_W}tc":
            yield child
        elif child.tag == f"{_W}tr" or child.tag in _WRAPPERS:
            yield from _cells(child)


def _is_note_mark(run: Any) -> bool:
    """Return whether a run is a raised number, as marks of notes are where they are typed by hand."""
    raised = run.find(f"{_W}rPr/{_W}vertAlign")
    return (
        raised is not None
        and raised.get(f"{_W}val") == "superscript"
        and "".join(text.text or "" for text in run.iterchildren(f"{_W}t")).strip().isdigit()
    )


@dataclass(slots=True)
class _Story:
    """Walks the body and then the notes, each paragraph a line."""

    relations: Any
    paged: str | None
    lines: TextBuilder = field(default_factory=TextBuilder)
    noted: dict[tuple[str, str], tuple[int, int | None]] = field(default_factory=dict)
    """A note's kind and id: its number, and the page that it is called from."""
    page: int = 1
    number: int = 0
    tables: int = 0

    def read(self, body: Any, part: str | None = None) -> None:
        """Read everything below an element."""
        for block in body:
            if block.tag == f"{_W}p":
                self._paragraph(block, part)
            elif block.tag == f"{_W}tbl":
                self._table(block, part)
            elif block.tag in _WRAPPERS:
                self.read(block, part)

    def _table(self, table: Any, part: str | None) -> None:
        self.tables += part is None
        self.lines.gap()
        for cell in _cells(table):
            self.read(cell, part or f"table {self.tables}")

    def read_notes(self, root: Any | None, kind: str) -> None:
        """Read foot- or endnotes in the order in which the text calls them."""
        if root is None:
            return
        notes = [note for note in root.iterchildren(f"{_W}{kind}") if note.get(f"{_W}type") in {None, "normal"}]
        last = (len(notes) + 1, None)
        for note in sorted(notes, key=lambda note: self.noted.get((kind, note.get(f"{_W}id", "")), last)[0]):
            number, page = self.noted.get((kind, note.get(f"{_W}id", "")), (None, None))
            self.page, part = page or self.page, f"{kind} {number}" if number else f"{kind} that nothing calls"
            self.read(note, part)

    def _paragraph(self, paragraph: Any, part: str | None) -> None:
        self.number += 1
        if part is None or not part.startswith("table"):
            self.lines.gap()
        part = part or f"paragraph {self.number}"
        links: list[str] = []
        boxes: list[Any] = []
        said, page = "", self.page
        for word in self._runs(paragraph, links, boxes):
            if self.page != page and said.strip():
                self._add(said, page, part, end="")
                said = ""
            page = self.page
            said += word
        self._add(said, page, part)
        for address in dict.fromkeys(links):
            if address.rstrip("/") not in "".join(self.lines.pieces[-4:]):
                self._add(f"<{address}>", page, part)
        for box in boxes:
            self.read(box, "text box")

    def _add(self, said: str, page: int, part: str, *, end: str = "\n") -> None:
        """Add a paragraph, or the part of it that stands on one page."""
        lines = [line for line in said.rstrip("\n" if end else "").split("\n") if line.strip()]
        for line in lines:
            last = end if line is lines[-1] else "\n"
            self.lines.add(line, self.number, page=page if self.paged else None, part=part, end=last)

    def _runs(self, element: Any, links: list[str], boxes: list[Any]) -> Iterator[str]:
        """Return the words below an element, noting links, text boxes, calls of notes and page breaks on the way."""
        for child in element:
            tag = child.tag
            if tag in _SKIPPED or not isinstance(tag, str):
                continue
            if tag == f"{_W}t":
                yield child.text or ""
            elif tag == f"{_W}txbxContent":
                boxes.append(child)
            elif tag == f"{_W}instrText":
                links += _FIELD_LINK.findall(child.text or "")
            elif tag in _SAID:
                self._turn(child)
                yield _SAID[tag]
            elif tag == f"{_W}r" and _is_note_mark(child):
                yield " "  # it is no figure of the page number before it
                yield from self._runs(child, links, boxes)
            else:
                self._note(child, links)
                yield from self._runs(child, links, boxes)

    def _turn(self, mark: Any) -> None:
        if self.paged == "hard" and mark.get(f"{_W}type") == "page":
            self.page += 1

    def _note(self, element: Any, links: list[str]) -> None:
        if element.tag == f"{_W}lastRenderedPageBreak" and self.paged == "rendered":
            self.page += 1
        elif element.tag == f"{_W}hyperlink":
            relation = self.relations.get(element.get(f"{_R}id", ""))
            if (
                relation is not None
                and relation.is_external
                and relation.target_ref.lower().startswith(("http://", "https://"))
            ):
                links.append(relation.target_ref)
        for kind, call in _NOTES.values():
            if element.tag == f"{_W}{call}":
                count = sum(1 for noted, _ in self.noted if noted == kind)
                self.noted.setdefault((kind, element.get(f"{_W}id", "")), (count + 1, self.page))
