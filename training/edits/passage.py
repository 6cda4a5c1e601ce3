"""Passages into sentences, sentences worth an edit, and windows of sentences around one."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from showable.read.sentences import split_sentences

_PRONOUN = re.compile(
    r"(?:He|She|It|They|This|These|Those|That|His|Her|Its|Their|There|Such|Here|Both|Another|Some|Others)\b"
)
_BOILERPLATE = re.compile(r"Media playback|Media caption|Image copyright|may refer to|Last updated|[a-z]\.[A-Z]{3,}")
_FIRST_PERSON = re.compile(r"\b(?:I|you|You|your|my|we're|I'm)\b")
_VERBISH = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|do|does|did|can|could|will|would|shall|should|may|might|must|\w{2,}ed|"
    r"became|began|made|took|led|won|held|went|came|wrote|gave|found|saw|left|lost|rose|fell|grew|ran|built|bought|sold|"
    r"spent|said|says|includes?|contains?|makes?|takes?|uses?|provides?|remains?|requires?|refers?|means?|shows?)\b"
)
_SHORTEST, _LONGEST = 6, 45
_MIN_WINDOW, _MAX_WINDOW = 20, 180


def clean(text: str) -> str:
    """Undo the spacing and the bracket names of tokenised text."""
    for old, new in (("-LRB-", "("), ("-RRB-", ")"), ("-LSB-", "["), ("-RSB-", "]"), ("``", '"'), ("''", '"')):
        text = text.replace(old, new)
    text = re.sub(r"\s+([,;:?!)\]%]|\.(?!\d))", r"\1", text)
    text = re.sub(r"([(\[$£])\s+", r"\1", text)
    text = re.sub(r"\s+('s|n't|'re|'ve|'ll|'d)\b", r"\1", text)
    text = re.sub(r"(?<=\w)\s+(['’])\s+s\b", r"\1s", text)
    if text.count('"') % 2 == 0:
        text = re.sub(r'"\s*([^"]*?)\s*"', r'"\1"', text)
    return re.sub(r"\s+", " ", text).strip()


def sentences_of(passage: str) -> list[str]:
    """Split `passage` into its prose sentences, in order."""
    found = [passage[s.start : s.end].strip() for s in split_sentences(passage) if s.kind in ("prose", "list_item")]
    return [re.sub(r"\s+", " ", text) for text in found if text]


def usable(sentence: str, rng: random.Random) -> bool:
    """Say whether `sentence` is a whole, balanced statement of 6 to 45 words that an edit keeps fluent.

    A sentence that opens with a pronoun passes half the time.
    """
    words = sentence.split()
    if not _SHORTEST <= len(words) <= _LONGEST or not sentence.endswith((".", '."', ".”")):
        return False
    if not sentence[0].isalnum() or sentence[0].islower() or sentence.count('"') % 2 or "..." in sentence:
        return False
    if any(sentence.count(a) != sentence.count(b) for a, b in ("()", "[]", "“”")) or "?" in sentence or "!" in sentence:
        return False
    if (
        _BOILERPLATE.search(sentence)
        or _FIRST_PERSON.search(sentence)
        or not _VERBISH.search(sentence)
        or re.search(r"[|<>{}_=]|http|\*", sentence)
    ):
        return False
    if re.match(r"[A-Z ]{4,}:|\d+[.)]|\([a-z0-9]+\)", sentence) or re.search(
        r"\b[A-Z]{4,}\s[A-Z]{3,}\s[A-Z]{2,}", sentence
    ):
        return False
    return not _PRONOUN.match(sentence) or rng.random() < 0.5


def window(sentences: Sequence[str], first: int, last: int, rng: random.Random) -> tuple[list[str], list[str]]:
    """Take whole sentences before `first` and after `last`, to a random length of 20 to 180 words in all."""
    goal = rng.randint(_MIN_WINDOW, _MAX_WINDOW)
    size = sum(len(text.split()) for text in sentences[first : last + 1])
    low, high = first, last
    while size < goal and (low > 0 or high < len(sentences) - 1):
        before = low > 0 and (high == len(sentences) - 1 or rng.random() < 0.5)
        added = sentences[low - 1] if before else sentences[high + 1]
        size += len(added.split())
        if size > _MAX_WINDOW + 20:
            break
        low, high = (low - 1, high) if before else (low, high + 1)
    return list(sentences[low:first]), list(sentences[last + 1 : high + 1])
