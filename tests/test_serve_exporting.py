import asyncio
import contextlib
import gzip
import signal
import subprocess
import sys
from dataclasses import dataclass, field

import pytest
from aiohttp import web
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest, ExportLogsServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from scored_traces import LLM, TRACE, live

from showable.errors import SettingError
from showable.records.spans import Span
from showable.serving import export_posting, exporting
from showable.serving.settings import ServeSettings
from showable.stores.traces.opening import open_trace_store

SPAN_NAMES = ["eval.structural", "eval.resolvability", "eval.semantic"]


@dataclass
class Receiver:
    """An OTLP receiver that reads what it gets with OpenTelemetry's own messages. `answers` says what to answer, path by path."""

    answers: object = None
    spans: list = field(default_factory=list)
    events: list = field(default_factory=list)
    headers: list = field(default_factory=list)
    asked: list = field(default_factory=list)

    async def handle(self, request):
        self.asked.append(request.path)
        self.headers.append(request.headers)
        body = gzip.decompress(await request.read())
        kind = ExportTraceServiceRequest if request.path.endswith("traces") else ExportLogsServiceRequest
        read = kind.FromString(body)
        answer = self.answers(request.path, len(self.asked), read) if self.answers else None
        if answer is not None:
            return answer
        if kind is ExportTraceServiceRequest:
            self.spans += [s for r in read.resource_spans for scope in r.scope_spans for s in scope.spans]
        else:
            self.events += [e for r in read.resource_logs for scope in r.scope_logs for e in scope.log_records]
        return web.Response(content_type="application/x-protobuf")


@pytest.fixture
def store(tmp_path):
    opened = open_trace_store(tmp_path / "traces.db")
    yield opened
    opened.close()


def send(tmp_path, store, receiver, scores, *, until=None, headers=()):
    """Keep scores, and export them to the receiver until none waits."""
    store.add_spans([Span(TRACE, LLM, service="leases", resource={"service.name": "leases", "project_name": "homes"})])
    store.add_scores(scores)
    done = until or (lambda: not store.to_export(1))

    async def scenario():
        app = web.Application()
        app.router.add_post("/base/v1/{signal}", receiver.handle)
        runner = web.AppRunner(app, auto_decompress=False)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        port = runner.addresses[0][1]
        settings = ServeSettings(
            str(tmp_path / "traces.db"), export=f"http://127.0.0.1:{port}/base/", export_headers=headers
        )
        work = asyncio.create_task(exporting.export(settings, first_wait_s=0.001))
        try:
            async with asyncio.timeout(10):
                while not done() and not work.done():  # noqa: ASYNC110 - the store tells nobody
                    await asyncio.sleep(0.005)
            if work.done():
                work.result()
            await asyncio.sleep(0)  # what follows the last mark
        finally:
            work.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await work
            await runner.cleanup()

    asyncio.run(scenario())
    return store.gauges()[exporting.PROCESS]


def scores(n):
    return [live(span=f"{i + 1:016x}") for i in range(n)]


def test_scores_arrive_as_spans_and_events_with_the_headers_asked_for(tmp_path, store):
    receiver = Receiver()
    gauges = send(tmp_path, store, receiver, [live()], headers=(("x-project-name", "homes"),))
    assert [span.name for span in receiver.spans] == SPAN_NAMES
    assert {span.links[0].span_id.hex() for span in receiver.spans} == {LLM}
    assert {event.event_name for event in receiver.events} == {"gen_ai.evaluation.result"}
    assert receiver.headers[0]["x-project-name"] == "homes"
    assert receiver.headers[0]["User-Agent"].startswith("showable/")
    assert (gauges["exported_total"], gauges["export_failed_total"]) == (1, 0)


def test_an_answer_that_is_packed_badly_has_taken_the_scores_all_the_same(tmp_path, store):
    def answers(path, n, body):
        return web.Response(body=b"no gzip", headers={"Content-Encoding": "gzip"})

    gauges = send(tmp_path, store, Receiver(answers), [live()])
    assert (gauges["exported_total"], gauges["export_failed_total"]) == (1, 0)


@pytest.mark.parametrize(
    ("asked", "seconds"),
    [("\u00b2", None), ("9" * 400, 999_999_999), ("-1", None), ("soon", None), ("Mon, 99 Foo 9999 99:99:99 GMT", None), (" 7 ", 7)],
)  # fmt: skip
def test_what_a_receiver_asks_for_is_read_or_passed_over(asked, seconds):
    assert export_posting._seconds(asked) == seconds


class Dripping(web.StreamResponse):
    """A response that never ends, and is never quiet for long."""

    async def prepare(self, request):
        writer = await super().prepare(request)
        with contextlib.suppress(ConnectionError):
            while True:
                await self.write(b"x")
                await asyncio.sleep(0.01)
        return writer


def test_an_answer_that_drips_is_given_up(tmp_path, store, monkeypatch, capsys):
    monkeypatch.setattr(export_posting, "LONGEST_TRY_S", 0.1)
    receiver = Receiver(lambda path, n, body: Dripping() if n == 1 else None)
    gauges = send(tmp_path, store, receiver, [live()])
    assert gauges["exported_total"] == 1
    assert "cannot be reached (TimeoutError)" in capsys.readouterr().err


def test_a_receiver_that_is_down_is_waited_for_and_said_once(tmp_path, store, capsys):
    def answers(path, n, body):
        return web.Response(status=503, headers={"Retry-After": "0"}) if n <= 4 else None

    receiver = Receiver(answers)
    gauges = send(tmp_path, store, receiver, [live()])
    assert [span.name for span in receiver.spans] == SPAN_NAMES
    assert gauges["export_down_since_ns"] == 0
    err = capsys.readouterr().err
    assert err.count("answers with status 503") == 1
    assert err.count("is back") == 1


def test_nothing_is_marked_before_it_was_taken(tmp_path, store):
    receiver = Receiver(lambda path, n, body: web.Response(status=401))
    send(tmp_path, store, receiver, scores(2), until=lambda: len(receiver.asked) > 2)
    assert len(store.to_export(10)) == 2
    assert store.gauges()[exporting.PROCESS]["export_down_since_ns"] > 0


def test_a_score_that_is_never_taken_is_set_aside_and_the_others_arrive(tmp_path, store, capsys):
    bad = bytes.fromhex(f"{3:016x}")

    def answers(path, n, body):
        spans = [s for r in getattr(body, "resource_spans", ()) for scope in r.scope_spans for s in scope.spans]
        return web.Response(status=400) if any(s.links[0].span_id == bad for s in spans) else None

    receiver = Receiver(answers)
    gauges = send(tmp_path, store, receiver, scores(5))
    assert {span.links[0].span_id for span in receiver.spans} == {bytes.fromhex(f"{i:016x}") for i in (1, 2, 4, 5)}
    assert (gauges["exported_total"], gauges["export_failed_total"]) == (4, 1)
    assert "was refused with status 400; it is set aside" in capsys.readouterr().err


def test_a_partial_success_is_said(tmp_path, store, capsys):
    def answers(path, n, body):
        kind = ExportTraceServiceResponse if path.endswith("traces") else ExportLogsServiceResponse
        answer = kind()
        if kind is ExportTraceServiceResponse:
            answer.partial_success.rejected_spans = 2
            answer.partial_success.error_message = "too \x1b[31mold"
        return web.Response(body=answer.SerializeToString(), content_type="application/x-protobuf")

    gauges = send(tmp_path, store, Receiver(answers), [live()])
    assert gauges["export_rejected_total"] == 2
    assert "took a batch but 2 spans: too old" in capsys.readouterr().err


def test_a_receiver_without_logs_gets_spans_alone(tmp_path, store, capsys):
    receiver = Receiver(lambda path, n, body: web.Response(status=404) if path.endswith("logs") else None)
    gauges = send(tmp_path, store, receiver, [live()])
    assert len(receiver.spans) == 3
    assert gauges["exported_total"] == 1
    assert "takes no logs" in capsys.readouterr().err


def test_ids_that_otlp_cannot_hold_are_set_aside(tmp_path, store):
    gauges = send(
        tmp_path, store, Receiver(), [live(trace="run-7", span="step-1"), live(span="1" * 16, parent="p"), live()]
    )
    assert (gauges["exported_total"], gauges["export_failed_total"]) == (1, 2)


def test_what_waits_for_the_judge_is_sent_again_when_it_was_judged(tmp_path, store):
    receiver = Receiver()
    send(tmp_path, store, receiver, [live(label=None)])
    send(tmp_path, store, receiver, [live(scored_ns=live().scored_ns + 1)])
    kept = {span.span_id: span.name for span in receiver.spans}  # a backend that knows spans by their ids
    assert sorted(kept.values()) == sorted(SPAN_NAMES)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("http://127.0.0.1:4318", "round in a circle"),
        ("http://localhost:4318/", "round in a circle"),
        ("ftp://host", "expected http://"),
        ("collector:4318", "expected http://"),
        ("http://host:port", "expected http://"),
        ("https://host/path?key=1", "expected http://"),
        (None, "expected http://"),
    ],
)
def test_addresses_that_cannot_be_exported_to(url, says):
    with pytest.raises(SettingError, match=says):
        exporting.run(ServeSettings("traces.db", export=url))


@pytest.mark.parametrize(
    ("header", "low", "high"),  # source: RFC 9110, 10.2.3
    [(None, None, None), ("7", 7, 7), ("soon", None, None), ("Wed, 21 Oct 2015 07:28:00 GMT", 0, 0)],
)
def test_retry_after(header, low, high):
    read = export_posting._seconds(header)
    assert read is None if low is None else low <= read <= high


def test_it_ends_when_its_parent_is_gone(monkeypatch):
    monkeypatch.setattr(exporting.os, "getppid", lambda: 2)
    told = asyncio.Event()
    asyncio.run(exporting._until_orphaned(1, told))
    assert told.is_set()


def test_it_ends_when_told_to_while_the_receiver_is_down(tmp_path, store):
    store.add_scores([live()])
    code = (
        "from showable.serving import exporting, settings\n"
        f"exporting.run(settings.ServeSettings({str(tmp_path / 'traces.db')!r}, export='http://127.0.0.1:9/'))"
    )
    with subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True) as process:
        assert "cannot be reached" in process.stderr.readline()
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
        assert process.stderr.read() == ""
    assert len(store.to_export(10)) == 1
