"""Rows of guarded answers, and what the keeper does where the store refuses, the queue is full, or a reference comes again."""

import asyncio
import json
import time
from contextlib import closing
from pathlib import Path

import pytest

from showable.judging_settings import JudgingSettings
from showable.production.guard import keeper as keeper_file
from showable.production.guard.call import GivenAnswer, GuardCall
from showable.production.guard.guard_file import Route, RouteTable, policy_for
from showable.production.guard.keeper import KeeperSetup, KeptAnswers
from showable.production.guard.kept_answers import RouteRule, written_rows
from showable.production.guard.refreshing import Refreshing
from showable.production.guard.tracked import Spent, TrackedCall
from showable.production.guard.wire.asked import Usage
from showable.profiles.load import load_profile
from showable.records.lookups import Entry, Found
from showable.records.record import Citation, Source
from showable.records.scorecard import Release
from showable.registries.consult_cache import AnswerCache
from showable.stores.traces.errors import StoreError
from showable.stores.traces.opening import open_trace_store
from showable.stores.traces.store import Where

SOURCES = (Source(source_id="lease", title="Lease", text="The tenant gives ninety days' written notice."),)
NEWS = load_profile("news")


def rows(*answers, outcome="show", spent=(), semantic="off", **call):
    """What a worker writes of a call with these answers."""
    table = RouteTable(name="r", upstream="m", profile="news", no_retrieval="hold", semantic=semantic)
    made = TrackedCall("tenant", "chat", **call)
    made.route, made.outcome, made.model = Route(table, policy_for(NEWS, table), {}, None), outcome, "m"
    made.release = Release(verdict="hold", codes=("c",), reasons=("it says ninety days",), text="held back: ninety")
    made.decided_on = GuardCall("chat", "How much notice?", answers, SOURCES)
    made.spent = list(spent)
    return [json.loads(line)["answer"] for line in written_rows(made, time.time())]


@pytest.fixture
def kept(tmp_path):
    with closing(open_trace_store(tmp_path / "t.sqlite")) as store:

        def make(*, texts=False, semantic="off", sample=1.0):
            rules = {"r": RouteRule(NEWS, semantic, sample)}
            return KeptAnswers(store, KeeperSetup(Path("none"), rules, JudgingSettings(), "t", texts=texts))

        yield make


GOOD = GivenAnswer("The tenant gives ninety days' notice [lease].")
BAD = GivenAnswer("The tenant gives ninety days' notice [ghost].")


def test_a_call_of_several_answers_is_several_rows_and_is_paid_once():
    usage = Usage(fresh=7, cached=3, written=0, output=5)
    paid = Spent(usage, None, told_usd=0.25)
    first, second = rows(GOOD, BAD, GivenAnswer("", finish="tools"), spent=[paid, paid])
    assert [(row["usd"], row["tokens_in"], row["tokens_out"]) for row in (first, second)] == [
        (0.5, 20, 10),
        (0.0, None, None),
    ]
    assert first["record"]["trace_id"] == second["record"]["trace_id"]
    assert rows(GOOD, spent=[Spent(None, None)])[0]["usd"] is None
    assert rows(GOOD, outcome="error") == rows(GOOD, outcome="not_an_answer") == []


@pytest.mark.parametrize("texts", [False, True])
def test_texts_are_kept_where_that_was_asked_for_alone(kept, texts):
    held = kept(texts=texts)
    cited = GivenAnswer("It is ninety days.", citations=(Citation(source_id="lease", span=(0, 18)),))
    for row in rows(GOOD, BAD, cited, outcome="hold"):
        held.take(row)
    assert held.write()
    told = json.dumps(held.store.file.rows("SELECT question, answer, record, scorecard, rest FROM answer_texts"))
    assert ("ninety" in told, "notice" in told) == (texts, texts)
    scores = held.store.scores([row.id for row in held.store.answers(Where(), limit=9)])
    assert {score.resolvability.value for score in scores} == {"pass", "fail"}
    assert {(score.answer.route, score.answer.release, score.answer.released.codes) for score in scores} == {
        ("r", "hold", ("c",))
    }


def test_what_waits_for_the_judge_keeps_its_texts_until_then(kept):
    held = kept(semantic="sampled")
    for row in rows(GOOD):
        held.take(row)
    assert held.write()
    (waiting,) = held.store.to_judge(5)
    assert (waiting.answer.record.answer, waiting.stratum) == (GOOD.text, "rest")


def test_what_was_held_is_always_judged_and_of_the_rest_a_share(kept):
    held = kept(semantic="sampled", sample=1e-9)
    for _ in range(3):
        for row in [*rows(GOOD), *rows(GOOD, outcome="refuse")]:
            held.take(row)
    assert held.write()
    assert {score.answer.release for score in held.store.to_judge(9)} == {"refused"}


def test_a_store_that_refuses_is_tried_again_and_what_is_too_much_is_counted(kept, monkeypatch, caplog):
    held, refuses = kept(texts=True), [True]
    add = held.store.add_scores

    def refusing(scores, **more):
        if refuses[0]:
            raise StoreError("the disk is full")
        add(scores, **more)

    monkeypatch.setattr(held.store, "add_scores", refusing)
    monkeypatch.setattr(keeper_file, "MOST_WAITING", 3)
    for _ in range(5):
        held.take(rows(GOOD)[0])
    assert (held.write(), held.write(), len(held.waiting), held.lost) == (False, False, 3, 2)
    assert caplog.text.count("the disk is full") == 1
    refuses[0] = False
    assert (held.write(), held.kept, len(held.waiting)) == (True, 3, 0)


def test_an_answer_that_cannot_be_scored_is_kept_as_unknown(kept, monkeypatch):
    held = kept()
    monkeypatch.setattr(held._scoring, "score", lambda *_args: 1 / 0)
    held.take(rows(GOOD)[0])
    assert held.write()
    ((score,),) = [held.store.scores([row.id for row in held.store.answers(Where(), limit=9)])]
    assert (score.structural.value, score.answer.route) == ("unknown", "r")


def test_what_is_older_than_is_to_be_kept_is_deleted(tmp_path):
    path = str(tmp_path / "t.sqlite")
    setup = KeeperSetup(tmp_path, {"r": RouteRule(NEWS, "off", 1.0)}, JudgingSettings(), path, retain_days=1)
    with closing(open_trace_store(path)) as store:
        old = KeptAnswers(store, setup)
        for started in (1, time.time_ns()):
            old.take(rows(GOOD)[0] | {"started_ns": started})
        assert old.write()
        keeper = keeper_file._Keeper(setup)
        for task in keeper.tasks(keeper_file._Ending()):
            task.close()
        until = time.monotonic() + 30
        while len(store.answers(Where(), limit=9)) > 1 and time.monotonic() < until:
            time.sleep(0.02)
        assert [row.started_ns > 1 for row in store.answers(Where(), limit=9)] == [True]
        asyncio.run(keeper.close())


def test_references_are_asked_once_by_route_and_a_route_that_is_gone_asks_nobody(monkeypatch):
    asked = []

    class Registries:
        async def lookup_all(self, references):
            asked.append([reference.text for reference in references])

    refreshing = Refreshing({"r": RouteRule(NEWS, "off", 1.0)})
    monkeypatch.setattr(refreshing, "_registries", lambda _rule: Registries())
    for route, name in (("r", "a"), ("gone", "b"), ("r", "c"), ("r", "a")):
        refreshing.want(route, [{"kind": "doi", "text": name, "fields": {"doi": name}}])

    async def work():
        return [await refreshing.refresh() for _ in range(3)]

    assert asyncio.run(work()) == [True, True, False]
    assert asked == [["a", "c"]]


def test_a_kept_answer_counts_for_its_time_and_half_of_it_for_who_refreshes(tmp_path):
    now = [0.0]
    path, day = tmp_path / "c.sqlite", 86_400.0
    found = Found(status="found", registry="crossref", entries=(Entry(title="A trial"),))
    with (
        closing(AnswerCache(path, lambda: now[0])) as whole,
        closing(AnswerCache(path, lambda: now[0], believed=0.5)) as half,
    ):
        whole.put("k", "doi", found)  # a DOI is believed for a day
        seen = []
        for at in (0.0, 0.49 * day, 0.51 * day, 0.99 * day, 1.01 * day):
            now[0] = at
            seen.append((whole.get("k") is not None, half.get("k") is not None))
    assert seen == [(True, True), (True, True), (True, False), (True, False), (False, False)]
