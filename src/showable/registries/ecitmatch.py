"""PubMed's citation matcher: a PMID from a journal, a volume and a page."""

from __future__ import annotations

import re
from collections.abc import Mapping

from showable.records import Found, Reference
from showable.registries.answers import found, missed, several, trouble
from showable.registries.entrez import PACE, Entrez, article
from showable.registries.scholarly import first_author
from showable.registries.settings import Settings
from showable.registries.shapes import text_of
from showable.registries.web.asking import OddReplyError, Reply, TroubleError, Web

_OK = 200
_ASIDE = re.compile(r"[|\r\n%]+|\([^()]{0,100}\)")
_DIGITS = re.compile(r"\d{1,8}")
_MOST = 5


class ECitMatch:
    """The E-utility ecitmatch; it shares the pace of PubMed. Its answer is text, whatever `retmode` says.

    It weighs journal, volume and page, and silently gives the PMID of an article by others or of another year: so what
    it names is always looked up (esummary) and given as found, to be held against the claim. It proves nothing.
    See www.ncbi.nlm.nih.gov/books/NBK25499, ECitMatch.
    """

    name = "ecitmatch"
    kinds = frozenset({"bibliographic"})
    proves: frozenset[str] = frozenset()
    pace = PACE
    known = Reference(
        kind="bibliographic",
        text="Mann BJ et al. Proc Natl Acad Sci U S A. 1991;88:3248.",
        fields={
            "authors": "Mann BJ",
            "et_al": "yes",
            "container": "Proc Natl Acad Sci U S A",
            "year": "1991",
            "volume": "88",
            "pages": "3248",
        },
    )

    def __init__(self, web: Web, settings: Settings) -> None:
        self._entrez = Entrez(web, settings, self.name)

    def not_configured(self) -> str | None:
        """Nothing is needed."""
        return None

    def key(self, reference: Reference) -> str | None:
        """Return the line that it is asked with; None without journal, volume and page."""
        return _line(reference.fields)

    async def find(self, reference: Reference) -> Found:
        """Ask for the PMID, and look up every one that it gives."""
        line = _line(reference.fields)
        if line is None:
            return missed(self.name, self.proves, reference.kind, None, "no journal, volume and page to match")
        try:
            reply = await self._entrez.ask("ecitmatch.cgi", {"db": "pubmed", "retmode": "xml", "bdata": line})
            said, pmids = _read(reply)
            if not pmids:
                return missed(self.name, self.proves, reference.kind, reply, f"the citation matcher says {said}")
            reply, held = await self._entrez.summaries("pubmed", pmids)
        except TroubleError as error:
            return trouble(self.name, error)
        entries = [article(uid, row) for uid, row in held.items() if not text_of(row.get("error"))]
        if not entries:
            return missed(self.name, self.proves, reference.kind, reply, "what the citation matcher names is unknown")
        if said.startswith("AMBIGUOUS"):
            return several(self.name, entries, reply, f"{len(pmids)} articles match the journal, volume and page")
        return found(self.name, entries, reply)


def _line(fields: Mapping[str, str]) -> str | None:
    page = re.split(r"[-–—]", fields.get("pages") or fields.get("page") or "", maxsplit=1)[0]
    held = [fields.get("container", ""), fields.get("year", ""), fields.get("volume", ""), page, first_author(fields)]
    journal, year, volume, start, author = (" ".join(_ASIDE.sub(" ", text)[:200].split()) for text in held)
    if not (journal and volume and start):
        return None
    return f"{journal}|{year}|{volume}|{start}|{author.replace(',', '').replace('.', '')}|1|".lower()


def _read(reply: Reply) -> tuple[str, list[str]]:
    """Return the last field of the line, and the PMIDs in it: none after ``NOT_FOUND``, several after ``AMBIGUOUS``."""
    lines = [line for line in reply.text().splitlines() if "|" in line]
    if reply.status != _OK or not lines:
        raise OddReplyError(f"status {reply.status}, and no line of the citation matcher")
    said = lines[0].rpartition("|")[2].strip()
    if said.startswith("NOT_FOUND"):
        return said, []
    pmids = _DIGITS.findall(said)
    if not pmids:
        if said.startswith("AMBIGUOUS"):
            return said, []
        raise OddReplyError(f"status {reply.status}, and a line without PMID, NOT_FOUND or AMBIGUOUS")
    return said, list(dict.fromkeys(pmids))[:_MOST]
