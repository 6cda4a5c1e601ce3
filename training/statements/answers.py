"""Answers as they stand in a sentence, and the kind of thing they name."""

from __future__ import annotations

import re

_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_YEAR = re.compile(r"^(?:c\. ?|around |about |circa )?(?:1[0-9]{3}|20[0-9]{2})(?: ?(?:BC|AD|BCE|CE))?$")
_DAY = re.compile(
    rf"^(?:{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:, ?\d{{4}})?|\d{{1,2}}(?:st|nd|rd|th)? {_MONTH}(?:,? \d{{4}})?)$"
)
_MONTH_YEAR = re.compile(rf"^(?:early |late |mid-)?{_MONTH}(?:,? (?:of )?\d{{4}})?$")
_CENTURY = re.compile(
    r"^(?:the )?(?:early |late |mid[- ])?(?:\d{1,2}(?:st|nd|rd|th)|[a-z]+th|first|second|third) (?:century|centuries)(?: (?:BC|AD|BCE|CE))?$",
    re.IGNORECASE,
)
_DECADE = re.compile(r"^(?:the )?(?:early |late |mid[- ])?\d{3}0['’]?s$")
_WORDS = "one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand million billion half dozen"
_NUMBER = re.compile(
    r"^(?:(?:about|around|over|nearly|almost|approximately|more than|less than|at least|some|roughly|up to) )?"
    rf"(?:[$£€]|US\$ ?)?(?:\d[\d,.]*|(?:{_WORDS.replace(' ', '|')})\b)",
    re.IGNORECASE,
)
_TIMES = re.compile(
    r"^(?:in|on|at|by|during|after|before|since|until|from|between|around|about|when|as|following|within|throughout|once|circa|for|near) ",
    re.IGNORECASE,
)
_PLACES = re.compile(
    r"^(?:in|on|at|from|near|to|into|within|around|along|across|between|under|inside|outside|throughout|off|behind|above|below|"
    r"north|south|east|west|over|by|beneath) ",
    re.IGNORECASE,
)
_CAUSES = re.compile(
    r"^(?:because|due to|to [a-z]+|for|so |in order|out of|as a result|since|owing to|thanks to)\b", re.IGNORECASE
)
_MEANS = re.compile(r"^(?:by|through|via|using|with|in|as|from|on|without|over) ", re.IGNORECASE)
_CLAUSE = re.compile(
    r"^(?:he|she|it|they|there|the [a-z]+ (?:was|were|is|are|had)|[A-Za-z]+ (?:was|were|is|are|had|could|would|did|has)) "
)
_LONGEST = 12


def clean(answer: str) -> str | None:
    """An answer without the punctuation around it; None where it is empty, long, or several sentences."""
    text = re.sub(r"\s+", " ", answer).strip().strip(",;: ")
    text = text if re.search(r"\b[A-Z]\.$", text) else text.rstrip(". ")
    quotes = text.count('"') % 2 or text.count("(") != text.count(")")
    if quotes:
        text = text.strip('"()')
    if (
        not text
        or len(text.split()) > _LONGEST
        or text.count('"') % 2
        or text.count("(") != text.count(")")
        or re.search(r"[.;?!] [A-Z]", text)
    ):
        return None
    return text


def kind(answer: str) -> str:
    """`year`, `day`, `month`, `century`, `decade`, `number`, `name` or `phrase`."""
    text = answer.strip()
    patterns = (
        ("year", _YEAR),
        ("day", _DAY),
        ("month", _MONTH_YEAR),
        ("century", _CENTURY),
        ("decade", _DECADE),
        ("number", _NUMBER),
    )
    for label, pattern in patterns:
        if pattern.match(text):
            return label
    words = [
        word for word in text.split() if word.lower() not in {"the", "of", "and", "de", "la", "von", "a", "in", "for"}
    ]
    return "name" if words and all(word[:1].isupper() for word in words) else "phrase"


def _lower_start(text: str) -> str:
    first = text.split(" ", 1)[0]
    small = {
        "The",
        "A",
        "An",
        "In",
        "On",
        "At",
        "By",
        "During",
        "After",
        "Before",
        "Because",
        "Since",
        "From",
        "It",
        "They",
        "He",
        "She",
        "To",
        "For",
    }
    small |= {
        "About",
        "Around",
        "Over",
        "More",
        "Between",
        "Due",
        "Through",
        "Its",
        "Their",
        "His",
        "Her",
        "One",
        "Two",
        "Three",
    }
    return text[:1].lower() + text[1:] if first in small else text


def inside(answer: str) -> str:
    """An answer as it stands within a sentence: an article or preposition at its start is lower-case."""
    return _lower_start(answer)


def timed(answer: str) -> str | None:  # noqa: PLR0911  (a table of forms reads best as one return each)
    """An answer to *when* with its preposition; None where no time is seen in it."""
    text = _lower_start(answer)
    label = kind(text)
    if (
        _TIMES.match(text)
        and label in {"phrase", "number", "name", "year"}
        and not re.match(r"^(?:around|about) \d", text)
    ):
        return text
    if label == "day":
        return "on " + text
    if label in {"year", "month"}:
        return "in " + text
    if label in {"century", "decade"}:
        return "in " + (text if text.startswith("the ") else "the " + text)
    if re.match(r"^(?:early|late|mid) \d{4}$|^(?:the )?(?:spring|summer|autumn|winter|fall) (?:of )?\d{4}$", text):
        return "in " + text
    if re.match(r"^\d{3,4} ?(?:BC|BCE|AD|CE)$|^(?:AD|BC) \d+$", text):
        return "in " + text
    return None


def placed(answer: str) -> str | None:
    """An answer to *where* with its preposition; None where no place is seen in it."""
    text = _lower_start(answer)
    if _PLACES.match(text):
        return text
    if re.search(r"\b(?:University|College|School|Academy|Airport|Institute|Hospital)\b", text) and not re.search(
        r"\bof$", text
    ):
        return "at " + text
    if kind(text) == "name" and not re.search(r"\d", text):
        return "in " + text
    if text.startswith("the ") and len(text.split()) < 7 and not re.search(r"\b(?:was|were|is|are)\b", text):
        return "in " + text
    return None


def caused(answer: str) -> str | None:
    """An answer to *why* with its link; None where it is neither a cause nor an aim."""
    text = _lower_start(answer)
    if _CAUSES.match(text):
        return text
    if _CLAUSE.match(text):
        return "because " + text
    finite = re.search(r"\b(?:was|were|is|are|had|has|have|did|would|could|can|will)\b", text)
    noun_like = re.match(
        r"^(?:the|a|an|its|his|her|their|lack|fear|poor|high|low|[a-z]+(?:tion|ness|ment|ity|ism|ing|ance|ence|s)) ?",
        text,
    )
    return "because of " + text if noun_like and not finite else None


def means(answer: str) -> str | None:
    """An answer to *how* where it names the means; None otherwise."""
    text = _lower_start(answer)
    return text if _MEANS.match(text) else None
