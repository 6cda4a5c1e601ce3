"""Neutral citations of the courts of the United Kingdom, and law reports cited by a year in square brackets.

Forms as the courts publish them: ``[2025] EWHC 1040 (Admin)``, ``[2019] UKSC 41``, ``[2021] UKUT 12 (IAC)``,
``[2020] EWCA Civ 5``, ``[2015] CSIH 3``, ``[2018] NICA 7``. Reports (``[1932] AC 562``, ``[1990] 2 AC 605``) and the
neutral citations of other common-law countries are kept as cases whose reporter the American registries do not know.
"""

from __future__ import annotations

import re

from showable.read.references.legal.cite import Cite
from showable.records.regex import regex

_YEAR = r"[\[(] ?(?P<year>1[89][0-9]{2}|20[0-9]{2}) ?[\])],?"
_NEUTRAL = regex(
    rf"(?<!\w){_YEAR} ?(?:(?P<court>EWCA) ?(?P<part>Civ|Crim)|(?P<plain>UKSC|UKPC|UKHL|UKEAT|UKAIT|UKIAT|UKSIAC|UKIST|EAT|EWHC|EWFC|EWCOP|EWCR|EWCC|EWMC|EWLandsCt|EWCST|UKFTT|UKUT|UKVAT|"
    r"UKSPC|UKIPTrib|UKPCCAT|UKCAT|CAT|CSIH|CSOH|HCJAC|HCJ|HCJT|SAC|ScotCS|SLT|NICA|NIQB|NIKB|NICh|NIFam|NICC|NICty|NIMag|NIMaster|NIIT|UKSSCSC|UKMSPC|UKET))"
    r"(?: (?P<form>\(?(?:Admin|Civ|Crim)\)?))? (?:No\.? )?(?P<number>[0-9]{1,5})(?![0-9A-Za-z])(?P<paren> ?\((?P<division>[A-Za-z][A-Za-z&. ]{0,24})\))?"
)
_DIVISIONS = frozenset(
    """
    admin ch comm fam qb kb tcc pat ipec admlty admiralty costs scco mercantile iac aac lc tcc tc tax grc ph hesc wp ewcop b t1 t2 t3
    civ crim sac prop pc property chancery bankruptcy circuit mhrt
    """.split()  # noqa: SIM905 - a list of words reads best as words
)
_REPORTS = (
    r"A\.?C\.?|App\.? ?Cas\.?|Q\.?B\.?D?\.?|K\.?B\.?|Ch\.?(?: ?D\.?)?|Fam\.?|W\.?L\.?R\.?|All ?E\.?R\.?(?: \((?:Comm|EC|D)\))?|"
    r"I\.?C\.?R\.?|I\.?R\.?L\.?R\.?|Lloyd's Rep\.?|Cr\.? ?App\.? ?R\.?(?: \(S\))?|F\.?L\.?R\.?|E\.?M\.?L\.?R\.?|F\.?S\.?R\.?|R\.?P\.?C\.?|S\.?T\.?C\.?|B\.?C\.?L\.?C\.?|"
    r"P\.? ?& ?C\.?R\.?|H\.?L\.?R\.?|E\.?H\.?R\.?R\.?|S\.?C\.? ?\(H\.?L\.?\)|S\.?L\.?T\.?|N\.?I\.?|I\.?R\.?|C\.?L\.?R\.?|B\.?L\.?R\.?|Imm ?A\.?R\.?"
)
_REPORT = regex(
    rf"(?<!\w){_YEAR} ?(?:(?P<volume>[1-9][0-9]?) )?(?P<reporter>{_REPORTS}) (?P<page>[1-9][0-9]{{0,4}})(?![0-9A-Za-z])"
)
_ABROAD = regex(
    r"(?<![\w.])(?:[\[(](?P<bracketed>19[0-9]{2}|20[0-9]{2})[\])]|(?P<bare>19[89][0-9]|20[0-9]{2})) "
    r"(?P<reporter>HCA|FCAFC|FCA|NSWCA|NSWSC|VSCA|VSC|QCA|WASCA|IESC|IECA|IEHC|NZSC|NZCA|NZHC|SGCA|SGHC|HKCFA|HKCA|HKCFI|ZACC|ZASCA|"
    r"SCC|FCA|ONCA|ONSC|BCCA|BCSC|ABCA|QCCA|INSC|CCJ) (?P<page>[0-9]{1,5})(?![0-9A-Za-z])"
)
_DATED = regex(r"[\[(] ?(?:1[89]|20)[0-9]")
_COURT = regex(r"[A-Z]{3}")
"""What a year in brackets, and a court's initials, begin with: far cheaper to look for than the whole."""


def find_uk(text: str) -> list[Cite]:
    """Find neutral citations and bracketed law reports in folded text, in no order."""
    if "19" not in text and "20" not in text and "18" not in text:
        return []
    dated = _DATED.search(text) is not None
    found = [_neutral(match) for match in _NEUTRAL.finditer(text)] if dated else []
    for match in _REPORT.finditer(text) if dated else ():
        fields = {"reporter": match["reporter"], "reporter_known": "no", "page": match["page"], "year": match["year"]}
        if match["volume"]:
            fields["volume"] = match["volume"]
        found.append(Cite("case", *match.span(), fields))
    for match in _ABROAD.finditer(text) if _COURT.search(text) else ():
        year = match["bracketed"] or match["bare"]
        fields = {"volume": year, "reporter": match["reporter"], "reporter_known": "no", "page": match["page"]}
        found.append(Cite("case", *match.span(), fields | {"year": year, "neutral": "yes"}))
    return found


def _neutral(match: re.Match[str]) -> Cite:
    division = match["division"] if match["division"] and _is_division(match["division"]) else None
    end = match.end() if division else (match.start("paren") if match["paren"] else match.end())
    fields = {"year": match["year"], "court": match["court"] or match["plain"], "number": match["number"]}
    division = match["part"] or division or (match["form"] or "").strip("()")
    if division:
        fields["division"] = division
    return Cite("neutral_uk", match.start(), end, fields)


def _is_division(words: str) -> bool:
    return words.casefold().replace(".", "").replace(" ", "") in _DIVISIONS
