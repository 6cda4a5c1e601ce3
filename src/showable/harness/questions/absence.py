"""Is something really not in a corpus? Every passage is searched, for all of its words within a few sentences."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from showable.records.record import Source
from showable.search.bm25 import words_of

WITHIN = 3
"""Sentences in a row that are read as one: what is spread over more is not said of one thing."""
ONE_OF = "|"
"""Between the forms of a term, of which any counts: ``WHO|World Health Organization``."""
_SENTENCE_END = re.compile(r"(?<=[.!?;])[\"”’)\]]*\s+(?=\S)|\n+")
_WORD = re.compile(r"\w+(?:[.,]\d+)*")
_DECADE = re.compile(r"(?<=\d)s$")
_LONGEST_STEM = 6
_UNITS = _WORD.findall(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen"
    " nineteen twenty"
)
_NUMBERS = {word: str(number) for number, word in enumerate(_UNITS)} | {
    "hundred": "100",
    "first": "1",
    "second": "2",
    "third": "3",
}
_TENS = {
    word: 10 * place
    for place, word in enumerate(_WORD.findall("twenty thirty forty fifty sixty seventy eighty ninety"), start=2)
}
_NUMBERS |= {word: str(tens) for word, tens in _TENS.items()}
_TENS_AND_ONE = re.compile(rf"\b({'|'.join(_TENS)})[- ]({'|'.join(_UNITS[1:10])})\b", re.IGNORECASE)
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
_SCALED = re.compile(r"(?<![\w.,])(\d+(?:\.\d+)?) (thousand|million|billion)\b", re.IGNORECASE)
_LITTLE_WORDS = frozenset(
    _WORD.findall(
        "a an the of in on at to for from by with and or as is are was were be been being do does did has have had can could may"
        " might shall should will would must what which who whom whose when where why how many much that this these those it its"
        " their his her there than then not no any some all into about between after before under over during according also"
        " name named called known most more"
    )
)


class PassageWords:
    """The words of every passage, sentence by sentence, so that a few words can be looked for together."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self.sources = [source for source in sources if source.text]
        self._sentences: list[list[frozenset[str]]] = []
        self._holders: dict[str, set[int]] = defaultdict(set)
        for place, source in enumerate(self.sources):
            sentences = [frozenset(stems_of(part)) for part in sentences_of(source.text or "")]
            self._sentences.append(sentences)
            for stem in frozenset().union(*sentences):
                self._holders[stem].add(place)

    def holding(self, terms: Sequence[str]) -> Iterator[Source]:
        """Yield the passages that hold all terms within a few sentences.

        A term is a phrase, all of whose words must be there in whatever form and order, or several of them between ``|``.
        """
        wanted = [forms for term in terms if (forms := _forms(term))]
        if not wanted:
            return
        places = set.intersection(*(self._with_any(forms) for forms in wanted))
        for place in sorted(places):
            if any(all(any(form <= window for form in forms) for forms in wanted) for window in self._windows(place)):
                yield self.sources[place]

    @property
    def vocabulary(self) -> Collection[str]:
        """Every word that some passage holds, as words are compared."""
        return self._holders.keys()

    def rare(self, text: str, most: float) -> frozenset[str]:
        """Return those of a text's content words that at most this share of all passages holds."""
        limit = most * len(self.sources)
        return frozenset(stem for stem in content_stems(text) if len(self._holders.get(stem, ())) <= limit)

    def weights(self, text: str) -> dict[str, float]:
        """Return a text's content words, each with how rare it is: the logarithm of one over its share of all passages."""
        every = len(self.sources) + 1
        return {stem: math.log(every / (1 + len(self._holders.get(stem, ())))) for stem in content_stems(text)}

    def most_covered(self, text: str, *, beside: Collection[str] = ()) -> tuple[float, Source | None]:
        """Return the largest share of a text's content words that one passage holds within a few sentences, and which.

        Passages whose ids are in `beside` are passed over.
        """
        wanted = content_stems(text)
        if not wanted:
            return 0.0, None
        counts: dict[int, int] = defaultdict(int)
        for stem in wanted:
            for place in self._holders.get(stem, ()):
                counts[place] += 1
        best, found = 0, None
        for place, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
            if count <= best:
                break
            if self.sources[place].source_id in beside:
                continue
            held = max(len(wanted & window) for window in self._windows(place))
            if held > best:
                best, found = held, self.sources[place]
        return best / len(wanted), found

    def _with_any(self, forms: Sequence[frozenset[str]]) -> set[int]:
        """Return the passages that hold all words of any form."""
        return set[int]().union(
            *(set.intersection(*(self._holders.get(stem, set()) for stem in form)) for form in forms)
        )

    def _windows(self, place: int) -> Iterator[frozenset[str]]:
        sentences = self._sentences[place]
        for first in range(max(len(sentences) - WITHIN + 1, 1)):
            yield frozenset().union(*sentences[first : first + WITHIN])


def absent(terms: Sequence[str], words: PassageWords) -> str | None:
    """Return why something is not absent from a corpus: the first passage that holds all its terms; None where it is absent."""
    found = next(words.holding(terms), None)
    if found is None:
        return None
    said = ", ".join(repr(term.partition(ONE_OF)[0]) for term in terms)
    return f"{found.source_id} holds {said} within {WITHIN} sentences"


def sentences_of(text: str) -> list[str]:
    """Cut a text where its sentences and lines end."""
    return _SENTENCE_END.split(text)


def stems_of(text: str) -> list[str]:
    """Return the words of a text as they are compared: without endings and accents, cut to six letters, numbers in figures."""
    return [stem for word in _WORD.findall(_in_figures(text)) for stem in _stems(word)]


def _in_figures(text: str) -> str:
    """Write "forty-five" as 45 and "1.5 million" as 1500000, as the same number may be written elsewhere."""
    text = _TENS_AND_ONE.sub(lambda two: str(_TENS[two[1].lower()] + int(_NUMBERS[two[2].lower()])), text)
    return _SCALED.sub(lambda two: f"{float(two[1]) * _SCALES[two[2].lower()]:.0f}", text)


@lru_cache(maxsize=65536)
def content_stems(text: str) -> frozenset[str]:
    """Return the stems of a text's content words."""
    return frozenset(stem for word in content_words(_in_figures(text)) for stem in _stems(word))


def content_words(text: str) -> list[str]:
    """Return the words of a text as they are written, without those that only hold sentences together."""
    return [word for word in _WORD.findall(text) if word.casefold() not in _LITTLE_WORDS]


@lru_cache(maxsize=65536)
def _stems(word: str) -> tuple[str, ...]:
    plain = _DECADE.sub("", _unaccented(word).casefold().replace(",", ""))
    if plain in _NUMBERS or plain[:1].isdigit():
        return (_NUMBERS.get(plain, plain),)
    return tuple(stem[:_LONGEST_STEM] for stem in words_of(plain))


def _unaccented(word: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFKD", word) if not unicodedata.combining(sign))


def _forms(term: str) -> list[frozenset[str]]:
    return [stems for form in term.split(ONE_OF) if (stems := frozenset(stems_of(form)))]
