"""Where in a source a citation points: a page, which is kept, or a section, a clause, a table, which only is no source."""

from __future__ import annotations

from showable.records.regex import regex

_DASH = "[-‐‑–—−]"
_PAGES = rf"(\d+(?:\s?{_DASH}\s?\d+)?|[ivxlc]+)\b"
_PAGE = rf"(?:pp?|pgs?|pages?)(?:\b[.:]?\s*|(?=\d)){_PAGES}"
_PAGE_PART = regex(rf"(?i)(?:(?:at|on)\s+)?{_PAGE}|at\s+(\d+)")
_PAGE_TAIL = regex(rf"(?i)(?:\s+|:|#)(?:(?:at|on)\s+)?{_PAGE}$")
_NUMBER = r"(?:\d[\w.()–-]*|[a-z](?![a-z])|[ivxlc]+\b)"
_WORDS = (
    r"sec(?:tion|t)?s?|par(?:a|agraph)?s?|lines?|ll?|ch(?:ap(?:ter)?)?s?|cl(?:ause)?s?|sub-?(?:section|clause|paragraph)s?|art(?:icle)?s?|"
    r"tables?|tbl|fig(?:ure)?s?|box|exhibits?|app(?:endix|endices)?|annex(?:es)?|sched(?:ule)?s?|parts?|pts?|slides?|sheets?|tabs?|rows?|"
    r"col(?:umn)?s?|cells?|foot ?notes?|fnn?|nn?|notes?|recitals?|rules?|regs?|regulations?|steps?|vols?|volumes?|bullets?|items?|"
    r"entry|entries|heading|questions?|q"
)
_OTHER_PLACE = regex(rf"(?i)(?:§+\s*|¶+\s*|(?:{_WORDS})(?:\b[.:]?\s*))(?:no\.\s*)?{_NUMBER}(?:\s?{_DASH}\s?{_NUMBER})?")
_PART_OF_ID = regex(
    rf"(?i)(?:chunks?|excerpts?|snippets?|passages?|segments?|splits?|blocks?|nodes?)\s*[:#]?\s*\d+(?:\s?{_DASH}\s?\d+)?"
)
_ROUND = regex(r"\s*\(([^()]{1,60})\)$")
_COLON = regex(rf"(?i)\s*:\s*(?=(?:§|¶|pp?\.?\s*\d|pages?\b|(?:{_WORDS})\b\.?\s*\d))")
_SEVERAL = regex(
    rf"(?i)\b(pp\.?|pgs\.?|pages|§§|¶¶|sections|secs?\.|paragraphs|paras\.?|lines|chapters|clauses|articles|arts\.)(\s*)({_NUMBER}(?:\s?{_DASH}\s?\d+)?)((?:\s*,\s*\d+(?:\s?{_DASH}\s?\d+)?(?=\s*(?:[,;]|and\b|&|$)))*(?:\s*,)?\s*(?:and|&)\s*\d[\w.]*)"
)
"""``pages 3 and 4``: a number that follows the last by "and" is a place too, and no source."""


def read_place(part: str) -> str | None:
    """Return the page a part names, "" for a section or line, None where it names no place."""
    if match := _PAGE_PART.fullmatch(part):
        return match[1] or match[2]
    return "" if _OTHER_PLACE.fullmatch(part) else None


def is_part_of_id(part: str) -> bool:
    """Check whether words name a part of the source that stands before them, as ``chunk 2`` does after an id."""
    return _PART_OF_ID.fullmatch(part) is not None


def cut_page(words: str) -> tuple[str, str | None]:
    """Cut off the place that closes a name: ``lease.pdf p. 3``, ``lease.pdf (section 2)``. The page is given where it is one."""
    if tail := _PAGE_TAIL.search(words):
        return words[: tail.start()], tail[1]
    if (closing := _ROUND.search(words)) and (place := read_place(closing[1].strip())) is not None:
        return words[: closing.start()], place or None
    return words, None


def parted(body: str) -> str:
    """Part the sources of a bracket from their places by commas: ``2: §3``; and keep the numbers of ``pages 3 and 4`` together."""
    return _COLON.sub(", ", _SEVERAL.sub(lambda match: f"{match[1]}{match[2]}{match[3]}", body))
