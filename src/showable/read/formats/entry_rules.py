"""What the three entry styles ask in common, and how their rules are looked up in the words of an entry."""

from __future__ import annotations

import re

from showable.read.formats.fault import FormatFault
from showable.read.references.found import FoundReference, Span
from showable.records.regex import regex

IDENTIFIERS = frozenset({"doi", "pmid", "pmcid", "arxiv", "isbn", "nct", "nbk"})
_QUOTED_TITLE = regex(r"[“\"]")
_BOOK = regex(r"\b(?:[Ee]ds?\b\.?|[Ee]ditors?\b|[Ii]n:|Press\b|Publish)")
_NOT_A_JOURNAL = regex(
    r"(?i)arxiv|rxiv|preprint|ssrn|proceedings|conference|workshop|symposium|advances in|neurips|icml|iclr|\bacl\b|\bcvpr\b"
)
_BODY = regex(
    r"\b(?:of|for|the|Groups?|Organi[sz]ation|Association|Collaborat\w+|Committee|Society|Institutes?|Investigators|Network|Consortium|"
    r"Cent(?:er|re)s?|Department|Ministry|Agency|Commission|Council|Team|Task Force|Foundation|University|Academy|College)\b|^[A-Z]{3,}$"
)
_AHEAD = regex(r"(?i)ahead of print|in press|online first|advance online|published online")


def names_in(found: FoundReference) -> list[str]:
    """Return the authors of an entry, as written."""
    return [name for name in found.reference.fields.get("authors", "").split("; ") if name]


def place_of(found: FoundReference, words: str) -> Span | None:
    """Return where words of an entry stand in the text, or None where they are not written so."""
    at = found.reference.text.find(words) if words else -1
    return (found.span[0] + at, found.span[0] + at + len(words)) if at >= 0 else None


def not_an_entry(found: FoundReference, style: str) -> list[FormatFault] | None:
    """Settle what is no entry: an identifier or an address alone is a fault, another kind is none of this style's."""
    kind = found.reference.kind
    if kind == "bibliographic":
        return None
    if kind in IDENTIFIERS:
        return [
            FormatFault("identifier_only", f"{style} asks for a whole entry, here is an identifier alone", found.span)
        ]
    if kind in {"url", "news"}:
        return [FormatFault("address_only", f"{style} asks for a whole entry, here is a link", found.span)]
    return []


def is_journal_article(found: FoundReference) -> bool:
    """Check whether an entry is an article of a journal: it has a container, and no publisher, editors or repository."""
    fields = found.reference.fields
    container = fields.get("container", "")
    if not container or "publisher" in fields or "edition" in fields or "isbn" in fields or "arxiv" in fields:
        return False
    if _NOT_A_JOURNAL.search(container) or _BOOK.search(found.reference.text):
        return False
    return "volume" in fields or "url" not in fields


def missing(found: FoundReference) -> list[FormatFault]:
    """Return what an entry of any style lacks: title, year, journal or publisher; of an article also volume and pages."""
    fields = found.reference.fields
    faults = []
    if "title" not in fields:
        faults.append(FormatFault("missing_title", "the title is missing"))
    if "year" not in fields:
        faults.append(FormatFault("missing_year", "the year is missing"))
    if not {"container", "publisher", "url", "arxiv"} & fields.keys():
        faults.append(FormatFault("missing_container", "the journal, book or publisher is missing"))
    if is_journal_article(found) and not _AHEAD.search(found.reference.text):
        if "volume" not in fields:
            faults.append(FormatFault("missing_volume", "the volume is missing"))
        elif "pages" not in fields:
            faults.append(FormatFault("missing_pages", "the pages or the article's number are missing"))
    if "malformed" in fields:
        faults.append(FormatFault("malformed_identifier", fields["malformed"], found.span))
    return faults


def quoted_title(found: FoundReference, style: str) -> list[FormatFault]:
    """Return where the title stands in quotation marks, which these styles do without."""
    title = found.reference.fields.get("title", "")
    where = place_of(found, title)
    if where is None:
        return []
    before = found.reference.text[where[0] - found.span[0] - 1 : where[0] - found.span[0]]
    return (
        [FormatFault("quoted_title", f"{style} sets no quotation marks around a title", where)]
        if _QUOTED_TITLE.fullmatch(before)
        else []
    )


def wrong_names(found: FoundReference, form: re.Pattern[str], due: str) -> list[FormatFault]:
    """Return which author first departs from the form of names; bodies such as an organization or a study group pass."""
    for name in names_in(found):
        if not form.fullmatch(name) and not _BODY.search(name):
            return [FormatFault("author_form", f"an author is written {due}, not {name}", place_of(found, name))]
    return []
