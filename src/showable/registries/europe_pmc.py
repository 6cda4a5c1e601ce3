"""Europe PMC: PubMed, PMC and preprints under one search."""

from __future__ import annotations

from typing import Any

from showable.records import Entry, Found, Notice, Person, Reference
from showable.registries.answers import found, ill_formed, missed, trouble
from showable.registries.scholarly import (
    gone_by_title,
    initials_last,
    plain_doi,
    search_key,
    search_words,
    worst_first,
)
from showable.registries.settings import Settings
from showable.registries.shapes import rows_of, table_of, text_of, texts_of, told, years_in
from showable.registries.web.asking import OddReplyError, Pace, Reply, TroubleError, Web

_OK = 200
_ROWS = 5
_SINCE = {
    "retraction in": "retracted",
    "partial retraction in": "concern",
    "expression of concern in": "concern",
    "erratum in": "corrected",
    "corrected and republished in": "corrected",
    "update in": "superseded_version",
}


class EuropePmc:
    """The search of Europe PMC, ``www.ebi.ac.uk/europepmc/webservices/rest``; no published limit, five a second here.

    It proves nothing by absence. Its errors come with status 200 (`errCode`). See europepmc.org/RestfulWebService.
    """

    name = "europe_pmc"
    kinds = frozenset({"pmid", "pmcid", "doi", "bibliographic"})
    proves: frozenset[str] = frozenset()
    pace = Pace(per_second=5)
    known = Reference(kind="pmid", text="PMID: 23193287", fields={"pmid": "23193287", "doi": "10.1093/nar/gks1195"})

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web, self._mailto = web, settings.mailto
        self._address = settings.address(self.name, "https://www.ebi.ac.uk/europepmc/webservices/rest")

    def not_configured(self) -> str | None:
        """Nothing is needed."""
        return None

    def key(self, reference: Reference) -> str | None:
        """Return the query."""
        return _query(reference)

    async def find(self, reference: Reference) -> Found:
        """Look an article up by one of its ids, or search for a title."""
        query = _query(reference)
        if query is None:
            return ill_formed(self.name, f"no {reference.kind} to ask for")
        params = {"query": query, "format": "json", "resultType": "core", "pageSize": str(_ROWS)}
        if self._mailto:
            params["email"] = self._mailto
        try:
            reply = await self._web.ask("GET", f"{self._address}/search", params=params)
            entries = [_entry(row) for row in _results(reply)]
        except TroubleError as error:
            return trouble(self.name, error)
        if reference.kind != "bibliographic":
            wanted = reference.fields.get(reference.kind, "").strip().lower().removeprefix("pmc")
            entries = [entry for entry in entries if _id_of(entry, reference.kind) == wanted][:1]
        if not entries:
            return missed(self.name, self.proves, reference.kind, reply, f"Europe PMC has nothing for {query}")
        return found(self.name, entries[:_ROWS], reply)


def _query(reference: Reference) -> str | None:
    fields = reference.fields
    if reference.kind == "bibliographic":
        title = search_words(fields, "title")
        return f'TITLE:"{title}"' if title and search_key(fields) else None
    if reference.kind == "doi":
        doi = plain_doi(fields.get("doi"))
        return f'DOI:"{doi}"' if doi and '"' not in doi else None
    digits = fields.get(reference.kind, "").strip().upper().removeprefix("PMC")
    if not (digits.isascii() and digits.isdecimal()):
        return None
    return f"EXT_ID:{digits} AND SRC:MED" if reference.kind == "pmid" else f"PMCID:PMC{digits}"


def _id_of(entry: Entry, kind: str) -> str:
    return entry.ids.get(kind, "").lower().removeprefix("pmc")


def _results(reply: Reply) -> list[dict[str, Any]]:
    said = table_of(reply.json())
    code = text_of(said.get("errCode"))
    if code is not None:
        raise OddReplyError(f"status {reply.status}, error {code}: {text_of(said.get('errMsg')) or 'no message'}")
    rows = table_of(said, "resultList").get("result")
    if reply.status != _OK or not isinstance(rows, list):
        raise OddReplyError(f"status {reply.status}, and no list of results")
    return rows_of(rows)


def _entry(row: dict[str, Any]) -> Entry:
    title = (text_of(row.get("title")) or "").removesuffix(".")
    journal = table_of(row, "journalInfo")
    first, last = _pages(text_of(row.get("pageInfo")))
    names = texts_of(
        [
            row.get("journalTitle"),
            *(table_of(journal, "journal").get(key) for key in ("title", "medlineAbbreviation", "isoabbreviation")),
        ]
    )
    server = text_of(table_of(row, "bookOrReportDetails").get("publisher")) if row.get("source") == "PPR" else None
    return Entry(
        title=title or None,
        authors=tuple(_people(row)),
        years=tuple(_years(row, journal)),
        date=text_of(row.get("firstPublicationDate")),
        containers=(*names, *([server] if server else [])),
        volume=text_of(journal.get("volume")) or text_of(row.get("journalVolume")),
        issue=text_of(journal.get("issue")) or text_of(row.get("issue")),
        first_page=first,
        last_page=last,
        ids=_ids(row),
        notices=worst_first((*_notices(row), *gone_by_title(title))),
        url=f"https://europepmc.org/article/{text_of(row.get('source')) or 'MED'}/{text_of(row.get('id')) or ''}",
        facts=told(
            type="preprint" if row.get("source") == "PPR" else None,
            pubtype="; ".join(texts_of(table_of(row, "pubTypeList").get("pubType"))),
            issn="; ".join(texts_of([table_of(journal, "journal").get(key) for key in ("issn", "essn")])),
        ),
    )


def _people(row: dict[str, Any]) -> list[Person]:
    people = []
    for author in rows_of(table_of(row, "authorList").get("author")):
        family, given = (
            text_of(author.get("lastName")),
            text_of(author.get("firstName")) or text_of(author.get("initials")),
        )
        name = family or text_of(author.get("collectiveName")) or text_of(author.get("fullName"))
        if name:
            people.append(Person(family=name, given=(given or "") if family else ""))
    named = (text_of(row.get("authorString")) or "").removesuffix(".")
    return people or [initials_last(name.strip()) for name in named.split(",") if name.strip()]


def _years(row: dict[str, Any], journal: dict[str, Any]) -> list[int]:
    dates = [text_of(row.get(key)) for key in ("pubYear", "firstPublicationDate", "electronicPublicationDate")]
    dates += [text_of(journal.get(key)) for key in ("yearOfPublication", "printPublicationDate")]
    return list(dict.fromkeys(year for text in dates for year in years_in(text)[:1]))


def _pages(pages: str | None) -> tuple[str | None, str | None]:
    first, _, last = (pages or "").partition("-")
    return first.strip() or None, last.strip() or None


def _ids(row: dict[str, Any]) -> dict[str, str]:
    pmid = text_of(row.get("pmid")) or (text_of(row.get("id")) if row.get("source") == "MED" else None)
    return told(pmid=pmid, pmcid=text_of(row.get("pmcid")), doi=plain_doi(text_of(row.get("doi"))))


def _notices(row: dict[str, Any]) -> list[Notice]:
    notices = []
    for note in rows_of(table_of(row, "commentCorrectionList").get("commentCorrection")):
        kind = _SINCE.get((text_of(note.get("type")) or "").casefold())
        if kind:
            said = f"{text_of(note.get('type'))} {text_of(note.get('reference')) or ''}".strip()
            by = text_of(note.get("id"))
            notices.append(Notice.model_validate({"kind": kind, "reason": said, "by": f"PMID {by}" if by else None}))
    types = {text.casefold() for text in texts_of(table_of(row, "pubTypeList").get("pubType"))}
    if "retracted publication" in types:
        notices.append(Notice(kind="retracted", reason="Europe PMC has it as retracted publication"))
    return notices
