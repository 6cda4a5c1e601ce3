"""Putting words into a sentence: capitals, a/an, spaces."""

from __future__ import annotations

import re

_VOWEL = re.compile(
    r"(?:[aeio]|u(?!n(?:i(?!n|m)|a?n)|s[aeiu]|k|r[aeo]|t[ei])|8|11\b|18\b|hour|honest|honou?r|heir)", re.IGNORECASE
)
_LONG_VOWEL = re.compile(r"(?:eu|one\b|once\b|ufo|u\.|un\b|uk\b|us\b)", re.IGNORECASE)
_ARTICLE = re.compile(r"\b(an?)(\s+[\"“(]?)$", re.IGNORECASE)


def put(text: str, start: int, end: int, new: str) -> str:
    """Replace `text[start:end]` by `new`; a capital at its head and the a/an before it are kept right."""
    old = text[start:end]
    if new and old[:1].isupper() and old[1:2].islower() and new[:1].islower() and not text[:start].strip(" \"“(‘'"):
        new = new[0].upper() + new[1:]
    head, tail = text[:start], text[end:]
    if not new:
        return tidy(head + tail)
    article = _ARTICLE.search(head)
    if article and new[:1].isalnum():
        right = "an" if _VOWEL.match(new) and not _LONG_VOWEL.match(new) else "a"
        right = right.capitalize() if article[1][0].isupper() else right
        head = head[: article.start()] + right + article[2]
    return head + new + tail


def tidy(text: str) -> str:
    """Join spaces, take them from before stops, and open the sentence with a capital."""
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"\s+([,;:?!]|\.(?!\d))", r"\1", text)
    text = re.sub(r",\s*([,.;])", r"\1", text)
    return upper_first(text)


def upper_first(text: str) -> str:
    """Give `text` a capital at its head."""
    return text[:1].upper() + text[1:]


def stopped(text: str) -> str:
    """Close `text` with one full stop."""
    return text.rstrip(" ,;:.—–-") + "."
