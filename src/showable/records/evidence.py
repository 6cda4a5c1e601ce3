"""What is gathered about one record by judges and registries. It is saved, so that grading never asks again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol, runtime_checkable

from pydantic import Field

from showable.records.lookups import Lookup
from showable.records.record import Source
from showable.records.roles import ReadText
from showable.records.wire import Many, Span, Wire

Label = Literal["supported", "partial", "unsupported", "contradicted", "unknown"]
PairRole = Literal[
    "cited", "part", "whole", "union", "leave_one_out", "other", "gold_in_answer", "answer_in_gold", "corpus"
]
"""`cited` is what all citations of one source point at, `part` what one of several does, `whole` all of that source."""


class Cost(Wire):
    """What was spent. `usd` is None when no price is known, which is not the same as free."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    usd: float | None = 0.0

    def __add__(self, other: Cost) -> Cost:
        """Add two costs; an unknown price makes the sum unknown."""
        usd = None if self.usd is None or other.usd is None else self.usd + other.usd
        return Cost(
            calls=self.calls + other.calls,
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
            usd=usd,
        )


class Pair(NamedTuple):
    """A claim to be judged against one passage read alone. `context` is the sentence the claim was split from.

    `failed` says that another rubric failed the answer: which judge is asked may depend on it, what it is asked does not.
    """

    claim: str
    passage: str
    context: str | None = None
    question: str | None = None
    kind: str | None = None
    failed: bool = False


class Verdict(Wire):
    """A judge's answer on one pair.

    `p` is the calibrated probability of support where the judge has one; where a calibration has mapped it, `raw_p` is
    what the judge itself said, so that another calibration can start from there. `topical` says whether the
    passage is about the subject without entailing the claim, None where the judge does not say. `quote` holds the words relied on and
    `quote_span` their offsets in the passage. `reason` is required of an ``unknown``. `failure` says how the call failed
    (``401``, ``timeout``) where it brought no verdict at all: such a call is asked again, an undecided judge is not.
    `miscalculated`: the claim reckons from numbers of the passage, and its result does not come out.
    `of_part` says that `p` is of the claim's beginning, which is all that was read: an answer is not decided by it.
    """

    label: Label
    judge: str
    p: float | None = Field(default=None, ge=0.0, le=1.0)
    raw_p: float | None = Field(default=None, ge=0.0, le=1.0)
    topical: bool | None = None
    quote: str | None = None
    quote_span: Span | None = None
    reason: str | None = None
    failure: str | None = None
    injection_suspected: bool = False
    miscalculated: bool = False
    of_part: bool = False
    cost: Cost | None = None


class PairVerdict(Wire):
    """A verdict with the claim (its index) and the sources (one, or several joined) it is about.

    `passage` is there for the role ``corpus`` alone: what was found behind the retrieval log, which no record holds.
    `spans` are the stretches of the source that were read, where its citation points at less than all of it; `citation`
    is the one that a ``part`` is about.
    """

    claim: int
    sources: Many[str]
    role: PairRole
    verdict: Verdict
    passage: Source | None = None
    spans: Many[Span] = ()
    citation: int | None = None


class Evidence(Wire):
    """Everything gathered for one record. `at` is when (ISO 8601, UTC); it takes no part in grading.

    `read` is what the trained reader said of the answer's sentences, where the rules found no refusal. `corpus` names the corpus behind the retrieval log, where one was at hand, and `corpus_claims` the claims that were
    looked up in it.
    """

    id: str
    judge: str
    read: Many[ReadText] = ()
    pairs: Many[PairVerdict] = ()
    lookups: Many[Lookup] = ()
    corpus: str | None = None
    corpus_claims: Many[int] = ()
    cost: Cost = Cost()
    at: str | None = None


@runtime_checkable
class Judge(Protocol):
    """Decides whether a passage, read alone, contains a claim. Never raises: a failure is an ``unknown``."""

    name: str
    """`name@revision`, as the signature prints it."""
    prompt_hash: str | None
    """Hash of the prompt files in use, or None where there is no prompt."""

    async def verdicts(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """Judge a batch: one verdict a pair, in the same order."""
        ...

    def estimate(self, pairs: Sequence[Pair]) -> Cost:
        """Return what judging the batch would cost, without a call."""
        ...
