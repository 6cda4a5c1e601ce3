"""The Orange Book: drug products that the FDA has approved, with their patents and exclusivities."""

from __future__ import annotations

from typing import Any

from showable.records import Entry, Found, Reference
from showable.registries import openfda
from showable.registries.answers import found, ill_formed, missed, not_held, trouble
from showable.registries.shapes import iso_day, rows_of, text_of, texts_of, years_in
from showable.registries.web.asking import TroubleError

_LETTER = {"N": "NDA", "A": "ANDA"}
_MOST_PRODUCTS = 100


class OrangeBook(openfda.Endpoint):
    """openFDA's copy of the Orange Book: ``api.fda.gov/drug/orangebook.json``, 240 a minute, a key optional.

    One record a product. Readers of it disagree on whether the number stands in the record or in its
    products, so both are asked for, and a miss proves nothing (Drugs@FDA is the authority). Biologics (BLA) are
    in the Purple Book. A discontinued product is listed as such: that is a fact about it, not a fault of whoever cites it.
    See open.fda.gov/apis/drug/orangebook.
    """

    name, endpoint = "orange_book", "orangebook"
    proves: frozenset[str] = frozenset()

    async def find(self, reference: Reference) -> Found:
        """Look an application up by its number, and keep the products of its type."""
        asked = openfda.application(reference)
        if asked is None:
            return ill_formed(self.name, "an application number is NDA, ANDA or BLA and up to six digits")
        kind, number = asked
        if kind == "BLA":
            return not_held(self.name, "biologics (BLA) are listed in the Purple Book, not in the Orange Book")
        quoted = openfda.phrase(number)
        search = f"application_number:{quoted} OR products.application_number:{quoted}"
        try:
            reply = await self.ask(search, _MOST_PRODUCTS)
            records = openfda.results(reply)
        except TroubleError as error:
            return trouble(self.name, error)
        entries = _applications(records, number)
        if kind in entries:
            return found(self.name, [entries[kind]], reply)
        other = f"; the number is that of {' and '.join(entries)} {number}" if entries else ""
        reason = f"the Orange Book lists no {kind} {number}{other}"
        return missed(self.name, self.proves, reference.kind, reply, reason, near=entries.values())


def _applications(records: list[dict[str, Any]], number: str) -> dict[str, Entry]:
    """Group records into applications, by type. What does not carry the number, or no type, is not this application."""
    products: dict[str, list[dict[str, Any]]] = {}
    about: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        for product in rows_of(record.get("products")) or [record]:
            kind = _kind(record, product, number)
            if kind:
                products.setdefault(kind, []).append(product)
                about.setdefault(kind, []).append(record)
    return {kind: _entry(kind + number, rows, about[kind]) for kind, rows in products.items()}


def _kind(record: dict[str, Any], product: dict[str, Any], number: str) -> str | None:
    both = (product, record)
    written = next((text for row in both if (text := text_of(row.get("application_number")))), "")
    letters = written.rstrip("0123456789")
    if written[len(letters) :].zfill(6) != number:
        return None
    stated = next((text for row in both if (text := text_of(row.get("application_type")))), letters).upper()
    return _LETTER.get(stated, stated if stated in {"NDA", "ANDA"} else None)


def _entry(number: str, products: list[dict[str, Any]], records: list[dict[str, Any]]) -> Entry:
    sponsors = (
        texts_of(products, "application_full_name")
        or texts_of(products, "application_name")
        or texts_of(records, "sponsor_name")
    )
    approved = [day for text in texts_of(records, "approval_date") if (day := iso_day(text) or _plain(text))]
    return openfda.entry(
        number,
        products,
        sponsors[0] if sponsors else None,
        approved=min(approved, default=None),
        patents="; ".join(texts_of(records, "patents", "patent_number")[: openfda.SHOWN]),
        exclusivity="; ".join(texts_of(records, "exclusivity", "exclusivity_code")[: openfda.SHOWN]),
    )


def _plain(text: str) -> str | None:
    return text if years_in(text) else None
