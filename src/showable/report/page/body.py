"""One record as the page holds it: JSON-able, short where the record is endless, its passages apart so that they are kept once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from showable.measure.worst import failing_claim
from showable.records.findings import Finding
from showable.records.record import Gold, Record, Source
from showable.records.scorecard import CitationScore, ClaimScore, CorpusPassage, Release, Scorecard
from showable.records.signature import Thresholds
from showable.report.page.answers import Given, given, own_words, place_of
from showable.report.page.shortening import Body, shorten
from showable.report.page.texts import code_of, cut, held, line, name
from showable.report.page.uncertain import near_threshold
from showable.rubrics.retrieval_log import known_shown

MOST_OF_ANSWER = 60_000
MOST_OF_CLAIM = 2_000
MOST_OF_REASON = 1_000
MOST_OF_RETRIEVED = 600_000
"""Characters of all passages of one record together."""
MOST_ITEMS = 300
"""Claims, findings, citations, passages, and fields of metadata that are kept of one record, each."""
_MOST_QUOTATIONS = 4


def body_of(
    record: Record, card: Scorecard, thresholds: Thresholds, room: int = MOST_OF_RETRIEVED
) -> tuple[Body, list[str]]:
    """Return a record with its scorecard, and the texts of its passages; ``text`` of a passage is a place in that list.

    The passages are cut to `room` characters together.
    """
    answer = given(record.answer)
    texts: list[str] = []
    passages = list(_passages(record.retrieved or (), card, texts))
    sources = {source.source_id: source for source in reversed(record.retrieved or ())}
    shown, more = (None, 0) if answer.text is None else cut(answer.text, MOST_OF_ANSWER)
    body = {
        "id": name(record.id),
        "question": held(record.question[:MOST_OF_ANSWER]),
        "answer": shown,
        "more": more,
        "raw": None if answer.raw is None else cut(answer.raw, MOST_OF_ANSWER)[0],
        "nothing": record.answer is None,
        **_verdict(card),
        "gold": None if record.gold is None else _gold(record.gold),
        "claims": [_claim(claim, record, answer, sources, thresholds) for claim in _kept_claims(card)],
        "claims_more": max(0, len(card.claims) - MOST_ITEMS),
        "loose": [_citation(citation) for citation in card.loose[:MOST_ITEMS]],
        "findings": [_finding(finding) for finding in card.findings[:MOST_ITEMS]],
        "findings_more": max(0, len(card.findings) - MOST_ITEMS),
        "log": None if record.retrieved is None else len(record.retrieved),
        "passages": passages,
        "shown": None if (order := known_shown(record)) is None else [name(one) for one in order[:MOST_ITEMS]],
        "profile": record.profile and line(record.profile),
        "trace": record.trace_id and line(record.trace_id),
        "metadata": _fields(record.metadata),
    }
    body = _bare(body)
    return body, [held(text) for text in shorten(body, texts, room)]


def _bare(body: Body) -> Body:
    """Leave out what is empty: the page reads a missing field as nothing. Zero is something."""
    return {
        key: value for key, value in body.items() if value is not None and value is not False and value not in ("", [])
    }


def _verdict(card: Scorecard) -> Body:
    return {
        "bucket": card.bucket,
        "cause": card.cause,
        "why": line(card.why, MOST_OF_REASON),
        "category": card.category and line(card.category),
        "label": card.labelled and line(card.labelled),
        "expected": [line(one) for one in card.expected],
        "agreement": card.gold_agreement,
        "exists": card.citation_exists.value,
        "supports": card.citation_supports.value,
        "refusal": card.refusal,
        "basis": card.refusal_basis,
        "quality": card.refusal_quality,
        "points": [
            {"point": one.point, "earned": one.earned, "why": line(one.why, MOST_OF_REASON)}
            for one in card.refusal_points
        ],
        "extra": card.extra_claim_count,
        "release": None if card.release is None else _release(card.release),
    }


def _release(release: Release) -> Body:
    return {
        "verdict": release.verdict,
        "reasons": [line(reason, MOST_OF_REASON) for reason in release.reasons[:MOST_ITEMS]],
        "citations": release.citations,
        "resolved": release.resolved,
        "unresolved": release.unresolved,
        "text": release.text and held(release.text[:MOST_OF_CLAIM]),
    }


def _gold(gold: Gold) -> Body:
    return _bare(
        {
            "answer": gold.answer and held(gold.answer[:MOST_OF_ANSWER]),
            "aliases": [held(alias[:MOST_OF_CLAIM]) for alias in gold.aliases[:MOST_ITEMS]],
            "answerable": None if gold.answerable is None else ("yes" if gold.answerable else "no"),
            "why": gold.why and held(gold.why[:MOST_OF_CLAIM]),
            "evidence": [
                _bare({"source": name(one.source_id), "at": (one.start or 0, one.end) if one.end else None})
                for one in gold.evidence[:MOST_ITEMS]
            ],
        }
    )


def _kept_claims(card: Scorecard) -> Sequence[ClaimScore]:
    """Return the first claims, and the one that most likely decided wherever it stands."""
    failing = failing_claim(card)
    if failing is None or any(claim is failing for claim in card.claims[:MOST_ITEMS]):
        return card.claims[:MOST_ITEMS]
    return (*card.claims[: MOST_ITEMS - 1], failing)


def _claim(
    claim: ClaimScore, record: Record, answer: Given, sources: Mapping[str, Source], thresholds: Thresholds
) -> Body:
    return _bare(
        {
            "text": held(claim.text[:MOST_OF_CLAIM]),
            "span": claim.span,
            "kind": claim.kind and line(claim.kind),
            "role": claim.role,
            "support": claim.support,
            "p": None if claim.p is None else round(claim.p, 4),
            "at": None if claim.p is None else thresholds.of(claim.kind),
            "near": near_threshold(claim, thresholds),
            "log": claim.log_support.value,
            "by": [name(one) for one in claim.supported_by[:MOST_ITEMS]],
            "against": [name(one) for one in claim.contradicted_by[:MOST_ITEMS]],
            "corpus": [_corpus(passage) for passage in claim.corpus_by[:MOST_ITEMS]],
            "gold": claim.gold,
            "citations": [
                _citation(citation) | _own(claim, citation, record, answer, sources)
                for citation in claim.citations[:MOST_ITEMS]
            ],
        }
    )


def _corpus(passage: CorpusPassage) -> Body:
    """Return a passage that was not retrieved: it is in no list of passages, so that its text goes with it."""
    return _bare(
        {
            "source": name(passage.source_id),
            "title": passage.title and line(passage.title),
            "says": passage.says,
            "text": held(passage.text[:MOST_OF_CLAIM]),
        }
    )


def _citation(citation: CitationScore) -> Body:
    return _bare(
        {
            "source": citation.source_id and name(citation.source_id),
            "raw": citation.raw and line(citation.raw),
            "exists": citation.exists.value,
            "resolves": citation.resolves.value,
            "supports": citation.supports.value,
            "status": citation.status,
            "registry": citation.registry and line(citation.registry),
            "reason": line(citation.reason, MOST_OF_REASON),
            "quote": citation.quote and held(citation.quote[:MOST_OF_CLAIM]),
            "relied": citation.quote_span,
            "span": citation.span,
        }
    )


def _own(
    claim: ClaimScore, citation: CitationScore, record: Record, answer: Given, sources: Mapping[str, Source]
) -> Body:
    """Return what the model quotes of this source, each with its place in the source where it has one."""
    words = list(dict.fromkeys(own_words(claim, citation, record, answer)))[:_MOST_QUOTATIONS]
    source = sources.get(citation.source_id or "")
    own = [_bare({"text": held(one[:MOST_OF_CLAIM]), "at": place_of(one, source)}) for one in words]
    return {"own": own} if own else {}


def _finding(finding: Finding) -> Body:
    return _bare(
        {
            "code": code_of(finding.code),
            "outcome": finding.outcome.value,
            "about": str(finding.subject),
            "claim": finding.subject.claim,
            "reason": line(finding.reason, MOST_OF_REASON),
            "where": finding.where,
        }
    )


def _passages(retrieved: Sequence[Source], card: Scorecard, texts: list[str]) -> Iterator[Body]:
    """Yield what was retrieved, in rank order, and put the texts aside."""
    chunks = {chunk.source_id: chunk for chunk in card.chunks}
    for source in retrieved[:MOST_ITEMS]:
        chunk = chunks.get(source.source_id)
        place = None
        if source.text:
            place = len(texts)
            texts.append(source.text)
        yield _bare(
            {
                "source": name(source.source_id),
                "title": source.title and line(source.title),
                "page": None if source.page is None else line(str(source.page)),
                "url": source.url and line(source.url, MOST_OF_CLAIM),
                "doi": source.doi and line(source.doi),
                "score": None if source.score is None else f"{source.score:.6g}",
                "metadata": _fields(source.metadata),
                "text": place,
                "supports": chunk and chunk.supports.value,
                "relied": chunk and chunk.relied_chars,
            }
        )


def _fields(metadata: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return free fields as pairs of text, values that are no text as JSON."""
    shown = []
    for key, value in list(metadata.items())[:MOST_ITEMS]:
        said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
        shown.append((line(key), held(said[:MOST_OF_REASON])))
    return shown
