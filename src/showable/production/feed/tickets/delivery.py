"""One round of tickets: look at what stands, write down what should, send what is due."""

from __future__ import annotations

import time
from collections.abc import Callable

from showable.production.feed.store import FeedStore
from showable.production.feed.tickets.issue_tickets import ChangesOfTickets, want_tickets
from showable.production.feed.tickets.outbox import Outbox
from showable.production.feed.tickets.quotes import Texts
from showable.production.feed.tickets.sender import Sender, the_one_sender
from showable.production.feed.tickets.settings import Targets, TicketSettings


async def deliver(
    store: FeedStore,
    settings: TicketSettings,
    targets: Targets,
    texts: Texts,
    clock: Callable[[], int] = time.time_ns,
) -> int:
    """Do a round and return how many messages were taken. Raises SettingError where another process is at it.

    A ticket that somebody closed resolves its issue first, so that nothing more is sent about it. `texts` are read only
    where a target may quote them.
    """
    with the_one_sender(store.file):
        outbox = Outbox(store.file)
        changes = ChangesOfTickets(store, outbox)
        sender = Sender(outbox, targets.by_name, lambda target, change: changes.take(target, change, clock()), clock)
        sender.recover()
        await sender.look()
        want_tickets(store, outbox, settings, targets.by_name, now_ns=clock(), texts=texts)
        return await sender.send_due()
