"""Read attribute values that may be of the wrong type, or JSON cut at a size limit: what cannot be read is said, never raised."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

from pydantic_core import from_json, to_json

Notes = list[tuple[str, str]]
"""What could not be read: (code, words)."""

DEEPEST = 100
"""How deep lists and mappings may stand within each other; JSON text is refused beyond 200 by its parser."""
OPENERS = ("{", "[", '"')
MASK = "__REDACTED__"
"""What OpenInference's instrumentations write in place of what they are told to hide (OPENINFERENCE_HIDE_INPUTS and the like)."""
_MARK = re.compile(r"(?:\.{3}|…|[\[(<]\s*truncated[^\])>]{0,40}[\])>])\s*$", re.IGNORECASE)
"""What tools put where they cut a value."""
_CONTROLS = re.compile(r"[\x00-\x1f]")
_OF_NUMBERS = "-+0123456789.eE"


def shallow(value: Any, key: str, notes: Notes) -> bool:
    """Check whether lists and mappings stand within each other no deeper than what is read; deeper ones are said."""
    level = [value]
    for _ in range(DEEPEST):
        within = [inner for it in level for inner in (it.values() if isinstance(it, dict) else it)]
        level = [inner for inner in within if isinstance(inner, dict | list | tuple)]
        if not level:
            return True
    notes.append(
        ("too_deep", f"{key} has lists or objects within each other, more than {DEEPEST} deep: it is not read")
    )
    return False


def sound(value: str) -> str:
    """Return text that can be stored: halves of characters, which JSON can carry, are joined, or become U+FFFD where one is alone."""
    if value.isascii():
        return value
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value


def text(value: Any, key: str, notes: Notes) -> str | None:
    """Read a text: numbers as they are written, lists and mappings as JSON, with a note; one that was masked is none."""
    if value == MASK:
        notes.append(("content_not_recorded", f"{key} was masked by what recorded it"))
        return None
    if isinstance(value, str):
        return sound(value)
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    notes.append(("type", f"{key} should be text, and is {named(value)}"))
    return json_text(value) if isinstance(value, dict | list) else None


def word(value: Any, key: str, notes: Notes) -> str | None:
    """Read a name or id: as a text, without the space around it, None where nothing is left. A whole number is its digits."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, dict | list):
        notes.append(("type", f"{key} should be text, and is {named(value)}"))
        return None
    read = text(value, key, notes)
    return (read.strip() or None) if read is not None else None


def number(value: Any, key: str, notes: Notes) -> float | None:
    """Read a finite number, also from a text."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        notes.append(("type", f"{key} should be a number, and is {named(value)}"))
        return None
    try:
        read = float(value)
    except (ValueError, OverflowError):
        notes.append(("type", f"{key} should be a number, and is not"))
        return None
    if not math.isfinite(read):
        notes.append(("type", f"{key} should be a finite number, and is not"))
        return None
    return read


def whole(value: Any, key: str, notes: Notes, *, least: int | None = 0) -> int | None:
    """Read a whole number that is not below `least`, also from a text."""
    read = number(value, key, notes)
    if read is None:
        return None
    if not read.is_integer() or (least is not None and read < least):
        notes.append(("type", f"{key} should be a whole number{'' if least is None else f' from {least} up'}"))
        return None
    return int(read)


def unpacked(value: Any, key: str, notes: Notes, *, partial_text: bool = False) -> Any:
    """Turn JSON text into what it stands for; whatever is not JSON text comes back as it is.

    JSON that ends too early is read as far as it is whole, with the note ``cut``: a text or number that the end may have
    gone through is left out; with `partial_text` they stay. Other broken JSON comes back as the text it is.
    """
    if not isinstance(value, str) or not value.lstrip().startswith(OPENERS):
        return value
    try:
        return from_json(value)
    except ValueError:
        read = _with_line_ends(value)
    if read is not None:
        return read
    read = _of_cut(value, partial_text=partial_text)
    if read is None:
        return value
    notes.append(("cut", f"{key} is JSON that ends too early: what came whole is read"))
    return read


def _with_line_ends(value: str) -> Any:
    """Read JSON whose texts have line ends and tabs as they are, which some writers do not escape; None where it is none."""
    if not _CONTROLS.search(value):
        return None
    try:
        return from_json(json.dumps(json.loads(value, strict=False)))
    except (ValueError, RecursionError):
        return None


def _of_cut(value: str, *, partial_text: bool) -> Any:
    """Read the start of JSON, None where that is broken too: half an id is another id, so what the end touches goes."""
    for start in (value, _MARK.sub("", value)):
        try:
            read = (
                from_json(start, allow_partial="trailing-strings")
                if partial_text
                else from_json(start.rstrip(_OF_NUMBERS), allow_partial=True)
            )
        except ValueError:
            read = None
        if isinstance(read, dict | list):
            return read
    return None


def mapping(value: Any, key: str, notes: Notes) -> dict[str, Any] | None:
    """Read a mapping, also from JSON text."""
    if value is None:
        return None
    read = unpacked(value, key, notes)
    if isinstance(read, dict):
        return {str(name): said for name, said in read.items()}
    notes.append(("type", f"{key} should be a JSON object, and is {named(read)}"))
    return None


def json_text(value: Any) -> str:
    """Write a value as JSON text."""
    try:
        return to_json(value, inf_nan_mode="null", fallback=str).decode()
    except ValueError:  # half of a character somewhere in it
        return sound(json.dumps(value, ensure_ascii=False, default=str))


def named(value: Any) -> str:
    """Return in a word what a value is."""
    if isinstance(value, bool):
        return "true or false"
    kinds: tuple[tuple[type | tuple[type, ...], str], ...] = (
        (str, "text"),
        ((int, float), "a number"),
        (Mapping, "a JSON object"),
        ((list, tuple), "a list"),
    )
    return next((words for kind, words in kinds if isinstance(value, kind)), "nothing")
