"""Every reference of a text, all grammars together, each stretch of the text read once."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace

from showable.read.references.beside import claimed_beside
from showable.read.references.entries import find_entries
from showable.read.references.found import FoundReference, Span
from showable.read.references.identifiers import find_identifiers
from showable.read.references.links_in_text import Link, links_in
from showable.read.references.web_addresses import find_web
from showable.records.regex import regex

_MOSTLY = 0.4
_HINTS = (
    "/", "10.", "doi", "pmid", "pubmed", "pmc", "arxiv", "isbn", "978", "979", "issn", "nct", "nda", "bla", "accession", "nbk",
)  # fmt: skip
"""Each identifier holds one of these in lower case, or is one of the bare numbers below."""
_BARE_NUMBER = regex(r"\d\.\d{4,5}v\d|\d{10}-\d")
_LINK_MARKS = ("/", "](", "<")
_NEWS_MARK = regex(r'["“]|[Bb]y\s[A-Z]|\((?:19|20)')
"""An address holds one of the former or ``www.``; an article that is cited without one, one of the latter."""
_AUTHORITATIVE = frozenset({"doi", "pmid", "pmcid", "arxiv"})


def find_references(text: str) -> list[FoundReference]:
    """Find the external references of a text, in order of place, none overlapping another's `span`.

    Where grammars disagree about a stretch: a reference-list entry takes the identifiers and addresses within it,
    unless a legal citation fills it; news takes its address; an address that carries an identifier is that
    identifier; then legal citations. `antecedent` counts in the list that is returned. Never raises; a text
    without digits and addresses costs next to nothing.
    """
    if (
        not any(map(str.isdigit, text))
        and "://" not in text
        and "www." not in text
        and "](" not in text
        and "." not in text
    ):
        return []
    legal = _legal(text)
    entries = [one for one in find_entries(text) if not _is_legal(one, legal)]
    web = find_web(text) if may_hold_web(text) else []
    news = [one for one in web if one.reference.kind == "news"]
    entries = [one for one in entries if not _touched(one, news)]
    identifiers = find_identifiers(text) if may_hold_identifiers(text) else []
    entries = [one for one in entries if not _names_several(one, identifiers)]
    identifiers = [one for one in identifiers if not _touched(one, entries)]
    identifiers = _claimed(text, [one for one in identifiers if not _touched(one, news)])
    pages = [one for one in web if not _touched(one, entries) and not _touched(one, identifiers)]
    first = _in_order([*entries, *news, *identifiers, *[one for one in pages if one.reference.kind != "news"]])
    return _merged(first, legal)


def may_hold_identifiers(text: str) -> bool:
    """Check whether a text has what every identifier has."""
    lowered = text.lower()
    return any(hint in lowered for hint in _HINTS) or _BARE_NUMBER.search(text) is not None


def may_name_a_work(text: str) -> bool:
    """Check whether a text may name a case or a paper by its numbers: nothing but law and identifiers does."""
    return not text.isascii() or may_hold_identifiers(text) or bool(_legal(text))


def may_hold_web(text: str) -> bool:
    """Check whether a text has what every address has, or every article that is cited without one."""
    return any(mark in text for mark in _LINK_MARKS) or "www." in text.lower() or _NEWS_MARK.search(text) is not None


def _legal(text: str) -> list[FoundReference]:
    from showable.read.references.legal import find_legal  # noqa: PLC0415 - its reader of reporters takes half a second

    return list(find_legal(text))


def _in_order(found: list[FoundReference]) -> list[FoundReference]:
    kept: list[FoundReference] = []
    for one in sorted(found, key=lambda one: (one.span[0], -one.span[1])):
        if not kept or one.span[0] >= kept[-1].span[1]:
            kept.append(one)
    return kept


def _touched(one: FoundReference, others: list[FoundReference]) -> bool:
    """Check whether a reference stands in the whole of another; `others` are in order and apart."""
    at = bisect_right(others, one.span[0], key=lambda other: other.full[0])
    near = others[max(0, at - 1) : at + 1]
    return any(_overlap(one.span, other.full) for other in near)


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _is_legal(entry: FoundReference, legal: list[FoundReference]) -> bool:
    """Check whether an entry is a legal citation's line: one within it, and nothing that only a paper has."""
    start, end = entry.span
    at = bisect_left(legal, start, key=lambda one: one.span[0])
    inside = []
    while at < len(legal) and legal[at].span[0] < end:
        inside.append(legal[at])
        at += 1
    fields = entry.reference.fields
    if len({one.group if one.group is not None else one.span for one in inside}) > 1:
        return True  # a sentence of law that also gives a DOI, and no entry
    if not inside or any(fields.get(name) for name in ("doi", "pmid", "pmcid", "arxiv", "isbn")):
        return False
    if fields.get("volume") and fields.get("pages") and fields.get("authors"):
        return any(one.full[1] - one.full[0] > _MOSTLY * (end - start) for one in inside)
    return True


def _names_several(entry: FoundReference, identifiers: list[FoundReference]) -> bool:
    """Check whether a stretch holds several DOIs: an entry has one, a paragraph may have any number."""
    within = [one for one in identifiers if entry.full[0] <= one.span[0] and one.span[1] <= entry.full[1]]
    return len({one.reference.fields["doi"] for one in within if "doi" in one.reference.fields}) > 1


def _claimed(text: str, identifiers: list[FoundReference]) -> list[FoundReference]:
    links = {link.span: link for link in links_in(text)}
    return [_with_claims(text, one, links.get(one.span)) for one in identifiers]


def _with_claims(text: str, one: FoundReference, link: Link | None) -> FoundReference:
    return claimed_beside(text, one, link) if one.reference.kind in _AUTHORITATIVE else one


def _merged(first: list[FoundReference], legal: list[FoundReference]) -> list[FoundReference]:
    """Put legal citations between the others, less those that stand in them, and count antecedents anew."""
    spans = sorted(one.span for one in first)
    kept = [(at, one) for at, one in enumerate(legal) if not _inside(one.span, spans)]
    ordered = sorted([*((-1, one) for one in first), *kept], key=lambda pair: pair[1].span)
    place = {at: index for index, (at, _) in enumerate(ordered) if at >= 0}
    return [
        replace(one, antecedent=place.get(one.antecedent)) if at >= 0 and one.antecedent is not None else one
        for at, one in ordered
    ]


def _inside(span: Span, spans: list[Span]) -> bool:
    at = bisect_right(spans, span[0], key=lambda other: other[0]) - 1
    return any(_overlap(span, other) for other in spans[max(0, at) : at + 2])
