"""One question as the page shows it: both answers with their words compared, what each rests on, and the retrieval."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from showable.measure.worst import failing_claim
from showable.records.findings import Outcome
from showable.records.record import Record, Source
from showable.records.scorecard import CitationScore, ClaimScore, Scorecard
from showable.report.answer_text import answer_text
from showable.report.difference.changes import Change
from showable.report.difference.retrieval import RetrievalChange, retrieval_change
from showable.report.difference.word_changes import Pieces, WordChanges, word_changes
from showable.report.id_names import id_name
from showable.report.run_view import Entry
from showable.report.untrusted import printable

MOST_OF_ANSWER = 4_000
MOST_CLAIMS = 12
MOST_CITATIONS = 6
MOST_CITED = 24
_OF_PASSAGE = 600
_BEFORE_QUOTE = 80


@dataclass(frozen=True, slots=True)
class Cited:
    """One citation: what it cites, whether it holds, and the part of the passage that was relied on, marked."""

    name: str
    score: CitationScore
    title: str | None
    passage: Pieces

    @property
    def holds(self) -> str:
        """``good``, ``bad`` or ``open``."""
        outcomes = {self.score.exists, self.score.supports}
        if Outcome.FAIL in outcomes:
            return "bad"
        return "good" if outcomes <= {Outcome.PASS, Outcome.NOT_APPLICABLE} else "open"


@dataclass(frozen=True, slots=True)
class Claimed:
    """One claim of an answer with its citations; `decisive` where it most likely decided the bucket."""

    score: ClaimScore
    decisive: bool
    citations: tuple[Cited, ...]
    more: int


@dataclass(frozen=True, slots=True)
class Side:
    """One run's answer to one question. `more…` is how much is left out."""

    name: str
    record: Record
    card: Scorecard
    answer: Pieces | None
    more: int
    claims: tuple[Claimed, ...]
    more_claims: int
    cited: tuple[Cited, ...]
    more_cited: int


@dataclass(frozen=True, slots=True)
class Question:
    """One question with both its answers. `anchor` is the same for the same id, in any report."""

    change: Change
    anchor: str
    sides: tuple[Side, Side]
    words: WordChanges
    same_answer: bool
    retrieval: RetrievalChange


def question_of(change: Change, baseline: Entry) -> Question:
    """Lay one question out."""
    entries = (baseline, change.entry)
    texts = [answer_text(entry) for entry in entries]
    cut = [printable((text or "")[:MOST_OF_ANSWER], one_line=False) for text in texts]
    words = word_changes(*cut)
    before, after = (
        _side(name, entry, None if text is None else pieces, max(0, len(text or "") - MOST_OF_ANSWER))
        for name, entry, text, pieces in zip(
            ("baseline", "candidate"), entries, texts, (words.before, words.after), strict=True
        )
    )
    logs = (baseline.record.retrieved, change.entry.record.retrieved)
    return Question(change, anchor_of(change.id), (before, after), words, texts[0] == texts[1], retrieval_change(*logs))


def anchor_of(key: str) -> str:
    """Name the place of a question on the page by its id, so that a link to it needs no table."""
    return f"q={id_name(key)}"


def _side(name: str, entry: Entry, answer: Pieces | None, more: int) -> Side:
    record, card = entry
    sources = {source.source_id: source for source in reversed(record.retrieved or ())}
    claims = _claims(card, sources)
    cited = _all_cited(card, sources)
    return Side(
        name=name,
        record=record,
        card=card,
        answer=answer,
        more=more,
        claims=claims,
        more_claims=len(card.claims) - len(claims),
        cited=tuple(cited[:MOST_CITED]),
        more_cited=max(0, len(cited) - MOST_CITED),
    )


def _claims(card: Scorecard, sources: Mapping[str, Source]) -> tuple[Claimed, ...]:
    """Return the first claims, and the decisive one wherever it stands; no claim decides against an acceptable answer."""
    decisive = None if card.bucket in {"correct", "refused"} else failing_claim(card)
    shown = list(card.claims[:MOST_CLAIMS])
    if decisive is not None and not any(claim is decisive for claim in shown):
        shown[-1] = decisive
    return tuple(
        Claimed(
            claim,
            claim is decisive,
            tuple(_cited(citation, sources) for citation in claim.citations[:MOST_CITATIONS]),
            max(0, len(claim.citations) - MOST_CITATIONS),
        )
        for claim in shown
    )


def _all_cited(card: Scorecard, sources: Mapping[str, Source]) -> list[Cited]:
    """Return every source that the answer cites once, as its worst citation is."""
    ranks = {"bad": 0, "open": 1, "good": 2}
    worst: dict[str, Cited] = {}
    for citation in (*(each for claim in card.claims for each in claim.citations), *card.loose):
        cited = _cited(citation, sources)
        known = worst.get(cited.name)
        if known is None or ranks[cited.holds] < ranks[known.holds]:
            worst[cited.name] = cited
    return list(worst.values())


def _cited(citation: CitationScore, sources: Mapping[str, Source]) -> Cited:
    source = sources.get(citation.source_id or "")
    return Cited(
        citation.source_id or citation.raw or "?",
        citation,
        source.title if source else None,
        _passage(citation, source),
    )


def _passage(citation: CitationScore, source: Source | None) -> Pieces:
    """Return the words relied on within what stands around them; the beginning of the passage where none are known."""
    text = (source.text if source else None) or ""
    span = citation.quote_span
    if not text or span is None or not 0 <= span[0] < span[1] <= len(text):
        said = citation.quote
        return ((said[:_OF_PASSAGE], True),) if said else _opening(text)
    start, end = span[0], min(span[1], span[0] + _OF_PASSAGE)
    first, last = max(0, start - _BEFORE_QUOTE), min(len(text), max(end + _BEFORE_QUOTE, start + _OF_PASSAGE))
    pieces = (
        ("…" if first else "", False),
        (text[first:start], False),
        (text[start:end], True),
        ("…" if end < span[1] else "", True),
        (text[end:last], False),
        ("…" if last < len(text) else "", False),
    )
    return tuple(piece for piece in pieces if piece[0])


def _opening(text: str) -> Pieces:
    if not text:
        return ()
    return ((f"{text[:_OF_PASSAGE]}…" if len(text) > _OF_PASSAGE else text, False),)
