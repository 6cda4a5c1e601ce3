"""The one sender of a feed's tickets: what is due is sent, what is in doubt is asked about first, what is open is looked at.

A row is marked before its packet leaves. One that a dead process left marked is in doubt, as is one whose answer never came:
both are looked for by our own key, and only what is not there is sent again.
"""

from __future__ import annotations

import fcntl
import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal

from showable.errors import SettingError
from showable.own_files import open_regular
from showable.production.feed.feed_file import FeedFile
from showable.production.feed.tickets.outbox import SECOND_NS, Held, Outbox, Row
from showable.production.feed.tickets.ticket import (
    Change,
    DeliveryError,
    LockedOutError,
    NotTakenError,
    RefusedError,
    Remote,
    Ticket,
    TicketTarget,
    UncertainError,
)

FIRST_WAIT_S, LONGEST_WAIT_S, LOCKED_OUT_S, GIVE_UP_S = 60.0, 3_600.0, 3_600.0, 86_400.0
LOOK_S, MOST_LOOKS = 3_600.0, 50
_NO_ANSWER = "no answer for 24 hours"
_ODD_SHAPES = (AttributeError, IndexError, KeyError, TypeError, ValueError)


@dataclass(slots=True)
class Sender:
    """Sends to the targets it has. `changed` is told what a look at a ticket showed."""

    outbox: Outbox
    targets: Mapping[str, TicketTarget]
    changed: Callable[[str, Change], object]
    clock: Callable[[], int] = time.time_ns

    def recover(self) -> None:
        """Put what a dead sender left in doubt, to be asked about once the vendor's lists must have it."""
        for name, target in self.targets.items():
            self.outbox.recover(name, self.clock() + _ns(target.settle_s))

    async def send_due(self) -> int:
        """Send all that is due, one after another; returns how many packets' worth were taken."""
        taken = 0
        while (row := self.outbox.begin(self.clock(), list(self.targets))) is not None:
            taken += await self._sent(row, self.targets[row.target])
        return taken

    async def look(self) -> None:
        """Ask for the state of open tickets that nobody asked for in an hour; a target that fails is left for the next time."""
        now = self.clock()
        due = [held for held in self.outbox.tickets() if _is_due(held, now) and self._answers(held.target)]
        silent: set[str] = set(self.outbox.holds(now))
        for held in sorted(due, key=lambda one: one.looked_ns)[:MOST_LOOKS]:
            if held.target in silent:
                continue
            try:
                found = await self.targets[held.target].find(_name_of(held), held.remote)
            except RefusedError as error:
                if error.gone:
                    self._tell(held, "deleted")
            except (DeliveryError, SettingError, *_ODD_SHAPES):
                silent.add(held.target)
                continue
            else:
                if found is None or not found.open:
                    self._tell(held, "deleted" if found is None else "closed")
            self.outbox.looked(held, now)

    async def _sent(self, row: Row, target: TicketTarget) -> bool:
        try:
            remote, said = await self._deliver(row, target)
        except NotTakenError as error:
            wait_s = None if error.wait_s is None else min(error.wait_s, GIVE_UP_S)
            self._again(row, str(error), wait_s=wait_s, uncertain=row.state == "uncertain")
            if wait_s is not None:
                self.outbox.hold(row.target, self.clock() + _ns(wait_s), str(error))
        except UncertainError as error:
            self._again(row, str(error), wait_s=target.settle_s, uncertain=True)
        except (LockedOutError, SettingError) as error:
            now = self.clock()
            self.outbox.hold(row.target, now + _ns(LOCKED_OUT_S), str(error))
            self.outbox.again(row, now, now, str(error), uncertain=row.state == "uncertain", counts=False)
        except _ODD_SHAPES as error:  # one vendor's odd answer is not to hold up the others
            said = f"the answer has a shape that is not the documented one ({type(error).__name__})"
            self._again(row, said, wait_s=target.settle_s, uncertain=True)
        except RefusedError as error:
            gone = row.kind != "new" and (error.gone or await self._is_gone(row, target))
            self.outbox.refuse(row, str(error), gone=gone)
        else:
            self.outbox.sent(row, remote, self.clock(), said=said)
            return True
        return False

    async def _deliver(self, row: Row, target: TicketTarget) -> tuple[Remote, str]:
        ticket, doubtful = row.ticket, row.state == "uncertain"
        held = self.outbox.held(row.target, row.issue)
        if held is None:
            found = await target.find(ticket, None) if doubtful else None
            if found is None:
                return await target.create(ticket), ""
            await target.update(ticket, found.id)
            return Remote(found.id, found.url, open=True), "found, after it was in doubt"
        remote = Remote(held.remote, held.url, held.open)
        if row.kind == "update":
            await target.update(ticket, held.remote)
        elif row.kind == "reopen":
            remote = await target.reopen(ticket, held.remote)
        else:
            await target.resolve(ticket, held.remote)
            remote = Remote(held.remote, held.url, open=False)
        if row.kind != "update" and ticket.news and not doubtful:  # in doubt it may stand there already
            await self._comment(target, remote.id, ticket.news)
        return remote, ""

    async def _is_gone(self, row: Row, target: TicketTarget) -> bool:
        """Check whether the ticket of a refused change is there: not every vendor says so itself."""
        held = self.outbox.held(row.target, row.issue)
        try:
            return held is not None and await target.find(row.ticket, held.remote) is None
        except RefusedError as error:
            return error.gone
        except (DeliveryError, SettingError, *_ODD_SHAPES):
            return False

    async def _comment(self, target: TicketTarget, remote: str, news: str) -> None:
        """Report what changed. What the ticket itself says is there already, so a comment that fails is not worth a second try."""
        try:
            await target.comment(remote, news)
        except DeliveryError:
            return

    def _again(self, row: Row, said: str, *, wait_s: float | None, uncertain: bool) -> None:
        now = self.clock()
        if row.tries and now - row.first_ns > _ns(GIVE_UP_S):
            self.outbox.refuse(
                replace(row, doubt=row.doubt or uncertain), f"{_NO_ANSWER}; the last was: {said}", gone=False
            )
            return
        backoff = min(FIRST_WAIT_S * 2**row.tries, LONGEST_WAIT_S) * random.uniform(1.0, 1.5)  # noqa: S311 - jitter
        pause = max(wait_s, 0.0) if wait_s is not None and row.tries == 0 else max(wait_s or 0.0, backoff)
        self.outbox.again(row, now, now + _ns(pause), said, uncertain=uncertain)

    def _answers(self, target: str) -> bool:
        return target in self.targets and self.targets[target].edits

    def _tell(self, held: Held, kind: Literal["closed", "deleted"]) -> None:
        now = datetime.fromtimestamp(self.clock() / SECOND_NS, UTC)
        self.changed(held.target, Change(kind, now, f"seen in {held.target}", remote=held.remote))


@contextmanager
def the_one_sender(file: FeedFile) -> Iterator[None]:
    """Hold the right to send a feed's tickets. Raises SettingError where another process has it."""
    lock = open_regular(file.path.with_name(f"{file.path.name}.sending"), "a+", encoding="utf-8")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise SettingError(f"{file.path}: another process is sending its tickets; wait for it") from None
    try:
        yield
    finally:
        lock.close()  # which lets go of it; a process that dies does too


def _is_due(held: Held, now_ns: int) -> bool:
    return held.open and not held.gone and now_ns - held.looked_ns >= _ns(LOOK_S)


def _name_of(held: Held) -> Ticket:
    """Return as much of a ticket as a look at it by its id takes."""
    return Ticket("", held.issue, held.ours, "", "", (), held.url, open=held.open)


def _ns(seconds: float) -> int:
    return int(seconds * SECOND_NS)
