"""Whether a sentence of an answer's text only says again what one of its claims says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from showable.read.quantities import find_quantities, same_quantity
from showable.read.quantity import Quantity
from showable.read.question_focus import stems
from showable.read.quoted import folded
from showable.records.record import Claim
from showable.records.regex import regex

_SHARE = 0.6
"""Share of a sentence's content words that the claim it restates holds: inflections and link words differ."""
_UNSPACED = regex("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U000323af]+")
"""Scripts written without spaces: Thai and Lao, kana, Han. Pairs of characters stand for their words."""
_NEGATION = regex(r"\b(?:not|no|never|none|neither|nor|without|cannot|nothing|nobody)\b|n['’]t\b", re.IGNORECASE)


class _Said:
    """What a claim or a sentence says: its quantities, its content words besides them, and whether it denies.

    Ordinals are no quantities here: "first" orders the sentences of a text as often as it says a thing's place.
    """

    def __init__(self, text: str, quoted: str = "") -> None:
        self.quantities = [quantity for quantity in find_quantities(text) if quantity.kind != "ordinal"]
        self.denies = _NEGATION.search(text) is not None
        for quantity in reversed(self.quantities):
            text = f"{text[: quantity.span[0]]} {text[quantity.span[1] :]}"
        self.words = _words(f"{text}\n{quoted}" if quoted else text)


class Restated:
    """What the claims of an answer say, taken apart once, to ask of many sentences whether they only restate it."""

    def __init__(self, claims: Sequence[Claim]) -> None:
        self._claims = claims
        self._texts = {folded(claim.text) for claim in claims}

    @cached_property
    def _said(self) -> list[_Said]:
        return [_of_claim(claim) for claim in self._claims]

    def says(self, sentence: str) -> bool:
        """Check whether one claim has most of a sentence's words, all its quantities, and does not deny what it affirms.

        Where no single claim has most of the words, all claims together must have every one of them: a sentence
        may sum several up. Beside claims, a sentence with neither words nor quantities ("It is.") says nothing of its own.
        """
        if not self._claims:
            return False
        if folded(sentence) in self._texts:
            return True
        asked = _Said(sentence)
        near = [said for said in self._said if len(asked.words & said.words) >= _SHARE * len(asked.words)]
        if not asked.words:
            return any(_has(said.quantities, asked.quantities) for said in near)
        if near:
            return any(said.denies == asked.denies and _has(said.quantities, asked.quantities) for said in near)
        if not asked.words <= frozenset[str]().union(*(said.words for said in self._said)):
            return False
        quantities = [quantity for said in self._said for quantity in said.quantities]
        return any(said.denies == asked.denies for said in self._said) and _has(quantities, asked.quantities)


def _has(known: Sequence[Quantity], wanted: Sequence[Quantity]) -> bool:
    return all(any(same_quantity(quantity, other) for other in known) for quantity in wanted)


def _of_claim(claim: Claim) -> _Said:
    """Take a claim apart. Its quotations lend it words alone: a figure that only they hold is not the claim's."""
    quoted = " ".join(citation.quoted_span for citation in claim.citations if citation.quoted_span)
    return _Said(f"{claim.text}\n{claim.context}" if claim.context else claim.text, quoted)


def _words(text: str) -> frozenset[str]:
    if text.isascii():
        return stems(text)
    runs = _UNSPACED.findall(text)
    pairs = {run[i : i + 2] for run in runs for i in range(max(1, len(run) - 1))}
    return stems(_UNSPACED.sub(" ", text) if runs else text) | pairs
