"""What a question asks for, part by part: "What is the price and the delivery time?" asks for two things."""

from __future__ import annotations

from showable.read.question_focus import stems
from showable.records.regex import regex

_JOINT = regex(r",\s*(?:and|or)\s+|\s+(?:and|or|as well as)\s+|[,;?]\s+")
_LONGEST = 30


def leaves_a_part(question: str, named: frozenset[str]) -> bool:
    """Check whether what is declined names one part of a question and nothing of another.

    Of a long question it is not told: its commas and joints seldom part what is asked.
    """
    if len(question.split()) > _LONGEST:
        return False
    parts = [found for part in _JOINT.split(question) if (found := stems(part))]
    return any(part & named for part in parts) and any(not part & named for part in parts)
