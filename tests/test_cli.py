"""The command line as a newcomer uses it: exit codes, one-line errors, JSON on stdout, progress on stderr."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from forked import command_line, forked, needs_fork

ROW = {
    "question": "What is the notice period?",
    "retrieved": [{"source_id": "lease", "text": "The notice period is thirty (30) days."}],
    "answer": "The notice period is thirty days [1].",
}


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def write(path, *rows):
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return path


@pytest.fixture
def good(tmp_path):
    return write(tmp_path / "good.jsonl", {"id": "a"} | ROW, {"id": "b"} | ROW | {"answer": "It is 90 days [9]."})


def test_score_prints_a_report_and_leaves_a_run_folder(cli, good, tmp_path):
    code, out, err = cli("score", good)
    assert code == 0, err
    assert "correct" in out
    assert "judge:embedded@" in out
    assert [path.name.split("-")[0] for path in (tmp_path / "runs").iterdir()] == ["good"]


def test_score_json_is_one_document_with_the_promised_fields(cli, good):
    code, out, _ = cli("score", good, "--json")
    document = json.loads(out)
    assert code == 0
    assert {"signature", "n", "buckets", "causes", "axes", "rates", "run"} <= document.keys()
    assert set(document["buckets"]) == {"correct", "wrong", "unsupported", "refused", "unknown"}
    assert {"passed", "failed", "unknown", "not_applicable", "rate", "low", "high"} <= document["rates"][
        "citation_precision"
    ].keys()
    assert sum(document["buckets"].values()) == document["n"] == 2


def test_scores_have_the_promised_fields(cli, good):
    cli("score", good, "--out", "run")
    line = json.loads(Path("run/scores.jsonl").read_text().splitlines()[0])
    promised = {
        "id",
        "bucket",
        "cause",
        "citation_exists",
        "citation_supports",
        "refusal_quality",
        "extra_claim_count",
        "claims",
        "findings",
    }
    assert promised <= line.keys()


def test_the_default_folder_is_found_again(cli, good, tmp_path):
    cli("score", good)
    first = (next((tmp_path / "runs").iterdir()) / "scores.jsonl").read_bytes()
    cli("score", good)
    assert (next((tmp_path / "runs").iterdir()) / "scores.jsonl").read_bytes() == first
    assert len(list((tmp_path / "runs").iterdir())) == 1


def test_standard_input_is_read(cli, monkeypatch):
    class Stdin:
        buffer = io.BytesIO(json.dumps({"id": "a"} | ROW).encode())

    monkeypatch.setattr(sys, "stdin", Stdin())
    code, out, _ = cli("score", "-", "--json")
    assert (code, json.loads(out)["n"]) == (0, 1)


@pytest.mark.parametrize(
    ("buckets", "code"), [("unsupported", 1), ("wrong,unsupported", 1), ("wrong", 0), ("correct", 1)]
)
def test_fail_on(cli, good, buckets, code):
    assert cli("score", good, "--judge", "lexical", "--fail-on", buckets)[0] == code


MISTAKES = [
    # (command, what stderr says): source: "one clear line: file, line number, field, what was expected; exit code 2"
    (["score", "missing.jsonl"], "missing.jsonl: No such file or directory"),
    (["score", "."], ".: Is a directory"),
    (["score", "empty.jsonl"], "empty.jsonl: holds no records"),
    (["score", "bad.jsonl"], "bad.jsonl:2: answr: unknown field"),
    (["score", "good.jsonl", "--judge", "magic"], "judge 'magic': there is embedded"),
    (["score", "good.jsonl", "--judge", "scripted:missing"], "missing: No such file or directory"),
    (["score", "good.jsonl", "--judge", "chat:some-model"], "OPENAI_API_KEY"),
    (["score", "good.jsonl", "--threshold", "2"], "threshold '2'"),
    (["score", "good.jsonl", "--fail-on", "awful"], "'awful' is no bucket"),
    (["score", "good.jsonl", "--max-cost", "1", "--judge", "chat:m@http://127.0.0.1:9/v1"], "--max-cost needs a price"),
    (["regrade", "nowhere"], "nowhere: holds no run"),
    (["gate", "nowhere", "elsewhere"], "nowhere: no such folder"),
]


@pytest.mark.parametrize(("command", "said"), MISTAKES, ids=[" ".join(row[0]) for row in MISTAKES])
def test_a_mistake_is_one_line_and_exit_code_2(cli, good, tmp_path, command, said):
    (tmp_path / "empty.jsonl").touch()
    write(tmp_path / "bad.jsonl", {"id": "a"} | ROW, {"id": "b"} | ROW | {"answr": "x"})
    code, out, err = cli(*command)
    assert code == 2
    assert said in err
    assert out == ""
    assert "Traceback" not in err
    assert not (tmp_path / "runs").exists() or "--max-cost" in command


def test_keep_going_scores_the_rest_and_still_says_so(cli, tmp_path):
    bad = write(tmp_path / "bad.jsonl", {"id": "a"} | ROW, "{", {"id": "a"} | ROW, {"id": "c"} | ROW)
    code, out, err = cli("score", bad, "--keep-going", "--json")
    assert code == 2
    assert json.loads(out)["n"] == 2
    assert "bad.jsonl:2: not JSON" in err
    assert "bad.jsonl:3: id: 'a' stands on line 1 already" in err


def test_nothing_that_could_be_measured_is_inconclusive(cli, tmp_path):
    file = write(tmp_path / "null.jsonl", {"id": "a", "question": "q", "answer": None})
    assert cli("score", file)[0] == 3


def test_dry_run_calls_nothing_and_says_what_it_would_cost(cli, good, tmp_path):
    judge = "chat:m@http://127.0.0.1:9/v1"
    command = ("score", good, "--dry-run", "--judge", judge)
    code, out, _ = cli(*command, "--price-in", 1, "--price-out", 2)
    assert code == 0
    assert "1 to" in out.replace(",", "") or "2 to" in out
    assert "$" in out
    assert not (tmp_path / "runs").exists()
    code, out, _ = cli(*command)
    assert "price unknown" in out
    code, out, _ = cli(*command, "--json", "--price-in", 1, "--price-out", 2)
    estimate = json.loads(out)
    assert 0 < estimate["least"]["calls"] <= estimate["most"]["calls"]


def test_a_judge_that_cannot_be_reached_is_data(cli, good, monkeypatch):
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.01)
    code, out, _ = cli("score", good, "--json", "--judge", "chat:m@http://127.0.0.1:9/v1")
    document = json.loads(out)
    assert document["buckets"]["unknown"] >= 1
    assert code in {0, 3}


def test_regrade_moves_buckets_without_a_judge(cli, tmp_path):
    table = write(
        tmp_path / "table.jsonl", {"claim": "The notice period is thirty days", "label": "supported", "p": 0.6}
    )
    file = write(tmp_path / "one.jsonl", {"id": "a"} | ROW)
    cli("score", file, "--judge", f"scripted:{table}", "--out", "run")
    table.unlink()
    code, out, err = cli("regrade", "run", "--threshold", "0.7", "--json")
    assert code == 0, err
    assert json.loads(out)["buckets"]["unsupported"] == 1
    assert "thresholds:0.7" in json.loads(out)["signature"]
    code, out, _ = cli("regrade", "run", "--json", "--out", "same")
    assert json.loads(out)["buckets"]["correct"] == 1


def test_gate_ships_identical_runs_and_stops_a_step_back(cli, tmp_path):
    base = write(tmp_path / "base.jsonl", {"id": "a"} | ROW, {"id": "b"} | ROW)
    worse = write(tmp_path / "worse.jsonl", {"id": "a"} | ROW, {"id": "b"} | ROW | {"answer": "It is 30 days [7]."})
    for file in (base, worse):
        cli("score", file, "--out", file.stem)
    assert cli("gate", "base", "base")[0] == 0
    code, out, _ = cli("gate", "base", "worse", "--json")
    document = json.loads(out)
    assert (code, document["ship"]) == (1, False)
    assert {"ship", "reasons", "moved"} <= document.keys()
    assert [moved["id"] for moved in document["moved"]] == ["b"]


def test_gate_refuses_runs_that_were_measured_differently(cli, good, tmp_path):
    cli("score", good, "--out", "a")
    cli("score", good, "--out", "b", "--threshold", "0.6")
    code, _, err = cli("gate", "a", "b")
    assert code == 2
    assert "thresholds" in err


@pytest.mark.parametrize("option", [(), ("--function",), ("--record",)])
def test_schema_is_json(cli, option):
    code, out, _ = cli("schema", *option)
    assert code == 0
    assert isinstance(json.loads(out), dict)


def test_demo_is_reproducible_and_json(cli):
    code, out, err = cli("demo", "--json", "--judge", "lexical")
    assert code == 0, err
    first = json.loads(out)
    assert first["n"] == sum(first["buckets"].values()) >= 60
    again = cli("demo", "--json", "--judge", "lexical", "--out", "other")[1]
    assert json.loads(again)["buckets"] == first["buckets"]


def test_demo_prints_where_scorer_and_label_disagree(cli):
    code, out, _ = cli("demo", "--judge", "lexical")
    assert code == 0
    assert "agree" in out
    assert "label" in out


HEAVY = ("numpy", "scipy", "pydantic", "rich.console", "openai", "httpx", "jinja2", "pandas")


@pytest.mark.parametrize("statement", ["import showable", "import showable.cli"])
def test_importing_is_light(statement):
    code = f"import sys; {statement}; print([m for m in {HEAVY!r} if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "[]"


@pytest.mark.parametrize("command", [(), ("score",), ("gate",), ("demo",), ("regrade",), ("schema",), ("validate",)])
def test_help(cli, command):
    code, out, _ = cli(*command, "--help")
    assert code == 0
    assert "Usage: showable" in out


def test_version(cli):
    import showable

    assert cli("--version") == (0, f"showable {showable.__version__}\n", "")


def test_rejected_lines_are_counted(cli, tmp_path):
    bad = write(tmp_path / "bad.jsonl", {"id": "a"} | ROW, "{")
    document = json.loads(cli("score", bad, "--keep-going", "--json")[1])
    assert (document["n"], document["records"], document["rejected"]) == (1, 1, 1)
    assert cli("score", bad, "--keep-going", "--dry-run")[0] == 2


def test_the_run_folder_is_told(cli, good):
    out = cli("score", good)[1]
    assert out.rstrip().splitlines()[-1].startswith("Run: runs/good-")


def test_control_characters_of_a_file_do_not_reach_the_terminal(cli, tmp_path):
    bad = tmp_path / "bad.jsonl"
    bad.write_text(json.dumps({"id": "a"} | ROW | {"\u001b[31mevil\nline": 1}) + "\n")
    err = cli("score", bad)[2]
    assert "\x1b" not in err
    assert len(err.splitlines()) == 2


def test_a_pipe_is_read_whole(cli, good):
    """As a shell's `<(…)` hands it over: it cannot be read twice, and not from its end."""
    reads, writes = os.pipe()
    os.write(writes, good.read_bytes())
    os.close(writes)
    code, out, err = cli("score", f"/dev/fd/{reads}", "--judge", "lexical", "--json")
    os.close(reads)
    assert (code, json.loads(out)["n"]) == (0, 2), err


def into(target, *words):
    """Give the work of a command whose output goes somewhere."""

    def work():
        os.dup2(target(), 1)
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115 - open to the end
        command_line(*words)()

    return work


def gone():
    """Open a pipe whose reader has gone away."""
    reads, writes = os.pipe()
    os.close(reads)
    return writes


@needs_fork
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_reader_that_goes_away_is_no_decision(cli, good, form, tmp_path):
    cli("score", good, "--judge", "lexical", "--out", "run")
    with forked(into(gone, "gate", "run", "run", *form), tmp_path / "said") as process:
        assert (process.wait(), process.err) == (141, "")


@needs_fork
def test_a_reader_that_goes_away_costs_no_file(good, tmp_path):
    scored = ("score", good, "--judge", "lexical", "--out", "run")
    for words in (
        (*scored, "-o", "run.md"),
        ("gate", "run", "run", "-o", "gate.md"),
        (*scored, "-o", "run.xml", "--json"),
    ):
        with forked(into(gone, *words), tmp_path / "said") as process:
            assert process.wait() == 141, process.err
        assert Path(words[words.index("-o") + 1]).exists()


@needs_fork
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, which this system does not have")
def test_output_that_cannot_be_written_is_one_line(cli, good, tmp_path):
    cli("score", good, "--judge", "lexical", "--out", "run")
    with forked(into(lambda: os.open("/dev/full", os.O_WRONLY), "gate", "run", "run"), tmp_path / "said") as process:
        assert process.wait() == 2
    assert "No space left" in process.err
    assert "Traceback" not in process.err


@needs_fork
def test_a_terminal_of_few_characters_shows_the_rest_as_escapes(good, tmp_path):
    def work():
        sys.stdout.reconfigure(encoding="ascii")
        command_line("score", good, "--judge", "lexical")()

    with forked(work, tmp_path / "said") as process:
        assert process.wait() == 0, process.err
    assert "\\u2013" in process.out


ENDS = [
    # (what is started, its exit code): source: the README's table of exit codes; 141 is a shell's word for a closed pipe
    (("score", "good.jsonl", "--judge", "lexical", "--out", "run"), 0),
    (("score", "good.jsonl", "--judge", "lexical", "--fail-on", "unsupported"), 1),
    (("score", "missing.jsonl"), 2),
    (("score", "null.jsonl", "--judge", "lexical"), 3),
    (("schema",), 141),
]


@pytest.mark.slow
@pytest.mark.parametrize(("words", "code"), ENDS, ids=[str(code) for _, code in ENDS])
def test_the_command_as_a_shell_starts_it(good, tmp_path, words, code):
    """Exit codes as another process sees them; 130 is in `test_check`."""
    write(tmp_path / "null.jsonl", {"id": "a", "question": "q", "answer": None})
    writes = gone() if code == 141 else subprocess.DEVNULL
    showable = Path(sys.executable).parent / "showable"
    done = subprocess.run([showable, *words], stdout=writes, stderr=subprocess.PIPE, text=True, check=False)
    if code == 141:
        os.close(writes)
    assert done.returncode == code, done.stderr


def test_a_judges_name_must_fit_a_signature():
    import showable

    class Odd:
        name, prompt_hash = "a|b", None

        async def verdicts(self, pairs):
            return []

        def estimate(self, pairs):
            return None

    with pytest.raises(showable.ShowableError, match="one line without"):
        showable.evaluate([{"id": "a"} | ROW], judge=Odd())
