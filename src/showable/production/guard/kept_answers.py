"""Guarded answers as rows of the trace store: written down by a worker, graded and sampled by the keeper."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import orjson

from showable.converters.shape import FieldError
from showable.production.guard.call import SemanticRule
from showable.production.guard.decide import cited, record_of
from showable.production.guard.tracked import RELEASE_NAMES, TrackedCall
from showable.records.profile import Profile
from showable.records.record import Citation, Record
from showable.records.scorecard import Release
from showable.records.traced import TracedAnswer
from showable.serving.live_rules import Holding, LiveRules
from showable.serving.settings import ServeSettings
from showable.traces.rules import RUBRICS, Applied

HELD = frozenset({"hold", "refused"})
_KEPT = frozenset({"show", "hold", "refuse", "rewritten", "unverified", "unguarded", "pending"})
_SERVICE = "guard:"


def written_rows(call: TrackedCall, at: float) -> Iterator[bytes]:
    """Yield a line of JSON for each answer of a call that was decided on; what was spent on all of them stands by the first."""
    given, route, released = call.decided_on, call.route, call.release
    if given is None or route is None or released is None or call.outcome not in _KEPT:
        return
    elapsed = time.perf_counter() - call.began
    trace_id = call.id.rjust(32, "0")
    usages = [spent.usage for spent in call.spent if spent.usage is not None]
    for number, answer in enumerate(given.answers):
        if answer.finish == "tools":
            continue
        record = record_of(given, answer).model_copy(update={"id": f"{trace_id}:{number:016x}", "trace_id": trace_id})
        row = {
            "record": orjson.Fragment(record.model_dump_json(exclude_defaults=True)),
            "citations": [orjson.Fragment(one.model_dump_json(exclude_defaults=True)) for one in answer.citations],
            "released": orjson.Fragment(released.model_dump_json(exclude_defaults=True)),
            "route": route.name,
            "release": RELEASE_NAMES[call.outcome],
            "model": call.model,
            "started_ns": int((at - elapsed) * 1e9),
            "latency_ms": elapsed * 1e3,
            "guard_ms": call.guard_s * 1e3,
            "usd": call.usd if number == 0 or call.usd is None else 0.0,
            "tokens_in": sum(u.fresh + u.cached + u.written for u in usages) if usages and number == 0 else None,
            "tokens_out": sum(u.output for u in usages) if usages and number == 0 else None,
        }
        yield orjson.dumps({"answer": row})


def traced_answer(row: Mapping[str, Any], *, texts: bool) -> TracedAnswer:
    """Build the answer of a line; without `texts` it keeps its words until it is judged, and no longer.

    The interface's own citation objects are put on its claims, as a reading finds them.
    """
    record = Record.model_validate(row["record"])
    native = [Citation.model_validate(one) for one in row["citations"]]
    if native:
        with suppress(FieldError):  # the release says so: the answer is kept as it came
            record = cited(record, native)
    trace_id, _, span_id = record.id.partition(":")
    return TracedAnswer(
        record=record,
        trace_id=trace_id,
        span_id=span_id,
        service=f"{_SERVICE}{row['route']}",
        name="guarded answer",
        kind="guard",
        model=row["model"],
        started_ns=row["started_ns"],
        latency_ms=row["latency_ms"],
        tokens_in=row["tokens_in"],
        tokens_out=row["tokens_out"],
        cost_usd=row["usd"],
        spans=1,
        route=row["route"],
        release=row["release"],
        released=Release.model_validate(row["released"]),
        guard_ms=row["guard_ms"],
        texts_until_judged=not texts,
    )


@dataclass(frozen=True, slots=True)
class RouteRule:
    """What the keeper has to know of a route: its profile, and which of its answers a judge reads after they were shown."""

    profile: Profile
    semantic: SemanticRule
    sample: float


class RouteRules(LiveRules):
    """What holds for a guarded answer: its route's word. What was not shown is always read: one learns what was held wrongly."""

    def __init__(self, settings: ServeSettings, routes: Mapping[str, RouteRule]) -> None:
        super().__init__(settings)
        self._routes = {
            name: (rule, rule.profile if rule.semantic == "off" else self.judging.rules_on(rule.profile))
            for name, rule in routes.items()
        }

    @property
    def floors(self) -> dict[str, float]:
        """The floor of every profile that a route has."""
        profiles = (profile for _, profile in self._routes.values())
        return {profile.name: profile.floor for profile in profiles if profile.floor is not None}

    def of(self, traced: TracedAnswer, attributes: Mapping[str, Any]) -> Holding:
        """Return what holds for an answer; one of a route that is no longer there is held to what a trace would be."""
        if traced.route not in self._routes:
            return super().of(traced, attributes)
        rule, profile = self._routes[traced.route]
        rubrics = RUBRICS[:2] if rule.semantic == "off" else RUBRICS
        always = rule.semantic == "required" or traced.release in HELD
        name = f"semantic = {rule.semantic}"
        return Holding(Applied(rule=name, rubrics=rubrics, sample=rule.sample, always=always), profile)
