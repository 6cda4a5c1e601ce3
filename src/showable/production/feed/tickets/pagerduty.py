"""Alerts through PagerDuty's Events API v2, one incident an issue by its `dedup_key`.

https://developer.pagerduty.com/docs/events-api-v2/overview/: repeating a trigger is safe while its incident is open; after it was
resolved the same key opens a new one, which is what a regression is to do, and the reason why nothing else is ever sent twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from showable.production.feed.tickets.ticket import Change, Remote, Ticket
from showable.production.feed.tickets.way_out import WayOut
from showable.production.feed.tickets.webhooks import check_signature, header_of, json_body, moment_of, part
from showable.production.feed.tickets.wording import facts, plain

PUBLIC = "https://events.pagerduty.com"
_MOST_SUMMARY, _MOST_KEY = 1_024, 255
_CHANGES: Mapping[str, Literal["closed", "opened", "deleted"]] = {
    "incident.resolved": "closed",
    "incident.reopened": "opened",
}


class PagerDutyTarget:
    """Incidents of one service's integration. It wakes people: only what is urgent is sent."""

    name = "pagerduty"
    settle_s = 5.0
    edits = False
    urgent_only = True

    def __init__(self, way: WayOut, *, routing_key: str, webhook_secret: str = "", address: str = PUBLIC) -> None:
        self._way, self._routing, self._secret, self._url = way, routing_key, webhook_secret, f"{address}/v2/enqueue"

    async def create(self, ticket: Ticket) -> Remote:
        """Trigger an incident."""
        details = {plain(name): plain(value) for name, value in facts(ticket)}
        payload = {
            "summary": plain(ticket.headline, _MOST_SUMMARY),
            "source": f"showable {ticket.store}",
            "severity": "error",
            "custom_details": details,
        }
        links = [{"href": ticket.link, "text": ticket.issue}]
        await self._send("trigger", _key(ticket), {"payload": payload, "links": links, "client": "showable"})
        return Remote(_key(ticket), ticket.link, open=True)

    async def find(self, ticket: Ticket, remote: str | None) -> Remote | None:
        """Return what was triggered as open: the Events API answers no questions, and a repeated trigger is the same incident."""
        return None if remote is None else Remote(remote, ticket.link, open=ticket.open)

    async def update(self, ticket: Ticket, remote: str) -> None:
        """Send nothing: a trigger would wake somebody again, or open a second incident."""

    async def comment(self, remote: str, text: str) -> None:
        """Send nothing: an event has no comments."""

    async def reopen(self, ticket: Ticket, remote: str) -> Remote:  # noqa: ARG002 - the protocol asks for it
        """Trigger anew; after a resolution that is a new incident."""
        return await self.create(ticket)

    async def resolve(self, ticket: Ticket, remote: str) -> None:  # noqa: ARG002 - the protocol asks for it
        """Resolve the incident."""
        await self._send("resolve", remote, {})

    def verify_webhook(self, headers: Mapping[str, str], body: bytes, now: datetime) -> Change | None:
        """Check ``X-PagerDuty-Signature`` (webhooks v3) and read what became of an incident of ours."""
        check_signature(self._secret, body, header_of(headers, "X-PagerDuty-Signature"), prefix="v1=")
        event = part(json_body(body), "event")
        kind = _CHANGES.get(str(part(event, "event_type")))
        key = part(event, "data", "incident_key")
        if kind is None or not isinstance(key, str) or not key.startswith("showable:"):
            return None
        who = str(part(event, "agent", "summary") or part(event, "agent", "id") or "somebody")
        return Change(kind, moment_of(part(event, "occurred_at"), now), who, remote=key)

    async def _send(self, action: str, key: str, more: Mapping[str, Any]) -> None:
        said = {"routing_key": self._routing, "event_action": action, "dedup_key": key, **more}
        await self._way.call("POST", self._url, json=said)


def _key(ticket: Ticket) -> str:
    return ticket.key[:_MOST_KEY]
