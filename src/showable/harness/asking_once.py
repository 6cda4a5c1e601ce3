"""Ask one question until there is an answer or no try is left, and write down how it went. Nothing here raises for a pipeline."""

from __future__ import annotations

import asyncio
import math
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from showable.errors import SettingError
from showable.harness.pipelines.failures import PipelineError, brief
from showable.harness.pipelines.pipeline import Asked, Pipeline, Reply
from showable.harness.pipelines.reading_replies import read_reply
from showable.records.asking import ASK, AskFacts
from showable.records.evidence import Cost
from showable.records.record import Question, Record
from showable.registries.web.asking import Pace
from showable.registries.web.pacing import Turnstile

if TYPE_CHECKING:
    from tenacity import RetryCallState

_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.5, 8.0
_LONGEST_ASKED_S = 300.0
"""A pipeline that asks to be left alone for longer has failed this question."""
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class AskSettings:
    """How questions are put: seconds a try may take, tries after the first, and the pace.

    Prices are in USD per million tokens, for pipelines that say tokens and no price.
    """

    timeout_s: float = 60.0
    retries: int = 2
    pace: Pace = field(default_factory=lambda: Pace(math.inf, 4))
    price_in: float | None = None
    price_out: float | None = None

    def __post_init__(self) -> None:
        """Refuse a time that is none. Raises SettingError."""
        if not 0 < self.timeout_s < math.inf:
            raise SettingError(f"--timeout {self.timeout_s:g}: expected seconds above 0")


class Asker:
    """Puts questions to one pipeline. Belongs to one event loop.

    A pipeline with a true `tries_itself` keeps its own time and tries, and is asked once. One with a true `always_there`
    is asked every question, whatever became of those before.
    """

    def __init__(self, pipeline: Pipeline, settings: AskSettings) -> None:
        self._pipeline, self._settings = pipeline, settings
        self._itself = bool(getattr(pipeline, "tries_itself", False))
        self.always_there = bool(getattr(pipeline, "always_there", False))
        self._turnstile = Turnstile(settings.pace)

    async def ask(self, question: Question) -> Record:
        """Return the record of a question: with the answer, or with the error in its place.

        The pipeline gets to see an `Asked`; gold comes from the question alone.
        """
        asked = Asked(id=question.id, question=question.question, force_null=question.force_null)
        tried = _Tried()
        try:
            reply, error = await self._patiently(asked, tried), None
        except (asyncio.CancelledError, KeyboardInterrupt, GeneratorExit):
            raise
        except BaseException as failure:  # noqa: BLE001 - whatever a pipeline raises is data; a panic of Rust is no Exception
            reply, error = Reply(answer=None), _told(failure)
        if error is None and (reply.answer is None or reply.answer == ""):
            error = "it gave no answer"
        return self._record(question, reply, tried, error)

    def _record(self, question: Question, reply: Reply, tried: _Tried, error: str | None) -> Record:
        honoured = None if reply.retrieved is None or not question.force_null else not reply.retrieved
        facts = AskFacts(
            seconds=round(tried.seconds, 4),
            tries=tried.count,
            error=error,
            force_null=question.force_null,
            null_honoured=honoured,
            cost=self._priced(reply.cost),
        )
        return Record(
            id=question.id,
            question=question.question,
            answer=reply.answer,
            retrieved=reply.retrieved,
            shown=reply.shown,
            gold=question.gold,
            metadata={**reply.metadata, ASK: facts.model_dump(mode="json")},
        )

    async def _patiently(self, asked: Asked, tried: _Tried) -> Reply:
        from tenacity import (  # noqa: PLC0415 - 40 ms
            AsyncRetrying,
            retry_if_exception,
            stop_after_attempt,
        )

        most = 1 if self._itself else self._settings.retries + 1
        retrying = AsyncRetrying(
            stop=stop_after_attempt(most),
            wait=_pause,
            retry=retry_if_exception(_may_help),
            sleep=asyncio.sleep,
            reraise=True,
        )
        return await retrying(self._once, asked, tried)

    async def _once(self, asked: Asked, tried: _Tried) -> Reply:
        """Try once. Time counts from when its turn has come."""
        async with self._turnstile.turn(math.inf):
            tried.count += 1
            began = time.monotonic()
            limit = None if self._itself else self._settings.timeout_s
            clock = asyncio.timeout(limit)
            try:
                async with clock:
                    reply = await self._pipeline.ask(asked)
                return read_reply(reply)
            except TimeoutError as error:
                if clock.expired():
                    raise PipelineError(f"no answer within {limit:g} s") from None
                raise PipelineError(f"TimeoutError: {error}" if str(error) else "TimeoutError") from None
            except asyncio.CancelledError:
                if (task := asyncio.current_task()) is not None and task.cancelling():
                    raise
                raise PipelineError("it cancelled itself") from None
            except PipelineError as error:
                if error.wait:
                    self._turnstile.shut(asyncio.get_running_loop().time() + min(error.wait, _LONGEST_ASKED_S))
                raise
            finally:
                tried.seconds = time.monotonic() - began

    def _priced(self, cost: Cost | None) -> Cost | None:
        per_in, per_out = self._settings.price_in, self._settings.price_out
        if cost is None or cost.usd is not None or per_in is None or per_out is None:
            return cost
        usd = (cost.tokens_in * per_in + cost.tokens_out * per_out) / _MILLION
        return cost.model_copy(update={"usd": usd})


@dataclass(slots=True)
class _Tried:
    """Tries made, and the seconds of the last one."""

    count: int = 0
    seconds: float = 0.0


def _may_help(error: BaseException) -> bool:
    """Check whether another try may help: after a failure of the pipeline, but not where it answered and no one can read it."""
    if isinstance(error, PipelineError):
        return error.again and (error.wait or 0.0) <= _LONGEST_ASKED_S
    return isinstance(error, Exception)


def _pause(state: RetryCallState) -> float:
    """Wait as told, and some more by chance, so that those who were told the same do not all come back at once."""
    from tenacity import wait_random_exponential  # noqa: PLC0415 - 40 ms

    jitter = wait_random_exponential(multiplier=_FIRST_WAIT_S, max=_LONGEST_WAIT_S)(state)
    error = state.outcome.exception() if state.outcome else None
    told = error.wait if isinstance(error, PipelineError) else None
    return jitter if told is None else told + min(jitter, 1.0)


def _told(failure: BaseException) -> str:
    if isinstance(failure, PipelineError):
        return str(failure)
    if isinstance(failure, SystemExit):
        return brief(f"it called sys.exit({failure.code!r})")
    return brief(f"{type(failure).__name__}: {failure}" if str(failure) else type(failure).__name__)
