"""The United States Code, as the Office of the Law Revision Counsel of the House keeps it."""

from __future__ import annotations

import html
import re
from itertools import islice

from showable.records import Entry, Found, Reference
from showable.registries.answers import found, missed, not_held, odd, trouble
from showable.registries.settings import Settings
from showable.registries.shapes import told
from showable.registries.web.asking import Pace, Reply, TroubleError, Web
from showable.rubrics.metadata.statutes import (
    end_of_range,
    in_other_case,
    notice_of_heading,
    plain_section,
    section_of_heading,
)

_OK = 200
_LAST_TITLE = 54
_LARGEST = 10_000_000
_READ = 400_000
_HEADING = re.compile(r"<h[1-6](?:\s[^<>]{0,200})?>", re.IGNORECASE)
_LONGEST_HEADING = 3_000
_MOST_HEADINGS = 500
_TAG = re.compile(r"<[^>]{0,500}>")
_OWN_PAGE = re.compile(r"law revision counsel|united states code", re.IGNORECASE)
"""What stands on every page of the site, and on no sign-in page of a network that is in the way."""
_NOT_THERE = re.compile(
    r"\b(?:sorry|not found|no documents? (?:was |were )?found|does not exist|could not be found)\b", re.IGNORECASE
)


class UsCode:
    """Pages of ``uscode.house.gov/view.xhtml``, one section each, without a key; nothing is said of limits.

    A section that does not exist is answered with status 200 and a page that says so, which is why a section is taken
    to exist only where its own heading is on the page, and to be missing only where the page says it and has no
    heading. It is the authority for what the Code has today. A repealed, omitted or transferred section keeps its
    number with a heading that says so. An older edition that a reference names is not held here. Of a range the first
    and the last section are asked for; a number that is missing as it is written is asked for in letters of another case.
    """

    name = "us_code"
    kinds = frozenset({"usc"})
    proves = frozenset({"usc"})
    pace = Pace(per_second=1)
    known = Reference(kind="usc", text="28 U.S.C. § 1331", fields={"title": "28", "section": "1331"})

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web = web
        self._address = settings.address(self.name, "https://uscode.house.gov")

    def not_configured(self) -> str | None:
        """Nothing is needed."""
        return None

    def key(self, reference: Reference) -> str | None:
        """Return title and section, with whether an edition is named."""
        title, section = _place(reference)
        if not re.fullmatch(r"[0-9]{1,4}", title) or not re.fullmatch(r"[0-9A-Za-z][0-9A-Za-z.\-]{0,30}", section):
            return None
        more = " ".join(reference.fields.get(name, "") for name in ("year", "appendix", "section_to", "range_from"))
        return f"{int(title)} {section} {more}".rstrip()

    async def find(self, reference: Reference) -> Found:
        """Look a section up, or both ends of a range."""
        if self.key(reference) is None:
            return not_held(self.name, "a title and a section of the U.S. Code are needed")
        if reference.fields.get("appendix"):
            return not_held(self.name, "appendices of titles are not looked up")
        title, section = _place(reference)
        if not 1 <= int(title) <= _LAST_TITLE:
            return missed(self.name, self.proves, "usc", None, f"the U.S. Code has titles 1 to {_LAST_TITLE}")
        answer = await self._standing(reference, section)
        end = end_of_range(reference)
        if answer.status != "found" or end is None or self.key(end) is None:
            return answer
        last = await self._standing(end, _place(end)[1])
        return answer if last.status == "found" else last

    async def _standing(self, reference: Reference, section: str) -> Found:
        answer = await self._asked(reference, section)
        for other in in_other_case(section) if answer.status in {"not_found", "not_covered"} else ():
            again = await self._asked(reference, other)
            if again.status != answer.status:
                return again
        return answer

    async def _asked(self, reference: Reference, section: str) -> Found:
        title = _place(reference)[0]
        place = f"{int(title)} U.S.C. § {section}"
        params = {"req": f"granuleid:USC-prelim-title{int(title)}-section{section}", "num": "0", "edition": "prelim"}
        try:
            reply = await self._web.ask("GET", f"{self._address}/view.xhtml", params=params, largest=_LARGEST)
        except TroubleError as error:
            return trouble(self.name, error)
        return self._read(reference, reply, place, section)

    def _read(self, reference: Reference, reply: Reply, place: str, section: str) -> Found:
        page = reply.text()[:_READ]
        name = _heading(page, section)
        if reply.status == _OK and name is not None:
            return found(self.name, [_entry(reference, place, name, reply.url)], reply)
        if reply.status == _OK and _OWN_PAGE.search(page) and _NOT_THERE.search(_TAG.sub(" ", page)):
            if reference.fields.get("year"):
                return not_held(self.name, f"today's Code has no {place}; the edition cited is not held here", reply)
            if start := reference.fields.get("range_from"):
                return not_held(
                    self.name, f"the Code has no {place}, which may be a range that begins at § {start}", reply
                )
            return missed(self.name, self.proves, "usc", reply, f"the Code has no {place}")
        return odd(self.name, reply, "no heading of the section, and no word that it is missing")


def _place(reference: Reference) -> tuple[str, str]:
    return reference.fields.get("title", "").strip(), plain_section(reference.fields.get("section", ""))


def _heading(page: str, section: str) -> str | None:
    for heading in islice(_HEADING.finditer(page), _MOST_HEADINGS):
        end = page.find("</h", heading.end(), heading.end() + _LONGEST_HEADING)
        read = section_of_heading(html.unescape(_TAG.sub("", page[heading.end() : end]))) if end > 0 else None
        if read is not None and read[0].casefold() == section.casefold():
            return read[1]
    return None


def _entry(reference: Reference, place: str, name: str, url: str) -> Entry:
    notice = notice_of_heading(name)
    subsection = reference.fields.get("subsection")
    checked = f"only the section was looked up, not {subsection}" if subsection else None
    return Entry(
        title=name or place,
        ids={"usc": place},
        notices=(notice,) if notice else (),
        url=url,
        facts=told(section=place, subsection=checked),
    )
