"""What the bucket is decided from: the facts of an answer and of each of its claims."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from showable.read.reading import Extent
from showable.records.findings import Outcome
from showable.records.record import Gold
from showable.records.scorecard import Cause, GoldAgreement, Role
from showable.rubrics.resolvability import Resolution


@dataclass(frozen=True, slots=True)
class ClaimFacts:
    """What is known of one claim. Outcomes are three-valued: pass (yes), fail (no), unknown."""

    role: Role
    own: Outcome
    log: Outcome
    contradicted: Outcome
    gold: GoldAgreement
    resolutions: Sequence[Resolution]
    corpus_supports: Outcome = Outcome.NOT_APPLICABLE
    """Whether the corpus behind the log supports it: not applicable where no corpus was at hand, unknown where not asked."""
    corpus_contradicts: Outcome = Outcome.NOT_APPLICABLE
    miscalculated: Outcome = Outcome.FAIL
    """Whether it is reckoned from numbers of what it cites, and does not come out."""
    perhaps_cited: bool = False
    """Whether it has no citation that is known, and may have one all the same (`possible_citations`)."""

    @property
    def cited(self) -> bool:
        """Whether it has any citation."""
        return bool(self.resolutions)


@dataclass(frozen=True, slots=True)
class AnswerFacts:
    """What is known of one answer. `retrieved` is the number of sources in the log, None where it was not logged."""

    readable: bool
    unreadable_cause: Cause
    extent: Extent
    claims: Sequence[ClaimFacts]
    retrieved: int | None
    gold: Gold | None
    agreement: GoldAgreement
    incomplete: bool
    loose: Sequence[Resolution]
    """Citations that hang on no claim, such as those of a declining sentence."""
    evidence_retrieved: Outcome
    """Whether the gold evidence is in the log: unknown where there is no log or no gold evidence."""
    conflict_unsettled: bool = False
    """Whether a passage that contradicts a claim which its own citation supports leaves the bucket open."""
    language: str | None = None
    """The language of the answer, where the judge was not trained on it."""
    unread: tuple[str, ...] = ()
    """Visible words that are no claim, no decline, no question and no talk, as far as could be told."""
    failure: str | None = None
    """What went wrong where the pipeline gave no answer, as far as it was recorded."""

    @property
    def answering(self) -> list[ClaimFacts]:
        """The claims that answer the question, without asides."""
        return [claim for claim in self.claims if claim.role == "answering"]
