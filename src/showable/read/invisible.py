"""What a reader of a text sees of it: the text without characters that cannot be seen."""

from __future__ import annotations

import re

from showable.records.regex import regex

_JOINING = "\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc"
"""Scripts whose spelling needs a joiner or non-joiner: Arabic and its kin, the Indic scripts, Khmer, Mongolian."""
_PICTURE = "#*0-9\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff"
"""Characters that an emoji selector may follow."""

_HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
"""Characters of which a selector picks a variant that names and places are spelt with."""
_REGION_FLAG = "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"
"""The flag of England, Scotland, Wales: a black flag, the region's code in tag characters, and the closing tag."""

_INVISIBLE = regex(
    f"(?:{_REGION_FLAG})|("  # passed over whole: what is invisible is in group 1
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"  # controls that are no white space
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"  # soft hyphen, joiners and fillers
    "\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"  # zero-width space, direction overrides, word joiner
    "\u3164\ufeff\uffa0\ufff0-\ufffb"  # fillers, byte-order mark, annotation anchors
    "\ufe03-\ufe0d"  # variation selectors
    "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]"  # tag characters
    f"|(?<![{_HAN}])[\ufe00-\ufe02\U000e0100-\U000e01ef]"  # variation selectors 1 to 3, and 17 to 256
    f"|(?<![{_PICTURE}])[\ufe0e\ufe0f]"
    f"|(?<![{_JOINING}\\w])\u200c|\u200c(?![{_JOINING}\\w])|(?<![{_JOINING}])\u200c(?![{_JOINING}])"
    f"|(?<![{_JOINING}\ufe0f\u203c-\u3299\U0001f000-\U0001faff])\u200d)"
)


def without_invisible(text: str) -> str:
    """Drop invisible characters, to see what a reader of the text would see.

    Joiners that spelling needs (Persian, Devanagari, emoji) stay between the letters that need them, as in
    RFC 5892, appendix A, and beside a letter of another script ("PDF" with a Persian plural). So do the
    selectors of ideographic variants after a Han character, and the flags of regions (UTS 51).
    """
    return text if text.isascii() and text.isprintable() else _INVISIBLE.sub(_kept, text)


def is_blank(text: str) -> bool:
    """Check whether a text shows a reader nothing: empty, white space, or invisible characters alone."""
    stripped = text.strip()
    return not stripped or (not stripped[0].isalnum() and not without_invisible(stripped).strip())


def _kept(match: re.Match[str]) -> str:
    return "" if match[1] else match[0]
