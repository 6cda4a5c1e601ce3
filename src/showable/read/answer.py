"""Read an answer, in text or JSON, into claims with citations, roles, and how far it declines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from showable.read.claim_kinds import RULES, Stated
from showable.read.claims import ClaimFinder, RawClaim
from showable.read.external import listed_from_nowhere, references_in, softened, without_mentions
from showable.read.fences import unfenced
from showable.read.invisible import is_blank
from showable.read.language import foreign_language
from showable.read.left_over import Piece, of_entries, pieces_of, settled, without_restated, without_talk
from showable.read.log_references import SearchedLog
from showable.read.marker import Marker, Span
from showable.read.markers import find_markers
from showable.read.markup import hidden_words, without_tags
from showable.read.own_schema import differences
from showable.read.plain_text import plain
from showable.read.pooled import pooled_extent, pooled_roles, read_sentences, refusal_of, with_basis
from showable.read.quoted import quotations
from showable.read.reading import Form, Problem, Reading, RefusalReading, renumbered
from showable.read.reference_lists import ReferenceList, find_reference_list
from showable.read.references.found import FoundReference
from showable.read.refusal import assign_roles, read_refusal, settle_extent, without_declines
from showable.read.resolve import Log, resolve
from showable.read.roles import is_guidance
from showable.read.sentences import Sentence, split_sentences
from showable.read.stretches import Stretches
from showable.read.structured import SCHEMA, answer_start, open_thought, parse_structured
from showable.read.structured_answer import beyond_given, read_given
from showable.read.template_markers import opened
from showable.reader.read import Read, read_text
from showable.records.profile import GENERAL, OwnSchema, Profile
from showable.records.record import Answer, Citation, Claim, Record, RefusalField
from showable.records.regex import regex
from showable.records.roles import ReadText
from showable.records.scorecard import Role

PARSER_REVISION = "10"
"""Part of the signature: raised whenever the same answer may be read into other claims or citations."""

LONGEST_ANSWER = 200_000
"""Characters of an answer that is read: some 30,000 words. A longer one is unknown, and costs nothing."""
MOST_CLAIMS = 10_000
"""Claims of an answer that is read, and citations of a structured one."""
_STAND_IN = regex(
    r"(?:yes|no|correct|incorrect|true|false|indeed|certainly|that is (?:right|correct|true))\W*", re.IGNORECASE
)
UNPARSED = "structural.unparsed"
_UNCLOSED = "the thoughts are not closed, and nothing says where the answer begins"


def read_answer(record: Record, profile: Profile = GENERAL, read: Read = read_text) -> Reading:
    """Read the answer of a record, however it arrived. What cannot be read has no `answer`, and says why.

    The rules of the profile give each claim its kind, unless the answer states one. `read` says what the sentences of
    plain text do: the shipped reader, or what was saved of it (`replayed`).
    """
    reading = _with_kinds(_read(record, profile.own_schema, read), profile)
    claims = [claim.text for claim in reading.answer.claims] if reading.answer else []
    spoken = (foreign_language(words) for words in ("\n".join((reading.text, *claims)), *claims))
    return replace(reading, language=next(filter(None, spoken), None))


def _read(record: Record, own: OwnSchema | None, read: Read) -> Reading:
    given = record.answer
    if given is None:
        return Reading("null", "", None)
    if too_much := _too_much(given):
        form: Form = "structured" if isinstance(given, Answer) else "text"
        return Reading(form, "", None, problems=(Problem(UNPARSED, too_much),))
    if isinstance(given, Answer):
        told = () if own is None else differences(own, given.model_dump(mode="json", exclude_unset=True))
        return _besides(_read_structured("structured", given, record, read), [Problem(SCHEMA, said) for said in told])
    return _read_string(given, record, own, read)


def _besides(reading: Reading, problems: Sequence[Problem]) -> Reading:
    """Add what a team's own schema finds fault with, which keeps nothing from being read."""
    return replace(reading, problems=(*problems, *reading.problems)) if problems else reading


def _too_much(given: Answer | str) -> str | None:
    """Return why an answer is too long to be read, None where it is not."""
    if isinstance(given, str):
        length, parts = len(given), 0
    else:
        cited = [citation for claim in given.claims for citation in claim.citations]
        length = len(given.text or "") + sum(len(claim.text) + len(claim.context or "") for claim in given.claims)
        length += sum(len(citation.quoted_span or "") + len(citation.raw or "") for citation in cited)
        parts = max(len(given.claims), len(cited))
    if length > LONGEST_ANSWER:
        return f"an answer of {length:,} characters is not read: the most is {LONGEST_ANSWER:,}"
    return _too_many(parts) if parts > MOST_CLAIMS else None


def _too_many(parts: int) -> str:
    return f"an answer of {parts:,} claims or citations is not read: the most is {MOST_CLAIMS:,}"


def _read_string(given: str, record: Record, own: OwnSchema | None, read: Read) -> Reading:
    """Read what arrived as a string: JSON, a tool call or plain text."""
    if is_blank(given[answer_start(given) :]):
        return Reading("empty", given, None)
    if thought := open_thought(given):
        return Reading("text", given, None, problems=(Problem(UNPARSED, _UNCLOSED, thought),))
    structured = parse_structured(given, own)
    if structured is None:
        asked = f"a call of {own.function}" if own and own.function else "JSON of the schema"
        problems = [] if own is None else [Problem(SCHEMA, f"expected {asked}, got text")]
        return _besides(_read_plain("text", given, "none", record, read), problems)
    form, answer, problems = structured
    if answer is None:
        return Reading(form, given, None, problems=tuple(problems))
    return _besides(_read_structured(form, answer, record, read), problems)


def _read_plain(form: Form, text: str, field: RefusalField, record: Record, read: Read) -> Reading:
    """Read a text without claims of its own by the rules, and once more where the reader says that it declines otherwise."""
    marked = _marked(text, record)
    refusal = read_refusal(marked.visible, marked.sentences, field, question=record.question)
    said = read_sentences(record.question, marked.spoken, marked.sentences, marked.references.spans, read)
    if said is None:
        return _finished(_claimed(form, marked, refusal, read, []), record)
    reads = [said]
    ruled = _finished(_claimed(form, marked, with_basis(refusal, said), read, reads), record)
    extent = pooled_extent(ruled.refusal.extent, said)
    if ruled.answer is None or extent == ruled.refusal.extent:
        return ruled
    refusal = refusal_of(extent, ruled.refusal, said)
    reading = _claimed(form, marked, refusal, read, reads)
    if reading.answer is None:
        return reading
    if extent == "none" and not reading.answer.claims:  # then it declines after all
        return ruled
    roles = pooled_roles(extent, reading.answer.claims, said)
    if extent != "none" and "answering" not in roles:
        refusal = replace(refusal, extent="full")
    return _with_roles(reading, roles, refusal, record)


@dataclass(frozen=True, slots=True)
class _Marked:
    """A text with its markers taken for what they are: what is left to be read, and what they cite.

    `spoken` is the text without what is no part of the answer, `visible` that without its tags; offsets are the text's.
    """

    question: str
    text: str
    spoken: str
    visible: str
    names: frozenset[str]
    sentences: list[Sentence]
    markers: list[Marker]
    references: ReferenceList
    citations: list[Citation]
    outside: list[tuple[Marker, Citation]]
    external: tuple[FoundReference, ...]
    problems: list[Problem]
    searched: SearchedLog


def _marked(text: str, record: Record) -> _Marked:
    spoken = unfenced(_blank(text, [(0, answer_start(text)), *opened(text)]))
    names = frozenset(_names(record))
    markers, problems = find_markers(spoken, names, _places(record))
    references = find_reference_list(spoken, names)
    spoken = _blank(spoken, [problem.where for problem in problems if problem.where])
    external = references_in(spoken)
    visible = without_tags(spoken)
    sentences = split_sentences(softened(visible, external))
    log = Log(record)
    markers, told = without_mentions(markers, sentences, log.searched)
    return _Marked(
        record.question,
        text,
        spoken,
        visible,
        names,
        sentences,
        markers,
        references,
        citations=resolve(markers, references, log),
        outside=list(zip(told, resolve(told, references, log), strict=True)),
        external=external,
        problems=problems,
        searched=log.searched,
    )


def _claimed(form: Form, marked: _Marked, refusal: RefusalReading, read: Read, reads: list[ReadText]) -> Reading:
    """Read the claims of a text: what does not decline, and what is left of it and states something.

    `reads` is what the reader said of the text so far, the sentences first; what it says of the words left over is added.
    """
    finder = ClaimFinder(marked.visible, marked.markers, marked.references.spans)
    raw = _without_stand_ins(finder.read(without_declines(marked.visible, marked.sentences, refusal)))
    if len(raw) > MOST_CLAIMS:
        return Reading(form, "", None, problems=(Problem(UNPARSED, _too_many(len(raw))),))
    owned = [*(found.span for found in raw), *finder.led, *marked.references.spans]
    if reads:
        spoken_of = (without_talk(found, reads[0], finder.claim, finder.words) for found in raw)
        raw = [found for found in spoken_of if found] or raw
    pieces = without_restated(_left_over(marked, refusal, finder, owned), [found.text for found in raw])
    known = {one.span for said in reads for one in said.sentences}
    if unread := sorted({piece.span for piece in pieces} - known):
        reads.append(read(marked.question, marked.spoken, unread))
    asserting, nobodys = settled(pieces, reads)
    stated = [piece.claim or finder.claim(piece.span, piece.words) for piece in asserting]
    raw = sorted([*raw, *stated], key=lambda found: found.span)
    used = {index for found in raw for index in found.markers}
    loose = [citation for index, citation in enumerate(marked.citations) if index not in used]
    cited = [*marked.citations, *(citation for _, citation in marked.outside)]
    loose += listed_from_nowhere(marked.spoken, marked.references.spans, cited, marked.searched)
    claims = tuple(_claim(found, marked.citations, marked.outside) for found in raw)
    return Reading(
        form,
        marked.text,
        Answer(claims=claims, refusal=_field_of(refusal), text=marked.text),
        tuple(loose),
        refusal=refusal,
        problems=tuple(marked.problems),
        references=marked.external,
        read=tuple(reads),
        unread=tuple(piece.span for piece in nobodys),
    )


def _left_over(marked: _Marked, refusal: RefusalReading, finder: ClaimFinder, owned: Sequence[Span]) -> list[Piece]:
    """Return the visible words that no claim, decline or citation owns and that may state something."""
    citing = [(marker.start, marker.end) for marker in marked.markers]
    titles = (name for name in marked.names if " " in name and name in marked.visible)
    citing += (found.span() for title in titles for found in re.finditer(re.escape(title), marked.visible))
    pieces = list(
        pieces_of(marked.visible, marked.sentences, owned, finder.words, declining=refusal.spans, citing=citing)
    )
    pieces += (Piece(found.span, found.text, claim=found) for found in finder.inside)
    hidden = hidden_words(marked.text)
    pieces += (Piece(span, plain(marked.spoken[slice(*span)]), named=True) for span in hidden)
    return [*pieces, *of_entries(marked.spoken, marked.references, marked.names)]


def _claim(found: RawClaim, citations: Sequence[Citation], outside: Sequence[tuple[Marker, Citation]]) -> Claim:
    """Put a claim together; `outside` are works that it speaks of though no source has told of them."""
    context = None if found.context == found.text else found.context
    start, end = found.span
    told = (citation for marker, citation in outside if start <= marker.start < end)
    cited = (*(citations[index] for index in found.markers), *told)
    return Claim(text=found.text, citations=cited, span=found.span, context=context)


def _field_of(refusal: RefusalReading) -> RefusalField:
    """Say a text's refusal in the words of the schema; a safety refusal has none of its own."""
    return "out_of_scope" if refusal.kind == "harm" else refusal.kind


def _read_structured(form: Form, answer: Answer, record: Record, read: Read) -> Reading:
    """Read an answer that came as claims, and in its text what its claims do not say.

    Its own words decide whether it declines, not its refusal field. Where it makes no claims, its text is read as plain text is.
    """
    text = answer.text or ""
    unclosed = (Problem(UNPARSED, f"text: {_UNCLOSED}"),) if open_thought(text) else ()
    if unclosed and not answer.claims:
        return Reading(form, text, None, problems=unclosed)
    shown = not unclosed and not is_blank(text[answer_start(text) :])
    if shown and not answer.claims:
        reading = _read_plain(form, text, answer.refusal, record, read)
        claims = () if reading.answer is None else reading.answer.claims
        return replace(reading, answer=reading.answer and answer.model_copy(update={"claims": claims}))
    spoken = None
    if shown:
        marked = _marked(text, record)
        refusal = read_refusal(marked.visible, marked.sentences, answer.refusal, question=record.question)
        spoken = _claimed(form, marked, refusal, read, [])
    if spoken is not None and spoken.answer is None:
        return replace(spoken, form=form)
    given = read_given(answer, spoken, record)
    problems = (*unclosed, *given.problems)
    if spoken is None:
        kept = answer.model_copy(update={"claims": given.claims})
        reading = Reading(form, given.text, kept, given.loose, refusal=given.refusal, problems=problems)
        return _finished(reading, record)
    added, loose = beyond_given(spoken, given)
    kept = answer.model_copy(update={"claims": (*given.claims, *added)})
    problems = (*problems, *spoken.problems)
    return _finished(replace(spoken, answer=kept, loose=(*given.loose, *loose), problems=problems), record)


def _without_stand_ins(raw: Sequence[RawClaim]) -> Sequence[RawClaim]:
    """Drop a bare "Yes." that other sentences spell out: read alone by a judge, it says nothing."""
    spelt_out = [found for found in raw if found.markers or not _STAND_IN.fullmatch(found.text)]
    return spelt_out or raw


def _finished(reading: Reading, record: Record) -> Reading:
    """Return each claim its role by the rules, and settle how far the answer declines."""
    if reading.answer is None:
        return reading
    roles = assign_roles(record.question, reading.answer.claims, reading.refusal, reading.text)
    return _with_roles(reading, roles, settle_extent(reading.refusal, roles), record)


def _with_roles(reading: Reading, roles: Sequence[Role], refusal: RefusalReading, record: Record) -> Reading:
    """Return each claim its role and its quotations.

    Beside a refusal, guidance ("the closest is the notice clause [1]") asserts nothing and is no claim;
    what it cites is kept among the loose citations.
    """
    claims = () if reading.answer is None else reading.answer.claims
    if reading.answer is not None and refusal.extent != "none":
        stays = [i for i, claim in enumerate(claims) if roles[i] == "answering" or not is_guidance(claim.text)]
        left = tuple(citation for i, claim in enumerate(claims) if i not in stays for citation in claim.citations)
        claims, roles = tuple(claims[i] for i in stays), tuple(roles[i] for i in stays)
        answer = reading.answer.model_copy(update={"claims": claims})
        problems = renumbered(reading.problems, stays)
        reading = replace(reading, answer=answer, loose=(*reading.loose, *left), problems=problems)
    return replace(reading, roles=tuple(roles), refusal=refusal, quotes=_quotes(claims, record))


def _with_kinds(reading: Reading, profile: Profile) -> Reading:
    """Return each claim its kind: the one it states, if the profile knows it, else the one that its rules see in the claim.

    A kind that no threshold and no rule speaks of would slip past what the profile asks of the kinds it knows.
    """
    rules = RULES[profile.claim_rules]
    if reading.answer is None or not rules.kinds:
        return reading
    known = {kind.casefold(): kind for kind in rules.kinds}
    claims = [
        claim.model_copy(update={"kind": known.get(_folded(claim.kind)) or rules.kind_of(_stated(claim, quotes))})
        for claim, quotes in zip(reading.answer.claims, reading.quotes, strict=True)
    ]
    return replace(reading, answer=reading.answer.model_copy(update={"claims": tuple(claims)}))


def _folded(kind: str | None) -> str:
    """Return a kind as profiles spell it: "Direct quote" is `direct_quote`."""
    return re.sub(r"[\s-]+", "_", (kind or "").strip().casefold())


def _stated(claim: Claim, quotes: Sequence[str]) -> Stated:
    """Show a claim to the rules. What a citation quotes from its source is evidence, not words that the claim quotes."""
    cites = frozenset(citation.reference.kind for citation in claim.citations if citation.reference)
    return Stated(claim.text, cites, bool(quotes))


def _quotes(claims: Sequence[Claim], record: Record) -> tuple[tuple[str, ...], ...]:
    """Return the quotations of each claim's own text."""
    titles = [source.title for source in record.retrieved or () if source.title]
    return tuple(quotations(claim.text, titles, record.question) for claim in claims)


def _names(record: Record) -> set[str]:
    """Return what a marker may call a source by: the ids of the log and of what was shown, and titles."""
    sources = record.retrieved or ()
    return {*(s.source_id for s in sources), *(s.title for s in sources if s.title), *(record.shown or ())}


def _places(record: Record) -> int:
    """Return how many positions a number may name; none where the log's own ids are numbers."""
    shown = [s.source_id for s in record.retrieved or ()] if record.shown is None else record.shown
    return 0 if any(map(str.isdecimal, shown)) else len(shown)


def _blank(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Overwrite with spaces what is no part of the answer (a model's thoughts, a broken marker); offsets stay."""
    return Stretches(spans).rewritten(text, lambda words: " " * len(words))
