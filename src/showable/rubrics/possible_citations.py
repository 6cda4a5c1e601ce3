"""Claims of which it cannot be told whether they are cited: ``The rent is due [rent].`` without a log; those of an answer that came cut."""

from __future__ import annotations

from showable.read.possible_ids import find_possible_ids
from showable.read.reading import Reading
from showable.records.record import Claim
from showable.rubrics.retrieval_log import RetrievalLog


def possibly_cited(reading: Reading, log: RetrievalLog) -> frozenset[int]:
    """Give the numbers of the claims without citations that may have one: all where citations may have been lost on the way.

    Without a log, those are it in or after which stand bracketed words that could be ids. With one the answer is known, and none is given: words in brackets are citations where the log has ids such as they are.
    """
    if reading.answer is None or not (log.citations_doubt or (not log.logged and "[" in reading.text)):
        return frozenset()
    if log.citations_doubt:
        return frozenset(number for number, claim in enumerate(reading.answer.claims) if not claim.citations)
    places = find_possible_ids(reading.text)
    return frozenset(
        number
        for number, claim in enumerate(reading.answer.claims)
        if not claim.citations and _holds(claim, reading.text, places)
    )


def _holds(claim: Claim, text: str, places: list[tuple[int, int]]) -> bool:
    if claim.span is None:
        return bool(find_possible_ids(claim.text))
    start, end = claim.span
    return any(start <= at < end or (at >= end and not text[end:at].strip()) for at, _ in places)
