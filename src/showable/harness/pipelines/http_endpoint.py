"""`http(s)://…`: a pipeline behind an HTTP endpoint. The question is posted as JSON, the reply comes back as JSON."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from showable.errors import SettingError
from showable.harness.pipelines.failures import LARGEST_REPLY, HttpReply, PipelineError, brief
from showable.harness.pipelines.pipeline import Asked, Reply
from showable.harness.pipelines.reading_replies import read_json_reply
from showable.registries.web.retrying import AGAIN
from showable.registries.web.waiting import told_to_wait

if TYPE_CHECKING:
    import httpx

TOKEN = "SHOWABLE_PIPELINE_TOKEN"  # noqa: S105 - the name of the variable
"""The environment variable whose value is sent as ``Authorization: Bearer …``."""
_OK, _REDIRECTS = range(200, 300), range(300, 400)


class HttpPipeline:
    """Posts ``{"id", "question", "force_null"}`` and reads ``{"answer", "retrieved", …}``.

    A redirect is not followed: it would carry the token elsewhere. Raises SettingError at an address that is none.
    """

    def __init__(self, url: str, token: str | None = None) -> None:
        self.name = _shown(url)
        self._url, self._token = url, token
        self._client: httpx.AsyncClient | None = None

    async def ask(self, asked: Asked) -> Reply:
        """Post one question. Raises PipelineError where no reply comes of it."""
        import httpx  # noqa: PLC0415 - a tenth of a second, and only this pipeline needs it

        try:
            reply = await self._post(asked)
        except httpx.ConnectError as error:
            raise PipelineError(f"cannot reach {self.name}: {error or type(error).__name__}") from None
        except httpx.HTTPError as error:
            raise PipelineError(f"{self.name}: the connection failed: {error or type(error).__name__}") from None
        if reply.status not in _OK:
            raise _refused(reply)
        return read_json_reply(reply.body, "the response", asked.id)

    async def aclose(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def _post(self, asked: Asked) -> HttpReply:
        async with self._opened().stream("POST", self._url, json=asked.model_dump(mode="json")) as response:
            body = bytearray()
            async for chunk in response.aiter_bytes():
                body += chunk
                if len(body) > LARGEST_REPLY:
                    raise PipelineError(f"the response is larger than {LARGEST_REPLY >> 20} MiB", again=False)
            headers = {name.lower(): value for name, value in response.headers.items()}
            return HttpReply(response.status_code, self.name, bytes(body), headers)

    def _opened(self) -> httpx.AsyncClient:
        if self._client is None:
            import httpx  # noqa: PLC0415 - as above

            headers = {"Accept": "application/json"}
            headers |= {"Authorization": f"Bearer {self._token}"} if self._token else {}
            limits = httpx.Limits(max_connections=None)  # who asks decides how many at a time, and for how long
            self._client = httpx.AsyncClient(headers=headers, timeout=None, limits=limits)  # noqa: S113 - as said
        return self._client


def _refused(reply: HttpReply) -> PipelineError:
    said = f"HTTP {reply.status}"
    if reply.status in _REDIRECTS:
        to = urlsplit(reply.headers.get("location", ""))._replace(query="", fragment="").geturl()
        led = f" to {to}" if to else ""
        return PipelineError(
            f"{said}: it redirects{led}, which is not followed; give the address it leads to", again=False
        )
    body = brief(reply.body[:2000].decode("utf-8", "replace"))
    said = f"{said}: {body}" if body else said
    return PipelineError(said, again=reply.status in AGAIN, wait=told_to_wait(reply, datetime.now(UTC)))


def _shown(url: str) -> str:
    """Return an address without what may be secret in it: user, password, query. Raises SettingError where it is none."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port is not None else ""
    except ValueError:
        raise SettingError("pipeline: the address cannot be read; expected http(s)://HOST/PATH") from None
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise SettingError(f"pipeline {parts.scheme}://…: expected http(s)://HOST/PATH")
    if parts.username or parts.password:
        raise SettingError(f"pipeline {parts.scheme}://…@{parts.hostname}: no user or password in it; set {TOKEN}")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return urlunsplit((parts.scheme, f"{host}{port}", parts.path, "", ""))
