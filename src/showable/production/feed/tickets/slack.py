"""One message an issue in a Slack channel, updated in place; news stand in its thread.

https://docs.slack.dev/reference/methods: no idempotency key, so the message's metadata is looked for before a second try.
An incoming webhook can neither be edited nor asked, so it is used once an issue, and never tried again where that is in doubt.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any
from urllib.parse import parse_qs

from showable.production.feed.tickets.ticket import (
    Change,
    LockedOutError,
    NotTakenError,
    RefusedError,
    Remote,
    Ticket,
    UncertainError,
    WebhookError,
)
from showable.production.feed.tickets.way_out import WayOut, decoded
from showable.production.feed.tickets.webhooks import check_age, check_signature, header_of, part
from showable.production.feed.tickets.wording import mrkdwn, slack_blocks

PUBLIC = "https://slack.com"
EVENT, RESOLVE = "showable_issue", "showable_resolve"
_OLDEST_S = 300.0
"""How old a request of Slack's may be: https://docs.slack.dev/authentication/verifying-requests-from-slack."""
_LOCKED_OUT = frozenset({"invalid_auth", "not_authed", "token_revoked", "token_expired", "account_inactive"})
_IN_DOUBT = frozenset({"internal_error", "fatal_error", "service_unavailable", "request_timeout"})
_GONE = frozenset({"message_not_found", "channel_not_found", "is_archived"})
_LOOKED_AT = "200"
_PERMALINK = "https://slack.com/app_redirect?channel={channel}&message_ts={ts}"


class SlackTarget:
    """Messages of a bot in one channel. `token` has chat:write, and channels:history for the look before a second try.

    With `signing_secret` a message has a button to resolve its issue, which Slack posts back to the page.
    """

    name = "slack"
    settle_s = 10.0
    edits = True
    urgent_only = False

    def __init__(
        self, way: WayOut, channel: str, *, token: str, signing_secret: str = "", address: str = PUBLIC
    ) -> None:
        self._way, self._channel, self._secret, self._api = way, channel, signing_secret, f"{address}/api"
        self._headers = {"Authorization": f"Bearer {token}"}

    async def create(self, ticket: Ticket) -> Remote:
        """Post a message."""
        posted = await self._call("chat.postMessage", {"channel": self._channel, **self._said(ticket)})
        return _remote(posted.get("channel"), posted.get("ts"), is_open=ticket.open)

    async def find(self, ticket: Ticket, remote: str | None) -> Remote | None:
        """Look a message up by its time, or among the channel's latest by its metadata."""
        asked = {"channel": self._channel, "include_all_metadata": "true", "limit": _LOOKED_AT}
        if remote is not None:
            channel, _, ts = remote.partition(":")
            asked |= {"channel": channel, "oldest": ts, "latest": ts, "inclusive": "true", "limit": "1"}
        reply = await self._way.call("GET", f"{self._api}/conversations.history", headers=self._headers, params=asked)
        rows = _ok(self._way, decoded(reply)).get("messages")
        for row in rows if isinstance(rows, list) else []:
            payload = part(row, "metadata", "event_payload")
            if remote is not None or part(payload, "key") == ticket.key:
                return _remote(asked["channel"], row.get("ts"), is_open=part(payload, "open") is not False)
        return None

    async def update(self, ticket: Ticket, remote: str) -> None:
        """Replace the message."""
        channel, _, ts = remote.partition(":")
        await self._call("chat.update", {"channel": channel, "ts": ts, **self._said(ticket)})

    async def comment(self, remote: str, text: str) -> None:
        """Add a line in the message's thread."""
        channel, _, ts = remote.partition(":")
        said = {"channel": channel, "thread_ts": ts, "text": mrkdwn(text), "unfurl_links": False}
        await self._call("chat.postMessage", said)

    async def reopen(self, ticket: Ticket, remote: str) -> Remote:
        """Replace the message by that of an open issue."""
        await self.update(ticket, remote)
        channel, _, ts = remote.partition(":")
        return _remote(channel, ts, is_open=True)

    async def resolve(self, ticket: Ticket, remote: str) -> None:
        """Replace the message by that of a resolved issue."""
        await self.update(ticket, remote)

    def verify_webhook(self, headers: Mapping[str, str], body: bytes, now: datetime) -> Change | None:
        """Check ``X-Slack-Signature`` and its age, and read who pressed the button."""
        sent = header_of(headers, "X-Slack-Request-Timestamp")
        check_signature(
            self._secret, b"v0:" + sent.encode() + b":" + body, header_of(headers, "X-Slack-Signature"), prefix="v0="
        )
        try:
            check_age(float(sent), now, _OLDEST_S)
            payload = json.loads(parse_qs(body.decode())["payload"][0])
        except (ValueError, KeyError, RecursionError):
            raise WebhookError("no payload of an interaction") from None
        actions = part(payload, "actions")
        first = actions[0] if isinstance(actions, list) and actions else None
        key = part(first, "value")
        if part(first, "action_id") != RESOLVE or not isinstance(key, str):
            return None
        who = str(part(payload, "user", "username") or part(payload, "user", "id") or "somebody")
        return Change("closed", now, who, key=key)

    def _said(self, ticket: Ticket) -> dict[str, Any]:
        blocks = slack_blocks(ticket)
        if self._secret and ticket.open:
            text = {"type": "plain_text", "text": "Resolve"}
            button = {"type": "button", "text": text, "action_id": RESOLVE, "value": ticket.key}
            blocks.insert(-1, {"type": "actions", "elements": [button]})
        payload = {"key": ticket.key, "open": ticket.open}
        return {
            "text": mrkdwn(ticket.headline),
            "blocks": blocks,
            "unfurl_links": False,
            "metadata": {"event_type": EVENT, "event_payload": payload},
        }

    async def _call(self, method: str, said: Mapping[str, Any]) -> dict[str, Any]:
        reply = await self._way.call("POST", f"{self._api}/{method}", headers=self._headers, json=said)
        return _ok(self._way, decoded(reply))


class SlackWebhookTarget:
    """One message an issue through an incoming webhook, whose address is a secret."""

    name = "slack"
    settle_s = 10.0
    edits = False
    urgent_only = False

    def __init__(self, way: WayOut, url: str) -> None:
        self._way, self._url = way, url

    async def create(self, ticket: Ticket) -> Remote:
        """Post a message; Slack does not say which one it became."""
        said = {"text": mrkdwn(ticket.headline), "blocks": slack_blocks(ticket), "unfurl_links": False}
        await self._way.call("POST", self._url, json=said)
        return Remote("", ticket.link, open=True)

    async def find(self, ticket: Ticket, remote: str | None) -> Remote | None:
        """Return it as posted, whether or not it was: nobody can be asked, and a second message would be the worse mistake."""
        return Remote(remote or "", ticket.link, open=ticket.open)

    async def update(self, ticket: Ticket, remote: str) -> None:
        """Send nothing: what an incoming webhook posted cannot be edited."""

    async def comment(self, remote: str, text: str) -> None:
        """Send nothing: the message's thread is not known."""

    async def reopen(self, ticket: Ticket, remote: str) -> Remote:  # noqa: ARG002 - the protocol asks for it
        """Post a message for the regression."""
        return await self.create(ticket)

    async def resolve(self, ticket: Ticket, remote: str) -> None:
        """Send nothing: see `update`."""

    def verify_webhook(self, headers: Mapping[str, str], body: bytes, now: datetime) -> Change | None:  # noqa: ARG002 - the protocol asks for it
        """Raise WebhookError: without a bot nothing comes back."""
        raise WebhookError("an incoming webhook of Slack tells nothing back")


def _ok(way: WayOut, answer: dict[str, Any]) -> dict[str, Any]:
    """Return a positive answer. Slack says what went wrong with status 200."""
    if answer.get("ok") is True:
        return answer
    error = str(answer.get("error"))
    said = way.clean(f"Slack answers {error}")
    if error in {"ratelimited", "rate_limited"}:
        raise NotTakenError(said)
    if error in _LOCKED_OUT:
        raise LockedOutError(said)
    if error in _IN_DOUBT:
        raise UncertainError(said)
    raise RefusedError(said, gone=error in _GONE)


def _remote(channel: object, ts: object, *, is_open: bool) -> Remote:
    if not isinstance(channel, str) or not isinstance(ts, str):
        raise UncertainError("the answer names no message")
    with suppress(ValueError):
        float(ts)
        return Remote(f"{channel}:{ts}", _PERMALINK.format(channel=channel, ts=ts), is_open)
    raise UncertainError("the answer names no message")
