"""PubMed Central's converter of ids: whether a PMCID exists, and which PMID and DOI it goes with."""

from __future__ import annotations

from typing import Any

from showable.read.references.identifier_checks import pmcid_fault
from showable.records import Entry, Found, Reference
from showable.registries.answers import found, ill_formed, missed, odd, trouble
from showable.registries.entrez import PACE
from showable.registries.scholarly import plain_doi
from showable.registries.settings import Settings
from showable.registries.shapes import rows_of, table_of, text_of, told
from showable.registries.web.asking import Reply, TroubleError, Web

_OK = 200


class PmcIds:
    """The ID converter of PMC, ``pmc.ncbi.nlm.nih.gov/tools/idconv/api/v1/articles``; it shares the pace of NCBI.

    It is the authority for PMCIDs, and for nothing else: it knows only what is in PMC. Every request has one type of
    id (mixing is a 400). `pmid` is a number or a string. See pmc.ncbi.nlm.nih.gov/tools/id-converter-api.
    """

    name = "pmc_ids"
    kinds = frozenset({"pmcid"})
    proves = frozenset({"pmcid"})
    pace = PACE
    known = Reference(
        kind="pmcid",
        text="PMC3531190",
        fields={"pmcid": "PMC3531190", "pmid": "23193287", "doi": "10.1093/nar/gks1195"},
    )

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web = web
        self._address = settings.address(self.name, "https://pmc.ncbi.nlm.nih.gov/tools/idconv/api/v1")
        self._who = told(tool="showable", email=settings.mailto)

    def not_configured(self) -> str | None:
        """Nothing is needed."""
        return None

    def key(self, reference: Reference) -> str | None:
        """Return the PMCID, ``PMC`` and digits; what is none as it is written."""
        return self._id(reference) or reference.fields.get("pmcid", "").strip() or None

    def _id(self, reference: Reference) -> str | None:
        """Return the PMCID without the version that some have after a point."""
        digits, point, version = reference.fields.get("pmcid", "").strip().upper().removeprefix("PMC").partition(".")
        numbers = (digits, version) if point else (digits,)
        if not all(one.isascii() and one.isdecimal() for one in numbers) or pmcid_fault(f"PMC{digits}"):
            return None
        return f"PMC{digits}"

    async def find(self, reference: Reference) -> Found:
        """Ask for the ids of one article."""
        pmcid = self._id(reference)
        if pmcid is None:
            return ill_formed(self.name, "no PMCID: PMC and one to eight digits, the first of them no zero")
        params = {"ids": pmcid, "idtype": "pmcid", "format": "json", **self._who}
        try:
            reply = await self._web.ask("GET", f"{self._address}/articles/", params=params)
            said = table_of(reply.json())
        except TroubleError as error:
            return trouble(self.name, error)
        return self._read(reply, said, pmcid)

    def _read(self, reply: Reply, said: dict[str, Any], pmcid: str) -> Found:
        record = next((row for row in rows_of(said.get("records")) if _asked_for(row) == pmcid), None)
        if reply.status != _OK or record is None:
            return odd(self.name, reply, text_of(said.get("message")))
        if text_of(record.get("status")) != "error":
            return found(self.name, [_entry(record, pmcid)], reply)
        why = text_of(record.get("errmsg")) or "an error"
        if "not found" not in why.casefold():
            return odd(self.name, reply, why)
        return missed(self.name, self.proves, "pmcid", reply, f"PMC has no {pmcid}")


def _asked_for(record: dict[str, Any]) -> str:
    return (text_of(record.get("requested-id")) or text_of(record.get("pmcid")) or "").upper()


def _entry(record: dict[str, Any], pmcid: str) -> Entry:
    ids = told(pmcid=pmcid, pmid=text_of(record.get("pmid")), doi=plain_doi(text_of(record.get("doi"))))
    return Entry(ids=ids, url=f"https://pmc.ncbi.nlm.nih.gov/articles/{pmcid}/")
