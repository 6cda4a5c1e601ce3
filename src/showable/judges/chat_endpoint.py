"""One OpenAI-compatible endpoint: send messages, get a response or the reason why there is none, and what it cost."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal
from weakref import WeakKeyDictionary

from showable.judges.chat_prompt import Messages, clean, estimate_tokens
from showable.judges.chat_settings import ChatSettings
from showable.records import Cost

MOST_BYTES = 4 * 2**20
"""Bytes of a response that are read; a verdict takes a thousand."""
TOKENS_OUT = 120
"""Tokens of a verdict with its reason and quote, where an endpoint does not say."""
_LONGEST_WAIT_S = 120.0
"""The SDK waits at most this long before a retry, whatever Retry-After says."""
_SHAPE_REJECTED = frozenset({400, 422})
_REASON_LENGTH = 200
_TOKEN_OPTIONS: tuple[dict[str, Any], ...] = (
    {"logprobs": True, "top_logprobs": 20, "max_tokens": 1},
    {"logprobs": True, "top_logprobs": 5, "max_completion_tokens": 1},
)
"""How one token is asked for with the likeliest others: as most servers take it, and as the rest do."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A call that brought no response to read."""

    kind: Literal["timeout", "unreachable", "http_status", "not_json_response", "sdk_error"]
    reason: str
    status: int | None = None

    @property
    def headline(self) -> str:
        """The failure in a word or two."""
        if self.kind == "not_json_response":
            return "unreadable reply"
        return str(self.status) if self.status is not None else self.kind.replace("_", " ")


@dataclass(frozen=True, slots=True)
class Request:
    """What to send: messages, the schema of the reply and its name, how many verdicts it will hold, and the seed.

    Without a schema the reply is asked for as plain text; with `one_token` no more than that, and its probability.
    """

    messages: Messages
    schema: dict[str, Any] | None
    verdicts: int = 1
    seed: int | None = None
    schema_name: str = "verdict"
    one_token: bool = False


@dataclass(slots=True)
class _Session:
    """What belongs to one event loop: connections and the slots for calls in flight."""

    client: Any
    slots: asyncio.Semaphore


class ChatEndpoint:
    """Sends requests, several at once, as the settings say. The SDK is imported at the first call.

    Adds to `counts`: calls, retries, json_schema_rejected, top_logprobs_rejected, and usage_estimated where the endpoint
    did not say how many tokens it used.
    """

    def __init__(self, settings: ChatSettings, counts: Counter[str]) -> None:
        self._settings, self._counts = settings, counts
        self._json_schema = True
        self._token_options = 0
        self._sessions: WeakKeyDictionary[asyncio.AbstractEventLoop, _Session] = WeakKeyDictionary()

    async def ask(self, request: Request) -> tuple[dict[str, Any] | Failure, Cost]:
        """Send a request: the response or the failure, and the cost either way."""
        self._counts["calls"] += 1
        response = await self._send(request)
        if isinstance(response, Failure):
            return response, self._cost_of_failure(response, request)
        return response, self._cost(response, request)

    def estimate(self, request: Request) -> Cost:
        """Estimate at four characters a token, prompt included, and 120 tokens a verdict or one."""
        tokens_in = estimate_tokens(request.messages)
        tokens_out = 1 if request.one_token else TOKENS_OUT * request.verdicts
        usd = self._settings.usd(tokens_in, tokens_out)
        return Cost(calls=1, tokens_in=tokens_in, tokens_out=tokens_out, usd=usd)

    async def aclose(self) -> None:
        """Close the connections of the running event loop."""
        session = self._sessions.pop(asyncio.get_running_loop(), None)
        if session is not None:
            await session.client.close()

    async def _send(self, request: Request) -> dict[str, Any] | Failure:
        """Ask for a reply of the prompt's schema, or for any JSON object where the endpoint knows no schemas."""
        if request.one_token:
            return await self._send_for_token(request)
        if request.schema is None:
            return await self._call(request, {})
        if self._json_schema:
            schema = {"name": request.schema_name, "strict": True, "schema": request.schema}
            response = await self._call(request, {"response_format": {"type": "json_schema", "json_schema": schema}})
            if not isinstance(response, Failure) or response.status not in _SHAPE_REJECTED:
                return response
            self._counts["json_schema_rejected"] += 1
        response = await self._call(request, {"response_format": {"type": "json_object"}})
        if not isinstance(response, Failure):
            self._json_schema = False
        return response

    async def _send_for_token(self, request: Request) -> dict[str, Any] | Failure:
        """Ask for one token and the likeliest others, with fewer of them where the endpoint refuses so many."""
        first = self._token_options
        response = await self._call(request, _TOKEN_OPTIONS[first])
        if first or not isinstance(response, Failure) or response.status not in _SHAPE_REJECTED:
            return response
        self._counts["top_logprobs_rejected"] += 1
        response = await self._call(request, _TOKEN_OPTIONS[1])
        if not isinstance(response, Failure):
            self._token_options = 1
        return response

    async def _call(self, request: Request, shape: dict[str, Any]) -> dict[str, Any] | Failure:
        import openai  # noqa: PLC0415 - takes most of a second, and only this judge needs it

        session = self._session()
        settings = self._settings
        asked = {"temperature": settings.temperature_in_use, "seed": request.seed, **shape}
        options = {name: value for name, value in asked.items() if value is not None}
        # The SDK's timeout restarts with every byte; this one ends a reply that trickles for ever, and says its own seconds.
        deadline = settings.timeout_s * (settings.retries + 1) + _LONGEST_WAIT_S * settings.retries
        try:
            async with session.slots, asyncio.timeout(deadline):
                raw = await session.client.chat.completions.with_raw_response.create(
                    model=settings.model, messages=request.messages, **options
                )
        except TimeoutError:
            together = ", tries and waits together" if settings.retries else ""
            return Failure("timeout", f"no reply within {deadline:g} s{together}")
        except openai.APITimeoutError:
            tries = f" in {settings.retries + 1} tries" if settings.retries else ""
            return Failure("timeout", f"no reply within {settings.timeout_s:g} s{tries}")
        except openai.APIConnectionError as error:
            return Failure("unreachable", self._say(f"cannot reach {settings.url}: {error.__cause__ or error}"))
        except openai.APIStatusError as error:
            said = error.body.get("message") if isinstance(error.body, dict) else None
            reason = self._say(f"HTTP {error.status_code}: {said or error.message}")
            return Failure("http_status", reason, error.status_code)
        except Exception as error:  # noqa: BLE001 - a judge never raises; what the SDK lets through is an unknown too
            return Failure("sdk_error", self._say(f"{type(error).__name__}: {error}"))
        self._counts["retries"] += raw.retries_taken
        return _body(raw.text, self._settings.mask)

    def _session(self) -> _Session:
        loop = asyncio.get_running_loop()
        session = self._sessions.get(loop)
        if session is None:
            import openai  # noqa: PLC0415 - as above

            settings = self._settings
            client = openai.AsyncOpenAI(
                api_key=settings.api_key or "none",
                base_url=settings.url,
                timeout=settings.timeout_s,
                max_retries=settings.retries,
                default_headers={"Accept-Encoding": "identity"},
                http_client=openai.DefaultAsyncHttpxClient(
                    event_hooks={"response": [_capping(openai.DefaultAsyncHttpxClient)]}
                ),
            )
            session = self._sessions[loop] = _Session(client, asyncio.Semaphore(settings.concurrency))
        return session

    def _cost(self, response: dict[str, Any], request: Request) -> Cost:
        tokens = _usage(response)
        if tokens is None:
            self._counts["usage_estimated"] += 1
            return self.estimate(request)
        usd = self._settings.usd(*tokens)
        return Cost(calls=1, tokens_in=tokens[0], tokens_out=tokens[1], usd=usd)

    def _cost_of_failure(self, failure: Failure, request: Request) -> Cost:
        """Charge a call that timed out with what was sent: it may have been billed. A refused one was not."""
        if failure.kind != "timeout":
            return Cost(calls=1)
        self._counts["usage_estimated"] += 1
        tokens_in = estimate_tokens(request.messages)
        return Cost(calls=1, tokens_in=tokens_in, usd=self._settings.usd(tokens_in, 0))

    def _say(self, reason: str) -> str:
        """Shorten what an endpoint said, and keep the key out of it."""
        said = self._settings.mask(" ".join(clean(reason).split()))
        return said if len(said) <= _REASON_LENGTH else f"{said[:_REASON_LENGTH]}…"


def _capping(client: type) -> Callable[[Any], Awaitable[None]]:
    """Return a hook that lets a few MB of a response be read and unpacks nothing: what is packed may be of any size.

    `client` is the SDK's own: what its library calls a stream depends on the version.
    """
    library = import_module(client.__mro__[1].__module__.partition(".")[0])
    stream_type: Any = library.AsyncByteStream

    class Capped(stream_type):  # type: ignore[misc]
        """A response's bytes up to one more than `MOST_BYTES`, by which it is seen to be too long."""

        def __init__(self, stream: Any) -> None:
            self._stream = stream

        async def __aiter__(self) -> AsyncIterator[bytes]:
            room = MOST_BYTES + 1
            async for chunk in self._stream:
                yield chunk[:room]
                room -= len(chunk)
                if room <= 0:
                    return

        async def aclose(self) -> None:
            await self._stream.aclose()

    async def cap(response: Any) -> None:
        response.headers.pop("Content-Encoding", None)  # it was asked not to pack; what is packed is no JSON
        response.stream = Capped(response.stream)

    return cap


def _body(text: str, mask: Callable[[str], str]) -> dict[str, Any] | Failure:
    """Read a response's body, with the key kept out of every text in it: it may echo the request."""
    if len(text.encode(errors="replace")) > MOST_BYTES:
        return Failure("not_json_response", f"the endpoint's response is longer than {MOST_BYTES // 2**20} MiB")
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        body = None
    if isinstance(body, dict):
        masked: dict[str, Any] = _masked(body, mask)
        return masked
    return Failure("not_json_response", "the endpoint's response is not a JSON object")


def _masked(value: Any, mask: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, list):
        return [_masked(one, mask) for one in value]
    return {mask(name): _masked(one, mask) for name, one in value.items()} if isinstance(value, dict) else value


def _usage(response: dict[str, Any]) -> tuple[int, int] | None:
    usage = response.get("usage")
    if not isinstance(usage, dict):
        return None
    tokens_in, tokens_out = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if type(tokens_in) is not int or type(tokens_out) is not int or min(tokens_in, tokens_out) < 0:
        return None
    return tokens_in, tokens_out
