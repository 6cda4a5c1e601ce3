"""Characters that cannot be seen: where they mislead, and where spelling needs them."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import groupby, repeat
from typing import Literal

from showable.read.scan.finding import Severity, Span
from showable.read.scan.invisible_direction import DIRECTION_CONTROLS, DIRECTION_RUN, Fault, direction_faults
from showable.read.scan.invisible_finding import InvisibleFinding, Unseen, made_of
from showable.read.scan.invisible_spelling import (
    REGION_FLAG,
    break_is_due,
    filler_is_due,
    hangs_on_farther,
    joiner_is_spelling,
    selector_is_due,
    stands_with,
)
from showable.read.scan.invisible_table import PROSE_RUN, RUN, UNSEEN_RUN, Kind, kind_of
from showable.read.scan.smuggled import hidden_text
from showable.records.regex import regex

Region = Literal["prose", "token"]

_CONTROL = regex("[\x00-\x08\x0e-\x1b\x7f]")
_BLACK_FLAG, _CLOSING_TAG = "\U0001f3f4", "\U000e007f"
_MIXED = 4
"""As many parts of one run are told apart."""
_MANY = "invisible characters of several kinds in a row"
_ENOUGH = 256
"""As many errors are told one by one; no text that means well holds them."""
_FOLLOWING = f"after {_ENOUGH} that deceive, what follows is not told one by one"
_GRAVITY: tuple[Severity, ...] = ("low", "warning", "error")
_REMEMBERED = 8
"""The longest run whose description is kept: the same few stand again and again."""

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

_FARTHER: Fault = ("its neighbours alone do not tell", "low")
"""No fault: what stands beyond them has to be asked."""

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


_ELSEWHERE = Unseen((), "", "", "low", None)
"""Not said of anything: what stands farther off has to be asked."""


def scan_invisible(text: str, region: Region) -> list[InvisibleFinding]:
    """Find invisible characters that have no business where they stand.

    ``token`` is for ids, quotations and URLs, where direction controls, breaks, fillers and operators are
    reported wherever they stand; what spelling needs inside a word (a Persian non-joiner, a conjunct's
    joiner, an ideograph's variant, an emoji) passes. ``prose`` lets the other legitimate uses pass too:
    balanced direction controls and marks beside right-to-left text, U+FEFF at the very beginning, breaks
    in scripts without blanks, fillers in a Hangul syllable. UTS 39; UTS 55, section 4; UAX 31, section
    2.3; RFC 5892, appendix A; UTS 37 and 51. After 256 errors what follows is one finding. Linear in the text,
    never raises.
    """
    if text.isascii() and not _CONTROL.search(text):
        return []
    invisible = PROSE_RUN if region == "prose" else RUN
    first = invisible.search(text)
    if first is None:
        return []
    directions = direction_faults(text) if region == "prose" else {}
    flags, errors = _CLOSING_TAG in text, 0
    found: list[InvisibleFinding] = []
    for run in invisible.finditer(text, first.start()):
        if errors >= _ENOUGH:
            found.append(_rest(text, run.start(), invisible))
            break
        start, end = run.span()
        if flags and text[start - 1 : start] == _BLACK_FLAG and (flag := REGION_FLAG.match(text, start - 1)):
            start = flag.end()
        if end - start == 1 and start:
            unseen = _single(text, start, region, directions)
            told = [made_of(InvisibleFinding, ((start, end), unseen))] if unseen else []
        else:
            told = _in_run(text, (start, end), region, directions)
        for one in told:
            errors += one.unseen.severity == "error"
        found += told
    return found


def _single(text: str, at: int, region: Region, directions: dict[int, Fault]) -> Unseen | None:
    """Return what is wrong with a character that stands alone."""
    if at in directions:
        return _told(text[at], directions[at])
    if region == "prose" and text[at] in DIRECTION_CONTROLS:  # of these nothing but the direction is judged
        return None
    unseen = _alone(text[at - 1 : at + 2], region)
    if unseen is not _ELSEWHERE:
        return unseen
    fault = _joiner_fault(text, at, region)
    return fault and _told(text[at], fault)


def _rest(text: str, start: int, invisible: re.Pattern[str]) -> InvisibleFinding:
    """Tell all that follows as one finding: what holds so many errors is refused, whatever else it holds."""
    end = start
    for run in invisible.finditer(text, start):
        end = run.end()
    return InvisibleFinding((start, end), Unseen((), "more invisible characters", _FOLLOWING, "error", None))


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


@lru_cache(maxsize=4096)
def _alone(around: str, region: Region) -> Unseen | None:
    """Return what is wrong with an invisible character between two that are seen, or one and the end of the text."""
    fault = _by_neighbours(around[0], around[1], around[2:], region)
    if fault is _FARTHER:
        return _ELSEWHERE
    return fault and _told(around[1], fault)


def _in_run(text: str, span: Span, region: Region, directions: dict[int, Fault]) -> list[InvisibleFinding]:
    """Judge each of the characters that stand together, and give those with the same fault as one finding."""
    start, end = span
    around = text[start - 1 : start], text[start:end], text[end : end + 1]
    directed = tuple(map(directions.get, range(start, end))) if directions else ()
    if directed and DIRECTION_RUN.fullmatch(around[1]):  # of these nothing but the direction is judged
        return [
            made_of(InvisibleFinding, ((start + a, start + b), unseen)) for a, b, unseen in _parts(around[1], directed)
        ]
    judged = _in_order if end - start <= _REMEMBERED else _in_order.__wrapped__
    faults, parts = judged(*around, region, directed)
    if _FARTHER in faults:
        known = enumerate(faults, start)
        faults = tuple([_joiner_fault(text, at, region) if fault is _FARTHER else fault for at, fault in known])
        parts = _parts(around[1], faults)
    return [made_of(InvisibleFinding, ((start + begun, start + ended), unseen)) for begun, ended, unseen in parts]


_Parts = tuple[tuple[int, int, Unseen], ...]


@lru_cache(maxsize=1024)
def _in_order(
    before: str, run: str, after: str, region: Region, directed: tuple[Fault | None, ...]
) -> tuple[tuple[Fault | None, ...], _Parts]:
    """Judge the characters of a run by their neighbours; `directed` is what is wrong with those that change direction."""
    around = [before, *run, after]
    faults = tuple(map(_by_neighbours, around, run, around[2:], repeat(region)))
    if directed:
        faults = tuple([one or other for one, other in zip(faults, directed, strict=True)])
    return faults, () if _FARTHER in faults else _parts(run, faults)


def _parts(run: str, faults: tuple[Fault | None, ...]) -> _Parts:
    """Part a run where its fault changes; a run of more minds than a few is one finding, as grave as the gravest."""
    parts: list[tuple[int, int, Fault]] = []
    at = 0
    for fault, same in groupby(faults):
        begun, at = at, at + len(list(same))
        if fault is not None:
            parts.append((begun, at, fault))
    if len(parts) > _MIXED:
        gravest = max((fault[1] for _, _, fault in parts), key=_GRAVITY.index)
        parts = [(parts[0][0], parts[-1][1], (_MANY, gravest))]
    return tuple((begun, ended, _described(run[begun:ended], fault)) for begun, ended, fault in parts)


def _described(run: str, fault: Fault) -> Unseen:
    return _told(run, fault) if len(run) <= _REMEMBERED else _told.__wrapped__(run, fault)


@lru_cache(maxsize=1024)
def _told(run: str, fault: Fault) -> Unseen:
    name = _name(run[0]) if len(run) == 1 else f"{_name(run[0])} … {_name(run[-1])}"
    return Unseen(tuple(map(ord, run)), name, *fault, hidden_text(run))


@lru_cache(maxsize=512)
def _name(char: str) -> str:
    fallback = "CONTROL CHARACTER" if kind_of(char) == "control" else "UNASSIGNED"
    return f"U+{ord(char):04X} {unicodedata.name(char, fallback)}"


@lru_cache(maxsize=4096)
def _by_neighbours(before: str, char: str, after: str, region: Region) -> Fault | None:
    """Return what is wrong with a character between its neighbours, but for direction controls in prose."""
    kind = kind_of(char)
    if kind is None or kind in _ANYWHERE:
        return _ANYWHERE.get(kind) if kind else None
    if kind == "joiner":
        return (
            _FARTHER
            if hangs_on_farther(before, char, after)
            else _joiner_fault(before + char + after, len(before), region)
        )
    if kind == "selector":
        return None if selector_is_due(before, char) else _SELECTORS
    if kind == "soft":
        return _soft_fault(before, char, after, region)
    if region == "token" and kind != "mongolian":
        return _IN_TOKENS[kind]
    return None if kind in _DIRECTIONS else _prose_fault(kind, before, char, after)


def _joiner_fault(text: str, at: int, region: Region) -> Fault | None:
    if joiner_is_spelling(text, at):
        return None
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    ends_word = region == "prose" and before.isalpha() and not before.isascii() and (not after or after.isspace())
    return _STRAY if ends_word else _JOINERS


def _soft_fault(before: str, char: str, after: str, region: Region) -> Fault | None:
    if region == "token":
        return _SOFT if char == "\u00ad" else _SOFT_IN_TOKEN
    begins = char == "\ufeff" and not before
    return None if begins or (char == "\u200b" and break_is_due(before, after)) else _SOFT


def _prose_fault(kind: Kind, before: str, char: str, after: str) -> Fault | None:
    if kind == "grapheme_joiner":
        return None if after and unicodedata.combining(after) else _GRAPHEMES
    if kind == "filler":
        return None if filler_is_due(before, char, after) else _FILLERS
    if kind in _NOTATIONS:
        return None if stands_with(kind, before + after) else _NOTATIONS[kind]
    return _OPERATORS if kind == "operator" else None
