"""The Caselaw Access Project: which case stands on which pages of a volume, from Harvard's scans of the reporters."""

from __future__ import annotations

import asyncio
from typing import Any
from weakref import WeakKeyDictionary

from showable.records import Entry, Found, Reference
from showable.registries.answers import found, missed, not_held, several, trouble
from showable.registries.case_volume import CROWDED, Slot, Volume, entry_of, read_volume
from showable.registries.settings import Settings
from showable.registries.shapes import rows_of, text_of
from showable.registries.web.asking import OddReplyError, Pace, Reply, TroubleError, Web
from showable.rubrics.metadata.case_names import same_as_any
from showable.rubrics.metadata.cases import claimed_cite, claimed_name
from showable.rubrics.metadata.reporter_cites import ReporterCite, page_number, plain_reporter

_OK = 200
_ABSENT = frozenset({403, 404})
_LARGEST = 40_000_000
_MOST_VOLUMES = 64
_Shelf = dict[str, "asyncio.Future[tuple[Reply, Volume | None]]"]


class CaselawAccess:
    """Static files of ``static.case.law``, without a key: ``/{reporter}/{volume}/CasesMetadata.json``.

    Coverage ends at a volume of each reporter (U.S. at 572, F.3d at 935): a volume that is missing says nothing, but
    within one that is there it is the authority. A page beyond the last one, or that no case stands on, is a miss. A
    page within a case is answered with that case, whose cites are not the one asked about, and `near` names where in
    the volume a case of the claimed name does stand. A page of a table of orders is ``ambiguous`` where the name is
    not listed. A volume is asked for once and kept. See static.case.law/docs.
    """

    name = "caselaw_access"
    kinds = frozenset({"case"})
    proves = frozenset({"case"})
    pace = Pace(per_second=5, at_once=2)
    known = Reference(
        kind="case",
        text="925 F.3d 1291",
        fields={"case_name": "J.D. v. Azar", "volume": "925", "reporter": "F.3d", "page": "1291", "year": "2019"},
    )

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web = web
        self._address = settings.address(self.name, "https://static.case.law")
        self._loops: WeakKeyDictionary[asyncio.AbstractEventLoop, _Shelf] = WeakKeyDictionary()
        self._slugs: dict[str, tuple[str, ...]] | None = None

    def not_configured(self) -> str | None:
        """Nothing is needed."""
        return None

    def key(self, reference: Reference) -> str | None:
        """Return the cite with the name, which decides what is named as near."""
        cite = claimed_cite(reference)
        if cite is None or not cite.volume.isdecimal() or page_number(cite.page) is None:
            return None
        return " ".join((*cite.key, claimed_name(reference).casefold()))

    async def find(self, reference: Reference) -> Found:
        """Return what stands at a page."""
        cite = claimed_cite(reference)
        if cite is None or self.key(reference) is None:
            return not_held(self.name, "a numbered volume, a reporter and a page are needed")
        try:
            slugs = await self._slugs_of(cite.reporter)
            if len(slugs) != 1:
                why = "is the name of several reporters" if slugs else "is no reporter"
                return not_held(self.name, f"{cite.reporter} {why} of the Caselaw Access Project")
            reply, volume = await self._volume(slugs[0], cite.volume)
        except TroubleError as error:
            return trouble(self.name, error)
        if volume is None:
            said = f"volume {cite.volume} of {cite.reporter} is not among those scanned"
            return missed(self.name, frozenset(), "case", reply, said)
        return self._standing(reference, cite, volume, reply)

    def _standing(self, reference: Reference, cite: ReporterCite, volume: Volume, reply: Reply) -> Found:
        series, page = page_number(cite.page) or ("", 0)
        name = claimed_name(reference)
        standing = volume.beginning_at(series, page)
        if len(standing) >= CROWDED or (not standing and volume.is_crowded_near(series, page)):
            return self._in_a_table(cite, standing, reply, name)
        standing = standing or volume.around(series, page)
        elsewhere = [slot for slot in (volume.named(name) if name else []) if slot not in standing]
        near = self._entries(elsewhere, cite, reply)
        if standing:
            by_name = [slot for slot in standing if self._is_named(slot, name)]
            answer = found(self.name, self._entries(by_name or standing, cite, reply), reply)
            return answer.model_copy(update={"near": tuple(near)}) if near and not by_name else answer
        if not volume.whole or volume.last_page(series) is None:
            return not_held(self.name, _why_unsure(cite, volume), reply)
        return missed(self.name, self.proves, "case", reply, _why_missing(cite, series, page, volume), near=near)

    def _in_a_table(self, cite: ReporterCite, standing: list[Slot], reply: Reply, name: str) -> Found:
        by_name = [slot for slot in standing if self._is_named(slot, name)]
        if by_name:
            return found(self.name, self._entries(by_name, cite, reply), reply)
        why = f"{cite} is a page of a table of orders, of which not every one need be listed"
        return several(self.name, (), reply, why)

    @staticmethod
    def _is_named(slot: Slot, name: str) -> bool:
        return bool(name) and same_as_any(name, _names(slot)) is True

    def _entries(self, slots: list[Slot], cite: ReporterCite, reply: Reply) -> list[Entry]:
        return [entry_of(slot, cite.reporter, cite.volume, _case_url(reply, slot)) for slot in slots]

    async def _slugs_of(self, reporter: str) -> tuple[str, ...]:
        plain = plain_reporter(reporter)
        if plain in SLUGS:
            return (SLUGS[plain],)
        if self._slugs is None:
            reply = await self._web.ask("GET", f"{self._address}/ReportersMetadata.json", largest=_LARGEST)
            if reply.status != _OK:
                raise OddReplyError(f"status {reply.status}, and no list of reporters")
            self._slugs = slugs_in(reply.json())
        return self._slugs.get(plain, ())

    async def _volume(self, slug: str, number: str) -> tuple[Reply, Volume | None]:
        """Return a volume, asked for once however many lookups want it at the same time."""
        shelf = self._loops.setdefault(asyncio.get_running_loop(), {})
        place = f"{slug}/{number.lstrip('0') or '0'}"
        if place not in shelf:
            while len(shelf) >= _MOST_VOLUMES:
                shelf.pop(next(iter(shelf)))
            shelf[place] = asyncio.ensure_future(self._read(place))
        try:
            return await asyncio.shield(shelf[place])
        except Exception:  # whatever it was, the next one asks anew
            shelf.pop(place, None)
            raise

    async def _read(self, place: str) -> tuple[Reply, Volume | None]:
        reply = await self._web.ask("GET", f"{self._address}/{place}/CasesMetadata.json", largest=_LARGEST)
        if reply.status in _ABSENT:
            return reply, None
        said: Any = reply.json() if reply.status == _OK else None
        if not isinstance(said, list):
            raise OddReplyError(f"status {reply.status}, and no list of cases")
        volume = read_volume(said)
        if not volume.slots:
            raise OddReplyError(f"status {reply.status}, and a list without cases")
        return Reply(reply.status, reply.url, b"", reply.headers), volume


def _why_missing(cite: ReporterCite, series: str, page: int, volume: Volume) -> str:
    last = volume.last_page(series)
    if last is not None and page > last:
        return f"volume {cite.volume} of {cite.reporter} ends at page {last}"
    return f"no case stands on page {cite.page} of volume {cite.volume} of {cite.reporter}"


def _why_unsure(cite: ReporterCite, volume: Volume) -> str:
    if not volume.whole:
        return f"not every page of volume {cite.volume} of {cite.reporter} could be read"
    return f"volume {cite.volume} of {cite.reporter} has no pages numbered like {cite.page}"


def _names(slot: Slot) -> tuple[str, ...]:
    return tuple(str(slot.row[name]) for name in ("name_abbreviation", "name") if slot.row.get(name))


def _case_url(reply: Reply, slot: Slot) -> str:
    folder = reply.url.rpartition("/")[0]
    file = slot.row.get("file_name")
    return f"{folder}/cases/{file}.json" if isinstance(file, str) and file.replace("-", "").isalnum() else reply.url


# The Caselaw Access Project's names of reporters in its addresses: `F. Supp. 2d` is `f-supp-2d`.


SLUGS = {
    "us": "us",
    "f2d": "f2d",
    "f3d": "f3d",
    "fsupp": "f-supp",
    "fsupp2d": "f-supp-2d",
    "fsupp3d": "f-supp-3d",
}
"""Slugs of the reporters most cited, by reporter without stops, spaces and case; the list of all 401 gives the others."""


def slugs_in(metadata: Any) -> dict[str, tuple[str, ...]]:
    """Read the list of reporters. A short name that several reporters bear has several slugs."""
    slugs: dict[str, tuple[str, ...]] = {}
    for row in rows_of(metadata):
        name, slug = text_of(row.get("short_name")), text_of(row.get("slug"))
        if name and slug and _is_safe(slug):
            key = plain_reporter(name)
            slugs[key] = tuple(dict.fromkeys((*slugs.get(key, ()), slug)))
    return slugs


def _is_safe(slug: str) -> bool:
    return slug.replace("-", "").replace("_", "").isalnum() and slug.isascii()
