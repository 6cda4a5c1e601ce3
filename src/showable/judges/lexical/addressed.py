"""What of a passage speaks to whoever judges it: an order, or a verdict on claims given in the judge's stead."""

from __future__ import annotations

import re

from showable.judges.lexical.injection import whole_sentences
from showable.read.injection import suspect_injection
from showable.records.regex import regex

_JUDGED = regex(
    r"\b(?:claims?|statements?|assertions?|answers?|repl(?:y|ies)|citations?|verdicts?|labels?|judgements?)\b",
    re.IGNORECASE,
)
"""What a judge is asked about: "every claim about …", "the answer is …"; not "she claimed that …"."""
_VERDICT = regex(
    r"\b(?:is|are|was|were|be|been|as)\s+(?:\w+\s+){0,3}(?:supported|entailed|contained|grounded|attributable|faithful|true|correct|accurate"
    r"|verified|valid|yes)\b"
    r"|\b(?:supports?|entails?|contains?|confirms?|proves?)\s+(?:\w+\s+){0,3}(?:claims?|statements?|assertions?|answers?)\b",
    re.IGNORECASE,
)
"""What a judge may find of it: "is fully supported", "are to be called true", "supports every claim"; not "support requests"."""


def rests_on_addressed(passage: str, claim: str, span: tuple[int, int] | None) -> bool:
    """Return whether words relied on touch a sentence that speaks to a judge: whatever part of it they are, they are no evidence."""
    return span is not None and any(
        start < span[1] and span[0] < end and _speaks_to_a_judge(passage[start:end], claim)
        for start, end in whole_sentences(passage)
    )


def without_addressed(passage: str, claim: str) -> str:
    """Return a passage without the sentences that speak to its judge."""
    kept, end_of_last = [], 0
    for start, end in whole_sentences(passage):
        if _speaks_to_a_judge(passage[start:end], claim):
            kept.append(passage[end_of_last:start])
            end_of_last = end
    return "".join([*kept, passage[end_of_last:]])


def _speaks_to_a_judge(sentence: str, claim: str) -> bool:
    """Return whether a sentence tells a judge what to do, or what to find of claims.

    A verdict on claims is a fact of the subject where the claim itself speaks of claims ("The fraud claim is supported by
    the record"), and is none where it does not: that every claim about 60 days is supported tells nothing about 60 days.
    """
    in_its_stead = _JUDGED.search(sentence) and _VERDICT.search(sentence) and not _JUDGED.search(claim)
    return bool(in_its_stead) or suspect_injection(sentence)
