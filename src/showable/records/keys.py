"""What a JSON reader lets pass and a person would call a mistake: a key that stands twice, NaN where a number should be."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any, get_args

from showable.records.wire import Wire


def repeated_key(raw: bytes, value: Wire) -> str | None:
    """Return the field of the line's own object that stands twice, or None.

    `raw` is the line and `value` what was read from it. Only where the line holds a field's name more often than the
    value accounts for is it parsed a second time. Objects within the object are not looked into.
    """
    names = _names(type(value)).findall(raw)
    if len(set(names)) == len(names):
        return None
    counts = Counter(names)
    if all(n <= _uses(value, name.decode()) for name, n in counts.items() if n > 1):
        return None
    keys = Counter(key for key, _ in json.loads(raw, object_pairs_hook=list))
    return next((key for key in keys if keys[key] > 1), None)


@cache
def _names(model: type[Wire]) -> re.Pattern[bytes]:
    """Find a model's field names as keys; the first key of the object that such a key holds is passed over."""
    names = "|".join(map(re.escape, model.model_fields))
    return re.compile(rf'"({names})"\s*+:(?:\s*+\{{\s*+"[^"\\]*+"\s*+:)?'.encode())


def _uses(value: Wire, name: str) -> int:
    """Count how many objects of a value have a field of this name."""
    return (name in value.model_fields_set) + sum(_uses(inner, name) for inner in _inner(value))


def endless_number(value: Wire) -> str | None:
    """Return the place of a NaN or an infinity in a value's free fields (``metadata.score``), or None."""
    for field in _fields(type(value))[1]:
        if (held := getattr(value, field)) and (place := _endless(held)) is not None:
            return f"{field}{place}"
    for field in _fields(type(value))[0]:
        held = getattr(value, field)
        many = isinstance(held, tuple)
        for i, inner in enumerate(held if many else (held,)):
            if isinstance(inner, Wire) and (place := endless_number(inner)) is not None:
                return f"{field}.{i}.{place}" if many else f"{field}.{place}"
    return None


def _endless(held: Any) -> str | None:
    if isinstance(held, float):
        return None if math.isfinite(held) else ""
    if not isinstance(held, (dict, list)):
        return None
    for key, inner in held.items() if isinstance(held, dict) else enumerate(held):
        if not isinstance(inner, str) and (place := _endless(inner)) is not None:
            return f".{key}{place}"
    return None


def _inner(value: Wire) -> Iterator[Wire]:
    for field in _fields(type(value))[0]:
        held = getattr(value, field)
        if isinstance(held, Wire):
            yield held
        elif isinstance(held, tuple):
            yield from (one for one in held if isinstance(one, Wire))


@cache
def _fields(model: type[Wire]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return a model's fields that hold other models, and those that hold anything at all."""
    annotations = {name: set(_types(field.annotation)) for name, field in model.model_fields.items()}
    inner = tuple(name for name, types in annotations.items() if any(_is_wire(one) for one in types))
    return inner, tuple(name for name, types in annotations.items() if Any in types)


def _types(annotation: Any) -> Iterator[Any]:
    if parts := get_args(annotation):
        for part in parts:
            yield from _types(part)
    elif annotation is Any or isinstance(annotation, type):
        yield annotation


def _is_wire(one: Any) -> bool:
    return isinstance(one, type) and issubclass(one, Wire)
