"""The gate over repeats and pinned baselines: what counts, what is flaky, what changed, in every format."""

import json
from dataclasses import replace
from html import unescape
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from gate_runs import gate as rows_gate
from gate_runs import run as gate_run
from made_runs import facts, letters_of, make_repeats, make_run
from scorecards import SIGNATURE

from showable.api import gate
from showable.records.scorecard import Release
from showable.stores.run_sides import read_side, view_side

N = 13
CAREFUL = letters_of(N)
WRONG = letters_of(N, answerable="w")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)


def three(name, *several, **said):
    return make_repeats(name, several, facts(**said))


def test_a_question_counts_as_most_repeats_came_out():
    three("base", CAREFUL, CAREFUL, CAREFUL)
    three("once wrong", CAREFUL, WRONG, CAREFUL)
    three("twice wrong", WRONG, CAREFUL, WRONG)
    assert gate("base", "once wrong").ship
    decision = gate("base", "twice wrong")
    assert not decision.ship
    assert decision.reasons[0] == "wrong: rose by 4, from 0 to 4"


def test_what_single_runs_came_to_is_told_where_a_majority_hides_it(cli):
    """Each repeat has a wrong answer, each time to another question: wrong in no majority."""
    three("cand", *("c" * place + "w" + "c" * (3 - place) + CAREFUL[4:] for place in range(3)))
    make_run("base", CAREFUL, facts())
    decision = gate("base", "cand")
    assert decision.ship
    assert decision.repeats.baseline_spread == ()
    assert {one.name: one.counts for one in decision.repeats.candidate_spread}["wrong"] == (1, 1, 1)
    out = " ".join(cli("gate", "base", "cand", "-o", "g.md", "-o", "g.html")[1].split())
    said = "In single runs: wrong 0 → 1, unsupported 0 → 0, unknown 0 → 0, acceptable 13 → 12."
    assert said in out
    for file in ("g.md", "g.html"):
        assert said in Path(file).read_text("utf-8")


def test_a_tie_is_the_worse():
    three("base", CAREFUL, CAREFUL)
    three("tied", CAREFUL, WRONG)
    assert not gate("base", "tied").ship


def test_failures_that_differ_from_repeat_to_repeat_do_not_ship():
    """Two of five repeats are acceptable, the three others fail each in its own way: no plurality of one bucket hides that."""
    three("base", *[CAREFUL] * 5)
    three("cand", CAREFUL, CAREFUL, *(letters_of(N, answerable=letter) for letter in "wu?"))
    decision = gate("base", "cand")
    assert not decision.ship
    assert decision.reasons[0] == "wrong: rose by 4, from 0 to 4"
    assert decision.flaky.candidate[0].counted == "wrong"


def test_flaky_questions_are_told_on_each_side():
    three("base", CAREFUL, WRONG, CAREFUL)
    make_run("cand", CAREFUL, facts())
    decision = gate("base", "cand")
    assert [(one.id, one.buckets, one.counted) for one in decision.flaky.baseline] == [
        (f"answerable-{n}", ("correct", "wrong", "correct"), "correct") for n in range(1, 5)
    ]
    assert decision.flaky.candidate == ()
    assert (decision.repeats.baseline, decision.repeats.candidate) == (3, 1)


def test_one_repeat_in_a_folder_is_as_the_run_itself():
    make_repeats("base", [CAREFUL], facts())
    make_run("cand", WRONG, facts())
    mine, theirs = gate("base", "cand"), gate("base/repeat-1", "cand")
    assert mine == theirs


def test_repeats_stand_in_the_order_of_their_numbers():
    make_repeats("base", [CAREFUL] * 11 + [WRONG], facts())
    assert [folder.name for folder in read_side(Path("base")).folders] == [f"repeat-{n}" for n in range(1, 13)]


@pytest.mark.parametrize(
    ("base", "cand", "expected", "source"),
    [
        ({}, {}, [], "the same pipeline"),
        ({}, {"label": "new", "at": None, "repeats": 2, "model_class": "mid"}, [], "what it is called is no change"),
        ({}, {"model": "model-b"}, ["model: model-a → model-b"], ""),
        ({"refusal_licence": False}, {"refusal_licence": True}, ["refusal licence: no → yes"], ""),
        ({"prompt": None}, {"prompt": "cited@1"}, ["prompt: not said → cited@1"], ""),
        (None, None, [], "a file that was scored says nothing"),
        (None, {}, ["name: not said → chat:model-a", "model: not said → model-a"], "one side says nothing"),
    ],
)
def test_what_changed_is_told(base, cand, expected, source):
    for name, said in (("base", base), ("cand", cand)):
        make_run(name, CAREFUL, None if said is None else facts(**said))
    assert [str(change) for change in gate("base", "cand").changed] == expected, source


def test_pipelines_may_differ_but_not_what_measured_them(cli):
    make_run("base", CAREFUL, facts())
    make_run("cand", CAREFUL, facts(), signature=SIGNATURE.model_copy(update={"judge": "chat@2"}))
    code, _, err = cli("gate", "base", "cand")
    assert code == 2
    assert "not measured alike (judge: lexical@1 → chat@2)" in err


@pytest.mark.parametrize(
    ("prepare", "said"),
    [
        (lambda: Path("cand").mkdir(), "cand: holds no run (no run.json) and no repeats"),
        (lambda: Path("cand").write_text("x"), "cand: expected a run folder, and this is a file"),
        (lambda: None, "cand: no such folder, and no baseline is pinned by that name"),
        (lambda: make_run("cand/repeat-2", CAREFUL, facts()), "cand: holds repeat-2 but no repeat-1; was a repeat taken away?"),
        (lambda: (make_repeats("cand", [CAREFUL], facts()), make_run("cand/repeat-2", CAREFUL, facts(), finished=False)), "repeat-2: holds a run that is not finished (13 of 13"),
        (lambda: (make_repeats("cand", [CAREFUL], facts()), make_run("cand/repeat-2", letters_of(26), facts())), "different questions: 13 missing from the candidate run 1"),
        (lambda: (make_run("cand", CAREFUL, facts()), _set_pipeline("cand", {"name": 7})), "pipeline.name: "),
        (lambda: _cut(make_run("cand", CAREFUL, facts())), "scores.jsonl: 13 answers were scored, says run.json, and 11 are here; was the run damaged?"),
        (lambda: (_cut(make_run("base", CAREFUL, facts())), _cut(make_run("cand", CAREFUL, facts()))), "base/scores.jsonl: 13 answers were scored"),
        (lambda: (make_repeats("cand", [CAREFUL, CAREFUL], facts()), _cut(Path("cand/repeat-2"))), "repeat-2/scores.jsonl: 13 answers were scored"),
    ],
)  # fmt: skip
def test_mistakes_are_one_line(cli, prepare, said):
    make_run("base", CAREFUL, facts())
    prepare()
    code, _, err = cli("gate", "base", "cand")
    assert (code, err.count("\n")) == (2, 1), err
    assert said in err


def _cut(folder):
    """Lose the last two lines, as a copy that broke off does."""
    file = folder / "scores.jsonl"
    file.write_text("".join(file.read_text().splitlines(keepends=True)[:-2]))


def _set_pipeline(folder, value):
    file = Path(folder) / "run.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"pipeline": value}))


def test_a_report_of_repeats_says_what_to_give_in_their_place(cli):
    three("base", CAREFUL, CAREFUL)
    code, _, err = cli("report", "base")
    assert (code, err.count("\n")) == (2, 1)
    assert "base: holds 2 repeats of a run, and each has a report of its own: give one, such as base/repeat-1" in err
    assert cli("report", "base/repeat-2", "-o", "r.json")[0] == 0
    assert cli("report", "base", "base/repeat-1", "-o", "g.json")[0] == 0


def test_a_folder_comes_before_a_name_and_a_name_is_found_where_it_was_pinned(cli):
    make_run("runs/one", CAREFUL, facts())
    make_run("elsewhere/two", WRONG, facts())
    make_run("cand", CAREFUL, facts())
    assert cli("runs", "pin", "main", "runs/one")[0] == 0
    assert cli("runs", "pin", "main", "elsewhere/two")[0] == 0
    assert json.loads(cli("gate", "main", "cand", "--json")[1])["moved"] == []
    assert len(json.loads(cli("gate", "elsewhere/main", "cand", "--json")[1])["moved"]) == 4
    make_run("main", letters_of(N, answerable="o"), facts())
    assert len(json.loads(cli("gate", "main", "cand", "--json")[1])["moved"]) == 4


def test_the_run_shown_of_repeats_came_out_as_it_counts():
    three("base", WRONG, CAREFUL, CAREFUL)
    side = read_side(Path("base"))
    view = view_side(side)
    assert {entry.card.id: entry.card.bucket for entry in view.entries()} == {row.id: row.bucket for row in side.folded}
    assert view.summary.n == N
    assert view.summary.buckets["wrong"] == 0


def _written(cli):
    three("base", CAREFUL, WRONG, CAREFUL, refusal_licence=False)
    three("cand", WRONG, WRONG, refusal_licence=True)
    code, out, err = cli(
        "gate",
        "base",
        "cand",
        "--details",
        *(part for end in ("md", "html", "xml", "json") for part in ("-o", f"g.{end}")),
    )
    assert code == 1, err
    return out


def test_every_format_tells_what_changed_and_what_is_flaky(cli):
    out = " ".join(_written(cli).split())
    texts = {end: Path(f"g.{end}").read_text("utf-8") for end in ("md", "html", "xml", "json")}
    assert "changed: refusal licence: no → yes" in out
    assert "baseline answerable-1 correct, wrong, correct: counts as correct" in out
    assert "every one of 13 questions came out in the same bucket in all 2 repeats" in out
    assert "The baseline is 3 repeats, the candidate 2 repeats" in out
    assert "| refusal licence | no | yes |" in texts["md"]
    assert "| answerable-1 | correct, wrong, correct: counts as correct |" in texts["md"]
    assert "Flaky questions" in texts["html"]
    assert "Repeat 3" in texts["html"]
    document = json.loads(texts["json"])
    assert document["flaky"]["baseline"][0]["buckets"] == ["correct", "wrong", "correct"]
    assert document["changed"] == [{"name": "refusal_licence", "baseline": "no", "candidate": "yes"}]
    properties = {one.get("name"): one.get("value") for one in ET.fromstring(texts["xml"]).iter("property")}  # noqa: S314 - written by the command just run
    assert properties["flaky"] == "4 → 0"
    assert properties["repeats"] == "3 → 2"
    assert properties["changed.refusal_licence"] == "refusal licence: no → yes"


def test_the_answers_shown_are_those_that_the_gate_counted(cli):
    _written(cli)
    html = Path("g.html").read_text("utf-8")
    assert "The gate looked at other outcomes" not in html
    assert "Of <b>13</b> questions <b>4</b> moved" in html


def test_without_repeats_nothing_is_said_of_them(cli):
    make_run("base", CAREFUL, facts())
    make_run("cand", CAREFUL, facts())
    out = cli("gate", "base", "cand", "-o", "g.html", "-o", "g.md")[1]
    for text in (out, Path("g.html").read_text("utf-8"), Path("g.md").read_text("utf-8")):
        assert "laky questions" not in text
        assert "repeats" not in text.partition("</style>")[2] if "</style>" in text else "repeats" not in text


HELD, SHOWN, OPEN = (Release(verdict=verdict) for verdict in ("hold", "show", "unknown"))


@pytest.mark.parametrize(
    ("base", "cand", "said", "source"),
    [
        (SHOWN, HELD, "May be shown: 13 → 0 of 13 answers; no longer: answerable-1, answerable-2, answerable-3, answerable-4, tempt_wrong-1, tempt_wrong-2, tempt_unsupported-1, tempt_unsupported-2, refusal_due-1, refusal_due-2 and 3 more. Warning: 13 of these stayed acceptable, so no rule sees that they are held back.", "the buckets are the same"),
        (SHOWN, OPEN, "May be shown: 13 → 0 of 13 answers; no longer: ", "what is not decided may not be shown"),
        (HELD, SHOWN, "May be shown: 0 → 13 of 13 answers.", "nothing is lost"),
        (HELD, OPEN, None, "none may be shown on either side"),
        (SHOWN, SHOWN, None, "the same"),
        (None, HELD, None, "a run from before there were profiles says nothing"),
    ],
)  # fmt: skip
def test_what_may_no_longer_be_shown_is_told_though_no_rule_sees_it(cli, base, cand, said, source):
    make_run("base", CAREFUL, facts(), release=base)
    make_run("cand", CAREFUL, facts(), release=cand)
    assert gate("base", "cand").ship
    code, out, _ = cli("gate", "base", "cand", "-o", "g.md", "-o", "g.html", "-o", "g.xml", "-o", "g.json")
    assert code == 0
    texts = [out, *(unescape(Path(f"g.{form}").read_text("utf-8")) for form in ("md", "html", "xml"))]
    for text in texts:
        told = " ".join(text.split())
        assert (said in told) if said else ("May be shown" not in told), source
    document = json.loads(Path("g.json").read_text("utf-8"))["released"]
    assert (document is None) == (said is None)


def test_of_repeats_an_answer_may_be_shown_where_more_than_half_may():
    one_run = [replace(row, released="show") for row in gate_run("cc")]
    held = [replace(row, released="hold") for row in one_run]
    assert rows_gate([one_run] * 3, [one_run, held, one_run]).released is None
    change = rows_gate([one_run] * 2, [one_run, held]).released
    assert (change.baseline, change.candidate, change.no_longer, change.unseen) == (2, 0, ("q0", "q1"), ("q0", "q1"))


def test_a_wrong_answer_that_is_held_is_no_warning():
    """The rule on wrong answers sees it."""
    before = [replace(row, released="show") for row in gate_run("c")]
    change = rows_gate(before, [replace(row, released="hold") for row in gate_run("w")]).released
    assert (change.no_longer, change.unseen) == (("q0",), ())
