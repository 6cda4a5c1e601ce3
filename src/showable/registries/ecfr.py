"""The Electronic Code of Federal Regulations: whether a part or a section exists today, and when it was removed."""

from __future__ import annotations

import asyncio
import re
from typing import Any
from weakref import WeakKeyDictionary

from showable.records import Entry, Found, Notice, Reference
from showable.registries.answers import found, missed, not_held, odd, trouble
from showable.registries.settings import Settings
from showable.registries.shapes import rows_of, table_of, text_of, told
from showable.registries.web.asking import OddReplyError, Pace, Reply, TroubleError, Web
from showable.rubrics.metadata.statutes import end_of_range, in_other_case, plain_section

_OK, _MISSING = 200, 404
_TITLES = 50
SINCE = 2017
"""The first year of which the point-in-time system has the text."""


class Ecfr:
    """The versioner of ``www.ecfr.gov/api/versioner/v1``, without a key; limits are not published.

    A part or section is looked for among the ancestors at the date up to which its title is current. Where it is
    missing, its versions tell one that was removed since January 2017 (``withdrawn``, unless the edition cited is of a
    year before the removal) from one that never was. It is the authority for what the Code of Federal Regulations
    has today. See www.ecfr.gov/developers/documentation/api/v1.
    """

    name = "ecfr"
    kinds = frozenset({"cfr"})
    proves = frozenset({"cfr"})
    pace = Pace(per_second=2)
    known = Reference(kind="cfr", text="21 C.F.R. § 314.53", fields={"title": "21", "part": "314", "section": "314.53"})

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web = web
        self._address = settings.address(self.name, "https://www.ecfr.gov")
        self._titles: dict[str, dict[str, Any]] = {}
        self._loops: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()

    def not_configured(self) -> str | None:
        """Nothing is needed."""
        return None

    def key(self, reference: Reference) -> str | None:
        """Return title, part and section, and the year of the edition."""
        title, part, section = _place(reference)
        if not re.fullmatch(r"[0-9]{1,5}", title) or not re.fullmatch(r"[0-9]{1,5}[a-z]?", part):
            return None
        more = (reference.fields.get(name, "") for name in ("year", "subpart", "section_to"))
        return " ".join((title.lstrip("0"), part, section, *more)).rstrip()

    async def find(self, reference: Reference) -> Found:
        """Look a part, a subpart or a section up, or both ends of a range."""
        if self.key(reference) is None:
            return not_held(self.name, "a title and a part of the Code of Federal Regulations are needed")
        try:
            answer = await self._found(reference)
            end = end_of_range(reference)
            last = await self._found(end) if end is not None and answer.status == "found" else answer
        except TroubleError as error:
            return trouble(self.name, error)
        return answer if last.status == "found" else last

    async def _found(self, reference: Reference) -> Found:
        title, part, section = _place(reference)
        place = f"{title} C.F.R. {f'§ {section}' if section else f'part {part}'}"
        row = await self._title(title)
        if row is None:
            return missed(self.name, self.proves, "cfr", None, f"the Code of Federal Regulations has no title {title}")
        date = text_of(row.get("up_to_date_as_of"))
        if date is None and row.get("reserved") is True:  # title 35 is; parts of it stood once
            return not_held(self.name, f"title {title} is reserved today; what it was before is not held here")
        if date is None:
            raise OddReplyError(f"title {title} has no date up to which it is current")
        address = f"{self._address}/api/versioner/v1/ancestry/{date}/title-{title.lstrip('0')}.json"
        if subpart := reference.fields.get("subpart", "").strip():
            reply = await self._web.ask("GET", address, params={"part": part, "subpart": subpart})
            return self._of_subpart(reply, f"{place}, subpart {subpart}", subpart, date)
        for writing in (section, *in_other_case(section)):
            where = {"part": part} | ({"section": writing} if writing else {})
            reply = await self._web.ask("GET", address, params=where)
            if reply.status == _OK:
                facts = told(current_to=date, subsection=_unasked(reference))
                return found(self.name, [_entry(reply, place, writing or part, facts)], reply)
            if reply.status != _MISSING:
                return odd(self.name, reply)
        return await self._gone(reference, place, {"part": part} | ({"section": section} if section else {}))

    def _of_subpart(self, reply: Reply, place: str, subpart: str, date: str) -> Found:
        """Take a subpart to be there only where the answer names it; that one is missing is not told apart from its not being known."""
        if reply.status not in {_OK, _MISSING}:
            return odd(self.name, reply)
        ancestors = rows_of(table_of(reply.json()).get("ancestors")) if reply.status == _OK else []
        if any(row.get("type") == "subpart" and text_of(row.get("identifier")) == subpart for row in ancestors):
            return found(self.name, [_entry(reply, place, subpart, told(current_to=date))], reply)
        return not_held(self.name, f"the answer does not name {place}; whether it is there cannot be told", reply)

    async def _gone(self, reference: Reference, place: str, where: dict[str, str]) -> Found:
        """Return what was removed from what never was, by its versions."""
        title = _place(reference)[0].lstrip("0")
        reply = await self._web.ask(
            "GET", f"{self._address}/api/versioner/v1/versions/title-{title}.json", params=where
        )
        listed = table_of(reply.json()).get("content_versions") if reply.status == _OK else None
        versions = rows_of(listed)
        if not isinstance(listed, list) or len(versions) < len(listed):
            return odd(self.name, reply)  # a 404 is whoever's; that there never was one is said by an empty list
        year = reference.fields.get("year", "")
        if versions:
            return found(self.name, [_removed(versions, place, year, reply.url)], reply)
        if year.isdecimal() and int(year) < SINCE:
            return not_held(self.name, f"{place} is not there now; editions before {SINCE} are not held here", reply)
        return missed(
            self.name, self.proves, "cfr", reply, f"there is no {place}, and has been none since January {SINCE}"
        )

    async def _title(self, title: str) -> dict[str, Any] | None:
        """Return what is said of a title, its date among it (a later one is refused). None where there can be no such title.

        The Code has had 50 titles since it began, so that a list without one of them is not the whole list.
        """
        async with self._loops.setdefault(asyncio.get_running_loop(), asyncio.Lock()):
            if not self._titles:
                self._titles = await self._listed()
        number = title.lstrip("0")
        if number not in self._titles and 1 <= int(title) <= _TITLES:
            raise OddReplyError(f"a list of titles without title {number}")
        return self._titles.get(number)

    async def _listed(self) -> dict[str, dict[str, Any]]:
        """Return the titles by number. Lookups of many sections at once wait for one list, rather than each ask for its own."""
        reply = await self._web.ask("GET", f"{self._address}/api/versioner/v1/titles.json")
        rows = rows_of(table_of(reply.json()).get("titles")) if reply.status == _OK else []
        numbered = {number: row for row in rows if (number := text_of(row.get("number")))}
        if not numbered or len(numbered) < len(rows):
            raise OddReplyError(f"status {reply.status}, and no list of titles")
        return numbered


def _place(reference: Reference) -> tuple[str, str, str]:
    fields = reference.fields
    section = plain_section(fields.get("section", ""))
    if section and "." not in section and fields.get("part"):
        section = f"{fields['part'].strip()}.{section}"
    part = fields.get("part", "").strip().casefold() or section.partition(".")[0]
    return fields.get("title", "").strip(), part, section


def _unasked(reference: Reference) -> str | None:
    subsection = reference.fields.get("subsection")
    return f"only the section was looked up, not {subsection}" if subsection else None


def _entry(reply: Reply, place: str, identifier: str, facts: dict[str, str]) -> Entry:
    ancestors = rows_of(table_of(reply.json()).get("ancestors"))
    if not ancestors:
        raise OddReplyError("status 200, and no list of ancestors")
    own = next(
        (row for row in ancestors if plain_section(text_of(row.get("identifier")) or "") == identifier), ancestors[-1]
    )
    label = text_of(own.get("label")) or place
    reserved = (
        Notice(kind="withdrawn", reason=f"{place} is reserved: nothing stands there") if own.get("reserved") else None
    )
    return Entry(
        title=label,
        ids={"cfr": place},
        notices=(reserved,) if reserved else (),
        url=reply.url,
        facts=told(title=text_of(ancestors[0].get("label"))) | facts,
    )


def _removed(versions: list[dict[str, Any]], place: str, year: str, url: str) -> Entry:
    """Return what the versions say: the last of them removed it, or it is under another part today."""
    last = max(versions, key=lambda row: text_of(row.get("date")) or "")
    date, name = text_of(last.get("date")), text_of(last.get("name"))
    stood = year.isdecimal() and date is not None and int(year) < int(date[:4])
    reason = (
        f"{place} was removed"
        if last.get("removed")
        else f"{place} does not stand at the date up to which the title is current"
    )
    notice = Notice(kind="withdrawn", reason=reason, date=date)
    return Entry(
        title=name or place,
        ids={"cfr": place},
        notices=() if stood else (notice,),
        url=url,
        facts=told(
            removed=date if last.get("removed") else None, edition=f"{year}, before it was removed" if stood else None
        ),
    )
