"""Cites to reporters, as written: `925 F.3d 1339`, and whether two writings are one place."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from showable.records.regex import regex

_LONGEST = 120
_CITE = regex(r"\s*(\d{1,4}(?:-\d{1,4})?)\s+(\S(?:.*\S)?)\s+([A-Za-z]{0,4}\d{1,6}[A-Za-z\-]{0,6}|[ivxlcdm]{1,8})\s*")
_PAGE = regex(r"\*?([A-Za-z]{0,4})(\d{1,6})[A-Za-z]{0,2}")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}


@dataclass(frozen=True, slots=True)
class ReporterCite:
    """A volume, a reporter and a first page, as strings."""

    volume: str
    reporter: str
    page: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What is the same however it is spaced or stopped: ``F. Supp. 2d`` is ``F.Supp.2d``."""
        return self.volume.lstrip("0"), plain_reporter(self.reporter), self.page.casefold().replace(",", "").lstrip("0")

    def __str__(self) -> str:
        return f"{self.volume} {self.reporter} {self.page}"


def plain_reporter(reporter: str) -> str:
    """Return a reporter without stops, spaces and case."""
    return re.sub(r"[^a-z0-9()]", "", reporter.casefold())


def read_cite(text: str) -> ReporterCite | None:
    """Read a cite that a registry gives; None where it is none of a volume, a reporter and a page."""
    found = _CITE.fullmatch(text[:_LONGEST])
    return ReporterCite(found[1], found[2], found[3]) if found else None


def same_place(cite: ReporterCite, others: Iterable[str]) -> bool:
    """Check whether a cite is one of those a registry lists, exactly: volume, reporter and first page."""
    return any(other is not None and other.key == cite.key for other in map(read_cite, others))


def page_number(page: str) -> tuple[str, int] | None:
    """Return a page as its series and its number (``S12`` is 12 of ``s``, ``xii`` 12 of ``roman``); None where it is none."""
    text = page.strip().replace(",", "")
    if found := _PAGE.fullmatch(text):
        return found[1].casefold(), int(found[2])
    if text and len(text) <= 12 and set(text.casefold()) <= set(_ROMAN):  # noqa: PLR2004 - no page is longer
        values = [_ROMAN[letter] for letter in text.casefold()]
        signed = [-one if one < two else one for one, two in zip(values, [*values[1:], 0], strict=True)]
        return "roman", sum(signed)
    return None


def first_of(pages: str) -> str:
    """Return the first page of a range or a list: ``1,339-40`` begins at 1339."""
    return re.split(r"[-–—,;\s]", re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", pages.strip()))[0]


def pages_within(pages: str, first: str | None, last: str | None) -> bool | None:
    """Return whether a page or the start of a range lies from first to last; None where one of them cannot be read.

    Without a last page only a page before the first can be told to lie outside.
    """
    at, start, end = (page_number(page or "") for page in (first_of(pages), first, last))
    if at is None or start is None or at[0] != start[0]:
        return None
    if at[1] < start[1]:
        return False
    if end is None or end[0] != at[0]:
        return None
    return at[1] <= end[1]
