"""BibTeX: every entry is a reference whose fields are already told apart."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import TYPE_CHECKING

from showable.documents.document import Document, line_marks
from showable.documents.plain import decode
from showable.errors import InputError
from showable.read.references.bibtex_ids import ids_in_fields
from showable.read.references.found import FoundReference
from showable.records.record import Reference

if TYPE_CHECKING:
    from bibtexparser.library import Library
    from bibtexparser.model import Block, Entry

_SAME = ("title", "year", "date", "volume", "publisher", "edition", "pmid", "pmcid", "isbn", "url", "doi")
_CONTAINERS = ("journal", "journaltitle", "booktitle", "series", "howpublished")
_INHERITED = frozenset({"booktitle", "year", "date", "publisher", "volume", "series", "edition", "editor", "journal"})
_YEAR = re.compile(r"\d{4}")
_DOI_HEAD = re.compile(r"^\s*(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", re.IGNORECASE)
_ARXIV = re.compile(r"(?:arxiv[:.\s/]*)?((?:[a-z-]+(?:\.[A-Z]{2})?/)?\d{4}\.?\d{3,5})(v\d{1,3})?$", re.IGNORECASE)
_ID_FOR_A_VOLUME = re.compile(r"(?i)abs/|arxiv:|\d{4}\.\d{4,5}(?:v\d+)?$")
_LINK = re.compile(r"\\(?:href\s*\{([^{}]*)\}|url)\s*\{")
"""``\\href{https://arxiv.org/abs/2306.04321}{arXiv}``: an address must not run on into the words that it is under."""
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)


def read_bib(name: str, data: bytes) -> Document:
    """Read a BibTeX file. Entries that cannot be read are named with their line; a file without any entry is refused."""
    text, notes = decode(name, data)
    library = _parsed(name, text)
    entries_of = {entry.key.casefold(): entry for entry in library.entries}
    starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    entries: list[FoundReference] = []
    unread: list[str] = []
    for block in sorted(library.blocks, key=lambda block: block.start_line or 0):
        entry, trouble = _entry_of(block)
        line = (block.start_line or 0) + 1
        if trouble is not None:
            said = f"{name}:{line}: {trouble}"
            notes, unread = (notes, [*unread, said]) if entry is None else ((*notes, said), unread)
        if entry is not None:
            held = _held(entry, entries_of)
            entries.append(_found(held, block.raw or "", text, starts[min(line, len(starts)) - 1]))
    if not entries and not unread:
        raise InputError("holds no entry (@article{…}, @book{…} …)", path=name)
    return Document(
        name, "bib", text, line_marks(text), exact=True, entries=tuple(entries), unread=tuple(unread), notes=notes
    )


def _parsed(name: str, text: str) -> Library:
    from bibtexparser.entrypoint import parse_string  # noqa: PLC0415 - late: it takes long to load
    from bibtexparser.middlewares import LatexDecodingMiddleware  # noqa: PLC0415

    for library in ("bibtexparser", "pylatexenc"):  # what they warn of is told below, with file and line
        logging.getLogger(library).setLevel(logging.CRITICAL)
    try:
        return parse_string(text, append_middleware=[LatexDecodingMiddleware()])
    except Exception as error:  # noqa: BLE001 - a parser of another's files may fail in any way
        raise InputError(f"cannot be read as BibTeX: {type(error).__name__}", path=name) from None


def _entry_of(block: Block) -> tuple[Entry | None, str | None]:
    """Return the entry that a block holds, and what is wrong with it. Comments, strings and preambles hold none."""
    from bibtexparser import model  # noqa: PLC0415

    if isinstance(block, model.Entry):
        return block, None
    if isinstance(block, model.ParsingFailedBlock):
        inner = getattr(block, "ignore_error_block", None)
        if isinstance(inner, model.Entry):
            twice = isinstance(block, model.DuplicateBlockKeyBlock)
            said = (
                f"the key {inner.key!r} stands twice"
                if twice
                else f"a field of {inner.key!r} stands twice, or does not decode"
            )
            return inner, said
        return None, "an entry cannot be read: its braces or quotation marks do not close"
    return None, None


def _held(entry: Entry, entries: Mapping[str, Entry]) -> dict[str, str]:
    """Return an entry's fields by name, those that it leaves out from the entry that `crossref` names, as BibTeX does."""
    own = {field.key.casefold(): _bare(str(field.value)) for field in entry.fields}
    parent = entries.get(own.get("crossref", "").casefold())
    if parent is None or parent is entry:
        return own
    given = {field.key.casefold(): _bare(str(field.value)) for field in parent.fields}
    if "title" in given:
        given.setdefault("booktitle", given["title"])
    return {name: said for name, said in given.items() if name in _INHERITED} | own


def _found(held: Mapping[str, str], raw: str, text: str, line_start: int) -> FoundReference:
    start = text.find(raw, line_start) if raw else -1
    span = (
        (start, start + len(raw)) if start >= 0 else (line_start, line_start + len(text[line_start:].split("\n", 1)[0]))
    )
    reference = Reference(kind="bibliographic", text=text[slice(*span)], fields=dict(_fields(held)))
    return FoundReference(reference, span, span)


def _bare(value: str) -> str:
    """Take off what encloses a value that the parser has left as it was, as it does where a key stands twice."""
    said = _LINK.sub(lambda link: f"{link[1] or ''} {{", " ".join(value.split()))
    if said[:1] == '"' == said[-1:]:
        said = said[1:-1]
    return said.replace("{", "").replace("}", "").strip()


def _fields(held: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Return an entry's fields under the names that references have, leaving out what is empty."""
    yield "style", "bibtex"
    authors = [name for name in _AND.split(held.get("author") or held.get("editor") or "") if name]
    if authors and authors[-1].casefold() == "others":
        authors.pop()
        yield "et_al", "yes"
    if authors:
        yield "authors", "; ".join(authors)
    for name in _SAME:
        if held.get(name) and not (name == "volume" and _ID_FOR_A_VOLUME.match(held[name])):
            yield name, _DOI_HEAD.sub("", held[name]) if name == "doi" else held[name]
    if "year" not in held and (year := _YEAR.search(held.get("date", ""))):
        yield "year", year[0]
    if container := next((held[name] for name in _CONTAINERS if held.get(name)), None):
        yield "container", container
    if number := held.get("number") or held.get("issue"):
        yield "issue", number
    if pages := held.get("pages"):
        yield "pages", re.sub(r"-{2,}|[–—]", "-", pages)
    yield from _ids(held)


def _ids(held: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Return the ids that the entry's other fields hold, beside those of their own fields, which are believed first."""
    own = dict(_arxiv(held))
    yield from own.items()
    for name, said in ids_in_fields(held).items():
        if name not in own and not held.get(name) and not (name == "version" and "arxiv" in own):
            yield name, f"v{said}" if name == "version" else said


def _arxiv(held: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    kind = (held.get("archiveprefix") or held.get("eprinttype") or "").casefold()
    written = held.get("arxiv") or held.get("arxivid") or (held.get("eprint", "") if kind in {"arxiv", ""} else "")
    if found := _ARXIV.match(written.strip()):
        yield "arxiv", found[1]
        if found[2]:
            yield "version", found[2].lower()
