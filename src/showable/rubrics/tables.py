"""The tables of a scorecard: one row a claim, a citation, a retrieved passage; and which of several searches brought it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import starmap

from showable.read.reading import Reading
from showable.records.findings import Finding, Outcome
from showable.records.record import Claim, Retrieval
from showable.records.scorecard import ChunkScore, CitationScore, ClaimScore
from showable.rubrics.behind_log import BehindLog
from showable.rubrics.gold_reading import GoldReading
from showable.rubrics.resolvability import Resolution
from showable.rubrics.retrieval_log import RetrievalLog
from showable.rubrics.semantic import ClaimSupport
from showable.rubrics.table_values import terms


def claim_scores(
    reading: Reading,
    resolutions: Sequence[Sequence[Resolution]],
    supports: Sequence[ClaimSupport],
    gold: GoldReading,
    behind: Sequence[BehindLog],
) -> Iterable[ClaimScore]:
    """Yield one row a claim."""
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
    """Yield one row a retrieved source: whether it supports a claim, alone or as a needed part of several citations.

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


_UNFOUND = frozenset({"semantic.not_entailed", "semantic.partial"})
_ABOUT_PASSAGES = _UNFOUND | {"semantic.contradicted", "semantic.miscalculated", "semantic.quote_does_not_support"}
_LOOKED_FOR = 0.5
"""Share of a claim's words that a query must have to have looked for it."""


def with_steps(findings: Sequence[Finding], claims: Sequence[Claim], log: RetrievalLog) -> list[Finding]:
    """Return findings on claims with the search that brought the passages cited, or that looked for what is nowhere.

    Those of a log that does not say which search brought what stay as they are.
    """
    steps = _steps(log)
    if not steps:
        return list(findings)
    return [_with_step(finding, claims, log, steps) for finding in findings]


def _steps(log: RetrievalLog) -> list[Retrieval]:
    """Return the searches of a log, each once, in order of rank."""
    found = (source.retrieval for group in log.by_id.values() for source in group if source.retrieval is not None)
    return list(dict.fromkeys(found))


def _with_step(finding: Finding, claims: Sequence[Claim], log: RetrievalLog, steps: Sequence[Retrieval]) -> Finding:
    number = finding.subject.claim
    if finding.outcome is not Outcome.FAIL or finding.code not in _ABOUT_PASSAGES or number is None:
        return finding
    claim = claims[number]
    told = list(_brought(claim, log))
    if finding.code in _UNFOUND:
        told.append(_looked_for(claim, steps))
    return finding.model_copy(update={"reason": "; ".join(filter(None, [finding.reason, *told]))})


def _brought(claim: Claim, log: RetrievalLog) -> Iterator[str]:
    """Yield what brought each passage that a claim cites."""
    for source_id in dict.fromkeys(citation.source_id for citation in claim.citations if citation.source_id in log):
        searches = {str(source.retrieval) for source in log.by_id[source_id or ""] if source.retrieval is not None}
        if searches:
            yield f"{source_id!r} was brought by {' and by '.join(sorted(searches))}"


def _looked_for(claim: Claim, steps: Sequence[Retrieval]) -> str:
    """Return which search had most of a claim's words in its query, or that none had; nothing where queries were not logged."""
    queries = [step for step in steps if step.query]
    words = frozenset(terms(claim.text))
    if not queries or not words:
        return ""
    best = max(queries, key=lambda step: len(words.intersection(terms(step.query or ""))))
    share = len(words.intersection(terms(best.query or ""))) / len(words)
    return f"{best} looked for it" if share >= _LOOKED_FOR else f"none of {len(queries)} searches looked for it"
