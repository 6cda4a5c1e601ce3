"""What instrumentations record of a turn, and what of it is lost: measured, and the same as in the documentation.

Each drives the same pipeline (`rag_loop`) in a process of its own against a model on loopback; its OTLP exporter sends here, and what
arrives is decoded, kept, joined and graded as serving does it.
"""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import rag_loop
from loopback import loopback

from showable.read.answer import read_answer
from showable.records.evidence import Evidence
from showable.records.findings import Outcome
from showable.records.profile import GENERAL
from showable.rubrics.grade import grade
from showable.stores.traces.opening import open_trace_store
from showable.traces.join import join
from showable.traces.otlp.decode import decode_logs, decode_request
from showable.traces.otlp.unpack import unpack

HERE = Path(__file__).parent
DOCS = HERE.parent.parent / "docs" / "instrumentations.md"
MOST = 2**20
COLUMNS = ("question", "passages", "ids", "answer", "citations", "they lead to", "tokens")
EXPECTED = {
    "openinference-openai": ("the whole prompt", "lost", "lost", "kept", "read from the text", "unknown", "kept"),
    "openinference-openai+answering": ("kept", "kept", "kept", "kept", "read from the text", "their passages", "kept"),
    "openinference-openai+answered": ("kept", "kept", "kept", "kept", "published", "their passages", "kept"),
    "openinference-langchain": ("kept", "kept", "kept", "kept", "read from the text", "their passages", "kept"),
    "traceai-openai": ("the whole prompt", "lost", "lost", "kept", "read from the text", "unknown", "kept"),
    "traceai-openai+answering": ("kept", "kept", "kept", "kept", "read from the text", "their passages", "kept"),
    "traceai-langchain": ("kept", "kept", "made of the text", "kept", "read from the text", "their passages", "kept"),
    "traceai-langchain+id": ("kept", "kept", "kept", "kept", "read from the text", "their passages", "kept"),
    "openllmetry-openai": ("the whole prompt", "lost", "lost", "kept", "read from the text", "unknown", "kept"),
    "openllmetry-openai+answering": ("kept", "kept", "kept", "kept", "read from the text", "their passages", "kept"),
    "openllmetry-langchain": (
        "kept",
        "kept",
        "made of the text",
        "kept",
        "read from the text",
        "their passages",
        "kept",
    ),
    "openllmetry-langchain+id": ("kept", "kept", "kept", "kept", "read from the text", "their passages", "kept"),
    "otel-openai-v2": ("lost", "lost", "lost", "lost", "lost", "unknown", "lost"),
    "otel-openai-v2-events": ("the whole prompt", "lost", "lost", "kept", "read from the text", "unknown", "kept"),
    "otel-openai-v2-spans": ("the whole prompt", "lost", "lost", "kept", "read from the text", "unknown", "kept"),
    "otel-openai-v2-spans+answering": ("kept", "kept", "kept", "kept", "read from the text", "their passages", "kept"),
}
NAMES = {
    "openinference-openai": "openinference-instrumentation-openai",
    "openinference-langchain": "openinference-instrumentation-langchain",
    "traceai-openai": "traceAI-openai",
    "traceai-langchain": "traceAI-langchain",
    "openllmetry-openai": "opentelemetry-instrumentation-openai (OpenLLMetry)",
    "openllmetry-langchain": "opentelemetry-instrumentation-langchain (OpenLLMetry)",
    "otel-openai-v2": "opentelemetry-instrumentation-openai-v2, as it comes",
    "otel-openai-v2-events": "opentelemetry-instrumentation-openai-v2, `event_only`",
    "otel-openai-v2-spans": "opentelemetry-instrumentation-openai-v2, `span_only`",
}
ADDED = {
    "": "",
    "answering": " + `trace.answering`",
    "answered": " + `trace.answering`, `answered`",
    "id": " + `id` in the metadata",
}


@pytest.fixture(scope="module")
def received():
    """Run every case, two at a time, and give what the receiver got of each."""
    if importlib.util.find_spec("openinference") is None:
        pytest.skip("run `make test-traces`, which installs the instrumentations")
    # What is set up on this machine for traces and proxies is not for these loops.
    plain = {
        name: value
        for name, value in os.environ.items()
        if not re.search(r"^(OTEL|LANGCHAIN|LANGSMITH|FI)_|_proxy$", name, re.IGNORECASE)
    }
    waiting, running = list(rag_loop.CASES), []
    with loopback(rag_loop.ANSWER) as (chat, otlp, got):
        while waiting or running:
            while waiting and len(running) < 2:
                case = waiting.pop()
                command = [sys.executable, HERE / "rag_loop.py", case, chat, f"{otlp}/{case}"]
                running.append((case, subprocess.Popen(command, env=plain, stderr=subprocess.PIPE, text=True)))
            case, process = running.pop(0)
            _, said = process.communicate(timeout=120)
            assert process.returncode == 0, f"{case}: {said[-2000:]}"
    return got.requests


def kept(requests, tmp_path):
    """Decode the requests as they came, keep them, and give the spans back."""
    store = open_trace_store(tmp_path / "traces.db")
    try:
        traces = set()
        for path, headers, packed in requests:
            body = unpack(packed, headers.get("Content-Encoding"), MOST)
            if path == "traces":
                found = decode_request(body, headers["Content-Type"])
                assert found.rejected == 0
                store.add_spans(found.spans)
                traces |= {span.trace_id for span in found.spans}
            else:
                store.add_events(decode_logs(body, headers["Content-Type"]).events)
        (trace_id,) = traces
        return store.spans_of(trace_id)
    finally:
        store.close()


def row(answers):
    """Say in words what became of each part of the turn."""
    if not answers:
        return ("lost", "lost", "lost", "lost", "lost", "unknown", "lost")
    (found,) = answers
    record, texts = found.record, [text for _, text, _ in rag_loop.PASSAGES]
    log = record.retrieved or ()
    said = record.answer if isinstance(record.answer, str) else record.answer.text
    codes = {loss.code for loss in found.losses}
    asked = "kept" if record.question == rag_loop.QUESTION else "lost"
    if rag_loop.QUESTION in record.question and asked == "lost":
        asked = "the whole prompt"
    ids = [source.source_id for source in log]
    named = "lost" if not ids else "made of the text" if "hashed_ids" in codes else "kept"
    if named == "kept":
        assert ids == [source for source, _, _ in rag_loop.PASSAGES]
    card = grade(record, read_answer(record, GENERAL), Evidence(id=record.id, judge="-"), GENERAL)
    leads = {Outcome.PASS: "their passages", Outcome.UNKNOWN: "unknown"}[card.citation_exists]
    if leads == "their passages":
        assert [[c.source_id for c in claim.citations] for claim in card.claims] == [[ids[0]], [ids[1]]]
    return (
        asked,
        "kept" if [source.text for source in log] == texts else "lost",
        named,
        "kept" if said == rag_loop.ANSWER else "lost",
        "read from the text" if "citations_from_text" in codes else "published",
        leads,
        "kept" if (found.tokens_in, found.tokens_out) == (400, 50) else "lost",
    )


@pytest.mark.parametrize("case", rag_loop.CASES)
def test_what_is_kept_and_what_is_lost(case, received, tmp_path):
    # Source: what the packages locked for these tests send; what the pipeline did is written down in `rag_loop`.
    spans = kept(received[case], tmp_path)
    assert {span.service for span in spans} == {"leases"}
    assert row(join(spans)) == EXPECTED[case]


def test_a_retrieval_that_was_not_recorded_is_said(received, tmp_path):
    (found,) = join(kept(received["openinference-openai"], tmp_path))
    assert "no_retrieval_span" in {loss.code for loss in found.losses}
    assert found.record.retrieved is None


def test_the_documentation_has_the_same_table():
    rows = [
        tuple(cell.strip() for cell in line.strip("|").split("|"))
        for line in DOCS.read_text("utf-8").splitlines()
        if line.startswith("|") and not re.match(r"\|\s*-", line)
    ]
    told = {cells[0]: cells[1:] for cells in rows}
    assert told["instrumentation"] == COLUMNS
    for case, expected in EXPECTED.items():
        bare, _, more = case.partition("+")
        name = NAMES[bare] + ADDED[more]
        assert told[name] == expected, name
