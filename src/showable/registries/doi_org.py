"""doi.org: whether a DOI exists, whichever agency registered it, and the metadata that the agency gives."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from showable.records import Entry, Found, Reference
from showable.registries.answers import found, ill_formed, missed, odd, trouble
from showable.registries.csl import entry_of
from showable.registries.scholarly import doi_key, in_path, plain_doi
from showable.registries.settings import Settings
from showable.registries.shapes import rows_of, table_of, text_of, told
from showable.registries.web.asking import OddReplyError, Pace, Reply, TroubleError, Web

_OK = 200
_EXISTS, _NO_SUCH_HANDLE, _NO_SUCH_VALUES = 1, 100, 200
_CSL = "application/vnd.citationstyles.csl+json"
AGENCIES = frozenset(
    {
        "doi.org", "dx.doi.org", "api.crossref.org", "data.crosscite.org", "api.datacite.org", "api.medra.org",
        "data.medra.org", "japanlinkcenter.org",
    }
)  # fmt: skip
"""Hosts that doi.org sends a request for metadata on to. No other host is followed to: a publisher's page is no record."""


class DoiOrg:
    """The Handle API of doi.org, ``doi.org/api/handles``, then content negotiation; no published limit, five a second here.

    It is the authority for DOIs: a handle that does not exist (response code 100) is ``not_found``. Metadata
    that an agency does not give (204, 406, a server's failure) takes nothing from the DOI's existence.
    See www.doi.org/doi-handbook, section 3.8, and citation.crosscite.org/docs.html.
    """

    name = "doi_org"
    kinds = frozenset({"doi"})
    proves = frozenset({"doi"})
    pace = Pace(per_second=5)
    known = Reference(
        kind="doi",
        text="10.1002/chem.202000622",
        fields={"doi": "10.1002/chem.202000622"},
    )

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web = web
        self._address = settings.address(self.name, "https://doi.org")
        self._agencies = AGENCIES | {urlsplit(self._address).hostname or "doi.org"}

    def not_configured(self) -> str | None:
        """Nothing is needed."""
        return None

    def key(self, reference: Reference) -> str | None:
        """Return the DOI in lower case: DOIs are not told apart by case."""
        return doi_key(reference.fields)

    async def find(self, reference: Reference) -> Found:
        """Ask whether the handle exists, then for its metadata."""
        doi = plain_doi(reference.fields.get("doi"))
        if doi is None:
            return ill_formed(self.name, "no DOI: 10., a registrant of four digits or more, a slash, a suffix")
        try:
            reply = await self._web.ask("GET", f"{self._address}/api/handles/{in_path(doi)}", params={"type": "URL"})
            code, where = _handle(reply)
        except TroubleError as error:
            return trouble(self.name, error)
        if code == _NO_SUCH_HANDLE:
            return missed(self.name, self.proves, "doi", reply, f"there is no DOI {doi}")
        if code not in {_EXISTS, _NO_SUCH_VALUES}:
            return odd(self.name, reply, f"response code {code}")
        entry = await self._metadata(doi)
        ids = {**entry.ids, "doi": doi}
        return found(self.name, [entry.model_copy(update={"ids": ids, "url": where})], reply)

    async def _metadata(self, doi: str) -> Entry:
        """Ask for CSL-JSON. Without an answer there is an entry of the DOI alone, that says why."""
        try:
            reply = await self._web.ask(
                "GET",
                f"{self._address}/{in_path(doi)}",
                headers={"Accept": _CSL},
                redirects_to=self._agencies,
            )
            record = table_of(reply.json()) if reply.status == _OK else {}
        except TroubleError as error:
            return Entry(facts=told(metadata=f"none: {error}"))
        if not record or not record.get("title"):
            return Entry(facts=told(metadata=f"none: the agency answers with status {reply.status}"))
        entry = entry_of(record)
        if entry.ids.get("doi", doi) != doi:
            return Entry(facts=told(metadata=f"none: status 200, and a record of {entry.ids['doi']}"))
        return entry


def _handle(reply: Reply) -> tuple[int, str | None]:
    """Return the response code, and the address that the DOI leads to. A 404 that says nothing of a handle is a server's own."""
    said: dict[str, Any] = table_of(reply.json())
    code = said.get("responseCode")
    if not isinstance(code, int) or isinstance(code, bool):
        raise OddReplyError(f"status {reply.status}, and no response code of a handle server")
    values = [table_of(row, "data") for row in rows_of(said.get("values")) if row.get("type") == "URL"]
    return code, next((text for row in values if (text := text_of(row.get("value")))), None)
