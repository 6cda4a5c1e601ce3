"""Traffic for `showable serve`: encoded once, patched for each request, sent at a fixed rate over a few connections.

A trace has 20 spans of a RAG request: a chain, a query's embedding, a retriever with five documents of about 400 characters, a model
call with its answer and citations, and the tools and calls around them. It is sent in two requests, as exporters do that send what ends.
Of ten traces seven are clean; one cites an id that was never retrieved, one refuses, one has no citations. No two traces have a question, an
answer or a passage in common: each names a case of its own, so that nothing that was read once is known already.
"""

from __future__ import annotations

import http.client
import json
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

SPANS = 20
KINDS = ["clean"] * 7 + ["invented", "refusal", "uncited"]
PATIENCE_S = 60
_EPOCH = 1_700_000_000_000_000_000
_PLACE = bytes(range(0xA0, 0xB0))
"""The trace id that stands in a piece until a real one is written over it."""
_CASE = "case-00000000"
"""The name that each trace has another of, of the same length."""
_TEXT = (
    "Section {i} of the staff handbook for {case}: an employee who has worked for a full year has {n} days of paid leave, of which at most"
    " five are carried over into the next year; leave that is not taken by the end of March lapses, unless illness kept the"
    " employee from taking it. Requests are made in writing to the head of the department, who answers within two weeks, and a"
    " refusal names its reason. "
)
_OTHERS = ["http POST /ask", "session lookup", "cache lookup", "rate limit", "policy check", "tokenize", "format prompt",
           "db query", "feature flags", "serialize", "audit log", "render", "metrics flush"]  # fmt: skip


def _documents() -> dict[str, str]:
    out = {}
    for i in range(5):
        at = f"retrieval.documents.{i}.document"
        out[f"{at}.id"], out[f"{at}.content"] = f"handbook-{i}", _TEXT.format(i=i, n=20 + i, case=_CASE)
        out[f"{at}.score"] = f"{0.9 - i / 10:.1f}"
    return out


def _model_call(kind: str) -> dict[str, str]:
    answer = {
        "refusal": f"I cannot answer this for {_CASE} from the documents that I was given.",
        "uncited": f"In {_CASE} an employee who has worked for a full year has 20 days of paid leave.",
    }.get(kind, f"In {_CASE} an employee who has worked for a full year has 20 days of paid leave [handbook-0].")
    cited = "handbook-9" if kind == "invented" else "handbook-0"
    if kind == "invented":
        answer = answer.replace("handbook-0", cited)
    out = {
        "openinference.span.kind": "LLM",
        "llm.model_name": "model-a",
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.content": f"How many days of paid leave are there in {_CASE}?",
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.content": answer,
        "output.value": answer,
    }
    if kind in {"clean", "invented"}:
        quoted = "an employee who has worked for a full year has 20 days of paid leave"
        out["llm.output.citations"] = json.dumps(
            [{"claim": answer, "source_id": cited} | ({"quoted_span": quoted} if kind == "clean" else {})]
        )
    return out


def _spans(kind: str) -> list[tuple[str, int, dict[str, str]]]:
    """Give the spans of a trace as (name, parent's number, attributes), in the order in which they end; the root is the last."""
    root, question = SPANS - 1, f"How many days of paid leave are there in {_CASE}?"
    chain = {"openinference.span.kind": "CHAIN", "input.value": question}
    spans = [(name, root, {"peer.service": name}) for name in _OTHERS[:9]]
    spans += [
        ("embed query", 11, {"openinference.span.kind": "EMBEDDING", "embedding.model_name": "embedder"}),
        ("search", 11, {"openinference.span.kind": "RETRIEVER", "input.value": question, **_documents()}),
        ("retrieve", root, chain),
        *((name, root, {"peer.service": name}) for name in _OTHERS[9:11]),
        ("llm", 15, _model_call(kind)),
        ("generate", root, chain),
        *((name, root, {"peer.service": name}) for name in [*_OTHERS[11:13], "flush"]),
        ("rag", -1, chain),
    ]
    assert len(spans) == SPANS
    return spans


@dataclass
class Piece:
    """A part of a trace, encoded, with the places of its times: (offset, nanoseconds after the trace's start)."""

    body: bytes
    times: Sequence[tuple[int, int]]

    def written(self, trace_id: bytes, start_ns: int) -> bytes:
        """Give it for another trace."""
        case = b"case-%08d" % (int.from_bytes(trace_id[-8:]) % 10**8)
        out = bytearray(self.body.replace(_PLACE, trace_id).replace(_CASE.encode(), case))
        for at, offset in self.times:
            struct.pack_into("<Q", out, at, start_ns + offset)
        return bytes(out)


def pieces_of(kind: str, split: int = 12) -> tuple[Piece, Piece]:
    """Encode a trace of one kind as two requests: what ends first, and the rest with the root."""
    spans = _spans(kind)
    return _piece(spans, 0, split), _piece(spans, split, SPANS)


def _piece(spans: Sequence[tuple[str, int, dict[str, str]]], first: int, end: int) -> Piece:
    request = ExportTraceServiceRequest()
    group = request.resource_spans.add()
    service = group.resource.attributes.add()
    service.key, service.value.string_value = "service.name", "handbook"
    scoped = group.scope_spans.add()
    for number in range(first, end):
        name, parent, attributes = spans[number]
        span = scoped.spans.add()
        span.trace_id, span.span_id, span.name = _PLACE, (number + 1).to_bytes(8, "big"), name
        if parent >= 0:
            span.parent_span_id = (parent + 1).to_bytes(8, "big")
        span.start_time_unix_nano = _EPOCH + (0 if parent < 0 else number * 10_000_000)
        span.end_time_unix_nano = _EPOCH + 500_000_000 + number
        for key, value in attributes.items():
            attribute = span.attributes.add()
            attribute.key, attribute.value.string_value = key, value
    body = request.SerializeToString()
    return Piece(body, _places(body, [(s.start_time_unix_nano, s.end_time_unix_nano) for s in scoped.spans]))


def _places(body: bytes, times: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Find the fixed64 fields of the times: tags 0x39 (start) and 0x41 (end)."""
    out, at = [], 0
    for start, end in times:
        for tag, time_ns in ((b"\x39", start), (b"\x41", end)):
            at = body.index(tag + struct.pack("<Q", time_ns), at) + 1
            out.append((at, time_ns - _EPOCH))
    return out


@dataclass
class Sent:
    """What a sender did. `acknowledged` are trace ids by kind, of which both requests were answered with 200."""

    seconds: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    spans: int = 0


class Sender:
    """Sends requests of so many traces at a fixed rate. `acknowledged` is told the keys of each request that was answered with 200."""

    def __init__(self, port: int, rate: float, traces: int, connections: int) -> None:
        self.port, self.traces, self.connections = port, traces, connections
        self.interval = traces * SPANS / rate
        self.sent, self._over = Sent(), threading.Event()
        self.offered: Callable[[Sequence[tuple[bytes, int]]], None] = lambda _: None
        self.acknowledged: Callable[[Sequence[tuple[bytes, int]]], None] = lambda _: None
        self._pieces = {kind: pieces_of(kind) for kind in set(KINDS)}
        self._number, self._lock = count(), threading.Lock()
        self._salt = time.time_ns().to_bytes(8, "big")

    def run(self, seconds: float) -> Sent:
        """Send for so long, and finish what was begun."""
        began = time.monotonic()
        threads = [
            threading.Thread(target=self._send, args=(began + i * self.interval, began + seconds))
            for i in range(self.connections)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return self.sent

    def finish(self) -> None:
        """Begin no more traces; those that were begun are sent to their end."""
        self._over.set()

    def _send(self, first: float, until: float) -> None:
        """Send on one connection: each request carries new traces' first spans, and the last spans of the ones before."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        due, open_traces = first, []
        while (more := due < until and not self._over.is_set()) or open_traces:
            time.sleep(max(0.0, due - time.monotonic()))
            late = time.monotonic() - due
            body, keys = b"", []
            for trace_id, kind, start_ns in open_traces:
                body += self._pieces[kind][1].written(trace_id, start_ns)
                keys.append((trace_id, 1))
            open_traces = self._begun() if more else []
            for trace_id, kind, start_ns in open_traces:
                body += self._pieces[kind][0].written(trace_id, start_ns)
                keys.append((trace_id, 0))
            connection = self._post(connection, body, keys, late)
            due += self.interval * self.connections
        connection.close()

    def _begun(self) -> list[tuple[bytes, str, int]]:
        with self._lock:
            numbers = [next(self._number) for _ in range(self.traces)]
            self.sent.kinds.update(KINDS[number % len(KINDS)] for number in numbers)
        now = time.time_ns() - 600_000_000
        return [(self._salt + (n + 1).to_bytes(8, "big"), KINDS[n % len(KINDS)], now) for n in numbers]

    def _post(self, connection, body: bytes, keys: Sequence[tuple[bytes, int]], late: float):
        """Send until it is acknowledged: a refusal or a lost connection is sent again."""
        self.offered(keys)
        give_up = time.monotonic() + PATIENCE_S
        while time.monotonic() < give_up:
            began = time.monotonic()
            try:
                connection.request("POST", "/v1/traces", body, {"Content-Type": "application/x-protobuf"})
                answer = connection.getresponse()
                answer.read()
                status = answer.status
            except (OSError, http.client.HTTPException):
                connection.close()
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
                status = 0
            taken = time.monotonic() - began
            with self._lock:
                self.sent.statuses[status] += 1
                if status == 200:
                    self.sent.seconds.append(taken)
                    self.sent.late.append(late)
                    self.sent.spans += sum(8 if part else 12 for _, part in keys)
            if status == 200:
                self.acknowledged(keys)
                return connection
            time.sleep(float(answer.headers.get("Retry-After", 1)) if status else 0.2)
        raise SystemExit(f"the server took nothing for {PATIENCE_S} s")
