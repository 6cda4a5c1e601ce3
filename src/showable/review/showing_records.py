"""A record as the labelling page shows it: nothing of what the tool, or gold, says of it."""

from __future__ import annotations

from showable.records.record import Record, Source
from showable.records.scorecard import CitationScore, ClaimScore, Scorecard
from showable.report.page.answers import Given, given, own_words, place_of
from showable.report.page.texts import held, name
from showable.review.page_context import CitationShown, ClaimShown, PassageShown, RecordShown

_MOST_PLACES = 20


def show_record(record: Record, card: Scorecard) -> RecordShown:
    """Lay a record out: its claims as they were read, each citation with its place among the passages."""
    answer = given(record.answer)
    passages = record.retrieved or ()
    places = {source.source_id: at for at, source in reversed(list(enumerate(passages)))}  # the first of a name counts
    return RecordShown(
        id=record.id,
        name=name(record.id),
        question=held(record.question),
        answer=_held(answer.text),
        claims=tuple(_claim(claim, record, answer, places) for claim in card.claims),
        passages=tuple(_passage(source) for source in passages),
        logged=record.retrieved is not None,
    )


def _claim(claim: ClaimScore, record: Record, answer: Given, places: dict[str, int]) -> ClaimShown:
    cited = tuple(_citation(claim, citation, record, answer, places) for citation in claim.citations)
    return ClaimShown(held(claim.text), claim.span, cited)


def _citation(
    claim: ClaimScore, citation: CitationScore, record: Record, answer: Given, places: dict[str, int]
) -> CitationShown:
    at = places.get(citation.source_id or "")
    source = None if at is None else (record.retrieved or ())[at]
    words = (
        tuple(dict.fromkeys(own_words(claim, citation, record, answer)))[:_MOST_PLACES]
        if source and source.text
        else ()
    )
    found = {each: place_of(each, source) for each in words}
    return CitationShown(
        _held(citation.source_id),
        _held(citation.raw),
        citation.span,
        at,
        own_words=tuple(dict.fromkeys(place for place in found.values() if place)),
        missing_words=tuple(held(each) for each, place in found.items() if not place),
    )


def _passage(source: Source) -> PassageShown:
    page = None if source.page is None else str(source.page)
    return PassageShown(held(source.source_id), _held(source.text), _held(source.title), _held(page), _held(source.url))


def _held(text: str | None) -> str | None:
    return None if text is None else held(text)
