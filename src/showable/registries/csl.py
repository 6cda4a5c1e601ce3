"""CSL-JSON, as content negotiation gives it, and Crossref's own JSON, which is its elder: one record as an Entry."""

from __future__ import annotations

from typing import Any

from showable.records import Entry, Notice, Person
from showable.registries.scholarly import gone_by_title, plain_doi, worst_first
from showable.registries.shapes import rows_of, table_of, text_of, texts_of, told

_DATES = ("issued", "published", "published-print", "published-online", "posted", "published-other")
_RETRACTIONS = frozenset({"retraction", "partial_retraction"})
_KINDS = {
    "retraction": "retracted",
    "removal": "withdrawn",
    "withdrawal": "withdrawn",
    "partial_retraction": "concern",
    "expression_of_concern": "concern",
    "correction": "corrected",
    "corrigendum": "corrected",
    "erratum": "corrected",
    "addendum": "corrected",
    "clarification": "corrected",
}
_NEWER = frozenset({"new_version", "new_edition"})
_POSTED = frozenset({"posted_content", "article"})
"""Types of a preprint, at Crossref and in CSL. Its newer version is the same work, which one DOI may stand for."""


def entry_of(work: dict[str, Any]) -> Entry:
    """Read a record. A title is a list at Crossref's API and a string in CSL-JSON; every date it has gives a year."""
    titles = texts_of(work.get("title"))
    subtitle = next(iter(texts_of(work.get("subtitle"))), None)
    title = titles[0] if titles else None
    whole = f"{title}: {subtitle}" if title and subtitle and subtitle.casefold() not in title.casefold() else title
    first, last = _pages(work)
    doi = plain_doi(text_of(work.get("DOI")))
    return Entry(
        title=whole,
        other_titles=tuple(
            one
            for one in (*titles, *texts_of(work.get("short-title")), *texts_of(work.get("original-title")))
            if one != whole
        ),
        authors=tuple(_people(work)),
        years=tuple(_years(work)),
        date=_date(work),
        containers=tuple(_containers(work)),
        volume=text_of(work.get("volume")),
        issue=text_of(work.get("issue")),
        first_page=first,
        last_page=last,
        publisher=text_of(work.get("publisher")),
        ids={"doi": doi} if doi else {},
        notices=worst_first((*_updates(work), *gone_by_title(title))),
        url=text_of(work.get("URL")),
        facts=_facts(work),
    )


def _people(work: dict[str, Any]) -> list[Person]:
    people = []
    for row in rows_of(work.get("author")) or rows_of(work.get("editor")):
        family = text_of(row.get("family")) or text_of(row.get("name")) or text_of(row.get("literal"))
        given = text_of(row.get("given"))
        if family or given:
            people.append(Person(family=family or given or "", given=(given or "") if family else ""))
    return people


def _years(work: dict[str, Any]) -> list[int]:
    years = [parts[0] for name in _DATES if (parts := _date_parts(work.get(name)))]
    return list(dict.fromkeys(years))


def _date(work: dict[str, Any]) -> str | None:
    parts = _date_parts(work.get("issued")) or _date_parts(work.get("published"))
    return "-".join(f"{part:02d}" for part in parts) if parts else None


def _date_parts(value: Any) -> list[int]:
    rows = table_of(value).get("date-parts")
    first = rows[0] if isinstance(rows, list) and rows else None
    texts = [text_of(part) or "" for part in first[:3]] if isinstance(first, list) else []
    return [int(text) for text in texts if text.isdecimal()] if texts and texts[0].isdecimal() else []


def _containers(work: dict[str, Any]) -> list[str]:
    """Return every name of what it appeared in. A preprint has no container: the server is an institution, or the publisher."""
    names = [*texts_of(work.get("container-title")), *texts_of(work.get("short-container-title"))]
    names += texts_of(work.get("container-title-short"))
    event = table_of(work.get("event"))
    names += [*texts_of(event.get("name")), *texts_of(event.get("acronym"))]
    if not names:
        names += [*texts_of(rows_of(work.get("institution")), "name"), *texts_of(work.get("group-title"))]
    if not names and text_of(work.get("type")) in {"posted-content", "dataset", "software", "article"}:
        names += texts_of(work.get("publisher"))
    return list(dict.fromkeys(names))


def _pages(work: dict[str, Any]) -> tuple[str | None, str | None]:
    pages = text_of(work.get("page")) or text_of(work.get("article-number"))
    first, _, last = (pages or "").replace("–", "-").partition("-")
    return first.strip() or None, last.strip() or None


def _updates(work: dict[str, Any]) -> list[Notice]:
    """Read `updated-by`, which stands on the work; `update-to` stands on a notice, and says nothing against it."""
    notices = []
    for row in rows_of(work.get("updated-by")):
        said, by = _said(row), plain_doi(text_of(row.get("DOI")))
        kind = "superseded_version" if _replaces(said, by, work) else _KINDS.get(said)
        if kind is None:
            continue
        parts = _date_parts(row.get("updated"))
        date = "-".join(f"{part:02d}" for part in parts) or None
        label = text_of(row.get("label")) or said.replace("_", " ")
        reason = f"replaced since: {label}" if kind == "superseded_version" else label
        notices.append(Notice.model_validate({"kind": kind, "reason": reason, "date": date, "by": by}))
    return notices


def _replaces(said: str, by: str | None, work: dict[str, Any]) -> bool:
    """Check whether an update takes the place of the work: a new edition does, a new version unless it is of a preprint.

    A work that is named as its own update was changed in place, and is the newest there is.
    """
    if said not in _NEWER or (by is not None and by == plain_doi(text_of(work.get("DOI")))):
        return False
    posted = _plain(work.get("type")) in _POSTED or _plain(work.get("subtype")) == "preprint"
    return said == "new_edition" or not posted


def _said(row: dict[str, Any]) -> str:
    return _plain(row.get("type"))


def _plain(value: Any) -> str:
    return "_".join((text_of(value) or "").casefold().replace("-", " ").replace("_", " ").split())


def _facts(work: dict[str, Any]) -> dict[str, str]:
    own = plain_doi(text_of(work.get("DOI")))
    newer = [row for row in rows_of(work.get("updated-by")) if _said(row) in _NEWER]
    later = next((doi for row in newer if (doi := plain_doi(text_of(row.get("DOI")))) and doi != own), None)
    notice = [row for row in rows_of(work.get("update-to")) if _said(row) in _RETRACTIONS]
    published = rows_of(table_of(work.get("relation")).get("is-preprint-of"))
    return told(
        type=text_of(work.get("type")),
        subtype=text_of(work.get("subtype")),
        issn="; ".join(texts_of(work.get("ISSN"))),
        latest_version=later,
        retracts=next((doi for row in notice if (doi := plain_doi(text_of(row.get("DOI"))))), None),
        published_as=next((text for row in published if (text := text_of(row.get("id")))), None),
    )
