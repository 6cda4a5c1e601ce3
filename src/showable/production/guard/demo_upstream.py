"""A model that follows a script, so that the guard can be tried without a key: it answers, invents, misquotes, refuses."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from functools import partial

import orjson

from showable.production.guard.client_connection import ClientConnection, Request, response_head
from showable.production.guard.headers import JSON, STREAM
from showable.production.guard.wire.asked import Json
from showable.production.guard.wire.events import data_event

LOG: Json = {
    "retrieved": [
        {
            "source_id": "lease",
            "title": "Lease of 4 May 2021",
            "text": "The tenant may end the lease by giving ninety days' written notice. The deposit is two months' rent.",
        },
        {
            "source_id": "amendment",
            "title": "First amendment",
            "text": "Notice may be given by registered letter or by e-mail to the agent of the landlord.",
        },
    ]
}
"""The retrieval log of the demo's questions, as a request carries it."""
QUESTION = "How much notice must the tenant give?"
_QUOTE = "giving ninety days' written notice"


def _structured(source_id: str, quote: str) -> str:
    citation = {"source_id": source_id, "quoted_span": quote}
    claims = [{"text": "The tenant must give ninety days' written notice.", "citations": [citation]}]
    return json.dumps({"claims": claims, "refusal": "none"})


SCRIPT: dict[str, str] = {
    "answers": "The tenant must give ninety days' written notice [lease]. It may be given by e-mail [amendment].",
    "invents": "The tenant must give ninety days' written notice [lease]. The courts agree [lease-2019-appeal].",
    "misquotes": _structured("lease", "giving sixty days' written notice"),
    "answers-structured": _structured("lease", _QUOTE),
    "refuses": (
        "I don't have evidence for that; the closest passage I found is the Lease of 4 May 2021 [lease], which is about"
        " notice. You might want to ask the landlord's agent."
    ),
}
"""What each model of the demo says."""


Says = Callable[[Json], str]
"""What a scripted model says to a request's body."""


def by_model(given: Json) -> str:
    """Return what the demo's model of this name says."""
    return SCRIPT.get(str(given.get("model")), SCRIPT["answers"])


async def start_demo_upstream(
    port: int = 0,
    says: Says = by_model,
    host: str = "127.0.0.1",
    connections: set[ClientConnection] | None = None,
) -> asyncio.Server:
    """Listen, and answer every interface by a script. Open `connections` are kept in the set, for whoever closes them."""
    held: set[ClientConnection] = set() if connections is None else connections
    loop = asyncio.get_running_loop()
    return await loop.create_server(lambda: ClientConnection(partial(_answer, says), held, 32 << 20), host, port)


async def _answer(says: Says, client: ClientConnection, request: Request) -> None:
    path = request.target.partition(b"?")[0].decode("latin-1")
    write = _WRITERS.get(path)
    if write is None:
        body = orjson.dumps({"object": "list", "data": [{"id": name, "object": "model"} for name in SCRIPT]})
        client.write(response_head(200, JSON, len(body)) + body)
        return
    given = orjson.loads(request.body)
    text = says(given)
    stream = given.get("stream") is True
    body = b"".join(write(given, text, stream=stream))
    client.write(response_head(200, STREAM if stream else JSON, len(body), keep_alive=request.keep_alive) + body)


def _words(text: str) -> list[str]:
    return [f"{word} " for word in text.split(" ")[:-1]] + text.split(" ")[-1:]


def _chat(given: Json, text: str, *, stream: bool) -> Iterator[bytes]:
    usage = {"prompt_tokens": 180, "completion_tokens": len(text) // 4, "total_tokens": 180 + len(text) // 4}
    head = {"id": "chatcmpl-demo", "created": int(time.time()), "model": given.get("model")}
    if not stream:
        message = {"role": "assistant", "content": text, "refusal": None}
        choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
        yield orjson.dumps(head | {"object": "chat.completion", "choices": [choice], "usage": usage})
        return
    head["object"] = "chat.completion.chunk"
    for number, word in enumerate(_words(text)):
        delta = {"content": word} | ({"role": "assistant"} if number == 0 else {})
        yield data_event(orjson.dumps(head | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}))
    yield data_event(orjson.dumps(head | {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}))
    options = given.get("stream_options")
    if isinstance(options, dict) and options.get("include_usage"):
        yield data_event(orjson.dumps(head | {"choices": [], "usage": usage}))
    yield data_event(b"[DONE]")


def _messages(given: Json, text: str, *, stream: bool) -> Iterator[bytes]:
    usage = {"input_tokens": 180, "output_tokens": len(text) // 4}
    whole: Json = {"id": "msg_demo", "type": "message", "role": "assistant", "model": given.get("model")}
    ended: Json = {"stop_reason": "end_turn", "stop_sequence": None}
    if not stream:
        yield orjson.dumps(whole | ended | {"content": [{"type": "text", "text": text}], "usage": usage})
        return
    events: list[Json] = [
        {
            "type": "message_start",
            "message": whole
            | {"content": [], "stop_reason": None, "stop_sequence": None, "usage": usage | {"output_tokens": 1}},
        },
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    ]
    events += [
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": word}}
        for word in _words(text)
    ]
    events += [
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": ended, "usage": {"output_tokens": usage["output_tokens"]}},
        {"type": "message_stop"},
    ]
    for event in events:
        yield data_event(orjson.dumps(event), str(event["type"]))


def _responses(given: Json, text: str, *, stream: bool) -> Iterator[bytes]:
    part: Json = {"type": "output_text", "text": text, "annotations": []}
    item: Json = {"type": "message", "id": "msg_demo", "role": "assistant", "status": "completed", "content": [part]}
    tokens = {"input_tokens": 180, "output_tokens": len(text) // 4, "total_tokens": 180 + len(text) // 4}
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    whole: Json = {
        "id": "resp_demo",
        "object": "response",
        "created_at": int(time.time()),
        "model": given.get("model"),
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "output": [item],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": tokens | details,
    }
    if not stream:
        yield orjson.dumps(whole)
        return
    begun = whole | {"status": "in_progress", "output": [], "usage": None}
    at = {"item_id": "msg_demo", "output_index": 0, "content_index": 0}
    events: list[tuple[str, Json]] = [
        ("response.created", {"response": begun}),
        ("response.output_item.added", {"output_index": 0, "item": item | {"status": "in_progress", "content": []}}),
        ("response.content_part.added", at | {"part": part | {"text": ""}}),
        *(("response.output_text.delta", at | {"delta": word, "logprobs": []}) for word in _words(text)),
        ("response.output_text.done", at | {"text": text, "logprobs": []}),
        ("response.content_part.done", at | {"part": part}),
        ("response.output_item.done", {"output_index": 0, "item": item}),
        ("response.completed", {"response": whole}),
    ]
    for number, (name, event) in enumerate(events):
        yield data_event(orjson.dumps({"type": name, "sequence_number": number} | event), name)


_WRITERS: dict[str, Callable[..., Iterator[bytes]]] = {
    "/v1/chat/completions": _chat,
    "/v1/messages": _messages,
    "/v1/responses": _responses,
}
