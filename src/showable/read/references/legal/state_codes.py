"""Codes of the American states, which no registry here has: ``N.C. Gen. Stat. § 163-82.6``, ``O.C.G.A. § 9-11-12``, ``735 ILCS 5/2-619``."""

from __future__ import annotations

import re

from showable.read.references.found import FoundReference
from showable.read.references.placed import without_overlaps
from showable.records.record import Reference
from showable.records.regex import regex

_STATES = (
    r"Ala\.|Alaska|Ariz\.|Ark\.|Cal\.|Colo\.|Conn\.|Del\.|D\. ?C\.|Fla\.|Ga\.|Haw\.|Idaho|Ill\.|Ind\.|Iowa|Kan\.|Ky\.|La\.|Me\.|Md\.|Mass\.|Mich\.|"
    r"Minn\.|Miss\.|Mo\.|Mont\.|Neb\.|Nev\.|N\. ?H\.|N\. ?J\.|N\. ?M\.|N\. ?Y\.|N\. ?C\.|N\. ?D\.|Ohio|Okla\.|Or\.|Pa\.|P\. ?R\.|R\. ?I\.|S\. ?C\.|"
    r"S\. ?D\.|Tenn\.|Tex\.|Utah|Vt\.|Va\.|Wash\.|W\. ?Va\.|Wis\.|Wyo\."
)
_WORD = r"(?:[A-Z][A-Za-z'’]{0,14}[.,]{0,2}|&|and|of)"
_NAME = r"(?:Code|Stat(?:s\.|utes|\.)|Laws?|Comp\.|Rev\.|Const\.|Regs?\.|Admin\.|R\. ?S\.)"
_SECTION = (
    r"[0-9]{1,5}[A-Za-z]{0,3}(?:[-.:/][0-9]{1,5}[A-Za-z]{0,3}){0,5}(?:\((?:[0-9]{1,3}|[A-Za-z]{1,4})\)){0,4}(?![0-9])"
)
_PARTED = r"[0-9]{1,5}[A-Za-z]{0,2}[-.:/]" + _SECTION
"""A section of several parts, which needs no sign before it: ``541.05``, ``5/2-619``."""
_SIGN = r"(?:§ ?§?|[Ss]ec(?:s?\.|tions?))"
_PART = r"(?P<part>,? (?:ch?|tit|art|pt)\. ?[0-9]{1,4}[A-Za-z]{0,2},?)?"
_YEAR = r"(?:,? (?:\([0-9]{4}\)|[0-9]{4},))?"
_NAMED = regex(
    rf"(?<![\w.])(?P<code>(?:[1-9][0-9]{{0,3}} )?(?:{_STATES}) (?:{_WORD} ){{0,4}}?{_NAME}(?: {_WORD}){{0,5}}?),?{_YEAR}{_PART} ?"
    rf"(?:{_SIGN} ?(?P<section>{_SECTION})|(?P<plain>{_PARTED})|art\. ?(?P<article>{_SECTION}))"
)
"""The state, the name of its code, a section; not ``Ohio Code of conduct``, ``Cal. App. 4th 9``."""
_OF_ITS_STATE = regex(
    rf"(?<![\w.])(?P<code>(?:[A-Z][a-z]{{1,6}}\. (?:& )?){{1,3}}Code|Code(?: [A-Z][a-z]{{1,6}}\.){{1,3}}),? {_SIGN} ?(?P<section>{_SECTION})"
)
"""As courts of one state cite its codes: ``Pen. Code, § 187``, ``Code Civ. Proc., § 437c``."""
_INITIALS = regex(
    rf"(?<![\w.§])(?P<code>(?:[1-9][0-9]{{0,3}} )?(?:[A-Z][a-z]?\. ?){{2,5}}|(?:[1-9][0-9]{{0,3}} )?Del\. C\.){_YEAR}{_PART} ?§ ?§? ?(?P<section>{_SECTION})"
)
"""Initials with points before a sign: ``42 Pa.C.S. § 5524``, ``G.L. c. 231, § 60B``; not ``MSA § 4.2``, the contract."""
_FEDERAL = frozenset({"USC", "USCA", "USCS", "CFR", "US", "FR", "IRC"})
_KNOWN = "RCW ORS NRS KRS RSMo MCL MCLA CRS ARS ILCS CPLR KSA RSA SDCL RC OCGA HRS TCA NCGS NMSA".split()  # noqa: SIM905 - a list of words
_SHORT = regex(
    rf"(?<![\w.])(?P<code>(?:[1-9][0-9]{{0,3}} |N\. ?Y\. )?(?:{'|'.join(r'[.]? ?'.join(name) for name in _KNOWN)})\.?){_YEAR} ?"
    rf"(?:§ ?§? ?(?P<signed>{_SECTION})|(?P<section>{_PARTED}|(?<=P\.L\.R\. )[0-9]{{3,4}}\b|(?<=CPLR )[0-9]{{3,4}}\b))"
)
"""Initials that are known for a code, with a sign or without: ``RCW 9A.36.021``, ``CPLR 3212``, ``NMSA 1978, § 37-1-8``; not ``RC 5``."""


def find_state_codes(text: str) -> list[FoundReference]:
    """Find sections of the codes of states, kind `state_code`, in order of place. Linear in the text."""
    found = []
    for pattern in (_NAMED, _OF_ITS_STATE, _INITIALS, _SHORT):
        for match in pattern.finditer(text):
            given = match.groupdict()
            if re.sub(r"[^A-Z]", "", match["code"]) in _FEDERAL:
                continue
            section = next(given[name] for name in ("section", "signed", "plain", "article") if given.get(name))
            fields = {"code": " ".join(match["code"].split()), "section": section}
            if part := given.get("part"):
                fields["part"] = part.strip(" ,")
            reference = Reference(kind="state_code", text=match[0], fields=fields)
            found.append(FoundReference(reference, match.span(), match.span()))
    return without_overlaps(found)
