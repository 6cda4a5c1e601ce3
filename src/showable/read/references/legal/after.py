"""What stands after a citation: pin cites, the parenthetical with court and date, explanatory parentheticals."""

from __future__ import annotations

import re
from dataclasses import dataclass

from showable.read.references.legal.dates import MONTH, YEAR, date_start, iso_date
from showable.records.regex import regex

_NOTE = r"(?:nn?\.?|fnn?\.?|notes?|¶¶?) ?[0-9]{1,4}(?:-[0-9]{1,4})?(?![0-9A-Za-z])"
_PAGE = r"(?:pp?\. ?)?\*{0,3}[0-9]{1,7}(?:[a-z](?![a-z]))?(?:-\*{0,3}[0-9]{1,7})?(?![0-9A-Za-z])"
_ITEM = rf"(?>{_PAGE}(?: ?(?:& )?{_NOTE}){{0,2}}|{_NOTE}|§§? ?[0-9][0-9.]{{0,7}})"
_LIST = rf"{_ITEM}(?:(?:, ?(?:and |& )?| & ?| and ){_ITEM}){{0,12}}"
_PIN_AT = regex(rf",? ?(?:slip op\.,? )?at (?P<pin>{_LIST}|[ivxlc]{{1,7}}(?![a-z]))")
_PIN = regex(rf"(?:, ?| (?=[¶n*])|(?=[\[-]))(?P<pin>-?\[?{_LIST})\]?(?=$|[,.;:)\]\"'\n]| ?[(\[]| (?:and|aff|rev|cert))")
_PAREN = regex(
    r",? ?(?:\((?P<round>[^()\n]{3,140}(?:\([^()\n]{1,40}\)[^()\n]{0,60})?)\)|\[(?P<square>[^\[\]()\n]{3,60})\])"
)
_DATED = regex(rf"(?P<head>.*?)\b(?P<year>{YEAR})(?:-[0-9]{{2}})?(?P<tail>$|[,;].{{1,60}}$| ?\(.*$)")
_SHORT_YEAR = regex(r"(?P<head>.*?) ?(?P<date>[0-9]{1,2}/[0-9]{1,2}/[0-9]{2})$")
_DESCRIPTION = regex(
    r",? ?[(\[](?:en banc|[Pp]er curiam|plurality(?: opinion)?|mem\.?(?: op\.)?|[Tt]able(?: decision)?|unpublished(?: opinion| table decision)?|slip op\.|"
    r"same|(?:[A-Z][a-z]+, [A-Z]?\.?J\.,? )?(?:concurring|dissenting)(?: in [a-z ]{4,30})?|quotation(?:s| marks)? omitted|emphasis (?:added|omitted)|cleaned up)[)\]]"
)
_COMMA_YEAR = regex(rf", (?P<year>{YEAR})(?=\))")
_VERBS = regex(
    r"(?i)\b(?:quoting|citing|holding|finding|stating|explaining|overruling|noting|affirming|see|internal|emphasis|rejecting|applying)\b"
)
_LONGEST_EXPLANATION = 500
_MANY = 6


@dataclass(frozen=True, slots=True)
class After:
    """What was read, and where reading stopped."""

    end: int
    pin: str | None = None
    year: str | None = None
    date: str | None = None
    court_text: str | None = None


def read_pin(text: str, at: int, limit: int) -> tuple[str | None, int]:
    """Read ``, 495``, ``at 570-71 n.4``, ``, at *3``, ``, ¶ 12``; give the pin and where it ends."""
    match = _PIN_AT.match(text, at, limit) or _PIN.match(text, at, limit)
    if match is None:
        return None, at
    return match["pin"].strip("-["), match.end()


def read_date(text: str, at: int, limit: int) -> After:
    """Read the parenthetical with court and date, past descriptions such as ``(per curiam)``, then what explains.

    The year of another citation, in a parenthetical that quotes it or in the next sentence, is never taken: reading
    stops before `limit`, where the next citation begins.
    """
    here = at
    for _ in range(_MANY):
        description = _DESCRIPTION.match(text, here, limit)
        if description is None:
            break
        here = description.end()
    paren = _PAREN.match(text, here, limit)
    read = _dated(paren) if paren else None
    if read is None:
        plain = _COMMA_YEAR.match(text, at, limit)
        if plain:
            return After(plain.end(), year=plain["year"])
        return After(_explained(text, here, limit))
    return After(_explained(text, read.end, limit), None, read.year, read.date, read.court_text)


def read_court(text: str, at: int, limit: int) -> str | None:
    """Return what the next parenthetical holds where it holds no date: a court, perhaps (``(M.D. Tenn.)``)."""
    paren = _PAREN.match(text, at, limit)
    return None if paren is None or _dated(paren) else (paren["round"] or paren["square"]).strip()


def _dated(paren: re.Match[str]) -> After | None:
    body = (paren["round"] or paren["square"]).strip()
    if _VERBS.search(body):
        return None
    short = _SHORT_YEAR.fullmatch(body)
    if short:
        date = iso_date(short["date"])
        return After(paren.end(), None, date[:4] if date else None, date, _court(short["head"])) if date else None
    match = _DATED.fullmatch(body)
    if match is None:
        return None
    date = iso_date(body)
    head = body[: date_start(body)] if date else match["head"]
    head = re.sub(rf"(?:^|\s){MONTH}(?: [0-9]{{1,2}})?,? ?$", "", head)
    return After(paren.end(), None, date[:4] if date else match["year"], date, _court(head))


def _court(head: str) -> str | None:
    """Return the court's name without what else stands in the parenthetical before the date."""
    words = re.sub(
        r"(?i)(?:^|[\s,]+)(?:filed|decided|argued|dated|as amended|amended|en banc|slip op\.?)[\s,]*$", "", head
    )
    return words.strip(" ,;") or None


def _explained(text: str, at: int, limit: int) -> int:
    """Return the end of the parentheticals that follow and hold no citation of their own."""
    for _ in range(_MANY):
        start = at + 1 if text.startswith(" (", at) else at
        if not text.startswith("(", start):
            return at
        depth, here = 0, start
        while here < min(limit, start + _LONGEST_EXPLANATION):
            depth += {"(": 1, ")": -1}.get(text[here], 0)
            here += 1
            if depth == 0:
                break
        if depth:
            return at
        at = here
    return at
