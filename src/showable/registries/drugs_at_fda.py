"""Drugs@FDA: every application to market a drug that the FDA's drug centre has approved."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from showable.records import Entry, Found, Reference
from showable.registries import openfda
from showable.registries.answers import found, ill_formed, missed, odd, trouble
from showable.registries.shapes import iso_day, rows_of, text_of
from showable.registries.web.asking import TroubleError

_TYPES = ("NDA", "ANDA", "BLA")


class DrugsAtFda(openfda.Endpoint):
    """openFDA's copy of Drugs@FDA: ``api.fda.gov/drug/drugsfda.json``, 240 a minute, a key optional.

    None found is a 404 with ``NOT_FOUND`` and ``No matches found!`` in its JSON; no other 404 counts (the gateway before it has
    that code too). Nor does an answer whose records are not those of the number asked for. It is the authority for NDA and ANDA. Of
    the BLA it holds only those of the drug centre (vaccines and blood products are another centre's), so that a
    BLA that is not there proves nothing. See open.fda.gov/apis/drug/drugsfda.
    """

    name, endpoint = "drugs_at_fda", "drugsfda"
    proves = frozenset({"fda_application"})

    async def find(self, reference: Reference) -> Found:
        """Look an application up by type and number; where it is another type's number, that is told."""
        asked = openfda.application(reference)
        if asked is None:
            return ill_formed(self.name, "an application number is NDA, ANDA or BLA and up to six digits")
        kind, number = asked
        search = " OR ".join(f"application_number:{openfda.phrase(one + number)}" for one in _TYPES)
        try:
            reply = await self.ask(search, len(_TYPES))
            records = openfda.results(reply)
        except TroubleError as error:
            return trouble(self.name, error)
        held = {text_of(row.get("application_number")) or "": row for row in records}
        if row := held.get(kind + number):
            return found(self.name, [_entry(kind + number, row)], reply)
        if reason := _not_of(number, held):
            return odd(self.name, reply, reason)
        near = [_entry(text, row) for text, row in held.items()]
        other = (
            f"; the number is that of {' and '.join(entry.ids['fda_application'] for entry in near)}" if near else ""
        )
        proves = self.proves if kind != "BLA" else frozenset[str]()
        return missed(self.name, proves, reference.kind, reply, f"Drugs@FDA holds no {kind}{number}{other}", near=near)


def _not_of(number: str, held: Iterable[str]) -> str | None:
    """Return why records say nothing of an application; None where all are of its number, or there are none."""
    asked = {kind + number for kind in _TYPES}
    return None if asked.issuperset(held) else "records that are not of the number asked for"


def _entry(number: str, record: dict[str, Any]) -> Entry:
    return openfda.entry(
        number,
        rows_of(record.get("products")),
        text_of(record.get("sponsor_name")),
        approved=_approved(rows_of(record.get("submissions"))),
    )


def _approved(submissions: list[dict[str, Any]]) -> str | None:
    """Return the day on which the original application was approved."""
    days = [
        day
        for row in submissions
        if row.get("submission_type") == "ORIG" and row.get("submission_status") == "AP"
        if (day := iso_day(text_of(row.get("submission_status_date"))))
    ]
    return min(days, default=None)
