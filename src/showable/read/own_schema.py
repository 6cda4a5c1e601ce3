"""What an answer has otherwise than a team's own JSON Schema asks for. Nothing outside of the schema is ever fetched."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from showable.records.profile import OwnSchema

_SHOWN, _LENGTH = 5, 160
Wrong = tuple[str, str]
"""A field, and what is wrong with it."""


def differences(own: OwnSchema, value: Any) -> list[str]:
    """Return where a value differs from a schema, ``claims.0.confidence: 'high' is not of type 'number'``, at most six lines."""
    from jsonschema.exceptions import best_match  # noqa: PLC0415 - only where a schema is given

    found = sorted(_validator(own.text).iter_errors(value), key=lambda error: [str(key) for key in error.absolute_path])
    leaves = [best_match([error]) for error in found[:_SHOWN]]
    said = [_line(".".join(map(str, leaf.absolute_path)), leaf.message) for leaf in leaves]
    more = len(found) - _SHOWN
    return [*said, f"and {more} more differences"] if more > 0 else said


def _line(field: str, message: str) -> str:
    one = " ".join(message.split())
    shown = (
        one if len(one) <= _LENGTH else f"{one[: _LENGTH // 2]} … {one[-_LENGTH // 2 :]}"
    )  # what is asked stands last
    return f"{field}: {shown}" if field else shown


@lru_cache(maxsize=16)
def _validator(text: str) -> Any:
    """Return the validator of a schema, by the draft that it names; references lead nowhere outside of it."""
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - as above
    from jsonschema.validators import validator_for  # noqa: PLC0415 - as above
    from referencing import Registry  # noqa: PLC0415 - as above

    schema = json.loads(text)
    made = validator_for(schema, default=Draft202012Validator)
    return made(schema, registry=Registry())


def why_no_schema(schema: Any) -> Wrong | None:
    """Return the field that makes a value no JSON Schema, and why; None where it is one."""
    from jsonschema import Draft202012Validator, SchemaError  # noqa: PLC0415 - as above
    from jsonschema.validators import validator_for  # noqa: PLC0415 - as above

    try:
        validator_for(schema, default=Draft202012Validator).check_schema(schema)
    except SchemaError as error:
        return ".".join(map(str, error.absolute_path)), _line("", error.message)
    return None


def broken_reference(schema: Any) -> Wrong | None:
    """Return a ``$ref`` that leads outside of a schema, or nowhere; None where all can be followed."""
    for reference in _references(schema):
        target = schema
        for step in reference.removeprefix("#").removeprefix("/").split("/") if reference not in {"#", "#/"} else ():
            key = step.replace("~1", "/").replace("~0", "~")
            target = target[key] if isinstance(target, dict) and key in target else None
        if not reference.startswith("#") or target is None:
            return "$ref", f"expected #/… inside of the file, got {reference[:80]!r}"
    return None


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if isinstance(found := schema.get("$ref"), str):
            yield found
        schema = list(schema.values())
    if isinstance(schema, list):
        for inner in schema:
            yield from _references(inner)
