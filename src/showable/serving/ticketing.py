"""Sends issues as tickets, round after round, for as long as the service runs; what fails waits in the outbox."""

from __future__ import annotations

import asyncio
import os

from showable.errors import ShowableError
from showable.production.feed.place import feed_beside
from showable.production.feed.store import FeedStore
from showable.production.feed.tickets.delivery import deliver
from showable.production.feed.tickets.quotes import texts_of
from showable.production.feed.tickets.settings import TicketSettings, make_targets
from showable.serving.ending import Ending
from showable.serving.saying import say
from showable.serving.settings import ServeSettings

ROUND_S = 30.0


def run(settings: ServeSettings) -> None:
    """Send until SIGTERM. Raises SettingError or InputError where the file of targets cannot be used."""
    if settings.tickets is None:
        return
    chosen, feed, ending = TicketSettings.read(settings.tickets), feed_beside(settings.store), Ending()
    make_targets(chosen, os.environ)
    said = ""
    while not ending.come:
        if feed.is_file():  # until something was grouped there is nothing to tell of
            trouble = _round(chosen, settings)
            if trouble != said and trouble:
                say(f"tickets: {trouble}; trying again")
            said = trouble
        ending.wait(ROUND_S)


def _round(chosen: TicketSettings, settings: ServeSettings) -> str:
    """Do one round; returns what went wrong, "" where nothing did. What a vendor refuses stands in the outbox."""

    async def work() -> None:
        targets = make_targets(chosen, os.environ)
        try:
            await deliver(store, chosen, targets, texts_of(None, settings.store))
        finally:
            await targets.aclose()

    try:
        with FeedStore.open(feed_beside(settings.store), make=False) as store:
            asyncio.run(work())
    except ShowableError as error:
        return str(error)
    return ""
