"""What a field demands before an answer may be shown: formats, registries, floor, thresholds, refusals, critical claims."""

from __future__ import annotations

import hashlib
from typing import Literal

from pydantic import Field, model_validator

from showable.records.label_guide import About
from showable.records.labels import ReviewerRole
from showable.records.shown_from import ShownFrom
from showable.records.signature import Thresholds
from showable.records.wire import Many, Wire

FieldName = Literal["general", "legal", "medical", "research", "news"]
RefusalDemand = Literal["reason", "pointer", "calm"]

GENERAL_HOLD = (
    "This answer is held back: not every citation in it could be shown to lead to a real source that says what it is"
    " cited for. Please consult the sources directly."
)


class RefusalDemands(Wire):
    """What a refusal must contain (the points of refusal quality), and the words shown in place of an answer held back."""

    must_contain: Many[RefusalDemand] = ()
    hold_text: str = Field(default=GENERAL_HOLD, min_length=1)


class OwnSchema(Wire):
    """A team's own JSON Schema of an answer, as text, and the name of the function whose arguments it describes."""

    text: str
    function: str | None = None


class Profile(Wire):
    """The rules of one field. A team's own profile extends another and names only what differs.

    `formats` are the surface formats a reference may be in (one must be valid), `answer_form` the structured
    form that a model can be made to answer in. `patterns` are regular expressions (RE2) that no answer should match,
    by name. `registries` gives, for a kind of reference, the registries to
    ask, in order; `notices` those asked besides, for what has become of a work since. `floor` is the least
    share of citations that must resolve. `claim_rules` names the rules that give a claim its kind;
    `quotes` says whether a structured answer must quote what it cites: a failure where it does not, or a warning.
    `hidden_characters` says what a character that does not show does in a quotation or in prose, such as a space of no width:
    it holds the answer, or is a finding beside it; in an id or an address it always holds.
    `critical` are the kinds of which none may be left undecided; `topical` those for which a passage about the subject
    is support enough, though it does not entail the claim. `versioned` are the kinds whose source must
    say which version or year it is. `tiers` weigh a source by its `metadata.tier`: a source of weight w
    supports a claim at threshold / w. `sources_conflict` says what a retrieved passage does that contradicts a
    claim which its own citation supports: a finding beside the bucket, or a bucket that is unknown. `label_roles` says
    whose labels count for what is labelled: the roles by what they are about, everybody's where it says nothing. `own_rubrics` names the
    rubrics of one's own that are in force, ``name@digest``: a run puts them there, no file; so does `own_schema`, the schema
    that answers are held to in place of this tool's, and `shown_from`, the bound of a calibration, which the signature names.
    """

    name: str = Field(pattern=r"^[a-z][a-z0-9_-]{0,40}$")
    extends: str | None = None
    description: str = ""
    formats: Many[str] = ()
    patterns: dict[str, str] = Field(default_factory=dict)
    answer_form: FieldName = "general"
    registries: dict[str, Many[str]] = Field(default_factory=dict)
    notices: dict[str, Many[str]] = Field(default_factory=dict)
    quotes: Literal["asked", "required"] = "asked"
    hidden_characters: Literal["hold", "finding"] = "hold"
    floor: float | None = Field(default=None, gt=0.0, le=1.0)
    thresholds: Thresholds = Thresholds()
    claim_rules: FieldName = "general"
    critical: Many[str] = ()
    topical: Many[str] = ()
    versioned: Many[str] = ()
    tiers: dict[str, float] = Field(default_factory=dict)
    unlisted_tier: float = Field(default=1.0, gt=0.0, le=1.0)
    sources_conflict: Literal["finding", "unknown"] = "finding"
    refusal: RefusalDemands = RefusalDemands()
    label_roles: dict[About, Many[ReviewerRole]] = Field(default_factory=dict)
    own_rubrics: Many[str] = ()
    own_schema: OwnSchema | None = None
    shown_from: ShownFrom | None = None

    @model_validator(mode="after")
    def _weights(self) -> Profile:
        for tier, weight in self.tiers.items():
            if not 0.0 < weight <= 1.0:
                raise ValueError(f"tiers.{tier}: a weight lies above 0 and at most at 1, got {weight}")
        return self

    @property
    def label(self) -> str:
        """The name, and for all but the plain general profile a digest of its rules.

        Thresholds and registries are left out: a signature prints them by themselves. So is whose labels count, which
        moves no score.
        """
        left_out = {
            "thresholds": Thresholds(),
            "registries": {},
            "notices": {},
            "description": "",
            "label_roles": {},
            "own_rubrics": (),
            "shown_from": None,
        }
        rules = self.model_copy(update=left_out)
        named = "".join(f"+{rubric}" for rubric in self.own_rubrics)
        if rules == GENERAL:
            return self.name + named
        written = rules.model_dump_json(exclude={"label_roles", "own_rubrics", "shown_from"}).encode()
        return f"{self.name}@{hashlib.blake2b(written, digest_size=3).hexdigest()}{named}"

    def at(self, thresholds: Thresholds) -> Profile:
        """Return the same rules with other thresholds."""
        return self.model_copy(update={"thresholds": thresholds})

    def counts(self, about: About, role: ReviewerRole) -> bool:
        """Check whether the labels of people in this role count."""
        return role in self.label_roles.get(about, (role,))

    def weight(self, tier: object) -> float:
        """Return the weight of a source's tier; a tier that is not listed, or not stated, has `unlisted_tier`."""
        return self.tiers.get(str(tier), self.unlisted_tier) if self.tiers else 1.0


GENERAL = Profile(name="general")
"""No demands beyond the rubrics themselves."""
