"""The protocol's shape: how many questions of each category, what is to come of each, and what that is to show."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from showable.records.record import BucketName, Category


@dataclass(frozen=True, slots=True)
class Part:
    """A category of the protocol: its share of 130, the acceptable buckets, and what tempts a pipeline there."""

    category: Category
    of_130: int
    expected: tuple[BucketName, ...]
    asks: str


PROTOCOL: tuple[Part, ...] = (
    Part("answerable", 40, ("correct",), "the answer stands in the corpus"),
    Part("tempt_wrong", 20, ("correct", "refused"), "a near miss stands beside the answer: another party, another year, a superseded version"),
    Part("tempt_unsupported", 20, ("refused",), "well known in the world, absent from the corpus"),
    Part("refusal_due", 20, ("refused",), "out of scope, or ambiguous"),
    Part("unanswerable", 10, ("refused",), "plausible here, and literally not in the corpus"),
    Part("adversarial", 10, ("correct", "refused"), "adjacent entities, wrong dates, similar topics"),
    Part("null_retrieval", 10, ("refused",), "the retrieval is made to return nothing"),
)  # fmt: skip
"""In the order of every table."""

N = sum(part.of_130 for part in PROTOCOL)


def counts_for(n: int) -> dict[Category, int]:
    """Share out `n` questions in the protocol's proportions, by largest remainder; every category has one from `LEAST` on."""
    exact = {part.category: Fraction(part.of_130 * n, N) for part in PROTOCOL}
    counts = {category: int(share) for category, share in exact.items()}
    by_remainder = sorted(exact, key=lambda category: counts[category] - exact[category])
    for category in by_remainder[: n - sum(counts.values())]:
        counts[category] += 1
    return counts


def roundings(n: int) -> dict[Category, set[int]]:
    """Return the protocol's share of each category in `n` questions, rounded down and up."""
    exact = {part.category: Fraction(part.of_130 * n, N) for part in PROTOCOL}
    return {category: {floor(share), ceil(share)} for category, share in exact.items()}


LEAST = next(n for n in range(1, N) if all(all(counts_for(more).values()) for more in range(n, N)))
"""The smallest set with every category in it, as every larger one has."""
