"""Claimed metadata beside a registry's entry, field by field, and what that makes of the entry: this work or another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from showable.read.word_sets import word_set
from showable.records.lookups import Entry, FieldCheck
from showable.records.record import Reference
from showable.rubrics.metadata.statutes import compare_statute
from showable.rubrics.metadata.titles import title_words
from showable.rubrics.metadata.versions import versions
from showable.rubrics.metadata.web_pages import compare_page
from showable.rubrics.metadata.works import compare_work

Agreement = Literal["agrees", "differs", "another"]

CASES = word_set("case case_short supra id neutral_uk westlaw lexis docket")
"""Kinds that are compared by their captions."""
PAGES = frozenset({"news", "url"})
"""Kinds that are compared loosely, as pages of the web are cited."""
STATUTES = word_set("usc cfr fed_reg public_law statutes_at_large fed_rule")
"""Kinds whose fields are their place: a registry that has the place has nearly all that is claimed."""
VERSION_SOUGHT = "version_sought"
"""A field by which a search asks for what was ``published``: a preprint counts only where its record names the claimed venue."""

_NEAR = 0.75
_SOME_AUTHORS = 0.5
_TELLING_WORDS = 4
"""Words of a title that two works hardly share."""
_NAMESAKE_WORDS = 8
"""The same where nothing else agrees: surveys and primers of a field have one title, decades apart."""
_RANK: dict[Agreement, int] = {"agrees": 2, "differs": 1, "another": 0}


@dataclass(frozen=True, slots=True)
class Match:
    """An entry beside a reference: the fields compared, and what they make of it."""

    entry: Entry
    checks: tuple[FieldCheck, ...]
    agreement: Agreement


def compare(reference: Reference, entry: Entry) -> tuple[FieldCheck, ...]:
    """Hold every field that a reference claims against an entry. A field that the registry does not have is ``unknown``."""
    if reference.kind in CASES:
        from showable.rubrics.metadata.cases import compare_case  # noqa: PLC0415 - captions need far larger tables

        return compare_case(reference, entry)
    if reference.kind in PAGES:
        return compare_page(reference, entry)
    return compare_statute(reference, entry) if reference.kind in STATUTES else compare_work(reference, entry)


def differs(checks: Iterable[FieldCheck]) -> bool:
    """Check whether any claimed field is not what the registry has."""
    return any(check.outcome == "differs" for check in checks)


def agreement(reference: Reference, entry: Entry) -> Agreement:
    """Return whether an entry that a search gave is the work cited with its metadata right, the work with wrong metadata, or another.

    It is the work where an id is the same; where the title is the same and an author, or the year and the
    container, or a title too long for chance say so, which is longer where all else differs; and where the title has a changed word but authors and
    year or container agree. By id alone nothing has to be told: there `differs` is the whole question.
    """
    return _agreement(compare(reference, entry))


def best_match(reference: Reference, entries: Sequence[Entry]) -> Match | None:
    """Give, of what a search found, the entry that is nearest to the work cited; None where all are other works.

    Of several versions of the work (a preprint, the article) the one that the citation names by its
    container or its id is held against it, whatever the others would say.
    """
    matches = [Match(entry, checks, _agreement(checks)) for entry in entries for checks in [compare(reference, entry)]]
    works = [match for match in matches if match.agreement != "another"]
    if reference.fields.get(VERSION_SOUGHT) == "published":
        works = [match for match in works if _published(reference, match)] + [m for m in matches if _retitled(m)]
    named = [match for match in works if _named(match.checks)]
    return max(named or works, key=_standing, default=None)


def _published(reference: Reference, match: Match) -> bool:
    return versions(reference.fields, match.entry).registered != "preprint" or _outcome(match, "container") == "agrees"


def _retitled(match: Match) -> bool:
    """Check whether an entry is by the same people in the same venue under another title, as preprints are renamed in review."""
    same_place = all(_outcome(match, name) == "agrees" for name in ("authors", "container"))
    return match.agreement == "another" and same_place and len(match.entry.authors) > 1


def _outcome(match: Match, field: str) -> str | None:
    return next((check.outcome for check in match.checks if check.field == field), None)


def _standing(match: Match) -> tuple[int, int, float]:
    outcomes = [check.outcome for check in match.checks]
    return (
        _RANK[match.agreement],
        outcomes.count("agrees") - outcomes.count("differs"),
        sum(c.score or 0 for c in match.checks),
    )


def _named(checks: Sequence[FieldCheck]) -> bool:
    return any(
        check.outcome == "agrees" and check.field in {"container", "doi", "pmid", "pmcid", "arxiv"} for check in checks
    )


def _agreement(checks: Sequence[FieldCheck]) -> Agreement:
    by_field = {check.field: check for check in checks}
    return ("differs" if differs(checks) else "agrees") if _same_work(by_field) else "another"


def _same_work(by_field: dict[str, FieldCheck]) -> bool:
    if any(
        (check := by_field.get(name)) and check.outcome == "agrees"
        for name in ("doi", "pmid", "pmcid", "arxiv", "isbn")
    ):
        return True
    title = by_field.get("title")
    if title is None or title.score is None:
        return _place_agrees(by_field)
    if title.outcome == "agrees":
        words = _NAMESAKE_WORDS if _all_else_differs(by_field) else _TELLING_WORDS
        return (
            _authors_share(by_field) > 0
            or _year_and_container(by_field, claimed_only=True)
            or len(title_words(title.claimed)) >= words
        )
    near = title.score >= _NEAR
    return near and _authors_share(by_field) >= _SOME_AUTHORS and _year_or_container(by_field)


def _authors_share(by_field: dict[str, FieldCheck]) -> float:
    """Return the share of authors in common; 1 where none are claimed or none are registered."""
    authors = by_field.get("authors")
    return 1.0 if authors is None or authors.score is None else authors.score


def _all_else_differs(by_field: dict[str, FieldCheck]) -> bool:
    """Check whether people, year and container are all others: then the title is all that speaks for the work."""
    outcomes = [by_field[name].outcome for name in ("authors", "year", "container") if name in by_field]
    known = [outcome for outcome in outcomes if outcome != "unknown"]
    return len(known) > 1 and all(outcome == "differs" for outcome in known) and _authors_share(by_field) == 0


def _year_and_container(by_field: dict[str, FieldCheck], *, claimed_only: bool) -> bool:
    outcomes = [by_field[name].outcome for name in ("year", "container") if name in by_field]
    return claimed_only and bool(outcomes) and all(outcome == "agrees" for outcome in outcomes)


def _year_or_container(by_field: dict[str, FieldCheck]) -> bool:
    outcomes = [by_field[name].outcome for name in ("year", "container") if name in by_field]
    return not outcomes or any(outcome != "differs" for outcome in outcomes)


def _place_agrees(by_field: dict[str, FieldCheck]) -> bool:
    """Check whether an entry without a title to compare stands at the very place cited: container, volume and page."""
    return all((check := by_field.get(name)) and check.outcome == "agrees" for name in ("container", "volume", "pages"))
