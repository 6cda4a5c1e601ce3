"""AMA, the American Medical Association's Manual of Style, 11th edition, chapter 3."""

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
from showable.read.formats.vancouver import FAMILY_INITIALS, bare_et_al, joined_by_and, year_before_title
from showable.read.references.found import FoundReference
from showable.records.regex import regex

_NUMBERS = regex(r"(?<!\d)(?:1[6-9]|20)\d\d;[\w.-]*(?:\s?\(?[Ss]uppl[^();:]*\)?)?(?:\([^()]*\))?(?::[\w.,–-]+)?")
_LISTED, _NAMED = 6, 3
_DOI = regex(r"(?P<address>https?://(?:dx\.)?doi\.org/)|(?P<label>doi:?\s*)(?=10\.)", re.IGNORECASE)


def check(found: FoundReference, text: str) -> list[FormatFault]:
    """Return what in an entry departs from AMA.

    ``Family AB, Family C. Title. Journal. Year;Vol(Issue):Pages. doi:10.…``. Up to six authors are all named; of more, three and ``et al.`` (3.7). The DOI comes last, as ``doi:10.…``,
    with no space and no period after it (3.15.3). `where` is in code points of `text`.
    """
    del text
    settled = not_an_entry(found, "AMA")
    if settled is not None:
        return settled
    return [
        *missing(found),
        *wrong_names(found, FAMILY_INITIALS, "Family AB, without commas and periods"),
        *_et_al(found),
        *joined_by_and(found, "AMA"),
        *year_before_title(found),
        *_numbers(found),
        *quoted_title(found, "AMA"),
        *_doi(found),
    ]


def _et_al(found: FoundReference) -> list[FormatFault]:
    names = names_in(found)
    if found.reference.fields.get("et_al") == "yes":
        if len(names) == _NAMED:
            return bare_et_al(found)
        said = f"three authors stand before et al., here {len(names)}"
        return [FormatFault("et_al_count", said, place_of(found, "et al")), *bare_et_al(found)]
    if len(names) > _LISTED:
        said = f"of {len(names)} authors three are named, then et al."
        return [FormatFault("et_al_due", said, place_of(found, names[_NAMED]))]
    return []


def _numbers(found: FoundReference) -> list[FormatFault]:
    fields = found.reference.fields
    if not is_journal_article(found) or not {"volume", "year"} <= fields.keys() or year_before_title(found):
        return []
    if _NUMBERS.search(found.reference.text):
        return []
    return [FormatFault("numbers_form", "the numbers are written 2020;323(1):1-2", place_of(found, fields["year"]))]


def _doi(found: FoundReference) -> list[FormatFault]:
    if "doi" not in found.reference.fields:
        return []
    written = found.reference.text.rstrip()
    match = _DOI.search(written)
    start = found.span[0]
    if match is None or match["address"] or match["label"] != "doi:":
        where = (start + match.start(), start + match.end()) if match else None
        return [FormatFault("doi_form", "a DOI is written doi:10.…, without a space", where)]
    if written.endswith(".") and match.start() > len(written) // 2 and " " not in written[match.end() :]:
        end = start + len(written)
        return [FormatFault("doi_period", "no period stands after a DOI", (end - 1, end))]
    return []
