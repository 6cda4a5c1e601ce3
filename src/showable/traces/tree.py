"""The spans of one trace as a tree, whatever came: in any order, twice, without parents, in circles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from showable.records.spans import Span
from showable.records.traced import Loss
from showable.traces.conventions.read import read_span
from showable.traces.facts import SpanFacts

JUDGING = frozenset({"EVALUATOR", "GUARDRAIL"})
"""Kinds whose spans, and all below them, are about an answer and no part of making it."""


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """A span with what it says. `number` counts the steps of its trace from 0, by their start."""

    number: int
    span: Span
    facts: SpanFacts

    @property
    def id(self) -> str:
        """The span's id."""
        return self.span.span_id


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """The steps of one trace, ordered by start, and who is whose parent.

    `tops` are the steps above which there is none: roots, and those whose parent never came. `judging` holds the ids of evaluators,
    guardrails and all below them. `missing` counts the children of each parent that never came. `losses` say what was wrong with the tree.
    """

    steps: Sequence[Step]
    tops: Sequence[Step]
    parents: Mapping[str, Step]
    children: Mapping[str, Sequence[Step]]
    judging: frozenset[str]
    missing: Mapping[str, int]
    losses: Sequence[Loss]

    def above(self, step: Step) -> Iterator[Step]:
        """Yield the steps that a step is part of, the nearest first."""
        parent = self.parents.get(step.id)
        while parent is not None:
            yield parent
            parent = self.parents.get(parent.id)

    def below(self, tops: Iterable[Step]) -> list[Step]:
        """Return steps with all that is part of them, by start."""
        found, waiting = [], list(tops)
        while waiting:
            step = waiting.pop()
            found.append(step)
            waiting.extend(self.children.get(step.id, ()))
        return sorted(found, key=lambda step: step.number)

    def inside(self, steps: Iterable[Step]) -> set[str]:
        """Return the ids of all that is part of any of these steps, themselves only where they are part of one another."""
        found: set[str] = set()
        waiting = [child for step in steps for child in self.children.get(step.id, ())]
        while waiting:
            step = waiting.pop()
            if step.id not in found:
                found.add(step.id)
                waiting.extend(self.children.get(step.id, ()))
        return found

    @property
    def broken_apart(self) -> bool:
        """Whether pieces of it hang together by nothing that came: a step may be missing beside those that are there."""
        return bool(self.missing) and (len(self.missing) > 1 or len(self.tops) > sum(self.missing.values()))


def make_tree(spans: Iterable[Span]) -> Tree:
    """Put spans into a tree. A span that came twice counts once; a circle of parents is cut at the span that starts first."""
    kept = _once_each(spans)
    ordered = sorted(kept.values(), key=lambda span: (span.start_ns, span.end_ns, span.span_id))
    parents, circles = _parents(ordered, kept)
    if len({span.start_ns for span in ordered}) < len(ordered):  # of those that start at once, the outer goes first
        depths = _depths(ordered, parents)
        ordered.sort(key=lambda span: (span.start_ns, depths[span.span_id], span.end_ns, span.span_id))
    steps = [Step(number, span, read_span(span)) for number, span in enumerate(ordered)]
    by_id = {step.id: step for step in steps}
    children: dict[str, list[Step]] = {}
    for step in steps:
        if parent := parents.get(step.id):
            children.setdefault(parent, []).append(step)
    missing = Counter(s.parent_id for s in ordered if s.parent_id and s.parent_id not in kept and not s.remote_parent)
    tree = Tree(
        steps=steps,
        tops=[step for step in steps if step.id not in parents],
        parents={child: by_id[parent] for child, parent in parents.items()},
        children=children,
        judging=frozenset(),
        missing=missing,
        losses=_losses(missing, circles),
    )
    judges = [step for step in steps if step.facts.kind in JUDGING]
    return replace(tree, judging=frozenset({judge.id for judge in judges} | tree.inside(judges))) if judges else tree


def _once_each(spans: Iterable[Span]) -> dict[str, Span]:
    """Keep one of the spans that have the same id: the one that says more, whichever came first."""
    kept: dict[str, Span] = {}
    for span in spans:
        other = kept.setdefault(span.span_id, span)
        if other is not span and other != span and _weight(span) > _weight(other):
            kept[span.span_id] = span
    return kept


def _weight(span: Span) -> tuple[int, int, str]:
    return span.end_ns, len(span.attributes), repr(span)


def _parents(ordered: Sequence[Span], kept: Mapping[str, Span]) -> tuple[dict[str, str], int]:
    """Return the parent of each span that has one among those that came, and how many circles had to be cut."""
    parents = {s.span_id: s.parent_id for s in ordered if s.parent_id and s.parent_id in kept}
    sound: set[str] = set()
    circles = 0
    for span in ordered:
        if span.span_id in sound or parents.get(span.span_id, "") in sound:
            sound.add(span.span_id)
            continue
        path: dict[str, None] = {}
        at: str | None = span.span_id
        while at is not None and at not in sound and at not in path:
            path[at] = None
            at = parents.get(at)
        if at is not None and at in path:
            ring = list(path)[list(path).index(at) :]
            first = min(ring, key=lambda each: (kept[each].start_ns, kept[each].end_ns, each))
            del parents[first]
            circles += 1
        sound.update(path)
    return parents, circles


def _depths(ordered: Sequence[Span], parents: Mapping[str, str]) -> dict[str, int]:
    depths: dict[str, int] = {}
    for span in ordered:
        path = []
        at: str | None = span.span_id
        while at is not None and at not in depths:
            path.append(at)
            at = parents.get(at)
        depth = -1 if at is None else depths[at]
        for each in reversed(path):
            depth += 1
            depths[each] = depth
    return depths


def _losses(missing: Mapping[str, int], circles: int) -> list[Loss]:
    losses = []
    if missing:
        n = len(missing)
        named = "a span that others name as their parent" if n == 1 else f"{n} spans that others name as their parents"
        losses.append(Loss("missing_parent", f"{named} never came"))
    if circles:
        losses.append(
            Loss("parent_cycle", "spans name each other as their parents in a circle; it was cut at the earliest")
        )
    return losses
