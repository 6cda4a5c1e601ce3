"""What stands between the brackets of a marker: numbers, ranges, ids, URLs, with a label or a page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from showable.read.id_shapes import looks_like_id, most_digits, takes_long_numbers
from showable.read.invisible import without_invisible
from showable.read.pinpoints import cut_page, is_part_of_id, parted, read_place
from showable.read.source_names import is_bare_word, is_file_name, is_path, named_source, names_files
from showable.records.regex import regex

WIDEST_RANGE = 50
"""A range of more items than this is no citation that anybody meant."""

_LONGEST_BODY = 500
LABEL_WORDS = (
    r"sources?|src|documents?|docs?|passages?|references?|refs?|citations?|cites?|cited|contexts?|chunks?|excerpts?|snippets?|"
    r"search results?|results?|evidence|papers?|files?|file ?names?|web ?pages?|ids?|(?:source|doc|document|passage|chunk|file)[_ -]ids?"
)
LABEL = regex(rf"(?i)({LABEL_WORDS})\b\.?(?:\s*(?:#|no\.|number|nr\.|id)(?=\W|\d))?(\s*[:=]\s*|\s*)(?=\S)")
"""A word that announces a source: ``Source 2``, ``Doc. 3``, ``source: doc-7``. Group 2 is what separates it."""

GLUED = regex(rf"(?i)(?:({LABEL_WORDS})|[sdrc])[-_]?(\d{{1,3}})")
"""A label and a number in one word: ``doc2``, ``Source3``, ``S1``, ``chunk-2``; not ``doc-2024``, ``kb2``. Group 1 is a label in words."""

_GLUED_RANGE = regex(rf"(?i)({LABEL_WORDS})[-_]?(\d{{1,3}})\s*[-–—]\s*\1[-_]?(\d{{1,3}})")
"""``doc1-doc3``, with the label before both ends; ``doc1-3`` may be an id."""

_CIRCLED = {
    ord(first) + above: str(above + 1)
    for first, last in (("①", 20), ("❶", 10), ("➀", 10), ("➊", 10))
    for above in range(last)
}
_ONE_NUMBER = regex(r"\d{1,3}")
_NUMERIC = regex(r"[\s,;&\-‐‑–—−]*+\d[\d\s,;&\-‐‑–—−]*+")
_DASH = r"\s*[-‐‑–—−]\s*"
_RANGES = regex(rf"\d+(?:{_DASH}\d+)?(?:\s*[,;&]\s*\d+(?:{_DASH}\d+)?)*")
_RANGE = regex(rf"(\d+)(?:{_DASH}(\d+))?")
_YEAR = regex(r"(?:1[5-9]|20)\d\d")
_THOUSANDS = regex(r"[1-9]\d{0,2}(?:,\d{3})+")
_AND = regex(r"(?:\s*,)?\s+(?:and|&)\s+", re.IGNORECASE)
_SPLIT = regex(r"\s*[,;]\s*")
_NUMBER_SIGN = regex(r"(?i)^(?:#|№|n[o°º]s?\.?\s|no\.|nr\.?\s|numbers?\s)\s*(?=\d)")
_BESIDE = regex(r"\s+[|/+]\s+|\s+")
_URL = regex(r"(?i)(?:https?|ftp)://[^\s<>\"]+")
DOI = regex(
    r"(?i)(?:(?:https?://)?(?:www\.|dx\.)?doi\.org/|(?:doi|digital object identifier)\b:?\s*)?(10\.\d{4,9}/[^\s\"<>\[\]{}]+)"
)
"""A DOI however it is introduced, which nothing else looks like. Group 1 is the DOI itself (DOI Handbook, 2.2)."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing cited: the token that names it, the page if one is given, the URL if it is one."""

    token: str
    page: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Malformed:
    """Why something that was meant to be a citation cannot be read."""

    reason: str


def read_items(body: str, known: frozenset[str]) -> list[Item] | Malformed | None:
    """Read what stands between brackets: its items, why it is malformed, or None where it is no citation."""
    if _ONE_NUMBER.fullmatch(body) and (body[0] != "0" or len(body) == 1):
        return [Item(_digits(body))]
    if len(body) > _LONGEST_BODY:
        return None
    whole = body.strip() if body.isascii() else body.strip().translate(_CIRCLED)
    if not whole:
        return None
    if whole in known or (known and without_invisible(whole) in known):
        return [Item(whole)]
    listed = _AND.sub(", ", parted(whole))
    if _NUMERIC.fullmatch(listed):
        return read_numbers(listed, known)
    return _read_parts(listed, known)


def read_numbers(body: str, known: frozenset[str] = frozenset()) -> list[Item] | Malformed | None:
    """Read ``1``, ``1, 3``, ``1–3``. None where the numbers are no citation: a year, an amount, a negative."""
    long = takes_long_numbers(known)
    numbers = re.findall(r"\d+", body)
    if not body[0].isdigit() and body[0] not in ",;":
        return None
    if not long and (any(map(_YEAR.fullmatch, numbers)) or _THOUSANDS.fullmatch(body)):
        return None
    if _unread_number(numbers, known) is not None:
        return None
    if not _RANGES.fullmatch(body):
        return Malformed(
            "an item is missing" if re.search(r"[,;]\s*(?:[,;]|$)|^[,;]", body) else "not a list of numbers"
        )
    items: list[Item] = []
    for first, last in _RANGE.findall(body):
        spread = _spread(first, last)
        if isinstance(spread, Malformed):
            return spread
        items.extend(spread)
    return items


def why_unread(body: str, known: frozenset[str]) -> str | None:
    """Return why digits that `read_numbers` passes over would be no readable citation either, or None where they are none.

    Years, thousands and dates are none; a number with more digits than the log has places, or a zero before it, may
    have been meant as one.
    """
    listed = _AND.sub(", ", body.strip())
    numbers = re.findall(r"\d+", listed)
    if not _RANGES.fullmatch(listed) or any(map(_YEAR.fullmatch, numbers)) or _THOUSANDS.fullmatch(listed):
        return None
    return _unread_number(numbers, known)


def _unread_number(numbers: list[str], known: frozenset[str]) -> str | None:
    if any(len(number) > 1 and number[0] == "0" for number in numbers):
        return "a number begins with 0"
    if not takes_long_numbers(known) and any(len(number) > most_digits(known) for number in numbers):
        return "a number is too high for a source"
    return None


def _spread(first: str, last: str) -> list[Item] | Malformed:
    if not last:
        return [Item(_digits(first))]
    low, high = int(first[:12]), int(last[:12])
    if high < low:
        return Malformed("the range runs backwards")
    if high - low >= WIDEST_RANGE:
        return Malformed(f"the range spans more than {WIDEST_RANGE} items")
    return [Item(str(number)) for number in range(low, high + 1)]


def _digits(number: str) -> str:
    return number if number.isascii() else "".join(str(int(digit)) for digit in number)


def _read_parts(body: str, known: frozenset[str]) -> list[Item] | Malformed | None:
    label = LABEL.match(body)
    announced = label is not None and _announces(label, body, known)
    free = label is not None and announced and (":" in label[2] or "=" in label[2])
    if label and announced:
        body = body[label.end() :]
    items: list[Item] = []
    empty = False
    for part in _SPLIT.split(body):
        if not part:
            empty = True
            continue
        if items and (place := _place(part, items[-1])) is not None:
            items[-1] = Item(items[-1].token, place or items[-1].page, items[-1].url)
            continue
        read = _read_glued(part) or list(_read_part(part, known, labelled=announced)) or _read_beside(part, known)
        if not read:
            return _free_text(body) if free else None
        items.extend(read)
    if empty and items:
        return Malformed("an item is missing")
    return items or None


def _read_glued(part: str) -> list[Item]:
    both = _GLUED_RANGE.fullmatch(part)
    numbers = _spread(both[2], both[3]) if both else []
    return [Item(f"{both[1]}{one.token}") for one in numbers] if both and isinstance(numbers, list) else []


def _announces(label: re.Match[str], body: str, known: frozenset[str]) -> bool:
    """Tell ``Source 2`` and ``source: doc-7`` from an id that merely begins so: ``doc-7``, ``doc:7``."""
    if not label[2]:
        return body[label.end() - 1] in ".#"
    tight = not label[2].isspace() and len(label[2]) == 1
    rest = body[label.end() :]
    return not (tight and _ONE_NUMBER.fullmatch(rest)) or rest in known


def _place(part: str, before: Item) -> str | None:
    """Read the place in the source before it. After an id, ``chunk 2`` is one; after a number it is another source."""
    if not before.token.isdecimal() and is_part_of_id(part):
        return ""
    return read_place(part)


def _read_beside(part: str, known: frozenset[str]) -> list[Item]:
    """Read ids of the log that stand side by side, parted by spaces or by a sign: ``kb-1 / kb-2``."""
    pieces = [piece for piece in _BESIDE.split(part) if piece] if known else []
    return [Item(piece) for piece in pieces] if len(pieces) > 1 and known.issuperset(pieces) else []


def _read_part(part: str, known: frozenset[str], *, labelled: bool) -> Iterator[Item]:
    page = None
    if part not in known:
        part, page = cut_page(part)
    if labelled and (label := LABEL.match(part)) and label[2] and part not in known:
        part = part[label.end() :]
    plain = without_invisible(part).strip("`*_")
    if part in known or plain in known:
        yield Item(part.strip("`*_") if part not in known else part, page)
    elif _URL.fullmatch(plain):
        yield Item(part, page, part)
    elif (named := named_source(plain, known)) and not is_bare_word(plain):
        yield Item(named.source, named.page or page)
    elif (plain.startswith("@") and len(plain) > 1 and " " not in plain) or (plain[:1] == "#" and plain[1:] in known):
        yield Item(plain[1:], page)
    elif _NUMERIC.fullmatch(plain := _NUMBER_SIGN.sub("", plain) if known else plain):
        numbers = read_numbers(plain, known)
        for item in numbers if isinstance(numbers, list) else ():
            yield Item(item.token if plain == _NUMBER_SIGN.sub("", part.strip("`*_")) else part, page)
    elif (
        DOI.fullmatch(plain)
        or looks_like_id(plain, known)
        or is_file_name(plain)
        or (names_files(known) and is_path(plain))
    ):
        yield Item(part.strip("`*_"), page)


def _free_text(body: str) -> list[Item] | None:
    """Read ``Source: Employee Handbook, p. 4``: after a label and a colon any words name the source."""
    name, page = body.strip(), None
    while (cut := max(name.rfind(","), name.rfind(";"))) > 0 and (
        place := read_place(name[cut + 1 :].strip())
    ) is not None:
        name, page = name[:cut].rstrip(), place or page
    name, last = cut_page(name)
    return [Item(name, last or page)] if name else None
