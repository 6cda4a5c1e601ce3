"""Codes, regulations, the Federal Register, public laws and the Statutes at Large (Bluebook rules 12 and 14)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from showable.read.references.legal.cite import Cite, plain_subsection
from showable.read.references.legal.dates import iso_date
from showable.records.regex import regex

_MARK = r"(?:§ ?§?|[Ss]ections?\b|[Ss]ecs?\.)"
_SUB = r"(?: ?\((?:[0-9]{1,3}|[A-Za-z]{1,5})(?:-[0-9A-Za-z]{1,4})?\))"
_SUBSECTION = rf"(?:{_SUB}{{1,8}}(?: ?(?:-|to|through){_SUB}{{1,8}})?)?"
"""``(a)(1)``, and a range of them: ``(a)(1)-(3)``, ``(b) through (d)``."""
_USC_SECTION = r"[0-9]{1,5}[A-Za-z]{0,4}(?![A-Za-z])(?:-[0-9]{1,5}[a-z]{0,3}(?![A-Za-z])){0,3}"
_CFR_SECTION = r"[0-9]{1,4}[a-z]?\.[0-9]{1,5}(?:[A-Za-z]{1,3}[0-9]{0,3})?(?:(?:\([A-Za-z0-9]{1,4}\)){1,3}-[0-9]{1,3}[A-Z]?(?!\.?[0-9]))?(?:-[0-9]{1,4}[A-Za-z]{0,2}(?!\.?[0-9])){0,3}(?![0-9A-Za-z])"
"""With letters and digits within (``240.15c3-1``), and parentheses before a hyphen (``1.401(a)(9)-1``)."""
_USC_NAME = r"(?:U\.? ?S\.? ?C\.?(?: ?[AS]\.?)?(?![A-Za-z])(?: ?Ann\.)?|U\. ?S\. Code(?: Annotated)?|US Code|United States Code(?: Annotated)?)"
_CFR_NAME = r"(?:C\.? ?F\.? ?R\.?(?![A-Za-z])|Code of Federal Regulations)"
_SUBPART = r"[Ss]ubp(?:arts?|ts?\.) (?P<subpart>[A-Z]{1,6}[a-z]?(?:(?:, (?:and )?| and | through | to |-)[A-Z]{1,6}[a-z]?){0,8})(?![0-9A-Za-z])"
_BEFORE = r"(?<![\w$€£.,/-])"
_TITLE = rf"{_BEFORE}(?:[Tt]itle )?(?P<title>[1-9][0-9]?)"
_USC = regex(
    rf"{_TITLE}(?:,| of the)? {_USC_NAME},?(?P<app> [Aa]pp\.)? ?(?P<mark>{_MARK}?) ?(?P<section>{_USC_SECTION})(?P<sub>{_SUBSECTION})"
)
_REVENUE = regex(
    rf"(?<![\w.])(?:I\.? ?R\.? ?C\.?|Int(?:\.|ernal) Rev(?:\.|enue) Code)(?: of 19(?:54|86))?,? (?P<mark>{_MARK}) ?(?P<section>{_USC_SECTION})(?P<sub>{_SUBSECTION})"
)
"""The Internal Revenue Code is title 26: ``I.R.C. § 501(c)(3)``."""
_USC_TURNED = regex(
    rf"(?<!\w)(?P<mark>§ ?§?|[Ss]ections? ) ?(?P<section>{_USC_SECTION})(?P<sub>{_SUBSECTION}) of [Tt]itle (?P<title>[1-9][0-9]?)(?:,| of the)? {_USC_NAME}"
)
_CFR = regex(
    rf"{_TITLE}(?:,| of the)? {_CFR_NAME},? ?(?:(?P<mark>{_MARK}?) ?(?P<section>{_CFR_SECTION})(?P<sub>{_SUBSECTION})"
    rf"|(?P<parts>[Pp]arts?|[Pp]ts?\.|§|§§)? ?(?P<part>[1-9][0-9]{{0,4}}[a-z]?)(?![0-9A-Za-z]|\.[0-9])(?:,? {_SUBPART})?)"
)
_SUBPART_OF = regex(rf"{_SUBPART} of $")
_TREASURY = regex(rf"(?<!\w)Treas\. Reg\. (?P<mark>§ ?§?) ?(?P<section>{_CFR_SECTION})(?P<sub>{_SUBSECTION})")
_NEXT = regex(rf"(?:, ?(?:and |& ?|or )?| and | & | or )(?P<item>{_USC_SECTION}|(?=\())(?P<sub>{_SUBSECTION})")
_NEXT_CFR = regex(
    rf"(?:, ?(?:and |& ?|or )?| and | & | or )(?P<item>{_CFR_SECTION}|[1-9][0-9]{{0,3}}(?![0-9]|\.[0-9])|(?=\())(?P<sub>{_SUBSECTION})"
)
_TO = regex(rf" ?(?:-|to|through) ?(?P<to>{_CFR_SECTION}|{_USC_SECTION}){_SUBSECTION}")
_GOES_ON = regex(r" (?:U\.? ?S\.? ?C|C\.? ?F\.? ?R|F\. ?R|[A-Z][A-Za-z']*\.|[A-Z]{2,})")
"""After a number in a list: it is the title or volume of the next citation (``, 42 U.S.C.``)."""
_ET_SEQ = regex(r",? ?et\.? seq\.?")
_YEAR = regex(r" ?\((?:[A-Z][A-Za-z.' ]{0,20} )?(?:Supp\. [IVX]{1,4} )?(?P<year>1[789][0-9]{2}|20[0-9]{2})\)")
_LONGEST_LIST = 40
_LONGEST_SUBPARTS = 60
_NUMBERED = regex(r"(?P<number>[0-9]{1,5})(?P<letters>[A-Za-z]*)")
_FULL_NUMBER = 100
"""From here on what follows a section's hyphen is lower than its number: §§ 1395w-154 and 300ff-140, but § 1a-8."""

_FED_REG = regex(
    rf"{_BEFORE}(?P<volume>[1-9][0-9]{{0,2}}) (?:Fed\. ?Reg\.|F\. ?R\.(?! ?D)|FR(?= [0-9,]{{3}}))(?: at)? ?(?P<page>[0-9]{{1,3}}(?:,[0-9]{{3}})+|[0-9]{{1,6}})(?![0-9A-Za-z])"
)
_FED_REG_AFTER = regex(
    r"(?:,? (?:at )?(?P<pin>[0-9][0-9,]{0,7}(?:-[0-9][0-9,]{0,7})?)(?=[,.;)]|$| \())?"
    r"(?: ?\((?:(?:proposed|codified|corrected|amended|revised)[^()]{0,60}?)?(?P<date>[A-Z][a-z]{2,8}\.? [0-9]{1,2}, )?(?P<year>1[789][0-9]{2}|20[0-9]{2})\))?"
)
_PUBLIC_LAW = regex(
    r"(?<![\w.])(?:Pub(?:\. ?|lic )L(?:\.|aw)|P\. ?L\.)(?: ?Nos?\.?| Number)? ?(?P<congress>[1-9][0-9]{0,2})-(?P<number>[1-9][0-9]{0,3})(?![0-9])"
)
_STATUTES = regex(
    rf"{_BEFORE}(?P<volume>[1-9][0-9]{{0,2}}) Stat\. (?P<page>[0-9]{{1,4}}(?:,[0-9]{{3}})?|[0-9]{{1,6}})(?![0-9A-Za-z])"
)
_LAST_TITLE = {"usc": 54, "cfr": 50}


def find_statutes(text: str) -> list[Cite]:
    """Find everything of this family in folded text, one `Cite` for each section of a list, in no order."""
    found: list[Cite] = []
    if "C" in text or "Treas" in text:
        found.extend(_usc(text))
        found.extend(_cfr(text))
    found.extend(_turned(text))
    if any(mark in text for mark in ("Fed", "F.", "FR")):
        found.extend(_fed_reg(text, match) for match in _FED_REG.finditer(text))
    if "Pub" in text or "P." in text:
        found.extend(
            Cite("public_law", *match.span(), {"congress": match["congress"], "number": match["number"]})
            for match in _PUBLIC_LAW.finditer(text)
        )
    for match in _STATUTES.finditer(text) if "Stat." in text else ():
        fields = {"volume": match["volume"], "page": match["page"].replace(",", "")}
        found.append(Cite("statutes_at_large", *match.span(), fields))
    return found


def _usc(text: str) -> Iterator[Cite]:
    for match in _USC.finditer(text):
        if int(match["title"]) > _LAST_TITLE["usc"]:
            continue
        fields = {"title": match["title"], "appendix": "yes" if match["app"] else ""}
        yield from _listed(text, match, "usc", fields)
    for match in _REVENUE.finditer(text):
        yield from _listed(text, match, "usc", {"title": "26"})


def _turned(text: str) -> Iterator[Cite]:
    """``section 1331 of title 28, United States Code``."""
    for match in _USC_TURNED.finditer(text) if " of title " in text or " of Title " in text else ():
        if int(match["title"]) <= _LAST_TITLE["usc"]:
            yield Cite("usc", *match.span(), _section("usc", {"title": match["title"]}, match["section"], match["sub"]))


def _cfr(text: str) -> Iterator[Cite]:
    for match in _CFR.finditer(text):
        if int(match["title"]) > _LAST_TITLE["cfr"]:
            continue
        if match["section"]:
            yield from _listed(text, match, "cfr", {"title": match["title"]})
        else:
            before = _SUBPART_OF.search(text, max(0, match.start() - _LONGEST_SUBPARTS), match.start())
            subpart = match["subpart"] or (before["subpart"] if before else "")
            fields = {"title": match["title"], "part": match["part"]} | ({"subpart": subpart} if subpart else {})
            yield _dated(text, [Cite("cfr", *match.span(), fields)])[0]
    for match in _TREASURY.finditer(text):
        yield from _listed(text, match, "cfr", {"title": "26"})


def _listed(text: str, match: re.Match[str], kind: str, fields: dict[str, str]) -> list[Cite]:
    """Read on from the first section: ranges, more sections after a double mark, the year of the code."""
    several = match["mark"].count("§") > 1 or match["mark"][-2:] == "s" or match["mark"].rstrip(".").endswith("s")
    first = _section(kind, fields, match["section"], match["sub"])
    if several and kind == "usc":
        _split_range(first)
    cites = [Cite(kind, *match.span(), first)]
    at = _ranged(text, match.end(), first) if several else match.end()
    while several and len(cites) < _LONGEST_LIST:
        item = (_NEXT if kind == "usc" else _NEXT_CFR).match(text, at)
        if item is None or _begins_another(text, item.end()):
            break
        if not item["item"] and not item["sub"]:
            break
        fields_of = _section(kind, fields, item["item"] or cites[-1].fields.get("section", ""), item["sub"])
        if item["item"] and kind == "usc":
            _split_range(fields_of)
        start = item.start("item") if item["item"] else item.start("sub")
        cites.append(Cite(kind, start, item.end(), fields_of))
        at = _ranged(text, item.end(), fields_of)
    return _dated(text, cites)


def _begins_another(text: str, end: int) -> bool:
    return _GOES_ON.match(text, end) is not None


def _ranged(text: str, at: int, fields: dict[str, str]) -> int:
    """Take ``to 2000e-17`` after a section, and give where reading goes on."""
    to = _TO.match(text, at)
    if to is None or "section_to" in fields or _begins_another(text, to.end()):
        return at
    fields["section_to"] = to["to"]
    return to.end()


def _split_range(fields: dict[str, str]) -> None:
    """Under a double mark ``701-06``, ``7401-7671q`` and ``2000e-2000e-17`` are ranges; ``2000e-2`` is the name of one section.

    ``1a-5`` may be either, which is noted.
    """
    parts = fields["section"].split("-")
    for at in range(1, len(parts)):
        low, high = "-".join(parts[:at]), "-".join(parts[at:])
        if low.isdigit() and high.isdigit() and len(high) < len(low):
            high = low[: len(low) - len(high)] + high
        sure = _begins_range(low, high)
        if sure:
            fields["section"], fields["section_to"] = low, high
            return
        if sure is None:
            fields["range_from"] = low


def _begins_range(low: str, high: str) -> bool | None:
    """Return whether one section is before another, which no name after its hyphen is; None where it may be such a name."""
    first, last = _NUMBERED.match(low), _NUMBERED.match(high)
    if first is None or last is None:
        return False
    numbers = int(first["number"]), int(last["number"])
    if numbers[0] == numbers[1]:
        letters = [(len(one["letters"]), one["letters"].lower()) for one in (first, last)]
        return letters[0] < letters[1] or (letters[0] == letters[1] and low != high)
    if numbers[1] < numbers[0]:
        return False
    return True if numbers[0] >= _FULL_NUMBER or low.isdigit() else None


def _section(kind: str, fields: dict[str, str], section: str, sub: str) -> dict[str, str]:
    own = {key: value for key, value in fields.items() if value}
    if kind == "cfr":
        own["part"] = section.partition(".")[0]
    if kind == "usc" or "." in section:
        own["section"] = section
    if sub:
        own["subsection"] = plain_subsection(sub)
    return own


def _dated(text: str, cites: list[Cite]) -> list[Cite]:
    """Return every section of a list the whole of it as `full`, and the year after it."""
    end = cites[-1].end
    to = _TO.match(text, end) if "section_to" in cites[-1].fields else None
    end = to.end() if to else end
    seq = _ET_SEQ.match(text, end)
    if seq:
        cites[-1].fields["et_seq"] = "yes"
        end = seq.end()
    year = _YEAR.match(text, end)
    for cite in cites:
        cite.full_start, cite.full_end = cites[0].start, year.end() if year else end
        cite.joined = cite is not cites[0]
        if year:
            cite.fields["year"] = year["year"]
    return cites


def _fed_reg(text: str, match: re.Match[str]) -> Cite:
    fields = {"volume": match["volume"], "page": match["page"].replace(",", "")}
    after = _FED_REG_AFTER.match(text, match.end())
    cite = Cite("fed_reg", *match.span(), fields)
    if after is None:
        return cite
    cite.full_end = after.end()
    if after["pin"]:
        fields["pin"] = after["pin"].replace(",", "")
    if after["year"]:
        fields["year"] = after["year"]
        if after["date"]:
            fields["date"] = iso_date(after["date"] + after["year"]) or ""
    cite.fields = {key: value for key, value in fields.items() if value}
    return cite
