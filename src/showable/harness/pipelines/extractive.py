"""Find the sentence that answers a question, or what stands in the way of answering. Words alone decide; no model does."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations

from showable.harness.pipelines.question_words import AskedFor, Term, stems_of, take_apart
from showable.read.sentences import split_sentences
from showable.records.record import Source

_STALE = frozenset({"superseded", "withdrawn", "repealed", "retracted"})
_LEANS_BACK = re.compile(
    r"(?:It|Its|They|Their|Them|This|These|Those|That|He|She|His|Her|Such|Both|There|The (?:latter|former|same))\b"
)
_CORRECTION = re.compile(r"(?:correction|corrected|erratum|corrigendum)\W+", re.IGNORECASE)
_RECOUNTS = re.compile(
    r"\b(?:our|an? earlier|the (?:earlier|original|previous)) (?:story|report|article|version|edition|text)\b[^.;]*\b(?:gave|said|stated|put|named|read)\b",
    re.IGNORECASE,
)
_WONDERS = re.compile(r"\b(?:like to know|want to know|wonders? (?:who|what|whether|if|when|why|how))\b", re.IGNORECASE)
_NEGATED = re.compile(r"\b(?:not|never|cannot|without)\b|n[’']t\b", re.IGNORECASE)
_WHOM = r"(?:adults|people|persons|patients|children|adolescents|men|women|those|cases)"
_CONDITION = re.compile(rf"(?:If|Where|When|Unless|Once|(?:In|For) (?:\w+ )?{_WHOM})\b(?:[^\s,;]*[^\S\n]?){{1,6}}")
_SHORTEST = 4
"""Words of a sentence that could answer; fewer are a heading."""

# Shares of a question's words, each weighed by how rare it is in the corpus. Chosen on questions of SQuAD 2.0: a higher
# share answers fewer of the answerable, a lower one more of those that have no answer.
ENOUGH_SAID = 0.75
"""Of the words that the title does not settle, so many must stand in the sentence."""
ENOUGH_COVERED = 0.75
"""Of all words, so many must stand in the sentence, in its title or close by."""
_BESIDE, _NEAR, _ELSEWHERE = 0.9, 0.75, 0.4
"""Credit of a word in the title, in the sentence before, anywhere else in the passage."""
_LIGHT = 0.3
_TIE = 0.08
_CLEARLY_MORE = 0.1
_PAIRED = 4
"""Sentences of a passage that are tried two by two, where a question asks for more than one thing."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Sentences of a passage that may answer.

    `said` is the share of the question that they say themselves, `covered` with title and surroundings. `fits`: they hold a
    value of the kind asked for. `missing` are the question's names and figures that the passage lacks.
    """

    source: Source
    places: tuple[int, ...]
    said: float
    covered: float
    fits: bool
    missing: tuple[str, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """The sentences, in order; before the first stands what it leans on ("It ends …")."""
        every = sentences_of(self.source.text or "")
        first = self.places[0]
        lead = (first - 1,) if first and _LEANS_BACK.match(every[first]) and is_whole(every[first - 1]) else ()
        return tuple(every[at] for at in (*lead, *self.places))

    @property
    def score(self) -> float:
        """What candidates are ranked by: how much of the question they have."""
        return (self.said + self.covered) / 2 - (0.5 if self.missing else 0.0)

    @property
    def good(self) -> bool:
        """Whether it may be given as an answer."""
        return self.fits and self.said >= ENOUGH_SAID and self.covered >= ENOUGH_COVERED and not self.missing


@dataclass(frozen=True, slots=True)
class Found:
    """What reading the passages came to: an answer, rival answers of several documents, or only the closest passage.

    `absent` are the question's words that no passage read has.
    """

    asked: AskedFor
    answer: Candidate | None = None
    rivals: tuple[Candidate, ...] = ()
    closest: Candidate | None = None
    absent: tuple[str, ...] = ()
    stale: Source | None = None
    """A passage that would answer, and is no longer in force."""


class Extractive:
    """Reads answers out of passages of one corpus; how rare a word is there says how much it weighs."""

    def __init__(self, sources: Sequence[Source]) -> None:
        counts: Counter[str] = Counter()
        for source in sources:
            counts.update(stems_of(_all_of(source)))
        self._rarity = {word: math.log(1 + len(sources) / count) for word, count in counts.items()}
        self._rarest = math.log(1 + 2 * max(1, len(sources)))

    def find(self, question: str, passages: Sequence[Source]) -> Found:
        """Find the answer to a question among passages, best first."""
        asked = take_apart(question)
        current = in_force(passages, asked)
        titles = [(source.title or "").casefold() for source in passages]
        titled = [place for place in asked.places if any(place in title for title in titles)]
        ranked = sorted(
            (c for source in current for c in self._candidates(asked, source, titled)), key=lambda c: -c.score
        )
        closest = ranked[0] if ranked else None
        good = [one for one in ranked if one.good]
        if (
            not asked.terms
            or asked.wants_more
            or closest is None
            or not good
            or closest.score - good[0].score > _CLEARLY_MORE
        ):
            return Found(asked, closest=closest, absent=_absent(asked, passages), stale=self._stale(asked, passages))
        rivals = tuple(_rivals(asked, good))
        if rivals:
            return Found(asked, rivals=(good[0], *rivals), closest=closest)
        return Found(asked, answer=good[0], closest=closest)

    def _stale(self, asked: AskedFor, passages: Sequence[Source]) -> Source | None:
        """Find a passage that answers as well as one in force would have to, and is not in force."""
        return next((s for s in passages if is_stale(s) and any(c.good for c in self._candidates(asked, s))), None)

    def weight(self, term: Term) -> float:
        """Return how rare a word is: a word that the corpus lacks weighs most."""
        return self._rarity.get(term.stem, self._rarest) * (_LIGHT if term.light else 1.0)

    def _candidates(self, asked: AskedFor, source: Source, titled: Collection[str] = ()) -> Iterator[Candidate]:
        """Yield every sentence of a passage as a candidate; of a question that asks for two things, pairs of them too.

        `titled` must stand in the title, where another title has it: version 2 speaks of version 1 too.
        """
        sentences = sentences_of(source.text or "")
        about = _about(source)
        text = _Text(
            sentences, tuple(map(stems_of, sentences)), stems_of(about), f"{about} {source.text}".casefold(), titled
        )
        single = [self._candidate(asked, source, text, (at,)) for at in range(len(sentences)) if text.states(at)]
        yield from single
        if asked.several:
            best = sorted(single, key=lambda one: -one.said)[:_PAIRED]
            for one, other in combinations(sorted(one.places[0] for one in best), 2):
                both = self._candidate(asked, source, text, (one, other))
                if both.said > _CLEARLY_MORE + max(c.said for c in best if c.places[0] in {one, other}):
                    yield both

    def _candidate(self, asked: AskedFor, source: Source, text: _Text, places: tuple[int, ...]) -> Candidate:
        here, near = text.at(places), text.at([places[0] - 1] if places[0] else [])
        words = " ".join(text.sentences[at] for at in places)
        fits = asked.answered_by(words) and not _turns(asked, words)
        fits = fits and not any(_narrows(asked, text.sentences[at]) for at in places)
        said = covered = own = total = 0.0
        missing = [place for place in asked.places if place not in text.everything]
        missing += [place for place in text.titled if place not in (source.title or "").casefold()]
        for term in asked.terms:
            weight = self.weight(term)
            standing = 1.0 if term.stem in here or (term.measure and fits) else 0.0
            beside = _BESIDE if term.stem in text.title else 0.0
            around = max(beside, _NEAR if term.stem in near else _ELSEWHERE if term.stem in text.whole else 0.0)
            total += weight
            covered += weight * max(standing, around)
            if not beside:
                own += weight
                said += weight * max(standing, 0.5 if around == _NEAR else 0.0)
            if term.named and not standing and around <= _ELSEWHERE:
                missing.append(term.shown)
        return Candidate(
            source, places, said / own if own else 0.0, covered / total if total else 0.0, fits, tuple(missing)
        )


@dataclass(frozen=True)
class _Text:
    """A passage in sentences, with the words of each and of what stands beside the text."""

    sentences: tuple[str, ...]
    words: tuple[frozenset[str], ...]
    title: frozenset[str]
    everything: str
    titled: Collection[str]

    @cached_property
    def whole(self) -> frozenset[str]:
        return self.at(range(len(self.words)))

    def at(self, places: Iterable[int]) -> frozenset[str]:
        return frozenset[str]().union(*(self.words[at] for at in places))

    def states(self, at: int) -> bool:
        """Check whether a sentence could answer: no heading, no question, no account of what an earlier version said."""
        return is_whole(self.sentences[at]) and not _RECOUNTS.search(self.sentences[at])


def _turns(asked: AskedFor, words: str) -> bool:
    """Check whether a question asks for what is not so, and some words say what is so."""
    return bool(_NEGATED.search(asked.question)) and not _NEGATED.search(words)


def _narrows(asked: AskedFor, sentence: str) -> bool:
    """Check whether a sentence holds under a condition that the question does not state: "In adults over 75 …"."""
    condition = _CONDITION.match(sentence)
    if condition is None:
        return False
    terms = take_apart(condition[0]).terms
    stated = {term.stem for term in asked.terms}
    return 2 * sum(term.stem in stated for term in terms) < len(terms)


def _rivals(asked: AskedFor, good: Sequence[Candidate]) -> Iterator[Candidate]:
    """Yield the best sentence of every other document that answers about as well as the first, with other values."""
    best = good[0]
    seen, mine = {_document(best.source)}, asked.values(" ".join(best.sentences))
    for one in good[1:]:
        if best.score - one.score > _TIE or _document(one.source) in seen:
            continue
        seen.add(_document(one.source))
        if not asked.values(" ".join(one.sentences)) & mine:
            yield one


def _absent(asked: AskedFor, passages: Sequence[Source]) -> tuple[str, ...]:
    known = frozenset[str]().union(*(stems_of(_all_of(source)) for source in passages))
    return tuple(term.shown for term in asked.terms if term.stem not in known and not term.measure)


def in_force(passages: Sequence[Source], asked: AskedFor) -> list[Source]:
    """Leave out passages that no longer stand, and those that a correction in the same log corrects."""
    standing = [source for source in passages if not is_stale(source)]
    corrected = {
        _CORRECTION.sub("", source.title).strip().casefold()
        for source in standing
        if source.title and _CORRECTION.match(source.title)
    }
    words = {term.stem for term in asked.terms if not term.named}
    corrections = [source for source in standing if source.title and _CORRECTION.match(source.title)]
    settles = any(len(words & stems_of(source.text or "")) * 2 >= len(words) for source in corrections)
    if not settles:
        return standing
    return [source for source in standing if (source.title or "").strip().casefold() not in corrected]


def is_stale(source: Source) -> bool:
    """Check whether a passage is marked as no longer in force."""
    status = str(source.metadata.get("status", "")).strip().casefold()
    return status in _STALE or bool(source.metadata.get("superseded_by"))


@lru_cache(maxsize=4096)
def sentences_of(text: str) -> tuple[str, ...]:
    """Return the sentences of a passage, each on one line."""
    return tuple(" ".join(text[one.start : one.end].split()) for one in split_sentences(text))


def is_whole(sentence: str) -> bool:
    """Check whether a sentence asserts: a heading of a few words and a question do not."""
    return len(sentence.split()) >= _SHORTEST and not sentence.endswith("?") and not _WONDERS.search(sentence)


def _about(source: Source) -> str:
    """Return what is known of a passage beside its text: its title, its document's id, and dates, versions and names."""
    known = (str(value) for value in source.metadata.values() if isinstance(value, str | int | list))
    return " ".join((source.title or "", source.source_id.replace("#", " "), *known))


def _all_of(source: Source) -> str:
    return f"{_about(source)} {source.text or ''}"


def _document(source: Source) -> str:
    return str(source.metadata.get("document", source.source_id))
