"""One call to a vendor, through the vetted way out; every end of it is an answer or one of four errors."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from showable.production.feed.tickets.ticket import LockedOutError, NotTakenError, RefusedError, UncertainError
from showable.registries.web.asking import (
    BlockedError,
    Method,
    NoSuchHostError,
    OddReplyError,
    RateLimitedError,
    Reply,
    TroubleError,
    Web,
)
from showable.registries.web.waiting import header, told_to_wait
from showable.report.untrusted import printable

_MOST_ANSWER, _MOST_SAID = 2_000_000, 200
_UNAUTHORISED, _TOO_EARLY, _TOO_MANY = 401, 425, 429
_LIMITS_TOO = frozenset({400, 403})
"""Statuses by which Linear and GitHub tell of a limit that is used up, with the headers of one."""
_GONE = frozenset({404, 410})
_REDIRECTS, _MISTAKES = range(300, 400), range(400, 500)


class WayOut:
    """Calls of one vendor. `secrets` are the strings that no reason may hold. Redirects are not followed."""

    def __init__(self, web: Web, secrets: tuple[str, ...] = ()) -> None:
        self._web, self._secrets = web, tuple(secret for secret in secrets if secret)

    async def call(
        self,
        method: Method,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        params: Mapping[str, str] | None = None,
        json: Mapping[str, Any] | None = None,
        form: Mapping[str, str] | None = None,
    ) -> Reply:
        """Return a 2xx reply. Raises NotTakenError, UncertainError, LockedOutError or RefusedError for every other end."""
        try:
            reply = await self._web.ask(
                method,
                url,
                headers=headers,
                params=params,
                json=json,
                form=form,
                redirects_to=frozenset(),
                retry=False,
                largest=_MOST_ANSWER,
            )
        except BlockedError as error:
            raise RefusedError(self.clean(f"the address is not asked: {error}")) from None
        except (NoSuchHostError, RateLimitedError) as error:
            raise NotTakenError(self.clean(str(error))) from None
        except TroubleError as error:  # it may have been written before the connection broke off
            raise UncertainError(self.clean(str(error))) from None
        return self._sorted_out(reply)

    def clean(self, said: str) -> str:
        """Return a reason as one line without secrets."""
        for secret in self._secrets:
            said = said.replace(secret, "…")
        return printable(said, limit=_MOST_SAID)

    def _sorted_out(self, reply: Reply) -> Reply:
        status, said = reply.status, self._said(reply)
        if 200 <= status < 300:  # noqa: PLR2004 - RFC 9110 section 15.3
            return reply
        if status in {_TOO_EARLY, _TOO_MANY}:
            raise NotTakenError(said, asked_to_wait(reply))
        if status == _UNAUTHORISED:
            raise LockedOutError(said)
        if status in _LIMITS_TOO and (wait := asked_to_wait(reply)) is not None:
            raise NotTakenError(said, wait)
        if status in _REDIRECTS:
            raise RefusedError(f"{said}: it was moved, and redirects are not followed")
        if status in _MISTAKES and status != 408:  # noqa: PLR2004 - a time-out is no mistake
            raise RefusedError(said, gone=status in _GONE)
        raise UncertainError(said)

    def _said(self, reply: Reply) -> str:
        body = reply.text()[:_MOST_SAID].strip()
        return self.clean(f"status {reply.status}" + (f": {body}" if body and not body.startswith("<") else ""))


def asked_to_wait(reply: Reply, now: datetime | None = None) -> float | None:
    """Return the seconds that a reply asks to wait: Retry-After, or a limit's reset (epoch seconds, or milliseconds)."""
    now = now or datetime.now(UTC)
    told = told_to_wait(reply, now)
    if told is not None:
        return told
    left = header(reply.headers, "x-ratelimit-remaining") or header(reply.headers, "x-ratelimit-requests-remaining")
    reset = header(reply.headers, "x-ratelimit-reset") or header(reply.headers, "x-ratelimit-requests-reset")
    if left not in {"0", ""} or not (reset.isascii() and reset.isdecimal()):
        return None
    at = float(reset[:16])
    return max(0.0, (at / 1_000 if at > 1e11 else at) - now.timestamp())  # noqa: PLR2004 - the year 5138, in seconds


def decoded(reply: Reply) -> dict[str, Any]:
    """Return a reply's JSON object. Raises UncertainError where it is none: what was asked for may have been done."""
    try:
        value = reply.json()
    except OddReplyError as error:
        raise UncertainError(str(error)) from None
    if not isinstance(value, dict):
        raise UncertainError("the answer is no JSON object")
    return value
