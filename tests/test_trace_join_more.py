"""Traces as they are met, by what was once made of them wrongly: on the terminal, in exports of Langfuse, in files of many traces."""

import hashlib
import io
import json
from collections import Counter
from dataclasses import replace

import pytest
from built_traces import ANSWER, LEASE, QUESTION, lease_trace, span
from rich.console import Console
from scored_traces import live

from showable.cli import traces_reading
from showable.cli.traces_list import answers_table
from showable.cli.traces_reading import found_in
from showable.errors import InputError
from showable.report.trace_tree import MOST_SPANS, render_trace
from showable.stores.traces.store import AnswerRow
from showable.traces.files.read import read_spans
from showable.traces.join import join
from showable.traces.otlp.encode_json import encode_spans_json


def printed(print_it, width=80):
    console = Console(file=io.StringIO(), width=width, color_system=None)
    print_it(console)
    return console.file.getvalue().splitlines()


def row(question, cause=""):
    said = dict.fromkeys(("model", "prompt_version", "profile", "cohort", "answer", "diagnosis", "stratum"), "")
    return AnswerRow(
        id="a", trace_id="0af7651916cd43dd", span_id="b", started_ns=10**18, service="lease-qa", question=question, bucket="unsupported",
        cause=cause, structural="pass", resolvability="fail", semantic="unknown", complete=True, latency_ms=None, **said,
    )  # fmt: skip


@pytest.mark.parametrize("question", ["Short?", "A long question. " * 20, "通知期間は" * 40])
@pytest.mark.parametrize("width", [80, 130])
def test_a_long_question_leaves_the_other_columns_their_width(question, width):
    lines = printed(
        lambda console: console.print(answers_table([row(question, "answered_on_null_retrieval")], width)), width
    )
    assert lines[-1].startswith("09-09 01:46  0af76519…  ✓ ✗ ?  unsupported answered on nu…  ")
    assert question[:5] in lines[-1]


def tree(spans):
    [answer] = join(spans)
    score = live(trace=answer.trace_id, span=answer.span_id)
    return printed(lambda console: render_trace(spans, {}, [score], console=console))


def test_a_large_trace_is_drawn_with_its_answer():
    many = [span(f"step-{n}", "CHAIN", at=(0.6, 0.7)) for n in range(MOST_SPANS + 50)]
    lines = tree([*lease_trace(), *many])
    assert any("structural pass" in line for line in lines)
    assert lines[-1] == f"{3 + len(many) - MOST_SPANS} more spans not drawn"


def test_an_answer_deep_in_a_chain_stays_within_80_columns():
    chain = [span(f"c{n}", "CHAIN", f"c{n - 1}" if n else "root", (0.6, 2.9)) for n in range(400)]
    deep = [replace(one, parent_id="c399") if one.span_id == "llm" else one for one in lease_trace()]
    lines = tree([*deep, *chain])
    [said] = [line for line in lines if "answer: " in line]
    assert len(said) - len(said.lstrip("│├└─ ")) <= 40, "half of the width is left for words"
    assert any(") llm" in line for line in lines)


def test_what_hangs_below_a_circle_is_drawn_there():
    spans = [replace(one, parent_id="llm") if one.span_id == "root" else one for one in lease_trace()]
    assert [line for line in tree(spans) if line.lstrip("│├└─ ").split("  ")[0] in {"root", "retriever", "llm"}] == [
        "└── root  3.00 s", "    ├── retriever  400 ms", "    └── llm  1.50 s",
    ]  # fmt: skip


def observation(**said):
    held = {
        "id": "o",
        "traceId": "t",
        "type": "SPAN",
        "startTime": "2026-01-01T00:00:00Z",
        "endTime": "2026-01-01T00:00:01Z",
    }
    return held | said


FOUND = [{"id": named, "text": text} for named, text in LEASE.items()]
SEARCHES = [  # SDKs of Langfuse before its third version know spans, generations and events alone
    ("retrieval", FOUND, "RETRIEVER"),
    ("vector search", {"documents": FOUND, "query": QUESTION}, "RETRIEVER"),
    ("rag", FOUND, "CHAIN"),
    ("retrieve and answer", {"documents": FOUND, "answer": ANSWER}, "CHAIN"),
    ("retrieval", ["a text", "another"], "CHAIN"),
    ("search users", [{"id": 1, "name": "A"}], "CHAIN"),
]


@pytest.mark.parametrize(("name", "output", "kind"), SEARCHES)
def test_a_plain_observation_that_searched_is_a_retriever(tmp_path, name, output, kind):
    path = tmp_path / "o.json"
    path.write_text(json.dumps([observation(name=name, output=output)]))
    [read] = read_spans(path)
    assert read.attributes["openinference.span.kind"] == kind
    assert ("retrieval.documents.2.document.id" in read.attributes) == (kind == "RETRIEVER")


def test_a_page_of_traces_with_the_ids_of_their_observations_is_told_apart(tmp_path):
    path = tmp_path / "t.json"
    path.write_text(json.dumps({"data": [{"id": "t", "input": QUESTION, "observations": ["o1", "o2"]}]}))
    with pytest.raises(InputError, match=r"data\[0\]\.observations: holds the ids of its observations alone"):
        list(read_spans(path))


def requests(path, *groups):
    """Write a request a line; ids are made of names, as OTLP asks for."""

    def made(one):
        return None if one is None else hashlib.sha256(one.encode()).hexdigest()[:16]

    lines = [[replace(s, span_id=made(s.span_id), parent_id=made(s.parent_id)) for s in group] for group in groups]
    path.write_bytes(b"".join(encode_spans_json(line) + b"\n" for line in lines))


def test_files_are_joined_a_trace_at_a_time_however_their_spans_lie(tmp_path, monkeypatch):
    traces = [lease_trace(trace=f"{n:032x}") for n in range(1, 8)]
    late = [trace.pop(1) for trace in traces[:2]]  # their retrievers come in the last request
    path, later = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    requests(path, *reversed(traces))
    requests(later, late)
    seen = Counter()
    waited = traces_reading._whole_traces

    def watched(*given):
        for whole in waited(*given):
            seen["most"] = max(seen["most"], len(whole))
            yield whole

    monkeypatch.setattr(traces_reading, "_whole_traces", watched)
    with found_in([path, later]) as found:
        records = [json.loads(line) for line in found.records.read_text().splitlines()]
    assert (found.spans, found.traces, found.answers, seen["most"]) == (21, 7, 7, 3)
    assert {len(record["retrieved"]) for record in records} == {len(LEASE)}
    assert [record["trace_id"] for record in records] == sorted(record["trace_id"] for record in records)
    assert not found.records.exists()


def test_what_is_written_to_a_file_while_it_is_read_is_left_for_another_time(tmp_path, monkeypatch):
    path = tmp_path / "a.jsonl"
    requests(path, lease_trace(trace="1" * 32))
    read = traces_reading._spans
    calls = Counter()

    def growing(paths):
        calls["n"] += 1
        if calls["n"] == 2:
            requests(path, lease_trace(trace="1" * 32), lease_trace(trace="2" * 32))
        return read(paths)

    monkeypatch.setattr(traces_reading, "_spans", growing)
    with found_in([path]) as found:
        assert (found.spans, found.answers) == (3, 1)


def test_an_import_that_ends_in_an_error_says_what_it_kept(tmp_path, cli):
    path, store = tmp_path / "a.jsonl", tmp_path / "t.sqlite"
    requests(path, lease_trace(trace="1" * 32))
    path.write_bytes(path.read_bytes() + b'{"resourceSpans": [\n')
    code, _, err = cli("traces", "import", path, "--store", store)
    assert (code, err.count("\n")) == (2, 1)
    assert "a.jsonl:2: the line is not JSON" in err
    assert err.endswith("; the 3 spans before it are kept\n")
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])
    told = json.loads(cli("traces", "import", path, "--store", store, "--json")[1])
    assert (told["new"], told["answers"]) == (0, 1)
