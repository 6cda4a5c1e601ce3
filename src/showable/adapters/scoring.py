"""One judge and one profile for many records, asked from any thread and any event loop of another tool."""

from __future__ import annotations

import asyncio
import weakref
from concurrent.futures import Future
from contextlib import suppress
from threading import Lock, Thread, current_thread

from showable.api import as_judge, as_profile
from showable.evaluation import close_judge, evaluate_safely, sign
from showable.profiles.load import load_profile, only_profile
from showable.records import Judge, Profile, Record, Scorecard
from showable.records.lookups import Registries

_AT_ONCE = 8
_PATIENCE = 5.0
"""Seconds that closing a judge may take before the tool's process goes on without it."""


class Scoring:
    """Scores records in an event loop of its own, on a thread that starts with the first record.

    The tools call their metrics from threads and loops that come and go, while a judge's connections belong to one
    loop; so the judge is made once and stays in this one, and the tool's loop is never blocked. `judge`, `profile`
    and `registries` are those of `showable.score`: without `profile`, each record says which. `close` closes a
    judge that was made here (one that was given is its owner's); it is also called when nothing refers to this any
    more, and at exit. Raises SettingError for a judge or a profile that there is not.
    """

    def __init__(
        self,
        judge: Judge | str | None = None,
        profile: Profile | str | None = None,
        registries: Registries | None = None,
    ) -> None:
        self._judge = as_judge(judge)
        self._made_here = self._judge is not judge
        self._profile = None if profile is None else as_profile(profile)
        self._registries = registries
        self._profiles: dict[str, Profile] = {}
        self._lock = Lock()
        self._room: _Room | None = None
        self._closing: weakref.finalize[[_Room, Judge | None], Scoring] | None = None

    def submit(self, record: Record) -> Future[Scorecard]:
        """Begin scoring; the future gives the scorecard. Raises SettingError where the record names no profile there is."""
        rules = self._rules(record)
        with self._lock:
            if self._room is None:
                self._room = _Room()
                owned = self._judge if self._made_here else None
                self._closing = weakref.finalize(self, _close, self._room, owned)
            room = self._room
        return room.submit(record, self._judge, rules, self._registries)

    @property
    def judge_name(self) -> str:
        """`name@revision` of the judge."""
        return self._judge.name

    def card(self, record: Record) -> Scorecard:
        """Score and wait for it. Not for use inside an event loop, which it would block."""
        return self.submit(record).result()

    async def card_in_loop(self, record: Record) -> Scorecard:
        """Score without blocking the asyncio loop that this is awaited in."""
        return await asyncio.wrap_future(self.submit(record))

    def signature(self, record: Record | None = None) -> str:
        """Print what computed the scorecard of this record, or of one that names no profile, on one line."""
        registries = self._registries.name if self._registries else None
        return str(sign(self._judge, self._rules(record), registries=registries))

    def close(self) -> None:
        """Close the judge if it was made here, and end the thread. Scoring again starts anew."""
        with self._lock:
            closing, self._closing, self._room = self._closing, None, None
        if closing is not None:
            closing()

    def _rules(self, record: Record | None) -> Profile:
        if self._profile is not None:
            return self._profile
        name = only_profile({record.profile if record is not None else None: 1})
        if name not in self._profiles:
            self._profiles[name] = load_profile(name)
        return self._profiles[name]


class _Room:
    """A thread with an event loop, in which at most `_AT_ONCE` records are scored at a time."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = Thread(target=self._run, name="showable", daemon=True)
        self._places = asyncio.Semaphore(_AT_ONCE)
        self.thread.start()

    def submit(self, record: Record, judge: Judge, rules: Profile, registries: Registries | None) -> Future[Scorecard]:
        async def one() -> Scorecard:
            async with self._places:
                return (await evaluate_safely(record, judge, rules, registries)).scorecard

        return asyncio.run_coroutine_threadsafe(one(), self.loop)

    def _run(self) -> None:
        try:
            self.loop.run_forever()
            with suppress(RuntimeError):  # while the interpreter ends, no thread may be started to wait in
                self.loop.run_until_complete(self.loop.shutdown_default_executor())
        finally:
            self.loop.close()


def _close(room: _Room, owned: Judge | None) -> None:
    """Close the judge inside its loop, then end the loop, and wait for both unless this is the thread itself."""

    async def leave() -> None:
        try:
            if owned is not None:
                await close_judge(owned)
        finally:
            room.loop.stop()

    asyncio.run_coroutine_threadsafe(leave(), room.loop)
    if current_thread() is not room.thread:
        room.thread.join(_PATIENCE)
