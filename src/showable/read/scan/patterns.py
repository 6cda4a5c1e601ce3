"""Patterns of the user's own, in a language whose matching takes time in proportion to the text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from showable.errors import SettingError
from showable.read.scan.finding import Span
from showable.records.regex import regex

_UNSUPPORTED = (
    ("(?=", "a lookahead"),
    ("(?!", "a negative lookahead"),
    ("(?<=", "a lookbehind"),
    ("(?<!", "a negative lookbehind"),
    ("(?>", "an atomic group"),
    ("(?P", "a reference back to a group, or a group without a proper name,"),
    ("(?#", "a comment"),
    ("(?(", "a condition on a group"),
    ("(?", "a group of a kind that it does not have"),
)
"""What the other engine has and this one leaves out, by how it is written. The first that fits counts."""
_BACK = regex(r"\\[1-9]|\\k")
_ONE_BYTE = regex(r"(?<!\\)(?:\\\\)*\\C")
_SURROGATES = regex("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class PatternFinding:
    """A place where one of the user's patterns matches: the pattern's name, and the place in code points."""

    name: str
    where: Span


def scan_patterns(text: str, patterns: Mapping[str, str]) -> list[PatternFinding]:
    """Find every match of the user's patterns, by name, in order of place; a match of nothing is left out.

    The syntax is RE2's: Perl's, without what needs to go back in the text (lookaround, references back to
    a group, atomic groups), so that no pattern can take longer than a time linear in the text. Raises
    SettingError naming a pattern that cannot be read and what in it is unsupported.
    """
    compiled = {name: _compile(name, pattern) for name, pattern in patterns.items()}
    if not text:
        return []
    whole = text if text.isascii() else _SURROGATES.sub("\ufffd", text)  # half characters have no bytes to match
    found = [
        PatternFinding(name, match.span())
        for name, pattern in compiled.items()
        for match in pattern.finditer(whole)
        if match.start() < match.end()
    ]
    return sorted(found, key=lambda finding: (finding.where, finding.name))


@lru_cache(maxsize=256)
def _compile(name: str, pattern: str) -> Any:
    """Read one pattern; the engine's own log would go to standard error, past everybody."""
    import re2  # type: ignore[import-untyped]  # noqa: PLC0415 - most runs have no pattern

    if _ONE_BYTE.search(pattern):
        raise SettingError(f"pattern {name!r}: a single byte is not supported: \\C")
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        said = error.args[0] if error.args else ""
        raise SettingError(f"pattern {name!r}: {_why(_words(said))}") from None
    except UnicodeEncodeError:
        raise SettingError(f"pattern {name!r}: half a character (a lone surrogate)") from None


def _words(said: object) -> str:
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)


def _why(said: str) -> str:
    what, _, piece = said.partition(": ")
    if what.startswith("invalid perl operator"):
        kind = next((kind for opening, kind in _UNSUPPORTED if piece.startswith(opening)), "a Perl operator")
        return f"{kind} is not supported: {piece}"
    if what == "invalid escape sequence" and _BACK.match(piece):
        return f"a reference back to a group is not supported: {piece}"
    if what == "invalid repetition size":
        return f"more than 1000 repetitions are not supported: {piece}"
    if what == "bad repetition operator":
        return f"a possessive or doubled repetition is not supported: {piece}"
    return said or "cannot be read"
