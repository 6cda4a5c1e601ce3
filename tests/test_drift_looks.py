"""What each look for drift says of made-up rows whose truth is known: figures against scikit-learn and by hand, alarms, too few."""

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score, recall_score
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.proportion import proportion_confint

from showable.measure.drift import bernoulli_chart
from showable.measure.drift.anchor import AnchorRow, compare_judges
from showable.measure.drift.answers import WATCHED, CardInBrief, ScoredAnswer, outcomes_of
from showable.measure.drift.few_moves import sign_agrees
from showable.measure.drift.people import Told, compare_with_people
from showable.measure.drift.report import DriftReport
from showable.measure.drift.stream import StreamSetting, watch_stream
from showable.records import OutcomeCounts
from showable.report.drift_words import headline


def rows_of(n, wrong_before=0.2, flips=0.0, seed=0, per_cluster=1):
    rng = np.random.default_rng(seed)
    label = rng.random(n) < 0.5
    before = label ^ (rng.random(n) < wrong_before)
    now = before ^ (rng.random(n) < flips)
    columns = (label.tolist(), before.tolist(), now.tolist(), [i // per_cluster for i in range(n)])
    return [AnchorRow(*row) for row in zip(*columns, strict=True)]


def look(rows, **setting):
    return compare_judges(rows, about="an anchor", profile="legal", **setting)


def by_name(report):
    return {one.what: one for one in report.watched}


def test_the_figures_are_those_of_scikit_learn():
    rows = rows_of(300, flips=0.15, seed=4)
    label, before, now = ([getattr(row, side) for row in rows] for side in ("label", "before", "now"))
    found = by_name(look(rows))
    for level, said in (("before", before), ("after", now)):
        expected = {
            "kappa": cohen_kappa_score(label, said),
            "tpr": recall_score(label, said),
            "tnr": recall_score(label, said, pos_label=False),
            "balanced_accuracy": balanced_accuracy_score(label, said),
        }
        for name, value in expected.items():
            assert getattr(found[name], level).value == pytest.approx(value), (name, level)
    for one in found.values():
        assert one.change.value == pytest.approx(one.after.value - one.before.value)


def test_the_interval_is_that_of_resampling_rows_one_by_one():
    rows = rows_of(250, flips=0.2, seed=9)
    label, before, now = (np.array([getattr(row, side) for row in rows]) for side in ("label", "before", "now"))
    rng = np.random.default_rng(1)
    draws = []
    for _ in range(3000):
        pick = rng.integers(0, 250, 250)
        yes = label[pick]
        draws.append(now[pick][yes].mean() - before[pick][yes].mean())
    change = by_name(look(rows))["tpr"].change
    assert (change.low, change.high) == pytest.approx(tuple(np.quantile(draws, [0.01, 0.99])), abs=0.012)
    assert change.confidence == pytest.approx(0.98)


def test_clusters_widen_the_interval():
    alone = rows_of(100, flips=0.2, seed=2)
    fourfold = [AnchorRow(row.label, row.before, row.now, row.cluster) for row in alone for _ in range(4)]
    independent = [AnchorRow(row.label, row.before, row.now, i) for i, row in enumerate(fourfold)]
    wide, narrow = (by_name(look(rows))["kappa"].change for rows in (fourfold, independent))
    assert wide.high - wide.low == pytest.approx(2 * (narrow.high - narrow.low), rel=0.15)


def test_a_judge_that_has_not_changed_is_said_to_be_the_same():
    report = look(rows_of(200))
    assert report.exit_code == 0
    assert report.notes == ("the judge answers as it did on all 200 rows: every decision",)
    assert all((one.change.low, one.change.high) == (0, 0) for one in report.watched)


def test_a_moved_p_is_told_though_every_decision_stands():
    rows = [AnchorRow(row.label, row.before, row.now, row.cluster, 0.7, 0.8) for row in rows_of(80)]
    assert "p moved by 0.100 at most, by 0.100 in the mean" in look(rows).notes


def test_a_judge_whose_verdicts_are_flipped_alarms():
    rows = rows_of(400, flips=0.2, seed=3)
    report = look(rows)
    assert {alarm.what for alarm in report.alarms} == {"kappa", "tpr", "tnr", "balanced_accuracy"}
    alarm = next(alarm for alarm in report.alarms if alarm.what == "kappa")
    assert alarm.profile == "legal"
    assert alarm.key == "anchor an anchor/legal/kappa/down"
    assert alarm.n == 400
    better = sum(row.now is row.label and row.before is not row.label for row in rows)
    worse = sum(row.now is not row.label and row.before is row.label for row in rows)
    p = statsmodels_mcnemar([[0, better], [worse, 0]], exact=True).pvalue
    assert f"{better} now right, {worse} now wrong (McNemar p = {p:.2g})" in report.notes[0]


def test_an_improvement_is_no_alarm():
    rows = [AnchorRow(row.label, row.before, row.label, row.cluster) for row in rows_of(300)]
    assert look(rows).exit_code == 0


def test_a_bound_alarms_whatever_the_interval():
    rows = [AnchorRow(row.label, row.before, row.now, row.cluster) for row in rows_of(60, wrong_before=0.0)]
    lost = [i for i, row in enumerate(rows) if row.label][:2]
    rows = [AnchorRow(r.label, r.before, r.now and i not in lost, r.cluster) for i, r in enumerate(rows)]
    if sum(row.label for row in rows) < 30:
        rows += [AnchorRow(True, True, True, 100 + i) for i in range(10)]
    assert look(rows).exit_code == 0
    alarms = {alarm.what: alarm.reason for alarm in look(rows, bound=0.05).alarms}
    assert alarms.keys() == {"tpr", "kappa"}
    assert "alarms by the bound alone come on top" in look(rows, bound=0.05).family
    assert "bound" not in look(rows).family
    assert "the bound is 5" in alarms["tpr"]


# exact binomial tails at 1/2: 1/128 = .0078, 1/64 = .0156, 9/256 = .035, 11/1024 is left to the bootstrap
SIGNS = [(0, 7, 0.01, True), (0, 6, 0.01, False), (1, 7, 0.04, True), (1, 7, 0.03, False), (9, 1, 0.01, True), (0, 0, 0.01, False)]  # fmt: skip


@pytest.mark.parametrize(("better", "worse", "level", "agrees"), SIGNS)
def test_a_few_moves_need_an_exact_sign_test_too(better, worse, level, agrees):
    assert sign_agrees(better, worse, level) is agrees


def test_five_rows_lost_of_hundreds_are_no_alarm_though_the_bootstrap_says_so():
    rows = [AnchorRow(i % 2 == 0, i % 2 == 0, i % 2 == 0 and i >= 10, i) for i in range(400)]
    found = by_name(look(rows))["tpr"]
    assert found.change.high < 0
    assert found.state == "steady"
    assert "5 worse against 0 better is too few" in found.reason


def test_too_few_rows_are_unknown_and_say_how_many_are_missing():
    report = look([AnchorRow(i < 12, True, True, i) for i in range(100)])
    found = by_name(report)
    assert {name: one.state for name, one in found.items()} == {
        "kappa": "unknown", "tpr": "unknown", "tnr": "steady", "balanced_accuracy": "unknown", "decided": "steady",
    }  # fmt: skip
    assert (found["kappa"].needs, found["kappa"].reason) == (18, "12 rows are labelled 1, and it takes 30")
    assert report.exit_code == 3
    assert headline(report) == (
        "UNKNOWN: kappa, TPR and balanced accuracy could not be watched; only TNR and rows decided could be, and did not move"
    )
    assert look([AnchorRow(i % 2 == 0, True, True, i) for i in range(20)]).exit_code == 3


def test_a_judge_that_says_yes_to_all_passes_no_anchor_with_too_few_noes():
    """262 rows labelled 1 and 28 labelled 0, all right when frozen: now every answer is yes, and TNR would be 0."""
    rows = [AnchorRow(i < 262, i < 262, True, i) for i in range(290)]
    report = look(rows)
    assert (report.exit_code, report.alarms) == (3, ())
    assert headline(report).startswith("UNKNOWN: kappa, TNR and balanced accuracy could not be watched; only TPR")
    assert look([*rows, *(AnchorRow(False, False, True, i) for i in range(290, 292))]).exit_code == 1


# (clusters of the yes rows, of the no rows, exit): a sign test at 1 % takes seven that moved, 2**-6 = .0156 is above it;
# below ten clusters of a label nothing is said of it, as for people and for every interval
WHOLLY_WRONG = [(1, 1, 3), (6, 6, 3), (9, 9, 3), (10, 10, 1), (60, 60, 1)]


@pytest.mark.parametrize(("yes", "no", "code"), WHOLLY_WRONG)
def test_labels_of_few_questions_pass_no_judge(yes, no, code):
    rows = [AnchorRow(i < 60, i < 60, i >= 60, (i < 60, i % (yes if i < 60 else no))) for i in range(120)]
    found = by_name(report := look(rows))
    assert report.exit_code == code
    assert {found[name].state for name in ("kappa", "balanced_accuracy")} == {"alarm" if code == 1 else "unknown"}
    assert found["tnr"].needs == (10 - no if no < 10 else None)


def test_a_judge_that_says_yes_to_all_passes_no_anchor_whose_noes_are_of_few_questions():
    rows = [AnchorRow(i < 80, i < 80, True, i % 40 if i < 80 else f"no {i % 6}") for i in range(120)]
    report = look(rows)
    assert (report.exit_code, report.alarms) == (3, ())
    assert by_name(report)["tpr"].state == "steady"
    assert by_name(report)["tnr"].reason == (
        "the 40 rows labelled 0 come from 6 of the 10 questions or sources that it takes"
    )


def test_rows_of_few_questions_do_not_say_how_many_are_decided():
    rows = [AnchorRow(i % 2 == 0, i % 2 == 0, None, i % 4) for i in range(80)]
    assert {one.state for one in look(rows).watched} == {"unknown"}
    assert by_name(look(rows))["decided"].needs == 6


def test_a_judge_that_begins_to_fail_alarms():
    rows = [AnchorRow(i % 2 == 0, i % 2 == 0, None if i % 5 == 0 else i % 2 == 0, i) for i in range(300)]
    report = look(rows)
    assert [alarm.what for alarm in report.alarms] == ["decided"]
    assert report.alarms[0].after.value == pytest.approx(0.8)
    assert "60 of 300 rows were left undecided then or now" in report.notes[1]


def answers(n, rates, *, seed=0, profile="legal", p=None, start=0):
    rng = np.random.default_rng(seed)
    base = dict.fromkeys(WATCHED, 0.05) | rates
    return [
        ScoredAnswer(
            f"q{start + i}", "runs/one", None, profile, {name: bool(rng.random() < base[name]) for name in WATCHED},
            None if p is None else float(rng.beta(*p)),
        )
        for i in range(n)
    ]  # fmt: skip


def test_a_rise_of_the_refusal_rate_is_told_with_its_window_and_its_beginning():
    stream = answers(700, {"refusal_rate": 0.1}) + answers(200, {"refusal_rate": 0.4}, seed=1, start=700)
    report = watch_stream(stream, StreamSetting(baseline=500, horizon=500), about="a stream")
    (alarm,) = report.alarms
    assert (alarm.what, alarm.profile, alarm.key) == ("refusal_rate", "legal", "stream/legal/refusal_rate/up")
    assert 690 <= alarm.since.answer <= 710
    assert alarm.since.id == f"q{alarm.since.answer - 1}"
    assert alarm.window == f"answers {alarm.since.answer}-900"
    assert alarm.since.answer < alarm.alarmed_at < 800
    assert alarm.standing
    refused = sum(one.outcomes["refusal_rate"] for one in stream[:500])
    low, high = proportion_confint(refused, 500, method="wilson")
    assert (alarm.before.value, alarm.before.low, alarm.before.high) == pytest.approx((refused / 500, low, high))
    assert report.exit_code == 1


def test_a_fall_is_an_alarm_too_and_one_that_came_back_says_so():
    fall = answers(400, {"wrong": 0.5}) + answers(150, {"wrong": 0.1}, seed=1) + answers(250, {"wrong": 0.6}, seed=2)
    found = {a.what: a for a in watch_stream(fall, StreamSetting(400, horizon=400), about="").alarms}
    assert found["wrong"].key == "stream/legal/wrong/down"
    assert not found["wrong"].standing


def test_scores_that_shrink_alarm_by_both_tests():
    stream = answers(300, {}, p=(4, 2)) + answers(250, {}, seed=1, p=(2, 4))
    report = watch_stream(stream, StreamSetting(300, horizon=250), about="")
    found = {alarm.what: alarm for alarm in report.alarms}
    assert found.keys() == {"score_spread_ks", "score_spread_psi"}
    assert found["score_spread_ks"].window == "answers 301-550"
    assert found["score_spread_ks"].before.value == pytest.approx(np.mean([one.p for one in stream[:300]]))


def test_an_index_that_could_never_alarm_is_unknown():
    # 0.0001 among 9 things and one block is .000011, and the lowest p of 9,999 shuffles is .0001
    stream = answers(300, {}, p=(4, 2)) + answers(250, {}, seed=1, p=(2, 4))
    found = by_name(watch_stream(stream, StreamSetting(300, 0.0001, horizon=250), about=""))
    assert (found["score_spread_psi"].state, found["score_spread_ks"].state) == ("unknown", "alarm")
    assert "finer than shuffles can tell" in found["score_spread_psi"].reason


def test_profiles_are_watched_apart_and_share_the_false_alarms():
    stream = [one for pair in zip(answers(500, {}), answers(500, {"wrong": 0.6}, seed=3, profile="medical"), strict=True) for one in pair]  # fmt: skip
    report = watch_stream(stream, StreamSetting(300, horizon=200), about="")
    assert {(one.profile, one.what) for one in report.watched} >= {("legal", "wrong"), ("medical", "wrong")}
    before = {one.profile: one.before.value for one in report.watched if one.what == "wrong"}
    assert before["medical"] > 0.5 > before["legal"]
    levels = {one.test.level for one in report.watched if one.test}
    assert all(level == pytest.approx(0.05 / 18) for level in levels)


@pytest.mark.parametrize(("rate", "state"), [(0.0, "steady"), (1.0, "steady"), (0.002, "steady")])
def test_what_never_happens_and_what_always_does_is_watched_one_way(rate, state):
    stream = answers(1000, {"wrong": rate}) + answers(300, {"wrong": rate}, seed=1)
    found = {one.what: one for one in watch_stream(stream, StreamSetting(1000, horizon=300), about="").watched}
    assert found["wrong"].state == state
    moved = stream[:1000] + answers(300, {"wrong": abs(rate - 0.3)}, seed=1)
    alarms = {one.what for one in watch_stream(moved, StreamSetting(1000, horizon=300), about="").alarms}
    assert "wrong" in alarms


def test_too_few_answers_are_unknown_and_never_a_pass():
    short = watch_stream(answers(90, {}), StreamSetting(), about="")
    assert short.exit_code == 3
    assert {one.needs for one in short.watched} == {10}
    waiting = watch_stream(answers(510, {}), StreamSetting(horizon=300), about="")
    assert waiting.exit_code == 3
    one = waiting.watched[0]
    assert one.state == "unknown"
    assert one.needs + 10 == one.test.sees["20"]
    assert watch_stream([], StreamSetting(), about="").exit_code == 3


def test_a_baseline_too_short_for_any_chart_asks_for_a_longer_one(monkeypatch):
    monkeypatch.setattr(bernoulli_chart, "MOST_UNITS", 40)
    report = watch_stream(answers(600, {"wrong": 0.5}, seed=5), StreamSetting(100, horizon=311), about="")
    found = next(one for one in report.watched if one.what == "wrong")
    assert found.state == "unknown"
    assert found.needs == 400
    assert "too short to watch 311 answers by" in found.reason


def test_a_reference_of_its_own_stands_in_for_the_first_answers():
    report = watch_stream(
        answers(200, {"refusal_rate": 0.5}, seed=8), StreamSetting(horizon=200), about="",
        reference=answers(400, {"refusal_rate": 0.1}),
    )  # fmt: skip
    assert "refusal_rate" in {alarm.what for alarm in report.alarms}


CARDS = [
    # fields of a card, and what is expected of refusal, semantic_failed, unsupported, unknown
    ({"bucket": "refused", "refusal": "full"}, (True, None, False, False)),
    ({"bucket": "unsupported", "refusal": "full"}, (True, None, True, False)),
    ({"bucket": "unknown", "cause": "unparsed"}, (None, None, None, True)),
    ({"bucket": "correct", "checks": {"semantic.not_entailed": OutcomeCounts(passed=2)}}, (False, False, False, False)),
    ({"bucket": "unsupported", "checks": {"semantic.padding": OutcomeCounts(passed=1, failed=1, unknown=1)}}, (False, True, True, False)),
    ({"bucket": "unknown", "checks": {"semantic.not_entailed": OutcomeCounts(passed=1, unknown=1)}}, (False, None, None, True)),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "expected"), CARDS)
def test_outcomes_of_a_card(fields, expected):
    found = outcomes_of(CardInBrief(id="a", **fields))
    assert tuple(found[name] for name in ("refusal_rate", "semantic_failed", "unsupported", "unknown")) == expected
    assert tuple(found) == WATCHED


def told(n, people_differ, tool_differs, seed=0, about="support"):
    rng = np.random.default_rng(seed)
    made = []
    for i in range(n):
        truth = int(rng.random() < 0.5)
        words = {name: truth ^ int(rng.random() < people_differ) for name in ("ana", "ben")}
        made.append(Told(about, i // 2, words, truth ^ int(rng.random() < tool_differs)))
    return made


def test_disagreement_by_hand():
    # two agree and the tool differs from both; two differ, so the tool differs from one; three of whom one differs
    things = [
        Told("bucket", 1, {"a": "wrong", "b": "wrong"}, "correct"),
        Told("bucket", 2, {"a": "wrong", "b": "correct"}, "correct"),
        Told("bucket", 3, {"a": "wrong", "b": "wrong", "c": "refused"}, "wrong"),
    ] * 12
    things = [Told(t.about, i, t.people, t.tool) for i, t in enumerate(things)]
    (found,) = compare_with_people(things, about="r", profile="legal").watched
    assert found.before.value == pytest.approx((0 + 1 + 2 / 3) / 3)
    assert found.after.value == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)


def test_a_tool_that_disagrees_more_than_people_do_alarms():
    report = compare_with_people(told(200, 0.05, 0.35), about="r", profile="legal")
    (alarm,) = report.alarms
    assert (alarm.what, alarm.key) == ("support_disagreement", "people/legal/support_disagreement/up")
    assert compare_with_people(told(200, 0.1, 0.1), about="r", profile="legal").exit_code == 0


def test_too_few_shared_labels_are_unknown():
    report = compare_with_people(told(20, 0.1, 0.1), about="r", profile="legal")
    assert report.exit_code == 3
    assert report.watched[0].needs == 10
    assert report.watched[0].reason.startswith("20 things of 10 questions had a label of two people or more")
    alone = [Told("support", i, {"ana": 1}, 1) for i in range(100)]
    assert compare_with_people(alone, about="r", profile="legal").exit_code == 3
    nobody = compare_with_people([], about="r", profile="legal")
    assert (nobody.exit_code, nobody.family) == (3, "nothing was compared, so that nothing could alarm")


def test_an_alarm_is_of_the_report_whatever_way_it_is_written_down():
    report = look(rows_of(400, flips=0.2, seed=3))
    again = DriftReport.model_validate_json(report.model_dump_json())
    assert again == report
    assert set(again.alarms[0].model_dump()) >= {"what", "profile", "window", "before", "after", "n", "since", "test"}
