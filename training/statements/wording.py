"""Words of a question in, a sentence out: spacing, capitals, and what marks a sentence turned wrongly."""

from __future__ import annotations

import re


def tokens(question: str) -> list[str] | None:
    """The words of a question without its mark; None where it speaks to the reader or denies something."""
    text = re.sub(r"\s+", " ", question.strip()).rstrip("?. ").strip()
    if (
        not text
        or "?" in text
        or re.search(r"\b(?:you|this passage|the passage|article|not|n't)\b", text)
        or "n't" in text
    ):
        return None
    return text.split()


def sentence(*parts: str | list[str]) -> str:
    """Parts joined as one sentence with a capital and a full stop."""
    words = [word for part in parts for word in (part if isinstance(part, list) else part.split())]
    text = " ".join(words)
    text = re.sub(r"\b(in|on|at|of|to|by|with|for|from|the) \1\b", r"\1", text)
    return text[:1].upper() + text[1:].rstrip(".") + "."


# A preposition left where its object was, a doubled auxiliary: marks of a question turned wrongly.
_BROKEN = re.compile(
    r"\b(?:of|for|with|to|by|as|at|into|from) (?:for|at|in|on|of|by|when|during|after|was|were|is|are|has|as|to)\b(?! (?:least|most|which|whom))|"
    r"\b(?:is|was|were|are|has|had) (?:is|was|were|are|has|had|did|does)\b|\bwhat\b[^,]*\bwhat\b|\b(?:be|did|does|the|a|an) ?\.$|^be ",
    re.IGNORECASE,
)


def fluent(text: str | None) -> str | None:
    """The text; None where it bears a mark of a question turned wrongly."""
    return None if text is None or _BROKEN.search(text) else text
