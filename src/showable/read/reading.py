"""What reading an answer yields: claims with citations, how far it declines, and what was wrong with its form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from showable.read.references.found import FoundReference
from showable.records.record import Answer, Citation
from showable.records.roles import ReadText, RefusalBasis
from showable.records.scorecard import Role

Form = Literal["null", "empty", "text", "json", "tool_call", "structured"]
Extent = Literal["none", "partial", "full", "refused_then_answered"]
RefusalKind = Literal["none", "no_evidence", "out_of_scope", "ambiguous", "harm"]
_BASES: dict[RefusalKind, RefusalBasis] = {
    "no_evidence": "evidence",
    "out_of_scope": "scope",
    "ambiguous": "clarification",
    "harm": "policy",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with the answer's form, as a fact: the structural rubric makes it a finding of this code."""

    code: str
    reason: str
    where: tuple[int, int] | None = None
    claim: int | None = None
    citation: int | None = None


def renumbered(problems: Sequence[Problem], kept: Sequence[int]) -> tuple[Problem, ...]:
    """Point problems at claims by their new numbers, where only the claims `kept` stay; one of a lost claim is the answer's."""
    at = {old: new for new, old in enumerate(kept)}
    return tuple(
        problem
        if problem.claim is None
        else replace(problem, claim=at[problem.claim])
        if problem.claim in at
        else replace(problem, claim=None, citation=None)
        for problem in problems
    )


@dataclass(frozen=True, slots=True)
class RefusalReading:
    """How far an answer declines, of what kind, and in which sentences (spans into the answer's text).

    `extent` is read from the text where there is text, else from the structured field. `harm` is a refusal on
    policy: safety, privacy, or advice that may not be given. It says nothing about the evidence.
    """

    extent: Extent = "none"
    kind: RefusalKind = "none"
    spans: tuple[tuple[int, int], ...] = ()
    asks_back: bool = False

    @property
    def basis(self) -> RefusalBasis | None:
        """What it rests on: the evidence, the scope of the documents, a policy, or a question to be clarified."""
        return _BASES.get(self.kind)


@dataclass(frozen=True, slots=True)
class Reading:
    """An answer as read.

    `text` is what all spans index. `roles` and `quotes` have one entry a claim: its part in the answer, and
    the words that its own text puts in quotation marks (a `quoted_span` is the model's word, and stays with its
    citation. `loose` holds the citations that hang on no claim. `references` are those that the text makes to
    cases, papers and the like. `answer` is None where nothing could be read:
    a null or empty answer, JSON that is cut off, thoughts that are never closed. `read` is what the trained reader said of
    its sentences, where it was asked. `unread` are visible words that nothing owns: no claim, decline, question or talk. `language` is
    named where it is none that the shipped judge and reader know.
    """

    form: Form
    text: str
    answer: Answer | None
    loose: tuple[Citation, ...] = ()
    roles: tuple[Role, ...] = ()
    refusal: RefusalReading = RefusalReading()
    problems: tuple[Problem, ...] = ()
    quotes: tuple[tuple[str, ...], ...] = ()
    references: tuple[FoundReference, ...] = ()
    read: tuple[ReadText, ...] = ()
    unread: tuple[tuple[int, int], ...] = ()
    language: str | None = None
