"""How fast requests become spans: protobuf, JSON, and protobuf's own reader of JSON, in the same run.

    python benchmarks/otlp_decoding.py [--traces N] [--seconds S]

Each request holds 10 traces of 20 spans, with the attributes of a retrieving pipeline (tests/otlp_spans.py). Prints spans
a second of one process, the best and the median of the rounds, and what they were measured on.
"""

import argparse
import gc
import platform
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from otlp_spans import rag_trace

from showable.traces.otlp.decode import decode_request
from showable.traces.otlp.encode import encode_spans, encode_spans_json


def rate(work, spans: int, seconds: float) -> tuple[float, float]:
    """Give spans a second, best and median, of rounds over `seconds`."""
    work()
    rounds = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(rounds) < 3:
        gc.collect()
        start = time.perf_counter()
        work()
        rounds.append(spans / (time.perf_counter() - start))
    return max(rounds), statistics.median(rounds)


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--traces", type=int, default=10, help="traces in a request")
    parser.add_argument("--seconds", type=float, default=5.0, help="for each way of reading")
    asked = parser.parse_args()
    spans = [span for number in range(asked.traces) for span in rag_trace(number)]
    protobuf, text = encode_spans(spans), encode_spans_json(spans)
    read = decode_request(protobuf, "application/x-protobuf").spans
    assert read == spans == decode_request(text, "application/json").spans
    now = spans[-1].end_ns
    ways = {
        "protobuf into spans": lambda: decode_request(protobuf, "application/x-protobuf", now),
        "JSON into spans": lambda: decode_request(text, "application/json", now),
        "protobuf parsed only": lambda: ExportTraceServiceRequest.FromString(protobuf),
        "JSON by json_format": lambda: json_format.Parse(text, ExportTraceServiceRequest(), ignore_unknown_fields=True),
        "protobuf written": lambda: encode_spans(spans),
    }
    many = sum(len(span.attributes) for span in spans) / len(spans)
    print(
        f"{len(spans)} spans a request, {many:.1f} attributes a span, {len(protobuf)} bytes of protobuf, {len(text)} of JSON"
    )
    print(f"Python {platform.python_version()}, {platform.machine()}, one process")
    held = {name: rate(work, len(spans), asked.seconds) for name, work in ways.items()}
    for name, (best, median) in held.items():
        ratio = median / held["JSON by json_format"][1]
        print(f"{name:24} {best:>10,.0f} best {median:>10,.0f} median spans/s   {ratio:6.1f} x json_format")


if __name__ == "__main__":
    main()
