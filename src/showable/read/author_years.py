"""Author-year citations: ``(Smith et al., 2020)``, ``(Smith & Jones, 2020; Lee, 2021a)``, ``Smith et al. (2020)``."""

from __future__ import annotations

import re

from showable.read.marker import Found, Marker, Span
from showable.records.regex import regex

_YEAR = r"(?:1[5-9]|20)\d\d[a-z]?(?![\w–-])"
_YEARS = regex(
    rf"(?P<comma>,?)\s*(?:\b|\()(?P<years>{_YEAR}(?:,\s*{_YEAR}|,\s*[a-h](?![\w.]))*|n\.d\.)\)?(?P<rest>.*)$"
)
_PLACE = regex(
    r"[,:]?\s*(?:(?:at\s+)?(?:pp?|pages?)\b\.?\s*(\d+(?:\s?[-–—]\s?\d+)?)|(\d+(?:[-–—]\d+)?)|(?:§|¶|sec|ch|para|fig|table)[\w.]*\s*[\d.]+|[\w ]{0,20}\d*)"
)
_LEAD = regex(
    r"(?i)(?:(?:see|also|e\.g\.|cf\.|i\.e\.|as cited in|cited in|reviewed in|adapted from|data from|from|in|by|per|for example|but|and|source:),?\s+)+"
)
_ET_AL = regex(r"(?i),?\s+(?:et\s+al\.?|and\s+(?:colleagues|others|co-?workers))$")
_DATE_TAIL = regex(
    r"(?i),\s+(?:\d{1,2}\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?:\s+\d{1,2})?$"
)
_AND = regex(r"\s*(?:,\s*(?:&|and\b)|&|,|\band\b|\bund\b|\bet\b|\by\b)\s*")
_INITIALS = regex(r"(?:[^\W\d_]\.[ -]?){1,4}|[^\W\d_]{1,2}")
_PARTICLES = frozenset("van von der den de la le du di da dos das del della al el bin ibn ter ten zu zur af av".split())  # noqa: SIM905 - a list of words reads best as words
_CONNECTORS = frozenset("of for the on and in to".split())  # noqa: SIM905 - a list of words reads best as words
_NOT_AUTHORS = frozenset(
    """
    jan january feb february mar march apr april may jun june jul july aug august sep sept september oct october nov november dec
    december monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun spring summer
    fall autumn winter easter christmas fy cy fiscal year quarter half q1 q2 q3 q4 h1 h2 section sections sec chapter chapters ch
    table tables figure figures fig figs article articles art part parts vol volume no number nos page pages p pp para paragraph
    clause annex appendix exhibit schedule title item items step version ver rev revision edition ed eds issue act acts code
    regulation regulations reg directive rule rules order bill treaty convention constitution amendment statute ordinance decree law
    since until before after between during circa ca about approximately around early mid late from to by as in on at effective
    enacted amended updated revised published issued adopted ratified signed established founded est born died b d c ended ending
    starting beginning started release released launched copyright n mean median total average count sample population baseline
    olympics games cup election elections census expo festival championship championships season series windows office server
    horizon agenda vision super bowl world-cup cir dist supp app ct cal tex fla ill del mass wash minn ariz conn
    usa us u.s. uk u.k. eu america canada mexico brazil argentina chile china japan india korea australia russia ukraine germany
    france italy spain portugal greece turkey egypt iran iraq israel poland sweden norway denmark finland netherlands belgium
    austria switzerland ireland scotland wales england africa asia europe nigeria kenya tokyo london paris rome berlin madrid
    beijing moscow rio sydney toronto geneva vienna brussels athens lisbon washington boston chicago california texas florida
    note notes source sources aged age ages grade class level type phase stage week day month date dated deadline due
    """.split()  # noqa: SIM905 - a list of words reads best as words
)
_LONGEST_NAME = 8
_REPORTS = (
    r"found|finds?|show(?:s|ed|n)?|report(?:s|ed)?|argue[sd]?|suggest(?:s|ed)?|demonstrate[sd]?|conclude[sd]?|observe[sd]?|note[sd]?|"
    r"propose[sd]?|describe[sd]?|claim(?:s|ed)?|estimate[sd]?|stud(?:y|ies|ied)|review(?:s|ed)?|state[sd]?|write[s]?|wrote|examine[sd]?|"
    r"analy[sz]e[sd]?|identif(?:y|ies|ied)|investigate[sd]?|define[sd]?|compare[sd]?|measure[sd]?|highlight(?:s|ed)?|"
    r"agree[ds]?|point(?:s|ed)?|use[ds]?|develop(?:s|ed)?|introduce[sd]?|present(?:s|ed)?|provide[sd]?|discuss(?:es|ed)?|consider(?:s|ed)?|"
    r"assess(?:es|ed)?|evaluate[sd]?|test(?:s|ed)?|h[eo]lds?|extend(?:s|ed)?|confirm(?:s|ed)?|reveal(?:s|ed)?|indicate[sd]?|explain(?:s|ed)?|"
    r"recommend(?:s|ed)?|emphasi[sz]e[sd]?|prove[sd]?|call(?:s|ed)?|maintain(?:s|ed)?|warn(?:s|ed)?|say[s]?|said"
)
_NARRATIVE = regex(rf"\(({_YEAR}|n\.d\.)(?:,\s*(?:pp?\.|at)\s*(\d+(?:\s?[-–—]\s?\d+)?))?\)")
_VERB_AFTER = regex(rf"\s+(?:(?:has|have|had|also|later|first|further|recently)\s+)*(?:{_REPORTS})\b")
_CUE_BEFORE = regex(
    r"(?i)\b(?:according to|as reported by|following|see|cf\.|per|e\.g\.,?|reported by|shown by|described by|proposed by)\s+$"
)
_NAME_BEFORE = regex(
    r"((?:(?:van|von|der|den|de|la|le|du|di|da|al|el|bin|ibn|ter|ten)\s+){0,3}[^\W\d_][\w'’-]+"
    r"(?:\s+et\s+al\.?,?|\s+and\s+(?:colleagues|others|co-?workers)|(?:,\s+[^\W\d_][\w'’-]+){0,3},?\s+(?:and|&)\s+[^\W\d_][\w'’-]+)?)(?:['’]s?)?\s?$"
)
_SEVERAL = regex(r"\s(?:et\s+al|and|&)(?:\W|$)")
_NO_TITLE = regex(r"\s(?:et\s+al|&|and\s+(?:colleagues|others|co-?workers))(?:\W|$)")
_VERSUS = regex(r"\bvs?\.?\s+$")
_LOOK_BACK = 120


def read_author_years(text: str, span: Span, body: str) -> list[Marker]:
    """Read the inside of brackets as author-year citations: one marker each, or none at all if any part is something else."""
    markers: list[Marker] = []
    raw, surname = text[slice(*span)], ""
    for part in body.split(";"):
        match = _YEARS.search(part)
        if not match:
            return []
        who = part[: match.start()].strip()
        name = _surname(who, comma=bool(match["comma"])) if who else surname
        place = _PLACE.fullmatch(match["rest"].strip())
        if not name or place is None:
            return []
        surname = name
        page = place[1] or place[2]
        markers.extend(_marker(raw, span, name, year, page) for year in _each_year(match["years"]))
    return markers


def _marker(raw: str, span: Span, surname: str, year: str, page: str | None) -> Marker:
    return Marker(raw, *span, f"{surname} {year}", "author_year", surname=surname, year=year, page=page)


def _each_year(years: str) -> list[str]:
    """Split ``2019, 2020`` and ``2020a, b`` into years."""
    found: list[str] = []
    for year in re.split(r",\s*", years):
        found.append(year if len(year) > 1 else found[-1][:4] + year)
    return found


def _surname(who: str, *, comma: bool) -> str | None:
    """Return the first author's surname (or the organisation's name), or None where the words name no author."""
    lead = _LEAD.match(who)
    who = who[lead.end() :] if lead else who
    who = _DATE_TAIL.sub("", who) if comma or "," in who else who
    several = _ET_AL.search(who)
    who = who[: several.start()] if several else who
    names = [name for name in _AND.split(who) if name]
    if not names or len(names) > _LONGEST_NAME:
        return None
    people = [name for name in names if not _INITIALS.fullmatch(name)]
    sure = comma or several is not None or len(people) > 1
    if not people or not all(_is_name(name, sure=sure) for name in people):
        return None
    return re.sub(r"\s*\[[^\]]*\]|(?:\s+[^\W\d_]\.)+$", "", people[0])


def _is_name(name: str, *, sure: bool) -> bool:
    """Check whether words read as an author. Without a comma before the year only a short bare name will do."""
    words = name.split()
    if len(words) > (_LONGEST_NAME if sure else 3) or any(char.isdigit() for char in name):
        return False
    if any(word.casefold().strip(".'’") in _NOT_AUTHORS for word in words) and not _is_organisation(words):
        return False
    capitalised = 0
    for word in words:
        if word.casefold() in _PARTICLES or (sure and word in _CONNECTORS) or _INITIALS.fullmatch(word):
            continue
        if not word[0].isupper() or not all(char.isalpha() or char in "-'’" for char in word.strip('“”"')):
            return False
        capitalised += 1
    return capitalised > 0


def _is_organisation(words: list[str]) -> bool:
    """Let ``Bank of England`` and ``US Food and Drug Administration`` be authors though a place is in the name."""
    last = words[-1].casefold()
    return last in {
        "administration",
        "agency",
        "association",
        "bank",
        "bureau",
        "commission",
        "council",
        "department",
        "group",
        "institute",
        "office",
        "organization",
        "organisation",
        "society",
        "university",
        "academy",
        "ministry",
    } or (
        words[0].casefold() in {"bank", "university", "ministry", "department", "government", "institute", "church"}
        and "of" in words
    )


def find_narrative(text: str, known: frozenset[str]) -> Found:
    """Find ``Smith et al. (2020)``, and ``Smith (2020)`` where the sentence goes on to say what Smith found."""
    del known
    found = Found()
    for match in _NARRATIVE.finditer(text) if "(" in text else ():
        floor = max(0, match.start() - _LOOK_BACK)
        before = text[floor : match.start()]
        name = _NAME_BEFORE.search(before)
        if name is None or _VERSUS.search(before, 0, name.start()):
            continue
        several = _SEVERAL.search(name[1]) is not None
        surname = _surname(name[1], comma=several)
        cued = _VERB_AFTER.match(text, match.end()) or _CUE_BEFORE.search(before[: name.start()])
        if surname is None or not (cued or _NO_TITLE.search(name[1])):
            continue
        start = floor + name.start(1)
        raw = text[start : match.end()]
        found.markers.append(_marker(raw, (start, match.end()), surname, match[1], match[2]))
    return found
