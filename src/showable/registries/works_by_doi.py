"""What the registries have in common that hold works by DOI and search them by title."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

from showable.records import Entry, Found, Reference
from showable.registries.answers import found, ill_formed, missed, odd, trouble
from showable.registries.scholarly import doi_key, in_path, plain_doi, search_key
from showable.registries.web.asking import Reply, TroubleError

_OK, _NOT_FOUND = 200, 404


class WorksByDoi(ABC):
    """Asks for a DOI, or searches for a title; who asks says where, and reads what comes."""

    name: str
    title: str
    """What it is called in a sentence."""
    path: str
    """What stands before the DOI in its address."""
    kinds = frozenset({"doi", "bibliographic"})
    proves: frozenset[str] = frozenset()

    def not_configured(self) -> str | None:
        """Nothing is needed."""
        return None

    def key(self, reference: Reference) -> str | None:
        """Return the DOI, well formed or not, or the words of the search."""
        return doi_key(reference.fields) if reference.kind == "doi" else search_key(reference.fields)

    async def find(self, reference: Reference) -> Found:
        """Look a DOI up, or search for a title; a search gives the few works that are thought nearest."""
        try:
            return await (self._one(reference) if reference.kind == "doi" else self._search(reference))
        except TroubleError as error:
            return trouble(self.name, error)

    async def _one(self, reference: Reference) -> Found:
        doi = plain_doi(reference.fields.get("doi"))
        if doi is None:
            return ill_formed(self.name, "no DOI: 10., a registrant of four digits or more, a slash, a suffix")
        reply = await self._ask(f"{self.path}{in_path(doi)}", {})
        if reply.status == _NOT_FOUND:
            return missed(self.name, self.proves, "doi", reply, f"{self.title} has no DOI {doi}")
        if reply.status != _OK:
            return odd(self.name, reply)
        return found(self.name, [self._read(reply)], reply)

    @abstractmethod
    async def _search(self, reference: Reference) -> Found:
        """Search for a title."""

    @abstractmethod
    async def _ask(self, path: str, params: Mapping[str, str]) -> Reply:
        """Put a question to the service."""

    @abstractmethod
    def _read(self, reply: Reply) -> Entry:
        """Read the record of one DOI. Raises OddReplyError where there is none."""
