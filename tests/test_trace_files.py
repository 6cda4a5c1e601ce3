"""Spans are read from files of every shape that collectors and backends write, and what is none is said."""

import gzip
import json

import pytest
from otlp_spans import rag_trace

from showable.errors import InputError
from showable.records.spans import SpanEvent
from showable.traces.files.opening import kind_of
from showable.traces.files.read import read_spans
from showable.traces.otlp.encode import encode_spans, encode_spans_json

SPANS = rag_trace()


def delimited(*bodies):
    out = b""
    for body in bodies:
        size, head = len(body), bytearray()
        while size > 127:
            head.append(size & 127 | 128)
            size >>= 7
        out += bytes([*head, size]) + body
    return out


def read(tmp_path, body, name="spans", notes=None):
    path = tmp_path / name
    path.write_bytes(body if isinstance(body, bytes) else json.dumps(body).encode())
    return list(read_spans(path, notes))


def indented(body):
    return json.dumps(json.loads(body), indent=2).encode()


TEXT = encode_spans_json(SPANS)
OTLP = [
    ("one object", TEXT), ("one object over lines", indented(TEXT)), ("with a mark in front", b"\xef\xbb\xbf" + TEXT),
    ("JSON Lines", encode_spans_json(SPANS[:7]) + b"\n\n" + encode_spans_json(SPANS[7:]) + b"\r\n"),
    ("a list", b"[" + encode_spans_json(SPANS[:7]) + b"," + encode_spans_json(SPANS[7:]) + b"]"),
    ("a list of one over lines", b"[\n" + TEXT + b"\n]"),
    ("as Tempo names it", TEXT.replace(b'"resourceSpans"', b'"batches"')), ("within a trace", b'{"trace": ' + TEXT + b"}"),
    ("protobuf", encode_spans(SPANS)), ("protobuf, many", delimited(encode_spans(SPANS[:7]), encode_spans(SPANS[7:]))),
]  # fmt: skip


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize(("shape", "body"), OTLP, ids=[shape for shape, _ in OTLP])
def test_otlp_is_told_by_its_content(tmp_path, shape, body, packed):
    assert read(tmp_path, gzip.compress(body) if packed else body) == SPANS


# The span of Phoenix's REST API: arize.com/docs/phoenix, "List spans", its fields and their nesting
PHOENIX = {
    "id": "U3Bhbjox", "name": "retrieve", "context": {"trace_id": "5B8EFFF798038103D269B633813FC60C", "span_id": "eee19b7ec3c1b174"},
    "span_kind": "RETRIEVER", "parent_id": None, "start_time": "2026-09-21T14:13:20.000001+00:00", "end_time": "2026-09-21T14:13:21Z",
    "status_code": "OK", "status_message": "",
    "attributes": {
        "input": {"value": "how?", "mime_type": "text/plain"}, "metadata": {"cohort": {"name": "b"}},
        "retrieval": {"documents": [{"document": {"id": "d1", "content": "text", "score": 0.5, "metadata": {"page": 3}}}, {"document": {"id": "d2"}}]},
        "tag": {"tags": ["a", "b"]}, "llm.model_name": "a-model",
    },
    "events": [{"name": "exception", "timestamp": "2026-09-21T14:13:20Z", "attributes": {"exception.message": "no"}}],
}  # fmt: skip
FLAT = {
    "openinference.span.kind": "RETRIEVER", "input.value": "how?", "input.mime_type": "text/plain", "metadata": '{"cohort":{"name":"b"}}',
    "retrieval.documents.0.document.id": "d1", "retrieval.documents.0.document.content": "text", "retrieval.documents.0.document.score": 0.5,
    "retrieval.documents.0.document.metadata": '{"page":3}', "retrieval.documents.1.document.id": "d2", "tag.tags": ["a", "b"],
    "llm.model_name": "a-model",
}  # fmt: skip


@pytest.mark.parametrize(
    "wrap",
    [lambda one: one, lambda one: [one], lambda one: {"data": [one], "next_cursor": None}],
    ids=["one", "list", "page"],
)
def test_a_span_of_phoenixs_api_is_laid_flat(tmp_path, wrap):
    (span,) = read(tmp_path, wrap(PHOENIX))
    assert span.key == ("5b8efff798038103d269b633813fc60c", "eee19b7ec3c1b174")
    assert span.attributes == FLAT
    assert (span.start_ns, span.end_ns, span.status, span.parent_id) == (
        1790000000000001000,
        1790000001000000000,
        "ok",
        None,
    )
    assert span.events == (SpanEvent("exception", 1790000000000000000, {"exception.message": "no"}),)
    assert span.problems == ()


def row(**fields):
    """A row of Phoenix's dataframe: attributes in columns, lists of documents in cells, times in milliseconds as pandas writes them."""
    return {
        "name": "retrieve", "span_kind": "RETRIEVER", "parent_id": "ABCDEF0123456789", "start_time": 1790000000000, "end_time": 1790000001000,
        "status_code": "ERROR", "context.span_id": "eee19b7ec3c1b174", "context.trace_id": "5b8efff798038103d269b633813fc60c",
        "attributes.input.value": "how?", "attributes.llm.token_count.prompt": 12, "attributes.llm.model_name": None,
        "attributes.retrieval.documents": [{"document.id": "d1", "document.content": "text", "document.score": 0.5}],
    } | fields  # fmt: skip


ROW = {
    "openinference.span.kind": "RETRIEVER", "input.value": "how?", "llm.token_count.prompt": 12, "retrieval.documents.0.document.id": "d1",
    "retrieval.documents.0.document.content": "text", "retrieval.documents.0.document.score": 0.5,
}  # fmt: skip


@pytest.mark.parametrize("kind", ["records", "lines", "csv", "parquet"])
def test_a_dataframe_of_phoenix_is_read_however_it_was_written(tmp_path, kind):
    if kind == "parquet":
        pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        parquet.write_table(pyarrow.Table.from_pylist([row(), row()]), tmp_path / "spans")
        spans = list(read_spans(tmp_path / "spans"))
    elif kind == "csv":
        cells = {key: "" if value is None else str(value) for key, value in row().items()}
        body = (
            ",".join(cells)
            + "\n"
            + (",".join('"' + cell.replace('"', '""') + '"' for cell in cells.values()) + "\n") * 2
        )
        spans = read(tmp_path, body.encode())
    else:
        spans = read(
            tmp_path, [row(), row()] if kind == "records" else "\n".join(json.dumps(row()) for _ in "ab").encode()
        )
    assert len(spans) == 2
    assert (spans[0].attributes, spans[0].parent_id, spans[0].status) == (ROW, "abcdef0123456789", "error")
    assert (spans[0].start_ns, spans[0].end_ns) == (1790000000000000000, 1790000001000000000)


@pytest.mark.parametrize("begin", [b"", b"\xef\xbb\xbf"], ids=["plain", "with a mark in front"])
def test_a_table_may_hold_control_characters_in_its_texts(tmp_path, begin):
    names = "context.trace_id,context.span_id,name,start_time,attributes.output.value"
    cells = f"{PHOENIX['context']['trace_id']},eee19b7ec3c1b174,search,2026-09-21T14:13:20Z,A per\x02iod of 30 days"
    (span,) = read(tmp_path, begin + f"{names}\n{cells}\n".encode())
    assert span.attributes["output.value"] == "A per\x02iod of 30 days"


def observation(**fields):
    """An observation of Langfuse's API: api.reference.langfuse.com, ObservationsView."""
    return {
        "id": "obs-1", "traceId": "trace-1", "type": "SPAN", "name": "step", "startTime": "2026-09-21T14:13:20.000Z",
        "endTime": "2026-09-21T14:13:21.000Z", "parentObservationId": None, "input": None, "output": None, "metadata": None, "level": "DEFAULT",
    } | fields  # fmt: skip


GENERATION = {
    "type": "GENERATION", "model": "a-model", "modelParameters": {"temperature": 0}, "usageDetails": {"input": 12, "output": 3, "total": 15},
    "costDetails": {"total": 0.002}, "promptName": "ask", "promptVersion": 4, "environment": "production",
    "input": [{"role": "system", "content": "Cite."}, {"role": "user", "content": [{"type": "text", "text": "how?"}, {"type": "image_url"}]}],
    "output": {"role": "assistant", "content": "So [1]."},
}  # fmt: skip


def test_a_generation_of_langfuse_becomes_a_model_call():
    from showable.traces.files.langfuse import observation_span

    span = observation_span(observation(**GENERATION))
    held = dict(span.attributes)
    assert json.loads(held.pop("input.value")) == GENERATION["input"]
    assert json.loads(held.pop("output.value")) == GENERATION["output"]
    assert held == {
        "openinference.span.kind": "LLM", "input.mime_type": "application/json", "output.mime_type": "application/json",
        "llm.input_messages.0.message.role": "system", "llm.input_messages.0.message.content": "Cite.",
        "llm.input_messages.1.message.role": "user", "llm.input_messages.1.message.content": "how?",
        "llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": "So [1].",
        "llm.model_name": "a-model", "llm.invocation_parameters": '{"temperature":0}', "llm.token_count.prompt": 12,
        "llm.token_count.completion": 3, "llm.token_count.total": 15, "llm.cost.total": 0.002, "llm.prompt_template.version": "4",
        "prompt.id": "ask",
    }  # fmt: skip
    assert span.resource == {"deployment.environment.name": "production"}
    assert span.problems == ("1 parts of a message are no text: left out",)


OUTPUTS = [
    ("RETRIEVER", [{"id": "d1", "content": "text", "score": 0.5}], {"id": "d1", "content": "text", "score": 0.5}),
    ("RETRIEVER", {"documents": ["text"]}, {"content": "text"}),
    (
        "RETRIEVER",
        [{"document": {"id": "d1", "text": "text"}, "score": 1}],
        {"id": "d1", "content": "text", "score": 1},
    ),
    ("SPAN", [{"page_content": "text", "metadata": {"id": 7}}], {"id": "7", "content": "text", "metadata": '{"id":7}'}),
    ("RETRIEVER", '[{"page_content": "text"}]', {"content": "text"}),
]


@pytest.mark.parametrize(("kind", "output", "wanted"), OUTPUTS)
def test_a_retrievers_output_becomes_documents(tmp_path, kind, output, wanted):
    (span,) = read(tmp_path, [observation(type=kind, output=output)])
    at = "retrieval.documents.0.document."
    assert {key.removeprefix(at): value for key, value in span.attributes.items() if key.startswith(at)} == wanted
    assert span.attributes["openinference.span.kind"] == "RETRIEVER"


def test_a_row_of_a_blob_export_is_read_by_its_own_names(tmp_path):
    exported = {
        "id": "o", "trace_id": "t", "type": "GENERATION", "parent_observation_id": "p", "start_time": "2026-09-21 14:13:20.000000",
        "end_time": "2026-09-21 14:13:21.000000", "input": '"how?"', "output": "So.", "provided_model_name": "a-model", "level": "ERROR",
        "status_message": "late", "usage_details": {"input": 2},
    }  # fmt: skip
    (span, _) = read(tmp_path, "\n".join([json.dumps(exported)] * 2).encode())
    assert (span.key, span.parent_id, span.start_ns, span.status, span.status_message) == (
        ("t", "o"),
        "p",
        1790000000000000000,
        "error",
        "late",
    )
    assert span.attributes["input.value"] == "how?"
    assert span.attributes["llm.output_messages.0.message.content"] == "So."
    assert span.attributes["llm.token_count.prompt"] == 2


def test_what_langfuse_kept_of_a_span_by_otlp_comes_before_what_is_made_of_it(tmp_path):
    metadata = {
        "attributes": {"openinference.span.kind": "TOOL", "a": 1},
        "resourceAttributes": {"service.name": "shop"},
        "scope": {"name": "lib"},
        "x": 1,
    }
    (span,) = read(tmp_path, [observation(metadata=metadata)])
    assert span.attributes == {"openinference.span.kind": "TOOL", "a": 1, "metadata": '{"x":1}'}
    assert (span.service, span.scope) == ("shop", "lib")


def test_a_trace_of_langfuse_gives_its_own_input_and_output_to_a_root(tmp_path):
    inner = [observation(id="a", traceId=None), observation(id="b", parentObservationId="a")]
    del inner[0]["traceId"]
    trace = {
        "id": "t",
        "timestamp": "2026-09-21T14:13:20Z",
        "input": "how?",
        "output": "So.",
        "sessionId": "s",
        "observations": inner,
    }
    root, first, second = read(tmp_path, trace)
    assert (root.key, root.parent_id, root.attributes["input.value"], root.attributes["output.value"]) == (
        ("t", "trace-t"),
        None,
        "how?",
        "So.",
    )
    assert root.end_ns == 1790000001000000000
    assert (first.key, first.parent_id, second.parent_id) == (("t", "a"), "trace-t", "a")
    assert {span.attributes["session.id"] for span in (root, first, second)} == {"s"}
    alone = {
        "trace": {**trace, "observations": None},
        "observations": [observation(id="a", input="how?", output="So.")],
        "scores": [],
    }
    assert [span.span_id for span in read(tmp_path, alone)] == ["a"]


BAD = [
    (b"", "holds nothing"), (b"{", "the file is not JSON (line 1, column 2)"), (b'{"a": 1}', "no shape that is known, with the fields a: OTLP"),
    (TEXT + b"\n{\n", ":2: the line is not JSON"), (b'{"resourceSpans": 7}', "resourceSpans: expected a list"),
    (TEXT + b'\n{"resourceSpans": [7]}', ":2: resourceSpans[0]: expected an object"), (b"[" * 5000, "nested too deeply"), (b"[7]", "[0]: expected an object"),
    (b'[{"context": {"trace_id": "a"}}]', "[0].context.span_id: expected an id as text"),
    (b'{"context.trace_id": "a"}', "context.span_id: expected an id as text: write the dataframe after reset_index()"),
    (b'{"id": "a", "traceId": 7, "type": "SPAN"}', "traceId: expected an id as text"), (b"name,kind\na,b\n", ":2: no shape that is known"),
    (b"a,b\n1\n", ":2: expected as many cells"), (b'a,b\n"1', "not CSV"), (b"PK\x03\x04", "is a zip archive"), (b"PAR1zz", "is Parquet, and cannot be read"),
    (gzip.compress(TEXT)[:-20], "is gzip, and damaged"), (b"\x7f\x01\x02", "message 1 is cut off"), (encode_spans(SPANS)[:-1], "expected OTLP"),
    (b"[]", "holds no spans"), (b"just words\n", "holds no spans"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "said"), BAD, ids=[said[:24] for _, said in BAD])
def test_what_is_not_as_expected_is_said_with_its_place(tmp_path, body, said):
    if body.startswith(b"PAR1"):
        pytest.importorskip("pyarrow")
    with pytest.raises(InputError) as error:
        read(tmp_path, body)
    assert str(error.value).startswith(str(tmp_path / "spans"))
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there_is_said(tmp_path):
    with pytest.raises(InputError, match="No such file"):
        kind_of(tmp_path / "none")


def test_spans_without_ids_are_noted_or_an_error(tmp_path):
    body = TEXT.replace(SPANS[3].span_id.encode(), b"0" * 16)
    notes = []
    assert len(read(tmp_path, body, notes=notes)) == len(SPANS) - 1
    assert len(notes) == 1
    assert "1 spans are left out: a span's trace id is not 32" in notes[0]
    with pytest.raises(InputError, match="1 spans are left out"):
        read(tmp_path, body)


def test_json_lines_are_read_one_at_a_time(tmp_path):
    (tmp_path / "spans").write_bytes(TEXT + b"\n" + TEXT + b"\nbroken\n")
    spans = read_spans(tmp_path / "spans")
    assert next(spans) == SPANS[0]
    with pytest.raises(InputError, match=":3: "):
        list(spans)
