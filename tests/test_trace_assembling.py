"""Putting spans together as they arrive: when a trace is due, what goes when room runs out, what may be forgotten after a crash."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace

from built_traces import lease_trace, span
from hypothesis import given, settings
from hypothesis import strategies as st

from showable.traces.assembling import Assembler

QUIET, GIVE_UP = 2, 100


def made(**more):
    return Assembler(QUIET, GIVE_UP, more.pop("most_spans", 1000), **more)


def of(trace, name="llm", parent="root"):
    return span(name, "LLM", parent, trace=trace)


def told(assembled):
    return [(each.trace_id, each.why, each.complete, each.reopened, len(each.spans)) for each in assembled]


def test_a_trace_is_due_when_its_root_came_and_it_has_been_quiet():
    assembler = made()
    for position, each in enumerate(reversed(lease_trace(trace="a")), 1):
        assembler.add(position, each, position)
    assert (assembler.held, assembler.oldest_position()) == (3, 1)
    assert assembler.due(3 + QUIET - 1) == []
    assert told(assembler.due(3 + QUIET)) == [("a", "finished", True, False, 3)]
    assert (assembler.held, assembler.oldest_position()) == (0, None)


def test_a_trace_that_begins_elsewhere_is_whole_without_its_root():
    """Source: OTLP's flags say that a parent is in another process; a gateway's spans may be sent to somebody else."""
    assembler = made()
    assembler.add(1, replace(of("a"), remote_parent=True), 0)
    assembler.add(2, of("a", "below", "llm"), 0)
    assembler.add(3, replace(of("b"), remote_parent=True), 0)
    assembler.add(4, of("b", "lost", "nobody"), 0)
    assert assembler.due(QUIET) == []
    assert told(assembler.due(GIVE_UP)) == [("a", "gave_up", True, False, 2), ("b", "gave_up", False, False, 2)]


def test_without_a_root_it_is_given_up_later():
    assembler = made()
    assembler.add(1, of("a"), 0)
    assembler.add(2, of("b"), 50)
    assert assembler.due(GIVE_UP - 1) == []
    assert told(assembler.due(GIVE_UP)) == [("a", "gave_up", False, False, 1)]
    assert assembler.oldest_position() == 2
    assembler.add(3, of("b", "root", None), 120)
    assert told(assembler.due(120 + QUIET)) == [("b", "finished", True, False, 2)]


def test_a_span_that_came_twice_is_kept_once_and_an_arrival_all_the_same():
    assembler = made()
    assembler.add(1, of("a", "root", None), 0)
    assembler.add(2, of("a", "root", None), 1)
    assert assembler.held == 1
    assert assembler.due(QUIET) == []
    assert told(assembler.due(1 + QUIET)) == [("a", "finished", True, False, 1)]


def test_late_spans_open_the_trace_again_and_need_not_wait_for_a_root():
    assembler = made()
    assembler.add(1, of("a", "root", None), 0)
    assembler.due(QUIET)
    assembler.add(2, of("a"), 10)
    assert told(assembler.due(10 + QUIET)) == [("a", "finished", True, True, 1)]


def test_above_the_room_those_go_first_of_which_nothing_came_for_longest():
    assembler = made(most_spans=2)
    for position, trace in enumerate("abca", 1):
        assembler.add(position, of(trace, f"s{position}"), position)
    assert assembler.oldest_position() == 1
    assert told(assembler.due(5)) == [("a", "evicted", False, False, 1), ("b", "evicted", False, False, 1)]
    assert assembler.held == 2
    assert told(assembler.drain()) == [("c", "ended", False, False, 1), ("a", "ended", False, True, 1)]


def test_one_endless_trace_does_not_drive_out_the_others():
    assembler = made(most_spans=20, most_of_a_trace=5)
    assembler.add(1, of("small"), 0)
    out = []
    for position in range(2, 200):
        assembler.add(position, of("endless", f"s{position}"), 1)
        out += assembler.due(1)
    assert {each.trace_id for each in out} == {"endless"}
    assert {each.why for each in out} == {"too_large"}
    assert [each.trace_id for each in assembler.drain()] == ["small", "endless"]


def test_memory_stays_where_it_is():
    assembler = made(most_spans=300, remembered=100)

    def feed(start, count):
        for position in range(start, start + count):
            parent = None if position % 3 == 0 else "root"
            assembler.add(position, of(f"t{position // 2}", f"s{position}", parent), position)
            assembler.due(position)
            assembler.oldest_position()

    feed(0, 1500)
    tracemalloc.start()
    feed(1500, 1)
    before = tracemalloc.get_traced_memory()[0]
    feed(1501, 3000)
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert assembler.held <= 300
    assert grown < 600_000  # 300 spans held, and no more than that of the 3,000 that came


@settings(max_examples=60)
@given(
    arrivals=st.lists(
        st.tuples(st.sampled_from("abcd"), st.sampled_from("xyz"), st.booleans(), st.integers(0, 60)), max_size=40
    )
)
def test_every_span_is_handed_out_and_nothing_held_lies_before_the_oldest_position(arrivals):
    assembler, now, held, out = made(most_spans=5), 0, {}, []
    for position, (trace, name, is_root, wait) in enumerate(arrivals, 1):
        now += wait
        assembler.add(position, of(trace, name, None if is_root else "root"), now)
        held.setdefault(trace, position)
        oldest = assembler.oldest_position()
        assert oldest is not None
        due = assembler.due(now)
        for each in due:
            held.pop(each.trace_id, None)
        out += due
        for trace_id, first in held.items():
            oldest = assembler.oldest_position()
            assert oldest is not None, trace_id
            assert oldest <= first
        assert assembler.held <= 5
    out += assembler.drain()
    handed = {(each.trace_id, span.span_id) for each in out for span in each.spans}
    assert handed == {(trace, name) for trace, name, _, _ in arrivals}
    assert (assembler.held, assembler.oldest_position()) == (0, None)
