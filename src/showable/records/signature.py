"""Everything that can move a number, on one printable line."""

from __future__ import annotations

import re

from pydantic import Field, field_validator

from showable.errors import SettingError
from showable.records.wire import Wire

_NAME = re.compile(r"[^|=\s,/]+")


class Thresholds(Wire):
    """The probability at which a verdict counts as support: one for all claims, and one for any claim kind.

    Used only where the judge gives a probability; a judge that gives labels alone is taken at its word.
    """

    support: float = Field(default=0.5, gt=0.0, lt=1.0)
    per_kind: dict[str, float] = Field(default_factory=dict)

    @field_validator("per_kind")
    @classmethod
    def _probabilities(cls, value: dict[str, float]) -> dict[str, float]:
        for kind, p in value.items():
            if not 0.0 < p < 1.0:
                raise ValueError(f"{kind}: a threshold lies between 0 and 1, got {p}")
            if not _NAME.fullmatch(kind):
                raise ValueError(f"{kind!r}: a claim kind is one word")
        return value

    def of(self, kind: str | None) -> float:
        """Return the threshold for a claim of this kind."""
        return self.per_kind.get(kind or "", self.support)

    def __str__(self) -> str:
        """Print as ``0.5`` or ``0.5,holding=0.7``."""
        return ",".join([repr(self.support), *(f"{k}={v!r}" for k, v in sorted(self.per_kind.items()))])

    @classmethod
    def parse(cls, text: str) -> Thresholds:
        """Read what ``str`` printed. Raises SettingError on anything else."""
        first, *rest = text.split(",")
        try:
            per_kind = {kind: float(p) for kind, p in (part.split("=") for part in rest)}
            return cls(support=float(first), per_kind=per_kind)
        except ValueError:
            said = "expected p between 0 and 1, as in 0.5 or 0.5,holding=0.7"
            raise SettingError(f"threshold {text!r}: {said}") from None


class Signature(Wire):
    """What computed a number. Two numbers may be compared only where the signatures are alike.

    Prints on one line and reads back: ``Signature.parse(str(s)) == s``.
    """

    version: str
    rubric: str
    parser: str
    reader: str | None = None
    judge: str
    prompt: str | None = None
    thresholds: Thresholds = Thresholds()
    profile: str = "general"
    registries: str | None = None
    corpus: str | None = None
    calibration: str | None = None
    answer_head: str | None = None
    """Revision of the function that makes one probability an answer of those of its claims."""
    seed: int = 0

    def __str__(self) -> str:
        """Print on one line, fields in a fixed order, `-` where there is none; runs from before the reader name none."""
        names = [name for name in type(self).model_fields if name != "reader" or self.reader is not None]
        return "|".join(f"{name}:{self._written(name)}" for name in names)

    def _written(self, name: str) -> str:
        value = getattr(self, name)
        return "-" if value is None else str(value)

    @classmethod
    def parse(cls, text: str) -> Signature:
        """Read what ``str`` printed. Raises SettingError on anything else."""
        try:
            raw = dict(part.split(":", 1) for part in text.split("|"))
            values: dict[str, object] = {k: None if v == "-" else v for k, v in raw.items()}
            values["thresholds"] = Thresholds.parse(raw["thresholds"])
            values["seed"] = int(raw["seed"])
            return cls.model_validate(values)
        except (ValueError, KeyError) as error:
            raise SettingError(f"not a signature: {text!r} ({str(error).splitlines()[0]})") from None

    def differences(self, other: Signature) -> list[str]:
        """Name every field that differs, as ``judge: a → b``, `-` where there is none."""
        return [
            f"{name}: {self._written(name)} → {other._written(name)}"
            for name in type(self).model_fields
            if getattr(self, name) != getattr(other, name)
        ]
