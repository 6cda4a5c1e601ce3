"""Which column of a file holds which field: by the name it has, by the names it usually has, or as the user says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from showable.errors import SettingError
from showable.registries.local_sets.field_rows import FIELDS, RowError

_ALSO_CALLED = {
    "case": "case_name",
    "caption": "case_name",
    "cite": "citation",
    "reference": "citation",
    "text": "citation",
    "journal_title": "container",
    "journal_name": "container",
    "publication": "container",
    "article_title": "title",
    "first_page": "page",
    "docket_number": "docket",
    "link": "url",
    "pmc": "pmcid",
    "arxiv_id": "arxiv",
    "pubmed_id": "pmid",
    "nct_id": "nct",
    "isbn13": "isbn",
    "date_filed": "date",
    "decision_date": "date",
}
_NOT_WORD = re.compile(r"[^a-z0-9]+")


def known_columns(columns: Mapping[str, str]) -> None:
    """Refuse a mapping of a field that there is not. Raises SettingError."""
    if unknown := [name for name in columns if name not in FIELDS]:
        raise SettingError(f"--column: {unknown[0]!r} is no field; there are {', '.join(sorted(FIELDS))}")


def fields_of_row(values: Any, columns: Mapping[str, str]) -> tuple[str | None, dict[str, str]]:
    """Return a row's kind, where it says one, and its fields. Raises RowError at a column that is missing or no text.

    A row may be a reference as this program writes one: `kind`, `text`, `fields`. Columns that are no field are
    passed over.
    """
    if not isinstance(values, Mapping):
        raise RowError("expected an object")
    nested = values.get("fields")
    if isinstance(nested, Mapping):
        values = {**nested, "kind": values.get("kind")}
    fields: dict[str, str] = {}
    for name, column in columns.items():
        if column not in values:
            raise RowError(f"{column}: there is no such column")
        fields[name] = _text(name, values[column])
    mapped = set(columns.values())
    for column, value in values.items():
        field = _field(str(column))
        if field is not None and column not in mapped and not fields.get(field):
            fields[field] = _text(field, value)
    kind = fields.pop("kind", "").strip() or None
    return kind, fields


def _field(column: str) -> str | None:
    plain = _NOT_WORD.sub("_", column.casefold()).strip("_")
    return plain if plain in FIELDS else _ALSO_CALLED.get(plain)


def _text(name: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, str | int | float):
        return str(value)
    if isinstance(value, list) and all(isinstance(one, str | int) for one in value):
        return "; ".join(map(str, value))
    raise RowError(f"{name}: expected text")
