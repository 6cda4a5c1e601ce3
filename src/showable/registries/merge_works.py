"""Puts together the records of one work that several registries have, and says whether they agree with the claim. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from showable.records import Entry, FieldCheck, Found, Notice, Reference

Agreement = Literal["agrees", "unknown", "differs"]

_WHAT_IT_IS = frozenset({"title", "case_name"})
"""Fields that say which work it is: here an authority's word is not overruled by an aggregator's."""
_NAMING = frozenset({"container", "doi", "pmid", "pmcid", "arxiv"})
"""Fields by which a citation says which version of a work it means: the preprint, the paper, the article."""
_RANK = {"agrees": 2, "differs": 1, "unknown": 0}
_WORDS = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Compared:
    """A record, and the claimed fields held against it."""

    entry: Entry
    checks: tuple[FieldCheck, ...] = ()
    another: bool = False
    """Of what a search gave: whether it is another work than the one cited, and not that work with other metadata."""

    @property
    def what_it_is(self) -> Agreement:
        """Whether its title, or its caption, is the claimed one."""
        outcomes = {check.outcome for check in self.checks if check.field in _WHAT_IT_IS}
        return "differs" if "differs" in outcomes else "agrees" if "agrees" in outcomes else "unknown"

    @property
    def likeness(self) -> float:
        """The similarity of the title, 0 where none was taken."""
        return max((check.score or 0.0 for check in self.checks if check.field == "title"), default=0.0)


@dataclass(frozen=True, slots=True)
class Work:
    """One work, the first registry that has it, and what the records of all that have it say about the claim."""

    found: Found
    entry: Entry
    checks: tuple[FieldCheck, ...]
    notices: tuple[Notice, ...] = ()
    authority: bool = False
    """Whether one of those that have it is the authority for the kind."""

    @property
    def named(self) -> bool:
        """Whether the citation names this version of the work, by its container or its id."""
        return any(check.outcome == "agrees" and check.field in _NAMING for check in self.checks)

    @property
    def agreement(self) -> Agreement:
        """``differs`` where a claimed field differs, ``unknown`` where nothing that says which work it is could be compared."""
        if any(check.outcome == "differs" for check in self.checks):
            return "differs"
        telling = {check.outcome for check in self.checks if check.field in _WHAT_IT_IS}
        return "unknown" if (telling or {check.outcome for check in self.checks}) == {"unknown"} else "agrees"

    @property
    def agreed(self) -> int:
        """How many claimed fields agree."""
        return sum(check.outcome == "agrees" for check in self.checks)

    @property
    def likeness(self) -> float:
        """The sum of the similarities that were taken."""
        return sum(check.score or 0.0 for check in self.checks)

    @property
    def identity(self) -> str:
        """What tells it from another work: whose it is, or who the parties are. Two records of one paper have the same."""
        entry = self.entry
        if entry.case_names:
            return _plain(entry.case_names[-1])
        return _plain(entry.authors[0].family) if entry.authors else _plain(entry.title or "")


def works_of(reference: Reference, heard: Iterable[tuple[Found, Sequence[Compared], bool]]) -> list[Work]:
    """Group records by work, in the order in which they were heard of.

    Each of `heard` is an answer, its records, and whether it comes from the authority for the kind. Under an id there
    is one work, whoever has it, unless some have it under the claimed title or caption and some under another: then
    the authority's word holds. In a search, records with one DOI are one work, and another work is none; where the
    citation names a version of the work, that is the one it is held against.
    """
    groups: dict[str, list[tuple[Found, Compared, bool]]] = {}
    for number, (found, records, authority) in enumerate(heard):
        if found.status not in {"found", "ambiguous"}:
            continue
        alone = len(records) == 1 and reference.kind != "bibliographic"
        for place, record in enumerate(records):
            if not record.another:
                doi = record.entry.ids.get("doi", "").lower()
                key = f"id {record.what_it_is}" if alone else doi or f"{number}.{place}"
                groups.setdefault(key, []).append((found, record, authority))
    works = [_work(group) for group in groups.values()]
    if reference.kind == "bibliographic":
        return [work for work in works if work.named] or works
    final = [work for work in works if work.authority and work.agreement != "unknown"]
    return works if any(work.agreement == "agrees" for work in final) else final or works


def _work(group: Sequence[tuple[Found, Compared, bool]]) -> Work:
    """Take for each field the outcome that speaks best for the claim: registries have different dates of one paper."""
    chosen: dict[str, FieldCheck] = {}
    for _, record, _ in group:
        for check in record.checks:
            if check.field not in chosen or _RANK[check.outcome] > _RANK[chosen[check.field].outcome]:
                chosen[check.field] = check
    found, best, _ = max(group, key=lambda one: sum(check.outcome == "agrees" for check in one[1].checks))
    notices = {(notice.kind, notice.by): notice for _, record, _ in reversed(group) for notice in record.entry.notices}
    authority = any(one[2] for one in group)
    return Work(found, best.entry, tuple(chosen.values()), tuple(notices.values()), authority=authority)


def _plain(text: str) -> str:
    return " ".join(_WORDS.findall(text.casefold()))
