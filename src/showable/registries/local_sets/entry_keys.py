"""What an imported entry is found by, and what a reference asks for: the same ids, cites and words on both sides."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from showable.read.word_sets import word_set
from showable.records import Entry, Reference
from showable.registries.local_sets.docket_numbers import docket_numbers
from showable.rubrics.metadata.reporter_cites import ReporterCite, page_number, read_cite
from showable.rubrics.metadata.statutes import plain_section
from showable.rubrics.metadata.titles import main_title, title_words

ID_KINDS = ("doi", "pmid", "pmcid", "arxiv", "isbn", "issn", "nct", "fda_application", "sec_accession", "nbk")
"""Kinds whose one field is the id itself, in the order in which the id of a work is sought."""

PARTS: Mapping[str, tuple[str, ...]] = {
    "neutral_uk": ("year", "court", "division", "number"),
    "westlaw": ("year", "number"),
    "lexis": ("year", "series", "number"),
    "docket": ("number",),
    "usc": ("title", "section"),
    "cfr": ("title", "part", "section"),
    "fed_reg": ("volume", "page"),
    "public_law": ("congress", "number"),
    "statutes_at_large": ("volume", "page"),
    "fed_rule": ("rules", "rule"),
    "law_journal": ("volume", "journal", "page"),
}
"""Kinds that are known by several fields together."""
MAY_LACK = frozenset({"division", "series", "section"})
_WITH_HYPHENS = frozenset({"part", "section", "rule"})
"""Parts whose hyphens and points tell one from another: §§ 1.461-1 and 1.46-11, §§ 300-1 and 3001, Rules 4.1 and 41."""

_DOI = re.compile(r"(?i)^(?:https?://)?(?:(?:dx\.|www\.)?doi\.org/|doi:\s*)")
_ARXIV = re.compile(r"(?i)^(?:https?://)?(?:www\.)?(?:export\.)?(?:arxiv\.org/(?:abs|pdf)/|arxiv:\s*)")
_LEAD = re.compile(r"^(?:pmcid|pmid|pmc|nbk|a?nda|bla)?0*")
_VERSION = re.compile(r"v\d+$")
_NOT_PLAIN = re.compile(r"[^0-9a-z]")
_ZEROS = re.compile(r"^0+(?=[0-9])")
_URL_LEAD = re.compile(r"(?i)^(?:https?://)?(?:www\.)?")
_HOST = re.compile(r"[^/?]*")
_FRAGMENT = re.compile(r"#(?![!/]).*")
"""A place within a page. What begins with ``#!`` or ``#/`` names a page of its own, on sites that are one program."""
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_COMMON = word_set("and at by for from in into is of on or the to with what why how using study case v versus")
_MOST_WORDS = 40
_ISBN_10 = 10


@dataclass(frozen=True, slots=True)
class Standing:
    """The pages of one volume that a case stands on: a series of page numbers, the first and the last."""

    volume: str
    reporter: str
    series: str
    first: int
    last: int


def id_key(kind: str, value: str) -> str:
    """Return an id in the one form by which it is kept: lower case, without resolver, hyphens and leading zeros.

    Of an address the host alone is put in lower case, for its path is not the same in another case.
    """
    text = " ".join(value.split()).casefold()
    match kind:
        case "doi":
            key = _DOI.sub("", text).rstrip(".")
        case "arxiv":
            key = _VERSION.sub("", _ARXIV.sub("", text).removesuffix(".pdf"))
        case "url":
            key = _address(value)
        case "isbn":
            key = _thirteen(_NOT_PLAIN.sub("", text))
        case "pmid" | "pmcid" | "nbk" | "fda_application":
            key = _LEAD.sub("", _NOT_PLAIN.sub("", text))
        case _:
            key = _NOT_PLAIN.sub("", text)
    return key


def reference_keys(kind: str, fields: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the ids that a reference, or a row of fields, names: kind and key. One of several parts counts whole or not at all.

    The key of a docket number is its year and serial number; its court, office and sort are compared where it is found.
    """
    keys = [(name, id_key(name, fields[name])) for name in ID_KINDS if fields.get(name)]
    if kind == "fda_application" and fields.get("number"):
        keys.append((kind, id_key(kind, fields["number"])))
    if kind == "sec_accession" and fields.get("accession"):
        keys.append((kind, id_key(kind, fields["accession"])))
    if kind == "docket":
        keys += [(kind, number.key) for number in docket_numbers(fields.get("number", ""))]
    elif kind in PARTS and (joined := _joined(kind, fields)):
        keys.append((kind, joined))
    if fields.get("url"):
        keys.append(("url", id_key("url", fields["url"])))
    return [(name, key) for name, key in keys if key]


def cite_keys(entry: Entry) -> list[tuple[str, str, str]]:
    """Return the volume, reporter and first page of each cite of a case, in the form by which they are kept."""
    cites = [cite for cite in map(read_cite, entry.citations) if cite is not None]
    if entry.volume and entry.first_page:
        cites += [ReporterCite(entry.volume, name, entry.first_page) for name in entry.containers]
    return list(dict.fromkeys(cite.key for cite in cites))


def standing_of(entry: Entry) -> list[Standing]:
    """Return the pages that a case is known to stand on; none where its last page is not known."""
    first, last = page_number(entry.first_page or ""), page_number(entry.last_page or "")
    if first is None or last is None or first[0] != last[0] or last[1] < first[1] or not entry.volume:
        return []
    keys = (ReporterCite(entry.volume, name, entry.first_page or "").key for name in entry.containers)
    return [Standing(volume, reporter, first[0], first[1], last[1]) for volume, reporter, _ in keys]


def telling_words(titles: Iterable[str]) -> frozenset[str]:
    """Return the words of titles by which a work can be found again, those of the main title at least."""
    words: set[str] = set()
    for title in titles:
        said = title_words(title)
        words |= {word for word in said[:_MOST_WORDS] if word not in _COMMON} or set(said)
    return frozenset(words)


def main_words(title: str) -> frozenset[str]:
    """Return the telling words of a title up to its subtitle, which a list may leave out."""
    return telling_words([main_title(title)])


def titles_of(entry: Entry) -> tuple[str, ...]:
    """Return every title of an entry, the names of a case among them."""
    return tuple(title for title in (entry.title, *entry.other_titles, *entry.case_names) if title)


def claimed_title(reference: Reference) -> str:
    """Return the title that a reference claims; a case's or an article's name where it has no other."""
    fields = reference.fields
    return fields.get("title", "").strip() or fields.get("case_name", "").strip()


def _joined(kind: str, fields: Mapping[str, str]) -> str | None:
    parts = []
    for name in PARTS[kind]:
        said = fields.get(name, "")
        part = (
            _without_subsections(plain_section(said.casefold()))
            if name in _WITH_HYPHENS
            else _NOT_PLAIN.sub("", said.casefold())
        )
        if not part and name not in MAY_LACK:
            return None
        parts.append(_ZEROS.sub("", part))
    return "/".join(parts)


def _without_subsections(section: str) -> str:
    """Leave ``(a)(1)`` out at the end of ``552(a)(1)``: a set that has a part of a section has the section."""
    end = len(section)
    while section.endswith(")", 0, end) and (opened := section.rfind("(", 0, end)) > 0:
        end = opened
    return section[:end]


def _address(url: str) -> str:
    """Return an address without scheme, ``www.`` and fragment, its host and the digits of its escapes in one case (RFC 3986, 6.2.2.1)."""
    plain = _FRAGMENT.sub("", _URL_LEAD.sub("", " ".join(url.split())))
    plain = _HOST.sub(lambda host: host[0].casefold(), plain, count=1)
    return _ESCAPE.sub(lambda escape: escape[0].upper(), plain).rstrip("/")


def _thirteen(isbn: str) -> str:
    """Write an ISBN of ten digits as one of thirteen (ISO 2108)."""
    if len(isbn) != _ISBN_10 or not isbn[:9].isdigit():
        return isbn
    body = f"978{isbn[:9]}"
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(body))
    return f"{body}{-total % 10}"
