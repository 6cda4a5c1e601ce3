"""Case citations as a model is made to give them, field by field, instead of in a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationError

from showable.errors import InputError
from showable.read.references.legal import find_legal
from showable.records.lines import explain
from showable.records.record import Reference
from showable.records.wire import Many, Wire


def _as_text(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


Words = Annotated[str, BeforeValidator(_as_text, json_schema_input_type=str | int)]
"""A number or a string in JSON, a string here: pages are also roman, and volumes years."""


class LegalCitation(Wire):
    """One case as it is cited: ``{case, reporter, volume, page, year, court}``; court and year may be null."""

    case: str = Field(min_length=1, description="The name of the case: Roe v. Wade.")
    reporter: str = Field(min_length=1, description="The reporter as abbreviated: U.S., F.3d, WL.")
    volume: Words = Field(description="The volume of the reporter; the year for WL.")
    page: Words = Field(description="The first page of the case; the number for WL.")
    year: Words | None = Field(default=None, description="The year of the decision.")
    court: str | None = Field(
        default=None, description="The court as abbreviated: 11th Cir.; null where the reporter tells it."
    )


class LegalCitations(Wire):
    """The list that a model answers with."""

    citations: Many[LegalCitation] = ()


def legal_citations_schema() -> dict[str, Any]:
    """Return the JSON Schema of a list of case citations, strict: every property required, no other allowed.

    What a model returns under it is read by `from_structured`.
    """
    texts = {name: field.description for name, field in LegalCitation.model_fields.items()}
    may_be_null = {"year", "court"}
    properties = {
        name: {"type": ["string", "null"] if name in may_be_null else "string", "description": said}
        for name, said in texts.items()
    }
    item = {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
    listed = {"type": "array", "description": "Every case that the answer relies on.", "items": item}
    return {
        "type": "object",
        "properties": {"citations": listed},
        "required": ["citations"],
        "additionalProperties": False,
    }


def from_structured(value: Any) -> list[Reference]:
    """Turn one citation, a list of them, or ``{"citations": […]}`` into references with the fields of the grammar.

    Raises `InputError`, in one line that names the field, where the value is none of these.
    """
    rows = value.get("citations", value) if isinstance(value, Mapping) else value
    rows = [rows] if isinstance(rows, Mapping) else rows
    try:
        return [_reference(citation) for citation in LegalCitations.model_validate({"citations": rows}).citations]
    except ValidationError as error:
        field, said = explain(error)
        raise InputError(f"{field}: {said}") from None


def _reference(citation: LegalCitation) -> Reference:
    """Read the citation as if it were written out; what is claimed stays as it was claimed."""
    cite = f"{citation.volume} {citation.reporter} {citation.page}"
    paren = " ".join(part for part in (citation.court, citation.year) if part)
    written = f"{citation.case}, {cite}" + (f" ({paren})" if paren else "")
    read = [found.reference for found in find_legal(written) if found.reference.text == cite]
    fields = {"volume": citation.volume, "reporter": citation.reporter, "page": citation.page, "reporter_known": "no"}
    kind = "case"
    if len(read) == 1:
        kind, fields = read[0].kind, dict(read[0].fields)
    claimed = {"case_name": citation.case, "court_text": citation.court}
    if kind != "neutral_uk" and "year" not in fields:
        claimed["year"] = citation.year
    if kind == "case" and not citation.court and fields.get("court") and fields["court"] != "scotus":
        del fields["court"]
    return Reference(kind=kind, text=written, fields=fields | {name: said for name, said in claimed.items() if said})
