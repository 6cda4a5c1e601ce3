"""Say a sentence in other words: synonyms by table, and other ways of writing a figure or a date."""

from __future__ import annotations

import random
import re

from edits.reword_table import SUBSTITUTES
from edits.surface import put
from edits.verb_forms import ONLY_PAST
from showable.read.number_words import CARDINALS

_PHRASES = re.compile(
    r"(?<![\w'’-])(?:" + "|".join(re.escape(p) for p in sorted(SUBSTITUTES, key=len, reverse=True)) + r")(?![\w'’-])",
    re.IGNORECASE,
)
_NOT_WRITTEN = {"fourty", "dozen"}
WORD_OF: dict[int, str] = {number: word for word, number in CARDINALS.items() if word not in _NOT_WRITTEN}
NUMBER_OF: dict[str, int] = {word: number for number, word in WORD_OF.items()}
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_MONTH = "(" + "|".join(MONTHS) + ")"
_SCALE = {"thousand": 3, "million": 6, "billion": 9}
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”")
_BEFORE_WORD = re.compile(
    r"\b(?:in|by|at|of|of the|to|with|for|about|over|only|were|was|has|had|have|the|and|all|than|some|these)\s$"
)
_AFTER_DIGITS = re.compile(r"\s(?:[a-z]{4,}s|people|men|women|children|percent)\b")

_AFTER_NO = frozenset(
    [
        "more than",
        "less than",
        "many",
        "several",
        "often",
        "significantly",
        "almost",
        "nearly",
        "sufficient",
        "numerous",
        "only",
        "very",
        "entirely",
    ]
)
_NO_BEFORE = re.compile(r"\b(?:no|not|any|much|far|little|what|the|how|so) $", re.IGNORECASE)
_DETERMINED = re.compile(
    r"\b(?:the|its|his|her|their|these|those|next|last|past|first|an?|any|no|other|such|this|our|as|so|too|how) $",
    re.IGNORECASE,
)
_AFTER_HAVE = re.compile(
    r"\b(?:has|have|had|having|been|was|were|is|are|be|being|get|got|not|also|[a-z]+ly|'ve|'s|'d) $|'(?:ve|d|s) $"
)
_MOVED = re.compile(r"(?:rose|fell|increased|decreased|reduced) (?:to|from|by)$")

Spot = tuple[int, int, str]


def _spots(text: str, rng: random.Random) -> list[Spot]:
    found = []
    for match in _PHRASES.finditer(text):
        phrase = match[0]
        key = phrase if phrase in SUBSTITUTES else phrase.lower()
        initial = not text[: match.start()].strip('"“( ')
        if key not in SUBSTITUTES or (phrase != key and not initial):
            continue
        new = rng.choice(SUBSTITUTES[key])
        if _fits(text, match, key, new):
            found.append((match.start(), match.end(), new))
    return found


def _fits(text: str, match: re.Match[str], key: str, new: str) -> bool:
    """A phrase may need the words around it: `no more than` is no `no over`, `the next several` no `the next a number of`."""
    before, after = text[: match.start()], text[match.end() :]
    if key in _AFTER_NO and _NO_BEFORE.search(before):
        return False
    if _MOVED.match(key) and not re.match(r"\s(?:about |over |nearly )?[$£€]?\d", after):
        return False
    if key == "many" and not re.match(r"\s(?!millions|thousands|hundreds|times|years)[a-z]+s\b", after):
        return False
    if key == "if" and before and not before.endswith(", "):
        return False
    if new.split(maxsplit=1)[0] in ONLY_PAST and (_AFTER_HAVE.search(before) or after.startswith(" by")):
        return False
    return not (new.startswith("a ") and _DETERMINED.search(before)) and not before.endswith("-")


def figure_spots(text: str) -> list[Spot]:
    """List places where a figure or a date can be written in another way, with that way."""
    return [*_dates(text), *_digits(text), *_words(text), *_scales(text)]


def _dates(text: str) -> list[Spot]:
    found = [
        (m.start(), m.end(), f"{m[2]} {m[1]}, {m[3]}")
        for m in re.finditer(rf"\b(\d{{1,2}}) {_MONTH},? (\d{{4}})\b", text)
    ]
    found += [
        (m.start(), m.end(), f"{m[2]} {m[1]} {m[3]}")
        for m in re.finditer(rf"\b{_MONTH} (\d{{1,2}}), (\d{{4}})\b", text)
    ]
    return found


def _digits(text: str) -> list[Spot]:
    found = []
    for m in re.finditer(
        r"(?<![\w.,$£€#/:–-])(\d{1,2})(?![\w.,%/:–-]|\s(?:percent|per|million|billion|thousand|mg|m|km|cm))", text
    ):
        number = int(m[1])
        if (
            number in WORD_OF
            and number > 1
            and _AFTER_DIGITS.match(text[m.end() :])
            and _BEFORE_WORD.search(text[: m.start()])
        ):
            found.append((m.start(), m.end(), WORD_OF[number]))
    found += [
        (m.start(), m.end(), f"{m[1]} percent" if m[2] == "%" else f"{m[1]}%")
        for m in re.finditer(r"(?<![\w$£€])(\d+(?:\.\d+)?)(%| percent| per cent)(?!\w)", text)
    ]
    return found


def _words(text: str) -> list[Spot]:
    names = "|".join(sorted((w for w, n in NUMBER_OF.items() if n > 1), key=len, reverse=True))
    return [
        (m.start(), m.end(), str(NUMBER_OF[m[1]]))
        for m in re.finditer(
            rf"(?<![\w-])({names})(?=\s[a-z]{{3,}})(?!-| (?:and|or|to|of|times|thousand|hundred|million|billion|one|two|three|four|five|six)\b)",
            text,
        )
        if not re.search(r"(?:hundred|and|thousand|or)\s$", text[: m.start()])
    ]


def _scales(text: str) -> list[Spot]:
    found = []
    for m in re.finditer(r"(?<![\w.,])(\d{1,3})(?:\.(\d{1,3}))? (thousand|million|billion)\b(?! and)", text):
        zeros = _SCALE[m[3]] - len(m[2] or "")
        found.append((m.start(), m.end(), f"{int(m[1] + (m[2] or '') + '0' * zeros):,}"))
    for m in re.finditer(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?![\w,.]\d)\b", text):
        number = int(m[0].replace(",", ""))
        for word in ("billion", "million"):
            share = number / 10 ** _SCALE[word]
            if share >= 1 and share * 100 == int(share * 100):
                found.append((m.start(), m.end(), f"{share:g} {word}"))
                break
    return found


def reword(text: str, rng: random.Random, most: int = 4, *, figures: bool = True) -> str:
    """Say `text` with 1 to `most` phrases put in other words; the text itself comes back where nothing fits."""
    quoted = [m.span() for m in _QUOTED.finditer(text)]
    spots = _spots(text, rng) + (figure_spots(text) if figures else [])
    spots = [s for s in spots if not any(a < s[1] and s[0] < b for a, b in quoted)]
    rng.shuffle(spots)
    return apply_spots(text, spots, rng.randint(1, most))


def apply_spots(text: str, spots: list[Spot], most: int) -> str:
    """Put in the first `most` of `spots` that do not overlap."""
    taken: list[Spot] = []
    for spot in spots:
        if len(taken) < most and all(spot[1] <= a or spot[0] >= b for a, b, _ in taken):
            taken.append(spot)
    for start, end, new in sorted(taken, reverse=True):
        text = put(text, start, end, new)
    return text
