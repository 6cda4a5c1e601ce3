"""The heads on the encoder: linear maps from a sentence's states, form and words to roles, extent and basis."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from showable.errors import SettingError
from showable.reader.card import FOLDER, card
from showable.reader.context import around, summary
from showable.reader.form import form_of
from showable.reader.windows import states_of
from showable.reader.words import columns_of

WEIGHTS = FOLDER / "heads.npz"
Span = tuple[int, int]
Floats = NDArray[np.float64]


class Seen(NamedTuple):
    """What the heads are given of the spans of one text: states `[n, SIZE]`, form `[n, numbers]`, columns of words."""

    states: NDArray[np.float32]
    form: NDArray[np.float32]
    columns: list[NDArray[np.int64]]


class Linear(NamedTuple):
    """A multinomial logistic regression: weights `[inputs, classes]` and one shift a class."""

    weights: NDArray[np.float32]
    shifts: NDArray[np.float32]

    def p(self, inputs: NDArray[np.floating]) -> Floats:
        """Return the probability of each class, `[n, classes]`."""
        return softmax(inputs.astype(np.float64) @ self.weights.astype(np.float64) + self.shifts)


class Heads(NamedTuple):
    """All heads, and `mixed`, the weight of the states beside the words."""

    states: Linear
    words: Linear
    context: Linear
    extent: Linear
    basis: Linear
    mixed: float
    revision: str

    def alone(self, seen: Seen) -> Floats:
        """Return the probabilities of roles from the sentences themselves, `[n, roles]`."""
        of_states = self.states.p(np.hstack([seen.states, seen.form]))
        table, shifts = self.words
        of_words = softmax(np.array([table[one].sum(0) / max(1, len(one)) ** 0.5 for one in seen.columns]) + shifts)
        return self.mixed * of_states + (1 - self.mixed) * of_words

    def together(self, alone: Floats) -> Floats:
        """Return the probabilities of roles with those of the other sentences of the answer in view."""
        return self.context.p(around(alone))

    def extent_of(self, roles: Floats, question: str) -> Floats:
        """Return the probabilities of the four extents."""
        return np.asarray(self.extent.p(summary(roles, question)[None])[0])

    def basis_of(self, seen: Seen, roles: Floats) -> Floats:
        """Return the probabilities of the four bases, from the sentences that decline or ask back."""
        return np.asarray(self.basis.p(declining(np.hstack([seen.states, seen.form]), roles)[None])[0])


def declining(inputs: NDArray[np.floating], roles: Floats) -> Floats:
    """Return the mean of sentences' inputs, each weighted by how much it declines or asks back."""
    weights = roles[:, 1] + roles[:, 6] + roles[:, 5] + 1e-3
    return np.asarray((inputs * weights[:, None]).sum(0) / weights.sum(), dtype=np.float64)


def see(question: str, text: str, spans: Sequence[Span]) -> Seen:
    """Return what the heads are given of spans of `text` in order; of those behind the last window nothing."""
    states = states_of(question, text, spans)
    read = spans[: len(states)]
    words = [text[start:end] for start, end in read]
    columns = [columns_of(one, before, question) for one, before in zip(words, ["", *words], strict=False)]
    return Seen(states, form_of(question, text, read), columns)


def softmax(x: NDArray[np.floating]) -> Floats:
    """Return probabilities along the last axis."""
    e = np.exp(x - x.max(-1, keepdims=True))
    return np.asarray(e / e.sum(-1, keepdims=True), dtype=np.float64)


@cache
def load_heads() -> Heads:
    """Load the shipped heads once a process. Raises SettingError where their file cannot be read."""
    try:
        with np.load(WEIGHTS) as held:
            pairs = {name: Linear(held[name], held[f"{name}_shifts"]) for name in Heads._fields[:5]}
    except (OSError, ValueError, KeyError) as error:
        raise SettingError(f"{WEIGHTS}: no heads of a reader ({type(error).__name__}: {error})") from None
    return Heads(**pairs, mixed=card()["mixed"], revision=card()["revision"])
