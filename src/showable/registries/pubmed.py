"""PubMed: the literature of medicine, by PMID, by DOI and by PMCID, with what has been retracted."""

from __future__ import annotations

from showable.read.references.identifier_checks import pmid_fault
from showable.records import Found, Reference
from showable.registries.answers import found, ill_formed, missed, trouble
from showable.registries.entrez import PACE, Entrez, article, is_unknown
from showable.registries.scholarly import plain_doi
from showable.registries.settings import Settings
from showable.registries.shapes import text_of
from showable.registries.web.asking import OddReplyError, TroubleError, Web


class PubMed:
    """PubMed by NCBI's E-utilities (esummary, version 2.0 JSON); three requests a second, ten with `SHOWABLE_NCBI_KEY`.

    It is the authority for PMIDs: an unknown one has an `error` in its summary that says so, at status 200. By DOI or PMCID it is
    asked for notices; most papers with a DOI are not in it. See www.ncbi.nlm.nih.gov/books/NBK25500.
    """

    name = "pubmed"
    kinds = frozenset({"pmid", "doi", "pmcid"})
    proves = frozenset({"pmid"})
    pace = PACE
    known = Reference(
        kind="pmid",
        text="PMID: 9500320",
        fields={"pmid": "9500320", "container": "Lancet", "year": "1998", "pages": "637-41"},
    )

    def __init__(self, web: Web, settings: Settings) -> None:
        self._entrez = Entrez(web, settings, self.name)

    def not_configured(self) -> str | None:
        """Nothing is needed."""
        return None

    def key(self, reference: Reference) -> str | None:
        """Return the id: digits, a DOI in lower case, or ``PMC`` and digits; what is none of these as it is written."""
        written = reference.fields.get(reference.kind, "").strip()
        return self._id(reference) or written or None

    def _id(self, reference: Reference) -> str | None:
        value = reference.fields.get(reference.kind, "").strip()
        if reference.kind == "doi":
            return plain_doi(value)
        digits = value.upper().removeprefix("PMID").removeprefix("PMC").strip(": ")
        if not (digits.isascii() and digits.isdecimal()) or pmid_fault(digits):
            return None
        return f"PMC{digits}" if reference.kind == "pmcid" else digits

    async def find(self, reference: Reference) -> Found:
        """Look an article up."""
        key = self._id(reference)
        if key is None:
            return ill_formed(self.name, f"no {reference.kind.upper()}: one to eight digits, the first of them no zero")
        try:
            return await (self._by_pmid(key) if reference.kind == "pmid" else self._by_other(reference.kind, key))
        except TroubleError as error:
            return trouble(self.name, error)

    async def _by_pmid(self, pmid: str) -> Found:
        reply, held = await self._entrez.summaries("pubmed", [pmid])
        summary = held[pmid]
        if is_unknown(summary):
            return missed(self.name, self.proves, "pmid", reply, f"PubMed has no PMID {pmid}")
        if text_of(summary.get("uid")) != pmid:
            raise OddReplyError(f"status {reply.status}, and the summary is not of the id asked for")
        return found(self.name, [article(pmid, summary)], reply)

    async def _by_other(self, kind: str, key: str) -> Found:
        reply, ids = await self._entrez.search("pubmed", f'"{key}"[{"AID" if kind == "doi" else "PMCID"}]')
        if ids:
            reply, held = await self._entrez.summaries("pubmed", ids)
            entries = [article(uid, row) for uid, row in held.items() if not is_unknown(row)]
            same = [entry for entry in entries if entry.ids.get(kind) == key]
            if same:
                return found(self.name, same[:1], reply)
        return missed(self.name, self.proves, kind, reply, f"PubMed has no article with {kind.upper()} {key}")
