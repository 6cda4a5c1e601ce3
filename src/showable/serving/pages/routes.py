"""What the dashboard says of the guard's routes: what clients received, how long it took, what it cost."""

from __future__ import annotations

from dataclasses import dataclass

from showable.measure.rates import Rate
from showable.records.findings import OutcomeCounts
from showable.serving.pages.view import View
from showable.stores.traces.store import RouteCount, TraceStore

RELEASES = ("show", "hold", "refused", "rewritten")
TITLES = ("Shown", "Held", "Refused", "Rewritten", "Otherwise")
_DELIVERED = ("show", "rewritten", "unverified")


@dataclass(frozen=True, slots=True)
class RouteRow:
    """A route: its answers, the share of each release with its interval, times, and what a shown answer cost.

    `otherwise` names what was shown without a verdict. `cost` and `per_shown` are words: a cost that is not known is no 0.
    """

    name: str
    answers: int
    shares: tuple[Rate, ...]
    otherwise: str
    guard_ms: tuple[float, float] | None
    latency_ms: tuple[float, float] | None
    cost: str
    per_shown: str


def routes_of(store: TraceStore, view: View, now_ns: int) -> tuple[RouteRow, ...]:
    """Ask what became of guarded answers in the window, and lay it out."""
    return tuple(_row(one) for one in store.routes(view.where(now_ns)))


def _row(one: RouteCount) -> RouteRow:
    n = sum(one.releases.values())
    others = {name: count for name, count in one.releases.items() if name not in RELEASES}
    counts = [*(one.releases.get(name, 0) for name in RELEASES), sum(others.values())]
    unknown, delivered = n - one.priced, sum(one.releases.get(name, 0) for name in _DELIVERED)
    cost = f"{one.usd:,.4f}" if one.priced else "unknown"
    return RouteRow(
        name=one.route,
        answers=n,
        shares=tuple(Rate.of(OutcomeCounts(passed=count, failed=n - count)) for count in counts),
        otherwise=", ".join(f"{name} {count:,}" for name, count in sorted(others.items())),
        guard_ms=one.guard_ms,
        latency_ms=one.latency_ms,
        cost=f"{cost}; unknown for {unknown:,}" if one.priced and unknown else cost,
        per_shown=f"{one.usd / delivered:,.5f}" if delivered and not unknown else "unknown",
    )
