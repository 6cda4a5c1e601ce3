"""A judge behind any OpenAI-compatible chat endpoint. What goes wrong out there is an `unknown` with its reason."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal
from weakref import WeakKeyDictionary

from probative.judges.chat_prompt import clean, estimate_tokens, load_prompt
from probative.judges.chat_reply import Reply, Unreadable, read_reply
from probative.judges.chat_settings import ChatSettings
from probative.read.injection import suspect_injection
from probative.records import Cost, Pair, Verdict

_TOKENS_OUT = 120
_LONGEST_WAIT_S = 120.0
"""The SDK waits at most this long before a retry, whatever Retry-After says."""
_SHAPE_REJECTED = frozenset({400, 422})
_REASON_LENGTH = 200


@dataclass(frozen=True, slots=True)
class _Failure:
    """A call that brought no response to read."""

    kind: Literal["timeout", "unreachable", "http_status", "not_json_response", "sdk_error"]
    reason: str
    status: int | None = None


@dataclass(slots=True)
class _Session:
    """What belongs to one event loop: connections and the slots for calls in flight."""

    client: Any
    slots: asyncio.Semaphore


class ChatJudge:
    """Puts one pair a call to a chat model and reads a verdict from a closed menu.

    An unreadable reply is asked for once more, a failed call tried again as the settings say; after
    that the verdict is `unknown` with its reason. `counts` holds calls, retries, reasked,
    json_schema_rejected, usage_estimated (the endpoint did not say how many tokens it used), unknown,
    and unknown by kind (``unknown:timeout``). The name carries a hash of everything that can move a
    verdict but the prompt. Close with `aclose`. Raises SettingError when it is made without a model,
    without a key where one is needed, or without the openai package.
    """

    def __init__(self, settings: ChatSettings) -> None:
        """Check the settings; the SDK is imported at the first call."""
        settings.check_ready()
        self._settings = settings
        self._prompt = load_prompt()
        self.prompt_hash: str | None = self._prompt.hash
        decisive = json.dumps([settings.url, settings.temperature, settings.seed])
        self.name = f"chat:{settings.model}@{hashlib.sha256(decisive.encode()).hexdigest()[:8]}"
        self.counts: Counter[str] = Counter()
        self._json_schema = True
        self._sessions: WeakKeyDictionary[asyncio.AbstractEventLoop, _Session] = WeakKeyDictionary()

    async def verdicts(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """Judge every pair in a call of its own, several at once."""
        return await asyncio.gather(*(self._judge(pair) for pair in pairs))

    def estimate(self, pairs: Sequence[Pair]) -> Cost:
        """Estimate at four characters a token, prompt included, and 120 tokens a reply."""
        tokens_in = sum(self._tokens_in(self._prompt.messages(pair)) for pair in pairs)
        tokens_out = _TOKENS_OUT * len(pairs)
        usd = self._settings.usd(tokens_in, tokens_out)
        return Cost(calls=len(pairs), tokens_in=tokens_in, tokens_out=tokens_out, usd=usd)

    async def aclose(self) -> None:
        """Close the connections of the running event loop."""
        session = self._sessions.pop(asyncio.get_running_loop(), None)
        if session is not None:
            await session.client.close()

    async def _judge(self, pair: Pair) -> Verdict:
        outcome, cost = await self._ask(pair)
        asked_twice = isinstance(outcome, Unreadable)
        if isinstance(outcome, Unreadable):
            self.counts["reasked"] += 1
            outcome, again = await self._ask(pair, outcome.say)
            cost += again
        suspected = suspect_injection(pair.passage)
        if isinstance(outcome, Reply):
            return Verdict(
                label=outcome.label,
                judge=self.name,
                p=outcome.p,
                quote=outcome.quote,
                quote_span=outcome.quote_span,
                reason=outcome.reason,
                injection_suspected=suspected,
                cost=cost,
            )
        kind = outcome.fault if isinstance(outcome, Unreadable) else outcome.kind
        self.counts.update(("unknown", f"unknown:{kind}"))
        reason = f"{outcome.reason} (asked twice)" if asked_twice else outcome.reason
        return Verdict(label="unknown", judge=self.name, reason=reason, injection_suspected=suspected, cost=cost)

    async def _ask(self, pair: Pair, why: str | None = None) -> tuple[Reply | Unreadable | _Failure, Cost]:
        messages = self._prompt.messages(pair, why)
        self.counts["calls"] += 1
        response = await self._send(messages)
        if isinstance(response, _Failure):
            return response, self._cost_of_failure(response, messages)
        return _read(response, clean(pair.passage)), self._cost(response, messages)

    async def _send(self, messages: list[dict[str, str]]) -> dict[str, Any] | _Failure:
        """Ask for a reply of the prompt's schema, or for any JSON object where the endpoint knows no schemas."""
        if self._json_schema:
            schema = {"name": "verdict", "strict": True, "schema": self._prompt.schema}
            response = await self._call(messages, {"type": "json_schema", "json_schema": schema})
            if not isinstance(response, _Failure) or response.status not in _SHAPE_REJECTED:
                return response
            self.counts["json_schema_rejected"] += 1
        response = await self._call(messages, {"type": "json_object"})
        if not isinstance(response, _Failure):
            self._json_schema = False
        return response

    async def _call(self, messages: list[dict[str, str]], shape: dict[str, Any]) -> dict[str, Any] | _Failure:
        import openai  # noqa: PLC0415 - takes most of a second, and only this judge needs it

        session = self._session()
        settings = self._settings
        asked = {"temperature": settings.temperature, "seed": settings.seed}
        options = {name: value for name, value in asked.items() if value is not None}
        # The SDK's timeout restarts with every byte; this one ends a reply that trickles for ever.
        deadline = settings.timeout_s * (settings.retries + 1) + _LONGEST_WAIT_S * settings.retries
        try:
            async with session.slots, asyncio.timeout(deadline):
                raw = await session.client.chat.completions.with_raw_response.create(
                    model=settings.model, messages=messages, response_format=shape, **options
                )
        except (TimeoutError, openai.APITimeoutError):
            tries = f" in {settings.retries + 1} tries" if settings.retries else ""
            return _Failure("timeout", f"no reply within {settings.timeout_s:g} s{tries}")
        except openai.APIConnectionError as error:
            return _Failure("unreachable", self._say(f"cannot reach {settings.url}: {error.__cause__ or error}"))
        except openai.APIStatusError as error:
            said = error.body.get("message") if isinstance(error.body, dict) else None
            reason = self._say(f"HTTP {error.status_code}: {said or error.message}")
            return _Failure("http_status", reason, error.status_code)
        except Exception as error:  # noqa: BLE001 - a judge never raises; what the SDK lets through is an unknown too
            return _Failure("sdk_error", self._say(f"{type(error).__name__}: {error}"))
        self.counts["retries"] += raw.retries_taken
        return _body(raw.text)

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
            )
            session = self._sessions[loop] = _Session(client, asyncio.Semaphore(settings.concurrency))
        return session

    def _tokens_in(self, messages: list[dict[str, str]]) -> int:
        return estimate_tokens(sum(len(message["content"]) for message in messages))

    def _cost(self, response: dict[str, Any], messages: list[dict[str, str]]) -> Cost:
        tokens = _usage(response)
        if tokens is None:
            self.counts["usage_estimated"] += 1
        tokens_in, tokens_out = tokens or (self._tokens_in(messages), _TOKENS_OUT)
        usd = self._settings.usd(tokens_in, tokens_out)
        return Cost(calls=1, tokens_in=tokens_in, tokens_out=tokens_out, usd=usd)

    def _cost_of_failure(self, failure: _Failure, messages: list[dict[str, str]]) -> Cost:
        """Charge a call that timed out with what was sent: it may have been billed. A refused one was not."""
        if failure.kind != "timeout":
            return Cost(calls=1)
        self.counts["usage_estimated"] += 1
        tokens_in = self._tokens_in(messages)
        return Cost(calls=1, tokens_in=tokens_in, usd=self._settings.usd(tokens_in, 0))

    def _say(self, reason: str) -> str:
        """Shorten what an endpoint said, and keep the key out of it."""
        key = self._settings.api_key
        said = " ".join(clean(reason.replace(key, "[key]") if key else reason).split())
        return said if len(said) <= _REASON_LENGTH else f"{said[:_REASON_LENGTH]}…"


def _body(text: str) -> dict[str, Any] | _Failure:
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        body = None
    return (
        body
        if isinstance(body, dict)
        else _Failure("not_json_response", "the endpoint's response is not a JSON object")
    )


def _read(response: dict[str, Any], passage: str) -> Reply | Unreadable:
    choices = response.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        return Unreadable("no_message", clean(str(response.get("error") or "")))
    if message.get("refusal") or choice.get("finish_reason") == "content_filter":
        return Unreadable("refused", clean(str(message.get("refusal") or "content filter")))
    if choice.get("finish_reason") == "length":
        return Unreadable("truncated")
    content = message.get("content")
    return read_reply(content, passage) if isinstance(content, str) else Unreadable("empty")


def _usage(response: dict[str, Any]) -> tuple[int, int] | None:
    usage = response.get("usage")
    if not isinstance(usage, dict):
        return None
    tokens_in, tokens_out = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if type(tokens_in) is not int or type(tokens_out) is not int or min(tokens_in, tokens_out) < 0:
        return None
    return tokens_in, tokens_out
