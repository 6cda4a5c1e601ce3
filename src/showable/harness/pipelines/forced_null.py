"""An empty retrieval on demand: retrievers of a framework are made to find nothing while a question asks for that."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any

_EMPTY: ContextVar[bool] = ContextVar("showable_empty_retrieval", default=False)
_MARK = "_showable_silences"


@contextmanager
def empty_retrieval(wanted: bool) -> Iterator[None]:  # noqa: FBT001 - the flag is all there is
    """Let every retriever that `silence` was called on find nothing within, where that is wanted.

    Questions that are answered at the same time do not see it.
    """
    token = _EMPTY.set(wanted)
    try:
        yield
    finally:
        _EMPTY.reset(token)


def silence(retriever: Any, *methods: str) -> None:
    """Make these methods of one retriever give an empty list while `empty_retrieval` holds; else they work as before."""
    for name in methods:
        method = getattr(retriever, name, None)
        if callable(method) and not hasattr(method, _MARK):
            wrapped = _awaited(method) if inspect.iscoroutinefunction(method) else _called(method)
            setattr(wrapped, _MARK, True)
            object.__setattr__(retriever, name, wrapped)  # pydantic's own setter refuses what is no field


def _called(method: Any) -> Any:
    @wraps(method)
    def find(*args: Any, **named: Any) -> Any:
        return [] if _EMPTY.get() else method(*args, **named)

    return find


def _awaited(method: Any) -> Any:
    @wraps(method)
    async def find(*args: Any, **named: Any) -> Any:
        return [] if _EMPTY.get() else await method(*args, **named)

    return find
