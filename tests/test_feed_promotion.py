"""From an issue to the regression set: candidates, reviewers' words, what is refused, what is flaky, and the gate."""

import json
import time
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from browser import PHONE, alone, faults, needs_chromium
from fed_pages import fed
from feed_tickets import issue
from made_runs import make_run
from review_server import SENTINEL, served, small_run
from scorecards import FAIL, PASS, SIGNATURE, card
from typer.testing import CliRunner

from showable.cli.feed_promote import promote
from showable.cli.gate import gate
from showable.cli.questions import check
from showable.errors import InputError, SettingError
from showable.harness.questions.check import check_set
from showable.harness.questions.question_set import QuestionSet, read_question_set
from showable.harness.questions.regressions import flaky_of, issues_of, pin, problems_of, read_regressions, withdraw
from showable.measure.regressions import compare_regressions
from showable.production.feed.nouns import Representative
from showable.production.feed.promotion import candidates_of
from showable.production.feed.store import FeedStore
from showable.records import Record
from showable.records.promotion import SignOff
from showable.records.record import Gold, GoldEvidence, Question
from showable.review.desk import Desk
from showable.review.page_context import Visit
from showable.review.promoting import candidate, candidates, sign, waiting_of
from showable.review.reading_runs import OpenRun
from showable.review.refusals import Refusal
from showable.ship_gate import GateRow
from showable.stores.promotions import PROMOTIONS, Promotions

DOCUMENT = {"source_id": "p1", "text": "Leave: every employee has 20 days."}


def record(key="r1", **fields):
    return Record.model_validate(
        {"id": key, "question": f"How many days in case {key}?", "answer": "Thirty days [p1].", "retrieved": [DOCUMENT], **fields}
    )  # fmt: skip


def claim(support, *cited, **fields):
    citations = [{"source_id": name, "exists": PASS, "supports": FAIL} for name in cited]
    return {"text": "Thirty days.", "support": support, "citations": citations, **fields}


# Rows: what the answer failed by, whether anything was retrieved; the category proposed, answerable, the evidence.
# Source: the way from cause to category is the feed's own table; that only passages of the log are evidence is the noun's.
PROPOSED = [
    ({"bucket": "wrong", "cause": "contradicts_source", "claims": [claim("contradicted", "p1", contradicted_by=["p1"])]}, {}, "answerable", True, ["p1"]),
    ({"bucket": "unsupported", "cause": "no_evidence", "claims": [claim("unsupported", "p1")]}, {}, "unanswerable", False, []),
    ({"bucket": "unsupported", "cause": "answered_on_null_retrieval", "claims": [claim("uncited")]}, {"retrieved": []}, "null_retrieval", None, []),
    ({"bucket": "unsupported", "cause": "miscited", "claims": [claim("supported", "p1"), claim("unsupported", "p9", supported_by=["p1"])]}, {}, "answerable", True, ["p1"]),
    ({"bucket": "unsupported", "cause": "invented_source", "claims": [claim("unsupported", "ghost")]}, {}, "answerable", True, []),
    ({"bucket": "refused", "cause": "over_refusal"}, {}, "answerable", True, []),
    ({"bucket": "refused", "cause": "warranted"}, {}, "unanswerable", False, []),
]  # fmt: skip


@pytest.mark.parametrize(("scored", "logged", "category", "answerable", "evidence"), PROPOSED)
def test_gold_is_proposed_by_cause_and_never_from_the_answer(scored, logged, category, answerable, evidence):
    held = {"r1": (record(**logged), card("r1", **scored))}
    one = issue(representatives=(Representative(id="r1", p=0.9),), boundary=(), neighbours=())
    (made,) = candidates_of(one, held)
    gold = made.question.gold
    assert (gold.category, gold.answerable, [cited.source_id for cited in gold.evidence]) == (category, answerable, evidence)  # fmt: skip
    assert gold.answer is None
    assert made.question.force_null == (category == "null_retrieval")
    assert made.question.metadata == {"made_by": "feed", "issue": "EF-7", "answer": "r1", "kind": "representative"}
    assert gold.why.startswith("EF-7, answer r1: ")


def test_gold_that_people_gave_before_is_kept_and_there_are_so_many_of_each_kind():
    given = Gold(answer="20 days", answerable=True, evidence=(GoldEvidence(source_id="p1"),), category="answerable", expected=("correct",))  # fmt: skip
    held = {f"r{n}": (record(f"r{n}", gold=given), card(f"r{n}", "wrong")) for n in range(20)}
    many = [Representative(id=f"r{n}", p=0.9) for n in range(8)]
    edge = [Representative(id=f"r{n}", p=0.6) for n in range(8, 13)]
    one = issue(representatives=tuple(many), boundary=tuple(edge), neighbours=("r13", "r14", "r15", "gone"))
    made = candidates_of(one, held)
    assert [each.kind for each in made] == ["representative"] * 5 + ["boundary"] * 3 + ["neighbour"] * 2
    assert {each.question.gold.answer for each in made} == {"20 days"}


# -- the reviewers' page -----------------------------------------------------------------------------------------------


@pytest.fixture
def run(tmp_path):
    """Make a run whose feed has an issue of r2 (wrong), r3 (unsupported), r5, and r1 that passes beside it."""
    run = small_run(tmp_path / "run")
    found = issue(
        representatives=tuple(Representative(id=f"r{n}", p=0.9) for n in (2, 3)), boundary=(Representative(id="r5", p=0.6),), neighbours=("r1",)
    )  # fmt: skip
    with FeedStore.open(run / "feed.sqlite") as store, store.file.writing():
        store.put_issues([found])
    return run


def told(command, *arguments):
    import typer

    app = typer.Typer()
    app.command()(command)
    result = CliRunner().invoke(app, [*map(str, arguments)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout


def desk(run, role="senior", profile=None):
    from showable.profiles.load import load_profile

    opened = OpenRun(run, load_profile(profile) if profile else None)
    return Desk(Visit("token", opened.name, "Ada", role), opened, None)


def word(number, kind="accept", **more):
    given = {
        "candidate": f"EF-7:r{number}",
        "kind": kind,
        "question": f"How much leave is there in case {number}?",
        "answer": "20 days",
        "category": "answerable",
        "answerable": True,
        "evidence": ["p1"],
        **more,
    }
    return json.dumps(given).encode()


def test_candidates_wait_for_a_reviewer_who_sees_what_the_tool_said_only_afterwards(run):
    code, out = told(promote, run, "EF-7")
    assert code == 0
    assert out.startswith("4 candidates of EF-7, 4 of them new")
    at = desk(run)
    assert (waiting_of(at).of, waiting_of(at).open) == (4, 4)
    page = candidate(at, "1", {}).body.decode()
    assert "What does the policy say in case 2?" in page
    assert SENTINEL not in page
    assert "The tool said" not in page
    assert "wrong" not in page.partition("<main")[2].partition("<select")[0]
    reply = sign(at, word(2))
    assert reply == {"seq": 1, "bucket": "wrong", "cause": "miscited"}
    assert "The tool said wrong" in candidate(at, "1", {}).body.decode()
    assert "✓ accepted" in candidates(at, {}).body.decode()
    assert told(promote, run, "EF-7")[1].startswith("4 candidates of EF-7, 0 of them new")


REFUSED = [
    ({"answer": ""}, 400, "gold.answer: it can be answered"),
    ({"evidence": []}, 400, "gold.evidence: it can be answered"),
    ({"evidence": ["p9"]}, 400, "p9 is none of the passages"),
    ({"answer": "Leave is 20 days [1][2]. Notice is two weeks [2]. Case 2."}, 400, "word for word"),
    ({"question": " "}, 400, "question: the question is empty"),
    ({"question": "Is it 20 days that everybody has?"}, 400, "gives"),
    ({"candidate": "EF-7:r9"}, 404, "no such candidate"),
]


@pytest.mark.parametrize(("given", "status", "said"), REFUSED)
def test_gold_that_is_not_whole_is_not_signed(run, given, status, said):
    told(promote, run, "EF-7")
    with pytest.raises(Refusal) as refusal:
        sign(desk(run), word(2, **given))
    assert refusal.value.status == status
    assert said in refusal.value.said or (said == "gives" and "holds its own answer" in refusal.value.said)
    with Promotions(run / PROMOTIONS) as promotions:
        assert promotions.standing() == {}


def test_who_does_not_count_by_the_profile_does_not_sign(run):
    told(promote, run, "EF-7")
    with pytest.raises(Refusal) as refusal:
        sign(desk(run, "engineer", "legal"), word(2))
    assert refusal.value.status == 403
    assert sign(desk(run, "reviewer", "legal"), word(2))["seq"] == 1


def test_a_candidate_without_an_answer_needs_none(run):
    told(promote, run, "EF-7")
    sign(desk(run), word(3, category="unanswerable", answer="", evidence=[]))
    with Promotions(run / PROMOTIONS) as promotions:
        gold = promotions.standing()["EF-7:r3"].question.gold
    assert (gold.answerable, gold.expected, gold.evidence) == (False, ("refused",), ())


def test_what_stands_in_a_hold_out_or_elsewhere_is_refused_with_which(run, tmp_path):
    other = tmp_path / "main"
    other.mkdir()
    same = Question(id="q1", question="What does the policy say in case 2?")
    held = Question(id="q2", question="What does the policy say in case 3?")
    (other / "questions.jsonl").write_text(same.model_dump_json() + "\n")
    (other / "held_out.jsonl").write_text(held.model_dump_json() + "\n")
    code, out = told(promote, run, "EF-7", "--against", other, "--json")
    refused = json.loads(out)["refused"]
    assert code == 1
    assert refused["EF-7:r2"] == ["asks nearly the same as q1 of main"]
    assert refused["EF-7:r3"] == ["asks nearly the same as q2 of main, which is held out"]
    codes = {one.code for one in problems_of(held, [read_question_set(other)])}
    assert "duplicate_id" in codes or "leak" in codes


# -- the set, and the gate ---------------------------------------------------------------------------------------------


def accepted(run, *numbers):
    told(promote, run, "EF-7")
    for number in numbers:
        sign(desk(run), word(number))
    with Promotions(run / PROMOTIONS) as promotions:
        standing = promotions.standing()
        return [(one, standing[one.id]) for one in promotions.candidates() if one.id in standing]


def rows(**buckets):
    return [GateRow(id=f"EF-7:{key}", bucket=bucket, expected=("correct",)) for key, bucket in buckets.items()]


def test_one_failure_in_three_is_a_draw_and_is_not_pinned(run):
    questions = [word_.question for _, word_ in accepted(run, 1, 2, 3)]
    runs = [rows(r1="correct", r2="wrong", r3="wrong"), rows(r1="wrong", r2="correct", r3="wrong"), rows(r1="correct", r2="correct", r3="correct")]  # fmt: skip
    assert flaky_of(questions, runs) == {"EF-7:r2": "failed in 1 of 3"}  # r1 passes beside the issue, and does so again
    with pytest.raises(SettingError, match="too few"):
        flaky_of(questions, runs[:2])
    with pytest.raises(SettingError, match="not asked in every repeat"):
        flaky_of(questions, [*runs[:2], rows(r1="correct")])


def test_a_set_grows_by_signed_questions_and_shrinks_by_a_signed_word_alone(run, tmp_path):
    folder, both = tmp_path / "sets" / "regressions", accepted(run, 2, 3)
    first = pin(folder, both[:1], {"EF-7:r5": "failed in 1 of 3"})
    second = pin(folder, both, {})
    assert (first["n"], second["n"]) == (1, 2)
    assert second["parent"] == first["version"]
    assert second["flaky"] == {"EF-7:r5": "failed in 1 of 3"}
    assert pin(folder, both, {})["version"] == second["version"]
    found = read_regressions(folder)
    assert issues_of(found) == {"EF-7:r2": "EF-7", "EF-7:r3": "EF-7"}
    texts = {source.source_id: source.text for source in found.corpus}
    named = [found.questions[at].gold.evidence[0].source_id for at in (0, 1)]
    assert [texts[name] for name in named] == [f"Leave: every employee has 20 days of leave. Case {n}." for n in (2, 3)]
    checked = check_set(found, None)
    assert "proportions" not in {problem.code for problem in checked.problems}
    card_ = (folder / "README.md").read_text()
    assert f"{datetime.now(UTC).date().isoformat()}: add `EF-7:r2` by Ada (senior)" in card_
    gone = SignOff(candidate="EF-7:r2", at_ns=1, who="Kim", role="senior", kind="withdraw", why="no longer asked")
    third = withdraw(folder, gone)
    assert (third["n"], third["parent"], third["events"][-1]["kind"]) == (1, second["version"], "remove")
    with pytest.raises(SettingError, match="is not in"):
        withdraw(folder, gone)
    with pytest.raises(SettingError, match="last question"):
        withdraw(folder, gone.model_copy(update={"candidate": "EF-7:r3"}))
    (folder / "set.json").write_text("{}")
    with pytest.raises(InputError, match="no regression set"):
        read_regressions(folder)


def test_the_set_is_compared_by_itself_and_an_open_issue_need_not_pass():
    items = {"a": "EF-1", "b": "EF-1", "c": "EF-2", "d": "EF-3"}
    before = [GateRow(id=key, bucket=bucket, expected=("correct",)) for key, bucket in zip("abcd", ("correct", "wrong", "wrong", "correct"), strict=True)]  # fmt: skip
    after = [GateRow(id=key, bucket=bucket, expected=("correct",)) for key, bucket in zip("abcd", ("refused", "correct", "wrong", "unknown"), strict=True)]  # fmt: skip
    found = compare_regressions(items, before, after)
    assert (found.n, found.issues, found.broken, found.undecided, found.mended) == (4, 3, ("a",), ("d",), ("b",))
    assert (found.resolvable, found.open_issues) == ((), ("EF-1", "EF-2", "EF-3"))
    assert not found.inconclusive
    assert compare_regressions(items, before, before).reasons == ()
    lacking = compare_regressions(items, before[:3], after[1:])
    assert set(lacking.missing) == {"a", "d"}
    assert lacking.inconclusive


def test_the_gate_holds_a_candidate_to_the_set_beside_its_own_rules(run, tmp_path):
    folder = tmp_path / "regressions"
    pin(folder, accepted(run, 2, 3), {})
    sides = {}
    for name, letters in (("base", "ccccccccccrrr"), ("better", "ccccccccccrrr")):
        sides[name] = make_run(tmp_path / name, letters)
    for name, letters in (("base", "cw"), ("better", "cc")):
        over_set(tmp_path / name / "regressions", letters)
    code, out = told(gate, tmp_path / "base", tmp_path / "better", "--regressions", folder)
    assert code == 0
    assert "regression set: 2, from 1 issues" in out
    assert "may be resolved: EF-7" in out
    assert "%" not in out.partition("regression set")[2]
    code, out = told(gate, tmp_path / "better", tmp_path / "base", "--regressions", folder, "--json")
    decision = json.loads(out)
    assert (code, decision["ship"], decision["regressions"]["broken"]) == (1, False, ["EF-7:r3"])
    assert decision["reasons"] == ["regressions: EF-7:r3 passed on the baseline and fail on the candidate"]
    make_run(tmp_path / "none", "ccccccccccrrr")
    with pytest.raises(InputError, match="no run over the set"):
        told(gate, tmp_path / "base", tmp_path / "none", "--regressions", folder)


def over_set(path, letters):
    """Write a run over the two pinned questions."""
    from showable.measure.summary import summarise
    from showable.records import Evidence
    from showable.stores.run_folder import RunFolder

    bucket = {"c": "correct", "w": "wrong"}
    made = [card(f"EF-7:r{n}", bucket[letter], expected=("correct",), category="answerable") for n, letter in zip((2, 3), letters, strict=True)]  # fmt: skip
    with RunFolder.open(path, SIGNATURE, "set.jsonl", f"f-{path}") as folder:
        for one in made:
            folder.append(Record(id=one.id, question="q", answer="a"), Evidence(id=one.id, judge=SIGNATURE.judge), one)
        folder.write_json("summary.json", summarise(made, SIGNATURE, run=str(path)).model_dump(mode="json"))
        folder.write_json("run.json", folder.run | {"records": 2, "scored": 2, "finished": True})


def test_the_command_takes_accepted_questions_from_page_to_set(run, tmp_path):
    asked, folder = tmp_path / "asked.jsonl", tmp_path / "sets" / "regressions"
    with pytest.raises(SettingError, match="accepted yet"):
        told(promote, run, "EF-7", "--questions", asked)
    accepted(run, 2, 3)
    assert told(promote, run, "EF-7", "--questions", asked)[1].startswith("2 accepted questions")
    assert [Question.model_validate_json(line).id for line in asked.read_text().splitlines()] == ["EF-7:r2", "EF-7:r3"]
    for number, letters in enumerate(("ww", "wc", "cw"), 1):
        over_set(tmp_path / "runs" / f"repeat-{number}", letters)
    code, out = told(promote, run, "EF-7", "--repeats", tmp_path / "runs", "--pin", folder)
    assert (code, out.splitlines()[0].rpartition(",")[0]) == (0, f"regression set {folder}: 2 questions from 1 issues")
    with pytest.raises(SettingError, match="--who"):
        told(promote, run, "EF-7", "--pin", folder, "--withdraw", "EF-7:r2")
    out = told(promote, run, "EF-7", "--pin", folder, "--withdraw", "EF-7:r2", "--who", "Kim")[1]
    assert "1 questions from 1 issues" in out


def test_a_set_of_the_protocol_keeps_its_proportions():
    gold = Gold(category="unanswerable", answerable=False, expected=("refused",))
    plain = QuestionSet(
        name="x", questions=tuple(Question(id=str(n), question=f"Number {n}?", gold=gold) for n in range(13))
    )
    codes = [{one.code for one in check_set(each, None).problems} for each in (plain, plain.model_copy(update={"kind": "regression"}))]  # fmt: skip
    assert ["proportions" in found for found in codes] == [True, False]


# -- in a browser ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@needs_chromium
def test_a_reviewer_signs_by_keyboard_on_a_page_that_is_accessible(browser, run):
    told(promote, run, "EF-7")
    with served(run) as server, alone(browser, viewport=PHONE) as page:
        page.goto(server.url)
        page.fill("#name", "Ada")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=For the regression set")
        page.goto(f"{server.url}/promotion/1")
        assert faults(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.fill("#answer", "20 days")
        page.focus("[name=evidence][value=p1]")
        page.keyboard.press("Space")
        page.keyboard.press("a")
        page.wait_for_selector("text=The tool said wrong")
        page.keyboard.press("n")
        page.wait_for_url("**/promotion/2")
        page.wait_for_load_state("load")
        page.keyboard.press("r")
        page.wait_for_selector("text=Signed: reject")
        assert page.errors == []
    with Promotions(run / PROMOTIONS) as promotions:
        words = promotions.standing()
    assert {name: (word_.kind, word_.who) for name, word_ in words.items()} == {"EF-7:r2": ("accept", "Ada"), "EF-7:r3": ("reject", "Ada")}  # fmt: skip


def test_an_issue_of_traffic_is_proposed_from_its_store_and_signed_beside_any_run(run, tmp_path):
    path = fed(tmp_path, time.time_ns())
    code, out = told(promote, "EF-1", "--store", path)
    kept = tmp_path / f"traces.feed.{PROMOTIONS}"
    assert (code, f"showable review RUN --promotions {kept}" in out) == (0, True)
    at = replace(desk(run), promotions=kept)
    assert waiting_of(at).open > 0
    assert "Who pays for a broken boiler" in candidates(at, {}).body.decode()
    assert waiting_of(desk(run)).of == 0


def test_a_pinned_set_is_checked_like_any_other_but_for_its_proportions(run, tmp_path):
    folder = tmp_path / "regressions"
    pin(folder, accepted(run, 2, 3), {})
    code, out = told(check, folder, "--json")
    found = json.loads(out)
    assert (code, found["n"], found["problems"]) == (0, 2, [])
