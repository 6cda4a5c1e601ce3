"""One number in digits, with its sign, currency, scale, unit and the precision that its digits state."""

from __future__ import annotations

import re

from showable.read.fractions import fraction_after
from showable.read.number_context import Lead, read_lead, read_tail
from showable.read.quantity import Quantity
from showable.records.regex import regex

_NUMBER = regex(
    r"[1-9][0-9]{0,2}(?: [0-9]{3})+(?=\u00a0? ?(?:k?t|Mt|tonnes?|ha|hectares?|km²|[kMGT]Wh?|€|EUR|euros?|CHF|SEK|NOK|DKK)(?![A-Za-z0-9²-]))|"
    r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?(?![0-9])"
    r"|[0-9]{1,3}(?:[\u00a0\u202f\u2009'’][0-9]{3})+(?:[.,][0-9]+)?(?![0-9])"
    r"|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}(?:\.[0-9]+)?(?![0-9])"
    r"|[0-9]{1,3}(?:\.[0-9]{3}){2,}(?:,[0-9]+)?(?![0-9])"
    r"|[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]{1,2}(?![0-9])"
    r"|[0-9]+,[0-9]{1,2}(?![0-9]|,[0-9])"
    r"|[0-9]+(?:\.[0-9]+)?"
)
_POWER = regex(r" ?[x×·*] ?10(?:\^\(?([-−+]?[0-9]{1,3})\)?|([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}))|[eE]([-+]?[0-9]{1,3})(?![\w])")
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺−", "0123456789-+-")
_ORDINAL_END = regex(r"(?:st|nd|rd|th)(?![A-Za-z])")
_ABOUT = regex(
    r"(?:\b(?:[Aa]bout|[Aa]pproximately|[Aa]pprox\.?|[Aa]round|[Rr]oughly|[Nn]early|[Aa]lmost|[Ss]ome|[Cc]irca|[Oo]ver|[Mm]ore than"
    r"|[Ee]stimated)|[~≈]) ?\(?$"
)
_FIRST_YEAR, _LAST_YEAR = 1700, 2099
_LONGEST = 40
_IN_FRACTIONS = 3
"""How exactly "5 7/8" is stated, in decimals."""
_NEARBY = 12


def match_number(text: str, start: int) -> re.Match[str] | None:
    """Match the digits that start here, with their separators."""
    return _NUMBER.match(text, start)


def read_number(text: str, match: re.Match[str]) -> Quantity | None:
    """Read the number whose digits were matched; None where they belong to a name or number a list."""
    start, end = match.span()
    lead = read_lead(text, start)
    written = match.group()
    if lead is None or end - start > _LONGEST:
        return None
    if lead.money is None and written.isdigit() and _ORDINAL_END.match(text, end):
        return Quantity(float(written), "ordinal", None, float(written), 0.0, (start, end + 2), text[start : end + 2])
    number, decimals = _value(written)
    if written.isdigit() and text[start - 1 : start] == "." and not text[start - 2 : start - 1].isalnum():
        number, decimals, lead = float(f"0.{written}"), len(written), lead._replace(start=start - 1)
    if written.isdigit() and (mixed := fraction_after(text, end)):
        number, decimals, end = number + mixed[0], _IN_FRACTIONS, mixed[1]
    power = _POWER.match(text, end)
    if power:
        exponent = max(-99, min(99, int((power[1] or power[2] or power[3]).translate(_SUPERSCRIPT) or 0)))
        number, decimals, end = number * 10.0**exponent, decimals - exponent, power.end()
    if lead.opened and text[end : end + 1] == ")" and _is_accounting(text, end, written, lead):
        opening = text.rfind("(", max(0, start - _NEARBY), start)
        lead = lead._replace(sign=-1.0, start=min(lead.start, opening))
    tail = read_tail(text, end, written, lead.money)
    if tail is None or (tail.end == end and _is_label(text, start, end, written, lead)):
        return None
    if lead.sign < 0 and "(" in text[lead.start : start] and tail.end == end:
        tail = tail._replace(end=end + 1)
    half = _half_width(text, lead.start, written, decimals)
    value = lead.sign * number * tail.scale
    kind = tail.kind
    if kind == "number" and written.isdigit() and len(written) == 4 and _FIRST_YEAR <= value <= _LAST_YEAR:  # noqa: PLR2004
        kind, half = "year", 0.0
    span = (lead.start, tail.end)
    return Quantity(value, kind, tail.unit, lead.sign * number, half * tail.scale, span, text[span[0] : span[1]])


def _value(written: str) -> tuple[float, int]:
    """Return the number and how many decimals it states: "1.577,4" has one, "43,548" none."""
    if written.isdigit():
        return float(written), 0
    digits = re.sub(r"[ \u00a0\u202f\u2009'’]", "", written)
    comma, point = digits.rfind(","), digits.rfind(".")
    if comma > point and len(digits) - comma - 1 != 3:  # noqa: PLR2004 - a comma before one or two digits is a decimal comma
        digits = digits.replace(".", "").replace(",", ".")
    elif digits.count(".") > 1:
        digits = digits.replace(".", "")
    digits = digits.replace(",", "")
    return float(digits), len(digits.partition(".")[2])


def _half_width(text: str, start: int, written: str, decimals: int) -> float:
    """Half a unit in the last stated digit; "about 43,500" states no more than its hundreds."""
    if decimals == 0 and written.endswith("0") and _ABOUT.search(text, max(0, start - 16), start):
        digits = written.replace(",", "")
        decimals = -(len(digits) - len(digits.rstrip("0")))
    return 0.5 * 10.0**-decimals


def _is_accounting(text: str, end: int, written: str, lead: Lead) -> bool:
    """Tell the negative amount ``(1,577)``, ``$(5)`` or ``(12)%`` from the enumerator ``(1)`` and the year ``(2018)``."""
    return lead.money is not None or "," in written or "." in written or text[end + 1 : end + 2] == "%"


def _is_label(text: str, start: int, end: int, written: str, lead: Lead) -> bool:
    """Tell list numbers, enumerators and parts of names (10-K, 5G, 1.2.3) from counts."""
    after = text[end : end + 2]
    if after[:1].isalpha() or after[:1] == "_" or (after[:1] == "." and after[1:].isdigit()):
        return True
    if after[:1] == "-" and after[1:].isupper():
        return True
    if lead.money is not None or not written.isdigit() or len(written) > 3 or lead.sign < 0:  # noqa: PLR2004
        return False
    if lead.opened and after[:1] == ")":
        return True
    if after[:1] not in {".", ")"} or not (after[1:].isspace() or after[1:] == ""):
        return False
    _, newline, line = text[max(0, start - _NEARBY) : start].rpartition("\n")
    opens_line = bool(newline) or start < _NEARBY
    return opens_line and not line.strip(" \t#*->") and bool(text[end + 1 : end + _NEARBY].strip())
