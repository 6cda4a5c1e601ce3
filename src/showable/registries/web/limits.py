"""How long and how much one request may take, and until when a whole consultation may."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds, tries and hops. `patience_s` bounds waiting, retries and redirects where no deadline is set."""

    connect_s: float = 5.0
    read_s: float = 10.0
    total_s: float = 20.0
    tries: int = 3
    redirects: int = 5
    patience_s: float = 60.0
    connections: int = 100


DEADLINE: ContextVar[float | None] = ContextVar("deadline", default=None)
"""When whoever asks must have an answer, by the event loop's clock. Set once for all the lookups of a document."""


def ends_at(limits: Limits) -> float:
    """Return the time, by the event loop's clock, by which a request that starts now must be over."""
    own = asyncio.get_running_loop().time() + limits.patience_s
    overall = DEADLINE.get()
    return own if overall is None else min(own, overall)
