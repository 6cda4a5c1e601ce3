"""How the pages say things: times, durations, ages, outcomes."""

from __future__ import annotations

from datetime import UTC, datetime

from showable.report.untrusted import printable
from showable.review.unseen import marked_unseen

SECOND_NS = 1_000_000_000
_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
_LATEST_S = 253_402_300_799
"""The last second of the year 9999, which is as far as calendars go here."""
OUTCOMES = {"pass": "passes", "fail": "fails", "unknown": "unknown", "not_applicable": "does not apply"}
SIGNS = {"pass": "✓", "fail": "✗", "unknown": "?", "not_applicable": "–"}
BUCKET_SIGNS = {"correct": "✓", "refused": "○", "unsupported": "△", "wrong": "✗", "unknown": "?"}
FEED_TABS = {
    "open": "Open",
    "new": "New",
    "escalating": "Escalating",
    "regressed": "Regressed",
    "ongoing": "Ongoing",
    "archived": "Archived",
    "resolved": "Resolved",
    "not_grouped": "Not grouped",
}
FEED_SIGNS = {
    "provisional": "…",
    "new": "✱",
    "ongoing": "•",
    "escalating": "▲",
    "regressed": "↺",
    "resolved": "✓",
    "archived": "▫",
    "fading": "▽",
}
FEED_TONES = {"new": "refused", "escalating": "wrong", "regressed": "unsupported", "resolved": "correct"}
FEED_DIMENSIONS = {
    "factual_grounding": "grounding",
    "privacy_and_safety": "safety",
    "instruction_adherence": "instructions",
    "optimal_plan_execution": "plan",
}
DIAGNOSES = {
    "generator": "The passages were there; the generator did not keep to them.",
    "retriever": "The retriever did not bring what was needed.",
    "both": "Both the retriever and the generator failed.",
    "none": "Nothing failed.",
    "unknown": "Whose problem it is cannot be told.",
}


def moment(at_ns: int) -> str:
    """Write a time as ``2026-09-21 14:13`` (UTC); a time that no calendar has is ``time unknown``."""
    seconds = at_ns // SECOND_NS
    if not 0 < seconds <= _LATEST_S:
        return "time unknown"
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")


def exact(at_ns: int) -> str:
    """Write a time to the second, for a machine: ``2026-09-21T14:13:20Z``; "" for one that no calendar has."""
    seconds = at_ns // SECOND_NS
    if not 0 < seconds <= _LATEST_S:
        return ""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def took(milliseconds: float | None) -> str:
    """Write a duration: ``840 ms``, ``2.4 s``; a dash where it is not known."""
    if milliseconds is None:
        return "–"
    if milliseconds < 1:
        return "<1 ms"
    if milliseconds < 1_000:  # noqa: PLR2004 - a second
        return f"{milliseconds:.0f} ms"
    seconds = milliseconds / 1_000
    return f"{seconds:.1f} s" if seconds < 100 else f"{seconds:,.0f} s"  # noqa: PLR2004 - three figures


def age(seconds: float) -> str:
    """Return how long ago something was."""
    if seconds < 1:
        return "just now"
    if seconds < 2 * _MINUTE:
        return f"{seconds:.0f} s ago"
    if seconds < 2 * _HOUR:
        return f"{seconds / _MINUTE:.0f} min ago"
    if seconds < 2 * _DAY:
        return f"{seconds / _HOUR:.0f} h ago"
    return f"{seconds / _DAY:.0f} days ago"


def bytes_said(size: int) -> str:
    """Write a size: ``8.4 MB``."""
    amount = float(size)
    for unit in ("bytes", "kB", "MB", "GB"):
        if amount < 1_000:  # noqa: PLR2004 - a step of the units
            return f"{amount:.0f} {unit}" if unit == "bytes" else f"{amount:.1f} {unit}"
        amount /= 1_000
    return f"{amount:.1f} TB"


def share_of_axis(share: float) -> str:
    """Write a tick of an axis: ``2.5 %``."""
    return f"{100 * share:g} %"


def group_name(value: str) -> str:
    """Name a group; one whose answers do not say is called so."""
    return line(value, 60) if value else "(not said)"


def line(text: object, limit: int = 300) -> str:
    """Put a text on one line, without what steers, cut to a length."""
    return printable(str(text), limit=limit)


def shown(text: str, limit: int = 20_000) -> str:
    """Return a text as it is read: what cannot be seen in it is drawn as a mark, and what is too long is cut and says so."""
    held = marked_unseen(text[:limit])
    more = len(text) - limit
    return held if more <= 0 else f"{held}… ({more:,} more characters)"


def plural(count: int, noun: str) -> str:
    """Count things: ``1 answer``, ``12 answers``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
