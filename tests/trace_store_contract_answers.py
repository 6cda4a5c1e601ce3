"""What every trace store does with scored answers, lists, counts and passages, whichever engine is behind it: imported by the tests of each, which bring a `store` fixture.

The expected values are worked out by hand from the rows that each test makes.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from trace_store_rows import DAY, FAIL, HOUR, NOON, PASS, ids, scored

from showable.records.scorecard import Release
from showable.records.traced import SUPERSEDED
from showable.stores.traces.errors import StoreError
from showable.stores.traces.store import Count, RouteCount, Where


def test_a_score_comes_back_as_it_went_in(store):
    whole = scored(
        "a", semantic=FAIL, bucket="unsupported", cites=("d1", "dX"), chosen=True, judged=True, scored_ns=2**62
    )
    store.add_scores([whole, scored("b", retrieved=None)])
    assert store.scores([whole.id]) == [whole]
    assert store.scores_of(whole.answer.trace_id) == [whole]
    assert store.scores([scored("b").id, "nobody", whole.id]) == [scored("b", retrieved=None), whole]
    assert store.scores([]) == []
    assert store.scores_of("nobody") == []


def test_later_scores_stand_in_place_of_earlier_ones(store):
    store.add_scores([scored("a", scored_ns=5), scored("a", scored_ns=6), scored("b")])
    store.add_scores([scored("a", scored_ns=7, bucket="wrong", service="desk")])
    assert [score.scored_ns for score in store.scores([scored("a").id])] == [7]
    assert store.holdings().answers == 2
    assert store.values("service") == ["desk", "shop"]
    store.add_scores([scored("a", at=NOON + 3 * DAY, service="desk")])
    assert store.holdings().answers == 2
    assert ids(store.answers(Where(), limit=5)) == [scored("a").id, scored("b").id]


def test_what_waits_for_the_judge(store):
    store.add_scores([scored("a", chosen=True, at=NOON + 9), scored("b", chosen=True), scored("c")])
    assert ids(store.to_judge(5)) == ids([scored("b"), scored("a")])
    assert ids(store.to_judge(1)) == ids([scored("b")])
    assert store.holdings().to_judge == 2
    store.add_scores([scored("b", chosen=True, judged=True)])
    assert ids(store.to_judge(5)) == ids([scored("a")])
    assert store.holdings().to_judge == 1


def test_what_waits_to_be_sent_on(store):
    store.add_scores([scored("a", at=NOON + 9), scored("b")])
    first = store.to_export(5)
    assert ids(first) == ids([scored("b"), scored("a")])
    store.add_scores([scored("b", judged=True, chosen=True, scored_ns=NOON + 50)])
    store.mark_exported(first)
    assert ids(store.to_export(5)) == ids([scored("b")])
    assert store.holdings().to_export == 1
    store.mark_exported(store.to_export(5))
    store.mark_exported(first)
    assert store.to_export(5) == []
    assert (store.holdings().to_export, store.holdings().answers) == (0, 2)
    assert store.scores([scored("b").id])[0].judged


# lists and counts


FOUR = [
    scored("a", at=NOON, bucket="correct", chosen=True, judged=True, semantic=PASS, probability=0.25),
    scored("b", at=NOON + HOUR, bucket="unsupported", service="desk", resolvability=FAIL, cites=("dX", "d1", "dX")),
    scored(
        "c", at=NOON + HOUR + 1, bucket="wrong", model="m2", cohort="exp", chosen=True, judged=True, probability=1.0
    ),
    scored(
        "d",
        at=NOON + 2 * HOUR,
        bucket="unknown",
        prompt_version="v2",
        question="Größe? 100% d'accord \\ _",
        complete=False,
    ),
]


NARROWED = [
    (Where(), "dcba"),
    (Where(since_ns=NOON + HOUR), "dcb"),
    (Where(until_ns=NOON + HOUR), "a"),
    (Where(since_ns=NOON + 1, until_ns=NOON + 2 * HOUR), "cb"),
    (Where(since_ns=-(2**70), until_ns=2**70), "dcba"),
    (Where(service="shop"), "dca"),
    (Where(service="SHOP"), ""),
    (Where(service=""), ""),
    (Where(model="m2"), "c"),
    (Where(prompt_version="v2"), "d"),
    (Where(profile="legal", cohort="exp"), "c"),
    (Where(bucket="correct"), "a"),
    (Where(failing=True), "cb"),
    (Where(failing=True, service="desk"), "b"),
    (Where(text="long is B"), "b"),
    (Where(text="thirty DAYS"), "dcba"),
    (Where(text="GRÖßE"), "d"),
    (Where(text="100%"), "d"),
    (Where(text="d'accord \\ _"), "d"),
    (Where(text="%"), "d"),
    (Where(text="nothing", failing=True), ""),
]


def test_answers_are_narrowed_down(store):
    store.add_scores(FOUR)
    for where, expected in NARROWED:
        found = store.answers(where, limit=10)
        assert ids(found) == ids(scored(key) for key in expected), where
        total = store.counts(where, dimensions=["bucket"])
        assert sum(count.n for count in total) == len(expected), where


def test_what_turned_out_to_be_no_answer_is_listed_and_counted_nowhere(store):
    store.add_scores(FOUR)
    store.add_scores([replace(FOUR[1], stratum=SUPERSEDED)])
    assert ids(store.answers(Where(), limit=10)) == ids(FOUR[at] for at in (3, 2, 0))
    assert sum(count.n for count in store.counts(Where(), dimensions=["resolvability"])) == 3
    assert store.not_retrieved(Where(), limit=10) == []


def test_a_list_has_what_it_shows(store):
    store.add_scores([FOUR[3]])
    (row,) = store.answers(Where(), limit=1)
    traced = FOUR[3].answer
    assert (row.id, row.trace_id, row.span_id) == (FOUR[3].id, traced.trace_id, traced.span_id)
    assert (row.question, row.answer) == (traced.record.question, "Thirty days.")
    assert (row.started_ns, row.latency_ms, row.complete) == (NOON + 2 * HOUR, 12.5, False)
    assert (row.bucket, row.cause, row.structural, row.diagnosis) == ("unknown", "", "pass", "unknown")
    assert (row.service, row.model, row.prompt_version, row.profile, row.stratum) == (
        "shop",
        "m1",
        "v2",
        "legal",
        "clean",
    )


def test_a_list_goes_on_where_it_stopped(store):
    store.add_scores([scored(key, at=NOON + n // 3) for n, key in enumerate("abcdefg")])
    whole = ids(store.answers(Where(), limit=10))
    paged, after = [], None
    while page := store.answers(Where(), limit=2, after=after):
        paged += ids(page)
        after = page[-1].id
    assert paged == whole
    assert len(whole) == 7
    with pytest.raises(StoreError, match="not held any more"):
        store.answers(Where(), limit=2, after="nobody")


def test_counts_by_hour_and_service(store):
    store.add_scores(FOUR)
    found = store.counts(Where(), dimensions=["bucket"], by="service", step_ns=HOUR)
    assert found == [
        Count(NOON, "shop", "bucket", "correct", 1, 1, 4.0, 16.0),
        Count(NOON + HOUR, "desk", "bucket", "unsupported", 1, 0, 0.0, 0.0),
        Count(NOON + HOUR, "shop", "bucket", "wrong", 1, 1, 1.0, 1.0),
        Count(NOON + 2 * HOUR, "shop", "bucket", "unknown", 1, 0, 0.0, 0.0),
    ]


def test_counts_of_several_dimensions_each_add_up(store):
    store.add_scores(FOUR)
    dimensions = ["structural", "resolvability", "semantic", "bucket", "cause", "refusal", "diagnosis"]
    found = store.counts(Where(), dimensions=dimensions)
    for dimension in dimensions:
        assert sum(count.n for count in found if count.dimension == dimension) == 4
    by_value = {(count.dimension, count.value): (count.n, count.chosen, count.weight) for count in found}
    assert by_value["semantic", "pass"] == (1, 1, 4.0)
    assert by_value["semantic", "unknown"] == (3, 1, 1.0)
    assert by_value["resolvability", "fail"] == (1, 0, 0.0)
    assert {count.at_ns for count in found} == {0}
    assert {count.group for count in found} == {""}
    assert store.counts(Where(), dimensions=[]) == []
    assert store.counts(Where(service="nobody"), dimensions=["bucket"]) == []


def test_a_name_that_is_none_goes_into_no_statement(store):
    with pytest.raises(StoreError, match="grouped by"):
        store.counts(Where(), dimensions=["bucket"], by="id; DROP TABLE answers")
    with pytest.raises(StoreError, match="not counted by"):
        store.counts(Where(), dimensions=["id"])
    with pytest.raises(StoreError, match="grouped by"):
        store.values("question")
    with pytest.raises(StoreError, match="leads nowhere"):
        store.counts(Where(), dimensions=["bucket"], step_ns=0)


def test_values_the_most_frequent_first(store):
    store.add_scores(FOUR)
    assert store.values("service") == ["shop", "desk"]
    assert store.values("model") == ["m1", "m2"]
    assert store.values("cohort") == ["", "exp"]


def test_the_join_finds_what_was_cited_and_never_retrieved(store):
    store.add_scores([*FOUR, scored("e", cites=("d9",), retrieved=()), scored("f", cites=("d9",), retrieved=None)])
    assert dict(store.not_retrieved(Where(), limit=9)) == {FOUR[1].id: ("dX",), scored("e").id: ("d9",)}
    assert [key for key, _ in store.not_retrieved(Where(), limit=1)] == [FOUR[1].id]
    assert store.not_retrieved(Where(service="shop", text="is e"), limit=9) == [(scored("e").id, ("d9",))]


# passages, and what processes say


def test_guarded_answers_are_counted_by_route_and_release(store):
    released = Release(verdict="hold", codes=("resolvability.not_retrieved",))
    rows = [  # route, release, dollars, the guard's ms; the whole call takes ten times as long
        *(("a", "show", 0.25, float(ms)) for ms in range(1, 20)),
        ("a", "hold", None, 20.0),
        ("b", "refused", 0.5, None),
        ("", "", 9.0, None),
    ]
    made = []
    for number, (route, release, usd, ms) in enumerate(rows):
        one = scored(chr(97 + number))
        traced = replace(
            one.answer,
            route=route,
            release=release,
            cost_usd=usd,
            guard_ms=ms,
            released=released if release == "hold" else None,
            latency_ms=None if ms is None else 10 * ms,
        )
        made.append(replace(one, answer=traced))
    store.add_scores(made)
    assert store.scores([made[19].id]) == [made[19]]
    assert store.routes(Where()) == [
        RouteCount("a", {"hold": 1, "show": 19}, 4.75, 19, (10.0, 19.0), (100.0, 190.0)),
        RouteCount("b", {"refused": 1}, 0.5, 1, None, None),
    ]
    assert store.routes(Where(until_ns=NOON)) == []
    assert [one.route for one in store.routes(Where(text="how long is b"))] == ["a"]


def test_texts_and_gauges(store):
    store.add_texts({"d1": "old", "d2": "zwei\x00"})
    store.add_texts({"d1": "new"})
    store.add_texts({})
    assert store.texts(["d1", "d2", "d3"]) == {"d1": "new", "d2": "zwei\x00"}
    assert store.texts([]) == {}
    assert store.gauges() == {}
    store.set_gauges("scoring", {"at_ns": 1.0, "lag": 5})
    store.set_gauges("scoring", {"at_ns": 2.0})
    store.set_gauges("receiver", {"at_ns": 3.0})
    assert store.gauges() == {"scoring": {"at_ns": 2.0}, "receiver": {"at_ns": 3.0}}
