"""Which version of a work a citation names, and which one an entry is: the preprint, or what was published."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from showable.read.word_sets import word_set
from showable.records.lookups import Entry
from showable.rubrics.metadata.containers import preprint_server

Version = Literal["preprint", "published", "unknown"]

_PREPRINT_TYPES = word_set("posted-content preprint")
_PREPRINT_DOIS = (
    "10.48550/", "10.1101/", "10.64898/", "10.21203/", "10.26434/", "10.2139/ssrn", "10.31234/", "10.31235/",
    "10.20944/preprints", "10.36227/", "10.22541/", "10.31219/", "10.31223/", "10.14293/s2199",
)  # fmt: skip
"""Prefixes under which preprint servers register: arXiv, bioRxiv and medRxiv, Research Square, ChemRxiv, SSRN, OSF and others."""


@dataclass(frozen=True, slots=True)
class Versions:
    """The version claimed, and the version registered."""

    claimed: Version
    registered: Version

    @property
    def unlike(self) -> bool:
        """Check whether one is the preprint and the other what was published, so that years, pages and names may part."""
        return {self.claimed, self.registered} == {"preprint", "published"}

    def dois_apart(self, name: str, claimed: str, registered: str) -> bool:
        """Check whether two DOIs differ because one is the preprint's."""
        return name == "doi" and is_preprint_doi(claimed) != is_preprint_doi(registered)


def versions(claimed: Mapping[str, str], entry: Entry) -> Versions:
    """Tell the versions apart by container, DOI prefix and registered type.

    The number or the DOI of a preprint beside a journal or a conference is by custom a pointer to a free copy: what
    is cited is what appeared there. A preprint stays one where its record says in what it appeared.
    """
    return Versions(_claimed(claimed), _registered(entry))


def is_preprint_doi(doi: str) -> bool:
    """Check whether a DOI is one that a preprint server registers."""
    return doi.casefold().removeprefix("https://doi.org/").removeprefix("doi:").strip().startswith(_PREPRINT_DOIS)


def is_preprint(doi: str, sort: str) -> bool:
    """Check whether a record is a preprint's, by its DOI or its type."""
    return sort in _PREPRINT_TYPES or is_preprint_doi(doi)


def _claimed(fields: Mapping[str, str]) -> Version:
    container = fields.get("container") or fields.get("journal") or ""
    if container:
        return "preprint" if preprint_server(container) else "published"
    if is_preprint_doi(fields.get("doi", "")) or (fields.get("arxiv") and not fields.get("doi")):
        return "preprint"
    return "published" if fields.get("doi") or fields.get("volume") or fields.get("pages") else "unknown"


def _registered(entry: Entry) -> Version:
    if is_preprint(entry.ids.get("doi", ""), entry.facts.get("type", "")):
        return "preprint"
    if entry.facts.get("published_in") or any(not preprint_server(name) for name in entry.containers):
        return "published"
    return "preprint" if entry.containers or ("arxiv" in entry.ids and "doi" not in entry.ids) else "unknown"
