"""`showable traces`: spans from files to a store, a list, a tree, a run and Records; `serve`'s options."""

import hashlib
import json
from dataclasses import replace

import pytest
from built_traces import lease_trace

from showable.cli.traces_filters import read_time
from showable.errors import SettingError
from showable.records.record_file import check_record_file
from showable.stores.traces.opening import open_trace_store
from showable.traces.otlp.encode_json import encode_spans_json

ANSWERS = {"a": "The notice period is 30 days [1].", "b": "The notice period is 30 days [9]."}


def sent(spans, letter):
    """Give spans the ids that OTLP asks for."""
    made = {one.span_id: hashlib.sha256(one.span_id.encode()).hexdigest()[:16] for one in spans} | {None: None}
    return [replace(s, trace_id=letter * 32, span_id=made[s.span_id], parent_id=made.get(s.parent_id)) for s in spans]


@pytest.fixture
def spans(tmp_path):
    """Two traces: one cites what was retrieved, the other a ninth source of fewer."""
    path = tmp_path / "spans.jsonl"
    path.write_bytes(
        b"".join(encode_spans_json(sent(lease_trace(said), letter)) + b"\n" for letter, said in ANSWERS.items())
    )
    return path


@pytest.fixture
def store(spans, tmp_path, cli):
    where = tmp_path / "t.sqlite"
    code, out, err = cli("traces", "import", spans, "--store", where, "--judge", "lexical", "--json")
    assert code == 0, err
    assert json.loads(out) | {"store": ""} == {
        "spans": 2 * len(lease_trace()), "new": 2 * len(lease_trace()), "traces": 2, "answers": 2, "to_judge": 0, "store": "",
    }  # fmt: skip
    return where


def test_an_import_twice_adds_nothing(cli, spans, store):
    code, out, _ = cli("traces", "import", spans, "--store", store, "--json")
    told = json.loads(out)
    assert (code, told["new"], told["answers"]) == (0, 0, 0)


def test_answers_are_listed_with_their_rubrics_and_narrowed(cli, store):
    rows = {
        row["trace_id"][0]: row for row in json.loads(cli("traces", "list", "--store", store, "--json")[1])["answers"]
    }
    assert (rows["a"]["structural"], rows["a"]["resolvability"]) == ("pass", "pass")
    assert (rows["b"]["structural"], rows["b"]["resolvability"]) == ("pass", "fail")
    failing = json.loads(cli("traces", "list", "--store", store, "--failing", "--json")[1])["answers"]
    assert [row["trace_id"][0] for row in failing] == ["b"]
    code, out, _ = cli("traces", "list", "--store", store, "--service", "nobody")
    assert (code, out) == (0, "None of the 2 answers held is one of these.\n")
    _, out, _ = cli("traces", "list", "--store", store)
    assert "✓ ✗" in out
    assert "2 of 2 answers held" in out


def test_a_trace_is_shown_as_a_tree_by_the_beginning_of_its_id(cli, store):
    code, out, _ = cli("traces", "show", "bbbb", "--store", store)
    assert code == 0
    assert "RETRIEVER" in out
    assert "resolvability fail" in out
    assert "Source that was not retrieved" in out
    told = json.loads(cli("traces", "show", "b" * 32, "--store", store, "--json")[1])
    assert (told["trace"], told["answers"][0]["resolvability"]) == ("b" * 32, "fail")


def test_a_trace_without_an_answer_is_said_to_be_held_and_shown(cli, tmp_path, store):
    path, where = tmp_path / "lone.json", tmp_path / "lone.sqlite"
    lone = [one for one in lease_trace() if one.name == "retriever"]
    path.write_bytes(encode_spans_json(sent(lone, "c") + sent(lone, "d")))
    assert cli("traces", "import", path, "--store", where)[0] == 0
    said = "2 spans are held, and no answer was found in them; `showable traces show TRACE` shows a trace.\n"
    assert cli("traces", "list", "--store", where)[:2] == (0, said)
    code, out, _ = cli("traces", "show", "cc", "--store", where)
    assert code == 0
    assert "RETRIEVER" in out
    cli("traces", "import", path, "--store", store)
    again = tmp_path / "again.json"
    again.write_bytes(encode_spans_json([replace(one, trace_id="c" * 31 + "d") for one in sent(lone, "c")]))
    cli("traces", "import", again, "--store", store)
    code, _, err = cli("traces", "show", "cc", "--store", store)
    assert (code, err.count("c" * 31)) == (2, 2)
    assert "several traces begin with cc: " in err


def test_what_was_cited_and_not_retrieved_is_listed_with_its_ids(cli, store):
    code, out, _ = cli("traces", "list", "--store", store, "--not-retrieved")
    assert code == 0
    assert "not retrieved" in out
    assert "bbbb" in out
    assert "aaaa" not in out
    assert "1 of 2 answers held cites what was not retrieved" in out
    (row,) = json.loads(cli("traces", "list", "--store", store, "--not-retrieved", "--json")[1])["answers"]
    assert (row["trace_id"], row["not_retrieved"]) == ("b" * 32, ["9"])
    _, out, _ = cli("traces", "list", "--store", store, "--not-retrieved", "--service", "nobody")
    assert out == "None of the 2 answers held is one of these.\n"


def test_serve_puts_passages_in_the_store_before_it_starts(cli, tmp_path, monkeypatch):
    texts, where, held = tmp_path / "texts.jsonl", tmp_path / "t.sqlite", []
    texts.write_text('{"source_id": "d1", "text": "Thirty days."}\n{"source_id": "d2", "text": "Rent."}\n')

    def start(settings):
        store = open_trace_store(settings.store, make=False)
        held.append(store.texts(["d1", "d2"]))
        store.close()

    monkeypatch.setattr("showable.serving.supervisor.serve", start)
    code, _, err = cli("serve", "--store", where, "--texts", texts, "--judge", "lexical")
    assert (code, held) == (0, [{"d1": "Thirty days.", "d2": "Rent."}]), err
    assert "2 passages kept" in err
    texts.write_text('{"source_id": "d1"\n')
    code, _, err = cli("serve", "--store", where, "--texts", texts, "--judge", "lexical")
    assert (code, len(held)) == (2, 1)
    assert f"{texts}:1" in err


def test_scoring_a_file_makes_a_run_like_any_other(cli, spans, tmp_path):
    code, out, err = cli("traces", "score", spans, "--out", tmp_path / "run", "--judge", "lexical", "--json")
    assert code == 0, err
    assert "2 traces, 2 answers" in err
    told = json.loads(out)
    assert (told["n"], told["axes"]["citation_exists"]["failed"]) == (2, 1)
    assert (
        cli(
            "traces", "score", spans, "--out", tmp_path / "run", "--judge", "lexical", "--fail-on", "unsupported,wrong"
        )[0]
        == 1
    )


def test_records_come_from_files_and_from_a_store(cli, spans, store, tmp_path):
    first, second = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    assert cli("traces", "export", spans, "-o", first)[0] == 0
    assert cli("traces", "export", "--store", store, "-o", second)[0] == 0
    assert check_record_file(first).records == 2
    assert sorted(first.read_text().splitlines()) == sorted(second.read_text().splitlines())


MISTAKES = [
    (("traces", "list", "--store", "none.sqlite"), "none.sqlite"),
    (("traces", "list", "--store", "{store}", "--since", "yesterday"), "--since"),
    (("traces", "list", "--store", "{store}", "--bucket", "good"), "'good' is no bucket"),
    (("traces", "show", "cccc", "--store", "{store}"), "holds no trace cccc"),
    (("traces", "import", "nothing.json", "--store", "{store}"), "nothing.json"),
    (("serve", "--store", "{store}", "--export-header", "token"), "--export-header 1: expected NAME=VALUE"),
    (("serve", "--store", "{store}", "--host", "0.0.0.0"), "token"),  # noqa: S104 - refused
    (("serve", "--store", "{store}", "--sample", "0"), "expected more than 0"),
    (("serve", "--store", "{store}", "--rules", "none.toml"), "none.toml"),
]


@pytest.mark.parametrize(("command", "said"), MISTAKES, ids=lambda value: value if isinstance(value, str) else None)
def test_a_mistake_is_one_line_and_2(cli, store, command, said, monkeypatch):
    monkeypatch.chdir(store.parent)
    code, _, err = cli(*(part.format(store=store) for part in command))
    assert code == 2
    assert said in err
    assert len(err.strip().splitlines()) == 1


def test_a_file_without_an_answer_says_what_an_answer_is(cli, tmp_path):
    path = tmp_path / "spans.json"
    path.write_bytes(encode_spans_json(sent([one for one in lease_trace() if one.name == "retriever"], "c")))
    code, _, err = cli("traces", "score", path)
    assert code == 2
    assert "no answer in" in err


@pytest.mark.parametrize(
    ("given", "seconds"), [("1970-01-01T00:01:00+00:00", 60), ("1970-01-01T01:00:00+01:00", 0), ("1970-01-02", 86400)]
)
def test_a_date_is_read_as_utc_unless_it_says_otherwise(given, seconds):
    assert read_time(given) == seconds * 10**9


def test_so_long_ago_is_before_now():
    assert 0 < read_time("24h") < read_time("90m") < read_time("30 s")
    with pytest.raises(SettingError, match="--since"):
        read_time("a while")
