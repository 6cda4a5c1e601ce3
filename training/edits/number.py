"""Figures: another figure of the passage, two figures swapped, a nearby figure."""

from __future__ import annotations

import random
import re

from edits.example import Change, Scope
from edits.reword import MONTHS, NUMBER_OF, WORD_OF
from edits.surface import put

_DIGITS = re.compile(
    r"(?<![\w.,/:–-])(?P<currency>[$£€]?)(?P<number>\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?P<percent>%?)(?![\w/:–-]|[.,]\d)"
)
_WORDS = re.compile(
    r"(?<![\w-])(?<!\bto )(?<!\bor )(?<!\band )(?:"
    + "|".join(w for w, n in NUMBER_OF.items() if n > 1)
    + r")(?=\s[a-z]{4,})(?!-|\s(?:hundred|thousand|million|billion|dozen|other|times))",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?:[A-Z]\w*|[Nn]o\.|[Ss]ections?|[Cc]hapters?|[Pp]art|[Aa]rticles?|[Cc]lauses?|[Pp]hase|[Tt]ype|[Ff]ig\.|[Pp]aragraphs?|out of)\s$"
)
_MONTH_AFTER = re.compile(rf"\s(?:{'|'.join(MONTHS)})\b")
_YEAR = re.compile(r"1[0-9]{3}|20[0-4]\d")


def _figures(text: str) -> list[re.Match[str]]:
    return [m for m in _DIGITS.finditer(text) if not _YEAR.fullmatch(m["number"]) and not _dated(m, text)]


def _dated(match: re.Match[str], text: str) -> bool:
    """A day of a month or the number of a section is no quantity; nor may the second of `8 out of 10` fall below 8."""
    return bool(_NAMED.search(text[: match.start()]) or _MONTH_AFTER.match(text[match.end() :]))


def _sort(match: re.Match[str], text: str) -> tuple[str, str, bool]:
    unit = re.match(r"\s(percent|per cent|million|billion|thousand)\b", text[match.end() :])
    return match["currency"], match["percent"] or (unit[1] if unit else ""), "." in match["number"]


def _nearby(number: str, rng: random.Random) -> str:
    if "." in number:
        places = len(number.split(".")[1])
        return f"{float(number) * rng.choice([0.4, 0.6, 0.8, 1.3, 1.6, 2.1]):.{places}f}"
    plain = int(number.replace(",", ""))
    if plain <= 10:
        return str(rng.choice([n for n in range(2, 13) if n != plain]))
    step = max(1, 10 ** (len(str(plain)) - 2))
    moved = max(2, round(plain * rng.choice([0.5, 0.7, 0.8, 1.2, 1.4, 1.8, 2]) / step) * step)
    if str(plain)[-1] != "0" and step > 1:
        moved += rng.randint(1, step - 1)
    return f"{moved:,}" if "," in number else str(moved)


def changes(sentence: str, scope: Scope, rng: random.Random) -> list[Change]:
    """Give up to three sentences with a wrong figure."""
    found = [*_from_passage(sentence, scope, rng), *_swapped(sentence, rng), *_moved(sentence, rng)]
    return [Change(text, "number") for text in found if text != sentence]


def _from_passage(sentence: str, scope: Scope, rng: random.Random) -> list[str]:
    figures = _figures(sentence)
    if not figures:
        return []
    place = rng.choice(figures)
    sort = _sort(place, sentence)
    rivals = [
        m["number"]
        for other in [*scope.sentences, *scope.others]
        for m in _figures(other)
        if _sort(m, other) == sort and m["number"] not in sentence and len(m["number"]) == len(place["number"])
    ]
    return [put(sentence, *place.span("number"), rng.choice(rivals))] if rivals else []


def _swapped(sentence: str, rng: random.Random) -> list[str]:
    figures = _figures(sentence)
    pairs = [
        (a, b)
        for i, a in enumerate(figures)
        for b in figures[i + 1 :]
        if _sort(a, sentence) == _sort(b, sentence)
        and a["number"] != b["number"]
        and len(re.findall(r"[A-Za-z]{3,}", sentence[a.end() : b.start()])) >= 2
        and not re.search(r"\b(?:from|between|of)\s\W*$", sentence[: a.start()])
    ]
    if not pairs:
        return []
    a, b = rng.choice(pairs)
    one = put(sentence, *b.span("number"), a["number"])
    return [put(one, *a.span("number"), b["number"])]


def _moved(sentence: str, rng: random.Random) -> list[str]:
    figures, words = _figures(sentence), list(_WORDS.finditer(sentence))
    places: list[tuple[int, int, str]] = [(*m.span("number"), _nearby(m["number"], rng)) for m in figures]
    for m in words:
        number = NUMBER_OF[m[0].lower()]
        other = rng.choice([n for n in WORD_OF if n != number and n > 1 and abs(n - number) < max(6, number)])
        places.append((*m.span(), WORD_OF[other]))
    return [put(sentence, *rng.choice(places))] if places else []
