"""Tell in microseconds that a structured answer is in order; what this cannot tell is checked the long way."""

from __future__ import annotations

import re

from showable.read.reading import Reading
from showable.records.profile import Profile
from showable.records.record import Citation, Source
from showable.rubrics.retrieval_log import RetrievalLog

_THREE_LETTERS = re.compile(r"\w\W*\w\W*\w")
_HOST = re.compile(r"\.[A-Za-z]")
"""What a host has and the end of a sentence has not: `example.org`, `e.g.`; not `It ended. He left.`"""


def citations_in_order(reading: Reading, log: RetrievalLog, profile: Profile) -> int | None:
    """Return how many citations an answer has where every check of it is known to pass, else None.

    That is a structured answer of claims alone, in plain ASCII without an address, whose every claim cites ids of the log
    and quotes their texts word for word. A test compares it with the checks themselves.
    """
    answer = reading.answer
    if answer is None or reading.form == "text" or reading.problems or reading.loose or profile.patterns:
        return None
    if not answer.claims or answer.text or answer.refusal != "none" or len(log) < len(log.by_id):
        return None
    if not _plain(reading.text.replace("\n\n", " ")) or "://" in reading.text or _HOST.search(reading.text):
        return None
    count = 0
    for claim in answer.claims:
        if not claim.citations or claim.kind is not None:
            return None
        for citation in claim.citations:
            sources = log.by_id.get(citation.source_id or "", ())
            if len(sources) != 1 or not _stands(citation, sources[0]):
                return None
        count += len(claim.citations)
    return count


def _stands(citation: Citation, source: Source) -> bool:
    """Return True for a quotation that stands in a source of which nothing else is known, between words."""
    quote, text = citation.quoted_span, source.text
    if not quote or not text or source.metadata or citation.page is not None or citation.url is not None:
        return False
    if citation.reference is not None or not _plain(quote) or not _plain(citation.source_id or ""):
        return False
    at = text.find(quote)
    if at < 0 or not _THREE_LETTERS.search(quote):
        return False
    end = at + len(quote)
    cut = (at > 0 and text[at - 1].isalnum() and quote[0].isalnum()) or (
        end < len(text) and text[end].isalnum() and quote[-1].isalnum()
    )
    return not cut


def _plain(text: str) -> bool:
    return text.isascii() and text.isprintable()
