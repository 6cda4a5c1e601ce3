"""A LiteLLM proxy as it is installed, between a model and a guard endpoint of the tests' own; all on loopback."""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import socket
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from aiohttp import web

from showable.production.guard.call import Policy
from showable.production.guard.contracts.ruling import CONTRACTS, RouteRules, read_body, rule_on
from showable.production.guard.retrieval import GivenLog

PEERS = os.environ.get("SHOWABLE_PEERS")
"""The folder of the peers' commands, which `make test-peers` names; no other run asks them."""
LITELLM = Path(PEERS or "absent") / "litellm"
CONTRACT = "/beta/litellm_basic_guardrail_api"
STARTS_S = 300


class Logs(dict):
    """Logs by tenant and id."""

    def put(self, tenant, log_id, body):
        self[tenant, log_id] = GivenLog.model_validate_json(body)

    def get(self, tenant, log_id):
        return super().get((tenant, log_id))


@dataclass
class Model:
    """What answers behind the proxy: one text through three interfaces, plain and streamed."""

    text: str = ""
    asked: list[tuple[str, Any]] = field(default_factory=list)

    async def chat(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.asked.append(("chat", body))
        head = {"id": "chatcmpl-1", "created": 1, "model": "m"}
        usage = {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18}
        if not body.get("stream"):
            note = {
                "type": "url_citation",
                "url_citation": {"url": "https://example.org/", "title": "t", "start_index": 0, "end_index": 3},
            }
            message = {"role": "assistant", "content": self.text, "annotations": [note]}
            choice = {"index": 0, "finish_reason": "stop", "message": message}
            return web.json_response(head | {"object": "chat.completion", "choices": [choice], "usage": usage})
        deltas = [{"role": "assistant", "content": ""}, *({"content": piece} for piece in pieces(self.text))]
        chunks = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
        chunks.append({"index": 0, "delta": {}, "finish_reason": "stop"})
        events = [json.dumps(head | {"object": "chat.completion.chunk", "choices": [chunk]}) for chunk in chunks]
        return await streamed(request, [f"data: {event}\n\n" for event in [*events, "[DONE]"]])

    async def messages(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.asked.append(("messages", body))
        usage = {"input_tokens": 9, "output_tokens": 9}
        head = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test", "stop_sequence": None}
        cited = {
            "type": "char_location",
            "cited_text": "c",
            "document_index": 0,
            "document_title": "t",
            "start_char_index": 0,
            "end_char_index": 1,
        }
        if not body.get("stream"):
            block = {"type": "text", "text": self.text, "citations": [cited]}
            return web.json_response(head | {"content": [block], "stop_reason": "end_turn", "usage": usage})
        start = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
        deltas = [{"type": "text_delta", "text": piece} for piece in pieces(self.text)]
        events = [
            {"type": "message_start", "message": head | {"content": [], "stop_reason": None, "usage": usage}},
            start,
            *({"type": "content_block_delta", "index": 0, "delta": delta} for delta in deltas),
            {"type": "content_block_stop", "index": 0},
            {
                "type": "message_delta",
                "delta": {"stop_reason": "end_turn", "stop_sequence": None},
                "usage": {"output_tokens": 9},
            },
            {"type": "message_stop"},
        ]
        return await streamed(request, [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events])

    async def responses(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.asked.append(("responses", body))
        part = {"type": "output_text", "text": self.text, "annotations": []}
        item = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [part]}
        usage = {"input_tokens": 9, "output_tokens": 9, "total_tokens": 18}
        whole = {
            "id": "resp_1",
            "object": "response",
            "created_at": 1,
            "status": "completed",
            "model": "m",
            "output": [item],
        }
        whole |= {"usage": usage, "parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
        if not body.get("stream"):
            return web.json_response(whole)
        at = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
        events = [
            {"type": "response.created", "response": whole | {"status": "in_progress", "output": []}},
            {
                "type": "response.output_item.added",
                "output_index": 0,
                "item": item | {"status": "in_progress", "content": []},
            },
            {"type": "response.content_part.added", **at, "part": part | {"text": ""}},
            *({"type": "response.output_text.delta", **at, "delta": piece} for piece in pieces(self.text)),
            {"type": "response.output_text.done", **at, "text": self.text},
            {"type": "response.content_part.done", **at, "part": part},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": whole},
        ]
        numbered = [event | {"sequence_number": number} for number, event in enumerate(events)]
        return await streamed(request, [f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in numbered])


@dataclass
class Guard:
    """The guard's side of the contract, and what the proxy sent to it."""

    logs: Logs = field(default_factory=Logs)
    received: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    policy: Policy = field(default_factory=Policy)
    tools: tuple[str, ...] = ()
    down: bool = False
    instead: dict[str, Any] | None = None
    """What is replied in place of the contract's own words."""

    async def answer(self, request: web.Request) -> web.StreamResponse:
        raw = await request.read()
        self.received.append((request.path.removesuffix(CONTRACT), json.loads(raw)))
        if self.down:
            raise web.HTTPServiceUnavailable
        if self.instead is not None:
            return web.json_response(self.instead)
        contract = CONTRACTS[CONTRACT]
        ruling = await rule_on(read_body(contract, raw), RouteRules((self.policy,), self.tools), self.logs, "", None)
        return web.json_response(contract.write(ruling))

    def calls(self, kind: str) -> list[dict[str, Any]]:
        """Return the bodies of one `input_type`."""
        return [body for _, body in self.received if body["input_type"] == kind]


@dataclass
class Chain:
    """Model, guard and proxy, with a client of the proxy."""

    model: Model
    guard: Guard
    client: httpx.AsyncClient

    def clear(self) -> None:
        """Forget what was sent."""
        self.model.asked.clear()
        self.guard.received.clear()
        self.guard.down, self.guard.instead, self.guard.tools = False, None, ()


def pieces(text: str) -> list[str]:
    """Return a text word by word, as a model's tokens would come."""
    return re.findall(r"\S+\s*", text)


async def streamed(request: web.Request, events: list[str]) -> web.StreamResponse:
    """Send server-sent events, each by itself."""
    response = web.StreamResponse(headers={"content-type": "text/event-stream"})
    await response.prepare(request)
    for event in events:
        await response.write(event.encode())
    await response.write_eof()
    return response


@asynccontextmanager
async def serving(routes: dict[str, Any]):
    """Serve handlers by path on loopback."""
    application = web.Application(client_max_size=1 << 26)
    for path, handler in routes.items():
        application.router.add_post(path, handler)
    runner = web.AppRunner(application, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def config(model: str, guard: str) -> dict[str, Any]:
    """Return the proxy's configuration: two models, and the guard as three guardrails that a request chooses among."""
    shared = {
        "guardrail": "generic_guardrail_api",
        "mode": ["pre_call", "post_call"],
        "extra_headers": ["x-showable-log"],
    }
    buffered = shared | {"streaming_buffer_until_moderated": True}
    return {
        "model_list": [
            {"model_name": "m", "litellm_params": {"model": "openai/m", "api_base": f"{model}/v1", "api_key": "k"}},
            {
                "model_name": "claude",
                "litellm_params": {"model": "anthropic/claude-test", "api_base": model, "api_key": "k"},
            },
        ],
        "guardrails": [
            {"guardrail_name": "buffered", "litellm_params": buffered | {"api_base": f"{guard}/buffered"}},
            {"guardrail_name": "sampled", "litellm_params": shared | {"api_base": f"{guard}/sampled"}},
        ],
        "litellm_settings": {"num_retries": 0, "telemetry": False},
    }


@asynccontextmanager
async def chain(folder: Path):
    """Start model, guard and proxy, and stop them again."""
    model, guard = Model(), Guard()
    routes = {"/v1/chat/completions": model.chat, "/v1/messages": model.messages, "/v1/responses": model.responses}
    async with (
        serving(routes) as model_url,
        serving({f"/{{way}}{CONTRACT}": guard.answer}) as guard_url,
        proxying(folder, config(model_url, guard_url)) as client,
    ):
        yield Chain(model, guard, client)


@asynccontextmanager
async def proxying(folder: Path, settings: dict[str, Any]):
    """Start the proxy, wait until it is ready, and stop it again; the client has its address and its key."""
    path = folder / "litellm.yaml"
    path.write_text(json.dumps(settings))  # JSON is YAML
    port, key = free_port(), f"sk-{secrets.token_hex(32)}"  # without a key, or with a weak one, it does not start
    surroundings = {"PATH": os.environ["PATH"], "HOME": str(folder), "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    surroundings["LITELLM_MASTER_KEY"] = key
    with (folder / "litellm.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            str(LITELLM), "--config", str(path), "--host", "127.0.0.1", "--port", str(port),
            stdout=log, stderr=log, env=surroundings,
        )  # fmt: skip
    try:
        headers, url = {"authorization": f"Bearer {key}"}, f"http://127.0.0.1:{port}"
        async with httpx.AsyncClient(base_url=url, headers=headers, timeout=120, trust_env=False) as client:
            await ready(client, process, folder / "litellm.log")
            yield client
    finally:
        if process.returncode is None:
            process.terminate()
            try:
                await asyncio.wait_for(process.wait(), 20)
            except TimeoutError:
                process.kill()
                await process.wait()


async def ready(client: httpx.AsyncClient, process: asyncio.subprocess.Process, log: Path) -> None:
    """Ask until the proxy answers. Raises AssertionError with the end of its log where it does not."""
    for _ in range(STARTS_S):
        try:
            if (await client.get("/health/liveliness")).is_success:
                return
        except httpx.TransportError:
            pass
        try:
            await asyncio.wait_for(process.wait(), 1)
        except TimeoutError:
            continue
        break
    raise AssertionError(end_of(log))


def end_of(log: Path) -> str:
    """Return the last lines of a log."""
    return log.read_text(errors="replace")[-4000:]


def free_port() -> int:
    """Return a port of loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
