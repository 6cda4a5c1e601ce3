"""Chat Completions: OpenAI's interface, and that of vLLM, LiteLLM, Azure OpenAI and Perplexity."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from showable.converters.fields import web_address
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
    joined,
    objects,
    strings,
    table,
    texts_of,
    usage_with_cache_inside,
    whole,
)
from showable.production.guard.wire.events import data_event
from showable.records.record import Citation, Source

_DONE = b"data: [DONE]\n\n"
_FINISH: dict[str, Finish] = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "tools",
    "function_call": "tools",
    "content_filter": "filter",
}
_KNOWN = frozenset({"role", "content", "refusal", "tool_calls", "function_call", "annotations", "context", "audio"})
_FIXED = frozenset({"id", "type", "role"})
"""Fields of a delta that do not grow."""
_DEEPEST = 20


class ChatWire:
    """`POST /v1/chat/completions`."""

    api: Api = "chat"

    def asked(self, body: Json) -> Asked:
        """Read a request. Raises BadRequestError where it has no messages."""
        messages = body.get("messages")
        if not isinstance(messages, list):
            raise BadRequestError("messages", "expected a list")
        users = [message for message in objects(messages) if message.get("role") == "user"]
        form = body.get("response_format")
        kind = form.get("type") if isinstance(form, dict) else None
        choice = body.get("tool_choice", body.get("function_call"))
        forced = isinstance(choice, dict) or choice == "required"
        return Asked(
            body=body,
            model=str(body.get("model", "")),
            question=texts_of(users[-1].get("content")) if users else "",
            stream=body.get("stream") is True,
            schema_asked=kind in {"json_schema", "json_object"} or forced,
            forced=forced,
            native=_documents(body.get("documents")),
        )

    def messages(self, body: Json, role: str) -> Iterator[tuple[str, str]]:
        """Yield place and text of each message of a role."""
        for at, message in enumerate(body.get("messages") or ()):
            if isinstance(message, dict) and message.get("role") == role:
                yield f"messages.{at}.content", texts_of(message.get("content"))

    def tool_results(self, body: Json) -> Iterator[ToolResult]:
        """Yield the tool messages, each with the name of the function that was called."""
        names: dict[str, str] = {}
        for at, message in enumerate(body.get("messages") or ()):
            if not isinstance(message, dict):
                continue
            for call in objects(message.get("tool_calls")):
                function = call.get("function")
                if isinstance(function, dict):
                    names[str(call.get("id"))] = str(function.get("name"))
            if message.get("role") in {"tool", "function"}:
                name = message.get("name") or names.get(str(message.get("tool_call_id")), "")
                yield ToolResult(str(name), texts_of(message.get("content")), f"messages.{at}.content")

    def answers(self, reply: Json, asked: Asked) -> tuple[GivenAnswer, ...]:
        """Read each choice as an answer. Raises MalformedError for a reply without choices."""
        choices = reply.get("choices")
        if not isinstance(choices, list):
            raise MalformedError("choices: expected a list")
        return tuple(answer for choice in objects(choices) for answer in _answers(choice, asked))

    def reply_sources(self, reply: Json, asked: Asked) -> tuple[Source, ...] | None:  # noqa: ARG002 - the Wire's
        """Return the documents of Azure's `context`, or the addresses that Perplexity found."""
        for choice in objects(reply.get("choices")):
            message = choice.get("message")
            context = message.get("context") if isinstance(message, dict) else None
            if isinstance(context, dict) and isinstance(context.get("citations"), list):
                return tuple(_on_data(one, at) for at, one in enumerate(objects(context["citations"]), 1))
        listed = reply.get("citations")
        if isinstance(listed, list) and listed and all(isinstance(url, str) for url in listed):
            return tuple(Source(source_id=url, url=url) for url in dict.fromkeys(listed) if url)
        return None

    def usage(self, reply: Json) -> Usage | None:
        """Return the tokens; `prompt_tokens` contains those of the cache."""
        return usage_with_cache_inside(reply, "prompt_tokens", "completion_tokens")

    def held(self, text: str, *, as_refusal: bool, reply: Json, asked: Asked) -> Json:
        """Build a completion of one choice: `refusal`, or content that ended by the content filter."""
        message = {
            "role": "assistant",
            "content": None if as_refusal else text,
            "refusal": text if as_refusal else None,
        }
        finish = "stop" if as_refusal else "content_filter"
        kept = {key: reply[key] for key in ("id", "created", "model", "usage", "system_fingerprint") if reply.get(key)}
        choice = {"index": 0, "message": message, "finish_reason": finish, "logprobs": None}
        filled = {"id": "chatcmpl-held", "object": "chat.completion", "created": int(time.time()), "model": asked.model}
        return filled | kept | {"choices": [choice]}

    def stream_of(self, held: Json, *, with_usage: bool) -> bytes:
        """Write one delta, the end, the usage where it is known, and `[DONE]`."""
        choice = held["choices"][0]
        delta = {key: value for key, value in choice["message"].items() if value is not None}
        head = {key: value for key, value in held.items() if key not in {"choices", "usage"}}
        head["object"] = "chat.completion.chunk"
        chunks = [
            head | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
            head | {"choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]},
        ]
        if with_usage and held.get("usage"):
            chunks.append(head | {"choices": [], "usage": held["usage"]})
        return b"".join(data_event(orjson.dumps(chunk)) for chunk in chunks) + _DONE

    def error(self, kind: str, message: str, code: str | None = None) -> Json:
        """Build an error body of OpenAI's interfaces."""
        return {"error": {"message": message, "type": kind, "param": None, "code": code or kind}}

    def error_event(self, kind: str, message: str, code: str | None = None) -> bytes:
        """Write the error as a chunk, then the end of the stream."""
        return data_event(orjson.dumps(self.error(kind, message, code))) + _DONE

    def ping(self, asked: Asked) -> bytes | None:
        """Return an empty delta."""
        chunk = {
            "id": "chatcmpl-wait",
            "object": "chat.completion.chunk",
            "created": int(time.time()),
            "model": asked.model,
        }
        return data_event(orjson.dumps(chunk | {"choices": [{"index": 0, "delta": {}, "finish_reason": None}]}))

    def with_instruction(self, body: Json, instruction: str) -> Json:
        """Return the request with a system message after those that begin it."""
        messages = list(body["messages"])
        at = next(
            (
                i
                for i, m in enumerate(messages)
                if not (isinstance(m, dict) and m.get("role") in {"system", "developer"})
            ),
            0,
        )
        return body | {"messages": [*messages[:at], {"role": "system", "content": instruction}, *messages[at:]]}

    def assembler(self) -> ChatAssembler:
        """Start to put a stream together."""
        return ChatAssembler()


def _documents(given: Any) -> tuple[Source, ...] | None:
    """Read vLLM's `documents`: objects with `title` and `text`, or `doc` of Cohere's templates; ids count from 0."""
    if not isinstance(given, list):
        return None
    return tuple(
        Source(
            source_id=str(one.get("id") or f"doc:{at}"), text=_text(one, "text", "contents"), title=_text(one, "title")
        )
        for at, one in enumerate(objects(given))
    )


def _text(given: Mapping[str, Any], *names: str) -> str | None:
    return next((value for name in names if isinstance(value := given.get(name), str) and value), None)


def _on_data(given: Json, number: int) -> Source:
    url = _text(given, "url")
    return Source(
        source_id=f"doc{number}", text=_text(given, "content"), title=_text(given, "title"), url=web_address(url)
    )


def _answers(choice: Json, asked: Asked) -> Iterator[GivenAnswer]:
    """Yield the answer of a choice, and that in the arguments of a call, where a call carries one."""
    message = choice.get("message")
    if not isinstance(message, dict):
        raise MalformedError("choices.message: expected an object")
    parts = ReadParts(asked, "\n\n")
    text = texts_of(message.get("content"), ("text", "output_text"))
    parts.citations += _annotations(message, text)
    spoken = table(message.get("audio")).get("transcript")
    parts.texts += [words for words in (text, spoken, choice.get("text")) if isinstance(words, str) and words]
    if isinstance(message.get("refusal"), str):
        parts.refusals.append(message["refusal"])
    calls = objects(message.get("tool_calls"))
    called = [table(call.get("function")) or table(call.get("custom")) for call in calls]
    for function in [*called, table(message.get("function_call"))]:
        if function:
            arguments = str(function.get("arguments", function.get("input", "")))
            parts.add_call(arguments, [arguments])
    parts.beside += [said for key, value in message.items() if key not in _KNOWN for said in strings(value)]
    yield from parts.answers(_FINISH.get(str(choice.get("finish_reason")), "stop"))


def _annotations(message: Json, text: str) -> Iterator[Citation]:
    for one in objects(message.get("annotations")):
        held = one.get("url_citation", one)
        url = held.get("url") if isinstance(held, dict) else None
        if isinstance(url, str) and url:
            start, end = whole(held.get("start_index")), min(whole(held.get("end_index")), len(text))
            yield Citation(url=url, span=(start, end) if start <= end else None)


class ChatAssembler:
    """Puts chunks together to a completion."""

    def __init__(self) -> None:
        self.complete = False
        self._head: Json = {}
        self._choices: dict[int, Json] = {}

    def add(self, name: str, data: bytes) -> str | None:
        """Take one chunk; `[DONE]` ends the stream, and nothing may follow it."""
        del name
        if data == b"[DONE]":
            self.complete = True
            return ""
        if self.complete:
            raise MalformedError("a chunk follows [DONE]")
        try:
            chunk = orjson.loads(data)
        except ValueError:
            raise MalformedError("a chunk is not JSON") from None
        if not isinstance(chunk, dict) or not isinstance(chunk.get("choices", []), list):
            raise MalformedError("a chunk is no object with choices")
        if "error" in chunk:
            raise MalformedError("the upstream sent an error")
        for key, value in chunk.items():
            if key != "choices" and value is not None:
                self._head[key] = value
        text: str | None = ""
        for choice in objects(chunk.get("choices")):
            added = self._add(choice)
            text = None if added is None or text is None else text + added
        return text

    def _add(self, choice: Json) -> str | None:
        index = choice.get("index", 0)
        if not isinstance(index, int) or isinstance(index, bool):
            raise MalformedError("choices.index: expected a whole number")
        kept = self._choices.setdefault(index, {"index": index, "message": {}})
        if choice.get("finish_reason") is not None:
            kept["finish_reason"] = choice["finish_reason"]
        delta = choice.get("delta", choice.get("message"))
        if not isinstance(delta, dict):
            return ""
        _merge(kept["message"], delta, 0)
        content = delta.get("content")
        others = any(value for key, value in delta.items() if key not in {"role", "content"})
        plain = index == 0 and not others and (content is None or isinstance(content, str))
        return (content or "") if plain else None

    def reply(self) -> Json:
        """Return the completion that the chunks come to."""
        if not self._choices:
            raise MalformedError("the stream holds no choice")
        if any("finish_reason" not in choice for choice in self._choices.values()):
            raise MalformedError("a choice has no finish_reason")
        choices = []
        for _, choice in sorted(self._choices.items()):
            message = choice["message"]
            calls = message.get("tool_calls")
            ordered = [calls[index] for index in sorted(calls)] if isinstance(calls, dict) else None
            choices.append(choice | {"message": message | ({"tool_calls": ordered} if ordered else {})})
        whole_reply: Json = joined(self._head | {"object": "chat.completion", "choices": choices})
        return whole_reply


def _merge(message: Json, delta: Json, depth: int) -> None:
    """Add a delta to a message: strings grow, lists are appended to, calls are told apart by their index."""
    if depth > _DEEPEST:
        raise MalformedError("a chunk is nested too deeply")
    for key, value in delta.items():
        if key == "tool_calls":
            calls = message.setdefault("tool_calls", {})
            for at, call in enumerate(objects(value)):
                index = call.get("index", at)
                _merge(calls.setdefault(index if isinstance(index, int) else at, {}), call, depth + 1)
        elif isinstance(value, str) and key not in _FIXED:
            _grow(message, key, value)
        elif isinstance(value, list):
            _extend(message, key, value)
        elif isinstance(value, dict):
            if not isinstance(message.get(key), dict):
                message[key] = {}
            _merge(message[key], value, depth + 1)
        elif value is not None or key not in message:
            message[key] = value


def _grow(message: Json, key: str, more: str) -> None:
    grown = message.get(key)
    if isinstance(grown, Pieces):
        grown.append(more)
    else:
        message[key] = Pieces([more])


def _extend(message: Json, key: str, more: list[Any]) -> None:
    """Add the items of a list; content in parts grows by their text."""
    if key == "content":
        _grow(message, key, texts_of(more, ("text", "output_text")))
    else:
        before = message.get(key)
        message[key] = [*before, *more] if isinstance(before, list) else list(more)
