"""The contract of a pipeline: a question in; the answer and the retrieval log out."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from pydantic import Field

from showable.records.evidence import Cost
from showable.records.record import Answer, Source
from showable.records.wire import Id, Many, Wire


class Asked(Wire):
    """What a pipeline gets to see of a question. `force_null`: its retriever is to return nothing for this one."""

    id: Id
    question: str
    force_null: bool = False


class Reply(Wire):
    """What a pipeline gives back.

    `retrieved` is the retrieval log in rank order: None where it keeps none, ``()`` where nothing was found.
    `shown` are the ids that the model saw, in its order. `cost` is what answering took, None where it does not say.
    """

    answer: Answer | str | None
    retrieved: Many[Source] | None = None
    shown: Many[Id] | None = None
    cost: Cost | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)


@runtime_checkable
class Pipeline(Protocol):
    """Answers questions. What it raises is a failure of this one question, and is data."""

    name: str
    """One line for tables: ``reference``, ``chat:small-model``, ``shop.qa:answer``."""

    async def ask(self, asked: Asked) -> Reply:
        """Answer one question. Called for several at a time."""
        ...

    async def aclose(self) -> None:
        """Close connections and processes."""
        ...
