"""OpenAI's Responses interface."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import orjson

from showable.converters.fields import Fields
from showable.converters.openai_file_search import file_search_log
from showable.converters.shape import FieldError
from showable.production.guard.call import Api, Finish, GivenAnswer
from showable.production.guard.wire.asked import (
    Asked,
    BadRequestError,
    Json,
    MalformedError,
    ReadParts,
    ToolResult,
    Usage,
    event_object,
    objects,
    strings,
    table,
    texts_of,
    usage_with_cache_inside,
    whole,
)
from showable.production.guard.wire.events import data_event
from showable.records.record import Citation, Source

_INPUT = ("input_text", "text")
_CALLS = frozenset({"function_call", "custom_tool_call"})
_ENDED = frozenset({"response.completed", "response.incomplete", "response.failed"})
_LABELS = frozenset({"type", "status", "role", "obfuscation", "id", "item_id", "call_id", "phase"})
_KEPT = frozenset(
    {"id", "object", "created_at", "model", "parallel_tool_calls", "tool_choice", "tools", "usage", "metadata", "instructions",
     "temperature", "top_p", "max_output_tokens", "previous_response_id", "service_tier", "store", "text", "truncation", "user"}
)  # fmt: skip
"""What a held response keeps of the upstream's: settings and counts, nothing that it says."""
_UNREAD = frozenset({"encrypted_content", "id", "type", "status"})
_WITHOUT_ANSWER = frozenset({"queued", "in_progress", "failed", "cancelled"})
_SEARCHES = frozenset({"file_search_call", "web_search_call"})


class ResponsesWire:
    """`POST /v1/responses`, and `GET /v1/responses/{id}` of a stored one."""

    api: Api = "responses"

    def asked(self, body: Json) -> Asked:
        """Read a request. Raises BadRequestError where `input` is neither text nor a list."""
        given = body.get("input", "")
        if not isinstance(given, str | list):
            raise BadRequestError("input", "expected a string or a list")
        form = table(body.get("text")).get("format")
        choice = body.get("tool_choice")
        kind = choice.get("type") if isinstance(choice, dict) else None
        forced = choice == "required" or kind in {"function", "custom"}
        users = [item for item in objects(given) if item.get("role") == "user"]
        question = given if isinstance(given, str) else texts_of(users[-1].get("content"), _INPUT) if users else ""
        return Asked(
            body=body,
            model=str(body.get("model", "")),
            question=question,
            stream=body.get("stream") is True,
            schema_asked=(isinstance(form, dict) and form.get("type") in {"json_schema", "json_object"}) or forced,
            forced=forced,
            native=None,
        )

    def messages(self, body: Json, role: str) -> Iterator[tuple[str, str]]:
        """Yield place and text of each message of a role; `instructions` are the system's, a bare input the user's."""
        if role == "system" and isinstance(body.get("instructions"), str):
            yield "instructions", body["instructions"]
        if role == "user" and isinstance(body.get("input"), str):
            yield "input", body["input"]
        for at, item in enumerate(body["input"] if isinstance(body.get("input"), list) else ()):
            if isinstance(item, dict) and item.get("role") == role:
                yield f"input.{at}.content", texts_of(item.get("content"), (*_INPUT, "output_text"))

    def tool_results(self, body: Json) -> Iterator[ToolResult]:
        """Yield outputs of functions, and what calls over MCP gave back."""
        names: dict[str, str] = {}
        for at, item in enumerate(body["input"] if isinstance(body.get("input"), list) else ()):
            if not isinstance(item, dict):
                continue
            if item.get("type") == "function_call":
                names[str(item.get("call_id"))] = str(item.get("name"))
            elif item.get("type") == "function_call_output":
                text = texts_of(item.get("output"), _INPUT)
                yield ToolResult(names.get(str(item.get("call_id")), ""), text, f"input.{at}.output")
            elif item.get("type") == "mcp_call":
                yield ToolResult(str(item.get("name")), texts_of(item.get("output"), _INPUT), f"input.{at}.output")

    def answers(self, reply: Json, asked: Asked) -> tuple[GivenAnswer, ...]:
        """Read the messages of a response as one answer; a call that carries an answer is another."""
        output = reply.get("output")
        if not isinstance(output, list):
            raise MalformedError("output: expected a list")
        return tuple(_answers(objects(output), reply, asked))

    def reply_sources(self, reply: Json, asked: Asked) -> tuple[Source, ...] | None:
        """Return what file search found, in this response and in those that the request hands on, and calls over MCP."""
        given = asked.body.get("input")
        earlier = objects(given) if isinstance(given, list) else []
        try:
            found, _ = file_search_log([Fields(item) for item in [*earlier, *objects(reply.get("output"))]])
        except FieldError as error:
            raise MalformedError(str(error)) from None
        return found

    def usage(self, reply: Json) -> Usage | None:
        """Return the tokens; `input_tokens` contains those of the cache."""
        return usage_with_cache_inside(reply, "input_tokens", "output_tokens")

    def held(self, text: str, *, as_refusal: bool, reply: Json, asked: Asked) -> Json:
        """Build a completed response of one message: libraries fail on an incomplete one."""
        part = (
            {"type": "refusal", "refusal": text}
            if as_refusal
            else {"type": "output_text", "text": text, "annotations": []}
        )
        message = {"type": "message", "id": "msg_held", "role": "assistant", "status": "completed", "content": [part]}
        base = {
            "id": "resp_held",
            "object": "response",
            "created_at": int(time.time()),
            "model": asked.model,
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
        }
        kept = {key: value for key, value in reply.items() if key in _KEPT}
        return base | kept | {"status": "completed", "error": None, "incomplete_details": None, "output": [message]}

    def stream_of(self, held: Json, *, with_usage: bool) -> bytes:
        """Write the events of a response with one part: the text stands in each of the four that end it."""
        del with_usage  # it stands in the events anyway
        message = held["output"][0]
        part = message["content"][0]
        field = "text" if part["type"] == "output_text" else "refusal"
        begun = held | {"status": "in_progress", "output": [], "usage": None}
        empty = part | {field: ""}
        at = {"item_id": message["id"], "output_index": 0, "content_index": 0}
        words = "response.output_text" if field == "text" else "response.refusal"
        logprobs: Json = {"logprobs": []} if field == "text" else {}
        events: list[tuple[str, Json]] = [
            ("response.created", {"response": begun}),
            ("response.in_progress", {"response": begun}),
            (
                "response.output_item.added",
                {"output_index": 0, "item": message | {"status": "in_progress", "content": []}},
            ),
            ("response.content_part.added", at | {"part": empty}),
            (f"{words}.delta", at | {"delta": part[field]} | logprobs),
            (f"{words}.done", at | {field: part[field]} | logprobs),
            ("response.content_part.done", at | {"part": part}),
            ("response.output_item.done", {"output_index": 0, "item": message}),
            ("response.completed", {"response": held}),
        ]
        return b"".join(
            data_event(orjson.dumps({"type": name, "sequence_number": number} | event), name)
            for number, (name, event) in enumerate(events)
        )

    def error(self, kind: str, message: str, code: str | None = None) -> Json:
        """Build an error body of OpenAI's interfaces."""
        return {"error": {"message": message, "type": kind, "param": None, "code": code or kind}}

    def error_event(self, kind: str, message: str, code: str | None = None) -> bytes:
        """Write an `error` event."""
        event = {"type": "error", "code": code or kind, "message": message, "param": None, "sequence_number": 0}
        return data_event(orjson.dumps(event), "error")

    def ping(self, asked: Asked) -> bytes | None:
        """Return None: the interface has no event that says nothing, and comments by themselves break clients."""
        del asked
        return None

    def with_instruction(self, body: Json, instruction: str) -> Json:
        """Return the request with the words after its instructions."""
        given = body.get("instructions")
        return body | {"instructions": f"{given}\n\n{instruction}" if isinstance(given, str) and given else instruction}

    def assembler(self) -> ResponsesAssembler:
        """Start to put a stream together."""
        return ResponsesAssembler()


def _answers(output: list[Json], reply: Json, asked: Asked) -> Iterator[GivenAnswer]:
    parts = ReadParts(asked, "\n\n")
    for item in output:
        kind = item.get("type")
        if kind == "message":
            for part in objects(item.get("content")):
                _read_part(part, parts)
        elif kind in _CALLS:
            arguments = str(item.get("arguments", item.get("input", "")))
            parts.add_call(arguments, [arguments])
        elif kind not in _SEARCHES:
            parts.beside += strings({key: value for key, value in item.items() if key not in _UNREAD})
    yield from parts.answers(_finish(reply), absent=reply.get("status") in _WITHOUT_ANSWER)


def _read_part(part: Json, parts: ReadParts) -> None:
    if part.get("type") == "output_text" and isinstance(part.get("text"), str):
        parts.citations += _annotations(part, parts.size)
        parts.texts.append(part["text"])
    elif part.get("type") == "refusal":
        parts.refusals.append(str(part.get("refusal", "")))
    else:
        parts.beside += strings(part)


def _finish(reply: Json) -> Finish:
    if reply.get("status") == "completed" or reply.get("status") is None:
        return "stop"
    details = reply.get("incomplete_details")
    return "filter" if isinstance(details, dict) and details.get("reason") == "content_filter" else "length"


def _annotations(part: Json, begun: int) -> Iterator[Citation]:
    """Yield citations of files and pages; files that a tool made are cited nowhere."""
    for one in objects(part.get("annotations")):
        kind = one.get("type")
        if kind == "file_citation" and isinstance(one.get("file_id"), str) and one["file_id"]:
            at = begun + min(whole(one.get("index")), len(part["text"]))
            yield Citation(source_id=one["file_id"], raw=one.get("filename") or None, span=(at, at))
        elif kind == "url_citation" and isinstance(one.get("url"), str) and one["url"]:
            start, end = whole(one.get("start_index")), min(whole(one.get("end_index")), len(part["text"]))
            yield Citation(url=one["url"], span=(begun + start, begun + end) if start <= end else None)


class ResponsesAssembler:
    """Keeps the response that the last event carries, and what the events before it said of its words."""

    def __init__(self) -> None:
        self.complete = False
        self._reply: Json = {}
        self._deltas: dict[tuple[Any, Any, str], list[str]] = {}
        self._whole: dict[tuple[Any, Any, str], set[str]] = {}
        self._grown: dict[tuple[Any, ...], list[str]] = {}
        self._beside: list[str] = []

    def add(self, name: str, data: bytes) -> str | None:
        """Take one event, by the `type` in its data; the words of a response are always decided on whole."""
        if data == b"[DONE]":
            return None
        if self.complete:
            raise MalformedError("an event follows the end of the response")
        event = event_object(data)
        kind = str(event.get("type", name))
        if kind in _ENDED:
            if not isinstance(event.get("response"), dict):
                raise MalformedError(f"{kind} carries no response")
            self._reply, self.complete = event["response"], True
        elif kind == "error":
            raise MalformedError("the upstream sent an error")
        else:
            self._keep(kind, event)
        return None

    def _keep(self, kind: str, event: Json) -> None:
        at = (event.get("output_index"), event.get("content_index"))
        if kind in {"response.output_text.delta", "response.refusal.delta"}:
            self._deltas.setdefault((*at, kind.split(".")[1]), []).append(str(event.get("delta", "")))
        elif kind in {"response.output_text.done", "response.refusal.done"}:
            words = "text" if "text" in event else "refusal"
            self._whole.setdefault((*at, kind.split(".")[1]), set()).add(str(event.get(words, "")))
        elif kind == "response.content_part.done" and isinstance(event.get("part"), dict):
            self._part(at, event["part"])
        elif kind == "response.output_item.done" and isinstance(event.get("item"), dict):
            for number, part in enumerate(objects(event["item"].get("content"))):
                self._part((event.get("output_index"), number), part)
        elif kind.endswith(".delta") and isinstance(event.get("delta"), str):
            self._grown.setdefault((kind, event.get("item_id"), event.get("summary_index"), *at), []).append(
                event["delta"]
            )
        elif kind not in {"response.created", "response.in_progress", "response.queued"}:
            self._beside += strings(_without_labels(event))

    def _part(self, at: tuple[Any, Any], part: Json) -> None:
        words = {"output_text": "text", "refusal": "refusal"}.get(str(part.get("type")))
        if words:
            self._whole.setdefault((*at, str(part["type"])), set()).add(str(part.get(words, "")))

    def reply(self) -> Json:
        """Return the response. Raises MalformedError where events gave the client other words than the response has."""
        final: dict[tuple[Any, Any, str], str] = {}
        for index, item in enumerate(objects(self._reply.get("output"))):
            for number, part in enumerate(objects(item.get("content"))):
                words = {"output_text": "text", "refusal": "refusal"}.get(str(part.get("type")))
                if words and item.get("type") == "message":
                    final[index, number, str(part["type"])] = str(part.get(words, ""))
        told = {key: {"".join(pieces)} for key, pieces in self._deltas.items()}
        cut = self._reply.get("status") != "completed"
        for key, texts in [*told.items(), *self._whole.items()]:
            if any(text != final.get(key) for text in texts) and not (cut and key not in final):
                raise MalformedError("the words of the events are not those of the response")
            if key not in final:  # the response was cut, and the client has read these words all the same
                self._beside += texts
        known = {"", *strings(self._reply)}
        told_beside = [*self._beside, *("".join(pieces) for pieces in self._grown.values())]
        if beside := [text for text in told_beside if text not in known]:
            return self._reply | {"output": [*objects(self._reply.get("output")), {"type": "events", "texts": beside}]}
        return self._reply


def _without_labels(value: Any) -> Any:
    """Return an event without what names its parts, so that what is left are words."""
    if isinstance(value, dict):
        return {key: _without_labels(inner) for key, inner in value.items() if key not in _LABELS}
    return [_without_labels(inner) for inner in value] if isinstance(value, list) else value
