"""Labelled rows, as a user writes them down: JSON Lines, plain or gzip; fields that are not asked for are passed over."""

from __future__ import annotations

import gzip
import re
import shutil
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeVar

from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from showable.errors import InputError
from showable.records.lines import read_lines
from showable.records.wire import Id, Wire

_GZIP = b"\x1f\x8b"
_LABELS = (0.0, 0.5, 1.0)
NEITHER = 0.5
"""The label of a row that people call neither yes nor no: excluded, and counted."""
_YES = "supported yes pass passed true entailed entailment grounded 1 supports attributable faithful correct"
_NO = (
    "unsupported no fail failed false contradicted contradiction 0 not_supported not_entailed not_entailment not_grounded ungrounded refutes "
    "refuted contradicts contradict not_attributable unfaithful hallucinated incorrect not_enough_info nei"
)
"""Among them the words of FEVER, SciFact, AttributionBench and HaluEval."""
LABEL_WORDS: Mapping[str, float] = {
    **dict.fromkeys(_YES.split(), 1.0),
    **dict.fromkeys(_NO.split(), 0.0),
    **dict.fromkeys(("partial", "partially_supported", "neutral", "0.5"), NEITHER),
}
"""What people write for a label, in small letters with ``_`` between words."""

_DECLINED = ("full", "yes", "refused", "refusal", "refused_then_answered")
_KINDS = ("evidence", "no_evidence", "insufficient_evidence", "out_of_scope", "ambiguous", "harm", "safety", "policy")
_REFUSAL_WORDS = {
    **dict.fromkeys(("none", "no", "answered", "false", "0"), 0.0),
    **dict.fromkeys(("partial", "0.5"), NEITHER),
    **dict.fromkeys((*_DECLINED, *_KINDS, "true", "1"), 1.0),
}


def plain_word(text: str) -> str:
    """Return a label's word as it is compared: small letters, ``_`` for blanks and hyphens."""
    return re.sub(r"[\s\-]+", "_", text.strip().casefold())


def _label(value: Any) -> float:
    if isinstance(value, (bool, int, float)) and float(value) in _LABELS:
        return float(value)
    if isinstance(value, str) and (word := plain_word(value)) in LABEL_WORDS:
        return LABEL_WORDS[word]
    raise ValueError(f"expected 1, 0, 0.5 or one of {', '.join(LABEL_WORDS)}; got {_brief(value)}")


def _refusal(value: Any) -> float:
    if isinstance(value, str) and (word := plain_word(value)) in _REFUSAL_WORDS:
        return _REFUSAL_WORDS[word]
    if isinstance(value, (bool, int, float)) and float(value) in _LABELS:
        return float(value)
    words = ", ".join(_REFUSAL_WORDS)
    raise ValueError(f"expected true, false, 0.5 or one of {words}; got {_brief(value)}")


def _kind(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _brief(value: Any) -> str:
    shown = "null" if value is None else repr(value)
    return shown if len(shown) <= 40 else f"{shown[:37]}…"  # noqa: PLR2004 - fits one terminal line


class Labelled(Wire):
    """A row with a label; `word` is what was written for it where that is no number."""

    model_config = ConfigDict(extra="ignore")

    label_field: ClassVar[str] = "label"

    word: str | None = Field(default=None, exclude=True)  # a digest of labels is of what they mean

    @model_validator(mode="before")
    @classmethod
    def _keep_word(cls, value: Any) -> Any:
        """Keep the label as it was written; a field of the row that is called `word` is not ours."""
        if not isinstance(value, Mapping):
            return value
        written = value.get(cls.label_field)
        return {**value, "word": plain_word(written) if isinstance(written, str) else None}

    @property
    def value(self) -> float:
        """The label as a number."""
        return float(getattr(self, self.label_field))


class LabelledPair(Labelled):
    """A claim, a passage, and whether people say that the passage contains the claim.

    Rows that share `group` and claim are chunks of one source, of which the best stands for it. Rows
    that share `question` (else `group`) are not independent and are resampled together. `kind` is the kind
    of the claim, which a cascade may call critical; what is no text there is passed over.
    """

    claim: str
    passage: str
    label: Annotated[float, BeforeValidator(_label)]
    group: Id | None = None
    question: str | None = None
    kind: Annotated[str | None, BeforeValidator(_kind)] = None
    id: Id | None = None


class LabelledResponse(Labelled):
    """A response, and whether people say that it refuses: true or false, 1, 0 or 0.5, or a word for the kind of refusal."""

    label_field: ClassVar[str] = "refusal"

    response: str | None
    refusal: Annotated[float, BeforeValidator(_refusal)]
    question: str = Field(default="")
    id: Id | None = None


R = TypeVar("R", bound=Wire)


def read_rows(path: Path, model: type[R], name: str | None = None) -> list[tuple[int, R]]:
    """Read the rows of a file with their line numbers (from 1).

    Raises InputError at the first line that is none, naming file (as `name`), line and field; and where there is no row.
    """
    called = name or str(path)
    rows = []
    with unpacked(path, called) as plain:
        for line in read_lines(plain, model):
            if line.problem is not None:
                found = line.problem
                raise InputError(found.message, path=called, line=found.line, field=found.field)
            if line.value is not None:
                rows.append((line.number, line.value))
    if not rows:
        raise InputError("holds no rows", path=called)
    return rows


def labels_read(rows: Iterable[Labelled]) -> str:
    """Return which words were read as which label, with their rows; empty where all labels are numbers."""
    words = Counter((row.value, row.word) for row in rows if row.word is not None)
    if all(word.replace(".", "").isdecimal() for _, word in words):
        return ""
    listed = (f"{word} = {value:g} ({n:,} row{'' if n == 1 else 's'})" for (value, word), n in words.most_common())
    return f"labels read: {', '.join(listed)}"


@contextmanager
def unpacked(path: Path, name: str) -> Iterator[Path]:
    """Return the file itself, or where it is gzip (by its first bytes, whatever it is called) an unpacked copy."""
    try:
        with path.open("rb") as handle:
            packed = handle.read(2) == _GZIP
    except OSError as error:
        raise InputError(error.strerror or str(error), path=name) from None
    if not packed:
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="showable-") as folder:
        plain = Path(folder) / "rows.jsonl"
        try:
            with gzip.open(path, "rb") as source, plain.open("wb") as target:
                shutil.copyfileobj(source, target)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise InputError(f"not a whole gzip file: {error}", path=name) from None
        yield plain
