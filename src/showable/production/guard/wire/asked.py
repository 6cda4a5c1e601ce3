"""What the guard reads of a request and of a reply, whichever interface they came by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import orjson

from showable.production.guard.call import Api, Finish, GivenAnswer
from showable.records.record import Citation, Source

Json = dict[str, Any]


class MalformedError(ValueError):
    """A reply of the upstream that is not what its interface promises; the message says where."""


class BadRequestError(ValueError):
    """A request of the client that cannot be read; `field` names the place."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as read: the body, the question, and what decides how its answer is read and held.

    `forced` says that the client made the model call a function, whose arguments are then the answer. `native` are the
    documents that the interface itself carries, None where it carries none.
    """

    body: Json
    model: str
    question: str
    stream: bool
    schema_asked: bool
    forced: bool
    native: tuple[Source, ...] | None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool gave back to the model: the tool's name, its words, and the place in the request."""

    tool: str
    text: str
    place: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as counted by the provider: `fresh` prompt tokens, those read from and written to its cache, and the output.

    `written_1h` are those of `written` that are kept an hour, at a price of their own. `reasoning` is part of `output`.
    """

    fresh: int
    cached: int
    written: int
    output: int
    reasoning: int = 0
    written_1h: int = 0
    tier: str | None = None


class Assembler(Protocol):
    """Puts the events of a stream together to the reply that the same call gives without `stream`."""

    complete: bool
    """Whether the interface's terminal event was seen."""

    def add(self, name: str, data: bytes) -> str | None:
        """Take one event, and return the running text that it adds: "" for none, None where it adds anything else.

        Raises MalformedError where it is not what the interface promises.
        """
        ...

    def reply(self) -> Json:
        """Return the reply. Raises MalformedError where events contradict one another."""
        ...


class Wire(Protocol):
    """One interface: how requests and replies are read, and how the guard's own replies are written."""

    api: Api

    def asked(self, body: Json) -> Asked:
        """Read a request. Raises BadRequestError with the field."""
        ...

    def messages(self, body: Json, role: str) -> Iterator[tuple[str, str]]:
        """Yield place and text of each message of a role, in order."""
        ...

    def tool_results(self, body: Json) -> Iterator[ToolResult]:
        """Yield what tools gave back, in order."""
        ...

    def answers(self, reply: Json, asked: Asked) -> tuple[GivenAnswer, ...]:
        """Read the answers of a reply. Raises MalformedError."""
        ...

    def reply_sources(self, reply: Json, asked: Asked) -> tuple[Source, ...] | None:
        """Return the documents that the reply says were retrieved for it, None where it says nothing."""
        ...

    def usage(self, reply: Json) -> Usage | None:
        """Return the tokens of a reply, None where they are not stated."""
        ...

    def held(self, text: str, *, as_refusal: bool, reply: Json, asked: Asked) -> Json:
        """Build the reply that stands in place of a held one, with its id, model and usage."""
        ...

    def stream_of(self, held: Json, *, with_usage: bool) -> bytes:
        """Write a reply of `held` as a whole stream of events."""
        ...

    def error(self, kind: str, message: str, code: str | None = None) -> Json:
        """Build an error body."""
        ...

    def error_event(self, kind: str, message: str, code: str | None = None) -> bytes:
        """Write an error as the last event of a stream that has begun."""
        ...

    def ping(self, asked: Asked) -> bytes | None:
        """Return an event that keeps a waiting client, None where the interface has none."""
        ...

    def with_instruction(self, body: Json, instruction: str) -> Json:
        """Return a request with one more system message."""
        ...

    def assembler(self) -> Assembler:
        """Start to put a stream together."""
        ...


@dataclass(slots=True)
class ReadParts:
    """What is read of one reply, part by part, until it makes answers. `size` is that of the text so far."""

    asked: Asked
    separator: str
    texts: list[str] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    structured: list[str] = field(default_factory=list)
    called: bool = False

    @property
    def size(self) -> int:
        """Where the next text begins."""
        return sum(len(text) + len(self.separator) for text in self.texts)

    def add_call(self, arguments: str, words: Iterable[str]) -> None:
        """Add a call of a function: an answer where it was forced, or where it carries one in this tool's schema."""
        if self.asked.forced or '"claims"' in arguments:
            self.structured.append(arguments)
        else:
            self.called = True
            self.beside += words

    def answers(self, finish: Finish, *, absent: bool = False) -> Iterator[GivenAnswer]:
        """Yield the answers: those that calls carry, then the text. `absent` says that a reply without words has no answer yet."""
        ended: Finish = "stop" if finish == "tools" else finish
        for arguments in self.structured:
            yield GivenAnswer(arguments, finish=ended)
        text, refusal, beside = self.separator.join(self.texts), "\n\n".join(self.refusals) or None, tuple(self.beside)
        if text or refusal:
            own = "tools" if self.called and ended == "stop" and not refusal else ended
            yield GivenAnswer(text, tuple(self.citations), own, refusal, beside)
        elif self.called or (beside and self.structured):
            yield GivenAnswer("", (), "tools", None, beside)
        elif not self.structured and not absent:
            yield GivenAnswer("", (), ended, None, beside)


_DEEPEST = 20
"""Nothing that an interface defines is nested so deep."""


class Pieces(list[str]):
    """A string that grows by pieces, which are joined at the end: adding to a long string costs its length."""


def joined(value: Any) -> Any:
    """Return a JSON value whose strings are whole."""
    if isinstance(value, Pieces):
        return "".join(value)
    if isinstance(value, dict):
        return {key: joined(inner) for key, inner in value.items()}
    return [joined(inner) for inner in value] if isinstance(value, list) else value


def texts_of(content: Any, kinds: Sequence[str] = ("text",)) -> str:
    """Return the text of a message's content: a string, or parts of these kinds joined by line breaks."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = (part.get("text") for part in content if isinstance(part, Mapping) and part.get("type") in kinds)
    return "\n".join(part for part in parts if isinstance(part, str))


def whole(value: Any) -> int:
    """Return a count of tokens; 0 where it is not stated."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0


def event_object(data: bytes) -> Json:
    """Decode the data of an event. Raises MalformedError where it is no JSON object."""
    try:
        event = orjson.loads(data)
    except ValueError:
        raise MalformedError("an event is not JSON") from None
    if not isinstance(event, dict):
        raise MalformedError("an event is no object")
    return event


def table(value: Any) -> Json:
    """Return an object; what is none is empty."""
    return value if isinstance(value, dict) else {}


def objects(value: Any) -> list[Json]:
    """Return the objects of a list; what is no list holds none."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def strings(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield every string of a JSON value, to be scanned; keys are the interface's."""
    if isinstance(value, str):
        yield value
    elif depth > _DEEPEST:
        return
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner, depth + 1)


def usage_with_cache_inside(reply: Json, given: str, made: str) -> Usage | None:
    """Return the tokens of an OpenAI interface, whose count of `given` tokens contains those of the cache.

    `given` and `made` name the counts (``prompt_tokens``, ``completion_tokens``); their details stand beside them.
    """
    usage = reply.get("usage")
    if not isinstance(usage, dict) or not isinstance(usage.get(given), int):
        return None
    inputs, outputs = table(usage.get(f"{given}_details")), table(usage.get(f"{made}_details"))
    cached, written = whole(inputs.get("cached_tokens")), whole(inputs.get("cache_write_tokens"))
    return Usage(
        fresh=max(0, whole(usage[given]) - cached - written),
        cached=cached,
        written=written,
        output=whole(usage.get(made)),
        reasoning=whole(outputs.get("reasoning_tokens")),
        tier=reply.get("service_tier") if isinstance(reply.get("service_tier"), str) else None,
    )
