"""How many answers may be shown before and after, in plain words, the same in every report of the gate."""

from __future__ import annotations

from itertools import islice

from showable.measure.decision import Decision
from showable.report.untrusted import printable

_MOST_IDS, _OF_ID = 10, 80


def released_in_words(decision: Decision) -> str | None:
    """Return how many answers may be shown on each side, and what no longer may; None where nothing changed.

    What the profile alone holds back is said to be unseen by the rules. The ids are printable and not escaped.
    """
    change = decision.released
    if change is None:
        return None
    said = f"May be shown: {change.baseline:,} → {change.candidate:,} of {decision.n:,} answers"
    if not change.no_longer:
        return f"{said}."
    said = f"{said}; no longer: {_some(change.no_longer)}."
    if not change.unseen:
        return said
    return (
        f"{said} Warning: {len(change.unseen):,} of these stayed acceptable, so no rule sees that they are held back."
    )


def _some(ids: tuple[str, ...]) -> str:
    shown = ", ".join(printable(key, limit=_OF_ID) for key in islice(ids, _MOST_IDS))
    return f"{shown} and {len(ids) - _MOST_IDS:,} more" if len(ids) > _MOST_IDS else shown
