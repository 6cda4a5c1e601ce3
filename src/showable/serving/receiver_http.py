"""The receiver's side of HTTP: paths and methods of OTLP, bodies read within bounds, one clear line for whatever is refused."""

from __future__ import annotations

import asyncio
import time
from http import HTTPStatus

from aiohttp import web

from showable.serving.address import is_loopback, is_own_origin, names_loopback, shows_token
from showable.serving.backlog import RETRY_S, Backlog, Share
from showable.serving.group_commit import GroupCommit
from showable.serving.guesses import TOO_MANY, Guesses
from showable.serving.parcels import Kept, Parcel
from showable.serving.receiver_answers import NO_METRICS, Signal, taken_body
from showable.serving.receiver_metrics import CONTENT_TYPE, Tallies
from showable.serving.receiver_view import View
from showable.serving.saying import say
from showable.serving.settings import ServeSettings
from showable.traces.otlp.answer import answer_type, error_body
from showable.traces.otlp.decode import wire_of
from showable.traces.otlp.refused import Refused

READ_S = 30.0
"""Seconds that an exporter has for its body, from the first byte to the last."""
_SIGNALS: dict[str, Signal] = {"/v1/traces": "traces", "/v1/logs": "logs", "/v1/metrics": "metrics"}


class Desk:
    """Answers requests. One of it serves all connections."""

    def __init__(
        self, settings: ServeSettings, keeper: GroupCommit, tallies: Tallies, backlog: Backlog, view: View
    ) -> None:
        self._settings, self._keeper, self._tallies, self._backlog, self._view = (
            settings,
            keeper,
            tallies,
            backlog,
            view,
        )
        self._local = is_loopback(settings.host)
        self._guesses = Guesses()

    async def answer(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer one request; never raises for what came from outside."""
        answer = await self._answer(request)
        answer.headers["Server"] = "showable"
        return answer

    async def _answer(self, request: web.BaseRequest) -> web.Response:
        signal = _SIGNALS.get(request.path)
        began = time.perf_counter()
        try:
            if signal is None:
                return await self._page(request)
            answer = await self._export(request, signal)
        except Refused as refused:
            answer = _refusal(request, refused)
        except ConnectionError:  # the exporter went away in mid-body: nobody reads this
            answer = _refusal(request, Refused(400, "the body ended too early"))
        except Exception as error:  # noqa: BLE001 - one request must not end the others
            say(f"a request failed: {type(error).__name__}: {error}")
            answer = _refusal(request, Refused(500, "the request could not be answered"))
        self._tallies.requests.labels(signal or "page", str(answer.status)).inc()
        if signal is not None:
            self._tallies.export.labels(signal).observe(time.perf_counter() - began)
        return answer

    async def _export(self, request: web.BaseRequest, signal: Signal) -> web.Response:
        if request.method != "POST":
            raise Refused(405, f"{request.path} takes POST")
        origin = request.headers.get("Origin")
        host = request.headers.get("Host", "")
        if origin is not None and not (is_own_origin(origin, host) and (names_loopback(host) or not self._local)):
            # a page of another site, in a browser on this machine, or by a name that leads here (DNS rebinding)
            raise Refused(403, "pages of other sites may not send spans here")
        self._check_token(
            request, self._settings.token, "show the token: OTEL_EXPORTER_OTLP_HEADERS=authorization=Bearer%20TOKEN"
        )
        kind = request.headers.get("Content-Type", "")
        wire_of(kind)  # refuses what is neither protobuf nor JSON, before it is read
        with self._backlog.share() as share:
            kept = await self._keep(request, signal, share)
        return web.Response(body=taken_body(signal, kind, kept.rejected, kept.reason), content_type=answer_type(kind))

    def _check_token(self, request: web.BaseRequest, token: str | None, asked: str) -> None:
        header, address = request.headers.get("Authorization"), request.remote or ""
        if token is None:
            return
        if header is not None and self._guesses.bars(address):
            raise Refused(429, TOO_MANY)
        right = shows_token(header, token)
        if header is not None:
            self._guesses.note(address, right=right)
        if not right:
            raise Refused(401, asked)

    async def _keep(self, request: web.BaseRequest, signal: Signal, share: Share) -> Kept:
        body = await self._read(request, share)
        if signal == "metrics":
            return Kept(0, NO_METRICS)
        headers = request.headers
        parcel = Parcel(signal, body, headers.get("Content-Type", ""), headers.get("Content-Encoding", ""))
        return await self._keeper.put(parcel)

    async def _read(self, request: web.BaseRequest, share: Share) -> bytes:
        """Read a body, however its length is stated, or not stated at all."""
        most = self._settings.most_body
        if (request.content_length or 0) > most:
            raise _too_long(most)
        body = bytearray()
        try:
            async with asyncio.timeout(READ_S):
                async for chunk in request.content.iter_any():
                    if len(body) + len(chunk) > most:
                        raise _too_long(most)
                    share.take(len(chunk))
                    body += chunk
        except TimeoutError:
            raise Refused(408, f"the body took longer than {READ_S:.0f} s") from None
        except web.RequestPayloadError:
            raise Refused(400, "the body ended too early, or is not chunked as HTTP has it") from None
        return bytes(body)

    async def _page(self, request: web.BaseRequest) -> web.Response:
        if request.path not in {"/healthz", "/readyz", "/metrics"}:
            raise Refused(404, "nothing is here; spans go to POST /v1/traces")
        if request.method not in {"GET", "HEAD"}:
            raise Refused(405, f"{request.path} takes GET")
        if self._local and not names_loopback(request.headers.get("Host", "")):
            raise Refused(421, "this server does not answer to that host name; use 127.0.0.1 or localhost")
        if request.path == "/healthz":
            return web.Response(text="ok\n")
        if request.path == "/readyz":
            missing = await self._view.missing()
            return web.Response(text="; ".join(missing or ["ready"]) + "\n", status=503 if missing else 200)
        self._check_token(request, self._settings.reader_token, "show the token: Authorization: Bearer TOKEN")
        return web.Response(body=self._tallies.text(await self._view.metrics()), headers={"Content-Type": CONTENT_TYPE})


def _too_long(most: int) -> Refused:
    return Refused(413, f"a request may be {most / 2**20:.0f} MiB long; send fewer spans at a time")


def _refusal(request: web.BaseRequest, refused: Refused) -> web.Response:
    """Write a refusal in the form of the request, in JSON where it has none. It ends the connection where a body may be left."""
    headers = {}
    if refused.status in {429, 503}:
        headers["Retry-After"] = str(RETRY_S)
    if refused.status == 401:  # noqa: PLR2004 - Unauthorized
        headers["WWW-Authenticate"] = "Bearer"
    if refused.status == 405:  # noqa: PLR2004 - Method Not Allowed
        headers["Allow"] = "POST" if request.path in _SIGNALS else "GET, HEAD"
    if request.path in _SIGNALS:
        kind = request.headers.get("Content-Type", "")
        form, body = answer_type(kind), error_body(refused.status, refused.reason, kind)
    else:
        form, body = "text/plain", f"{refused.reason}\n".encode("utf-8", "replace")
    phrase = HTTPStatus(refused.status).phrase
    answer = web.Response(status=refused.status, reason=phrase, body=body, headers=headers, content_type=form)
    if not request.content.at_eof():
        answer.force_close()
    return answer
