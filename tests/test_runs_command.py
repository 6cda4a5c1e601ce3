"""`showable runs`: the list, pinned baselines, and runs that cannot be told of."""

import json
import os
from pathlib import Path

import pytest
from made_runs import facts, letters_of, make_repeats, make_run
from scorecards import SIGNATURE

CAREFUL = letters_of(13)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def listed(cli):
    def run(*arguments):
        code, out, err = cli("runs", *arguments, "--json")
        assert code == 0, err
        return json.loads(out)

    return run


def test_runs_are_listed_the_oldest_first(listed):
    make_run("runs/b", letters_of(13, answerable="w"), facts(at="2026-01-02T00:00:00Z", label="second"))
    make_run("runs/a", CAREFUL, facts(at="2026-01-03T00:00:00Z"))
    make_repeats("runs/c", [CAREFUL, letters_of(13, answerable="w"), CAREFUL], facts(at="2026-01-01T00:00:00Z"))
    found = listed()["runs"]
    assert [(run["folder"], run["repeats"], run["flaky"]) for run in found] == [("c", 3, 4), ("b", 1, 0), ("a", 1, 0)]
    assert [run["buckets"]["wrong"]["count"] for run in found] == [0, 4, 0]
    assert [run["name"] for run in found] == ["c", "second", "a"]
    assert found[0]["reports"] == ["c/repeat-1/report.html", "c/repeat-2/report.html", "c/repeat-3/report.html"]


def test_a_run_that_does_not_say_when_is_as_old_as_its_files(listed):
    make_run("runs/a", CAREFUL)
    os.utime("runs/a/run.json", (86_400, 86_400))
    [run] = listed()["runs"]
    assert (run["when"], run["when_from"]) == ("1970-01-02T00:00:00Z", "files")
    assert (run["questions"], run["pipeline"]) == ("small.jsonl", None)


def test_the_same_questions_have_the_same_fingerprint_whatever_was_answered(listed):
    make_run("runs/a", CAREFUL, facts())
    make_run("runs/b", letters_of(13, answerable="w"), None)
    make_run("runs/c", CAREFUL, facts(), question_hash="another gold")
    make_run("runs/d", CAREFUL, facts(), signature=SIGNATURE.model_copy(update={"judge": "chat@2"}))
    by_folder = {run["folder"]: run for run in listed()["runs"]}
    prints = {folder: run["questions_fingerprint"] for folder, run in by_folder.items()}
    assert prints["a"] == prints["b"] == prints["d"] != prints["c"]
    assert by_folder["a"]["signature_short"] != by_folder["d"]["signature_short"]


def test_damaged_and_unfinished_runs_are_named_with_the_reason(cli, listed):
    make_run("runs/good", CAREFUL, facts())
    make_run("runs/half", CAREFUL, facts(), finished=False)
    Path(make_run("runs/torn", CAREFUL, facts()) / "scores.jsonl").write_text('{"id":"x"')
    Path(make_run("runs/odd", CAREFUL, facts()) / "run.json").write_text("[1]")
    Path("runs/notes").mkdir()
    make_run("runs/gap/repeat-2", CAREFUL, facts())
    why = {one["folder"]: one["why"] for one in listed()["left_out"]}
    assert set(why) == {"half", "torn", "odd", "gap"}
    assert "not finished (13 of 13" in why["half"]
    assert why["torn"].startswith("scores.jsonl:1: ")
    assert "expected an object" in why["odd"]
    assert "no repeat-1" in why["gap"]
    out = cli("runs")[1]
    assert "Not told of: 4" in out
    assert [run["folder"] for run in listed()["runs"]] == ["good"]


def test_an_empty_folder_says_so(cli):
    Path("runs").mkdir()
    code, out, _ = cli("runs")
    assert code == 0
    assert "holds no runs yet" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "runs: no such folder; expected a folder that holds runs: `showable runs .` lists"),
        (("list", "other/a"), "other/a: is a run itself; give the folder that it is in"),
        (("other/a/run.json",), "is a file; expected a folder that holds runs"),
        (("pin", "main", "missing"), "missing: holds no run to pin"),
        (("pin", "a/b", "other/a"), "'a/b': a name is made of letters"),
        (("pin", "../x", "other/a"), "'../x': a name is made of letters"),
        (("pin", "a", "other/a"), "'a' is the name of a run folder itself"),
        (("unpin", "main", "other"), "other: no baseline is pinned as 'main'; `showable runs pin NAME RUN` pins one"),
        (("other", "-o", "x.csv"), "a history of runs ends in .html, .md or .json"),
        (("other", "-o", "other/baselines.json"), "is what is to be read, and would be written over"),
    ],
)
def test_mistakes_are_one_line(cli, arguments, said):
    make_run("other/a", CAREFUL, facts())
    code, _, err = cli("runs", *arguments)
    assert (code, err.count("\n")) == (2, 1), err
    assert said in err


def test_a_name_is_pinned_moved_and_taken_away(cli, listed):
    make_run("runs/a", CAREFUL, facts(at="2026-01-01T00:00:00Z"))
    make_run("runs/b", CAREFUL, facts(at="2026-01-02T00:00:00Z"))
    for run in ("a", "b"):
        assert cli("runs", "pin", "main", f"runs/{run}")[0] == 0
        assert [one["folder"] for one in listed()["runs"] if one["pinned"] == ["main"]] == [run]
    assert json.loads(Path("runs/baselines.json").read_text()) == {"main": "b"}
    assert "[main]" in cli("runs")[1]
    assert cli("runs", "unpin", "main")[0] == 0
    assert json.loads(Path("runs/baselines.json").read_text()) == {}
    assert sorted(path.name for path in Path("runs").iterdir()) == ["a", "b", "baselines.json"]


def test_pins_travel_with_the_folder(cli, tmp_path):
    make_run("runs/a", CAREFUL, facts())
    cli("runs", "pin", "main", "runs/a")
    Path("runs").rename("moved")
    code, out, err = cli("gate", "moved/main", "moved/a", "--json")
    assert code == 0, err
    assert json.loads(out)["ship"]


def test_a_pin_whose_run_is_gone_is_told(cli, listed):
    make_run("runs/a", CAREFUL, facts())
    make_run("runs/b", CAREFUL, facts())
    cli("runs", "pin", "main", "runs/a")
    Path("runs/a").rename("elsewhere")
    assert listed()["missing"] == {"main": "a"}
    assert "The baseline main stands for a, which is gone" in cli("runs")[1]
    code, _, err = cli("gate", "main", "runs/b")
    assert (code, "stands for a, and there is no run of that name" in err) == (2, True)


def test_a_folder_that_is_called_like_a_baseline_and_holds_no_run_is_not_in_the_way(cli):
    make_run("runs/a", CAREFUL, facts())
    cli("runs", "pin", "main", "runs/a")
    Path("main/src").mkdir(parents=True)
    code, out, err = cli("gate", "main", "runs/a")
    assert code == 0, err
    assert "baseline main (runs/a) → candidate runs/a" in out
    assert "src: holds no run" in cli("gate", "main/src", "runs/a")[2]


def test_of_those_who_pin_at_once_nobody_loses_a_name():
    from concurrent.futures import ThreadPoolExecutor

    from showable.stores.baselines import pin, read_pins

    make_run("runs/a", CAREFUL, facts())
    names = [f"name-{number}" for number in range(24)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda name: pin(name, Path("runs/a")), names))
    assert sorted(read_pins(Path("runs"))) == sorted(names)


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{",
        '{"main": 3}',
        '{"main": ""}',
        '{"main": "../a"}',
        '{"main": "/a"}',
        '{"main": ".."}',
        '{"main": "a/b"}',
    ],
)
def test_pins_that_cannot_be_read_are_one_line(cli, text):
    make_run("runs/a", CAREFUL, facts())
    Path("runs/baselines.json").write_text(text)
    code, _, err = cli("runs")
    assert (code, err.count("\n")) == (2, 1)
    assert "baselines.json" in err


def test_a_folder_called_like_a_command_is_given_with_its_path(listed):
    make_run("pin/a", CAREFUL, facts())
    assert [run["folder"] for run in listed("./pin")["runs"]] == ["a"]


@pytest.mark.parametrize(("hours", "shown"), [(("09:05", "17:30"), True), (("09:05",), False)])
def test_the_minute_is_told_where_runs_share_a_day(cli, monkeypatch, hours, shown):
    monkeypatch.setenv("COLUMNS", "80")
    for number, hour in enumerate(hours):
        make_run(f"runs/r{number}", CAREFUL, facts(at=f"2026-01-02T{hour}:00Z"))
    make_run("runs/before", CAREFUL, facts(at="2026-01-01T08:00:00Z"))
    out = cli("runs")[1]
    assert [f"2026-01-02 {hour} " in out for hour in hours] == [shown] * len(hours)
    assert ("2026-01-01 08:00" in out) == shown


@pytest.mark.parametrize("width", [80, 120])
def test_the_list_fits_the_terminal(cli, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    make_run("runs/a-rather-long-name-of-a-run-folder-with-much-in-it", CAREFUL, facts(label="and a label " * 4))
    assert max(map(len, cli("runs")[1].splitlines())) <= width


def test_help_names_the_commands(cli):
    code, out, _ = cli("runs", "--help")
    assert code == 0
    for name in ("list", "pin", "unpin"):
        assert name in out
