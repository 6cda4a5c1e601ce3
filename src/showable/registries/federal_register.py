"""The Federal Register's API: which document stands on a page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from showable.records import Entry, Found, Reference
from showable.registries.answers import found, missed, not_held, odd, trouble
from showable.registries.settings import Settings
from showable.registries.shapes import rows_of, table_of, text_of, texts_of, told, years_in
from showable.registries.web.asking import OddReplyError, Pace, TroubleError, Web

_OK = 200
_LARGEST = 5_000_000
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_NUMBER = re.compile(r"[0-9]{1,9}")
FIRST_VOLUME = 59
"""The volume of 1994, where the API begins."""
_FIELDS = (
    "title",
    "document_number",
    "type",
    "publication_date",
    "citation",
    "volume",
    "start_page",
    "end_page",
    "html_url",
    "agency_names",
)


class FederalRegister:
    """Documents of ``www.federalregister.gov/api/v1``, without a key.

    The API looks nothing up by page: of a day that is claimed all documents are asked for, else those that mention
    the citation, and whichever stands on the page is taken. The site's own addresses for citations are closed to
    programs. A miss proves nothing. See www.federalregister.gov/developers/documentation/api/v1.
    """

    name = "federal_register"
    kinds = frozenset({"fed_reg"})
    proves: frozenset[str] = frozenset()
    pace = Pace(per_second=2)
    known = Reference(
        kind="fed_reg",
        text="86 Fed. Reg. 7009",
        fields={"volume": "86", "page": "7009", "date": "2021-01-25", "year": "2021"},
    )

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web = web
        self._address = settings.address(self.name, "https://www.federalregister.gov")

    def not_configured(self) -> str | None:
        """Nothing is needed."""
        return None

    def key(self, reference: Reference) -> str | None:
        """Return volume and page, and the day claimed."""
        volume, page = _place(reference)
        if not _NUMBER.fullmatch(volume) or not _NUMBER.fullmatch(page):
            return None
        return f"{volume} {page} {reference.fields.get('date', '')}".rstrip()

    async def find(self, reference: Reference) -> Found:
        """Look for the document on a page."""
        volume, page = _place(reference)
        if self.key(reference) is None:
            return not_held(self.name, "a volume and a page of the Federal Register are needed")
        if int(volume) < FIRST_VOLUME:
            return not_held(self.name, f"volumes before {FIRST_VOLUME} (1994) are not held here")
        try:
            return await self._found(reference, volume, page)
        except TroubleError as error:
            return trouble(self.name, error)

    async def _found(self, reference: Reference, volume: str, page: str) -> Found:
        day = _DAY.search(reference.fields.get("date", ""))
        queries = [{"conditions[term]": f'"{volume} FR {page}"', "per_page": "20"}]
        if day:
            queries.insert(0, {"conditions[publication_date][is]": day[0], "per_page": "1000"})
        fields = "&".join(f"fields[]={name}" for name in _FIELDS)
        for query in queries:
            address = f"{self._address}/api/v1/documents.json?{fields}"
            reply = await self._web.ask("GET", address, params=query, largest=_LARGEST)
            if reply.status != _OK:
                return odd(self.name, reply)
            standing = list(_standing(_documents(reply.json()), volume, int(page)))
            if standing:
                return found(self.name, [_entry(row) for row in standing[:5]], reply)
        return missed(
            self.name,
            self.proves,
            "fed_reg",
            reply,
            f"no document on page {page} of volume {volume} came up, which proves nothing",
        )


def _place(reference: Reference) -> tuple[str, str]:
    return reference.fields.get("volume", "").strip(), reference.fields.get("page", "").replace(",", "").strip()


def _documents(said: Any) -> list[dict[str, Any]]:
    if not isinstance(said, dict) or ("results" not in said and said.get("count") != 0):
        raise OddReplyError("status 200, and no list of documents")
    return rows_of(table_of(said).get("results"))


def _standing(rows: Iterable[dict[str, Any]], volume: str, page: int) -> Iterable[dict[str, Any]]:
    """Return the documents that stand on a page; short ones share it, and the one that begins there comes first."""
    on_page = []
    for row in rows:
        cited = re.match(r"(\d+) FR (\d+)", text_of(row.get("citation")) or "")
        own = text_of(row.get("volume")) or (cited[1] if cited else None)
        first, last = text_of(row.get("start_page")), text_of(row.get("end_page"))
        if (
            own == volume
            and first
            and first.isdecimal()
            and int(first) <= page <= int(last if last and last.isdecimal() else first)
        ):
            on_page.append(row)
    return sorted(on_page, key=lambda row: text_of(row.get("start_page")) != str(page))


def _entry(row: dict[str, Any]) -> Entry:
    published = text_of(row.get("publication_date"))
    return Entry(
        title=text_of(row.get("title")),
        date=published,
        years=years_in(published),
        containers=("Federal Register", "Fed. Reg."),
        volume=text_of(row.get("volume")),
        first_page=text_of(row.get("start_page")),
        last_page=text_of(row.get("end_page")),
        citations=texts_of(row.get("citation")),
        ids=told(document_number=text_of(row.get("document_number"))),
        url=text_of(row.get("html_url")),
        facts=told(type=text_of(row.get("type")), agencies="; ".join(texts_of(row.get("agency_names"))) or None),
    )
