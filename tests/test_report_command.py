"""`showable report`, `-o` and the summary of a CI step: what is written, and what is refused before anything is done."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from lxml import etree
from scorecards import SIGNATURE, card

from showable.api import gate as decide
from showable.cli.outputs import ENDINGS, Outputs, plan_outputs, replace_file
from showable.cli.report import report
from showable.cli.step_summary import MOST_BYTES, add_to_step_summary
from showable.errors import InputError, SettingError
from showable.measure.summary import summarise
from showable.records import Evidence, Record
from showable.stores.run_folder import RunFolder
from showable.stores.run_reading import view_run

SUMMARY = "GITHUB_STEP_SUMMARY"


@pytest.fixture(autouse=True)
def _outside_of_ci(monkeypatch):
    monkeypatch.delenv(SUMMARY, raising=False)


def make_run(folder, cards, *, finished=True):
    """Write a run folder as scoring does, of cards that need no judge."""
    summary = summarise(cards, SIGNATURE, str(folder))
    with RunFolder.open(folder, SIGNATURE, "answers.jsonl", "0123", records=len(cards), rejected=0) as run:
        for scored in cards:
            record = Record(id=scored.id, question="What is the notice period?", answer="Thirty days.", retrieved=[])
            run.append(record, Evidence(id=scored.id, judge="lexical@1"), scored)
        run.write_json("summary.json", summary.model_dump(mode="json") | {"judge_calls": {"calls": 7}})
        run.write_text("report.html", "old")
        run.write_json("run.json", run.run | {"scored": len(cards), "finished": finished})
    return folder


def cards(*buckets):
    made = [card(f"q{n}", bucket, why="because", question_hash=f"h{n}") for n, bucket in enumerate(buckets)]
    return [one.model_copy(update={"cause": "contradicts_gold"}) if one.bucket == "wrong" else one for one in made]


@pytest.fixture
def run(tmp_path):
    return make_run(tmp_path / "run", cards("correct", "wrong", "unknown"))


@pytest.fixture
def after(tmp_path):
    return make_run(tmp_path / "after", cards("correct", "correct", "unknown"))


def call(capsys, *args, **options):
    """Run the command: gives exit code, stdout and stderr."""
    try:
        report(*args, **options)
        code = 0
    except typer.Exit as leave:
        code = leave.exit_code
    out, err = capsys.readouterr()
    return code, out, err


# The command -----------------------------------------------------------------------------------------------------------------


def test_a_report_is_printed_and_the_page_is_written_again(run, capsys):
    code, out, err = call(capsys, run)
    assert (code, err) == (0, "")
    assert out.startswith("1 of 3 answers are acceptable (1 correct, 0 refused); 1 unknown")
    assert out.splitlines()[-1].startswith("Written: ")
    page = (run / "report.html").read_text("utf-8")
    assert page.lower().startswith("<!doctype html>")
    assert "q1" in page


READ = {
    ".html": lambda text: text.lower().startswith("<!doctype html>"),
    ".md": lambda text: text.startswith("## showable: 1 of 3 answers are acceptable · run"),
    ".xml": lambda text: etree.fromstring(text.encode()).get("failures") == "1",
    ".sarif": lambda text: json.loads(text)["runs"][0]["properties"]["n"] == 3,
    ".csv": lambda text: len(text.splitlines()) == 4,
    ".json": lambda text: json.loads(text)["buckets"]["wrong"] == 1,
    ".jsonl": lambda text: [json.loads(line)["id"] for line in text.splitlines()] == ["q0", "q1", "q2"],
}


@pytest.mark.parametrize("ending", ENDINGS["run"])
def test_a_run_is_written_as_its_ending_says(ending, run, tmp_path, capsys):
    path = tmp_path / f"Report{ending.upper()}"
    code, out, err = call(capsys, run, output=[path])
    assert (code, out, err) == (0, f"Written: {path}\n", "")
    assert READ[ending](path.read_text("utf-8-sig"))
    assert (run / "report.html").read_text() == "old"  # only what was asked for is written
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted(["run", path.name])  # and nothing is left behind


def test_several_files_are_written_at_once(run, tmp_path, capsys):
    paths = [tmp_path / "a.md", tmp_path / "b.sarif.json", tmp_path / "c.json"]
    code, _, _ = call(capsys, run, output=paths)
    assert code == 0
    assert json.loads(paths[1].read_text())["version"] == "2.1.0"
    assert json.loads(paths[2].read_text()) == json.loads((run / "summary.json").read_text())


def test_the_json_document_is_the_summary_with_what_judging_took(run, capsys):
    code, out, err = call(capsys, run, json=True)
    assert (code, err) == (0, "")
    assert json.loads(out) == json.loads((run / "summary.json").read_text())
    assert json.loads(out)["judge_calls"] == {"calls": 7}
    assert (run / "report.html").read_text() == "old"  # who asks for a document may have a folder that takes no file


READ_TWO = {
    ".html": lambda text: text.lower().startswith("<!doctype html>"),
    ".md": lambda text: "SHIP" in text.upper(),
    ".xml": lambda text: etree.fromstring(text.encode())[0].get("name") == "showable gate",
    ".json": lambda text: json.loads(text)["moved"][0]["id"] == "q1",
}


@pytest.mark.parametrize("ending", ENDINGS["gate"])
def test_two_runs_are_compared_as_the_ending_says(ending, run, after, tmp_path, capsys):
    path = tmp_path / f"diff{ending}"
    code, out, err = call(capsys, run, after, output=[path])
    assert (code, out, err) == (0, f"Written: {path}\n", "")
    assert READ_TWO[ending](path.read_text("utf-8"))


def test_two_runs_are_compared_on_the_terminal_and_the_exit_code_is_0(run, after, capsys):
    code, out, err = call(capsys, after, run)  # the candidate is the worse one: `gate` would leave with 1
    assert (code, err) == (0, "")
    assert out.startswith("DO NOT SHIP")
    code, out, _ = call(capsys, after, run, json=True)
    assert code == 0
    assert json.loads(out)["ship"] is False


def test_what_is_no_finished_run_is_one_clear_line(tmp_path, capsys):
    with pytest.raises(InputError, match="holds no run"):
        report(tmp_path)
    half = make_run(tmp_path / "half", cards("correct"), finished=False)
    with pytest.raises(InputError, match=r"not finished .1 of 1 records scored.; the command that began it goes on"):
        report(half, output=[tmp_path / "x.md"])
    assert not (tmp_path / "x.md").exists()


def test_a_run_that_was_moved_is_reported_where_it_is(run, tmp_path, capsys):
    moved = run.rename(tmp_path / "moved")
    code, _, _ = call(capsys, moved, output=[tmp_path / "x.md"])
    assert code == 0
    assert "· moved" in (tmp_path / "x.md").read_text()


# What is refused before anything is done -------------------------------------------------------------------------------------

REFUSED = [
    # (paths, kind, what is said): the endings are those that the help names
    (["notes.txt"], "run", r"-o notes.txt: a report of a run ends in .html, .md, .xml \(JUnit\), .sarif, .csv, .json or .jsonl"),
    (["notes"], "run", "ends in .html"),
    ([".md"], "run", "ends in .html"),
    (["x.csv"], "gate", r"-o x.csv: a comparison of two runs ends in .html, .md, .xml \(JUnit\) or .json"),
    (["-"], "run", "-o -: no report goes to standard output, but --json does"),
    (["a.md", "b.md", "./a.md"], "run", "-o a.md: given twice"),
    (["missing/x.md"], "run", "-o missing/x.md: its folder does not exist"),
    (["folder.md"], "run", "-o folder.md: is a folder"),
    (["answers.json"], "run", "-o answers.json: is what is to be read, and would be written over"),
    (["link.json"], "run", "-o link.json: is what is to be read"),
    (["run/summary.json"], "run", "-o run/summary.json: is part of the run in run, and would be written over"),
    (["run/scores.jsonl"], "run", "is part of the run"),
    (["pipe.md"], "run", "-o pipe.md: is no regular file"),
]  # fmt: skip


@pytest.mark.parametrize(("paths", "kind", "said"), REFUSED)
def test_what_could_only_fail_later_is_refused_at_once(paths, kind, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("folder.md").mkdir()
    Path("run").mkdir()
    Path("run/run.json").write_text("{}")
    Path("answers.json").write_text("[]")
    Path("link.json").symlink_to("answers.json")
    os.mkfifo("pipe.md")
    with pytest.raises(SettingError, match=said) as found:
        plan_outputs([Path(path) for path in paths], kind, inputs=[Path("answers.json"), Path("-")])
    assert "\n" not in str(found.value)
    assert Path("answers.json").read_text() == "[]"


def test_what_may_not_be_written_is_refused_at_once(tmp_path, monkeypatch):
    (tmp_path / "kept.md").write_text("kept")
    kept = os.path.realpath(tmp_path / "kept.md")
    monkeypatch.setattr(os, "access", lambda path, mode: str(path) != kept)  # root may write everywhere
    with pytest.raises(SettingError, match=r"kept\.md: cannot be written"):
        plan_outputs([tmp_path / "kept.md"])


@pytest.mark.parametrize("name", ["x.md", "X.MD", "a.b.html", "r.sarif", "r.sarif.json", "run/report.html", "é x.csv"])
def test_what_can_be_written_is_planned_and_not_yet_made(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("run").mkdir()
    Path("run/run.json").write_text("{}")
    planned = plan_outputs([Path(name)])
    assert planned.wanted
    assert not Path(name).exists()


def test_nothing_is_planned_where_nothing_is_asked_for():
    assert plan_outputs(None).wanted is False
    assert plan_outputs([]) == Outputs("run", ())


def test_a_run_that_was_stopped_has_no_reports(tmp_path, capsys):
    plan_outputs([tmp_path / "a.md", tmp_path / "b.xml"]).tell_unwritten()
    plan_outputs(None).tell_unwritten()
    err = capsys.readouterr().err
    assert err == f"showable: the run is not finished, so nothing was written to {tmp_path}/a.md, {tmp_path}/b.xml\n"


def test_nothing_is_read_where_nothing_is_wanted(tmp_path):
    plan_outputs(None).write_folder(tmp_path / "missing")
    plan_outputs(None, "gate").write_sides(None, None, None)
    assert not (tmp_path / "missing").exists()


# Writing ---------------------------------------------------------------------------------------------------------------------


def test_a_file_is_whole_or_as_it_was(tmp_path):
    path = tmp_path / "x.md"
    path.write_text("before")

    def fails(file):
        file.write(b"half")
        raise OSError(28, "No space left on device")

    with pytest.raises(SettingError, match=r"x\.md: cannot be written: No space left on device"):
        replace_file(path, fails)
    assert path.read_text() == "before"
    assert [one.name for one in tmp_path.iterdir()] == ["x.md"]


def test_a_link_is_followed(tmp_path):
    (tmp_path / "real.md").write_text("before")
    (tmp_path / "link.md").symlink_to("real.md")
    replace_file(tmp_path / "link.md", lambda file: file.write(b"after"))
    assert (tmp_path / "link.md").is_symlink()
    assert (tmp_path / "real.md").read_text() == "after"


def test_who_may_read_a_file_stays_as_it_was(tmp_path):
    path = tmp_path / "x.md"
    path.write_text("before")
    path.chmod(0o600)
    replace_file(path, lambda file: file.write(b"after"))
    assert path.read_text() == "after"
    assert path.stat().st_mode & 0o777 == 0o600


def test_runs_are_read_no_more_often_for_more_files(run, after, tmp_path, monkeypatch):
    """Two pages, two comments and the summary of the step: one comparison, which reads the baseline once more for its answers."""
    monkeypatch.setenv(SUMMARY, str(tmp_path / "step.md"))
    read = Counter()

    def counted(view):
        return replace(view, entries=lambda: (read.update([view.name]), view.entries())[1])

    views = [counted(view_run(folder)) for folder in (run, after)]
    paths = [tmp_path / name for name in ("a.html", "b.html", "a.md", "b.md")]
    plan_outputs(paths, "gate").write_gate(decide(run, after), *views)
    assert read == {"run": 2, "after": 1}
    read.clear()
    plan_outputs([tmp_path / "c.md", tmp_path / "d.md"]).write_run(views[0])
    assert read == {"run": 1}


# The summary of a CI step ----------------------------------------------------------------------------------------------------


def test_the_summary_of_a_step_is_added_to(run, after, tmp_path, monkeypatch, capsys):
    file = tmp_path / "step.md"
    file.write_text("# From the step before\n")
    monkeypatch.setenv(SUMMARY, str(file))
    plan_outputs(None).write_run(view_run(run))
    first = file.read_text("utf-8")
    assert first.startswith("# From the step before\n\n\n## showable: 1 of 3 answers are acceptable")
    plan_outputs(None).write_run(view_run(run))  # the same again says nothing new
    assert file.read_text("utf-8") == first
    call(capsys, run, after, output=[tmp_path / "diff.json"])
    assert len(file.read_text("utf-8")) > len(first)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: path.mkdir(), "cannot be written: Is a directory"),
        (lambda path: path.write_bytes(b"x" * MOST_BYTES), "holds too much already"),
    ],
)
def test_a_summary_that_cannot_be_written_is_one_line_and_nothing_more(make, said, tmp_path, monkeypatch, capsys):
    make(tmp_path / "step.md")
    monkeypatch.setenv(SUMMARY, str(tmp_path / "step.md"))
    add_to_step_summary(lambda file: file.write(b"## text\n"))
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.count("\n") == 1
    assert SUMMARY in err


def test_a_summary_that_cannot_be_rendered_breaks_no_run(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv(SUMMARY, str(tmp_path / "step.md"))

    def fails(_file):
        raise RuntimeError("no\x1b[31m idea")

    add_to_step_summary(fails)
    assert capsys.readouterr().err == f"showable: {SUMMARY}: cannot be written: no idea\n"
    assert not (tmp_path / "step.md").exists()


def test_half_a_summary_is_taken_back(tmp_path):
    """In a process of its own, to whose files the system gives 64 KiB (RLIMIT_FSIZE)."""
    step = tmp_path / "step.md"
    step.write_text("before")
    code = (
        "import resource; from showable.cli.step_summary import add_to_step_summary;"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (65_536, 65_536));"
        "add_to_step_summary(lambda file: file.write(b'x' * 100_000))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {SUMMARY: str(step)}, capture_output=True, text=True, check=True
    )
    assert done.stderr == f"showable: {SUMMARY}: cannot be written: File too large\n"
    assert step.read_text() == "before"


def test_outside_of_ci_nothing_is_rendered():
    add_to_step_summary(lambda _: pytest.fail("rendered for nobody"))


def test_a_run_whose_scores_are_not_those_of_its_summary_is_refused(tmp_path):
    make_run(tmp_path / "run", [card("a", "correct"), card("b", "wrong")])
    scores = tmp_path / "run" / "scores.jsonl"
    scores.write_text(scores.read_text().splitlines(keepends=True)[0])
    with pytest.raises(InputError, match=r"2 answers are summed up in summary.json, 1 are scored here"):
        view_run(tmp_path / "run")
