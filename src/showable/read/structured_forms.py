"""The structured form of a reference that a profile asks a model for, and reading it back."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from showable.errors import InputError
from showable.read.claim_kinds import RULES
from showable.read.references.structured_legal import from_structured as read_legal
from showable.read.references.structured_legal import legal_citations_schema
from showable.read.references.structured_scholarly import SCHOLARLY, json_schema
from showable.read.references.structured_scholarly import from_structured as read_scholarly
from showable.records.lines import explain
from showable.records.profile import FieldName, Profile
from showable.records.record import FORM, Reference

_TOLD_BY: dict[str, FieldName] = {"headline": "news", "journal": "medical", "venue": "research"}


def reference_schema(form: FieldName) -> dict[str, Any] | None:
    """Return the JSON Schema of one reference in a field's form, strict; None for the general form, which has none."""
    if form == "general":
        return None
    listed = legal_citations_schema() if form == "legal" else json_schema(form)
    (rows,) = listed["properties"].values()
    item: dict[str, Any] = rows["items"]
    return item | {"type": ["object", "null"], "description": "The case, the work or the article, field by field."}


def claim_kinds(profile: Profile) -> tuple[str, ...]:
    """Return the kinds of claim that a model may be asked to choose from."""
    return RULES[profile.claim_rules].kinds


def read_form(reference: Reference) -> Reference:
    """Read a reference that came as a form. Raises InputError, naming the field, where it is none of the forms.

    The form is told by its fields: ``case`` is legal, ``headline`` news, ``journal`` medical, ``venue`` research.
    """
    if reference.kind != FORM:
        return reference
    given = reference.fields
    if "case" in given:
        (read,) = read_legal(dict(given))
        return read
    form = next((form for field, form in _TOLD_BY.items() if field in given), "research")
    row: dict[str, Any] = dict(given)
    if "authors" in row:
        row["authors"] = [name.strip() for name in row["authors"].split(";")]
    elif form != "news":
        row["authors"] = []
    try:
        return read_scholarly(SCHOLARLY[form].model_validate(row))  # type: ignore[arg-type]  # the table holds the three
    except ValidationError as error:
        field, said = explain(error)
        raise InputError(said, field=field) from None
