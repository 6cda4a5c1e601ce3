"""Markers of a prompt's template that was never filled in: ``##0$$``, ``{{source:0}}``, ``{doc2}``, ``<chunk 3>``."""

from __future__ import annotations

import re

from showable.read.cited_items import LABEL_WORDS
from showable.read.marker import Found, Marker

_COUNTED = rf"(?:{LABEL_WORDS})[\s:=_-]{{0,3}}\d{{1,3}}(?:\s*,\s*\d{{1,3}})*"
_TEMPLATE = re.compile(
    r"(?i)"
    r"##\d{1,3}\$\$"  # ##0$$                        not: ##0, $$0$$
    rf"|(?<!\{{)\{{\{{\s*{_COUNTED}\s*\}}\}}(?!\}})"  # {{source:0}}, {{ cite 1,2 }}   not: {{name}}, {{1}}
    rf"|(?<![\w{{\\$]){{{_COUNTED}}}(?!}})"  # {source:0}, {doc2}            not: \ref{2}, ${file1}
    rf"|<<{_COUNTED}>>|<{_COUNTED}/?>"  # <doc2>, <<source:0>>          not: <ref id="1"/>, <h1>
)
_NUMBER = re.compile(r"\d+")
_TURN = re.compile(r"\ue200?cite(?:\ue202?turn\d{1,3}[a-z]{2,8}\d{1,3})+\ue201?")
_OF_TURN = re.compile(r"turn(\d+)[a-z]+(\d+)")
"""A result of a search of some turn, between private-use characters or bare: ``citeturn0search2``."""


def find_templates(text: str, known: frozenset[str]) -> Found:
    """Find markers of templates. What holds an id of the log, as ``{doc-7}`` may, is left to the other finders."""
    found = Found()
    for match in _TURN.finditer(text) if "citeturn" in text or "\ue200" in text else ():
        found.markers += [
            Marker(match[0], *match.span(), f"{turn}:{result}", "template")
            for turn, result in _OF_TURN.findall(match[0])
        ]
    if "#" not in text and "{" not in text and "<" not in text:
        return found
    for match in _TEMPLATE.finditer(text):
        if match[0].strip("{}<> /") not in known:
            found.markers += [
                Marker(match[0], *match.span(), number, "template") for number in _NUMBER.findall(match[0])
            ]
    return found
