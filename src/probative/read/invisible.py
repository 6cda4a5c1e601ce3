"""Characters that cannot be seen, inside ids, quotes and URLs."""

from __future__ import annotations

import re
import unicodedata

_JOINING = "\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc"
"""Scripts whose spelling needs a joiner or non-joiner: Arabic and its kin, the Indic scripts, Khmer, Mongolian."""
_PICTURE = "#*0-9\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff"
"""Characters that an emoji selector may follow."""

_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"  # controls that are no white space
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"  # soft hyphen, joiners and fillers
    "\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"  # zero-width space, direction overrides, word joiner
    "\u3164\ufeff\uffa0\ufff0-\ufffb"  # fillers, byte-order mark, annotation anchors
    "\ufe00-\ufe0d"  # variation selectors
    "\U000e0000-\U000e0fff]"  # tag characters, variation selectors 17 to 256
    f"|(?<![{_PICTURE}])[\ufe0e\ufe0f]"
    f"|(?<![{_JOINING}])\u200c|\u200c(?![{_JOINING}])"
    f"|(?<![{_JOINING}\ufe0f\u203c-\u3299\U0001f000-\U0001faff])\u200d"
)


def find_invisible(text: str) -> list[tuple[int, str]]:
    """Find every invisible character: its offset and its name, ``U+200B ZERO WIDTH SPACE``.

    For ids, quotes and URLs, where such a character can only mislead; prose is not meant. Joiners that
    spelling needs (Persian, Devanagari, emoji) are clean between the letters that need them, as in
    RFC 5892, appendix A.
    """
    if text.isascii() and text.isprintable():
        return []
    return [(match.start(), _name(match.group())) for match in _INVISIBLE.finditer(text)]


def without_invisible(text: str) -> str:
    """Drop invisible characters, to see what a reader of the text would see."""
    return text if text.isascii() and text.isprintable() else _INVISIBLE.sub("", text)


def _name(char: str) -> str:
    return f"U+{ord(char):04X} {unicodedata.name(char, 'CONTROL CHARACTER')}"
