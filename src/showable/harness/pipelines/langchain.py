"""LangChain Runnables as pipelines: the retrieval log is what their retrievers gave back, as the callbacks tell.

Nothing of LangChain is imported before such an object is at hand.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from showable.harness.pipelines.failures import PipelineError
from showable.harness.pipelines.forced_null import empty_retrieval, silence
from showable.harness.pipelines.pipeline import Asked, Reply
from showable.harness.pipelines.reading_replies import read_documents, read_reply
from showable.records.evidence import Cost
from showable.records.record import Source

_QUESTION_KEYS = ("input", "question", "query")
_ANSWER_KEYS = ("answer", "result", "output", "output_text", "response")
_LOG_KEYS = ("context", "source_documents", "documents", "docs", "retrieved")
_DEEPEST = 12


def is_runnable(found: Any) -> bool:
    """Tell an object with LangChain's ways of calling it. A class is none."""
    named = any(one.__module__.split(".")[0].startswith(("langchain", "langgraph")) for one in type(found).__mro__)
    return named and callable(getattr(found, "invoke", None)) and callable(getattr(found, "ainvoke", None))


class LangChainPipeline:
    """Invokes a chain. Its retrievers, as far as they can be reached, find nothing where an empty retrieval is asked for."""

    def __init__(self, chain: Any, name: str) -> None:
        self.name, self._chain = name, chain
        self._key = _question_key(chain)
        for retriever in retrievers_in(chain):
            silence(retriever, "_get_relevant_documents", "_aget_relevant_documents")

    async def ask(self, asked: Asked) -> Reply:
        """Invoke it with the question, as text or under the key that it takes."""
        watch = _watch()
        given = asked.question if self._key is None else {self._key: asked.question}
        with empty_retrieval(asked.force_null):
            found = await self._chain.ainvoke(given, config={"callbacks": [watch]})
        return _reply(found, watch)

    async def aclose(self) -> None:
        """Leave the chain as it is."""


def _reply(found: Any, watch: Any) -> Reply:
    held = _documents_of(found)
    log = watch.log if watch.log is not None else held
    shown = None
    if log is not None and held is not None and held != log:
        ids = [source.source_id for source in held]
        shown = tuple(ids) if set(ids) <= {source.source_id for source in log} else None
    return read_reply(Reply(answer=_answer_of(found), retrieved=log, shown=shown, cost=watch.cost))


def _answer_of(found: Any) -> Any:
    """Find the answer: a text, a message, or what a chain's result has under one of the usual names."""
    if isinstance(found, Mapping):
        key = next((name for name in _ANSWER_KEYS if name in found), None)
        if key is None and found.get("messages"):
            return _answer_of(found["messages"][-1])
        if key is None:
            names = ", ".join(str(name) for name in found)
            raise PipelineError(
                f"the chain's result has no answer under {', '.join(_ANSWER_KEYS)}; it has {names}", again=False
            )
        return _answer_of(found[key])
    if isinstance(found, list) and all(hasattr(one, "page_content") for one in found):
        raise PipelineError("the chain gave documents and no answer: it ends in its retriever", again=False)
    content = getattr(found, "content", found)  # of a message
    if isinstance(content, list):
        content = "".join(part if isinstance(part, str) else str(part.get("text", "")) for part in content)
    return read_reply({"answer": content}).answer


def _documents_of(found: Any) -> tuple[Source, ...] | None:
    if not isinstance(found, Mapping):
        return None
    held = next((found[name] for name in _LOG_KEYS if isinstance(found.get(name), list | tuple)), None)
    return None if held is None else _read(held)


def _read(documents: Sequence[Any]) -> tuple[Source, ...]:
    return read_documents(list(documents)) or ()


def _watch() -> Any:
    """Make a callback handler that keeps what the outermost retrievers gave back, and the tokens that models took."""
    base: Any = importlib.import_module("langchain_core.callbacks").BaseCallbackHandler
    return type("RetrievalWatch", (_Watched, base), {})()


class _Watched:
    """What is listened for. A retriever that asks others answers for them: what those gave is not the log."""

    def __init__(self) -> None:
        self._running: set[UUID] = set()
        self._documents: list[Any] | None = None
        self.cost: Cost | None = None

    @property
    def log(self) -> tuple[Source, ...] | None:
        """The passages of all retrievals in their order, each once; None where no retriever ran."""
        if self._documents is None:
            return None
        found: dict[tuple[str, str | None], Source] = {}
        for source in _read(self._documents):
            found.setdefault((source.source_id, source.text), source)
        return tuple(found.values())

    def on_retriever_start(self, *_: Any, run_id: UUID, parent_run_id: UUID | None = None, **__: Any) -> None:
        if parent_run_id not in self._running:
            self._documents = self._documents or []
        self._running.add(run_id)

    def on_retriever_end(self, documents: Sequence[Any], *, parent_run_id: UUID | None = None, **_: Any) -> None:
        if parent_run_id not in self._running:
            self._documents = [*(self._documents or []), *documents]

    def on_llm_end(self, response: Any, **_: Any) -> None:
        for batch in response.generations:
            usage = getattr(getattr(batch[0], "message", None), "usage_metadata", None) if batch else None
            if usage:
                took = Cost(calls=1, tokens_in=usage["input_tokens"], tokens_out=usage["output_tokens"], usd=None)
                self.cost = took if self.cost is None else self.cost + took


def _question_key(chain: Any) -> str | None:
    """Say under which key a chain takes the question; None where it takes the text itself."""
    keys = getattr(chain, "input_keys", None)
    if isinstance(keys, list) and len(keys) == 1:
        return str(keys[0])
    try:
        schema = chain.get_input_jsonschema()
    except Exception:  # noqa: BLE001 - a chain that cannot say takes the text
        return None
    names = schema.get("properties", {}) if schema.get("type") == "object" else {}
    return next((name for name in _QUESTION_KEYS if name in names), None)


def retrievers_in(chain: Any) -> list[Any]:
    """Find the retrievers that a chain is made of, wherever they stand in it."""
    base = importlib.import_module("langchain_core.retrievers").BaseRetriever
    found: dict[int, Any] = {}
    _walk(chain, base, found, set(), 0)
    return list(found.values())


def _walk(one: Any, base: type, found: dict[int, Any], seen: set[int], depth: int) -> None:
    if id(one) in seen or depth > _DEEPEST:
        return
    seen.add(id(one))
    if isinstance(one, base):
        found[id(one)] = one
    for inner in _parts(one):
        _walk(inner, base, found, seen, depth + 1)


def _parts(one: Any) -> Iterator[Any]:
    if isinstance(one, Mapping):
        yield from one.values()
    elif isinstance(one, list | tuple):
        yield from one
    elif any(base.__module__.startswith("langchain") for base in type(one).__mro__):
        yield from vars(one).values() if hasattr(one, "__dict__") else ()
        yield from getattr(one, "deps", ())  # what a function in a chain refers to
    elif hasattr(one, "__self__"):  # a method: `retriever.invoke` put into a chain
        yield one.__self__
