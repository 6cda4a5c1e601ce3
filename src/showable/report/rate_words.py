"""How the change of a rate over claims or citations is said, alike in every report of the gate."""

from __future__ import annotations

from showable.measure.rate_changes import RateChange
from showable.measure.rates import percent

RATES_NOTE = (
    "Intervals are 95 %, resampled by question, since the claims of an answer stand or fall together."
    " These rates inform and decide nothing."
)


def rate_sides(change: RateChange) -> tuple[str, str]:
    """Say the rate on each side, with its counts."""
    return (
        _side(change.baseline_passed, change.baseline_decided),
        _side(change.candidate_passed, change.candidate_decided),
    )


def change_said(change: RateChange) -> str:
    """Return by how many points it changed, with the interval, or why there is none."""
    if change.change is None:
        return "cannot be compared"
    said = f"{_points(change.change)} points"
    if change.low is None or change.high is None:
        return f"{said}; no interval of {change.questions} questions"
    return f"{said} [{_points(change.low)}, {_points(change.high)}]"


def _side(passed: int, decided: int) -> str:
    return f"{percent(passed / decided)} % ({passed:,}/{decided:,})" if decided else "nothing decided"


def _points(share: float) -> str:
    return f"{100 * share:+.1f}".replace("-", "−")
