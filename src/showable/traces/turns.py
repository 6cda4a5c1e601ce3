"""The turns of a trace: the stretches of its tree in each of which one question was answered.

Most traces are one turn. A CONVERSATION has one turn for each of its parts that answers, with the parts before it that do not. A step with
several parts that each retrieve and answer, none made from another's answer, of which none is the step's own, is a batch: each part is a turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from showable.traces.sayings import Saying, read_by, retrieves
from showable.traces.tree import Step, Tree

REACH = 20
"""How many turns back a turn may have been given something again."""
_SHORTEST_MATERIAL = 20
_MOST_PARTS = 50


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """The steps of one turn, by start, and those that belong to the turns before it, `REACH` of them at most. `of` counts the turns of the trace.

    `said` is what may be its answer: what model calls of this turn alone said.
    """

    steps: Sequence[Step]
    said: Sequence[Saying]
    earlier: Sequence[Step] = ()
    number: int = 0
    of: int = 1


def turns_of(tree: Tree, said: Sequence[Saying]) -> list[Turn]:
    """Cut a trace into its turns, in order. What belongs to none of several turns belongs to each."""
    answers = _holding([saying.step for saying in said], tree)
    retrievals = _holding([s for s in tree.steps if retrieves(s) and s.id not in tree.judging], tree)
    groups = _cut(tree, said, answers, retrievals)
    if len(groups) < 2:  # noqa: PLR2004 - one turn is the whole trace
        return [Turn(tree.steps, said)]
    inside = [tree.below(group) for group in groups]
    owned = {step.id for steps in inside for step in steps}
    shared = [step for step in tree.steps if step.id not in owned]
    turns = []
    for number, steps in enumerate(inside):
        earlier = sorted(
            (s for before in inside[max(0, number - REACH) : number] for s in before), key=lambda s: s.number
        )
        own = {step.id for step in steps}
        mine = [saying for saying in said if saying.step.id in own]
        turns.append(Turn(sorted([*steps, *shared], key=lambda step: step.number), mine, earlier, number, len(inside)))
    return turns


def _holding(steps: Sequence[Step], tree: Tree) -> frozenset[str]:
    """Return the ids of these steps and of all above them."""
    found: set[str] = set()
    for step in steps:
        found.add(step.id)
        for above in tree.above(step):
            if above.id in found:
                break
            found.add(above.id)
    return frozenset(found)


def _cut(tree: Tree, said: Sequence[Saying], answers: frozenset[str], retrievals: frozenset[str]) -> list[list[Step]]:
    at: Sequence[Step] = tree.tops
    while True:
        top = at[0] if len(at) == 1 else None
        parts = tree.children.get(top.id, ()) if top else at
        if top is not None and top.facts.kind == "CONVERSATION":
            return _segments(parts, answers, said, tree)
        if whole := _batch(parts, said, answers, retrievals, tree):
            return [[part] for part in whole]
        inside = [part for part in parts if part.id in answers]
        if len(inside) != 1:
            conversations = [part for part in inside if part.facts.kind == "CONVERSATION"]
            inside = conversations if len(conversations) == 1 else []
        if not inside:
            return []
        at = inside


def _segments(parts: Sequence[Step], answers: frozenset[str], said: Sequence[Saying], tree: Tree) -> list[list[Step]]:
    """Close a turn with each part of a conversation that answers, unless the next answers the same question again."""
    segments: list[list[Step]] = []
    current: list[Step] = []
    asked: str | None = None
    mine = _by_part(parts, said, tree)
    for part in parts:
        current.append(part)
        if part.id not in answers:
            continue
        question = _asked_within(mine[part.id])
        if segments and question and question == asked:
            segments[-1] += current
        else:
            segments.append(current)
        current, asked = [], question
    if segments:
        segments[-1] += current
    return segments


def _asked_within(said: Sequence[Saying]) -> str | None:
    if not said:
        return None
    asked = [m.content for m in said[0].step.facts.inputs or () if m.role.casefold() in {"user", "human"}]
    return asked[-1] if asked else None


def _by_part(parts: Sequence[Step], said: Sequence[Saying], tree: Tree) -> dict[str, list[Saying]]:
    """Sort what was said by the part that it was said in."""
    mine: dict[str, list[Saying]] = {part.id: [] for part in parts}
    for saying in said:
        for step in (saying.step, *tree.above(saying.step)):
            if step.id in mine:
                mine[step.id].append(saying)
                break
    return mine


def _batch(
    parts: Sequence[Step], said: Sequence[Saying], answers: frozenset[str], retrievals: frozenset[str], tree: Tree
) -> list[Step]:
    """Return the parts that each answer a question of their own; none where they are steps towards one answer."""
    full = [part for part in parts if part.id in answers and part.id in retrievals]
    if len(full) < 2:  # noqa: PLR2004 - one is no batch
        return []
    names = {part.span.name for part in full}
    whole = [part for part in parts if part.id in answers and (part in full or part.span.name in names)]
    mine = _by_part(parts, said, tree)
    if _given_back_above(full, mine, tree):
        return []
    if any(saying.returned == "whole" for part in parts if part not in whole for saying in mine[part.id]):
        return []  # somebody put the parts' answers together, and that was given back
    for number, part in enumerate(parts[:_MOST_PARTS]):  # what is made of more parts is a batch
        words = [saying.plain for saying in mine[part.id] if len(saying.plain) >= _SHORTEST_MATERIAL]
        later = (saying for other in parts[number + 1 : _MOST_PARTS] for saying in mine[other.id])
        if words and any(plain in read_by(saying.step) for saying in later for plain in words):
            return []
    return whole


def _given_back_above(full: Sequence[Step], mine: dict[str, list[Saying]], tree: Tree) -> bool:
    """Check whether the step above gave back what one of its parts said and no other: then it has one answer.

    A saying's `returned` is told from the outermost step that says what it gave back, which must be above the parts.
    """
    speaks = any(above.facts.output_text or above.facts.outputs for above in tree.above(full[0]))
    returned = [part for part in full if any(saying.returned in {"whole", "part"} for saying in mine[part.id])]
    return speaks and 0 < len(returned) < len(full)
