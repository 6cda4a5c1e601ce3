"""A trace as rows of a tree, on a common axis of time. Of a long trace those are shown that matter; the others are counted."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from showable.records.spans import Span
from showable.serving.pages.words import took
from showable.traces.facts import Evaluation
from showable.traces.tree import Step, Tree, make_tree

MOST_ROWS = 150
MOST_OF_ALL = 5_000
"""Rows where all were asked for: a page beyond that is of no use to anybody."""
DEEPEST = 12
"""Deeper steps are indented no further."""
_TELLING = frozenset({"LLM", "RETRIEVER", "RERANKER", "EVALUATOR", "GUARDRAIL"})


@dataclass(frozen=True, slots=True)
class TreeRow:
    """A step: its depth, and its bar as percentages of the axis (None: its times are unknown). `hidden` counts steps left out under it."""

    span: Span
    kind: str
    depth: int
    bar: tuple[float, float] | None
    took: str
    begins: str
    orphan: bool
    answers: bool
    problems: tuple[str, ...]
    hidden: int = 0


@dataclass(frozen=True, slots=True)
class TreeShown:
    """The rows of a trace, of how many spans, how long it took, and what was wrong with the tree."""

    rows: tuple[TreeRow, ...]
    spans: int
    left_out: int
    took: str
    half: str
    services: tuple[str, ...]
    losses: tuple[str, ...]
    evaluations: tuple[tuple[str, Evaluation], ...] = field(default=())


def tree_of(spans: Sequence[Span], answering: Collection[str], *, most: int = MOST_ROWS) -> TreeShown:
    """Lay a trace out; `answering` are the ids of the spans that an answer was found in."""
    tree = make_tree(spans)
    axis = _axis([step.span for step in tree.steps])
    drawing = _Drawing(tree, _kept(tree, frozenset(answering), most), frozenset(answering), axis)
    rows = tuple(drawing.row(step, depth) for step, depth in _walk(tree, drawing.kept))
    whole = (axis[1] - axis[0]) / 1e6 if axis else None
    return TreeShown(
        rows,
        len(tree.steps),
        len(tree.steps) - len(rows),
        took(whole),
        took(None if whole is None else whole / 2),
        tuple(sorted({step.span.service for step in tree.steps if step.span.service})),
        tuple(loss.words for loss in tree.losses),
        tuple((step.span.name, one) for step in tree.steps for one in step.facts.evaluations),
    )


def _kept(tree: Tree, answering: frozenset[str], most: int) -> frozenset[str]:
    """Choose the steps to show: answers, model calls, retrievals, errors with what they are part of; then the first of the rest."""
    kept: set[str] = set()
    for matters in (
        lambda step: step.id in answering,
        lambda step: step.facts.kind in _TELLING or step.span.status == "error",
        lambda _: True,
    ):
        for step in tree.steps:
            if len(kept) >= most:
                return frozenset(kept)
            if matters(step) and step.id not in kept:
                kept.update(_with_what_it_is_part_of(step, tree, kept, most - len(kept)))
    return frozenset(kept)


def _with_what_it_is_part_of(step: Step, tree: Tree, kept: Collection[str], room: int) -> Sequence[str]:
    """Return a step and the steps above it that are not kept yet; none where there is no room for them all."""
    found = [step.id]
    for above in tree.above(step):
        if above.id in kept:
            break
        found.append(above.id)
        if len(found) > room:
            return ()
    return found


def _walk(tree: Tree, kept: Collection[str]) -> Iterator[tuple[Step, int]]:
    """Go through the tree from the top, without recursion: chains of thousands of steps exist."""
    waiting = [(step, 0) for step in reversed(tree.tops) if step.id in kept]
    while waiting:
        step, depth = waiting.pop()
        yield step, depth
        below = tree.children.get(step.id, ())
        waiting.extend((child, depth + 1) for child in reversed(below) if child.id in kept)


Axis = tuple[int, int]


def _axis(spans: Sequence[Span]) -> Axis | None:
    known = [span for span in spans if span.latency_ms is not None]
    if not known:
        return None
    return min(span.start_ns for span in known), max(span.end_ns for span in known)


@dataclass(frozen=True, slots=True)
class _Drawing:
    """What a row is drawn by."""

    tree: Tree
    kept: frozenset[str]
    answering: frozenset[str]
    axis: Axis | None

    def row(self, step: Step, depth: int) -> TreeRow:
        span, axis, children = step.span, self.axis, self.tree.children
        return TreeRow(
            span,
            step.facts.kind,
            min(depth, DEEPEST),
            _bar(span, axis),
            took(span.latency_ms),
            "" if axis is None or span.latency_ms is None else took((span.start_ns - axis[0]) / 1e6),
            span.parent_id is not None and step.id not in self.tree.parents,
            step.id in self.answering,
            (*span.problems, *(words for _, words in step.facts.problems)),
            _hidden(children.get(step.id, ()), self.kept, children),
        )


def _hidden(below: Sequence[Step], kept: Collection[str], children: Mapping[str, Sequence[Step]]) -> int:
    """Count the steps under one that are left out, with all that is part of them."""
    waiting, count = [step for step in below if step.id not in kept], 0
    while waiting:
        step = waiting.pop()
        count += 1
        waiting.extend(children.get(step.id, ()))
    return count


def _bar(span: Span, axis: Axis | None) -> tuple[float, float] | None:
    if axis is None or span.latency_ms is None:
        return None
    whole = max(1, axis[1] - axis[0])
    start = 100 * (span.start_ns - axis[0]) / whole
    width = 100 * (span.end_ns - span.start_ns) / whole
    return round(start, 2), round(max(0.4, width), 2)
