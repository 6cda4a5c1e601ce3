"""The space in which failing answers are grouped: what the checks found, and beside it what the claim is about.

Distances are Euclidean. The findings make a unit vector, the text one of length √TEXT, so that alike failures lie together
whatever their subject, and the same failure on two subjects in two parts of one place. Nothing is fitted to the answers at hand: a
point never moves because others came.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import cos, pi, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from showable.production.feed.items import Features
from showable.production.feed.word_layer import Vectors, WordLayer

REVISION = 2
"""Raised with every change of the families, their values or weights: another space, whose points are not comparable."""
TEXT = 0.36
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
    "diagnosis": 0.25,
    "difference": 0.8,  # of the claim and a passage that has most of its words: number, name, word, negation
    "covered": 0.3,  # share of the claim's words that what it cites has
    "held": 0.3,  # that any one passage has
    "restated": 0.3,  # that the question has
    "asked": 0.5,  # share of the question's words that any one passage has
}
"""Families of findings, and how much each weighs."""
SHARES = frozenset({"covered", "held", "restated", "asked"})
"""Families whose value is a number from 0 to 1: a place on a quarter circle, so that near shares lie near, and all weigh alike."""

Points = NDArray[np.float32]
_BLOCK = 512


def space_name(words: WordLayer) -> str:
    """Return the name of the space: equal names mean comparable points."""
    return f"ef{REVISION}:{words.name}"


def points(features: Sequence[Features], texts: Vectors) -> Points:
    """Return one point an item: (items, values seen + text dimensions). Distances do not depend on the other items."""
    rows = [dict(_coordinates(one)) for one in features]
    columns = {key: at for at, key in enumerate(sorted({key for row in rows for key in row}))}
    found = np.zeros((len(rows), len(columns)), dtype=np.float32)
    for at, row in enumerate(rows):
        for key, value in row.items():
            found[at, columns[key]] = value
    length = np.linalg.norm(found, axis=1, keepdims=True)
    structure = np.divide(found, length, out=np.zeros_like(found), where=length > 0)
    return np.hstack([structure, np.sqrt(np.float32(TEXT)) * texts]).astype(np.float32)


def _coordinates(features: Features) -> Iterator[tuple[tuple[str, str], float]]:
    """Yield what stands in which column, by family and value; what the space does not know is left out."""
    for family, values in features.items():
        weight = FAMILIES.get(family, 0.0)
        for value in values if weight else ():
            if family in SHARES:
                angle = float(value) * pi / 2
                yield (family, "lacks"), sqrt(weight) * cos(angle)
                yield (family, "has"), sqrt(weight) * sin(angle)
            else:
                yield (family, value), sqrt(weight)


def squares(placed: Points, others: Points) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Yield squared distances, a block of points at a time, with its first row: (block, others).

    By |x|² + |y|² - 2xy: one product of matrices, many times quicker than one distance after another; in float64, as equal points
    must come out equal.
    """
    wide = others.astype(np.float64)
    lengths = np.einsum("ij,ij->i", wide, wide)
    for at in range(0, len(placed), _BLOCK):
        block = placed[at : at + _BLOCK].astype(np.float64)
        away = block @ wide.T
        away *= -2.0
        away += np.einsum("ij,ij->i", block, block)[:, None]
        away += lengths
        yield at, np.maximum(away, 0.0, out=away)
