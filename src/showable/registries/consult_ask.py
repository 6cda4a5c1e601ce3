"""Asks one registry about one reference: from the cache, or over the network, or says why not. Never raises."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from showable.errors import ShowableError
from showable.records import Entry, FieldCheck, Found, Reference, Registry
from showable.records.calls import OFFLINE
from showable.registries.answers import one_line
from showable.registries.consult_cache import AnswerCache
from showable.registries.consult_order import INDEXES, LOCAL
from showable.registries.merge import Heard
from showable.registries.merge_works import Compared
from showable.registries.web.limits import DEADLINE

Compare = Callable[[Reference, Entry], Compared]
"""Holds what is claimed against a record, field by field."""

_GRACE_S = 0.5
"""Time beyond the deadline for a registry to say by itself that it could not answer in time."""


class Asker:
    """The registries, with what is known of their answers already.

    `scope` tells what was answered from one set of addresses from what was answered from another, in the cache.
    """

    def __init__(
        self,
        registries: Mapping[str, Registry],
        compare: Compare,
        *,
        cache: AnswerCache | None,
        offline: bool,
        scope: str,
    ) -> None:
        self._registries, self._compare = registries, compare
        self._cache, self._offline, self._scope = cache, offline, scope
        self._flights = Flights()

    def can_look_up(self, name: str, kind: str) -> bool:
        """Check whether there is such a registry and it knows the kind. Raises SettingError where it cannot be made."""
        return name in self._registries and kind in self._registries[name].kinds

    async def hear(self, name: str, reference: Reference) -> Heard:
        """Ask one registry that knows the reference's kind, and compare what it has."""
        registry = self._registries[name]
        found, could_ask = await self._answer(name, registry, reference)
        authority = reference.kind in registry.proves
        keyless = name in INDEXES and reference.kind == "bibliographic"
        return Heard(
            found=found,
            entries=self._compared(reference, found.entries),
            near=self._compared(reference, found.near),
            authority=authority,
            index=keyless,
            could_ask=could_ask,
        )

    async def _answer(self, name: str, registry: Registry, reference: Reference) -> tuple[Found, bool]:
        try:
            key = registry.key(reference)
        except Exception as error:  # noqa: BLE001 - a registry never raises, whatever text it is given
            return _failed(name, f"the adapter failed: {type(error).__name__}"), False
        if key is None:
            reason = f"{name} cannot be asked about this: what it looks up by is missing"
            return Found(status="not_covered", registry=name, reason=reason), False
        if name == LOCAL:
            return await self._within(name, registry, reference), True
        full = f"{name}\x1f{self._scope}\x1f{reference.kind}\x1f{key}"
        return await self._from_cache_or(full, name, registry, reference), True

    async def _from_cache_or(self, key: str, name: str, registry: Registry, reference: Reference) -> Found:
        kept = self._cache.get(key) if self._cache else None
        if kept is not None:
            return kept
        if self._offline:
            return _failed(name, f"{OFFLINE}: {name} would decide it")

        async def ask() -> Found:
            found = await self._within(name, registry, reference)
            if self._cache is not None:
                self._cache.put(key, reference.kind, found)
            return found

        return await self._flights.join(key, ask)

    async def _within(self, name: str, registry: Registry, reference: Reference) -> Found:
        deadline = DEADLINE.get()
        try:
            missing = registry.not_configured()
            if missing is not None:
                return Found(status="not_configured", registry=name, reason=one_line(missing))
            async with asyncio.timeout_at(None if deadline is None else deadline + _GRACE_S):
                found = await registry.find(reference)
        except TimeoutError:
            return _failed(name, "no answer before the deadline")
        except ShowableError:  # the user's to put right
            raise
        except Exception as error:  # noqa: BLE001 - a registry never raises, whatever it is answered
            return _failed(name, f"the adapter failed: {type(error).__name__}: {error}")
        if not isinstance(found, Found):
            return _failed(name, f"the adapter failed: its answer is a {type(found).__name__}")
        if found.status == "found" and not found.entries:
            return _failed(name, "it says that it has a record, and gives none")
        return found

    def _compared(self, reference: Reference, entries: tuple[Entry, ...]) -> tuple[Compared, ...]:
        return tuple(self._one_compared(reference, entry) for entry in entries)

    def _one_compared(self, reference: Reference, entry: Entry) -> Compared:
        try:
            return self._compare(reference, entry)
        except Exception:  # noqa: BLE001 - what cannot be compared is unknown
            return Compared(entry, (FieldCheck(field="record", claimed=one_line(reference.text), outcome="unknown"),))


def compare_by_kind(reference: Reference, entry: Entry) -> Compared:
    """Compare as the kind asks for: what a search gives may be another work altogether, what an id leads to is its work."""
    from showable.rubrics.metadata.compare import best_match, compare  # noqa: PLC0415 - takes rapidfuzz with it

    if reference.kind != "bibliographic":
        return Compared(entry, compare(reference, entry))
    match = best_match(reference, [entry])
    return Compared(entry, another=True) if match is None else Compared(entry, match.checks)


def _failed(name: str, reason: str) -> Found:
    return Found(status="unreachable", registry=name, reason=one_line(reason))


# One question under way for each thing asked, however many want to know.


@dataclass(slots=True)
class _Flight:
    task: asyncio.Task[Found]
    waiting: int = 0


class Flights:
    """Questions under way, by key, on each event loop. One that nobody waits for any more is given up."""

    def __init__(self) -> None:
        self._loops: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, _Flight]] = WeakKeyDictionary()

    async def join(self, key: str, ask: Callable[[], Awaitable[Found]]) -> Found:
        """Wait for the question under way, or ask it."""
        flights = self._loops.setdefault(asyncio.get_running_loop(), {})
        if key not in flights:
            flights[key] = _Flight(asyncio.ensure_future(_started(ask)))
        flight = flights[key]
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.waiting -= 1
            if not flight.waiting:
                flight.task.cancel()
            if flight.task.done() or not flight.waiting:
                flights.pop(key, None)


async def _started(ask: Callable[[], Awaitable[Found]]) -> Found:
    return await ask()
