"""Resolvability rubric: does each citation lead to a real source? Joined against the retrieval log, never the model's list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from showable.read.scan.urls import vet_url
from showable.read.source_address import is_address_of, is_another, is_relative, known_addresses
from showable.records.evidence import Evidence
from showable.records.findings import Outcome, Subject
from showable.records.lookups import PROVEN_BAD, Lookup
from showable.records.record import UNCLEAR, Citation, Claim, Reference, Source
from showable.records.regex import regex
from showable.rubrics.checks import Checks
from showable.rubrics.quotes import QuoteMatch, find_quote, same_page
from showable.rubrics.retrieval_log import RetrievalLog, no_longer_stands, standing

_SCHEMELESS = regex(r"(?i)(?:[\w-]+\.)+[a-z]{2,}(?:[/?#]|$)")
"""An address as people write it: `courtlistener.com/opinion/1`; not `javascript:…`, `localhost/x`."""
Defect = Literal["bad_quote", "wrong_page", "bad_source"]


@dataclass(slots=True)
class Resolution:
    """What became of one citation.

    `in_log` is membership alone (not applicable where no source is named); `exists` adds the page and
    the quotation. `defects` are known faults, `unsure` those that could not be ruled out.
    """

    citation: Citation
    in_log: Outcome
    exists: Outcome
    defects: list[Defect]
    unsure: list[Defect]
    reason: str = ""
    lookup: Lookup | None = None

    @property
    def resolves(self) -> Outcome:
        """The whole of resolvability: it leads into the log, and nothing is known or suspected against it."""
        if self.in_log is not Outcome.PASS or self.defects:
            return Outcome.UNKNOWN if self.in_log is Outcome.UNKNOWN and not self.defects else Outcome.FAIL
        return Outcome.UNKNOWN if self.unsure else Outcome.PASS


def resolve_citations(
    claims: tuple[Claim, ...], log: RetrievalLog, evidence: Evidence, checks: Checks
) -> list[list[Resolution]]:
    """Join every citation of every claim: one list a claim, in the claim's order."""
    lookups = _by_citation(evidence)
    if not log.logged:
        checks.unknown("resolvability.log_missing", "the record carries no retrieval log (retrieved is null)")
    elif not len(log):
        checks.failed("resolvability.null_retrieval", "the retrieval returned nothing")
    elif any(claim.citations for claim in claims):
        checks.passed("resolvability.null_retrieval")
    else:  # no pass of this rubric where nothing was there to resolve
        checks.not_applicable("resolvability.null_retrieval")
    return [
        [
            _resolve(Subject(claim=i, citation=j), c, log, lookups.get((i, j), ()), checks)
            for j, c in enumerate(claim.citations)
        ]
        for i, claim in enumerate(claims)
    ]


def resolve_loose(
    citations: Sequence[Citation], log: RetrievalLog, evidence: Evidence, checks: Checks
) -> list[Resolution]:
    """Join the citations that hang on no claim, such as those of a declining sentence."""
    lookups = _by_citation(evidence)
    return [
        _resolve(Subject(), citation, log, lookups.get((None, j), ()), checks) for j, citation in enumerate(citations)
    ]


def _by_citation(evidence: Evidence) -> dict[tuple[int | None, int], list[Lookup]]:
    """Return the lookups of each citation, what speaks against it first, then what is not known."""
    found: dict[tuple[int | None, int], list[Lookup]] = {}
    for lookup in evidence.lookups:
        found.setdefault((lookup.claim, lookup.citation), []).append(lookup)
    for lookups in found.values():
        lookups.sort(key=lambda lookup: (lookup.status not in PROVEN_BAD, lookup.status == "resolved"))
    return found


def _resolve(
    at: Subject, citation: Citation, log: RetrievalLog, lookups: Sequence[Lookup], checks: Checks
) -> Resolution:
    in_log, reason = _membership(citation, log)
    code = "resolvability.not_retrieved"
    if in_log is Outcome.PASS:
        checks.passed(code)
    else:
        checks.note(code, in_log, reason, at, citation.span)
    exists = Outcome.FAIL if in_log is Outcome.NOT_APPLICABLE else in_log
    resolution = Resolution(citation, in_log, exists, [], [], reason, next(iter(lookups), None))
    if in_log is Outcome.PASS:
        if resolution.citation.source_id not in log.texts:
            checks.unknown(
                "resolvability.text_missing", f"the log has no text of {citation.source_id!r}", at, citation.span
            )
        holding = _check_quote(at, resolution, log, checks)
        _check_page(at, resolution, log, holding, checks)
        _check_status(at, resolution, log, checks)
    if citation.url is not None:
        _check_address(at, resolution, citation.url, log, checks)
    for lookup in lookups:
        _check_lookup(at, resolution, lookup, checks)
    return resolution


def _membership(citation: Citation, log: RetrievalLog) -> tuple[Outcome, str]:
    named = citation.source_id or citation.url or (citation.reference.text if citation.reference else None)
    if named is None:
        return Outcome.NOT_APPLICABLE, "the citation names no source"
    if not log.logged:
        return Outcome.UNKNOWN, f"{named!r} cannot be looked for: the record has no retrieval log"
    if citation.source_id in log:
        return Outcome.PASS, ""
    return _absence(citation, log, named)


def _absence(citation: Citation, log: RetrievalLog, named: str) -> tuple[Outcome, str]:
    """Return what it means that a citation names no id of the log."""
    if log.doubt:
        return Outcome.UNKNOWN, f"{named!r} is {_not_among(log)}, but that proves nothing: {log.doubt}"
    if citation.reference is not None and citation.reference.kind == UNCLEAR and len(log):
        fields = citation.reference.fields
        return Outcome.UNKNOWN, f"{named!r} may mean any of {fields['among']}: {fields['why']}"
    if citation.source_id is not None or not len(log):
        return Outcome.FAIL, f"{named!r} is {_not_among(log)}"
    if citation.reference is not None and citation.reference.kind != "author_year":
        return _reference_membership(citation.reference, log)
    return _page_membership(citation, log, named)


def _not_among(log: RetrievalLog) -> str:
    if not len(log):
        return "cited, but nothing was retrieved"
    return "not the one retrieved source" if len(log) == 1 else f"not among the {len(log)} retrieved sources"


def _page_membership(citation: Citation, log: RetrievalLog, named: str) -> tuple[Outcome, str]:
    if citation.url is not None and all(s.url for group in log.by_id.values() for s in group):
        return Outcome.FAIL, f"no retrieved source has the address {citation.url}"
    return Outcome.UNKNOWN, f"{named!r} names no id of the log, and the log does not tell which source is meant"


def _reference_membership(reference: Reference, log: RetrievalLog) -> tuple[Outcome, str]:
    """Return whether a case, a statute or a paper that names no id of the log is in it: its words stand nowhere, or in several."""
    placed = log.searched.place(reference)
    named = repr(", ".join(filter(None, (reference.fields.get("case_name"), reference.text))))
    if placed.standing == "nowhere":
        return Outcome.FAIL, f"{named} stands in none of the retrieved sources"
    if placed.source_ids:
        listed = ", ".join(map(repr, placed.source_ids[:3]))
        more = len(placed.source_ids) - 3
        return Outcome.UNKNOWN, f"{named} could be any of {listed}" + (f" and {more} more" if more > 0 else "")
    return Outcome.UNKNOWN, f"{named} cannot be looked for: not every retrieved source has its text"


def _worsen(resolution: Resolution, defect: Defect, outcome: Outcome, reason: str) -> None:
    if outcome is Outcome.FAIL:
        resolution.defects.append(defect)
    else:
        resolution.unsure.append(defect)
    if defect != "bad_source" and resolution.exists is not Outcome.FAIL:
        resolution.exists = outcome
        resolution.reason = reason


def _check_quote(at: Subject, resolution: Resolution, log: RetrievalLog, checks: Checks) -> list[Source]:
    """Look for the quotation in each passage of the cited id; give the passages that hold it."""
    quote, source_id = resolution.citation.quoted_span, resolution.citation.source_id
    if not quote or source_id is None:
        checks.not_applicable("resolvability.quote_not_found")
        return []
    passages = [source for source in log.by_id[source_id] if source.text]
    if not passages:
        _worsen(resolution, "bad_quote", Outcome.UNKNOWN, "the source has no text to find the quotation in")
        return []
    found = [(find_quote(quote, source.text or ""), source) for source in passages]
    best = min((match for match, _ in found), key=lambda match: _MATCHES.index(match.match))
    if best.match == "absent":
        _quote_absent(at, quote, resolution, log, checks)
    else:
        _report_quote(at, resolution, best, checks)
    return [source for match, source in found if match.match == best.match != "absent"]


_MATCHES = ("verbatim", "normalised", "approximate", "too_short", "absent")


def _report_quote(at: Subject, resolution: Resolution, found: QuoteMatch, checks: Checks) -> None:
    where = resolution.citation.span
    place = f" at {found.where[0]}–{found.where[1]}" if found.where else ""
    match found.match:
        case "normalised":
            said = f"the quoted words are in the source{place}, but for typesetting"
            checks.note("resolvability.quote_normalised", Outcome.PASS, said, at, where)
        case "too_short":
            said = "the quotation is too short to prove anything"
            checks.note("resolvability.quote_not_found", Outcome.NOT_APPLICABLE, said, at, where)
        case "approximate" if not found.changed:
            said = (
                f"the quoted words are in the source{place}, but for small differences (edit distance {found.distance})"
            )
            checks.note("resolvability.quote_approximate", Outcome.PASS, said, at, where)
        case "approximate":
            changed = "; ".join(found.changed[:3])
            said = f"the quotation differs from the source{place} (edit distance {found.distance}): {changed}"
            checks.failed("resolvability.quote_approximate", said, at, where)
            _worsen(resolution, "bad_quote", Outcome.FAIL, said)
        case _:
            checks.passed("resolvability.quote_not_found")


def _quote_absent(at: Subject, quote: str, resolution: Resolution, log: RetrievalLog, checks: Checks) -> None:
    source_id = resolution.citation.source_id
    others = [
        i
        for i, text in log.texts.items()
        if i != source_id and find_quote(quote, text).match in {"verbatim", "normalised"}
    ]
    if others:
        said, code = f"the quoted words stand in {others[0]!r}, not in {source_id!r}", "quote_in_other_source"
    else:
        said, code = f"the quoted words are not in {source_id!r}", "quote_not_found"
    checks.failed(f"resolvability.{code}", said, at, resolution.citation.span)
    _worsen(resolution, "bad_quote", Outcome.FAIL, said)


def check_quotes(
    quotes: Sequence[Sequence[str]], resolutions: Sequence[Sequence[Resolution]], log: RetrievalLog, checks: Checks
) -> None:
    """Look for the quotations in a claim's own words: each must stand in one of the sources that the claim cites."""
    for index, (said, resolved) in enumerate(zip(quotes, resolutions, strict=True)):
        joined = [r for r in resolved if r.in_log is Outcome.PASS]
        texts = [log.texts.get(r.citation.source_id or "") for r in joined]
        for quote in said if joined else ():
            matches = [find_quote(quote, text) for text in texts if text]
            if any(match.match != "absent" and not match.changed for match in matches):
                checks.passed("resolvability.quote_not_found")
            elif None in texts:
                _worsen(joined[0], "bad_quote", Outcome.UNKNOWN, "a source has no text to find the quotation in")
            elif near := next((match for match in matches if match.match == "approximate"), None):
                _report_quote(Subject(claim=index), joined[0], near, checks)
            else:
                _quote_absent(Subject(claim=index), quote, joined[0], log, checks)


def _check_page(
    at: Subject, resolution: Resolution, log: RetrievalLog, holding: Sequence[Source], checks: Checks
) -> None:
    """Compare the page cited with that of the passage that holds the quotation, else of any passage of the id."""
    page, source_id = resolution.citation.page, resolution.citation.source_id
    if page is None or source_id is None:
        checks.not_applicable("resolvability.wrong_page")
        return
    pages = [source.page for source in holding or log.by_id[source_id] if source.page is not None]
    where = resolution.citation.span
    if not pages:
        said = f"page {page} is cited, but the log gives no page for {source_id!r}"
        checks.unknown("resolvability.wrong_page", said, at, where)
        _worsen(resolution, "wrong_page", Outcome.UNKNOWN, said)
    elif any(same_page(page, known) for known in pages):
        checks.passed("resolvability.wrong_page")
    else:
        said = f"page {page} is cited, the passage is on page {pages[0]}"
        checks.failed("resolvability.wrong_page", said, at, where)
        _worsen(resolution, "wrong_page", Outcome.FAIL, said)


def _check_status(at: Subject, resolution: Resolution, log: RetrievalLog, checks: Checks) -> None:
    for source in log.by_id[resolution.citation.source_id or ""]:
        if no_longer_stands(source):
            said = f"{source.source_id!r} is {standing(source)}"
            checks.failed("resolvability.source_status", said, at, resolution.citation.span)
            _worsen(resolution, "bad_source", Outcome.FAIL, said)
            return
    checks.passed("resolvability.source_status")


def _check_address(at: Subject, resolution: Resolution, url: str, log: RetrievalLog, checks: Checks) -> None:
    """Refuse an address that misleads, that nobody may be sent to, or that is another than its source's; the log vouches for its own."""
    sources = log.by_id.get(resolution.citation.source_id or "", [])
    if any(is_address_of(url, source) for source in sources):
        checks.passed("resolvability.url_mismatch")
        return
    if is_relative(url):
        return  # no host to be sent to; whether it leads to a source of the log is told by the join
    code, reason = "resolvability.unsafe_url", vet_url(f"https://{url}" if _SCHEMELESS.match(url) else url)
    if reason is None:
        checks.passed(code)
        known = [address for source in sources for address in known_addresses(source)]
        if not known or not all(is_another(url, address) for address in known):
            return
        code = "resolvability.url_mismatch"
        reason = f"the address cited is {url}, that of {resolution.citation.source_id!r} is {known[0]}"
    checks.failed(code, reason, at, resolution.citation.span)
    _worsen(resolution, "bad_source", Outcome.FAIL, reason)


def _check_lookup(at: Subject, resolution: Resolution, lookup: Lookup, checks: Checks) -> None:
    code = f"resolvability.registry_{lookup.status}"
    said = f"{lookup.registry}: {lookup.reason or lookup.status.replace('_', ' ')}"
    if lookup.status == "resolved":
        checks.passed(code)
    elif lookup.status in PROVEN_BAD:
        checks.failed(code, said, at, resolution.citation.span)
        _worsen(resolution, "bad_source", Outcome.FAIL, said)
    else:
        checks.unknown(code, said, at, resolution.citation.span)
        if not lookup.vouched:
            _worsen(resolution, "bad_source", Outcome.UNKNOWN, said)
