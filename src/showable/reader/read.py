"""Read what the sentences of a text do, once a text: the same question and text are answered from memory."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from showable.reader.card import card
from showable.reader.units import clauses
from showable.records.roles import BASES, EXTENTS, ROLES, ReadSentence, ReadText

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Span = tuple[int, int]
Read = Callable[[str, str, Sequence[Span]], ReadText]
"""Reads a text to a question, given the spans of its sentences in order."""
NAME = "reader"
_ASSERTS, _SILENT = 0.6, 0.3
"""A sentence is read clause by clause where one of them asserts at least so much and another at most so little."""
_CLAIM = tuple(float(role == "claim") for role in ROLES)
_KEPT = 4096


def digest_of(question: str, text: str) -> str:
    """Return the digest under which a text's reading is saved."""
    return hashlib.sha256(f"{question}\0{text}".encode(errors="surrogatepass")).hexdigest()[:16]


def read_text(question: str, text: str, spans: Sequence[Span]) -> ReadText:
    """Read the sentences of a text with the shipped reader.

    A sentence that turns from one thing to another is read clause by clause; what is too far behind to be read asserts.
    """
    return _read(question, text, tuple(spans))


def replayed(saved: Sequence[ReadText]) -> Read:
    """Return a reader that says again what was saved; a text that was not saved is read anew."""

    def read(question: str, text: str, spans: Sequence[Span]) -> ReadText:
        digest = digest_of(question, text)
        told = (one for one in saved if one.digest == digest and _is_of(one, spans))
        return next(told, None) or read_text(question, text, spans)

    return read


def _is_of(saved: ReadText, spans: Sequence[Span]) -> bool:
    """Return whether a text was read by these spans: of one text sentences and what is left over are read apart."""
    starts = {start for start, _ in spans}
    within = (any(start <= one.span[0] and one.span[1] <= end for start, end in spans) for one in saved.sentences)
    return starts <= {one.span[0] for one in saved.sentences} and all(within)


def reader_name() -> str:
    """Return `name@revision` of the shipped reader; the heads are not loaded for it."""
    return f"{NAME}@{card()['revision']}"


@lru_cache(maxsize=_KEPT)
def _read(question: str, text: str, spans: tuple[Span, ...]) -> ReadText:
    import numpy as np  # noqa: PLC0415 - structured answers need neither this

    from showable.reader.heads import load_heads, see  # noqa: PLC0415 - nor ONNX Runtime

    digest = digest_of(question, text)
    if not spans:
        return ReadText(digest=digest, reader=reader_name(), extent=_even(EXTENTS), basis=_even(BASES))
    heads = load_heads()
    parts = [clauses(text, span) for span in spans]
    every = sorted({*spans, *(part for own in parts for part in own)}, key=lambda span: (span[0], -span[1]))
    seen = see(question, text, every)
    alone = dict(zip(every, heads.alone(seen), strict=False)) if len(seen.states) else {}
    units = [unit for span, own in zip(spans, parts, strict=True) for unit in _chosen(span, own, alone)]
    known = [unit for unit in units if unit in alone]
    together = heads.together(np.array([alone[unit] for unit in known]))
    place = {span: at for at, span in enumerate(every)}
    chosen = seen._replace(
        states=seen.states[[place[unit] for unit in known]], form=seen.form[[place[u] for u in known]]
    )
    said = dict(zip(known, together, strict=True))
    return ReadText(
        digest=digest,
        reader=reader_name(),
        sentences=tuple(ReadSentence(span=unit, p=_rounded(said[unit]) if unit in said else _CLAIM) for unit in units),
        extent=_rounded(heads.extent_of(together, question)),
        basis=_rounded(heads.basis_of(chosen, together)),
    )


def _chosen(span: Span, parts: Sequence[Span], alone: Mapping[Span, NDArray[np.float64]]) -> Sequence[Span]:
    if len(parts) == 1 or any(part not in alone for part in parts):
        return [span]
    claim, aside, both = (ROLES.index(role) for role in ("claim", "aside", "both"))
    asserts = [alone[part][claim] + alone[part][aside] + alone[part][both] for part in parts]
    return parts if max(asserts) >= _ASSERTS and min(asserts) <= _SILENT else [span]


def _even(names: Sequence[str]) -> tuple[float, ...]:
    return tuple(1 / len(names) for _ in names)


def _rounded(values: NDArray[np.float64]) -> tuple[float, ...]:
    return tuple(round(float(value), 4) for value in values)
