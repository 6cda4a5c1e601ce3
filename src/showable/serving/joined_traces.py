"""Traces that are due, joined to their answers: from the spans at hand, or from all that the store holds where more came before."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from showable.records.spans import Span
from showable.records.traced import TracedAnswer
from showable.serving.scored_answer import reason_of
from showable.serving.time_limit import time_limit
from showable.stores.traces.errors import StoreError
from showable.stores.traces.store import TraceStore
from showable.traces.assembling import Assembled
from showable.traces.evaluator_spans import is_ours
from showable.traces.join import join

REMEMBERED = 50_000
"""Traces whose size is kept in mind after they were scored."""
MOST_SPANS = 20_000
"""A trace that has grown beyond this is not loaded again for what comes late."""
_WAITED_FOR = frozenset({"finished", "gave_up"})


class Joining(Protocol):
    """As `traces.join.join` is called."""

    def __call__(self, spans: Sequence[Span], *, complete: bool, texts: Callable[..., Any]) -> Sequence[TracedAnswer]:
        """Return the answers of one trace."""
        ...


@dataclass(slots=True)
class JoinedTrace:
    """A trace with its answers, or with the `problem` for which there are none. `whole` says that the store was asked for all of it."""

    trace_id: str
    spans: Sequence[Span]
    complete: bool
    waited: bool = True
    tried: bool = False
    whole: bool = False
    answers: Sequence[TracedAnswer] = ()
    problem: str = ""

    @property
    def ids(self) -> set[str]:
        """The ids of its answers."""
        return {answer.record.id for answer in self.answers}


class TraceJoiner:
    """Joins traces of one store. `too_large` counts those that were not loaded again, for their size."""

    def __init__(self, store: TraceStore, joining: Joining = join) -> None:
        self._store, self._join = store, joining
        self._sizes: OrderedDict[str, int] = OrderedDict()
        self.too_large = 0

    def join(self, one: Assembled) -> JoinedTrace:
        """Join a trace; load it whole where a part of it came before, or must have. Raises StoreError."""
        made = JoinedTrace(one.trace_id, one.spans, one.complete, waited=one.why in _WAITED_FOR)
        if not one.reopened:
            self._try(made)
            if made.complete and made.answers and all(map(_stands_alone, made.answers)):
                return made
        self.load(made)
        return made

    def load(self, made: JoinedTrace) -> None:
        """Join a trace anew from all of its spans that are stored, where there are more of them. Raises StoreError."""
        made.whole = True
        if self._sizes.get(made.trace_id, 0) > MOST_SPANS:
            self.too_large += 1
            made.answers, made.problem = (), ""
            return
        spans = [span for span in self._store.spans_of(made.trace_id) if not is_ours(span.attributes)]
        if len(spans) > len(made.spans) or not made.tried:
            made.spans = spans
            made.complete = made.complete or (made.waited and any(not span.parent_id for span in spans))
            self._try(made)

    def done(self, one: Assembled) -> None:
        """Keep in mind how much of a trace was scored."""
        self._sizes[one.trace_id] = self._sizes.pop(one.trace_id, 0) + len(one.spans)
        if len(self._sizes) > REMEMBERED:
            self._sizes.popitem(last=False)

    def _try(self, made: JoinedTrace) -> None:
        made.tried, made.problem = True, ""
        try:
            with time_limit():
                made.answers = self._join(made.spans, complete=made.complete, texts=self._store.texts)
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 - one trace that breaks something must not stop all others
            made.answers, made.problem = (), reason_of(error)


def _stands_alone(answer: TracedAnswer) -> bool:
    """Check whether an answer looks as if all of its trace were here: its parents are, and a model or a retrieval is among it.

    A root that comes long after the rest, when this process no longer knows of it, is an answer without either.
    """
    return answer.complete and (answer.kind == "LLM" or answer.record.retrieved is not None)
