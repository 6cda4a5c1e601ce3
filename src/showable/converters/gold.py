"""What a row says of the right answer: gold answer, evidence, category."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast, get_args

from showable.converters.fields import holds
from showable.records.record import Category, Gold, GoldEvidence, Source

CATEGORIES = frozenset(get_args(Category))


def make_gold(**given: Any) -> Gold | None:
    """Make a Gold of what is known, or None where nothing is."""
    known = {name: value for name, value in given.items() if holds(value) and value != ()}
    return Gold(**known) if known else None


def category_of(value: Any) -> Category | None:
    """Return a category that gold knows, however it is written (``tempt wrong``), else None."""
    if not isinstance(value, str):
        return None
    name = value.strip().casefold().replace(" ", "_").replace("-", "_")
    return cast("Category", name) if name in CATEGORIES else None


def evidence_among(texts: Iterable[str], sources: Iterable[Source] | None) -> tuple[tuple[GoldEvidence, ...], bool]:
    """Find gold evidence that is given as text among the sources, word for word; and tell whether all of it was found.

    What is not found may stand in a passage that was cut otherwise, so nothing is said of it; nor is the rest then
    evidence, for a part of it would pass for the whole, and a refusal for want of the other part for one too many.
    """
    by_text: dict[str, str] = {}
    for source in sources or ():
        by_text.setdefault(" ".join((source.text or "").split()), source.source_id)
    wanted = [words for text in texts if (words := " ".join(text.split()))]
    if not all(text in by_text for text in wanted):
        return (), False
    return tuple(GoldEvidence(source_id=one) for one in dict.fromkeys(by_text[text] for text in wanted)), True
