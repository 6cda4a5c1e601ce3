"""Vancouver, as the ICMJE and the National Library of Medicine's Citing Medicine have it."""

from __future__ import annotations

import re

from showable.read.formats.entry_rules import (
    is_journal_article,
    missing,
    names_in,
    not_an_entry,
    place_of,
    quoted_title,
    wrong_names,
)
from showable.read.formats.fault import FormatFault
from showable.read.references.found import FoundReference
from showable.records.regex import regex

FAMILY_INITIALS = regex(
    r"(?:[^\W\d_][\w'’‐-]*\.?\s){1,5}[^\W\d_a-z](?:[-‐]?[^\W\d_a-z]){0,3}(?:\s(?:Jr|Sr|2nd|3rd|4th|I{2,3}|IV))?"
)
_NUMBERS = regex(
    r"(?:1[6-9]|20)\d\d(?:\s[A-Z][a-z]{2,8}(?:[-–][A-Z][a-z]{2})?(?:\s\d{1,2}(?:[-–]\d{1,2})?)?)?(?:\s\[cited[^\]]*\])?;\s?[\w. -]*(?:\([^()]*\))?(?::[\w.,\s–-]+)?"
)
_JOINED = regex(r"\s(?:and|&)\s")
_LISTED = 6
_DOI_URL = regex(r"https?://(?:dx\.)?doi\.org/")
_ENDS_IN_ADDRESS = regex(r"(?:https?://\S+|doi:?\s?10\.\S+|PMC?I?D?:?\s?\d+)$")


def check(found: FoundReference, text: str) -> list[FormatFault]:
    """Return what in an entry departs from Vancouver.

    ``Family AB, Family C. Title. Journal. Year Mon;Vol(Issue):Pages.``. Six authors, then ``et al.`` (ICMJE); all of them is right too. `where` is in code points of `text`.
    """
    del text
    settled = not_an_entry(found, "Vancouver")
    if settled is not None:
        return settled
    return [
        *missing(found),
        *wrong_names(found, FAMILY_INITIALS, "Family AB, without commas and periods"),
        *_et_al(found),
        *joined_by_and(found, "Vancouver"),
        *_order(found),
        *quoted_title(found, "Vancouver"),
        *_doi(found),
        *_end(found),
    ]


def _et_al(found: FoundReference) -> list[FormatFault]:
    names = names_in(found)
    if found.reference.fields.get("et_al") != "yes" or len(names) == _LISTED:
        return bare_et_al(found)
    said = f"six authors stand before et al., here {len(names)}"
    return [FormatFault("et_al_count", said, place_of(found, "et al")), *bare_et_al(found)]


def bare_et_al(found: FoundReference) -> list[FormatFault]:
    """Return where ``et al.`` has no comma before it."""
    match = re.search(r"(?<![,\s])\s+et al\b", found.reference.text)
    if found.reference.fields.get("et_al") != "yes" or match is None:
        return []
    start = found.span[0] + match.start()
    return [FormatFault("et_al_comma", "a comma stands before et al.", (start, found.span[0] + match.end()))]


def joined_by_and(found: FoundReference, style: str) -> list[FormatFault]:
    """Return where the last author is joined by ``and`` or ``&``."""
    names = names_in(found)
    title = found.reference.fields.get("title", "")
    head = found.reference.text.partition(title)[0] if title else ""
    match = _JOINED.search(head)
    if len(names) < 2 or match is None or any(_JOINED.search(name) for name in names):  # noqa: PLR2004
        return []
    start = found.span[0]
    return [
        FormatFault(
            "author_joint", f"{style} sets a comma between authors", (start + match.start(), start + match.end())
        )
    ]


def _order(found: FoundReference) -> list[FormatFault]:
    early = year_before_title(found)
    if early:
        return early
    fields = found.reference.fields
    if not is_journal_article(found) or not {"volume", "year"} <= fields.keys():
        return []
    return [] if _NUMBERS.search(found.reference.text) else [
        FormatFault("numbers_form", "the numbers are written 2020 Jan 7;323(1):1-2", place_of(found, fields["year"]))
    ]  # fmt: skip


def year_before_title(found: FoundReference) -> list[FormatFault]:
    """Return where the year stands after the authors instead of after the journal."""
    fields = found.reference.fields
    year, title = place_of(found, fields.get("year", "")), place_of(found, fields.get("title", ""))
    if year is None or title is None or year[0] > title[0]:
        return []
    return [FormatFault("year_place", "the year stands after the journal, not after the authors", year)]


def _doi(found: FoundReference) -> list[FormatFault]:
    match = _DOI_URL.search(found.reference.text) if "doi" in found.reference.fields else None
    if match is None:
        return []
    return [
        FormatFault(
            "doi_form", "a DOI is written doi: 10.…", (found.span[0] + match.start(), found.span[0] + match.end())
        )
    ]


def _end(found: FoundReference) -> list[FormatFault]:
    written = found.reference.text.rstrip()
    if written.endswith(".") or _ENDS_IN_ADDRESS.search(written):
        return []
    return [
        FormatFault(
            "missing_period",
            "an entry ends in a period",
            (found.span[0] + len(written) - 1, found.span[0] + len(written)),
        )
    ]
