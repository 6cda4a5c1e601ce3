"""Where a language's spelling, an emoji or a formula needs a character that cannot be seen."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from showable.records.regex import regex

_ARABIC = "\u0600-\u08ff\ufb50-\ufdff\ufe70-\ufefc"
"""Arabic, Syriac, Thaana, N'Ko, Mandaic: letters that join their neighbours."""
_INDIC = "\u0900-\u0dff\u0f00-\u109f\u1780-\u17ff\u1900-\u1cff\ua800-\uaaff\uabc0-\uabff\U00011000-\U000116ff"
_MONGOLIAN = "\u1800-\u18af"
_SPELLS = regex(f"[{_ARABIC}{_INDIC}{_MONGOLIAN}]")
_JOINS = regex(f"[{_ARABIC}{_MONGOLIAN}]")
_IS_INDIC, _IS_MONGOLIAN = regex(f"[{_INDIC}]"), regex(f"[{_MONGOLIAN}]")
_NO_BLANKS = regex("[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1950-\u19df\u1a20-\u1aad\u3040-\u30ff\u3400-\u9fff]")
"""Scripts that write no blank between words (Thai, Lao, Tibetan, Burmese, Khmer, Han): U+200B says where a line may break."""

_PICTURES = (
    "[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u27bf"
    "\u2934\u2935\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
_PICTURE = regex(_PICTURES)
_SKINS = "\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"
"""What may stand between a picture and the joiner after it: the selector of its coloured form, the tones of skin."""
_SEQUENCE = regex(f"(?![{_SKINS}]){_PICTURES}[{_SKINS}]\u200d{_PICTURES}")
"""What most joined emoji are."""
_KEYCAP = regex("[#*0-9]")
_HAN = regex("[\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]")
_SELECTED = regex(
    "[0\u1000-\u109f\ua840-\ua877\u2190-\u22ff\u2a00-\u2aff\u3001\u3002\uff01\uff0c\uff0e\uff1a\uff1b\uff1f"
    "\U00010ac0-\U00010aff\U00013000-\U000143ff]"
)
"""Characters other than ideographs of which Unicode lists variants: slashed zero, operators, Burmese, hieroglyphs."""
REGION_FLAG = regex("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
"""The flag of England, Scotland, Wales: a black flag, the region's code in tag characters, the closing tag (UTS 51)."""

_VIRAMA = 9
"""The canonical combining class of the signs that take a consonant's vowel away."""
_TRANSPARENT = frozenset({"Mn", "Me", "Cf", "Lm", "Cn"})
"""The categories of every character that letters join across (joining type T), and of more."""
_MAY_JOIN = regex("[\u0620-\u08ff\u1807-\u18aa\ua840-\ua872\U00010ac0-\U0001e943]")
"""Every letter that joins its neighbour (joining types L, R and D), and more."""
NEAR = 32
"""How far from a joiner its letters are looked for, beyond the marks between."""


def hangs_on_farther(before: str, joiner: str, after: str) -> bool:
    """Check whether a joiner may be judged by its two neighbours only with what stands beyond them."""
    if joiner == "\u200d":
        return bool(before) and before in _SKINS
    return any(char and unicodedata.category(char) in _TRANSPARENT for char in (before, after))


def joiner_is_spelling(text: str, at: int) -> bool:
    """Check whether a joiner or non-joiner stands where letters or an emoji need it.

    RFC 5892, appendix A.1 and A.2; UAX 31, section 2.3; UTS 51 for emoji. Beyond them: a Persian ending
    after a word of another script, a joiner before a virama (Bengali, Kannada), one that gives an Arabic letter its joined form.
    """
    if at > 1 and _SEQUENCE.match(text, at - 2):
        return True
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if text[at] == "\u200c":
        letters = (before, after), (after, before)
        if any(_SPELLS.match(one) and (other.isalnum() or _SPELLS.match(other)) for one, other in letters):
            return True
        return _contextj(text, at)
    if _follows_virama(before) or _JOINS.match(before):
        return True
    if after and _PICTURE.match(after):
        head = text[max(0, at - NEAR) : at]
        return bool(_PICTURE.match(head.rstrip(_SKINS)[-1:] or head[:1]))
    return bool(_IS_INDIC.match(before) and after and unicodedata.combining(after) == _VIRAMA)


def _follows_virama(before: str) -> bool:
    return bool(before) and unicodedata.combining(before) == _VIRAMA


def _contextj(text: str, at: int) -> bool:
    if _follows_virama(text[at - 1 : at]):
        return True
    before, after = text[max(0, at - NEAR) : at], text[at + 1 : at + NEAR]
    return bool(_MAY_JOIN.search(before) and _MAY_JOIN.search(after)) and _joins_across(before, after)


@lru_cache(maxsize=1024)
def _joins_across(before: str, after: str) -> bool:
    from idna.core import valid_contextj  # noqa: PLC0415 - its tables are slow to load, and few texts need them

    try:
        return valid_contextj(f"{before}\u200c{after}", len(before))
    except ValueError:  # a neighbour that is no character
        return False


def selector_is_due(before: str, selector: str) -> bool:
    """Check whether a variation selector follows a character that has such a variant, and is the only one that does (UTS 37, 51)."""
    if selector in "\ufe0e\ufe0f":
        return bool(_PICTURE.match(before) or _KEYCAP.match(before))
    if selector <= "\ufe0f" and _SELECTED.match(before):
        return True
    return bool(_HAN.match(before)) and (selector <= "\ufe02" or selector >= "\U000e0100")


def filler_is_due(before: str, filler: str, after: str) -> bool:
    """Check whether a Hangul filler stands in for a missing letter of a syllable that is written in single letters."""
    match filler:
        case "\u115f":
            return "\u1160" <= after <= "\u11ff"
        case "\u1160":
            return "\u1100" <= before <= "\u115f" or "\u11a8" <= after <= "\u11ff"
        case "\u3164":
            return any("\u3131" <= char <= "\u318e" and char != "\u3164" for char in before + after)
        case _:
            return any("\uffa1" <= char <= "\uffdc" for char in before + after)


def break_is_due(before: str, after: str) -> bool:
    """Check whether U+200B marks a break in a script without blanks."""
    return bool(_NO_BLANKS.match(before) or _NO_BLANKS.match(after))


def stands_with(kind: str, around: str) -> bool:
    """Check whether a sign of one notation stands within that notation: Mongolian, shorthand, musical score, Braille."""
    first, last = {
        "mongolian": ("\u1800", "\u18af"),
        "shorthand": ("\U0001bc00", "\U0001bca3"),
        "musical": ("\U0001d100", "\U0001d1ff"),
        "braille": ("\u2801", "\u28ff"),
    }[kind]
    return any(first <= char <= last for char in around)
