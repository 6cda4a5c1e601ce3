"""Damage requests at random and read them: a request is refused or decoded, and nothing else ever happens.

    python benchmarks/fuzz_otlp.py [--seconds N] [--seed N]

Each round takes a valid request (spans or log records, protobuf or JSON, packed or not), damages it before or behind the
packing (bits, cuts, pieces repeated, values of another kind, bottomless nesting), and takes it through unpacking and decoding.
What was decoded must be spans as the store takes them: ids of the right form, times within 63 bits, attributes that are JSON;
and it must be written and read again as it was. Prints counts, the slowest round, and exits 1 at the first finding.
"""

import argparse
import copy
import gzip
import json
import random
import sys
import tempfile
import time
import traceback
import zlib
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import orjson
from otlp_spans import rag_trace

from showable.records.spans import SpanEvent
from showable.traces.otlp.decode import decode_logs, decode_request
from showable.traces.otlp.encode import encode_spans, encode_spans_json, fits_otlp
from showable.traces.otlp.encode_logs import encode_events
from showable.traces.otlp.refused import Refused
from showable.traces.otlp.unpack import unpack

MOST = 4 * 1024 * 1024
PROTOBUF, JSON = "application/x-protobuf", "application/json"
ODD_VALUES = [
    None, True, -1, 0, 2**63, 2**64, 10**30, 1.5, float(2**63), "", "x", "0", "-0", "NaN", "é\u2028", "\ufffd", "9" * 5000, [], {}, [[]], [None],
    {"stringValue": 1}, {"intValue": "1e5"}, {"doubleValue": "Infinity"}, {"arrayValue": {"values": None}}, {"kvlistValue": {"values": [1]}},
    {"key": "a"}, {"bytesValue": "!"}, "0" * 32, "f" * 32, "AAAAAAAAAAAAAAAAAAAAAA==", "A" * 16, "ab " * 5 + "a",
]  # fmt: skip


def bases():
    """Give valid requests as (what, content type, body)."""
    spans = rag_trace(1, 5)
    events = [
        (span.trace_id, span.span_id, SpanEvent("gen_ai.choice", span.start_ns, {"body": {"a": [1]}})) for span in spans
    ]
    record = {
        "traceId": "a" * 32,
        "spanId": "b" * 16,
        "eventName": "gen_ai.choice",
        "body": {"stringValue": "x"},
        "timeUnixNano": "5",
    }
    logs = {"resourceLogs": [{"scopeLogs": [{"logRecords": [record] * 3}]}]}
    return [
        ("spans", PROTOBUF, encode_spans(spans)),
        ("spans", PROTOBUF, encode_spans(spans[:1])),
        ("spans", JSON, encode_spans_json(spans)),
        ("logs", PROTOBUF, encode_events(events, "shop")),
        ("logs", JSON, orjson.dumps(logs)),
    ]


def damaged(body: bytes, chance: random.Random) -> bytes:
    """Damage bytes, whatever they mean."""
    held = bytearray(body)
    for _ in range(chance.choice((1, 1, 1, 2, 4, 32))):
        at = chance.randrange(len(held) + 1)
        way = chance.randrange(7)
        if way == 0 and held:
            held[at % len(held)] ^= 1 << chance.randrange(8)
        elif way == 1 and held:
            held[at % len(held)] = chance.choice((0, 1, 0x0A, 0x12, 0x22, 0x5C, 0x7B, 0x7F, 0x80, 0xFF))
        elif way == 2:
            del held[at:]
        elif way == 3:
            del held[at : at + chance.randrange(64)]
        elif way == 4:
            held[at:at] = chance.randbytes(chance.randrange(16))
        elif way == 5:
            held[at:at] = held[at : at + chance.randrange(200)] * chance.randrange(1, 4)
        else:
            held += chance.randbytes(chance.randrange(32))
    return bytes(held)


def nested_protobuf(body: bytes, chance: random.Random) -> bytes:
    """Put an attribute of many levels into a span of its own, behind the others."""
    inner = chance.choice((b"\x0a\x01x", b"", b"\x0a\x02\xff\xfe", b"\x30"))
    for _ in range(chance.choice((5, 23, 24, 25, 40, 99, 100, 3000))):
        inner = (
            b"\x2a" + sized(b"\x0a" + sized(inner))
            if chance.random() < 0.5
            else b"\x32" + sized(b"\x0a" + sized(b"\x0a\x01k\x12" + sized(inner)))
        )
    span = b"\x0a\x10" + b"\x07" * 16 + b"\x12\x08" + b"\x07" * 8 + b"\x4a" + sized(b"\x0a\x01a\x12" + sized(inner))
    return body + b"\x0a" + sized(b"\x12" + sized(b"\x12" + sized(span)))


def sized(body: bytes) -> bytes:
    """Put a length in front."""
    out, size = bytearray(), len(body)
    while size > 127:
        out.append(size & 127 | 128)
        size >>= 7
    return bytes([*out, size]) + body


def changed_json(body: bytes, chance: random.Random) -> bytes:
    """Put another value into a place of a JSON document, take one out, or nest one."""
    value = orjson.loads(body)
    for _ in range(chance.choice((1, 1, 2, 5))):
        held, key = value, None
        while isinstance(held, (dict, list)) and held and (key is None or chance.random() < 0.85):
            within, key = held, chance.choice(list(held)) if isinstance(held, dict) else chance.randrange(len(held))
            held = within[key]
        if key is None:
            break
        way = chance.randrange(4)
        if way == 0 and isinstance(within, dict):
            del within[key]
        elif way == 1 and isinstance(within, list):
            within.append(copy.deepcopy(held))
        elif way == 2:
            deep = "x"
            for _ in range(chance.choice((10, 30, 80))):
                deep = (
                    {"arrayValue": {"values": [deep]}}
                    if chance.random() < 0.5
                    else {"kvlistValue": {"values": [{"key": "k", "value": deep}]}}
                )
            within[key] = deep
        else:
            within[key] = copy.deepcopy(chance.choice(ODD_VALUES))  # a later change goes into it
    try:
        text = orjson.dumps(value)
    except TypeError:  # too deep, or an integer beyond 64 bits: written by hand
        text = json.dumps(value).encode()
    return text.replace(
        b"revenue", chance.choice((b"revenue", rb"\ud800", rb"\udfff\ud800", b"\xff", rb"\\ud800", b"\x00")), 3
    )


def check(what: str, kind: str, body: bytes, now: int) -> str:
    """Decode, and see that what came out is what everybody else may rely on."""
    if what == "logs":
        for trace_id, span_id, event in decode_logs(body, kind).events:
            assert fits_otlp(trace_id, span_id), (trace_id, span_id)
            assert 0 <= event.at_ns < 2**63
            orjson.dumps(event.attributes)
        return "logs"
    decoded = decode_request(body, kind, now)
    assert bool(decoded.rejected) == bool(decoded.reason)
    for span in decoded.spans:
        assert fits_otlp(span.trace_id, span.span_id), span.key
        assert 0 <= span.start_ns < 2**63
        assert 0 <= span.end_ns < 2**63
        assert all(
            isinstance(held, str) for held in (span.name, span.service, span.scope, span.status_message, *span.problems)
        )
        orjson.dumps(
            [
                span.attributes,
                span.resource,
                [event.attributes for event in span.events],
                [link.attributes for link in span.links],
            ]
        )
    again = decode_request(encode_spans(decoded.spans), PROTOBUF).spans
    assert [(one.key, one.attributes, one.events) for one in again] == [
        (one.key, one.attributes, one.events) for one in decoded.spans
    ]
    return "spans with problems" if any(span.problems for span in decoded.spans) else "spans"


def one_round(chance: random.Random, requests: list) -> tuple[str, bytes, str, str, str]:
    """Make a request: what it was, its body, content type and encoding, and how it was damaged."""
    what, kind, body = chance.choice(requests)
    way = chance.choice(("bytes", "meaning", "nesting"))
    if way == "nesting" and kind == PROTOBUF and what == "spans":
        body = nested_protobuf(body, chance)
    elif way != "bytes" and kind == JSON:
        body = changed_json(body, chance)
    else:
        body = damaged(body, chance)
    if chance.random() < 0.02:
        kind = chance.choice((PROTOBUF, JSON, "text/plain", ""))
    encoding = chance.choice(("", "", "gzip", "deflate"))
    if encoding:
        body = gzip.compress(body, 1) if encoding == "gzip" else zlib.compress(body, 1)
        if chance.random() < 0.2:
            body, way = damaged(body, chance), way + ", packed"
        elif chance.random() < 0.01:
            body, encoding, way = gzip.compress(bytes(64 * MOST // 16), 1), "gzip", "bomb"
    return what, body, kind, encoding, way


def main() -> None:
    """Go round until the time is over."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    chance = random.Random(asked.seed)  # noqa: S311 - what is found must be found again
    requests, counts = bases(), Counter()
    slowest, end = (0.0, ""), time.perf_counter() + asked.seconds
    while time.perf_counter() < end:
        what, body, kind, encoding, way = one_round(chance, requests)
        began = time.process_time()
        try:
            out = check(what, kind, unpack(body, encoding, MOST), 1_790_000_000_000_000_000)
        except Refused as refused:
            out = f"refused {refused.status}"
        except Exception:  # noqa: BLE001 - anything else is what is looked for
            traceback.print_exc()
            with tempfile.NamedTemporaryFile(prefix="fuzz_otlp_", delete=False) as kept:
                kept.write(body)
            sys.exit(f"a finding, by {way} on {what} as {kind} {encoding}: the body is in {kept.name}")
        counts[out] += 1
        counts["rounds"] += 1
        slowest = max(
            slowest, (time.process_time() - began, f"{way} on {what} as {kind} {encoding}, {len(body)} bytes")
        )
    print(f"seed {asked.seed}, {asked.seconds:g} s: only refused or decoded")
    for name, count in counts.most_common():
        print(f"{count:>10,} {name}")
    print(f"slowest {slowest[0] * 1000:.1f} ms of CPU: {slowest[1]}")


if __name__ == "__main__":
    main()
