"""An answer that came as claims: what of it can be kept, and what its text asserts beyond its claims."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from showable.errors import InputError
from showable.read.claims import asserts_fact
from showable.read.external import told_from_nowhere
from showable.read.invisible import is_blank
from showable.read.marker import Marker, Span
from showable.read.plain_text import plain
from showable.read.positions import Positions
from showable.read.quoted import folded
from showable.read.reading import Problem, Reading, RefusalReading, renumbered
from showable.read.reference_lists import find_reference_list
from showable.read.refusal import read_refusal, without_declines
from showable.read.resolve import Log, resolve, with_reference
from showable.read.restated import Restated
from showable.read.sentences import Sentence, split_sentences
from showable.read.stretches import Stretches
from showable.read.structured import SCHEMA
from showable.read.structured_forms import read_form
from showable.records.record import FORM, UNCLEAR, Answer, Citation, Claim, Record

_NO_REFERENCES = find_reference_list("")
_LONGEST_MARKS = 400
"""Markers and formatting may make the words of a claim longer where they stand than they are, but not without end."""


@dataclass(frozen=True, slots=True)
class Given:
    """The claims of a structured answer as they can be kept, with what was wrong with its fields.

    `loose` holds the citations of claims that only decline. `text` is the claims one below the other, and
    `refusal` how far they decline, with spans into it; of an answer with a text, that text says it. `places` are those of kept claims that stand in the shown text.
    """

    claims: tuple[Claim, ...]
    loose: tuple[Citation, ...]
    problems: tuple[Problem, ...]
    refusal: RefusalReading
    text: str
    places: tuple[Span, ...] = ()


def read_given(answer: Answer, spoken: Reading | None, record: Record) -> Given:
    """Check an answer's claims, join their citations to the log, and cut what declines out of them.

    `spoken` is the reading of the text that spans index, None where there is no text. A claim that declines and asserts
    besides is kept for the rest of its words, with its citations. A claim without words is left out, and a span outside
    the text dropped: each is a Problem that names the field, without `where`, for nothing in the text is wrong.
    """
    problems: list[Problem] = []
    numbers = [i for i, claim in enumerate(answer.claims) if not is_blank(claim.text)]
    blank = [i for i, claim in enumerate(answer.claims) if is_blank(claim.text)]
    problems += (Problem(SCHEMA, f"claims.{i}.text: a claim without words") for i in blank)
    size = len(spoken.text) if spoken else 0
    checked = [_with_spans_inside(answer.claims[i], i, size, problems) for i in numbers]
    cut = _Cutting(checked, answer, spoken, record.question)
    claims: list[Claim] = []
    kept: list[int] = []
    loose: list[Citation] = []
    log = Log(record)
    cited_anywhere = (_marker(citation) for claim in checked for citation in claim.citations)
    positions = Positions(cited_anywhere, log.order, log.ids)
    for i, claim, place in zip(numbers, checked, cut.places, strict=True):
        read = tuple(form_read(c, f"claims.{i}.citations.{j}", problems) for j, c in enumerate(claim.citations))
        joined_to_log = _joined(read, log, positions)
        besides = told_from_nowhere(claim.text, joined_to_log, log.searched)
        cited = claim.model_copy(update={"citations": (*joined_to_log, *besides)})
        rest = cut.rest(cited, place)
        if rest is None:
            loose += cited.citations
        else:
            claims.append(rest)
            kept.append(i)
    standing = tuple(cut.standing)
    refusal = RefusalReading() if spoken else cut.declining
    return Given(tuple(claims), tuple(loose), renumbered(problems, kept), refusal, cut.joined, standing)


class _Cutting:
    """What declines in the claims of an answer, and the claims without it.

    It is read from the claims one below the other, but for a claim that stands at its span in the text: there it has
    its context, and what declines in the text declines in the claim. So text and claims read as the text alone does.
    """

    def __init__(self, claims: Sequence[Claim], answer: Answer, spoken: Reading | None, question: str) -> None:
        self.joined, self.places = _join(claims)
        self.standing: list[Span] = []
        self._field, self._question = answer.refusal, question
        self._in_text = _ClaimsInText(spoken) if spoken else None

    @cached_property
    def _sentences(self) -> list[Sentence]:
        return split_sentences(self.joined)

    @cached_property
    def declining(self) -> RefusalReading:
        """How far the claims decline: read when first asked for, as the claims of most answers all stand in its text."""
        return read_refusal(self.joined, self._sentences, self._field, question=self._question)

    @cached_property
    def _spans(self) -> Stretches:
        return Stretches(self.declining.spans)

    @cached_property
    def _left(self) -> list[Span]:
        return [(s.start, s.end) for s in without_declines(self.joined, self._sentences, self.declining)]

    def rest(self, claim: Claim, place: Span) -> Claim | None:
        """Return a claim, which at `place` of the joined ones, without what declines; None if the rest asserts nothing."""
        shown, span = self._in_text, claim.span
        if shown and span and shown.stands(claim):
            rest = shown.kept(claim, span)
            self.standing += [span] if rest else []
            return rest
        if (shown and shown.makes(claim)) or not self._spans.covered(place):
            return claim
        return _rest(claim, place, self.joined, self._left, shown.text if shown else "")


def _with_spans_inside(claim: Claim, i: int, size: int, problems: list[Problem]) -> Claim:
    changed: dict[str, Any] = {}
    if claim.span and not _lies_in(claim.span, size):
        said = f"claims.{i}.span: {list(claim.span)} lies outside the text"
        problems.append(Problem(SCHEMA, said, claim=i))
        changed["span"] = None
    for j, citation in enumerate(claim.citations):
        if citation.span and not _lies_in(citation.span, size):
            said = f"claims.{i}.citations.{j}.span: {list(citation.span)} lies outside the text"
            problems.append(Problem(SCHEMA, said, claim=i, citation=j))
            citations = list(changed.get("citations", claim.citations))
            citations[j] = citation.model_copy(update={"span": None})
            changed["citations"] = tuple(citations)
    return claim.model_copy(update=changed) if changed else claim


def _lies_in(span: tuple[int, int], size: int) -> bool:
    return 0 <= span[0] <= span[1] <= size


def _join(claims: Sequence[Claim]) -> tuple[str, list[tuple[int, int]]]:
    """Put claims one below the other, and say where each stands."""
    places, at = [], 0
    for claim in claims:
        places.append((at, at + len(claim.text)))
        at += len(claim.text) + 2
    return "\n\n".join(claim.text for claim in claims), places


def _rest(claim: Claim, place: Span, text: str, left: Sequence[Span], shown: str) -> Claim | None:
    """Return a claim at `place` of a text the words that are left of it; None if they assert nothing.

    They keep their place in the shown text where the claim's own place holds them.
    """
    first, last = max(0, bisect_left(left, place) - 1), bisect_left(left, (place[1], 0))
    rest = " ".join(text[max(a, place[0]) : min(b, place[1])].strip() for a, b in left[first:last])
    if not asserts_fact(rest):
        return None
    at = shown.find(rest, *claim.span) if claim.span else -1
    span = (at, at + len(rest)) if at >= 0 else None
    return claim.model_copy(update={"text": rest[:1].upper() + rest[1:], "span": span})


def form_read(citation: Citation, at: str, problems: list[Problem]) -> Citation:
    """Read a reference that came as a structured form; one that is none of the forms is a problem, and stays as it is."""
    if citation.reference is None or citation.reference.kind != FORM:
        return citation
    try:
        return citation.model_copy(update={"reference": read_form(citation.reference)})
    except InputError as error:
        problems.append(Problem(SCHEMA, f"{at}.reference: {error}"))
        return citation


def _marker(citation: Citation) -> Marker:
    """Build the marker that a citation of a structured answer would be in a text."""
    token = citation.source_id or citation.url or ""
    return Marker("", 0, 0, token, "bracket" if citation.source_id else "url", url=citation.url)


def _joined(citations: Sequence[Citation], log: Log, positions: Positions) -> tuple[Citation, ...]:
    """Join a structured answer's citations to the log as markers are: by id, by position, by address.

    `raw` keeps what the model wrote, which a position or a title does not say any more once it is an id.
    """
    found = resolve([_marker(citation) for citation in citations], _NO_REFERENCES, log, positions)
    return tuple(
        citation.model_copy(
            update={
                "source_id": resolved.source_id,
                "raw": citation.raw or citation.source_id or citation.url,
                "reference": resolved.reference
                if resolved.reference and resolved.reference.kind == UNCLEAR
                else citation.reference,
            }
        )
        if citation.source_id or citation.url
        else with_reference(citation, log)
        for citation, resolved in zip(citations, found, strict=True)
    )


def beyond_given(spoken: Reading, given: Given) -> tuple[tuple[Claim, ...], tuple[Citation, ...]]:
    """Return the claims that only the shown text makes, and the citations that only it gives and that hang on none of them.

    A number is no position where it counts the answer's own citations.
    """
    said = spoken.answer.claims if spoken.answer else ()
    known, standing = Restated(given.claims), Stretches(given.places)
    added: list[Claim] = []
    others = list(spoken.loose)
    for claim in said:
        if (claim.span and 2 * standing.covered(claim.span) > claim.span[1] - claim.span[0]) or known.says(claim.text):
            others += claim.citations
        else:
            added.append(claim)
    cited = [citation for claim in given.claims for citation in claim.citations]
    cited += given.loose
    names = {name for c in cited for name in (c.source_id, c.url) if name}
    own_numbers = {str(number + 1) for number in range(len(cited))}
    loose = [c for c in others if c.source_id not in own_numbers and not {c.source_id, c.url} & names]
    return tuple(added), tuple(loose)


class _ClaimsInText:
    """The text of a structured answer as read, to ask of a claim whether it stands in it, and what of it is asserted there."""

    def __init__(self, spoken: Reading) -> None:
        self.text = spoken.text
        self._declining = Stretches(spoken.refusal.spans)
        said = spoken.answer.claims if spoken.answer else ()
        self._said = sorted(((claim.span, claim.text) for claim in said if claim.span), key=lambda one: one[0])
        places: dict[str, list[Span]] = {}
        for span, words in self._said:
            places.setdefault(folded(words), []).append(span)
        self._made = {words: Stretches(spans) for words, spans in places.items()}

    def stands(self, claim: Claim) -> bool:
        """Check whether the words at the claim's span are the claim's; numeric markers, formatting and stops aside."""
        if claim.span is None or claim.span[1] - claim.span[0] > 2 * len(claim.text) + _LONGEST_MARKS:
            return False
        return folded(plain(self.text[slice(*claim.span)])) == folded(plain(claim.text))

    def makes(self, claim: Claim) -> bool:
        """Check whether the text, read by itself, makes this very claim at the claim's span."""
        made = self._made.get(folded(claim.text))
        return claim.span is not None and made is not None and made.covered(claim.span) > 0

    def kept(self, claim: Claim, span: Span) -> Claim | None:
        """Return a claim that stands at a span, without what declines there; None where it asserts nothing.

        A claim that cites is taken at its word, though its sentence may read like a courtesy.
        """
        if not self._declining.covered(span):
            return claim if claim.citations or self._within(span) or _says_something(claim.text) else None
        within = self._within(span)
        if not within:
            return None
        start, end = within[0][0][0], within[-1][0][1]
        return claim.model_copy(update={"text": ". ".join(words for _, words in within), "span": (start, end)})

    def _within(self, span: Span) -> list[tuple[Span, str]]:
        """Return the claims that the text makes within a span."""
        first, last = bisect_left(self._said, ((span[0], 0), "")), bisect_left(self._said, ((span[1], 0), ""))
        return [one for one in self._said[first:last] if one[0][1] <= span[1]]


def _says_something(words: str) -> bool:
    """Check whether words that the text leaves aside are more than a courtesy or a bare "Yes."."""
    return len(words.split()) > 1 and asserts_fact(words)
