"""Abbreviations that stand for two things in a corpus: a question with one does not say which is meant."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from showable.harness.questions.absence import content_stems
from showable.records.record import Source

_SPELT_OUT = re.compile(r"((?:[\w-]+ ){1,8})\(([A-Z][A-Za-z]*[A-Z])s?\)")
_ABBREVIATION = re.compile(r"\b[A-Z][A-Za-z]*[A-Z]\b")


def with_two_meanings(sources: Iterable[Source]) -> frozenset[str]:
    """Give the abbreviations that are spelt out in two ways with no word in common: ``assisted reproduction (AR)``, ``aortic reflux (AR)``."""
    meanings: dict[str, list[frozenset[str]]] = defaultdict(list)
    for source in sources:
        for short, meaning in _spelt_out(source.text or ""):
            meanings[short].append(meaning)
    return frozenset(
        short for short, spelt in meanings.items() if any(not one & other for one in spelt for other in spelt)
    )


def holds_one_of(question: str, abbreviations: Collection[str]) -> bool:
    """Tell whether a question holds one of these abbreviations."""
    return any(short in abbreviations for short in _ABBREVIATION.findall(question))


def _spelt_out(text: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Give each abbreviation with the words before it, as many as it has letters, where the first begins with its first letter."""
    for words, short in _SPELT_OUT.findall(text):
        last = words.split()[-len(short) :]
        begins = [place for place, word in enumerate(last) if word[0].casefold() == short[0].casefold()]
        if begins and (meaning := content_stems(" ".join(last[begins[0] :]))):
            yield short, meaning
