"""Ask each live registry for one record that is known to exist, and report where its answers have drifted from their shape."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from probative.records import Entry, Found, Reference, Registry

Health = Literal["as_documented", "drifted", "lost", "not_configured", "no_answer", "no_probe"]

EXPECTED: Mapping[str, tuple[str, ...]] = {
    "doi_org": ("ids.doi|url",),
    "crossref": ("title", "authors", "years", "containers", "volume", "first_page", "ids.doi"),
    "datacite": ("title", "authors", "years", "ids.doi"),
    "openalex": ("title", "authors", "years", "ids.doi"),
    "pubmed": ("title", "authors", "years", "containers", "ids.pmid"),
    "ecitmatch": ("ids.pmid",),
    "pmc_ids": ("ids.pmcid",),
    "europe_pmc": ("title", "authors", "years", "ids.pmid|ids.doi"),
    "arxiv": ("title", "authors", "years", "ids.arxiv"),
    "bookshelf": ("title",),
    "courtlistener": ("case_names", "citations", "years"),
    "caselaw_access": ("case_names", "citations", "years", "first_page", "last_page"),
    "ecfr": ("title",),
    "govinfo": ("url",),
    "us_code": ("url|title",),
    "federal_register": ("title",),
    "find_case_law": ("case_names|title",),
    "orange_book": ("title", "publisher", "ids.fda_application", "facts.ingredients", "facts.marketing_status"),
    "drugs_at_fda": ("title", "publisher", "ids.fda_application", "facts.ingredients", "facts.approved"),
    "dailymed": ("title", "ids.setid", "facts.version", "facts.published"),
    "clinical_trials": ("title", "publisher", "ids.nct", "facts.status"),
    "edgar": ("publisher", "date", "facts.form", "facts.document"),
    "open_library": ("title", "authors", "years", "publisher"),
    "wayback": ("title", "facts.archived", "facts.archived_copy"),
    "web_page": ("title", "publisher", "facts.state"),
}
"""What an entry of a registry has, for a record that has it all: fields, `ids.NAME`, `facts.NAME`; a bar is "or"."""

_BY_STATUS: Mapping[str, Health] = {
    "found": "as_documented",
    "ambiguous": "drifted",
    "malformed": "drifted",
    "not_found": "lost",
    "not_covered": "lost",
    "not_configured": "not_configured",
}
_READ = re.compile(r"\bstatus 2\d\d\b")
"""An answer with a success status from which nothing was learned: a change of its shape, not an outage."""


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """How one registry answered. `missing` are the fields that its record has no longer; `ms` is how long it took.

    ``drifted`` is an answer of another shape, ``lost`` a miss of what is known to be there, ``no_answer`` a network or a server
    that did not answer, ``no_probe`` a registry that names no record to ask for.
    """

    registry: str
    health: Health
    asked: str | None = None
    status: str | None = None
    missing: tuple[str, ...] = ()
    ms: float = 0.0
    reason: str | None = None
    url: str | None = None

    def as_row(self) -> dict[str, Any]:
        """Give it as JSON."""
        return asdict(self)


async def probe(registries: Mapping[str, Registry], names: Iterable[str] | None = None) -> list[ProbeResult]:
    """Ask all registries, or those named, at once; the results are in the order of the names."""
    wanted = list(registries if names is None else names)
    return list(await asyncio.gather(*(probe_one(registries[name]) for name in wanted)))


async def probe_one(registry: Registry) -> ProbeResult:
    """Ask one registry for the record in its attribute `known`."""
    if reason := registry.not_configured():
        return ProbeResult(registry.name, "not_configured", reason=reason)
    known = getattr(registry, "known", None)
    if not isinstance(known, Reference):
        return ProbeResult(registry.name, "no_probe", reason="it names no record that is known to exist")
    started = time.perf_counter()
    answer = await registry.find(known)
    ms = (time.perf_counter() - started) * 1000
    return _result(registry.name, known, answer, ms)


def missing_fields(name: str, entry: Entry) -> tuple[str, ...]:
    """Give the fields that an entry of a registry should have, and does not."""
    return tuple(field for field in EXPECTED.get(name, ()) if not any(_has(entry, one) for one in field.split("|")))


def _has(entry: Entry, field: str) -> bool:
    table, dot, key = field.partition(".")
    value = getattr(entry, table, None)
    return bool(value.get(key) if dot and isinstance(value, dict) else value)


def _result(name: str, known: Reference, answer: Found, ms: float) -> ProbeResult:
    health = _BY_STATUS.get(answer.status, "no_answer")
    if health == "no_answer" and _READ.search(answer.reason or ""):
        health = "drifted"
    missing = missing_fields(name, answer.entries[0]) if answer.entries else ()
    if missing:
        health = "drifted"
    return ProbeResult(
        registry=name,
        health=health,
        asked=known.text,
        status=answer.status,
        missing=missing,
        ms=round(ms, 1),
        reason=answer.reason,
        url=answer.url,
    )
