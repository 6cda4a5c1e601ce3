"""Run folders: resumable, append-only, held by one process, and whole after a kill at any moment."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from forked import command_line, forked, needs_fork

from showable.cli.scoring import Plan, score_into_folder
from showable.judges.lexical import LexicalJudge
from showable.judges.scripted import ScriptedJudge
from showable.records import GENERAL, SettingError
from showable.records.record_file import check_record_file
from showable.stores.run_folder import RunFolder
from showable.stores.run_reading import read_entries

TEXT = "The notice period is thirty (30) days."
CLAIM = "The notice period is 30 days"
JUDGE = ScriptedJudge.of({CLAIM: "supported"})


class Quiet:
    def show(self, tally):
        pass


def write(path, count):
    row = {"question": "q?", "retrieved": [{"source_id": "a", "text": TEXT}], "answer": f"{CLAIM} [1]."}
    path.write_text("".join(json.dumps({"id": f"r{i}"} | row) + "\n" for i in range(count)))
    return path


def score(file, folder, judge=JUDGE, **more):
    return score_into_folder(Plan(check_record_file(file), folder, judge, GENERAL, **more), Quiet())


def summary(folder):
    return {k: v for k, v in json.loads((folder / "summary.json").read_text()).items() if k != "run"}


def ids(path):
    return [json.loads(line)["id"] for line in path.read_text().splitlines()]


@pytest.fixture
def file(tmp_path):
    return write(tmp_path / "answers.jsonl", 20)


@pytest.fixture
def whole(tmp_path, file):
    score(file, tmp_path / "whole")
    return summary(tmp_path / "whole")


def test_a_run_is_a_folder(tmp_path, file):
    scored = score(file, tmp_path / "run")
    names = {path.name for path in (tmp_path / "run").iterdir()}
    assert {"run.json", "records.jsonl", "evidence.jsonl", "scores.jsonl", "summary.json", "report.html"} <= names
    assert scored.summary.n == 20
    assert sum(scored.summary.buckets.values()) == 20


class Never:
    """A judge that must not be asked."""

    name, prompt_hash = JUDGE.name, None

    async def verdicts(self, pairs):
        raise AssertionError("judged again")

    def estimate(self, pairs):
        return JUDGE.estimate(pairs)


def test_the_same_command_again_judges_nothing(tmp_path, file, whole):
    score(file, tmp_path / "whole", judge=Never())
    assert summary(tmp_path / "whole") == whole


# A kill leaves the three files cut at any byte, records first, then evidence, then scores.
CUTS = [(5, 5, 5), (6, 5, 5), (6, 6, 5), (0, 0, 0), (20, 20, 19), (1, 0, 0)]


@pytest.mark.parametrize("kept", CUTS)
@pytest.mark.parametrize("torn", [b"", b'{"id":"r7","ques'])
def test_a_resumed_run_equals_one_that_was_never_stopped(tmp_path, file, whole, kept, torn):
    folder = tmp_path / "whole"
    for name, lines in zip(("records", "evidence", "scores"), kept, strict=True):
        path = folder / f"{name}.jsonl"
        path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:lines]) + torn)
    for name in ("summary.json", "report.html"):
        (folder / name).unlink()
    score(file, folder)
    assert summary(folder) == whole
    for name in ("records", "evidence", "scores"):
        assert sorted(ids(folder / f"{name}.jsonl")) == sorted(f"r{i}" for i in range(20))


# A power cut may lose the last line of one file and keep it in another: records, evidence and scores kept, records judged.
UNEVEN = [
    (19, 20, 20, 0),
    (20, 19, 20, 1),
    (20, 20, 19, 0),
    (19, 20, 19, 0),
    (19, 19, 20, 1),
    (20, 18, 20, 2),
    (4, 5, 6, 15),
]


@pytest.mark.parametrize("uneven", UNEVEN)
def test_what_a_power_cut_lost_is_put_back_or_judged_again(tmp_path, file, whole, uneven):
    *kept, judged = uneven
    folder, judge = tmp_path / "whole", Counting()
    for name, lines in zip(("records", "evidence", "scores"), kept, strict=True):
        path = folder / f"{name}.jsonl"
        path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:lines]))
    scored = score(file, folder, judge=judge)
    assert (judge.asked, scored.tally.done) == (judged, 20)
    assert summary(folder) == whole
    assert {entry.record.id: entry.card.bucket for entry in read_entries(folder)} == {
        f"r{i}": "correct" for i in range(20)
    }
    for name in ("records", "evidence", "scores"):
        assert sorted(ids(folder / f"{name}.jsonl")) == sorted(f"r{i}" for i in range(20))


class Counting:
    """The judge of these tests, which counts what it is asked."""

    name, prompt_hash = JUDGE.name, None

    def __init__(self):
        self.asked = 0

    async def verdicts(self, pairs):
        self.asked += len(pairs)
        return await JUDGE.verdicts(pairs)

    def estimate(self, pairs):
        return JUDGE.estimate(pairs)


def test_what_was_judged_before_a_kill_is_not_judged_again(tmp_path, file, whole):
    folder = tmp_path / "whole"
    (folder / "scores.jsonl").write_bytes(b"")
    score(file, folder, judge=Never())
    assert summary(folder) == whole


# (the line, counted from 1, at which the process dies; how many bytes of it were written): a record has three lines
DEATHS = [(1, 0), (1, 9), (2, 0), (2, 9), (3, 0), (3, 9), (4, 0), (25, 9)]


def dying(line, size):
    """Make this process kill itself at a line that it would append."""
    append, left = RunFolder._append, [line]

    def append_or_die(self, name, written):
        left[0] -= 1
        if left[0] == 0:
            self._handles[name].write(written[:size])
            os.kill(os.getpid(), signal.SIGKILL)
        append(self, name, written)

    RunFolder._append = append_or_die


@needs_fork
def test_a_kill_at_any_line_loses_nothing_that_was_judged(tmp_path, file, whole):
    folder = tmp_path / "run"
    for death in DEATHS:
        with forked(lambda death=death: (dying(*death), score(file, folder)), tmp_path / "said") as process:
            assert process.wait() == -signal.SIGKILL, process.err
    kept, judge = (folder / "evidence.jsonl").read_bytes().count(b"\n"), Counting()
    score(file, folder, judge=judge)
    assert 8 < kept < 20
    assert judge.asked == 20 - kept
    assert summary(folder) == whole
    assert sorted(ids(folder / "scores.jsonl")) == sorted(f"r{i}" for i in range(20))


@pytest.mark.slow
def test_a_kill_at_any_moment_loses_nothing_that_was_judged(tmp_path):
    """At no chosen one: the command itself, as it is started by a person."""
    file = write(tmp_path / "answers.jsonl", 400)
    folder = tmp_path / "run"
    words = [sys.executable, "-m", "showable", "score", str(file), "--out", str(folder), "--json", "--judge", "lexical"]  # fmt: skip
    for _ in range(3):
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            before = len(ids_or_none(folder / "scores.jsonl"))
            while len(ids_or_none(folder / "scores.jsonl")) < before + 50 and process.poll() is None:
                time.sleep(0.01)
            process.kill()
    finished = subprocess.run(words, capture_output=True, check=True)
    score(file, tmp_path / "other", judge=LexicalJudge())
    assert {k: v for k, v in json.loads(finished.stdout).items() if k != "run"} == summary(tmp_path / "other")
    assert len(set(ids(folder / "scores.jsonl"))) == len(ids(folder / "scores.jsonl")) == 400


def ids_or_none(path):
    return path.read_bytes().splitlines() if path.exists() else []


@needs_fork
def test_ctrl_c_stops_cleanly_and_the_same_command_goes_on(tmp_path):
    file, folder, stuck = write(tmp_path / "answers.jsonl", 60), tmp_path / "run", tmp_path / "stuck"
    words = ("score", file, "--out", folder, "--judge", "lexical")

    def work():
        verdicts = LexicalJudge.verdicts

        async def until_some_are_scored(self, pairs):
            if len(ids_or_none(folder / "scores.jsonl")) >= 5:
                stuck.touch()
                await asyncio.Event().wait()
            return await verdicts(self, pairs)

        LexicalJudge.verdicts = until_some_are_scored
        command_line(*words)()

    with forked(work, tmp_path / "said") as process:
        process.until(stuck.exists)
        process.send(signal.SIGINT)
        assert process.wait() == 130
    assert "Traceback" not in process.err
    assert "the same command goes on from here" in process.err
    done = len(ids(folder / "scores.jsonl"))
    assert 5 <= done < 60
    assert summary(folder)["n"] == done
    with forked(command_line(*words), tmp_path / "said") as process:
        assert process.wait() == 0, process.err
    assert summary(folder)["n"] == len(ids(folder / "scores.jsonl")) == 60


def test_a_second_process_on_one_folder_is_refused_and_the_first_is_named(tmp_path, file):
    from showable.evaluation import sign

    signature = sign(JUDGE, GENERAL)
    with RunFolder.open(tmp_path / "run", signature, "a", "f"), pytest.raises(SettingError) as refused:
        RunFolder.open(tmp_path / "run", signature, "a", "f")
    assert f"in use by process {os.getpid()}" in str(refused.value)


def test_a_folder_of_other_records_or_another_judge_is_refused(tmp_path, file, whole):
    other = write(tmp_path / "other.jsonl", 3)
    with pytest.raises(SettingError, match="whose records differ"):
        score(other, tmp_path / "whole")
    with pytest.raises(SettingError, match=r"another signature.*judge"):
        score(file, tmp_path / "whole", judge=ScriptedJudge.of({CLAIM: "unsupported"}))
    assert summary(tmp_path / "whole") == whole


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path, file):
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(SettingError, match="cannot be written"):
        score(file, tmp_path / "taken")


def test_a_disk_that_fills_up_keeps_what_was_written(tmp_path, file, whole, monkeypatch):
    folder = tmp_path / "run"
    append, room = RunFolder._append, [25]

    def full(self, name, line):
        if room[0] == 0:
            raise OSError(28, "No space left on device")
        room[0] -= 1
        append(self, name, line)

    with monkeypatch.context() as patch:
        patch.setattr(RunFolder, "_append", full)
        with pytest.raises(SettingError, match="No space left on device; 8 records are safe there"):
            score(file, folder)
    score(file, folder)
    assert summary(folder) == whole


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, which this system does not have")
def test_a_line_that_did_not_fit_is_taken_back(tmp_path):
    from showable.evaluation import sign
    from showable.records import Record

    with RunFolder.open(tmp_path / "run", sign(JUDGE, GENERAL), "a", "f") as folder:
        good = folder._handles["records.jsonl"]
        with open("/dev/full", "wb", buffering=0) as full:
            folder._handles["records.jsonl"] = full
            with pytest.raises(OSError, match="No space left"):
                folder.append_line("records.jsonl", Record(id="a", question="q", answer="x"))
            folder._handles["records.jsonl"] = good


class Priced:
    """A judge that asks a dollar a call."""

    name, prompt_hash = "priced@1", None

    def __init__(self):
        self.calls = 0

    async def verdicts(self, pairs):
        self.calls += len(pairs)
        verdicts = await JUDGE.verdicts(pairs)
        return [v.model_copy(update={"cost": self.estimate(pairs[:1])}) for v in verdicts]

    def estimate(self, pairs):
        from showable.records import Cost

        return Cost(calls=len(pairs), usd=float(len(pairs)))


def test_the_budget_is_never_passed_and_the_run_goes_on_later(tmp_path, file):
    judge = Priced()
    first = score(file, tmp_path / "run", judge=judge, max_cost=7.0)
    assert judge.calls == 7
    assert "stopped before --max-cost" in first.stopped
    again = score(file, tmp_path / "run", judge=judge, max_cost=7.0)
    assert judge.calls == 7
    assert again.stopped
    assert score(file, tmp_path / "run", judge=judge, max_cost=50.0).stopped is None
    assert judge.calls == 20


def test_a_budget_without_a_price_is_refused(tmp_path, file):
    from showable.records import Cost

    class Unpriced(Priced):
        def estimate(self, pairs):
            return Cost(calls=len(pairs), usd=None)

    with pytest.raises(SettingError, match="needs a price"):
        score(file, tmp_path / "run", judge=Unpriced(), max_cost=1.0)


def test_files_that_are_no_run_are_left_alone(tmp_path, file):
    folder = tmp_path / "mine"
    folder.mkdir()
    for name in ("records.jsonl", "scores.jsonl"):
        (folder / name).write_text("my notes, without a newline")
    with pytest.raises(SettingError, match="no run of showable"):
        score(file, folder)
    assert (folder / "scores.jsonl").read_text() == "my notes, without a newline"


def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path, file):
    check = check_record_file(file)
    write(file, 25)
    with pytest.raises(SettingError, match=r"20 records when it was checked, 25 when it was scored"):
        score_into_folder(Plan(check, tmp_path / "run", JUDGE, GENERAL), Quiet())


def test_half_a_run_is_neither_gated_nor_regraded(tmp_path, file, cli):
    folder = tmp_path / "run"
    score(file, folder, judge=Priced(), max_cost=7.0)
    for command in (("gate", folder, folder), ("regrade", folder)):
        code, _, err = cli(*command)
        assert code == 2
        assert "not finished (7 of 20 records scored)" in err
    assert summary(folder)["records"] == 20


@pytest.mark.parametrize("damage", ["evidence.jsonl", "records.jsonl"])
def test_a_run_that_lost_lines_is_not_regraded_in_part(tmp_path, file, whole, cli, damage):
    path = tmp_path / "whole" / damage
    path.write_text("".join(path.read_text().splitlines(keepends=True)[1:]))
    code, _, err = cli("regrade", tmp_path / "whole", "--threshold", "0.7")
    assert code == 2
    assert "Traceback" not in err
    path.write_bytes(b"\0" * 100 + b"\n")
    assert cli("regrade", tmp_path / "whole", "--threshold", "0.8")[0] == 2


class Raising(Priced):
    name = "raising@1"

    async def verdicts(self, pairs):
        raise ConnectionError("gone")


class Short(Priced):
    name = "short@1"

    async def verdicts(self, pairs):
        return []


@pytest.mark.parametrize(("judge", "said"), [(Raising(), "ConnectionError: gone"), (Short(), "0 verdicts for 1 pairs")])
def test_a_judge_that_breaks_is_unknown_with_a_reason(tmp_path, file, judge, said):
    scored = score(file, tmp_path / "run", judge=judge)
    assert scored.summary.buckets["unknown"] == 20
    assert said in scored.worst[0].findings[0].reason
