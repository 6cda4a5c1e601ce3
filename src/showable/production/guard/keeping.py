"""A worker's way to the keeper: answers and references go there, the floors come back. Nothing waits for it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import cast

import orjson

from showable.production.guard.counters import Counters
from showable.production.guard.deciding import Deciding
from showable.production.guard.guard_file import GuardSettings
from showable.production.guard.helper_process import HelperProcess
from showable.production.guard.keeper import KeeperSetup, socket_path
from showable.production.guard.kept_answers import RouteRule, written_rows
from showable.production.guard.tracked import TrackedCall
from showable.records.record import Reference

LOG = logging.getLogger("showable.guard")
MOST_BYTES = 32 * 1024 * 1024
"""What may wait for a keeper that is busy or not there; beyond, rows are let go, and counted."""
AGAIN_S, REMEMBERED, FORGOTTEN_S = 0.2, 10_000, 600.0
_GAUGES = ("share", "floor", "below_floor")


class Keeping(asyncio.Protocol):
    """Worker `number`'s end of the line. The first worker starts the keeper, and starts it again where it dies."""

    def __init__(
        self, settings: GuardSettings, folder: Path, number: int, deciding: Deciding, counters: Counters
    ) -> None:
        self._deciding, self._counters = deciding, counters
        self._path = socket_path(folder)
        self._process = HelperProcess("showable.production.guard.keeper", _setup(settings, folder), lambda _: None)
        self._starts, self._folder = number == 0, folder
        self.take_settings(settings)
        self._transport: asyncio.Transport | None = None
        self._early: list[bytes] = []
        self._early_bytes, self._data = 0, b""
        self._asked: OrderedDict[bytes, float] = OrderedDict()
        self._connecting: asyncio.Task[None] | None = None
        self._closed = False

    def take_settings(self, settings: GuardSettings) -> None:
        """Keep and look up by these settings from now on; a keeper that works by others is replaced."""
        self._keeps = settings.store is not None
        self._deciding.refresh = self.want if settings.table.registries.refresh else None
        self._process.renew(_setup(settings, self._folder))

    async def start(self) -> None:
        """Start the keeper, where that is this worker's, and connect to it. Raises SettingError."""
        if self._starts:
            await self._process.start()
            await self._process.until_ready()
        self._connecting = asyncio.get_running_loop().create_task(self._connect())

    async def close(self) -> None:
        """End it; the keeper writes what it has."""
        self._closed = True
        if self._connecting is not None:
            self._connecting.cancel()
        if self._transport is not None:
            self._transport.close()
        if self._starts:
            await self._process.close()

    def keep(self, call: TrackedCall, at: float) -> None:
        """Hand the answers of a call over."""
        if self._keeps:
            for line in written_rows(call, at):
                self._send(line)

    def want(self, route: str, references: Sequence[Reference]) -> None:
        """Have registries asked about references, each at most once in ten minutes."""
        now, fresh = time.monotonic(), []
        for reference in references:
            written = reference.model_dump_json(exclude_defaults=True).encode()
            if now - self._asked.get(written, -FORGOTTEN_S) >= FORGOTTEN_S:
                self._asked[written] = now
                fresh.append(orjson.Fragment(written))
        while len(self._asked) > REMEMBERED:
            self._asked.popitem(last=False)
        if fresh:
            self._send(orjson.dumps({"wanted": fresh, "route": route}))

    def _send(self, line: bytes) -> None:
        if self._transport is not None and self._transport.get_write_buffer_size() < MOST_BYTES:
            self._transport.write(line + b"\n")
        elif self._transport is None and self._early_bytes < MOST_BYTES:
            self._early.append(line + b"\n")
            self._early_bytes += len(line)
        else:
            self._counters.add("showable_guard_rows_lost_total")

    async def _connect(self) -> None:
        loop = asyncio.get_running_loop()
        while not self._closed:
            with suppress(OSError):
                await loop.create_unix_connection(lambda: self, self._path)
                return
            await asyncio.sleep(AGAIN_S)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send what has waited."""
        self._transport = connected = cast("asyncio.Transport", transport)
        self._data = b""
        connected.writelines(self._early)
        self._early, self._early_bytes = [], 0

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the protocol's
        """Connect again."""
        self._transport = None
        if not self._closed:
            self._connecting = asyncio.get_running_loop().create_task(self._connect())

    def data_received(self, data: bytes) -> None:
        """Take what the keeper says of the floors."""
        *lines, self._data = (self._data + data).split(b"\n")
        for line in lines:
            floors = orjson.loads(line)["floors"]
            below = frozenset(name for name, told in floors.items() if told["below"])
            for name in sorted(below ^ self._deciding.below):
                what = "lies below its floor" if name in below else "is above its floor again"
                LOG.error("the resolvability rate of the profile %s %s", name, what)
            self._deciding.below = below
            self._counters.gauges = {
                (f"showable_resolvability_{key}", (("profile", name),)): told["below" if key == "below_floor" else key]
                for name, told in floors.items()
                for key in _GAUGES
            }


def _setup(settings: GuardSettings, folder: Path) -> KeeperSetup:
    store = settings.table.store
    return KeeperSetup(
        folder=folder,
        routes={
            route.name: RouteRule(route.policy.profile, route.policy.semantic, route.table.sample)
            for route in settings.routes
        },
        judging=settings.judging,
        store=settings.store,
        texts=store is not None and store.texts,
        judges=store is None or store.judged_by == "guard",
        retain_days=None if store is None else store.retain_days,
        webhook=settings.webhook,
        refresh=settings.table.registries.refresh,
    )
