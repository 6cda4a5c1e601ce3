"""Five ticket systems on loopback, as their documentation describes them, and everything that can go wrong before and after they accept.

with serve(doubles.app()) as base: GitHubTarget(way, "o/r", token="t", address=f"{base}/github")
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

from aiohttp import web

WRITES = {"POST", "PUT", "PATCH"}


@dataclass
class Fault:
    """What happens to the next write: it is accepted or not, and then answered, hung up on, or left without an answer."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: Any = None
    accepts: bool = False
    hangs_s: float = 0.0


@dataclass
class Doubles:
    """All five at once. `seen` holds every request: vendor, method, path, headers, body as text."""

    faults: list[Fault] = field(default_factory=list)
    blind: bool = False
    seen: list[tuple[str, str, str, dict[str, str], str]] = field(default_factory=list)
    notice: Callable[[str], None] = lambda _: None
    github: dict[int, dict[str, Any]] = field(default_factory=dict)
    github_comments: list[tuple[int, str]] = field(default_factory=list)
    jira: dict[str, dict[str, Any]] = field(default_factory=dict)
    jira_comments: list[tuple[str, str]] = field(default_factory=list)
    jira_transitions: list[dict[str, str]] = field(
        default_factory=lambda: [{"id": "31", "name": "Done"}, {"id": "11", "name": "Reopen"}]
    )
    linear: dict[str, dict[str, Any]] = field(default_factory=dict)
    linear_pages: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    linear_comments: list[tuple[str, str]] = field(default_factory=list)
    refresh: list[str] = field(default_factory=lambda: ["r0"])
    access: str = "lin_key"
    slack: dict[str, dict[str, Any]] = field(default_factory=dict)
    slack_threads: list[tuple[str, str]] = field(default_factory=list)
    slack_hooks: list[dict[str, Any]] = field(default_factory=list)
    pagerduty: list[dict[str, Any]] = field(default_factory=list)
    _number: Any = field(default_factory=lambda: itertools.count(1))

    def app(self) -> web.Application:
        app = web.Application()
        app.router.add_route("*", "/{vendor}/{path:.*}", self._handle)
        return app

    def sent(self, vendor: str) -> list[tuple[str, str, Any]]:
        """Give the writes that a vendor saw: method, path, body as JSON."""
        return [
            (method, path, json.loads(body) if body.startswith("{") else body)
            for name, method, path, _, body in self.seen
            if name == vendor and method in WRITES
        ]

    def tickets(self) -> dict[str, list[str]]:
        """Give what names the tickets of each vendor; one that stands there twice is there twice."""
        marker = lambda body: body.rpartition("<!-- ")[2].removesuffix(":v1 -->")  # noqa: E731
        return {
            "github": [marker(row["body"]) for row in self.github.values()],
            "jira": [row["labels"][1] for row in self.jira.values()],
            "linear": [self.linear[one]["title"] for one in self.linear],
            "slack": [row["metadata"]["event_payload"]["key"] for row in self.slack.values()],
            "pagerduty": [row["key"] for row in self.pagerduty],
        }

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        vendor, path = request.match_info["vendor"], request.match_info["path"]
        body = await request.text()
        self.seen.append((vendor, request.method, path, dict(request.headers), body))
        reading = "mutation" not in body if path == "graphql" else request.method not in WRITES or "search/jql" in path
        if reading and self.blind:
            return web.Response(status=503)
        fault = None if reading or not self.faults else self.faults.pop(0)
        self.notice("before")
        if fault is not None and not fault.accepts:
            return await self._faulty(request, fault)
        answer = getattr(self, f"_{vendor}")(request, path, body)
        self.notice("after")
        return answer if fault is None else await self._faulty(request, fault)

    async def _faulty(self, request: web.Request, fault: Fault) -> web.StreamResponse:
        if fault.hangs_s:
            await asyncio.sleep(fault.hangs_s)
        if not fault.status:
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        if isinstance(fault.body, dict | list):
            return web.json_response(fault.body, status=fault.status, headers=fault.headers)
        return web.Response(text=fault.body or "", status=fault.status, headers=fault.headers)

    def _github(self, request: web.Request, path: str, body: str) -> web.Response:
        if request.headers.get("Authorization") != "Bearer gh_token":
            return web.json_response({"message": "Bad credentials"}, status=401)
        parts, said = path.split("/"), json.loads(body or "{}")
        assert parts[:4] == ["repos", "o", "r", "issues"]
        if len(parts) == 4 and request.method == "POST":
            number = next(self._number)
            page = f"https://github.com/o/r/issues/{number}"
            self.github[number] = {"number": number, "html_url": page, "state": "open", **said}
            return web.json_response(self.github[number], status=201)
        if len(parts) == 4:
            assert request.query["state"] == "all"
            rows = [row for row in reversed(self.github.values()) if request.query["labels"] in row["labels"]]
            at, size = int(request.query["page"]) - 1, int(request.query["per_page"])
            return web.json_response(rows[at * size : (at + 1) * size])
        row = self.github.get(int(parts[4]))
        if row is None:
            return web.json_response({"message": "This issue was deleted"}, status=410)
        if parts[5:] == ["comments"]:
            self.github_comments.append((row["number"], said["body"]))
            return web.json_response({"id": 1}, status=201)
        if request.method == "PATCH":
            row.update(said)
        return web.json_response(row)

    def _jira(self, request: web.Request, path: str, body: str) -> web.Response:  # noqa: PLR0911 - an address each
        if not request.headers.get("Authorization", "").startswith("Basic "):
            return web.json_response({"errorMessages": ["no"]}, status=401)
        parts, said = path.removeprefix("rest/api/3/").split("/"), json.loads(body or "{}")
        if parts == ["search", "jql"]:
            assert said["fields"]
            rows = [row for row in self.jira.values() if f'"{row["labels"][1]}"' in said["jql"]]
            return web.json_response({"issues": [_jira_row(row) for row in rows]})
        assert parts[0] == "issue"
        if len(parts) == 1:
            key = f"LAW-{next(self._number)}"
            self.jira[key] = {"key": key, "done": False, **said["fields"]}
            return web.json_response({"id": "1", "key": key, "self": "x"}, status=201)
        row = self.jira.get(parts[1])
        if row is None:
            return web.json_response({"errorMessages": ["Issue does not exist"]}, status=404)
        if parts[2:] == ["comment"]:
            self.jira_comments.append((row["key"], said["body"]["content"][0]["content"][0]["text"]))
            return web.json_response({"id": "1"}, status=201)
        if parts[2:] == ["transitions"]:
            if request.method == "GET":
                return web.json_response({"transitions": self.jira_transitions})
            row["done"] = said["transition"]["id"] == "31"
            return web.Response(status=204)
        if request.method == "PUT":
            row.update(said["fields"])
            return web.Response(status=204)
        return web.json_response(_jira_row(row))

    def _linear(self, request: web.Request, path: str, body: str) -> web.Response:  # noqa: PLR0911 - a query each
        if path == "oauth/token":
            return self._linear_token(parse_qs(body))
        if request.headers.get("Authorization", "").removeprefix("Bearer ") != self.access:
            error = {"message": "Authentication required", "extensions": {"code": "AUTHENTICATION_ERROR"}}
            return web.json_response({"errors": [error]}, status=401)
        asked = json.loads(body)
        query, given = asked["query"], asked["variables"]
        if query.startswith("query States"):
            states = [
                {"id": "s-done", "type": "completed", "position": 3},
                {"id": "s-todo", "type": "unstarted", "position": 1},
            ]
            return web.json_response({"data": {"team": {"states": {"nodes": states}}}})
        if query.startswith("query Held"):
            found = [self.linear[given["id"]]] if given["id"] in self.linear else []
            pages = [
                {"id": "a", "issue": self.linear[i]}
                for i, url in self.linear_pages
                if url == given["u"] and i in self.linear
            ]
            return web.json_response({"data": {"issues": {"nodes": found}, "attachmentsForURL": {"nodes": pages}}})
        if query.startswith("mutation Say"):
            self.linear_comments.append((given["c"]["issueId"], given["c"]["body"]))
            return web.json_response({"data": {"commentCreate": {"success": True}}})
        said, page = given["i"], given["a"]
        if query.startswith("mutation New"):
            if said["id"] in self.linear:
                error = {"message": "Entity already exists", "extensions": {"code": "INPUT_ERROR"}}
                return web.json_response({"errors": [error]}, status=200)
            row = {"id": said["id"], "identifier": f"LAW-{next(self._number)}", "state": {"type": "backlog"}}
            self.linear[said["id"]] = {**row, "url": f"https://linear.app/x/issue/{row['identifier']}", **said}
        elif given["id"] not in self.linear:
            error = {"message": "Entity not found: Issue", "extensions": {"code": "INPUT_ERROR"}}
            return web.json_response({"errors": [error]})
        else:
            row = self.linear[given["id"]]
            row.update({name: value for name, value in said.items() if name != "stateId"})
            if "stateId" in said:
                row["state"] = {"type": "completed" if said["stateId"] == "s-done" else "unstarted"}
        self.linear_pages[page["issueId"], page["url"]] = page
        made = {"success": True, "issue": self.linear[page["issueId"]]}
        return web.json_response({"data": {"issueCreate": made, "issueUpdate": made}})

    def _linear_token(self, asked: dict[str, list[str]]) -> web.Response:
        if asked["grant_type"] == ["refresh_token"] and asked["refresh_token"] != [self.refresh[-1]]:
            return web.json_response({"error": "invalid_grant"}, status=400)
        self.refresh.append(f"r{len(self.refresh)}")
        self.access = f"access-{len(self.refresh)}"
        said = {"access_token": self.access, "refresh_token": self.refresh[-1], "expires_in": 86_400}
        return web.json_response(said)

    def _slack(self, request: web.Request, path: str, body: str) -> web.Response:
        if path.startswith("services/"):
            self.slack_hooks.append(json.loads(body))
            return web.Response(text="ok")
        if request.headers.get("Authorization") != "Bearer xoxb":
            return web.json_response({"ok": False, "error": "invalid_auth"})
        method = path.removeprefix("api/")
        if method == "conversations.history":
            rows = list(reversed(self.slack.values()))
            if "latest" in request.query:
                rows = [row for row in rows if row["ts"] == request.query["latest"]]
            return web.json_response({"ok": True, "messages": rows[: int(request.query["limit"])]})
        said = json.loads(body)
        if method == "chat.update":
            if said["ts"] not in self.slack:
                return web.json_response({"ok": False, "error": "message_not_found"})
            self.slack[said["ts"]].update(said)
        elif "thread_ts" in said:
            self.slack_threads.append((said["thread_ts"], said["text"]))
        else:
            said["ts"] = f"17{next(self._number):08}.000100"
            self.slack[said["ts"]] = said
        return web.json_response({"ok": True, "channel": "C1", "ts": said.get("ts", "")})

    def _pagerduty(self, request: web.Request, path: str, body: str) -> web.Response:
        said = json.loads(body)
        if len(said["routing_key"]) != 32:
            return web.json_response({"status": "invalid event", "errors": ["bad routing key"]}, status=400)
        mine = [row for row in self.pagerduty if row["key"] == said["dedup_key"] and row["open"]]
        if said["event_action"] == "resolve":
            for row in mine:
                row["open"] = False
        elif not mine:
            self.pagerduty.append({"key": said["dedup_key"], "open": True, **said["payload"]})
        return web.json_response({"status": "success", "dedup_key": said["dedup_key"]}, status=202)


def _jira_row(row: dict[str, Any]) -> dict[str, Any]:
    return {"key": row["key"], "fields": {"status": {"statusCategory": {"key": "done" if row["done"] else "new"}}}}
