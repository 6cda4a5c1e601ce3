"""Scores as the spans of kind EVALUATOR that any backend shows beside the answer they are about.

One span a rubric, in the trace of the answer and under the same parent, with exactly one link, to the answering span. Its attributes say
the same in every convention: OpenInference's evaluation results, those of FI, and the OpenTelemetry GenAI event ``gen_ai.evaluation.result``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from showable import __version__
from showable.former_name import FORMER
from showable.records.findings import Finding, Outcome
from showable.records.scorecard import ClaimScore
from showable.records.spans import Attributes, Span, SpanEvent, SpanLink
from showable.records.traced import LiveScore

MARKER = "showable.evaluator"
"""The attribute by which our own spans are known again; its value is the version that wrote them."""
_FORMER_MARKER = f"{FORMER}.evaluator"
RUBRICS = ("structural", "resolvability", "semantic")
EVENT = "gen_ai.evaluation.result"
MOST_WORDS, MOST_CLAIMS = 2_000, 50
"""Characters of an explanation, and claims told of: backends cut or refuse attributes far above."""
_VALUES = {Outcome.PASS: 1.0, Outcome.FAIL: 0.0}
_SCORED_AFTER_NS = 1_000_000


def is_ours(attributes: Attributes) -> bool:
    """Check whether a span is one of these, come back from wherever it was sent: it is never scored."""
    return MARKER in attributes or _FORMER_MARKER in attributes


def evaluator_spans(score: LiveScore, *, target: Span | None = None) -> list[Span]:
    """Return a span for every rubric that has been run.

    The semantic one is left out while the judge is still to be asked. Ids are made of what a span says, so that the same
    score sent twice is the same span twice. `target` is the answering span: what its resource says (service, project) these say too.
    An answer without a parent becomes the parent itself: a trace keeps its one root.
    """
    answer = score.answer
    return [
        Span(
            trace_id=answer.trace_id,
            span_id=_span_id(score, rubric, said),
            parent_id=answer.parent_id or answer.span_id,
            name=f"eval.{rubric}",
            start_ns=score.scored_ns,
            end_ns=score.scored_ns + _SCORED_AFTER_NS,
            service=answer.service if target is None else target.service,
            attributes=_attributes(score, rubric, said),
            links=(SpanLink(answer.trace_id, answer.span_id),),
            scope="showable",
            resource={"service.name": answer.service} if target is None else target.resource,
        )
        for rubric, said in _results(score)
    ]


def evaluation_events(score: LiveScore, *, target: Span | None = None) -> list[tuple[str, str, SpanEvent]]:
    """Return the same as log events ``gen_ai.evaluation.result``, each addressed to the answering span: (trace id, span id, event).

    `gen_ai.response.id` is there where `target` carries it. What came out unknown has `error.type` in place of a value.
    Its time is the answer's: the same score twice is then the same event twice, also where it comes back to who sent it.
    """
    answer = score.answer
    at_ns = answer.started_ns or score.scored_ns
    response = None if target is None else target.attributes.get("gen_ai.response.id")
    known: dict[str, Any] = {"gen_ai.response.id": response} if isinstance(response, str) else {}
    return [
        (answer.trace_id, answer.span_id, SpanEvent(EVENT, at_ns, known | _event(said))) for _, said in _results(score)
    ]


@dataclass(frozen=True, slots=True)
class _Said:
    """What is said of one rubric, before it is put in any convention's words."""

    rubric: str
    outcome: Outcome
    explanation: str

    @property
    def value(self) -> float | None:
        """1 or 0; None where nothing was decided, which is not 0."""
        return _VALUES.get(self.outcome)


def _results(score: LiveScore) -> Iterator[tuple[str, _Said]]:
    outcomes = {"structural": score.structural, "resolvability": score.resolvability, "semantic": score.semantic}
    for rubric in RUBRICS:
        waits = rubric == "semantic" and score.chosen and not score.judged
        if rubric in score.rubrics and not waits:
            yield rubric, _Said(rubric, outcomes[rubric], _explain(score, rubric, outcomes[rubric])[:MOST_WORDS])


def _explain(score: LiveScore, rubric: str, outcome: Outcome) -> str:
    if rubric == "semantic" and not score.judged and outcome is Outcome.UNKNOWN:
        return f"not read by the judge: {score.stratum}, chosen with probability {score.probability:g}"
    told = [_tell(f) for f in score.scorecard.findings if f.rubric == rubric and f.outcome is outcome]
    if told:
        return "; ".join(dict.fromkeys(told))
    if outcome is Outcome.PASS:
        return "everything that was checked is in order"
    if outcome is Outcome.NOT_APPLICABLE:
        return "the answer has nothing that this could be asked of"
    if rubric == "semantic" and score.scorecard.why:
        return score.scorecard.why
    return "what it takes to check this was not there"


def _tell(finding: Finding) -> str:
    return f"{finding.subject}: {finding.reason or finding.code}"


def _event(said: _Said) -> dict[str, Any]:
    event: dict[str, Any] = {
        "gen_ai.evaluation.name": said.rubric,
        "gen_ai.evaluation.score.label": said.outcome.value,
        "gen_ai.evaluation.explanation": said.explanation,
    }
    if said.value is not None:
        event["gen_ai.evaluation.score.value"] = said.value
    if said.outcome is Outcome.UNKNOWN:
        event["error.type"] = "unknown"
    return event


def _attributes(score: LiveScore, rubric: str, said: _Said) -> dict[str, Any]:
    first = "evaluations.0.evaluation."
    attributes = _event(said) | {
        "openinference.span.kind": "EVALUATOR",
        "gen_ai.span.kind": "EVALUATOR",
        "fi.span.kind": "EVALUATOR",
        "gen_ai.evaluation.target_span_id": score.answer.span_id,
        f"{first}name": said.rubric,
        f"{first}label": said.outcome.value,
        f"{first}explanation": said.explanation,
        f"{first}annotator_kind": "LLM" if rubric == "semantic" else "CODE",
        f"{first}identifier": score.signature,
        f"{first}metadata": _json({"profile": score.profile, "complete": score.answer.complete}),
        MARKER: f"showable@{__version__}",
        "showable.record": score.id,
        "showable.signature": score.signature,
        "showable.profile": score.profile,
        "showable.complete": score.answer.complete,
        "showable.claims": _json([_claim(rubric, claim) for claim in score.scorecard.claims[:MOST_CLAIMS]]),
        "showable.claims.count": len(score.scorecard.claims),
    }
    if said.value is not None:
        attributes[f"{first}score"] = said.value
    if rubric == _last(score):
        attributes |= _of_the_answer(score)
    return attributes


def _last(score: LiveScore) -> str:
    """Return the rubric whose span tells of the whole answer: the one that decides its bucket, so that it is told once."""
    return [rubric for rubric in RUBRICS if rubric in score.rubrics][-1]


def _of_the_answer(score: LiveScore) -> dict[str, Any]:
    said: dict[str, Any] = {
        "showable.bucket": score.bucket,
        "showable.why": score.scorecard.why[:MOST_WORDS],
        "showable.diagnosis": score.diagnosis,
        "showable.sample.stratum": score.stratum,
        "showable.sample.probability": score.probability,
        "showable.sample.chosen": score.chosen,
        "showable.judged": score.judged,
    }
    if score.diagnosis_why:
        said["showable.diagnosis.why"] = score.diagnosis_why[:MOST_WORDS]
    if score.scorecard.cause is not None:
        said["showable.cause"] = score.scorecard.cause
    return said


def _claim(rubric: str, claim: ClaimScore) -> Mapping[str, Any]:
    """Tell of a claim what the rubric found; words of the answer are cut, for the answering span has them."""
    told: dict[str, Any] = {"claim": claim.text[:300]}
    if rubric == "structural":
        return told | {"citations": len(claim.citations)}
    if rubric == "resolvability":
        return told | {
            "citations": [
                {"source_id": c.source_id, "exists": c.exists, "resolves": c.resolves, "reason": c.reason[:300]}
                for c in claim.citations
            ]
        }
    supports = [{"source_id": c.source_id, "supports": c.supports} for c in claim.citations]
    judged = {"support": claim.support, "contradicted_by": claim.contradicted_by, "citations": supports}
    return told | judged | ({} if claim.p is None else {"p": claim.p})


def _span_id(score: LiveScore, rubric: str, said: _Said) -> str:
    """Make the id of what the span says: a score that has changed is another span, one sent again the same.

    The signature counts for the rubric that decides alone: it names the judge, whom the others do not hear.
    """
    decided = (score.signature, score.bucket) if rubric == _last(score) else ()
    parts = (score.answer.trace_id, score.answer.span_id, rubric, said.outcome.value, said.explanation, *decided)
    return hashlib.blake2b("\x1f".join(parts).encode("utf-8", "replace"), digest_size=8).hexdigest()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
