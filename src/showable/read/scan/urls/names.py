"""Internationalised host names: their ASCII form, and the scripts they mix (UTS 46; UTS 39, section 5)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from showable.read.scan.urls.hosts import HostFault

_ENCODED = "xn--"
_WRITTEN_TOGETHER = (
    frozenset({"LATIN", "HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "HAN", "BOPOMOFO"}),
    frozenset({"LATIN", "HAN", "HANGUL"}),
)
"""Scripts that one language mixes within a word: ``highly restrictive`` in UTS 39."""
_ALIKE = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU"})
"""Scripts with letters that look the same: any two of them in one label deceive."""
_NEUTRAL = frozenset({"COMMON", "INHERITED"})


class NoNameError(ValueError):
    """A host that is no valid internationalised name."""


def is_international(host: str) -> bool:
    """Check whether a host has letters outside ASCII, as they are or encoded as ``xn--``."""
    return not host.isascii() or _ENCODED in host.lower()


@lru_cache(maxsize=1024)
def both_forms(host: str) -> tuple[str, str]:
    """Return a host as it is asked for (ASCII) and as it is shown (Unicode). Raises NoNameError where it is no name."""
    import idna  # noqa: PLC0415 - most hosts are ASCII

    try:
        encoded = idna.encode(host, uts46=True, std3_rules=True).decode("ascii")
        return encoded, idna.decode(encoded)
    except (idna.IDNAError, ValueError) as error:
        raise NoNameError(str(error)) from None


def script_faults(shown: str, forms: str) -> Iterator[HostFault]:
    """Judge the mixture of scripts in each label of a name in Unicode."""
    for label in shown.split("."):
        if label.isascii():
            continue
        scripts = {script for char in label if (script := script_of(char)) not in _NEUTRAL}
        if len(scripts) <= 1 or any(scripts <= together for together in _WRITTEN_TOGETHER):
            continue
        mixed = " and ".join(sorted(script.capitalize() for script in scripts))
        if len(scripts & _ALIKE) > 1:
            yield "mixed_script", f"{forms}: one word mixes {mixed}, whose letters look alike", "error"
        else:
            yield "mixed_script", f"{forms}: one word mixes {mixed}", "warning"


def script_of(char: str) -> str:
    """Return the script of a character in capitals; COMMON and INHERITED belong to all."""
    from confusable_homoglyphs.categories import (  # type: ignore[import-untyped]  # noqa: PLC0415 - read from disk
        alias,
    )

    found: str | None = alias(char)
    return (found or "UNKNOWN").upper()


def folds_to_ascii(host: str) -> bool:
    """Check whether a host outside ASCII is written in styled or fullwidth forms of ASCII letters."""
    return not host.isascii() and unicodedata.normalize("NFKC", host).isascii()
