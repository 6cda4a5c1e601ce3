"""What people say about an answer: one label is one person's word on one thing, given under one text of the rubric."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple

from pydantic import Field, field_validator, model_validator

from showable.records.label_guide import GUIDE, About, guide_digest
from showable.records.wire import Id, Wire

ReviewerRole = Literal["senior", "reviewer", "engineer"]
"""A senior domain reviewer (the lawyer, clinician or editor who answers for it), a domain reviewer, an engineer."""
ROLES: tuple[ReviewerRole, ...] = ("senior", "reviewer", "engineer")
LONGEST_COMMENT = 4_000
MOST_EXTRA_CLAIMS = 99
SEPARATOR = "\x1f"
CANNOT_TELL = "cannot_tell"
"""A person's `unknown`: kept and counted, never taken for a yes or a no."""

Value = str | int
_KIND = re.compile(r"[^|=\s,/]{1,40}")
_ISO = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|\+00:00)")


class Target(NamedTuple):
    """What a label is about: an answer as a whole, one claim of it, or one citation of a claim (indices from 0)."""

    record: str
    about: About
    claim: int | None = None
    citation: int | None = None


class Label(Wire):
    """One person's word on one target.

    `value` is a name of the guide (`supported`, `wrong` …), a number for refusal quality (0-3) and extra claims, a word
    for a claim kind, text for a comment, and None where a label was taken back. `answer` is the digest of the answer
    it was given on (`answer_digest`), `rubric` that of the guide's text (`guide_digest`); `source_id` names the cited
    source again, so that a label can be read without its run. `blind` says whether the judge's verdict was still
    hidden; `seconds` how long the person had the target before them; `adjudicated` that the label settles a
    disagreement. `id` makes a delivery idempotent: the same id is the same label. `held_out` stands in files alone, on
    whatever was said of a record on which nothing may be fitted: it moves the hold-out together with the labels.
    """

    id: str = Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")
    record: Id
    about: About
    claim: Annotated[int, Field(ge=0)] | None = None
    citation: Annotated[int, Field(ge=0)] | None = None
    value: Value | None
    reviewer: str = Field(pattern=r"^[^\s|,][^|,\r\n]{0,59}$")
    role: ReviewerRole
    at: str
    rubric: str
    answer: str
    source_id: Id | None = None
    blind: bool = True
    seconds: float | None = Field(default=None, ge=0.0)
    adjudicated: bool = False
    held_out: bool = False

    @field_validator("at")
    @classmethod
    def _utc(cls, value: str) -> str:
        if not _ISO.fullmatch(value):
            raise ValueError(f"expected a time in UTC such as 2026-01-31T09:30:00Z, got {value[:40]!r}")
        return value

    @model_validator(mode="after")
    def _fits(self) -> Label:
        wanted = _PLACES[self.about]
        if (self.claim is not None, self.citation is not None) != wanted:
            raise ValueError(f"{self.about}: expected {_SAID[wanted]}")
        if self.value is not None and (problem := value_problem(self.about, self.value)):
            raise ValueError(f"value: {problem}")
        return self

    @property
    def target(self) -> Target:
        """What it is about."""
        return Target(self.record, self.about, self.claim, self.citation)


_PLACES: dict[About, tuple[bool, bool]] = {
    "support": (True, True),
    "claim_kind": (True, False),
    "bucket": (False, False),
    "refusal_quality": (False, False),
    "extra_claims": (False, False),
    "comment": (False, False),
}
_SAID = {
    (True, True): "the claim and its citation, counted from 0",
    (True, False): "the claim, counted from 0, and no citation",
    (False, False): "no claim and no citation: it is about the whole answer",
}


def value_problem(about: About, value: Value) -> str | None:
    """Return what is wrong with a value, or None where it is one of those that the guide has."""
    said = f"expected {_expected(about)}, got {value!r}"[:200]
    whole = isinstance(value, int) and not isinstance(value, bool)
    if about == "extra_claims":
        return None if whole and 0 <= int(value) <= MOST_EXTRA_CLAIMS else said
    if about == "claim_kind":
        return None if isinstance(value, str) and _KIND.fullmatch(value) else said
    if about == "comment":
        return None if isinstance(value, str) and 0 < len(value) <= LONGEST_COMMENT else said[:120]
    named = any(value == one.value and isinstance(value, type(one.value)) for one in GUIDE[about].choices)
    return None if named and not isinstance(value, bool) else said


def _expected(about: About) -> str:
    if about == "extra_claims":
        return f"a number from 0 to {MOST_EXTRA_CLAIMS}"
    if about == "claim_kind":
        return "one word"
    if about == "comment":
        return f"text of at most {LONGEST_COMMENT:,} characters"
    return "one of " + ", ".join(str(one.value) for one in GUIDE[about].choices)


def answer_digest(text: str | None, claims: Sequence[tuple[str, Sequence[str | None]]]) -> str:
    """Return the digest of an answer as it is labelled: its text, and each claim with the sources that it cites.

    Labels count only on the answer that they were given on: another text, or the same text read into other claims, is
    another answer.
    """
    hashed = hashlib.blake2b(digest_size=8)
    parts = [f"{claim}\x1e{SEPARATOR.join(str(one) for one in cited)}" for claim, cited in claims]
    for part in [text or "", *parts]:
        hashed.update(part.encode("utf-8", "surrogatepass") + b"\x1d")
    return hashed.hexdigest()


def current_guide() -> dict[About, str]:
    """Return the digest of today's text for everything that is labelled."""
    return {about: guide_digest(about) for about in GUIDE}
