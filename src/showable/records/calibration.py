"""What calibrating a judge against people came to, as a file: thresholds, a map of its probability, and what they rest on."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from typing import Any, Literal

from pydantic import Field, model_validator

from showable.records.evidence import Label as VerdictLabel
from showable.records.shown_from import ShownFrom
from showable.records.signature import Thresholds
from showable.records.wire import Many, Wire

CALIBRATION_SCHEMA: Literal["1"] = "1"


class IsotonicMap(Wire):
    """A non-decreasing map of p, linear between its points; outside them the nearest point's value.

    `x` are raw probabilities, strictly rising; `y` what share of such pairs people called supported. Both lie in 0-1.
    """

    x: Many[float]
    y: Many[float]

    @model_validator(mode="after")
    def _monotone(self) -> IsotonicMap:
        if len(self.x) != len(self.y) or not self.x:
            raise ValueError("x and y: expected two lists of one length, not empty")
        if any(not 0.0 <= one <= 1.0 for one in (*self.x, *self.y)):
            raise ValueError("x and y: expected numbers from 0 to 1")
        if any(b <= a for a, b in zip(self.x, self.x[1:], strict=False)):
            raise ValueError("x: expected rising numbers")
        if any(b < a for a, b in zip(self.y, self.y[1:], strict=False)):
            raise ValueError("y: expected numbers that never fall")
        return self

    def __call__(self, p: float) -> float:
        """Map one probability."""
        at = bisect_right(self.x, p)
        if at == 0:
            return self.y[0]
        if at == len(self.x):
            return self.y[-1]
        low, high = self.x[at - 1], self.x[at]
        return self.y[at - 1] + (self.y[at] - self.y[at - 1]) * (p - low) / (high - low)


class Shot(Wire):
    """A worked example for a chat judge's prompt: a claim, a passage, and what people say of them."""

    claim: str
    passage: str
    label: VerdictLabel
    kind: str | None = None


class FittedOn(Wire):
    """What a calibration rests on: how many labels, under which texts of the rubric, and their digest.

    `reviewers` is by how many people; None where the labels do not say.
    """

    n: int
    positives: int
    negatives: int
    reviewers: int | None = 1
    labels: str
    rubrics: Many[str] = ()
    at: str | None = None


class Calibration(Wire):
    """A judge's settings as people's labels have them. One of its own judge only: `judge` and `prompt` must be alike.

    `p` of a verdict goes through `recalibration` first, where there is one; `thresholds` cut what comes out. `head` replaces
    the embedded judge's head, `shots` go into a chat judge's prompt. `shown_from` says which answers may be shown. `bought` holds what it bought on labels that it was
    not fitted on, by figure: before, after, low and high of the difference.
    """

    schema_version: Literal["1"] = CALIBRATION_SCHEMA
    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,60}$")
    judge: str
    prompt: str | None = None
    profile: str = "general"
    thresholds: Thresholds = Thresholds()
    recalibration: IsotonicMap | None = None
    head: dict[str, Any] | None = None
    shots: Many[Shot] = ()
    shown_from: ShownFrom | None = None
    fitted_on: FittedOn
    bought: dict[str, dict[str, float | None]] = Field(default_factory=dict)

    @property
    def label(self) -> str:
        """Name it for a signature: the name and a digest of all that can move a number."""
        moving = self.model_dump_json(include={"judge", "prompt", "thresholds", "recalibration", "head", "shots"})
        moving += "" if self.shown_from is None else self.shown_from.model_dump_json()
        return f"{self.name}@{hashlib.blake2b(moving.encode(), digest_size=4).hexdigest()}"
