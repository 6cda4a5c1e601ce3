"""Bring to light what a text says to a machine and hides from a person: unseen characters, look-alikes, encodings."""

from __future__ import annotations

import html
import re
import unicodedata
from base64 import b64decode
from collections.abc import Callable, Iterator
from urllib.parse import unquote

from showable.records.regex import regex

_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000e0100-\U000e01ef"
)
_UNSEEN = regex(f"[{_INVISIBLE}]")
_UNSEEN_RUN = regex(f"[{_INVISIBLE}]{{40,}}")
"""So many in a row that they carry something; one that is merely repeated carries nothing."""

_TAG_CHARACTERS = regex("[\U000e0020-\U000e007e]{8,}")
"""Tag characters spell ASCII that nobody sees; a flag emoji needs at most six of them."""
_TAG_OFFSET = 0xE0000
_SELECTORS = regex("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{8,}")
"""Variation selectors, one a byte; an emoji has one."""
_FIRST_SELECTOR, _LAST_SHORT_SELECTOR, _FIRST_LONG_SELECTOR = 0xFE00, 0xFE0F, 0xE0100
_SHORT_SELECTORS = 16
_REVERSED = regex("\u202e([^\u202c\n]{8,})")
"""From a right-to-left override on, letters are shown in the opposite order."""

_BASE64 = regex(r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{20,}={0,2}")
_HEX = regex(r"(?<![0-9A-Za-z])(?:[0-9A-Fa-f]{2}){12,}(?![0-9A-Za-z])")
_ESCAPED = regex(r"(?:\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}){4,}")
_PERCENT = regex(r"%[0-9A-Fa-f]{2}")
_LEAST_READABLE = 0.9
_ROTATED = str.maketrans("abcdefghijklmnopqrstuvwxyz", "nopqrstuvwxyzabcdefghijklm")

_MARKS = regex("[\u0300-\u036f]")
_MIXED_WORD = regex("[a-z][\u0370-\u03ff\u0400-\u052f]|[\u0370-\u03ff\u0400-\u052f][a-z]")
_LOOKALIKES = str.maketrans(
    {
        "а": "a", "е": "e", "і": "i", "о": "o", "р": "p", "с": "c", "у": "y", "х": "x", "ѕ": "s", "ј": "j", "һ": "h",
        "ԁ": "d", "ԛ": "q", "ԝ": "w", "к": "k", "м": "m", "т": "t", "в": "b", "н": "h", "ӏ": "l",
        "α": "a", "ο": "o", "ι": "i", "ν": "v", "ρ": "p", "τ": "t", "υ": "u", "κ": "k", "ε": "e", "η": "n",
    }
)  # fmt: skip
_DIGIT_WORD = regex("[a-z][013457$@][a-z]|[013457$@][a-z]{2}")
_DIGITS_AS_LETTERS = str.maketrans("013457$@", "oieastsa")


def carries_unseen(text: str) -> bool:
    """Check whether so many unseen characters, of several kinds, stand in a row that they spell something."""
    return not text.isascii() and any(len(set(run[0])) > 1 for run in _UNSEEN_RUN.finditer(text))


def unfold(text: str) -> str:
    """Return a text as a machine reads it, in lower case, one blank between words, what was hidden as lines of its own.

    Unseen characters are dropped, compatibility forms folded; text in tag characters, variation
    selectors, reversed direction, Base64, hexadecimal, escapes and entities is written out below.
    """
    lines = [text, *_hidden(text)]
    if not text.isascii():
        lines = [unicodedata.normalize("NFKC", _UNSEEN.sub("", _TAG_CHARACTERS.sub("\n", line))) for line in lines]
    return "\n".join(
        joined for line in lines for part in line.lower().splitlines() if (joined := " ".join(part.split()))
    )


def other_readings(folded: str) -> Iterator[str]:
    """Yield the ways in which a folded text may be read otherwise: look-alike letters, accents, digits, ROT13."""
    if not folded.isascii():
        if _MIXED_WORD.search(folded):
            yield folded.translate(_LOOKALIKES)
        bare = _MARKS.sub("", unicodedata.normalize("NFKD", folded))
        if bare != folded:
            yield bare
    if _DIGIT_WORD.search(folded):
        yield folded.translate(_DIGITS_AS_LETTERS)
    if "rot13" in folded or "rot-13" in folded:
        yield folded.translate(_ROTATED)


def _hidden(text: str) -> Iterator[str]:
    if not text.isascii():
        yield from ("".join(chr(ord(c) - _TAG_OFFSET) for c in run[0]) for run in _TAG_CHARACTERS.finditer(text))
        yield from _readable(_SELECTORS, text, lambda run: bytes(map(_selector_byte, run)))
        yield from (run[1][::-1] for run in _REVERSED.finditer(text))
    yield from _readable(_BASE64, text, lambda run: b64decode(run.rstrip("=") + "=" * (-len(run.rstrip("=")) % 4)))
    yield from _readable(_HEX, text, bytes.fromhex)
    if "\\" in text:
        yield from _readable(_ESCAPED, text, lambda run: run.encode("ascii").decode("unicode_escape").encode())
    if "%" in text and _PERCENT.search(text):
        yield unquote(text)
    if "&" in text and (plain := html.unescape(text)) != text:
        yield plain


def _readable(pattern: re.Pattern[str], text: str, decode: Callable[[str], bytes]) -> Iterator[str]:
    """Decode what looks encoded, and give what comes out as text."""
    for run in pattern.finditer(text):
        plain = _decoded(run[0], decode)
        if plain is not None and sum(c.isalpha() or c.isspace() for c in plain) >= _LEAST_READABLE * len(plain):
            yield plain


def _decoded(word: str, decode: Callable[[str], bytes]) -> str | None:
    """Decode one word; None where it was never encoded, as most long words are not."""
    try:
        return decode(word).decode()
    except ValueError:
        return None


def _selector_byte(selector: str) -> int:
    code = ord(selector)
    if code <= _LAST_SHORT_SELECTOR:
        return code - _FIRST_SELECTOR
    return code - _FIRST_LONG_SELECTOR + _SHORT_SELECTORS
