"""One worker's proxy: who calls and what for, the upstreams, and what is counted."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import re
import time
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path

import orjson

from showable.production.guard.call import Policy
from showable.production.guard.call_rows import CallRows
from showable.production.guard.client_connection import ClientConnection, Headers, Request, response_head
from showable.production.guard.cost import Prices
from showable.production.guard.counters import Counters
from showable.production.guard.deciding import Deciding
from showable.production.guard.endpoints import Endpoints
from showable.production.guard.failures import AGAIN, NEVER, StopError, place_of, stopped_by
from showable.production.guard.guard_file import GuardSettings, Route
from showable.production.guard.guarded_call import GuardedCall
from showable.production.guard.headers import JSON, end_to_end, request_head
from showable.production.guard.keeping import Keeping
from showable.production.guard.logs import LogStore
from showable.production.guard.retrieval import FIELD, FoundLog, GivenLog, find_log, read_given
from showable.production.guard.scanners.outside import OutsideScanners
from showable.production.guard.stored_responses import StoredResponses
from showable.production.guard.tracked import CallRecords, TrackedCall
from showable.production.guard.upstream import Upstream, UpstreamConnection, UpstreamError
from showable.production.guard.wire.asked import Asked, BadRequestError, Json, Wire
from showable.production.guard.wire.chat import ChatWire
from showable.production.guard.wire.messages import MessagesWire
from showable.production.guard.wire.responses import ResponsesWire

LOG = logging.getLogger("showable.guard")
MOST_BUFFERED = 256 * 1024 * 1024
"""Bytes of requests and answers that a worker holds at a time; beyond, calls are refused before anything is sent."""
MOST_OPEN = 4096
WIRES: Mapping[str, Wire] = {
    "/v1/chat/completions": ChatWire(),
    "/v1/responses": ResponsesWire(),
    "/v1/messages": MessagesWire(),
}
_STORED = re.compile(r"/v1/responses/([A-Za-z0-9_-]{1,200})")
_WITHIN = re.compile(r"/|%2f", re.IGNORECASE)
_PASSED = ("/v1/models", "/v1/embeddings", "/v1/messages/count_tokens", "/v1/files")
_SEARCHES = ("file_search", "web_search", "web_fetch", "mcp")
_MOST_MODELS = 100


class Proxy:
    """All that one worker needs to guard calls; `folder` is shared by the workers of one guard."""

    def __init__(
        self, settings: GuardSettings, prices: Prices, folder: Path, worker: int, rows: CallRows | None = None
    ) -> None:
        self.prices, self.rows = prices, rows
        self.counters, self.calls = Counters(folder, worker), CallRecords()
        logs = folder / "logs"
        logs.mkdir(exist_ok=True, mode=0o700)
        self.logs = LogStore(logs)
        self.upstreams: dict[str, Upstream] = {}
        self._keys: dict[str, bytes] = {}
        self.deciding = Deciding(self.counters)
        self.keeping: Keeping | None = None
        self.take_settings(settings)
        self.responses = StoredResponses(folder / "responses")
        self._endpoints = Endpoints(self)
        self.buffered = self.open = 0
        self.draining = False
        self._models: set[str] = set()

    def take_settings(self, settings: GuardSettings) -> None:
        """Work by these settings from the next call on; connections to an upstream that stays are kept."""
        self.settings = settings
        kept, self.upstreams = self.upstreams, {}
        for name, table in settings.table.upstream.items():
            fresh = Upstream(name, table, settings.credentials.get(name))
            before = kept.pop(name, None)
            self.upstreams[name] = before if before is not None and before.same_as(fresh) else fresh
        self._keys = {name: hashlib.sha256(secret.encode()).digest() for name, secret in settings.keys.items()}
        own = settings.table.scanner
        self.deciding.outside = OutsideScanners(own, settings.scanner_keys) if own else None

    async def close(self) -> None:
        """Close what is open to others."""
        for upstream in self.upstreams.values():
            upstream.close()
        if self.deciding.outside is not None:
            await self.deciding.outside.close()
        if self.deciding.pool is not None:
            await self.deciding.pool.close()
        if self.keeping is not None:
            await self.keeping.close()

    async def handle(self, client: ClientConnection, request: Request) -> None:
        """Answer one request: guard a call of an interface, serve an endpoint of the guard, or pass on what holds no answer."""
        path = request.target.partition(b"?")[0].decode("latin-1")
        if self.draining or request.method == "HEAD":  # what is told has a body, which a client of HEAD does not read
            request.keep_alive = False
        if self._endpoints.serves(path):
            await self._endpoints.serve(client, request, path)
            return
        wire = WIRES.get(path)
        stored = request.method == "GET" and _STORED.fullmatch(path) is not None
        tenant = self.tenant(request)
        call = TrackedCall(tenant or "", "responses" if stored else wire.api if wire else "")
        self.open += 1
        self.hold_bytes(call, len(request.body))
        try:
            _need_key(tenant)
            if wire is not None and request.method == "POST":
                await self._guarded(client, request, call, wire, path)
            elif stored:
                await self._stored(client, request, call, path)
            else:
                await self._passed(client, request, call, path)
        except StopError as error:
            call.outcome, call.error = "error", error.kind
            shape = wire or WIRES["/v1/messages" if path.startswith("/v1/messages") else "/v1/chat/completions"]
            wait = [(b"retry-after", b"1")] if error.status == HTTPStatus.SERVICE_UNAVAILABLE else []
            self.reply(
                client,
                request,
                call,
                error.status,
                [*JSON, error.retry, *wait],
                orjson.dumps(shape.error(error.kind, str(error))),
            )
        except asyncio.CancelledError:
            call.error = "client_left"
            raise
        except Exception as error:  # noqa: BLE001 - one call that breaks something must not leave its client waiting
            LOG.error("call %s: the guard failed: %s", call.id, place_of(error))  # noqa: TRY400 - a message may hold the answer
            call.outcome, call.error, request.keep_alive = "error", "guard_failed", False
            if not client.answered:
                body = orjson.dumps(WIRES["/v1/chat/completions"].error("guard_failed", "the guard failed"))
                self.reply(client, request, call, HTTPStatus.INTERNAL_SERVER_ERROR, [*JSON, NEVER], body)
        finally:
            self.open -= 1
            self.buffered -= call.held_bytes
            self.count(call)

    def hold_bytes(self, call: TrackedCall, size: int) -> None:
        """Count bytes of a call that are held until it ends."""
        call.held_bytes += size
        self.buffered += size

    def tenant(self, request: Request) -> str | None:
        """Return the name of the key that a request shows, "" where none is asked for, None for a wrong one."""
        if not self._keys:
            return ""
        shown = request.header(b"x-showable-key")
        if shown is None:
            bearer = request.header(b"authorization") or b""
            shown = bearer[7:] if bearer[:7].lower() == b"bearer " else request.header(b"x-api-key") or b""
        digest, found = hashlib.sha256(shown.strip()).digest(), None
        for name, known in self._keys.items():  # all are compared, whichever fits
            found = name if hmac.compare_digest(digest, known) else found
        return found

    async def _guarded(
        self, client: ClientConnection, request: Request, call: TrackedCall, wire: Wire, path: str
    ) -> None:
        if self.buffered > MOST_BUFFERED or self.open > MOST_OPEN:
            raise StopError(503, "guard_overloaded", "too many calls are open", AGAIN)
        if request.header(b"content-encoding") is not None:
            raise StopError(415, "unsupported_encoding", "expected a body without content-encoding")
        try:
            asked = wire.asked(_object(request.body))
            route = self._route(wire.api, path, call, asked.model)
            if route.uses_pool and self.deciding.pool is not None and self.deciding.pool.full:
                raise StopError(503, "guard_overloaded", "too many answers wait to be read", AGAIN)
            if len(request.body) > route.table.max_request:
                raise StopError(413, "request_too_large", f"more than {route.table.max_request} bytes")
            log = self._log(request, call, wire, asked, route)
        except BadRequestError as error:
            raise StopError(400, "invalid_request", str(error)) from None
        call.log_from = log.log_from
        if log.retrieved is None and route.table.no_retrieval == "reject" and not _may_retrieve(asked.body, route):
            ways = f"send `{FIELD}` with the request, put a log and name it in x-showable-log, or send documents"
            raise StopError(400, "no_retrieval", f"the request carries no retrieval log: {ways}")
        await GuardedCall(
            self,
            client,
            request,
            call,
            wire,
            asked,
            route,
            self.policies(request.header(b"x-showable-profile"), call, route),
            log,
        ).run()

    def _route(self, api: str, path: str, call: TrackedCall, model: str) -> Route:
        call.model = model
        route = self.settings.route_of(api, path, call.tenant, model)
        if route is None:
            raise StopError(404, "no_route", f"no route takes {path} for the model {model[:80]!r}")
        call.route = route
        return route

    def _log(self, request: Request, call: TrackedCall, wire: Wire, asked: Asked, route: Route) -> FoundLog:
        given = read_given(asked.body[FIELD]) if FIELD in asked.body else None
        stored: GivenLog | None = None
        if (named := request.header(b"x-showable-log")) is not None:
            stored = self.logs.get(call.tenant, named.decode("utf-8", "replace"))
            if stored is None and given is None:
                raise StopError(400, "unknown_log", "x-showable-log names no log that is kept")
        table = route.table
        return find_log(
            wire,
            asked,
            given,
            stored,
            tools=table.retrieval_tools,
            context=route.context,
            verify_shown=table.verify_shown,
        )

    def policies(self, asked: bytes | None, call: TrackedCall, route: Route) -> tuple[Policy, ...]:
        """Return the route's policy, and beside it that of a profile which the client asks for: both must be met."""
        policies = [route.policy]
        if asked is not None:
            policy = route.stricter.get(asked.decode("utf-8", "replace"))
            if policy is None:
                raise StopError(
                    400, "profile_not_allowed", "the profile asked for is not among the route's allow_profiles"
                )
            policies.append(policy)
        call.profile = ", ".join(policy.label for policy in policies)
        return tuple(policies)

    async def _passed(self, client: ClientConnection, request: Request, call: TrackedCall, path: str) -> None:
        """Pass on what holds no answer, and what the config calls unguarded; whatever else makes answers is refused."""
        unguarded = self.settings.table.unguarded
        listed = any(path == known or path.startswith(f"{known}/") for known in (*_PASSED, *unguarded))
        if not listed or not _is_plain(path):
            raise StopError(
                404, "endpoint_not_guarded", f"{path}: no answer leaves this guard by an endpoint that it cannot read"
            )
        if request.method not in {"GET", "POST", "DELETE"}:
            raise StopError(405, "method_not_allowed", f"{request.method} is not passed on")
        call.outcome = "unguarded" if any(path.startswith(known) for known in unguarded) else "not_an_answer"
        upstream = next(iter(self.upstreams.values()))
        connection, started = await self.send(upstream, request, call, request.body)
        raw = await self.received(upstream, connection, call, started, MOST_BUFFERED)
        self.reply(client, request, call, connection.status, end_to_end(connection.headers), raw)

    async def _stored(self, client: ClientConnection, request: Request, call: TrackedCall, path: str) -> None:
        """Guard a stored response like one just made: with the log of the call that made it, where that is known."""
        wire = WIRES["/v1/responses"]
        streamed = b"stream=true" in request.target.partition(b"?")[2]
        asked = Asked({}, "", "", streamed, schema_asked=False, forced=False, native=None)
        route = self._route("responses", "/v1/responses", call, "")
        known = self.responses.find(call.tenant, path.rpartition("/")[2])
        try:
            log = known[0] if known else self._log(request, call, wire, asked, route)
        except BadRequestError as error:
            raise StopError(400, "invalid_request", str(error)) from None
        policies, held = (
            self.policies(request.header(b"x-showable-profile"), call, route),
            known is not None and known[1],
        )
        await GuardedCall(self, client, request, call, wire, asked, route, policies, log, held_before=held).run()

    async def send(
        self, upstream: Upstream, request: Request, call: TrackedCall, body: bytes
    ) -> tuple[UpstreamConnection, float]:
        """Write a request to an upstream, and wait for the head of its response. Raises StopError."""
        if self._keys and upstream.credential is None and request.header(b"x-showable-key") is None:
            said = "show the guard's key in x-showable-key: this upstream gets the other credentials of the client"
            raise StopError(401, "wrong_key", said)
        started = time.perf_counter()
        connection: UpstreamConnection | None = None
        try:
            connection = await upstream.connect()
            connection.until = asyncio.get_running_loop().time() + upstream.longest_s
            connection.send(request_head(request, upstream, len(body)) + body)
            await connection.head(upstream.timeout_s)
        except UpstreamError as error:
            call.upstream_s += time.perf_counter() - started
            if connection is not None:
                connection.abort()
                upstream.breaker.failed()
            raise stopped_by(error) from None
        except asyncio.CancelledError:
            if connection is not None:
                connection.abort()
                upstream.breaker.left()
            raise
        if connection.redirects:
            connection.abort()
            upstream.answered(connection.status)
            raise StopError(502, "upstream_malformed", "the upstream answered with a redirect")
        return connection, started

    async def received(
        self, upstream: Upstream, connection: UpstreamConnection, call: TrackedCall, started: float, largest: int
    ) -> bytes:
        """Wait for the whole body of a response. Raises StopError."""
        try:
            raw = await connection.body(upstream.timeout_s, largest)
        except UpstreamError as error:
            connection.abort()
            upstream.breaker.failed()
            raise stopped_by(error) from None
        except asyncio.CancelledError:
            connection.abort()
            upstream.breaker.left()
            raise
        finally:
            call.upstream_s += time.perf_counter() - started
        upstream.answered(connection.status)
        upstream.keep(connection)
        self.hold_bytes(call, len(raw))
        return raw

    def reply(  # noqa: PLR0917 - a response is these three, of this call
        self, client: ClientConnection, request: Request, call: TrackedCall, status: int, headers: Headers, body: bytes
    ) -> None:
        """Send a whole response, with the headers that tell of the call."""
        head = response_head(status, [*headers, *self.call_headers(call)], len(body), keep_alive=request.keep_alive)
        client.write(head + body)

    def call_headers(self, call: TrackedCall) -> Headers:
        """Return the headers that tell of a call, under other names too where the config asks for them."""
        headers = call.headers()
        for alias in self.settings.table.cost_header_aliases:
            headers += [(alias.encode(), value) for name, value in headers if name == b"x-showable-cost"]
        return headers

    def count(self, call: TrackedCall) -> None:
        """Keep a call that is over, and add it to the counts."""
        self.calls.keep(call)
        now = time.time()
        if self.rows is not None:
            self.rows.add(call, now)
        if self.keeping is not None:
            self.keeping.keep(call, now)
        call.decided_on = None
        route = call.route.name if call.route else ""
        model = call.model if call.route else ""
        if model not in self._models:  # clients choose the name, and every name is a time series
            model = "other" if len(self._models) >= _MOST_MODELS else model
            self._models.add(model)
        self.counters.tally(route, call.outcome, model).add(call)
        if call.error:
            self.counters.add("showable_guard_errors_total", route=route, kind=call.error)
        if call.outcome in {"unguarded", "pending"}:
            self.counters.add("showable_guard_unguarded_total", route=route)


def _need_key(tenant: str | None) -> None:
    if tenant is None:
        raise StopError(401, "wrong_key", "expected a key of this guard")


def _object(raw: bytes) -> Json:
    try:
        body = orjson.loads(raw)
    except ValueError:
        raise StopError(400, "invalid_json", "the body is no JSON") from None
    if not isinstance(body, dict):
        raise StopError(400, "invalid_json", "expected a JSON object")
    return body


def _is_plain(path: str) -> bool:
    """Return True for a path that means the same to every server: none leads back up, or is encoded twice."""
    lowered = path.lower()
    if any(sign in lowered for sign in ("%2e", "%5c", "%25", "\\", ";")):
        return False
    return not {"", ".", ".."}.intersection(_WITHIN.split(lowered[1:]))


def _may_retrieve(body: Json, route: Route) -> bool:
    """Return True where the call itself may bring sources: a search of the provider, or a tool that the route reads."""
    if route.table.retrieval_tools and body.get("tools"):
        return True
    if body.get("data_sources") or body.get("web_search_options") or body.get("mcp_servers"):
        return True
    tools = body.get("tools")
    kinds = [str(tool.get("type", "")) for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else []
    return any(kind.startswith(_SEARCHES) for kind in kinds)
