"""Which answers are refusals before anybody labelled them: by the tool's word, or because gold says that they should be."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from showable.records.scorecard import Scorecard

_DECLINES = ("full", "refused_then_answered")


def tool_reads_refusal(card: Scorecard) -> bool:
    """Check whether the tool reads the answer as one that declines, whatever it says afterwards."""
    return card.refusal in _DECLINES


def is_refusal_case(card: Scorecard) -> bool:
    """Check whether the tool reads the answer as a refusal, or gold says that it should be one."""
    return tool_reads_refusal(card) or card.answerable is False or card.expected == ("refused",)


def refusal_cases(cards: Iterable[Scorecard], among: Collection[str]) -> frozenset[str]:
    """Return those of some records, the held-out ones, that are refusal cases."""
    pinned = frozenset(among)
    return frozenset(card.id for card in cards if card.id in pinned and is_refusal_case(card)) if pinned else pinned
