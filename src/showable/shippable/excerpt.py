"""The part of a passage that matters, cut to a few lines, with the words a judge relied on marked ``>>so<<``."""

from __future__ import annotations

import re
from collections import Counter

from showable.report.untrusted import printable

_WORD = re.compile(r"\w+")
_OPEN, _CLOSE = ">>", "<<"
_SHORTEST_WORD = 3
_LONGEST_READ = 200_000
"""Of a longer passage the beginning is searched: a failure message is not the place to read a book."""
_LEAST_BESIDE = 20
_SLACK = 4
"""Characters looked at for each one shown: what cannot be printed is left out, and runs of white space shrink."""


def quote_in(text: str, span: tuple[int, int], room: int) -> str:
    """Show the words at `span` (offsets into `text`), marked, with what stands around them, in about `room` characters."""
    start, end = max(0, span[0]), min(len(text), span[1])
    if start >= end:
        return head(text, room)
    relied = both_ends(text[start:end], room)
    beside = max(0, (room - len(relied)) // 2)
    if beside < _LEAST_BESIDE:  # half a word tells nothing
        return f"{'…' * bool(start)}{_OPEN}{relied}{_CLOSE}{'…' * (end < len(text))}"
    before = _last(text[max(0, start - beside * _SLACK) : start], beside, whole=start <= beside * _SLACK)
    after = _first(text[end : end + beside * _SLACK], beside, whole=len(text) - end <= beside * _SLACK)
    return f"{before}{_OPEN}{relied}{_CLOSE}{after}"


def head(text: str, room: int) -> str:
    """Show how a text begins."""
    return _first(text[: room * _SLACK], room, whole=len(text) <= room * _SLACK).strip()


def both_ends(words: str, room: int) -> str:
    """Show how long words begin and end: what they are about stands in front, what they say of it at the end."""
    if len(words) <= room:
        return printable(words)
    half = room // 2
    first, last = _first(words[: half * _SLACK], half, whole=False), _last(words[-half * _SLACK :], half, whole=False)
    return f"{first.removesuffix('…').strip()} … {last.removeprefix('…').strip()}"


def nearest(text: str, claim: str, room: int) -> str:
    """Show the stretch of a passage that shares most words with a claim. Nothing is marked: no judge pointed there."""
    if len(text) <= room:
        return head(text, room)
    wanted = {word for word in _WORD.findall(claim.casefold()) if len(word) >= _SHORTEST_WORD or word.isdigit()}
    places = [(m.start(), m[0].casefold()) for m in _WORD.finditer(text[:_LONGEST_READ]) if m[0].casefold() in wanted]
    at = _densest(places, room - room // 4)
    if at is None:
        return head(text, room)
    start = max(0, at - room // 8)
    return _from(text, start, room)


def _from(text: str, start: int, room: int) -> str:
    """Show a text from an offset on, saying where it was cut."""
    shown = _first(text[start : start + room * _SLACK], room, whole=len(text) - start <= room * _SLACK).strip()
    return shown if not start else f"…{shown.partition(' ')[2] or shown}"


def _densest(places: list[tuple[int, str]], width: int) -> int | None:
    """Return where the stretch of `width` characters begins that holds most different words; the first of equals."""
    held: Counter[str] = Counter()
    best, best_at, left = 0, None, 0
    for at, word in places:
        held[word] += 1
        while at - places[left][0] > width:
            gone = places[left][1]
            held[gone] -= 1
            if not held[gone]:
                del held[gone]
            left += 1
        if len(held) > best:
            best, best_at = len(held), places[left][0]
    return best_at


def _first(text: str, room: int, *, whole: bool) -> str:
    shown = _spaced(text)
    if len(shown) <= room and whole:
        return shown
    return f"{shown[:room].rpartition(' ')[0] or shown[:room]}…" if room else "…"


def _last(text: str, room: int, *, whole: bool) -> str:
    shown = _spaced(text)
    if len(shown) <= room and whole:
        return shown
    return f"…{shown[-room:].partition(' ')[2] or shown[-room:]}" if room else "…"


def _spaced(text: str) -> str:
    """Make a piece printable, and keep one space at either end where it had any: it stands beside others."""
    shown = printable(text)
    return f"{' ' * text[:1].isspace()}{shown}{' ' * text[-1:].isspace()}" if shown else ""
