"""Which words that seem to decline report a finding: that there are no exceptions, or that papers were lost.

"I found no exceptions; the order applies to everybody" answers whether there are any, where something is asserted beside
it. "The letters could not be found, the report says" tells what became of the letters.
"""

from __future__ import annotations

from showable.read.question_focus import stems
from showable.read.refusal_phrases import phrase

_WHETHER_THERE = phrase(r"(?:^|[.,;:] )(?:is|are|was|were|will) there\b")
_FOUND_NONE = phrase(
    r"(?:i|we) (?:have )?(?:(?:found|find|see|saw|(?:can|could) (?:find|see)) no|(?:(?:could|can|did|do)(?: not|n't)|cannot|have(?: not|n't)) (?:find|see|found|seen) any)\b"
)
_NOT_FOUND = phrase(
    r"(?:(?:cannot|can't|could not|couldn't) be (?:\w+ )?(?:found|located|identified)|not found|missing|absent)"
)
_LOST = phrase(
    r"\b(?:happened to|(?:becomes?|became) of|lost|missing|stolen|disappear\w*|vanish\w*|(?:was|were|been|ever) (?:\S+ ){0,4}?(?:found|recovered|located))\b"
)
_TOLD_OF = phrase(
    r", (?:according to [^,;]{1,80}|(?:[^\s,;]+ ){1,5}?(?:said|says|reports?|reported|writes|wrote|notes?|noted|found|concluded|recorded|records?))\W*$"
)


def finds_none(words: str, question: str) -> bool:
    """Tell whether words find none of what is asked about, where it was asked whether there is any. Both are lower-cased."""
    found = _FOUND_NONE.match(words)
    if found is None or _WHETHER_THERE.search(question) is None:
        return False
    return bool(stems(" ".join(words[found.end() :].split()[:6])) & stems(question))


def tells_of_loss(words: str, rest: str, question: str) -> bool:
    """Tell whether "could not be found" tells an event: because a loss was asked about, or because a source is quoted for it."""
    if _NOT_FOUND.fullmatch(words) is None:
        return False
    return _LOST.search(question) is not None or _TOLD_OF.search(rest) is not None
