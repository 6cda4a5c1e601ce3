"""Options that belong together, as one value of a command."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any, get_type_hints


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command take dataclasses: each of their fields, all with defaults, is an option in the dataclass's place.

    Typer reads an option off every parameter and knows no groups, so it is shown the fields in their place. Whoever calls
    the command gives the fields by name as well.
    """
    kinds = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: kind for name, kind in kinds.items() if dataclasses.is_dataclass(kind)}
    shown: list[Parameter] = []
    for one in signature(command).parameters.values():
        shown += _fields(groups[one.name]) if one.name in groups else [one.replace(annotation=kinds[one.name])]

    @wraps(command)
    def grouped(**given: Any) -> None:
        for name, kind in groups.items():
            given[name] = kind(
                **{field.name: given.pop(field.name, field.default) for field in dataclasses.fields(kind)}
            )
        command(**given)

    grouped.__signature__ = Signature(shown)  # type: ignore[attr-defined]
    grouped.__annotations__ = {one.name: one.annotation for one in shown}
    return grouped


def _fields(kind: Any) -> list[Parameter]:
    hints = get_type_hints(kind, include_extras=True)
    return [
        Parameter(field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=hints[field.name])
        for field in dataclasses.fields(kind)
    ]
