"""Tell in microseconds that a structured answer is in order; what this cannot tell is checked the long way."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import orjson

from showable.records.profile import Profile
from showable.records.record import Source

_THREE_LETTERS = re.compile(r"\w\W*\w\W*\w")
_HOST = re.compile(r"\.[A-Za-z]")
"""What a host has and the end of a sentence has not: `example.org`, `e.g.`; not `It ended. He left.`"""
_ANSWER, _CLAIM, _CITATION = (
    frozenset({"claims", "refusal"}),
    frozenset({"text", "citations"}),
    frozenset({"source_id", "quoted_span"}),
)
_LONGEST, _MOST_CITATIONS = 100_000, 500
"""What is longer has limits of its own, which the long way knows."""


def citations_in_order(text: str, sources: Sequence[Source], profile: Profile) -> int | None:
    """Return how many citations an answer has where every check of it is known to pass, else None.

    That is JSON of claims alone, in plain ASCII without an escape or an address, whose every claim cites ids of the log and
    quotes their texts word for word. A test compares it with the checks themselves.
    """
    answer = None if profile.patterns or profile.own_schema is not None else _claims_alone(text)
    by_id = {source.source_id: source for source in sources}
    if answer is None or len(by_id) < len(sources):
        return None
    count, strings = 0, len(answer) + isinstance(answer.get("refusal"), str)
    for claim in answer["claims"]:
        cited = _citations(claim)
        if cited is None:
            return None
        strings += len(claim) + 1
        for citation in cited:
            source = by_id.get(citation["source_id"]) if _is_whole(citation) else None
            if source is None or not _stands(citation["quoted_span"], source):
                return None
        strings += 4 * len(cited)
        count += len(cited)
    # a field that stands twice is read once: then the text has more strings than were counted
    return count if text.count('"') == 2 * strings and count <= _MOST_CITATIONS else None


def _claims_alone(text: str) -> dict[str, Any] | None:
    """Return an answer of claims and nothing else, None for any other."""
    if not text.startswith("{") or not text.isascii() or "\\" in text or "://" in text or len(text) > _LONGEST:
        return None
    try:
        answer: dict[str, Any] = orjson.loads(text)
    except ValueError:
        return None
    alone = answer.keys() <= _ANSWER and answer.get("refusal", "none") == "none"
    return answer if alone and isinstance(answer.get("claims"), list) and answer["claims"] else None


def _citations(claim: Any) -> list[Any] | None:
    """Return the citations of a claim in plain words, None for anything else."""
    if not isinstance(claim, dict) or not claim.keys() <= _CLAIM:
        return None
    words, cited = claim.get("text"), claim.get("citations")
    if not isinstance(words, str) or not words[:1].isalnum() or not words.isprintable() or _HOST.search(words):
        return None
    return cited if isinstance(cited, list) and cited else None


def _is_whole(citation: Any) -> bool:
    return (
        isinstance(citation, dict)
        and citation.keys() == _CITATION
        and isinstance(citation["source_id"], str)
        and isinstance(citation["quoted_span"], str)
        and citation["source_id"].isprintable()
    )


def _stands(quote: str, source: Source) -> bool:
    """Return True for a quotation that stands in a source of which nothing else is known, between words."""
    text = source.text
    if not quote or not text or source.metadata or not quote.isprintable():
        return False
    at = text.find(quote)
    if at < 0 or not _THREE_LETTERS.search(quote):
        return False
    end = at + len(quote)
    cut = (at > 0 and text[at - 1].isalnum() and quote[0].isalnum()) or (
        end < len(text) and text[end].isalnum() and quote[-1].isalnum()
    )
    return not cut
