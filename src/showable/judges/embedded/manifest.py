"""What a folder with a model says of itself, so that any cross-encoder exported to ONNX can judge."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError, model_validator

from showable.errors import InputError, SettingError
from showable.judges.lexical.passage import LONGEST_SENTENCE
from showable.records.wire import Many, Wire

MANIFEST = "manifest.json"
Outcome = Literal["entailed", "neutral", "contradicted", "not_entailed"]
_NAME = r"[A-Za-z0-9._-]+"
FEWEST, MOST = LONGEST_SENTENCE, 256
"""Words of a passage that any model is shown at least, and at most unless its manifest says more."""


class Calibration(Wire):
    """Platt's two numbers: p = 1 / (1 + exp(−(scale · z + shift))), z the log odds of support that the model gives."""

    scale: float = Field(default=1.0, gt=0.0)
    shift: float = 0.0


class Manifest(Wire):
    """What `manifest.json` holds. Paths are relative to its folder.

    `outcomes` names the model's outputs in order; a single one is the logit of support. `template` is ``pair`` for models
    that take the passage and then the claim as two segments, ``pair_claim_first`` for the other order, ``shared`` for this
    project's own, which marks equal tokens, or a text with ``{claim}`` and ``{passage}`` in it. `longest` is how many tokens
    the model reads; `words` how many words of a passage it is shown at most. `uncertain` is the band of p in which the judge
    says ``unknown``. `sha256` gives the digests of files that must not change.
    """

    name: str = Field(pattern=f"^{_NAME}$")
    revision: str = Field(default="1", pattern=f"^{_NAME}$")
    model: str = "model.onnx"
    tokenizer: str = "tokenizer.json"
    head: str | None = None
    outcomes: Annotated[Many[Outcome], Field(min_length=1)]
    template: str = "pair"
    longest: int = Field(default=512, ge=64, le=8192)
    words: int | None = Field(default=None, ge=FEWEST, le=8192)
    calibration: Calibration = Calibration()
    uncertain: tuple[float, float] | None = None
    sha256: dict[str, str] = Field(default_factory=dict)

    @property
    def room(self) -> int:
        """Words of a passage that the model is shown at most; unless said, half as many as it reads tokens, within bounds."""
        return self.words or max(FEWEST, min(MOST, self.longest // 2))

    @model_validator(mode="after")
    def _consistent(self) -> Manifest:
        if self.outcomes.count("entailed") != 1:
            raise ValueError("outcomes: exactly one of them is entailed")
        named = self.template in {"pair", "pair_claim_first", "shared"}
        if not named and not ("{claim}" in self.template and "{passage}" in self.template):
            raise ValueError("template: pair, pair_claim_first, shared, or a text with {claim} and {passage}")
        if self.head is not None and (self.uncertain is not None or self.calibration != Calibration()):
            raise ValueError("head: holds calibration and uncertain already; leave them out")
        if self.uncertain is not None and not 0.0 <= self.uncertain[0] <= self.uncertain[1] <= 1.0:
            raise ValueError("uncertain: two probabilities, the lower first")
        return self


def read_manifest(path: Path) -> tuple[Manifest, Path]:
    """Read the manifest of a model folder (or the manifest itself); give it with its folder.

    Raises InputError where it cannot be read, SettingError where a file it names is missing or is not the one it names.
    """
    file = path if path.name == MANIFEST else path / MANIFEST
    try:
        manifest = Manifest.model_validate_json(file.read_bytes())
    except OSError as error:
        needed = '{"name": …, "outcomes": […]}, the outputs in the order of id2label in config.json'
        said = f"{file}: {error.strerror or error}; a model folder holds a {MANIFEST} with at least {needed}"
        raise SettingError(said) from None
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise InputError(first["msg"].removeprefix("Value error, "), path=str(file), field=field) from None
    _check_files(manifest, file.parent)
    return manifest, file.parent


def _check_files(manifest: Manifest, folder: Path) -> None:
    for name in filter(None, (manifest.model, manifest.tokenizer, manifest.head)):
        if not (folder / name).is_file():
            raise SettingError(f"{folder / name}: missing; the manifest names it")
    for name, expected in manifest.sha256.items():
        found = _digest(folder / name)
        if found != expected:
            said = f"sha256 {found[:12]}…, the manifest says {expected[:12]}…"
            raise SettingError(f"{folder / name}: damaged or replaced ({said}); install it again")


def fingerprint(manifest: Manifest, folder: Path) -> str:
    """Return eight hexadecimal digits that change with the manifest and with every file it names."""
    digest = hashlib.sha256(manifest.model_dump_json().encode())
    named = filter(None, (manifest.tokenizer, manifest.head))
    weights = (
        path.name for path in folder.glob(f"{manifest.model}*") if path.is_file()
    )  # with external data beside it
    for name in sorted({*named, *weights}):
        digest.update((manifest.sha256.get(name) or _digest(folder / name)).encode())
    return digest.hexdigest()[:8]


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise SettingError(f"{path}: {error.strerror or error}; the manifest names it") from None
