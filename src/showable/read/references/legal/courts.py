"""Which court a parenthetical names, as an id of courts-db: ``11th Cir.`` → ca11, ``S.D.N.Y.`` → nysd."""

from __future__ import annotations

import re
from functools import lru_cache

from showable.records.regex import regex

_ORDINALS = {"2nd": "2d", "3rd": "3d", "first": "1st", "second": "2d", "third": "3d", "fourth": "4th", "fifth": "5th", "sixth": "6th",
             "seventh": "7th", "eighth": "8th", "ninth": "9th", "tenth": "10th", "eleventh": "11th", "federal": "fed"}  # fmt: skip
_ALIASES = {
    "us": "scotus", "ussupct": "scotus", "ussupremecourt": "scotus",
    "3dcir": "ca3", "2dcir": "ca2", "bap9thcir": "bap9", "bap1stcir": "bap1", "bap6thcir": "bap6", "bap8thcir": "bap8",
    "bap10thcir": "bap10", "tc": "tax", "ustaxct": "tax", "dc": "dc", "sctcal": "cal", "calsupct": "cal", "calapp": "calctapp",
     "nyctapp": "ny", "nyad": "nyappdiv", "njsuperad": "njsuperctappdiv", "njappdiv": "njsuperctappdiv",
    "njsuperappdiv": "njsuperctappdiv", "fladca": "fladistctapp", "flaapp": "fladistctapp", "illapp": "illappct", "gaapp": "gactapp",
    "indapp": "indctapp", "laapp": "lactapp", "pasuper": "pasuperct", "pacmwlth": "pacommwct", "massapp": "massappct", "moapp": "moctapp",
    "ohioapp": "ohioctapp", "wisapp": "wisctapp", "washapp": "washctapp", "tennapp": "tennctapp", "kyapp": "kyctapp",
    "ctcl": "cc", "ustaxcourt": "tax",
}  # fmt: skip
_WORD = regex(r"[A-Za-z0-9&']+")
_PLACE = regex(
    r"[\s,]*(?:—|-| )?[\s,]*(?:\[?(?:[1-9][0-9]?(?:st|d|nd|rd|th)|[A-Z][\w.']*(?: [A-Z][\w.']*){0,3}?)\]? ?(?:Dist\.?|Dep't|Dept\.?|Div\.?|Cir\.?|DCA|Cnty\.?|County|Parish)\]?)$"
)
_CITY = regex(r"(?:—|-).{1,60}$|\s\[.{1,20}\]$")


@lru_cache(maxsize=1)
def _index() -> dict[str, str]:
    from courts_db import courts  # type: ignore[import-untyped]  # noqa: PLC0415 - wanted only where a court is named

    index: dict[str, str] = {}
    for court in courts:
        index.setdefault(_key(str(court["citation_string"])), str(court["id"]))
    index.pop("", None)
    return index | _ALIASES


def _key(words: str) -> str:
    """Write a court's name without spaces, stops and case; ``3rd`` and ``third`` as ``3d``."""
    parts = [part.lower() for part in _WORD.findall(words.replace(".", ""))]
    parts = ["cir" if part == "circuit" else _ORDINALS.get(part, part) for part in parts]
    return re.sub(r"[^a-z0-9]", "", "".join(parts))


@lru_cache(maxsize=4096)
def court_id(words: str) -> str | None:
    """Return the id of the court that `words` name, or None where they name none that is known.

    A district, department, county or city after the court's own name is left out when the whole names nothing:
    ``Tex. App.—Houston [1st Dist.]`` is texapp.
    """
    index = _index()
    for shorter in (words, _CITY.sub("", words), _PLACE.sub("", words), _PLACE.sub("", _CITY.sub("", words))):
        found = index.get(_key(shorter))
        if found:
            return found
    return None
