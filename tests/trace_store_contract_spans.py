"""What every trace store does with spans, whichever engine is behind it: imported by the tests of each, which bring a `store` fixture.

The expected values are worked out by hand from the rows that each test makes.
"""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from trace_store_rows import DAY, NOON, T1, T2, batch, ids, scored, span

from showable.records.spans import Span, SpanEvent, SpanLink
from showable.stores.traces.errors import StoreError
from showable.stores.traces.store import Where

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


LIKE = [
    ("", ["", "AB cd", "ab", "ab0", "ab0c", "abff", "ac", "é-1"]),
    ("a", ["ab", "ab0", "ab0c", "abff", "ac"]),
    ("ab", ["ab", "ab0", "ab0c", "abff"]),
    ("ab0", ["ab0", "ab0c"]),
    ("abf", ["abff"]),
    ("AB", ["AB cd"]),
    ("é", ["é-1"]),
    ("f", []),
    ("ff", []),
]
"""By how they begin: ids that are kept as bytes (hexadecimal, of even length, lower case) stand with those that are not."""


def test_traces_are_found_by_how_their_ids_begin(store):
    store.add_spans([span(n, trace) for trace in LIKE[0][1] for n in (1, 2)])
    for prefix, expected in LIKE:
        assert store.traces_like(prefix, 9) == expected, prefix
    assert store.traces_like("ab", 2) == ["ab", "ab0"]
    store.add_spans([span(1, "ff" * 16)])
    assert store.traces_like("fff", 9) == store.traces_like("ff", 9) == ["ff" * 16]


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
