"""Gather what an answer's release may rest on before it is shown: known answers of registries, a judge's verdicts in time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from showable.converters.shape import FieldError
from showable.gather import gather
from showable.look_up import look_up
from showable.production.guard.call import GivenAnswer, GuardCall, Policy
from showable.production.guard.decide import ASSUMED, UNJUDGED, decide, read_inline, record_of
from showable.records.calls import OFFLINE
from showable.records.evidence import Cost, Evidence, Judge, Pair, Verdict
from showable.records.findings import Finding, Outcome
from showable.records.lookups import LookupResult, Registries
from showable.records.record import Reference
from showable.records.scorecard import Release

NOT_YET = "not looked up yet"
_ANY = Pair("Notice is due.", "Notice is due in thirty days.")


@dataclass(frozen=True, slots=True)
class Reached:
    """A release, the references that registries were asked about, and what a judge took and cost; None where that is not known."""

    release: Release
    references: tuple[Reference, ...] = ()
    judge_s: float = 0.0
    judge_usd: float | None = 0.0


async def decide_asking(
    call: GuardCall, policy: Policy, judge: Judge | None, registries: Registries | None, judge_s: float
) -> Reached:
    """Return the release of a call on what can be known in time.

    Registries are asked first. The judge is asked where nothing holds the answer already and the policy wants a verdict;
    after `judge_s` seconds it is late, and what it was asked is unknown. Raises nothing but CancelledError.
    """
    known = None if registries is None else _Known(registries)
    found = tuple([await _gathered(call, answer, policy, None, known) for answer in call.answers])
    asked = replace(call, evidence=found)
    release = decide(asked, policy)
    references = () if known is None else tuple(known.references)
    if judge is None or release.verdict == "hold" or UNJUDGED not in release.codes:
        return Reached(release, references)
    began = time.perf_counter()
    try:
        async with asyncio.timeout(judge_s):
            pairs = [await _gathered(call, answer, policy, judge, None) for answer in call.answers]
    except TimeoutError:
        late = Finding(code=UNJUDGED, outcome=Outcome.UNKNOWN, reason=f"no verdict within {judge_s * 1000:.0f} ms")
        release = decide(replace(asked, findings=(*call.findings, late)), policy)
        free = judge.estimate([_ANY]).usd == 0.0  # what else it has cost by now is not known
        return Reached(release, references, judge_s, 0.0 if free else None)
    took = time.perf_counter() - began
    usd = sum((evidence.cost for evidence in pairs), Cost()).usd
    merged = (
        evidence.model_copy(update={"lookups": before.lookups}) for evidence, before in zip(pairs, found, strict=True)
    )
    return Reached(decide(replace(call, evidence=tuple(merged)), policy), references, took, usd)


async def _gathered(
    call: GuardCall, answer: GivenAnswer, policy: Policy, judge: Judge | None, known: _Known | None
) -> Evidence:
    """Return what a judge or registries say of one answer; nothing where neither is asked, or there is nothing to read."""
    nothing = Evidence(id="call", judge="none")
    if (judge is None and known is None) or answer.finish == "tools":
        return nothing
    try:
        read = read_inline(record_of(call, answer), policy.profile, answer.citations, full=policy.reading == "full")
    except FieldError:  # the decision says so
        return nothing
    record, reading = read.record, read.reading
    if judge is None:
        lookups = await look_up(record, reading, known)
        return nothing.model_copy(update={"lookups": lookups, "read": reading.read})
    asked = judge if policy.semantic == "required" else CriticalJudge(judge, frozenset(policy.profile.critical))
    evidence = await gather(record, reading, asked, policy.profile)
    return evidence.model_copy(update={"read": reading.read})


class CriticalJudge:
    """Puts claims of critical kinds to a judge, and supposes the support of all others: the question is the critical ones."""

    prompt_hash: str | None = None

    def __init__(self, judge: Judge, kinds: frozenset[str]) -> None:
        self._judge, self._kinds = judge, kinds
        self.name = f"critical-{judge.name}"  # another name: what was fitted for the judge's verdicts on all claims is not for these

    async def verdicts(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """Judge the critical pairs of a batch."""
        asked = [number for number, pair in enumerate(pairs) if pair.kind in self._kinds]
        found = [ASSUMED] * len(pairs)
        for number, verdict in zip(asked, await self._judge.verdicts([pairs[n] for n in asked]), strict=True):
            found[number] = verdict
        return found

    def estimate(self, pairs: Sequence[Pair]) -> Cost:
        """Return what judging the critical ones would cost."""
        return self._judge.estimate([pair for pair in pairs if pair.kind in self._kinds])


class _Known:
    """Registries that answer from their cache alone; remembers what they were asked."""

    def __init__(self, registries: Registries) -> None:
        self._registries, self.name = registries, registries.name
        self.references: list[Reference] = []

    async def lookup_all(self, references: Sequence[Reference]) -> list[LookupResult]:
        """Return what is known; the rest is not looked up yet."""
        self.references += references
        results = await self._registries.lookup_all(references)
        return [
            result.model_copy(update={"reason": f"{NOT_YET}: {result.registry} would decide it"})
            if (result.reason or "").startswith(OFFLINE)
            else result
            for result in results
        ]

    async def aclose(self) -> None:
        """Leave the registries open: other calls ask them too."""
