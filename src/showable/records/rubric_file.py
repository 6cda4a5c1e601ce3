"""A rubric of one's own for one kind of claim: what its passage must do, in words that a judge is given and a person can test."""

from __future__ import annotations

import hashlib
from typing import Literal

from pydantic import Field, field_validator, model_validator

from showable.records.profile import FieldName
from showable.records.wire import Many, Wire

MenuLabel = Literal["supported", "partial", "unsupported", "contradicted"]
MENU: tuple[MenuLabel, ...] = ("supported", "partial", "unsupported", "contradicted")
_LONGEST = 2_000
_MOST_CRITERIA = 50


class RubricExample(Wire):
    """A claim and a passage, and what a person says of them under the rubric; an empty label is still to be given."""

    claim: str = Field(min_length=1)
    passage: str = Field(min_length=1)
    label: MenuLabel | Literal[""] = ""

    @property
    def key(self) -> tuple[str, str]:
        """What makes two examples the same: their words, however they are spaced."""
        return " ".join(self.claim.split()), " ".join(self.passage.split())


class OwnRubric(Wire):
    """What a semantic rubric of a field adds: criteria and menu for claims of one kind, and the p that they must reach.

    `says` is the description that it was made from. `criteria` and `menu` (a sentence a verdict) go into a chat judge's
    prompt for claims of `kind`; without a kind, for all. `threshold` is the p at which such a claim is supported, with
    every judge. `must_reach` is the balanced accuracy on the labelled `examples` below which it may not be used.
    `written_by` names the model that drafted it, or ``template``.
    """

    name: str = Field(pattern=r"^[a-z][a-z0-9-]{0,40}$")
    says: str = Field(min_length=1, max_length=_LONGEST)
    field: FieldName = "general"
    kind: str | None = Field(default=None, pattern=r"^[^|=\s,/\x00-\x1f\x7f-\x9f]{1,40}$")
    criteria: Many[str] = Field(min_length=1, max_length=_MOST_CRITERIA)
    menu: dict[MenuLabel, str]
    threshold: float = Field(default=0.5, gt=0.0, lt=1.0)
    must_reach: float = Field(default=0.75, gt=0.5, le=1.0)
    written_by: str = "template"
    examples: Many[RubricExample] = ()

    @field_validator("criteria")
    @classmethod
    def _said(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if any(not one.strip() or len(one) > _LONGEST for one in value):
            raise ValueError(f"expected sentences of 1 to {_LONGEST:,} characters")
        return value

    @model_validator(mode="after")
    def _whole_menu(self) -> OwnRubric:
        if missing := [label for label in MENU if not self.menu.get(label, "").strip()]:
            raise ValueError(f"menu.{missing[0]}: expected a sentence that says when this verdict is right")
        if long := [label for label in MENU if len(self.menu[label]) > _LONGEST]:
            raise ValueError(f"menu.{long[0]}: expected a sentence of {_LONGEST:,} characters at most")
        return self

    @field_validator("examples")
    @classmethod
    def _each_once(cls, value: tuple[RubricExample, ...]) -> tuple[RubricExample, ...]:
        first: dict[tuple[str, str], int] = {}
        for number, example in enumerate(value, 1):
            if (before := first.setdefault(example.key, number)) != number:
                raise ValueError(f"examples {before} and {number} are the same claim and passage; one counts once")
        return value

    @property
    def digest(self) -> str:
        """Digest of all that can move a verdict: description, criteria, menu, kind and threshold, and not the examples."""
        moving = self.model_dump_json(include={"says", "kind", "criteria", "menu", "threshold"})
        return hashlib.blake2b(moving.encode(errors="replace"), digest_size=4).hexdigest()

    @property
    def label(self) -> str:
        """The name and the digest, as a signature prints them."""
        return f"{self.name}@{self.digest}"

    @property
    def notes(self) -> str:
        """What a chat judge is told besides: the criteria, then what each verdict means under them."""
        criteria = "\n".join(f"- {one.strip()}" for one in self.criteria)
        menu = "\n".join(f"- {label}: {self.menu[label].strip()}" for label in MENU)
        return f"For these claims there is a rule more: {self.says.strip()}\n{criteria}\nUnder this rule the verdicts mean:\n{menu}\n"


class RubricTrial(Wire):
    """How a rubric did on labelled examples: with which judge, on how many, how well with it and without, and whether it passed.

    Figures are fractions 0-1 with their 95 % interval. `digest` is the rubric's, so that a changed rubric is an untested one.
    """

    digest: str
    judge: str
    prompt: str | None
    n: int
    positives: int
    negatives: int
    undecided: int = 0
    balanced_accuracy: float | None = None
    low: float | None = None
    high: float | None = None
    tpr: float | None = None
    tnr: float | None = None
    without: float | None = None
    passed: bool
    why: str
    examples: str
    at: str | None = None

    @property
    def measured(self) -> bool:
        """Check whether it says anything of the rubric: half the examples and more decided, of both verdicts."""
        return self.balanced_accuracy is not None and 2 * self.undecided <= self.n
