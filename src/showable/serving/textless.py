"""A row of which no text is to be kept: ids, outcomes and counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from showable.records.record import Record, Source
from showable.records.scorecard import CitationScore, Scorecard
from showable.records.traced import LiveScore


def as_kept(score: LiveScore) -> LiveScore:
    """Return a row as it is stored: without its texts, where they were for the judge alone and it reads them no more."""
    done = score.judged or not score.chosen
    return without_texts(score) if score.answer.texts_until_judged and done else score


def without_texts(score: LiveScore) -> LiveScore:
    """Return a row with no word of a question, a passage or an answer."""
    record, card, released = score.answer.record, score.scorecard, score.answer.released
    bare = Record(
        id=record.id,
        question="",
        answer=None,
        retrieved=None if record.retrieved is None else tuple(Source(source_id=s.source_id) for s in record.retrieved),
        trace_id=record.trace_id,
    )
    claims = [
        claim.model_copy(update={"text": "", "span": None, "corpus_by": (), "citations": _bare(claim.citations)})
        for claim in card.claims
    ]
    findings = [finding.model_copy(update={"reason": ""}) for finding in card.findings]
    offline = None if card.release is None else card.release.model_copy(update={"reasons": (), "text": None})
    update = {"claims": tuple(claims), "loose": _bare(card.loose), "findings": tuple(findings), "release": offline}
    scorecard: Scorecard = card.model_copy(update=update | {"why": ""})
    kept = None if released is None else released.model_copy(update={"reasons": (), "text": None})
    return replace(
        score, answer=replace(score.answer, record=bare, released=kept), scorecard=scorecard, diagnosis_why=""
    )


def _bare(citations: Sequence[CitationScore]) -> tuple[CitationScore, ...]:
    dropped = {"raw": None, "quote": None, "quote_span": None, "span": None, "reason": ""}
    return tuple(citation.model_copy(update=dropped) for citation in citations)
