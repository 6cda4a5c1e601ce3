"""Characters that change the direction of text, where they belong and where they deceive (UAX 9; UTS 55, section 4)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from probative.read.scan.finding import Severity

Fault = tuple[str, Severity]

_CONTROLS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_PARAGRAPHS = re.compile("[^\n\r\x1c-\x1e\x85\u2029]+")
_MARKS, _OVERRIDES = "\u061c\u200e\u200f", "\u202d\u202e"
_ISOLATES, _EMBEDDINGS = "\u2066\u2067\u2068", "\u202a\u202b\u202d\u202e"
_END_ISOLATE, _END_EMBEDDING = "\u2069", "\u202c"
_NEAR = 32
"""How far from right-to-left text a direction mark may stand: across a word of another script, or a number with its unit."""

OVERRIDDEN: Fault = ("it overrides the direction, so that a reader sees other words than a machine", "error")
UNBALANCED: Fault = ("it opens or closes a direction that its paragraph does not close or open", "error")
IDLE: Fault = ("it isolates direction where no right-to-left text is", "warning")
IDLE_MARK: Fault = ("it marks a direction where no right-to-left text is near", "warning")


def direction_faults(text: str) -> dict[int, Fault]:
    """Judge every direction control of running text, by its offset. Balanced ones around right-to-left text are no fault."""
    faults: dict[int, Fault] = {}
    if _CONTROLS.search(text):
        for paragraph in _PARAGRAPHS.finditer(text):
            controls = [(match.start(), match[0]) for match in _CONTROLS.finditer(text, *paragraph.span())]
            if controls:
                faults |= _paragraph(text, paragraph.span(), controls)
    return faults


def _paragraph(text: str, span: tuple[int, int], controls: list[tuple[int, str]]) -> dict[int, Fault]:
    faults = {at: IDLE_MARK for at, char in controls if char in _MARKS and not _beside_right_to_left(text, at, span)}
    pairs = list(_pairs([(at, char) for at, char in controls if char not in _MARKS]))
    if not pairs:
        return faults
    idle = not any(map(_runs_leftwards, text[span[0] : span[1]]))
    for opened, closed in pairs:
        ends = [at for at in (opened, closed) if at is not None]
        if opened is not None and text[opened] in _OVERRIDES:
            faults |= dict.fromkeys(ends, OVERRIDDEN)
        elif opened is None or closed is None:
            faults |= dict.fromkeys(ends, UNBALANCED)
        elif idle:
            faults |= dict.fromkeys(ends, IDLE)
    return faults


def _pairs(controls: list[tuple[int, str]]) -> Iterator[tuple[int | None, int | None]]:
    """Pair what opens with what closes it. An isolate's end closes every embedding left open within it (UAX 9, X6a)."""
    open_: list[tuple[int, bool]] = []
    isolates = 0
    for at, char in controls:
        if char in _ISOLATES or char in _EMBEDDINGS:
            open_.append((at, char in _ISOLATES))
            isolates += char in _ISOLATES
        elif char == _END_ISOLATE and isolates:
            while not open_[-1][1]:
                yield open_.pop()[0], None
            yield open_.pop()[0], at
            isolates -= 1
        elif char == _END_EMBEDDING and open_ and not open_[-1][1]:
            yield open_.pop()[0], at
        else:
            yield None, at
    yield from ((at, None) for at, _ in open_)


def _beside_right_to_left(text: str, at: int, span: tuple[int, int]) -> bool:
    before, after = text[max(span[0], at - _NEAR) : at], text[at + 1 : min(span[1], at + 1 + _NEAR)]
    if _is_word(before[-1:]) and _is_word(after[:1]):
        return False
    return any(map(_runs_leftwards, before + after))


def _is_word(char: str) -> bool:
    return char.isascii() and char.isalnum()


def _runs_leftwards(char: str) -> bool:
    return char not in _MARKS and unicodedata.bidirectional(char) in {"R", "AL"}
