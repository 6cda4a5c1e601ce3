"""What every trace store does, whichever engine is behind it: imported by the tests of each, which bring a `store` fixture.

The expected values are worked out by hand from the rows that each test makes.
"""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from probative.records import Outcome
from probative.records.record import Answer, Citation, Claim, Record, Source
from probative.records.scorecard import CitationScore, ClaimScore, Scorecard
from probative.records.spans import Span, SpanEvent, SpanLink
from probative.records.traced import SUPERSEDED, LiveScore, Loss, TracedAnswer
from probative.stores.traces.errors import StoreError
from probative.stores.traces.store import Count, Where

HOUR = 3_600_000_000_000
DAY = 24 * HOUR
NOON = 19_700 * DAY + 12 * HOUR
"""A noon in December 2023."""
T1, T2 = "0a" * 16, "0b" * 16
PASS, FAIL, UNKNOWN = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN


def span(n=1, trace=T1, **fields):
    return Span(trace, f"{n:016x}", **{"name": f"step {n}", "start_ns": NOON + n, "end_ns": NOON + n + 5, **fields})


def batch(of, trace=T1):
    return [span(n, trace) for n in range(1, of + 1)]


WHOLE = Span(
    T1,
    "00f067aa0ba902b7",
    parent_id="00f067aa0ba902b6",
    name="retrieval «α»",
    start_ns=NOON,
    end_ns=NOON - 1,
    service="shop",
    attributes={
        "s": "x\x00y",
        "i": 2**63 - 1,
        "f": 0.1,
        "b": True,
        "n": None,
        "l": [1, "a", [2]],
        "m": {"k": {"d": 1}},
    },
    events=(SpanEvent("gen_ai.choice", NOON, {"index": 0}),),
    links=(SpanLink(T2, "00f067aa0ba902b9", {"why": "retry"}),),
    status="error",
    status_message="timed out",
    scope="openinference.instrumentation.openai",
    resource={"service.name": "shop", "host": "h1"},
    problems=("ends before it starts",),
)


def scored(key="a", *, cites=("d1",), retrieved=("d1", "d2"), at=NOON, service="shop", bucket="correct", **fields):
    """One scored answer; what is cited and not retrieved fails to exist."""
    trace_id, span_id = f"{ord(key[0]):032x}", f"{ord(key[0]):016x}"
    log = None if retrieved is None else tuple(Source(source_id=i, text=f"text of {i}") for i in retrieved)
    claim = Claim(text="Thirty days.", citations=tuple(Citation(source_id=i) for i in cites))
    question = fields.pop("question", f"How long is {key}?")
    record = Record(id=f"{trace_id}:{span_id}", question=question, answer=Answer(claims=(claim,)), retrieved=log)
    citations = tuple(_cited(i, retrieved) for i in cites)
    card = Scorecard(
        id=record.id,
        bucket=bucket,
        cause={"unsupported": "invented_source", "wrong": "contradicts_gold"}.get(bucket),
        citation_exists=PASS,
        citation_supports=UNKNOWN,
        claims=(ClaimScore(text="Thirty days.", support="unknown", citations=citations),),
    )
    of_answer = {"model": "m1", "cohort": "", "prompt_version": "v1", "latency_ms": 12.5, "complete": True}
    of_answer = {name: fields.pop(name, value) for name, value in of_answer.items()}
    traced = TracedAnswer(
        record,
        trace_id,
        span_id,
        service=service,
        started_ns=at,
        parent_id="p1",
        conventions=("openinference",),
        losses=(Loss("no_ids", "the documents have no ids"),),
        **of_answer,
    )
    of_score = {"structural": PASS, "resolvability": PASS, "semantic": UNKNOWN, "stratum": "clean", "probability": 0.5}
    rest = {"chosen": False, "judged": False, "signature": "s", "profile": "legal", "scored_ns": at + 1}
    return LiveScore(traced, card, **{**of_score, **rest, **fields})


def _cited(source_id, retrieved):
    exists = UNKNOWN if retrieved is None else PASS if source_id in retrieved else FAIL
    return CitationScore(source_id=source_id, exists=exists, resolves=exists, supports=UNKNOWN)


def ids(found):
    return [one.id for one in found]


# spans


def test_a_span_comes_back_as_it_went_in(store):
    assert store.add_spans([WHOLE]) == 1
    ((position, back),) = store.spans_after(0, 10)
    assert back == WHOLE
    assert position > 0
    assert store.spans_of(T1) == [WHOLE]


@pytest.mark.parametrize(
    "odd",
    [
        Span("ABCDEF0123456789" * 2, "UPPER"),
        Span("trace of a backend", "span-1", parent_id="root"),
        Span("clz8xq0", "abc"),
        Span("", ""),
        Span("1", "2", start_ns=2**64 - 1, end_ns=2**64 - 1),
        Span("1", "2", start_ns=1, attributes={"i": 2**70}, parent_id=""),
    ],
    ids=["upper case", "words", "odd digits", "empty", "64 bits without a sign", "a number past 64 bits"],
)
def test_ids_and_times_of_another_form_are_kept_as_they_are(store, odd):
    store.add_spans([odd])
    assert [span for _, span in store.spans_after(0, 10)] == [odd]
    assert store.spans_of(odd.trace_id) == [odd]


def test_what_cannot_be_written_does_not_hold_up_the_rest(store):
    half = Span(
        T1, "01" * 8, name="\ud800", service="\udfff", attributes={"x": "a\ud800b", "nan": math.nan}, start_ns=NOON
    )
    deep = {}
    for _ in range(100_000):
        deep = {"d": deep}
    odd = Span(T1, "02" * 8, attributes={"deep": deep}, start_ns=NOON)
    assert store.add_spans([half, odd, span(3)]) == 3
    first, second, third = store.spans_of(T1)
    assert (first.name, first.service, first.attributes) == ("?", "?", {"x": "a?b", "nan": None})
    assert second.attributes == {}
    assert "could not be kept" in second.problems[0]
    assert third == span(3)


def test_a_span_is_kept_once_and_stays_as_it_was(store):
    assert store.add_spans(batch(3)) == 3
    assert store.add_spans([span(2, name="another"), span(4), span(4)]) == 1
    assert store.add_spans(batch(4)) == 0
    assert store.add_spans([]) == 0
    assert [s.name for s in store.spans_of(T1)] == ["step 1", "step 2", "step 3", "step 4"]
    assert store.holdings().spans == 4


def test_spans_are_read_on_in_the_order_they_came(store):
    late, early = span(1, T2, start_ns=NOON + DAY), span(2, T2, start_ns=NOON - DAY)
    store.add_spans(batch(3))
    store.add_spans([late, early])
    read, position = [], 0
    while page := store.spans_after(position, 2):
        read += [s for _, s in page]
        assert [at for at, _ in page] == sorted({at for at, _ in page})
        position = page[-1][0]
    assert read[:3] == batch(3)
    assert {s.key for s in read[3:]} == {late.key, early.key}
    assert store.spans_of(T2) == [early, late]
    assert store.spans_of("ff" * 16) == []


def test_the_checkpoint_is_kept_with_the_scores(store):
    assert store.checkpoint() == 0
    store.add_scores([], checkpoint=7)
    store.add_scores([scored("a")])
    assert store.checkpoint() == 7
    store.add_scores([scored("b")], checkpoint=9)
    assert store.checkpoint() == 9


# events that come apart from their spans


MESSAGE, CHOICE = (
    SpanEvent("gen_ai.user.message", NOON, {"content": "Q"}),
    SpanEvent("gen_ai.choice", NOON + 2, {"c": "A"}),
)


def test_events_that_come_first_wait_for_their_span(store):
    assert store.add_events([(T1, f"{1:016x}", MESSAGE), (T1, f"{1:016x}", CHOICE)]) == 2
    assert store.add_events([(T1, f"{1:016x}", CHOICE)]) == 0
    assert store.spans_after(0, 10) == []
    assert store.add_spans(batch(2)) == 2
    first, second = store.spans_of(T1)
    assert first.events == (MESSAGE, CHOICE)
    assert second.events == ()
    assert store.add_events([(T1, f"{1:016x}", CHOICE)]) == 0
    assert len(store.spans_after(0, 10)) == 2


def test_events_that_come_after_bring_their_span_to_the_end(store):
    store.add_spans(batch(3))
    position = store.spans_after(0, 10)[-1][0]
    events = [(T1, f"{2:016x}", MESSAGE), (T1, f"{9:016x}", CHOICE), (T1, f"{2:016x}", CHOICE)]
    assert store.add_events(events) == 3
    assert store.add_events(events) == 0
    ((_, again),) = store.spans_after(position, 10)
    assert again == replace(span(2), events=(MESSAGE, CHOICE))
    assert store.spans_of(T1) == [span(1), again, span(3)]
    assert store.add_spans(batch(3)) == 0
    assert store.holdings().spans == 3


# scores


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


# the rest


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


def test_pruning_keeps_what_is_new_and_what_is_not_scored(store):
    old = [span(n, start_ns=NOON - 9 * DAY + n) for n in range(3)]
    store.add_spans([*old, span(4, T2, start_ns=NOON - 9 * DAY)])
    position = store.spans_after(0, 9)[-1][0]
    store.add_scores(
        [scored("a", at=NOON - 9 * DAY), scored("b", at=NOON - DAY), scored("c", at=0)], checkpoint=position
    )
    store.add_spans([span(5, T2), span(6, T2, start_ns=0)])
    assert store.prune(NOON - 2 * DAY) == 5
    assert store.spans_of(T1) == []
    assert len(store.spans_of(T2)) == 3
    assert ids(store.answers(Where(), limit=9)) == ids([scored("b")])
    assert (store.holdings().spans, store.holdings().answers, store.holdings().to_export) == (3, 1, 1)
    assert store.prune(NOON - 2 * DAY) == 0
    store.add_scores([], checkpoint=store.spans_after(0, 9)[-1][0])
    assert store.prune(NOON - DAY + 1) == 2
    assert [s.span_id for s in store.spans_of(T2)] == [f"{6:016x}", f"{5:016x}"]
    assert store.values("service") == []


def test_a_closed_store_says_so(store):
    store.close()
    store.close()
    with pytest.raises(StoreError, match="is closed"):
        store.spans_of(T1)
    with pytest.raises(StoreError, match="is closed"):
        store.add_spans(batch(1))
