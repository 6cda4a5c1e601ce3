"""A scorecard in outline: what comparing runs takes of it, without texts, findings and checks."""

from __future__ import annotations

from pydantic import ConfigDict

from showable.records.findings import Outcome
from showable.records.roles import Refusal
from showable.records.scorecard import Bucket, Cause, Showing, Support
from showable.records.wire import Many, Wire


class CitationOutline(Wire):
    """Of a citation: whether it leads into the log, and whether it supports its claim."""

    model_config = ConfigDict(extra="ignore")

    exists: Outcome
    supports: Outcome


class ClaimOutline(Wire):
    """Of a claim: what its own citations do for it."""

    model_config = ConfigDict(extra="ignore")

    support: Support
    citations: Many[CitationOutline] = ()


class ReleaseOutline(Wire):
    """Of a release: whether the answer may be shown."""

    model_config = ConfigDict(extra="ignore")

    verdict: Showing


class Outline(Wire):
    """The fields of a Scorecard that rows of a comparison are made of, named as they are there.

    Read from the same line; what else the line holds is passed over, which takes a tenth of the time of reading it whole.
    """

    model_config = ConfigDict(extra="ignore")

    id: str
    bucket: Bucket
    cause: Cause | None = None
    citation_exists: Outcome
    citation_supports: Outcome
    refusal_quality: int | None = None
    extra_claim_count: int | None = None
    refusal: Refusal = "none"
    retrieved_count: int | None = None
    category: str | None = None
    expected: Many[str] = ()
    answerable: bool | None = None
    question_hash: str | None = None
    claims: Many[ClaimOutline] = ()
    loose: Many[CitationOutline] = ()
    release: ReleaseOutline | None = None
