"""The workflows of the docs: valid YAML, only options that exist, and every step run by bash as the runner would."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

DOCS = Path(__file__).resolve().parents[1] / "docs"
GITHUB, GITLAB = DOCS / "ci" / "github-actions.yml", DOCS / "ci" / "gitlab-ci.yml"
ANSWER = """
def answer(question, force_null=False):
    if force_null or "refund" in question:
        return {"answer": "The documents do not say when a refund is paid.", "retrieved": []}
    said = "%s"
    log = [{"source_id": "lease", "text": "The notice period is thirty days."}]
    return {"answer": f"The notice period is {said} days [lease].", "retrieved": log}
"""
QUESTIONS = """\
{"id":"a","question":"How long is the notice period?","gold":{"answer":"thirty days","answerable":true,"category":"answerable","expected":["correct"]}}
{"id":"b","question":"When is a refund paid?","gold":{"answerable":false,"category":"unanswerable","expected":["refused"]}}
"""


def github_steps():
    return yaml.safe_load(GITHUB.read_text())["jobs"]["gate"]["steps"]


def step(name):
    return next(one for one in github_steps() if one.get("name") == name)


@pytest.fixture(scope="module")
def tools(tmp_path_factory, quick_showable):
    """Two folders: with `pip` and `gh`, which do nothing but say so, and with `showable`, which is preloaded."""
    folder = tmp_path_factory.mktemp("tools")
    for name in ("pip", "gh"):
        (folder / name).write_text(f'#!/bin/sh\necho "{name} $*" >> called\n')
        (folder / name).chmod(0o755)
    return f"{folder}:{quick_showable}"


@pytest.fixture
def project(tmp_path):
    (tmp_path / "questions" / "mine").mkdir(parents=True)
    (tmp_path / "questions" / "mine" / "questions.jsonl").write_text(QUESTIONS)
    change(tmp_path, "thirty")
    return tmp_path


def change(project, said):
    (project / "my_pipeline.py").write_text(ANSWER % said)


@pytest.fixture
def bash(project, tools):
    """Run a script in the project as the runners do, with our tools first on the path."""

    def run(script, **environment):
        # a pipeline that is changed within a second must not be taken for what was compiled of it before
        variables = {
            "PYTHONDONTWRITEBYTECODE": "1",
            "PIPELINE": "my_pipeline:answer",
            "QUESTIONS": "questions/mine",
            "REPEATS": "2",
        } | environment
        path = f"{tools}:{Path(sys.executable).parent}:{os.environ['PATH']}"
        known = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "CI_"))}
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
        done = subprocess.run(command, cwd=project, env=known | variables | {"PATH": path}, capture_output=True, text=True, check=False)  # fmt: skip
        return done.returncode, done.stdout + done.stderr

    return run


def test_the_workflows_are_yaml_of_their_kind():
    github = yaml.safe_load(GITHUB.read_text())
    assert set(github[True]) == {"pull_request", "push", "workflow_dispatch"}  # YAML 1.1 reads `on` as true
    for one in github_steps():
        assert ("run" in one) != ("uses" in one), one
    gitlab = yaml.safe_load(GITLAB.read_text())
    for name, job in gitlab.items():
        assert name.startswith(".") or {"script", "rules"} <= set(job)


@pytest.mark.parametrize("path", [GITHUB, GITLAB], ids=["github", "gitlab"])
def test_they_use_only_options_that_exist(path, cli):
    for command, options in re.findall(
        r"^\s*(?:- )?showable (run|gate|runs pin|runs) (.*)$", path.read_text(), re.MULTILINE
    ):
        shown = cli(*command.replace("runs", "runs list" if command == "runs" else "runs").split(), "--help")[1]
        for option in re.findall(r"(?<!\S)(--?[a-z-]+)", options):
            assert re.search(rf"{option}\b", shown), f"{command} has no {option}"


@pytest.mark.slow
def test_the_github_steps_make_a_baseline_ship_what_is_alike_and_hold_a_step_back(bash, project, tmp_path):
    summary = tmp_path / "summary.md"
    assert bash(step("Install")["run"])[0] == 0
    for name in ("Ask and score", "Pin the new baseline"):
        code, said = bash(step(name)["run"], RUN="runs/0123abc")
        assert code == 0, said
    assert (project / "history.html").exists()

    code, said = bash(step("Ask and score")["run"], RUN="runs/candidate")
    assert code == 0, said
    code, said = bash(step("Gate")["run"], GITHUB_STEP_SUMMARY=str(summary))
    assert (code, "SHIP" in said) == (0, True), said
    assert "SHIP" in summary.read_text()

    change(project, "ninety")
    assert bash(step("Ask and score")["run"], RUN="runs/candidate")[0] == 0
    code, said = bash(step("Gate")["run"])
    assert (code, "DO NOT SHIP" in said) == (1, True), said
    for end in ("md", "html", "xml"):
        assert (project / f"gate.{end}").stat().st_size > 500
    assert bash(step("Comment on the pull request")["run"], PR="7")[0] == 0
    assert "gh pr comment 7 --body-file gate.md --edit-last" in (project / "called").read_text()


@pytest.mark.slow
def test_the_gitlab_jobs_make_a_baseline_and_hold_a_step_back(bash, project):
    gitlab = yaml.safe_load(GITLAB.read_text())
    known = {"CI_COMMIT_SHA": "0123abc", "CI_API_V4_URL": "http://127.0.0.1:1"}
    code, said = bash("\n".join(gitlab["showable-baseline"]["script"]), **known)
    assert code == 0, said
    change(project, "ninety")
    code, said = bash("\n".join(gitlab["showable-gate"]["script"]), **known)
    assert (code, "DO NOT SHIP" in said) == (1, True), said
    assert "<failure" in (project / "gate.xml").read_text()
    assert bash("\n".join(gitlab["showable-gate"]["after_script"]), **known)[0] == 0


BASELINES = {
    "github": [step(name)["run"] for name in ("Ask and score", "Pin the new baseline")],
    "gitlab": yaml.safe_load(GITLAB.read_text())["showable-baseline"]["script"],
}


@pytest.mark.slow
@pytest.mark.parametrize("lines", [*BASELINES.values()], ids=[*BASELINES])
def test_the_baseline_of_a_commit_is_made_anew_when_its_job_runs_again(bash, project, lines):
    """What is behind the pipeline may have changed, as a model does; the folder comes back from the cache."""
    known, script = {"RUN": "runs/0123abc", "CI_COMMIT_SHA": "0123abc"}, "\n".join(lines)
    assert bash(script, **known)[0] == 0
    change(project, "ninety")
    with (project / "questions/mine/questions.jsonl").open("a") as more:
        more.write('{"id":"c","question":"How long is the notice?"}\n')
    code, said = bash(script, **known)
    assert code == 0, said
    for repeat in ("repeat-1", "repeat-2"):
        answers = (project / "runs/0123abc" / repeat / "answers.jsonl").read_text()
        assert (answers.count("\n"), "ninety days" in answers, "thirty days [" in answers) == (3, True, False)


def test_what_is_kept_when_a_workflow_runs_again_has_a_key_of_its_own():
    """Source: GitHub's docs on caching: a key is written once, and a second attempt has the run id of the first."""
    for name in ("Fetch the pinned baseline", "Keep the baseline"):
        assert step(name)["with"]["key"].endswith("-${{ github.run_id }}-${{ github.run_attempt }}")
    assert step("Fetch the pinned baseline")["with"]["restore-keys"] == "showable-runs-"


@pytest.mark.slow
def test_without_a_baseline_the_gate_says_so_and_does_not_pass(bash):
    code, said = bash(step("Gate")["run"])
    assert code == 2
    assert "runs/main: no such folder, and no baseline is pinned by that name" in said
    assert said.count("\n") == 1
