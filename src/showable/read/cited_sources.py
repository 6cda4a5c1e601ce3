"""Words that are nothing but names of sources, with places in them: ``lease.pdf, p. 3; kb-7``."""

from __future__ import annotations

from showable.read.cited_items import LABEL, Item, read_items
from showable.read.source_names import is_file_name, named_source

_AROUND = " \t*_`"


def read_sources(words: str, known: frozenset[str], *, files: bool = False) -> list[Item]:
    """Read words as sources of the log, or places in it ("passage 3"); with `files`, as files that it lacks as well. Else none."""
    plain = words.strip(_AROUND).rstrip(".;,").strip(_AROUND)
    items = read_items(plain, known) if plain and not plain.isdecimal() else None
    if not isinstance(items, list):
        named = named_source(plain, known)
        return [Item(named.source, named.page)] if named else []
    placed = LABEL.match(plain) is not None
    named_all = all(
        named_source(item.token, known) or (placed and item.token.isdecimal()) or (files and is_file_name(item.token))
        for item in items
    )
    return items if named_all else []


def place_named(words: str) -> str | None:
    """Return the number of a passage that words name and nothing besides: ``Document 2, p. 4``, ``[3]``."""
    plain = words.strip().rstrip(".;")
    if plain.startswith("[") and plain.endswith("]"):
        plain = plain[1:-1]
    elif LABEL.match(plain) is None:
        return None
    items = read_items(plain, frozenset())
    return items[0].token if isinstance(items, list) and len(items) == 1 and items[0].token.isdecimal() else None
