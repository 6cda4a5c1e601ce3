"""Nested attributes laid flat under dotted names, as they travel on the wire."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import orjson

from showable.traces.otlp.decoded import DEEPEST, cut_text, endless, too_deep

_WHOLE = frozenset({"metadata", "invocation_parameters", "json_schema", "variables", "parameters", "arguments"})
"""Last parts of names whose value is one JSON text in OpenInference, however deep it is."""


def flatten(name: str, value: Any, problems: list[str]) -> dict[str, Any]:
    """Return a value as flat attributes: mappings by dotted names, lists of mappings by index. What is null is left out."""
    held: dict[str, Any] = {}
    _lay(name, value, held, problems, 1)
    return held


def _lay(name: str, value: Any, held: dict[str, Any], problems: list[str], depth: int) -> None:
    if value is None:
        return
    if not isinstance(value, (Mapping, list, tuple)):
        held[name] = plain(value, name, problems)
    elif name.rpartition(".")[2] in _WHOLE:
        held[name] = json_text(value, name, problems)
    elif depth >= DEEPEST:
        problems.append(too_deep(name))
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            _lay(f"{name}.{key}" if name else str(key), inner, held, problems, depth + 1)
    elif any(isinstance(inner, (Mapping, list)) for inner in value):
        for i, inner in enumerate(value):
            _lay(f"{name}.{i}", inner, held, problems, depth + 1)
    else:
        held[name] = [plain(inner, name, problems) for inner in value]


def plain(value: Any, name: str, problems: list[str]) -> Any:
    """Return one value as JSON has it, cut where it is too long."""
    if isinstance(value, str):
        return cut_text(value, name, problems)
    if isinstance(value, float) and not math.isfinite(value):
        return endless(value, name, problems)
    if isinstance(value, bytes):
        return cut_text(value.decode("utf-8", "replace"), name, problems)
    return value if value is None or isinstance(value, (bool, int, float)) else str(value)


def json_text(value: Any, name: str, problems: list[str]) -> str:
    """Return a value as JSON text, and a text as it is."""
    if isinstance(value, str):
        return cut_text(value, name, problems)
    try:
        text = orjson.dumps(value, default=str, option=orjson.OPT_NON_STR_KEYS).decode()
    except TypeError:  # nested beyond what orjson writes, or half of a surrogate pair
        problems.append(too_deep(name))
        return ""
    return cut_text(text, name, problems)
