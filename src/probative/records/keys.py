"""What a JSON reader lets pass and a person would call a mistake: a key that stands twice, NaN where a number should be."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from typing import Any

from probative.records.wire import Wire


class _NotANumberError(ValueError):
    """A name such as NaN, which Python's reader takes for a number and which no JSON file may hold."""


def repeated_key(raw: bytes, value: Wire) -> str | None:
    """Give the field of the line's own object that stands twice, or None.

    `raw` is the line and `value` what was read from it. Only where the line holds a field's name more often than the
    value accounts for is it parsed a second time. Objects within the object are not looked into.
    """
    names = _names(type(value)).findall(raw)
    if len(set(names)) == len(names):
        return None
    counts = Counter(names)
    doubtful = [name for name in value.model_fields_set if (n := counts[name.encode()]) > 1 and n > _uses(value, name)]
    if not doubtful:
        return None
    keys = Counter(key for key, _ in json.loads(raw, object_pairs_hook=list))
    return next((key for key in keys if keys[key] > 1), None)


@cache
def _names(model: type[Wire]) -> re.Pattern[bytes]:
    """Find a model's field names as keys; the first key of the object that such a key holds is passed over."""
    names = "|".join(map(re.escape, model.model_fields))
    return re.compile(rf'"({names})"\s*+:(?:\s*+\{{\s*+"[^"\\]*+"\s*+:)?'.encode())


def _uses(value: Any, name: str) -> int:
    """Count how often a name is a key in a value as it was read."""
    if isinstance(value, Wire):
        inner = value.__dict__
        return (name in value.model_fields_set) + sum(_uses(v, name) for v in inner.values() if not isinstance(v, str))
    if isinstance(value, dict):
        return (name in value) + sum(_uses(v, name) for v in value.values() if not isinstance(v, str))
    return sum(_uses(one, name) for one in value) if isinstance(value, (tuple, list)) else 0


def not_json_number(raw: bytes) -> str | None:
    """Give the NaN or Infinity that stands in a line as a number, or None; the words in strings are no such thing."""
    if b"NaN" not in raw and b"Infinity" not in raw:
        return None
    try:
        json.loads(raw, parse_constant=_refuse)
    except _NotANumberError as error:
        return str(error)
    return None


def _refuse(name: str) -> Any:
    raise _NotANumberError(name)
