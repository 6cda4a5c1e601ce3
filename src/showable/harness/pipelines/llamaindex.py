"""LlamaIndex query engines as pipelines: the retrieval log is the response's `source_nodes`.

Nothing of LlamaIndex is imported: the object brings it.
"""

from __future__ import annotations

import inspect
from typing import Any

from showable.harness.pipelines.failures import PipelineError
from showable.harness.pipelines.forced_null import empty_retrieval, silence
from showable.harness.pipelines.pipeline import Asked, Reply
from showable.harness.pipelines.reading_replies import read_documents, read_reply

_RETRIEVERS = ("_retriever", "retriever")
_INNER = ("_query_engine", "query_engine")
_DEEPEST = 4


def is_query_engine(found: Any) -> bool:
    """Tell an object with LlamaIndex's ways of asking it."""
    named = any(one.__module__.split(".")[0].startswith("llama_index") for one in type(found).__mro__)
    return named and callable(getattr(found, "query", None)) and callable(getattr(found, "aquery", None))


class LlamaIndexPipeline:
    """Queries an engine. Its retriever finds nothing where an empty retrieval is asked for."""

    def __init__(self, engine: Any, name: str) -> None:
        self.name, self._engine = name, engine
        for retriever in _retrievers(engine):
            silence(retriever, "_retrieve", "_aretrieve")

    async def ask(self, asked: Asked) -> Reply:
        """Query it; a response that streams is read to its end."""
        with empty_retrieval(asked.force_null):
            response = await self._engine.aquery(asked.question)
            if hasattr(response, "get_response"):
                whole = response.get_response()
                response = await whole if inspect.isawaitable(whole) else whole
        answer = getattr(response, "response", None)
        if not hasattr(response, "source_nodes"):
            raise PipelineError(f"expected a Response with source_nodes, got {type(response).__name__}", again=False)
        return read_reply({"answer": answer, "retrieved": read_documents(response.source_nodes)})

    async def aclose(self) -> None:
        """Leave the engine as it is."""


def _retrievers(engine: Any) -> list[Any]:
    """Find the retriever of an engine, or of the engine it wraps."""
    for _ in range(_DEEPEST):
        found = [held for name in _RETRIEVERS if (held := getattr(engine, name, None)) is not None]
        if found:
            return found
        engine = next((held for name in _INNER if (held := getattr(engine, name, None)) is not None), None)
        if engine is None:
            break
    return []
