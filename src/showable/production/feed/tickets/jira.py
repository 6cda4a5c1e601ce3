"""Issues of a Jira Cloud project, through the REST API of version 3.

https://developer.atlassian.com/cloud/jira/platform/rest/v3/: a repeated POST makes a second issue, so a label is looked for first.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from showable.production.feed.tickets.ticket import Change, RefusedError, Remote, Ticket, UncertainError
from showable.production.feed.tickets.way_out import WayOut, decoded
from showable.production.feed.tickets.webhooks import check_signature, header_of, json_body, moment_of, part
from showable.production.feed.tickets.wording import adf, facts, foot, title
from showable.registries.web.asking import Reply

LABEL = "showable"
_DONE = "done"
"""The key of the status category that closed issues have, whatever their workflow calls the status."""


class JiraTarget:
    """Issues of a project at `site`. `mail` and `token` are those of an account that may create, edit and transition them.

    A workflow's transitions have names of its own; where it has none of the name given, a comment says what should be done.
    """

    name = "jira"
    settle_s = 120.0
    edits = True
    urgent_only = False

    def __init__(
        self,
        way: WayOut,
        site: str,
        project: str,
        *,
        mail: str,
        token: str,
        issue_type: str = "Bug",
        resolve_transition: str = "Done",
        reopen_transition: str = "Reopen",
        webhook_secret: str = "",
    ) -> None:
        self._way, self._site, self._project, self._type = way, site.rstrip("/"), project, issue_type
        self._resolve, self._reopen, self._secret = resolve_transition, reopen_transition, webhook_secret
        basic = base64.b64encode(f"{mail}:{token}".encode()).decode()
        self._headers = {"Accept": "application/json", "Authorization": f"Basic {basic}"}

    async def create(self, ticket: Ticket) -> Remote:
        """Open an issue with our two labels, by the second of which it is found again."""
        fields = {
            **_said(ticket),
            "project": {"key": self._project},
            "issuetype": {"name": self._type},
            "labels": [LABEL, _label(ticket)],
        }
        made = decoded(await self._call("POST", "issue", {"fields": fields}))
        key = made.get("key")
        if not isinstance(key, str):
            raise UncertainError("the answer names no issue")
        return Remote(key, f"{self._site}/browse/{key}", open=True)

    async def find(self, ticket: Ticket, remote: str | None) -> Remote | None:
        """Look an issue up by its key, or by our label; the search lags seconds behind, which `settle_s` allows for."""
        if remote is not None:
            return await self._looked_up(remote)
        jql = f'project = "{self._project}" AND labels = "{_label(ticket)}"'
        asked = {"jql": jql, "fields": ["status"], "maxResults": 1}
        rows = decoded(await self._call("POST", "search/jql", asked)).get("issues")
        return self._remote(rows[0]) if isinstance(rows, list) and rows and isinstance(rows[0], dict) else None

    async def update(self, ticket: Ticket, remote: str) -> None:
        """Replace summary and description."""
        await self._call("PUT", f"issue/{remote}", {"fields": _said(ticket)})

    async def comment(self, remote: str, text: str) -> None:
        """Add a comment."""
        await self._call("POST", f"issue/{remote}/comment", {"body": adf(text)})

    async def reopen(self, ticket: Ticket, remote: str) -> Remote:
        """Take the transition that reopens, and update; it stays closed where the workflow has none."""
        await self.update(ticket, remote)
        moved = await self._move(remote, self._reopen, done=False)
        return Remote(remote, f"{self._site}/browse/{remote}", open=moved)

    async def resolve(self, ticket: Ticket, remote: str) -> None:
        """Take the transition that closes, and update."""
        await self.update(ticket, remote)
        await self._move(remote, self._resolve, done=True)

    def verify_webhook(self, headers: Mapping[str, str], body: bytes, now: datetime) -> Change | None:
        """Check ``X-Hub-Signature`` (WebSub) and read the status category of an issue of this project."""
        check_signature(self._secret, body, header_of(headers, "X-Hub-Signature"), prefix="sha256=")
        event = json_body(body)
        key, kind = part(event, "issue", "key"), event.get("webhookEvent")
        if not isinstance(key, str) or not key.startswith(f"{self._project}-"):
            return None
        at, who = moment_of(event.get("timestamp"), now), str(part(event, "user", "displayName") or "somebody")
        if kind == "jira:issue_deleted":
            return Change("deleted", at, who, remote=key)
        category = part(event, "issue", "fields", "status", "statusCategory", "key")
        if kind != "jira:issue_updated" or not isinstance(category, str):
            return None
        return Change("closed" if category == _DONE else "opened", at, who, remote=key)

    async def _move(self, remote: str, name: str, *, done: bool) -> bool:
        """Take a transition by name, unless the issue stands there already; False where the workflow does not offer it."""
        if (await self._looked_up(remote)).open != done:
            return True
        offered = decoded(await self._call("GET", f"issue/{remote}/transitions", None)).get("transitions")
        rows = [row for row in offered if isinstance(row, dict)] if isinstance(offered, list) else []
        found = next((row for row in rows if str(row.get("name")).casefold() == name.casefold()), None)
        if found is not None:
            await self._call("POST", f"issue/{remote}/transitions", {"transition": {"id": str(found.get("id"))}})
            return True
        wanted = "resolved" if done else "open again"
        await self.comment(remote, f"This issue is {wanted}; the workflow offers no transition called {name}.")
        return False

    async def _looked_up(self, remote: str) -> Remote:
        url = f"{self._site}/rest/api/3/issue/{remote}"
        return self._remote(
            decoded(await self._way.call("GET", url, headers=self._headers, params={"fields": "status"}))
        )

    async def _call(self, method: Any, path: str, json: Mapping[str, Any] | None) -> Reply:
        return await self._way.call(method, f"{self._site}/rest/api/3/{path}", headers=self._headers, json=json)

    def _remote(self, row: Mapping[str, Any]) -> Remote:
        key = row.get("key")
        if not isinstance(key, str):
            raise UncertainError("the answer names no issue")
        if not key.startswith(f"{self._project}-"):
            raise RefusedError(f"it was moved to another project, as {key}", gone=True)
        category = part(row, "fields", "status", "statusCategory", "key")
        return Remote(key, f"{self._site}/browse/{key}", category != _DONE)


def _label(ticket: Ticket) -> str:
    return ticket.key.replace(":", "-").lower()


def _said(ticket: Ticket) -> dict[str, Any]:
    lines = (f"{name}: {value}" for name, value in facts(ticket))
    return {"summary": title(ticket), "description": adf(*lines, foot(ticket), link=ticket.link)}
