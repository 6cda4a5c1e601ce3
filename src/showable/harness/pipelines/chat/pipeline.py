"""Retrieve, show the passages to a chat model, and hand back what it says with the retrieval log."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from showable.errors import SettingError
from showable.harness.pipelines.chat.prompt import ChatPrompt, load_prompt
from showable.harness.pipelines.chat.reply import read_response
from showable.harness.pipelines.failures import PipelineError
from showable.harness.pipelines.pipeline import Asked, Reply
from showable.judges.chat_endpoint import ChatEndpoint, Failure, Request
from showable.judges.chat_settings import ChatSettings, split_endpoint
from showable.records.passages import Passages
from showable.records.record import Source
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
    """Give an endpoint's address without what may be secret in it: user, password, query and fragment."""
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
