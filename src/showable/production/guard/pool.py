"""Processes that decide what takes long: full readings, verdicts of a judge, registries. The worker's loop never waits."""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import replace
from typing import NamedTuple

from showable.evaluation import close_judge
from showable.judging_settings import Judging, JudgingSettings
from showable.production.guard.call import ASKING, GuardCall, Policy
from showable.production.guard.helper_process import READY, HelperProcess, Inbox
from showable.production.guard.inline_evidence import Reached, decide_asking
from showable.read.answer import read_answer
from showable.records.evidence import Judge, Pair
from showable.records.lookups import Registries
from showable.records.profile import Profile
from showable.records.record import Record

MOST_WAITING = 32
"""Calls a process that wait for it, beyond which new ones are refused before anything is sent."""
STUCK_S, LAST_CALLS_S = 10.0, 5.0
"""How long after its time a process may still be at a call before it is ended."""


class LateError(Exception):
    """No decision in time; the message says why."""


class Task(NamedTuple):
    """A call to decide on. `policy` comes without scanners: what they found is among the call's findings."""

    number: int
    call: GuardCall
    policy: Policy
    judge_s: float
    from_cache: bool


class _Member:
    """One process with the calls that wait for it."""

    def __init__(self, judging: JudgingSettings) -> None:
        self.pending: dict[int, asyncio.Future[Reached]] = {}
        self.process = HelperProcess(__name__, judging, self.take, self.lose)

    def take(self, reply: tuple[int, Reached | str]) -> None:
        """Hand a reply to whoever waits for it; one that came too late is dropped."""
        number, reached = reply
        waiting = self.pending.pop(number, None)
        if waiting is None or waiting.done():
            return
        if isinstance(reached, str):
            waiting.set_exception(LateError(reached))
        else:
            waiting.set_result(reached)

    def lose(self) -> None:
        """Tell all that wait that nothing comes."""
        waiting, self.pending = self.pending, {}
        for future in waiting.values():
            if not future.done():
                future.set_exception(LateError("the process that was at it ended"))


class Pool:
    """A few processes, each with the judge loaded. A call goes to the one with the fewest."""

    def __init__(self, judging: JudgingSettings, size: int) -> None:
        self._members = [_Member(judging) for _ in range(size)]
        self._numbers = itertools.count()

    @property
    def full(self) -> bool:
        """Whether so many calls wait that no more should begin."""
        return all(len(member.pending) >= MOST_WAITING for member in self._members)

    @property
    def pids(self) -> list[int]:
        """The ids of its processes."""
        return [member.process.pid for member in self._members if member.process.pid is not None]

    async def start(self) -> None:
        """Start its processes, and wait until each can work. Raises SettingError."""
        for member in self._members:
            await member.process.start()
        for member in self._members:
            await member.process.until_ready()

    async def decide(
        self, call: GuardCall, policy: Policy, *, judge_s: float, reading_s: float, from_cache: bool
    ) -> Reached:
        """Return the release of a call. Raises LateError where it does not come in time."""
        member = min(self._members, key=lambda one: (not one.process.ready.is_set(), len(one.pending)))
        loop, number = asyncio.get_running_loop(), next(self._numbers)
        member.pending[number] = future = loop.create_future()
        if not member.process.send(Task(number, call, policy, judge_s, from_cache)):
            del member.pending[number]
            raise LateError("no process is there to read it")
        within = reading_s + (judge_s if policy.semantic in ASKING else 0.0)
        try:
            return await asyncio.wait_for(asyncio.shield(future), within)
        except TimeoutError:
            loop.call_later(STUCK_S, self._end_stuck, member, number)
            future.add_done_callback(lambda late: late.exception())  # nobody waits for it any more
            raise LateError(f"it was not read within {within * 1000:.0f} ms") from None
        except asyncio.CancelledError:
            member.pending.pop(number, None)
            raise

    def _end_stuck(self, member: _Member, number: int) -> None:
        if number in member.pending:
            member.process.kill()

    def take_settings(self, judging: JudgingSettings) -> None:
        """Judge by these settings from now on; processes that work by others are replaced."""
        for member in self._members:
            member.process.renew(judging)

    async def close(self) -> None:
        """End its processes."""
        for member in self._members:
            await member.process.close()


def main(number: int) -> None:
    """Be one of the processes, at the socket that was handed over."""
    asyncio.run(_work(number))


async def _work(number: int) -> None:
    inbox = await Inbox.open(number)
    messages = inbox.messages()
    deciding = _Deciding(await anext(messages))
    await deciding.warm()
    inbox.send(READY)
    tasks: set[asyncio.Task[None]] = set()
    async for message in messages:
        task = asyncio.create_task(deciding.answer(message, inbox))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    if tasks:  # the worker has others of its kind now, or is gone
        await asyncio.wait(tasks, timeout=LAST_CALLS_S)
    await deciding.close()


class _Deciding:
    """What a process decides with: rules and a judge a profile, and what registries are known to say; made when first asked for."""

    def __init__(self, settings: JudgingSettings) -> None:
        self._judging = Judging(settings)
        self._rules: dict[str, tuple[Profile, Judge]] = {}
        self._known: dict[str, Registries | None] = {}

    async def warm(self) -> None:
        """Load the models before the first call waits for them."""
        read_answer(Record(id="warm", question="When?", answer="Notice is due in thirty days [1]."))
        if (self._judging.settings.judge or "embedded").startswith("embedded"):
            await self._judging.plain().verdicts([Pair("Notice is due.", "Notice is due in thirty days.")])

    async def answer(self, task: Task, inbox: Inbox) -> None:
        """Decide on one call, and send what came of it."""
        reached: Reached | str
        try:
            reached = await self._decide(task)
        except Exception as error:  # noqa: BLE001 - whatever one call breaks, others go on; a message may hold the answer
            reached = f"it could not be read ({type(error).__name__})"
        inbox.send((task.number, reached))

    async def _decide(self, task: Task) -> Reached:
        policy, label = task.policy, task.policy.label
        judge: Judge | None = None
        if policy.semantic in ASKING:
            if label not in self._rules:
                rules = self._judging.rules_on(policy.profile)
                self._rules[label] = rules, self._judging.judge(rules)
            rules, judge = self._rules[label]
            policy = replace(policy, profile=rules)
        if task.from_cache and label not in self._known:
            self._known[label] = self._judging.registries(policy.profile)
        known = self._known[label] if task.from_cache else None
        return await decide_asking(task.call, policy, judge, known, task.judge_s)

    async def close(self) -> None:
        """Close judges and registries."""
        for _, judge in self._rules.values():
            await close_judge(judge)
        for registries in self._known.values():
            if registries is not None:
                await registries.aclose()
