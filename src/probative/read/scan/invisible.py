"""Characters that cannot be seen: where they mislead, and where spelling needs them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from probative.read.scan.finding import Severity, Span
from probative.read.scan.invisible_direction import Fault, direction_faults
from probative.read.scan.invisible_spelling import (
    REGION_FLAG,
    break_is_due,
    filler_is_due,
    joiner_is_spelling,
    selector_is_due,
    stands_with,
)
from probative.read.scan.invisible_table import RUN, UNSEEN_RUN, Kind, kind_of
from probative.read.scan.smuggled import hidden_text

Region = Literal["prose", "token"]

_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x7f]")
_CLOSING_TAG = "\U000e007f"

_CONTROLS: Fault = ("a control character", "error")
_DIRECTION: Fault = ("it changes the direction of text inside an id, a quotation or an address", "error")
_SELECTORS: Fault = ("a variation selector where nothing has that variant: it may carry a byte of hidden text", "error")
_TAGS: Fault = ("a tag character outside the flag of a region: it spells hidden text", "error")
_JOINERS: Fault = ("a joiner where neither the letters nor an emoji around it need one", "error")
_STRAY: Fault = ("a joiner at the end of a word, where nothing is to be joined", "low")
_FILLERS: Fault = ("a filler outside a Hangul syllable, where it looks like a blank", "error")
_BANNED: Fault = ("a character that is deprecated, unassigned or not for text", "error")
_SOFT: Fault = ("a possible line break that was left in the text", "low")
_SOFT_IN_TOKEN: Fault = ("it parts what looks whole; text taken from a PDF often has it", "warning")
_NOT_ALONE: Fault = ("it belongs to a notation of which nothing stands beside it", "error")
_GRAPHEMES: Fault = ("a grapheme joiner before no combining mark", "warning")
_OPERATORS: Fault = ("an invisible operator of a formula", "low")
_SPACES: Fault = ("a space other than the usual one", "low")
_BRAILLE: Fault = ("a Braille blank: it looks like a space", "warning")

_DIRECTIONS = frozenset({"mark", "embedding", "override", "isolate", "closing"})
_ANYWHERE: dict[Kind, Fault] = {"control": _CONTROLS, "tag": _TAGS, "banned": _BANNED}
_NOTATIONS: dict[Kind, Fault] = {
    "mongolian": _NOT_ALONE,
    "shorthand": _NOT_ALONE,
    "musical": _NOT_ALONE,
    "braille": _BRAILLE,
}
_IN_TOKENS: dict[Kind, Fault] = {
    "mark": _DIRECTION,
    "embedding": _DIRECTION,
    "override": _DIRECTION,
    "isolate": _DIRECTION,
    "closing": _DIRECTION,
    "filler": _FILLERS,
    "space": _SPACES,
    "braille": _BRAILLE,
    "grapheme_joiner": ("a grapheme joiner inside an id, a quotation or an address", "error"),
    "operator": ("an invisible operator inside an id, a quotation or an address", "error"),
    "shorthand": _NOT_ALONE,
    "musical": _NOT_ALONE,
}


@dataclass(frozen=True, slots=True)
class InvisibleFinding:
    """Invisible characters that stand together: their place, code points, name, and why they are reported.

    `hidden_text` is what tag characters or variation selectors spell, where they spell anything.
    """

    where: Span
    code_points: tuple[int, ...]
    name: str
    reason: str
    severity: Severity
    hidden_text: str | None = None


def scan_invisible(text: str, region: Region) -> list[InvisibleFinding]:
    """Find invisible characters that have no business where they stand.

    ``token`` is for ids, quotations and URLs, where direction controls, breaks, fillers and operators are
    reported wherever they stand; what spelling needs inside a word (a Persian non-joiner, a conjunct's
    joiner, an ideograph's variant, an emoji) passes. ``prose`` lets the other legitimate uses pass too:
    balanced direction controls and marks beside right-to-left text, U+FEFF at the very beginning, breaks
    in scripts without blanks, fillers in a Hangul syllable. UTS 39; UTS 55, section 4; UAX 31, section
    2.3; RFC 5892, appendix A; UTS 37 and 51. Linear in the text, never raises.
    """
    if text.isascii() and not _CONTROL.search(text):
        return []
    first = RUN.search(text)
    return [] if first is None else list(_findings(text, region, first.start()))


def strip_map(text: str) -> tuple[str, list[int]]:
    """Take out every invisible character, needed or not, for matching; and say where what is left came from.

    Gives the text that is left and, for each of its characters and for its end, the offset in `text`:
    ``len(offsets) == len(plain) + 1``. A span of the plain text is ``offsets[start], offsets[end - 1] + 1``
    of the original. Characters that look like a space stay. Both sides of a comparison must be stripped.
    """
    if text.isascii() and not _CONTROL.search(text):
        return text, list(range(len(text) + 1))
    kept: list[str] = []
    offsets: list[int] = []
    at = 0
    for run in UNSEEN_RUN.finditer(text):
        kept.append(text[at : run.start()])
        offsets.extend(range(at, run.start()))
        at = run.end()
    kept.append(text[at:])
    offsets.extend(range(at, len(text) + 1))
    return "".join(kept), offsets


def _findings(text: str, region: Region, start: int) -> Iterator[InvisibleFinding]:
    directions = direction_faults(text) if region == "prose" else {}
    flags = _in_flags(text)
    for run in RUN.finditer(text, start):
        begun: int | None = None
        fault: Fault | None = None
        for at in range(*run.span()):
            found = None if at in flags else _fault(text, at, region, directions)
            if found != fault and fault is not None and begun is not None:
                yield _finding(text, (begun, at), fault)
            if found != fault:
                begun, fault = at, found
        if fault is not None and begun is not None:
            yield _finding(text, (begun, run.end()), fault)


def _in_flags(text: str) -> frozenset[int]:
    if _CLOSING_TAG not in text:
        return frozenset()
    return frozenset(at for flag in REGION_FLAG.finditer(text) for at in range(*flag.span()))


def _finding(text: str, where: Span, fault: Fault) -> InvisibleFinding:
    run = text[where[0] : where[1]]
    name = _name(run[0]) if len(run) == 1 else f"{_name(run[0])} … {_name(run[-1])}"
    reason, severity = fault
    return InvisibleFinding(where, tuple(map(ord, run)), name, reason, severity, hidden_text(run))


@lru_cache(maxsize=512)
def _name(char: str) -> str:
    fallback = "CONTROL CHARACTER" if kind_of(char) == "control" else "UNASSIGNED"
    return f"U+{ord(char):04X} {unicodedata.name(char, fallback)}"


def _fault(text: str, at: int, region: Region, directions: dict[int, Fault]) -> Fault | None:
    """Say what is wrong with one character where it stands; None where nothing is."""
    kind = kind_of(text[at])
    if kind is None or kind in _ANYWHERE:
        return _ANYWHERE.get(kind) if kind else None
    if kind == "joiner":
        return _joiner_fault(text, at, region)
    if kind == "selector":
        return None if selector_is_due(text, at) else _SELECTORS
    if kind == "soft":
        return _soft_fault(text, at, region)
    if region == "token" and kind != "mongolian":
        return _IN_TOKENS[kind]
    return directions.get(at) if kind in _DIRECTIONS else _prose_fault(kind, text, at)


def _joiner_fault(text: str, at: int, region: Region) -> Fault | None:
    if joiner_is_spelling(text, at):
        return None
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    ends_word = region == "prose" and before.isalpha() and not before.isascii() and (not after or after.isspace())
    return _STRAY if ends_word else _JOINERS


def _soft_fault(text: str, at: int, region: Region) -> Fault | None:
    if region == "token":
        return _SOFT if text[at] == "\u00ad" else _SOFT_IN_TOKEN
    begins = text[at] == "\ufeff" and at == 0
    return None if begins or (text[at] == "\u200b" and break_is_due(text, at)) else _SOFT


def _prose_fault(kind: Kind, text: str, at: int) -> Fault | None:
    if kind == "grapheme_joiner":
        return None if unicodedata.combining(text[at + 1 : at + 2] or " ") else _GRAPHEMES
    if kind == "filler":
        return None if filler_is_due(text, at) else _FILLERS
    if kind in _NOTATIONS:
        return None if stands_with(kind, text, at) else _NOTATIONS[kind]
    return _OPERATORS if kind == "operator" else None
