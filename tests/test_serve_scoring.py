"""Scoring and judging of stored traces: what is scored when, what stays when a process dies, and what stops nothing."""

import asyncio
import dataclasses
import multiprocessing
import os
import signal
import threading
import time
from types import SimpleNamespace

import pytest
from built_traces import LEASE, documents, lease_trace, span

from showable.errors import InputError, SettingError
from showable.judges.lexical import LexicalJudge
from showable.records.evidence import Verdict
from showable.records.findings import Outcome
from showable.serving.ending import Ending
from showable.serving.live_judging import TRIES, LiveJudging
from showable.serving.live_rules import LiveRules
from showable.serving.live_scoring import LiveScoring
from showable.serving.scored_answer import FAILED, SUPERSEDED
from showable.serving.scoring import run, work
from showable.serving.scoring_parts import Part, begin_parts
from showable.serving.settings import ServeSettings
from showable.serving.time_limit import TookTooLongError, time_limit
from showable.stores.traces.errors import StoreError
from showable.stores.traces.opening import open_trace_store
from showable.traces.evaluator_spans import evaluator_spans
from showable.traces.join import join

PASS, FAIL, UNKNOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE
S = 10**9
QUIET, GIVE_UP = 2 * S, 120 * S
INVENTED = "The tenant must give a notice of 30 days [lease-44]."


def trace_id(n):
    return f"{n:032x}"


def lease(n, answer="The tenant must give a notice of 30 days [lease-4].", **more):
    return lease_trace(answer, trace=trace_id(n), **more)


@pytest.fixture
def store(tmp_path):
    opened = open_trace_store(tmp_path / "traces.db")
    yield opened
    opened.close()


@pytest.fixture
def told(store):
    return ServeSettings(store=str(store.path), quiet_s=2.0, give_up_s=120.0, sample=0.5)


def score_all(store, told, *spans, **more):
    """Store spans and score them to the end, as a process does that is started and runs for a while."""
    store.add_spans(spans)
    scoring = LiveScoring(store, told, **more)
    scoring.step(S)
    scoring.step(S + GIVE_UP)
    scoring.step(2 * S + GIVE_UP)
    return scoring


def only(store, n=1):
    (score,) = (score for score in store.scores_of(trace_id(n)) if score.stratum != SUPERSEDED)
    return score


def with_rules(told, tmp_path, text):
    path = tmp_path / "tags.toml"
    path.write_text(text)
    return dataclasses.replace(told, rules=path)


def test_a_trace_is_scored_when_it_has_been_quiet(store, told):
    spans = lease(1)
    store.add_spans(spans)
    scoring = LiveScoring(store, told)
    scoring.step(10 * S)
    assert scoring.gauges(0)["open_traces"] == 1
    assert not store.scores_of(trace_id(1))
    assert store.checkpoint() == 0, "a process that dies now reads it again"
    scoring.step(10 * S + QUIET)
    score = only(store)
    assert (score.structural, score.resolvability, score.semantic) == (PASS, PASS, UNKNOWN)
    assert (score.answer.record.question, score.answer.complete) == ("What notice must the tenant give?", True)
    assert (score.stratum, score.probability, score.judged) == ("rest", 0.5, False)
    assert (score.profile, score.rubrics) == ("general", ("structural", "resolvability", "semantic"))
    assert "judge:none" in score.signature
    assert store.checkpoint() == len(spans)
    gauges = scoring.gauges(0)
    assert (gauges["open_traces"], gauges["held_spans"], gauges["scored_total"], gauges["failed_total"]) == (0, 0, 1, 0)


def test_behind_the_traffic_no_more_is_held_than_a_quiet_time_of_it(store, told):
    """Reading faster than spans ever came, a trace is quiet when two seconds of traffic have gone by without it."""
    far = 1_400
    for first in range(0, far, 350):
        store.add_spans([
            dataclasses.replace(one, start_ns=one.start_ns + n * S // 10, end_ns=one.end_ns + n * S // 10)
            for n in range(first, first + 350) for one in lease(n + 1)
        ])  # fmt: skip
    scoring = LiveScoring(store, told)
    scoring.step(10 * S)
    assert scoring.behind
    assert scoring.gauges(0)["held_spans"] <= 40 * 3, "ten traces a second, two seconds, and what a trace takes"
    assert scoring.tally.scored == 100, "no more at a time"


def test_two_processes_score_each_trace_once_and_the_checkpoint_waits_for_both(store, told):
    both = [LiveScoring(store, dataclasses.replace(told, scorers=2, scorer=number)) for number in (0, 1)]
    store.add_spans([one for n in range(1, 21) for one in lease(n)])
    for now in (S, S + QUIET, 4 * S):
        both[0].step(now)
    alone = both[0].tally.scored
    assert 0 < alone < 20
    assert store.checkpoint() == 0, "the other has not said that it came anywhere"
    for now in (S, S + QUIET, 4 * S):
        both[1].step(now)
    both[1].tell("scoring-2", 1)
    assert both[1].tally.scored == 20 - alone
    both[0].step(6 * S)
    assert store.checkpoint() == 20 * len(lease(1))
    assert store.holdings().answers == 20


def test_what_processes_of_an_earlier_start_said_counts_no_more(store, told):
    store.set_gauges("scoring-3", {"scored_to": 99.0})
    begin_parts(store, dataclasses.replace(told, scorers=2))
    assert store.gauges()["scoring-3"] == store.gauges()["scoring-2"] == {}
    far = 2**60 + 1
    assert int(Part(1, 2).told(far)) < far, "a gauge is a float, and a position beyond is not"


def test_an_invented_source_is_a_failure_and_is_read_for_certain(store, told):
    score_all(store, told, *lease(1, INVENTED))
    score = only(store)
    assert (score.structural, score.resolvability) == (PASS, FAIL)
    assert (score.stratum, score.probability, score.chosen) == ("failure", 1.0, True)
    assert score.diagnosis == "generator"
    assert [held.id for held in store.to_judge(10)] == [score.id]


def test_a_trace_that_never_ends_is_scored_as_far_as_it_came(store, told):
    store.add_spans([s for s in lease(1) if s.parent_id])
    scoring = LiveScoring(store, told)
    scoring.step(S)
    scoring.step(S + GIVE_UP - 1)
    assert not store.scores_of(trace_id(1))
    scoring.step(S + GIVE_UP)
    assert not only(store).answer.complete


def test_what_comes_late_is_scored_with_the_whole_trace(store, told):
    root, retriever, llm = lease(1)
    scoring = score_all(store, told, root, llm)
    assert only(store).resolvability is UNKNOWN, "without a retriever there is no log"
    before = only(store)
    store.add_spans([retriever])
    for now in (300 * S, 303 * S + GIVE_UP):
        scoring.step(now)
    after = only(store)
    assert (after.resolvability, after.answer.spans) == (PASS, 3)
    assert (after.stratum, after.probability, after.chosen) == (before.stratum, before.probability, before.chosen)


@pytest.mark.parametrize("late", ["root", "llm", "retriever"])
def test_late_spans_find_their_trace_after_a_restart_too(store, told, late):
    spans = lease(1)
    score_all(store, told, *(s for s in spans if s.span_id != late))
    score_all(store, told, *(s for s in spans if s.span_id == late))
    assert all(
        s.chosen is False and s.structural is NOT_APPLICABLE
        for s in store.scores_of(trace_id(1))
        if s.id != f"{trace_id(1)}:llm"
    )
    assert (only(store).resolvability, only(store).answer.spans, only(store).answer.complete) == (PASS, 3, True)


def test_a_failure_that_shows_late_is_read_for_certain(store, told):
    root, retriever, llm = lease(1, INVENTED)
    score_all(store, dataclasses.replace(told, sample=1e-9), root, llm)
    assert (only(store).stratum, only(store).chosen) == ("rest", False)
    score_all(store, told, retriever)
    assert (only(store).stratum, only(store).probability, only(store).chosen) == ("failure", 1.0, True)


def test_scored_again_is_the_same_and_costs_no_second_judgement(store, told):
    scoring = score_all(store, told, *lease(1, INVENTED))
    asyncio.run(judge_all(store, told))
    judged = only(store)
    assert judged.judged
    store.add_spans([span("later", "CHAIN", trace=trace_id(1))])
    for now in (300 * S, 303 * S + GIVE_UP):
        scoring.step(now)
    after = only(store)
    assert (after.judged, after.scorecard, after.answer.spans) == (True, judged.scorecard, 4)


def test_our_own_evaluator_spans_are_neither_scored_nor_reopen_a_trace(store, told):
    scoring = score_all(store, told, *lease(1))
    before = only(store)
    store.add_spans(evaluator_spans(before))
    for now in (300 * S, 303 * S + GIVE_UP):
        scoring.step(now)
    assert only(store) == before
    assert scoring.tally.traces == 1
    assert store.checkpoint() == store.holdings().spans > 3


def rows_of(store, n):
    """Give all that is decided of each answer."""
    return {
        s.id: (s.scorecard, s.stratum, s.probability, s.chosen, s.structural, s.resolvability)
        for t in range(n)
        for s in store.scores_of(trace_id(t))
        if s.stratum != SUPERSEDED
    }


def test_a_process_that_dies_between_any_two_writes_changes_nothing(tmp_path, told):
    spans = [s for n in range(14) for s in lease(n, INVENTED if n % 5 == 0 else "30 days [lease-4].")]
    whole = open_trace_store(tmp_path / "whole.db")
    score_all(whole, told, *spans)
    torn = open_trace_store(tmp_path / "torn.db")
    for begin in range(0, len(spans), 10):
        torn.add_spans(spans[begin : begin + 10])
        dying = LiveScoring(torn, told)
        dying.step(S)
        dying.step(S + QUIET)
        torn.add_scores([], checkpoint=begin // 2)  # as if it had died before some of its checkpoints
    score_all(torn, told)
    assert rows_of(torn, 14) == rows_of(whole, 14)
    assert len(rows_of(whole, 14)) == 14
    assert torn.checkpoint() == whole.checkpoint() == len(spans)
    torn.close()
    whole.close()


class Refusing:
    """A store that refuses some writes, and is what it stands for in all else."""

    def __init__(self, store, refuses):
        self._store, self._refuses, self.refused = store, refuses, 0

    def __getattr__(self, name):
        return getattr(self._store, name)

    def add_scores(self, scores, *, checkpoint=None):
        if self._refuses(scores, checkpoint):
            self.refused += 1
            raise StoreError("the disk is full")
        self._store.add_scores(scores, checkpoint=checkpoint)


def test_what_a_full_disk_refuses_is_written_when_there_is_room(store, told):
    full = [True]
    scoring = LiveScoring(Refusing(store, lambda scores, checkpoint: full[0]), told)
    store.add_spans([s for n in range(3) for s in lease(n)])
    scoring.step(S)
    for _ in range(2):
        with pytest.raises(StoreError):
            scoring.step(S + QUIET)
    assert store.checkpoint() == 0
    full[0] = False
    scoring.step(S + QUIET)
    assert len(rows_of(store, 3)) == 3
    assert store.checkpoint() == store.holdings().spans


def test_a_row_that_the_store_refuses_is_kept_as_an_unknown(store, told, capsys):
    bad = f"{trace_id(1)}:llm"
    refusing = Refusing(store, lambda scores, checkpoint: any(s.id == bad and s.answer.record.question for s in scores))
    store.add_spans([s for n in range(3) for s in lease(n)])
    scoring = LiveScoring(refusing, told)
    for now in (S, S + QUIET):
        scoring.step(now)
    assert [only(store, n).structural for n in range(3)] == [PASS, UNKNOWN, PASS]
    assert "could not be stored" in only(store, 1).scorecard.why
    assert scoring.tally.failed == 1
    assert "trace" in capsys.readouterr().err


def test_a_trace_that_breaks_the_join_is_an_unknown_and_stops_nothing(store, told, capsys):
    def joining(spans, **more):
        if spans[0].trace_id == trace_id(1):
            raise RecursionError("too deep\x1b[31m")
        return join(spans, **more)

    scoring = score_all(store, told, *(s for n in range(3) for s in lease(n)), joining=joining)
    assert [only(store, n).structural for n in range(3)] == [PASS, UNKNOWN, PASS]
    broken = only(store, 1)
    assert (broken.stratum, broken.chosen, broken.scorecard.bucket) == (FAILED, False, "unknown")
    assert broken.scorecard.why == "it could not be scored: RecursionError: too deep"
    assert scoring.gauges(0)["failed_total"] == 1
    assert store.checkpoint() == store.holdings().spans
    assert capsys.readouterr().err == f"showable: trace {trace_id(1)} is unknown: RecursionError: too deep\n"


def test_what_takes_too_long_is_given_up():
    with pytest.raises(TookTooLongError, match=r"more than 0\.02 s"), time_limit(0.02):
        sum(n for n in iter(int, 1))  # for ever
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)


def test_passages_that_were_logged_by_id_alone_are_found_in_the_store(store, told):
    store.add_texts({"lease-4": LEASE["lease-4"]})
    score_all(store, told, *lease(1, passages={"lease-4": None}))
    assert only(store).answer.record.retrieved[0].text == LEASE["lease-4"]


def test_a_rubric_that_a_rule_switches_off_is_not_applicable_with_why(store, told, tmp_path):
    ruled = with_rules(told, tmp_path, '[[rule]]\nname = "form alone"\nrubrics = ["structural"]')
    score_all(store, ruled, *lease(1, INVENTED))
    score = only(store)
    assert (score.structural, score.resolvability, score.semantic) == (PASS, NOT_APPLICABLE, NOT_APPLICABLE)
    assert (score.stratum, score.chosen, score.rubrics) == ("off", False, ("structural",))
    said = {f.code: f.reason for f in score.scorecard.findings}
    assert said["resolvability.switched_off"] == "rule 'form alone' switches it off"
    assert not any(code.startswith("resolvability.not") for code in said)


class OwnScorer:
    """Fails what is short; breaks on what asks for it."""

    name, asks_judge = "length", False

    def score(self, record):
        if "[lease-44]" in str(record.answer):
            raise KeyError("length")
        return SimpleNamespace(outcome="pass", findings=())


own = OwnScorer()


def test_rules_name_cohorts_profiles_and_scorers_by_attributes(store, told, tmp_path):
    text = (
        '[[rule]]\nname = "b"\nattributes = {"app.variant" = "b"}\ncohort = "variant b"\nprofile = "legal"\n'
        'scorers = ["test_serve_scoring:own"]'
    )
    ruled = with_rules(told, tmp_path, text)
    spans = [*lease(1, **{"app.variant": "b"}), *lease(2), *lease(3, INVENTED, **{"app.variant": "b"})]
    score_all(store, ruled, *spans)
    ours, other, broken = (only(store, n) for n in (1, 2, 3))
    assert (ours.answer.cohort, ours.stratum, ours.probability, ours.profile) == ("variant b", "cohort", 1.0, "legal")
    assert (other.answer.cohort, other.stratum, other.profile) == ("", "rest", "general")
    outcomes = [
        {f.code: (f.outcome, f.reason) for f in s.scorecard.findings}.get("length.outcome") for s in (ours, broken)
    ]
    assert outcomes[0] == (PASS, "")
    assert outcomes[1] == (UNKNOWN, "the scorer failed: KeyError: 'length'")


def test_a_trace_names_no_files_as_its_profile(store, told):
    score_all(store, told, *lease(1, **{"showable.profile": "/etc/passwd"}))
    assert only(store).profile == "general"


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ('[[rule]]\nname = "a"\nprofile = "leagl"', InputError, ":3: profile: profile 'leagl': expected general"),
        ('[[rule]]\nname = "a"\nsample = 2', InputError, ":3: sample: expected a share"),
    ],
)
def test_rules_that_cannot_be_used_end_it_before_anything_is_read(told, tmp_path, text, error, said):
    with pytest.raises(error) as caught:
        LiveRules(with_rules(told, tmp_path, text))
    assert said in str(caught.value)


def test_a_share_of_nothing_is_refused(told):
    with pytest.raises(SettingError, match="--sample: expected a share above 0"):
        LiveRules(dataclasses.replace(told, sample=0.0))


async def judge_all(store, told, *, steps=200, **more):
    judging = LiveJudging(store, told, pause_s=0.0, **{"chooser": lambda spec, **_: LexicalJudge(), **more})
    for _ in range(steps):
        if not await judging.step(1.0):
            break
    await judging.end()
    return judging


def test_chosen_answers_are_judged_and_the_others_are_not(store, told):
    score_all(
        store, told, *(s for n in range(12) for s in lease(n, INVENTED if n == 3 else "30 days' notice [lease-4]."))
    )
    before = [only(store, n) for n in range(12)]
    assert 1 < sum(s.chosen for s in before) < 12
    judging = asyncio.run(judge_all(store, told))
    after = [only(store, n) for n in range(12)]
    assert [s.judged for s in after] == [s.chosen for s in before]
    assert judging.gauges(0)["judged_total"] == sum(s.chosen for s in before)
    assert all("judge:lexical" in s.signature for s in after if s.judged)
    assert after[3].semantic is FAIL
    assert not store.to_judge(10)


def test_a_judge_that_a_rule_names_is_made_before_anything_is_read(store, told, tmp_path):
    ruled = with_rules(told, tmp_path, '[[rule]]\nname = "a"\njudge = "lexcial"')
    with pytest.raises(InputError, match=r"tags\.toml:3: judge: judge 'lexcial': there is embedded"):
        LiveJudging(store, dataclasses.replace(ruled, judge="lexical"))


class FailingJudge:
    """Answers with a reason why there is no verdict, as often as told; then as the lexical one."""

    name, prompt_hash = "failing@1", None

    def __init__(self, reason, times=10**6):
        self.reason, self.left, self.asked = reason, times, 0

    def estimate(self, pairs):
        return LexicalJudge().estimate(pairs)

    async def verdicts(self, pairs):
        self.asked += 1
        if self.left <= 0:
            return await LexicalJudge().verdicts(pairs)
        self.left -= 1
        if isinstance(self.reason, Exception):
            raise self.reason
        return [Verdict(label="unknown", judge=self.name, reason=self.reason)] * len(pairs)


@pytest.mark.parametrize(
    ("reason", "times", "retried"),
    [
        ("HTTP 503: overloaded", 1, 1),
        ("no reply within 60 s", 10**6, TRIES - 1),
        ("HTTP 401: no such key", 10**6, 0),
        (ValueError("bug"), 10**6, 0),
    ],
)
def test_a_judge_that_fails_is_an_unknown_and_asked_again_where_that_may_help(store, told, reason, times, retried):
    score_all(store, dataclasses.replace(told, sample=1.0), *lease(1))
    judge = FailingJudge(reason, times)
    judging = asyncio.run(judge_all(store, told, chooser=lambda spec, **_: judge))
    score = only(store)
    assert (score.judged, judging.tally.retried, judging.tally.judged) == (True, retried, 1)
    if times == 1:
        assert score.semantic is not UNKNOWN
    else:
        assert score.semantic is UNKNOWN
        assert str(reason) in " ".join(f.reason for f in score.scorecard.findings)


def test_a_judgement_of_what_was_scored_anew_meanwhile_is_not_kept(store, told):
    score_all(store, dataclasses.replace(told, sample=1.0), *lease(1))
    more = span("more", "RETRIEVER", at=(0.6, 0.8), trace=trace_id(1), **documents({"lease-12": "It is 30 days."}))

    class Slow(FailingJudge):
        async def verdicts(self, pairs):
            self.asked += 1
            if self.asked == 1:
                score_all(store, told, more)
            return await LexicalJudge().verdicts(pairs)

    judge = Slow("")
    judging = asyncio.run(judge_all(store, told, chooser=lambda spec, **_: judge))
    assert len(only(store).answer.record.retrieved) == 4
    assert (only(store).judged, judging.tally.judged) == (True, 1)
    assert len(only(store).scorecard.chunks) == 4, "what is kept was judged on the record as it is now"


def test_scoring_ends_when_told_to(store, told):
    ending = Ending()
    store.add_spans(lease(1))
    scoring = LiveScoring(store, dataclasses.replace(told, quiet_s=0.0))
    thread = threading.Thread(target=work, args=(scoring, ending))
    thread.start()
    until = time.monotonic() + 60
    while (not store.scores_of(trace_id(1)) or "scoring" not in store.gauges()) and time.monotonic() < until:
        time.sleep(0.01)
    ending.end()
    thread.join(60)
    assert not thread.is_alive()
    assert store.gauges()["scoring"]["at_ns"] > 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="starts processes by fork, to be quick")
def test_kill_9_in_the_middle_and_a_second_start_give_each_answer_once(store, told):
    store.add_spans([s for n in range(150) for s in lease(n)])
    settings = dataclasses.replace(told, quiet_s=0.0)

    def start():
        process = multiprocessing.get_context("fork").Process(target=run, args=(settings,))
        process.start()
        return process

    def wait_for(answers):
        until = time.monotonic() + 60
        while store.holdings().answers < answers and time.monotonic() < until:
            time.sleep(0.002)

    first = start()
    wait_for(1)
    first.kill()
    first.join()
    assert store.holdings().answers > 0
    second = start()
    wait_for(150)
    second.terminate()
    second.join(60)
    assert second.exitcode == 0
    assert store.holdings().answers == 150
    assert store.checkpoint() == store.holdings().spans


def test_the_judging_process_counts_the_calls_that_failed(store, told):
    score_all(store, dataclasses.replace(told, sample=1.0), *lease(1))
    judging = asyncio.run(judge_all(store, told, chooser=lambda spec, **_: FailingJudge(ValueError("bug"))))
    gauges = judging.gauges(0)
    assert gauges["judge_calls_failed_total"] == gauges["judge_calls_total"] > 0
    assert gauges["judge_calls_failing_share"] == 1.0
