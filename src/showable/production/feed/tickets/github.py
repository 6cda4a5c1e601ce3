"""Issues of a GitHub repository, through the REST API of version 2022-11-28.

https://docs.github.com/en/rest/issues: no idempotency key, so a hidden marker in the body is looked for before a second try.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from showable.production.feed.tickets.ticket import Change, Remote, Ticket, UncertainError
from showable.production.feed.tickets.way_out import WayOut, decoded
from showable.production.feed.tickets.webhooks import check_signature, header_of, json_body, moment_of, part
from showable.production.feed.tickets.wording import markdown, markdown_line, title
from showable.registries.web.asking import OddReplyError, Reply

PUBLIC = "https://api.github.com"
LABEL = "showable"
_PER_PAGE, _MOST_PAGES = 100, 10
_CHANGES: Mapping[str, Literal["closed", "opened", "deleted"]] = {
    "closed": "closed",
    "reopened": "opened",
    "deleted": "deleted",
    "transferred": "deleted",
}


class GitHubTarget:
    """Issues of `owner/name`. `token` needs Issues: write; `address` is that of a GitHub Enterprise server's API."""

    name = "github"
    settle_s = 30.0
    edits = True
    urgent_only = False

    def __init__(
        self, way: WayOut, repository: str, *, token: str, webhook_secret: str = "", address: str = PUBLIC
    ) -> None:
        self._way, self._repository, self._secret = way, repository, webhook_secret
        self._issues = f"{address}/repos/{repository}/issues"
        self._headers = {
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {token}",
            "X-GitHub-Api-Version": "2022-11-28",
        }

    async def create(self, ticket: Ticket) -> Remote:
        """Open an issue with our label, and our marker in its body."""
        return _remote(decoded(await self._post(self._issues, {**_said(ticket), "labels": [LABEL]})))

    async def find(self, ticket: Ticket, remote: str | None) -> Remote | None:
        """Look an issue up by number, or among those of our label, the latest first; a search would lag behind."""
        if remote is not None:
            return _remote(decoded(await self._way.call("GET", f"{self._issues}/{remote}", headers=self._headers)))
        for page in range(1, _MOST_PAGES + 1):
            asked = {"labels": LABEL, "state": "all", "per_page": str(_PER_PAGE), "page": str(page)}
            rows = _rows(await self._way.call("GET", self._issues, headers=self._headers, params=asked))
            for row in rows:
                if _marker(ticket) in str(row.get("body") or ""):
                    return _remote(row)
            if len(rows) < _PER_PAGE:
                break
        return None

    async def update(self, ticket: Ticket, remote: str) -> None:
        """Replace title and body."""
        await self._patch(remote, _said(ticket))

    async def comment(self, remote: str, text: str) -> None:
        """Add a comment."""
        await self._post(f"{self._issues}/{remote}/comments", {"body": markdown_line(text)})

    async def reopen(self, ticket: Ticket, remote: str) -> Remote:
        """Open it again, with what is now known."""
        return _remote(
            decoded(await self._patch(remote, {**_said(ticket), "state": "open", "state_reason": "reopened"}))
        )

    async def resolve(self, ticket: Ticket, remote: str) -> None:
        """Close it as completed."""
        await self._patch(remote, {**_said(ticket), "state": "closed", "state_reason": "completed"})

    def verify_webhook(self, headers: Mapping[str, str], body: bytes, now: datetime) -> Change | None:
        """Check ``X-Hub-Signature-256`` and read what became of an issue of this repository."""
        check_signature(self._secret, body, header_of(headers, "X-Hub-Signature-256"), prefix="sha256=")
        if header_of(headers, "X-GitHub-Event") != "issues":
            return None
        event = json_body(body)
        kind = _CHANGES.get(str(event.get("action")))
        number, where = part(event, "issue", "number"), part(event, "repository", "full_name")
        if kind is None or not isinstance(number, int) or str(where).lower() != self._repository.lower():
            return None
        at = moment_of(part(event, "issue", "updated_at"), now)
        return Change(kind, at, str(part(event, "sender", "login") or "somebody"), remote=str(number))

    async def _post(self, url: str, json: Mapping[str, Any]) -> Reply:
        return await self._way.call("POST", url, headers=self._headers, json=json)

    async def _patch(self, remote: str, json: Mapping[str, Any]) -> Reply:
        return await self._way.call("PATCH", f"{self._issues}/{remote}", headers=self._headers, json=json)


def _said(ticket: Ticket) -> dict[str, str]:
    return {"title": title(ticket), "body": f"{markdown(ticket)}\n\n{_marker(ticket)}"}


def _marker(ticket: Ticket) -> str:
    return f"<!-- {ticket.key}:v1 -->"


def _remote(row: Mapping[str, Any]) -> Remote:
    number, page = row.get("number"), row.get("html_url")
    if not isinstance(number, int) or not isinstance(page, str):
        raise UncertainError("the answer names no issue")
    return Remote(str(number), page, row.get("state") == "open")


def _rows(reply: Reply) -> list[dict[str, Any]]:
    try:
        rows = reply.json()
    except OddReplyError as error:
        raise UncertainError(str(error)) from None
    if not isinstance(rows, list):
        raise UncertainError("the answer is no list of issues")
    return [row for row in rows if isinstance(row, dict)]
