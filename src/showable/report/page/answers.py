"""The answer as it was given: the text that offsets index, and what its claims quote from their sources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from showable.read.quoted import quotations
from showable.read.structured import parse_structured
from showable.records.record import Answer, Claim, Record, Source
from showable.records.scorecard import CitationScore, ClaimScore
from showable.rubrics.quotes import find_quote

_JSON_STARTS = ("{", "[", "`", '"', "<")


@dataclass(frozen=True, slots=True)
class Given:
    """An answer: its text (None where it has none), its claims where it came as claims, and the raw JSON where it came as a string."""

    text: str | None
    claims: tuple[Claim, ...] = ()
    raw: str | None = None


def given(answer: Answer | str | None) -> Given:
    """Read how an answer arrived: as claims, as JSON in a string, or as plain text."""
    if isinstance(answer, Answer):
        return Given(answer.text, answer.claims)
    if answer is None or not answer.lstrip().startswith(_JSON_STARTS):
        return Given(answer)
    parsed = parse_structured(answer)
    if parsed is None or parsed[1] is None:
        return Given(answer)
    return Given(parsed[1].text, parsed[1].claims, raw=answer)


def own_words(claim: ClaimScore, citation: CitationScore, record: Record, answer: Given) -> Iterator[str]:
    """Yield what the model itself quotes beside this citation: its quoted span, and quotations in the claim's words."""
    for one in _as_given(claim, answer.claims):
        for cited in one.citations:
            same = (cited.source_id or cited.url) == citation.source_id and cited.raw in (None, citation.raw)
            if same and cited.quoted_span:
                yield cited.quoted_span
    yield from _in_words(claim, record)


def _as_given(claim: ClaimScore, claims: Sequence[Claim]) -> Iterator[Claim]:
    return (one for one in claims if one.text == claim.text)


def _in_words(claim: ClaimScore, record: Record) -> tuple[str, ...]:
    titles = [source.title for source in record.retrieved or () if source.title]
    return quotations(claim.text, titles, record.question)


def place_of(words: str, source: Source | None) -> tuple[int, int] | None:
    """Return where words that are given as a quotation stand in a source, or None where they do not, or there is no text."""
    if source is None or not source.text:
        return None
    found = find_quote(words, source.text)
    return None if found.match == "absent" else found.where
