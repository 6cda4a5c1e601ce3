"""Find Case Law, the National Archives' judgments of the courts of England and Wales and of the United Kingdom."""

from __future__ import annotations

import re
from io import BytesIO
from xml.etree.ElementTree import Element

from showable.records import Entry, Found, Reference
from showable.registries.answers import found, missed, not_held, odd, trouble
from showable.registries.settings import Settings
from showable.registries.shapes import told, years_in
from showable.registries.web.asking import OddReplyError, Pace, Reply, TroubleError, Web

_OK, _MISSING = 200, frozenset({404, 410})
_LARGEST = 20_000_000
_AKN = "{http://docs.oasis-open.org/legaldocml/ns/akn/3.0}"
_UK = "{https://caselaw.nationalarchives.gov.uk/akn}"
_ATOM = "{http://www.w3.org/2005/Atom}"
_TNA = "{https://caselaw.nationalarchives.gov.uk}"
_COURTS = frozenset({"uksc", "ukpc", "ewca", "ewhc", "ewfc", "ewcop", "ukut", "ukftt", "eat"})
_DIVISIONS = {
    "administrative": "admin",
    "chancery": "ch",
    "patents": "pat",
    "commercial": "comm",
    "family": "fam",
    "costs": "costs",
}


class FindCaseLaw:
    """Judgments as XML at ``caselaw.nationalarchives.gov.uk``, without a key; 1,000 requests in five minutes.

    The address is made of the neutral citation: ``/ewhc/admin/2025/1040/data.xml``. Newer judgments have addresses
    that cannot be made so, and are looked for in the feed by their citation. A miss proves nothing: coverage before
    2003 is thin, and many judgments are elsewhere alone. See nationalarchives.github.io/ds-find-caselaw-docs/public.
    """

    name = "find_case_law"
    kinds = frozenset({"neutral_uk"})
    proves: frozenset[str] = frozenset()
    pace = Pace(per_second=3, at_once=2)
    known = Reference(
        kind="neutral_uk",
        text="[2025] EWHC 1040 (Admin)",
        fields={"year": "2025", "court": "EWHC", "number": "1040", "division": "Admin"},
    )

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web = web
        self._address = settings.address(self.name, "https://caselaw.nationalarchives.gov.uk")

    def not_configured(self) -> str | None:
        """Nothing is needed."""
        return None

    def key(self, reference: Reference) -> str | None:
        """Return the path that the neutral citation makes."""
        return _path(reference)

    async def find(self, reference: Reference) -> Found:
        """Look a judgment up by its neutral citation."""
        path = _path(reference)
        if path is None:
            return not_held(self.name, "a year, a court that the archive has, and a number are needed")
        try:
            reply = await self._web.ask("GET", f"{self._address}/{path}/data.xml", largest=_LARGEST)
            if reply.status == _OK:
                return found(self.name, [_judgment(reply)], reply)
            if reply.status not in _MISSING:
                return odd(self.name, reply)
            return await self._in_feed(reference)
        except TroubleError as error:
            return trouble(self.name, error)

    async def _in_feed(self, reference: Reference) -> Found:
        """Look in the feed of judgments, where those with other addresses carry their citations."""
        cited = _cited(reference)
        reply = await self._web.ask(
            "GET", f"{self._address}/atom.xml", params={"query": f'"{cited}"'}, largest=_LARGEST
        )
        if reply.status not in {_OK, *_MISSING}:
            return odd(self.name, reply)
        for entry in _parsed(reply).iter(f"{_ATOM}entry") if reply.status == _OK else ():
            own = [
                one.get("value") or one.text or ""
                for one in entry.iter(f"{_TNA}identifier")
                if one.get("type") == "ukncn"
            ]
            if any(_plain(cited) == _plain(one) for one in own):
                return found(self.name, [_listed(entry, own)], reply)
        why = f"Find Case Law has no {cited}; many real judgments are not in it"
        return missed(self.name, self.proves, "neutral_uk", reply, why)


def _path(reference: Reference) -> str | None:
    fields = {name: value.strip().casefold() for name, value in reference.fields.items()}
    words = re.findall(r"[a-z]+", f"{fields.get('court', '')} {fields.get('division', '')}")
    year, number = fields.get("year", ""), fields.get("number", "")
    if (
        not words
        or words[0] not in _COURTS
        or not re.fullmatch(r"[0-9]{4}", year)
        or not re.fullmatch(r"[0-9]{1,6}", number)
    ):
        return None
    parts = [words[0], *(_DIVISIONS.get(word, word) for word in words[1:2])]
    return "/".join((*parts, year, number))


def _cited(reference: Reference) -> str:
    fields = reference.fields
    court, division = fields.get("court", "").strip(), fields.get("division", "").strip()
    if court.upper() == "EWCA":
        return f"[{fields['year']}] EWCA {division} {fields['number']}"
    return f"[{fields['year']}] {court} {fields['number']}" + (f" ({division})" if division else "")


def _parsed(reply: Reply) -> Element:
    """Read XML. Raises OddReplyError where it is none, or declares entities of its own."""
    from xml.etree import ElementTree as ET  # noqa: PLC0415 - only where something came back
    from xml.parsers.expat import ExpatError, ParserCreate  # noqa: PLC0415

    def refuse(*_: object) -> None:
        raise OddReplyError("XML with declarations of its own, which is not read")

    looking = ParserCreate()  # the same parser, so that no encoding hides from it what the other would find
    looking.StartDoctypeDeclHandler = refuse
    try:
        looking.ParseFile(BytesIO(reply.body))
        return ET.fromstring(reply.body)  # noqa: S314 - no declarations, so no entities to expand
    except (ExpatError, ET.ParseError, ValueError, LookupError):
        raise OddReplyError(f"status {reply.status}, and the body is no XML") from None


def _judgment(reply: Reply) -> Entry:
    root = _parsed(reply)
    work = next(root.iter(f"{_AKN}FRBRWork"), None)
    if work is None:
        raise OddReplyError("status 200, and no judgment in the XML")
    name, date = work.find(f"{_AKN}FRBRname"), work.find(f"{_AKN}FRBRdate")
    decided = date.get("date") if date is not None else None
    cites = [one.text.strip() for one in root.iter(f"{_UK}cite") if one.text]
    court = next((one.text.strip() for one in root.iter(f"{_UK}court") if one.text), None)
    return Entry(
        case_names=tuple(told(name=name.get("value") if name is not None else None).values()),
        court=court,
        date=decided,
        years=years_in(decided),
        citations=tuple(dict.fromkeys(cites)),
        url=reply.url.removesuffix("/data.xml"),
    )


def _listed(entry: Element, cites: list[str]) -> Entry:
    title, published = entry.find(f"{_ATOM}title"), entry.find(f"{_ATOM}published")
    link = next((one.get("href") for one in entry.iter(f"{_ATOM}link") if one.get("rel") in {None, "alternate"}), None)
    decided = (published.text or "")[:10] if published is not None else None
    return Entry(
        case_names=tuple(told(name=title.text if title is not None else None).values()),
        date=decided,
        years=years_in(decided),
        citations=tuple(cites),
        url=link,
    )


def _plain(cite: str) -> str:
    return re.sub(r"[^a-z0-9]", "", cite.casefold())
