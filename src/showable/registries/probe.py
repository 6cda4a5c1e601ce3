"""Ask each live registry for one record that is known to exist, and report where its answers have drifted from their shape."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from showable.records import Entry, Found, Reference, Registry
from showable.registries.answers import one_line

Health = Literal["as_documented", "drifted", "lost", "not_configured", "no_answer", "no_probe"]

_PAPER = ("title", "authors", "years", "containers", "volume", "first_page")

EXPECTED: Mapping[str, tuple[str, ...]] = {
    "doi_org": ("url", "title", "authors", "years", "containers"),
    "crossref": (*_PAPER, "ids.doi"),
    "datacite": ("title", "authors", "years", "publisher", "ids.doi", "facts.type"),
    "openalex": ("title", "authors", "years", "volume", "first_page", "ids.doi"),
    "pubmed": (*_PAPER, "ids.doi", "facts.pubtype", "notices~Retraction in"),
    "ecitmatch": _PAPER,
    "pmc_ids": ("ids.pmid", "ids.doi"),
    "europe_pmc": (*_PAPER, "ids.pmcid", "ids.doi"),
    "arxiv": ("title", "authors", "date", "facts.latest_version"),
    "bookshelf": ("title",),
    "courtlistener": ("case_names", "citations~576 U.S. 644", "years"),
    "caselaw_access": ("case_names", "citations~925 F.3d 1291", "years", "last_page", "court"),
    "ecfr": ("title~patent information", "facts.title"),
    "govinfo": ("ids.package~PLAW-111publ148",),
    "us_code": ("title~federal question",),
    "federal_register": (
        "title",
        "date",
        "volume",
        "last_page",
        "citations",
        "ids.document_number",
        "url",
        "facts.type",
    ),
    "find_case_law": ("case_names", "court", "years", "citations~[2025] EWHC 1040 (Admin)"),
    "westlaw": ("case_names", "court", "date"),
    "lexis": ("case_names", "court", "date"),
    "pacer": ("case_names", "court"),
    "orange_book": ("title~lipitor", "publisher", "facts.ingredients", "facts.marketing_status"),
    "drugs_at_fda": ("title~lipitor", "publisher", "facts.ingredients", "facts.approved"),
    "dailymed": ("title", "ids.setid", "facts.version", "facts.published"),
    "clinical_trials": ("title~donanemab", "publisher", "facts.status"),
    "edgar": ("publisher", "date", "facts.form", "facts.document"),
    "open_library": ("title", "authors", "years", "publisher"),
    "wayback": ("title~example domain",),
    "web_page": ("title~robots exclusion",),
}
"""What an entry of a registry has, for the record that it is asked for: fields, `ids.NAME`, `facts.NAME`.

After a tilde stands what the field says of that record, in any case of letters: where an adapter makes a field itself if the
answer does not have it, only the words tell whether it was read.
"""

_BY_STATUS: Mapping[str, Health] = {
    "found": "as_documented",
    "ambiguous": "drifted",
    "malformed": "drifted",
    "not_found": "lost",
    "not_covered": "lost",
    "not_configured": "not_configured",
}
_READ = re.compile(
    r"\bstatus 2\d\d\b|^(?:an answer (?:about|without)|the answer names|a list of|asked for \S+, and answered)"
)
"""An answer with a success status from which nothing was learned: a change of its shape, not an outage."""
_REDIRECTS = range(300, 400)
"""A miss by a redirect: one that leads elsewhere than it did, since what is not there is told otherwise."""


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
        """Return it as JSON."""
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
    try:
        answer = await registry.find(known)
    except Exception as error:  # noqa: BLE001 - one adapter that fails is one line, and the others are still probed
        reason = one_line(f"the adapter failed: {type(error).__name__}: {error}")
        return ProbeResult(registry.name, "drifted", asked=known.text, reason=reason)
    ms = (time.perf_counter() - started) * 1000
    return _result(registry.name, known, answer, ms)


def missing_fields(name: str, entry: Entry) -> tuple[str, ...]:
    """Return the fields that an entry of a registry should have, and does not, or that say something else than they did."""
    wanted = (one.partition("~") for one in EXPECTED.get(name, ()))
    return tuple(field for field, _, said in wanted if not _has(entry, field, said))


def _has(entry: Entry, field: str, said: str) -> bool:
    table, dot, key = field.partition(".")
    value = getattr(entry, table, None)
    held = value.get(key) if dot and isinstance(value, dict) else value
    return bool(held) and said.casefold() in str(held).casefold()


def _result(name: str, known: Reference, answer: Found, ms: float) -> ProbeResult:
    missing = missing_fields(name, answer.entries[0]) if answer.entries else ()
    reason = answer.reason
    if missing:
        reason = reason or answer.entries[0].facts.get("metadata")
    return ProbeResult(
        registry=name,
        health=_health(answer, missing, reason),
        asked=known.text,
        status=answer.status,
        missing=missing,
        ms=round(ms, 1),
        reason=reason,
        url=answer.url,
    )


def _health(answer: Found, missing: Sequence[str], reason: str | None) -> Health:
    """Judge an answer. One that is there in part, for a service behind it did not answer, has not drifted."""
    health = _BY_STATUS.get(answer.status, "no_answer")
    if health == "lost" and answer.http_status in _REDIRECTS:
        return "drifted"
    if missing and answer.entries[0].facts.get("metadata"):
        health = "no_answer"
    elif missing:
        return "drifted"
    return "drifted" if health == "no_answer" and _READ.search(reason or "") else health
