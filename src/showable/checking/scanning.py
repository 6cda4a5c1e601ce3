"""What scanners find in a citation: characters that cannot be seen, and addresses that are not what they look like."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from showable.checking.spotting import Spotted
from showable.records.lookups import LookupResult
from showable.records.record import Reference
from showable.report.check_outcome import Flag

SCANNER = "url_scan"
"""Who settled it, where an address is refused before anybody is asked."""
_PROSE = frozenset({"bibliographic", "news", "author_year"})
"""Kinds that hold names and titles, in which some scripts need characters that an id may not have."""
_ADDRESSES = frozenset({"url", "news"})


def flags_of(spotted: Spotted) -> tuple[Flag, ...]:
    """Scan the characters of a citation, and the address that it is."""
    return (*_invisible(spotted), *_address(spotted))


def _invisible(spotted: Spotted) -> Iterator[Flag]:
    from showable.read.scan.invisible import scan_invisible  # noqa: PLC0415 - late: it loads tables

    start, end = spotted.found.span
    region: Literal["prose", "token"] = "prose" if spotted.reference.kind in _PROSE else "token"
    for one in scan_invisible(spotted.document.text[start:end], region):
        spelt = f"; it spells {one.hidden_text!r}" if one.hidden_text else ""
        yield Flag(
            code="invisible",
            reason=f"{one.name}: {one.reason}{spelt}",
            severity=one.severity,
            start=start + one.where[0],
            end=start + one.where[1],
        )


def _address(spotted: Spotted) -> Iterator[Flag]:
    """Return what a person should look at in an address; what refuses it is its status."""
    from showable.read.scan.urls import scan_url  # noqa: PLC0415 - takes the list of public suffixes with it

    url = spotted.reference.fields.get("url") if spotted.reference.kind in _ADDRESSES else None
    for one in scan_url(url) if url else ():
        if one.severity != "error":
            start, end = spotted.found.span
            yield Flag(code=one.code, reason=one.reason, severity=one.severity, start=start, end=end)


def refused(reference: Reference) -> LookupResult | None:
    """Return the answer to an address that must not be asked, so that it is known offline too; None for every other citation."""
    url = reference.fields.get("url") if reference.kind in _ADDRESSES else None
    if not url:
        return None
    from showable.read.scan.urls import vet_url  # noqa: PLC0415

    reason = vet_url(url)
    if reason is None:
        return None
    return LookupResult(status="blocked_url", registry=SCANNER, claimed=reference.fields, reason=reason)
