"""Brackets that would be citations if the log held what stands in them: what cannot be told where there is no log."""

from __future__ import annotations

from showable.read.fences import unfenced
from showable.read.id_shapes import could_be_id
from showable.read.marker import Span
from showable.read.markers import set_aside
from showable.records.regex import regex

_BRACKET = regex(r"(?<![!\w\])>\\])\[([^\[\]\n]{1,200})\](?![(:])|(?<=\])\[([^\[\]\n]{1,200})\](?![(:])")
_SEPARATORS = regex("[,;]")
_LONGEST_QUOTATION = 600


def find_possible_ids(text: str) -> list[Span]:
    """Find brackets each part of which could be a source's id: ``[rent]``, ``[AB12; lease]``; not ``[sic]``, and none within a quotation.

    Numbers as ``[1]`` are markers whatever the log holds, and are not given. Linear in the text.
    """
    if "[" not in text:
        return []
    aside = set_aside(unfenced(text))
    found = (m for m in _BRACKET.finditer(text) if all(map(could_be_id, _parts(m[1] or m[2]))))
    return [
        m.span()
        for m in found
        if not _quoted(text, m.start()) and not any(a < m.end() and m.start() < b for a, b in aside)
    ]


def _parts(body: str) -> list[str]:
    return [part.strip() for part in _SEPARATORS.split(body)]


def _quoted(text: str, at: int) -> bool:
    """Check whether a place is inside a quotation, where words in brackets are put in by its editor."""
    floor = max(0, at - _LONGEST_QUOTATION)
    before = text[max(text.rfind("\n", floor, at) + 1, floor) : at]
    return before.count("“") > before.count("”") or before.count('"') % 2 == 1 or before.count("«") > before.count("»")
