"""GovInfo's link service: from the numbers of a citation to the Government Publishing Office's document."""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit

from showable.records import Entry, Found, Reference
from showable.registries.answers import found, missed, not_held, odd, trouble
from showable.registries.settings import Settings
from showable.registries.web.asking import Pace, Reply, TroubleError, Web
from showable.registries.web.waiting import header
from showable.rubrics.metadata.statutes import end_of_range, plain_section

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MISSES = frozenset({200, 400, 404})
_HOSTS = frozenset({"www.govinfo.gov", "govinfo.gov"})
_NUMBER = re.compile(r"[0-9]{1,6}")
_SECTION = re.compile(r"[0-9A-Za-z][0-9A-Za-z.\-]{0,30}")
_PACKAGE = {
    "usc": r"USCODE-\d{4}-title{title}(?!\d)",
    "cfr": r"CFR-\d{4}-title{title}(?!\d)",
    "fed_reg": r"FR-\d{4}-\d{2}-\d{2}",
    "public_law": r"PLAW-{congress}publ{number}(?!\d)",
    "statutes_at_large": r"STATUTE-{volume}(?!\d)",
}
"""The document that a redirect must lead to, by kind. One that leads elsewhere is not taken for an answer."""


class GovInfo:
    """The link service of ``www.govinfo.gov/link``, without a key; 302 to the document, whose host and path are checked.

    Nothing is proved by a miss: new sections of the Code stay away until the next edition is printed, and long section
    numbers are refused (``section exceeds allowed max length``). See www.govinfo.gov/link-docs.
    """

    name = "govinfo"
    kinds = frozenset(_PACKAGE)
    proves: frozenset[str] = frozenset()
    pace = Pace(per_second=2)
    known = Reference(kind="public_law", text="Pub. L. No. 111-148", fields={"congress": "111", "number": "148"})

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web = web
        self._address = settings.address(self.name, "https://www.govinfo.gov")
        self._hosts = _HOSTS | {urlsplit(self._address).hostname or ""}

    def not_configured(self) -> str | None:
        """Nothing is needed: the key of the API is for metadata that is not asked for."""
        return None

    def key(self, reference: Reference) -> str | None:
        """Return the path of the link."""
        return _path(reference)

    async def find(self, reference: Reference) -> Found:
        """See whether the link leads to a document."""
        path = _path(reference)
        if path is None:
            return not_held(self.name, "the numbers that a link is made of are missing")
        if reference.fields.get("subpart") or end_of_range(reference) is not None:
            return not_held(self.name, "a link leads to a part or to one section, not to a subpart or a range")
        try:
            reply = await self._web.ask("GET", f"{self._address}/link/{path}", redirects_to=frozenset())
        except TroubleError as error:
            return trouble(self.name, error)
        if reply.status in _REDIRECTS:
            return self._led_to(reference, reply)
        if reply.status in _MISSES:
            return missed(self.name, self.proves, reference.kind, reply, _said(reply))
        return odd(self.name, reply)

    def _led_to(self, reference: Reference, reply: Reply) -> Found:
        target = header(reply.headers, "location")
        parts = urlsplit(target)
        fields = {name: re.escape(value) for name, value in reference.fields.items()}
        package = _PACKAGE[reference.kind]
        for name, value in fields.items():
            package = package.replace(f"{{{name}}}", value.lstrip("0"))
        document = re.search(package, parts.path)
        if (parts.hostname and parts.hostname not in self._hosts) or not document:
            return missed(
                self.name,
                self.proves,
                reference.kind,
                reply,
                f"the link leads to {target[:120]}, which is no such document",
            )
        dated = re.fullmatch(r"FR-(\d{4}-\d{2}-\d{2})", document[0])
        entry = Entry(
            title=reference.text or document[0],
            date=dated[1] if dated else None,
            years=(int(dated[1][:4]),) if dated else (),
            ids={"package": document[0]},
            url=target if parts.hostname else f"{self._address}{parts.path}",
        )
        return found(self.name, [entry], reply)


def _path(reference: Reference) -> str | None:
    """Make the path of a link; None where a part of it is missing or is no number."""
    fields = {name: value.strip() for name, value in reference.fields.items()}
    kind = reference.kind
    title, section = fields.get("title", ""), plain_section(fields.get("section", ""))
    if kind == "usc" and _NUMBER.fullmatch(title) and _SECTION.fullmatch(section) and not fields.get("appendix"):
        return f"uscode/{title}/{quote(section)}?type=usc&year={_year(fields)}"
    if kind == "cfr" and _NUMBER.fullmatch(title):
        part = fields.get("part", "") or section.partition(".")[0]
        if not re.fullmatch(r"[0-9]{1,5}[a-z]?", part):
            return None
        number = section.partition(".")[2] or ("" if "." in section else section)
        return f"cfr/{title}/{part}?{f'sectionnum={quote(number)}&' if number else ''}year={_year(fields)}&link-type=details"
    numbers = {"fed_reg": ("fr", "volume", "page"), "statutes_at_large": ("statute", "volume", "page")}
    if kind in numbers:
        where, *names = numbers[kind]
        values = [fields.get(name, "").replace(",", "") for name in names]
        return f"{where}/{'/'.join(values)}" if all(map(_NUMBER.fullmatch, values)) else None
    values = [fields.get(name, "") for name in ("congress", "number")]
    return (
        f"plaw/{values[0]}/public/{values[1]}" if kind == "public_law" and all(map(_NUMBER.fullmatch, values)) else None
    )


def _year(fields: dict[str, str]) -> str:
    year = fields.get("year", "")
    return year if re.fullmatch(r"(?:19|20)\d\d", year) else "mostrecent"


def _said(reply: Reply) -> str:
    text = " ".join(re.sub(r"<[^>]{0,300}>", " ", reply.text()[:5_000]).split())
    return (
        f"GovInfo's link service has no such document, which proves nothing: {text[:120] or f'status {reply.status}'}"
    )
