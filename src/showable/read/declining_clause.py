"""Which words of a sentence decline: the clause around the declining phrases, apart from what the sentence asserts beside."""

from __future__ import annotations

import re
from collections.abc import Sequence

from showable.read.decline import Decline
from showable.read.inferred import JOINT, conclusion
from showable.records.regex import regex

__all__ = ["CONNECTIVE", "POLITE", "declining_clause", "declining_parts"]

POLITE = regex(
    r"^\W*(?:i(?:'m| am)(?: \w+)? (?:sorry|afraid)|sorry|unfortunately|thank|hello|hi\b|apologies|i apologi[sz]e|i understand|as an ai|great question|good question)[^.!?]{0,60}[.!]?$"
)
CONNECTIVE = regex(
    rf"(?P<joint>(?i:{JOINT.pattern}))|[\s,;:—–-]*(?:(?:[Bb]ut|[Hh]owever|[Tt]hough|[Yy]et|[Nn]evertheless|[Nn]onetheless|and)\b,?\s+)?"
)
"""What joins a declining clause to what follows it, and belongs to neither. A `joint` leads to a conclusion."""
_CONTRAST = regex(
    r"(?:[,;:—–-]\s*|\s)(?:but|however|though|yet|nevertheless|nonetheless|whereas|although|while(?!\s+\w+ing\b))\b,?\s+|;\s+|\s[—–]\s|(?<=\bpart|\bhalf):\s+"
)
_CONCESSION = regex(r"(?:however,? )?(?:although|though|while|whereas|even though)\b")
_AFTER_CONCESSION = regex(
    r",\s+(?=(?:the|it|there|this|that|its|section|clause|article|page|i|we|he|she|they|in|on|at|based|a|an|you)\b)"
)
_GROUND = regex(r"(?:(?:however|and|so),? )?(?:as|since|because|given that|seeing that)\b")
_COMMA = regex(r",\s+")
_SHORT_LEAD = 3


def declining_clause(sentence: str, declines: Sequence[Decline]) -> tuple[int, int]:
    """Take the clause that declines: the sentence, cut at a contrast or a conclusion that stands outside the declining words."""
    first, last = min(d.start for d in declines), max(d.end for d in declines)
    start, end = 0, len(sentence)
    for match in _CONTRAST.finditer(sentence):
        if match.end() <= first and not _is_polite_lead(sentence[: match.start()]):
            start = match.start()
        elif match.start() >= last:
            end = match.start()
            break
    concluded = _conclusion(sentence, last, len(sentence), declines)
    if concluded is not None:
        return start, min(end, concluded)
    return start, end if end < len(sentence) else _end_of_lead(sentence, last, declines)


def declining_parts(sentence: str, declines: Sequence[Decline]) -> list[tuple[int, int]]:
    """Take the clauses that decline, where a conclusion stands between them: "(nothing is said,) so it is safe, (but I cannot advise)"."""
    start, end = declining_clause(sentence, declines)
    parts: list[tuple[int, int]] = []
    reach = start
    for decline in sorted(declines, key=lambda one: one.start):
        back = _last_break(sentence, reach, decline.start)
        turn = _conclusion(sentence, reach, back, declines) if back is not None and reach > start else None
        if back is not None and turn is not None:
            parts.append((start, turn))
            start = back
        reach = max(reach, decline.end)
    return [*parts, (start, end)]


def _last_break(sentence: str, after: int, before: int) -> int | None:
    """Return where the clause that holds offset `before` begins, if that is after the offset `after`."""
    breaks = [match.start() for match in re.finditer(r"[,;]\s+|\s[—–-]\s", sentence[after:before])]
    return after + breaks[-1] if breaks else None


def _conclusion(sentence: str, after: int, before: int, declines: Sequence[Decline]) -> int | None:
    """Find a conclusion; what follows a refusal on principle, or a question back, is its reason and no conclusion."""
    if any(d.sense == "ask" or (d.sense == "harm" and not d.weak) for d in declines):
        return None
    return conclusion(sentence, after, before, absent=any(d.sense == "absent" for d in declines))


def _end_of_lead(sentence: str, last: int, declines: Sequence[Decline]) -> int:
    """Return where a leading clause that declines ends: "Although the lease is silent, …", "As no fee is mentioned, …"."""
    if _CONCESSION.match(sentence):
        comma = _AFTER_CONCESSION.search(sentence, last)
        return comma.start() if comma else len(sentence)
    comma = _COMMA.search(sentence, last) if _GROUND.match(sentence) else None
    if comma is None:
        return len(sentence)
    led = f", so {sentence[comma.end() :]}"
    return comma.start() if _conclusion(led, 0, len(led), declines) == 0 else len(sentence)


def _is_polite_lead(words: str) -> bool:
    """Check whether what stands before "but" is mere courtesy ("I'm sorry")."""
    return len(words.split()) <= _SHORT_LEAD or POLITE.match(words) is not None
