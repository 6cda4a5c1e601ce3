"""How every noun is written down: frozen, strict, and an unknown field is an error that names the field."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

T = TypeVar("T")

Span = Annotated[tuple[int, int], Field(strict=False)]
"""Start and end offsets in Unicode code points, end exclusive, always into the original text."""

Many = Annotated[tuple[T, ...], Field(strict=False)]
"""A list in JSON, a tuple here."""


def _id_text(value: Any) -> Any:
    """Read the JSON number 7 as the id "7": logs carry both, and they mean the same document."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


Id = Annotated[str, BeforeValidator(_id_text, json_schema_input_type=str | int)]
"""An id is a string of any kind (number, URL, with spaces); it is never read as a position."""


class Wire(BaseModel):
    """A value on the wire: immutable, equal by content, strict about types, closed to unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)
