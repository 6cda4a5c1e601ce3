"""Spans that a pipeline would send, and a receiver that runs in a thread of the test to take them."""

import asyncio
import contextlib
import http.client
import threading
from dataclasses import dataclass

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from showable.review.serving import take_port
from showable.serving.receiver import Receiver
from showable.serving.settings import ServeSettings

PROTOBUF = "application/x-protobuf"


@dataclass
class Answer:
    """A response, read."""

    status: int
    headers: dict
    body: bytes


@dataclass
class Served:
    """A receiver that listens."""

    port: int
    receiver: Receiver

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def ask(self, path, body=None, content_type=PROTOBUF, method=None, **headers):
        """Send a request; a body is posted."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        with contextlib.closing(connection):
            sent = {name.replace("_", "-"): value for name, value in headers.items()}
            if body is not None:
                sent.setdefault("Content-Type", content_type)
            connection.request(method or ("GET" if body is None else "POST"), path, body, sent)
            got = connection.getresponse()
            return Answer(got.status, dict(got.getheaders()), got.read())


@contextlib.contextmanager
def receiving(open_store, **told):
    """Run a receiver until the block ends."""
    listening = take_port("127.0.0.1", 0)
    port = listening.getsockname()[1]
    settings = ServeSettings(store="-", port=port, **told)
    began, held = threading.Event(), {}

    async def live():
        held["loop"], held["stop"] = asyncio.get_running_loop(), asyncio.Event()
        held["receiver"] = Receiver(settings, open_store)
        began.set()
        await held["receiver"].until(held["stop"], listening)

    thread = threading.Thread(target=asyncio.run, args=(live(),))
    thread.start()
    began.wait(10)
    try:
        yield Served(port, held["receiver"])
    finally:
        held["loop"].call_soon_threadsafe(held["stop"].set)
        thread.join(10)
        listening.close()


def request_of(*keys, service="shop", name="llm"):
    """Encode a request with one span for each (trace id, span id)."""
    request = ExportTraceServiceRequest()
    group = request.resource_spans.add()
    attribute = group.resource.attributes.add()
    attribute.key, attribute.value.string_value = "service.name", service
    scoped = group.scope_spans.add()
    for trace_id, span_id in keys:
        span = scoped.spans.add()
        span.trace_id, span.span_id, span.name = bytes.fromhex(trace_id), bytes.fromhex(span_id), name
        span.start_time_unix_nano, span.end_time_unix_nano = 1_700_000_000_000_000_000, 1_700_000_000_500_000_000
    return request.SerializeToString()
