"""Dates: another year, month or weekday; since for until."""

from __future__ import annotations

import random
import re

from edits.example import Change, Scope
from edits.reword import MONTHS
from edits.surface import put

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_YEAR = re.compile(
    r"(?<![\w$£€.,/:–-])(1[1-9]\d\d|20[0-3]\d)(?![\w%/:–-]|[.,]\d|\s(?:people|men|members|km|miles|feet|m\b))"
)
_MONTH = re.compile(
    r"\b("
    + "|".join(m for m in MONTHS if m not in ("May", "March"))
    + r")\b|\b(May|March)(?=,? \d)|(?<=\d )(May|March)\b|(?<=\b[Ii]n )(May|March)\b"
)
_DAY = re.compile(r"\b(" + "|".join(_DAYS) + r")\b(?!\s[A-Z])")
_DECADE = re.compile(r"\b(1[1-9]\d|20[0-2])0s\b")
_CENTURY = re.compile(r"\b(\d{1,2})(st|nd|rd|th)(?=[ -][Cc]entur)")
_TURN = re.compile(r"\b(since|until)(?= (?:the )?(?:1[1-9]\d\d|20[0-3]\d|January|February|April|June|July|August))")


def _year(match: re.Match[str], scope: Scope, sentence: str, rng: random.Random) -> str:
    rivals = {m[1] for other in scope.sentences for m in _YEAR.finditer(other)} - set(_YEAR.findall(sentence))
    near = sorted(y for y in rivals if abs(int(y) - int(match[1])) < 80)
    if near and rng.random() < 0.6:
        return rng.choice(near)
    moved = int(match[1]) + rng.choice([-20, -10, -7, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 10, 20])
    return str(min(moved, 2024 if moved != int(match[1]) else 2019))


def _ordinal(number: int) -> str:
    ending = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def changes(sentence: str, scope: Scope, rng: random.Random) -> list[Change]:
    """Give up to two sentences with a wrong date."""
    places = [(*m.span(1), _year(m, scope, sentence, rng)) for m in _YEAR.finditer(sentence)]
    places += [(*m.span(), rng.choice([n for n in MONTHS if n != m[0]])) for m in _MONTH.finditer(sentence)]
    places += [(*m.span(), rng.choice([d for d in _DAYS if d != m[0]])) for m in _DAY.finditer(sentence)]
    places += [(*m.span(), f"{int(m[1]) + rng.choice([-3, -2, -1, 1, 2])}0s") for m in _DECADE.finditer(sentence)]
    places += [
        (m.start(), m.end(), _ordinal(max(1, int(m[1]) + rng.choice([-2, -1, 1, 2] if int(m[1]) < 19 else [-2, -1]))))
        for m in _CENTURY.finditer(sentence)
    ]
    places += [(*m.span(), "until" if m[1] == "since" else "since") for m in _TURN.finditer(sentence)]
    kept = [p for p in places if p[2] not in sentence]
    rng.shuffle(kept)
    return [Change(put(sentence, *place), "date") for place in kept[:2]]
