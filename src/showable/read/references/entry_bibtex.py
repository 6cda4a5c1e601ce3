"""BibTeX entries that stand in a text: ``@article{key, title = {…}, author = {…}}``."""

from __future__ import annotations

import re

from showable.read.references.bibtex_ids import ids_in_fields
from showable.read.references.entry_text import plain_entry
from showable.read.references.found import FoundReference
from showable.read.references.placed import placed
from showable.records.regex import regex

_OPEN = regex(r"@(?:article|inproceedings|proceedings|conference|book|inbook|incollection|misc|techreport|report|phdthesis|mastersthesis|thesis|unpublished|online|preprint|manual|software|dataset)\s*\{\s*[^\s,{}]{0,120}\s*,", re.IGNORECASE)  # fmt: skip
_NAME = regex(r"\s*,?\s*([A-Za-z][\w-]{1,30})\s*=\s*")
_BARE = regex(r"[^\s,{}\"]{1,200}")
_FIELDS = {
    "title": "title",
    "journal": "container",
    "journaltitle": "container",
    "booktitle": "container",
    "year": "year",
    "date": "year",
    "volume": "volume",
    "number": "issue",
    "pages": "pages",
    "publisher": "publisher",
    "edition": "edition",
    "url": "url",
}
_IDS = ("doi", "pmid", "pmcid", "isbn")
_LONGEST = 20_000
_ALONE = {"doi": "doi:", "pmid": "PMID: ", "pmcid": "PMCID: ", "isbn": "ISBN "}


def find_bibtex(text: str) -> list[FoundReference]:
    """Find BibTeX entries; style `bibtex`, braces and LaTeX accents gone, authors split at ``and``."""
    found = []
    end = 0
    for match in _OPEN.finditer(text):
        if match.start() < end:
            continue
        written, end = _read(text, match.end())
        fields = _fields(written)
        if "title" in fields:
            found.append(placed(text, "bibliographic", (match.start(), end), fields))
    return found


def _read(text: str, at: int) -> tuple[dict[str, str], int]:
    """Read ``name = value`` pairs up to the brace that closes the entry."""
    limit = min(len(text), at + _LONGEST)
    written: dict[str, str] = {}
    while (name := _NAME.match(text, at, limit)) is not None:
        value, at = _value(text, name.end(), limit)
        written.setdefault(name[1].lower(), value)
    close = regex(r"[\s,]*\}").match(text, at, limit)
    return written, close.end() if close else at


def _value(text: str, at: int, limit: int) -> tuple[str, int]:
    if at < limit and text[at] == "{":
        depth = 0
        for place in range(at, limit):
            depth += (text[place] == "{") - (text[place] == "}")
            if depth == 0:
                return text[at + 1 : place], place + 1
        return text[at + 1 : limit], limit
    if at < limit and text[at] == '"':
        close = text.find('"', at + 1, limit)
        close = limit if close < 0 else close
        return text[at + 1 : close], min(close + 1, limit)
    bare = _BARE.match(text, at, limit)
    return (bare[0], bare.end()) if bare else ("", at)


def _fields(written: dict[str, str]) -> dict[str, str]:
    fields = {"style": "bibtex"}
    authors = " ".join(written.get("author", "").split())
    if authors:
        names = [plain_entry(name).line for name in re.split(r"\s+and\s+", authors)]
        fields["authors"] = "; ".join(
            name for name in names if name and name.lower() not in {"others", "et al", "et al."}
        )
        if any(name.lower().rstrip(".") in {"others", "et al"} for name in names):
            fields["et_al"] = "yes"
    for name, kept in _FIELDS.items():
        if written.get(name) and kept not in fields:
            fields[kept] = " ".join(written[name].split()) if name == "url" else plain_entry(written[name]).line
    fields["year"] = fields.get("year", "")[:4]
    for name in _IDS:
        if written.get(name):
            given = plain_entry(f"{_ALONE[name]}{written[name].strip()}").fields
            fields.update({key: value for key, value in given.items() if key in {name, "malformed"}})
    if written.get("eprint"):
        fields.update(plain_entry(f"arXiv:{written['eprint'].strip()}").fields)
    for name, said in ids_in_fields(written).items():
        fields.setdefault(name, said)
    fields["pages"] = fields.get("pages", "").replace("--", "-")
    return {name: value for name, value in fields.items() if value}
