"""A guard on loopback in a thread of its own, before an upstream that follows a test's script."""

import asyncio
import json
import tempfile
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import uvloop

from showable.production.guard.client_connection import ClientConnection, response_head
from showable.production.guard.cost import Prices
from showable.production.guard.guard_file import read_guard_file
from showable.production.guard.worker import Worker, listening_socket

LOG = {
    "retrieved": [
        {
            "source_id": "lease",
            "title": "Lease",
            "text": "The tenant may end the lease by giving ninety days' written notice.",
        },
        {
            "source_id": "amendment",
            "title": "Amendment",
            "text": "Notice may be given by e-mail to the agent.",
            "page": 3,
        },
    ]
}
GOOD = "The tenant must give ninety days' written notice [lease]. It may be given by e-mail [amendment]."
BAD = "The tenant must give ninety days' written notice [lease]. The courts agree [appeal]."
SECRET = "The courts agree"
"""Words of the bad answer that no client may see."""


def structured(source_id="lease", quote="giving ninety days' written notice"):
    citation = {"source_id": source_id, "quoted_span": quote}
    return json.dumps({"claims": [{"text": "Notice is ninety days.", "citations": [citation]}], "refusal": "none"})


ROUTE = {"name": "all", "upstream": "model", "profile": "general", "no_retrieval": "reject", "semantic": "off"}


def config_text(port, route=None, upstream=None, top=""):
    """The smallest config, with what a test changes."""
    fields = ROUTE | (route or {})
    table = {"base_url": f"http://127.0.0.1:{port}", "apis": ["chat", "responses", "messages"], "key": "client"} | (
        upstream or {}
    )
    lines = [top, "[upstream.model]", *(f"{k} = {_toml(v)}" for k, v in table.items()), "[[route]]"]
    return "\n".join([*lines, *(f"{k} = {_toml(v)}" for k, v in fields.items() if v is not None)])


def _toml(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml(inner)}" for key, inner in value.items()) + "}"
    return json.dumps(value)


@dataclass
class Reply:
    """What the upstream writes: parts of bytes, each by itself, or an event to wait for; then it closes, resets or stalls."""

    parts: list
    then: str = "keep"


@dataclass
class Upstream:
    """Answers by `script(request)`, which gives bytes of JSON, a list of events, or a Reply of raw bytes; keeps what it was asked."""

    script: object
    asked: list = field(default_factory=list)
    left: int = 0
    port: int = 0

    async def answer(self, client, request):
        self.asked.append(request)
        found = self.script(request) if callable(self.script) else self.script
        if isinstance(found, Reply):
            await self._raw(client, found)
            return
        status, body, kind = (200, *found) if len(found) == 2 else found
        head = response_head(
            status, [(b"content-type", kind), (b"x-request-id", b"req-1"), (b"x-showable-release", b"show")], len(body)
        )
        client.write(head + body)

    async def _raw(self, client, reply):
        for part in reply.parts:
            if isinstance(part, threading.Event):
                await asyncio.get_running_loop().run_in_executor(None, part.wait, 30)
                continue
            client.write(part)
            await asyncio.sleep(0)
        if reply.then == "close":
            client.close()
        elif reply.then == "reset":
            client._transport.abort()
        elif reply.then == "stall":
            try:
                await asyncio.Event().wait()
            finally:
                self.left += 1


@dataclass
class Guard:
    """A running guard: where it is, its worker, and the upstream behind it."""

    url: str
    port: int
    worker: Worker
    upstream: Upstream
    loop: asyncio.AbstractEventLoop
    config: Path

    def call_soon(self, function):
        """Run a function in the guard's thread, and wait for it."""
        done = threading.Event()
        self.loop.call_soon_threadsafe(lambda: (function(), done.set()))
        assert done.wait(10)


@contextmanager
def guarding(script, route=None, *, upstream=None, top="", text=None, prices=None, environment=None):
    """Run a guard before an upstream until the test is over."""
    behind, started, found, ended = Upstream(script), threading.Event(), [], []

    async def run(folder):
        connections = set()
        loop = asyncio.get_running_loop()
        server = await loop.create_server(
            lambda: ClientConnection(behind.answer, connections, 64 << 20), "127.0.0.1", 0
        )
        behind.port = server.sockets[0].getsockname()[1]
        config = Path(folder) / "guard.toml"
        config.write_text(
            text.replace("PORT", str(behind.port)) if text else config_text(behind.port, route, upstream, top), "utf-8"
        )
        settings = read_guard_file(config, environment or {})
        taken = listening_socket("127.0.0.1", 0)
        port = taken.getsockname()[1]
        worker = Worker(settings, prices or Prices(settings.table.prices, {}), Path(folder), config=config)
        found.append(Guard(f"http://127.0.0.1:{port}", port, worker, behind, loop, config))
        started.set()
        await worker.serve(taken)
        server.close()
        for connection in list(connections):
            connection.close()

    def begin():
        with tempfile.TemporaryDirectory() as folder:
            try:
                uvloop.run(run(folder))  # as the command does
            except BaseException as error:  # noqa: BLE001 - told in the test's thread
                ended.append(error)
            finally:
                started.set()

    thread = threading.Thread(target=begin, daemon=True)
    thread.start()
    assert started.wait(30)
    if ended:
        raise ended[0]
    guard = found[0]
    try:
        yield guard
    finally:
        guard.loop.call_soon_threadsafe(guard.worker.stopped.set)
        thread.join(30)
        assert not thread.is_alive()
        if ended:
            raise ended[0]


JSON, SSE = b"application/json", b"text/event-stream"


def chat(text=GOOD, **message):
    """A chat completion."""
    finish = message.pop("finish_reason", "stop")
    made = {"role": "assistant", "content": text} | message
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 20,
        "total_tokens": 120,
        "prompt_tokens_details": {"cached_tokens": 60},
    }
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "message": made, "finish_reason": finish, "logprobs": None}],
        "usage": usage,
    }


def responses(text=GOOD, output=None, **fields):
    """A response of the Responses interface."""
    part = {"type": "output_text", "text": text, "annotations": fields.pop("annotations", [])}
    item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [part]}
    base = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": "m",
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "output": [item] if output is None else output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 100,
            "output_tokens": 20,
            "total_tokens": 120,
            "input_tokens_details": {"cached_tokens": 60},
            "output_tokens_details": {"reasoning_tokens": 5},
        },
    }
    return base | fields


def messages(text=GOOD, content=None, **fields):
    """A message of Anthropic's interface."""
    base = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [{"type": "text", "text": text}] if content is None else content,
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": 40,
            "output_tokens": 20,
            "cache_read_input_tokens": 60,
            "cache_creation_input_tokens": 0,
        },
    }
    return base | fields


def event(data, name=""):
    body = data if isinstance(data, str) else json.dumps(data)
    return (f"event: {name}\n" if name else "") + f"data: {body}\n\n"


def as_stream(reply, *, usage=False):
    """The events that the same reply comes as with `stream`."""
    if reply.get("object") == "chat.completion":
        return _chat_events(reply, usage)
    if reply.get("object") == "response":
        return _response_events(reply)
    return _message_events(reply)


def _cut(text, size=7):
    return [text[at : at + size] for at in range(0, len(text), size)]


def _chat_events(reply, usage):
    head = {key: reply[key] for key in ("id", "created", "model")} | {"object": "chat.completion.chunk"}
    out = []
    for choice in reply["choices"]:
        index, message = choice["index"], choice["message"]

        def delta(index=index, **fields):
            return event(head | {"choices": [{"index": index, "delta": fields, "finish_reason": None}]})

        out.append(delta(role="assistant"))
        for key in ("reasoning_content", "content", "refusal"):
            out += [delta(**{key: piece}) for piece in _cut(message.get(key) or "")]
        for at, call in enumerate(message.get("tool_calls") or ()):
            begun = {
                "index": at,
                "id": call["id"],
                "type": "function",
                "function": {"name": call["function"]["name"], "arguments": ""},
            }
            out.append(delta(tool_calls=[begun]))
            out += [
                delta(tool_calls=[{"index": at, "function": {"arguments": p}}])
                for p in _cut(call["function"]["arguments"])
            ]
        if message.get("annotations"):
            out.append(delta(annotations=message["annotations"]))
        out.append(event(head | {"choices": [{"index": index, "delta": {}, "finish_reason": choice["finish_reason"]}]}))
    if usage:
        out.append(event(head | {"choices": [], "usage": reply["usage"]}))
    return [*out, event("[DONE]")]


def _response_events(reply):
    begun = reply | {"status": "in_progress", "output": [], "usage": None}
    out = [("response.created", {"response": begun}), ("response.in_progress", {"response": begun})]
    for index, item in enumerate(reply["output"]):
        out.append(
            (
                "response.output_item.added",
                {
                    "output_index": index,
                    "item": item | {"status": "in_progress"} | ({"content": []} if "content" in item else {}),
                },
            )
        )
        for at, part in enumerate(item.get("content") or ()):
            place = {"item_id": item["id"], "output_index": index, "content_index": at}
            words, field_ = (
                ("response.output_text", "text") if part["type"] == "output_text" else ("response.refusal", "refusal")
            )
            extra = {"logprobs": []} if field_ == "text" else {}
            out.append(("response.content_part.added", place | {"part": part | {field_: ""}}))
            out += [(f"{words}.delta", place | {"delta": piece} | extra) for piece in _cut(part[field_])]
            out.append((f"{words}.done", place | {field_: part[field_]} | extra))
            out.append(("response.content_part.done", place | {"part": part}))
        if item["type"] == "function_call":
            out.append(
                (
                    "response.function_call_arguments.done",
                    {
                        "item_id": item["id"],
                        "output_index": index,
                        "arguments": item["arguments"],
                        "name": item["name"],
                    },
                )
            )
        out.append(("response.output_item.done", {"output_index": index, "item": item}))
    last = {"completed": "response.completed", "incomplete": "response.incomplete", "failed": "response.failed"}[
        reply["status"]
    ]
    out.append((last, {"response": reply}))
    return [event({"type": name, "sequence_number": n} | data, name) for n, (name, data) in enumerate(out)]


def _message_events(reply):
    start = reply | {"content": [], "stop_reason": None, "usage": reply["usage"] | {"output_tokens": 1}}
    out = [{"type": "message_start", "message": start}, {"type": "ping"}]
    for index, block in enumerate(reply["content"]):
        if block["type"] == "text":
            out.append({"type": "content_block_start", "index": index, "content_block": {"type": "text", "text": ""}})
            out += [
                {"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": p}}
                for p in _cut(block["text"])
            ]
            out += [
                {"type": "content_block_delta", "index": index, "delta": {"type": "citations_delta", "citation": c}}
                for c in block.get("citations") or ()
            ]
        elif block["type"] == "thinking":
            out.append(
                {
                    "type": "content_block_start",
                    "index": index,
                    "content_block": {"type": "thinking", "thinking": "", "signature": ""},
                }
            )
            out += [
                {"type": "content_block_delta", "index": index, "delta": {"type": "thinking_delta", "thinking": p}}
                for p in _cut(block["thinking"])
            ]
        else:
            out.append({"type": "content_block_start", "index": index, "content_block": block | {"input": {}}})
            out += [
                {
                    "type": "content_block_delta",
                    "index": index,
                    "delta": {"type": "input_json_delta", "partial_json": p},
                }
                for p in _cut(json.dumps(block["input"]))
            ]
        out.append({"type": "content_block_stop", "index": index})
    out.append(
        {
            "type": "message_delta",
            "delta": {"stop_reason": reply["stop_reason"], "stop_sequence": None},
            "usage": {"output_tokens": reply["usage"]["output_tokens"]},
        }
    )
    return [event(one, one["type"]) for one in [*out, {"type": "message_stop"}]]


def model(plain):
    """A script that gives a reply as it is, or as a stream where it is asked for one."""

    def script(request):
        given = json.loads(request.body) if request.body else {}
        if given.get("stream"):
            asked = (given.get("stream_options") or {}).get("include_usage", False)
            return "".join(as_stream(plain, usage=asked)).encode(), SSE
        return json.dumps(plain).encode(), JSON

    return script


def in_turn(*replies):
    """A script that gives these replies one after the other."""
    coming = iter(replies)

    def script(request):
        return model(next(coming))(request)

    return script
