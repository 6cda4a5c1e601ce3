"""What is wrong with one answer, in the words of its claim and its passage: what every report of a run shows first."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from heapq import nsmallest

from showable.measure.worst import failing_claim, needs_a_look, place
from showable.records.findings import Outcome
from showable.records.record import Record
from showable.records.scorecard import ClaimScore, Scorecard
from showable.report.page.words import CAUSES
from showable.report.run_view import Entry

_WORD = re.compile(r"\w{1,80}")
_SHORTEST_WORD = 4
"""Words as short as `the` say nothing about where in a passage a claim is spoken of."""
_NEAR = 20
_SCANNED = 200_000
"""Characters of a passage that are looked through for the claim's words."""


@dataclass(frozen=True, slots=True)
class Failure:
    """The claim that most likely decided the bucket, and the passage it is to be held against, retrieved or not.

    `number` counts claims from 1. `verdict` says how it fails. `source_id` and `passage` are None where the claim
    cites nothing that was retrieved; `gold` is the gold answer where the claim disagrees with it.
    """

    number: int
    claim: str
    verdict: str
    source_id: str | None
    passage: str | None
    gold: str | None


def what_failed(entry: Entry, *, limit: int = 400) -> Failure | None:
    """Return what failed in one answer, or None where no claim did. At most `limit` characters of the passage are given."""
    card, record = entry.card, entry.record
    claim = failing_claim(card)
    if claim is None:
        return None
    number = next(n for n, other in enumerate(card.claims, 1) if other is claim)
    source_id, passage = _passage(claim, record, limit)
    disagrees = claim.gold == "disagrees" and record.gold is not None
    return Failure(
        number=number,
        claim=claim.text,
        verdict=_verdict(claim),
        source_id=source_id,
        passage=passage,
        gold=record.gold.answer if disagrees and record.gold else None,
    )


def worst_entries(entries: Iterable[Entry], most: int) -> list[Entry]:
    """Return the worst entries that need a look, the worst first, holding no more than `most` at a time."""
    return nsmallest(
        most, (entry for entry in entries if needs_a_look(entry.card)), key=lambda entry: place(entry.card)
    )


def failed_findings(card: Scorecard, most: int = 5) -> list[str]:
    """Say the first checks that failed, for answers that no single claim brought down."""
    failed = [finding for finding in card.findings if finding.outcome is Outcome.FAIL]
    return [f"{finding.code} ({finding.subject}): {finding.reason}" for finding in failed[:most]]


def why_of(card: Scorecard) -> str:
    """Return why an answer is in its bucket: in the grader's words, else by its cause, else by its bucket alone."""
    return card.why or CAUSES.get(card.cause or "", card.bucket)


def _verdict(claim: ClaimScore) -> str:
    if claim.gold == "disagrees":
        return "disagrees with the gold answer"
    if claim.corpus_support is Outcome.PASS:
        return f"{claim.support}; the corpus supports it, and the retriever did not find that"
    if claim.corpus_contradicted is Outcome.PASS:
        return f"{claim.support}; the corpus contradicts it, and the retriever did not find that"
    return claim.support


def _passage(claim: ClaimScore, record: Record, limit: int) -> tuple[str | None, str | None]:
    """Return the passage that contradicts the claim, else one of the corpus that settles it, else one that it cites in vain."""
    if claim.corpus_by and not claim.contradicted_by:
        behind = claim.corpus_by[0]
        return behind.source_id, _excerpt(behind.text, claim.text, limit)
    failing = [c.source_id for c in claim.citations if Outcome.FAIL in (c.exists, c.supports)]
    cited = [c.source_id for c in claim.citations]
    wanted = [source_id for source_id in (*claim.contradicted_by, *failing, *cited) if source_id is not None]
    texts = {source.source_id: source.text for source in record.retrieved or () if source.text}
    found = next((source_id for source_id in wanted if source_id in texts), None)
    if found is None:
        return next(iter(wanted), None), None
    return found, _excerpt(texts[found] or "", claim.text, limit)


def _excerpt(text: str, claim: str, limit: int) -> str:
    """Cut out of a passage the stretch that shares most words with the claim, in one sweep over it."""
    if len(text) <= limit:
        return text
    wanted = {word for word in _WORD.findall(claim[:_SCANNED].casefold()) if len(word) >= _SHORTEST_WORD}
    spans = [match.span() for match in _WORD.finditer(text[:_SCANNED]) if match[0].casefold() in wanted]
    most, best, first = 0, (0, 0), 0
    for last, (_, end) in enumerate(spans):
        while end - spans[first][0] > limit:
            first += 1
        if last - first + 1 > most:
            most, best = last - first + 1, (spans[first][0], end)
    start = max(0, min((sum(best) - limit) // 2, len(text) - limit))  # what was found stands in the middle
    start, end = _at_words(text, start, start + limit)
    return f"{'… ' if start else ''}{text[start:end]}{' …' if end < len(text) else ''}"


def _at_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Move both ends inwards to a space, where there is one near."""
    if start and (space := text.find(" ", start, start + _NEAR)) >= 0:
        start = space + 1
    if end < len(text) and (space := text.rfind(" ", end - _NEAR, end)) > start:
        end = space
    return start, end
