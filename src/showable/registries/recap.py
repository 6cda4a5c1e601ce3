"""Docket numbers in CourtListener's RECAP archive, the free substitute for PACER."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from showable.records import Entry, Reference
from showable.registries.courtlistener_shapes import docket_entry, dockets_in
from showable.registries.web.asking import OddReplyError, Reply, TroubleError, Web
from showable.rubrics.metadata.case_names import same_as_any
from showable.rubrics.metadata.cases import claimed_name, docket_numbers, same_docket
from showable.rubrics.metadata.courts import court_id, court_label

TOKEN = "SHOWABLE_COURTLISTENER_TOKEN"  # noqa: S105 - the name of the variable that holds it
ADDRESS = "https://www.courtlistener.com"
_OK = 200


def token_header(token: str | None) -> dict[str, str]:
    """Return the header that says who asks."""
    return {"Authorization": f"Token {token}"} if token else {}


def filed_as(number: str) -> str | None:
    """Return a docket number as the archive writes it (``2:24-cv-01776``, ``18-13694``); None where it is none."""
    found = docket_numbers(number)
    if not found:
        return None
    office, year, kind, serial = found[0]
    if not kind:
        return f"{year}-{serial}"
    return f"{office}:{year}-{kind}-{serial:0>5}" if office else f"{year}-{kind}-{serial:0>5}"


async def ask_dockets(
    web: Web, address: str, token: str | None, number: str, court: str
) -> tuple[Reply, list[dict[str, Any]]]:
    """Ask for the dockets of a number, of one court where that is known. Raises TroubleError."""
    params: Mapping[str, str] = {"docket_number": filed_as(number) or number} | ({"court": court} if court else {})
    reply = await web.ask("GET", f"{address}/api/rest/v4/dockets/", params=params, headers=token_header(token))
    if reply.status != _OK:
        return reply, []
    said = reply.json()
    if not isinstance(said, dict) or not isinstance(said.get("results"), list):
        raise OddReplyError("status 200, and no list of dockets")
    return reply, dockets_in(said)


def with_number(dockets: list[dict[str, Any]], number: str) -> list[Entry]:
    """Return the dockets whose number is the one that was asked for, for a service may also find what resembles it."""
    return [entry for entry in map(docket_entry, dockets) if same_docket(number, entry.facts.get("docket", ""))]


async def docket_facts(web: Web, address: str, token: str | None, reference: Reference) -> str | None:
    """Return in words what stands under the docket number that a reference names; None where that cannot be learned.

    A fact to look into and no more: an archive has not every docket, and a number may be that of several offices.
    """
    number = reference.fields.get("docket", "")
    court = court_id(reference.fields.get("court") or reference.fields.get("court_text") or "") or ""
    if not token or not court or not docket_numbers(number):
        return None
    try:
        entries = with_number((await ask_dockets(web, address, token, number, court))[1], number)
    except TroubleError:
        return None
    where = f"docket {number} of {court_label(court)}"
    if not entries:
        return f"RECAP has no {where}, which proves nothing"
    names = "; ".join(entry.case_names[0] for entry in entries[:3] if entry.case_names)
    if any(same_as_any(claimed_name(reference), entry.case_names) for entry in entries):
        return f"RECAP has {where} under that name"
    return f"RECAP has {where} as {names}"
