"""`module:function`: a Python function, or an object of a framework, as a pipeline."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from showable.errors import SettingError
from showable.harness.pipelines.failures import PipelineError, brief
from showable.harness.pipelines.langchain import LangChainPipeline, is_runnable
from showable.harness.pipelines.llamaindex import LlamaIndexPipeline, is_query_engine
from showable.harness.pipelines.pipeline import Asked, Pipeline, Reply
from showable.harness.pipelines.reading_replies import read_reply

_ASKED = ("question", "id", "force_null")
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_MANY = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


class FunctionPipeline:
    """Calls a function, sync ones in a thread. It gets the question, and of `id` and `force_null` what it declares."""

    def __init__(self, function: Callable[..., Any], name: str) -> None:
        self.name = name
        self._function = function
        self._parameters = _parameters(function, name)
        call = function if inspect.isroutine(function) else type(function).__call__
        self._is_async = inspect.iscoroutinefunction(inspect.unwrap(call))

    async def ask(self, asked: Asked) -> Reply:
        """Call it. What it raises passes, but for sys.exit(), which another try may not meet again."""
        call = self._bound(asked)
        try:
            given = call() if self._is_async else await asyncio.to_thread(call)
            while inspect.isawaitable(given):
                given = await given
        except SystemExit as error:
            raise PipelineError(f"it called sys.exit({error.code!r})") from None
        return read_reply(given, asked.id)

    async def aclose(self) -> None:
        """Leave the function as it is."""

    def _bound(self, asked: Asked) -> Callable[[], Any]:
        values = {"question": asked.question, "id": asked.id, "force_null": asked.force_null}
        named = {name: values[name] for name in self._parameters if name in values}
        first = [] if "question" in named else [asked.question]
        return partial(self._function, *first, **named)


def load(spec: str) -> Pipeline:
    """Import ``module:function`` and make a pipeline of what is found there. The current folder is importable.

    A function that takes nothing, and a class, is called once and gives the pipeline. Raises SettingError where there
    is no such thing, or nothing that a question could be put to.
    """
    module, _, path = spec.partition(":")
    found = _attribute(_module(module, spec), path, spec)
    if _makes_one(found):
        try:
            found = found()
        except Exception as error:
            raise SettingError(f"pipeline {spec}: making it failed: {_said(error)}") from error
    return adapt(found, spec)


def adapt(found: Any, name: str) -> Pipeline:
    """Make a pipeline of an object: one of ours, a LangChain Runnable, a LlamaIndex query engine, a function.

    Raises SettingError where it is none of them.
    """
    if isinstance(found, Pipeline):
        return found
    if is_query_engine(found):
        return LlamaIndexPipeline(found, name)
    if is_runnable(found):
        return LangChainPipeline(found, name)
    if not callable(found):
        said = f"{type(found).__name__} is not callable, no LangChain Runnable and no LlamaIndex query engine"
        raise SettingError(f"pipeline {name}: {said}")
    return FunctionPipeline(found, name)


def _module(name: str, spec: str) -> Any:
    folder = os.getcwd()  # noqa: PTH109 - sys.path holds texts
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(f"{error.name}.")):
            said = f"there is no module {error.name!r} in {folder} or among what is installed"
            raise SettingError(f"pipeline {spec}: {said}") from None
        raise SettingError(f"pipeline {spec}: importing {name!r} failed: {_said(error)}") from error
    except (Exception, SystemExit) as error:
        raise SettingError(f"pipeline {spec}: importing {name!r} failed: {_said(error)}") from error


def _attribute(module: Any, path: str, spec: str) -> Any:
    found, where = module, f"module {module.__name__!r}"
    for name in path.split("."):
        try:
            found = getattr(found, name)
        except AttributeError:
            raise SettingError(f"pipeline {spec}: {where} has no {name!r}{_offer(found)}") from None
        where = repr(name)
    return found


def _offer(found: Any) -> str:
    """Name a few functions of a module, for who mistyped one."""
    names = [name for name, one in vars(found).items() if inspect.isroutine(one) and not name.startswith("_")]
    own = [name for name in names if getattr(vars(found)[name], "__module__", None) == getattr(found, "__name__", "")]
    return f"; it has {', '.join(own[:6])}" if own else ""


def _makes_one(found: Any) -> bool:
    """Tell a class, or a function without parameters: no question can be put to it, so it makes what takes one."""
    if inspect.isclass(found):
        return True
    if not inspect.isroutine(found):
        return False
    with suppress(ValueError, TypeError):  # a builtin may not tell
        return not inspect.signature(found).parameters
    return False


def _parameters(function: Callable[..., Any], name: str) -> Mapping[str, inspect.Parameter]:
    """Return what a function declares. Raises SettingError where it needs what no question has, or takes none."""
    try:
        parameters = inspect.signature(function).parameters
    except (ValueError, TypeError):
        return {}
    first = next((p.name for p in parameters.values() if p.kind in _POSITIONAL and p.name not in _ASKED[1:]), None)
    takes_question = "question" in parameters or first is not None
    if not takes_question and not any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in parameters.values()):
        raise SettingError(f"pipeline {name}: takes no question; declare a parameter `question`")
    given = {*_ASKED} | ({first} if "question" not in parameters and first else set())
    for parameter in parameters.values():
        if parameter.name not in given and parameter.kind not in _MANY and parameter.default is parameter.empty:
            said = f"needs {parameter.name!r}, which no question has; it may take question, id and force_null"
            raise SettingError(f"pipeline {name}: {said}")
    return {n: p for n, p in parameters.items() if p.kind not in {inspect.Parameter.POSITIONAL_ONLY, *_MANY}}


def _said(error: BaseException) -> str:
    return brief(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__)
