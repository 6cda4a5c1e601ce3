"""Asks registries one after the other about one reference: when to go on, whom to ask at once, when it is settled."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from showable.records import Reference
from showable.registries.merge import Heard, settled

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
        """Give what was heard, in the order of the names."""
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
