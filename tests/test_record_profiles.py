"""Which profile a record may choose: a shipped one by its name. A file is named by whoever scores the record."""

from __future__ import annotations

import json

import pytest

import showable
from showable.adapters.scoring import Scoring
from showable.errors import InputError, SettingError
from showable.judging_settings import JudgingSettings
from showable.profiles.load import BUILT_IN, load_profile, only_profile
from showable.pytest_plugin.options import Settings

ROW = {
    "id": "q1",
    "question": "How long is the notice period?",
    "retrieved": [{"source_id": "a", "text": "The notice period is 30 days."}],
    "answer": "The notice period is 30 days [1].",
}


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('extends = "legal"\nname = "mine"\n')
    return path


def test_every_door_takes_a_shipped_profile_of_a_record_and_no_file(mine, cli, tmp_path):
    doors = {
        "score": lambda row: showable.score(row, judge="lexical"),
        "evaluate": lambda row: showable.evaluate([row], judge="lexical"),
        "adapters": lambda row: Scoring("lexical").signature(showable.Record.model_validate(row)),
        "pytest": lambda row: Settings(JudgingSettings(judge="lexical")).rules(row["profile"]),
    }
    for door, call in doors.items():
        for name in BUILT_IN:
            call(ROW | {"profile": name})
        for name in (str(mine), "mine.toml", "/dev/zero", "legal\0.toml", "x" * 5_000, "legal.toml", ""):
            if not name:
                continue
            with pytest.raises((SettingError, InputError), match="the records name the profile") as error:
                call(ROW | {"profile": name})
            assert "\n" not in str(error.value), door
            assert len(str(error.value)) < 400, door


def test_the_command_line_names_a_file_and_a_record_does_not(mine, cli, tmp_path):
    file = tmp_path / "answers.jsonl"
    file.write_text(json.dumps(ROW | {"profile": str(mine)}) + "\n")
    code, _, err = cli("score", file, "--judge", "lexical", "--out", tmp_path / "a")
    assert (code, err.count("\n")) == (2, 1)
    assert f"the records name the profile {str(mine)[:80]!r}: expected general, legal, medical, research, news" in err
    assert "--profile FILE.toml" in err
    assert cli("score", file, "--judge", "lexical", "--out", tmp_path / "b", "--profile", mine)[0] == 0


@pytest.mark.parametrize("name", ["legal\0.toml", "legal\0", "\0"])
def test_a_path_with_a_nul_is_one_line(name):
    with pytest.raises((SettingError, InputError)) as error:
        load_profile(name)
    assert "\n" not in str(error.value)
    assert "\0" not in str(error.value)


def test_a_profile_of_brackets_is_one_line(tmp_path):
    path = tmp_path / "deep.toml"
    path.write_text("a = " + "[" * 100_000)
    with pytest.raises(InputError, match="nested too deeply"):
        load_profile(str(path))


def test_records_without_a_profile_have_the_general_one():
    assert only_profile({}) == only_profile({None: 3}) == "general"
