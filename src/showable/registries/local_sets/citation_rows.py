"""A row that is one citation as people write it, read with the grammars that read documents."""

from __future__ import annotations

import re
from importlib import import_module

from showable.read.references.found import FoundReference
from showable.registries.local_sets.field_rows import RowError

_POINTERS = frozenset({"id", "supra", "case_short"})
_OF_WORKS = frozenset({"doi", "pmid", "pmcid", "arxiv", "isbn", "issn", "nct", "nbk", "url"})
"""What stands in an entry of a reference list, where all that the entry says is wanted."""
_CLAIMS = ("authors", "container", "publisher", "year")
_LONGEST, _LONGEST_SHOWN = 4_000, 60
_FEWEST_WORDS = 3


def fields_of_citation(text: str, kind: str | None) -> tuple[str, dict[str, str]]:
    """Read a citation: its kind and its fields. Raises RowError where none, or one of another kind, can be read.

    A law, a case or a news article is that, whatever else its words could be; a work is read whole where more is
    said of it than its identifier.
    """
    if len(text) > _LONGEST:
        raise RowError(f"citation: longer than {_LONGEST} characters")
    found = [one for one in _references(text) if one.reference.kind not in _POINTERS]
    specific = [one for one in found if one.reference.kind not in _OF_WORKS | {"bibliographic"}]
    if kind is None and specific:
        return _with_parallels(specific)
    if kind in {None, "bibliographic"} and (entry := _entry(text, found)) is not None:
        return entry.reference.kind, dict(entry.reference.fields)
    wanted = [one for one in found if kind in {None, one.reference.kind}]
    if wanted:
        return _with_parallels(wanted)
    within = next((one for one in found if kind is not None and kind in one.reference.fields), None)
    if kind is None or within is None:
        shown = text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"
        raise RowError(f"citation: no {kind or 'citation'} could be read in {shown!r}")
    return kind, dict(within.reference.fields)


def _with_parallels(found: list[FoundReference]) -> tuple[str, dict[str, str]]:
    """Return the first reference, with the other cites of the same case."""
    first = found[0]
    fields = dict(first.reference.fields)
    same = [one for one in found[1:] if first.group is not None and one.group == first.group]
    cites = [" ".join(one.reference.fields.get(part, "") for part in ("volume", "reporter", "page")) for one in same]
    told = [cite.strip() for cite in fields.get("parallel", "").split(";") if cite.strip()]
    if cites or told:
        fields["parallel"] = "; ".join(dict.fromkeys((*told, *cites)))
    return first.reference.kind, fields


def _references(text: str) -> list[FoundReference]:
    return list(import_module("showable.read.references.find").find_references(text))  # slow to load


def _entry(text: str, found: list[FoundReference]) -> FoundReference | None:
    """Read the whole of a text as an entry, where it is more than the identifiers in it."""
    bare = text
    for one in sorted(found, key=lambda one: -one.span[0]):
        if one.reference.kind in _OF_WORKS:
            bare = f"{bare[: one.full[0]]} {bare[one.full[1] :]}"
    if len(re.findall(r"[^\W\d_]{2,}", bare)) < _FEWEST_WORDS and not any(char >= "\u2e80" for char in bare):
        return None
    entry: FoundReference | None = import_module("showable.read.references.entries").read_entry(text)
    claims = entry is not None and any(entry.reference.fields.get(name) for name in _CLAIMS)
    return entry if claims or any(one.reference.kind == "bibliographic" for one in found) else None
