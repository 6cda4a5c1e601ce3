"""Spans as they arrive, put together into traces that are ready to be joined: bounded memory, and as much work for each span.

There is no clock here: times are those at which spans arrived, as the caller tells them.
"""

from __future__ import annotations

import heapq
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from showable.records.spans import Span

Why = Literal["finished", "gave_up", "evicted", "too_large", "ended"]
MOST_OF_A_TRACE = 10_000
REMEMBERED = 50_000
_STALE = 1000


@dataclass(frozen=True, slots=True)
class Assembled:
    """The spans of one trace, each once. `complete` is False where its root never came or it was not waited for.

    A trace that begins in another process, whose spans are sent elsewhere, is complete without a root when it was waited for.

    `why` says why it is handed out: it finished, was given up, had to go for room, outgrew one trace's share, or everything was
    asked for. `reopened` says that spans of it were handed out before: the rest of it is in the store, not here. `first_position` is the
    smallest position of its spans.
    """

    trace_id: str
    spans: Sequence[Span]
    complete: bool
    why: Why
    reopened: bool
    first_position: int


@dataclass(slots=True)
class _Open:
    spans: dict[str, Span] = field(default_factory=dict)
    first: int = 0
    last_ns: int = 0
    rooted: bool = False


class Assembler:
    """Holds the spans of open traces until their trace is due.

    A trace is due when its root has come and nothing of it for `quiet_ns`, or nothing for `give_up_ns` without its root. Above
    `most_spans` held, those go first of which nothing came for longest; one that has `most_of_a_trace` goes at once, so that no
    single trace drives out the others. Ids of the last `remembered` traces handed out are kept, to tell late spans by: they wait for
    `quiet_ns` alone where the root had come.
    """

    def __init__(
        self,
        quiet_ns: int,
        give_up_ns: int,
        most_spans: int,
        *,
        most_of_a_trace: int = MOST_OF_A_TRACE,
        remembered: int = REMEMBERED,
    ) -> None:
        self.quiet_ns, self.give_up_ns = quiet_ns, give_up_ns
        self.most_spans, self.most_of_a_trace, self.remembered = most_spans, most_of_a_trace, remembered
        self.held = 0
        """Spans held."""
        self._rooted: OrderedDict[str, _Open] = OrderedDict()
        self._rootless: OrderedDict[str, _Open] = OrderedDict()
        self._ready: list[Assembled] = []
        self._ready_spans = 0
        self._handed_out: OrderedDict[str, bool] = OrderedDict()
        self._positions: list[tuple[int, str]] = []
        self._latest_ns = 0

    def add(self, position: int, span: Span, now_ns: int) -> None:
        """Take a span that arrived at `now_ns` and is stored at `position`. One that came before counts as an arrival, and is kept once."""
        now_ns = self._latest_ns = max(now_ns, self._latest_ns)
        trace_id = span.trace_id
        held = self._rooted.get(trace_id) or self._rootless.get(trace_id)
        if held is None:
            held = _Open(first=position, rooted=self._handed_out.get(trace_id, False))
            (self._rooted if held.rooted else self._rootless)[trace_id] = held
            heapq.heappush(self._positions, (position, trace_id))
        elif position < held.first:
            held.first = position
            heapq.heappush(self._positions, (position, trace_id))
        known = held.spans.get(span.span_id)
        if known is None or _fullness(span) > _fullness(known):
            held.spans[span.span_id] = span
            self.held += known is None
        held.last_ns = now_ns
        if not held.rooted and not span.parent_id:
            held.rooted = True
            self._rooted[trace_id] = self._rootless.pop(trace_id)
        (self._rooted if held.rooted else self._rootless).move_to_end(trace_id)
        if len(held.spans) >= self.most_of_a_trace:
            self._hand_out(trace_id, "too_large")
        while self.held - self._ready_spans > self.most_spans:
            self._hand_out(self._quietest(), "evicted")

    def due(self, now_ns: int) -> list[Assembled]:
        """Return the traces that are due, and let go of them."""
        now_ns = self._latest_ns = max(now_ns, self._latest_ns)
        for waiting, wait_ns, why in self._waiting():
            while waiting:
                trace_id, first = next(iter(waiting.items()))
                if first.last_ns + wait_ns > now_ns:
                    break
                self._hand_out(trace_id, why)
        return self._let_go()

    def drain(self) -> list[Assembled]:
        """Return all traces that are held, due or not: there is nothing to wait for any more."""
        for waiting in (self._rooted, self._rootless):
            for trace_id in list(waiting):
                self._hand_out(trace_id, "finished" if waiting is self._rooted else "ended")
        return self._let_go()

    def oldest_position(self) -> int | None:
        """Return the smallest position of any span held, None where none is: all before it was handed out."""
        while self._positions and not self._stands(*self._positions[0]):
            heapq.heappop(self._positions)
        open_first = self._positions[0][0] if self._positions else None
        firsts = [each.first_position for each in self._ready] + ([] if open_first is None else [open_first])
        return min(firsts, default=None)

    def _waiting(self) -> tuple[tuple[OrderedDict[str, _Open], int, Why], tuple[OrderedDict[str, _Open], int, Why]]:
        return (self._rooted, self.quiet_ns, "finished"), (self._rootless, self.give_up_ns, "gave_up")

    def _quietest(self) -> str:
        heads = [next(iter(waiting.items())) for waiting in (self._rooted, self._rootless) if waiting]
        return min(heads, key=lambda head: head[1].last_ns)[0]

    def _hand_out(self, trace_id: str, why: Why) -> None:
        held = self._rooted.pop(trace_id, None) or self._rootless.pop(trace_id)
        reopened = trace_id in self._handed_out
        self._handed_out[trace_id] = held.rooted
        self._handed_out.move_to_end(trace_id)
        if len(self._handed_out) > self.remembered:
            self._handed_out.popitem(last=False)
        spans = tuple(held.spans.values())
        whole = why == "finished" or (why == "gave_up" and _begins_elsewhere(held.spans))
        self._ready.append(Assembled(trace_id, spans, whole, why, reopened, held.first))
        self._ready_spans += len(spans)

    def _let_go(self) -> list[Assembled]:
        ready, self._ready = self._ready, []
        self.held -= self._ready_spans
        self._ready_spans = 0
        if len(self._positions) > 2 * (len(self._rooted) + len(self._rootless)) + _STALE:
            self._positions = [each for each in self._positions if self._stands(*each)]
            heapq.heapify(self._positions)
        return ready

    def _stands(self, position: int, trace_id: str) -> bool:
        held = self._rooted.get(trace_id) or self._rootless.get(trace_id)
        return held is not None and held.first == position


def _begins_elsewhere(spans: Mapping[str, Span]) -> bool:
    """Check whether every parent that is missing is in another process, by what the spans below say."""
    orphans = [span for span in spans.values() if span.parent_id and span.parent_id not in spans]
    return bool(orphans) and all(span.remote_parent for span in orphans)


def _fullness(span: Span) -> tuple[int, int, int]:
    """Order the copies of a span: what ended later, says more, or had its log events put to it, is kept."""
    return span.end_ns, len(span.attributes), len(span.events)
