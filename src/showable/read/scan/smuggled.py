"""Text written in characters that nobody sees: tag characters spell ASCII, variation selectors spell bytes."""

from __future__ import annotations

_TAGS = 0xE0000
_TAG_SPACE, _TAG_TILDE = 0xE0020, 0xE007E
_FIRST_SHORT, _LAST_SHORT, _FIRST_LONG, _LAST_LONG = 0xFE00, 0xFE0F, 0xE0100, 0xE01EF
_SHORT = 16
_FEWEST_BYTES = 2


def hidden_text(run: str) -> str | None:
    """Spell out what a run of invisible characters says; None where it says nothing that can be read.

    Tag characters are ASCII moved up by 0xE0000. Of variation selectors 1 to 256 each stands for one byte of UTF-8.
    """
    tags = "".join(chr(ord(char) - _TAGS) for char in run if _TAG_SPACE <= ord(char) <= _TAG_TILDE)
    if tags:
        return tags
    selected = bytes(byte for char in run if (byte := _byte(ord(char))) is not None)
    if len(selected) < _FEWEST_BYTES:
        return None
    try:
        said = selected.decode()
    except UnicodeDecodeError:
        return None
    return said if said.replace("\n", " ").replace("\t", " ").isprintable() else None


def _byte(code: int) -> int | None:
    if _FIRST_SHORT <= code <= _LAST_SHORT:
        return code - _FIRST_SHORT
    return code - _FIRST_LONG + _SHORT if _FIRST_LONG <= code <= _LAST_LONG else None
