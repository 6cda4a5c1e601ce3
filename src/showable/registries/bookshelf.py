"""NCBI Bookshelf: books, reports and guidelines of the National Library of Medicine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from showable.records import Entry, Found, Reference
from showable.registries.answers import found, ill_formed, missed, trouble
from showable.registries.entrez import PACE, Entrez
from showable.registries.scholarly import initials_last
from showable.registries.settings import Settings
from showable.registries.shapes import rows_of, text_of, told, years_in
from showable.registries.web.asking import OddReplyError, TroubleError, Web

_ACCESSIONS = ("accessionid", "chapteraccessionid", "bookaccessionid", "rid")
_LONGEST = 9


class Bookshelf:
    """The books of NCBI by E-utilities (``db=books``); it shares the pace of PubMed.

    The search finds an accession among other things, so that what it gives is taken only where a summary has
    that accession. A miss is ``not_covered``: no one documents the search as complete. See www.ncbi.nlm.nih.gov/books.
    """

    name = "bookshelf"
    kinds = frozenset({"nbk"})
    proves: frozenset[str] = frozenset()
    pace = PACE
    known = Reference(kind="nbk", text="NBK1116", fields={"nbk": "NBK1116", "title": "GeneReviews"})

    def __init__(self, web: Web, settings: Settings) -> None:
        self._entrez = Entrez(web, settings, self.name)

    def not_configured(self) -> str | None:
        """Nothing is needed."""
        return None

    def key(self, reference: Reference) -> str | None:
        """Return the accession, ``NBK`` and digits; what is none as it is written."""
        return self._id(reference) or reference.fields.get("nbk", "").strip() or None

    def _id(self, reference: Reference) -> str | None:
        digits = reference.fields.get("nbk", "").strip().upper().removeprefix("NBK")
        return f"NBK{digits}" if digits.isascii() and digits.isdecimal() and len(digits) <= _LONGEST else None

    async def find(self, reference: Reference) -> Found:
        """Search for an accession, and read the summaries of what is found."""
        nbk = self._id(reference)
        if nbk is None:
            return ill_formed(self.name, "no accession of the Bookshelf: NBK and digits")
        try:
            reply, ids = await self._entrez.search("books", nbk)
            held: Mapping[str, dict[str, Any]] = {}
            if ids:
                reply, held = await self._entrez.summaries("books", ids)
                if not any(text_of(row.get(key)) for row in held.values() for key in (*_ACCESSIONS, "error")):
                    raise OddReplyError(f"status {reply.status}, and no summary has an accession")
        except TroubleError as error:
            return trouble(self.name, error)
        rows = [row for row in held.values() if nbk in {(text_of(row.get(key)) or "").upper() for key in _ACCESSIONS}]
        if not rows:
            return missed(self.name, self.proves, "nbk", reply, f"the Bookshelf finds no {nbk}")
        return found(self.name, [_entry(nbk, rows[0])], reply)


def _entry(nbk: str, row: dict[str, Any]) -> Entry:
    title, book = text_of(row.get("title")), text_of(row.get("book")) or text_of(row.get("booktitle"))
    return Entry(
        title=title,
        other_titles=(book,) if book and book != title else (),
        authors=tuple(initials_last(name) for one in rows_of(row.get("authors")) if (name := text_of(one.get("name")))),
        years=years_in(text_of(row.get("pubdate"))),
        date=text_of(row.get("pubdate")),
        containers=(book,) if book and book != title else (),
        publisher=text_of(row.get("publisher")),
        ids={"nbk": nbk},
        url=f"https://www.ncbi.nlm.nih.gov/books/{nbk}/",
        facts=told(type=text_of(row.get("rtype"))),
    )
