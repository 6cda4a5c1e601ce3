"""Requests in OTLP become spans: the same ones in protobuf and JSON, and as opentelemetry-sdk's own exporter writes them."""

import json
import math
from dataclasses import replace
from functools import partial

import pytest
from google.protobuf import json_format
from google.rpc.status_pb2 import Status as RpcStatus
from hypothesis import given, settings
from hypothesis import strategies as st
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from otlp_spans import rag_trace
from tables import every_row

from showable.errors import InputError
from showable.records.spans import Span, SpanEvent, SpanLink
from showable.traces.otlp.answer import error_body, response
from showable.traces.otlp.decode import decode_logs, decode_request
from showable.traces.otlp.decoded import Allowance
from showable.traces.otlp.encode import encode_spans, encode_spans_json, fits_otlp
from showable.traces.otlp.encode_logs import encode_events
from showable.traces.otlp.refused import Refused

PROTOBUF, JSON = "application/x-protobuf", "application/json; charset=utf-8"
TRACE, SPAN = "5b8efff798038103d269b633813fc60c", "eee19b7ec3c1b174"
NOW = 1_790_000_000_000_000_000


def span(**fields):
    return Span(**{"trace_id": TRACE, "span_id": SPAN, "start_ns": NOW, "end_ns": NOW + 5} | fields)


def request(*spans, resource=()):
    return {"resourceSpans": [{"resource": {"attributes": list(resource)}, "scopeSpans": [{"spans": list(spans)}]}]}


def raw(**fields):
    return {"traceId": TRACE, "spanId": SPAN, "startTimeUnixNano": str(NOW), "endTimeUnixNano": str(NOW + 5)} | fields


def of_json(value, **options):
    return decode_request(json.dumps(value).encode(), JSON, **options)


def both(value):
    """The protobuf that json_format makes of OTLP/JSON, with base64 ids in place of hexadecimal ones."""
    import base64

    def ids(held):
        if isinstance(held, list):
            return [ids(one) for one in held]
        if not isinstance(held, dict):
            return held
        return {
            key: base64.b64encode(bytes.fromhex(inner)).decode()
            if key in {"traceId", "spanId", "parentSpanId"}
            else ids(inner)
            for key, inner in held.items()
        }

    return json_format.ParseDict(
        ids(value), ExportTraceServiceRequest(), ignore_unknown_fields=True
    ).SerializeToString()


# The spec's own example: github.com/open-telemetry/opentelemetry-proto, examples/trace.json, in its fields that we keep
EXAMPLE = {
    "resourceSpans": [{
        "resource": {"attributes": [{"key": "service.name", "value": {"stringValue": "my.service"}}]},
        "scopeSpans": [{
            "scope": {"name": "my.library", "version": "1.0.0"},
            "spans": [{
                "traceId": "5B8EFFF798038103D269B633813FC60C", "spanId": "EEE19B7EC3C1B174", "parentSpanId": "EEE19B7EC3C1B173",
                "name": "I'm a server span", "startTimeUnixNano": "1544712660000000000", "endTimeUnixNano": 1544712661000000000,
                "kind": 2, "attributes": [{"key": "my.span.attr", "value": {"stringValue": "some value"}}],
            }],
        }],
    }]
}  # fmt: skip


def test_the_standards_example_is_read():
    (held,) = of_json(EXAMPLE).spans
    assert held == Span(
        "5b8efff798038103d269b633813fc60c", "eee19b7ec3c1b174", "eee19b7ec3c1b173", "I'm a server span",
        1544712660000000000, 1544712661000000000, "my.service", {"my.span.attr": "some value"},
        scope="my.library", resource={"service.name": "my.service"},
    )  # fmt: skip
    assert decode_request(both(EXAMPLE), PROTOBUF).spans == [held]


VALUES = [
    ({"stringValue": ""}, "", None), ({"stringValue": "é"}, "é", None), ({"boolValue": False}, False, None),
    ({"intValue": "-9223372036854775808"}, -(2**63), None), ({"intValue": 7}, 7, None), ({"intValue": "0"}, 0, None),
    ({"doubleValue": 0.5}, 0.5, None), ({"doubleValue": "NaN"}, "NaN", "NaN is kept as text"),
    ({"doubleValue": "-Infinity"}, "-Infinity", "-Infinity is kept as text"), ({}, None, None),
    ({"bytesValue": "AAH/"}, "AAH/", None), ({"arrayValue": {}}, [], None), ({"kvlistValue": {}}, {}, None),
    ({"arrayValue": {"values": [{"intValue": "1"}, {"stringValue": "b"}, {}]}}, [1, "b", None], None),
    ({"kvlistValue": {"values": [{"key": "a", "value": {"boolValue": True}}]}}, {"a": True}, None),
]  # fmt: skip


@every_row(("value", "wanted", "problem"), VALUES)
def test_a_value_is_read_alike_in_both_encodings(value, wanted, problem):
    asked = request(raw(attributes=[{"key": "a", "value": value}]))
    (held,) = of_json(asked).spans
    assert held.attributes == {"a": wanted}
    assert type(held.attributes["a"]) is type(wanted)
    assert list(held.problems) == ([f'attribute "a": {problem}'] if problem else [])
    assert decode_request(both(asked), PROTOBUF).spans == [held]


LIES = [
    ({"intValue": "abc"}, "abc", "no 64-bit integer"), ({"intValue": 2**63}, str(2**63), "no 64-bit integer"),
    ({"intValue": True}, True, "no 64-bit integer"), ({"stringValue": 5}, 5, "no text"), ({"boolValue": "yes"}, "yes", "neither true"),
    ({"doubleValue": [1]}, None, "no number"), ({"arrayValue": "x"}, "x", "not a list"), ("bare", "bare", "without its kind"),
    ({"stringValue": "a", "intValue": 1}, "a", "two kinds at once"), ({"newValue": 1}, None, "of a kind that traces do not have"),
    ({"intValue": "9" * 5000}, "9" * 5000, "no 64-bit integer"), ({"stringValue": "x" * 1_000_001}, "x" * 1_000_000, "cut at"),
]  # fmt: skip


@every_row(("value", "wanted", "problem"), LIES)
def test_a_value_that_lies_about_its_kind_is_kept_and_told(value, wanted, problem):
    (held,) = of_json(request(raw(attributes=[{"key": "a", "value": value}]))).spans
    assert held.attributes == {"a": wanted}
    assert problem in held.problems[0]


ODD = [
    (raw(endTimeUnixNano=str(NOW - 2_000_000)), "ends 2 ms before it starts"),
    (raw(startTimeUnixNano="0"), "has no start time"), (raw(endTimeUnixNano=str(2**64 - 1)), "its end time is no time: left out"),
    (raw(startTimeUnixNano=str(NOW + 7_200 * 10**9), endTimeUnixNano=str(NOW + 7_201 * 10**9)), "starts 2.0 hours ahead"),
    (raw(startTimeUnixNano=str(NOW - 40 * 86_400 * 10**9)), "started 40 days before it came"),
    (raw(attributes=[{"key": "a", "value": {"intValue": 1}}, {"key": "a", "value": {"intValue": 2}}]), "1 attributes have a name that another"),
    (raw(droppedAttributesCount=3), "3 attributes were dropped by the sender"), (raw(status={"code": 9}), "its status 9 is not one"),
    (raw(parentSpanId="abcd"), "its parent's id is"), (raw(links=[{"traceId": "ab", "spanId": SPAN}]), "a link's ids are of the wrong length"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "problem"), ODD, ids=lambda value: str(value)[-40:])
def test_an_odd_span_is_kept_and_says_so_alike_in_both_encodings(one, problem):
    asked = request(one)
    (held,) = of_json(asked, now_ns=NOW).spans
    assert held.problems[0].startswith(problem)
    (other,) = decode_request(both(asked), PROTOBUF, NOW).spans
    assert other.problems[0].startswith(problem)
    assert replace(other, problems=()) == replace(held, problems=())


BAD_IDS = [raw(traceId="0" * 32), raw(spanId="0" * 16), raw(traceId="ab"), raw(spanId=""), {"name": "no ids"}]


@pytest.mark.parametrize("bad", BAD_IDS)
def test_a_span_without_ids_of_its_own_is_rejected_and_the_others_are_kept(bad):
    asked = request(bad, raw())
    for held in (of_json(asked), decode_request(both(asked), PROTOBUF)):
        assert (len(held.spans), held.rejected) == (1, 1)
        assert "all zeros" in held.reason


def test_what_is_no_span_in_json_is_rejected_with_its_reason():
    held = of_json(request(raw(traceId="g" * 32), "x", raw(traceId="ab " * 10 + "ab"), None))
    assert (held.spans, held.rejected) == ([], 4)
    assert held.reason.endswith("a span is not an object")


def test_ids_in_base64_as_protobufs_own_printer_writes_them_are_read():
    assert of_json(request(raw(traceId="W47/95gDgQPSabYzgT/GDA==", spanId="7uGbfsPBsXQ="))).spans[0].key == (
        TRACE,
        SPAN,
    )


REFUSED = [
    (b"\xff\xfe", PROTOBUF, 400), (b"\x0a\x05ab", PROTOBUF, 400), (b"{}", "text/plain", 415), (b"{", JSON, 400),
    (b"[]", JSON, 400), (b'{"resourceLogs": []}', JSON, 400), (b'{"resourceSpans": {}}', JSON, 400), (b"[" * 100_000, JSON, 400),
    (b'{"resourceSpans": [{"scopeSpans": [7]}]}', JSON, 400), (b"\x0b" * 100_000, PROTOBUF, 400), (b"", JSON, 400), (b"NaN", JSON, 400),
]  # fmt: skip


@every_row(("body", "content_type", "status"), REFUSED)
def test_a_body_that_is_no_request_is_refused(body, content_type, status):
    with pytest.raises(Refused) as refused:
        decode_request(body, content_type)
    assert refused.value.status == status
    assert "\n" not in refused.value.reason


@pytest.mark.parametrize(("body", "content_type"), [(b"", PROTOBUF), (b"{}", JSON), (b'{"resourceSpans": null}', JSON)])
def test_an_empty_request_holds_nothing(body, content_type):
    assert decode_request(body, content_type).spans == []


def test_text_that_is_not_utf8_is_replaced_and_told_and_the_other_spans_are_as_they_came():
    spans = [span(attributes={"a": "good"}), span(attributes={"a": "bad@bad"}), span(span_id="01" * 8)]
    (first, second, third) = decode_request(encode_spans(spans).replace(b"bad@bad", b"bad\xffbad"), PROTOBUF).spans
    assert (first, third) == (spans[0], spans[2])
    assert second.attributes == {"a": "bad\ufffdbad"}
    assert "not UTF-8" in second.problems[0]
    text = encode_spans_json(spans)
    for half in (b"bad\xffbad", rb"bad\ud83dbad"):
        assert decode_request(text.replace(b"bad@bad", half), JSON).spans[1].attributes == {"a": "bad\ufffdbad"}
    assert decode_request(text.replace(b"bad@bad", half), JSON).spans[0] == spans[0]


@pytest.mark.parametrize("levels", [23, 24, 60, 400])
@pytest.mark.parametrize("kind", ["list", "mapping"])
def test_a_bottomless_value_is_cut_alike_in_both_encodings(levels, kind):
    value = '{"stringValue": "deep"}'
    inner = b"\x0a\x04deep"  # AnyValue.string_value
    for _ in range(levels):
        if kind == "list":
            value = f'{{"arrayValue": {{"values": [{value}]}}}}'
            inner = b"\x2a" + sized(b"\x0a" + sized(inner))
        else:
            value = f'{{"kvlistValue": {{"values": [{{"key": "k", "value": {value}}}]}}}}'
            inner = b"\x32" + sized(b"\x0a" + sized(b"\x0a\x01k\x12" + sized(inner)))
    attribute = b"\x0a\x01a\x12" + sized(inner)
    one = encode_spans([span()])
    at = one.index(bytes.fromhex(TRACE)) - 2
    whole = one[at:] + b"\x4a" + sized(attribute)
    body = b"\x0a" + sized(b"\x12" + sized(b"\x12" + sized(whole)))
    text = json.dumps(request(raw(attributes=["@"]))).replace('"@"', f'{{"key": "a", "value": {value}}}')
    (binary,) = decode_request(body, PROTOBUF).spans
    if levels == 400:
        with pytest.raises(Refused, match="nested too deeply"):
            decode_request(text.encode(), JSON)
    else:
        assert decode_request(text.encode(), JSON).spans[0].attributes == binary.attributes
    assert ("deep" in str(binary.attributes)) == (levels == 23)
    assert bool(binary.problems) == (levels > 23)


def sized(body):
    out, size = bytearray(), len(body)
    while size > 127:
        out.append(size & 127 | 128)
        size >>= 7
    return bytes([*out, size]) + body


TEXT = st.text(st.characters(codec="utf-8"), max_size=8)
VALUE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)
ATTRIBUTES = st.dictionaries(TEXT.filter(bool), VALUE, max_size=4)
HEX = "0123456789abcdef"


def ids(digits):
    return st.text(HEX, min_size=digits, max_size=digits).filter(lambda held: held.strip("0"))


@st.composite
def spans(draw):
    start = draw(st.integers(1, 2**62))
    resource = draw(ATTRIBUTES)
    service, parent = draw(TEXT), draw(st.none() | ids(16))
    return Span(
        draw(ids(32)), draw(ids(16)), parent, draw(TEXT), start, start + draw(st.integers(0, 2**40)), service,
        draw(ATTRIBUTES), tuple(SpanEvent(*held) for held in draw(st.lists(st.tuples(TEXT, st.integers(0, 2**62), ATTRIBUTES), max_size=2))),
        tuple(SpanLink(*held) for held in draw(st.lists(st.tuples(ids(32), ids(16), ATTRIBUTES), max_size=2))),
        draw(st.sampled_from(["unset", "ok", "error"])), draw(TEXT), draw(TEXT),
        {**resource, "service.name": service} if service else {key: held for key, held in resource.items() if key != "service.name"},
        remote_parent=parent is not None and draw(st.booleans()),
    )  # fmt: skip


@settings(max_examples=25)
@given(st.lists(spans(), max_size=3))
def test_what_is_written_is_read_back_in_both_encodings(held):
    assert decode_request(encode_spans(held), PROTOBUF).spans == held
    assert decode_request(encode_spans_json(held), JSON).spans == held


def test_spans_of_one_resource_share_it():
    held = decode_request(encode_spans(rag_trace()), PROTOBUF).spans
    assert all(one.resource is held[0].resource for one in held)


def test_what_python_can_hold_and_the_wire_cannot_is_written_as_near_as_it_can_be():
    odd = span(name="half \ud83d", attributes={"a": math.inf, "b": 2**70, "c": ["\udc00"]})
    for body, kind in ((encode_spans([odd]), PROTOBUF), (encode_spans_json([odd]), JSON)):
        (held,) = decode_request(body, kind).spans
        assert (held.name, held.attributes) == ("half ?", {"a": "Infinity", "b": str(2**70), "c": ["?"]})


def test_a_span_with_ids_of_another_form_is_not_written():
    assert not fits_otlp("lf-1", SPAN)
    with pytest.raises(InputError, match="OTLP holds ids of 32 and 16"):
        encode_spans([span(trace_id="lf-1")])


def test_the_sdks_own_spans_are_read_as_it_made_them():
    from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans as sdk_encode
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
    from opentelemetry.trace import (
        Link,
        NonRecordingSpan,
        SpanContext,
        Status,
        StatusCode,
        TraceFlags,
        set_span_in_context,
    )

    kept = InMemorySpanExporter()
    provider = TracerProvider(resource=Resource({"service.name": "shop"}))
    provider.add_span_processor(SimpleSpanProcessor(kept))
    tracer = provider.get_tracer("a.library")
    with tracer.start_as_current_span("ask", attributes={"n": 3, "f": 0.5, "b": True, "many": ["a", "b"]}) as root:
        root.add_event("token", {"index": 0}, timestamp=5)
        with tracer.start_as_current_span("answer", links=[Link(root.get_span_context(), {"why": "of"})]) as child:
            child.set_status(Status(StatusCode.ERROR, "no model"))
    elsewhere = SpanContext(7, 9, is_remote=True, trace_flags=TraceFlags(TraceFlags.SAMPLED))
    with tracer.start_as_current_span("served", context=set_span_in_context(NonRecordingSpan(elsewhere))):
        pass
    made = {one.name: one for one in kept.get_finished_spans()}
    body = sdk_encode(list(made.values())).SerializeToString()
    held = {one.name: one for one in decode_request(body, PROTOBUF).spans}
    ask, answer = held["ask"], held["answer"]
    assert (ask.trace_id, ask.span_id) == (
        f"{root.get_span_context().trace_id:032x}",
        f"{root.get_span_context().span_id:016x}",
    )
    assert (ask.attributes, ask.events) == (
        {"n": 3, "f": 0.5, "b": True, "many": ["a", "b"]},
        (SpanEvent("token", 5, {"index": 0}),),
    )
    assert [held[name].remote_parent for name in ("ask", "answer", "served")] == [False, False, True]
    assert (answer.parent_id, answer.status, answer.status_message) == (ask.span_id, "error", "no model")
    assert answer.links == (SpanLink(*ask.key, {"why": "of"}),)
    assert (ask.service, ask.scope, ask.problems) == ("shop", "a.library", ())
    assert (ask.start_ns, ask.end_ns) == (made["ask"].start_time, made["ask"].end_time)
    assert decode_request(encode_spans(list(held.values())), PROTOBUF).spans == list(held.values())


EVENTS = [
    (
        TRACE,
        SPAN,
        SpanEvent(
            "gen_ai.evaluation.result",
            NOW,
            {"gen_ai.evaluation.name": "structural", "gen_ai.evaluation.score.value": 1.0},
        ),
    )
]


def test_events_of_generations_travel_as_log_records():
    assert decode_logs(encode_events(EVENTS, "shop"), PROTOBUF).events == EVENTS
    with_body = [(TRACE, SPAN, SpanEvent("gen_ai.user.message", NOW, {"body": {"content": "hello"}}))]
    assert decode_logs(encode_events(with_body, "shop"), PROTOBUF).events == with_body


def test_log_records_that_are_no_events_of_a_span_are_passed_over():
    def record(**fields):
        return {"traceId": TRACE, "spanId": SPAN, "observedTimeUnixNano": str(NOW)} | fields

    records = [
        record(eventName="gen_ai.choice", body={"stringValue": "x"}),
        record(attributes=[{"key": "event.name", "value": {"stringValue": "gen_ai.choice"}}]),
        record(eventName="app.started"), record(eventName="gen_ai.choice", spanId=""), "x",
    ]  # fmt: skip
    held = decode_logs(json.dumps({"resourceLogs": [{"scopeLogs": [{"logRecords": records}]}]}).encode(), JSON)
    assert held.events == [
        (TRACE, SPAN, SpanEvent("gen_ai.choice", NOW, {"body": "x"})),
        (TRACE, SPAN, SpanEvent("gen_ai.choice", NOW, {"event.name": "gen_ai.choice"})),
    ]
    assert (held.passed_over, held.rejected) == (2, 1)


def test_answers_are_in_the_senders_encoding():
    assert response(0, "", PROTOBUF) == b""
    assert response(0, "", JSON) == b"{}"
    partial = ExportTraceServiceResponse.FromString(response(3, "zeros", PROTOBUF)).partial_success
    assert (partial.rejected_spans, partial.error_message) == (3, "zeros")
    assert json.loads(response(3, "zeros", JSON)) == {"partialSuccess": {"rejectedSpans": "3", "errorMessage": "zeros"}}
    assert json.loads(response(3, "zeros", JSON, "logs")) == {
        "partialSuccess": {"rejectedLogRecords": "3", "errorMessage": "zeros"}
    }
    told = RpcStatus.FromString(error_body(429, "é" * 100, PROTOBUF))
    assert (told.code, told.message) == (8, "é" * 100)
    assert json.loads(error_body(400, "no", JSON)) == {"code": 3, "message": "no"}


@pytest.mark.slow
def test_a_body_that_is_nearly_all_structure_is_refused_before_it_is_parsed():
    for body, kind in (
        (b"\x0a\x00" * 500_001, PROTOBUF),
        (b'{"resourceSpans": [' + b"{}," * 1_000_001 + b"{}]}", JSON),
    ):
        with pytest.raises(Refused, match="send fewer spans at once") as refused:
            decode_request(body, kind)
        assert refused.value.status == 413
    text = "*" * 1_500_000  # bytes that a message might begin with, in a text
    assert (
        decode_request(encode_spans([span(attributes={"a": text[:900_000], "b": text[:900_000]})]), PROTOBUF).rejected
        == 0
    )


@pytest.mark.parametrize(
    ("written", "read"),
    [(rb"\ud83d\ude00\ud83d", "😀\ufffd"), (rb"\ude00\ud83d\ude00", "\ufffd😀"), (rb"\\\ud800x", "\\\ufffdx"), (rb"\\ud800\ud800", "\\ud800\ufffd"),
     (rb"\ud800\ud800", "\ufffd\ufffd"), (rb"\ud800\n\udc00", "\ufffd\n\ufffd")],
)  # fmt: skip
def test_half_a_character_pair_is_replaced_and_a_whole_one_is_not(written, read):
    (held,) = decode_request(encode_spans_json([span(name="@")]).replace(b"@", written), JSON).spans
    assert held.name == read
    assert "half of a character pair" in held.problems[0]


def test_what_is_kept_of_a_span_has_bounds_that_are_told():
    many = [{"key": f"k{i}", "value": {"intValue": "x"}} for i in range(40)]
    long = {"key": "long", "value": {"arrayValue": {"values": [{"boolValue": True}] * 100_001}}}
    (held,) = of_json(request(raw(attributes=[long, *many]))).spans
    assert len(held.attributes["long"]) == 100_000
    assert held.problems[0] == 'attribute "long": cut at 100000 of 100001 values'
    assert (len(held.problems), held.problems[-1]) == (17, "25 more problems of the same span")


@pytest.mark.parametrize(
    ("spans", "resource", "words"),
    [
        ([raw()] * 3, [], "more than 2 spans"),
        ([raw()] * 2, [{"key": "k", "value": {"stringValue": "x" * 600}}], "stored with each span"),
    ],
)
@pytest.mark.parametrize(
    "encoded", [lambda held: (json.dumps(held).encode(), JSON), lambda held: (both(held), PROTOBUF)]
)
def test_a_request_that_would_become_much_more_than_it_is_is_refused(monkeypatch, encoded, spans, resource, words):
    monkeypatch.setattr("showable.traces.otlp.decode.Allowance", partial(Allowance, spans=2, shared=1_000))
    monkeypatch.setattr("showable.traces.otlp.decoded.MOST_SPANS", 2)
    with pytest.raises(Refused, match=words) as refused:
        decode_request(*encoded(request(*spans, resource=resource)))
    assert refused.value.status == 413
    assert len(decode_request(*encoded(request(raw()))).spans) == 1


def test_a_service_is_not_named_by_a_book():
    [read] = of_json(request(raw(), resource=[{"key": "service.name", "value": {"stringValue": "s" * 5_000}}])).spans
    assert len(read.service) == 1_000
