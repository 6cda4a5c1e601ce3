"""What stands before and after the digits of a number: sign, currency, brackets; scale word and unit."""

from __future__ import annotations

import re
from typing import NamedTuple

from showable.read.currencies import CODES_BEFORE, currency
from showable.read.quantity import QuantityKind
from showable.read.units import MONEY_TAIL, SCALES, TAIL, TAIL_STARTS, share_kind, unit_name
from showable.records.regex import regex

_CURRENCY_BEFORE = regex(
    rf"(?:(?<![A-Za-z])(?:{CODES_BEFORE}|Rs\.)"
    r"|(?:(?<![A-Za-z])(?:US|U\.S\.|CA?|AU?|HK|S|NZ|R))?[$€£¥₹₩])(?P<open>[ \u00a0]?\(?)$"
)
_YEAR = regex(r"[12][0-9]{3}(?![0-9])")
_NEXT_WORD = regex(r"\)?[ \u00a0\u202f\u2009-]?([A-Za-zµμ]+|[%‰°€£¥₹¢×])")
_MONEY_SIGNS = "$€£¥₹₩"
_MINUS = "-−"


class Lead(NamedTuple):
    """What stands before the digits: where the quantity starts, its sign, its currency, an opening bracket."""

    start: int
    sign: float = 1.0
    money: str | None = None
    opened: bool = False


def read_lead(text: str, start: int) -> Lead | None:
    """Read what stands before digits; None where they belong to a name (B12, COVID-19, 1.2.3)."""
    at, sign = start, 1.0
    before = text[at - 1] if at else " "
    if before in _MINUS:
        further = text[at - 2] if at > 1 else " "
        if further.isalpha() and not _YEAR.match(text, at):
            return None
        if not further.isalnum() and further not in ")%":
            at, sign = at - 1, -1.0
            before = further
    opened = before == "("
    if before in _MONEY_SIGNS or (
        at > 1 and (text[at - 2] in _MONEY_SIGNS or text[at - 2].isupper() or before == "." or before.isupper())
    ):
        match = _CURRENCY_BEFORE.search(text, max(0, at - 7), at)
        if match:
            at, opened = match.start(), "(" in match["open"] or text[match.start() - 1 : match.start()] == "("
            sign = -1.0 if at and text[at - 1] in _MINUS and not text[at - 2 : at - 1].isalnum() else sign
            return Lead(
                at - (sign < 0 and text[at - 1] in _MINUS), sign, currency(match.group().rstrip("( \u00a0")), opened
            )
    if before.isalpha() or before == "_" or (before == "." and text[at - 2 : at - 1].isdigit()):
        return None
    return Lead(at, sign, None, opened)


class Tail(NamedTuple):
    """What follows the digits: scale, kind and unit, and where the quantity ends."""

    end: int
    scale: float = 1.0
    kind: QuantityKind = "number"
    unit: str | None = None


def read_tail(text: str, end: int, written: str, money: str | None) -> Tail | None:
    """Read scale and unit after a number; None for a name such as 3M."""
    word = _NEXT_WORD.match(text, end)
    match = None
    if word is not None and word[1].lower() in TAIL_STARTS:
        match = (TAIL if money is None else MONEY_TAIL).match(text, end)
    if match is None or match.lastgroup is None:
        return Tail(end, 1.0, "money", money) if money else Tail(end)
    scale = 1.0
    if match["letter"] and money is None and len(written) == 1:
        return None
    if step := match["scale"] or match["letter"]:
        scale, end = SCALES[step.lower().removesuffix("s")], match.end("scale" if match["scale"] else "letter")
    if money is not None:
        return Tail(match.end("money") if match["money"] else end, scale, "money", money)
    return _unit(match, end, scale)


def _unit(match: re.Match[str], end: int, scale: float) -> Tail:
    if match["share"]:
        return _share(match, scale)
    if match["money"]:
        return _money(match, scale)
    if match["unit"]:
        name, lasts = unit_name(match["unit"])
        return Tail(match.end("unit"), scale, "duration" if lasts else "measure", name)
    if match["multiple"]:
        return Tail(match.end("multiple"), scale, "multiple")
    return Tail(end, scale)


def _share(match: re.Match[str], scale: float) -> Tail:
    kind = share_kind(match["share"])
    if kind == "percentage_points":
        return Tail(match.end("share"), scale, "percentage_points", "%")
    if kind == "basis_points":
        return Tail(match.end("share"), scale / 100, "percentage_points", "%")
    return Tail(match.end("share"), scale / 10 if kind == "per_mille" else scale, "percent", "%")


def _money(match: re.Match[str], scale: float) -> Tail:
    written = match["money"].lower()
    if written.startswith("cent") or written == "¢":
        return Tail(match.end("money"), scale / 100, "money", "USD")
    if written == "pence":
        return Tail(match.end("money"), scale / 100, "money", "GBP")
    return Tail(match.end("money"), scale, "money", currency(written))
