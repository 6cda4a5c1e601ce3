"""The freeze: what is called better or worse, what is printed, and that the demo's committed rows are what the tree makes."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "benchmarks"))

import frozen
from frozen_corpora import Scored, row_of
from frozen_field import is_held


def row(name="a", **fields):
    return {"id": name, **fields}


@pytest.mark.parametrize(
    ("before", "after", "effect", "source"),
    [
        ("wrong", "right", "better", "the label says so"),
        ("wrong", "open", "better", "to decide nothing is better than to be wrong: it never guesses"),
        ("open", "right", "better", "to decide rightly is better than to decide nothing"),
        ("right", "open", "worse", "the same the other way round"),
        ("right", "wrong", "worse", ""),
        ("open", "wrong", "worse", ""),
        ("right", "right", "level", "the bucket moved, and what the label asks for did not"),
        ("wrong", "wrong", "level", ""),
        (None, None, "unlabelled", "no label, no verdict, whatever became of the bucket"),
        (None, "right", "unlabelled", "a label that came since says nothing about before"),
    ],
)
def test_better_and_worse_are_by_the_label_alone(before, after, effect, source):
    labels = [{} if right is None else {"right": right} for right in (before, after)]
    old, new = (row(bucket=bucket, **right) for bucket, right in zip(("correct", "unsupported"), labels, strict=True))
    (change,) = frozen.compare("made-up", [old], [Scored(new, "Correct")])
    assert change.effect == effect, source


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        (
            row(bucket="correct", right="right"),
            row(bucket="unsupported", cause="miscited", right="wrong"),
            "made-up a: correct → unsupported · cause none → miscited · label L · worse",
        ),
        (
            row(bucket="correct", findings=["x.y fail", "x.z fail", "x.z fail"], claims=[[0, 5], [6, 9]]),
            row(bucket="correct", findings=["x.w unknown", "x.z fail"], claims=[[0, 5], [6, 10]]),
            "made-up a: correct · findings −x.y fail, −x.z fail, +x.w unknown · claims moved (2) · label L · unlabelled",
        ),
        (
            row(out=["exit 0"], claims=[[0, 5]]),
            row(out=["exit 2"]),
            "made-up a: out −exit 0, +exit 2 · claims 1 → 0 · label L · unlabelled",
        ),
        (
            row(refusal="full/evidence", gold="agrees", bucket="refused"),
            row(refusal="partial/evidence", gold="absent", bucket="refused"),
            "made-up a: refused · refusal full/evidence → partial/evidence · gold agrees → absent · label L · unlabelled",
        ),
    ],
)
def test_a_line_tells_what_moved(before, after, line):
    (change,) = frozen.compare("made-up", [before], [Scored(after, "L")])
    assert str(change) == line


def test_answers_that_are_equal_new_or_gone():
    changes = frozen.compare("made-up", [row("a"), row("b")], [Scored(row("a")), Scored(row("c"))])
    assert list(map(str, changes)) == ["made-up c: new", "made-up b: gone"]
    assert {change.effect for change in changes} == {"unlabelled"}


def test_the_worse_come_first_and_what_is_not_printed_is_counted(monkeypatch):
    monkeypatch.setattr(frozen, "MOST_LINES", 2)
    rights = [("right", "right"), ("wrong", "right"), ("right", "wrong"), (None, None)]
    old = [row(f"{at}", bucket="correct", right=before) for at, (before, _) in enumerate(rights)]
    new = [Scored(row(f"{at}", bucket="wrong", right=after)) for at, (_, after) in enumerate(rights)]
    lines = list(frozen.report(frozen.compare("made-up", old, new), {"made-up": 9, "still": 3}))
    assert [line.rpartition(" ")[2] for line in lines[:2]] == ["worse", "better"]
    assert lines[2] == "and 2 more: 1 level, 1 unlabelled"
    assert [line.split() for line in lines[3:]] == [
        ["corpus", "rows", "changed", "better", "worse", "level", "unlabelled"],
        ["made-up", "9", "4", "1", "1", "1", "1"],
        ["still", "3", "0", "0", "0", "0", "0"],
        ["all", "12", "4", "1", "1", "1", "1"],
    ]


def test_rows_are_written_to_the_same_bytes_and_read_back(tmp_path):
    rows = [row("b", claims=[[0, 3], None]), row("a", out=["é"])]
    for name in ("one", "two"):
        frozen.write_rows(tmp_path / name / "rows.gz", rows)
    assert (tmp_path / "one" / "rows.gz").read_bytes() == (tmp_path / "two" / "rows.gz").read_bytes()
    assert frozen.read_rows(tmp_path / "one" / "rows.gz") == rows
    assert frozen.read_rows(tmp_path / "none.gz") == []


def test_a_row_holds_codes_and_offsets_and_no_text():
    card = {
        "id": "a", "bucket": "wrong", "cause": "bad_quote", "why": "SECRET", "refusal": "full", "refusal_basis": "scope",
        "gold_agreement": "not_applicable", "claims": [{"text": "SECRET", "span": [0, 6]}],
        "findings": [{"code": "x.y", "outcome": "fail", "reason": "SECRET"}],
    }  # fmt: skip
    assert row_of(card, right="right") == {
        "id": "a", "right": "right", "bucket": "wrong", "cause": "bad_quote", "refusal": "full/scope",
        "findings": ["x.y fail"], "claims": [[0, 6]],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("expect", "told", "held"),
    [
        ({"bucket": "wrong"}, {"bucket": "wrong"}, True),
        ({"bucket": "wrong"}, {}, False),
        ({"bucket_in": ["wrong", "unknown"]}, {"bucket": "unknown"}, True),
        ({"bucket_in": ["wrong"]}, {"bucket": "correct"}, False),
        ({"cause_not": ["bad_quote"]}, {"cause": "uncited"}, True),
        ({"cause_not": ["bad_quote"]}, {"cause": "bad_quote"}, False),
        ({"exit_not": 0}, {"exit": 0}, False),
        ({"cause_not": ["bad_quote"]}, {}, False),  # what did not come out at all is nothing to be glad of
        ({"cited_has": ["a"]}, {"cited": ["b", "a"]}, True),
        ({"answer_has": ["30 days"]}, {"answer": "It is 30 days."}, True),
        ({"answer_has": ["30 days"]}, {"answer": None}, False),
        ({"bucket": "wrong", "exit": 0}, {"bucket": "wrong", "exit": 2}, False),
    ],
)
def test_what_a_case_of_the_field_expects(expect, told, held):
    """Source: the meaning of the keys as the cases' own runner has it."""
    assert is_held(expect, told) is held


def test_the_committed_rows_of_the_demo_are_what_the_tree_makes():
    """Where this fails, `make frozen` prints what moved; `make frozen-write` renews the rows once that is wanted."""
    scored = frozen.score("demo")
    changes = frozen.compare("demo", frozen.read_rows(frozen.FOLDER / "demo.jsonl.gz"), scored)
    assert [str(change) for change in changes] == []
    assert len(scored) == 68
