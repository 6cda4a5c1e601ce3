"""Looks up an entry of a reference list: by each of its ids, and by its title where there is none or one proves bad."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from showable.records import LookupResult, Reference
from showable.records.lookups import LookupStatus
from showable.registries.consult_order import IDS
from showable.registries.consult_sorts import part_about, sort_of
from showable.registries.consult_venues import Walk, settle_venue, venue_to_settle
from showable.registries.merge import with_reason

_DOES_NOT_FIT: tuple[LookupStatus, ...] = ("not_found", "mismatch", "malformed", "ambiguous")
_STANDING: tuple[LookupStatus, ...] = ("retracted", "withdrawn", "superseded_version")


async def look_up_entry(reference: Reference, walk: Walk) -> LookupResult:
    """Look an entry up; the claim of the result is the entry's.

    An id that leads nowhere, or to another work, speaks against the entry even where a work of its title exists:
    the title is then searched for to say which that is. An id of which nothing could be learned is settled by the
    title only where the work that has it has that id. Where all that is known is a preprint, and the entry names a
    conference or a journal, what was published is searched for, too.
    """
    ids = [kind for kind in IDS if reference.fields.get(kind)]
    if not ids:
        return await _without_id(reference, walk)
    parts = [_part(reference, kind) for kind in ids]
    results = await asyncio.gather(*(walk(part) for part in parts))
    result = _chosen(ids, results)
    if venue_to_settle(reference, result):
        result = await settle_venue(reference, result, walk)
    if result.status in {"resolved", *_STANDING}:
        return _about(reference, result, results)
    if not reference.fields.get("title"):
        return _about(reference, result, results)
    title = await walk(_by_title(reference))
    if result.status in _DOES_NOT_FIT:
        result = _with_what_is_cited(result, title)
    elif _has_an_id_of(title, reference):
        result = title
    return _about(reference, result, [*results, title])


async def _without_id(reference: Reference, walk: Walk) -> LookupResult:
    by_page = bool(reference.fields.get("url"))
    if by_page and sort_of(reference.fields) != "article":
        return _about(reference, await walk(_part(reference, "url")), ())
    result = await walk(reference)
    if venue_to_settle(reference, result):
        result = await settle_venue(reference, result, walk)
    if by_page and result.status in {"not_covered", "not_configured", "unreachable", "rate_limited"}:
        page = await walk(_part(reference, "url"))
        if page.status in {"resolved", *_DOES_NOT_FIT, "blocked_url"}:
            return _about(reference, page, [result])
    return result


def _part(reference: Reference, kind: str) -> Reference:
    return Reference(kind=kind, text=reference.text, fields=part_about(kind, reference.fields))


def _by_title(reference: Reference) -> Reference:
    """Leave the ids out: a wrong one would make the right work differ."""
    fields = {name: value for name, value in reference.fields.items() if name not in {*IDS, "version", "url"}}
    return Reference(kind=reference.kind, text=reference.text, fields=fields)


def _chosen(kinds: Sequence[str], results: Sequence[LookupResult]) -> LookupResult:
    """Take what speaks against the entry first, then what has become of the work, then what is known, then what is not."""
    for status in (*_DOES_NOT_FIT, "blocked_url", *_STANDING, "resolved", "rate_limited", "unreachable"):
        for kind, result in zip(kinds, results, strict=True):
            if result.status == status:
                return _naming(kind, result, alone=len(results) == 1)
    return results[0]


def _naming(kind: str, result: LookupResult, *, alone: bool) -> LookupResult:
    if alone or result.status == "resolved" or not result.reason:
        return result
    return result.model_copy(update={"reason": f"{kind}: {result.reason}"})


def _with_what_is_cited(result: LookupResult, title: LookupResult) -> LookupResult:
    if title.status in {"resolved", *_STANDING}:
        ids = [f"{kind} {title.found[kind]}" for kind in IDS if title.found.get(kind)]
        more = f"the work of this title is {ids[0]}" if ids else f"{title.registry} has a work of this title"
        return with_reason(result, more)
    return with_reason(result, title.reason or "") if title.status == "not_found" else result


def _has_an_id_of(title: LookupResult, reference: Reference) -> bool:
    if title.status not in {"resolved", *_STANDING}:
        return False
    claimed = {kind: reference.fields.get(kind, "").lower() for kind in IDS}
    return any(value and title.found.get(kind, "").lower() == value for kind, value in claimed.items())


def _about(reference: Reference, result: LookupResult, others: Sequence[LookupResult]) -> LookupResult:
    asked = dict.fromkeys(name for one in (*others, result) for name in one.asked)
    return result.model_copy(update={"claimed": dict(reference.fields), "asked": tuple(asked)})
