"""Characters that change the direction of text, where they belong and where they deceive (UAX 9; UTS 55, section 4)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import chain

from showable.read.scan.finding import Severity, Span
from showable.records.regex import regex

Fault = tuple[str, Severity]

_CONTROL = regex("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
DIRECTION_RUN = regex(f"{_CONTROL.pattern}+")
_IN_WORD = regex("(?<=[0-9A-Za-z])[\u061c\u200e\u200f](?=[0-9A-Za-z])")
_PARAGRAPHS = regex("[^\n\r\x1c-\x1e\x85\u2029]+")
DIRECTION_CONTROLS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_MARKS, _OVERRIDES = frozenset("\u061c\u200e\u200f"), frozenset("\u202d\u202e")
_ISOLATES = frozenset("\u2066\u2067\u2068")
_OPENING = _ISOLATES | _OVERRIDES | frozenset("\u202a\u202b")
_END_ISOLATE, _END_EMBEDDING = "\u2069", "\u202c"
_LEFTWARDS = ((0x590, 0x8FF), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFF), (0x10800, 0x10FFF), (0x1E800, 0x1EFFF))
"""The blocks in which all right-to-left letters stand: the whole of Unicode would take a tenth of a second to ask."""
_MAY_RUN_LEFTWARDS = regex("[\u0590-\u08ff\ufb1d-\ufeff\U00010800-\U0001efff]")
_NEAR = 32
"""How far from right-to-left text a direction mark may stand: across a word of another script, or a number with its unit."""

OVERRIDDEN: Fault = ("it overrides the direction, so that a reader sees other words than a machine", "error")
UNBALANCED: Fault = ("it opens or closes a direction that its paragraph does not close or open", "error")
IDLE: Fault = ("it isolates direction where no right-to-left text is", "warning")
IDLE_MARK: Fault = ("it marks a direction where no right-to-left text is near", "warning")


def direction_faults(text: str) -> dict[int, Fault]:
    """Judge every direction control of running text, by its offset. Balanced ones around right-to-left text are no fault."""
    faults: dict[int, Fault] = {}
    if _CONTROL.search(text):
        for paragraph in _PARAGRAPHS.finditer(text):
            controls = [(one.start(), one[0]) for one in _CONTROL.finditer(text, *paragraph.span())]
            if controls:
                faults.update(_paragraph(text, paragraph.span(), controls))
    return faults


def _paragraph(text: str, span: Span, controls: list[tuple[int, str]]) -> dict[int, Fault]:
    leftwards: list[Span] = []
    if _MAY_RUN_LEFTWARDS.search(text, *span):
        leftwards = [match.span() for match in right_to_left().finditer(text, *span)]
    marks = [at for at, char in controls if char in _MARKS]
    faults = dict.fromkeys(_idle(text, marks, leftwards), IDLE_MARK)
    if len(marks) == len(controls):
        return faults
    paired, unbalanced, overridden = _paired([one for one in controls if one[1] not in _MARKS] if marks else controls)
    if not leftwards:
        faults.update(dict.fromkeys(paired, IDLE))
    faults.update(dict.fromkeys(unbalanced, UNBALANCED))
    faults.update(dict.fromkeys(overridden, OVERRIDDEN))
    return faults


def _idle(text: str, marks: list[int], leftwards: list[Span]) -> Iterator[int]:
    """Yield the marks that stand in a Latin word, or beside which no right-to-left text is. All are in order of place."""
    if not leftwards:
        yield from marks
        return
    run, last = 0, len(leftwards) - 1
    start, end = leftwards[0]
    for at in marks:
        while run < last and end <= at - _NEAR:
            run += 1
            start, end = leftwards[run]
        if start > at + _NEAR or end <= at - _NEAR or _IN_WORD.match(text, at):
            yield at


def _paired(controls: list[tuple[int, str]]) -> tuple[list[int], list[int], list[int]]:
    """Pair what opens with what closes it: the places of pairs, of what has no other end, and of overrides with theirs.

    An isolate's end closes every embedding left open within it (UAX 9, X6a).
    """
    if not {_END_ISOLATE, _END_EMBEDDING} & {char for _, char in controls}:  # nothing is closed, so nothing is paired
        opened = [at for at, char in controls if char not in _OVERRIDES]
        return [], opened, [at for at, char in controls if char in _OVERRIDES]
    paired: list[int] = []
    unbalanced: list[int] = []
    overridden: list[int] = []
    open_: list[tuple[int, str]] = []
    isolates = 0
    for at, char in controls:
        if char in _OPENING:
            open_.append((at, char))
            isolates += char in _ISOLATES
        elif char == _END_ISOLATE and isolates:
            while open_[-1][1] not in _ISOLATES:
                (overridden if open_[-1][1] in _OVERRIDES else unbalanced).append(open_.pop()[0])
            paired += (open_.pop()[0], at)
            isolates -= 1
        elif char == _END_EMBEDDING and open_ and open_[-1][1] not in _ISOLATES:
            (overridden if open_[-1][1] in _OVERRIDES else paired).extend((open_.pop()[0], at))
        else:
            unbalanced.append(at)
    for at, char in open_:
        (overridden if char in _OVERRIDES else unbalanced).append(at)
    return paired, unbalanced, overridden


@cache
def right_to_left() -> re.Pattern[str]:
    """Return what matches right-to-left letters (classes R and AL) that are near each other, with what stands between.

    Direction marks are of those classes too, and left out.
    """
    kept: list[list[int]] = []
    for code in chain.from_iterable(range(first, last + 1) for first, last in _LEFTWARDS):
        if unicodedata.bidirectional(chr(code)) in {"R", "AL"} and chr(code) not in _MARKS:
            if kept and kept[-1][1] == code - 1:
                kept[-1][1] = code
            else:
                kept.append([code, code])
    letters = "".join(f"{chr(first)}-{chr(last)}" for first, last in kept)
    return regex(f"[{letters}]+(?:[^{letters}]{{1,{_NEAR}}}[{letters}]+)*")
