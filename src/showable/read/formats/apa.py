"""APA, the Publication Manual of the American Psychological Association, 7th edition, chapters 9 and 10."""

from __future__ import annotations

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

_FAMILY_COMMA_INITIALS = regex(
    r"[^\W\d_][\w'’‐-]*(?:\s[^\W\d_][\w'’‐-]*){0,4},\s[^\W\d_]\.(?:[\s-]?[^\W\d_]\.){0,4}(?:,\s(?:Jr\.|Sr\.|I{2,3}|IV))?"
)
_YEAR = regex(r"\((?:(?:1[6-9]|20)\d\d[a-z]?(?:,\s[A-Z][^()]{2,20})?|n\.d\.|in press)\)\.")
_NUMBERS = regex(r",\s[\w-]+(?:\([^()]+\))?(?:,\s(?:[\w.]+(?:[–-][\w.]+)?|Article\s\w+))?\.")
_DOI_URL = regex(r"https://doi\.org/10\.")
_HYPHENATED = regex(r"(?<=\d)-(?=\d)")
_NAMED = 20


def check(found: FoundReference, text: str) -> list[FormatFault]:
    """Return what in an entry departs from APA.

    ``Family, A. B., & Family, C. (Year). Title. Journal, Vol(Issue), Pages. https://doi.org/…``. Up to twenty authors are all named, an ampersand before the last (9.8); ``et al.`` has no place in a reference
    list. The DOI is an address (9.35). `where` is in code points of `text`.
    """
    del text
    settled = not_an_entry(found, "APA")
    if settled is not None:
        return settled
    return [
        *_missing(found),
        *wrong_names(found, _FAMILY_COMMA_INITIALS, "Family, A. B."),
        *_names(found),
        *_year(found),
        *_numbers(found),
        *quoted_title(found, "APA"),
        *_doi(found),
    ]


def _missing(found: FoundReference) -> list[FormatFault]:
    undated = "(n.d.)" in found.reference.text or "(in press)" in found.reference.text
    return [fault for fault in missing(found) if not (undated and fault.code == "missing_year")]


def _names(found: FoundReference) -> list[FormatFault]:
    names = names_in(found)
    if found.reference.fields.get("et_al") == "yes":
        return [
            FormatFault(
                "et_al_used", "a reference list names up to twenty authors, without et al.", place_of(found, "et al")
            )
        ]
    if len(names) > _NAMED:
        return [
            FormatFault(
                "too_many_authors",
                f"of {len(names)} authors nineteen are named, then … and the last",
                place_of(found, names[_NAMED]),
            )
        ]
    last = place_of(found, names[-1]) if len(names) > 1 else None
    if last is None:
        return []
    before = found.reference.text[: last[0] - found.span[0]].rstrip()
    if before.endswith("&"):
        return []
    return [FormatFault("ampersand", "an ampersand stands before the last author", last)]


def _year(found: FoundReference) -> list[FormatFault]:
    if _YEAR.search(found.reference.text) or "year" not in found.reference.fields:
        return []
    where = place_of(found, found.reference.fields["year"])
    return [FormatFault("year_place", "the year stands in parentheses after the authors, then a period", where)]


def _numbers(found: FoundReference) -> list[FormatFault]:
    fields = found.reference.fields
    if not is_journal_article(found) or "volume" not in fields:
        return []
    container = place_of(found, fields.get("container", ""))
    rest = found.reference.text[container[1] - found.span[0] :] if container else ""
    if not _NUMBERS.match(rest):
        return [
            FormatFault(
                "numbers_form", "the numbers are written Journal, 12(3), 45–50.", place_of(found, fields["volume"])
            )
        ]
    if _HYPHENATED.search(fields.get("pages", "")):
        return [FormatFault("page_dash", "an en dash stands between pages", place_of(found, fields["pages"]))]
    return []


def _doi(found: FoundReference) -> list[FormatFault]:
    if "doi" not in found.reference.fields or _DOI_URL.search(found.reference.text):
        return []
    return [FormatFault("doi_form", "a DOI is written https://doi.org/10.…", place_of(found, "doi"))]
