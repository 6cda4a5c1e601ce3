"""Read a team's own JSON Schema of an answer: the schema alone, or the function definition that a model is given."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from showable.errors import InputError
from showable.read.own_schema import broken_reference, why_no_schema
from showable.records.profile import OwnSchema

_PARAMETERS = ("parameters", "input_schema", "schema")
"""Where OpenAI and Gemini, Anthropic, and OpenAI's structured output have the schema, beside `name`."""


def read_own_schema(path: Path) -> OwnSchema:
    """Read the file of --schema. Raises InputError (file, field) where it is no JSON Schema."""
    try:
        held = json.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise InputError(error.strerror or str(error), path=str(path)) from None
    except json.JSONDecodeError as error:
        raise InputError(f"expected JSON: {error.msg}", path=str(path), line=error.lineno) from None
    except (UnicodeDecodeError, RecursionError):
        raise InputError("expected JSON in UTF-8", path=str(path)) from None
    if not isinstance(held, dict):
        raise InputError(f"expected a JSON Schema or a function, got {type(held).__name__}", path=str(path))
    function, schema = next(_named(held), (None, held))
    if why := why_no_schema(schema) or broken_reference(schema):
        raise InputError(why[1], path=str(path), field=why[0])
    return OwnSchema(text=json.dumps(schema), function=function)


def _named(held: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name and the schema of a function definition, bare or under ``function`` or ``json_schema``."""
    for inner in (held, held.get("function"), held.get("json_schema")):
        if isinstance(inner, dict) and isinstance(name := inner.get("name"), str):
            yield from ((name, inner[key]) for key in _PARAMETERS if isinstance(inner.get(key), dict))
