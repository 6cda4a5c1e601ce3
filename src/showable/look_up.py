"""Ask the registries about what an answer cites: the external references of its claims, and the works behind cited sources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from showable.errors import ShowableError
from showable.read.external import named_beside
from showable.read.reading import Reading
from showable.read.scan.urls import vet_url
from showable.read.source_address import is_address_of
from showable.records.lookups import Lookup, LookupResult, Registries
from showable.records.record import UNCLEAR, Citation, Record, Reference, Source
from showable.rubrics.retrieval_log import RetrievalLog

_IDS = ("doi", "pmid", "pmcid", "arxiv", "nct", "sec_accession", "isbn")
_FIELD = {"sec_accession": "accession"}


async def look_up(record: Record, reading: Reading, registries: Registries | None) -> tuple[Lookup, ...]:
    """Look up every citation that names something a registry can know, in order.

    A reference or an address of the answer's own is held against what the registry has. Where a citation leads into the
    log, the id that the log gives its source is looked up as well, because a paper may have been retracted since it was indexed.
    """
    if registries is None or reading.answer is None:
        return ()
    wanted = list(_wanted(record, reading))
    if not wanted:
        return ()
    references = [reference for _, _, reference, _ in wanted]
    try:
        results = await registries.lookup_all(references)
    except ShowableError:  # the user's to put right
        raise
    except Exception as error:  # noqa: BLE001 - whatever a plugged-in registry raises is data, not the end of the run
        said = f"the registries failed: {type(error).__name__}: {error}"
        results = [LookupResult(status="unreachable", registry=registries.name, reason=said)] * len(references)
    return tuple(
        Lookup(claim=claim, citation=number, vouched=vouched, **result.model_dump())
        for (claim, number, _, vouched), result in zip(wanted, results, strict=True)
    )


def _wanted(record: Record, reading: Reading) -> Iterator[tuple[int | None, int, Reference, bool]]:
    log = RetrievalLog(record)
    claims = reading.answer.claims if reading.answer else ()
    cited: list[tuple[int | None, Sequence[Citation]]] = [(at, claim.citations) for at, claim in enumerate(claims)]
    for index, citations in [*cited, (None, reading.loose)]:
        for number, citation in enumerate(citations):
            sources = log.by_id.get(citation.source_id or "", ())
            vouched = citation.url is not None and any(is_address_of(citation.url, source) for source in sources)
            own = _own(citation, vouched=vouched)
            if own is not None:
                yield index, number, own, own.kind == "url" and vouched
            if own is None or own.kind == "url":
                yield from ((index, number, reference, False) for reference in _of_source(citation, log))
    for index, claim in enumerate(claims):
        if claim.citations:  # what else it names goes with the first: unknown to a registry, it changes nothing
            yield from ((index, 0, reference, True) for reference in named_beside(claim.text, claim.citations))


def _own(citation: Citation, *, vouched: bool) -> Reference | None:
    """Return what the citation itself names; an author and a year alone, or an address that nobody may ask, are looked up nowhere."""
    if citation.reference is not None and citation.reference.kind not in {"author_year", UNCLEAR}:
        return citation.reference
    if citation.url and (citation.source_id is None or not vouched or vet_url(citation.url) is None):
        return Reference(kind="url", text=citation.url, fields={"url": citation.url})
    return None


def _of_source(citation: Citation, log: RetrievalLog) -> Iterator[Reference]:
    """Yield the id that the log has of a cited source, with its title as what is claimed of it."""
    for source in log.by_id.get(citation.source_id or "", ()):
        for kind, value in _ids(source):
            claimed = {"title": source.title} if source.title else {}
            yield Reference(kind=kind, text=value, fields={_FIELD.get(kind, kind): value, **claimed})
            return


def _ids(source: Source) -> Iterator[tuple[str, str]]:
    if source.doi:
        yield "doi", source.doi
    for kind in _IDS:
        value = source.metadata.get(kind)
        if isinstance(value, str | int) and str(value).strip():
            yield kind, str(value).strip()
