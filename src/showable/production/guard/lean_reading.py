"""Read of an answer what needs no model of English: its structure, or the citations in its text."""

from __future__ import annotations

from collections.abc import Sequence

from showable.read.answer import LONGEST_ANSWER, MOST_CLAIMS, UNPARSED
from showable.read.fences import unfenced
from showable.read.invisible import is_blank
from showable.read.marker import Marker
from showable.read.markers import find_markers
from showable.read.positions import Positions
from showable.read.reading import Extent, Form, Problem, Reading, RefusalReading
from showable.read.reference_lists import find_reference_list
from showable.read.resolve import Log, resolve, with_reference
from showable.read.structured import SCHEMA, answer_start, open_thought, parse_structured
from showable.read.structured_answer import form_read
from showable.records.profile import Profile
from showable.records.record import Answer, Citation, Claim, Record
from showable.records.scorecard import Role

_ANSWERING: tuple[Role, ...] = ("answering",)
_NO_REFERENCES = find_reference_list("")


def read_lean(record: Record, native: Sequence[Citation], profile: Profile) -> Reading:
    """Read claims of a structured answer, or the citations of running text as loose ones.

    `native` are the citation objects of the interface, joined to the log by id like any other. Sentences have no roles: a
    reading of running text has no claims, and says nothing of what asserts or declines. What cannot be read has no
    `answer`, and a problem that says why.
    """
    given = record.answer
    if isinstance(given, Answer):
        return _structured("structured", given, record, native, ())
    if given is None:
        return Reading("null", "", None)
    if (unread := _unreadable(given)) is not None:
        return unread
    parsed = parse_structured(given, profile.own_schema)
    if parsed is None:
        return _running_text(given, record, native, profile)
    form, answer, problems = parsed
    if answer is None:
        return Reading(form, given, None, problems=tuple(problems))
    return _structured(form, answer, record, native, problems)


def _unreadable(given: str) -> Reading | None:
    """Return the reading of what cannot be read: too long, empty, or thoughts without an end."""
    if len(given) > LONGEST_ANSWER:
        too_long = f"an answer of {len(given):,} characters is not read: the most is {LONGEST_ANSWER:,}"
        return Reading("text", "", None, problems=(Problem(UNPARSED, too_long),))
    if is_blank(given[answer_start(given) :]):
        return Reading("empty", given, None)
    if thought := open_thought(given):
        unclosed = "the thoughts are not closed, and nothing says where the answer begins"
        return Reading("text", given, None, problems=(Problem(UNPARSED, unclosed, thought),))
    return None


def _running_text(given: str, record: Record, native: Sequence[Citation], profile: Profile) -> Reading:
    log, own = Log(record), profile.own_schema
    loose, problems = _cited_in(given, log)
    if own is not None:
        asked = f"a call of {own.function}" if own.function else "JSON of the schema"
        problems = [Problem(SCHEMA, f"expected {asked}, got text"), *problems]
    if len(loose) > MOST_CLAIMS:
        too_many = f"an answer of {len(loose):,} citations is not read: the most is {MOST_CLAIMS:,}"
        return Reading("text", "", None, problems=(Problem(UNPARSED, too_many),))
    return Reading("text", given, Answer(text=given), (*_joined(native, log), *loose), problems=tuple(problems))


def _structured(
    form: Form, answer: Answer, record: Record, native: Sequence[Citation], problems: Sequence[Problem]
) -> Reading:
    """Join every citation of a structured answer to the log, and what its shown text cites beside its claims."""
    cited = [citation for claim in answer.claims for citation in claim.citations]
    if len(cited) > MOST_CLAIMS or len(answer.claims) > MOST_CLAIMS:
        told = f"an answer of {len(answer.claims):,} claims is not read: the most is {MOST_CLAIMS:,}"
        return Reading(form, "", None, problems=(Problem(UNPARSED, told),))
    found, log = list(problems), Log(record)
    claims = answer.claims
    if any(not claim.text[:1].isalnum() and is_blank(claim.text) for claim in claims):
        claims = tuple(claim for claim in claims if not is_blank(claim.text))
        found.append(Problem(SCHEMA, "claims: a claim without words"))
    if any(citation.source_id not in log.ids or citation.reference is not None for citation in cited):
        claims = _resolved(claims, log, found)
    loose: Sequence[Citation] = ()
    if answer.text:
        loose, unread = _cited_in(answer.text, log)
        found += unread
        own_numbers = {str(number + 1) for number in range(len(cited))}
        loose = [citation for citation in loose if citation.source_id not in own_numbers]
    shown = [answer.text] if answer.text else []
    text = "\n\n".join([*shown, *(claim.text for claim in claims)])
    extent: Extent = "none" if answer.refusal == "none" else "partial" if claims else "full"
    return Reading(
        form,
        text,
        answer if claims is answer.claims else answer.model_copy(update={"claims": claims}),
        (*_joined(native, log), *loose),
        roles=_ANSWERING * len(claims),
        refusal=RefusalReading(extent, answer.refusal),
        problems=tuple(found),
        quotes=((),) * len(claims),
    )


def _resolved(claims: Sequence[Claim], log: Log, problems: list[Problem]) -> tuple[Claim, ...]:
    """Join citations that are no exact ids as markers are: by position, by address, by the reference they carry."""
    markers = [_marker(citation) for claim in claims for citation in claim.citations]
    positions = Positions(markers, log.order, log.ids)
    resolved = []
    for i, claim in enumerate(claims):
        read = [
            form_read(citation, f"claims.{i}.citations.{j}", problems) for j, citation in enumerate(claim.citations)
        ]
        joined = tuple(_join(citation, log, positions) for citation in read)
        resolved.append(claim.model_copy(update={"citations": joined}))
    return tuple(resolved)


def _joined(citations: Sequence[Citation], log: Log) -> tuple[Citation, ...]:
    positions = Positions([_marker(citation) for citation in citations], log.order, log.ids) if citations else None
    return tuple(_join(citation, log, positions) for citation in citations)


def _join(citation: Citation, log: Log, positions: Positions | None) -> Citation:
    if citation.source_id in log.ids:
        return citation
    if not citation.source_id and not citation.url:
        return with_reference(citation, log)
    found = resolve([_marker(citation)], _NO_REFERENCES, log, positions)[0]
    raw = citation.raw or citation.source_id or citation.url
    update = {"source_id": found.source_id, "raw": raw, "reference": found.reference or citation.reference}
    return citation.model_copy(update=update)


def _marker(citation: Citation) -> Marker:
    token = citation.source_id or citation.url or ""
    return Marker("", 0, 0, token, "bracket" if citation.source_id else "url", url=citation.url)


def _cited_in(text: str, log: Log) -> tuple[list[Citation], list[Problem]]:
    """Find the markers and addresses of running text, and join them to the log.

    Cases and papers that a sentence names are left out: whether it cites or mentions them takes a full reading.
    """
    start = answer_start(text)
    spoken = unfenced(" " * start + text[start:] if start else text)
    names = frozenset([*log.ids, *(source.title for source in log.sources if source.title)])
    places = 0 if any(map(str.isdecimal, log.order)) else len(log.order)
    markers, problems = find_markers(spoken, names, places)
    cited = [marker for marker in markers if marker.reference is None and not marker.mention and not marker.again]
    return resolve(cited, find_reference_list(spoken, names), log), problems
