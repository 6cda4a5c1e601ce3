"""The tables of a scorecard: one row a claim, a citation, a retrieved passage."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import starmap

from showable.read.reading import Reading
from showable.records.findings import Outcome
from showable.records.scorecard import ChunkScore, CitationScore, ClaimScore
from showable.rubrics.behind_log import BehindLog
from showable.rubrics.gold_reading import GoldReading
from showable.rubrics.resolvability import Resolution
from showable.rubrics.retrieval_log import RetrievalLog
from showable.rubrics.semantic import ClaimSupport


def claim_scores(
    reading: Reading,
    resolutions: Sequence[Sequence[Resolution]],
    supports: Sequence[ClaimSupport],
    gold: GoldReading,
    behind: Sequence[BehindLog],
) -> Iterable[ClaimScore]:
    """Give one row a claim."""
    claims = reading.answer.claims if reading.answer else ()
    rows = zip(claims, reading.roles, resolutions, supports, gold.per_claim, behind, strict=True)
    for claim, role, resolved, support, agreement, corpus in rows:
        table = support.verdicts
        yield ClaimScore(
            text=claim.text,
            span=claim.span,
            kind=claim.kind,
            role=role,
            support=support.label,
            p=support.p,
            log_support=support.log,
            supported_by=tuple(i for i in table.single if table.of_whole(i) is Outcome.PASS),
            contradicted=support.contradicted,
            contradicted_by=tuple(table.contradicting),
            corpus_support=corpus.supports,
            corpus_contradicted=corpus.contradicts,
            corpus_by=corpus.passages,
            gold=agreement,
            citations=tuple(
                starmap(
                    lambda r, part, s=support: _citation_score(r, part, s),
                    zip(resolved, support.citations, strict=True),
                )
            ),
        )


def loose_score(resolution: Resolution) -> CitationScore:
    """Score a citation that hangs on no claim: it may exist, but there is nothing for it to support."""
    return CitationScore(
        source_id=resolution.citation.source_id or resolution.citation.url,
        raw=resolution.citation.raw,
        exists=resolution.exists,
        resolves=resolution.resolves,
        status=resolution.lookup.status if resolution.lookup else None,
        registry=resolution.lookup.registry if resolution.lookup else None,
        supports=Outcome.NOT_APPLICABLE,
        reason=resolution.reason,
        span=resolution.citation.span,
    )


def _citation_score(resolution: Resolution, part: tuple[Outcome, str], support: ClaimSupport) -> CitationScore:
    citation = resolution.citation
    verdict = support.verdicts.single.get(citation.source_id or "")
    return CitationScore(
        source_id=citation.source_id or citation.url,
        raw=citation.raw,
        exists=resolution.exists,
        resolves=resolution.resolves,
        supports=part[0],
        status=resolution.lookup.status if resolution.lookup else None,
        registry=resolution.lookup.registry if resolution.lookup else None,
        reason=resolution.reason or part[1],
        quote=verdict.quote if verdict else None,
        quote_span=verdict.quote_span if verdict else None,
        span=citation.span,
    )


def chunk_scores(
    log: RetrievalLog, resolutions: Sequence[Sequence[Resolution]], supports: Sequence[ClaimSupport]
) -> Iterable[ChunkScore]:
    """Give one row a retrieved source: whether it supports a claim, alone or as a needed part of several citations.

    It supports none only where it was read for every claim; what no verdict is about stays unknown.
    """
    carrying = {
        resolution.citation.source_id
        for resolved, support in zip(resolutions, supports, strict=True)
        for resolution, (outcome, _) in zip(resolved, support.citations, strict=True)
        if outcome is Outcome.PASS
    }
    for source_id in log.by_id:
        outcomes = [support.verdicts.of_whole(source_id) for support in supports]
        if source_id in carrying or Outcome.PASS in outcomes:
            supported = Outcome.PASS
        else:
            supported = Outcome.FAIL if set(outcomes) == {Outcome.FAIL} else Outcome.UNKNOWN
        yield ChunkScore(
            source_id=source_id,
            chars=len(log.texts.get(source_id, "")),
            supports=supported,
            relied_chars=_covered(_relied_on(source_id, supports)),
        )


def _relied_on(source_id: str, supports: Sequence[ClaimSupport]) -> Iterable[tuple[int, int]]:
    for support in supports:
        verdict = support.verdicts.single.get(source_id)
        if verdict is not None and verdict.quote_span and support.verdicts.of(source_id) is Outcome.PASS:
            yield verdict.quote_span


def _covered(spans: Iterable[tuple[int, int]]) -> int:
    """Count the characters that at least one span covers."""
    total = reached = 0
    for start, end in sorted(spans):
        total += max(0, end - max(start, reached))
        reached = max(reached, end)
    return total
