"""Settles in which venue a work appeared that is cited by its preprint: what confirms it, what denies it, what is unknown.

A citation that names a conference or a journal beside the DOI or the number of a preprint is ordinary, and the preprint's
record need not name the venue. It agrees where a record does (arXiv's `journal_ref`, the authors' comment, the published version
in an index or under the DOI that the preprint's record links to). It differs where the venue registers its papers with Crossref, and Crossref has none there; and where the paper
stands in the proceedings of another conference. All else is unknown.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from showable.records import Entry, FieldCheck, LookupResult, Reference
from showable.registries.consult_order import IDS
from showable.registries.consult_words import difference
from showable.registries.merge import with_reason
from showable.registries.scholarly import plain_doi

Walk = Callable[[Reference], Awaitable[LookupResult]]

_STANDING = frozenset({"retracted", "withdrawn", "superseded_version"})
_HAS_A_WORK = frozenset({"resolved", "mismatch", *_STANDING})
_NONE_THERE = frozenset({"not_found", "not_covered"})
_OF_THE_VENUE = ("year", "volume", "issue", "pages")
"""Fields that a preprint and what was published need not have in common."""
_ARXIV_DOI = "10.48550/arxiv."
_PROCEEDINGS = frozenset({"proceedings-article", "conferencepaper"})
"""Types of a conference's papers, at Crossref and at DataCite."""
_REPRINTS = ("ijcai",)
"""Proceedings that have a track for papers that appeared elsewhere (ijcai.org: sister conferences, journals)."""
_CROSSREF = "crossref"


def venue_to_settle(reference: Reference, result: LookupResult) -> bool:
    """Check whether a result is that of a preprint, while the citation names a venue of which nothing is known yet."""
    from showable.rubrics.metadata.registered_venues import is_venue  # noqa: PLC0415 - takes longer than most look-ups
    from showable.rubrics.metadata.versions import is_preprint  # noqa: PLC0415

    venue = reference.fields.get("container", "")
    if not venue or not is_venue(venue) or not reference.fields.get("title"):
        return False
    if (
        not is_preprint(result.found.get("doi", ""), result.found.get("type", ""))
        or _outcome(result, "container") == "agrees"
    ):
        return False
    differ = {check.field for check in result.compared if check.outcome == "differs"}
    return result.status == "resolved" or (result.status == "mismatch" and differ <= {*_OF_THE_VENUE})


async def settle_venue(reference: Reference, result: LookupResult, walk: Walk) -> LookupResult:
    """Search for what was published, and say what that makes of the venue; the result as it was where nothing is learned."""
    linked = await _linked(reference, result, walk)
    if linked is not None and _outcome(linked, "container") == "agrees":
        return linked if linked.status in _STANDING else _confirmed(reference, result, linked)
    published = await walk(_published(reference))
    if published.status in _HAS_A_WORK and _outcome(published, "container") == "agrees":
        if _outcome(published, "title") == "differs":
            why = f"{published.registry} has a paper by the same authors there, of another title"
            return _unknown(reference, result, why)
        return published if published.status in _STANDING else _confirmed(reference, result, published)
    why_not = _denied(reference, published)
    if why_not is None:
        return _unknown(reference, result, _learned(published))
    others = [other for other in (linked, *await _by_number(reference, walk)) if other is not None]
    return _unless_told(reference, result, published, others, why_not)


def _unless_told(
    reference: Reference, result: LookupResult, published: LookupResult, others: list[LookupResult], why_not: str
) -> LookupResult:
    """Deny the venue, unless the preprint's own record names it, or what that record links to could not be read."""
    for other in others:
        if _outcome(other, "container") == "agrees":
            return other if other.status in _STANDING else _confirmed(reference, result, other)
        if other.status not in _HAS_A_WORK:
            return _unknown(reference, result, other.reason or f"{other.registry} could not be asked")
    found = next((check.found for check in published.compared if check.field == "container"), None)
    checks = _with(result.compared, [_container(reference, found, "differs")])
    return with_reason(result.model_copy(update={"status": "mismatch", "compared": checks}), why_not)


async def _linked(reference: Reference, result: LookupResult, walk: Walk) -> LookupResult | None:
    """Look up the DOI that a preprint's record gives for what was published, if need be under another title."""
    from showable.rubrics.metadata.versions import is_preprint_doi  # noqa: PLC0415 - takes longer than most look-ups

    own = result.found.get("doi", "")
    doi = plain_doi(result.found.get("published_as")) or (own if own and not is_preprint_doi(own) else None)
    if doi is None:
        return None
    kept = {name: reference.fields[name] for name in ("container", *_OF_THE_VENUE) if name in reference.fields}
    return await walk(Reference(kind="doi", text=reference.text, fields={"doi": doi, **kept}))


def _published(reference: Reference) -> Reference:
    from showable.rubrics.metadata.compare import VERSION_SOUGHT  # noqa: PLC0415 - takes longer than most look-ups

    kept = {name: value for name, value in reference.fields.items() if name not in {*IDS, "version", "url"}}
    return Reference(kind=reference.kind, text=reference.text, fields=kept | {VERSION_SOUGHT: "published"})


async def _by_number(reference: Reference, walk: Walk) -> list[LookupResult | None]:
    """Look the preprint up at arXiv itself, whose record has a comment and the journal's DOI, which DataCite's need not have."""
    doi = plain_doi(reference.fields.get("doi")) or ""
    number = reference.fields.get("arxiv") or (doi.removeprefix(_ARXIV_DOI) if doi.startswith(_ARXIV_DOI) else "")
    if not number:
        return []
    fields = {"arxiv": number, "container": reference.fields["container"]}
    on_arxiv = await walk(Reference(kind="arxiv", text=reference.text, fields=fields))
    return [on_arxiv, await _linked(reference, on_arxiv, walk)]


def _confirmed(reference: Reference, result: LookupResult, by: LookupResult) -> LookupResult:
    """Take the venue, and what goes with it where the preprint's record could not say: its year, volume, issue and pages."""
    has = {check.field: check for check in by.compared}
    own = {check.field: check.outcome for check in result.compared}
    taken = [has["container"]]
    for name in _OF_THE_VENUE:
        check = has.get(name)
        as_preprint = name == "year" and reference.fields.get("year", "?") in result.found.get("year", "")
        if check and check.outcome != "unknown" and own.get(name) != "agrees" and not as_preprint:
            taken.append(check)
    checks = _with(result.compared, taken)
    wrong = [check for check in checks if check.outcome == "differs"]
    doi = f" as {by.found['doi']}" if by.found.get("doi") else ""
    where = f"{_cited(reference)}; {by.registry} says that it appeared in {has['container'].found}{doi}"
    reason = f"{difference(reference, Entry(), wrong)}; {where}" if wrong else where
    update = {"status": "mismatch" if wrong else "resolved", "compared": checks, "reason": None}
    kept = None if result.status == "mismatch" else result.reason
    return with_reason(with_reason(result.model_copy(update=update), kept or ""), reason)


def _denied(reference: Reference, published: LookupResult) -> str | None:
    """Return why it cannot have appeared in the claimed venue; None where it may have."""
    from showable.rubrics.metadata.registered_venues import (  # noqa: PLC0415 - takes longer than most look-ups
        is_meeting,
        is_workshop,
        registers,
        year_in,
    )

    venue, year = (
        reference.fields["container"],
        year_in(reference.fields.get("year", "") or reference.fields["container"]),
    )
    elsewhere = published.found.get("container", "") if _outcome(published, "container") == "differs" else ""
    has_it = f"{published.registry} has it in {elsewhere}" + _as_doi(published) if elsewhere else ""
    answered = (
        _CROSSREF in published.asked
        if published.status in _NONE_THERE
        else bool(elsewhere) and published.registry == _CROSSREF
    )
    if answered and registers(venue, year, published.at or ""):
        there = f", but has it in {elsewhere}{_as_doi(published)}" if elsewhere else ""
        return f"{_cited(reference)}, and Crossref, with which {venue} registers its papers, has no such paper there{there}"
    in_proceedings = published.found.get("type") in _PROCEEDINGS
    reprint = is_workshop(elsewhere) or any(name in published.found.get("doi", "") for name in _REPRINTS)
    if elsewhere and in_proceedings and not reprint and is_meeting(venue):
        return f"{_cited(reference)}, and {has_it}, not in {venue}"
    return None


def _learned(published: LookupResult) -> str:
    if published.status in _NONE_THERE:
        return "no index names one"
    if published.status in _HAS_A_WORK and published.found.get("container"):
        return f"{published.registry} has a version in {published.found['container']}{_as_doi(published)}"
    return published.reason or ""


def _as_doi(result: LookupResult) -> str:
    return f" ({result.found['doi']})" if result.found.get("doi") else ""


def _unknown(reference: Reference, result: LookupResult, why: str) -> LookupResult:
    venue = reference.fields["container"]
    checks = result.compared
    if _outcome(result, "container") is None:
        checks = _with(checks, [_container(reference, result.found.get("container"), "unknown")])
    said = f"{_cited(reference)}, and that it appeared in {venue} could not be confirmed" + (f" ({why})" if why else "")
    return with_reason(result.model_copy(update={"compared": checks}), said)


def _cited(reference: Reference) -> str:
    if reference.fields.get("doi"):
        return "the DOI is the preprint's"
    return "the arXiv number is the preprint's" if reference.fields.get("arxiv") else "what was found is the preprint"


def _container(reference: Reference, found: str | None, outcome: str) -> FieldCheck:
    claimed = reference.fields["container"]
    return FieldCheck.model_validate({"field": "container", "claimed": claimed, "found": found, "outcome": outcome})


def _with(checks: tuple[FieldCheck, ...], taken: list[FieldCheck]) -> tuple[FieldCheck, ...]:
    names = {check.field for check in taken}
    return (*(check for check in checks if check.field not in names), *taken)


def _outcome(result: LookupResult, field: str) -> str | None:
    return next((check.outcome for check in result.compared if check.field == field), None)
