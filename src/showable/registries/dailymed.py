"""DailyMed: the labels of drugs sold in the United States, as submitted to the FDA."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from showable.records import Entry, Found, Notice, Reference
from showable.registries import openfda
from showable.registries.answers import found, ill_formed, missed, trouble
from showable.registries.settings import Settings
from showable.registries.shapes import rows_of, table_of, text_of, told
from showable.registries.web.asking import OddReplyError, Pace, Reply, TroubleError, Web

_SET_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_HOST = "dailymed.nlm.nih.gov"
_NOT_FOUND = 404
_MOST_LABELS = 10


class DailyMed:
    """The web services of DailyMed, version 2: ``dailymed.nlm.nih.gov/dailymed/services/v2/spls.json``; no key.

    Asked with the number of an application, or with the set id in a link to a label. Labels come and go while
    an application stays, so a miss proves nothing. A link that names an older version of a label than
    the current one is ``superseded_version``.
    """

    name = "dailymed"
    kinds = frozenset({"fda_application", "url"})
    proves: frozenset[str] = frozenset()
    pace = Pace(per_second=2)
    known = Reference(kind="fda_application", text="NDA 020702", fields={"type": "NDA", "number": "020702"})

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web = web
        self._address = settings.address(self.name, f"https://{_HOST}")

    def not_configured(self) -> str | None:
        """Nothing is needed."""
        return None

    def key(self, reference: Reference) -> str | None:
        """Return the application, or the set id and version that a link to DailyMed names; None for any other link."""
        if reference.kind == "url":
            label = _label(reference.fields.get("url", ""))
            return " ".join(label).strip() if label else None
        asked = openfda.application(reference)
        return "".join(asked) if asked else None

    async def find(self, reference: Reference) -> Found:
        """Look up the labels of an application, or the label that a link leads to."""
        key = self.key(reference)
        if key is None:
            return ill_formed(self.name, "neither the number of an application nor a link to a label")
        what, _, version = key.partition(" ")
        params = {"setid": what} if reference.kind == "url" else {"application_number": what}
        try:
            reply = await self._web.ask(
                "GET",
                f"{self._address}/dailymed/services/v2/spls.json",
                params={**params, "pagesize": str(_MOST_LABELS)},
            )
            if reply.status == _NOT_FOUND:
                return missed(self.name, self.proves, reference.kind, reply, f"DailyMed has no label of {what}")
            entries = [_entry(row, what, version) for row in _labels(reply)]
        except TroubleError as error:
            return trouble(self.name, error)
        if not entries:
            return missed(self.name, self.proves, reference.kind, reply, f"DailyMed has no label of {what}")
        return found(self.name, [_one(entries)] if reference.kind != "url" else entries[:1], reply)


def _label(url: str) -> tuple[str, str] | None:
    """Read the set id, and the version if it is given, out of a link to a label."""
    try:
        parts = urlsplit(url.strip())
        query = parse_qs(parts.query, max_num_fields=50)
    except ValueError:
        return None
    if parts.hostname != _HOST:
        return None
    set_id = query.get("setid", [""])[0].lower()
    version = query.get("version", [""])[0]
    return (set_id, version if version.isascii() and version.isdigit() else "") if _SET_ID.fullmatch(set_id) else None


def _labels(reply: Reply) -> list[dict[str, object]]:
    said = reply.json()
    if reply.status >= 300 or not isinstance(table_of(said).get("data"), list):  # noqa: PLR2004 - a success is 2xx
        raise OddReplyError(f"status {reply.status}: no list of labels")
    return rows_of(said["data"])


def _entry(row: dict[str, object], asked: str, version: str) -> Entry:
    title, current = text_of(row.get("title")), text_of(row.get("spl_version"))
    set_id = text_of(row.get("setid"))
    older = current is not None and version.isdigit() and current.isdigit() and int(version) < int(current)
    said = f"version {version} of the label; the current one is {current}"
    return Entry(
        title=title,
        ids=told(setid=set_id, fda_application=None if _SET_ID.fullmatch(asked) else asked),
        notices=(Notice(kind="superseded_version", reason=said),) if older else (),
        url=f"https://{_HOST}/dailymed/drugInfo.cfm?setid={set_id}" if set_id else None,
        facts=told(version=current, published=text_of(row.get("published_date"))),
    )


def _one(entries: list[Entry]) -> Entry:
    """Make one entry of the labels of an application: repackagers have a label each."""
    titles = [entry.title for entry in entries if entry.title]
    return entries[0].model_copy(
        update={"other_titles": tuple(titles[1:]), "facts": {**entries[0].facts, "labels": str(len(entries))}}
    )
