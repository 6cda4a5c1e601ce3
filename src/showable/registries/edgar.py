"""EDGAR: what companies have filed with the United States Securities and Exchange Commission."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from typing import Any, Literal

from showable import __version__
from showable.records import Entry, Found, Reference
from showable.registries.answers import found, ill_formed, missed, not_held, trouble, unset
from showable.registries.settings import Settings
from showable.registries.shapes import rows_of, table_of, text_of, texts_of, told, years_in
from showable.registries.web.asking import (
    OddReplyError,
    Pace,
    RateLimitedError,
    Reply,
    TroubleError,
    UnreachableError,
    Web,
)

_ACCESSION = re.compile(r"([0-9]{10})-?([0-9]{2})-?([0-9]{6})")
_COMPANY = re.compile(r"0*([0-9]{1,10})")
_OK, _FORBIDDEN, _NOT_FOUND = 200, 403, 404
_LARGEST = 20_000_000
"""The filings of a company that files much take several megabytes."""
_MOST_FILES = 12
_NO_SUCH_FILE = b"<Code>NoSuchKey</Code>"
"""How EDGAR's store of files says that it has none for a company. Any other 404 may be a proxy's own."""


class Edgar:
    """EDGAR: ``data.sec.gov/submissions`` for a company's filings, ``www.sec.gov/Archives`` for the index of one.

    At most ten requests a second from all of one's machines, each of which must say who asks: without a mail address in the
    settings it is ``not_configured``. A 403 is a refusal to answer, never a miss. The first ten digits of an accession number
    are whoever transmitted the filing, often an agent: the company is looked for under them only where no company is
    named, and then a miss proves nothing. With a company named, a filing that is neither among its filings nor in the
    archive is ``not_found``. See sec.gov/search-filings/edgar-application-programming-interfaces.
    """

    name = "edgar"
    kinds = frozenset({"sec_accession"})
    proves = frozenset({"sec_accession"})
    pace = Pace(per_second=5, at_once=2)
    known = Reference(
        kind="sec_accession",
        text="0000320193-24-000123",
        fields={"accession": "0000320193-24-000123", "cik": "320193"},
    )

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web, self._mailto = web, settings.mailto
        self._data = settings.address(self.name, "https://data.sec.gov")
        self._archives = settings.address("edgar_archives", "https://www.sec.gov")

    def not_configured(self) -> str | None:
        """Report that a mail address is needed where there is none."""
        return None if self._mailto else "EDGAR answers only who gives a mail address: set SHOWABLE_MAILTO"

    def key(self, reference: Reference) -> str | None:
        """Return the accession number and the company where one is named, or what is written instead."""
        asked = _asked(reference)
        return " ".join(asked).strip() if asked else reference.fields.get("accession", "").strip() or None

    async def find(self, reference: Reference) -> Found:
        """Look a filing up under its company, or under whoever transmitted it where no company is named."""
        if reason := self.not_configured():
            return unset(self.name, reason)
        asked = _asked(reference)
        if asked is None:
            return ill_formed(self.name, "an accession number is 10, 2 and 6 digits")
        accession, named = asked
        company = named or str(int(accession[:10]))
        try:
            return await self._find(reference.kind, accession, company, named=bool(named))
        except TroubleError as error:
            return trouble(self.name, error)

    async def _find(self, kind: str, accession: str, company: str, *, named: bool) -> Found:
        listed = False
        async for reply, filer, columns in self._pages(company):
            listed = True
            for row in _rows(columns):
                if row.get("accessionNumber") == accession:
                    return found(self.name, [_entry(accession, company, filer, row)], reply)
        index = f"{self._archives}/Archives/edgar/data/{company}/{accession.replace('-', '')}/{accession}-index.htm"
        reply = await self._ask(index, "HEAD")
        if reply.status == _OK:
            return found(self.name, [_entry(accession, company, None, {})], reply)
        if reply.status != _NOT_FOUND:
            raise OddReplyError(f"status {reply.status} for the index of a filing")
        if named and listed:
            return missed(self.name, self.proves, kind, reply, f"company {company} has not filed {accession}")
        if named:
            return not_held(self.name, f"no list of the filings of company {company} could be read", reply)
        reason = (
            f"{accession} is no filing of {company}, who transmitted it; it needs the number of the company that filed"
        )
        return not_held(self.name, reason, reply)

    async def _pages(self, company: str) -> AsyncIterator[tuple[Reply, str | None, dict[str, Any]]]:
        """Yield a company's filings, the newest first, in the pages that EDGAR keeps them in."""
        reply = await self._ask(f"{self._data}/submissions/CIK{company:0>10}.json")
        if reply.status == _NOT_FOUND:
            if _NO_SUCH_FILE in reply.body:
                yield reply, None, {"accessionNumber": []}
            return
        said = _read(reply)
        filer = text_of(said.get("name"))
        yield reply, filer, table_of(said, "filings", "recent")
        names = texts_of(rows_of(table_of(said, "filings").get("files")), "name")
        for name in [name for name in names if re.fullmatch(r"[\w-]+\.json", name)][:_MOST_FILES]:
            reply = await self._ask(f"{self._data}/submissions/{name}")
            yield reply, filer, _read(reply)

    async def _ask(self, url: str, method: Literal["GET", "HEAD"] = "GET") -> Reply:
        headers = {"User-Agent": f"showable/{__version__} {self._mailto}"}
        reply = await self._web.ask(method, url, headers=headers, largest=_LARGEST)
        if reply.status == _FORBIDDEN:
            if b"Request Rate Threshold" in reply.body:
                raise RateLimitedError(
                    "EDGAR asks for fewer requests; it answers again ten minutes after they slow down"
                )
            raise UnreachableError(
                "EDGAR refuses to answer (403): the User-Agent is not to its liking, or too much was asked"
            )
        return reply


def _asked(reference: Reference) -> tuple[str, str] | None:
    """Return the accession number with its dashes, and the company's number, empty where none is given."""
    match = _ACCESSION.fullmatch(reference.fields.get("accession", "").strip())
    company = _COMPANY.fullmatch(reference.fields.get("cik", "").strip())
    return ("-".join(match.groups()), company[1] if company else "") if match else None


def _read(reply: Reply) -> dict[str, Any]:
    said = reply.json()
    if reply.status != _OK or not isinstance(said, dict):
        raise OddReplyError(f"status {reply.status}: no list of filings")
    return said


def _rows(columns: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Turn columns (one list a field) into rows; a column that is shorter than the others has nothing to say of the last ones."""
    lists = {name: values for name, values in columns.items() if isinstance(values, list)}
    if "accessionNumber" not in lists:
        raise OddReplyError("a list of filings without accession numbers")
    if not all(isinstance(number, str) for number in lists["accessionNumber"]):
        raise OddReplyError("a list of filings whose accession numbers are no text")
    for n in range(len(lists["accessionNumber"])):
        yield {name: values[n] for name, values in lists.items() if n < len(values)}


def _entry(accession: str, company: str, filer: str | None, row: dict[str, Any]) -> Entry:
    """Describe a filing. It has no title of its own; the form, the filer and the days are told as facts."""
    filed, period = text_of(row.get("filingDate")), text_of(row.get("reportDate"))
    folder = f"https://www.sec.gov/Archives/edgar/data/{company}/{accession.replace('-', '')}"
    return Entry(
        years=tuple(dict.fromkeys((*years_in(filed), *years_in(period)))),
        publisher=filer,
        date=filed,
        ids={"sec_accession": accession, "cik": company},
        url=f"{folder}/{accession}-index.htm",
        facts=told(
            form=text_of(row.get("form")),
            filer=filer,
            filed=filed,
            period=period,
            document=text_of(row.get("primaryDocument")),
        ),
    )
