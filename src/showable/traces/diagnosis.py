"""Whose problem a failure is: the generator's or the retriever's, told from the retrieval log and from what was graded.

The same semantic score stands for two bugs: an answer that leaves good passages aside, and an answer to passages that do not
hold what was asked. What is proven decides: gold evidence in the log or not; what the corpus behind the log says; a claim that the log supports or
contradicts though its citations do not support it; a log that is empty. Ids that were never retrieved are the generator's, whatever else is wrong.

Where none of that is at hand, a heuristic does, and the words say so: how much of what the question asks for stands in the best passage of
the log. Its words are compared by their stems; names and numbers weigh double. From `COVERED` on the passages are taken to be about the
question, and the generator to have left them aside; up to `UNCOVERED` they are not, and the retriever is to blame; between the two, and where texts are
missing, it cannot be told. A log that may hold less than was retrieved blames no retriever. `benchmarks/trace_diagnosis.py` measures it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from showable.read.question_focus import topic
from showable.records.findings import Outcome
from showable.records.record import Record
from showable.records.scorecard import CitationScore, ClaimScore, Scorecard
from showable.records.traced import Diagnosis
from showable.rubrics.retrieval_log import LOG_DOUBT

COVERED = 0.6
UNCOVERED = 0.4
_NAME_OR_NUMBER = re.compile(r"(?<=\w )[A-Z][\w-]+|\b\d[\w.,/-]*")
_FEWEST_WORDS = 2
_Told = tuple[Diagnosis, str]


def diagnose(record: Record, scorecard: Scorecard) -> _Told:
    """Say whose problem a failure is, and why in words; ``none`` where nothing failed, ``unknown`` where it cannot be told."""
    if scorecard.bucket == "refused":
        return _refusal(record, scorecard)
    if not _failed(scorecard):
        if scorecard.bucket == "correct":
            return "none", "nothing failed"
        return "unknown", f"it is not known whether anything failed: {scorecard.why or 'it was not judged'}"
    known = {source.source_id for source in record.retrieved or ()}
    invented = any(c.exists is Outcome.FAIL and c.source_id not in known for c in _citations(scorecard))
    blamed, why = _retrieval(record, scorecard)
    if not invented:
        return blamed, why
    if blamed == "retriever":
        return "both", f"it cites what was not retrieved; and {why}"
    return "generator", "it cites what was not retrieved"


def _failed(scorecard: Scorecard) -> bool:
    axes = (scorecard.citation_exists, scorecard.citation_supports)
    return scorecard.bucket in {"wrong", "unsupported"} or Outcome.FAIL in axes


def _refusal(record: Record, scorecard: Scorecard) -> _Told:
    if scorecard.cause == "over_refusal":
        return "generator", "it declines though the evidence was retrieved"
    if scorecard.answerable and _gold_in_log(record) is False:
        return _unless_doubted(record, "it declines an answerable question, whose evidence was not retrieved")
    return "none", "it declines, and nothing says that it should have answered"


def _retrieval(record: Record, scorecard: Scorecard) -> _Told:
    """Return whether the log held what the answer needed."""
    if record.retrieved is None:
        return "unknown", "what was retrieved is not known"
    if not record.retrieved:
        return _unless_doubted(record, "the retrieval returned nothing")
    return next(_proofs(record, scorecard), None) or _by_question(record)


def _unless_doubted(record: Record, why: str) -> _Told:
    """Blame the retriever for what the log does not hold, where it holds all that was retrieved."""
    doubt = record.metadata.get(LOG_DOUBT)
    if isinstance(doubt, str) and doubt:
        return "unknown", f"{why}, as far as is known: {doubt}"
    return "retriever", why


def _proofs(record: Record, scorecard: Scorecard) -> Iterator[_Told]:
    gold = _gold_in_log(record)
    if gold is True:
        yield "generator", "the gold evidence was retrieved"
    if gold is False:
        yield _unless_doubted(record, "the gold evidence was not retrieved")
    if scorecard.cause == "wrong_source":
        yield "retriever", "the passage that it relies on supports what is wrong"
    failing = [claim for claim in scorecard.claims if claim.support != "supported"]
    if _any(claim.log_support for claim in failing):
        yield "generator", "the log supports a claim whose own citations do not"
    if _any(claim.contradicted for claim in failing):
        yield "generator", "a retrieved passage contradicts a claim"
    if missed := [claim for claim in failing if claim.corpus_support is Outcome.PASS]:
        yield _unless_doubted(record, f"the corpus supports what the log does not: {_shortened(missed[0])}")
    if _any(claim.corpus_contradicted for claim in failing):
        yield _unless_doubted(record, "the corpus holds a passage that contradicts a claim, and it was not retrieved")
    if failing == [] and scorecard.cause in {"bad_quote", "wrong_page"}:
        yield "generator", "it misquotes what was retrieved"


def _gold_in_log(record: Record) -> bool | None:
    if record.gold is None or not record.gold.evidence or record.retrieved is None:
        return None
    known = {source.source_id for source in record.retrieved}
    return all(evidence.source_id in known for evidence in record.gold.evidence)


def _by_question(record: Record) -> _Told:
    wanted = topic(record.question)
    texts = [
        f"{source.title or ''} {source.text}"
        for source in record.retrieved or ()
        if source.text and source.text.strip()
    ]
    if not texts:
        return "unknown", "the passages that were retrieved have no text"
    if len(wanted) < _FEWEST_WORDS:
        return "unknown", "the question has too few words of its own to look for in the passages"
    heavy = topic(" ".join(_NAME_OR_NUMBER.findall(record.question)))
    weights = {word: 2 if word in heavy else 1 for word in wanted}
    total = sum(weights.values())
    best = max(sum(weights[word] for word in wanted & topic(text)) for text in texts) / total
    said = f"the best passage holds {best:.0%} of what the question asks for (by its words)"
    if best >= COVERED:
        return "generator", f"{said}: it was retrieved, and not kept to"
    if len(texts) < len(record.retrieved or ()):
        return "unknown", f"{said}, but not every passage has its text"
    if best <= UNCOVERED:
        return _unless_doubted(record, f"{said}: the passages are about something else")
    return "unknown", f"{said}: too little to blame the generator, too much to blame the retriever"


def _any(outcomes: Iterable[Outcome]) -> bool:
    return any(outcome is Outcome.PASS for outcome in outcomes)


def _citations(scorecard: Scorecard) -> Iterator[CitationScore]:
    yield from scorecard.loose
    for claim in scorecard.claims:
        yield from claim.citations


def _shortened(claim: ClaimScore) -> str:
    return claim.text if len(claim.text) < 80 else f"{claim.text[:77]}…"  # noqa: PLR2004 - a line
