"""What somebody else has put into a run folder, a store or a cache: links, pipes, views, and JSON of a hundred thousand brackets."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest
from test_report_command import cards, make_run
from trace_store_rows import batch, scored

from showable import own_files
from showable.cli.convert import write_records
from showable.cli.outputs import replace_file
from showable.errors import InputError, SettingError
from showable.judges.verdict_store import VerdictStore
from showable.registries.consult_cache import AnswerCache
from showable.registries.local_sets.store import SetStore
from showable.stores.baselines import pin, read_pins
from showable.stores.labels.store import LabelStore
from showable.stores.traces.errors import StoreError
from showable.stores.traces.opening import open_trace_store

ROW = {"question": "How long is the notice period?", "retrieved": [{"source_id": "a", "text": "Notice: 30 days."}]}
SECRET = "what somebody else keeps\n"
FOLDER = ("run.json", "profile.json", "records.jsonl", "evidence.jsonl", "scores.jsonl", "summary.json", "report.html")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text(
        "".join(json.dumps({"id": f"q{n}", "answer": "It is 30 days [1].", **ROW}) + "\n" for n in range(3))
    )
    return path


@pytest.fixture
def victim(tmp_path):
    path = tmp_path / "victim"
    path.write_text(SECRET)
    return path


@pytest.mark.parametrize("name", [*FOLDER, ".lock", *(f".{name}.new" for name in FOLDER)])
def test_a_link_in_a_run_folder_is_not_written_through(name, cli, file, victim, tmp_path):
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / name).symlink_to(victim)
    code, out, err = cli("score", file, "--out", folder, "--judge", "lexical")
    assert victim.read_text() == SECRET, name
    if code:
        assert (code, err.count("\n")) == (2, 1), err
        assert f"{name} is a link, which is not followed" in err or "holds files that are no run" in err
        assert SECRET not in out + err
    else:
        assert not (folder / name).is_symlink() or name.endswith(".new")


@pytest.mark.parametrize("name", ["records.jsonl", ".lock"])
def test_a_file_with_another_name_is_not_written(name, cli, file, victim, tmp_path):
    """link(2): a hard link is the file itself, so that what is written under one name is written under all."""
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / name).hardlink_to(victim)
    code, _, err = cli("score", file, "--out", folder, "--judge", "lexical")
    assert victim.read_text() == SECRET
    assert (code, err.count("\n")) == (2, 1)
    assert f"{name} has another name" in err or "holds files that are no run" in err


@pytest.mark.parametrize("name", FOLDER)
def test_a_link_to_nothing_makes_no_file_elsewhere(name, cli, file, tmp_path):
    folder, elsewhere = tmp_path / "run", tmp_path / "elsewhere"
    folder.mkdir()
    (folder / name).symlink_to(elsewhere)
    cli("score", file, "--out", folder, "--judge", "lexical")
    assert not elsewhere.exists(), name


@pytest.mark.parametrize("name", FOLDER)
def test_a_finished_run_with_a_link_is_neither_followed_nor_overwritten(name, cli, tmp_path, victim):
    folder = make_run(tmp_path / "run", cards("correct", "wrong"))
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(victim)
    code, out, err = cli("report", folder)
    assert victim.read_text() == SECRET
    assert "somebody" not in out + err
    if name in {"report.html", "profile.json", "evidence.jsonl"}:  # the first is written, the others are not needed
        assert code == 0, err
    else:
        assert (code, err.count("\n")) == (2, 1)
        assert f"{name} is a link, which is not followed" in err


def test_a_pipe_in_a_run_folder_blocks_nobody(cli, file, tmp_path):
    folder = tmp_path / "run"
    folder.mkdir()
    os.mkfifo(folder / "records.jsonl")
    code, _, err = cli("score", file, "--out", folder, "--judge", "lexical")
    assert (code, err.count("\n")) == (2, 1)
    assert "records.jsonl is no regular file" in err


def test_files_that_are_replaced_pass_by_a_name_that_nobody_knows(tmp_path, victim, monkeypatch):
    """The name drawn is known here alone, and even so a link of that name is not followed."""
    monkeypatch.setattr(own_files.secrets, "token_hex", lambda _: "known")
    for name, write in {
        "report.md": lambda path: replace_file(path, lambda handle: handle.write(b"x")),
        "out.jsonl": lambda path: write_records(victim, path, converted=True),
    }.items():
        (tmp_path / f".{name}.known.new").symlink_to(victim)
        with pytest.raises((SettingError, InputError), match=os.strerror(errno.EEXIST)):
            write(tmp_path / name)
        assert victim.read_text() == SECRET


def test_what_o_names_is_followed_as_it_is_meant(tmp_path, victim):
    (tmp_path / "report.md").symlink_to(victim)
    replace_file(tmp_path / "report.md", lambda handle: handle.write(b"a report"))
    assert victim.read_text() == "a report"


def test_pins_are_not_written_through_a_link(tmp_path, victim):
    run = make_run(tmp_path / "runs" / "first", cards("correct"))
    (tmp_path / "runs" / f".baselines.json.{os.getpid()}.new").symlink_to(victim)
    pin("main", run)
    assert victim.read_text() == SECRET
    assert read_pins(tmp_path / "runs") == {"main": "first"}


def test_a_label_file_of_a_run_is_no_link(tmp_path, cli):
    folder = make_run(tmp_path / "run", cards("correct"))
    other = tmp_path / "other.sqlite"
    LabelStore.open(other).close()
    before = other.read_bytes()
    (folder / "labels.sqlite").symlink_to(other)
    with pytest.raises(SettingError, match="is a link, which is not followed in a run's own folder"):
        LabelStore.open(folder / "labels.sqlite")
    assert other.read_bytes() == before


DEEP = "[" * 100_000


@pytest.mark.parametrize(
    ("name", "command"),
    [
        (name, command)
        for name in ("run.json", "summary.json", "records.jsonl", "scores.jsonl", "baselines.json")
        for command in ("report", "gate", "compare", "runs", "regrade", "calibrate", "drift", "score")
    ],
)
def test_brackets_beyond_measure_are_one_line(name, command, cli, file, *, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = make_run(tmp_path / "runs" / "one", cards("correct", "wrong"))
    other = make_run(tmp_path / "runs" / "two", cards("correct", "correct"))
    (folder.parent if name == "baselines.json" else folder).joinpath(name).write_text(DEEP)
    args = {
        "gate": [folder, "pinned" if name == "baselines.json" else other],
        "compare": [folder, other],
        "runs": [folder.parent],
        "regrade": [folder, "--out", tmp_path / "again"],
        "drift": [folder, other],
        "score": [file, "--out", folder, "--judge", "lexical"],
    }.get(command, ["pinned" if name == "baselines.json" else folder])
    code, out, err = cli(command, *args)
    assert "Traceback" not in out + err
    assert code in {0, 2, 3}, "no traceback, whose 1 would mean that a check failed"
    if code == 2:
        assert len(err.splitlines()) == 1 or err.lower().startswith("usage"), err


# Stores and caches -----------------------------------------------------------------------------------------------------------

OPENERS = {
    "trace store": open_trace_store,
    "labels": LabelStore.open,
    "verdicts": VerdictStore,
    "imported sets": SetStore.open,
}
CODE = {
    "view": "CREATE VIEW answers_of AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM n) SELECT x FROM n",
    "trigger": "CREATE TRIGGER t AFTER INSERT ON odd BEGIN DELETE FROM odd; END",
    "virtual table": "CREATE VIRTUAL TABLE found USING fts5(text)",
}


@pytest.mark.parametrize("what", OPENERS)
@pytest.mark.parametrize("kind", CODE)
def test_a_file_with_code_in_it_is_refused_before_any_of_it_runs(what, kind, tmp_path):
    path = tmp_path / "file.sqlite"
    OPENERS[what](path).close()
    with closing(sqlite3.connect(path)) as by_hand:
        by_hand.execute("CREATE TABLE odd (x)")
        by_hand.execute(CODE[kind])
        by_hand.commit()
    with pytest.raises((SettingError, StoreError), match=f"it holds a {kind}, and showable makes none") as error:
        OPENERS[what](path)
    assert "\n" not in str(error.value)


def test_a_table_that_is_a_recursive_view_does_not_hang_a_list(tmp_path, cli):
    path = tmp_path / "traces.db"
    with closing(open_trace_store(path)):
        pass
    with closing(sqlite3.connect(path)) as by_hand:
        columns = [row[1] for row in by_hand.execute("PRAGMA table_info(answers)")]
        by_hand.execute("DROP TABLE answers")
        endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM n) SELECT"
        by_hand.execute(f"CREATE VIEW answers AS {endless} {', '.join(f'x AS {name}' for name in columns)} FROM n")
        by_hand.commit()
    code, _, err = cli("traces", "list", "--store", path)
    assert (code, err.count("\n")) == (2, 1)
    assert "it holds a view" in err


def test_a_registry_cache_with_code_in_it_is_set_aside(tmp_path):
    path = tmp_path / "registries.sqlite"
    with closing(sqlite3.connect(path)) as by_hand:
        by_hand.execute("CREATE TABLE odd (x)")
        by_hand.execute(CODE["trigger"])
        by_hand.commit()
    with closing(AnswerCache(path)) as cache:
        assert "it holds a trigger" in (cache.note or "")
    with closing(sqlite3.connect(path)) as by_hand:
        assert not by_hand.execute("SELECT 1 FROM sqlite_master WHERE type='trigger'").fetchone()


def test_a_store_with_bytes_changed_is_one_line_or_read(tmp_path, cli):
    path = tmp_path / "traces.db"
    with closing(open_trace_store(path)) as store:
        store.add_spans(batch(3))
        store.add_scores([scored()])
    whole = path.read_bytes()
    for place in range(100, len(whole), max(1, len(whole) // 60)):
        path.write_bytes(whole[:place] + bytes(255 - byte for byte in whole[place : place + 40]) + whole[place + 40 :])
        code, out, err = cli("traces", "list", "--store", path, "--json")
        assert code in {0, 2}, (place, err)
        assert "Traceback" not in out + err


@pytest.mark.parametrize("what", OPENERS)
def test_what_holds_questions_is_for_its_owner_alone(what, tmp_path):
    path = tmp_path / "made" / "by us" / "file.sqlite"
    before = os.umask(0o022)
    try:
        with closing(OPENERS[what](path)):
            kept = [file for file in path.parent.iterdir() if stat.S_IMODE(file.stat().st_mode) != 0o600]
            assert not kept, "the journals too"
    finally:
        os.umask(before)
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in (path.parent, path.parent.parent)] == [0o700, 0o700]


def test_a_name_that_sqlite_reads_as_no_file_is_a_file(tmp_path, monkeypatch):
    """SQLite, In-Memory Databases: the name `:memory:` keeps everything in memory, so that labels would be lost."""
    monkeypatch.chdir(tmp_path)
    with closing(open_trace_store(Path(":memory:"))) as store:
        store.add_spans(batch(1))
    assert (tmp_path / ":memory:").stat().st_size


def test_a_file_that_was_there_keeps_its_mode(tmp_path):
    path = tmp_path / "traces.db"
    open_trace_store(path).close()
    path.chmod(0o640)
    open_trace_store(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
