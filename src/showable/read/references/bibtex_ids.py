"""Identifiers in the fields of a BibTeX entry that are not made for them: ``volume = {abs/2408.05147}``, ``note = {doi:10.1000/1}``."""

from __future__ import annotations

import re
from collections.abc import Mapping

from showable.read.references.entry_text import plain_entry
from showable.read.references.id_urls import id_in
from showable.records.regex import regex

IN_FIELDS = ("doi", "pmid", "pmcid", "arxiv", "isbn")
_FREE = (
    "eprint", "url", "ee", "link", "howpublished", "journal", "journaltitle", "booktitle", "series", "volume", "number", "pages",
    "publisher", "institution", "organization", "type",
)  # fmt: skip
_ABOUT = frozenset(
    """title shorttitle subtitle booksubtitle maintitle author editor translator abstract keywords keyword year date month day address location
    language langid file crossref related review timestamp urldate doi pmid pmcid isbn issn""".split()  # noqa: SIM905 - a list of words
)
"""Fields that tell what a work is about or who made it, or that are read as what they are."""
_MOST_WORDS = 3
"""Words beside an id in any other field that is about this work; "see also arXiv:… for a longer version" is about another."""
_ADDRESS = regex(r"https?://[^\s{}\"<>]{1,400}")
_PREPRINTS = regex(r"(?i)\b(?:arxiv|corr)\b")
_NUMBER = regex(r"(?:abs/)?\d{4}\.\d{4,5}(?:v\d{1,3})?")
_OWN_DOI = regex(r"(?i)(?:https?://(?:dx\.)?doi\.org/)?10\.48550/arxiv\.(\S+)")
_PUBMED = frozenset({"pubmed", "pmid", "medline"})
_LONGEST = 500


def ids_in_fields(held: Mapping[str, str]) -> dict[str, str]:
    """Return the ids that an entry's other fields hold, by kind, and the version of an arXiv number.

    `held` are the fields by name in small letters. A kind that a field of its own states, or an earlier field holds, stays as it is.
    """
    found: dict[str, str] = {}
    scheme = held.get("eprinttype", held.get("archiveprefix", "")).casefold()
    others = [name for name in held if name not in _FREE and name not in _ABOUT]
    of_preprints = any(_PREPRINTS.search(held.get(name, "")[:_LONGEST]) for name in (*_FREE, *others))
    if arxiv := _OWN_DOI.fullmatch(held.get("doi", "").strip()[:_LONGEST]):
        found |= plain_entry(f"arXiv:{arxiv[1]}").fields
    for name in (*_FREE, *others):
        value = held.get(name, "").strip()[:_LONGEST]
        if not value:
            continue
        if name == "eprint" and scheme in _PUBMED:
            value = f"PMID: {value}"
        elif of_preprints and _NUMBER.fullmatch(value):
            value = f"arXiv:{value.removeprefix('abs/')}"
        addresses, plain = _ADDRESS.findall(value), plain_entry(_ADDRESS.sub(" ", value))
        if name in others and len(re.findall(r"\w+", plain.line)) > _MOST_WORDS:
            continue
        for fields in (plain.fields, *map(_of_address, addresses)):
            new = {kind: said for kind, said in fields.items() if kind in IN_FIELDS and said and kind not in found}
            if "arxiv" in new and fields.get("version"):
                new["version"] = fields["version"]
            found |= new
    return found


def _of_address(url: str) -> dict[str, str]:
    """Return the id that an address of a registry stands for, and a DOI in any address."""
    carried, doi = id_in(url), plain_entry(url).fields.get("doi")
    return ({"doi": doi} if doi else {}) | (carried[1] if carried else {})
