"""What of a passage speaks to whoever judges it: an order, or a verdict on claims given in the judge's stead."""

from __future__ import annotations

import re
from collections.abc import Iterator

from showable.judges.lexical.injection import whole_sentences
from showable.read.injection import suspect_injection

_JUDGED = re.compile(
    r"\b(?:claims?|statements?|assertions?|answers?|repl(?:y|ies)|citations?|verdicts?|labels?|judgements?)\b",
    re.IGNORECASE,
)
"""What a judge is asked about: "every claim about …", "the answer is …"; not "she claimed that …"."""
_VERDICT = re.compile(
    r"\b(?:(?:un)?supported|supports?|entail(?:s|ed)|contain(?:s|ed)|grounded|attributable|faithful|true|correct|accurate|verified"
    r"|valid|yes)\b",
    re.IGNORECASE,
)
"""What a judge may say of it: "is supported", "are to be called true"."""


def addressed(passage: str, claim: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of sentences that tell a judge what to do, or what to find of claims.

    A verdict on claims is a fact of the subject where the claim itself speaks of claims ("The fraud claim is supported by
    the record"), and is none where it does not: that every claim about 60 days is supported tells nothing about 60 days.
    """
    speaks_of_claims = _JUDGED.search(claim) is not None
    for start, end in whole_sentences(passage):
        sentence = passage[start:end]
        in_its_stead = not speaks_of_claims and _JUDGED.search(sentence) and _VERDICT.search(sentence)
        if in_its_stead or suspect_injection(sentence):
            yield start, end


def without_addressed(passage: str, claim: str) -> str:
    """Return a passage without the sentences that speak to its judge."""
    kept, end_of_last = [], 0
    for start, end in addressed(passage, claim):
        kept.append(passage[end_of_last:start])
        end_of_last = end
    return "".join([*kept, passage[end_of_last:]])
