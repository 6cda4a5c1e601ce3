"""Read an answer, in text or JSON, into claims with citations, roles, and how far it declines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from probative.read.claims import RawClaim, find_claims
from probative.read.marker import Marker
from probative.read.markers import find_markers
from probative.read.quoted import find_quoted
from probative.read.reading import Form, Problem, Reading, RefusalReading
from probative.read.reference_lists import find_reference_list
from probative.read.refusal import assign_roles, read_refusal, settle_extent, without_declines
from probative.read.resolve import resolve
from probative.read.roles import is_guidance
from probative.read.sentences import split_sentences
from probative.read.structured import answer_start, parse_structured
from probative.records.record import Answer, Citation, Claim, Record, RefusalField

PARSER_REVISION = "1"
"""Part of the signature: raised whenever the same answer may be read into other claims or citations."""

_STAND_IN = re.compile(
    r"(?:yes|no|correct|incorrect|true|false|indeed|certainly|that is (?:right|correct|true))\W*", re.IGNORECASE
)
_NO_REFERENCES = find_reference_list("")


def read_answer(record: Record) -> Reading:
    """Read the answer of a record, however it arrived. What cannot be read has no `answer`, and says why."""
    given = record.answer
    if given is None:
        return Reading("null", "", None)
    if isinstance(given, Answer):
        return _read_structured("structured", given, (), record)
    if not given.strip():
        return Reading("empty", given, None)
    structured = parse_structured(given)
    if structured is None:
        return _read_text("text", given, "none", record)
    form, answer, problems = structured
    if answer is None:
        return Reading(form, given, None, problems=tuple(problems))
    return _read_structured(form, answer, problems, record)


def _read_text(form: Form, text: str, field: str, record: Record) -> Reading:
    """Read plain text: markers and reference list, sentences, what declines, then what asserts."""
    spoken = _blank(text, [(0, answer_start(text))])
    markers, problems = find_markers(spoken, _names(record))
    references = find_reference_list(spoken)
    spoken = _blank(spoken, [problem.where for problem in problems if problem.where])
    sentences = split_sentences(spoken)
    refusal = read_refusal(spoken, sentences, field, question=record.question)
    found_claims = find_claims(spoken, without_declines(spoken, sentences, refusal), markers, references.spans)
    raw = _without_stand_ins(found_claims)
    citations = resolve(markers, references, record)
    claims = tuple(_claim(found, citations) for found in raw)
    used = {index for found in raw for index in found.markers}
    loose = tuple(citation for index, citation in enumerate(citations) if index not in used)
    answer = Answer(claims=claims, refusal=_field_of(refusal), text=text)
    return _with_roles(Reading(form, text, answer, loose, (), refusal, tuple(problems)), record.question)


def _claim(found: RawClaim, citations: Sequence[Citation]) -> Claim:
    context = None if found.context == found.text else found.context
    cited = tuple(citations[index] for index in found.markers)
    if len(cited) == 1 and (quoted := find_quoted(found.text)):
        cited = (cited[0].model_copy(update={"quoted_span": quoted}),)
    return Claim(text=found.text, citations=cited, span=found.span, context=context)


def _field_of(refusal: RefusalReading) -> RefusalField:
    """Say a text's refusal in the words of the schema; a safety refusal has none of its own."""
    return "out_of_scope" if refusal.kind == "harm" else refusal.kind


def _read_structured(form: Form, answer: Answer, problems: Sequence[Problem], record: Record) -> Reading:
    """Read an answer that came as claims. Its own words decide whether it declines, not its refusal field."""
    if answer.text and answer.text.strip() and not answer.claims:
        reading = _read_text(form, answer.text, answer.refusal, record)
        kept = None if reading.answer is None else reading.answer.model_copy(update={"refusal": answer.refusal})
        return replace(reading, answer=kept, problems=(*problems, *reading.problems))
    joined, places = _join(answer.claims)
    text = answer.text if answer.text and answer.text.strip() else joined
    declining = read_refusal(joined, split_sentences(joined), answer.refusal, question=record.question)
    claims = tuple(
        claim.model_copy(update={"citations": _joined(claim.citations, record)})
        for claim, place in zip(answer.claims, places, strict=True)
        if not any(start < place[1] and place[0] < end for start, end in declining.spans)
    )
    refusal = declining
    if text is not joined:
        refusal = read_refusal(text, split_sentences(text), answer.refusal, question=record.question)
    reading = Reading(form, text, answer.model_copy(update={"claims": claims}), (), (), refusal, tuple(problems))
    return _with_roles(reading, record.question)


def _join(claims: Sequence[Claim]) -> tuple[str, list[tuple[int, int]]]:
    """Put claims one below the other, and say where each stands."""
    places, at = [], 0
    for claim in claims:
        places.append((at, at + len(claim.text)))
        at += len(claim.text) + 2
    return "\n\n".join(claim.text for claim in claims), places


def _joined(citations: Sequence[Citation], record: Record) -> tuple[Citation, ...]:
    """Join a structured answer's citations to the log as markers are: by id, by position, by address."""
    markers = [
        Marker(
            raw=citation.raw or citation.source_id or citation.url or "",
            start=citation.span[0] if citation.span else 0,
            end=citation.span[1] if citation.span else 0,
            token=citation.source_id or citation.url or "",
            style="bracket" if citation.source_id else "url",
            url=citation.url,
        )
        for citation in citations
    ]
    found = resolve(markers, _NO_REFERENCES, record)
    return tuple(
        citation.model_copy(update={"source_id": resolved.source_id})
        if citation.source_id or citation.url
        else citation
        for citation, resolved in zip(citations, found, strict=True)
    )


def _without_stand_ins(raw: Sequence[RawClaim]) -> Sequence[RawClaim]:
    """Drop a bare "Yes." that other sentences spell out: read alone by a judge, it says nothing."""
    spelt_out = [found for found in raw if found.markers or not _STAND_IN.fullmatch(found.text)]
    return spelt_out or raw


def _with_roles(reading: Reading, question: str) -> Reading:
    """Give each claim its role. Beside a refusal, uncited guidance ("ask the agent") asserts nothing and is no claim."""
    if reading.answer is None:
        return reading
    claims = reading.answer.claims
    roles = assign_roles(question, claims, reading.refusal, reading.text)
    refusal = settle_extent(reading.refusal, roles)
    if refusal.extent == "none":
        return replace(reading, roles=roles, refusal=refusal)
    kept = [
        (claim, role)
        for claim, role in zip(claims, roles, strict=True)
        if role == "answering" or claim.citations or not is_guidance(claim.text)
    ]
    answer = reading.answer.model_copy(update={"claims": tuple(claim for claim, _ in kept)})
    return replace(reading, answer=answer, roles=tuple(role for _, role in kept), refusal=refusal)


def _names(record: Record) -> set[str]:
    """Give what a marker may call a source by: the ids of the log and of what was shown, and titles."""
    sources = record.retrieved or ()
    return {*(s.source_id for s in sources), *(s.title for s in sources if s.title), *(record.shown or ())}


def _blank(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Overwrite with spaces what is no part of the answer (a model's thoughts, a broken marker); offsets stay."""
    for start, end in spans:
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text
