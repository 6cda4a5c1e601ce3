"""What a reader says that the sentences of a text do, with its probabilities: evidence, saved beside the verdicts."""

from __future__ import annotations

from typing import Literal, get_args

from pydantic import Field

from showable.records.wire import Many, Span, Wire

Refusal = Literal["none", "partial", "full", "refused_then_answered"]
RefusalBasis = Literal["evidence", "scope", "policy", "clarification"]
SentenceRole = Literal["claim", "decline", "guidance", "aside", "meta", "question", "both"]
"""`aside` is what the documents do say beside a refusal, `meta` talk about the answer itself, `both` asserts and declines."""
ROLES: tuple[SentenceRole, ...] = get_args(SentenceRole)
EXTENTS: tuple[Refusal, ...] = get_args(Refusal)
BASES: tuple[RefusalBasis, ...] = get_args(RefusalBasis)


class ReadSentence(Wire):
    """A sentence, or a clause of one, and the probability of each of `ROLES`, in that order."""

    span: Span
    p: Many[float] = Field(min_length=len(ROLES), max_length=len(ROLES))

    @property
    def role(self) -> SentenceRole:
        """The likeliest role."""
        return ROLES[self.p.index(max(self.p))]

    @property
    def asserts(self) -> float:
        """The probability that the words state a fact, as an answer or beside one."""
        return self.p[ROLES.index("claim")] + self.p[ROLES.index("aside")] + self.p[ROLES.index("both")]

    @property
    def declines(self) -> float:
        """The probability that the words decline."""
        return self.p[ROLES.index("decline")] + self.p[ROLES.index("both")]

    @property
    def asks(self) -> float:
        """The probability that the words ask back."""
        return self.p[ROLES.index("question")]


class ReadText(Wire):
    """A text as read: its digest, its sentences, and the probabilities of each of `EXTENTS` and, if it declines, of `BASES`.

    `reader` is `name@revision`, as the signature prints it.
    """

    digest: str
    reader: str
    sentences: Many[ReadSentence] = ()
    extent: Many[float] = Field(min_length=len(EXTENTS), max_length=len(EXTENTS))
    basis: Many[float] = Field(min_length=len(BASES), max_length=len(BASES))
