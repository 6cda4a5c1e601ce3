"""From the answers of a call to what is done with them: scanners of others, the pure decision or the pool's, the floor."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from showable.production.guard.acting import Action, action_of, composed_refusal
from showable.production.guard.call import GivenAnswer, GuardCall, Policy
from showable.production.guard.counters import Counters
from showable.production.guard.decide import decide, tightened
from showable.production.guard.guard_file import Route
from showable.production.guard.inline_evidence import Reached
from showable.production.guard.pool import LateError, Pool
from showable.production.guard.scanners.outside import UNAVAILABLE, OutsideScanners
from showable.records.findings import Finding, Outcome
from showable.records.record import Reference
from showable.records.scorecard import Release

LOG = logging.getLogger("showable.guard")
LATE, BELOW = "guard.late", "guard.below_floor"
_SHOWN = frozenset({"show", "unverified", "not_an_answer"})
_STRICTEST_FIRST = ("hold", "unknown", "show")


@dataclass(frozen=True, slots=True)
class Ruled:
    """What was decided on a call, under which policy, what is done, and what a judge took and cost."""

    release: Release
    policy: Policy
    call: GuardCall
    action: Action
    judge_s: float = 0.0
    judge_usd: float | None = 0.0


class Deciding:
    """Decides for one worker. `below` has the profiles whose window lies below its floor, `refresh` gets what registries were asked."""

    def __init__(self, counters: Counters) -> None:
        self._counters = counters
        self.outside: OutsideScanners | None = None
        self.pool: Pool | None = None
        self.below: frozenset[str] = frozenset()
        self.refresh: Callable[[str, Sequence[Reference]], None] | None = None

    async def rule(
        self,
        route: Route,
        policies: Iterable[Policy],
        call: GuardCall,
        *,
        call_id: str,
        model: str,
        seen: Callable[[Release], Release] = lambda release: release,
    ) -> Ruled:
        """Decide under every policy, and keep the strictest; `seen` tightens what a contract shows only a part of.

        A scanner of others that could not be asked closes the route, unless it is open on errors: then the other checks
        decide, and what they let through is shown as unverified.
        """
        unasked: list[Finding] = []
        if route.outside and self.outside is not None:
            found = await self.outside.ask(route.outside, call, call_id=call_id, model=model or None)
            unasked = [finding for finding in found if finding.code == UNAVAILABLE]
            is_open = route.table.on_error == "open"
            counted = [finding for finding in found if finding.code != UNAVAILABLE] if is_open else found
            call = replace(call, findings=(*call.findings, *counted))
        reached = [(await self.decide(route, call, policy), policy) for policy in policies]
        releases = [(seen(one.release), policy) for one, policy in reached]
        release, policy = min(releases, key=lambda pair: _STRICTEST_FIRST.index(pair[0].verdict))
        spent = [one.judge_usd for one, _ in reached]
        action = action_of(release, call, policy)
        if unasked:
            LOG.error("call %s: %s, on_error=%s", call_id, unasked[0].reason, route.table.on_error)
            self._counters.add("showable_guard_errors_total", route=route.name, kind="scanner_unavailable")
            if route.table.on_error == "open":
                release = release.model_copy(update={"codes": tuple(dict.fromkeys((*release.codes, UNAVAILABLE)))})
                action = "unverified" if action == "show" else action
            elif action in _SHOWN:
                action = "hold"
        judge_usd = None if None in spent else sum(usd for usd in spent if usd is not None)
        return Ruled(release, policy, call, action, sum(one.judge_s for one, _ in reached), judge_usd)

    async def decide(self, route: Route, call: GuardCall, policy: Policy) -> Reached:
        """Return the release of a call under one policy. Nothing that takes long is done here."""
        reached = await self._in_pool(route, call, policy) if route.uses_pool else Reached(decide(call, policy))
        release = self._under_floor(route, policy, reached.release)
        return reached if release is reached.release else replace(reached, release=release)

    def decide_at_once(self, route: Route, call: GuardCall, policy: Policy) -> Release:
        """Return the release of a part of a stream, whose route reads lean."""
        return self._under_floor(route, policy, decide(call, policy))

    async def refusal(self, route: Route, call: GuardCall, policy: Policy) -> str | None:
        """Compose a refusal, and let it through the guard like an answer; None where it does not pass."""
        text = composed_refusal(call)
        if call.retrieved is None:
            return text
        own = replace(call, answers=(GivenAnswer(text),), doubts=(), findings=(), evidence=())
        bare = replace(policy, semantic="off")
        reached = await self._in_pool(route, own, bare) if policy.reading == "full" else Reached(decide(own, bare))
        return text if reached.release.verdict == "show" else None

    async def _in_pool(self, route: Route, call: GuardCall, policy: Policy) -> Reached:
        """Decide in the pool, unless a lean reading holds the answer already; without the pool what was not read is unknown."""
        found = [finding for scanner in policy.scanners for finding in scanner(call)]
        call, policy = replace(call, findings=(*call.findings, *found)), replace(policy, scanners=())
        lean = replace(policy, reading="lean", semantic="off")
        release = decide(call, lean)
        if release.verdict == "hold":
            return Reached(release)
        table = route.table
        if self.pool is None:  # reloaded with the first such route, and not started yet
            return self._late(route, release, "no process is there to read it")
        try:
            reached = await self.pool.decide(
                call,
                policy,
                judge_s=table.judge_ms / 1000,
                reading_s=table.reading_ms / 1000,
                from_cache=table.registries == "cache",
            )
        except LateError as error:
            return self._late(route, release, str(error))
        if reached.references and self.refresh is not None:
            self.refresh(route.name, reached.references)
        return reached

    def _late(self, route: Route, release: Release, why: str) -> Reached:
        self._counters.add("showable_guard_errors_total", route=route.name, kind="late")
        return Reached(tightened(release, [Finding(code=LATE, outcome=Outcome.UNKNOWN, reason=why)], frozenset()))

    def _under_floor(self, route: Route, policy: Policy, release: Release) -> Release:
        """Hold, while the window lies below the profile's floor, what is undecided; and all else too, where the route says so."""
        if policy.profile.name not in self.below or (release.verdict == "show" and route.table.below_floor != "hold"):
            return release
        reason = f"this week's citations lie below the floor of the {policy.profile.name} profile"
        failed = Finding(code=BELOW, outcome=Outcome.FAIL, reason=reason)
        return tightened(release, [failed], frozenset({BELOW}))
