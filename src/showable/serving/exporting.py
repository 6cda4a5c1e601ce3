"""Send scores to a tracing backend, as spans and as events over OTLP/HTTP: at least once, and only what the store has kept.

A backend that is down, or that refuses everybody (a wrong token or path), costs nothing but lag: the scores wait in the store. A batch
that it will never take is halved until the score in question is alone; that one is set aside, counted and told. Ids are made of what a span says,
so that what is sent twice is the same span twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit

import httpx

from showable import __version__
from showable.errors import SettingError
from showable.records.spans import Span, SpanEvent
from showable.records.traced import LiveScore, TracedAnswer
from showable.serving.address import is_loopback
from showable.serving.export_posting import FIRST_WAIT_S, TIMEOUT_S, NoSuchSignal, Poster, RefusedBody, Taken
from showable.serving.saying import say
from showable.serving.settings import ServeSettings
from showable.stores.traces.errors import StoreError
from showable.stores.traces.opening import open_trace_store
from showable.stores.traces.store import TraceStore
from showable.traces.evaluator_spans import evaluation_events, evaluator_spans
from showable.traces.otlp.encode import encode_spans, fits_otlp
from showable.traces.otlp.encode_logs import encode_events

PROCESS = "exporting"
BATCH = 200
"""Scores sent together: some 600 spans."""
IDLE_S, WATCH_S, BEAT_S = 0.5, 0.5, 2.0
_PORTS = {"http": 80, "https": 443}


def run(settings: ServeSettings) -> None:
    """Send scores until SIGTERM, or until the process that started this one is gone. Raises SettingError for an address that cannot be."""
    check_address(settings)
    asyncio.run(_until_told(settings))


def check_address(settings: ServeSettings) -> str:
    """Return the address to export to. Raises SettingError where it is none, or is the receiver itself."""
    url = settings.export or ""
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS.get(parts.scheme)
    except ValueError:
        parts, port = SplitResult("", "", "", "", ""), None
    host = parts.hostname
    if parts.scheme not in _PORTS or not host or port is None or parts.query or parts.fragment:
        raise SettingError("--export: expected http://HOST:PORT or https://HOST/PATH, below which /v1/traces stands")
    if port == settings.port and (host == settings.host or is_loopback(host)):
        raise SettingError("--export: that is the address spans are received at; scores would go round in a circle")
    return url


async def _until_told(settings: ServeSettings) -> None:
    loop, told = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, told.set)
    watch = asyncio.create_task(_until_orphaned(os.getppid(), told))
    work = asyncio.create_task(export(settings))
    waiting = asyncio.create_task(told.wait())
    await asyncio.wait({work, waiting}, return_when=asyncio.FIRST_COMPLETED)
    for task in (work, waiting, watch):
        task.cancel()
    ended = await asyncio.gather(work, return_exceptions=True)
    if isinstance(ended[0], Exception):
        raise ended[0]


async def _until_orphaned(parent: int, told: asyncio.Event) -> None:
    while os.getppid() == parent:  # noqa: ASYNC110 - nobody says that a parent is gone; one has to look
        await asyncio.sleep(WATCH_S)
    told.set()


async def export(settings: ServeSettings, *, first_wait_s: float = FIRST_WAIT_S) -> None:
    """Send scores for ever; cancelling it leaves nothing half marked."""
    url = check_address(settings)
    here = is_loopback(urlsplit(url).hostname or "")  # on this machine: a proxy is another one
    store = open_trace_store(settings.store)
    headers = {"User-Agent": f"showable/{__version__}"} | dict(settings.export_headers)
    try:
        async with httpx.AsyncClient(timeout=TIMEOUT_S, follow_redirects=False, trust_env=not here) as client:
            exporter = Exporter(store)
            exporter.poster = Poster(url, client, exporter.is_down, exporter.is_up, headers, first_wait_s)
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(exporter.keep_beating())
                while True:
                    if not await exporter.send_waiting():
                        await asyncio.sleep(IDLE_S)
    finally:
        store.close()


@dataclass(slots=True)
class Exporter:
    """Takes scores from the store and sees them off. Counts since it was started: `sent`, `failed` scores, `rejected` spans and events."""

    store: TraceStore
    poster: Poster = field(init=False)
    sent: int = 0
    failed: int = 0
    rejected: int = 0
    down_since_ns: int = 0
    events: bool = True

    async def send_waiting(self) -> bool:
        """Send one batch; False where there was none, or the store could not be read."""
        try:
            scores = self.store.to_export(BATCH)
            if sendable := self._without_strange_ids(scores):
                await self._send(sendable)
        except StoreError as error:
            say(f"export: {error}; trying again")
            return False
        return bool(scores)

    async def _send(self, scores: Sequence[LiveScore]) -> None:
        targets = self._targets(scores)
        spans = [span for score in scores for span in evaluator_spans(score, target=targets.get(score.id))]
        taken = await self.poster.post("traces", encode_spans(spans)) if spans else Taken()
        if isinstance(taken, RefusedBody):
            await self._refused(scores, taken.status)
            return
        self._count(taken, "spans")
        await self._send_events(scores, targets)
        self.store.mark_exported(scores)
        self.sent += len(scores)
        self.beat()

    async def _send_events(self, scores: Sequence[LiveScore], targets: Mapping[str, Span]) -> None:
        by_service: dict[str, list[tuple[str, str, SpanEvent]]] = {}
        for score in scores:
            events = evaluation_events(score, target=targets.get(score.id))
            by_service.setdefault(score.answer.service, []).extend(events)
        for service, events in by_service.items():
            if events and self.events:
                self._said_of_events(await self.poster.post("logs", encode_events(events, service)))

    async def _refused(self, scores: Sequence[LiveScore], status: int) -> None:
        """Halve a batch that is refused; set one score aside, for the others are not to wait for it."""
        if len(scores) > 1:
            half = len(scores) // 2
            await self._send(scores[:half])
            await self._send(scores[half:])
            return
        self._set_aside(scores, f"refused with status {status}")

    def _without_strange_ids(self, scores: Sequence[LiveScore]) -> Sequence[LiveScore]:
        """Set aside what OTLP cannot hold: traces of a backend's export keep ids of another form."""
        strange = [score for score in scores if not _fits(score.answer)]
        if not strange:
            return scores
        self._set_aside(strange, "not sent: its ids are not OTLP's")
        return [score for score in scores if score not in strange]

    def _set_aside(self, scores: Sequence[LiveScore], why: str) -> None:
        self.failed += len(scores)
        for score in scores:
            say(f"export: the score of {score.id} was {why}; it is set aside")
        self.store.mark_exported(scores)
        self.beat()

    def _said_of_events(self, taken: Taken | RefusedBody | NoSuchSignal) -> None:
        """Go on without events where a receiver takes none: the spans say the same."""
        if isinstance(taken, NoSuchSignal):
            self.events = False
            say(f"export: the receiver takes no logs (status {taken.status}); scores go there as spans alone")
        elif isinstance(taken, RefusedBody):
            say(f"export: events of scores were refused with status {taken.status}; their spans were taken")
        else:
            self._count(taken, "events")

    def _count(self, taken: Taken | NoSuchSignal, what: str) -> None:
        if isinstance(taken, Taken) and (taken.rejected or taken.reason):
            self.rejected += taken.rejected
            say(
                f"export: the receiver took a batch but {taken.rejected} {what}: {taken.reason or 'it does not say why'}"
            )

    def _targets(self, scores: Iterable[LiveScore]) -> dict[str, Span]:
        """Return the answering spans, which say what service and project they belong to."""
        keys = {(score.answer.trace_id, score.answer.span_id): score.id for score in scores}
        traces = dict.fromkeys(trace for trace, _ in keys)
        return {keys[span.key]: span for trace in traces for span in self.store.spans_of(trace) if span.key in keys}

    def is_down(self, why: str) -> None:
        """Say once that the receiver is down, however long it is."""
        if not self.down_since_ns:
            self.down_since_ns = time.time_ns()
            say(f"export: the receiver {why}; scores wait in the store until it takes them")
            self._beat_if_it_can()

    def is_up(self) -> None:
        """Report that it is back."""
        if self.down_since_ns:
            say(f"export: the receiver is back after {(time.time_ns() - self.down_since_ns) / 1e9:.0f} s")
            self.down_since_ns = 0

    async def keep_beating(self) -> None:
        """Show that this process lives, also while it waits for a receiver that is down."""
        while True:
            self._beat_if_it_can()
            await asyncio.sleep(BEAT_S)

    def _beat_if_it_can(self) -> None:
        with contextlib.suppress(StoreError):  # the next batch says what is wrong with the store
            self.beat()

    def beat(self) -> None:
        """Let the other processes see how far this one is."""
        gauges = {
            "at_ns": float(time.time_ns()),
            "exported_total": float(self.sent),
            "export_failed_total": float(self.failed),
            "export_rejected_total": float(self.rejected),
            "export_down_since_ns": float(self.down_since_ns),
        }
        self.store.set_gauges(PROCESS, gauges)


def _fits(answer: TracedAnswer) -> bool:
    return all(fits_otlp(answer.trace_id, span_id) for span_id in (answer.span_id, answer.parent_id or answer.span_id))
