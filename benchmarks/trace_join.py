"""Traces a second of one core's time (CPU time, so that a busy machine moves it little): what each span says, and the join of 20 spans to a Record. No model, no store, no network.

A trace is the run of an agent: a root, chains, a rewriting, two retrievals, an embedding for each, a reranker, tools, and an answer with 3
citations. Light: 3 passages a retrieval; heavy: 8, and twice as many in the reranker's span. Citations stand in the text, or are published.

    python benchmarks/trace_join.py [--traces N]
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from typing import Any

from showable.read.answer import read_answer
from showable.records.evidence import Evidence
from showable.records.profile import GENERAL
from showable.records.spans import Span
from showable.rubrics.grade import grade
from showable.traces.assembling import Assembler
from showable.traces.conventions.read import read_span
from showable.traces.join import join

SECOND = 1_000_000_000
PASSAGES = [
    f"Clause {n} says what happens in the case of matter {n}. "
    + f"Matter {n} is settled by the parties in writing. " * 8
    for n in range(16)
]
ANSWER = "Matter 3 is settled by the parties of deed {} in writing [clause-3]. Matter 5 is, too, since day {} [clause-5]. Clause 4 says no more of deed {} [clause-4]."
"""With a number in each sentence, since no two answers of real traffic are the same, and what is remembered of a text must not help."""


def _published(answer: str) -> str:
    return json.dumps(
        [{"source_id": f"clause-{n}", "claim": claim} for n, claim in zip((3, 5, 4), answer.split(". "), strict=True)]
    )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traces", type=int, default=3000)
    count = parser.parse_args().traces
    for each, published in ((3, False), (3, True), (8, False), (8, True)):
        traces = [_trace(number, each, published=published) for number in range(count)]
        said = "published" if published else "in the text"
        print(f"{count:,} traces of {len(traces[0])} spans, {each} passages a retrieval, citations {said}")
        _timed("read_span", traces, lambda spans: [read_span(span) for span in spans])
        _timed("read_span + join", traces, join)
        _timed("read_span + join + grade", traces, _graded)
    _assembled(traces)


def _graded(spans: Sequence[Span]) -> None:
    for answer in join(spans):
        record = answer.record
        grade(record, read_answer(record, GENERAL), Evidence(id=record.id, judge="-"), GENERAL)


def _timed(name: str, traces: Sequence[Sequence[Span]], work: Any) -> None:
    begun = time.process_time()
    for spans in traces:
        work(spans)
    took = time.process_time() - begun
    print(f"  {name:<26} {len(traces) / took:8,.0f} traces/s {took / len(traces) * 1e6:8,.0f} µs a trace")


def _assembled(traces: Sequence[Sequence[Span]]) -> None:
    assembler = Assembler(2 * SECOND, 120 * SECOND, 200_000)
    begun, out, position = time.process_time(), 0, 0
    for number, spans in enumerate(traces):
        for span in spans:
            position += 1
            assembler.add(position, span, number * SECOND // 500)
        out += len(assembler.due(number * SECOND // 500))
        assembler.oldest_position()
    out += len(assembler.drain())
    took = time.process_time() - begun
    print(f"Assembler: {position / took:,.0f} spans/s, {out:,} of {len(traces):,} traces handed out")


def _trace(number: int, each: int, *, published: bool) -> list[Span]:
    trace = f"{number + 1:032x}"
    question, said = f"How is matter {number % 16} settled?", ANSWER.format(number, number, number)
    answer: dict[str, Any] = {
        **_said("llm.input_messages", [("system", "Answer from the passages."), ("user", _prompt(question, each))]),
        **_said("llm.output_messages", [("assistant", said)]),
        "llm.model_name": "m-1", "llm.token_count.prompt": 2000, "llm.token_count.completion": 60,
    }  # fmt: skip
    if published:
        answer["llm.output.citations"] = _published(said)
    steps: list[tuple[str, str | None, str, dict[str, Any]]] = [
        ("root", None, "CHAIN", {"input.value": question, "output.value": said}),
        ("rewrite", "root", "CHAIN", {}),
        ("rewriting", "rewrite", "LLM", {**_said("llm.input_messages", [("user", question)]), **_said("llm.output_messages", [("assistant", question[4:])])}),
        *((f"embed-{n}", "root", "EMBEDDING", {"input.value": question}) for n in range(2)),
        *((f"retriever-{n}", "root", "RETRIEVER", {"input.value": question[4:], **_documents("retrieval.documents", range(each * n, each * n + each))}) for n in range(2)),
        ("reranker", "root", "RERANKER", {**_documents("reranker.input_documents", range(2 * each)), **_documents("reranker.output_documents", range(2, 2 + each))}),
        *((f"tool-{n}", "root", "TOOL", {"input.value": "{}", "output.value": "ok"}) for n in range(4)),
        *((f"step-{n}", "root", "CHAIN", {"input.value": question}) for n in range(7)),
        ("answer", "root", "LLM", answer),
    ]  # fmt: skip
    return [
        Span(trace, f"{name}-{number}", parent and f"{parent}-{number}", name, SECOND + at * 1000, SECOND + (100_000 if at == 0 else at * 1000 + 900),
             "bench", {"openinference.span.kind": kind, **more})
        for at, (name, parent, kind, more) in enumerate(steps)
    ]  # fmt: skip


def _prompt(question: str, each: int) -> str:
    return "\n\n".join([*PASSAGES[2 : 2 + each], question])


def _said(prefix: str, messages: Sequence[tuple[str, str]]) -> dict[str, Any]:
    said = {}
    for number, (role, content) in enumerate(messages):
        said[f"{prefix}.{number}.message.role"] = role
        said[f"{prefix}.{number}.message.content"] = content
    return said


def _documents(prefix: str, numbers: Sequence[int]) -> dict[str, Any]:
    said: dict[str, Any] = {}
    for place, number in enumerate(numbers):
        said[f"{prefix}.{place}.document.id"] = f"clause-{number}"
        said[f"{prefix}.{place}.document.content"] = PASSAGES[number]
        said[f"{prefix}.{place}.document.score"] = 1.0 - place / 20
    return said


if __name__ == "__main__":
    main()
