"""The nouns of tickets, and the one protocol behind which five vendors stand."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Literal, Protocol


@dataclass(frozen=True, slots=True)
class Ticket:
    """What a ticket is to say of an issue. No text of a question, an answer or a passage is in any field but `quotes`.

    `store` and `issue` name it for good, `ours` is a UUID made before anything is sent, `facts` are pairs of a name and a value,
    `news` is what changed last, `urgent` says that somebody may be woken for it.
    """

    store: str
    issue: str
    ours: str
    title: str
    state: str
    facts: tuple[tuple[str, str], ...]
    link: str
    open: bool
    news: str = ""
    urgent: bool = False
    quotes: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> str:
        """The name under which the ticket is found again, the same in every vendor's system."""
        return f"showable:{self.store}:{self.issue}"

    @property
    def headline(self) -> str:
        """The title as it stands in lists."""
        return f"[{self.issue}] {self.title}"

    def digest(self) -> str:
        """Return a digest of what the ticket says; an equal one needs no packet."""
        said = asdict(self) | {"ours": "", "news": ""}
        if not self.quotes:  # as tickets were digested before there were any
            del said["quotes"]
        return hashlib.blake2b(json.dumps(said, sort_keys=True).encode(), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class Remote:
    """A ticket as its system holds it: its id there, its page, and whether it is open."""

    id: str
    url: str
    open: bool


@dataclass(frozen=True, slots=True)
class Change:
    """What a person did to a ticket in its own system, as told by a signed webhook or seen by a look.

    `remote` or `key` says which ticket; `at` orders the changes of one ticket; `who` is a name or an id there.
    """

    kind: Literal["closed", "opened", "deleted"]
    at: datetime
    who: str
    remote: str = ""
    key: str = ""


class DeliveryError(Exception):
    """Why a call brought nothing; the message is one line without secrets."""


class NotTakenError(DeliveryError):
    """Nothing was accepted, and a later try may be: 429, no connection. `wait_s` is what the vendor asks for."""

    def __init__(self, said: str, wait_s: float | None = None) -> None:
        super().__init__(said)
        self.wait_s = wait_s


class UncertainError(DeliveryError):
    """It may have been accepted: no answer came, or a server's failure. The vendor is asked before it is sent again."""


class LockedOutError(DeliveryError):
    """The credentials are not taken (401). What waits goes on waiting."""


class RefusedError(DeliveryError):
    """It will not be taken, however often it is sent. `gone` says that the ticket itself is no longer there."""

    def __init__(self, said: str, *, gone: bool = False) -> None:
        super().__init__(said)
        self.gone = gone


class WebhookError(Exception):
    """A webhook whose signature, age or form is wrong; nothing follows from it."""


class TicketTarget(Protocol):
    """One vendor's tickets. Every call raises a DeliveryError where it brings nothing.

    `settle_s` is how long after an uncertain call the vendor's own lists may still lack what it accepted.
    `edits` is False where nothing that was sent can be changed, and `urgent_only` where a ticket is a page to a person.
    """

    name: str
    settle_s: float
    edits: bool
    urgent_only: bool

    async def create(self, ticket: Ticket) -> Remote:
        """Open a ticket."""
        ...

    async def find(self, ticket: Ticket, remote: str | None) -> Remote | None:
        """Look a ticket up, by its id there or by the key in it; None where there is none."""
        ...

    async def update(self, ticket: Ticket, remote: str) -> None:
        """Replace what a ticket says; its state stays as it is."""
        ...

    async def comment(self, remote: str, text: str) -> None:
        """Add a line to a ticket."""
        ...

    async def reopen(self, ticket: Ticket, remote: str) -> Remote:
        """Open a closed ticket again, and update it."""
        ...

    async def resolve(self, ticket: Ticket, remote: str) -> None:
        """Close a ticket, and update it."""
        ...

    def verify_webhook(self, headers: Mapping[str, str], body: bytes, now: datetime) -> Change | None:
        """Check a webhook and read the change in it; None where it is of no concern. Raises WebhookError."""
        ...
