"""Courts under their ids, their names and their Bluebook abbreviations, and whether two of these are one court.

The ids are those of courts-db, which CourtListener uses as well.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

from showable.records.regex import regex

_LONGEST = 200
_CIRCUITS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh")
_REGIONS = {"c": "central", "e": "eastern", "m": "middle", "n": "northern", "s": "southern", "w": "western"}
_DISTRICT = regex(
    r"(?:u s |united states )?(?P<kind>district|bankruptcy|d) (?:court|ct)(?: for)? (?:the )?"
    r"(?:(?P<region>\w)\w* ?d\w*(?: of)?|d\w*(?: of)?) (?P<state>.+)"
)
_OWN_COURT = {
    "scotus": "US|SCt|LEd|LEd2d|LawEd|USLEXIS",
    "tax": "TC|BTA",
    "uscfc": "FedCl",
    "cavc": "VetApp",
    "cal": "Cal|Cal2d|Cal3d|Cal4th|Cal5th",
    "calctapp": "CalApp|CalApp2d|CalApp3d|CalApp4th|CalApp5th",
    "ny": "NY|NY2d|NY3d",
    "nyappdiv": "AD|AD2d|AD3d",
    "ill": "Ill|Ill2d",
    "illappct": "IllApp|IllApp2d|IllApp3d",
    "mass": "Mass",
    "massappct": "MassAppCt",
    "nj": "NJ",
    "pa": "Pa",
    "mich": "Mich",
    "michctapp": "MichApp",
    "mont": "Mont",
    "ga": "Ga",
    "gactapp": "GaApp",
}
"""Reporters that print one court alone, without their stops and spaces."""


def reporter_court(reporter: str) -> str | None:
    """Return the id of the one court that a reporter prints (``U.S.`` is the Supreme Court's); None where it prints several."""
    return _reporter_courts().get(re.sub(r"[.\s]", "", reporter).casefold())


def court_id(text: str) -> str | None:
    """Return the id of a court written as its id, its name or its abbreviation (``C.D. Cal.``); None where it cannot be told."""
    return _court_id(text[:_LONGEST])


def court_label(text: str) -> str:
    """Return a court as a citation abbreviates it, or as it was written where that is unknown."""
    identified = court_id(text)
    return _labels().get(identified or "", "") or text


def same_court(claimed: str, found: str) -> bool | None:
    """Return whether two writings are of one court; None where one of them is not known.

    A division agrees with its court (``Ill. App. Ct. 1st Dist.`` with ``Ill. App. Ct.``). Federal courts are told
    apart by their ids. Of two courts of one state only the highest and an intermediate one are, for the databases
    file the others under more than one id.
    """
    if _plain(claimed) == _plain(found):
        return True
    ours, theirs = court_id(claimed), court_id(found)
    if ours is None or theirs is None:
        return None
    if ours == theirs or _is_division(ours, theirs) or _is_division(theirs, ours):
        return True
    mine, other = _kinds()[ours], _kinds()[theirs]
    if "federal" in {mine.system, other.system} or mine.state != other.state:
        return False
    return False if {mine.level, other.level} == {"colr", "iac"} else None


def _is_division(part: str, whole: str) -> bool:
    parents = _parents()
    return parents.get(part) == whole or (len(whole) > 5 and part.startswith(whole) and part[len(whole) :].isdigit())  # noqa: PLR2004 - `texapp1` is one, `ca11` of `ca1` none


@lru_cache(2048)
def _court_id(text: str) -> str | None:
    if text.strip() in _labels():
        return text.strip()
    plain = _plain(text)
    if not plain:
        return None
    names = _names()
    for form in (plain, plain.removeprefix("the "), _district_name(plain), _circuit_name(plain)):
        if form and form in names:
            return names[form]
    return _bags().get(_bag(plain)) or _shortened(plain, names)


def _shortened(plain: str, names: dict[str, str]) -> str | None:
    """Drop a division from the end, word by word (``ill app ct 1st dist``), as long as a court of a state is named."""
    words = plain.split()
    for end in range(len(words) - 1, 1, -1):
        found = names.get(" ".join(words[:end]))
        if found and "app" in found:
            return found
    return None


def _bag(plain: str) -> str:
    """Put a name's words in one order: ``Supreme Court of Montana`` is the ``Montana Supreme Court``."""
    return " ".join(sorted(set(plain.split()) - {"of", "the", "for", "in", "state", "commonwealth"})).replace(
        "appeal ", "appeals "
    )


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    text = re.sub(r"(?<=\b[a-z])\.(?=[a-z]\b)", ". ", text)
    words = re.sub(r"[^a-z0-9]+", " ", text.replace("'", "")).split()
    return " ".join(words)


def _circuit_name(plain: str) -> str | None:
    number = re.fullmatch(
        r"(?:(?:u s|united states) )?(?:court of appeals|ct of appeals|ct app)?(?: for)?(?: the)? ?(\d{1,2})(?:st|nd|rd|th|d)? c(?:i)?r(?:cuit)?",
        plain,
    )
    if number:
        return f"{number[1]} circuit" if 1 <= int(number[1]) <= len(_CIRCUITS) else None
    for at, name in enumerate(_CIRCUITS, 1):
        if re.search(rf"\b{name} circuit$", plain) and "bankruptcy" not in plain:
            return f"{at} circuit"
    if re.search(r"\b(?:d c|district of columbia)(?: c(?:i)?r(?:cuit)?)$", plain):
        return "dc circuit"
    return "federal circuit" if re.search(r"\bfed(?:eral)? c(?:i)?r(?:cuit)?$", plain) else None


def _district_name(plain: str) -> str | None:
    found = _DISTRICT.fullmatch(plain)
    if not found or (found["region"] and found["region"] not in _REGIONS):
        return None
    kind = "bankruptcy" if found["kind"] == "bankruptcy" else "district"
    return f"{_REGIONS.get(found['region'] or '', '')} {kind} {found['state']}".strip()


@cache
def _courts() -> list[dict[str, Any]]:
    courts: list[dict[str, Any]] = import_module("courts_db").courts  # late, for it takes 0.05 s
    return courts


@cache
def _labels() -> dict[str, str]:
    return {str(court["id"]): str(court.get("citation_string") or "") for court in _courts() if court.get("id")}


@dataclass(frozen=True, slots=True)
class _Kind:
    """Whose court it is, of which state, and how high (`colr` the last resort, `iac` an intermediate appellate court)."""

    system: str
    state: str
    level: str


@cache
def _kinds() -> dict[str, _Kind]:
    return {
        str(court["id"]): _Kind(*(str(court.get(name) or "") for name in ("system", "location", "level")))
        for court in _courts()
    }


@cache
def _parents() -> dict[str, str]:
    return {str(court["id"]): str(court["parent"]) for court in _courts() if court.get("parent")}


@cache
def _names() -> dict[str, str]:
    names: dict[str, str] = {}
    for court in _courts():
        spoken = (court.get("citation_string"), court.get("name"), court.get("name_abbreviation"))
        for name in (*spoken, *(court.get("examples") or ())):
            plain = _plain(str(name or ""))
            if plain:
                names.setdefault(plain, str(court["id"]))
                if (district := _district_name(plain)) and court.get("system") == "federal":
                    names.setdefault(district, str(court["id"]))
    names |= {f"{at} circuit": f"ca{at}" for at in range(1, len(_CIRCUITS) + 1)}
    return names | {
        "dc circuit": "cadc",
        "federal circuit": "cafc",
        "u s": "scotus",
        "us": "scotus",
        "d d c": "dcd",
        "d c": "dc",
    }


@cache
def _bags() -> dict[str, str]:
    """Map the words of a name to its court, where they are those of one court alone."""
    bags: dict[str, set[str]] = {}
    for name, identified in _names().items():
        bags.setdefault(_bag(name), set()).add(identified)
    return {bag: identified.pop() for bag, identified in bags.items() if len(identified) == 1 and " " in bag}


@cache
def _reporter_courts() -> dict[str, str]:
    return {reporter.casefold(): court for court, reporters in _OWN_COURT.items() for reporter in reporters.split("|")}
