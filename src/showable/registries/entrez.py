"""NCBI's E-utilities: what PubMed, its citation matcher and the Bookshelf share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from showable.records import Entry, Notice, Person
from showable.registries.scholarly import gone_by_title, initials_last, plain_doi, worst_first
from showable.registries.settings import Settings
from showable.registries.shapes import rows_of, table_of, text_of, texts_of, told, years_in
from showable.registries.web.asking import OddReplyError, Pace, RateLimitedError, Reply, Web

ADDRESS = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"
PACE = Pace(per_second=3)
"""Three requests a second without a key, for all of NCBI's services together."""

_OK, _TOO_MANY = 200, 429
_UNKNOWN = "cannot get document summary"
_RETRACTED = frozenset({"retracted publication"})
_SINCE = {
    "retractionin": "retracted",
    "partialretractionin": "concern",
    "expressionofconcernin": "concern",
    "erratumin": "corrected",
    "correctedandrepublishedin": "corrected",
    "updatein": "superseded_version",
}
"""What comments and corrections stand on the work itself, as its summary (`Update in`) and its XML (`UpdateIn`) have them."""
_DATED = re.compile(
    r"(?<!\d)((?:19|20)\d\d) ?(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)?[a-z]* ?(\d{1,2})?(?!\d)"
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_LOCATION = re.compile(r"(?:pii|page):\s*(\S{1,40})", re.IGNORECASE)


class Entrez:
    """A way to one database of the E-utilities: who asks is said each time, and a key raises the pace it allows."""

    def __init__(self, web: Web, settings: Settings, name: str) -> None:
        self.web, self.address = web, settings.address(name, settings.address("entrez", ADDRESS))
        key = settings.secret("SHOWABLE_NCBI_KEY")
        self._who = told(tool="showable", email=settings.mailto, api_key=key)

    async def ask(self, utility: str, params: Mapping[str, str]) -> Reply:
        """Ask one utility. Raises RateLimitedError where too much was asked, also by others at this address."""
        reply = await self.web.ask("GET", f"{self.address}/{utility}", params={**params, **self._who})
        if reply.status == _TOO_MANY or b"API rate limit exceeded" in reply.body[:400]:
            raise RateLimitedError("NCBI's limit of requests a second is exceeded")
        return reply

    async def summaries(self, database: str, ids: Sequence[str]) -> tuple[Reply, dict[str, dict[str, Any]]]:
        """Return the summary of each id, by id: version 2.0 JSON. An unknown id has an `error` in it, with status 200."""
        reply = await self.ask("esummary.fcgi", {"db": database, "id": ",".join(ids), "retmode": "json"})
        said = table_of(reply.json()) if reply.status == _OK else {}
        result = table_of(said, "result")
        if not result:
            raise OddReplyError(f"status {reply.status}: {text_of(said.get('error')) or 'no summaries'}")
        return reply, {uid: table_of(result, uid) for uid in ids}

    async def search(self, database: str, term: str, most: int = 5) -> tuple[Reply, tuple[str, ...]]:
        """Return the ids that a search finds."""
        reply = await self.ask("esearch.fcgi", {"db": database, "term": term, "retmode": "json", "retmax": str(most)})
        said = table_of(reply.json()) if reply.status == _OK else {}
        result = table_of(said, "esearchresult")
        if not isinstance(result.get("idlist"), list):
            raise OddReplyError(f"status {reply.status}: {text_of(said.get('error')) or 'no list of ids'}")
        return reply, texts_of(result["idlist"])


def is_unknown(summary: Mapping[str, Any]) -> bool:
    """Check whether a summary says that there is none of the id. Raises OddReplyError for any other error in it."""
    error = text_of(summary.get("error"))
    if error is not None and error.rstrip(".").casefold() != _UNKNOWN:
        raise OddReplyError(f"an error instead of a summary: {error}")
    return error is not None


def article(uid: str, summary: Mapping[str, Any]) -> Entry:
    """Read a PubMed summary. Retracted is what has that publication type; a notice of retraction has another one."""
    title = (text_of(summary.get("title")) or "").removesuffix(".")
    first, last = _pages(summary)
    return Entry(
        title=title or None,
        other_titles=tuple(one for one in texts_of(summary.get("vernaculartitle")) if one),
        authors=tuple(_people(summary)),
        years=tuple(_years(summary)),
        date=text_of(summary.get("pubdate")),
        containers=tuple(name for key in ("fulljournalname", "source") if (name := text_of(summary.get(key)))),
        volume=text_of(summary.get("volume")),
        issue=text_of(summary.get("issue")),
        first_page=first,
        last_page=last,
        ids={"pmid": uid, **_ids(summary)},
        notices=worst_first((*_notices(summary), *gone_by_title(title))),
        url=f"https://pubmed.ncbi.nlm.nih.gov/{uid}/",
        facts=told(
            pubtype="; ".join(texts_of(summary.get("pubtype"))),
            issn="; ".join(texts_of([summary.get("issn"), summary.get("essn")])),
        ),
    )


def _people(summary: Mapping[str, Any]) -> list[Person]:
    people = []
    for row in rows_of(summary.get("authors")):
        name = text_of(row.get("name"))
        if name:
            group = row.get("authtype") == "CollectiveName"
            people.append(Person(family=name) if group else initials_last(name))
    return people


def _years(summary: Mapping[str, Any]) -> list[int]:
    dates = (text_of(summary.get(key)) for key in ("pubdate", "epubdate"))
    return list(dict.fromkeys(year for text in dates for year in years_in(text)))


def _pages(summary: Mapping[str, Any]) -> tuple[str | None, str | None]:
    pages = text_of(summary.get("pages"))
    if not pages:
        found = _LOCATION.search(text_of(summary.get("elocationid")) or "")
        return (found[1].rstrip(".;,"), None) if found else (None, None)
    first, _, last = pages.partition("-")
    return first.strip() or None, last.split(",")[0].strip() or None


def _ids(summary: Mapping[str, Any]) -> dict[str, str]:
    held = {text_of(row.get("idtype")): text_of(row.get("value")) for row in rows_of(summary.get("articleids"))}
    pmc = held.get("pmc") or ""
    return told(doi=plain_doi(held.get("doi")), pmcid=pmc if pmc.startswith("PMC") else None)


def _notices(summary: Mapping[str, Any]) -> Iterable[Notice]:
    rows = rows_of(summary.get("references"))
    for row in rows:
        kind = _SINCE.get("".join((text_of(row.get("reftype")) or "").casefold().split()))
        if kind:
            where = text_of(row.get("refsource")) or "a notice"
            pmid = text_of(row.get("pmid"))
            said = {"kind": kind, "reason": f"{row.get('reftype')} {where}", "date": _day(where)}
            yield Notice.model_validate(said | {"by": f"PMID {pmid}" if pmid else None})
    types = {text.casefold() for text in texts_of(summary.get("pubtype"))}
    if types & _RETRACTED:
        yield Notice(kind="retracted", reason="PubMed has it as Retracted Publication")


def _day(text: str) -> str | None:
    found = _DATED.search(text)
    if not found:
        return None
    month = f"-{_MONTHS.index(found[2]) + 1:02d}" if found[2] else ""
    return f"{found[1]}{month}{f'-{int(found[3]):02d}' if month and found[3] else ''}"
