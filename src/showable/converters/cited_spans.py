"""Citations that a provider hangs on stretches of an answer's text: whose claims they are.

Providers cite words, not claims: a block " 30 days" in the middle of a sentence, a point behind its full stop. The claims
are those that plain text is read into, whole sentences or the parts of compound ones, so that a sentence nobody cited
is a claim too; each gets the citations of the words within it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from showable.converters.shape import FieldError
from showable.read.answer import read_answer
from showable.read.reading import Reading
from showable.read.roles import is_guidance
from showable.read.sentences import Sentence, split_sentences
from showable.records.record import Answer, Citation, Claim, Record

NOT_PROSE = "the answer is no prose: the payload's citations could not be put to its claims"
UNATTACHED = "citations on words that assert nothing were left out"
MOST_HUNG = 200_000
"""Citations on the claims of one answer, counting each once a claim. More come of no model: thousands, each on all of a long text."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation and the words that carry it, which become its span: code points of the answer, end exclusive.

    Where the provider gives a point, at which a marker would stand, `start` is None and `end` that point: it closes
    what stands before it, as a marker does.
    """

    start: int | None
    end: int
    citation: Citation


def with_citations(record: Record, cited: Sequence[Cited]) -> tuple[Record, tuple[str, ...]]:
    """Return a record whose answer is text the same answer as claims with their citations, and notes on what did not fit.

    An answer without citations stays the text that it is: what it is read into is the same. Markers and links
    that the model wrote into its text by itself are kept beside the provider's citations. Raises FieldError where
    there are more than any model gives.
    """
    if not cited or not isinstance(record.answer, str):
        return record, ()
    try:
        reading = read_answer(record)
    except RecursionError:
        raise FieldError("", "the answer is nested too deeply to be read") from None
    if reading.answer is None or reading.form != "text":
        return record, (NOT_PROSE,) if reading.answer is not None else ()
    hung = _Hanging(record.answer, reading)
    for one in sorted(cited, key=lambda one: (one.start is None, one.end)):
        hung.hang(one)
    hung.hang_the_rest()
    told = [_told(record, reading.answer, claims) for claims in hung.ways()]
    read_alike = (one for one in told if _spoken(read_answer(one)) == _spoken(reading))
    chosen = next(read_alike, told[-1])
    left_out = hung.unattached or (hung.aside and chosen is not told[0])
    return chosen, (UNATTACHED,) if left_out else ()


def _told(record: Record, read: Answer, claims: Iterable[Claim]) -> Record:
    ordered = sorted(claims, key=lambda claim: claim.span or (0, 0))
    answer = Answer(claims=tuple(ordered), refusal=read.refusal, text=read.text)
    return record.model_copy(update={"answer": answer})


def _spoken(reading: Reading) -> tuple[list[str], str]:
    """Return what an answer asserts, and how far it declines: citations may change neither."""
    said = reading.answer.claims if reading.answer else ()
    return sorted(claim.text for claim in said), reading.refusal.extent


@dataclass(slots=True)
class _Hung:
    """A claim and what hangs on it, in the order of its words."""

    claim: Claim
    start: int
    end: int
    citations: dict[tuple[object, ...], Citation] = field(default_factory=dict)

    def add(self, citation: Citation) -> None:
        """Hang a citation on it. The same words of the same place, cited by two fragments of a sentence, are one citation."""
        self.citations.setdefault(_key(citation), citation)

    def cited(self) -> Claim:
        """Return the claim with them."""
        return self.claim.model_copy(update={"citations": tuple(self.citations.values())})


def _key(citation: Citation) -> tuple[object, ...]:
    named = citation.source_id or citation.url
    return named, (citation.quoted_span or "").strip(), citation.page


class _Hanging:
    """The claims of one answer, while citations are hung on them."""

    def __init__(self, text: str, reading: Reading) -> None:
        self.text = text
        self.declining = sorted(reading.refusal.spans)
        self.room = MOST_HUNG
        claims = reading.answer.claims if reading.answer else ()
        self.hung = [_Hung(c, *c.span, {_key(each): each for each in c.citations}) for c in claims if c.span]
        self.hung.sort(key=lambda one: one.start)
        self.starts = [one.start for one in self.hung]
        self.aside: dict[tuple[int, int], _Hung] = {}
        self.unattached = 0
        self._found: dict[tuple[int | None, int], list[_Hung]] = {}
        self._apart: dict[tuple[int, int], list[Citation]] = {}
        self._sentences: tuple[list[Sentence], list[int]] | None = None

    def hang(self, one: Cited) -> None:
        """Hang one citation on the claims whose words carry it."""
        end = max(0, min(one.end, len(self.text)))
        start = None if one.start is None else max(0, min(one.start, end))
        if start is not None:
            words = self.text[start:end]
            start, end = start + len(words) - len(words.lstrip()), start + len(words.rstrip())
            start = start if start < end else None
        if (start, end) not in self._found:
            self._found[start, end] = self._closed_by(end) if start is None else self._within(start, end)
        citation = one.citation.model_copy(update={"span": (end if start is None else start, end)})
        self._add(citation, self._found[start, end])
        if not self._found[start, end]:
            self._apart.setdefault((max(0, end - 1) if start is None else start, end), []).append(citation)

    def hang_the_rest(self) -> None:
        """Hang what stands on no claim, once it is known which claims have citations of their own."""
        led: dict[int, list[_Hung]] = {}
        for (start, end), citations in self._apart.items():
            found = self._beside(start, end, led)
            self.unattached += not found
            for citation in citations:
                self._add(citation, found)

    def _add(self, citation: Citation, claims: Sequence[_Hung]) -> None:
        self.room -= len(claims)
        if self.room < 0:
            raise FieldError("", f"its citations hang on more than {MOST_HUNG:,} claims, counting each time")
        for claim in claims:
            claim.add(citation)

    def ways(self) -> list[list[Claim]]:
        """Return the ways to write the claims down, the fullest first: with what declines or points on, without, without uncited ones.

        An uncited claim stands in the text too, and is read from there.
        """
        claims = [one.cited() for one in self.hung]
        aside = [one.cited() for one in self.aside.values()]
        return [*([[*claims, *aside]] if aside else []), claims, [one for one in claims if one.citations], claims]

    def _within(self, start: int, end: int) -> list[_Hung]:
        """Return the claims that have a letter or a figure of the stretch."""
        at = max(0, bisect_right(self.starts, start) - 1)
        found = []
        while at < len(self.hung) and self.hung[at].start < end:
            one = self.hung[at]
            if any(map(str.isalnum, self.text[max(start, one.start) : min(end, one.end)])):
                found.append(one)
            at += 1
        return found

    def _closed_by(self, point: int) -> list[_Hung]:
        """Return the claim that ends at or holds the point, and those parts of its sentence before it that nothing closes."""
        at = bisect_right(self.starts, point - 1) - 1
        if at < 0 or any(map(str.isalnum, self.text[self.hung[at].end : point])):
            return []
        found = [self.hung[at]]
        whole = found[0].claim.context
        while whole and at and self.hung[at - 1].claim.context == whole and not self.hung[at - 1].citations:
            at -= 1
            found.append(self.hung[at])
        return found

    def _beside(self, start: int, end: int, led: dict[int, list[_Hung]]) -> list[_Hung]:
        """Return what takes a citation that stands on no claim: the items of a list it leads into, or what declines.

        `led` keeps the items that a lead-in was found to have, by its place: the first of its citations makes them cited.
        """
        sentences, starts = self._split()
        at = max(0, bisect_right(starts, start) - 1)
        if at >= len(sentences) or sentences[at].start >= max(end, start + 1):
            return []
        sentence = sentences[at]
        words = self.text[sentence.start : sentence.end]
        if words.rstrip(" *_").endswith(":"):
            return led.setdefault(at, self._led(sentences, at + 1))
        place = self._declines(start, max(end, start + 1))
        if place is None and self.declining and is_guidance(words) and not self._within(sentence.start, sentence.end):
            place = (sentence.start, sentence.end)
        if place is None:
            return []
        return [self.aside.setdefault(place, _Hung(Claim(text=self.text[slice(*place)], span=place), *place))]

    def _declines(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the first of what declines that a stretch meets; sentences decline, so none lies in another."""
        at = max(0, bisect_right(self.declining, (start, start)) - 1)
        return next(((a, b) for a, b in self.declining[at : at + 2] if a < end and start < b), None)

    def _led(self, sentences: Sequence[Sentence], at: int) -> list[_Hung]:
        found: list[_Hung] = []
        while at < len(sentences) and sentences[at].lead:
            found += [one for one in self._within(sentences[at].start, sentences[at].end) if not one.citations]
            at += 1
        return found

    def _split(self) -> tuple[list[Sentence], list[int]]:
        """Return the sentences and where they begin, split when first asked for."""
        if self._sentences is None:
            split = split_sentences(self.text)
            self._sentences = split, [sentence.start for sentence in split]
        return self._sentences


def nearest(words: str, text: str, start: int) -> int | None:
    """Find the place of `words` that is nearest to an offset; None where they stand nowhere."""
    after, before = text.find(words, start), text.rfind(words, 0, start + len(words))
    found = [at for at in (before, after) if at >= 0]
    return min(found, key=lambda at: abs(at - start)) if words and found else None
