"""Year, volume, issue and pages of an entry, in the ways that styles write them."""

from __future__ import annotations

import re

from showable.records.regex import regex

_YEAR = r"(?:1[6-9]|20)\d\d"
_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|spring|summer|fall|autumn|winter)"
_PAGE = r"(?:[a-z]{0,3}\d[\w.]{0,12}|[ivxlc]{1,7}\b)"
_PAGES = rf"(?P<pages>{_PAGE}(?:\s?[-‐–—]{{1,2}}\s?{_PAGE})?(?:,\s?{_PAGE}\s?[-‐–]\s?{_PAGE}){{0,3}}(?:\s*(?:quiz|discussion)\s[\w-]{{1,12}})?)"
_VOLUME = r"(?P<volume>(?:suppl\.?\s?)?[a-z]{0,2}\d[\w./-]{0,11}|[ivxlc]{1,7}\b)"
_ISSUE = r"(?:\((?P<issue>[^()]{1,40})\))"
_DATE = rf"(?P<date>{_MONTH}\b\.?(?:\s?[-–/]\s?{_MONTH}\b\.?)?(?:\s\d{{1,2}}(?:\s?[-–]\s?\d{{1,2}})?)?)"

_FORMS = tuple(
    regex(pattern, re.IGNORECASE)
    for pattern in (
        # as NLM does: 2020 Jan 7;323(1):1-2
        rf"(?<![\w-])(?P<year>{_YEAR})(?:\s{_DATE})?\s?;\s?(?:{_VOLUME}\s?(?:suppl\.?\s?\d*)?)?\s?{_ISSUE}?(?:\s?suppl\.?\s?\d*)?(?:\s?:\s?{_PAGES})?",
        # as IEEE does: vol. 12, no. 3, pp. 4-5, Mar. 2020
        rf",?\svol(?:ume)?\.?\s?{_VOLUME}(?:,?\s(?:no|iss(?:ue)?|n)\.?\s?(?P<issue>[\w/-]{{1,12}}))?(?:,?\s(?:Art(?:icle)?\.?\s(?:no\.\s)?|pp?\.?\s?|pages\s){_PAGES})?(?:,?\s(?:{_DATE},?\s)?\(?(?P<year>{_YEAR})\)?)?",
        # as Chicago does: 12, no. 3 (March 2020): 4-5
        rf",?\s{_VOLUME}(?:,?\s(?:no|iss)\.?\s?(?P<issue>[\w/-]{{1,12}}))?\s\((?:{_DATE},?\s)?(?P<year>{_YEAR})\)(?:\s?[:,]\s?(?:pp?\.\s?)?{_PAGES})?",
        # the year last, in parentheses
        rf",?\s{_VOLUME}\s?{_ISSUE}?\s?[,:]\s?(?:pp?\.\s?)?{_PAGES}\s?\((?:{_DATE},?\s)?(?P<year>{_YEAR})\)",
        # volume and issue, a colon, pages
        rf",?\s{_VOLUME}\s?{_ISSUE}?\s?:\s?{_PAGES}(?:[,.;]\s(?:{_DATE},?\s)?(?P<year>{_YEAR})\b)?",
        # as APA does, without year: commas alone, then volume and issue alone
        rf",\s{_VOLUME}\s?{_ISSUE}?,\s(?:pp?\.\s?|Art(?:icle)?\.?\s(?:no\.\s)?)?{_PAGES}(?=[\s.;)]|$)",
        rf",?\s{_VOLUME}\s?{_ISSUE}(?=\s?(?:[.,;]|$))(?:,\s{_DATE})?(?:,?\s(?P<year>{_YEAR})\b)?",
    )
)
_YEAR_ALONE = regex(rf",\s(?P<year>{_YEAR}),\s")
_FIRST = 1
"""The first form is told by its semicolon and taken where it stands first; of the others the last match counts."""
_LAST_YEAR = regex(
    rf"(?i)(?P<lead>[.?!,;:]*\s*|\s)[(\[]?(?:(?:published|posted|updated|preprint posted|submitted|online|first published)?(?:\son(?:line)?)?:?\s?(?:\d{{1,2}}\s)?{_MONTH}\b\.?\s?(?:\d{{1,2}})?,?\s?)?(?P<year>{_YEAR})[a-z]?(?:\s{_MONTH}\b\.?(?:\s\d{{1,2}})?)?[)\]]?[.,;]*\s*$"
)
_PAGES_LAST = regex(rf"(?i)[.,;]?\s\(?(?:pp?\.|pages?)\s?{_PAGES}\)?(?=[\s.,;:]|$)")
_BOOK_YEAR = regex(
    rf"(?i);\s?c?(?P<year>{_YEAR})(?!\s?;|\s{_MONTH}\b)(?:\s?:\s?{_PAGES})?(?=[\s.,]|$)(?:[.,]\s?pp?\.?\s?(?P<later>{_PAGE}(?:\s?[-‐–]\s?{_PAGE})?))?"
)
_OPENING_YEAR = regex(
    rf"(?i)[\s.,;:]*(?P<open>[(\[](?P<before>(?:\d{{1,2}}\s)?{_MONTH}\b\.?\s(?:\d{{1,2}},\s)?)?)?(?P<year>{_YEAR})[a-z]?(?:/(?:{_YEAR}))?(?P<date>,\s(?:{_MONTH}\b\.?[\s\d–-]{{0,9}}|\d{{1,2}}\s{_MONTH}\b\.?))?(?(open)[)\]][.,:;]*|(?:\.+|(?P<comma>,)(?=\s['‘“\"])))(?:\s|$)"
    r"|[\s.,;:]*\((?P<none>n\.\s?d\.|in press|forthcoming|no date|submitted)[^()]{0,12}\)[.,:]*(?:\s|$)"
)
_WORDED_DATE = regex(
    rf"(?i)\b(?P<word>published|preprint posted|posted|updated|first published|last updated|last reviewed|reviewed)(?:\s(?:online|on))?:?\s(?:\d{{1,2}}\s{_MONTH}\.?\s|{_MONTH}\b\.?\s(?:\d{{1,2}},?\s)?)(?P<year>{_YEAR})\.?"
)


def opening_year(line: str, *, initials: bool) -> tuple[dict[str, str], int] | None:
    """Read a year right at the head, as APA and Harvard put it after the authors: its fields, and where it ends.

    A comma after it ends it only where the authors have `initials`: ``In 2008, "…"`` is a sentence.
    """
    match = _OPENING_YEAR.match(line)
    if match is None or (match["comma"] and not initials):
        return None
    if match["before"] and not match[0].rstrip().endswith("."):
        return None  # a dateline: New York, N.Y. (August 30, 2023) - The Company …
    date = (match["date"] or match["before"] or "").strip(" ,")
    fields = {"year": match["year"] or "", "date": f"{date} {match['year']}" if date else ""}
    return fields, match.end()


def numbers_in(line: str) -> tuple[dict[str, str], int, int] | None:
    """Find volume, issue, pages and year: the fields, where they begin and where they end. None where none stand."""
    for at, form in enumerate(_FORMS):
        match = None
        for found in form.finditer(line):
            if _is_plausible(found):
                match = found
                if at < _FIRST:
                    break
        if match is not None:
            return _fields(match, year_first=at < _FIRST), match.start(), match.end()
    return None


def year_alone(numbers: str) -> str:
    """Return the year where numbers are ``, 2016, pp. 770-778``, as IEEE dates a conference: else it would be a volume."""
    match = _YEAR_ALONE.match(numbers)
    return match["year"] if match else ""


def book_year(line: str) -> tuple[dict[str, str], int, int] | None:
    """Find ``Publisher; 2019:45-50`` or ``Publisher; 2019. p. 45-50``: year and pages, where they begin and end."""
    match = _BOOK_YEAR.search(line)
    if match is None:
        return None
    return (
        {"year": match["year"], "pages": (match["pages"] or match["later"] or "").rstrip(".")},
        match.start(),
        match.end(),
    )


def last_year(line: str) -> tuple[str, int, bool] | None:
    """Find the year that ends a line: the year, where what precedes it ends, and whether a mark sets it apart."""
    match = _LAST_YEAR.search(line, max(0, len(line) - 60))
    if match is None:
        return None
    apart = any(mark in match["lead"] for mark in ".,;?!") or line[match.end("lead") : match.end("lead") + 1] in "(["
    return match["year"], match.start() + _kept_mark(match["lead"]), apart


def _kept_mark(lead: str) -> int:
    return 1 if lead[:1] in {"?", "!"} else 0


def worded_date(line: str) -> tuple[str, str]:
    """Take ``Published May 1, 2020.`` and its kin out of a line: the line without them, and the first year."""
    year = ""
    for match in _WORDED_DATE.finditer(line):
        year = year or match["year"]
    return (_WORDED_DATE.sub("", line).strip(), year) if year else (line, "")


def last_pages(line: str) -> tuple[str, str, str]:
    """Find ``pp. 4-5`` or ``p. 4``: what stands before it, the pages, what stands after."""
    every = list(_PAGES_LAST.finditer(line))
    match = every[-1] if every else None
    if match is None:
        return line, "", ""
    return line[: match.start()], match["pages"].rstrip("."), line[match.end() :]


def _is_plausible(match: re.Match[str]) -> bool:
    """Refuse what has neither volume nor pages, and clock times or ratios such as ``at 12:30``."""
    given = match.groupdict()
    if not (given.get("volume") or given.get("pages")):
        return False
    volume = given.get("volume") or ""
    return not volume.isalpha() or bool(given.get("pages"))


def _fields(match: re.Match[str], *, year_first: bool) -> dict[str, str]:
    fields = {name: (value or "").strip(" .,") for name, value in match.groupdict().items()}
    if fields.get("date") and fields.get("year"):
        date = (fields["year"], fields["date"]) if year_first else (fields["date"], fields["year"])
        fields["date"] = " ".join(date)
    else:
        fields.pop("date", None)
    return fields
