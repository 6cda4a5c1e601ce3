"""Structural rubric: did the model emit citations in the schema? Needs nothing but the record and its reading."""

from __future__ import annotations

from functools import lru_cache

from showable.read.possible_ids import find_possible_ids
from showable.read.reading import Reading
from showable.read.scan.invisible import scan_invisible
from showable.read.scan.invisible_finding import InvisibleFinding
from showable.records.findings import Outcome, Subject
from showable.records.profile import Profile
from showable.records.record import Citation, Claim, Record
from showable.rubrics.checks import Checks
from showable.rubrics.retrieval_log import RetrievalLog

IN_QUOTE = "in the quote: "
"""How the reason of `structural.invisible_characters` begins where it is a quotation that hides them."""
_UNREADABLE = {"null": "the answer is null", "empty": "the answer is empty"}
_IN_BRACKETS = "what stands in brackets could be a source's id, and no log tells"
_STRUCTURED = frozenset({"json", "tool_call", "structured"})


def check_structure(record: Record, reading: Reading, log: RetrievalLog, profile: Profile, checks: Checks) -> None:
    """Check form: readable, claims present and cited, ids and quotes where the schema asks, nothing hidden in them."""
    _check_readable(reading, checks)
    for source_id in log.duplicates:
        said = f"the log carries {source_id!r} {len(log.by_id[source_id])} times; its passages are read together"
        checks.failed("structural.duplicate_source", said)
    if reading.answer is None:
        return
    claims = reading.answer.claims
    if not claims and reading.refusal.extent == "none":
        checks.failed("structural.no_claims", "nothing is asserted and nothing is declined")
    else:
        checks.passed("structural.no_claims")
    without_quote = _without_quote(record, reading, profile)
    perhaps = possibly_cited(reading, log)
    for index, claim in enumerate(claims):
        _check_cited(index, claim, log.citations_doubt or _IN_BRACKETS if index in perhaps else "", checks)
        _check_claim(index, claim, without_quote, checks)


def _check_readable(reading: Reading, checks: Checks) -> None:
    if reading.form in _UNREADABLE:
        checks.failed("structural.empty_answer", _UNREADABLE[reading.form])
    else:
        checks.passed("structural.empty_answer")
    for problem in reading.problems:
        subject = Subject(claim=problem.claim, citation=problem.citation)
        checks.failed(problem.code, problem.reason, subject, problem.where)
    if any(problem.code == "structural.schema" for problem in reading.problems):
        return
    if reading.form in _STRUCTURED:
        checks.passed("structural.schema")
    elif reading.form == "text":
        checks.not_applicable("structural.schema")


def _without_quote(record: Record, reading: Reading, profile: Profile) -> Outcome:
    """Return what a citation without its quotation is: a failure, left for a person to look at, or nothing to check.

    The record's word on its schema goes before the profile's rule. Running text quotes in its own words, if at all.
    """
    asked = record.metadata.get("quotes_required")
    if isinstance(asked, bool):
        return Outcome.FAIL if asked else Outcome.NOT_APPLICABLE
    if reading.form not in _STRUCTURED:
        return Outcome.NOT_APPLICABLE
    return Outcome.FAIL if profile.quotes == "required" else Outcome.UNKNOWN


def _check_cited(index: int, claim: Claim, doubt: str, checks: Checks) -> None:
    code, subject = "structural.uncited_claim", Subject(claim=index)
    if claim.citations:
        checks.passed(code)
    elif doubt:
        checks.unknown(code, f"no citation is known: {doubt}", subject, claim.span)
    else:
        checks.failed(code, "no citation", subject, claim.span)


def _check_claim(index: int, claim: Claim, without_quote: Outcome, checks: Checks) -> None:
    seen: set[tuple[str | None, ...]] = set()
    for number, citation in enumerate(claim.citations):
        at = Subject(claim=index, citation=number)
        outside = citation.reference.text if citation.reference and citation.source_id is None else None
        key = (citation.source_id, citation.quoted_span, citation.url, outside)
        if key in seen:
            said = f"{citation.raw or citation.source_id} is cited twice for one claim"
            checks.failed("structural.duplicate_citation", said, at, citation.span)
        else:
            checks.passed("structural.duplicate_citation")
        seen.add(key)
        _check_fields(citation, at, without_quote, checks)


def _check_fields(citation: Citation, at: Subject, without_quote: Outcome, checks: Checks) -> None:
    if citation.source_id or citation.url or citation.reference:
        checks.passed("structural.missing_source_id")
    else:
        checks.failed("structural.missing_source_id", "the citation names no source", at, citation.span)
    if without_quote is not Outcome.NOT_APPLICABLE:
        if citation.quoted_span and citation.quoted_span.strip():
            checks.passed("structural.missing_quote")
        else:
            said = "the citation does not quote the words it relies on (quoted_span)"
            checks.note("structural.missing_quote", without_quote, said, at, citation.span)
    for name, value in (("id", citation.source_id), ("quote", citation.quoted_span), ("url", citation.url)):
        if value is not None:
            _check_visible(name, value, at, citation, checks)


@lru_cache(maxsize=16)
def _hidden(value: str) -> list[InvisibleFinding]:
    """Scan an id, a quotation or an address, once where many citations in a row have it."""
    return [found for found in scan_invisible(value, "token") if found.severity != "low"]


def _check_visible(name: str, value: str, at: Subject, citation: Citation, checks: Checks) -> None:
    hidden = _hidden(value)
    if not hidden:
        checks.passed("structural.invisible_characters")
        return
    listed = ", ".join(f"{found.name} at {found.where[0]}" for found in hidden[:3])
    more = f" and {len(hidden) - 3} more" if len(hidden) > 3 else ""  # noqa: PLR2004 - three fit a line
    checks.failed("structural.invisible_characters", f"in the {name}: {listed}{more}", at, citation.span)


def possibly_cited(reading: Reading, log: RetrievalLog) -> frozenset[int]:
    """Return the numbers of the claims without citations that may have one: all where citations may have been lost on the way.

    Without a log, those are it in or after which stand bracketed words that could be ids. With one the answer is known, and none is given: words in brackets are citations where the log has ids such as they are.
    """
    if reading.answer is None or not (log.citations_doubt or (not log.logged and "[" in reading.text)):
        return frozenset()
    if log.citations_doubt:
        return frozenset(number for number, claim in enumerate(reading.answer.claims) if not claim.citations)
    places = find_possible_ids(reading.text)
    return frozenset(
        number
        for number, claim in enumerate(reading.answer.claims)
        if not claim.citations and _holds(claim, reading.text, places)
    )


def _holds(claim: Claim, text: str, places: list[tuple[int, int]]) -> bool:
    if claim.span is None:
        return bool(find_possible_ids(claim.text))
    start, end = claim.span
    return any(start <= at < end or (at >= end and not text[end:at].strip()) for at, _ in places)
