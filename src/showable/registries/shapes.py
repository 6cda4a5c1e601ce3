"""Read values out of JSON that may not have its documented shape: what is not there, or is something else, is left out."""

from __future__ import annotations

import re
from typing import Any

_YEAR = re.compile(r"(?<!\d)(1[4-9]\d\d|20\d\d)(?!\d)")
_DAY = re.compile(r"((?:1[4-9]|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])")


def text_of(value: Any) -> str | None:
    """Return a string, or a number as one, without the space around it and with single spaces in it."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return " ".join(str(value).split()) or None


def texts_of(value: Any, *path: str) -> tuple[str, ...]:
    """Return the strings of a list, each once; with a path, those at it in each object of the list."""
    values = value if isinstance(value, list) else [value]
    for key in path:
        values = [row[key] for row in values if isinstance(row, dict) and key in row]
        values = [one for held in values for one in (held if isinstance(held, list) else [held])]
    return tuple(dict.fromkeys(text for one in values if (text := text_of(one))))


def table_of(value: Any, *path: str) -> dict[str, Any]:
    """Return the object at a path, or an empty one."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def rows_of(value: Any) -> list[dict[str, Any]]:
    """Return the objects of a list."""
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def years_in(text: str | None) -> tuple[int, ...]:
    """Return the years named in a date that may be written in any way: `September 2001`, `2009`, `c1998`."""
    return tuple(dict.fromkeys(int(year) for year in _YEAR.findall(text or "")))


def iso_day(digits: str | None) -> str | None:
    """Write `19961217` as `1996-12-17`; None for anything else."""
    match = _DAY.fullmatch(digits or "")
    return "-".join(match.groups()) if match else None


def told(**facts: str | None) -> dict[str, str]:
    """Keep the facts that there are."""
    return {name: value for name, value in facts.items() if value}
