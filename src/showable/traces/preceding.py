"""Which retrievals of a turn went before its answer: by the clock, and by the tree and the words where clocks contradict them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from showable.records.traced import Loss
from showable.traces.answering import Answering
from showable.traces.sayings import read_by, retrieves, sources_of
from showable.traces.text_values import squeezed
from showable.traces.tree import Step, Tree

SLACK_NS = 5_000_000
"""Clocks of one trace may differ by this without a word: 5 ms."""
OPENING = 200
"""Characters of a passage that are looked for in what a model was given."""
SHORTEST_OPENING = 12


@dataclass(frozen=True, slots=True)
class Preceding:
    """The retrievals that went before an answer, by start; `asked` says whether there was any; `prompt` what the answering call was given to read."""

    steps: Sequence[Step]
    earlier: Sequence[Step]
    prompt: str
    losses: Sequence[Loss] = ()


def preceding(answering: Answering, tree: Tree) -> Preceding:
    """Sort out what was retrieved before the answer, in its own turn and in turns before it.

    A retrieval counts that is part of the answering step, that started before it, whose words the answering call was given to
    read, or whose times lie outside of those of the step that it is part of. Where none counts, those after the answer do:
    clocks are then likelier wrong than that a pipeline retrieved for nothing.
    """
    prompt = next((read for step in (answering.step, *answering.twins) if (read := read_by(step))), "")
    above, below = set(tree.above(answering.step)), tree.inside([answering.step])
    own = [s for s in answering.turn.steps if retrieves(s) and s.id not in tree.judging]
    taken: list[Step] = []
    after: list[Step] = []
    losses: list[Loss] = []
    for step in own:
        if step in above:
            continue
        goes, said = (True, None) if step.id in below else _goes_before(step, answering.step, prompt, tree)
        (taken if goes else after).append(step)
        losses += [said] if said else []
    if not taken and after:
        taken = after
        losses.append(
            Loss("clock_skew", "the only retrieval is timed after the answer began; it was counted all the same")
        )
    earlier = [s for s in answering.turn.earlier if retrieves(s) and s.id not in tree.judging]
    return Preceding(taken, earlier, prompt, losses)


def opening(text: str | None) -> str | None:
    """Return the beginning of a passage as it is looked for in a prompt; None where it is too short to be told from other words."""
    plain = squeezed((text or "")[: 2 * OPENING])[:OPENING]
    return plain if len(plain) >= SHORTEST_OPENING else None


def _goes_before(step: Step, answer: Step, prompt: str, tree: Tree) -> tuple[bool, Loss | None]:
    start, begun = step.span.start_ns, answer.span.start_ns
    if not start or not begun:
        return True, Loss(
            "times_missing", f"{_named(step)} or the answer has no time; it was taken to have come before"
        )
    if start <= begun:
        late = step.span.end_ns - begun
        if late <= SLACK_NS:
            return True, None
        return True, Loss("clock_skew", f"{_named(step)} ended {late / 1e6:.0f} ms after the answer began")
    given = any(opening(source.text) and (opening(source.text) or "") in prompt for source in sources_of(step))
    if given or _outside_parent(step, tree):
        why = (
            "the model was given its words"
            if given
            else "its times lie outside of those of the span that it is part of"
        )
        return True, Loss("clock_skew", f"{_named(step)} is timed after the answer began, but {why}")
    return False, None


def _outside_parent(step: Step, tree: Tree) -> bool:
    parent = tree.parents.get(step.id)
    if parent is None or not parent.span.start_ns or not parent.span.end_ns:
        return False
    return step.span.start_ns > parent.span.end_ns + SLACK_NS or step.span.end_ns < parent.span.start_ns - SLACK_NS


def _named(step: Step) -> str:
    return f"the retrieval {step.span.name}" if step.span.name else "a retrieval"
