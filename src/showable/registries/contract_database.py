"""Databases that only their subscribers may ask: what can be said of their numbers without them, and how they can be plugged in."""

from __future__ import annotations

import re

from showable.records import Entry, Found, Reference
from showable.registries.answers import found, missed, odd, trouble, unset
from showable.registries.recap import ADDRESS, TOKEN, docket_facts
from showable.registries.settings import Settings
from showable.registries.shapes import rows_of, table_of, text_of, texts_of, told, years_in
from showable.registries.web.asking import OddReplyError, Pace, TroubleError, Web

_OK = 200
_REFUSED = frozenset({401, 403})
_YEAR = re.compile(r"(?<!\d)(1[6-9]\d\d|20\d\d)(?!\d)")


class ContractDatabase:
    """A database without a public way to look a number up.

    There is no address to ask before one is set: a service under one's own contract, which answers
    ``GET {address}/lookup?year=2019&number=4639462`` (and `series` for LEXIS) with
    ``{"results": [{"case_name", "court", "date", "docket", "url"}]}``, and takes the key as a bearer token. Without it the answer is
    ``not_configured``, and no evidence of anything. A miss is none either. Facts that need no database (a number of
    another year than the decision, what RECAP has under the docket number) are added to the reason.
    """

    name = ""
    kinds: frozenset[str] = frozenset()
    proves: frozenset[str] = frozenset()
    pace = Pace(per_second=2)
    secret = ""
    label = ""

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web, self._key = web, settings.secret(self.secret)
        self._base = settings.address(self.name, "")
        self._recap = settings.address("courtlistener", ADDRESS), settings.secret(TOKEN)

    def not_configured(self) -> str | None:
        """Both an address and a key are needed."""
        if self._base and self._key:
            return None
        return (
            f"{self.label} has no public lookup: set SHOWABLE_REGISTRY_{self.name.upper()} to a service "
            f"under your contract, and {self.secret}"
        )

    def key(self, reference: Reference) -> str | None:
        """Return year, series and number, with what the facts beside depend on."""
        fields = reference.fields
        year, number = fields.get("year", ""), fields.get("number", "")
        if not year.isdecimal() or not number.isdecimal():
            return None
        return " ".join((year, fields.get("series", ""), number, fields.get("docket", ""))).strip()

    async def find(self, reference: Reference) -> Found:
        """Look a number up where that is possible, and say what can be said where it is not."""
        if missing := self.not_configured():
            return unset(self.name, "; ".join((*await self._facts(reference), missing)))
        fields = reference.fields
        asked = told(year=fields.get("year"), number=fields.get("number"), series=fields.get("series"))
        headers = {"Authorization": f"Bearer {self._key}"}
        try:
            reply = await self._web.ask("GET", f"{self._base}/lookup", params=asked, headers=headers)
            if reply.status in _REFUSED:
                return unset(self.name, f"{self.label} refuses the key in {self.secret}: status {reply.status}")
            if reply.status != _OK:
                return odd(self.name, reply)
            said = reply.json()
            if not isinstance(table_of(said).get("results"), list):
                raise OddReplyError("status 200, and no list of results")
        except TroubleError as error:
            return trouble(self.name, error)
        entries = [_entry(row, self._cite(reference)) for row in rows_of(said["results"])]
        if entries:
            return found(self.name, entries, reply)
        facts = "; ".join((f"{self.label} gave nothing, which proves nothing", *await self._facts(reference)))
        return missed(self.name, self.proves, reference.kind, reply, facts)

    async def _facts(self, reference: Reference) -> list[str]:
        facts = list(number_facts(reference))
        if docket := await docket_facts(self._web, *self._recap, reference):
            facts.append(docket)
        return facts

    def _cite(self, reference: Reference) -> str:
        fields = reference.fields
        return " ".join(
            filter(None, (fields.get("year"), fields.get("series"), self.label_in_cite, fields.get("number")))
        )

    @property
    def label_in_cite(self) -> str:
        """What stands between year and number."""
        return "WL" if self.name == "westlaw" else "LEXIS"


def number_facts(reference: Reference) -> tuple[str, ...]:
    """Return what is odd about a database number by itself: the year in it is that of the decision, or of the one after."""
    fields = reference.fields
    decided = _YEAR.search(fields.get("date", ""))
    numbered = fields.get("year", "")
    if decided and numbered.isdecimal() and not 0 <= int(numbered) - int(decided[1]) <= 1:
        return (f"the number is of {numbered}, the decision is said to be of {decided[1]}",)
    return ()


def _entry(row: dict[str, object], cite: str) -> Entry:
    date = text_of(row.get("date"))
    return Entry(
        case_names=texts_of(row.get("case_name")),
        court=text_of(row.get("court")),
        date=date,
        years=years_in(date),
        citations=(cite,),
        url=text_of(row.get("url")),
        facts=told(docket=text_of(row.get("docket"))),
    )
