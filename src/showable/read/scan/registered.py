"""Numbers that registers gave to works, trials and cases: what a pattern of personal numbers fits as well."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from showable.read.references.find import find_references
from showable.read.scan.finding import Span
from showable.records.record import Reference
from showable.records.regex import regex

_REGISTERED = frozenset(
    {"doi", "pmid", "pmcid", "arxiv", "isbn", "issn", "nct", "fda_application", "sec_accession", "nbk"}
)
_PERSONAL_NUMBER = regex(r"\d{3}-\d\d-\d{4}|\d{9,}")
"""`123-45-6789`, which is read as a docket after "No."; not `19-123456`, `2:19-cv-01234`."""


def registered_spans(text: str) -> list[Span]:
    """Return the places of well-formed identifiers and docket numbers, labels included, in order."""
    return [one.span for one in find_references(text) if _is_registered(one.reference)]


def is_part(where: Span, spans: Sequence[Span]) -> bool:
    """Return True for a place within, and shorter than, one of `spans`, which are in order and apart."""
    number = bisect_right(spans, where[0], key=lambda span: span[0]) - 1
    return number >= 0 and where[1] <= spans[number][1] and where != spans[number]


def _is_registered(reference: Reference) -> bool:
    if reference.kind == "docket":
        return _PERSONAL_NUMBER.fullmatch(reference.fields.get("number", "")) is None
    return reference.kind in _REGISTERED and "malformed" not in reference.fields
