"""Entries of reference lists: Vancouver, AMA, APA, BibTeX-like one-liners and the mixtures that people write."""

from __future__ import annotations

import re
from collections.abc import Iterator

from showable.read.references.entry_authors import author_candidates
from showable.read.references.entry_bibtex import find_bibtex
from showable.read.references.entry_places import Place, places_of
from showable.read.references.entry_reading import Reading, finished, is_one_word, read_fields
from showable.read.references.entry_sentences import is_sentence
from showable.read.references.entry_text import plain_line
from showable.read.references.found import FoundReference
from showable.read.references.law_signs import is_law
from showable.read.references.placed import placed
from showable.records.regex import regex

_LABEL = regex(
    r"\s*(?:[-*•–+]\s+|\[\^?\w{1,20}\]:?\s*|\(\d{1,3}\)\s+|\d{1,3}[.):]\s+|【\d{1,3}】\s*)?(?:(?:reference|citation|source|cite|see|ref)s?:\s+)?",
    re.IGNORECASE,
)
_IDS = ("doi", "pmid", "pmcid", "arxiv", "isbn", "url", "nct")
_AMA_DOI = regex(r"doi:10\.\S+$")
_PUBLISHED = regex(r"\b(?:Published|Accessed|Preprint posted|Updated)\b")
_VOLUME_AFTER_YEAR = regex(r"(?:1[6-9]|20)\d\d[^;\n]{0,14};\s?[\w(]|\(\d{1,4}\)[,:]\s?\w|:\d")
_HEAD = 240
_AMA_NAMED = 3
_SURE, _SURE_ALONE, _SURE_LISTED = 4, 3, 2


def read_entry(text: str) -> FoundReference | None:
    """Read a text that is one citation, with or without a label before it; None where nothing in it is a title.

    Kind `bibliographic`; fields: style (vancouver, ama, apa, bibtex, unknown), authors (joined by ``; ``, as
    written), et_al, title, container, year, date, volume, issue, pages, publisher, edition, and doi, pmid, pmcid,
    arxiv, version, isbn, url, nct where the entry gives them. What an entry lacks is missing. None for codes,
    reports and restatements, and for a plain sentence; asked only for what is known to be a citation all the same:
    prose may be read as one, `find_entries` decides that.
    """
    bibtex = find_bibtex(text) if "@" in text else []
    if bibtex:
        return bibtex[0]
    label = _LABEL.match(text)
    start = label.end() if label else 0
    one = _read(text, (start, len(text.rstrip())))
    return one[0] if one is not None else None


def find_entries(text: str) -> list[FoundReference]:
    """Find the entries of reference lists, in order of place.

    They stand under a heading (References, Sources …), in a numbered or bulleted list, on a line of their
    own, or are the whole text. Away from a heading only what is surely an entry is taken: names and a year,
    a year and a volume.
    """
    found = find_bibtex(text) if "@" in text else []
    end = -1
    if any(map(str.isdigit, text)) or "(n.d.)" in text:
        for place in places_of(text):
            if place.span[0] >= end and (one := _at(text, place)) is not None:
                found.append(one)
                end = one.span[1]
    found.sort(key=lambda one: one.span)
    return list(_apart(found))


def _apart(found: list[FoundReference]) -> Iterator[FoundReference]:
    end = -1
    for one in found:
        if one.span[0] >= end:
            yield one
            end = one.span[1]


def _at(text: str, place: Place) -> FoundReference | None:
    if place.standing != "listed" and not _may_be_entry(text, place.span):
        return None
    read = _read(text, place.span)
    if read is None:
        return None
    one, reading = read
    asked = {"listed": _SURE_LISTED, "alone": _SURE_ALONE, "line": _SURE}[place.standing]
    if reading.evidence < asked or (place.standing != "listed" and not _is_no_sentence(reading)):
        return None
    return one


def _may_be_entry(text: str, span: tuple[int, int]) -> bool:
    """Look at the head for names and else for a year with a volume, before all of it is read."""
    start, end = span
    if _VOLUME_AFTER_YEAR.search(text, start, end):
        return True
    return bool(author_candidates(plain_line(text[start : min(end, start + _HEAD)])))


def _is_no_sentence(reading: Reading) -> bool:
    """Ask, away from a list, for a title that begins as one, and without authors for a journal with volume and pages."""
    fields = reading.fields
    if fields["title"][:1].islower() or is_one_word(fields["title"]):
        return "authors" in fields and reading.numbered and "container" in fields
    return "authors" in fields or all(fields.get(name) for name in ("container", "volume", "pages", "year"))


def _read(text: str, span: tuple[int, int]) -> tuple[FoundReference, Reading] | None:
    if span[1] <= span[0]:
        return None
    written = text[slice(*span)]
    reading = read_fields(written)
    if reading is None or not _is_enough(reading.fields):
        return None
    fields = finished(reading)
    line = plain_line(written)
    if is_law(line, fields) or is_sentence(line, reading.authors, reading.fields):
        return None
    fields = {"style": style_of(written, reading), **fields}
    return placed(text, "bibliographic", span, fields), reading


def _is_enough(fields: dict[str, str]) -> bool:
    """Ask for a title and one thing more to know it by."""
    return "title" in fields and any(fields.get(name) for name in ("authors", "year", "container", "publisher", *_IDS))


def style_of(written: str, reading: Reading) -> str:
    """Tell the style of an entry from how its names, its year and its DOI are written."""
    authors = reading.authors
    if authors is None:
        return "unknown"
    if reading.opened and authors.form in {"inverted_initials", "group"}:
        return "apa" if written[: authors.end + 12].count("(") else "unknown"
    if authors.joined_by_and and len(authors.names) > 1 and authors.form in {"given_first", "inverted"}:
        return "bibtex" if written.count(" and ") >= len(authors.names) - 1 and not reading.quoted else "unknown"
    if authors.form not in {"initials", "group"} or reading.opened or reading.quoted:
        return "unknown"
    if not (reading.numbered or "publisher" in reading.fields or authors.form == "initials"):
        return "unknown"
    is_ama = _AMA_DOI.search(written.rstrip()) or _PUBLISHED.search(written)
    three = authors.et_al and len(authors.names) == _AMA_NAMED
    return "ama" if (is_ama or three) and "pmid" not in reading.fields else "vancouver"
