"""From the model's odds and the word-level checks to one calibrated probability of support."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from pydantic import Field, ValidationError, model_validator

from showable.errors import InputError, SettingError
from showable.judges.embedded.features import NAMES, Features
from showable.judges.embedded.manifest import Calibration
from showable.records.wire import Wire


class Head(Protocol):
    """Gives the probability of support, and says from when the model's word is enough to call a contradiction."""

    @property
    def contradiction(self) -> float:
        """Odds of contradiction from which a claim that is not supported is called contradicted."""
        ...

    @property
    def uncertain(self) -> tuple[float, float] | None:
        """The band of p in which nothing is decided."""
        ...

    def probability(self, features: Features) -> float:
        """Return the calibrated probability that the passage supports the claim."""
        ...


class StackedHead(Wire):
    """A logistic function over all features: the model's odds and the word-level checks together.

    Made by training/head.py, which says what was fitted on what. p is a probability where support and no support are
    equally frequent.
    """

    names: tuple[str, ...] = Field(strict=False)
    weights: tuple[float, ...] = Field(strict=False)
    intercept: float
    contradiction: float
    uncertain: tuple[float, float] | None = Field(default=None, strict=False)

    @model_validator(mode="after")
    def _known(self) -> StackedHead:
        if self.names != NAMES or len(self.weights) != len(NAMES):
            raise ValueError("names: not the features of this version")
        return self

    def probability(self, features: Features) -> float:
        """Return p for one pair."""
        return _logistic(self.intercept + sum(w * v for w, v in zip(self.weights, features.values, strict=True)))


class PlattHead:
    """The model's own odds, scaled and shifted: for models that bring no head."""

    contradiction = 0.0

    def __init__(self, calibration: Calibration, uncertain: tuple[float, float] | None) -> None:
        self._calibration, self.uncertain = calibration, uncertain

    def probability(self, features: Features) -> float:
        """Return p for one pair."""
        return _logistic(self._calibration.scale * features.support + self._calibration.shift)


def read_head(path: Path) -> StackedHead:
    """Read a head. Raises InputError where it is none of this version."""
    try:
        return StackedHead.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise InputError(first["msg"].removeprefix("Value error, "), path=str(path), field=field) from None


def head_of(given: Mapping[str, Any]) -> StackedHead:
    """Make a head of its fields, as a calibration file holds them. Raises SettingError where they are none of this version."""
    try:
        return StackedHead.model_validate_json(json.dumps(given))
    except (ValidationError, TypeError, ValueError) as error:
        if not isinstance(error, ValidationError):
            raise SettingError(f"head: {error}") from None
        first = error.errors()[0]
        place = ".".join(["head", *map(str, first["loc"])])
        raise SettingError(f"{place}: {first['msg'].removeprefix('Value error, ')}") from None


def head_digest(head: StackedHead) -> str:
    """Return eight hexadecimal digits that change with every number of a head."""
    return hashlib.blake2b(head.model_dump_json().encode(), digest_size=4).hexdigest()


def _logistic(z: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-40.0, min(40.0, z))))
