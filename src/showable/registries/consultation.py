"""Looks references up: who is asked in which order, when it is settled, and what comes of it."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace

from showable.errors import SettingError, ShowableError
from showable.records import LookupResult, Reference, Registry
from showable.registries.consult_ask import Asker, Compare, compare_by_kind
from showable.registries.consult_cache import AnswerCache
from showable.registries.consult_dockets import DATABASES, look_up_database
from showable.registries.consult_entries import look_up_entry
from showable.registries.consult_order import DEFAULT_ALSO, DEFAULT_ORDER, LOCAL
from showable.registries.merge import Heard, merge, settled
from showable.registries.web.limits import DEADLINE

Close = Callable[[], Awaitable[None]]


class Consultation:
    """Every registry behind one door: caches, order, pace and deadline are its business.

    `order` gives, for a kind, the registries to ask one after the other until one has a record that agrees with
    the claim; it replaces the default of that kind. `also` names, besides those of the default, who is asked for
    what has become of a work. `offline` answers from the cache and from imported citations alone, and calls
    everything else ``unreachable``. `deadline_s` bounds a whole call of `lookup_all`. `notes` are lines for the
    user (a damaged cache). Raises SettingError where a registry of `order` or `also` is not known.
    """

    def __init__(
        self,
        registries: Mapping[str, Registry],
        *,
        order: Mapping[str, Sequence[str]] | None = None,
        also: Mapping[str, Sequence[str]] | None = None,
        cache: AnswerCache | None = None,
        offline: bool = False,
        deadline_s: float = 60.0,
        compare: Compare | None = None,
        scope: str = "",
        close: Sequence[Close] = (),
    ) -> None:
        self._order = {**DEFAULT_ORDER, **(order or {})}
        self._also = {
            kind: tuple(dict.fromkeys((*DEFAULT_ALSO.get(kind, ()), *(also or {}).get(kind, ()))))
            for kind in {*DEFAULT_ALSO, *(also or {})}
        }
        self._check_names(registries)
        self._asker = Asker(registries, compare or compare_by_kind, cache=cache, offline=offline, scope=scope)
        self._cache, self._close, self._deadline_s = cache, tuple(close), deadline_s
        self.name = self._signed(offline=offline)
        self.notes = (cache.note,) if cache is not None and cache.note else ()

    async def lookup(self, reference: Reference) -> LookupResult:
        """Look one reference up."""
        (result,) = await self.lookup_all([reference])
        return result

    async def lookup_all(
        self, references: Sequence[Reference], done: Callable[[int, LookupResult], None] | None = None
    ) -> list[LookupResult]:
        """Look references up at the same time, equal ones once: one result each, in the same order.

        `done` is told each result as it comes, with the place of the first reference that it is of.
        """
        places: dict[tuple[object, ...], int] = {}
        for place, reference in enumerate(references):
            places.setdefault(_same(reference), place)

        async def one(place: int) -> LookupResult:
            result = await self._look_up(references[place])
            if done is not None:
                done(place, result)
            return result

        before = DEADLINE.set(asyncio.get_running_loop().time() + self._deadline_s)
        try:
            async with asyncio.TaskGroup() as group:
                tasks = {key: group.create_task(one(place)) for key, place in places.items()}
        except* ShowableError as group_of_errors:
            raise _first(group_of_errors) from None
        finally:
            DEADLINE.reset(before)
        return [tasks[_same(reference)].result() for reference in references]

    async def aclose(self) -> None:
        """Close connections and files."""
        for close in self._close:
            await close()
        if self._cache is not None:
            self._cache.close()

    async def _look_up(self, reference: Reference) -> LookupResult:
        wrong = reference.fields.get("malformed")
        if wrong:
            return LookupResult(status="malformed", registry="form", claimed=dict(reference.fields), reason=wrong)
        if reference.kind == "bibliographic":
            return await look_up_entry(reference, self._walk)
        if reference.kind in DATABASES:
            return await look_up_database(reference, self._walk)
        return await self._walk(reference)

    async def _walk(self, reference: Reference) -> LookupResult:
        """Ask in order until it is settled, and besides, at the same time, what has become of the work."""
        kind = reference.kind
        order = [name for name in (LOCAL, *self._order.get(kind, ())) if self._asker.can_look_up(name, kind)]
        also = [name for name in self._also.get(kind, ()) if self._asker.can_look_up(name, kind)]
        tasks: dict[str, asyncio.Task[Heard]] = {}

        def hear(name: str) -> asyncio.Task[Heard]:
            if name not in tasks:
                tasks[name] = asyncio.create_task(self._asker.hear(name, reference))
            return tasks[name]

        besides = [hear(name) for name in also]
        try:
            heard = await Walk(reference, list(dict.fromkeys(order)), hear).ask()
            if besides and any(one.found.status in {"found", "ambiguous"} for one in heard):
                # For as long as the deadline leaves: nobody is to be shown a retracted paper for haste.
                await asyncio.wait(besides)
                heard += [task.result() for task in besides if task.result() not in heard]
        finally:
            for task in tasks.values():
                task.cancel()
        return merge(reference, [replace(one, for_notices=one.found.registry in also) for one in heard])

    def _check_names(self, registries: Mapping[str, Registry]) -> None:
        known = {*registries, LOCAL}
        default = {name for table in (DEFAULT_ORDER, DEFAULT_ALSO) for names in table.values() for name in names}
        for table in (self._order, self._also):
            for kind, names in table.items():
                for name in names:
                    if name not in known | default:
                        raise SettingError(
                            f"registries for {kind}: {name!r} is none; there are {', '.join(sorted(known))}"
                        )

    def _signed(self, *, offline: bool) -> str:
        asked = repr([sorted((kind, *names) for kind, names in table.items()) for table in (self._order, self._also)])
        digest = hashlib.blake2b(asked.encode(), digest_size=3).hexdigest()
        return f"registries@{digest}{'-offline' if offline else ''}"


def _same(reference: Reference) -> tuple[object, ...]:
    return reference.kind, tuple(sorted(reference.fields.items())), "" if reference.fields else reference.text


def _first(group: BaseExceptionGroup[ShowableError]) -> ShowableError:
    error = group.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error


# Asks registries one after the other about one reference: when to go on, whom to ask at once, when it is settled.


_HEDGE_S = 6.0
"""Seconds after which the next registry is asked though the one before has not answered."""
_CONFIRM_S = 6.0
"""Seconds for which the others may speak for a reference that its authority speaks against."""
_SPEAKS = frozenset({"found", "not_found", "ambiguous", "malformed", "blocked_url"})


Hear = Callable[[str], "asyncio.Task[Heard]"]
"""Asks a registry by its name, once however often it is called."""


class Walk:
    """The registries of one kind, asked about one reference.

    The next is asked when the one before could not settle it, or takes long. As soon as one speaks against the
    reference all the rest are asked. They are given a short time to speak for it where the authority has spoken, and
    all the time that there is where none has, and in a search by title.
    """

    def __init__(self, reference: Reference, names: Sequence[str], hear: Hear) -> None:
        self._reference, self._names, self._hear = reference, names, hear
        self._search = reference.kind == "bibliographic"
        self._left = list(names)
        self._under_way: dict[asyncio.Task[Heard], str] = {}
        self._heard: dict[str, Heard] = {}

    async def ask(self) -> list[Heard]:
        """Return what was heard, in the order of the names."""
        self._start(1)
        while self._under_way and await self._go_on():
            pass
        return self._in_order()

    async def _go_on(self) -> bool:
        """Wait for the next answers. Say whether more are wanted."""
        done, _ = await asyncio.wait(self._under_way, timeout=self._wait_s(), return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            self._heard[self._under_way.pop(task)] = task.result()
        if not done and not self._left:
            return False
        if done and settled(self._reference, self._in_order()):
            return False
        self._start(len(self._left) if self._spoken() else 1)
        return True

    def _wait_s(self) -> float | None:
        if self._left:
            return _HEDGE_S
        return _CONFIRM_S if not self._search and any(map(_proves, self._heard.values())) else None

    def _spoken(self) -> bool:
        return bool(self._heard) and (self._search or any(one.found.status in _SPEAKS for one in self._heard.values()))

    def _start(self, most: int) -> None:
        for name in self._left[:most]:
            self._under_way[self._hear(name)] = name
        del self._left[:most]

    def _in_order(self) -> list[Heard]:
        return [self._heard[name] for name in self._names if name in self._heard]


def _proves(heard: Heard) -> bool:
    return heard.authority and heard.found.status in _SPEAKS
