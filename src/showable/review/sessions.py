"""Who is there: a session a browser, kept in memory. Labels outlive the server; sessions need not."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

from showable.records.labels import ReviewerRole

MOST_NAMELESS = 1_000
"""Browsers that looked at the start page and entered no name; the oldest are forgotten beyond this."""


@dataclass(frozen=True, slots=True)
class Session:
    """One browser. `token` must come with everything that changes something; nobody has entered while `name` is None."""

    key: str
    token: str
    name: str | None = None
    role: ReviewerRole | None = None


class Sessions:
    """The sessions of one server; any thread may ask."""

    def __init__(self) -> None:
        self._nameless: OrderedDict[str, Session] = OrderedDict()
        self._entered: dict[str, Session] = {}
        self._lock = Lock()

    def find(self, key: str | None) -> Session | None:
        """Return the session of a cookie, or None where there is none, or none any more."""
        if not key:
            return None
        with self._lock:
            return self._entered.get(key) or self._nameless.get(key)

    def begin(self) -> Session:
        """Begin a session for a browser that has none."""
        session = Session(secrets.token_urlsafe(24), secrets.token_urlsafe(24))
        with self._lock:
            self._nameless[session.key] = session
            while len(self._nameless) > MOST_NAMELESS:
                self._nameless.popitem(last=False)
        return session

    def enter(self, old: Session, name: str, role: ReviewerRole) -> Session:
        """Return the browser a session under a name. Cookie and token are new: whoever knew the old ones gains nothing."""
        session = Session(secrets.token_urlsafe(24), secrets.token_urlsafe(24), name, role)
        self.leave(old)
        with self._lock:
            self._entered[session.key] = session
        return session

    def leave(self, session: Session) -> None:
        """Forget a session."""
        with self._lock:
            self._nameless.pop(session.key, None)
            self._entered.pop(session.key, None)
