"""What a registry of record is asked about a citation, what it has, and what comes of comparing the two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, runtime_checkable

from pydantic import Field

from showable.records.record import Reference
from showable.records.wire import Many, Wire

LookupStatus = Literal[
    "resolved",
    "mismatch",
    "not_found",
    "malformed",
    "ambiguous",
    "retracted",
    "withdrawn",
    "superseded_version",
    "not_covered",
    "not_configured",
    "unreachable",
    "rate_limited",
    "blocked_url",
]
FoundStatus = Literal[
    "found",
    "not_found",
    "malformed",
    "ambiguous",
    "not_covered",
    "not_configured",
    "unreachable",
    "rate_limited",
    "blocked_url",
]
NoticeKind = Literal["retracted", "withdrawn", "superseded_version", "concern", "corrected"]

PROVEN_BAD: frozenset[LookupStatus] = frozenset(
    {"not_found", "mismatch", "malformed", "retracted", "withdrawn", "superseded_version", "blocked_url"}
)
"""Statuses that speak against a citation. Every other one but ``resolved`` means that nothing is known."""


class Person(Wire):
    """An author as a registry has one. A group, or a name that cannot be split, is `family` alone."""

    family: str
    given: str = ""


class Notice(Wire):
    """What has become of a work since: retracted, withdrawn, replaced by a newer version, questioned, corrected."""

    kind: NoticeKind
    reason: str
    date: str | None = None
    by: str | None = None
    """The id of the notice, or of what replaces the work."""


class Entry(Wire):
    """One work, case, statute or page as a registry has it: the subset of CSL-JSON that citations can be held against.

    `years` holds every year that the registry gives (online, print, filed): any of them agrees.
    `containers` are a journal's or a reporter's names, full and abbreviated. `case_names` are the long
    and the short caption. `citations` are a case's parallel cites. `ids` maps a kind to its value.
    `first_page` and `last_page` bound what stands there. `facts` are further fields to show beside the claim.
    """

    title: str | None = None
    other_titles: Many[str] = ()
    authors: Many[Person] = ()
    years: Many[int] = ()
    date: str | None = None
    containers: Many[str] = ()
    volume: str | None = None
    issue: str | None = None
    first_page: str | None = None
    last_page: str | None = None
    publisher: str | None = None
    case_names: Many[str] = ()
    court: str | None = None
    citations: Many[str] = ()
    ids: dict[str, str] = Field(default_factory=dict)
    notices: Many[Notice] = ()
    url: str | None = None
    facts: dict[str, str] = Field(default_factory=dict)


class Found(Wire):
    """A registry's answer, before anything is compared.

    ``found`` has one entry for an id, several for a search or an ambiguous cite. A miss may name in
    `near` what stands there instead, or what comes nearest. `reason` is required of all but ``found``.
    `url` is the request without its secrets, `at` when it was answered (ISO 8601, UTC).
    """

    status: FoundStatus
    registry: str
    entries: Many[Entry] = ()
    near: Many[Entry] = ()
    reason: str | None = None
    url: str | None = None
    http_status: int | None = None
    at: str | None = None
    cached: bool = False


class FieldCheck(Wire):
    """One claimed field beside what the registry has. `score` is a similarity from 0 to 1 where one was taken."""

    field: str
    claimed: str
    found: str | None = None
    outcome: Literal["agrees", "differs", "unknown"]
    score: float | None = None


class LookupResult(Wire):
    """What became of looking one reference up. `registry` is who settled it, `asked` everyone who was asked."""

    status: LookupStatus
    registry: str
    asked: Many[str] = ()
    claimed: dict[str, str] = Field(default_factory=dict)
    found: dict[str, str] = Field(default_factory=dict)
    compared: Many[FieldCheck] = ()
    reason: str | None = None
    url: str | None = None
    http_status: int | None = None
    at: str | None = None
    cached: bool = False


class Lookup(LookupResult):
    """A lookup of one citation of a record, by the indices of its claim and of the citation within it.

    A citation that hangs on no claim, such as that of a declining sentence, has no claim, and is counted among its like.
    It may be looked up twice: by its address and by the id of the source that it names. `vouched` says that the log gives
    its source this very address, so that only what is proven against it counts.
    """

    claim: int | None
    citation: int
    vouched: bool = False


@runtime_checkable
class Registries(Protocol):
    """Everyone who can be asked, behind one door: caches, order and deadlines are its business."""

    name: str
    """What the signature prints: who is asked, and whether over the network."""

    async def lookup_all(self, references: Sequence[Reference]) -> list[LookupResult]:
        """Look references up, one result each, in the same order. Failures are statuses, never exceptions."""
        ...

    async def aclose(self) -> None:
        """Close connections and files."""
        ...


@runtime_checkable
class Registry(Protocol):
    """One registry of record. It asks and reads; comparing with what was claimed is not its business."""

    name: str
    kinds: frozenset[str]
    """The kinds of reference that it can look up."""
    proves: frozenset[str]
    """The kinds for which it is the authority, so that a miss is ``not_found``. For every other kind a miss is ``not_covered``."""

    def not_configured(self) -> str | None:
        """Return what is missing (a key, an address) before it can be asked; None where nothing is."""
        ...

    def key(self, reference: Reference) -> str | None:
        """Return the normalised id that the answer depends on, for the cache; None where it cannot be asked about this."""
        ...

    async def find(self, reference: Reference) -> Found:
        """Look a reference up. The failures of the network are statuses, never exceptions."""
        ...
