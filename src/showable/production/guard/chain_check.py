"""Whether a deployed chain of gateways lets a bad answer through: a scripted model behind it, a client before it."""

from __future__ import annotations

import asyncio
import json
import secrets
import string
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from showable.production.guard.client_connection import ClientConnection
from showable.production.guard.demo_upstream import start_demo_upstream
from showable.production.guard.wire.asked import Json

if TYPE_CHECKING:
    import httpx

CheckedApi = Literal["chat", "responses", "messages"]
PATHS: dict[CheckedApi, str] = {
    "chat": "/v1/chat/completions",
    "responses": "/v1/responses",
    "messages": "/v1/messages",
}
_WORDS, _LETTERS = 40, 9
"""Words that no other text holds: so many that a gateway which looks at every nth piece of a stream has let some out."""
_LARGEST_REPLY = 4 << 20
_CARRY_TEXT = frozenset(
    {"content", "text", "delta", "refusal", "arguments", "thinking", "reasoning_content", "message"}
)
Outcome = Literal["held", "leaked", "shown", "not_shown", "not_asked"]


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of one answer sent through the chain. `words` counts those of the answer that came back.

    A bad one is `held` or `leaked`, a good one `shown` or `not_shown`; `not_asked` where the chain did not ask the model.
    """

    api: CheckedApi
    stream: bool
    bad: bool
    outcome: Outcome
    words: int
    status: int | None
    told: str = ""


@dataclass(frozen=True, slots=True)
class ChainReport:
    """Every answer that was sent through, and what they come to."""

    tried: tuple[Tried, ...]

    @property
    def leaked(self) -> bool:
        """Whether any part of a bad answer came back."""
        return any(one.outcome == "leaked" for one in self.tried)

    @property
    def proves(self) -> bool:
        """Whether every interface that is served held the bad answer and showed the good one."""
        served = {one.api for one in self.tried if one.outcome != "not_asked"}
        mine = [one for one in self.tried if one.api in served]
        return bool(served) and all(one.outcome in {"held", "shown"} for one in mine)


@dataclass(slots=True)
class _Model:
    """The model behind the chain: it says what the question asks of it, by the token in it."""

    answers: dict[str, str] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)

    def says(self, given: Json) -> str:
        """Return the answer of the token that stands in the request."""
        whole = json.dumps(given)
        token = next((token for token in self.answers if token in whole), None)
        if token is None:
            return "This model answers the check of the guard alone."
        self.asked.add(token)
        return self.answers[token]


@dataclass(frozen=True, slots=True)
class Chain:
    """Where a chain is entered, and how: `guard` is the guard's own address, where logs are put before the question.

    Without it the log goes with the request, in the field `showable`. `headers` carry the keys of the chain.
    """

    url: str
    model: str
    headers: dict[str, str] = field(default_factory=dict)
    guard: str | None = None
    guard_headers: dict[str, str] = field(default_factory=dict)


async def check_chain(chain: Chain, listen: tuple[str, int], apis: Sequence[CheckedApi]) -> ChainReport:
    """Send a bad answer and a good one through a chain.

    On each interface, plain and streamed. The chain must have a model of the name given that leads to `listen`, where a scripted one answers meanwhile. Raises
    OSError where that address cannot be listened on.
    """
    import httpx  # noqa: PLC0415 - a tenth of a second, and the proxy does without

    model = _Model()
    async with _serving(model, listen), httpx.AsyncClient(timeout=60, trust_env=False) as client:
        tried = [
            await _try(client, chain, model, api, stream=stream, bad=bad)
            for api in apis
            for stream in (False, True)
            for bad in (True, False)
        ]
    return ChainReport(tuple(tried))


@asynccontextmanager
async def _serving(model: _Model, listen: tuple[str, int]) -> AsyncIterator[None]:
    host, port = listen
    connections: set[ClientConnection] = set()
    server = await start_demo_upstream(port, model.says, host, connections)
    try:
        yield
    finally:
        server.close()
        for connection in list(connections):
            connection.close()
        while connections:  # noqa: ASYNC110 - each leaves the set once the loop has closed it
            await asyncio.sleep(0)


async def _try(
    client: httpx.AsyncClient, chain: Chain, model: _Model, api: CheckedApi, *, stream: bool, bad: bool
) -> Tried:
    """Send one question, and look for its answer's words in what comes back."""
    import httpx  # noqa: PLC0415 - as above

    token = f"check-{secrets.token_hex(8)}"
    listed, words = _some_words(), _some_words()
    words = words if bad else listed
    model.answers[token] = f"The list reads {' '.join(words)} [list-{'9' if bad else '1'}]."
    passage = {"source_id": "list-1", "text": f"The list reads {' '.join(listed)}."}
    log: Json = {"question": f"What does the list read? ({token})", "retrieved": [passage]}
    try:
        headers = await _with_log(client, chain, token, log)
        status, content = await _asked(client, chain, api, log, headers, stream=stream)
    except httpx.HTTPError as error:
        told = f"{type(error).__name__} at {chain.url}"
        return Tried(api, stream, bad, "not_asked" if token not in model.asked else "not_shown", 0, None, told)
    text = content.decode("utf-8", "replace")
    seen = text + "\n" + "".join(_texts(text))
    found = sum(word in seen for word in words)
    if found and bad:
        outcome: Outcome = "leaked"
    elif token not in model.asked:
        outcome = "not_asked"
    elif bad:
        outcome = "held"
    else:
        outcome = "shown" if found == len(words) else "not_shown"
    told = "" if outcome == "shown" else " ".join(text.split())[:200]
    return Tried(api, stream, bad, outcome, found, status, told if not found else "")


def _some_words() -> list[str]:
    return ["".join(secrets.choice(string.ascii_lowercase) for _ in range(_LETTERS)) for _ in range(_WORDS)]


async def _with_log(client: httpx.AsyncClient, chain: Chain, token: str, log: Json) -> dict[str, str]:
    if chain.guard is None:
        return chain.headers
    put = await client.put(f"{chain.guard}/showable/logs/{token}", json=log, headers=chain.guard_headers)
    put.raise_for_status()
    return chain.headers | {"x-showable-log": token}


async def _asked(
    client: httpx.AsyncClient, chain: Chain, api: CheckedApi, log: Json, headers: dict[str, str], *, stream: bool
) -> tuple[int, bytes]:
    """Return the status of the chain's reply and its body, at most 4 MiB of it."""
    body: Json = {"model": chain.model, "stream": stream}
    if api == "responses":
        body |= {"input": log["question"]}
    else:
        body |= {"messages": [{"role": "user", "content": log["question"]}]}
    if api == "messages":
        body |= {"max_tokens": 1000}
        headers = {"anthropic-version": "2023-06-01"} | headers
    if chain.guard is None:
        body |= {"showable": log}
    content = bytearray()
    async with client.stream("POST", chain.url + PATHS[api], json=body, headers=headers) as response:
        async for chunk in response.aiter_bytes():
            content += chunk
            if len(content) > _LARGEST_REPLY:
                break
    return response.status_code, bytes(content)


def _texts(text: str) -> Iterator[str]:
    """Yield what a reply says, piece by piece: of a body, or of the events of a stream, where a word may come in two."""
    for line in text.splitlines():
        try:
            value = json.loads(line.removeprefix("data:"))
        except ValueError:  # the name of an event, a blank line, `[DONE]`: none of them carries words of an answer
            continue
        yield from _said(value)


def _said(value: Any, *, carries: bool = False) -> Iterator[str]:
    if isinstance(value, str):
        if carries:
            yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _said(inner, carries=key in _CARRY_TEXT)
    elif isinstance(value, list):
        for inner in value:
            yield from _said(inner, carries=carries)
