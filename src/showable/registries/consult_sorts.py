"""What sort of work an entry of a reference list is, and so whether the indexes of titles would hold it. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

Sort = Literal["article", "book", "page", "unknown"]

_PERIODICAL = re.compile(
    r"\b(?:journal|annals|archives|transactions|proceedings|proc|letters|bulletin|acta|revista|zeitschrift"
    r"|conference|conf|symposium|workshop|congress|advances in|lecture notes|frontiers in|plos|lancet|jama|bmj"
    r"|arxiv|biorxiv|medrxiv|chemrxiv|ssrn|preprint)\b|\bj\.? [A-Z]|\b(?:int|am|br|eur|can)\.? j\b",
    re.IGNORECASE,
)
_ACRONYM = re.compile(r"(?=[^\s]{3,10}(?:\s|$))[A-Z][A-Za-z]{0,4}[A-Z]{2,7}(?:[ '’-]*\d{2,4})?")
_YEAR = re.compile(r"(?<!\d)(1[4-9]\d\d|20\d\d)(?!\d)")
_NEWS = re.compile(
    r"\b(?:times|post|guardian|news|newspaper|herald|tribune|gazette|chronicle|telegraph|independent|observer|magazine"
    r"|bbc|cnn|npr|abc|nbc|cbs|reuters|bloomberg|press|agency|daily|weekly|mail|wall street|le monde|spiegel|wired|forbes"
    r"|atlantic|economist|blog|medium|substack|wikipedia|youtube|github|website|online)\b",
    re.IGNORECASE,
)
_LONG_TITLE = 6
"""Words of a title from which on it is hardly that of a book cited by author, title and year alone."""
INDEXED_SINCE = 1950
"""Before this year the indexes hold too little for an absence to say anything."""


def sort_of(fields: Mapping[str, str]) -> Sort:
    """Tell an article, paper or preprint from a book (or a chapter of one) and from a page of the web.

    An entry that says little is an article where several people sign it: under a journal's name that is no
    newspaper's, or with a title too long for a book whose publisher would be left out.
    """
    container = fields.get("container", "").strip()
    periodical = bool(_PERIODICAL.search(container) or _ACRONYM.fullmatch(container))
    in_bibtex = fields.get("style") == "bibtex"
    rules: tuple[tuple[bool, Sort], ...] = (
        (_any(fields, "doi", "pmid", "pmcid", "arxiv"), "article"),
        (_any(fields, "edition", "isbn"), "book"),
        (bool(container) and (periodical or _any(fields, "volume", "issue")), "article"),
        (_any(fields, "publisher"), "book"),
        (bool(container) and (in_bibtex or _any(fields, "pages")), "article"),
        (_any(fields, "url") or bool(_NEWS.search(container)), "page"),
        (_signed_by_several(fields) and (bool(container) or _is_long(fields)), "article"),
    )
    return next((sort for holds, sort in rules if holds), "unknown")


def _signed_by_several(fields: Mapping[str, str]) -> bool:
    return fields.get("et_al") == "yes" or ";" in fields.get("authors", "")


def _is_long(fields: Mapping[str, str]) -> bool:
    return len(fields.get("title", "").split()) >= _LONG_TITLE


def why_not_indexed(fields: Mapping[str, str]) -> str | None:
    """Return why an absence from every index would prove nothing about an entry; None where it would."""
    if not fields.get("title"):
        return "the entry has no title to look for"
    if sort_of(fields) != "article":
        return "books, reports and pages of the web are not all in the indexes of articles"
    year = _YEAR.search(fields.get("year", "") or fields.get("date", ""))
    if year and int(year[1]) < INDEXED_SINCE:
        return f"works from before {INDEXED_SINCE} are not all in the indexes"
    return None


def part_about(kind: str, fields: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of an entry that can be held against the record of one of its ids.

    The title of an article is not that of the trial or the book that it names beside it, and a preprint has no
    volume and another year than what was printed.
    """
    kept = dict(fields)
    if kind == "nct":
        kept = {name: kept[name] for name in ("nct",) if name in kept}
    elif kind == "isbn" and kept.get("container"):
        kept = {"isbn": kept["isbn"], "title": kept["container"]} | _only(kept, "publisher", "year")
    elif kind == "arxiv" and "arxiv" not in kept.get("container", "arxiv").lower():
        kept = _only(kept, "arxiv", "version", "title", "authors", "et_al", "style")
    elif kind == "url":
        kept = _only(kept, "url", "title")
    return kept


def _any(fields: Mapping[str, str], *names: str) -> bool:
    return any(fields.get(name) for name in names)


def _only(fields: Mapping[str, str], *names: str) -> dict[str, str]:
    return {name: fields[name] for name in names if name in fields}
