"""Post a request of OTLP/HTTP until it is taken or refused; a receiver that is down is waited for.

https://opentelemetry.io/docs/specs/otlp/#otlphttp: gzip, Retry-After, partial success.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Literal

import httpx
from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, wait_random_exponential

Signal = Literal["traces", "logs"]
TIMEOUT_S = 10.0
"""OTLP's own default for an export; here for each step of it."""
LONGEST_TRY_S = 30.0
"""For a whole try: a receiver that answers a byte at a time is as good as down."""
FIRST_WAIT_S, LONGEST_WAIT_S, LONGEST_ASKED_S = 0.5, 60.0, 600.0
_MOST_ANSWER = 64 * 1024
_TAKEN = range(200, 300)
_OF_THE_BODY = frozenset({400, 413, 422})
"""Statuses by which a receiver says that it will never take this body. Any other refusal (401, 404 …) is of every body, and is waited out."""
_NO_SUCH_SIGNAL = frozenset({404, 405, 415, 501})


@dataclass(frozen=True, slots=True)
class Taken:
    """The receiver has it. `rejected` counts the items that it took no further, and `reason` is what it says about them."""

    rejected: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RefusedBody:
    """The receiver will not take this body, however often it is sent."""

    status: int


@dataclass(frozen=True, slots=True)
class NoSuchSignal:
    """The receiver takes no requests of this kind at all."""

    status: int


class _DownError(Exception):
    def __init__(self, words: str, wait_s: float | None = None) -> None:
        super().__init__(words)
        self.wait_s = wait_s


@dataclass(slots=True)
class Poster:
    """Posts to the paths below `base`. `down` is called with the reason at every failed try, `up` when a post got through."""

    base: str
    client: httpx.AsyncClient
    down: Callable[[str], None]
    up: Callable[[], None]
    headers: Mapping[str, str] = field(default_factory=dict)
    first_wait_s: float = FIRST_WAIT_S

    async def post(self, signal: Signal, body: bytes) -> Taken | RefusedBody | NoSuchSignal:
        """Post a protobuf body. Comes back when it was taken or refused, and tries for as long as the receiver is down."""
        retrying = AsyncRetrying(
            retry=retry_if_exception_type(_DownError), wait=self._pause, before_sleep=self._tell, reraise=True
        )
        packed = gzip.compress(body, 5, mtime=0)
        outcome: Taken | RefusedBody | NoSuchSignal = await retrying(self._once, signal, packed)
        self.up()
        return outcome

    def _pause(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        if isinstance(error, _DownError) and error.wait_s is not None:
            return min(error.wait_s, LONGEST_ASKED_S)
        return float(wait_random_exponential(self.first_wait_s, max=LONGEST_WAIT_S)(state))

    def _tell(self, state: RetryCallState) -> None:
        self.down(str(state.outcome.exception()) if state.outcome else "")

    async def _once(self, signal: Signal, packed: bytes) -> Taken | RefusedBody | NoSuchSignal:
        headers = {
            **self.headers,
            "Content-Type": "application/x-protobuf",
            "Content-Encoding": "gzip",
            "Accept-Encoding": "identity",
        }
        url = f"{self.base.rstrip('/')}/v1/{signal}"
        try:
            async with (
                asyncio.timeout(LONGEST_TRY_S),
                self.client.stream("POST", url, content=packed, headers=headers) as response,
            ):
                status, asked = response.status_code, response.headers.get("Retry-After")
                answer = await _read(response)
        except (httpx.TransportError, TimeoutError) as error:
            raise _DownError(f"cannot be reached ({type(error).__name__})") from None
        if status in _TAKEN:
            return _taken(signal, answer)
        if status in _OF_THE_BODY:
            return RefusedBody(status)
        if signal == "logs" and status in _NO_SUCH_SIGNAL:
            return NoSuchSignal(status)
        raise _DownError(f"answers with status {status}", _seconds(asked))


async def _read(response: httpx.Response) -> bytes:
    """Read an answer as it comes, but not one without an end; one that is compressed unasked is no message, and not unpacked."""
    read = b""
    async for chunk in response.aiter_raw():
        read += chunk
        if len(read) > _MOST_ANSWER:
            return b""
    return read


def _taken(signal: Signal, answer: bytes) -> Taken:
    """Read what a receiver says of a request that it took; one that answers otherwise than the standard says has taken it all the same."""
    with suppress(DecodeError):
        if signal == "traces":
            spans = ExportTraceServiceResponse.FromString(answer).partial_success
            return Taken(spans.rejected_spans, spans.error_message)
        records = ExportLogsServiceResponse.FromString(answer).partial_success
        return Taken(records.rejected_log_records, records.error_message)
    return Taken()


def _seconds(asked: str | None) -> float | None:
    """Read Retry-After (RFC 9110, 10.2.3): seconds or a date; None where it says neither."""
    if asked is None:
        return None
    if asked.strip().isdecimal() and asked.isascii():
        return float(asked.strip()[:9])
    with suppress(ValueError, OverflowError):
        at = parsedate_to_datetime(asked)
        return max(0.0, (at.replace(tzinfo=at.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
    return None
