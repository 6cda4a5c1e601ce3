"""What was written by this package under its former name, `probative` 0.1.0, stays readable: files made by that version."""

import json
import shutil
import warnings
from pathlib import Path

import pytest

from showable.former_name import user_folder, with_former_variables
from showable.stores.labels.store import LabelStore

FORMER = Path(__file__).parent / "data" / "probative-0.1"


@pytest.fixture
def former(tmp_path):
    """A copy, since stores are brought up to date where they are opened."""
    return Path(shutil.copytree(FORMER, tmp_path / "former"))


def test_a_run_is_reported_and_gated_and_regrading_says_why_not(cli, former, tmp_path):
    code, out, err = cli("report", former / "run", "--json")
    assert code == 0, err
    assert json.loads(out)["n"] == 7
    code, _, err = cli("regrade", former / "run", "--out", tmp_path / "again")
    assert code == 2  # its claims were read by another parser, which is said, not guessed over
    assert "parser" in err
    code, out, err = cli("gate", former / "run", former / "run", "--json", "--unknown-cap", "0.2")
    assert (code, json.loads(out)["ship"]) == (0, True), err


def test_labels_are_read_from_store_and_file(cli, former):
    with LabelStore.open(former / "run" / "labels.sqlite") as store:
        assert store.count() == 6
    code, out, err = cli("labels", "status", former / "run")
    assert code == 0, err
    assert "ada" in out


def test_exported_labels_and_a_calibration_are_taken(cli, former):
    code, _out, err = cli("calibrate", former / "run", "--json")
    assert (code, "read by parser 7" in err) == (2, True)  # labels count claims, which another parser reads otherwise
    from showable.calibrating.calibration_file import read_calibration
    from showable.stores.label_files import read_labels

    assert len(read_labels(former / "labels.jsonl")) == 120
    assert read_calibration(former / "calibration.json").label == "calibration@35e7df1d"


def test_a_trace_store_keeps_its_answers(cli, former):
    code, out, err = cli("traces", "list", "--store", former / "traces.sqlite", "--json")
    assert code == 0, err
    rows = {row["trace_id"][0]: row for row in json.loads(out)["answers"]}
    assert {key: row["resolvability"] for key, row in rows.items()} == {"a": "pass", "b": "fail"}
    assert (rows["a"]["profile"], rows["b"]["profile"]) == ("legal", "medical")


def test_spans_say_their_profile_and_our_own_are_never_scored(cli, former, tmp_path):
    code, _, err = cli(
        "traces", "import", former / "spans.jsonl", "--store", tmp_path / "new.sqlite", "--judge", "lexical"
    )
    assert code == 0, err
    rows = json.loads(cli("traces", "list", "--store", tmp_path / "new.sqlite", "--json")[1])["answers"]
    assert sorted((row["trace_id"][0], row["profile"]) for row in rows) == [("a", "legal"), ("b", "medical")]


def test_an_anchor_and_imported_citations_are_read(cli, former):
    code, out, err = cli("drift", "anchor", "check", former / "anchor.json", "--judge", "lexical")
    assert "expected" not in err
    assert code == 3, out  # twelve rows are too few, as it says
    code, out, err = cli("registry", "list", "--store", former / "citations.sqlite")
    assert code == 0, err
    assert "ours" in out


def test_former_variables_are_read_with_one_warning():
    with pytest.warns(FutureWarning, match="PROBATIVE_MAILTO, PROBATIVE_THREADS: read for now") as told:
        read = with_former_variables({"PROBATIVE_THREADS": "1", "PROBATIVE_MAILTO": "a@b", "HOME": "/"})
    assert len(told) == 1
    assert (read["SHOWABLE_THREADS"], read["SHOWABLE_MAILTO"], read["HOME"]) == ("1", "a@b", "/")


def test_a_variable_of_the_new_name_wins_without_a_word():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert with_former_variables({"PROBATIVE_X": "old", "SHOWABLE_X": "new"})["SHOWABLE_X"] == "new"


def test_the_command_line_tells_once(cli, monkeypatch, former):
    monkeypatch.setenv("PROBATIVE_STORE", str(former / "traces.sqlite"))
    monkeypatch.delenv("SHOWABLE_STORE", raising=False)
    code, out, err = cli("traces", "list", "--json")
    monkeypatch.delenv("SHOWABLE_STORE", raising=False)
    assert code == 0, err
    assert len(json.loads(out)["answers"]) == 2
    assert err.count("PROBATIVE_STORE: read for now; write SHOWABLE_… instead") == 1


@pytest.mark.parametrize(
    ("made", "used"), [((), "showable"), (("probative",), "probative"), (("probative", "showable"), "showable")]
)
def test_a_users_folder_is_the_former_one_only_where_it_is_alone(tmp_path, made, used):
    for name in made:
        (tmp_path / name).mkdir()
    assert user_folder(tmp_path) == tmp_path / used
