"""Which answers a page is about, as its address says it: a stretch of time, filters, and what is compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import get_args
from urllib.parse import urlencode

from showable.errors import SettingError
from showable.records.scorecard import Bucket
from showable.stores.traces.store import By, Where

MINUTE_NS = 60_000_000_000
HOUR_NS = 60 * MINUTE_NS
DAY_NS = 24 * HOUR_NS
BYS: tuple[By, ...] = get_args(By)
BY_WORDS: dict[By, str] = {
    "service": "service",
    "model": "model",
    "prompt_version": "prompt version",
    "profile": "profile",
    "cohort": "cohort",
}
BUCKETS: tuple[Bucket, ...] = ("correct", "refused", "unsupported", "wrong", "unknown")
_MOST_TEXT = 200


@dataclass(frozen=True, slots=True)
class Stretch:
    """A window that ends now, and the steps that it is drawn in; both in nanoseconds. `last` is what follows "the last"."""

    name: str
    words: str
    last: str
    length_ns: int
    step_ns: int


STRETCHES = (
    Stretch("1h", "1 hour", "hour", HOUR_NS, 5 * MINUTE_NS),
    Stretch("24h", "24 hours", "24 hours", DAY_NS, HOUR_NS),
    Stretch("7d", "7 days", "7 days", 7 * DAY_NS, 6 * HOUR_NS),
    Stretch("30d", "30 days", "30 days", 30 * DAY_NS, DAY_NS),
)
ALL = Stretch("all", "all", "", 0, 0)
"""No window at all: for lists, where an answer whose time is unknown has to be found too."""
_DEFAULT = STRETCHES[1]


@dataclass(frozen=True, slots=True)
class View:
    """What the address asks for. In `filters` stands the exact value of what is filtered by; "" is a value too."""

    stretch: Stretch = _DEFAULT
    filters: Mapping[By, str] = field(default_factory=dict)
    compare: By | None = None
    bucket: str | None = None
    failing: bool = False
    text: str = ""
    after: str | None = None

    def since(self, now_ns: int) -> int:
        """Return where the window begins: at a whole step, so that the first one is not cut."""
        return (now_ns - self.stretch.length_ns) // self.stretch.step_ns * self.stretch.step_ns

    def where(self, now_ns: int) -> Where:
        """Put it as the store takes it."""
        return Where(
            since_ns=None if self.stretch is ALL else self.since(now_ns),
            service=self.filters.get("service"),
            model=self.filters.get("model"),
            prompt_version=self.filters.get("prompt_version"),
            profile=self.filters.get("profile"),
            cohort=self.filters.get("cohort"),
            bucket=self.bucket,
            failing=self.failing,
            text=self.text or None,
        )

    def address(self, path: str, **changes: str | None) -> str:
        """Write the address of a page with this view; a change to None leaves that part out."""
        said: dict[str, str | None] = {"window": self.stretch.name}
        said.update({by: written(value) for by, value in self.filters.items()})
        said |= {"compare": self.compare, "bucket": self.bucket, "q": self.text or None, "after": self.after}
        said |= {"failing": "1" if self.failing else None} | changes
        query = urlencode({name: value for name, value in said.items() if value}, errors="replace")
        return f"{path}?{query}" if query else path


def read_view(query: Mapping[str, str]) -> View:
    """Read a query. Raises SettingError for a window, a bucket or a comparison that there is none of."""
    window = query.get("window") or _DEFAULT.name
    stretch = next((one for one in (*STRETCHES, ALL) if one.name == window), None)
    if stretch is None:
        raise SettingError(f"window: expected one of {', '.join(one.name for one in (*STRETCHES, ALL))}")
    compare = next((by for by in BYS if by == query.get("compare")), None)
    if query.get("compare") and compare is None:
        raise SettingError(f"compare: expected one of {', '.join(BYS)}")
    bucket = query.get("bucket") or None
    if bucket is not None and bucket not in BUCKETS:
        raise SettingError(f"bucket: expected one of {', '.join(BUCKETS)}")
    return View(
        stretch,
        {by: _value(query[by]) for by in BYS if query.get(by)},
        compare,
        bucket,
        query.get("failing") == "1",
        query.get("q", "")[:_MOST_TEXT].strip(),
        query.get("after") or None,
    )


def with_window(view: View) -> View:
    """Return a view that has a window, for what is drawn over time: the longest one where it has none."""
    return replace(view, stretch=STRETCHES[-1]) if view.stretch is ALL else view


def written(value: str) -> str:
    """Write a value into an address, where nothing at all means that it is not asked for: "" is written ``:``."""
    return f":{value}" if not value or value.startswith(":") else value


def _value(said: str) -> str:
    return said.removeprefix(":")
