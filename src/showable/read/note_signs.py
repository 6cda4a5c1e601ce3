"""Signs that stand for a note at the answer's end: ``days*``, ``days†``, ``days[a]``, ``days (fn. 1)``."""

from __future__ import annotations

import re

from showable.read.marker import Found, Marker
from showable.read.reference_lists import find_reference_list
from showable.read.trailing_notes import SIGN
from showable.records.regex import regex

_SIGNED = regex(rf"(?<=[\w.,;:!?)%”\"’])({SIGN})(?=[\s.,;:!?)†‡]|\Z)")
_NOTED = regex(r"(?i)[(\[](?:see )?(?:fn|footnote|note|n)\.? ?(\d{1,3})[)\]]")
_LETTERED = regex(r"\[([a-z]{1,4})\]", re.IGNORECASE)


def find_note_signs(text: str, known: frozenset[str]) -> Found:
    """Find signs, letters and numbers of notes, if a note at the end bears them and names a source."""
    found = Found()
    notes = find_reference_list(text, known)
    if notes.span is None:
        return found
    for pattern in (_SIGNED, _NOTED, _LETTERED):
        for match in pattern.finditer(text, 0, notes.span[0]):
            label = match[1].lstrip("\\")
            if label in notes.entries:
                found.markers.append(Marker(match[0], *match.span(), label, "footnote"))
    return found
