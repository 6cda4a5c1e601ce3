"""No input costs its square: four times as much hostile text costs at most 2.3² times the processor's time."""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from hostile_text import READERS, UNITS

from showable.errors import ShowableError

SMALL = 5_000
"""Characters; four times as many are read next, and sixteen times where that took too long."""
GROWTH = 2.3**2
"""A linear reader comes to 4, one that costs the square to 16."""
NEGLIGIBLE = 0.15
"""Seconds under which fixed costs and the clock hide how a time grows."""
TRIES = 3
SAMPLE = 4

SECURITY = [
    ("question", "word ", 5_000, "no question mark: 4.1 s at 20 kB"),
    ("question", "(a) ", 5_000, "no question mark: 6.7 s at 20 kB"),
    ("answer and passage", "- a\n", 5_000, "claims × passage: 42 s"),
    ("answer and passage", "1. ", 5_000, "claims × passage: 64 s"),
    ("answer and passage", "|a|b|\n", 5_000, "claims × passage: 21 s"),
    ("answer and passage", "1/2/", 5_000, "a claim's quantities × the passage's: over 25 s"),
    ("answer and passage", "5 % ", 5_000, "a claim's quantities × the passage's: over 25 s"),
    ("answer and passage", "字。", 5_000, "claims × passage: 9.9 s"),
    ("claims and passage", "Id. ", 2_000, "windows × claims: 3 s at 8 kB"),
    ("claim, between words", " ", 5_000, "blanks before a marker: 1.8 s"),
    ("gold, between words", " ", 5_000, "blanks before an `and`: 4.2 s"),
    ("gold named", "", 10_000, "statements × statements: 5.7 s, and 70 s for 1,200"),
    ("gold in answer", "| ", 5_000, "one statement of many clauses: 3 s at 8 kB"),
    ("quoted span and passage", "- a\n", 5_000, "alignment of a quotation: 13 s at 8 kB"),
    ("marker", ",", 5_000, "commas before the last word: 3.4 s"),
    ("source id", "* a\n", 5_000, "a scorecard written into a message that nobody reads: 2.8 s"),
    ("answer and passage", "10.1000/{i} ", 20_000, "DOIs × the text of the log: .8 s, and 8.3 s at 80 kB"),
    ("source id", "10.1000/{i} ", 20_000, "DOIs × the id of a source: .7 s"),
    ("quoted span on a page", "a", 20_000, "places inside a word × the quotation: 1.2 s"),
    ("reply's quote", "a ", 5_000, "a reply's quote × the passage"),
]
"""Reader, unit, characters, and what was measured before it was mended, at 20 kB unless it says otherwise."""


def seconds(read: Callable[[str, int], None], unit: str, size: int) -> float:
    """Return the processor's seconds of reading a text; a file that is refused was read, too."""
    gc.collect()
    started = time.process_time()
    with suppress(ShowableError):
        read(unit, size)
    return time.process_time() - started


def excess(reader: str, unit: str) -> str:
    """Return how a cost grows where it grows too fast, by the best of several tries; nothing where it does not.

    What grows fast only once has come to where another part of the work begins, and is read on.
    """
    first = _grown(READERS[reader], unit, SMALL)
    again = first and _grown(READERS[reader], unit, 4 * SMALL)
    return f"{reader}, {unit!r}: {first}; {again}" if again else ""


def _grown(read: Callable[[str, int], None], unit: str, size: int) -> str:
    small = large = float("inf")
    for more in range(TRIES):  # other lengths each time, so that no cache answers
        large = min(large, seconds(read, unit, 4 * size + 97 * more))
        if large <= NEGLIGIBLE:
            return ""
        small = min(small, seconds(read, unit, size + 97 * more))
        if large <= GROWTH * small:
            return ""
    return f"{small:.3f} s for {size:,} characters, {large:.3f} s for {4 * size:,}"


@pytest.fixture(autouse=True)
def _no_collector() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize(("reader", "unit", "size", "before"), SECURITY)
@pytest.mark.slow
def test_attacks_grow_linearly(reader: str, unit: str, size: int, before: str) -> None:
    assert not _grown(READERS[reader], unit, size), before


def test_a_sample_of_hostile_texts_grows_linearly() -> None:
    pairs = [(reader, unit) for reader in READERS for unit in UNITS]
    drawn = random.Random(20261126).sample(pairs, SAMPLE)  # noqa: S311 - no secret
    assert [said for reader, unit in drawn if (said := excess(reader, unit))] == []
