"""References to cases, statutes and papers as markers of an answer: what it cites outside the ids of its log."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from showable.read.citation_places import PINPOINT, places_of
from showable.read.log_references import SearchedLog
from showable.read.marker import Found, Marker
from showable.read.references.find import find_references, may_name_a_work
from showable.read.references.found import FoundReference, Span
from showable.read.references.identifiers import find_identifiers
from showable.read.sentences import Sentence
from showable.read.stretches import Stretches
from showable.records.record import Citation, Reference
from showable.records.regex import regex

_CITES = frozenset({
    "case", "case_short", "supra", "id", "neutral_uk", "westlaw", "lexis", "usc", "cfr", "fed_reg", "public_law",
    "statutes_at_large", "fed_rule", "law_journal", "doi", "pmid", "pmcid", "arxiv", "bibliographic", "news",
})  # fmt: skip
"""Kinds that are only ever written to cite."""
_CITES_IN_BRACKETS = frozenset({"nct", "fda_application", "sec_accession", "isbn", "nbk", "docket"})
"""Kinds that an answer may also be about: they cite where they stand apart, in brackets."""
_IN_BRACKETS = regex(r"[(\[](?:[^()\[\]]*[;,]\s*)?$")
"""At the beginning of a bracket, or after another that it lists."""
_NEAR = 120
_IDS = ("doi", "pmid", "pmcid", "arxiv")
_OF_A_WORK = (*_IDS, "isbn", "volume")
_EXACT = frozenset({"case", "neutral_uk", "westlaw", "lexis", "doi", "pmid", "pmcid", "arxiv"})
"""Kinds that name one work by numbers which nobody knows without having read them."""
_POINTS_BACK = frozenset({"case_short", "supra", "id"})
_CASES = frozenset({"case", "case_short", "supra", "id", "neutral_uk", "westlaw", "lexis"})


def find_external(text: str, known: frozenset[str]) -> Found:
    """Find references to cases, statutes, papers and the like. Addresses are left to the finders of links."""
    del known
    found = Found()
    cited = citing(text)
    places = places_of(text, [each for each, _ in cited], _CASES)
    for (each, reference), (start, end, mention) in zip(cited, places, strict=True):
        token = reference.fields.get(reference.kind, reference.text)
        marker = Marker(text[start:end], start, end, token, "reference", reference=reference, mention=mention)
        found.markers.append(replace(marker, again=each.reference.kind == "id"))
    return found


def find_pinpointed(text: str, known: frozenset[str]) -> Found:
    """Find the references that point at a paragraph in square brackets, before brackets are read as markers."""
    if "] " not in text or " at [" not in text:
        return Found()
    found = Found()
    found.markers += [marker for marker in find_external(text, known).markers if PINPOINT.search(marker.raw)]
    return found


@lru_cache(maxsize=8)
def references_in(text: str) -> tuple[FoundReference, ...]:
    """Find the references of an answer, once for the finder of markers and once for the cutting of sentences.

    In prose a reference-list entry must show more than an author, a year and some words; of one that does not,
    the ids within it are left.
    """
    found = find_references(text)
    kept = [one for one in found if one.reference.kind != "bibliographic" or _is_entry(one.reference)]
    if len(kept) == len(found):
        return tuple(kept)
    places = {one.span: number for number, one in enumerate(kept)}
    pointing = [_pointing(one, found, places) for one in kept]
    taken = Stretches(one.full for one in kept)
    free = [one for one in find_identifiers(text) if not taken.covered(one.span)]
    return (*pointing, *free)


def _pointing(one: FoundReference, found: Sequence[FoundReference], places: Mapping[Span, int]) -> FoundReference:
    """Let a short form point into the list that is left."""
    if one.antecedent is None:
        return one
    return replace(one, antecedent=places.get(found[one.antecedent].span))


def _is_entry(reference: Reference) -> bool:
    fields = reference.fields
    return bool(fields.get("authors") and fields.get("title") and any(fields.get(name) for name in _OF_A_WORK))


def citing(text: str) -> list[tuple[FoundReference, Reference]]:
    """Return the references that cite, each with what it refers to: a short form, a supra or an id. stands for its antecedent."""
    every = references_in(text)
    cited = [(each, _meant(each, every)) for each in every if _is_citing(text, each)]
    return sorted(cited, key=lambda entry: entry[0].span)


def without_mentions(
    markers: Sequence[Marker], sentences: Sequence[Sentence], log: SearchedLog
) -> tuple[list[Marker], list[Marker]]:
    """Leave out the cases and papers that a sentence only speaks of: those within it, where it cites something besides.

    Given apart are those of them that stand nowhere in the log: no source can have told the answer of such a case,
    so that it is cited all the same, while its numbers stay words of the claim.
    """
    starts = [sentence.start for sentence in sentences]
    citing_sentences = {bisect_right(starts, marker.start) for marker in markers if not marker.mention}
    spoken_of = [m for m in markers if m.mention and bisect_right(starts, m.start) in citing_sentences]
    left_out = set(map(id, spoken_of))
    kept = [marker for marker in markers if id(marker) not in left_out]
    return kept, [marker for marker in spoken_of if log and _from_nowhere(marker.reference, log)]


def told_from_nowhere(words: str, cited: Sequence[Citation], log: SearchedLog) -> list[Citation]:
    """Return the cases and papers that a claim of a structured answer names in its words alone, though the log has none of them."""
    return [Citation(reference=meant, raw=words[slice(*each.full)]) for each, meant in _new(words, cited, log)]


def named_beside(words: str, cited: Sequence[Citation]) -> list[Reference]:
    """Return the cases and papers that a claim names in its words, beside what it cites: a memo may repeat one that is made up."""
    if not may_name_a_work(words):
        return []
    given = {_numbers(citation.reference) for citation in cited if citation.reference}
    return [meant for _, meant in citing(words) if meant.kind in _EXACT and _numbers(meant) not in given]


def listed_from_nowhere(
    text: str, spans: Sequence[Span], cited: Sequence[Citation], log: SearchedLog
) -> list[Citation]:
    """Return the cases and papers that an answer lists at its end and cites nowhere else, though the log has none of them."""
    inside = [one for one in _new(text, cited, log) if any(a <= one[0].span[0] < b for a, b in spans)] if spans else []
    return [Citation(reference=meant, raw=text[slice(*each.full)], span=each.full) for each, meant in inside]


def _new(text: str, cited: Sequence[Citation], log: SearchedLog) -> list[tuple[FoundReference, Reference]]:
    if not log or not may_name_a_work(text):
        return []
    given = {_numbers(citation.reference) for citation in cited if citation.reference}
    return [one for one in citing(text) if _numbers(one[1]) not in given and _from_nowhere(one[1], log)]


def _numbers(reference: Reference) -> tuple[str | None, ...]:
    return tuple(reference.fields.get(name) for name in ("volume", "reporter", "page", "number", *_IDS))


def _from_nowhere(reference: Reference | None, log: SearchedLog) -> bool:
    return reference is not None and reference.kind in _EXACT and log.place(reference).standing == "nowhere"


def softened(text: str, references: Sequence[FoundReference]) -> str:
    """Take the stops out of references, so that no sentence is thought to end in "F. Supp. 2d"; lengths stay."""
    full = Stretches(found.full for found in references)
    return full.rewritten(text, lambda words: words.replace(".", "·").replace("\n", " "))


def _is_citing(text: str, found: FoundReference) -> bool:
    if text[found.full[0] :].startswith(("http://", "https://")):
        return False
    kind = found.reference.kind
    before = text[max(0, found.full[0] - _NEAR) : found.full[0]]
    return kind in _CITES or (kind in _CITES_IN_BRACKETS and _IN_BRACKETS.search(before) is not None)


def _meant(found: FoundReference, every: Sequence[FoundReference]) -> Reference:
    if found.reference.kind in _POINTS_BACK and found.antecedent is not None:
        return every[found.antecedent].reference
    return found.reference
