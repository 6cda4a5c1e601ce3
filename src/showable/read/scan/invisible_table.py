"""Which characters show nothing, or a blank, and what each is for.

Default_Ignorable_Code_Point of Unicode, with the annotation anchors, the controls and the characters that
look like a blank. A table, because the general category misses many: U+034F, U+115F, U+3164 and the
selectors are letters or marks, and compatibility folding (NFKC) takes none of them away.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from typing import Literal

from showable.records.regex import regex

Kind = Literal[
    "control",
    "soft",
    "joiner",
    "mark",
    "embedding",
    "override",
    "isolate",
    "closing",
    "grapheme_joiner",
    "selector",
    "tag",
    "filler",
    "mongolian",
    "operator",
    "shorthand",
    "musical",
    "banned",
    "braille",
    "space",
]

_RANGES: tuple[tuple[int, int, Kind], ...] = (
    (0x00, 0x08, "control"),
    (0x0E, 0x1B, "control"),
    (0x7F, 0x84, "control"),
    (0x86, 0x9F, "control"),
    (0xA0, 0xA0, "space"),
    (0xAD, 0xAD, "soft"),
    (0x34F, 0x34F, "grapheme_joiner"),
    (0x61C, 0x61C, "mark"),
    (0x115F, 0x1160, "filler"),
    (0x1680, 0x1680, "space"),
    (0x17B4, 0x17B5, "banned"),  # Khmer inherent vowels, deprecated
    (0x180B, 0x180F, "mongolian"),
    (0x2000, 0x200A, "space"),
    (0x200B, 0x200B, "soft"),
    (0x200C, 0x200D, "joiner"),
    (0x200E, 0x200F, "mark"),
    (0x202A, 0x202B, "embedding"),
    (0x202C, 0x202C, "closing"),
    (0x202D, 0x202E, "override"),
    (0x202F, 0x202F, "space"),
    (0x205F, 0x205F, "space"),
    (0x2060, 0x2060, "soft"),
    (0x2061, 0x2064, "operator"),
    (0x2065, 0x2065, "banned"),
    (0x2066, 0x2068, "isolate"),
    (0x2069, 0x2069, "closing"),
    (0x206A, 0x206F, "banned"),  # deprecated format characters
    (0x2800, 0x2800, "braille"),
    (0x3000, 0x3000, "space"),
    (0x3164, 0x3164, "filler"),
    (0xFE00, 0xFE0F, "selector"),
    (0xFEFF, 0xFEFF, "soft"),
    (0xFFA0, 0xFFA0, "filler"),
    (0xFFF0, 0xFFFB, "banned"),  # unassigned, and the anchors of interlinear annotation
    (0x1BCA0, 0x1BCA3, "shorthand"),
    (0x1D173, 0x1D17A, "musical"),
    (0xE0000, 0xE007F, "tag"),
    (0xE0080, 0xE00FF, "banned"),
    (0xE0100, 0xE01EF, "selector"),
    (0xE01F0, 0xE0FFF, "banned"),
)
_STARTS = [first for first, _, _ in _RANGES]


def _run(*without: Kind) -> re.Pattern[str]:
    kept = (f"{re.escape(chr(first))}-{re.escape(chr(last))}" for first, last, kind in _RANGES if kind not in without)
    return regex(f"[{''.join(kept)}]+")


RUN = _run()
"""Characters that show nothing or a blank, as many as stand together."""

PROSE_RUN = _run("space")
"""The same without the spaces, of which prose may hold any."""

UNSEEN_RUN = _run("space", "braille")
"""The same without those that stand for a blank."""


@lru_cache(maxsize=2048)
def kind_of(char: str) -> Kind | None:
    """Return what an invisible character is for; None for one that can be seen."""
    code = ord(char)
    first, last, kind = _RANGES[bisect_right(_STARTS, code) - 1]
    return kind if first <= code <= last else None
