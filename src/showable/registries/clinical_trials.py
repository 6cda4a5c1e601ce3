"""ClinicalTrials.gov: the register of clinical studies of the National Library of Medicine."""

from __future__ import annotations

import re
from typing import Any

from showable.records import Entry, Found, Reference
from showable.registries.answers import found, ill_formed, missed, odd, trouble
from showable.registries.settings import Settings
from showable.registries.shapes import table_of, text_of, texts_of, told
from showable.registries.web.asking import OddReplyError, Pace, Reply, TroubleError, Web

_NCT = re.compile(r"NCT0*([1-9]\d{0,7})", re.IGNORECASE)
_FIELDS = ",".join(
    f"protocolSection.{module}" for module in ("identificationModule", "statusModule", "sponsorCollaboratorsModule")
)
_OK, _MALFORMED, _NOT_FOUND = 200, 400, 404
_LONGEST_SAYING = 200


class ClinicalTrials:
    """The API of ClinicalTrials.gov, version 2: ``clinicaltrials.gov/api/v2/studies/NCT…``, about 50 a minute, no key.

    Misses and malformed numbers are answered in plain text (404 and 400). A number that was merged into another
    is a 301 to it; the number it goes by now is then told as a fact. A study's own status, WITHDRAWN (stopped before anyone was enrolled)
    and TERMINATED among them, is a fact about the study: no publication is retracted by it, so it is no notice.
    """

    name = "clinical_trials"
    kinds = frozenset({"nct"})
    proves = frozenset({"nct"})
    pace = Pace(per_second=0.8)
    known = Reference(kind="nct", text="NCT04437511", fields={"nct": "NCT04437511"})

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web = web
        self._address = settings.address(self.name, "https://clinicaltrials.gov")

    def not_configured(self) -> str | None:
        """Nothing is needed."""
        return None

    def key(self, reference: Reference) -> str | None:
        """Return the number in upper case with its eight digits, or what is written instead."""
        return _number(reference) or reference.fields.get("nct", "").strip() or None

    async def find(self, reference: Reference) -> Found:
        """Look a study up by its number, under which it may be known no longer."""
        asked = _number(reference)
        if asked is None:
            return ill_formed(self.name, "the number of a study is NCT and eight digits")
        try:
            reply = await self._web.ask("GET", f"{self._address}/api/v2/studies/{asked}", params={"fields": _FIELDS})
            return self._read(asked, reference, reply)
        except TroubleError as error:
            return trouble(self.name, error)

    def _read(self, asked: str, reference: Reference, reply: Reply) -> Found:
        if reply.status == _NOT_FOUND:
            if _says(reply, asked) and "not found" in reply.text().casefold():
                return missed(self.name, self.proves, reference.kind, reply, f"no study is registered as {asked}")
            return odd(self.name, reply, "a 404 that does not say which study is missing")
        if reply.status == _MALFORMED and _says(reply, asked):
            return ill_formed(self.name, f"the register does not take {asked} for a number: {reply.text()}", reply)
        if reply.status != _OK:
            return odd(self.name, reply)
        return found(self.name, [_entry(asked, reply.json(), moved=bool(reply.hops))], reply)


def _says(reply: Reply, asked: str) -> bool:
    """Check whether it is the register that speaks: in a line of plain text, and of the number rather than of its own path.

    Whatever stands before it answers with a page, with JSON, or with the address that it was asked for.
    """
    said = reply.text().strip()
    plain = len(said) <= _LONGEST_SAYING and not re.search(r"[/\\<{\[\n]|%2f", said, re.IGNORECASE)
    return plain and re.search(rf"(?<!\w){asked}(?!\w)", said, re.IGNORECASE) is not None


def _number(reference: Reference) -> str | None:
    match = _NCT.fullmatch(reference.fields.get("nct", "").strip())
    return f"NCT{match[1]:0>8}" if match else None


def _entry(asked: str, study: Any, *, moved: bool) -> Entry:
    names = table_of(study, "protocolSection", "identificationModule")
    status = table_of(study, "protocolSection", "statusModule")
    number = text_of(names.get("nctId"))
    if number is None:
        raise OddReplyError("the answer names no study")
    aliases = texts_of(names.get("nctIdAliases") or [])
    if number != asked and asked not in aliases and not moved:
        raise OddReplyError(f"asked for {asked}, and answered with {number}")
    titles = [text for key in ("briefTitle", "officialTitle", "acronym") if (text := text_of(names.get(key)))]
    sponsor = table_of(study, "protocolSection", "sponsorCollaboratorsModule", "leadSponsor")
    return Entry(
        title=titles[0] if titles else None,
        other_titles=tuple(titles[1:]),
        publisher=text_of(sponsor.get("name")) or text_of(table_of(names, "organization").get("fullName")),
        ids={"nct": asked},
        url=f"https://clinicaltrials.gov/study/{number}",
        facts=told(
            status=text_of(status.get("overallStatus")),
            why_stopped=text_of(status.get("whyStopped")),
            started=text_of(table_of(status, "startDateStruct").get("date")),
            alias=f"{asked} is now {number}" if asked != number else None,
            aliases="; ".join(aliases),
            has_results=_yes_or_no(study.get("hasResults")),
        ),
    )


def _yes_or_no(value: object) -> str | None:
    return ("yes" if value else "no") if isinstance(value, bool) else None
