"""What ticket systems tell: a closed ticket resolves its issue. The signature is the only way in, and nothing is read before it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from aiohttp import web

from showable.errors import SettingError
from showable.production.feed.store import FeedStore
from showable.production.feed.tickets.issue_tickets import ChangesOfTickets
from showable.production.feed.tickets.outbox import SECOND_NS, Outbox
from showable.production.feed.tickets.ticket import Change, TicketTarget, WebhookError
from showable.serving.pages.asking import Asker, Silent
from showable.serving.pages.door import HOOKS, READ_S

_MOST = 2 * 1024 * 1024
"""Bytes of a webhook; GitHub's documentation caps its own at 25 MB, and an event of an issue takes some 20 kB."""

__all__ = ["HOOKS", "FeedWebhooks"]


@dataclass(frozen=True, slots=True)
class FeedWebhooks:
    """Takes webhooks for the targets that are set up."""

    asker: Asker
    feed: Path
    targets: Mapping[str, TicketTarget]
    clock: Callable[[], int]

    async def take(self, request: web.Request) -> web.StreamResponse:
        """Answer 200 to what is signed and new, 401 to anything else of a target that is set up."""
        name = request.match_info["target"]
        target = self.targets.get(name)
        if target is None:
            return web.Response(status=404, text="no such target\n")
        body = await self._body(request)
        if body is None:
            return web.Response(status=413, text="too long, or too slow\n")
        now_ns = self.clock()
        try:
            change = target.verify_webhook(request.headers, body, datetime.fromtimestamp(now_ns / SECOND_NS, UTC))
        except WebhookError:
            return web.Response(status=401, text="not taken\n")
        if change is None:
            return web.Response(text="of no concern\n")
        done = await self.asker.ask(lambda _: self._apply(name, change, body, now_ns))
        if isinstance(done, Silent):
            return web.Response(status=503, text="try again\n")
        return web.Response(text="taken\n") if done else web.Response(status=401, text="not taken\n")

    def _apply(self, name: str, change: Change, body: bytes, now_ns: int) -> bool:
        """Write a change to the feed; False for a webhook that came before."""
        try:
            with FeedStore.open(self.feed, make=False) as store:
                ChangesOfTickets(store, Outbox(store.file)).take(name, change, now_ns, webhook=body)
        except WebhookError:
            return False
        return True

    async def _body(self, request: web.Request) -> bytes | None:
        """Read the raw body, whose bytes are what is signed; None where it is too long or does not come."""
        read = bytearray()
        try:
            async with asyncio.timeout(READ_S):
                async for chunk in request.content.iter_chunked(65_536):
                    read += chunk
                    if len(read) > _MOST:
                        return None
        except TimeoutError:
            return None
        return bytes(read)


def webhook_targets(path: Path | None, environment: Mapping[str, str]) -> Mapping[str, TicketTarget]:
    """Return the targets whose webhooks are taken; none without a file. Raises SettingError or InputError."""
    from showable.production.feed.tickets.settings import TicketSettings, make_targets  # noqa: PLC0415 - httpx takes 60 ms

    if path is None:
        return {}
    made = make_targets(TicketSettings.read(path), environment).by_name
    if not made:
        raise SettingError(f"{path}: names no target")
    return made
