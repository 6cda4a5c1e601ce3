"""Retrieve, show the passages to a chat model, and hand back what it says with the retrieval log."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from showable.errors import InputError, SettingError
from showable.harness.pipelines.failures import PipelineError
from showable.harness.pipelines.pipeline import Asked, Reply
from showable.judges.chat_endpoint import ChatEndpoint, Failure, Request
from showable.judges.chat_prompt import Messages, clean, marker_code
from showable.judges.chat_settings import ChatSettings, split_endpoint
from showable.read.structured import answer_schema, parse_structured
from showable.records.passages import Passages
from showable.records.record import Answer, Source
from showable.search.bm25 import Bm25

K = 5
"""Passages that a model is shown where nobody says otherwise."""


class NoReplyError(PipelineError):
    """The endpoint brought no answer to this question, after all tries; the message says why."""

    def __init__(self, message: str) -> None:
        super().__init__(message, again=False)


class ChatPipeline:
    """Answers with a chat model behind an OpenAI-compatible endpoint, over passages that a search finds.

    `model`, `endpoint`, `prompt` (its label and hash) and `refusal_licence` are what a table of runs tells rows apart by. `counts`
    holds calls, retries, json_schema_rejected and usage_estimated. Raises SettingError when it is made without a
    model, without a key where one is needed, or without the openai package.
    """

    tries_itself = True
    """Its endpoint keeps time and tries again, as the service asks for; the runner does not on top."""

    def __init__(self, search: Passages, settings: ChatSettings, prompt: ChatPrompt, *, k: int = K) -> None:
        """Check the settings; nothing is sent yet."""
        if k < 1:
            raise SettingError(f"k: expected at least 1 passage, got {k}")
        settings.check_ready()
        self.name = f"chat:{settings.model}"
        self.model = settings.model
        self.endpoint = _address(settings.url)
        self.prompt = prompt.label
        self.refusal_licence = prompt.licence
        self.counts: Counter[str] = Counter()
        self._search, self._prompt, self._k, self._seed = search, prompt, k, settings.seed
        self._endpoint = ChatEndpoint(settings, self.counts)

    async def ask(self, asked: Asked) -> Reply:
        """Answer one question. Raises NoReplyError where the endpoint gives no reply that could be one."""
        retrieved = () if asked.force_null else tuple(self._search.search(asked.question, self._k))
        messages = self._prompt.messages(asked.question, retrieved)
        request = Request(messages, self._prompt.schema, seed=self._seed, schema_name="answer")
        response, cost = await self._endpoint.ask(request)
        if isinstance(response, Failure):
            raise NoReplyError(response.reason)
        try:
            said = read_response(response, structured=self._prompt.schema is not None)
        except ValueError as error:
            raise NoReplyError(str(error)) from None
        shown = tuple(source.source_id for source in retrieved)
        return Reply(answer=said.answer, retrieved=retrieved, shown=shown, cost=cost, metadata=said.notes)

    async def aclose(self) -> None:
        """Close the connections of the running event loop."""
        await self._endpoint.aclose()


def _address(url: str) -> str:
    """Return an endpoint's address without what may be secret in it: user, password, query and fragment."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def chat_pipeline(
    spec: str,
    sources: Sequence[Source],
    *,
    licence: bool | None = None,
    structured: bool = True,
    prompt: Path | None = None,
    k: int = K,
    settings: ChatSettings | None = None,
    environ: Mapping[str, str] = os.environ,
) -> ChatPipeline:
    """Make the chat pipeline that `spec` names (``chat:MODEL`` or ``chat:MODEL@URL``) over passages searched by BM25.

    `licence`, `structured` and `prompt` are as in `load_prompt`. `settings` hold all about the endpoint that `spec` does not say;
    without them the temperature is 0 and no seed is sent, so that repeats show what varies. OPENAI_API_KEY and
    OPENAI_BASE_URL fill what is left open. Raises SettingError or InputError.
    """
    model, url = _named(spec)
    given = settings or ChatSettings(seed=None)
    filled = replace(
        given,
        model=model,
        base_url=url or given.base_url or environ.get("OPENAI_BASE_URL") or None,
        api_key=given.api_key or environ.get("OPENAI_API_KEY") or None,
    )
    loaded = load_prompt(licence=licence, structured=structured, instructions=prompt)
    return ChatPipeline(Bm25(sources), filled, loaded, k=k)


def _named(spec: str) -> tuple[str, str | None]:
    kind, _, rest = spec.strip().partition(":")
    try:
        named = split_endpoint(rest) if kind == "chat" else None
    except SettingError as error:
        raise SettingError(f"pipeline {spec!r}: {error}") from None
    if named is None:
        raise SettingError(f"pipeline {spec!r}: expected chat:MODEL or chat:MODEL@https://HOST/v1")
    return named


# Read the response of a chat endpoint into an answer, and say what was odd about it.


@dataclass(frozen=True, slots=True)
class Said:
    """An answer, and what a reader of the record should know: ``finish_reason``, ``not_structured``, ``model_refused``."""

    answer: Answer | str | None
    notes: dict[str, Any] = field(default_factory=dict)


def read_response(response: dict[str, Any], *, structured: bool) -> Said:
    """Read a response. A structured reply that cannot be read stays as the text it is, for the scorer to see.

    Raises ValueError where the response holds no message.
    """
    choices = response.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise ValueError("the endpoint's response holds no message")  # noqa: TRY004 - what was sent is wrong, not its type
    finish = choice.get("finish_reason")
    notes: dict[str, Any] = {} if finish is None or finish == "stop" else {"finish_reason": str(finish)}
    refused, content = message.get("refusal"), message.get("content")
    if isinstance(refused, str) and refused.strip():
        return Said(refused, notes | {"model_refused": True})
    if not isinstance(content, str) or not content.strip():
        return Said(None, notes)
    return _structured(content, notes) if structured else Said(content, notes)


def _structured(content: str, notes: dict[str, Any]) -> Said:
    parsed = parse_structured(content)
    if parsed is None:
        return Said(content, notes | {"not_structured": "the reply is no JSON"})
    _, answer, problems = parsed
    if answer is None:
        return Said(content, notes | {"not_structured": "; ".join(problem.reason for problem in problems)})
    return Said(answer, notes)


# The prompt of the chat pipeline: put together from files, hashed, with passages that cannot end their block.


_HASH_LENGTH = 6
_TOLD = ("version", "status", "effective", "superseded_by")
"""What a passage's metadata may tell a model about its standing."""


@dataclass(frozen=True)
class ChatPrompt:
    """Instructions, the message's templates, and the schema of the reply (None for plain text).

    `label` names it in tables, with a hash of all that is sent but passages and question: ``licensed-structured@3fa9c1``.
    `licence` says whether it allows a refusal, None where the user's own words decide that.
    """

    system: str
    user: Template
    passage: Template
    nothing: str
    schema: dict[str, Any] | None
    label: str
    licence: bool | None

    def messages(self, question: str, passages: Sequence[Source]) -> Messages:
        """Write the messages. The code of the marker lines stands in nothing that is put between them."""
        asked = clean(question)
        blocks = [
            (clean(heading), clean(one.text or ""))
            for heading, one in zip(self._headings(passages), passages, strict=True)
        ]
        code = marker_code((asked, *(text for block in blocks for text in block)))
        shown = "".join(self.passage.substitute(code=code, heading=heading, text=text) for heading, text in blocks)
        user = self.user.substitute(code=code, passages=shown or self.nothing, question=asked)
        return [{"role": "system", "content": self.system}, {"role": "user", "content": user}]

    def _headings(self, passages: Sequence[Source]) -> list[str]:
        if self.schema is not None:
            return [_heading("source_id", one.source_id, one) for one in passages]
        return [_heading("label", label, one) for label, one in zip(labels(passages), passages, strict=True)]


def labels(passages: Sequence[Source]) -> list[str]:
    """Return what a plain answer is to call each passage: its number, or its id where an id is a number itself."""
    if any(one.source_id.isdecimal() for one in passages):
        return [f"[{one.source_id}]" for one in passages]
    return [f"[{number}]" for number in range(1, len(passages) + 1)]


def load_prompt(*, licence: bool | None, structured: bool, instructions: Path | None = None) -> ChatPrompt:
    """Put a prompt together: instructions, the refusal licence where it is given, and the form of the reply.

    `instructions` is a file of the user's that replaces the shipped ones. `licence` None means yes with the shipped
    instructions; with the user's own it adds nothing, as they say themselves what a model may do. Without a licence
    a structured reply has no field to refuse in. Raises InputError where the file cannot be read or is empty.
    """
    licensed = instructions is None if licence is None else licence
    opening = _shipped("answering.md") if instructions is None else _own(instructions)
    parts = [opening, *([_shipped("licence.md")] if licensed else []), *_form(structured=structured, licensed=licensed)]
    system = "\n".join(parts)
    kept = instructions is not None and licence is None
    schema = _schema(refusal=licensed or kept) if structured else None
    sent = (system, *map(_shipped, ("user.md", "passage.md", "nothing.md")), repr(schema))
    digest = hashlib.sha256("\0".join(sent).encode()).hexdigest()[:_HASH_LENGTH]
    words = [
        *([instructions.stem] if instructions else []),
        *([] if kept else ["licensed" if licensed else "unlicensed"]),
    ]
    return ChatPrompt(
        system=system,
        user=Template(sent[1]),
        passage=Template(sent[2]),
        nothing=sent[3],
        schema=schema,
        label=f"{'-'.join([*words, 'structured' if structured else 'plain'])}@{digest}",
        licence=None if kept else licensed,
    )


def _form(*, structured: bool, licensed: bool) -> list[str]:
    if not structured:
        return [_shipped("plain.md")]
    return [_shipped("structured.md"), *([_shipped("licence-structured.md")] if licensed else [])]


def _schema(*, refusal: bool) -> dict[str, Any]:
    schema = answer_schema()
    if refusal:
        return schema
    kept = {name: given for name, given in schema["properties"].items() if name != "refusal"}
    return schema | {"description": "An answer as claims with citations.", "properties": kept, "required": list(kept)}


def _heading(name: str, label: str, source: Source) -> str:
    """Say of a passage what it is called, and what is known of its document, a line each."""
    about = {"title": source.title, "page": source.page, **{key: source.metadata.get(key) for key in _TOLD}}
    known = (f"{key}: {' '.join(str(value).split())}" for key, value in about.items() if value is not None)
    return "\n".join((f"{name}: {label}", *known))


def _own(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        raise InputError(f"the prompt cannot be read: {error.strerror or error}", path=str(path)) from None
    except UnicodeDecodeError:
        raise InputError("the prompt is not UTF-8 text", path=str(path)) from None
    if not text.strip():
        raise InputError("the prompt is empty", path=str(path))
    return text if text.endswith("\n") else f"{text}\n"


@cache
def _shipped(name: str) -> str:
    file = resources.files("showable.harness.pipelines.chat") / "prompts" / name
    return file.read_text(encoding="utf-8").replace("\r\n", "\n")
