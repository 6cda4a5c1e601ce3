"""How much may wait: the bytes of requests that are being read or are not stored yet."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from showable.traces.otlp.refused import Refused

RETRY_S = 1
"""Seconds after which an exporter that was refused may try again."""


class Backlog:
    """Bytes that are held for exporters. For the event loop alone."""

    def __init__(self, most: int) -> None:
        self.most, self.held = most, 0

    @property
    def full(self) -> bool:
        """Whether nothing more is taken."""
        return self.held >= self.most

    @contextmanager
    def share(self) -> Iterator[Share]:
        """Return a request its share, which is given back when the request is over."""
        share = Share(self)
        try:
            yield share
        finally:
            self.held -= share.size


class Share:
    """The bytes of one request."""

    def __init__(self, backlog: Backlog) -> None:
        self._backlog, self.size = backlog, 0

    def take(self, n: int) -> None:
        """Count bytes in. Raises Refused(429) where all together would be too many."""
        if self._backlog.held + n > self._backlog.most:
            raise Refused(429, f"too much waits to be stored; send it again in {RETRY_S} s")
        self._backlog.held += n
        self.size += n
