"""`showable demo --protocol`: the embedded questions, the reference pipeline, the table; what is printed is what was written down."""

import json

import pytest
from typer.testing import CliRunner

from showable.cli import app
from showable.harness.questions.shape import PROTOCOL


@pytest.fixture(scope="module")
def protocol(tmp_path_factory):
    run = tmp_path_factory.mktemp("protocol") / "run"
    done = CliRunner().invoke(app, ["demo", "--protocol", "--judge", "lexical", "--out", str(run), "--details"])
    return done, run


def test_the_130_questions_are_asked_and_every_one_is_scored(protocol):
    done, run = protocol
    assert done.exit_code == 0, done.stderr
    summary = json.loads((run / "summary.json").read_text())
    assert summary["n"] == 130
    assert {name: sum(buckets.values()) for name, buckets in summary["categories"].items()} == {
        part.category: part.of_130 for part in PROTOCOL
    }
    assert "answerable         40" in done.stdout


def test_an_empty_retrieval_yields_ten_refusals(protocol):
    """Source: the protocol asks ten questions with nothing retrieved, and a pipeline that does its work refuses them."""
    done, run = protocol
    summary = json.loads((run / "summary.json").read_text())
    assert summary["categories"]["null_retrieval"] == {
        "correct": 0,
        "wrong": 0,
        "unsupported": 0,
        "refused": 10,
        "unknown": 0,
    }
    assert summary["expected"]["null_retrieval"] == {"met": 10, "missed": 0, "unknown": 0}
    assert "honoured in 10" in done.stdout


def test_the_pipeline_answers_and_its_run_is_one_like_any_other(protocol):
    _, run = protocol
    summary = json.loads((run / "summary.json").read_text())
    assert summary["buckets"]["correct"] > 0
    facts = json.loads((run / "run.json").read_text())["pipeline"]
    assert facts["name"] == "reference"
    page = (run / "report.html").read_text()
    assert "null_retrieval" in page
    assert "As expected" in page
