"""What reading an answer yields: claims with citations, how far it declines, and what was wrong with its form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from probative.records.record import Answer, Citation
from probative.records.scorecard import Role

Form = Literal["null", "empty", "text", "json", "tool_call", "structured"]
Extent = Literal["none", "partial", "full", "refused_then_answered"]
RefusalKind = Literal["none", "no_evidence", "out_of_scope", "ambiguous", "harm"]


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with the answer's form, as a fact: the structural rubric makes it a finding of this code."""

    code: str
    reason: str
    where: tuple[int, int] | None = None
    claim: int | None = None
    citation: int | None = None


@dataclass(frozen=True, slots=True)
class RefusalReading:
    """How far an answer declines, of what kind, and in which sentences (spans into the answer's text).

    `extent` is read from the text where there is text, else from the structured field. `harm` is a
    safety refusal ("I can't help with that"), which says nothing about the evidence.
    """

    extent: Extent = "none"
    kind: RefusalKind = "none"
    spans: tuple[tuple[int, int], ...] = ()
    asks_back: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """An answer as read.

    `text` is what all spans index. `roles` has one entry a claim; `loose` holds the citations that
    hang on no claim. `answer` is None where nothing could be read: a null or empty answer, or JSON that is cut off.
    """

    form: Form
    text: str
    answer: Answer | None
    loose: tuple[Citation, ...] = ()
    roles: tuple[Role, ...] = ()
    refusal: RefusalReading = RefusalReading()
    problems: tuple[Problem, ...] = ()
