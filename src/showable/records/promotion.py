"""What a feed proposes for the regression set, and what reviewers say of it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from showable.records.labels import ReviewerRole
from showable.records.record import Question, Source
from showable.records.wire import Many, Wire

CandidateKind = Literal["representative", "boundary", "neighbour"]
SignOffKind = Literal["accept", "reject", "withdraw"]


class Candidate(Wire):
    """A question of an issue with proposed gold, beside the answer that production gave and what it was given.

    `p` is the probability that the answer belongs to the issue; a `neighbour` passes, so that a fix which refuses everything
    is seen. The gold is never the answer: where only a person can say what is right, `question.gold.answer` is None.
    `bucket` and `cause` are the tool's, and shown to nobody before they have given their own word.
    """

    id: str
    issue: str
    answer_id: str
    kind: CandidateKind
    p: float
    question: Question
    answer: str
    passages: Many[Source] = ()
    bucket: str
    cause: str | None = None


class SignOff(Wire):
    """One reviewer's word on a candidate: accepted with this question and gold, rejected, or taken out of the set again.

    `at_ns` is in Unix nanoseconds; `seq` counts from 1; `question` is the accepted one, as the reviewer left it.
    """

    seq: int = 0
    candidate: str
    at_ns: int
    who: str = Field(min_length=1)
    role: ReviewerRole
    kind: SignOffKind
    question: Question | None = None
    why: str = ""
