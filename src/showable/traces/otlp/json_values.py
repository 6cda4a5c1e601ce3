"""The values of OTLP/JSON (protobuf's JSON mapping, with hexadecimal ids): none is believed to be of the kind that it says."""

from __future__ import annotations

import math
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Callable
from typing import Any

from showable.traces.otlp.decoded import DEEPEST, MOST_TEXT, cut_list, cut_text, endless, shown, too_deep
from showable.traces.otlp.refused import Refused

_INT64 = range(-(2**63), 2**63)
_LONGEST_INT = 20
"""Digits and sign of the longest 64-bit integer."""
_KINDS = ("stringValue", "boolValue", "intValue", "doubleValue", "arrayValue", "kvlistValue", "bytesValue")
_LONG_B64, _SHORT_B64 = 24, 12
"""How long 16 and 8 bytes are in base64."""


def items(raw: Any, place: str) -> list[Any]:
    """Return a repeated field; null and a missing one are empty. Raises Refused (400) for what is no list."""
    if raw is None:
        return []
    if not isinstance(raw, list):
        raise Refused(400, f"{place}: expected a list")
    return raw


def mapping(raw: Any, place: str) -> dict[str, Any]:
    """Return an object; null and a missing one are empty. Raises Refused (400) for what is none."""
    if raw is None:
        return {}
    if not isinstance(raw, dict):
        raise Refused(400, f"{place}: expected an object")
    return raw


def hex_id(raw: Any, digits: int) -> str | None:
    """Return an id in lower-case hexadecimal; None for what is none of that length, or all zeros.

    The standard has hexadecimal here; what protobuf's own printer makes of it, base64, is told by its length and read too.
    """
    if type(raw) is not str:
        return None
    if len(raw) in {_LONG_B64, _SHORT_B64} and len(raw) != digits and raw.endswith("="):
        try:
            raw = b64decode(raw, validate=True).hex()
        except (Base64Error, ValueError):
            return None
    if len(raw) != digits:
        return None
    try:
        number = int.from_bytes(bytes.fromhex(raw), "big")
    except ValueError:
        return None
    held = raw.lower()
    # bytes.fromhex passes over blanks
    return held if number and held.isalnum() else None


def whole(raw: Any) -> int | None:
    """Return a 64-bit integer that came as a number or as text (proto3's JSON has both); None for what is none."""
    if type(raw) is int:
        return raw
    if type(raw) is str and len(raw) <= _LONGEST_INT and raw.isascii():
        try:
            return int(raw)
        except ValueError:
            return None
    if type(raw) is float and raw.is_integer():
        return int(raw)
    return None


def attributes_of(raw: Any, problems: list[str]) -> dict[str, Any]:
    """Return attributes as JSON has them. Where a key stands twice the last one holds, and `problems` says so."""
    if raw is None:
        return {}
    if type(raw) is not list:
        problems.append("its attributes are not a list: left out")
        return {}
    held: dict[str, Any] = {}
    left_out = 0
    for pair in raw:
        if type(pair) is not dict or type(key := pair.get("key", "")) is not str:
            left_out += 1
            continue
        value = pair.get("value")
        if type(value) is dict and len(value) == 1:
            text = value.get("stringValue")
            if type(text) is str and len(text) <= MOST_TEXT:
                held[key] = text
                continue
        held[key] = value_of(value, key, 1, problems)
    if left_out:
        problems.append(f"{left_out} attributes are no pairs of a name and a value: left out")
    if len(held) + left_out != len(raw):
        problems.append(
            f"{len(raw) - left_out - len(held)} attributes have a name that another has too: the last one holds"
        )
    if "" in held:
        problems.append("an attribute has no name")
    return held


def value_of(raw: Any, key: str, depth: int, problems: list[str]) -> Any:
    """Return an AnyValue as JSON has it. One that lies about its kind is kept as it came where that is text or a number."""
    if type(raw) is not dict:
        return None if raw is None else _lie(raw, key, "a value without its kind", problems)
    said = [kind for kind in _KINDS if raw.get(kind) is not None]
    if len(said) > 1:
        problems.append(f"{shown(key)}: says two kinds at once, the first one holds")
    elif not said:
        if any(name not in _KINDS for name in raw):
            problems.append(f"{shown(key)}: is of a kind that traces do not have, left out")
        return None
    held = raw[said[0]]
    if said[0] in _ONE:
        return _ONE[said[0]](held, key, problems)
    return _many(_MANY[said[0]], held, key, depth, problems)


def _many(read: Callable[..., Any], held: Any, key: str, depth: int, problems: list[str]) -> Any:
    if depth >= DEEPEST:
        problems.append(too_deep(key))
        return None
    values = (held.get("values") or []) if type(held) is dict else held
    if type(values) is not list:
        return _lie(values, key, "not a list of values", problems)
    return read(cut_list(values, key, problems), key, depth + 1, problems)


def _list(values: list[Any], key: str, depth: int, problems: list[str]) -> list[Any]:
    return [value_of(one, key, depth, problems) for one in values]


def _mapping(values: list[Any], key: str, depth: int, problems: list[str]) -> dict[str, Any]:
    inner = {
        name: value_of(pair.get("value"), key, depth, problems)
        for pair in values
        if type(pair) is dict and type(name := pair.get("key", "")) is str
    }
    if len(inner) != len(values):
        problems.append(f"{shown(key)}: a name stands twice in it, or none does; the last one holds")
    return inner


def _text(held: Any, key: str, problems: list[str]) -> Any:
    return cut_text(held, key, problems) if type(held) is str else _lie(held, key, "no text", problems)


def _bool(held: Any, key: str, problems: list[str]) -> Any:
    return held if type(held) is bool else _lie(held, key, "neither true nor false", problems)


def _int(held: Any, key: str, problems: list[str]) -> Any:
    number = whole(held)
    return number if number is not None and number in _INT64 else _lie(held, key, "no 64-bit integer", problems)


def _double(held: Any, key: str, problems: list[str]) -> Any:
    number = None
    if type(held) in {int, float} or (type(held) is str and len(held) <= 2 * _LONGEST_INT):
        number = _float(held)
    if number is None:
        return _lie(held, key, "no number", problems)
    return number if math.isfinite(number) else endless(number, key, problems)


def _float(held: str | float) -> float | None:
    try:
        return float(held)
    except (ValueError, OverflowError):
        return None


def _lie(held: Any, key: str, what: str, problems: list[str]) -> Any:
    problems.append(f"{shown(key)}: its value is {what}, kept as far as it can be")
    if type(held) is str:
        return cut_text(held, key, problems)
    if type(held) is bool or (type(held) is int and held in _INT64):
        return held
    if type(held) in {int, float}:
        return held if type(held) is float else str(held)
    return None


_ONE = {"stringValue": _text, "bytesValue": _text, "boolValue": _bool, "intValue": _int, "doubleValue": _double}
_MANY = {"arrayValue": _list, "kvlistValue": _mapping}
