"""Receive spans over OTLP/HTTP (protobuf and JSON, gzip) and keep them: acknowledged is what is durable, and nothing else."""

from __future__ import annotations

import asyncio
import signal
import socket
import time
from collections.abc import Callable, Sequence
from functools import partial

from showable.errors import ShowableError
from showable.review.serving import take_port
from showable.serving.address import need_token
from showable.serving.backlog import Backlog
from showable.serving.doorway import Doorway
from showable.serving.group_commit import GroupCommit
from showable.serving.parcels import Parcel, Unpacked
from showable.serving.receiver_http import Desk
from showable.serving.receiver_metrics import Tallies
from showable.serving.receiver_view import View
from showable.serving.saying import say, silence_asyncio
from showable.serving.settings import ServeSettings
from showable.stores.traces.opening import open_trace_store
from showable.stores.traces.store import TraceStore
from showable.traces.otlp.decode import DecodedLogs, decode_logs, decode_request
from showable.traces.otlp.unpack import unpack

LAST_ANSWERS_S = 1.4
"""Seconds that requests on their way have when the receiver is stopped, and again what they brought to be stored."""


def run(settings: ServeSettings, taken: socket.socket | None = None) -> None:
    """Receive until SIGTERM; then finish what has come in, and return. `taken` listens already, where it is given.

    Raises SettingError where others can reach the address and no token is asked of them, or where the port is taken.
    """
    need_token("--host", settings.host, settings.token)
    silence_asyncio()
    with taken or take_port(settings.host, settings.port) as listening:
        opening = partial(open_trace_store, settings.store)
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(receive(settings, listening, opening))


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop  # noqa: PLC0415 - there is none for some systems
    except ImportError:
        return None
    factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return factory


async def receive(settings: ServeSettings, listening: socket.socket, open_store: Callable[[], TraceStore]) -> None:
    """Answer requests at a socket until a signal to end."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    await Receiver(settings, open_store).until(stop, listening)


class BrokenReceiverError(ShowableError):
    """The receiver has to be started anew."""


async def _first(*events: asyncio.Event) -> asyncio.Event:
    """Wait for one of several events; gives the first that is set."""
    waiting = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for one in waiting:
            one.cancel()
    return next(event for event in events if event.is_set())


class Receiver:
    """The parts of the receiver, put together."""

    def __init__(self, settings: ServeSettings, open_store: Callable[[], TraceStore]) -> None:
        self.backlog = Backlog(settings.backlog)
        self.tallies = Tallies(lambda: self.backlog.held, lambda: len(self.doorway.connections))
        self.keeper = GroupCommit(
            open_store, partial(_unpack, most=settings.most_body), self.tallies, settings.most_body
        )
        self.view = View(open_store, self._troubles)
        desk = Desk(settings, self.keeper, self.tallies, self.backlog, self.view)
        self.doorway = Doorway(
            desk.answer, auto_decompress=False
        )  # what a body unpacks to is bounded where it is decoded

    async def until(self, stop: asyncio.Event, listening: socket.socket) -> None:
        """Answer until `stop` is set; then answer what is on its way, and store it."""
        self.keeper.start()
        server = await asyncio.get_running_loop().create_server(self.doorway, sock=listening, backlog=1024)
        broken = await _first(stop, self.keeper.broken) is self.keeper.broken
        server.close()
        self.doorway.pre_shutdown()
        await self.doorway.shutdown(LAST_ANSWERS_S)
        if not await self.keeper.drain(LAST_ANSWERS_S):
            say("what had not been acknowledged was not stored in time; exporters send it again")
        await self.view.close()
        if broken:
            raise BrokenReceiverError("nothing could be stored any more")

    def _troubles(self) -> Sequence[str]:
        said = [] if self.keeper.trouble is None else ["nothing is stored at present (the log says why)"]
        return [*said, "the backlog is full"] if self.backlog.full else said


def _unpack(parcel: Parcel, *, most: int) -> Unpacked:
    body = unpack(parcel.body, parcel.encoding, most)
    if parcel.signal == "logs":
        logs = decode_logs(body, parcel.content_type)
        left_out = logs.passed_over + logs.rejected
        return Unpacked((), logs.events, left_out, _why(logs) if left_out else "", len(body))
    found = decode_request(body, parcel.content_type, time.time_ns())
    return Unpacked(found.spans, (), found.rejected, found.reason, len(body))


def _why(logs: DecodedLogs) -> str:
    kept = "kept are events called gen_ai.… that name their span"
    return f"{kept}; {logs.reason}" if logs.reason else kept
