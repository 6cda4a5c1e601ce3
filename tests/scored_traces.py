"""Scored answers of traces, as scoring keeps them: what is exported, and what evaluator spans are made of."""

from dataclasses import replace

from showable.read.answer import read_answer
from showable.records.evidence import Evidence, PairVerdict, Verdict
from showable.records.findings import Outcome
from showable.records.profile import GENERAL
from showable.records.record import Record, Source
from showable.records.traced import LiveScore, TracedAnswer
from showable.rubrics.grade import grade

TRACE, LLM, ROOT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", "00f067aa0ba902b7"
LOG = (
    Source(source_id="lease", text="The notice period is 30 days."),
    Source(source_id="rent", text="The rent is 900 euros."),
)
AT = 1_790_000_000_000_000_000
_OUTCOMES = {"supported": Outcome.PASS, "unsupported": Outcome.FAIL}


def live(
    text="The notice period is 30 days [lease].",
    label="supported",
    *,
    chosen=True,
    trace=TRACE,
    span=LLM,
    parent=ROOT,
    **changed,
):
    """Score an answer of one claim as serving does. `label` is the judge's verdict; None for a judge that was not asked."""
    record = Record(
        id=f"{trace}:{span}", question="How long is the notice period?", answer=text, retrieved=LOG, trace_id=trace
    )
    pairs = []
    if label:
        verdict = Verdict(label=label, judge="table", reason="the table says so" if label == "unknown" else None)
        pairs = [PairVerdict(claim=0, sources=("lease",), role="cited", verdict=verdict)]
    card = grade(
        record, read_answer(record, GENERAL), Evidence(id=record.id, judge="table", pairs=tuple(pairs)), GENERAL
    )
    answer = TracedAnswer(record, trace, span, parent, service="leases", name="chat", model="m", started_ns=AT - 10**9)
    failed = {f.rubric for f in card.findings if f.outcome is Outcome.FAIL}
    score = LiveScore(
        answer=answer,
        scorecard=card,
        structural=Outcome.FAIL if "structural" in failed else Outcome.PASS,
        resolvability=Outcome.FAIL if "resolvability" in failed else Outcome.PASS,
        semantic=_OUTCOMES.get(label, Outcome.UNKNOWN),
        stratum="clean",
        probability=0.15,
        chosen=chosen,
        judged=label is not None,
        signature="showable 0.1.0 | judge:table",
        profile="general",
        scored_ns=AT,
    )
    return replace(score, **changed)
