"""Claims about a work (an article, a preprint, a book) beside a registry's entry for it."""

from __future__ import annotations

from collections.abc import Iterator

from showable.read.word_sets import word_set
from showable.records.lookups import Entry, FieldCheck
from showable.records.record import Reference
from showable.rubrics.metadata.authors import compare_authors
from showable.rubrics.metadata.containers import container_words, preprint_server, same_container
from showable.rubrics.metadata.days import other_version_year, year_of
from showable.rubrics.metadata.pages import compare_number, compare_pages
from showable.rubrics.metadata.plain_words import bare_words, folded, unmarked
from showable.rubrics.metadata.registered_venues import doi_names, venue_in_comment, year_in
from showable.rubrics.metadata.titles import best_title
from showable.rubrics.metadata.versions import Versions, is_preprint_doi, versions

_SHOWN = 6
_NO_CONTAINER = word_set("publication unknown journal na none proceedings conference book online")
_LONG_CONTAINER = 400
_ACRONYM = 3


def compare_work(reference: Reference, entry: Entry) -> tuple[FieldCheck, ...]:
    """Hold title, authors, year, container, volume, issue, pages, publisher and ids against an entry, in this order."""
    claimed = {name: text.strip() for name, text in reference.fields.items() if text.strip()}
    version = versions(claimed, entry)
    return tuple(_checks(reference.kind, claimed, entry, version))


def _checks(kind: str, claimed: dict[str, str], entry: Entry, version: Versions) -> Iterator[FieldCheck]:
    if title := claimed.get("title"):
        yield _title(title, entry)
    if authors := claimed.get("authors") or claimed.get("author"):
        yield _authors(authors, entry, et_al=claimed.get("et_al", "") == "yes")
    if when := claimed.get("year") or claimed.get("date"):
        yield _year(when, entry, version)
    if container := claimed.get("container") or claimed.get("journal"):
        yield _container(container, claimed, entry, version)
    yield from _place(claimed, entry, version)
    if publisher := claimed.get("publisher"):
        same = bool({*bare_words(publisher)} & {*bare_words(entry.publisher or "")})
        yield _check("publisher", publisher, entry.publisher, "agrees" if same else "unknown")
    yield from _ids(kind, claimed, entry, version)


def _title(claimed: str, entry: Entry) -> FieldCheck:
    titles = [title for title in (entry.title, *entry.other_titles) if title]
    match = best_title(claimed, titles)
    if match is None:
        return _check("title", claimed, entry.title, "unknown")
    outcome = "agrees" if match.likeness == "same" else "differs"
    return _check("title", claimed, unmarked(match.title), outcome, match.score)


def _authors(claimed: str, entry: Entry, *, et_al: bool) -> FieldCheck:
    match = compare_authors(claimed, entry.authors, et_al=et_al)
    shown = "; ".join(
        ", ".join(part for part in (person.family, person.given) if part) for person in entry.authors[:_SHOWN]
    )
    more = f"; and {len(entry.authors) - _SHOWN} more" if len(entry.authors) > _SHOWN else ""
    said = f"{shown}{more}" + (f" ({match.reason})" if match.reason else "")
    return _check("authors", claimed, said or None, match.outcome, match.score)


def _year(claimed: str, entry: Entry, version: Versions) -> FieldCheck:
    said = year_of(claimed)
    in_journal = year_in(entry.facts.get("published_in", ""))
    years = (*entry.years, *([in_journal] if in_journal else []))
    found = ", ".join(str(year) for year in dict.fromkeys(years)) or None
    if said is None or not years:
        return _check("year", claimed, found, "unknown")
    if said in years:
        return _check("year", claimed, found, "agrees", 1.0)
    if version.unlike and other_version_year(said, years, claims_preprint=version.claimed == "preprint"):
        return _check("year", claimed, found, "unknown")
    return _check("year", claimed, found, "differs", 0.0)


def _container(claimed: str, fields: dict[str, str], entry: Entry, version: Versions) -> FieldCheck:
    names = [*entry.containers, *(name for name in (entry.facts.get("published_in"),) if name)]
    found = names[0] if names else None
    claimed = claimed[:_LONG_CONTAINER]
    if set(bare_words(claimed)) <= _NO_CONTAINER:
        return _check("container", claimed, found, "unknown")
    issn = fields.get("issn", "").replace("-", "").casefold()
    if issn and issn in entry.facts.get("issn", "").replace("-", "").casefold():
        return _check("container", claimed, found, "agrees", 1.0)
    server = preprint_server(claimed)
    same = same_container(claimed, names) or next(
        (name for name in names if server and preprint_server(name) == server), None
    )
    same = same or _named_elsewhere(claimed, entry)
    if same:
        return _check("container", claimed, same, "agrees", 1.0)
    if not names or version.unlike:
        # The DOI or the number of a preprint beside a venue is an ordinary way to cite, and the preprint's record need not name it.
        return _check("container", claimed, found, "unknown")
    return _check("container", claimed, found, "differs", 0.0)


def _named_elsewhere(claimed: str, entry: Entry) -> str | None:
    """Return what else names the venue: the authors' comment on arXiv, or the DOI."""
    acronym = container_words(claimed)
    doi = entry.ids.get("doi", "")
    if len(acronym) == 1 and len(acronym[0]) >= _ACRONYM and acronym[0] in doi_names(doi) and not is_preprint_doi(doi):
        return doi
    comment = entry.facts.get("comment")
    return venue_in_comment(claimed, comment) if comment else None


def _place(claimed: dict[str, str], entry: Entry, version: Versions) -> Iterator[FieldCheck]:
    for name, registered in (("volume", entry.volume), ("issue", entry.issue)):
        if said := claimed.get(name):
            yield _check(name, said, registered, "unknown" if version.unlike else compare_number(said, registered))
    if said := claimed.get("pages") or claimed.get("page"):
        found = "-".join(page for page in (entry.first_page, entry.last_page) if page) or None
        outcome = "unknown" if version.unlike else compare_pages(said, entry.first_page, entry.last_page)
        yield _check("pages", said, found, outcome)


def _ids(kind: str, claimed: dict[str, str], entry: Entry, version: Versions) -> Iterator[FieldCheck]:
    for name in ("doi", "pmid", "pmcid", "arxiv", "isbn", "nct"):
        said, has = claimed.get(name), entry.ids.get(name)
        if not said or not has or name == kind:  # an entry was found by the id of its kind: that it has it says nothing
            continue
        if _plain_id(name, said) == _plain_id(name, has):
            yield _check(name, said, has, "agrees", 1.0)
        else:  # the article's DOI beside the preprint's says nothing against either
            yield _check(name, said, has, "unknown" if version.dois_apart(name, said, has) else "differs")


def _plain_id(name: str, text: str) -> str:
    plain = folded(text).strip().removeprefix("https://").removeprefix("doi.org/").removeprefix(f"{name}:")
    if name in {"arxiv", "doi"}:
        base, found, number = plain.rpartition("v")
        plain = base if found and number.isdecimal() and ("arxiv" in plain or name == "arxiv") else plain
    if name == "isbn":
        digits = "".join(char for char in plain if char.isalnum())
        return digits[3:12] if len(digits) == 13 else digits[:9]  # noqa: PLR2004 - an ISBN-10 and its ISBN-13 share nine digits
    return plain.removeprefix("pmc").lstrip("0") if name in {"pmid", "pmcid"} else plain


def _check(field: str, claimed: str, found: str | None, outcome: str, score: float | None = None) -> FieldCheck:
    return FieldCheck.model_validate(
        {"field": field, "claimed": claimed, "found": found, "outcome": outcome, "score": score}
    )
