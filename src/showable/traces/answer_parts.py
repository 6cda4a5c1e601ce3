"""An answering span's words as the answer of a Record: with the citations that it publishes, each on the claim it is for.

Sentences that no citation is published for stay in the text, and are read from there as claims without citations.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from showable.read.resolve import normalise_url
from showable.read.sentences import split_sentences
from showable.read.source_names import named_source
from showable.records.record import Answer, Citation, Claim, Reference, unclear
from showable.records.traced import Loss
from showable.traces.answering import Answering
from showable.traces.conventions.values import sound
from showable.traces.facts import TracedCitation
from showable.traces.json_answers import is_structured, read_json_answer
from showable.traces.retrieval import Log, came_short
from showable.traces.text_values import parsed, squeezed

_SHORTEST_QUOTE = 12
_BRACKET = re.compile(r"\s*\[([^\[\]\n]{1,200})\]")
_NUMBERS = re.compile(r"\d+(?:\s*[,;–-]\s*\d+)*")
_Place = tuple[int, int]
_SAID = ("output", "completion", "citation", "message", "answer", "response", "gen_ai.choice")
"""Parts of the names of attributes that hold an answer and what it cites."""


def answer_of(answering: Answering, log: Log) -> tuple[Answer | str, list[Loss]]:
    """Return the answer: its text where nothing is published beside it, else its text with the published citations on their claims."""
    text, published = sound(answering.text), _published(answering)
    if not text and not published:
        return text, []
    losses: list[Loss] = []
    if published is None and is_structured(text):
        return text, []
    if (found := read_json_answer(text)) is not None:
        text, cited = found
        if published is None and cited is not None:
            published = cited
            losses.append(
                Loss("citations_from_json", "the answer is JSON of no known form: its citations were taken by name")
            )
    if published is None:
        said = "no citations are published: they were read from the answer's text"
        return text, [*losses, Loss("citations_from_text", said)]
    if not published or parsed(text) is not None:
        return text, losses
    hanging = _Hanging(text, frozenset(source.source_id for source in log.retrieved or ()))
    provided = _Provided(log)
    for one in _joined_by_quote(published, log, losses):
        hanging.hang(*provided.joined(one))
    return Answer(text=text or None, claims=tuple(hanging.claims())), losses + hanging.losses()


def citations_doubt(answering: Answering) -> str:
    """Return why a claim without a citation may have one all the same; "" where all that the answering span said is there."""
    if any(came_short(step, _SAID) for step in (answering.step, *answering.twins)):
        return "the answering span came cut, or without some of its attributes"
    return ""


def _published(answering: Answering) -> Sequence[TracedCitation] | None:
    steps = (answering.step, *answering.twins)
    return next((step.facts.citations for step in steps if step.facts.citations is not None), None)


def _joined_by_quote(published: Sequence[TracedCitation], log: Log, losses: list[Loss]) -> list[TracedCitation]:
    """Where documents came without ids, put the one that alone holds a citation's quoted words in place of the id it names."""
    known = {source.source_id for source in log.retrieved or ()}
    if not any(loss.code == "hashed_ids" for loss in log.losses):
        return list(published)
    texts = {source.source_id: squeezed(source.text or "") for source in log.retrieved or ()}
    found, joined = [], 0
    for one in published:
        quote = squeezed(one.quoted_span or "")
        holding = [named for named, text in texts.items() if quote in text] if len(quote) >= _SHORTEST_QUOTE else []
        if one.source_id not in known and len(holding) == 1:
            joined += 1
            found.append(replace(one, source_id=holding[0]))
        else:
            found.append(one)
    if joined:
        counted = "a citation was" if joined == 1 else f"{joined} citations were"
        losses.append(
            Loss("joined_by_quote", f"{counted} joined to a document without an id by the words quoted from it")
        )
    return found


class _Provided:
    """Joins citations of a model's API, which names sources by titles, files and places in what was sent, to the log."""

    def __init__(self, log: Log) -> None:
        self._sources, self._shown = log.retrieved or (), log.shown or ()
        self._ids = frozenset(source.source_id for source in self._sources)
        self._sorted = sorted(self._ids)

    def joined(self, one: TracedCitation) -> tuple[TracedCitation, Reference | None]:
        """Return a citation with the id that it means; where none can be told, without one and with a reference that says so."""
        if not one.provided or not self._sources:
            return one, None
        found = self._named(one) or self._by_words(one)
        if found or one.url:
            return replace(one, source_id=found), None
        text = one.names[0] if one.names else f"document {one.index}"
        why = "the log has none by the name that the model's API gives it"
        return replace(one, source_id=None), unclear(text, self._sorted, why)

    def _named(self, one: TracedCitation) -> str | None:
        """Find the one source that goes by one of the names, or stands at the address."""
        for name in one.names:
            if named := named_source(name, self._ids):
                return named.source
        names = {name.strip().casefold() for name in one.names}
        url = normalise_url(one.url) if one.url else None
        found = {
            source.source_id
            for source in self._sources
            if (source.title or "").strip().casefold() in names or (url and normalise_url(source.url or "") == url)
        }
        return found.pop() if len(found) == 1 else None

    def _by_words(self, one: TracedCitation) -> str | None:
        """Find the one source that holds the quoted words; of several, that at the place which is named."""
        quote = squeezed(one.quoted_span or "")
        if len(quote) < _SHORTEST_QUOTE:
            return None
        holding = [source.source_id for source in self._sources if quote in squeezed(source.text or "")]
        at = self._shown[one.index] if one.index is not None and 0 <= one.index < len(self._shown) else None
        return at if at in holding else holding[0] if len(holding) == 1 else None


@dataclass(slots=True)
class _Hanging:
    """The claims of a text while citations are hung on them. `apart` are claims whose words stand nowhere in it."""

    text: str
    ids: frozenset[str]
    placed: dict[_Place, list[Citation]] = field(default_factory=dict)
    apart: dict[str, list[Citation]] = field(default_factory=dict)
    homeless: int = 0

    def hang(self, one: TracedCitation, reference: Reference | None = None) -> None:
        """Hang a citation on its claim's words, else on the sentences of its place, else on the last sentence."""
        stretch = self._stretch(one)
        citation = Citation(
            source_id=one.source_id,
            quoted_span=one.quoted_span,
            page=one.page,
            url=one.url,
            reference=reference,
            span=stretch,
        )
        words = (one.claim or "").strip()
        if words:
            place = self._place_of(words, one.start or 0)
            (self.apart.setdefault(words, []) if place is None else self.placed.setdefault(place, [])).append(citation)
            return
        places = self._sentences(stretch) if stretch else self._sentences((0, len(self.text)))[-1:]
        self.homeless += not stretch
        for place in places:
            self.placed.setdefault(place, []).append(citation)

    def claims(self) -> list[Claim]:
        """Return the claims that have citations, by their place."""
        found = [
            Claim(text=self._bare(self.text[start:end]), span=(start, end), citations=tuple(cited))
            for (start, end), cited in sorted(self.placed.items())
        ]
        return found + [Claim(text=self._bare(words), citations=tuple(cited)) for words, cited in self.apart.items()]

    def _bare(self, words: str) -> str:
        """Leave out the markers within a claim: a judge would read them as part of what is claimed."""
        if "[" not in words:
            return words

        def kept(found: re.Match[str]) -> str:
            inside = found[1].strip()
            return "" if inside in self.ids or _NUMBERS.fullmatch(inside) else found[0]

        return _BRACKET.sub(kept, words).strip() or words

    def losses(self) -> list[Loss]:
        """Return which citations had no claim to hang on."""
        if not self.homeless:
            return []
        counted = "a citation names" if self.homeless == 1 else f"{self.homeless} citations name"
        return [
            Loss(
                "citations_without_claim",
                f"{counted} no claim and no place: taken for the last sentence's, where a marker would stand",
            )
        ]

    def _stretch(self, one: TracedCitation) -> _Place | None:
        if one.start is None or one.end is None or not 0 <= one.start < one.end <= len(self.text):
            return None
        return (one.start, one.end)

    def _place_of(self, words: str, near: int) -> _Place | None:
        for form in (words, words.rstrip(".!?… ")):
            found = [at for at in (self.text.find(form, near), self.text.rfind(form, 0, near + len(form))) if at >= 0]
            if form and found:
                at = min(found, key=lambda each: abs(each - near))
                return (at, at + len(form))
        return None

    def _sentences(self, stretch: _Place) -> list[_Place]:
        start, end = stretch
        return [
            (sentence.start, sentence.end)
            for sentence in split_sentences(self.text)
            if sentence.start < end
            and start < sentence.end
            and any(map(str.isalnum, self.text[max(start, sentence.start) : min(end, sentence.end)]))
        ]
