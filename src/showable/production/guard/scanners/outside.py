"""Other people's scanners, asked over HTTP in the shape of LiteLLM's generic guardrail. All at once, each with a deadline."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from http.cookiejar import DefaultCookiePolicy
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from showable.errors import SettingError
from showable.production.guard.call import GuardCall
from showable.production.guard.scanners.choose import NAMES
from showable.records.findings import Finding, Outcome
from showable.records.wire import Wire

if TYPE_CHECKING:
    import httpx

UNAVAILABLE = "scanner.unavailable"
"""The code of a scanner that could not be asked: an error of the guard, which a route holds unless it says otherwise."""
PATH = "/beta/litellm_basic_guardrail_api"

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,40}")
_LARGEST_REPLY = 1 << 20
_LONGEST_REASON = 200


class OutsideScanner(Wire):
    """One `[scanner.NAME]` of the configuration.

    `url` is the service; the contract's path is added where it is missing, as LiteLLM does. `key` (``env:NAME``) is sent
    as `x-api-key`. `deadline_ms` bounds the whole exchange. `params` are sent as `additional_provider_specific_params`.
    """

    url: str
    key: str | None = Field(default=None, pattern=r"^env:[A-Za-z_][A-Za-z0-9_]*$")
    deadline_ms: int = Field(default=1000, ge=1, le=60_000)
    params: dict[str, Any] = Field(default_factory=dict)

    @field_validator("url")
    @classmethod
    def _address(cls, url: str) -> str:
        try:
            parts = urlsplit(url)
            whole = (
                parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port is None or parts.port > 0)
            )
        except ValueError:
            whole = False
        if not whole or parts.username is not None or parts.query or parts.fragment:
            raise ValueError("expected http://HOST or https://HOST, without a user, a query or a fragment")
        return url.rstrip("/") if url.rstrip("/").endswith(PATH) else url.rstrip("/") + PATH


class OutsideScanners:
    """The scanners of a worker and the connections to them, which a context manager closes.

    `keys` are the values of the scanners' keys by name. Raises SettingError for a key that cannot be sent, and for a name
    that is none or that a scanner of the guard has.
    """

    def __init__(self, scanners: Mapping[str, OutsideScanner], keys: Mapping[str, str]) -> None:
        for name in scanners:
            if name in NAMES or _NAME.fullmatch(name) is None:
                said = "a scanner of the guard is called so" if name in NAMES else "expected letters, digits, _ and -"
                raise SettingError(f"scanner.{name[:60]!r}: {said}")
        self._scanners = dict(scanners)
        self._keys = {name: keys[name] for name, scanner in scanners.items() if scanner.key}
        for name, key in self._keys.items():
            if not key.isascii() or not key.isprintable():
                raise SettingError(f"scanner.{name}: key: its value cannot be sent in a header")
        self._client: httpx.AsyncClient | None = None

    async def __aenter__(self) -> Self:
        """Open the connections when they are first needed."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close all connections."""
        await self.close()

    async def close(self) -> None:
        """Close all connections; the next question opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def ask(self, names: Sequence[str], call: GuardCall, *, call_id: str, model: str | None) -> list[Finding]:
        """Return what the named scanners find in the answers of a call.

        One that blocks fails as ``scanner.NAME``, and so does one that would change the words: they are not what may be
        shown. One that cannot be asked in time, or whose reply is none of the contract's, is ``scanner.unavailable``,
        unknown. Never raises but CancelledError.
        """
        texts = [text for answer in call.answers for text in (answer.text, answer.refusal, *answer.beside) if text]
        if not texts:
            return []
        found = await asyncio.gather(*(self._ask(name, texts, call_id, model) for name in names))
        return [finding for finding in found if finding is not None]

    async def _ask(self, name: str, texts: list[str], call_id: str, model: str | None) -> Finding | None:
        import httpx  # noqa: PLC0415 - a tenth of a second, and most guards ask nobody

        scanner = self._scanners[name]
        body = {
            "input_type": "response",
            "litellm_call_id": call_id,
            "litellm_trace_id": call_id,
            "texts": texts,
            "structured_messages": None,
            "images": None,
            "tools": None,
            "tool_calls": None,
            "model": model,
            "request_data": {},
            "request_headers": None,
            "litellm_version": None,
            "additional_provider_specific_params": scanner.params,
        }
        try:
            async with asyncio.timeout(scanner.deadline_ms / 1000):
                reply = await self._exchange(name, scanner.url, body)
        except TimeoutError:
            return _unavailable(name, f"no reply within {scanner.deadline_ms} ms")
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
            return _unavailable(name, f"the connection failed ({type(error).__name__})")
        except _NotTheContractError as error:
            return _unavailable(name, str(error))
        return _read_reply(name, reply, texts)

    def _open_client(self) -> httpx.AsyncClient:
        import httpx  # noqa: PLC0415 - as above

        if self._client is None:
            self._client = httpx.AsyncClient(
                follow_redirects=False,  # a redirect would send the answer to whoever it names
                trust_env=False,
                timeout=None,  # the deadline holds for the whole exchange  # noqa: S113
                headers={"accept": "application/json", "accept-encoding": "identity", "user-agent": "showable"},
            )
            self._client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=()))  # nothing is carried over
        return self._client

    async def _exchange(self, name: str, url: str, body: Mapping[str, Any]) -> Any:
        headers = {"x-api-key": self._keys[name]} if name in self._keys else {}
        async with self._open_client().stream("POST", url, json=body, headers=headers) as response:
            if response.status_code != HTTPStatus.OK:
                raise _NotTheContractError(f"it answered with status {response.status_code}")
            if response.headers.get("content-encoding", "identity") != "identity":
                raise _NotTheContractError("its reply is encoded, which was not asked for")
            content = bytearray()
            async for chunk in response.aiter_raw():
                content += chunk
                if len(content) > _LARGEST_REPLY:
                    raise _NotTheContractError(f"its reply is larger than {_LARGEST_REPLY} bytes")
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            raise _NotTheContractError("its reply is not JSON") from None


class _NotTheContractError(Exception):
    """A reply that is none of the contract's."""


def _read_reply(name: str, reply: Any, texts: Sequence[str]) -> Finding | None:
    action = reply.get("action") if isinstance(reply, dict) else None
    match action:
        case "NONE":
            return None
        case "BLOCKED":
            given = reply.get("blocked_reason")
            reason = f"the scanner {name} blocks it"
            if isinstance(given, str) and given.strip():
                reason += f": {' '.join(given.split())[:_LONGEST_REASON]}"
            return Finding(code=f"scanner.{name}", outcome=Outcome.FAIL, reason=reason)
        case "GUARDRAIL_INTERVENED":
            changed = reply.get("texts")
            if changed == list(texts):
                return None
            if not isinstance(changed, list):
                return _unavailable(name, "its reply intervenes and gives no texts")
            reason = f"the scanner {name} would change its words"
            return Finding(code=f"scanner.{name}", outcome=Outcome.FAIL, reason=reason)
        case _:
            return _unavailable(name, "its reply has no action that the contract knows")


def _unavailable(name: str, why: str) -> Finding:
    return Finding(code=UNAVAILABLE, outcome=Outcome.UNKNOWN, reason=f"the scanner {name} could not be asked: {why}")
