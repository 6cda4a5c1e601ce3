"""Markers of a prompt's template that was never filled in: ``##0$$``, ``{{source:0}}``, ``{doc2}``, ``<chunk 3>``."""

from __future__ import annotations

from showable.read.brackets import ends_as_cited
from showable.read.cited_items import LABEL_WORDS
from showable.read.marker import Found, Marker, Span
from showable.records.regex import regex

_COUNTED = rf"(?:{LABEL_WORDS})[\s:=_.|#\[(\"'-]{{0,4}}\d{{1,3}}(?:\s*,\s*\d{{1,3}})*[\])\"']{{0,2}}"  # source:0, cite 1,2, refs[3]
_TEMPLATE = regex(
    r"(?i)"
    r"##\d{1,3}\$\$|(?<![#%@])([#%@])\1\d{1,3}\1\1(?![#%@])"  # ##0$$, %%2%%       not: ##0, $$0$$
    rf"|(?<!\{{)\{{\{{\s*[#/>!]?\s*{_COUNTED}\s*\}}\}}(?!\}})"  # {{source:0}}, {{ cite 1,2 }}   not: {{name}}, {{1}}
    rf"|<%=?\s*{_COUNTED}\s*%>|\{{%\s*{_COUNTED}\s*%\}}|<\|{_COUNTED}\|>"  # <%= source 2 %>, <|cite_0|>
    rf"|(?<![\w{{\\$]){{{_COUNTED}}}(?!}})"  # {{source:0}}, {{doc2}}            not: \ref{{2}}
    rf"|<<{_COUNTED}>>|<{_COUNTED}/?>"  # <doc2>, <<source:0>>          not: <ref id="1"/>, <h1>
    r"|</co:\s*\d{1,3}(?:\s*,\s*\d{1,3})*\s*>"  # <co: 0>what it says</co: 0>, of Cohere's models
)
_CLOSING = regex(
    rf"(?i)[$#]\{{{_COUNTED}\}}|\{{[#^]?\d{{1,3}}\}}|<\|?\d{{1,3}}\|?>"  # ${{source1}}, {{2}}, {{^2}}, <2>, <|2|>
)
"""What cites only at the end of a clause: elsewhere it is a variable, a set, a key to press."""
_OPENED = regex(r"<co:\s*\d{1,3}(?:\s*,\s*\d{1,3})*\s*>|\[cite_start\]")
_NUMBER = regex(r"\d+")
_TURN = regex(r"\ue200?cite(?:\ue202?turn\d{1,3}[a-z]{2,8}\d{1,3})+\ue201?")
_OF_TURN = regex(r"turn(\d+)[a-z]+(\d+)")
"""A result of a search of some turn, between private-use characters or bare: ``citeturn0search2``."""


def find_templates(text: str, known: frozenset[str]) -> Found:
    """Find markers of templates. What holds an id of the log, as ``{doc-7}`` may, is left to the other finders."""
    found = Found()
    for match in _TURN.finditer(text) if "citeturn" in text or "\ue200" in text else ():
        found.markers += [
            Marker(match[0], *match.span(), f"{turn}:{result}", "template")
            for turn, result in _OF_TURN.findall(match[0])
        ]
    if not any(sign in text for sign in "#%@{<"):
        return found
    closing = (match for match in _CLOSING.finditer(text) if ends_as_cited(text, match.span()))
    for match in (*_TEMPLATE.finditer(text), *closing):
        if match[0].strip("{}<> /") not in known:
            found.markers += [
                Marker(match[0], *match.span(), number, "template") for number in _NUMBER.findall(match[0])
            ]
    return found


def opened(text: str) -> list[Span]:
    """Find what only says where a cited stretch begins: ``<co: 0>``, ``[cite_start]``."""
    return [match.span() for match in _OPENED.finditer(text)] if "<co:" in text or "[cite_start]" in text else []
