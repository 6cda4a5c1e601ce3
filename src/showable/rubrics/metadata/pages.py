"""Claimed volumes, issues and pages beside those of a registry: abbreviated ends expanded, article numbers known as such."""

from __future__ import annotations

import re
from typing import Literal

from showable.records.regex import regex

Outcome = Literal["agrees", "differs", "unknown"]

_LABEL = regex(
    r"^\s*(?:pages?|pp?|vol(?:ume)?|no|nr|issue|number|art(?:icle)?(?:\s+(?:no|number|id))?)\s*\.?\s*:?\s*",
    re.IGNORECASE,
)
_RANGE = regex(r"\s*(?:-|‐|‑|‒|–|—|−|/)+\s*")
_PAGE = regex(r"([a-z]{0,3})(\d{1,12})([a-z]{0,2})")
_LONGEST = 60


def page_range(text: str) -> tuple[str, str | None]:
    """Read ``637-41`` as (637, 641), ``S12–5`` as (S12, S15), ``e4375`` as (e4375, None); case and labels are dropped."""
    plain = _LABEL.sub("", text[:_LONGEST]).strip(" .;,()").casefold().split(",")[0].strip()
    first, *rest = _RANGE.split(plain, maxsplit=1)
    if not rest or not rest[0]:
        return first, None
    return first, _expanded(first, rest[0].strip())


def compare_pages(claimed: str, first: str | None, last: str | None) -> Outcome:
    """Hold claimed pages against a registered range. A page within the range agrees; a page 1 beside an article number is unknown."""
    said, until = page_range(claimed)
    if not first or not said:
        return "unknown"
    has, has_until = page_range(f"{first}-{last}" if last else first)
    if _number(said) == _number(has):
        return "differs" if until and has_until and _number(until) != _number(has_until) else "agrees"
    if _within(said, has, has_until) and (until is None or _within(until, has, has_until)):
        return "agrees"
    if "1" in {_number(said), _number(has)}:
        return "unknown"  # the pages of one article that is numbered as a whole
    return "differs"


def compare_number(claimed: str, registered: str | None) -> Outcome:
    """Hold a volume or an issue against the registered one; what is no plain number on both sides is unknown unless equal."""
    if not registered:
        return "unknown"
    said, has = (_LABEL.sub("", text[:_LONGEST]).strip(" .()").casefold() for text in (claimed, registered))
    if _joined(said) == _joined(has):
        return "agrees"
    return "differs" if said.isdecimal() and has.isdecimal() and int(said) != int(has) else "unknown"


def _expanded(first: str, end: str) -> str:
    start, stop = _PAGE.fullmatch(first), _PAGE.fullmatch(end)
    if not start or not stop or len(stop[2]) >= len(start[2]):
        return f"{start[1]}{end}" if start and stop and not stop[1] else end
    return f"{start[1]}{start[2][: -len(stop[2])]}{stop[2]}{stop[3]}"


def _number(page: str) -> str:
    found = _PAGE.fullmatch(page)
    return f"{found[1]}{found[2].lstrip('0') or '0'}{found[3]}" if found else page


def _joined(text: str) -> str:
    return "".join(char for char in text if char.isalnum()).lstrip("0")


def _within(page: str, first: str, last: str | None) -> bool:
    parts = [_PAGE.fullmatch(text) for text in (page, first, last or "")]
    if any(part is None for part in parts):
        return False
    middle, start, stop = (part for part in parts if part)
    return middle[1] == start[1] == stop[1] and int(start[2]) <= int(middle[2]) <= int(stop[2])
