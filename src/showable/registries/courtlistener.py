"""CourtListener: Free Law Project's opinions by reporter cite, and its RECAP archive of dockets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from showable.records import Entry, Found, Reference
from showable.registries.answers import found, missed, not_held, odd, several, trouble, unset
from showable.registries.cite_batches import CiteBatches
from showable.registries.courtlistener_shapes import CiteAnswer, docket_id, entry_of, read_answers, with_docket
from showable.registries.recap import ADDRESS, TOKEN, ask_dockets, filed_as, token_header, with_number
from showable.registries.settings import Settings
from showable.registries.shapes import table_of
from showable.registries.web.asking import OddReplyError, Pace, RateLimitedError, Reply, TroubleError, Web
from showable.rubrics.metadata.case_names import same_as_any
from showable.rubrics.metadata.cases import claimed_cite, claimed_name, court_of_place
from showable.rubrics.metadata.courts import court_id
from showable.rubrics.metadata.reporter_cites import ReporterCite, same_place

_OK, _BAD, _MISSING, _TOO_MANY = 200, 400, 404, 429
_REFUSED = frozenset({401, 403})
_SEVERAL = 300
CROWDED = 5
"""Cases on one page from which on it is a table of orders, of which a database need not have every one."""


class RefusedError(TroubleError):
    """The token is missing, wrong, or not allowed to ask."""


class CourtListener:
    """The citation-lookup API: ``POST www.courtlistener.com/api/rest/v4/citation-lookup/`` with a token of a member's.

    Sixty cites a minute, up to 250 a request: cites asked together go out in one request, joined by ``"; "``. A
    cite's own status is not the truth about it: 200 is also given for the case that merely contains the page, so that
    the entry's cites must be held against the one that was asked. 404 proves nothing, for coverage is thin in
    places. The court stands in the docket, which is asked for only where a court is claimed and the name agrees.
    See www.courtlistener.com/help/api/rest/citation-lookup/.
    """

    name = "courtlistener"
    kinds = frozenset({"case", "docket"})
    proves: frozenset[str] = frozenset()
    pace = Pace(per_second=2, at_once=2)
    cites_per_minute = 60
    cites_per_request = 60
    known = Reference(
        kind="case",
        text="576 U.S. 644",
        fields={
            "case_name": "Obergefell v. Hodges",
            "volume": "576",
            "reporter": "U.S.",
            "page": "644",
            "year": "2015",
        },
    )

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web, self._token = web, settings.secret(TOKEN)
        self._address = settings.address(self.name, ADDRESS)
        self._dockets: dict[str, dict[str, Any]] = {}
        self._batches: CiteBatches[tuple[CiteAnswer, Reply]] = CiteBatches(
            self._look_up, most=self.cites_per_request, per_minute=self._cites_a_minute()
        )

    def _cites_a_minute(self) -> int:
        """Lift the limit of cites with that of requests, where somebody may ask faster (a mirror of one's own, a test)."""
        pace = getattr(self._web, "pace", self.pace)
        return max(1, round(self.cites_per_minute * pace.per_second / self.pace.per_second))

    def not_configured(self) -> str | None:
        """A token is needed since 2026: requests without one are answered 401."""
        return None if self._token else f"CourtListener needs a token: set {TOKEN}"

    def key(self, reference: Reference) -> str | None:
        """Return the cite with the names and the court claimed, which decide whether the docket is read; or the docket."""
        fields = reference.fields
        if reference.kind == "docket":
            number = filed_as(fields.get("number", ""))
            name = claimed_name(reference).casefold()
            return f"docket {number} {_court(reference)} {name}".rstrip() if number else None
        cite = claimed_cite(reference)
        return " ".join((*cite.key, _court(reference), claimed_name(reference).casefold())) if cite else None

    async def find(self, reference: Reference) -> Found:
        """Look up what stands at a cite, or under a docket number."""
        if missing := self.not_configured():
            return unset(self.name, missing)
        try:
            if reference.kind == "docket":
                return await self._docket(reference)
            return await self._case(reference)
        except RefusedError as error:
            return unset(self.name, str(error))
        except TroubleError as error:
            return trouble(self.name, error)

    async def _case(self, reference: Reference) -> Found:
        cite = claimed_cite(reference)
        if cite is None:
            return not_held(self.name, "a volume, a reporter and a page are needed to look a case up")
        answer, reply = await self._batches.ask(str(cite))
        if answer.status == _TOO_MANY:
            raise RateLimitedError(answer.message or "too many citations requested")
        if answer.status == _BAD:
            return not_held(self.name, answer.message or f"no reporter is called {cite.reporter!r} there", reply)
        if answer.status not in {_OK, _SEVERAL} or not answer.clusters:
            return missed(self.name, self.proves, "case", reply, answer.message or f"nothing is listed at {cite}")
        return await self._standing(reference, cite, answer, reply)

    async def _standing(self, reference: Reference, cite: ReporterCite, answer: CiteAnswer, reply: Reply) -> Found:
        pairs = [(cluster, entry_of(cluster, cite, answer.readings)) for cluster in answer.clusters]
        exact = [pair for pair in pairs if same_place(cite, pair[1].citations)]
        named = [pair for pair in exact or pairs if same_as_any(claimed_name(reference), pair[1].case_names)]
        if not named and (len(answer.readings) > 1 or len(exact) >= CROWDED):
            why = f"{cite} may be {', '.join(answer.readings)}" if len(answer.readings) > 1 else ""
            return several(self.name, (), reply, why or f"{len(exact)} cases are listed on the page {cite}")
        chosen = [await self._with_court(reference, *pair) for pair in named[:CROWDED]]
        return found(self.name, chosen or [entry for _, entry in exact or pairs], reply)

    async def _with_court(self, reference: Reference, cluster: dict[str, Any], entry: Entry) -> Entry:
        number = docket_id(cluster)
        fields = reference.fields
        told = court_of_place(fields.get("volume", ""), fields.get("reporter", ""))
        if not _court(reference) or told or number is None:
            return entry
        if number not in self._dockets:
            try:
                address = f"{self._address}/api/rest/v4/dockets/{number}/"
                reply = await self._web.ask("GET", address, headers=token_header(self._token))
                self._dockets[number] = table_of(reply.json()) if reply.status == _OK else {}
            except TroubleError as error:
                return entry.model_copy(update={"facts": entry.facts | {"court": f"could not be asked: {error}"}})
        return with_docket(entry, self._dockets[number])

    async def _docket(self, reference: Reference) -> Found:
        number = reference.fields.get("number", "")
        reply, dockets = await ask_dockets(self._web, self._address, self._token, number, _court(reference))
        if reply.status != _OK:
            self._refuse(reply)
            return odd(self.name, reply)
        entries = with_number(dockets, number)
        named = [entry for entry in entries if same_as_any(claimed_name(reference), entry.case_names)]
        if not entries:
            return missed(
                self.name, self.proves, "docket", reply, f"RECAP has no docket {number}, which proves nothing"
            )
        if not named and (not _court(reference) or len(entries) > 1):
            return several(self.name, (), reply, f"{len(entries)} courts or offices have a docket {number}")
        return found(self.name, named[:1] or entries, reply)

    async def _look_up(self, cites: tuple[str, ...]) -> dict[str, tuple[CiteAnswer, Reply] | Exception]:
        """Ask about several cites in one request; those that come back unread, one by one as parts."""
        text, starts = _joined(cites)
        reply = await self._post({"text": text})
        answers = read_answers(reply.json(), cites, starts)
        told: dict[str, tuple[CiteAnswer, Reply] | Exception] = {cite: (answers[cite], reply) for cite in answers}
        for cite in cites:
            if cite not in answers or (answers[cite].status == _TOO_MANY and len(answers) > 1):
                try:
                    told[cite] = await self._look_up_parts(cite)
                except TroubleError as error:
                    told[cite] = error
        return told

    async def _look_up_parts(self, cite: str) -> tuple[CiteAnswer, Reply]:
        volume, _, rest = cite.partition(" ")
        reporter, _, page = rest.rpartition(" ")
        if not volume.isdecimal():
            return CiteAnswer(_MISSING, f"{cite} was not read as a citation there", (), ()), Reply(
                _OK, self._address, b""
            )
        reply = await self._post({"volume": volume, "reporter": reporter, "page": page})
        answer = read_answers(reply.json(), (cite,), {cite: 0}).get(cite)
        return answer or CiteAnswer(_MISSING, f"Citation not found: '{cite}'", (), ()), reply

    async def _post(self, form: dict[str, str]) -> Reply:
        address = f"{self._address}/api/rest/v4/citation-lookup/"
        reply = await self._web.ask("POST", address, form=form, headers=token_header(self._token), largest=20_000_000)
        self._refuse(reply)
        if reply.status not in {_OK, _SEVERAL, _MISSING}:
            raise OddReplyError(f"status {reply.status}: {reply.text()[:200]}")
        return reply

    @staticmethod
    def _refuse(reply: Reply) -> None:
        if reply.status in _REFUSED:
            said = table_of(reply.json()).get("detail") if reply.body.startswith(b"{") else None
            raise RefusedError(f"CourtListener refuses the token in {TOKEN}: {said or f'status {reply.status}'}")
        if reply.status == _TOO_MANY:
            raise RateLimitedError(f"CourtListener asks to be left alone: {reply.text()[:200]}")


def _joined(cites: Sequence[str]) -> tuple[str, dict[str, int]]:
    """Join cites into one text, with the place of each."""
    starts, at = {}, 0
    for cite in cites:
        starts[cite] = at
        at += len(cite) + 2
    return "; ".join(cites), starts


def _court(reference: Reference) -> str:
    fields = reference.fields
    return court_id(fields.get("court") or fields.get("court_text") or "") or ""
