"""Pin cites: the page a citation points into, held against the pages of what was found."""

from __future__ import annotations

import re
from collections.abc import Mapping

from showable.records.record import Reference

_PAGE = re.compile(r"\*?(\d{1,6})")


def pin_note(reference: Reference, found: Mapping[str, str]) -> str | None:
    """Say that a pin cite lies outside the pages that the registry gives; None where it does not, or nothing is known.

    A note and no status: last pages are often missing from registries or counted without an appendix.
    """
    pin = _page(reference.fields.get("pin"))
    ends = [_page(end) for end in re.split("[–-]", found.get("pages", ""))]
    first, last = ends[0], ends[-1] if len(ends) > 1 else None
    if pin is None or found.get("volume", reference.fields.get("volume")) != reference.fields.get("volume"):
        return None
    if last is not None and pin > last:
        return f"the pin cite, {reference.fields['pin']}, lies beyond the last page, {last}"
    if first is not None and pin < first:
        return f"the pin cite, {reference.fields['pin']}, lies before the first page, {first}"
    return None


def _page(said: str | None) -> int | None:
    match = _PAGE.match((said or "").strip())
    return int(match[1]) if match else None
