"""What the other sentences of an answer do, as numbers about one sentence, and about the answer."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from showable.records.regex import regex
from showable.records.roles import ROLES

Floats = NDArray[np.float64]
_CLAIM, _DECLINE, _GUIDANCE, _ASIDE, _, _QUESTION, _BOTH = range(len(ROLES))
_SEVERAL = regex(r"\band\b|[?;].*\?|, ", re.IGNORECASE | re.DOTALL)
_MANY_SENTENCES = 20


def around(p: Floats) -> Floats:
    """Return for each sentence of an answer its own role probabilities `p [n, roles]` and those around it, `[n, 77]`.

    Whether a statement is an answer or an aside turns on whether the rest declines, before it or after.
    """
    n = len(p)
    none = np.zeros((1, p.shape[1]))
    before, after = np.vstack([none, p[:-1]]), np.vstack([p[1:], none])
    declines = p[:, _DECLINE] + p[:, _BOTH]
    earlier = np.concatenate([[0.0], np.maximum.accumulate(declines)[:-1]])
    later = np.concatenate([np.maximum.accumulate(declines[::-1])[::-1][1:], [0.0]])
    claims_elsewhere = _most_elsewhere(p[:, _CLAIM])
    elsewhere = np.array([np.delete(p, i, 0).max(0) if n > 1 else none[0] for i in range(min(n, _MANY))])
    mean = (p.sum(0) - p) / max(1, n - 1)
    if n > _MANY:
        elsewhere = np.vstack([elsewhere, np.repeat(p.max(0)[None], n - _MANY, 0)])
    crossed = (p[:, :, None] * np.stack([earlier, later, claims_elsewhere], 1)[:, None]).reshape(n, -1)
    ends = np.hstack([np.repeat(p[:1], n, 0), np.repeat(p[-1:], n, 0)])
    place = np.stack([np.arange(n) == 0, np.full(n, n == 1), earlier, later], 1)
    return np.hstack(
        [
            np.log(np.clip(p, 1e-4, 1)) / 2,
            2 * before,
            2 * after,
            2 * elsewhere,
            2 * mean,
            2 * ends,
            3 * crossed,
            3 * place,
        ]
    )


_MANY = 200
"""Sentences of an answer for which the others' largest probabilities are looked up one by one: it costs their square."""


def _most_elsewhere(values: Floats) -> Floats:
    """Return for each value the largest of the others, 0 where there is none."""
    if len(values) == 1:
        return np.zeros(1)
    order = np.argsort(values)
    found = np.full(len(values), values[order[-1]])
    found[order[-1]] = values[order[-2]]
    return found


def summary(p: Floats, question: str) -> Floats:
    """Return what decides how far an answer declines, from the role probabilities of its sentences in order.

    Of asserting, declining, asides, both, guidance and asking back: the most and second most, the mean, the first and the last; an
    assertion after a decline, a decline after an assertion; the number of sentences and of the question's parts.
    """
    asserts = p[:, _CLAIM]
    declines = p[:, _DECLINE]
    kinds = np.stack([asserts, declines, p[:, _ASIDE], p[:, _BOTH], p[:, _GUIDANCE], p[:, _QUESTION]], 1)
    ordered = np.sort(kinds, 0)[::-1]
    second = ordered[1] if len(p) > 1 else np.zeros(kinds.shape[1])
    answered_after = _after(declines, asserts)
    declined_after = _after(asserts, declines)
    size = min(len(p), _MANY_SENTENCES) / _MANY_SENTENCES
    several = min(3, len(_SEVERAL.findall(question))) / 3
    most = ordered[0]
    numbers = [
        answered_after,
        declined_after,
        size,
        len(p) == 1,
        several,
        several * answered_after,
        several * declined_after,
        most[0] * most[1],
        several * most[0] * most[1],
        most[1] * most[2],
        asserts.sum() / 5,
        declines.sum() / 5,
        size * most[1],
    ]
    return np.concatenate([most, second, kinds.mean(0), kinds[0], kinds[-1], np.array(numbers, dtype=np.float64)]) * 2


def _after(first: Floats, then: Floats) -> float:
    """Return the largest product of a value of one kind and of a later one of the other."""
    if len(first) == 1:
        return 0.0
    return float((np.maximum.accumulate(first)[:-1] * then[1:]).max())
