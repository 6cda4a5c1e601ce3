"""Makes one result of what several registries say about one reference. Pure: it asks nobody.

In this order: an address that may not be asked; a record that agrees (or was retracted, withdrawn, superseded since);
several that agree equally; a record that differs; the case that the page really belongs to; an authority's miss; what
could not be asked, the passing obstacles before the lasting ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from showable.records import Entry, FieldCheck, Found, LookupResult, Notice, Reference
from showable.records.lookups import LookupStatus
from showable.registries.answers import one_line, would_know
from showable.registries.consult_order import KINDS_BY_ADDRESS
from showable.registries.consult_sorts import why_not_indexed
from showable.registries.consult_words import difference, named, shown
from showable.registries.merge_works import Compared, Work, works_of

_WORST: tuple[tuple[str, LookupStatus], ...] = (
    ("retracted", "retracted"),
    ("withdrawn", "withdrawn"),
    ("superseded_version", "superseded_version"),
)
_UNSURE_OF_PARTIES = "it exists; whether the parties are those claimed cannot be told"
_OBSTACLES: tuple[LookupStatus, ...] = ("rate_limited", "unreachable", "not_configured", "not_covered")


@dataclass(frozen=True, slots=True)
class Heard:
    """One registry's answer, its entries compared with the claim.

    `authority` says that its miss proves something, `index` that it must have answered before a title can be
    said to be in no index, `could_ask` False that it has no way to be asked about this reference, `for_notices` that
    it was asked for what has become of a work.
    """

    found: Found
    entries: tuple[Compared, ...] = ()
    near: tuple[Compared, ...] = ()
    authority: bool = False
    index: bool = False
    could_ask: bool = True
    for_notices: bool = False


def merge(reference: Reference, heard: Sequence[Heard]) -> LookupResult:
    """Conclude. `heard` is in the order of asking; what nobody was asked about is ``not_covered``."""
    blocked = _blocked(reference, heard)
    if blocked is not None:
        return _answer(reference, heard, "blocked_url", blocked.found, blocked.found.reason)
    works = works_of(reference, [(one.found, one.entries, one.authority) for one in heard])
    return _of_works(reference, heard, works) or _of_misses(reference, heard) or _of_obstacles(reference, heard)


def settled(reference: Reference, heard: Sequence[Heard]) -> bool:
    """Check whether a record has been found that agrees with all that is claimed, so that nobody else need be asked.

    A registry that knows no last pages cannot say whether a pin cite lies within the case: the next one may.
    """
    if _blocked(reference, heard) is not None:
        return True
    works = works_of(reference, [(one.found, one.entries, one.authority) for one in heard])
    in_its_version = reference.kind != "bibliographic" or not reference.fields.get("container")
    return any(
        work.agreement == "agrees" and (in_its_version or work.named) and not _pin_is_open(work) for work in works
    )


def _pin_is_open(work: Work) -> bool:
    return any(check.field == "pin" and check.outcome == "unknown" for check in work.checks)


def with_reason(result: LookupResult, more: str) -> LookupResult:
    """Add to the reason."""
    return result.model_copy(update={"reason": one_line("; ".join(said for said in (result.reason, more) if said))})


def _blocked(reference: Reference, heard: Iterable[Heard]) -> Heard | None:
    if reference.kind not in KINDS_BY_ADDRESS:
        return None
    return next((one for one in heard if one.found.status == "blocked_url" and one.authority), None)


def _of_works(reference: Reference, heard: Sequence[Heard], works: Sequence[Work]) -> LookupResult | None:
    agreeing = [work for work in works if work.agreement == "agrees"]
    differing = [work for work in works if work.agreement == "differs"]
    if not agreeing and not differing:
        agreeing = list(works)
    if agreeing:
        most = max(work.agreed for work in agreeing)
        equal = [work for work in agreeing if work.agreed == most]
        if len({work.identity for work in equal}) > 1:
            names = "; ".join(named(work.entry) for work in equal[:3])
            reason = f"{len(equal)} records agree equally: {names}"
            return _answer(reference, heard, "ambiguous", equal[0].found, reason, work=equal[0])
        return _resolved(reference, heard, equal[0])
    if differing:
        best = max(differing, key=lambda work: (work.agreed, work.likeness))
        reason = difference(reference, best.entry, best.checks) + _elsewhere(heard)
        standing = _worst(best.notices)
        reason += f" ({standing[0]})" if standing else ""
        return _answer(reference, heard, "mismatch", best.found, reason, work=best)
    return None


def _resolved(reference: Reference, heard: Sequence[Heard], work: Work) -> LookupResult:
    worst = _worst(work.notices)
    if worst is not None:
        status, notice = worst
        when = f" ({notice.date})" if notice.date else ""
        by = f", by {notice.by}" if notice.by else ""
        return _answer(reference, heard, status, work.found, f"{notice.reason}{when}{by}", work=work)
    said = [f"{notice.kind}: {notice.reason}" for notice in work.notices]
    if work.agreement == "unknown" and work.checks:
        parties = next((check for check in work.checks if check.field == "case_name" and check.found), None)
        said.append(_UNSURE_OF_PARTIES if parties else "it exists; nothing that is claimed of it could be compared")
    said += _gone_since(heard, work)
    said += _unasked(heard)
    return _answer(reference, heard, "resolved", work.found, "; ".join(said) or None, work=work)


def _unasked(heard: Iterable[Heard]) -> list[str]:
    """Report that nobody could be asked for retractions, where that is so."""
    asked = [one.found for one in heard if one.for_notices]
    failed = [found for found in asked if found.status in {"unreachable", "rate_limited"}]
    if not failed or any(found.status == "found" for found in asked):
        return []
    who = ", ".join(f"{found.registry}: {found.reason}" for found in failed)
    return [f"whether it has been retracted since could not be asked ({who})"]


def _gone_since(heard: Iterable[Heard], work: Work) -> list[str]:
    """Return who has it no more, where another does: an authority's miss is overruled by a record."""
    return [
        f"{one.found.registry} has none ({one.found.reason})"
        for one in heard
        if one.found.status == "not_found" and one.found.registry != work.found.registry
    ]


def _of_misses(reference: Reference, heard: Sequence[Heard]) -> LookupResult | None:
    for one in heard:
        for near in one.near:
            if _is_misplaced(near):
                work = Work(one.found, near.entry, near.checks)
                reason = difference(reference, near.entry, near.checks) or one.found.reason
                return _answer(reference, heard, "mismatch", one.found, reason, work=work)
    proofs: tuple[LookupStatus, ...] = ("not_found", "malformed")
    for status in proofs:
        for one in heard:
            # A registry may know more of one volume than of its kind: what stands at the page proves it too.
            if one.found.status == status and (one.authority or one.near or status == "malformed"):
                return _answer(reference, heard, status, one.found, _missing(one), work=_occupant(one))
    if reference.kind == "bibliographic":
        return _in_no_index(reference, heard)
    several = next((one for one in heard if one.found.status == "ambiguous"), None)
    return _answer(reference, heard, "ambiguous", several.found, several.found.reason) if several else None


def _is_misplaced(near: Compared) -> bool:
    """Check whether this is the case that is meant: of one name there may be several, of other courts and years."""
    outcomes = {check.field: check.outcome for check in near.checks}
    return outcomes.get("case_name") == "agrees" and "differs" not in {outcomes.get("court"), outcomes.get("year")}


def _elsewhere(heard: Iterable[Heard]) -> str:
    """Return where the case of the claimed name is, where a registry told that too."""
    for one in heard:
        for near in one.near if one.entries else ():
            if any(check.field == "case_name" and check.outcome == "agrees" for check in near.checks):
                return f"; the case of that name is {named(near.entry)}"
    return ""


def _in_no_index(reference: Reference, heard: Sequence[Heard]) -> LookupResult | None:
    indexes = [one for one in heard if one.index]
    answered = {"found", "not_found", "not_covered", "ambiguous"}
    if not indexes or any(one.found.status not in answered or not one.could_ask for one in indexes):
        return None
    names = ", ".join(one.found.registry for one in indexes)
    why = why_not_indexed(reference.fields)
    nearest = max((near for one in indexes for near in one.near), key=lambda near: near.likeness, default=None)
    reason = f"no work of this title is in {names}"
    if nearest is not None:
        reason += f"; the nearest is {named(nearest.entry)}"
    if why is not None:
        return _answer(reference, heard, "not_covered", indexes[0].found, f"{reason}; {why}")
    return _answer(reference, heard, "not_found", indexes[0].found, reason)


def _of_obstacles(reference: Reference, heard: Sequence[Heard]) -> LookupResult:
    for status in _OBSTACLES:
        for one in heard:
            if _obstacle(one.found) == status:
                return _answer(reference, heard, status, one.found, one.found.reason or "it has other works alone")
    reason = f"none of the registries to be asked holds references of this kind ({reference.kind}){would_know(reference.kind)}"
    return LookupResult(status="not_covered", registry="none", claimed=dict(reference.fields), reason=one_line(reason))


def _obstacle(found: Found) -> LookupStatus:
    """Count an answer that proves nothing as what it is: a miss of no authority, or a registry that cannot be asked."""
    if found.status in {"rate_limited", "unreachable", "not_configured"}:
        return found.status
    return "unreachable" if found.status == "blocked_url" else "not_covered"


def _missing(one: Heard) -> str | None:
    return one.found.reason or (f"{named(one.near[0].entry)} stands there" if one.near else None)


def _occupant(one: Heard) -> Work | None:
    return Work(one.found, one.near[0].entry, one.near[0].checks) if one.near else None


def _worst(notices: Iterable[Notice]) -> tuple[LookupStatus, Notice] | None:
    held = list(notices)
    for kind, status in _WORST:
        for notice in held:
            if notice.kind == kind:
                return status, notice
    return None


def _answer(
    reference: Reference,
    heard: Sequence[Heard],
    status: LookupStatus,
    found: Found,
    reason: str | None,
    *,
    work: Work | None = None,
) -> LookupResult:
    entry: Entry | None = work.entry if work else None
    checks: tuple[FieldCheck, ...] = work.checks if work else ()
    return LookupResult(
        status=status,
        registry=found.registry,
        asked=tuple(dict.fromkeys(one.found.registry for one in heard if one.could_ask)),
        claimed=dict(reference.fields),
        found=shown(entry) if entry else {},
        compared=checks,
        reason=one_line(reason) if reason else None,
        url=found.url,
        http_status=found.http_status,
        at=found.at,
        cached=found.cached,
    )
