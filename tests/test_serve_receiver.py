"""The receiver, asked by real exporters and by hand, over loopback."""

import asyncio
import gzip
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from functools import partial

import pytest

pytest.importorskip("aiohttp")
pytest.importorskip("prometheus_client")

from google.protobuf.json_format import MessageToDict
from opentelemetry.exporter.otlp.proto.http.trace_exporter import Compression, OTLPSpanExporter
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExportResult
from served_traces import PROTOBUF, receiving, request_of

from showable.errors import SettingError
from showable.review.serving import take_port
from showable.serving.receiver import BrokenReceiverError, Receiver, run
from showable.serving.receiver_metrics import of_answers
from showable.serving.settings import ServeSettings
from showable.stores.traces.errors import StoreError
from showable.stores.traces.opening import open_trace_store
from showable.stores.traces.store import Count

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"  # the example of W3C Trace Context


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return tmp_path_factory.mktemp("spans") / "spans.sqlite"


@pytest.fixture(scope="module")
def served(store):
    with receiving(partial(open_trace_store, store), most_body=2**20) as server:
        yield server


def held(store, trace_id):
    opened = open_trace_store(store)
    try:
        return list(opened.spans_of(trace_id))
    finally:
        opened.close()


def code_and_words(answer):
    """Read a google.rpc.Status in protobuf: field 1 a varint below 128, field 2 text of less than 128 bytes."""
    assert answer.headers["Content-Type"] == PROTOBUF
    assert answer.body[0] == 0x08
    assert answer.body[2] == 0x12
    return answer.body[1], answer.body[4:].decode()


@pytest.mark.parametrize("compression", [Compression.NoCompression, Compression.Gzip, Compression.Deflate])
def test_what_the_sdk_exports_is_kept(served, store, compression):
    provider = TracerProvider(resource=Resource({"service.name": "shop"}))
    exporter = OTLPSpanExporter(f"{served.url}/v1/traces", compression=compression)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracer = provider.get_tracer("pipeline")
    with tracer.start_as_current_span("rag") as root, tracer.start_as_current_span("llm", attributes={"n": 3}):
        pass
    provider.shutdown()
    kept = held(store, f"{root.get_span_context().trace_id:032x}")
    assert [(span.name, span.service, dict(span.attributes)) for span in kept] == [
        ("rag", "shop", {}),
        ("llm", "shop", {"n": 3}),
    ]
    assert kept[1].parent_id == kept[0].span_id


def test_protobuf_is_answered_in_protobuf_and_empty_where_all_is_taken(served, store):
    answer = served.ask("/v1/traces", request_of((TRACE, SPAN)))
    assert (answer.status, answer.headers["Content-Type"], answer.body) == (200, PROTOBUF, b"")
    assert served.ask("/v1/traces", request_of((TRACE, SPAN))).status == 200  # delivered twice
    assert [span.span_id for span in held(store, TRACE)] == [SPAN]


def test_json_is_answered_in_json(served, store):
    trace = "1" * 32
    sent = MessageToDict(ExportTraceServiceRequest.FromString(request_of((trace, SPAN))))
    [span] = sent["resourceSpans"][0]["scopeSpans"][0]["spans"]
    span["traceId"], span["spanId"] = trace, SPAN  # hexadecimal in OTLP's JSON, not base64
    for body, headers in (
        (json.dumps(sent).encode(), {}),
        (gzip.compress(json.dumps(sent).encode()), {"Content_Encoding": "gzip"}),
    ):
        answer = served.ask("/v1/traces", body, "application/json; charset=utf-8", **headers)
        assert (answer.status, answer.headers["Content-Type"], answer.body) == (200, "application/json", b"{}")
    assert [span.name for span in held(store, trace)] == ["llm"]


def test_spans_without_ids_are_rejected_and_the_others_kept(served, store):
    trace = "2" * 32
    answer = served.ask("/v1/traces", request_of(("0" * 32, SPAN), (trace, SPAN)))
    partial_success = ExportTraceServiceResponse.FromString(answer.body).partial_success
    assert (answer.status, partial_success.rejected_spans) == (200, 1)
    assert "zeros" in partial_success.error_message
    assert len(held(store, trace)) == 1


LOGS = {
    "resourceLogs": [{"scopeLogs": [{"logRecords": [
        {"eventName": "gen_ai.evaluation.result", "timeUnixNano": "5", "traceId": "3" * 32, "spanId": SPAN,
         "attributes": [{"key": "gen_ai.evaluation.name", "value": {"stringValue": "faithful"}}]},
        {"body": {"stringValue": "started"}},
    ]}]}]
}  # fmt: skip


def test_events_of_generations_are_kept_and_other_logs_acknowledged(served, store):
    for _ in range(2):
        answer = served.ask("/v1/logs", json.dumps(LOGS).encode(), "application/json")
        said = json.loads(answer.body)["partialSuccess"]
        assert (answer.status, said["rejectedLogRecords"]) == (200, "1")
    served.ask("/v1/traces", request_of(("3" * 32, SPAN)))  # the span comes after its event, and has it
    [[event]] = [span.events for span in held(store, "3" * 32)]
    assert (event.name, event.attributes) == ("gen_ai.evaluation.result", {"gen_ai.evaluation.name": "faithful"})


def test_metrics_are_taken_politely(served):
    answer = served.ask("/v1/metrics", b"")
    assert answer.status == 200
    assert b"metrics are not kept" in answer.body
    assert "metrics are not kept" in served.ask("/v1/metrics", b"{}", "application/json").body.decode()


@pytest.mark.parametrize(
    ("body", "headers", "status", "words"),
    [
        (b"\xff\xff garbage", {}, 400, "not an ExportTraceServiceRequest"),
        (b"not gzip", {"Content_Encoding": "gzip"}, 400, "damaged"),
        (gzip.compress(bytes(2**22)), {"Content_Encoding": "gzip"}, 413, "longer than 1048576 bytes when unpacked"),
        (b"", {"Content_Encoding": "br"}, 415, "content encoding"),
        (None, {}, 405, "takes POST"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_in_one_line(served, body, headers, status, words):
    answer = served.ask("/v1/traces", body, **headers)
    assert answer.status == status
    said = code_and_words(answer)[1]
    assert words in said
    assert "\n" not in said


def test_refusals_speak_the_language_of_the_request(served):
    answer = served.ask("/v1/traces", b"[", "application/json")
    assert answer.status == 400
    assert json.loads(answer.body)["code"] == 3  # google.rpc.Code INVALID_ARGUMENT
    assert served.ask("/v1/traces", b"x", "text/plain").status == 415


@pytest.mark.parametrize("stated", [True, False])
def test_a_hundred_megabytes_are_refused_while_they_come(served, stated):
    chunk, sent = bytes(2**20), 0
    with socket.create_connection(("127.0.0.1", served.port), timeout=10) as wire:
        length = f"Content-Length: {100 * 2**20}" if stated else "Transfer-Encoding: chunked"
        wire.sendall(f"POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Type: {PROTOBUF}\r\n{length}\r\n\r\n".encode())
        framed = chunk if stated else b"100000\r\n" + chunk + b"\r\n"
        for _ in range(4):
            wire.sendall(framed)
            sent += len(chunk)
        assert wire.recv(65536).startswith(b"HTTP/1.1 413 ")
    assert served.receiver.backlog.held == 0


def test_an_unknown_path_is_told_where_spans_go(served):
    answer = served.ask("/v2/spans", b"x")
    assert (answer.status, answer.body) == (404, b"nothing is here; spans go to POST /v1/traces\n")


def test_health_readiness_and_metrics(served, store):
    assert served.ask("/healthz").body == b"ok\n"
    while b"nothing is stored" in (answer := served.ask("/readyz")).body:  # the store is looked at on the way
        assert answer.status == 503
    assert (answer.status, answer.body) == (503, b"scoring has not begun\n")
    opened = open_trace_store(store)
    opened.set_gauges("scoring", {"at_ns": time.time_ns(), "open_traces": 3})
    opened.close()
    served.receiver.view.forget()
    assert served.ask("/readyz").body == b"ready\n"
    text = served.ask("/metrics").body.decode()
    for line in ('showable_requests_total{signal="traces",status="200"}', 'showable_spans_total{outcome="duplicate"} 2.0',
                 "showable_scoring_open_traces 3.0", "showable_backlog_bytes 0.0", "showable_commit_seconds_count"):  # fmt: skip
        assert line in text
    from prometheus_client.parser import text_string_to_metric_families

    assert len(list(text_string_to_metric_families(text))) > 5


def test_pages_answer_to_names_of_this_machine_alone(served):
    assert served.ask("/metrics", Host="rebound.example:4318").status == 421
    assert served.ask("/healthz", Host="[::1]:4318").status == 200


class Blocked:
    """A store that waits for leave to write, or refuses to."""

    def __init__(self, *, refuses=None):
        self.leave, self.refuses, self.kept = threading.Event(), refuses, []

    def add_spans(self, spans):
        assert self.leave.wait(10)
        if self.refuses is not None:
            raise self.refuses
        self.kept += spans
        return len(spans)

    def set_gauges(self, process, gauges):
        pass

    def gauges(self):
        return {}

    def close(self):
        pass


def test_more_than_may_wait_is_sent_away_with_a_time_to_come_back():
    store = Blocked()
    body = request_of(*((TRACE, f"{i:016x}") for i in range(1, 20)))
    with receiving(lambda: store, backlog=2 * len(body)) as server:
        answers = []
        threads = [threading.Thread(target=lambda: answers.append(server.ask("/v1/traces", body))) for _ in range(2)]
        for thread in threads:
            thread.start()
        while server.receiver.backlog.held < 2 * len(body):
            time.sleep(0.005)
        refused = server.ask("/v1/traces", body)
        assert (refused.status, refused.headers["Retry-After"]) == (429, "1")
        assert "the backlog is full" in server.ask("/readyz").body.decode()
        assert not answers  # nothing is acknowledged that is not stored
        store.leave.set()
        for thread in threads:
            thread.join()
        assert [answer.status for answer in answers] == [200, 200]
        assert server.receiver.backlog.held == 0
        assert server.ask("/v1/traces", body).status == 200


def test_where_a_request_waits_too_long_no_more_are_taken_in_behind_it(monkeypatch):
    monkeypatch.setattr("showable.serving.group_commit.PATIENCE_S", 0.02)
    store = Blocked()
    body = request_of((TRACE, "a" * 16))
    with receiving(lambda: store) as server:
        answers = []
        first = threading.Thread(target=lambda: answers.append(server.ask("/v1/traces", body).status))
        first.start()
        while not server.receiver.backlog.held:
            time.sleep(0.005)
        time.sleep(0.05)
        refused = server.ask("/v1/traces", body)
        assert (refused.status, refused.headers["Retry-After"]) == (429, "1")
        assert not answers
        store.leave.set()
        first.join()
        assert answers == [200]
        assert server.ask("/v1/traces", body).status == 200


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (StoreError("the disk is full"), 503, "nothing can be stored at present"),
        (ValueError("a bug"), 500, "could not be stored"),
    ],
)
def test_what_the_store_refuses_is_not_acknowledged(error, status, words, capsys):
    store = Blocked(refuses=error)
    store.leave.set()
    with receiving(lambda: store) as server:
        answer = server.ask("/v1/traces", request_of((TRACE, SPAN)))
        assert answer.status == status
        assert ("Retry-After" in answer.headers) == (status == 503)
        assert words in code_and_words(answer)[1]
        store.refuses = None
        exporter = OTLPSpanExporter(f"{server.url}/v1/traces")
        provider = TracerProvider()
        with provider.get_tracer("t").start_as_current_span("s") as span:
            pass
        assert exporter.export([span]) is SpanExportResult.SUCCESS
        exporter.shutdown()
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_store_that_cannot_be_opened_refuses_until_it_can(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("showable.serving.group_commit.HEARTBEAT_S", 0.05)
    opened = threading.Event()

    def open_store():
        if not opened.is_set():
            raise StoreError("no server answers")
        return open_trace_store(tmp_path / "s.sqlite")

    with receiving(open_store) as server:
        assert server.ask("/v1/traces", request_of((TRACE, SPAN))).status == 503
        assert "nothing is stored at present" in server.ask("/readyz").body.decode()
        opened.set()
        while server.receiver.keeper.trouble:
            time.sleep(0.01)
        assert server.ask("/v1/traces", request_of((TRACE, SPAN))).status == 200
    assert capsys.readouterr().err == "showable: nothing is stored at present: no server answers\n"


def test_a_body_that_does_not_come_is_not_waited_for(served, monkeypatch):
    monkeypatch.setattr("showable.serving.receiver_http.READ_S", 0.05)
    with socket.create_connection(("127.0.0.1", served.port), timeout=10) as wire:
        wire.sendall(written(SPAN)[:-1])
        assert wire.recv(65536).startswith(b"HTTP/1.1 408 ")


def test_who_asks_nothing_is_soon_sent_away(tmp_path, monkeypatch):
    monkeypatch.setattr("showable.review.connections.FIRST_S", 0.05)
    with receiving(partial(open_trace_store, tmp_path / "s.sqlite")) as server:
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as wire:
            wire.sendall(b"POST /v1/tra")
            assert wire.recv(100) == b""
        assert server.ask("/healthz").status == 200


def test_large_requests_are_read_beside_the_others(monkeypatch):
    monkeypatch.setattr("showable.serving.group_commit.LARGE_B", 10)
    store = Blocked()
    store.leave.set()
    with receiving(lambda: store) as server:
        assert [server.ask("/v1/traces", request_of((TRACE, f"{i:016x}"))).status for i in (1, 2, 3)] == [200] * 3
        assert server.ask("/v1/traces", b"no protobuf at all").status == 400
        assert server.ask("/v1/traces", request_of((TRACE, f"{4:016x}"))).status == 200
    assert [int(span.span_id, 16) for span in store.kept] == [1, 2, 3, 4]


@pytest.mark.parametrize(("origin", "status"), [("http://evil.example:4318", 403), ("null", 403), ("http://localhost:3000", 403), ("http://127.0.0.1:1", 403), ("http://127.0.0.1", 403)])  # fmt: skip
def test_pages_of_other_sites_send_no_spans(served, origin, status):
    assert served.ask("/v1/traces", request_of((TRACE, SPAN)), Origin=origin).status == status


def test_names_of_services_make_no_series_without_end():
    counts = [Count(0, f"s{i}", "bucket", "correct", 1, 0, 0.0, 0.0) for i in range(150)]
    counts.append(Count(0, 'a"\n\x1b[31mred\u202e', "bucket", "correct", 7, 0, 0.0, 0.0))
    family, _ = of_answers(counts)
    shown = {sample.labels["service"]: sample.value for sample in family.samples}
    assert (len(shown), shown['a" red'], shown["(others)"]) == (101, 7, 51)


def test_what_a_judge_read_weighs_what_it_stands_for():
    """Ten failures that are all read, and 90 of which a tenth is: the rate is 10 %, though half of what was read failed."""
    counts = [
        Count(0, "s", "semantic", "fail", 10, 10, 10.0, 10.0),
        Count(0, "s", "semantic", "pass", 9, 9, 90.0, 900.0),
    ]
    _, standing = of_answers(counts)
    assert {sample.labels["outcome"]: sample.value for sample in standing.samples} == {"fail": 10, "pass": 90}


def test_what_is_written_into_a_deleted_store_is_not_acknowledged(tmp_path):
    path = tmp_path / "s.sqlite"
    with receiving(partial(open_trace_store, path)) as server:
        assert server.ask("/v1/traces", request_of((TRACE, SPAN))).status == 200
        path.unlink()
        assert server.ask("/v1/traces", request_of((TRACE, SPAN))).status == 503


def test_so_many_connections_and_no_more(tmp_path, monkeypatch):
    monkeypatch.setattr("showable.review.connections.most_connections", lambda: 2)
    with receiving(partial(open_trace_store, tmp_path / "s.sqlite")) as server:
        wires = []
        for _ in range(2):  # at work: their bodies are still to come
            wires.append(socket.create_connection(("127.0.0.1", server.port), timeout=10))
            wires[-1].sendall(written(SPAN)[:-1])
        while sum(held.busy for held in server.receiver.doorway._held._open.values()) < 2:
            time.sleep(0.005)
        wires.append(socket.create_connection(("127.0.0.1", server.port), timeout=10))
        assert wires[2].recv(1000).startswith(b"HTTP/1.1 503 ")
        for wire in wires:
            wire.close()
        while server.receiver.doorway.connections:
            time.sleep(0.005)
        assert server.ask("/healthz").status == 200


class Broken(Blocked):
    """A store that fails in a way that nobody foresaw."""

    def set_gauges(self, process, gauges):
        raise KeyError(process)


def test_a_receiver_that_can_store_no_more_ends(capsys):
    async def live():
        with take_port("127.0.0.1", 0) as listening:
            await Receiver(ServeSettings(store="-"), Broken).until(asyncio.Event(), listening)

    with pytest.raises(BrokenReceiverError):
        asyncio.run(live())
    assert "the thread that stores has failed: KeyError" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("header", "status"),
    [({}, 401), ({"Authorization": "Bearer wrong"}, 401), ({"Authorization": "Basic s3cret"}, 401), ({"Authorization": "bearer s3cret"}, 200)],
)  # fmt: skip
def test_the_token_is_asked_for(guarded, header, status):
    assert guarded.ask("/v1/traces", request_of((TRACE, SPAN)), **header).status == status
    assert guarded.ask("/metrics", **header).status == status
    assert guarded.ask("/healthz").status == 200


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    path = tmp_path_factory.mktemp("guarded") / "s.sqlite"
    with receiving(partial(open_trace_store, path), token="s3cret") as server:
        yield server


def test_a_large_request_is_stored_in_pieces(monkeypatch):
    monkeypatch.setattr("showable.serving.group_commit.MOST_SPANS", 2)
    store = Blocked()
    store.leave.set()
    with receiving(lambda: store) as server:
        assert server.ask("/v1/traces", request_of(*((TRACE, f"{i:016x}") for i in range(1, 6)))).status == 200
    assert [int(span.span_id, 16) for span in store.kept] == [1, 2, 3, 4, 5]


def test_others_are_let_in_with_a_token_alone():
    with pytest.raises(SettingError, match="others can reach that address"):
        run(ServeSettings(store="-", host="0.0.0.0"))  # noqa: S104 - refused


STOPPED = """
import sys
from showable.review.serving import take_port
from showable.serving import receiver
from showable.serving.settings import ServeSettings
taken = take_port("127.0.0.1", 0)
print(taken.getsockname()[1], flush=True)
receiver.run(ServeSettings(store=sys.argv[1]), taken)
"""


def test_a_receiver_that_is_stopped_answers_and_keeps_what_was_on_its_way(tmp_path):
    path = tmp_path / "s.sqlite"
    with subprocess.Popen([sys.executable, "-c", STOPPED, str(path)], stdout=subprocess.PIPE, text=True) as process:
        port = int(process.stdout.readline())
        wires = [socket.create_connection(("127.0.0.1", port), timeout=10) for _ in range(8)]
        try:
            assert posted(wires[0], f"{99:016x}") == 200  # from here on it takes signals
            for i, wire in enumerate(wires):
                wire.sendall(written(f"{i + 1:016x}"))
            os.kill(process.pid, signal.SIGTERM)
            acknowledged = {f"{i + 1:016x}" for i, wire in enumerate(wires) if status_of(wire) == 200}
        finally:
            for wire in wires:
                wire.close()
        assert process.wait(60) == 0
    assert {span.span_id for span in held(path, TRACE)} == acknowledged | {f"{99:016x}"}


def written(span_id):
    """Write a whole request."""
    body = request_of((TRACE, span_id))
    head = f"POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Type: {PROTOBUF}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def status_of(wire):
    """Read an answer's status; None where the connection was closed instead."""
    try:
        said = wire.recv(65536)
    except ConnectionResetError:
        return None
    return int(said.split()[1]) if said else None


def posted(wire, span_id):
    wire.sendall(written(span_id))
    return status_of(wire)
