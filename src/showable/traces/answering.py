"""Which spans of a trace are answers to the user: one of each turn.

Of the model calls of a turn that gave words and are no steps on the way (`sayings`), the answer is the last whose words are what
the turn gave back; else the last of those within what it gave back; else the last of those that are not the material of a later call
and did not end before the turn's first retrieval began. One that succeeded goes before one that failed. Of spans that record the same call, the fullest
stands for it. A turn without such a model call is answered by the outermost chain or agent that says what it took and gave;
else by the last model call that says it gave nothing: an empty answer. Where all model calls ended before the first retrieval
began, clocks are likelier wrong than that nothing was answered: the last of them is the answer. A turn that says nothing has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice

from showable.records.traced import Loss
from showable.traces.facts import SpanFacts
from showable.traces.sayings import Saying, read_by, retrieves, said_by, sayings, twins_of
from showable.traces.text_values import asked_in
from showable.traces.tree import Step, Tree
from showable.traces.turns import Turn, turns_of

_CHAINS = frozenset({"CHAIN", "AGENT", "CONVERSATION", "A2A_SERVER", "UNKNOWN"})
_SHORTEST_MATERIAL = 20
_LATER = 20


@dataclass(frozen=True, slots=True, eq=False)
class Answering:
    """An answering step, its words ("" where it says that it gave none), its turn, and the other spans of the same call."""

    step: Step
    text: str
    turn: Turn
    twins: Sequence[Step] = ()
    losses: Sequence[Loss] = ()


def answerings(tree: Tree) -> list[Answering]:
    """Return the answering steps of a trace, in the order of its turns."""
    turns = turns_of(tree, sayings(tree))
    return [found for turn in turns if (found := _of_turn(turn, tree)) is not None]


def _of_turn(turn: Turn, tree: Tree) -> Answering | None:
    retrieval = _first_retrieval(turn, tree)
    chosen = _chosen(turn, retrieval)
    if chosen is None and (other := _from_chain(turn, tree) or _empty(turn, tree)) is not None:
        return other
    losses = []
    if chosen is None and (chosen := _skewed(turn, tree, retrieval)) is not None:
        losses.append(
            Loss("clock_skew", "the answer is timed before the first retrieval, and no other model call after it")
        )
    if chosen is None:
        return None
    twins = twins_of(chosen, turn.steps, tree)
    step = max((chosen.step, *twins), key=lambda each: (_fullness(each.facts), -each.number))
    if step is not chosen.step:
        twins = [chosen.step, *(twin for twin in twins if twin is not step)]
    return Answering(step, said_by(step) or chosen.text, turn, twins, [*losses, *_losses(chosen, turn)])


def _first_retrieval(turn: Turn, tree: Tree) -> int | None:
    """Return when the turn's first retrieval began, in ns; None where there is none, or one does not say when."""
    begun = [s.span.start_ns for s in turn.steps if retrieves(s) and s.id not in tree.judging]
    return min(begun) if begun and all(begun) else None


def _early(step: Step, retrieval: int | None) -> bool:
    """Check whether a call was over before the first retrieval began; one that ended before it started says nothing of when."""
    start, end = step.span.start_ns, step.span.end_ns
    return retrieval is not None and start <= end and 0 < end <= retrieval


def _last_first(turn: Turn) -> list[Saying]:
    """Order what was said from the last to the first; what failed comes after all that did not."""
    last_first = list(reversed(turn.said))
    last_first.sort(key=lambda saying: saying.step.span.status == "error")
    return last_first


def _chosen(turn: Turn, retrieval: int | None) -> Saying | None:
    said = _last_first(turn)
    whole = (saying for saying in said if saying.returned == "whole")
    in_time = [saying for saying in said if not _early(saying.step, retrieval)]
    part = (saying for saying in in_time if saying.returned == "part")
    rest = (saying for saying in in_time if not _material(saying, turn))
    return next(chain(whole, part, rest), None)


def _skewed(turn: Turn, tree: Tree, retrieval: int | None) -> Saying | None:
    """Take the last of the early calls that gave words, unless a call came after the retrieval: then clocks are not what is wrong."""
    calls = (step for step in turn.steps if step.facts.kind == "LLM" and step.id not in tree.judging)
    if any(not _early(step, retrieval) for step in calls):
        return None
    return next((s for s in _last_first(turn) if not s.aside and not _material(s, turn)), None)


def _material(saying: Saying, turn: Turn) -> bool:
    """Check whether a later call was given these words to work from, as a refining or a writing one is."""
    if len(saying.plain) < _SHORTEST_MATERIAL:
        return False
    later = (s.step for s in reversed(turn.said) if s.step.number > saying.step.number and s.plain != saying.plain)
    return any(saying.plain in read_by(step) for step in islice(later, _LATER))


def _fullness(facts: SpanFacts) -> tuple[bool, bool, int]:
    said = (
        facts.outputs,
        facts.model,
        facts.tokens_in,
        facts.tokens_out,
        facts.cost_usd,
        facts.prompt_version,
        facts.cohort,
    )
    return facts.citations is not None, facts.inputs is not None, sum(value is not None for value in said)


def _losses(chosen: Saying, turn: Turn) -> list[Loss]:
    losses = []
    if chosen.returned == "no":
        losses.append(Loss("output_differs", "what the trace gave back is not what its last model call said"))
    others = {s.plain for s in turn.said if s.plain != chosen.plain}
    if others and chosen.returned != "whole":
        counted = "another model call gave words" if len(others) == 1 else f"{len(others)} other model calls gave words"
        losses.append(Loss("other_model_calls", f"{counted}, taken for steps on the way"))
    return losses


def _from_chain(turn: Turn, tree: Tree) -> Answering | None:
    """Take the outermost chain that says what it took and what it gave for a model call that was not recorded, or not its words."""
    retrieved = any(map(retrieves, turn.steps))
    called = tree.inside(step for step in turn.steps if step.facts.kind == "LLM")
    for step in turn.steps:
        facts = step.facts
        if facts.kind not in _CHAINS or step.id in tree.judging or step.id in called:
            continue
        if facts.kind == "UNKNOWN" and not retrieved:
            continue
        if (facts.inputs or asked_in(facts.input_text)) and (text := said_by(step)):
            words = "no model call with an answer was recorded: the answer is what the chain around it gave"
            return Answering(step, text, turn, (), (Loss("answer_from_chain", words),))
    return None


def _empty(turn: Turn, tree: Tree) -> Answering | None:
    """Return the last model call where it says that it gave nothing; calls that do not say what they gave are no answers."""
    own = [s for s in turn.steps if s.facts.kind == "LLM" and s.id not in tree.judging]
    last = max(own, key=lambda step: (step.span.end_ns, step.number), default=None)
    if last is None or last.facts.tool_calls or said_by(last) != "":
        return None
    return Answering(last, "", turn)
