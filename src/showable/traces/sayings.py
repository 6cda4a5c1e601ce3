"""What model calls said, and which of that was said to the user: the rest are steps on the way.

A model call whose words are no answer: one below an evaluator or a guardrail, one that calls tools, one that is part of
another model call (instrumentations stacked on each other record one call twice), one whose words became the query of a later
retrieval, and one whose name says that it rewrites, routes, grades or the like. All but the first and the third count as answers all the same
where their words are what the trace gave back; the last also where no other call of the trace gave words.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from showable.records.record import Source
from showable.traces.facts import Message
from showable.traces.json_answers import answer_in
from showable.traces.text_values import given_in, leaves, squeezed
from showable.traces.tree import Step, Tree

OWN_ROLES = frozenset({"assistant", "ai", "model"})
_ON_THE_WAY = re.compile(
    r"(?<![a-z])(?:re-?writ|re-?phras|condens|reformulat|decompos|hyde|expan[ds]|rout(?:e|er|ing)(?![a-z])|classif|intent|guard"
    r"|moderat|judge(?![a-z])|grad(?:e|er|ing)(?![a-z])|evaluat|critic|critique|titl|follow.?up|suggest|plan(?:s|ner|ning)?(?![a-z])|extract|sub.?quer"
    r"|quer(?:y|ies).?(?:gen|trans|rew|exp|plan)|(?:gen\w*|multi).?quer(?:y|ies))"
)
_ABOUT_AN_ANSWER = re.compile(
    r"\b(?:impartial|strict|expert|you are an? [\w ]{0,20})\s*(?:judge|evaluator|grader)\b"
    r"|\b(?:evaluate|assess|rate|grade|score|judge|verify|check|critique)\b[^.\n]{0,80}\b(?:answer|response|output|reply|completion|statement)s?\b"
    r"|\b(?:is|are|was) the (?:answer|response|output|reply)\b[^.\n]{0,60}\b(?:faithful|grounded|supported|correct|relevant|helpful|safe)\b"
    r"|\b(?:summari[sz]e|condense|compress)\b[^.\n]{0,60}\b(?:conversation|chat|dialog(?:ue)?|discussion|exchange|history|turns?)\b"
    r"|\b(?:title|follow[- ]?up questions?|suggested? questions?)\b[^.\n]{0,60}\b(?:conversation|chat|exchange|user)\b",
    re.IGNORECASE,
)
_TOLD = 400
"""Characters of a call's first message in which it is told what to do."""
_SHORTEST_QUERY = 12
_LONGEST_QUERY_LIST = 2000
_SHORTEST_OUTPUT = 20
_NEXT = 50


Returned = Literal["whole", "part", "no", "unsaid"]
"""What a trace gave back is these words, holds them, does not; or nothing says what it gave back."""


@dataclass(frozen=True, slots=True, eq=False)
class Saying:
    """A model call that gave words. `plain` is them in single spaces and one case. `aside`: its name or its orders say that it is a step on the way."""

    step: Step
    text: str
    plain: str
    returned: Returned
    aside: bool = False


def said_by(step: Step) -> str | None:
    """Return the words of a model call; "" where it says that it gave none, None where it does not say what it gave."""
    facts = step.facts
    if facts.outputs is not None:
        own = [
            m.content
            for m in facts.outputs
            if m.content.strip() and m.role.casefold() not in {"user", "system", "tool"}
        ]
        if own:
            return own[-1]
    if facts.output_text is not None and facts.output_text.strip():
        return answer_in(facts.output_text)
    return None if facts.outputs is None and facts.output_text is None else ""


def retrieves(step: Step) -> bool:
    """Check whether a step brings documents, or should have: a retriever whose span does not say which."""
    facts = step.facts
    if facts.documents is not None or facts.reranked is not None or facts.rerank_input is not None:
        return facts.kind != "EMBEDDING"
    return facts.kind in {"RETRIEVER", "VECTOR_DB", "RERANKER"}


def sources_of(step: Step) -> Sequence[Source]:
    """Return all documents that a step speaks of: what it found, what it got to rank, what it kept."""
    facts = step.facts
    return (*(facts.documents or ()), *(facts.rerank_input or ()), *(facts.reranked or ()))


def sayings(tree: Tree) -> list[Saying]:
    """Return the model calls of a trace whose words may have been said to the user, by their end."""
    words = {step.id: text for step in tree.steps if step.facts.kind == "LLM" and (text := said_by(step))}
    within = tree.inside(step for step in tree.steps if step.id in words and not step.facts.tool_calls)
    given_back, queries = _GivenBack(tree), _queries(tree)
    sure: list[Saying] = []
    named: list[Saying] = []
    for step in tree.steps:
        if step.id not in words or step.id in within or step.id in tree.judging:
            continue
        text, plain = words[step.id], squeezed(words[step.id])
        saying = Saying(step, text, plain, given_back.compare(step, text, plain))
        if saying.returned == "whole":
            sure.append(saying)
        elif not step.facts.tool_calls and not _became_a_query(saying, queries):
            aside = _on_the_way(step, tree) or _speaks_about(step, sure)
            (named if aside else sure).append(replace(saying, aside=aside))
    return sorted(sure or named, key=lambda saying: (saying.step.span.end_ns, saying.step.number))


def twins_of(saying: Saying, steps: Sequence[Step], tree: Tree) -> list[Step]:
    """Return the other spans of the same model call: those below it, and those beside it at the same time with the same words."""
    below = tree.inside([saying.step])
    return [
        other
        for other in steps
        if other is not saying.step
        and other.facts.kind == "LLM"
        and (other.id in below or (_overlap(other, saying.step) and squeezed(said_by(other) or "") == saying.plain))
    ]


def read_by(step: Step) -> str:
    """Return what a model call was given to read, in single spaces and one case: all messages but its own."""
    messages: Sequence[Message] = step.facts.inputs or ()
    read = [m.content for m in messages if m.role.casefold() not in OWN_ROLES]
    if not read and step.facts.input_text:
        read = [leaves(step.facts.input_text)]
    return squeezed("\n".join(read))


def _overlap(one: Step, other: Step) -> bool:
    return one.span.start_ns <= other.span.end_ns and other.span.start_ns <= one.span.end_ns


class _GivenBack:
    """What the steps above model calls gave back, each read once."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._read: dict[str, tuple[str, str]] = {}

    def compare(self, step: Step, text: str, plain: str) -> Returned:
        """Compare with what the outermost step above it gave back that says so; a conversation gives back turns."""
        outermost = None
        for above in self.tree.above(step):
            if above.facts.kind == "CONVERSATION":
                break
            if above.facts.kind != "LLM" and (above.facts.output_text or above.facts.outputs):
                outermost = above
        if outermost is None:
            return "unsaid"
        if outermost.id not in self._read:
            given = outermost.facts.output_text or said_by(outermost) or ""
            self._read[outermost.id] = squeezed(given_in(given) or ""), squeezed(leaves(given))
        kept, whole = self._read[outermost.id]
        if kept in {plain, squeezed(given_in(text) or "")} or (len(kept) >= _SHORTEST_OUTPUT and kept in plain):
            return "whole"
        return "part" if plain in whole else "no"


def _on_the_way(step: Step, tree: Tree) -> bool:
    """Check whether the step, or the chain right above it, is named for something that is no answering."""
    names = [step.span.name]
    parent = tree.parents.get(step.id)
    if parent is not None and parent.facts.kind in {"CHAIN", "TOOL", "UNKNOWN"} and tree.parents.get(parent.id):
        names.append(parent.span.name)
    return any(_ON_THE_WAY.search(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).casefold()) for name in names)


def _speaks_about(step: Step, before: Sequence[Saying]) -> bool:
    """Check whether a call was told to judge, title or sum up what another one said, which it was given to read."""
    if not before:
        return False
    inputs = step.facts.inputs or ()
    told = [m.content for m in inputs if m.role.casefold() in {"system", "developer"}]
    told += [m.content[:_TOLD] for m in inputs if m.role.casefold() not in {"system", "developer"}][:1]
    if not told and step.facts.input_text:
        told = [step.facts.input_text[:_TOLD]]
    if not any(_ABOUT_AN_ANSWER.search(words) for words in told):
        return False
    read = read_by(step)
    return any(len(saying.plain) >= _SHORTEST_OUTPUT and saying.plain in read for saying in before[-_NEXT:])


def _queries(tree: Tree) -> list[tuple[int, str]]:
    """Return what retrievals and embeddings were asked, by their start."""
    asked = ((s.span.start_ns, s.facts.input_text) for s in tree.steps if retrieves(s) or s.facts.kind == "EMBEDDING")
    return [(start, query) for start, text in asked if text and (query := squeezed(given_in(text) or ""))]


def _became_a_query(saying: Saying, queries: Sequence[tuple[int, str]]) -> bool:
    """Check whether one of the next retrievals was asked what this call said: it was rewriting the question."""
    plain = saying.plain
    if len(plain) > _LONGEST_QUERY_LIST:
        return False
    first = bisect_left(queries, (saying.step.span.end_ns, ""))
    later = (query for _, query in queries[first : first + _NEXT])
    return any(query == plain or (len(query) >= _SHORTEST_QUERY and query in plain) for query in later)
