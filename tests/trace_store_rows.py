"""Rows that the tests of every trace store are made of: spans, and scored answers."""

from __future__ import annotations

from showable.records import Outcome
from showable.records.record import Answer, Citation, Claim, Record, Source
from showable.records.scorecard import CitationScore, ClaimScore, Scorecard
from showable.records.spans import Span
from showable.records.traced import LiveScore, Loss, TracedAnswer

HOUR = 3_600_000_000_000
DAY = 24 * HOUR
NOON = 19_700 * DAY + 12 * HOUR
"""A noon in December 2023."""
T1, T2 = "0a" * 16, "0b" * 16
PASS, FAIL, UNKNOWN = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN


def span(n=1, trace=T1, **fields):
    return Span(trace, f"{n:016x}", **{"name": f"step {n}", "start_ns": NOON + n, "end_ns": NOON + n + 5, **fields})


def batch(of, trace=T1):
    return [span(n, trace) for n in range(1, of + 1)]


def scored(key="a", *, cites=("d1",), retrieved=("d1", "d2"), at=NOON, service="shop", bucket="correct", **fields):
    """One scored answer; what is cited and not retrieved fails to exist."""
    trace_id, span_id = f"{ord(key[0]):032x}", f"{ord(key[0]):016x}"
    log = None if retrieved is None else tuple(Source(source_id=i, text=f"text of {i}") for i in retrieved)
    claim = Claim(text="Thirty days.", citations=tuple(Citation(source_id=i) for i in cites))
    question = fields.pop("question", f"How long is {key}?")
    record = Record(id=f"{trace_id}:{span_id}", question=question, answer=Answer(claims=(claim,)), retrieved=log)
    citations = tuple(_cited(i, retrieved) for i in cites)
    card = Scorecard(
        id=record.id,
        bucket=bucket,
        cause={"unsupported": "invented_source", "wrong": "contradicts_gold"}.get(bucket),
        citation_exists=PASS,
        citation_supports=UNKNOWN,
        claims=(ClaimScore(text="Thirty days.", support="unknown", citations=citations),),
    )
    of_answer = {"model": "m1", "cohort": "", "prompt_version": "v1", "latency_ms": 12.5, "complete": True}
    of_answer = {name: fields.pop(name, value) for name, value in of_answer.items()}
    traced = TracedAnswer(
        record,
        trace_id,
        span_id,
        service=service,
        started_ns=at,
        parent_id="p1",
        conventions=("openinference",),
        losses=(Loss("no_ids", "the documents have no ids"),),
        **of_answer,
    )
    of_score = {"structural": PASS, "resolvability": PASS, "semantic": UNKNOWN, "stratum": "clean", "probability": 0.5}
    rest = {"chosen": False, "judged": False, "signature": "s", "profile": "legal", "scored_ns": at + 1}
    return LiveScore(traced, card, **{**of_score, **rest, **fields})


def _cited(source_id, retrieved):
    exists = UNKNOWN if retrieved is None else PASS if source_id in retrieved else FAIL
    return CitationScore(source_id=source_id, exists=exists, resolves=exists, supports=UNKNOWN)


def ids(found):
    return [one.id for one in found]
