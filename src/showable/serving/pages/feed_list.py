"""The list of issues: tabs by state, filters, order, and what stands in a row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args
from urllib.parse import urlencode

from showable.errors import SettingError
from showable.production.feed.nouns import Batch, Issue, TrendDay
from showable.production.feed.store import FeedStore
from showable.production.feed.tickets.outbox import Held, Outbox
from showable.serving.pages.words import plural
from showable.stores.traces.store import TraceStore

Tab = Literal["open", "new", "escalating", "regressed", "ongoing", "archived", "resolved", "not_grouped"]
Sort = Literal["priority", "last", "share", "new"]
TABS: Mapping[Tab, frozenset[str]] = {
    "open": frozenset({"provisional", "new", "ongoing", "escalating", "regressed", "fading"}),
    "new": frozenset({"provisional", "new"}),
    "escalating": frozenset({"escalating"}),
    "regressed": frozenset({"regressed"}),
    "ongoing": frozenset({"ongoing", "fading"}),
    "archived": frozenset({"archived"}),
    "resolved": frozenset({"resolved"}),
    "not_grouped": frozenset(),
}
SORTS: Mapping[Sort, str] = {
    "priority": "urgency",
    "last": "last seen",
    "share": "share of answers",
    "new": "newest first",
}
MOST_ROWS, MOST_LOOSE = 100, 50
SPARK_W, SPARK_H = 112.0, 28.0


@dataclass(frozen=True, slots=True)
class Spark:
    """Two weeks of an issue as SVG paths: the line, the band of its intervals, and its end in words. Gaps are unmeasured days."""

    path: str
    band: str
    said: str


@dataclass(frozen=True, slots=True)
class IssueRow:
    """An issue as the list shows it."""

    issue: Issue
    spark: Spark
    fault: str
    tickets: tuple[Held, ...]


@dataclass(frozen=True, slots=True)
class FeedView:
    """What the address asks for; `filters` are a service, a model, a prompt version."""

    tab: Tab = "open"
    sort: Sort = "priority"
    filters: tuple[tuple[str, str], ...] = ()

    def address(self, **changes: str) -> str:
        """Write the address of the list with a change."""
        said = {"tab": self.tab, "sort": self.sort, **dict(self.filters), **changes}
        usual = {"tab": "open", "sort": "priority"}
        query = urlencode(
            {name: value for name, value in said.items() if value and usual.get(name) != value}, errors="replace"
        )
        return f"/feed?{query}" if query else "/feed"


@dataclass(frozen=True, slots=True)
class Loose:
    """A failing answer that stands in no issue: its id, and its trace where the store still has it."""

    answer: str
    trace: str
    question: str


@dataclass(frozen=True, slots=True)
class FeedListing:
    """All that the list shows. `counts` are by tab, `choices` what can be filtered by."""

    batch: Batch
    rows: tuple[IssueRow, ...]
    more: int
    counts: Mapping[str, int]
    choices: Mapping[str, Sequence[str]]
    loose: tuple[Loose, ...]
    held: Mapping[str, tuple[int, str]]
    refused: int


FILTERS = ("service", "model", "prompt_version")


def read_feed_view(query: Mapping[str, str]) -> FeedView:
    """Read a query. Raises SettingError for a tab or an order that there is none of."""
    tab = next((one for one in TABS if one == query.get("tab", "open")), None)
    sort = next((one for one in SORTS if one == query.get("sort", "priority")), None)
    if tab is None or sort is None:
        raise SettingError(f"tab: expected one of {', '.join(TABS)}; sort: one of {', '.join(get_args(Sort))}")
    return FeedView(tab, sort, tuple((name, query[name]) for name in FILTERS if query.get(name)))


def feed_listing(store: TraceStore, feed: Path, view: FeedView, now_ns: int) -> FeedListing | None:
    """Read the list; None where nothing was grouped yet."""
    if not feed.is_file():
        return None
    with FeedStore.open(feed, make=False) as held:
        if not held.batches():
            return None
        batch, outbox = held.latest(), Outbox(held.file)
        every = [issue for issue in held.issues() if issue.lineage.merged_into is None]
        tickets = outbox.tickets()
        loose = held.members(batch.id, "")[:MOST_LOOSE] if view.tab == "not_grouped" else []
        holds, refused = outbox.holds(now_ns), len(outbox.rows("refused"))
    chosen = [issue for issue in every if _passes(issue, view)]
    by_state: Counter[str] = Counter(issue.state for issue in chosen)
    counts: dict[str, int] = {tab: sum(by_state[state] for state in states) for tab, states in TABS.items()}
    shown = sorted((issue for issue in chosen if issue.state in TABS[view.tab]), key=_order(view.sort))
    texts = {score.id: score for score in store.scores([one.answer for one in loose])} if loose else {}
    return FeedListing(
        batch=batch,
        rows=tuple(
            IssueRow(issue, spark(issue.trend), fault_of(issue), tuple(t for t in tickets if t.issue == issue.issue))
            for issue in shown[:MOST_ROWS]
        ),
        more=max(0, len(shown) - MOST_ROWS),
        counts={**counts, "not_grouped": batch.not_grouped},
        choices={name: sorted({value for issue in every for value in _values(issue, name)}) for name in FILTERS},
        loose=tuple(
            Loose(one.answer, texts[one.answer].answer.trace_id, texts[one.answer].answer.record.question)
            if one.answer in texts
            else Loose(one.answer, "", "")
            for one in loose
        ),
        held=holds,
        refused=refused,
    )


def fault_of(issue: Issue) -> str:
    """Say whose problem an issue is, by the majority of its answers and with its counts; "" where nobody can tell."""
    known = {who: n for who, n in issue.diagnosis.items() if who not in {"none", "unknown"}}
    if not known:
        return ""
    who = max(sorted(known), key=lambda one: known[one])
    return f"{'retriever and generator' if who == 'both' else who}, {known[who]} of {sum(issue.diagnosis.values())}"


def spark(days: Sequence[TrendDay], width: float = SPARK_W, height: float = SPARK_H) -> Spark:
    """Draw a trend; the axis ends at the highest rate, or at its interval where that is not much wider."""
    rates = [day.rate for day in days if day.rate is not None]
    top = min(max((day.high or 0.0 for day in days), default=0.0), 2.0 * max(rates, default=0.0)) or 1.0
    step = (width - 4) / max(1, len(days) - 1)

    def y(share: float) -> float:
        return round(height - 2 - min(share / top, 1.0) * (height - 4), 1)

    path, band, before = "", "", False
    run: list[tuple[float, TrendDay]] = []
    for at, day in enumerate(days):
        x = round(2 + at * step, 1)
        if day.rate is None:
            band, run, before = band + _band(run, y), [], False
            continue
        path += f"{'L' if before else 'M'}{x} {y(day.rate)}" + ("" if before else "h.01")
        run.append((x, day))
        before = True
    members = sum(day.members for day in days)
    said = f"{plural(members, 'answer')} in {len(days)} days" if days else "no times are known"
    return Spark(path, band + _band(run, y), said)


def _band(run: Sequence[tuple[float, TrendDay]], y: Callable[[float], float]) -> str:
    if len(run) < 2:  # noqa: PLR2004 - a point has no area
        return ""
    upper = [f"{x} {y(day.high or 0.0)}" for x, day in run]
    lower = [f"{x} {y(day.low or 0.0)}" for x, day in reversed(run)]
    return f"M{'L'.join([*upper, *lower])}Z"


def _passes(issue: Issue, view: FeedView) -> bool:
    return all(value in _values(issue, name) for name, value in view.filters)


def _values(issue: Issue, name: str) -> Sequence[str]:
    return issue.services if name == "service" else issue.versions.get(name, ())


def _order(sort: Sort) -> Callable[[Issue], tuple[float, float, int]]:
    def key(issue: Issue) -> tuple[float, float, int]:
        first = {
            "priority": issue.priority,
            "last": float(issue.last_ns or 0),
            "share": issue.share.rate or 0.0,
            "new": float(issue.first_ns or 0),
        }[sort]
        return -first, -issue.n, int(issue.issue.rpartition("-")[2])

    return key
