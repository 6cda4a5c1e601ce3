"""SEC EDGAR: filings as companies submitted them, in the form that the archive publishes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from showable.documents.plain import decode
from showable.documents.read import read_bytes, read_document
from showable.errors import InputError
from showable.harness.corpora.archive import CHECKSUMS
from showable.harness.corpora.chunking import chunk, id_of
from showable.harness.corpora.corpus import Corpus
from showable.harness.corpora.edgar_corpus import ENDINGS as ROWS
from showable.harness.corpora.edgar_corpus import read_reports
from showable.harness.corpora.labelled_rows import read_bytes as bytes_of
from showable.records.record import Source

ADDRESSES = (
    "https://www.sec.gov/Archives/edgar/data/320193/000032019323000106/0000320193-23-000106.txt",
    "https://www.sec.gov/Archives/edgar/data/320193/000032019324000123/0000320193-24-000123.txt",
    "https://www.sec.gov/Archives/edgar/data/789019/000095017023035122/0000950170-23-035122.txt",
    "https://www.sec.gov/Archives/edgar/data/789019/000095017024087843/0000950170-24-087843.txt",
)
"""Two annual reports each of two companies, so that another year and another company are at hand."""
LICENCE = "public information, which the SEC lets anybody copy and distribute"

_SUBMISSION = re.compile(
    r"\s*(?:-----BEGIN PRIVACY|<SEC-DOCUMENT>|<SEC-HEADER>|<IMS-DOCUMENT>|<IMS-HEADER>|<SUBMISSION>)"
)
_DOCUMENT = re.compile(r"<DOCUMENT>(.*?)</DOCUMENT>", re.DOTALL)
_TEXT = re.compile(r"<TEXT>(.*?)</TEXT>", re.DOTALL)
_TAG = re.compile(r"^<(TYPE|SEQUENCE|FILENAME|DESCRIPTION)>[^\S\n]*(.*?)\s*$", re.MULTILINE)
_HEADER = {
    "accession": re.compile(r"ACCESSION NUMBER:\s*(\S+)"),
    "form": re.compile(r"CONFORMED SUBMISSION TYPE:\s*(\S.*?)\s*$", re.MULTILINE),
    "company": re.compile(r"COMPANY CONFORMED NAME:\s*(\S.*?)\s*$", re.MULTILINE),
    "cik": re.compile(r"CENTRAL INDEX KEY:\s*(\d+)"),
    "filed": re.compile(r"FILED AS OF DATE:\s*(\d{8})"),
    "period": re.compile(r"CONFORMED PERIOD OF REPORT:\s*(\d{8})"),
}
_NO_TEXT = re.compile(r"GRAPHIC|ZIP|EXCEL|XML|JSON|PDF|COVER|EX-101\b.*|EX-10[2-9]\..*|XBRL.*", re.IGNORECASE)
"""Types of document that are pictures, packed, or data for programs."""
_WRAPPER = re.compile(r"\s*</?(?:XBRL|XML|HTML-?FRAGMENT)>\s*")
_LAYOUT = re.compile(r"^[^\S\n]*(?:</?(?:TABLE|CAPTION|S|C|FN)>[^\S\n]*)+$\n?|</?(?:CAPTION|S|C|FN)>", re.MULTILINE)
"""Marks of tables in plain text, which are no words of the filing."""
_PAGE = re.compile(r"^[^\S\n]*<PAGE>.*\n?", re.MULTILINE)
_HTML = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|body|div|head)\b", re.IGNORECASE | re.DOTALL
)
_ENDINGS = (".txt", ".htm", ".html", *ROWS)


@dataclass(slots=True)
class _Reading:
    sources: list[Source] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def read_edgar(path: Path) -> Corpus:
    """Read a full-text submission (``.txt`` with ``<SEC-HEADER>``), a filing's HTML, rows of EDGAR-CORPUS, or a folder of them.

    A document of a submission is ``ACCESSION/FILENAME``; pictures, packed files and XBRL are passed over. Pages are
    those that a plain-text filing marks; HTML has none. Nothing is labelled. Raises InputError where nothing can be read.
    """
    if not path.exists():
        raise InputError("no such file or folder", path=str(path))
    reading = _Reading()
    files = sorted(filter(_is_filing, path.rglob("*"))) if path.is_dir() else [path]
    for file in files:
        try:
            _read(file, file.relative_to(path).as_posix() if path.is_dir() else file.name, reading)
        except InputError as error:
            reading.left_out.append(str(error))
    if not reading.sources:
        why = reading.left_out[0] if reading.left_out else f"no filing in it ({', '.join(_ENDINGS)})"
        raise InputError(why if path.is_dir() else why.removeprefix(f"{path}: "), path=str(path))
    counted = [f"{len(reading.left_out)} of {len(files)} files left out:"] if reading.left_out else []
    notes = (*counted, *(f"left out: {said}" for said in reading.left_out), *reading.notes)
    return Corpus(name="edgar", origin=str(path), licence=LICENCE, sources=tuple(reading.sources), notes=notes)


def _is_filing(path: Path) -> bool:
    return path.name.casefold().endswith(_ENDINGS) and path.name != CHECKSUMS and path.is_file()


def _read(path: Path, name: str, reading: _Reading) -> None:
    if path.suffix.casefold() in {".htm", ".html"}:
        document = read_document(path)
        reading.sources += chunk(id_of(name), document.text, title=path.stem)
        return
    if path.name.casefold().endswith(ROWS):
        reading.sources += read_reports(path)
        return
    text, said = decode(str(path), bytes_of(path))
    reading.notes += said
    if not _SUBMISSION.match(text):
        raise InputError("is no EDGAR submission: it begins with none of <SEC-DOCUMENT>, <SEC-HEADER>", path=str(path))
    _read_submission(text, path, reading)


def _read_submission(text: str, path: Path, reading: _Reading) -> None:
    head = text.partition("<DOCUMENT>")[0]
    facts = {name: found[1] for name, pattern in _HEADER.items() if (found := pattern.search(head))}
    if "accession" not in facts:
        raise InputError("its header has no ACCESSION NUMBER", path=str(path))
    before = len(reading.sources)
    for number, found in enumerate(_DOCUMENT.finditer(text), start=1):
        tags = {tag[1]: tag[2] for tag in _TAG.finditer(found[1][: found[1].find("<TEXT>")])}
        body = _TEXT.search(found[1])
        if body is None or _NO_TEXT.fullmatch(tags.get("TYPE", "")):
            continue
        named = tags.get("FILENAME") or tags.get("SEQUENCE") or str(number)
        try:
            reading.sources += _passages(facts, tags, named, body[1])
        except InputError as error:
            reading.left_out.append(f"{path}/{named}: {error.message}")
    if len(reading.sources) == before:
        raise InputError("holds no <DOCUMENT> with text", path=str(path))


def _passages(facts: dict[str, str], tags: dict[str, str], named: str, body: str) -> list[Source]:
    """Cut one document of a submission."""
    inner, pages = body, None
    while wrapper := _WRAPPER.match(inner):
        inner = inner[wrapper.end() :]
    if PurePosixPath(named).suffix.casefold() in {".htm", ".html"} or _HTML.match(inner):
        # the mark says that this is UTF-8, whatever the page declared of the bytes it once was
        text = read_bytes(f"{named}.htm", inner.encode("utf-8-sig")).text
    elif inner.lstrip().startswith(("begin 6", "<PDF>")):
        raise InputError("is no text: it is packed (uuencoded)")
    else:
        text, pages = _plain(inner)
    form = tags.get("TYPE") or facts.get("form", "")
    title = ", ".join(part for part in (facts.get("company"), form, _day(facts.get("period"))) if part)
    metadata = {**{name: _day(value) for name, value in facts.items()}, "type": form}
    return chunk(id_of(f"{facts['accession']}/{named}"), text, title=title or None, pages=pages, metadata=metadata)


def _plain(body: str) -> tuple[str, Callable[[int], int] | None]:
    """Take the marks of layout out of a plain-text filing, and keep where its pages begin."""
    parts = [_LAYOUT.sub("", part) for part in _PAGE.split(body)]
    starts = list(_running(parts))
    if len(parts) == 1:
        return parts[0], None
    first = 0 if parts[0].strip() else 1

    def page_of(offset: int) -> int:
        at = sum(start <= offset for start in starts)
        return max(at - first, 1)

    return "".join(parts), page_of


def _running(parts: list[str]) -> Iterator[int]:
    at = 0
    for part in parts:
        yield at
        at += len(part)


def _day(value: str | None) -> str:
    """Write a date as ISO 8601 does; anything else stays as it is."""
    if value and re.fullmatch(r"\d{8}", value):
        return f"{value[:4]}-{value[4:6]}-{value[6:]}"
    return value or ""
