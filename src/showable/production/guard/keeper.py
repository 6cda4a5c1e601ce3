"""The one process of a guard that keeps answers, judges the sample, looks at the floors and asks registries, behind the answers."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections import deque
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import orjson

from showable.errors import ShowableError
from showable.judging_settings import JudgingSettings
from showable.measure.tail_sampling import TailSampler
from showable.production.guard.helper_process import READY, Inbox
from showable.production.guard.kept_answers import RouteRule, RouteRules, traced_answer
from showable.production.guard.refreshing import Refreshing
from showable.records.traced import LiveScore
from showable.serving.floors import PREFIX, Floors, post_alarms
from showable.serving.judging import work
from showable.serving.live_judging import LiveJudging
from showable.serving.retention import Retention
from showable.serving.scored_answer import AnswerScoring, reason_of, unscored
from showable.serving.settings import ServeSettings
from showable.serving.textless import as_kept
from showable.stores.traces.errors import StoreError
from showable.stores.traces.opening import open_trace_store
from showable.stores.traces.store import TraceStore

LOG = logging.getLogger("showable.guard")
NICE = 10
AT_ONCE, MOST_WAITING = 100, 10_000
"""Answers that are written at a time, and that wait while the store refuses; beyond, the oldest are let go, and counted."""
FLOORS_EVERY_S, PAUSE_S, IDLE_S, LAST_LINES_S = 10.0, 1.0, 0.05, 2.0
LARGEST_LINE = 64 * 1024 * 1024
PROCESS = "guard"


@dataclass(frozen=True, slots=True)
class KeeperSetup:
    """What the keeper works by. `store` None keeps nothing; `refresh` lets it ask registries over the network."""

    folder: Path
    routes: Mapping[str, RouteRule]
    judging: JudgingSettings
    store: str | None = None
    texts: bool = False
    judges: bool = True
    retain_days: float | None = None
    webhook: str | None = None
    refresh: bool = False


def socket_path(folder: Path) -> str:
    """Return where workers reach the keeper: by the open folder, for the names of sockets are short."""
    path = str(folder / "keeper.sock")
    if len(path) < 100 or not Path("/proc/self/fd").is_dir():  # noqa: PLR2004 - of 108 bytes
        return path
    return f"/proc/self/fd/{os.open(folder, os.O_RDONLY)}/keeper.sock"


class KeptAnswers:
    """The answers of a guard on their way into the store, and what the week's floors say of them."""

    def __init__(self, store: TraceStore, setup: KeeperSetup) -> None:
        """Begin with nothing. Raises SettingError or InputError for a judge that cannot be asked."""
        self.store, self._texts, own = store, setup.texts, setup.judging
        self.settings = ServeSettings(
            store=setup.store or "", judge=own.judge, calibration=own.calibration, retain_days=setup.retain_days
        )
        self.rules = RouteRules(self.settings, setup.routes)
        self._scoring = AnswerScoring(self.rules, TailSampler(), self.settings.sample)
        self.floors = Floors(self.store, self.rules.floors)
        self.waiting: deque[LiveScore] = deque()
        self.kept = self.lost = 0
        self._said = ""

    def take(self, row: Mapping[str, Any]) -> None:
        """Grade an answer without a judge, and choose whether one is to read it."""
        traced, now = traced_answer(row, texts=self._texts), time.time_ns()
        try:
            score = self._scoring.score(traced, {}, None, now)
        except Exception as error:  # noqa: BLE001 - one answer that breaks something must not stop all others
            score = unscored(traced, f"it could not be scored: {reason_of(error)}", now)
        if score is not None:
            self.waiting.append(as_kept(score))
        while len(self.waiting) > MOST_WAITING:
            self.waiting.popleft()
            self.lost += 1

    def write(self) -> bool:
        """Write what waits, in parts; False where the store refuses, and it is to be tried again."""
        while self.waiting:
            part = [self.waiting[n] for n in range(min(AT_ONCE, len(self.waiting)))]
            try:
                self.store.add_scores(part)
            except StoreError as error:
                if str(error) != self._said:
                    LOG.error("answers are not kept: %s; it is tried again", error)  # noqa: TRY400 - one line
                self._said = str(error)
                return False
            for _ in part:
                self.waiting.popleft()
            self.kept, self._said = self.kept + len(part), ""
        return True

    def look(self, webhook: str | None) -> dict[str, dict[str, float]]:
        """Look at the week of each profile, post new alarms, and return what it comes to by profile."""
        self.store.set_gauges(
            PROCESS,
            {"kept_total": self.kept, "lost_total": self.lost, "waiting": len(self.waiting), "at_ns": time.time_ns()},
        )
        if trouble := post_alarms(self.floors, self.floors.look(time.time_ns()), webhook):
            LOG.error("%s", trouble)
        held = self.store.gauges()
        week = {name: dict(held.get(PREFIX + name, {})) for name in self.rules.floors}
        return {name: told for name, told in week.items() if told.get("n")}


def main(number: int) -> None:
    """Be the keeper, at the socket of the worker that started it."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    asyncio.run(_keep(number))


class _Ending:
    """Says to the judging when it is over."""

    come = False


async def _keep(number: int) -> None:
    inbox = await Inbox.open(number)
    messages = inbox.messages()
    setup: KeeperSetup = await anext(messages)
    try:
        keeper = _Keeper(setup)
        path = socket_path(setup.folder)
        with suppress(FileNotFoundError):
            os.unlink(path)  # noqa: PTH108 - of a keeper that was killed
        before = os.umask(0o077)
        server = await asyncio.start_unix_server(keeper.serve, path, limit=LARGEST_LINE)
        os.umask(before)
    except (ShowableError, OSError) as error:
        LOG.error("the keeper cannot work: %s", error)  # noqa: TRY400 - one line
        return
    inbox.send(READY)
    ending = _Ending()
    tasks = [asyncio.create_task(task) for task in keeper.tasks(ending)]
    gone = asyncio.create_task(_until_gone(messages))
    done, _ = await asyncio.wait([gone, *tasks], return_when=asyncio.FIRST_COMPLETED)
    for task in done - {gone}:  # none of them ends by itself: whoever started this process starts it again
        LOG.error("the keeper cannot go on: %s", reason_of(task.exception() or RuntimeError("it ended")))
    ending.come = True
    await keeper.until_read()
    server.close()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await keeper.close()


async def _until_gone(messages: AsyncIterator[Any]) -> None:
    async for _ in messages:
        pass


class _Keeper:
    """What the process does, until its worker is gone."""

    def __init__(self, setup: KeeperSetup) -> None:
        self._setup = setup
        self._opened = None if setup.store is None else open_trace_store(setup.store)
        self.keeping = None if self._opened is None else KeptAnswers(self._opened, setup)
        self.refreshing = Refreshing(setup.routes) if setup.refresh else None
        self._workers: set[asyncio.StreamWriter] = set()
        self._floors: dict[str, dict[str, float]] = {}
        self._retention: Retention | None = None
        self._thread = ThreadPoolExecutor(1)  # of its own: the judge's threads may all be at work

    def tasks(self, ending: _Ending) -> list[Any]:
        """Return what goes on beside the workers' connections."""
        found: list[Any] = []
        if self.keeping is not None:
            self._retention = Retention(self.keeping.settings)
            self._retention.start()
            found += [self._write(), self._look()]
            if self._setup.judges and any(rule.semantic != "off" for rule in self._setup.routes.values()):
                own = LiveJudging(self.keeping.store, self.keeping.settings, rules=self.keeping.rules)
                found.append(work(own, cast("Any", ending), name="guard-judging"))
        if self.refreshing is not None:
            found.append(self._refresh())
        return found

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take a worker's lines until it is gone."""
        self._workers.add(writer)
        self._tell(writer)
        try:
            while line := await reader.readline():
                self._take(orjson.loads(line))
        except (ConnectionError, ValueError):
            LOG.error("a worker's line could not be read")  # noqa: TRY400 - it may hold an answer
        finally:
            self._workers.discard(writer)
            writer.close()

    def _take(self, message: Mapping[str, Any]) -> None:
        if "answer" in message and self.keeping is not None:
            self.keeping.take(message["answer"])
        elif "wanted" in message and self.refreshing is not None:
            self.refreshing.want(message["route"], message["wanted"])

    async def _write(self) -> None:
        assert self.keeping is not None  # noqa: S101 - tells mypy
        while True:
            written = await asyncio.get_running_loop().run_in_executor(self._thread, self.keeping.write)
            await asyncio.sleep(IDLE_S if written else PAUSE_S)

    async def _look(self) -> None:
        assert self.keeping is not None  # noqa: S101 - tells mypy
        while True:
            try:
                found = await asyncio.get_running_loop().run_in_executor(
                    self._thread, self.keeping.look, self._setup.webhook
                )
            except StoreError as error:
                LOG.error("the floors cannot be looked at: %s; it is tried again", error)  # noqa: TRY400 - one line
                found = self._floors
            if found != self._floors:
                self._floors = found
                for writer in self._workers:
                    self._tell(writer)
            await asyncio.sleep(FLOORS_EVERY_S)

    def _tell(self, writer: asyncio.StreamWriter) -> None:
        writer.write(orjson.dumps({"floors": self._floors}) + b"\n")

    async def _refresh(self) -> None:
        assert self.refreshing is not None  # noqa: S101 - tells mypy
        while True:
            try:
                worked = await self.refreshing.refresh()
            except Exception as error:  # noqa: BLE001 - what registries raise is no end of the keeper
                LOG.error("registries could not be asked: %s", type(error).__name__)  # noqa: TRY400 - may hold a citation
                worked = False
            await asyncio.sleep(0 if worked else IDLE_S)

    async def until_read(self) -> None:
        """Wait a little for workers to be gone: what they have written is read to its end."""
        until = time.monotonic() + LAST_LINES_S
        while self._workers and time.monotonic() < until:  # noqa: ASYNC110 - several may leave
            await asyncio.sleep(IDLE_S)
        for writer in tuple(self._workers):
            writer.close()
        await asyncio.sleep(IDLE_S)  # each ends by itself: cancelled, it would be told of as an error

    async def close(self) -> None:
        """Write what waits, once, and close the store."""
        if self.keeping is not None and self._opened is not None:
            self.keeping.write()
            if self._retention is not None:
                self._retention.end(1.0)
            self._opened.close()
        if self.refreshing is not None:
            await self.refreshing.close()
