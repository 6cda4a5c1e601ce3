"""`showable feed` on a run with planted faults and on a store of traces: what it finds, and what it says of bad input."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from failures_made import DAY
from scored_traces import AT, live
from tables import every_row

from showable.api import evaluate
from showable.demo.planted import EACH, PASSING, PLANTED, planted_records
from showable.records.evidence import Evidence
from showable.records.record import Record
from showable.records.scorecard import Scorecard
from showable.records.traced import LiveScore, TracedAnswer
from showable.stores.run_folder import RunFolder
from showable.stores.traces.opening import open_trace_store


@pytest.fixture(scope="session")
def scored():
    """The planted answers, each with its scorecard; the lexical judge takes a second or two."""
    records = [Record.model_validate_json(json.dumps(one)) for one in planted_records()]
    result = evaluate(records, judge="lexical")
    return list(zip(records, result.scorecards, strict=True)), result.summary.signature


@pytest.fixture
def run(tmp_path, scored):
    pairs, signature = scored
    with RunFolder.open(tmp_path / "run", signature, "planted.jsonl", "planted") as folder:
        for record, card in pairs:
            folder.append(record, Evidence(id=record.id, judge=signature.judge), card)
        folder.write_json("run.json", {**folder.run, "finished": True})
    return tmp_path / "run"


def document(cli, *args):
    code, out, _ = cli(*args)
    assert code == 0
    return json.loads(out)


def issue_of(listed, kind):
    return next(one for one in listed["issues"] if sum(m.startswith(kind) for m in one["members"]) > EACH / 2)


def test_the_four_faults_come_out_by_name(cli, run):
    assert cli("feed", "build", run)[0] == 0
    listed = document(cli, "feed", "list", run, "--members", "--json")
    assert len(listed["issues"]) == len(PLANTED)
    for kind, title in PLANTED.items():
        issue = issue_of(listed, kind)
        assert issue["title"].startswith(title)
        assert issue["members"] == sorted(f"{kind}-{n + 1:02}" for n in range(EACH))
    assert listed["n"] == len(listed["not_grouped"]) + sum(one["n"] for one in listed["issues"])
    assert listed["n"] + listed["passing"] + listed["unknown"] == EACH * len(PLANTED) + PASSING
    assert [one["fix"]["category"] for one in (issue_of(listed, kind) for kind in PLANTED)] == [
        "generation.no_outside_authority",
        "pages.carry",
        "padding.drop",
        "sources.freshness",
    ]


def test_what_each_fault_was_planted_beside_is_told(cli, run):
    cli("feed", "build", run)
    listed = document(cli, "feed", "list", run, "--members", "--json")
    beside = {
        "case": ("prompt_version", "p8"),
        "page": ("index", "ix-2"),
        "padding": ("model", "m-2"),
        "lapsed": ("index", "ix-2"),
    }
    for kind, (field, value) in beside.items():
        shown = document(cli, "feed", "show", run, issue_of(listed, kind)["issue"], "--json")
        assert [(row["field"], row["value"]) for row in shown["contrast"] if row["field"] != "document"] == [
            (field, value)
        ]
        assert shown["n"] == EACH
        assert len(shown["representatives"]) == 5
        assert all(one.startswith("well") for one in shown["neighbours"])
        told = document(cli, "feed", "explain", run, shown["issue"], "--json")
        assert any(card["kind"] == "contrast" and card["values"]["value"] == value for card in told["evidence"])
        assert set(told["fix"]["rests_on"]) <= {card["id"] for card in told["evidence"]}


def test_scores_are_kept_apart_and_what_is_unknown_says_why(cli, run):
    cli("feed", "build", run)
    name = document(cli, "feed", "list", run, "--json")["issues"][0]["issue"]
    scores = document(cli, "feed", "show", run, name, "--json")["scores"]
    assert sorted(scores) == [
        "factual_grounding",
        "instruction_adherence",
        "optimal_plan_execution",
        "privacy_and_safety",
    ]
    assert scores["factual_grounding"]["median"] == 1
    for unknown in ("privacy_and_safety", "optimal_plan_execution"):
        assert (scores[unknown]["median"], scores[unknown]["n"], scores[unknown]["unknown"]) == (None, 0, EACH)
        assert scores[unknown]["why"]


def test_people_s_words_from_the_command_line_hold_through_a_build(cli, run):
    cli("feed", "build", run)
    listed = document(cli, "feed", "list", run, "--members", "--json")
    case, page, padding, lapsed = (issue_of(listed, kind)["issue"] for kind in PLANTED)
    assert cli("feed", "merge", run, case, page, "--by", "tester")[0] == 0
    assert cli("feed", "split", run, padding, "padding-01", "padding-02")[0] == 0
    assert cli("feed", "assign", run, lapsed, "--to", "index team")[0] == 0
    assert cli("feed", "resolve", run, lapsed)[0] == 0
    assert cli("feed", "archive", run, page, "--until", "5")[0] == 0
    assert cli("feed", "build", run)[0] == 0
    after = document(cli, "feed", "list", run, "--members", "--json")
    by_name = {one["issue"]: one for one in after["issues"]}
    assert case not in by_name
    assert by_name[page]["n"] == 2 * EACH
    assert by_name[page]["state"] == "archived"
    assert (by_name[lapsed]["state"], by_name[lapsed]["assignee"]) == ("resolved", "index team")
    assert by_name[padding]["n"] == EACH - 2
    shown = document(cli, "feed", "show", run, page, "--json")
    assert shown["lineage"]["absorbed"] == [case]
    kinds = [(event["kind"], event["who"]) for event in document(cli, "feed", "show", run, case, "--json")["events"]]
    assert kinds == [("merge", "tester")]
    seq = document(cli, "feed", "show", run, case, "--json")["events"][0]["seq"]
    assert cli("feed", "undo", str(seq), run)[0] == 0
    cli("feed", "build", run)
    assert len(document(cli, "feed", "list", run, "--json")["issues"]) == len(PLANTED) + 1


def test_it_fits_a_screen_and_speaks_of_every_issue(cli, run):
    code, out, _ = cli("feed", "build", run)
    lines = out.splitlines()
    assert code == 0
    assert len(lines) <= 40
    assert all(any(title in line for line in lines) for title in PLANTED.values())
    name = next(word for line in lines for word in line.split() if word.startswith("EF-"))
    assert len(cli("feed", "show", run, name)[1].splitlines()) <= 40


@every_row(
    "words, said",
    [
        (["build"], "name a run folder"),
        (["build", "RUN/absent"], "absent"),
        (["list", "RUN"], "there is no feed here yet"),
        (["show", "RUN"], "expected 1 issue such as EF-7, got 0"),
        (["show", "RUN", "EF-1", "EF-2"], "expected 1 issue such as EF-7, got 2"),
        (["merge", "RUN", "EF-1"], "expected 2 issues such as EF-7, got 1"),
        (["show", "RUN", "seven"], "seven: expected an issue"),
        (["list", "--store", "RUN/none.sqlite"], "there is no feed here yet"),
        (["build", "--store", "RUN/none.sqlite"], "there is no trace store"),
    ],
)
def test_bad_input_is_one_line(words, said, cli, run):
    code, out, err = cli("feed", *(word.replace("RUN", str(run)) for word in words))
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_a_run_of_good_answers_has_an_empty_feed(cli, tmp_path, scored):
    pairs, signature = scored
    with RunFolder.open(tmp_path / "run", signature, "good.jsonl", "good") as folder:
        for record, card in [pair for pair in pairs if pair[1].bucket == "correct"][:20]:
            folder.append(record, Evidence(id=record.id, judge=signature.judge), card)
        folder.write_json("run.json", {**folder.run, "finished": True})
    code, out, _ = cli("feed", "build", tmp_path / "run")
    assert code == 0
    assert "0 failing answers" in out
    assert "8 alike make an issue" in out


def test_an_artefact_of_the_measurement_is_an_issue_of_its_own(cli, tmp_path, scored):
    """Thirty scorecards in which a lead-in was judged as a claim: the right answers behind it need a look at the judge."""
    pairs, signature = scored
    lines = (Path(__file__).parent / "data" / "lead_in_scorecards.jsonl").read_text("utf-8").splitlines()
    held = [json.loads(line) for line in lines]
    artefacts = [
        (
            Record.model_validate_json(json.dumps(one["record"])),
            Scorecard.model_validate_json(json.dumps(one["scorecard"])),
        )
        for one in held
    ]
    with RunFolder.open(tmp_path / "run", signature, "lead.jsonl", "lead") as folder:
        for record, made in [*pairs, *artefacts]:
            folder.append(record, Evidence(id=record.id, judge=signature.judge), made)
        folder.write_json("run.json", {**folder.run, "finished": True})
    cli("feed", "build", tmp_path / "run")
    listed = document(cli, "feed", "list", tmp_path / "run", "--members", "--json")
    doubted = [one for one in listed["issues"] if one["fix"]["category"] == "measurement.check"]
    assert len(doubted) == 1
    assert {member.partition("-")[0] for member in doubted[0]["members"]} == {"lead"}
    assert doubted[0]["n"] >= 0.8 * len(artefacts)
    assert doubted[0]["title"].startswith("Measurement to be checked")
    for kind in PLANTED:
        assert all(member.startswith(kind) for member in issue_of(listed, kind)["members"])


def traffic(scored, *, service="library", start=AT):
    """The planted answers as traffic, an hour apart; every second passing one was read, and stands for two."""
    for n, (record, card) in enumerate(scored[0]):
        failing = card.bucket != "correct"
        traced = TracedAnswer(
            record=record.model_copy(update={"id": f"{n:032x}:{n:016x}"}),
            trace_id=f"{n:032x}",
            span_id=f"{n:016x}",
            service=service,
            model=record.metadata["model"],
            prompt_version=record.metadata["prompt_version"],
            started_ns=start + n * 3600 * 10**9,
        )
        read = failing or n % 2 == 0
        yield LiveScore(
            answer=traced,
            scorecard=card.model_copy(update={"id": traced.record.id}),
            structural=live().structural,
            resolvability=live().resolvability,
            semantic=live().semantic,
            stratum="failure" if failing else "rest",
            probability=1.0 if failing else 0.5,
            chosen=read,
            judged=read,
            signature=str(scored[1]),
            profile="general",
            scored_ns=start + n,
        )


def test_a_feed_on_traffic_weighs_what_was_drawn(cli, tmp_path, scored, monkeypatch):
    monkeypatch.setattr("time.time_ns", lambda: AT + 6 * DAY)
    where = tmp_path / "traces.sqlite"
    store = open_trace_store(where)
    scores = list(traffic(scored))
    store.add_scores(scores)
    code, out, _ = cli("feed", "build", "--store", where)
    assert code == 0, out
    listed = document(cli, "feed", "list", "--store", where, "--members", "--json")
    assert (tmp_path / "traces.feed.sqlite").is_file()
    assert len(listed["issues"]) == len(PLANTED)
    read = [s for s in scores if s.judged]
    total = sum(1 / s.probability for s in read)
    for one in listed["issues"]:
        share = one["share"]
        assert share["rate"] == pytest.approx(one["n"] / total, abs=1e-4)
        assert share["low"] < share["rate"] < share["high"]
        assert share["read"] == len(read)
    shown = document(cli, "feed", "show", "--store", where, listed["issues"][0]["issue"], "--json")
    assert shown["first"] < shown["last"]
    assert len(shown["trend"]) == 14
    assert sum(day["members"] for day in shown["trend"]) == EACH
    assert shown["traces"] == EACH
    store.close()


def test_the_serving_process_builds_what_the_command_reads(cli, tmp_path, scored):
    from showable.serving.feeding import build_batch

    where = tmp_path / "traces.sqlite"
    store = open_trace_store(where)
    store.add_scores(list(traffic(scored)))
    build_batch(store, str(where), AT + 6 * DAY)
    listed = document(cli, "feed", "list", "--store", where, "--members", "--json")
    assert {one["title"].split(":")[0] for one in listed["issues"]} >= set(PLANTED.values()) - {"Lapsed amendment"}
    store.close()


def test_a_new_score_moves_the_answer_and_an_old_one_is_not_read_again(cli, tmp_path, scored, monkeypatch):
    monkeypatch.setattr("time.time_ns", lambda: AT + 6 * DAY)
    where = tmp_path / "traces.sqlite"
    store = open_trace_store(where)
    scores = list(traffic(scored))
    store.add_scores(scores)
    cli("feed", "build", "--store", where)
    before = document(cli, "feed", "list", "--store", where, "--members", "--json")
    gone = before["issues"][0]["members"][0]
    good = next(s for s in scores if s.scorecard.bucket == "correct").scorecard
    changed = next(s for s in scores if s.id == gone)
    store.add_scores([replace(changed, scorecard=good.model_copy(update={"id": gone}), scored_ns=AT * 2)])
    read = []
    from showable.production.feed import facts

    made = facts.item_of
    monkeypatch.setattr(
        facts, "item_of", lambda record, card, **more: read.append(card.id) or made(record, card, **more)
    )
    cli("feed", "build", "--store", where)
    after = document(cli, "feed", "list", "--store", where, "--members", "--json")
    assert read == []
    assert after["n"] == before["n"] - 1
    assert all(gone not in one["members"] for one in after["issues"])
    assert any(one["n"] == EACH - 1 for one in after["issues"])
    store.close()


def test_the_worked_example_runs_offline(cli, tmp_path):
    code, out, _ = cli("demo", "--feed", "--judge", "lexical", "--out", tmp_path / "demo")
    assert code == 0
    assert len(out.splitlines()) <= 40
    assert all(title in out for title in PLANTED.values())
    assert "feed show" in out
    again = document(cli, "demo", "--feed", "--judge", "lexical", "--out", tmp_path / "demo", "--json")
    assert again["n"] == sum(one["n"] for one in again["issues"]) + len(again["not_grouped"])
