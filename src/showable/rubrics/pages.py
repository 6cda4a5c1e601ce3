"""Compare page references as people write them: `12`, `p. 12`, `pp. 12–14`, `iv`."""

from __future__ import annotations

import re

_LABEL = re.compile(r"^\s*(?:pages?|pp?|pg)\b\.?\s*", re.IGNORECASE)
_RANGE = re.compile(r"^(\d+)\s*[-–—]\s*(\d+)$")


def same_page(cited: int | str, known: int | str) -> bool:
    """Tell whether a cited page lies on (or its range covers) the page of the passage, or the other way round."""
    a, b = _bare(cited), _bare(known)
    if a == b:
        return True
    ours, theirs = _extent(a), _extent(b)
    return ours is not None and theirs is not None and ours[0] <= theirs[1] and theirs[0] <= ours[1]


def _bare(page: int | str) -> str:
    return _LABEL.sub("", str(page)).strip().casefold()


def _extent(page: str) -> tuple[int, int] | None:
    if page.isdecimal():
        return int(page), int(page)
    if match := _RANGE.match(page):
        first, last = match[1], match[2]
        if len(last) < len(first):  # 112–14 means 112 to 114
            last = first[: len(first) - len(last)] + last
        return int(first), int(last)
    return None
