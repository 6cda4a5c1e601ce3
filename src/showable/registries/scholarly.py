"""What the registries of papers have in common: ids in one form, names taken apart, the words of a search."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from urllib.parse import quote, unquote

from showable.read.references.identifier_checks import doi_fault
from showable.read.word_sets import word_set
from showable.records import Notice, Person

_DOI_LEAD = re.compile(r"^(?:https?://)?(?:(?:dx\.|www\.)?doi\.org/|doi:\s*)", re.IGNORECASE)
_PARTICLES = word_set(
    "van von der den de del della di da dos das do du la le el al bin ibn ben ter ten te zu zur af av"
)
_WORD = re.compile(r"[^\W_]+")
_GONE = re.compile(r"^\W*(retracted|withdrawn|removed)\b(?:\s+(?:article|paper|chapter))?\W", re.IGNORECASE)
_LONGEST_SEARCH = 400
_SEVERITY = ("retracted", "withdrawn", "superseded_version", "concern", "corrected")


def plain_doi(text: str | None) -> str | None:
    """Return a DOI in lower case without its resolver; None where there is none, or it cannot be one (DOI Handbook, 2.2)."""
    doi = _DOI_LEAD.sub("", (text or "").strip())
    doi = unquote(doi).lower() if "%" in doi else doi.lower()
    return doi if doi and doi_fault(doi) is None else None


def doi_key(fields: Mapping[str, str]) -> str | None:
    """Return what an answer about a DOI depends on: the DOI, or the text that is none; None where there is nothing."""
    written = fields.get("doi", "").strip()
    return plain_doi(written) or written.lower() or None


def in_path(doi: str) -> str:
    """Write a DOI as one segment of a path: every sign that is none of a name is percent-encoded, slashes too."""
    return quote(doi, safe="")


def given_first(name: str) -> Person:
    """Split ``Ashish Vaswani`` or ``Vaswani, Ashish``; a name of one word, or one that is no person's, stays whole."""
    text = " ".join(name.split())
    family, comma, given = text.partition(",")
    if comma:
        return Person(family=family.strip() or text, given=given.strip())
    words = text.split()
    start = max(0, len(words) - 1)
    while start > 1 and words[start - 1].casefold() in _PARTICLES:
        start -= 1
    return Person(family=" ".join(words[start:]), given=" ".join(words[:start])) if words else Person(family=text)


def initials_last(name: str) -> Person:
    """Split ``Wakefield AJ`` as MEDLINE writes it, where what comes last is initials; else keep it whole."""
    family, _, initials = " ".join(name.split()).rpartition(" ")
    if not family or not initials.isupper():
        return Person(family=name)
    if initials.casefold() in {"jr", "sr", "2nd", "3rd"}:
        return initials_last(family)
    return Person(family=family, given=initials)


def search_words(fields: Mapping[str, str], *names: str) -> str:
    """Return the words of some fields for a search, without signs that a query language would read."""
    words = [word for name in names for word in _WORD.findall(fields.get(name, ""))]
    text = ""
    for word in words:
        if len(text) + len(word) >= _LONGEST_SEARCH:
            break
        text = f"{text} {word}" if text else word
    return text


def first_author(fields: Mapping[str, str]) -> str:
    """Return the first name of an author list, as it is written."""
    return fields.get("authors", "").partition(";")[0].strip()


def search_key(fields: Mapping[str, str]) -> str | None:
    """Return what the answer to a search depends on; None where there is no title to look for."""
    title = search_words(fields, "title")
    if not title:
        return None
    rest = search_words({"author": first_author(fields), **fields}, "author", "year", "container")
    return f"{title}|{rest}".casefold()


def gone_by_title(title: str | None) -> tuple[Notice, ...]:
    """Read a notice out of a title that begins with ``RETRACTED:`` or ``WITHDRAWN:``; a title ``Retraction: …`` is the notice's own."""
    found = _GONE.match(title or "")
    if not found:
        return ()
    kind = "retracted" if found[1].casefold() == "retracted" else "withdrawn"
    return (Notice.model_validate({"kind": kind, "reason": f"the title begins with {found[1].upper()}"}),)


def worst_first(notices: Iterable[Notice]) -> tuple[Notice, ...]:
    """Put the gravest notice first, and keep one of each kind and id: publishers and aggregators report one notice each."""
    kept: dict[tuple[str, str], Notice] = {}
    for notice in notices:
        kept.setdefault((notice.kind, (notice.by or "").lower()), notice)
    told = {kind for kind, by in kept if by}
    unique = [notice for (kind, by), notice in kept.items() if by or kind not in told]
    return tuple(sorted(unique, key=lambda notice: _SEVERITY.index(notice.kind)))
