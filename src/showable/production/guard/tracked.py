"""One call as it goes through the guard: its times, its verdict, its cost, and the headers that tell of them."""

from __future__ import annotations

import os
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from showable.production.guard.call import GuardCall
from showable.production.guard.client_connection import Headers
from showable.production.guard.cost import Priced
from showable.production.guard.guard_file import Route
from showable.production.guard.wire.asked import Usage
from showable.records.scorecard import Release

KEPT = 2_000
RELEASE_NAMES = {
    "show": "show",
    "hold": "hold",
    "refuse": "refused",
    "rewritten": "rewritten",
    "unverified": "unverified",
    "unguarded": "unguarded",
    "pending": "pending",
    "not_an_answer": "not_an_answer",
    "error": "error",
}


@dataclass(slots=True)
class Spent:
    """What one call of the upstream used, and what it cost; None where that is not known."""

    usage: Usage | None
    priced: Priced | None
    told_usd: float | None = None

    @property
    def usd(self) -> float | None:
        """Dollars: by the price list, else as the upstream itself says."""
        return self.priced.usd if self.priced else self.told_usd


@dataclass(slots=True)
class TrackedCall:
    """A call. `findings` are codes and reasons; texts are not kept."""

    tenant: str
    api: str
    id: str = field(default_factory=lambda: os.urandom(12).hex())
    began: float = field(default_factory=time.perf_counter)
    route: Route | None = None
    profile: str = ""
    model: str = ""
    release: Release | None = None
    outcome: str = "error"
    error: str = ""
    streamed: bool = False
    log_from: str | None = None
    decided_on: GuardCall | None = None
    """The answers with question and passages, until the call is over: then it goes into the store, or nowhere."""
    structure: float | None = None
    changes: list[str] = field(default_factory=list)
    spent: list[Spent] = field(default_factory=list)
    upstream_s: float = 0.0
    guard_s: float = 0.0
    judge_s: float = 0.0
    judge_usd: float | None = 0.0
    held_s: float = 0.0
    held_bytes: int = 0

    def headers(self) -> Headers:
        """Return the headers that tell of the call (structured fields of RFC 9651)."""
        found: Headers = [
            (b"x-showable-call", self.id.encode()),
            (b"x-showable-release", RELEASE_NAMES[self.outcome].encode()),
        ]
        if self.profile:
            found.append((b"x-showable-profile", self.profile.encode()))
        release = self.release
        if release is not None:
            if release.codes:
                found.append((b"x-showable-reasons", ", ".join(release.codes).encode()))
            if rests := release.rests_on:
                told = f"structural={rests.structural}, resolvability={rests.resolvability}, semantic={rests.semantic}, reading={rests.reading}"
                found.append((b"x-showable-rubrics", told.encode()))
            open_ones = release.citations - release.resolved - release.unresolved
            floor = "" if release.floor is None else f", floor={release.floor:g}"
            counts = f"n={release.citations}, resolved={release.resolved}, failed={release.unresolved}, unknown={open_ones}{floor}"
            found.append((b"x-showable-citations", counts.encode()))
        timing = f"guard={self.guard_s * 1e3:.2f}, judge={self.judge_s * 1e3:.1f}, upstream={self.upstream_s * 1e3:.1f}, held={self.held_s * 1e3:.1f}"
        found.append((b"x-showable-latency", timing.encode()))
        served = f"guard;dur={self.guard_s * 1e3:.2f}, upstream;dur={self.upstream_s * 1e3:.1f}"
        found.append((b"server-timing", served.encode()))
        return found + self._cost_headers()

    def _cost_headers(self) -> Headers:
        if not self.spent:
            return []
        usage, usd = self.spent[0].usage, self.usd
        found: Headers = []
        if usage is not None:
            told = f"in={usage.fresh + usage.cached + usage.written}, cached={usage.cached}, cache_write={usage.written}, out={usage.output}, reasoning={usage.reasoning}"
            found.append((b"x-showable-usage", told.encode()))
        found.append((b"x-showable-cost", b"unknown" if usd is None else f"{usd:.8f}".encode()))
        priced = self.spent[0].priced
        if priced is not None:
            judge = "unknown" if self.judge_usd is None else f"{self.judge_usd:.8f}"
            rewrite = sum(spent.usd or 0.0 for spent in self.spent[1:])
            detail = f"input={priced.fresh:.8f}, cached={priced.cached:.8f}, cache_write={priced.written:.8f}, output={priced.output:.8f}, judge={judge}, rewrite={rewrite:.8f}, source={priced.source}"
            found.append((b"x-showable-cost-detail", detail.encode()))
        return found

    @property
    def usd(self) -> float | None:
        """Dollars of all calls of the upstream, and of the judge; None where one of them is not known."""
        amounts = [*(spent.usd for spent in self.spent), self.judge_usd]
        return None if not self.spent or None in amounts else sum(amount for amount in amounts if amount is not None)

    def add_judge(self, seconds: float, usd: float | None) -> None:
        """Add what a judge took and cost."""
        self.judge_s += seconds
        self.judge_usd = None if usd is None or self.judge_usd is None else self.judge_usd + usd

    def record(self) -> dict[str, Any]:
        """Return what is kept of the call: no text of question, passages or answer."""
        release = self.release
        return {
            "id": self.id,
            "api": self.api,
            "route": self.route.name if self.route else None,
            "profile": self.profile or None,
            "model": self.model or None,
            "release": RELEASE_NAMES[self.outcome],
            "error": self.error or None,
            "streamed": self.streamed,
            "log_from": self.log_from,
            "changes": self.changes,
            "verdict": release.verdict if release else None,
            "codes": list(release.codes) if release else [],
            "citations": release.citations if release else None,
            "resolved": release.resolved if release else None,
            "unresolved": release.unresolved if release else None,
            "rests_on": release.rests_on.model_dump() if release and release.rests_on else None,
            "usd": self.usd,
            "upstream_calls": len(self.spent),
            "seconds": {"guard": self.guard_s, "judge": self.judge_s, "upstream": self.upstream_s, "held": self.held_s},
        }


class CallRecords:
    """The last calls of this worker, by id, each for its tenant alone."""

    def __init__(self) -> None:
        self._calls: OrderedDict[str, TrackedCall] = OrderedDict()

    def keep(self, call: TrackedCall) -> None:
        """Keep a call in place of the oldest."""
        self._calls[call.id] = call
        if len(self._calls) > KEPT:
            self._calls.popitem(last=False)

    def find(self, tenant: str, call_id: str) -> TrackedCall | None:
        """Return a call of a tenant, None for another's as for one that never was."""
        call = self._calls.get(call_id)
        return call if call is not None and call.tenant == tenant else None
