"""Sentences of a passage that give orders to its reader: they are noticed, and they are no evidence."""

from __future__ import annotations

import re

from probative.read.injection import suspect_injection

_SENTENCE = re.compile(r"[^.!?\n]+[.!?\n]*")
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


def instructing_sentences(text: str) -> list[tuple[int, int]]:
    """Give the spans of the sentences that instruct whoever reads the text, in order."""
    if not suspect_injection(text):
        return []
    return [match.span() for match in _SENTENCE.finditer(text) if suspect_injection(match[0])]
