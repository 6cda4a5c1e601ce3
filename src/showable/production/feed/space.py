"""The space in which failing answers are grouped: what the checks found, and beside it what the claim is about.

Distances are Euclidean. The findings make a unit vector, the text one of length √TEXT, so that alike failures lie together
whatever their subject, and the same failure on two subjects in two parts of one place. Nothing is fitted to the answers at hand: a
point never moves because others came.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from showable.production.feed.items import Features
from showable.production.feed.word_layer import Vectors, WordLayer

REVISION = 1
"""Raised with every change of the families, their values or weights: another space, whose points are not comparable."""
TEXT = 0.3
FAMILIES: Mapping[str, float] = {
    "cause": 1.0,
    "codes": 1.0,  # of the checks that failed
    "support": 0.5,  # of the worst claim by its own citations
    "log_support": 0.5,  # by anything that was retrieved
    "contradicted": 0.3,
    "corpus": 0.5,  # by the documents behind the log, where they were asked
    "beside": 0.3,  # what is known of the other claims
    "exists": 0.3,
    "refusal": 0.3,
    "retrieved": 0.5,
    "citations": 0.3,  # how many, where not one
    "claims": 0.4,
    "cited": 1.5,  # what a citation that leads nowhere looks like
    "diagnosis": 0.5,
    "difference": 0.8,  # of the claim and the passage: number, name, word, negation
    "covered": 0.3,  # share of the claim's words that the passage has
    "restated": 0.3,  # and that the question has
}
"""Families of findings, and how much each weighs."""

Points = NDArray[np.float32]


def space_name(words: WordLayer) -> str:
    """Return the name of the space: equal names mean comparable points."""
    return f"ef{REVISION}:{words.name}"


def points(features: Sequence[Features], texts: Vectors) -> Points:
    """Return one point an item: (items, values seen + text dimensions). Distances do not depend on the other items."""
    columns = {pair: at for at, pair in enumerate(sorted({pair for one in features for pair in _pairs(one)}))}
    found = np.zeros((len(features), len(columns)), dtype=np.float32)
    for row, one in enumerate(features):
        for family, value in _pairs(one):
            found[row, columns[family, value]] = np.sqrt(FAMILIES[family])
    length = np.linalg.norm(found, axis=1, keepdims=True)
    structure = np.divide(found, length, out=np.zeros_like(found), where=length > 0)
    return np.hstack([structure, np.sqrt(np.float32(TEXT)) * texts]).astype(np.float32)


def _pairs(features: Features) -> list[tuple[str, str]]:
    return [(family, value) for family, values in features.items() if family in FAMILIES for value in values]
