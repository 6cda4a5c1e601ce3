"""The guard's own endpoints: logs that are put before a call, what became of a call, counts, and whether it is alive."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

import orjson

from showable.production.guard.client_connection import ClientConnection, Headers, Request, response_head
from showable.production.guard.contracts.received import Contract
from showable.production.guard.contracts.ruling import CONTRACTS, RouteRules, error_body, read_body, rule_on
from showable.production.guard.failures import StopError, place_of
from showable.production.guard.headers import JSON
from showable.production.guard.logs import LARGEST
from showable.production.guard.tracked import RELEASE_NAMES, TrackedCall
from showable.production.guard.wire.asked import BadRequestError

if TYPE_CHECKING:
    from showable.production.guard.proxy import Proxy

LOG = logging.getLogger("showable.guard")
LOGS, CALLS = "/showable/logs/", "/showable/calls/"
_LONGEST_ID = 200
_TEXT: Headers = [(b"content-type", b"text/plain; version=0.0.4; charset=utf-8")]


class Endpoints:
    """What a worker answers by itself. All but `/healthz` ask for a key where the guard has any."""

    def __init__(self, proxy: Proxy) -> None:
        self._proxy = proxy

    def serves(self, path: str) -> bool:
        """Return True for a path of the guard's own."""
        return path.startswith("/showable/") or path in {"/metrics", "/healthz"} or path in CONTRACTS

    async def serve(self, client: ClientConnection, request: Request, path: str) -> None:
        """Answer a request to one of them."""
        contract = CONTRACTS.get(path)
        try:
            if contract is not None and request.method == "POST":
                status, headers, body = await self._rule(request, contract)
            else:
                status, headers, body = self._answer(request, path)
        except Exception as error:  # noqa: BLE001 - whoever asked must not be left waiting, nor take it for a pass
            LOG.error("%s: the guard failed: %s", path, place_of(error))  # noqa: TRY400 - a message may hold the answer
            status, headers, body = _error(500, "guard_failed", "the guard failed")
        client.write(response_head(status, headers, len(body), keep_alive=request.keep_alive) + body)

    def _answer(self, request: Request, path: str) -> tuple[int, Headers, bytes]:
        if path == "/healthz":
            return (503, JSON, b'{"status":"draining"}') if self._proxy.draining else (200, JSON, b'{"status":"ok"}')
        tenant = self._proxy.tenant(request)
        if tenant is None:
            return _error(401, "wrong_key", "expected a key of this guard")
        if path == "/metrics" and request.method == "GET":
            return 200, _TEXT, self._proxy.counters.text()
        if path.startswith(LOGS) and request.method == "PUT":
            return self._put_log(request, tenant, path.removeprefix(LOGS))
        if path.startswith(CALLS) and request.method == "GET":
            call = self._proxy.calls.find(tenant, path.removeprefix(CALLS))
            return (
                _error(404, "unknown_call", "no such call is kept")
                if call is None
                else (200, JSON, orjson.dumps(call.record()))
            )
        return _error(404, "unknown_endpoint", f"{request.method} {path[:200]} is no endpoint of the guard")

    async def _rule(self, request: Request, contract: Contract) -> tuple[int, Headers, bytes]:
        """Rule on a call of another gateway, by the route that takes its model."""
        proxy, tenant = self._proxy, self._proxy.tenant(request)
        if tenant is None:
            return _error(401, "wrong_key", "expected a key of this guard")
        try:
            received = read_body(contract, request.body)
        except BadRequestError as error:
            return 400, JSON, orjson.dumps(error_body(error))
        call = TrackedCall(tenant, received.wire.api)
        call.model = str(received.request.get("model") or "")
        route = call.route = proxy.settings.route_of(received.wire.api, contract.path, tenant, call.model)
        if route is None:
            return _error(404, "no_route", f"no route takes {contract.path} for the model {call.model[:80]!r}")
        asked = received.profile.encode() if received.profile else request.header(b"x-showable-profile")
        named = request.header(b"x-showable-log")
        try:
            policies = proxy.policies(asked, call, route)
            rules = RouteRules(route, policies, proxy.deciding, call.id, call.model)
            ruling = await rule_on(
                received, rules, proxy.logs, tenant, named.decode("utf-8", "replace") if named else None
            )
        except BadRequestError as error:
            return 400, JSON, orjson.dumps(error_body(error))
        except StopError as error:
            return _error(error.status, error.kind, str(error))
        call.release, call.outcome = ruling.release, ruling.action if ruling.action in RELEASE_NAMES else "hold"
        if ruling.ruled is not None:
            call.decided_on = ruling.ruled.call
            call.add_judge(ruling.ruled.judge_s, ruling.ruled.judge_usd)
        call.guard_s = time.perf_counter() - call.began
        proxy.count(call)
        return 200, [*JSON, *call.headers()], orjson.dumps(contract.write(ruling))

    def _put_log(self, request: Request, tenant: str, log_id: str) -> tuple[int, Headers, bytes]:
        if not log_id or len(log_id) > _LONGEST_ID or not log_id.isprintable():
            return _error(400, "invalid_request", f"expected an id of at most {_LONGEST_ID} characters in the path")
        if len(request.body) > LARGEST:
            return _error(413, "log_too_large", f"more than {LARGEST} bytes")
        try:
            self._proxy.logs.put(tenant, log_id, request.body)
        except BadRequestError as error:
            return _error(400, "invalid_request", str(error))
        except ValueError:
            return _error(400, "invalid_json", "the body is no JSON")
        return 200, JSON, orjson.dumps({"id": log_id})


def _error(status: int, kind: str, message: str) -> tuple[int, Headers, bytes]:
    return status, JSON, orjson.dumps({"error": {"type": kind, "message": message}})
