"""What a look for drift is said in: names of things, levels with their intervals, and the first line of all."""

from __future__ import annotations

from collections.abc import Sequence

from showable.measure.drift.report import DECIDED, Alarm, DriftReport, Level, Watched
from showable.measure.rates import percent
from showable.report.untrusted import printable

NAMES = {
    "refusal_rate": "refusal rate",
    "structural_failed": "structural failed",
    "resolvability_failed": "resolvability failed",
    "semantic_failed": "semantic failed",
    "unsupported": "unsupported",
    "wrong": "wrong",
    "unknown": "unknown",
    "score_spread_ks": "spread of p (KS)",
    "score_spread_psi": "spread of p (PSI)",
    "kappa": "kappa",
    "tpr": "TPR",
    "tnr": "TNR",
    "balanced_accuracy": "balanced accuracy",
    "decided": "rows decided",
    "support_disagreement": "disagreement on support",
    "bucket_disagreement": "disagreement on the bucket",
    "refusal_quality_disagreement": "disagreement on refusal quality",
    "extra_claims_disagreement": "disagreement on extra claims",
}
_IN_HUNDREDTHS = ("kappa",)
_SCORES = ("score_spread_ks", "score_spread_psi")
_NAMED, _MOST_NAMES = 3, 4


def name_of(one: Watched | Alarm) -> str:
    """Name what was watched."""
    return NAMES.get(one.what, one.what)


def direction(one: Watched | Alarm) -> str:
    """Return which way it went; of a spread, that it moved."""
    if one.before is None or one.after is None or one.what in _SCORES:
        return "moved"
    return "rose" if one.after.value > one.before.value else "fell"


def headline(report: DriftReport) -> str:
    """Return the first line: an alarm and of what, or none, or that nothing could be said."""
    if report.alarms:
        seen = [moved_said(report, alarm) for alarm in report.alarms[:_NAMED]]
        more = len(report.alarms) - _NAMED
        return f"ALARM: {'; '.join(seen)}{f' and {more} more' if more > 0 else ''}"
    steady = [name_of(one) for one in report.watched if one.state == "steady"]
    if not report.exit_code:
        said = f"no alarm: {len(steady)} thing{'s' if len(steady) != 1 else ''} watched, none moved"
        return f"{said}; {unwatched}" if (unwatched := _unwatched(report)) else said
    if not steady:
        return "UNKNOWN: nothing could be measured"
    if steady == [NAMES[DECIDED]]:
        return "UNKNOWN: nothing could be measured but that the judge decides"
    return f"UNKNOWN: {_unwatched(report)}; only {_listed(steady)} could be, and did not move"


def _unwatched(report: DriftReport) -> str:
    """Name what could not be watched; empty where everything was."""
    names = list(dict.fromkeys(name_of(one) for one in report.watched if one.state == "unknown"))
    return f"{_listed(names)} could not be watched" if names else ""


def _listed(names: Sequence[str]) -> str:
    shown = [*names[:_MOST_NAMES], *([f"{len(names) - _MOST_NAMES} more"] if len(names) > _MOST_NAMES else [])]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def moved_said(report: DriftReport, alarm: Alarm) -> str:
    """Say of an alarm what moved, and which way."""
    way = "above that among people" if report.look == "people" else direction(alarm)
    return f"{name_of(alarm)} {way}, {printable(alarm.profile)}"


def level_said(what: str, level: Level | None) -> str:
    """Print a level with its interval: ``13.4 % (11.4–15.7)``; kappa and mean scores as fractions."""
    value = value_said(what, level)
    if level is None or level.low is None or level.high is None:
        return value
    if what in (*_IN_HUNDREDTHS, *_SCORES):
        return f"{value} ({level.low:.2f}–{level.high:.2f})"
    return f"{value} ({percent(level.low)}–{percent(level.high)})"


def value_said(what: str, level: Level | None) -> str:
    """Print a level alone."""
    if level is None:
        return "–"
    return f"{level.value:.2f}" if what in (*_IN_HUNDREDTHS, *_SCORES) else f"{percent(level.value)} %"


def change_said(change: Level) -> str:
    """Print a difference with its interval, in points: ``-6.8 (-10.5 to -3.4)``; of kappa, in hundredths."""
    low, high = change.low or 0.0, change.high or 0.0
    return f"{100 * change.value:+.1f} ({100 * low:+.1f} to {100 * high:+.1f})"


def said_of_test(one: Watched | Alarm) -> str:
    """Return what a test came to, against what."""
    if one.test is None:
        return ""
    if one.test.name == "cusum":
        at = "" if one.alarmed_at is None else f", passed at answer {one.alarmed_at:,}"
        return f"CUSUM came to {one.test.value:.1f}, the limit is {one.test.limit:.1f}{at}"
    return printable(one.reason)


def began_said(alarm: Alarm) -> str | None:
    """Return where a drift is estimated to have begun; None where there is no time in it."""
    since = alarm.since
    if since is None:
        return None
    at = f", {printable(since.at, limit=40)}" if since.at else ""
    return f"about answer {since.answer:,} (id {printable(since.id, limit=60)} in {printable(since.source)}{at})"


def needs_said(one: Watched) -> str:
    """Return how many more it takes before something can be said."""
    return f"needs {one.needs:,} more" if one.needs else "unknown"


def sees_said(watched: Sequence[Watched]) -> str | None:
    """Say after how many answers each chart sees a jump of 10 points; None where no chart says."""
    seen = [(name_of(one), one.test.sees["10"]) for one in watched if one.test and one.test.sees.get("10")]
    if not seen:
        return None
    listed = ", ".join(f"{name} {n}" for name, n in seen)
    return f"A jump of 10 points is seen (probability 80 %) after so many answers: {listed}."


def why_unknown(watched: Sequence[Watched]) -> list[str]:
    """Return why things are unknown: in general where charts have seen too little, else each reason once."""
    open_ones = [one for one in watched if one.state == "unknown"]
    short = any(one.test is not None and one.needs for one in open_ones)
    said = ["too few answers since to see even a jump of 20 points; that is no all-clear"] if short else []
    return said + list(dict.fromkeys(printable(one.reason) for one in open_ones if one.test is None or not short))
