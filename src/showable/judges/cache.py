"""Remember decided verdicts on disk, so that no pair is paid for twice and the same run twice gives the same numbers."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from weakref import WeakKeyDictionary

from showable.judges.origin import origin
from showable.judges.verdict_store import VerdictStore
from showable.records import Cost, Judge, Pair, Verdict

_ASKED = len(Pair._fields) - 1
"""What a judge is asked of a pair: all but what other rubrics made of the answer."""
_Flights = dict[str, "asyncio.Future[Verdict | None]"]


class CachedJudge:
    """A judge that answers from disk what it was asked before, and asks the judge it wraps for the rest.

    A verdict is found by the judge's name and prompt hash (which cover model, endpoint and parameters)
    and the whole pair. It is written before it is returned. An `unknown` is never written: it is asked
    for again. Equal pairs asked for at the same time share one question. Name and prompt hash are
    those of the wrapped judge, so the signature does not tell a cached run from a first one.
    `hits` counts verdicts from disk, `shared` those that joined a question under way, `misses` the rest.
    A verdict from the cache has an empty cost. Raises SettingError where the file cannot be used.
    """

    def __init__(self, judge: Judge, path: Path) -> None:
        """Open the file."""
        self.name, self.prompt_hash = judge.name, judge.prompt_hash
        self.plain_prompt_hash = origin(judge)[1]
        self.hits = self.misses = self.shared = 0
        self._judge = judge
        self._store = VerdictStore(path)
        self._flights: WeakKeyDictionary[asyncio.AbstractEventLoop, _Flights] = WeakKeyDictionary()

    @property
    def failures(self) -> int:
        """How many verdicts the disk would not take or give back."""
        return self._store.failures

    async def verdicts(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """Judge a batch, asking only what is neither on disk nor under way."""
        wanted = {self._key(pair): pair for pair in pairs}
        known: dict[str, Verdict] = {}
        while missing := {key: pair for key, pair in wanted.items() if key not in known}:
            known |= await self._answer_or_wait(missing)
        return self._in_order(pairs, known)

    def estimate(self, pairs: Sequence[Pair]) -> Cost:
        """Return what the pairs that are not on disk would cost."""
        wanted = {self._key(pair): pair for pair in pairs}
        known = self._store.get(list(wanted))
        return self._judge.estimate([pair for key, pair in wanted.items() if key not in known])

    async def aclose(self) -> None:
        """Close the file, and the wrapped judge if it can be closed."""
        self._store.close()
        close = getattr(self._judge, "aclose", None)
        if close is not None:
            await close()

    async def _answer_or_wait(self, missing: dict[str, Pair]) -> dict[str, Verdict]:
        """Answer what nobody else is answering, then wait for the rest; what its asker gave up on is left out."""
        flights = self._flights.setdefault(asyncio.get_running_loop(), {})
        under_way = {key: flights[key] for key in missing if key in flights}
        answered = await self._answer({key: pair for key, pair in missing.items() if key not in under_way}, flights)
        for key, flight in under_way.items():
            verdict = await asyncio.shield(flight)
            if verdict is not None:
                self.shared += 1
                answered[key] = _unpaid(verdict)
        return answered

    async def _answer(self, pairs: dict[str, Pair], flights: _Flights) -> dict[str, Verdict]:
        """Answer from disk, else ask. The flight is taken before the disk is read, so that nobody slips in between."""
        loop = asyncio.get_running_loop()
        flights.update((key, loop.create_future()) for key in pairs)
        answered: dict[str, Verdict] = {}
        try:
            stored = await asyncio.to_thread(self._store.get, list(pairs)) if pairs else {}
            self.hits += len(stored)
            answered = {key: _unpaid(verdict) for key, verdict in stored.items()}
            answered |= await self._ask({key: pair for key, pair in pairs.items() if key not in stored})
        finally:
            for key in pairs:
                flights.pop(key).set_result(answered.get(key))
        return answered

    async def _ask(self, pairs: dict[str, Pair]) -> dict[str, Verdict]:
        if not pairs:
            return {}
        self.misses += len(pairs)
        answered = dict(zip(pairs, await self._judge.verdicts(list(pairs.values())), strict=True))
        decided = {key: verdict for key, verdict in answered.items() if verdict.label != "unknown"}
        if decided:
            await asyncio.to_thread(self._store.put, decided)
        return answered

    def _in_order(self, pairs: Sequence[Pair], known: dict[str, Verdict]) -> list[Verdict]:
        """Return one verdict a pair; of equal pairs in one batch only the first carries the cost."""
        given: list[Verdict] = []
        seen: set[str] = set()
        for pair in pairs:
            key = self._key(pair)
            given.append(_unpaid(known[key]) if key in seen else known[key])
            self.shared += key in seen
            seen.add(key)
        return given

    def _key(self, pair: Pair) -> str:
        return hashlib.sha256(json.dumps([self.name, self.prompt_hash, *pair[:_ASKED]]).encode()).hexdigest()


def _unpaid(verdict: Verdict) -> Verdict:
    return verdict.model_copy(update={"cost": Cost()})
