"""Made-up traffic for the dashboard: two services, two models, three prompt versions over three days, one of which went wrong.

`seed(store, now_ns)` fills any store.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache

from showable.measure.rubric_outcomes import rubric_outcomes
from showable.read.answer import read_answer
from showable.records.evidence import Evidence, PairVerdict, Verdict
from showable.records.findings import Outcome
from showable.records.profile import GENERAL
from showable.records.record import Record, Source
from showable.records.spans import Span
from showable.records.traced import LiveScore, Loss, TracedAnswer
from showable.rubrics.grade import grade

DAY = 86_400_000_000_000
NOW = 1_790_000_000_000_000_000
"""A fixed hour, for tests: 21 September 2026, 14:13 UTC."""
JUDGE = "made-up"
TICKET = (
    Source(
        source_id="fares-07",
        title="Fares and passes, §7",
        text="A day pass is valid until 03:00 on the following night. It covers zones A and B on buses and trams.",
        score=0.91,
    ),
    Source(
        source_id="fares-12",
        title="Fares and passes, §12",
        text="A lost pass is replaced once a year for a fee of 15 crowns; the old card is blocked at once.",
        score=0.83,
    ),
    Source(
        source_id="bikes-02",
        title="Bicycles on board",
        text="Bicycles travel free of charge outside the hours 07:00 to 09:00.",
        score=0.44,
    ),
)
LEASE = (
    Source(
        source_id="lease-4.2",
        title="Lease of Mill House, clause 4.2",
        text="The tenant may end this lease by written notice of three months to the end of a quarter.",
        score=0.88,
    ),
    Source(
        source_id="lease-9.1",
        title="Lease of Mill House, clause 9.1",
        text="Repairs up to 200 crowns in each case are borne by the tenant; all others by the landlord.",
        score=0.61,
    ),
)


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A kind of answer: what was asked, retrieved and said, and what the judge says of each claim's first citation."""

    question: str
    retrieved: tuple[Source, ...] | None
    answer: str
    verdicts: tuple[str, ...] = ()
    losses: tuple[Loss, ...] = ()


GOOD_TICKET = Shape(
    "Until when does a day pass hold, and what does a lost one cost?",
    TICKET,
    "A day pass is valid until 03:00 on the following night [fares-07]. Replacing a lost pass costs 15 crowns [fares-12].",
    ("supported", "supported"),
)
GOOD_LEASE = Shape(
    "How can the tenant of Mill House end the lease?",
    LEASE,
    "The tenant may end the lease by three months' written notice to the end of a quarter [lease-4.2].",
    ("supported",),
)
INVENTED = Shape(
    "Who pays for a broken boiler at Mill House?",
    LEASE,
    "The landlord pays for repairs above 200 crowns [lease-9.1]. A broken boiler has to be repaired within two days [lease-9.7].",
    ("supported", "unsupported"),
)
UNCITED = Shape(
    "May I take my bicycle on the tram at eight?",
    TICKET,
    "Bicycles may not travel between 07:00 and 09:00 [bikes-02]. Folded bicycles are always allowed.",
    ("supported", "unsupported"),
)
OFF_PASSAGE = Shape(
    "Is a lost pass replaced free of charge?",
    TICKET,
    "A lost pass is replaced free of charge twice a year [fares-12].",
    ("contradicted",),
)
REFUSES = Shape(
    "Does the lease of Mill House allow a dog?",
    LEASE,
    "I cannot answer that: the documents do not say whether animals are allowed. Please ask the landlord.",
)
NO_LOG = Shape(
    "What is the notice period?",
    None,
    "The notice period is three months [lease-4.2].",
    losses=(Loss("no_retrieval", "no retriever span stands before the answer in its trace"),),
)
MARKUP = Shape(
    "<script>alert(1)</script> what does \u202e§7\u202c say? \x1b[31m",
    (TICKET[0].model_copy(update={"text": "<img src=x onerror=alert(1)> A day pass is valid until 03:00."}),),
    "A day pass is valid until 03:00 </td><b>bold</b> [fares-07].",
    ("supported",),
)
ALL_SHAPES = (GOOD_TICKET, GOOD_LEASE, INVENTED, UNCITED, OFF_PASSAGE, REFUSES, NO_LOG, MARKUP)


@cache
def scored(shape: Shape, *, judged: bool) -> tuple[Record, object]:
    """Grade a shape once: the tool's own rubrics, and a judge that says what the shape says."""
    record = Record(id="x", question=shape.question, answer=shape.answer, retrieved=shape.retrieved)
    reading = read_answer(record, GENERAL)
    pairs = []
    claims = reading.answer.claims if reading.answer and judged else ()
    for number, (claim, label) in enumerate(zip(claims, shape.verdicts, strict=False)):
        cited = claim.citations[0].source_id if claim.citations else None
        for source in record.retrieved or ():
            own = source.source_id == cited
            said = label if own else "unsupported"
            verdict = Verdict(label=said, judge=JUDGE, p={"supported": 0.96, "contradicted": 0.02}.get(said, 0.04))
            pairs.append(
                PairVerdict(
                    claim=number, sources=(source.source_id,), role="cited" if own else "other", verdict=verdict
                )
            )
    evidence = Evidence(id="x", judge=JUDGE if judged else "-", pairs=tuple(pairs))
    return record, grade(record, reading, evidence, GENERAL)


def live(shape: Shape, number: int, started_ns: int, *, judged: bool, probability: float = 1.0, **fields) -> LiveScore:
    """Make the scored answer of a shape: trace and span ids are counted from `number`."""
    trace_id, span_id = f"{number + 1:032x}", f"{4:016x}"
    record, card = scored(shape, judged=judged)
    key = f"{trace_id}:{span_id}"
    outcomes = rubric_outcomes(card)._asdict()
    failing = Outcome.FAIL in (outcomes["structural"], outcomes["resolvability"])
    answer = TracedAnswer(
        record=record.model_copy(update={"id": key, "trace_id": trace_id}),
        trace_id=trace_id,
        span_id=span_id,
        parent_id=f"{1:016x}",
        started_ns=started_ns,
        name="chat",
        kind="LLM",
        spans=4,
        conventions=("openinference",),
        losses=shape.losses,
        complete=shape is not NO_LOG,
        **{"service": "transit-help", "model": "small-1", "prompt_version": "v1", "latency_ms": 840.0} | fields,
    )
    return LiveScore(
        answer=answer,
        scorecard=card.model_copy(update={"id": key}),
        **outcomes | ({} if judged else {"semantic": Outcome.UNKNOWN}),
        stratum="failure" if failing else "rest",
        probability=probability,
        chosen=judged,
        judged=judged,
        signature="version:0.1.0|rubric:1|parser:1|judge:made-up|prompt:-|thresholds:0.5|profile:general|registries:-|seed:0",
        profile="general",
        diagnosis="generator" if shape in (INVENTED, OFF_PASSAGE) else "unknown" if shape is NO_LOG else "none",
        scored_ns=started_ns + 3_000_000_000,
    )


def answers(now_ns: int = NOW, count: int = 420, seed: int = 7, days: int = 3) -> list[LiveScore]:
    """Give the traffic: evenly over some days, oldest first; in the last third prompt v3 of lease-desk invents sources."""
    chance = random.Random(seed)  # noqa: S311 - made-up traffic
    made = []
    for number in range(count):
        at = now_ns - days * DAY + (number * days * DAY) // count
        lease = number % 2 == 1
        late = at > now_ns - days * DAY // 3
        prompt = chance.choice(("v2", "v3") if late else ("v1", "v2"))
        shape = _drawn(chance.random(), lease=lease, broken=lease and prompt == "v3")
        failing = Outcome.FAIL in rubric_outcomes(scored(shape, judged=False)[1])[:2]
        probability = 1.0 if failing else 0.25
        fields = {
            "service": "lease-desk" if lease else "transit-help",
            "model": chance.choice(("small-1", "large-2")),
            "prompt_version": prompt,
            "latency_ms": round(chance.lognormvariate(6.6, 0.5), 1),
        }
        judged = chance.random() < probability
        made.append(live(shape, number, at, judged=judged, probability=probability, **fields))
    return made


def _drawn(share: float, *, lease: bool, broken: bool) -> Shape:
    if broken and share < 0.45:
        return INVENTED
    if share < 0.03:
        return INVENTED if lease else UNCITED
    if share < 0.10:
        return REFUSES
    if share < 0.14 and not lease:
        return OFF_PASSAGE
    if share < 0.16:
        return NO_LOG
    return GOOD_LEASE if lease else GOOD_TICKET


def spans_of(score: LiveScore) -> list[Span]:
    """Give the spans that an answer came from: a chain with a retriever, a reranker and a model call."""
    answer, record = score.answer, score.answer.record
    start, whole = answer.started_ns - 260_000_000, int((answer.latency_ms or 800) * 1e6)
    documents = {
        f"retrieval.documents.{at}.document.{name}": value
        for at, one in enumerate(record.retrieved or ())
        for name, value in (("id", one.source_id), ("content", one.text), ("score", one.score))
    }
    ordered = {
        f"reranker.output_documents.{key.partition('.')[2].partition('.')[2]}": documents[key] for key in documents
    }
    steps = [
        (1, None, "answer question", "CHAIN", 0, whole, {"input.value": record.question}),
        (2, 1, "search", "RETRIEVER", 8_000_000, 130_000_000, {"input.value": record.question, **documents}),
        (3, 1, "order passages", "RERANKER", 140_000_000, 250_000_000, ordered),
        (4, 1, "chat", "LLM", 260_000_000, whole - 5_000_000, {"llm.model_name": answer.model, **_messages(record)}),
    ]
    return [
        Span(
            trace_id=answer.trace_id,
            span_id=f"{number:016x}",
            parent_id=f"{parent:016x}" if parent else None,
            name=name,
            start_ns=start + begins,
            end_ns=start + max(ends, begins + 1_000_000),
            service=answer.service,
            attributes={"openinference.span.kind": kind, **attributes},
        )
        for number, parent, name, kind, begins, ends, attributes in steps
        if kind != "RETRIEVER" or record.retrieved is not None
    ]


def _messages(record: Record) -> dict[str, object]:
    return {
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.content": record.question,
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.content": record.answer,
        "evaluations.0.evaluation.name": "relevance (another tool)",
        "evaluations.0.evaluation.score": 0.82,
        "evaluations.0.evaluation.label": "relevant",
        "llm.token_count.prompt": 512,
        "llm.token_count.completion": 64,
    }


def long_trace(count: int, trace_id: str = "f" * 32) -> list[Span]:
    """Give one trace of many spans: an agent that calls a tool again and again, each call with a step inside."""
    spans = [Span(trace_id, f"{1:016x}", None, "agent", NOW, NOW + count * 1_000_000, "lease-desk")]
    for number in range(2, count + 1):
        parent = 1 if number % 2 == 0 else number - 1
        kind = "TOOL" if number % 2 == 0 else "CHAIN"
        at = NOW + number * 1_000_000
        attributes = {"openinference.span.kind": kind}
        spans.append(
            Span(
                trace_id,
                f"{number:016x}",
                f"{parent:016x}",
                f"step {number}",
                at,
                at + 900_000,
                "lease-desk",
                attributes,
            )
        )
    return spans


def seed(store, now_ns: int, count: int = 420, days: int = 3) -> list[LiveScore]:
    """Fill a store with the traffic, and with what the processes say of themselves; gives the scored answers."""
    made = answers(now_ns, count, days=days)
    spans = [span for one in made for span in spans_of(one)]
    for at in range(0, len(spans), 500):
        store.add_spans(spans[at : at + 500])
    store.add_scores(made, checkpoint=len(spans))
    store.set_gauges("receiver", {"at_ns": now_ns - 2_000_000_000, "spans_accepted": len(spans), "backlog_bytes": 0})
    store.set_gauges("scoring", {"at_ns": now_ns - 3_000_000_000, "scored_total": len(made), "lag_s": 2.4})
    return made
