"""PACER: the federal courts' own dockets, at ten cents a page. Off unless a login and a spending cap are set."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from showable.records import Entry, Found, Reference
from showable.registries.answers import found, missed, not_held, odd, several, trouble, unset
from showable.registries.settings import Settings
from showable.registries.shapes import rows_of, table_of, text_of, told
from showable.registries.web.asking import OddReplyError, Pace, Reply, TroubleError, Web
from showable.rubrics.metadata.case_names import same_as_any
from showable.rubrics.metadata.cases import claimed_name, docket_numbers, same_docket
from showable.rubrics.metadata.courts import court_id

LOGIN, PASSWORD, CAP = "SHOWABLE_PACER_LOGIN", "SHOWABLE_PACER_PASSWORD", "SHOWABLE_PACER_CAP_USD"
USD_PER_PAGE = Decimal("0.10")
_OK, _NOTHING, _EXPIRED = 200, 204, 401
_CIRCUIT = re.compile(r"ca(\d{1,2})")


class Budget:
    """What may be spent, in US dollars, for as long as the program runs. Nothing is carried over."""

    def __init__(self, cap: Decimal) -> None:
        self.cap, self.spent = cap, Decimal(0)

    def take(self, pages: int = 1) -> bool:
        """Set the price of some pages aside before they are asked for; False where that would exceed the cap."""
        price = pages * USD_PER_PAGE
        if price <= 0 or self.spent + price > self.cap:
            return False
        self.spent += price
        return True

    def give_back(self, pages: int = 1) -> None:
        """Free what was set aside for pages that were refused, and so not charged."""
        self.spent = max(Decimal(0), self.spent - pages * USD_PER_PAGE)

    def bill(self, pages: int) -> None:
        """Add pages that were charged beyond those set aside."""
        self.spent += max(pages, 0) * USD_PER_PAGE


class Pacer:
    """The PACER Case Locator, ``POST pcl.uscourts.gov/pcl-public-api/rest/cases/find``, with the token of a login.

    A search by docket number costs a page, $0.10, which is set aside before it is asked and never tried twice. The
    login is answered 200 whether it worked or not; a token that ran out is renewed once. A miss proves nothing, for a
    number may be written in several ways. See pacer.uscourts.gov/help/pacer, the Case Locator API user guide.
    """

    name = "pacer"
    kinds = frozenset({"docket"})
    proves: frozenset[str] = frozenset()
    pace = Pace(per_second=1)
    known = Reference(kind="docket", text="No. 1:22-cv-01461", fields={"number": "1:22-cv-01461", "court": "nysd"})

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web = web
        self._login, self._password = settings.secret(LOGIN), settings.secret(PASSWORD)
        self.budget = Budget(_dollars(settings.secret(CAP)))
        self._sign_on = settings.address("pacer_login", "https://pacer.login.uscourts.gov")
        self._address = settings.address(self.name, "https://pcl.uscourts.gov")
        self._token: str | None = None

    def not_configured(self) -> str | None:
        """A login and a cap are needed: asking costs money."""
        if not self._login or not self._password:
            return f"PACER needs a login: set {LOGIN} and {PASSWORD}"
        if self.budget.cap < USD_PER_PAGE:
            return f"PACER charges ${USD_PER_PAGE} a page: set {CAP} to what may be spent"
        return None

    def key(self, reference: Reference) -> str | None:
        """Return the docket number with its court, and the name that picks one of several."""
        numbers = docket_numbers(reference.fields.get("number", ""))
        return " ".join((*numbers[0], _court(reference), claimed_name(reference).casefold())) if numbers else None

    async def find(self, reference: Reference) -> Found:
        """Search for a docket number, while the money lasts."""
        if missing := self.not_configured():
            return unset(self.name, missing)
        number = reference.fields.get("number", "")
        if not docket_numbers(number):
            return not_held(self.name, "no docket number of a federal court")
        try:
            reply = await self._search(_wanted(reference))
        except TroubleError as error:
            return trouble(self.name, error)
        if isinstance(reply, str):
            return unset(self.name, reply)
        if reply.status == _NOTHING:
            return missed(self.name, self.proves, "docket", reply, f"PACER gave no docket {number}")
        return self._read(reference, reply, number) if reply.status == _OK else odd(self.name, reply)

    def _read(self, reference: Reference, reply: Reply, number: str) -> Found:
        try:
            said = reply.json()
            if not isinstance(table_of(said).get("content"), list):
                raise OddReplyError("status 200, and no list of cases")
        except TroubleError as error:
            return trouble(self.name, error)
        charged = text_of(table_of(said, "receipt").get("billablePages")) or "1"
        self.budget.bill(int(charged) - 1 if charged.isdecimal() else 0)
        entries = [entry for row in rows_of(said["content"]) if (entry := _entry(row, number))]
        named = [entry for entry in entries if same_as_any(claimed_name(reference), entry.case_names)]
        if not entries:
            return missed(self.name, self.proves, "docket", reply, f"PACER gave no docket {number}")
        if not named and (len(entries) > 1 or not _court(reference)):
            return several(self.name, (), reply, f"{len(entries)} courts or offices have a docket {number}")
        return found(self.name, named[:1] or entries, reply)

    async def _search(self, wanted: Mapping[str, Any]) -> Reply | str:
        """Search, signing on first; a string says why that may not be or was refused."""
        for _ in range(2):
            if self._token is None and (refused := await self._sign()):
                return refused
            if not self.budget.take():
                return f"PACER: spending cap of ${self.budget.cap} reached"
            reply = await self._post(
                f"{self._address}/pcl-public-api/rest/cases/find", wanted, {"X-NEXT-GEN-CSO": self._token or ""}
            )
            if reply.status != _EXPIRED:
                return reply
            self._token = None
            self.budget.give_back()
        return "PACER refuses the token that its own login gave"

    async def _sign(self) -> str | None:
        """Sign on; say why it was refused."""
        login = {"loginId": self._login, "password": self._password, "redactFlag": "1"}
        reply = await self._post(f"{self._sign_on}/services/cso-auth", login, {})
        said = table_of(reply.json()) if reply.status == _OK else {}
        self._token = text_of(said.get("nextGenCSO")) if text_of(said.get("loginResult")) == "0" else None
        if self._token is None:
            why = text_of(said.get("errorDescription")) or f"status {reply.status}"
            return f"PACER refuses the login in {LOGIN}: {why}"
        return None

    async def _post(self, url: str, body: Mapping[str, Any], headers: Mapping[str, str]) -> Reply:
        sent = {"Accept": "application/json", **headers}
        return await self._web.ask("POST", url, headers=sent, json=body, retry=False)


def _dollars(text: str | None) -> Decimal:
    try:
        cap = Decimal(text or "0")
    except InvalidOperation:
        return Decimal(0)
    return cap if cap.is_finite() and cap > 0 else Decimal(0)


def _court(reference: Reference) -> str:
    fields = reference.fields
    return court_id(fields.get("court") or fields.get("court_text") or "") or ""


def _wanted(reference: Reference) -> dict[str, Any]:
    """Write a search as the Case Locator takes it: its ids of courts end in what sort of court they are."""
    office, year, kind, number = docket_numbers(reference.fields.get("number", ""))[0]
    full = (
        f"{office}:{year}-{kind}-{number:0>5}"
        if office and kind
        else f"{year}-{f'{kind}-' if kind else ''}{number:0>5}"
    )
    court = _court(reference)
    circuit = _CIRCUIT.fullmatch(court)
    located = f"{int(circuit[1]):02}ca" if circuit else None
    if court and not circuit and len(court) in {3, 4}:
        located = f"{court[:-1]}bk" if court.endswith("b") else f"{court}c" if court.endswith("d") else None
    return {"caseNumberFull": full} | ({"courtId": [located]} if located else {})


def _entry(row: dict[str, Any], number: str) -> Entry | None:
    own = text_of(row.get("caseNumberFull")) or ""
    year = text_of(row.get("caseYear")) or ""
    written = f"{text_of(row.get('caseOffice')) or ''}:{year}-{text_of(row.get('caseType')) or ''}-{text_of(row.get('caseNumber')) or ''}"
    if not same_docket(number, own) and not same_docket(number, written.lstrip(":")):
        return None
    court = text_of(row.get("courtId")) or ""
    identified = (
        court.removesuffix("c") if court.endswith("dc") else f"{court[:-2]}b" if court.endswith("bk") else court
    )
    circuit = re.fullmatch(r"(\d\d)ca", court)
    title = text_of(row.get("caseTitle"))
    return Entry(
        case_names=(title,) if title else (),
        court=f"ca{int(circuit[1])}" if circuit else identified or None,
        ids=told(docket=own or written),
        url=text_of(row.get("caseLink")),
        facts=told(docket=own or written, filed=text_of(row.get("dateFiled"))),
    )
