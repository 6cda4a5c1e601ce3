"""Anthropic's Messages interface."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

from showable.converters.anthropic_blocks import shown_blocks
from showable.converters.anthropic_citations import Documents
from showable.converters.fields import Fields
from showable.converters.shape import FieldError
from showable.production.guard.call import Api, Finish, GivenAnswer
from showable.production.guard.wire.asked import (
    Asked,
    BadRequestError,
    Json,
    MalformedError,
    Pieces,
    ReadParts,
    ToolResult,
    Usage,
    event_object,
    joined,
    objects,
    strings,
    table,
    texts_of,
    whole,
)
from showable.production.guard.wire.events import data_event
from showable.records.record import Citation, Source

_FINISH: dict[str, Finish] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "refusal": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "pause_turn": "length",
    "tool_use": "tools",
}
_UNREAD = frozenset({"signature", "data", "id", "type"})
_SERVERS = frozenset({"web_search_tool_result", "web_fetch_tool_result", "server_tool_use"})


class MessagesWire:
    """`POST /v1/messages`."""

    api: Api = "messages"

    def asked(self, body: Json) -> Asked:
        """Read a request. Raises BadRequestError where it has no messages, or a block of it cannot be read."""
        if not isinstance(body.get("messages"), list):
            raise BadRequestError("messages", "expected a list")
        messages = objects(body["messages"])
        users = [
            text for message in messages if message.get("role") == "user" if (text := texts_of(message.get("content")))
        ]
        form = table(body.get("output_config")).get("format")
        choice = body.get("tool_choice")
        forced = isinstance(choice, dict) and choice.get("type") in {"tool", "any"}
        native: tuple[Source, ...] | None = None
        if any(isinstance(message.get("content"), list) for message in messages):
            try:
                native = tuple(shown_blocks([Fields(message) for message in messages], Fields({})).sources) or None
            except FieldError as error:
                raise BadRequestError("messages", str(error)) from None
        return Asked(
            body=body,
            model=str(body.get("model", "")),
            question=users[-1] if users else "",
            stream=body.get("stream") is True,
            schema_asked=(isinstance(form, dict) and form.get("type") == "json_schema") or forced,
            forced=forced,
            native=native,
        )

    def messages(self, body: Json, role: str) -> Iterator[tuple[str, str]]:
        """Yield place and text of each message of a role; `system` stands by itself."""
        if role == "system" and body.get("system"):
            yield "system", texts_of(body["system"])
        for at, message in enumerate(body.get("messages") or ()):
            if isinstance(message, dict) and message.get("role") == role:
                yield f"messages.{at}.content", texts_of(message.get("content"))

    def tool_results(self, body: Json) -> Iterator[ToolResult]:
        """Yield the results of tools, those over MCP among them."""
        names: dict[str, str] = {}
        for at, message in enumerate(body.get("messages") or ()):
            for block in objects(message.get("content")) if isinstance(message, dict) else ():
                if block.get("type") in {"tool_use", "mcp_tool_use"}:
                    names[str(block.get("id"))] = str(block.get("name"))
                elif block.get("type") in {"tool_result", "mcp_tool_result"}:
                    name = names.get(str(block.get("tool_use_id")), "")
                    yield ToolResult(name, texts_of(block.get("content")), f"messages.{at}.content")

    def answers(self, reply: Json, asked: Asked) -> tuple[GivenAnswer, ...]:
        """Read the text blocks, which may cut a sentence, as one answer; a call that carries an answer is another."""
        if not isinstance(reply.get("content"), list):
            raise MalformedError("content: expected a list")
        try:
            return tuple(_answers(reply, asked))
        except FieldError as error:
            raise MalformedError(str(error)) from None

    def reply_sources(self, reply: Json, asked: Asked) -> tuple[Source, ...] | None:
        """Return what tools of the provider found, after what the request holds: indexes count over both."""
        kinds = {block.get("type") for block in objects(reply.get("content"))}
        if not kinds & {"web_search_tool_result", "web_fetch_tool_result"}:
            return None
        try:
            return tuple(shown_blocks([Fields(m) for m in objects(asked.body.get("messages"))], Fields(reply)).sources)
        except FieldError as error:
            raise MalformedError(str(error)) from None

    def usage(self, reply: Json) -> Usage | None:
        """Return the tokens: the four counts exclude one another."""
        usage = reply.get("usage")
        if not isinstance(usage, dict) or not isinstance(usage.get("input_tokens"), int):
            return None
        if not isinstance(usage.get("output_tokens"), int):
            return None
        kept = table(usage.get("cache_creation"))
        return Usage(
            fresh=whole(usage["input_tokens"]),
            cached=whole(usage.get("cache_read_input_tokens")),
            written=whole(usage.get("cache_creation_input_tokens")),
            output=whole(usage["output_tokens"]),
            written_1h=whole(kept.get("ephemeral_1h_input_tokens")),
            tier=usage.get("service_tier") if isinstance(usage.get("service_tier"), str) else None,
        )

    def held(self, text: str, *, as_refusal: bool, reply: Json, asked: Asked) -> Json:
        """Build a message of one text block that stopped as a refusal."""
        del as_refusal  # the interface has one form
        base = {"id": "msg_held", "model": asked.model, "usage": {"input_tokens": 0, "output_tokens": 0}}
        kept = {key: reply[key] for key in ("id", "model", "usage") if reply.get(key)}
        return (
            base
            | kept
            | {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "text", "text": text}],
                "stop_reason": "refusal",
                "stop_sequence": None,
                "stop_details": {"type": "refusal", "category": None, "explanation": text},
            }
        )

    def stream_of(self, held: Json, *, with_usage: bool) -> bytes:
        """Write the message from `message_start` to `message_stop`."""
        del with_usage  # it stands in the events anyway
        text = held["content"][0]["text"]
        start = held | {"content": [], "stop_reason": None, "stop_details": None}
        ended = {"stop_reason": "refusal", "stop_sequence": None, "stop_details": held["stop_details"]}
        usage = {"output_tokens": whole(held["usage"].get("output_tokens"))}
        events: list[Json] = [
            {"type": "message_start", "message": start},
            {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": ended, "usage": usage},
            {"type": "message_stop"},
        ]
        return b"".join(data_event(orjson.dumps(event), str(event["type"])) for event in events)

    def error(self, kind: str, message: str, code: str | None = None) -> Json:
        """Build an error body."""
        del code
        return {"type": "error", "error": {"type": kind, "message": message}}

    def error_event(self, kind: str, message: str, code: str | None = None) -> bytes:
        """Write an `error` event."""
        return data_event(orjson.dumps(self.error(kind, message, code)), "error")

    def ping(self, asked: Asked) -> bytes | None:
        """Return a `ping`."""
        del asked
        return data_event(b'{"type":"ping"}', "ping")

    def with_instruction(self, body: Json, instruction: str) -> Json:
        """Return the request with the words after its system prompt."""
        given = body.get("system")
        if isinstance(given, list):
            return body | {"system": [*given, {"type": "text", "text": instruction}]}
        return body | {"system": f"{given}\n\n{instruction}" if isinstance(given, str) and given else instruction}

    def assembler(self) -> MessagesAssembler:
        """Start to put a stream together."""
        return MessagesAssembler()


def _answers(reply: Json, asked: Asked) -> Iterator[GivenAnswer]:
    parts = ReadParts(asked, "")
    documents: Documents | None = None
    for block in objects(reply["content"]):
        kind = block.get("type")
        if kind == "text" and isinstance(block.get("text"), str):
            if (given := objects(block.get("citations"))) and documents is None:
                messages = [Fields(message) for message in objects(asked.body.get("messages"))]
                documents = Documents(shown_blocks(messages, Fields(reply)))
            span = (parts.size, parts.size + len(block["text"]))
            parts.citations += [_citation(one, documents, span) for one in given if documents]
            parts.texts.append(block["text"])
        elif kind == "tool_use":
            parts.add_call(orjson.dumps(block.get("input")).decode(), strings(block.get("input")))
        elif kind not in _SERVERS:
            parts.beside += strings({key: value for key, value in block.items() if key not in _UNREAD})
    yield from parts.answers(_FINISH.get(str(reply.get("stop_reason")), "length"))


def _citation(given: Json, documents: Documents, span: tuple[int, int]) -> Citation:
    found = documents.citation(Fields(given))
    if found is None:
        raise MalformedError(f"content.citations: an unknown kind of citation, {str(given.get('type'))[:40]!r}")
    return found.model_copy(update={"span": span})


class MessagesAssembler:
    """Puts events together to a message."""

    def __init__(self) -> None:
        self.complete = False
        self._message: Json = {}
        self._blocks: dict[int, Json] = {}
        self._inputs: dict[int, Pieces] = {}
        self._beside: list[str] = []

    def add(self, name: str, data: bytes) -> str | None:
        """Take one event, by the `type` in its data."""
        event = event_object(data)
        kind = str(event.get("type", name))
        if kind == "ping":
            return ""
        if self.complete:
            raise MalformedError("an event follows message_stop")
        match kind:
            case "message_start":
                self._start(event)
            case "content_block_start":
                return self._begin(event)
            case "content_block_delta":
                return self._delta(_index(event), event.get("delta"))
            case "message_delta":
                self._message |= table(event.get("delta"))
                self._message["usage"] = table(self._message.get("usage")) | table(event.get("usage"))
            case "message_stop" | "content_block_stop":
                self.complete = kind == "message_stop"
            case "error":
                raise MalformedError("the upstream sent an error")
            case _:
                self._beside += strings(event)
                return None
        return ""

    def _start(self, event: Json) -> None:
        message = event.get("message")
        if not isinstance(message, dict):
            raise MalformedError("message_start carries no message")
        self._message = message | {"content": []}
        self._blocks |= dict(enumerate(objects(message.get("content"))))

    def _begin(self, event: Json) -> str | None:
        block, index = event.get("content_block"), _index(event)
        if not isinstance(block, dict) or index in self._blocks:
            raise MalformedError("content_block_start carries no block of its own")
        self._blocks[index] = {
            key: Pieces([value]) if key in {"text", "thinking"} and isinstance(value, str) else value
            for key, value in block.items()
        }
        return str(block.get("text") or "") if block.get("type") == "text" else None

    def _delta(self, index: int, delta: Any) -> str | None:
        block = self._blocks.get(index)
        if block is None or not isinstance(delta, dict):
            raise MalformedError("content_block_delta is of no block")
        match delta.get("type"):
            case "text_delta":
                _grow(block, "text", delta.get("text"))
                return str(delta.get("text", ""))
            case "citations_delta":
                if not isinstance(block.get("citations"), list):
                    block["citations"] = []
                block["citations"].append(delta.get("citation"))
            case "input_json_delta":
                self._inputs.setdefault(index, Pieces()).append(str(delta.get("partial_json", "")))
            case "thinking_delta":
                _grow(block, "thinking", delta.get("thinking"))
            case "signature_delta":
                pass
            case _:
                self._beside += strings(delta)
        return None

    def reply(self) -> Json:
        """Return the message that the events come to. Raises MalformedError where input of a tool is not JSON."""
        if not self._message:
            raise MalformedError("the stream holds no message_start")
        for index, pieces in self._inputs.items():
            try:
                self._blocks[index]["input"] = orjson.loads("".join(pieces) or b"{}")
            except ValueError:
                raise MalformedError("the input of a tool is not JSON") from None
        blocks = [self._blocks[index] for index in sorted(self._blocks)]
        blocks += [{"type": "events", "texts": self._beside}] if self._beside else []
        message: Json = joined(self._message | {"content": blocks})
        return message


def _grow(block: Json, field: str, more: Any) -> None:
    if not isinstance(more, str):
        raise MalformedError(f"{field}: expected a string")
    grown = block.get(field)
    if isinstance(grown, Pieces):
        grown.append(more)
    else:
        block[field] = Pieces([more])


def _index(event: Json) -> int:
    index = event.get("index")
    if not isinstance(index, int) or isinstance(index, bool):
        raise MalformedError(f"{event.get('type')}: index: expected a whole number")
    return index
