"""One reference-list entry read: authors, title, what contains it, numbers. The likeliest of several readings is taken."""

from __future__ import annotations

from dataclasses import dataclass

from showable.read.references.entry_authors import Authors, author_candidates
from showable.read.references.entry_numbers import (
    book_year,
    last_pages,
    last_year,
    numbers_in,
    opening_year,
    worded_date,
    year_alone,
)
from showable.read.references.entry_text import plain_entry
from showable.read.references.entry_titles import is_venue, segments_of, split_title
from showable.read.references.entry_words import tokens_of
from showable.records.regex import regex

_NOBODY = regex(r"(?i)(?:unknown|anonymous|anon|no author|n\.?a|authors? unknown|unknown authors?)\.?")
_MIDDLE_YEAR = regex(r"(?<=[.?!])\s\((?P<year>(?:19|20)\d\d)[a-z]?(?:,[^()]{1,20})?\)\.\s")
_EDITED = regex(r"^[\s,.]*\(?(?:[Ee]ds?\.?|[Ee]ditors?)\)?[\s,.]+")
_LONGEST = 2500
_LONGEST_PUBLISHER = 6
_ONE_INVERTED = regex(r"[\w'’-]+, [\w-]{3,}")
_QUOTES = "“\"‘'«"
_INSIDE = regex(r"[\s.,]*In:?\s")
_IDS = ("doi", "pmid", "pmcid", "arxiv", "isbn", "url", "nct")
_ID_VENUE = regex(r"(?i)arxiv|corr")


@dataclass(slots=True)
class Reading:
    """The fields of an entry, the list of its authors, how likely the reading is, and how surely this is an entry at all."""

    fields: dict[str, str]
    authors: Authors | None = None
    score: float = 0.0
    evidence: int = 0
    opened: bool = False
    numbered: bool = False
    quoted: bool = False


def read_fields(text: str) -> Reading | None:
    """Read an entry as its likeliest authors, title and the rest; None where no title can be told."""
    plain = plain_entry(text[:_LONGEST])
    if len(plain.line) < 3 or not any(map(str.isalpha, plain.line)):  # noqa: PLR2004 - no words left
        return None
    candidates: list[Authors | None] = [*author_candidates(plain.line), None]
    readings = [
        reading for authors in candidates if (reading := _read_with(plain.line, authors, plain.fields)) is not None
    ]
    for reading in readings:
        if any(other is not None and _goes_on(plain.line, reading, other) for other in candidates):
            reading.score -= 3.0
    if not readings:
        return None
    best = max(readings, key=lambda reading: reading.score)
    best.evidence = _evidence(best)
    return best


def _read_with(line: str, authors: Authors | None, ids: dict[str, str]) -> Reading | None:
    reading = Reading({}, authors)
    rest = line[authors.end :].lstrip(" .,;:") if authors else line
    edited = _EDITED.match(rest) if authors else None
    rest = rest[edited.end() :] if edited else rest
    opened = opening_year(rest, initials="initials" in authors.form) if authors else None
    if opened is not None:
        reading.fields.update(opened[0])
        reading.opened = True
        rest = rest[opened[1] :].lstrip()
    elif (middle := _MIDDLE_YEAR.search(rest)) is not None:
        reading.fields["year"] = middle["year"]
        rest = f"{rest[: middle.start()]} {rest[middle.end() :]}"
    head, has_numbers = _take_numbers(rest, reading)
    split = split_title(head, has_numbers=has_numbers)
    if not any(map(str.isalpha, split.title)):
        return None
    reading.quoted = split.quoted
    reading.fields = {**split.fields, **{name: value for name, value in reading.fields.items() if value}}
    reading.fields["title"] = split.title
    if authors is not None and not (len(authors.names) == 1 and _NOBODY.fullmatch(authors.names[0])):
        reading.fields["authors"] = "; ".join(authors.names)
        if authors.et_al:
            reading.fields["et_al"] = "yes"
    reading.fields.update(ids)
    reading.score = _score(reading)
    return reading


def _take_numbers(rest: str, reading: Reading) -> tuple[str, bool]:
    """Take year, volume and pages off the end of an entry: what is left, and whether a volume or pages stood there."""
    rest, worded = worded_date(rest)
    book = book_year(rest)
    numbers = numbers_in(rest) if book is None else None
    if numbers is not None and numbers[1] > 1:
        fields, start, end = numbers
        after = rest[end:]
        alone = "" if reading.fields.get("year") or last_year(after) else year_alone(rest[start:end])
        _add(reading, fields | {"volume": "", "year": alone} if alone else fields)
        reading.numbered = True
        if "year" not in reading.fields or not reading.fields["year"]:
            year = last_year(after)
            _add(reading, {"year": year[0] if year else worded})
        _add_publisher(after, reading)
        return rest[:start].rstrip(" ,;("), True
    if book is not None and book[1] > 0:
        _add(reading, book[0])
        return rest[: book[1]], True
    rest, pages, after = last_pages(rest)
    _add(reading, {"pages": pages, "year": worded})
    dated = after if last_year(after) else rest
    year = last_year(dated)
    if year is not None and (year[2] or dated is after or rest[:1] in _QUOTES or len(segments_of(rest[: year[1]])) > 1):
        _add(reading, {"year": year[0]})
        if dated is after:
            after = after[: year[1]]
        else:
            rest = rest[: year[1]]
    if pages and after.strip(" .,;)"):
        _add_publisher(after, reading)
    return rest, bool(pages)


def _add_publisher(after: str, reading: Reading) -> None:
    """Note the publisher where its name is the last thing, as in ``…, pages 1-10, Online. ACL.``."""
    parts = segments_of(after.strip(" .,;)("))
    words = parts[-1].words.strip(" .,;") if parts else ""
    year = last_year(f" {words}")
    words = words[: max(0, year[1] - 1)].strip(" .,;") if year else words
    if words[:1].isupper() and len(words.split()) <= _LONGEST_PUBLISHER and is_venue(words):
        _add(reading, {"publisher": words})


def _add(reading: Reading, fields: dict[str, str]) -> None:
    for name, value in fields.items():
        if value and not reading.fields.get(name):
            reading.fields[name] = value


def _score(reading: Reading) -> float:
    """Weigh a reading: names that are surely names, a title of some words, a container where numbers ask for one."""
    fields = reading.fields
    words = fields["title"].split()
    score = 1.0 if len(words) >= 3 else -1.0 if len(words) == 1 else 0.0  # noqa: PLR2004 - words of a title
    score -= 3.0 if fields["title"].startswith(("In:", "In ")) and "container" not in fields else 0.0
    held = "container" in fields or "publisher" in fields
    score += 2.0 if held else -3.0 if reading.numbered else 0.0
    authors = reading.authors
    if authors is None:
        return score - 3.0
    score += {"initials": 2.0, "inverted_initials": 2.0, "given_first": 1.0, "inverted": 0.9, "group": 1.0}[
        authors.form
    ]
    score += 2.0 if reading.opened else 0.0
    score += 1.0 if authors.et_al or len(authors.names) > 1 else 0.0
    if authors.form == "inverted" and len(authors.names) == 1 and _ONE_INVERTED.fullmatch(authors.names[0]):
        score += 1.2
    if authors.form == "inverted" and _surely_inverted(authors):
        score += 0.3
    return score


def _surely_inverted(authors: Authors) -> bool:
    """Check whether ``Roe, Ann, and Lei Li`` is written so, rather than being family names alone: ``Xu, Jain and Li``."""
    family = authors.names[0].partition(",")[0].split()
    one = sum(word[:1].isupper() for word in family) == 1
    return one and "," in authors.names[0] and all("," in name or " " in name for name in authors.names[1:])


def _goes_on(line: str, reading: Reading, other: Authors) -> bool:
    """Check whether ``Jane A.`` may be the beginning of ``Jane A. Roe.`` rather than a family name and an initial."""
    authors = reading.authors
    if authors is None or authors.form != "initials" or len(authors.names) > 1 or not line[: authors.end].endswith("."):
        return False
    if other.form != "given_first" or other.end <= authors.end or _INSIDE.match(line, other.end):
        return False
    first = tokens_of(line[authors.end : other.end].split(". ", 1)[0])
    names = 0
    while names < len(first) and first[names].kind in {"name", "particle", "suffix"} and not first[names].tail:
        names += 1
    return names <= 2 or first[names].kind == "and"  # noqa: PLR2004 - a family name has one word, or two


def _evidence(reading: Reading) -> int:
    """Count what speaks for this being an entry and not a sentence: names, an opening year, numbers, a venue, an id."""
    fields, authors = reading.fields, reading.authors
    count = 0
    if authors is not None:
        lone = len(authors.names) == 1 and not authors.et_al
        count += 1 if lone and authors.form in {"given_first", "inverted", "group"} else 2
        count += 1 if reading.opened else 0
    count += 2 if reading.numbered and fields.get("year") else 0
    count += 1 if fields.get("year") else 0
    count += 1 if any(name in fields for name in _IDS) else 0
    held = fields.get("container") or fields.get("publisher") or ""
    count += 1 if held and is_venue(held) else 0
    return count - (1 if is_one_word(fields["title"]) else 0)


def is_one_word(title: str) -> bool:
    """Check whether a title is a single word; scripts without spaces have titles of many words all the same."""
    return " " not in title and all(char < "\u2e80" for char in title)


def finished(reading: Reading) -> dict[str, str]:
    """Return the fields of a reading with what an identifier adds: an arXiv id names its own container."""
    fields = dict(reading.fields)
    if "arxiv" in fields and "container" not in fields:
        fields["container"] = "arXiv"
    if fields.get("publisher") and _ID_VENUE.fullmatch(fields["publisher"]):
        fields["container"] = fields.pop("publisher")
    return {name: value for name, value in fields.items() if value}
