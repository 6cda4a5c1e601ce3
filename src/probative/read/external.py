"""References to cases, statutes and papers as markers of an answer: what it cites outside the ids of its log."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from probative.read.citation_places import places_of
from probative.read.log_references import place
from probative.read.marker import Found, Marker
from probative.read.references.find import find_references
from probative.read.references.found import FoundReference
from probative.read.sentences import Sentence
from probative.records.record import Citation, Reference, Source

_CITES = frozenset({
    "case", "case_short", "supra", "id", "neutral_uk", "westlaw", "lexis", "usc", "cfr", "fed_reg", "public_law",
    "statutes_at_large", "fed_rule", "law_journal", "doi", "pmid", "pmcid", "arxiv", "bibliographic", "news",
})  # fmt: skip
"""Kinds that are only ever written to cite."""
_CITES_IN_BRACKETS = frozenset({"nct", "fda_application", "sec_accession", "isbn", "nbk", "docket"})
"""Kinds that an answer may also be about: they cite where they stand apart, in brackets."""
_IN_BRACKETS = re.compile(r"[(\[](?:[^()\[\]]*[;,]\s*)?$")
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


@lru_cache(maxsize=8)
def references_in(text: str) -> tuple[FoundReference, ...]:
    """Find the references of an answer, once for the finder of markers and once for the cutting of sentences.

    In prose a reference-list entry must show more than an author, a year and some words.
    """
    found = find_references(text)
    return tuple(one for one in found if one.reference.kind != "bibliographic" or _is_entry(one.reference))


def _is_entry(reference: Reference) -> bool:
    fields = reference.fields
    return bool(fields.get("authors") and fields.get("title") and any(fields.get(name) for name in _OF_A_WORK))


def citing(text: str) -> list[tuple[FoundReference, Reference]]:
    """Give the references that cite, each with what it refers to: a short form, a supra or an id. stands for its antecedent."""
    every = references_in(text)
    return [(each, _meant(each, every)) for each in every if _is_citing(text, each)]


def without_mentions(markers: Sequence[Marker], sentences: Sequence[Sentence], log: Sequence[Source]) -> list[Marker]:
    """Leave out the cases and papers that a sentence only speaks of: those within it, where it cites something besides.

    A case or a paper that stands nowhere in the log stays: no source can have told the answer of it.
    """
    starts = [sentence.start for sentence in sentences]
    citing_sentences = {bisect_right(starts, marker.start) for marker in markers if not marker.mention}
    return [
        m
        for m in markers
        if not m.mention or bisect_right(starts, m.start) not in citing_sentences or _from_nowhere(m.reference, log)
    ]


def told_from_nowhere(words: str, cited: Sequence[Citation], log: Sequence[Source]) -> list[Citation]:
    """Give the cases and papers that a claim of a structured answer names in its words alone, though the log has none of them."""
    given = {_numbers(citation.reference) for citation in cited if citation.reference}
    found = [(each, meant) for each, meant in citing(words) if _from_nowhere(meant, log)] if log else []
    return [
        Citation(reference=meant, raw=words[slice(*each.full)]) for each, meant in found if _numbers(meant) not in given
    ]


def _numbers(reference: Reference) -> tuple[str | None, ...]:
    return tuple(reference.fields.get(name) for name in ("volume", "reporter", "page", "number", *_IDS))


def _from_nowhere(reference: Reference | None, log: Sequence[Source]) -> bool:
    return reference is not None and reference.kind in _EXACT and place(reference, log).standing == "nowhere"


def softened(text: str, references: Sequence[FoundReference]) -> str:
    """Take the stops out of references, so that no sentence is thought to end in "F. Supp. 2d"; lengths stay."""
    for found in references:
        start, end = found.full
        text = text[:start] + text[start:end].replace(".", "·").replace("\n", " ") + text[end:]
    return text


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
