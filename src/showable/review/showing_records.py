"""A record as the labelling page shows it: nothing of what the tool, or gold, says of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from showable.records.record import Record, Source
from showable.records.scorecard import CitationScore, ClaimScore, Scorecard
from showable.report.page.answers import Given, given, own_words, place_of
from showable.report.page.texts import held, name
from showable.review.page_context import CitationShown, ClaimShown, PassageShown, RecordShown

_MOST_PLACES = 20
_MOST_ALIKE = 50
_MOST_SEARCHED = 400_000_000
"""Characters of quotations times those of their passages, on one page: some two seconds where nothing is found at once."""


class _Places:
    """Where quotations stand in the passages: each is looked for once, and none any more when the page has cost enough."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], tuple[int, int] | None] = {}
        self._room = _MOST_SEARCHED

    def of(self, words: Sequence[str], source: Source) -> Iterator[tuple[str, tuple[int, int] | None]]:
        """Yield those of some quotations that were looked for, each with its place, or None where it stands nowhere."""
        for quotation in words:
            key = source.source_id, quotation
            if key not in self._found:
                self._room -= len(quotation) * len(source.text or "")
                if self._room < 0:
                    return
                self._found[key] = place_of(quotation, source)
            yield quotation, self._found[key]


def show_record(record: Record, card: Scorecard) -> RecordShown:
    """Lay a record out: its claims as they were read, each citation with its place among the passages."""
    answer = given(record.answer)
    passages = record.retrieved or ()
    passages_by_id = {source.source_id: at for at, source in reversed(list(enumerate(passages)))}  # the first of a name
    found = _Places()
    return RecordShown(
        id=record.id,
        name=name(record.id),
        question=held(record.question),
        answer=_held(answer.text),
        claims=tuple(_claim(claim, record, answer, passages_by_id, found) for claim in card.claims),
        passages=tuple(_passage(source) for source in passages),
        logged=record.retrieved is not None,
    )


def _claim(claim: ClaimScore, record: Record, answer: Given, passages: dict[str, int], found: _Places) -> ClaimShown:
    cited = tuple(_citation(claim, citation, record, answer, passages, found=found) for citation in claim.citations)
    return ClaimShown(held(claim.text), claim.span, cited)


def _citation(
    claim: ClaimScore,
    citation: CitationScore,
    record: Record,
    answer: Given,
    passages: dict[str, int],
    *,
    found: _Places,
) -> CitationShown:
    at = passages.get(citation.source_id or "")
    source = None if at is None else (record.retrieved or ())[at]
    placed = []
    if source and source.text:
        words = islice(
            own_words(claim, citation, record, answer), _MOST_ALIKE
        )  # claims that are alike quote for each other
        placed = list(found.of(tuple(dict.fromkeys(words))[:_MOST_PLACES], source))
    return CitationShown(
        _held(citation.source_id),
        _held(citation.raw),
        citation.span,
        at,
        own_words=tuple(dict.fromkeys(place for _, place in placed if place)),
        missing_words=tuple(held(words) for words, place in placed if not place),
    )


def _passage(source: Source) -> PassageShown:
    page = None if source.page is None else str(source.page)
    return PassageShown(held(source.source_id), _held(source.text), _held(source.title), _held(page), _held(source.url))


def _held(text: str | None) -> str | None:
    return None if text is None else held(text)
