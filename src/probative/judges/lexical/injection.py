"""Sentences of a passage that give orders to its reader: they are noticed, and they are no evidence."""

from __future__ import annotations

import re

from probative.read.injection import suspect_injection

_SENTENCE = re.compile(r"[^.!?\n]+[.!?\n]*")
_LABEL = re.compile(r"\b(?:SUPPORTED|ENTAILED|ATTRIBUTABLE|GROUNDED)\b")
"""A judge's label as a judge writes it; prose has it in small letters."""
_JUDGED = re.compile(r"\b(?:claims?|statements?|answers?|verdicts?|labels?)\b", re.IGNORECASE)
_UNSEEN = re.compile(
    "[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef]"
)


def without_unseen(text: str) -> tuple[str, list[int] | None]:
    """Drop characters that nobody sees; give what is left and, unless nothing was dropped, each one's old offset."""
    if text.isascii() or not _UNSEEN.search(text):
        return text, None
    dropped = {match.start() for match in _UNSEEN.finditer(text)}
    offsets = [at for at in range(len(text)) if at not in dropped]
    return "".join(text[at] for at in offsets), offsets


def gives_orders(text: str) -> bool:
    """Say whether a text, unseen characters included, tries to instruct a judge or to give the verdict in its stead."""
    if suspect_injection(text):
        return True
    return bool(_LABEL.search(text)) and any(_gives_verdict(sentence) for sentence in _SENTENCE.findall(text))


def instructing_sentences(text: str) -> list[tuple[int, int]]:
    """Give the spans of the sentences that instruct whoever reads the text, in order; for texts that `gives_orders`."""
    return [
        match.span() for match in _SENTENCE.finditer(text) if suspect_injection(match[0]) or _gives_verdict(match[0])
    ]


def _gives_verdict(sentence: str) -> bool:
    return bool(_LABEL.search(sentence) and _JUDGED.search(sentence))
