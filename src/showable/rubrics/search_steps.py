"""Which of several searches brought a passage, and whether any looked for what a claim says: named in the finding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from showable.records.findings import Finding, Outcome
from showable.records.record import Claim, Retrieval
from showable.rubrics.retrieval_log import RetrievalLog
from showable.rubrics.table_values import terms

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
    """Say which search had most of a claim's words in its query, or that none had; nothing where queries were not logged."""
    queries = [step for step in steps if step.query]
    words = frozenset(terms(claim.text))
    if not queries or not words:
        return ""
    best = max(queries, key=lambda step: len(words.intersection(terms(step.query or ""))))
    share = len(words.intersection(terms(best.query or ""))) / len(words)
    return f"{best} looked for it" if share >= _LOOKED_FOR else f"none of {len(queries)} searches looked for it"
