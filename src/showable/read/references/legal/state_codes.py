"""Codes of the American states, which no registry here has: ``N.C. Gen. Stat. § 163-82.6``, ``Cal. Penal Code § 187(a)``, ``RCW 42.56.030``."""

from __future__ import annotations

import re

from showable.read.references.found import FoundReference
from showable.records.record import Reference

_STATES = (
    r"Ala\.|Alaska|Ariz\.|Ark\.|Cal\.|Colo\.|Conn\.|Del\.|D\. ?C\.|Fla\.|Ga\.|Haw\.|Idaho|Ill\.|Ind\.|Iowa|Kan\.|Ky\.|La\.|Me\.|Md\.|Mass\.|Mich\.|"
    r"Minn\.|Miss\.|Mo\.|Mont\.|Neb\.|Nev\.|N\. ?H\.|N\. ?J\.|N\. ?M\.|N\. ?Y\.|N\. ?C\.|N\. ?D\.|Ohio|Okla\.|Or\.|Pa\.|P\. ?R\.|R\. ?I\.|S\. ?C\.|"
    r"S\. ?D\.|Tenn\.|Tex\.|Utah|Vt\.|Va\.|Wash\.|W\. ?Va\.|Wis\.|Wyo\."
)
_WORD = r"(?:[A-Z][A-Za-z'’]{0,14}\.?|&|and|of)"
_NAME = r"(?:Code|Stat(?:s\.|utes|\.)|Laws?|Comp\.|Rev\.|Const\.|Regs?\.|Admin\.)"
_SECTION = (
    r"[0-9]{1,5}[A-Za-z]{0,3}(?:[-.:][0-9]{1,5}[A-Za-z]{0,3}){0,5}(?:\((?:[0-9]{1,3}|[A-Za-z]{1,4})\)){0,4}(?![0-9])"
)
_CODE = re.compile(
    rf"(?<![\w.])(?P<code>(?P<state>{_STATES}) (?:{_WORD} ){{0,4}}?{_NAME}(?: {_WORD}){{0,4}}?),?(?: \([0-9]{{4}}\))?"
    rf"(?P<part>,? (?:ch|tit|art|pt)\. ?[0-9]{{1,4}}[A-Za-z]{{0,2}},?)? ?(?:§ ?§?|[Ss]ec(?:s?\.|tions?)) ?(?P<section>{_SECTION})"
)
"""The state, the name of its code, a section; not ``Ohio Code of conduct``, ``Cal. App. 4th 9``."""
_SHORT = re.compile(
    rf"(?<![\w.])(?P<code>RCW|ORS|NRS|KRS|RSMo|MCL|MCLA|C\.R\.S\.|A\.R\.S\.|I\.L\.C\.S\.) ?§{{0,2}} ?(?P<section>[0-9]{{1,5}}[A-Z]?[.:-]{_SECTION})"
)


def find_state_codes(text: str) -> list[FoundReference]:
    """Find sections of the codes of states, kind `state_code`, in order of place. Linear in the text."""
    found = []
    for pattern in (_CODE, _SHORT):
        for match in pattern.finditer(text):
            fields = {"code": " ".join(match["code"].split()), "section": match["section"]}
            if part := match.groupdict().get("part"):
                fields["part"] = part.strip(" ,")
            reference = Reference(kind="state_code", text=match[0], fields=fields)
            found.append(FoundReference(reference, match.span(), match.span()))
    return sorted(found, key=lambda one: one.span)
