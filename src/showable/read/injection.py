"""Suspect a passage of carrying instructions for the model that reads it. A suspicion is recorded; it decides nothing."""

from __future__ import annotations

import hashlib
import re

from showable.read.concealed import carries_unseen, other_readings, unfold
from showable.read.injection_forms import FORMS, WITHOUT_BLANKS
from showable.records.regex import regex

_SPACED_HINTS = (" o r", ".o.r", "-o-r", "*o*r", "_o_r", " g a r")
_SPACED = regex(r"\b(?:\w[ .*_-]){7,}\w\b")
_RUN_ON = regex(
    r"(?:ignore|disregard|forget)(?:all|any|the|of|your|my){0,4}(?:previous|prior|above|earlier|preceding)"
    r"|(?:answer|output|respondwith|reply|mark\w{0,12}as)supported"
)

_TO_BLANKS = bytes.maketrans(
    bytes(code for code in range(128) if not chr(code).isalnum() and code != ord("_")),
    b" " * sum(1 for code in range(128) if not chr(code).isalnum() and code != ord("_")),
)
"""For telling ASCII words apart at the speed of bytes; a word with an accent stays whole."""


def suspect_injection(text: str) -> bool:
    """Check whether a text seems to give orders to the model that reads it, or forges the prompt's own structure.

    Read after Unicode compatibility folding, without invisible characters, with letters spaced out or
    swapped for look-alikes put back, and with what is hidden or encoded written out. Orders are told
    from reports of orders by their position in the sentence, so that a judge's charge to a jury or a
    dosing instruction does not trigger. A miss is possible and a hit proves nothing: defence lies in
    how the prompt is built, not here.
    """
    key = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    known = _REMEMBERED.get(key)
    if known is None:
        if len(_REMEMBERED) >= _MOST_REMEMBERED:
            _REMEMBERED.clear()
        known = _REMEMBERED[key] = _suspect(text)
    return known


def _suspect(text: str) -> bool:
    folded = unfold(text)
    if _gives_orders(folded) or carries_unseen(text):
        return True
    if not folded.isascii() and WITHOUT_BLANKS.search(folded):
        return True
    if any(_gives_orders(reading) for reading in other_readings(folded)):
        return True
    if not any(hint in folded for hint in _SPACED_HINTS):
        return False
    return any(_RUN_ON.search(re.sub(r"[ .*_-]", "", run[0])) for run in _SPACED.finditer(folded))


_MOST_REMEMBERED = 50_000
_REMEMBERED: dict[bytes, bool] = {}
"""What was said of a text, by its digest: the passages of a corpus are retrieved, and judged, again and again."""


def _gives_orders(folded: str) -> bool:
    words = frozenset(folded.encode(errors="replace").translate(_TO_BLANKS).split())
    return any(form.is_in(folded) for form in FORMS if not form.triggers.isdisjoint(words))
