"""The longest part of a sequence that is in order."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence


def longest_rising(values: Sequence[int]) -> list[int]:
    """Return the places of a longest strictly rising subsequence, in n log n (Fredman 1975, Discrete Math. 11: 29)."""
    tops: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for place, value in enumerate(values):
        at = bisect_left(tops, value)
        tops[at : at + 1] = [value]
        last[at : at + 1] = [place]
        before.append(last[at - 1] if at else -1)
    chain: list[int] = []
    place = last[-1] if last else -1
    while place >= 0:
        chain.append(place)
        place = before[place]
    return chain[::-1]
