"""A reference made from where it stands."""

from __future__ import annotations

from showable.read.references.found import FoundReference, Span
from showable.records.record import Reference


def placed(text: str, kind: str, span: Span, fields: dict[str, str], full: Span | None = None) -> FoundReference:
    """Make a reference of `text[slice(*span)]`; fields that are empty are left out."""
    kept = {name: value for name, value in fields.items() if value}
    return FoundReference(Reference(kind=kind, text=text[span[0] : span[1]], fields=kept), span, full or span)


def without_overlaps(found: list[FoundReference]) -> list[FoundReference]:
    """Keep, in order of place, those that overlap none kept before: where two begin together the longer one."""
    kept: list[FoundReference] = []
    end = -1
    for one in sorted(found, key=lambda one: (one.span[0], -one.span[1])):
        if one.span[0] >= end:
            kept.append(one)
            end = one.span[1]
    return kept
