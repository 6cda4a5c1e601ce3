"""A row that is one citation as people write it, read with the grammars that read documents."""

from __future__ import annotations

from importlib import import_module

from probative.read.references.found import FoundReference
from probative.registries.local_sets.field_rows import RowError

_POINTERS = frozenset({"id", "supra", "case_short"})
_LONGEST, _LONGEST_SHOWN = 4_000, 60


def fields_of_citation(text: str, kind: str | None) -> tuple[str, dict[str, str]]:
    """Read a citation: its kind and its fields. Raises RowError where none, or one of another kind, can be read."""
    if len(text) > _LONGEST:
        raise RowError(f"citation: longer than {_LONGEST} characters")
    found = [one for one in _references(text) if one.reference.kind not in _POINTERS]
    wanted = [one for one in found if kind is None or one.reference.kind == kind]
    entry = None if kind not in {None, "bibliographic"} else _entry(text)
    if entry is not None and not any(one.reference.kind == "case" for one in wanted):
        return entry.reference.kind, dict(entry.reference.fields)
    if not wanted:
        shown = text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"
        raise RowError(f"citation: no {kind or 'citation'} could be read in {shown!r}")
    return _with_parallels(wanted)


def _with_parallels(found: list[FoundReference]) -> tuple[str, dict[str, str]]:
    """Give the first reference, with the other cites of the same case."""
    first = found[0]
    fields = dict(first.reference.fields)
    same = [one for one in found[1:] if first.group is not None and one.group == first.group]
    cites = [" ".join(one.reference.fields.get(part, "") for part in ("volume", "reporter", "page")) for one in same]
    told = [cite.strip() for cite in fields.get("parallel", "").split(";") if cite.strip()]
    if cites or told:
        fields["parallel"] = "; ".join(dict.fromkeys((*told, *cites)))
    return first.reference.kind, fields


def _references(text: str) -> list[FoundReference]:
    return list(import_module("probative.read.references.find").find_references(text))  # slow to load


def _entry(text: str) -> FoundReference | None:
    found: FoundReference | None = import_module("probative.read.references.entries").read_entry(text)
    return found
