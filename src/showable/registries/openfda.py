"""What the two drug endpoints of openFDA have in common: application numbers, queries, and their way of saying none."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from showable.records import Entry, Reference
from showable.registries.settings import Settings
from showable.registries.shapes import rows_of, table_of, text_of, texts_of, told
from showable.registries.web.asking import OddReplyError, Pace, Reply, Web

ADDRESS = "https://api.fda.gov"
KEY = "SHOWABLE_OPENFDA_KEY"
PACE = Pace(per_second=4, at_once=2)
"""240 requests a minute. Without a key there are 1,000 a day for an address, which no pace can keep to."""
_APPLICATION = re.compile(r"(NDA|ANDA|BLA)(\d{6})")
_DIGITS = 6
_NOT_FOUND = 404
_OK = 200
SHOWN = 12


def application(reference: Reference) -> tuple[str, str] | None:
    """Return the type and the six digits of an application number, or None where it is none."""
    kind = reference.fields.get("type", "").strip().upper()
    number = re.sub(r"[\s#-]", "", reference.fields.get("number", ""))
    match = _APPLICATION.fullmatch(kind + number.zfill(_DIGITS)) if number.isascii() and number.isdigit() else None
    return (match[1], match[2]) if match and int(match[2]) else None


def key(reference: Reference) -> str | None:
    """Return the type and six digits, or what is written instead of them, so that it is told to be none; None where nothing is."""
    asked = application(reference)
    written = f"{reference.fields.get('type', '')} {reference.fields.get('number', '')}".strip()
    return "".join(asked) if asked else written or None


def phrase(text: str) -> str:
    """Quote text as a Lucene phrase, in which a quotation mark and a backslash are the only special characters."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


class Endpoint:
    """One drug endpoint: who asks it says how the answer is read."""

    name: str
    endpoint: str
    kinds = frozenset({"fda_application"})
    pace = PACE
    known = Reference(kind="fda_application", text="NDA 020702", fields={"type": "NDA", "number": "020702"})

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web, self._key = web, settings.secret(KEY)
        self._address = f"{settings.address(self.name, ADDRESS)}/drug/{self.endpoint}.json"

    def not_configured(self) -> str | None:
        """Nothing is needed; a key only raises the daily allowance."""
        return None

    def key(self, reference: Reference) -> str | None:
        """Return the type and six digits of the application, or what is written instead."""
        return key(reference)

    async def ask(self, search: str, limit: int) -> Reply:
        """Put a query, with the key where there is one. Raises TroubleError."""
        params = {"search": search, "limit": str(limit)}
        if self._key:
            params["api_key"] = self._key
        return await self._web.ask("GET", self._address, params=params)


def results(reply: Reply) -> list[dict[str, Any]]:
    """Return the records of an answer; none where it is the documented 404. Raises OddReplyError for every other answer."""
    said = reply.json()
    error = table_of(said, "error")
    # The gateway in front of the service has that code, too.
    if (
        reply.status == _NOT_FOUND
        and error.get("code") == "NOT_FOUND"
        and "no match" in str(error.get("message")).lower()
    ):
        return []
    # That there is none is said by the 404 above: an empty list is another service's.
    if reply.status != _OK or not (isinstance(said, dict) and rows_of(said.get("results"))):
        reason = text_of(error.get("message")) or "an answer of another shape than the documented one"
        raise OddReplyError(f"status {reply.status}: {reason}")
    return rows_of(said["results"])


def entry(number: str, products: Iterable[dict[str, Any]], sponsor: str | None, **facts: str | None) -> Entry:
    """Describe an application by its products: brand names, ingredients, and on what terms each is sold."""
    rows = list(products)
    brands = texts_of(rows, "brand_name")
    ingredients = texts_of(rows, "active_ingredients", "name")
    names = tuple(dict.fromkeys(name for name in (*brands, *ingredients)))
    sold = texts_of(rows, "marketing_status")
    return Entry(
        title=names[0] if names else None,
        other_titles=names[1:SHOWN],
        publisher=sponsor,
        ids={"fda_application": number},
        facts=told(
            ingredients="; ".join(ingredients[:SHOWN]),
            dosage_form="; ".join(texts_of(rows, "dosage_form")[:SHOWN]),
            route="; ".join(texts_of(rows, "route")[:SHOWN]),
            marketing_status="; ".join(sold),
            discontinued=_discontinued(sold),
            **facts,
        ),
    )


def _discontinued(sold: tuple[str, ...]) -> str | None:
    """Say it of the application only where it is true of every product; being no longer sold is no fault of a citation."""
    gone = [status for status in sold if status.upper() in {"DISCN", "DISCONTINUED"}]
    if not gone:
        return None
    return "every product" if len(gone) == len(sold) else "some products"
