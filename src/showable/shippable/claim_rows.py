"""The rows of a claim in a failure's message: what it says, what it cites and why that does not do, the passages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from showable.read.answer import read_answer
from showable.records.findings import Outcome
from showable.records.record import Record
from showable.records.scorecard import CitationScore, ClaimScore, Scorecard
from showable.report.untrusted import printable
from showable.rubrics.retrieval_log import RetrievalLog
from showable.rubrics.semantic import LABEL_REASONS
from showable.shippable.decide import faults_of
from showable.shippable.excerpt import both_ends, head, nearest, quote_in
from showable.shippable.rows import Row

_CLAIMS_SHOWN = 3
_CITATIONS_SHOWN = 3
_PASSAGES_SHOWN = 2
_PER_LATER_CLAIM = 1
"""Citations and passages of the claims after the first: the whole should fit a screen."""
_REASONS_SHOWN = 3
_NUMBERS_SHOWN = 10
_CLAIM_ROOM, _LATER_CLAIM_ROOM = 220, 140
_PASSAGE_ROOM, _LATER_PASSAGE_ROOM = 260, 140
_ROOM = 160
_ID_ROOM = 60
_SUPPORT = {
    "supported": "supports it",
    "partial": "holds only part of it",
    "contradicted": "contradicts it",
    "unsupported": "does not support it",
}
_MISQUOTED = frozenset({"resolvability.quote_not_found", "resolvability.quote_approximate"})


def claim_rows(card: Scorecard, record: Record | None, blamed: Sequence[int]) -> Iterator[Row]:
    """Show the claims to blame, each with what it cites and the passages that matter; of many, the first few."""
    log = None if record is None else RetrievalLog(record)
    misquoted = any(f.code in _MISQUOTED and f.outcome is Outcome.FAIL for f in card.findings)
    for place, index in enumerate(blamed[:_CLAIMS_SHOWN]):
        claim = card.claims[index]
        yield "", ""
        yield f"claim {index + 1}", both_ends(claim.text, _LATER_CLAIM_ROOM if place else _CLAIM_ROOM)
        if not claim.citations:
            unread = record is not None and record.retrieved is None
            yield "cites", "nothing that can be told without the ids of what was retrieved" if unread else "nothing"
        yield from _cited(card, index, claim, _PER_LATER_CLAIM if place else _CITATIONS_SHOWN)
        if misquoted and record is not None:
            yield from _quoted(card, record, index)
        yield from _passages(claim, log, later=bool(place))
    rest = blamed[_CLAIMS_SHOWN:]
    if rest:
        numbers = ", ".join(str(index + 1) for index in rest[:_NUMBERS_SHOWN])
        more = f", and {len(rest) - _NUMBERS_SHOWN} more" if len(rest) > _NUMBERS_SHOWN else ""
        yield "", ""
        yield "also", f"claim{'s' if len(rest) > 1 else ''} {numbers}{more} of {len(card.claims)}, for the like"
    if blamed:
        yield "", ""


def _cited(card: Scorecard, index: int, claim: ClaimScore, most: int) -> Iterator[Row]:
    """Show the citations of a claim, those at fault first."""
    for place, number in enumerate(_worst_first(claim)[:most]):
        yield "" if place else "cites", _said_of(card, index, number, claim.citations[number], claim)
    if (rest := len(claim.citations) - most) > 0:
        yield "", f"and {rest} more"


def _worst_first(claim: ClaimScore) -> list[int]:
    def place(number: int) -> int:
        cited = claim.citations[number]
        if Outcome.FAIL in (cited.exists, cited.resolves):
            return 0
        if cited.source_id in claim.contradicted_by:
            return 1
        return {Outcome.FAIL: 2, Outcome.PASS: 4}.get(cited.supports, 3)

    return sorted(range(len(claim.citations)), key=place)


def _quoted(card: Scorecard, record: Record, index: int) -> Iterator[Row]:
    """Show the words that citations quote; read anew from the answer, since a scorecard does not keep them."""
    answer = read_answer(record).answer
    claims = answer.claims if answer else ()
    if len(claims) != len(card.claims) or claims[index].text != card.claims[index].text:
        return  # read under rules that are not at hand
    cited = zip(claims[index].citations, card.claims[index].citations, strict=False)
    quotes = [c.quoted_span for c, scored in cited if c.quoted_span and scored.resolves is Outcome.FAIL]
    for quote in quotes[:_CITATIONS_SHOWN]:
        yield "quoted", f'"{head(quote, _ROOM)}"'


def _said_of(card: Scorecard, index: int, number: int, citation: CitationScore, claim: ClaimScore) -> str:
    """Say of a citation what is the matter with it, else what its passage does for the claim."""
    name = name_of(citation)
    faults = [printable(fault, limit=_ROOM) for fault in faults_of(card, index, number, citation)]
    if faults:
        return f"{name}: {'; '.join(faults[:_REASONS_SHOWN])}"
    reason = "" if citation.reason in LABEL_REASONS else printable(citation.reason, limit=_ROOM)
    if citation.supports is Outcome.PASS:
        return f"{name}, which supports it"
    if citation.supports is not Outcome.FAIL:
        return f"{name}, not decided: {reason or 'no verdict'}"
    does = claim.support if len(claim.citations) == 1 else "unsupported"
    does = "contradicted" if citation.source_id in claim.contradicted_by else does
    words = _SUPPORT.get(does, _SUPPORT["unsupported"])
    return f"{name}, which {words}{'; ' if ': ' in reason else ': '}{reason}" if reason else f"{name}, which {words}"


def name_of(citation: CitationScore) -> str:
    """Return a citation as the answer has it, else by the id of its source."""
    if citation.raw and citation.raw != citation.source_id:
        return printable(citation.raw, limit=_ID_ROOM)
    return f"[{printable(citation.source_id or 'no source', limit=_ID_ROOM)}]"


def _passages(claim: ClaimScore, log: RetrievalLog | None, *, later: bool) -> Iterator[Row]:
    """Show what was cited, what contradicts the claim and what would support it: at most one or two of each kind."""
    most, room = (_PER_LATER_CLAIM, _LATER_PASSAGE_ROOM) if later else (_PASSAGES_SHOWN, _PASSAGE_ROOM)
    ordered = [claim.citations[number] for number in _worst_first(claim)]
    cited = {c.source_id: c for c in ordered if c.source_id is not None}
    if log is None:
        quoted = [(i, c.quote) for i, c in cited.items() if c.quote]
        yield from [("passage", f"[{shown_id(i)}] {quote_in(q, (0, len(q)), room)}") for i, q in quoted[:most]]
        return
    logged = [i for i in cited if i in log][:most]
    for source_id in logged:
        yield "passage", _passage(source_id, claim, log, room, cited[source_id].quote_span)
    against = [i for i in claim.contradicted_by if i not in cited][: max(1, most - len(logged))]
    for source_id in against:
        yield "against", _passage(source_id, claim, log, room)
    if claim.support not in {"supported", "contradicted"}:
        found = [i for i in claim.supported_by if i not in cited][:1]
        for source_id in found:
            yield "support", _passage(source_id, claim, log, room)
        within = [i for i in claim.supported_by if i in cited][:1]
        for source_id in within:
            yield "support", f"another place in [{shown_id(source_id)}] than the one cited"
        if not found and not within and not against and set(log.by_id) - set(cited):
            yield "support", _nothing(claim, len(log))


def _nothing(claim: ClaimScore, retrieved: int) -> str:
    passages = "the one retrieved passage" if retrieved == 1 else f"the {retrieved} retrieved passages"
    if claim.log_support is Outcome.FAIL:
        return f"nothing in {passages}"
    if claim.log_support is Outcome.PASS:
        return "several passages together"
    return f"not decided for {passages}"


def _passage(
    source_id: str, claim: ClaimScore, log: RetrievalLog, room: int, span: tuple[int, int] | None = None
) -> str:
    text, source = log.texts.get(source_id), log.by_id.get(source_id, [None])[0]
    if text is None:
        return f"[{shown_id(source_id)}] no text was recorded"
    page = f", page {printable(str(source.page), limit=_ID_ROOM)}" if source and source.page is not None else ""
    shown = quote_in(text, span, room) if span else nearest(text, claim.text, room)
    return f"[{shown_id(source_id)}{page}] {shown}"


def shown_id(source_id: str) -> str:
    """Return an id as it can be printed."""
    return printable(source_id, limit=_ID_ROOM)
