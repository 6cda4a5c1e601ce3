"""Issues of a Linear team, through its GraphQL API.

https://linear.app/developers: an issue's id is a UUID that we make, and an attachment with the page's address is kept once an issue;
both are asked for before a second try, since what Linear says to a repeated id is not documented.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Protocol

from showable.production.feed.tickets.ticket import (
    Change,
    LockedOutError,
    NotTakenError,
    RefusedError,
    Remote,
    Ticket,
    UncertainError,
)
from showable.production.feed.tickets.way_out import WayOut, asked_to_wait, decoded
from showable.production.feed.tickets.webhooks import check_age, check_signature, header_of, json_body, moment_of, part
from showable.production.feed.tickets.wording import markdown, markdown_line, plain, title
from showable.registries.web.asking import Reply

PUBLIC = "https://api.linear.app"
_OLDEST_S = 60.0
_CLOSED = frozenset({"completed", "canceled"})
_ISSUE = "id identifier url state { type }"
_CREATE = f"""mutation New($i: IssueCreateInput!, $a: AttachmentCreateInput!) {{
  issueCreate(input: $i) {{ success issue {{ {_ISSUE} }} }} attachmentCreate(input: $a) {{ success }} }}"""
_UPDATE = f"""mutation Up($id: String!, $i: IssueUpdateInput!, $a: AttachmentCreateInput!) {{
  issueUpdate(id: $id, input: $i) {{ success issue {{ {_ISSUE} }} }} attachmentCreate(input: $a) {{ success }} }}"""
_COMMENT = "mutation Say($c: CommentCreateInput!) { commentCreate(input: $c) { success } }"
_HELD = f"""query Held($id: ID!, $u: String!) {{
  issues(filter: {{id: {{eq: $id}}}}, includeArchived: true) {{ nodes {{ {_ISSUE} }} }}
  attachmentsForURL(url: $u) {{ nodes {{ id issue {{ {_ISSUE} }} }} }} }}"""
_STATES = "query States($t: String!) { team(id: $t) { states { nodes { id type position } } } }"


class Authorization(Protocol):
    """What stands in the header: an API key as it is, or an OAuth access token that is renewed when it has to be."""

    async def __call__(self, *, refused: str | None = None) -> str:
        """Return the header's value; `refused` is one that was not taken, and is replaced where that is possible."""
        ...


class LinearTarget:
    """Issues of one team (its UUID)."""

    name = "linear"
    settle_s = 10.0
    edits = True
    urgent_only = False

    def __init__(
        self, way: WayOut, team: str, *, authorization: Authorization, webhook_secret: str = "", address: str = PUBLIC
    ) -> None:
        self._way, self._team, self._secret, self._url = way, team, webhook_secret, f"{address}/graphql"
        self._authorization = authorization
        self._states: dict[str, str] = {}

    async def create(self, ticket: Ticket) -> Remote:
        """Open an issue under our UUID, with the page attached."""
        said = {"id": ticket.ours, "teamId": self._team, **_said(ticket)}
        made = await self._ask(_CREATE, {"i": said, "a": _attachment(ticket, ticket.ours)})
        return _remote(part(made, "issueCreate", "issue"))

    async def find(self, ticket: Ticket, remote: str | None) -> Remote | None:
        """Look an issue up by its id, and by the page attached to it."""
        held = await self._ask(_HELD, {"id": remote or ticket.ours, "u": ticket.link})
        found = part(held, "issues", "nodes") or [
            part(node, "issue") for node in part(held, "attachmentsForURL", "nodes") or []
        ]
        return _remote(found[0]) if found else None

    async def update(self, ticket: Ticket, remote: str) -> None:
        """Replace title, description and the attachment's line."""
        await self._update(ticket, remote, {})

    async def comment(self, remote: str, text: str) -> None:
        """Add a comment."""
        await self._ask(_COMMENT, {"c": {"issueId": remote, "body": markdown_line(text)}})

    async def reopen(self, ticket: Ticket, remote: str) -> Remote:
        """Put it into the team's first state of work that has not begun."""
        return _remote(await self._update(ticket, remote, {"stateId": await self._state("unstarted", "backlog")}))

    async def resolve(self, ticket: Ticket, remote: str) -> None:
        """Put it into the team's first completed state."""
        await self._update(ticket, remote, {"stateId": await self._state("completed")})

    def verify_webhook(self, headers: Mapping[str, str], body: bytes, now: datetime) -> Change | None:
        """Check ``Linear-Signature`` and the signed time, and read the state of an issue."""
        check_signature(self._secret, body, header_of(headers, "Linear-Signature"))
        event = json_body(body)
        sent = event.get("webhookTimestamp")
        sent_s = float(sent) / 1_000 if isinstance(sent, int | float) else math.nan
        check_age(sent_s, now, _OLDEST_S)
        remote = part(event, "data", "id")
        if event.get("type") != "Issue" or not isinstance(remote, str):
            return None
        at = moment_of(part(event, "data", "updatedAt") or event.get("createdAt"), datetime.fromtimestamp(sent_s, UTC))
        who = str(part(event, "actor", "name") or "somebody")
        if event.get("action") == "remove":
            return Change("deleted", at, who, remote=remote)
        state = part(event, "data", "state", "type")
        if event.get("action") != "update" or not isinstance(state, str):
            return None
        return Change("closed" if state in _CLOSED else "opened", at, who, remote=remote)

    async def _update(self, ticket: Ticket, remote: str, more: Mapping[str, str]) -> Any:
        said = {**_said(ticket), **more}
        made = await self._ask(_UPDATE, {"id": remote, "i": said, "a": _attachment(ticket, remote)})
        return part(made, "issueUpdate", "issue")

    async def _state(self, *types: str) -> str:
        if not self._states:
            nodes = part(await self._ask(_STATES, {"t": self._team}), "team", "states", "nodes") or []
            for node in sorted(nodes, key=lambda row: float(row.get("position") or 0.0)):
                self._states.setdefault(str(node.get("type")), str(node.get("id")))
        found = next((self._states[name] for name in types if name in self._states), None)
        if found is None:
            raise RefusedError(f"the team has no state of type {' or '.join(types)}")
        return found

    async def _ask(self, query: str, variables: Mapping[str, Any]) -> dict[str, Any]:
        value = await self._authorization()
        try:
            return await self._ask_as(value, query, variables)
        except LockedOutError:
            renewed = await self._authorization(refused=value)
            if renewed == value:
                raise
            return await self._ask_as(renewed, query, variables)

    async def _ask_as(self, value: str, query: str, variables: Mapping[str, Any]) -> dict[str, Any]:
        asked = {"query": query, "variables": variables}
        try:
            reply = await self._way.call("POST", self._url, headers={"Authorization": value}, json=asked)
        except RefusedError as error:  # Linear says what went wrong in the body, some of it with status 400
            if "RATELIMITED" in str(error):
                raise NotTakenError(str(error)) from None
            raise
        answer = decoded(reply)
        if answer.get("errors"):
            raise self._wrong(answer["errors"], reply)
        data = answer.get("data")
        if not isinstance(data, dict):
            raise UncertainError("the answer has no data")
        return data

    def _wrong(self, errors: object, reply: Reply) -> Exception:
        first = errors[0] if isinstance(errors, list) and errors else {}
        code = str(part(first, "extensions", "code") or part(first, "extensions", "type") or "").upper()
        said = self._way.clean(f"Linear answers {code or 'an error'}: {part(first, 'message')}")
        if code == "RATELIMITED":
            return NotTakenError(said, asked_to_wait(reply))
        if code == "AUTHENTICATION_ERROR":
            return LockedOutError(said)
        if code in {"", "INTERNAL_SERVER_ERROR", "INTERNAL_ERROR", "LOCK_TIMEOUT"}:
            return UncertainError(said)
        return RefusedError(said)


def api_key(key: str) -> Authorization:
    """Return the authorization of a personal API key, which stands in the header as it is."""

    async def value(*, refused: str | None = None) -> str:  # noqa: ARG001 - a key cannot be renewed
        return key

    return value


def _said(ticket: Ticket) -> dict[str, str]:
    return {"title": title(ticket), "description": markdown(ticket)}


def _attachment(ticket: Ticket, remote: str) -> dict[str, str]:
    subtitle = " · ".join(value for _, value in ticket.facts[:2])
    return {
        "issueId": remote,
        "url": ticket.link,
        "title": plain(ticket.headline, 100),
        "subtitle": plain(subtitle, 100),
    }


def _remote(row: object) -> Remote:
    found, page, state = part(row, "id"), part(row, "url"), part(row, "state", "type")
    if not isinstance(found, str) or not isinstance(page, str):
        raise UncertainError("the answer names no issue")
    return Remote(found, page, state not in _CLOSED)
