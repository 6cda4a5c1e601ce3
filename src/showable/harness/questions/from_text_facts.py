"""The facts that a corpus states in sentences which stand by themselves, each with a question and the place of its answer."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from showable.harness.corpora.corpus import Corpus
from showable.harness.questions.from_text_clauses import Clause, read_clause
from showable.harness.questions.from_text_slots import Asking, askings
from showable.read.quantities import find_quantities
from showable.read.sentences import split_sentences
from showable.records.record import Source
from showable.rubrics.gold_text import normalised

_WRAP = re.compile(r"\s*\n\s*")
_DEFINES = re.compile(
    r"[“\"](?P<term>[A-Z][\w’' -]{2,40})[”\"] (?:means|shall mean|is defined as|refers to) (?P<what>[^.;:“”\"]{15,220})\."
)
_IS_A = re.compile(r"^(?:an?) (?:[^\s,]+ ){4,24}[^\s,]+$")
_BY = re.compile(
    r"^(?P<done>(?:be )?[a-z]+(?:ed|en|wn|de|ht|ld|id)|(?:be )?(?:run|led|won|kept|sent|set|cut|lost|read|spent)) by (?P<who>(?:the |an? )?[A-Z]?[\w’' -]{3,60})$"
)
_WHO = re.compile(
    r"(?:\b[A-Z]\w+$|(?:er|or|ist|ee|cil|ard|ment|sion|cy|ority|any|ions?|ant|lord|nel|rt|ices?|union|university|bank)s?$)"
)
_SUPERSEDED = frozenset({"superseded", "withdrawn", "replaced", "repealed", "expired", "archived"})
_JOINED = re.compile(r"\b(?:and|or)\b")
_VAGUE = re.compile(
    r"^(?:a |an |the )?(?:\w+ )?(?:same|kind|sort|way|thing|case|rest|reason|question|problem|example)\b", re.IGNORECASE
)
_DANGLES = re.compile(r"\b(?:of|to|by|with|from|than|the|a|an|its|is|are|be|been|as|like|in|on|at|for)$")
_GOES_ON = re.compile(r"\s(?:and|or|but)\b")
_LIMITS = re.compile(
    r"\s[(–—-]|\W*(?:provided|unless|except|if|only|but|so long|as long|on condition|save|when|where|without|until|or)\b"
)
_WHAT_IS = re.compile(r"what (?:is|are) (?:an? |the )?(?P<term>.+)")
_COMMON = re.compile(r"[a-z]*(?:[a-z]s|ing|ion|ment|ness|ance|ence|ity|ism|age|ure)(?:-[a-z]+)?", re.IGNORECASE)
_TITLES = frozenset({"Mr", "Mrs", "Ms", "Dr", "Prof", "Sir", "Lord", "Lady", "St", "President", "Judge"})
_SHORT_TERM, _SHORTEST, _LONGEST = 5, 3, 16
WHETHER = "whether"
"""The kind of a fact that is asked about with yes or no."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One stated fact. `start` and `end` are the answer's place in the text of `source`, `span` that of its sentence.

    `asks` is the question without its document. `turned` are the words from which a yes-or-no question is made:
    auxiliary, subject, what stands before and after the answer; None where that cannot be.
    """

    source: Source
    document: str
    title: str
    sentence: str
    asks: str
    kind: str
    start: int
    end: int
    span: tuple[int, int]
    turned: tuple[str, str, str, str] | None = None

    @property
    def answer(self) -> str:
        """The words of the source that answer, or yes."""
        return "Yes" if self.kind == WHETHER else " ".join((self.source.text or "")[self.start : self.end].split())

    @property
    def superseded(self) -> bool:
        """Whether the document is marked as no longer in force."""
        return is_superseded(self.source)


class _Written(NamedTuple):
    """Words that the corpus writes small somewhere, and words it writes with a capital in the middle of a sentence."""

    small: frozenset[str]
    names: frozenset[str]


def is_superseded(source: Source) -> bool:
    """Tell a passage of a document that its metadata says is replaced."""
    facts = source.metadata
    return bool(facts.get("superseded_by")) or str(facts.get("status", "")).casefold() in _SUPERSEDED


def find_facts(corpus: Corpus) -> list[Fact]:
    """Return the facts of all documents, in order. A question that one document answers in two ways is left out."""
    found = []
    written = _Written(_small_words(corpus.sources), _names(corpus.sources))
    for document, passages in corpus.by_document.items():
        title = title_of(document, passages)
        facts = [fact for source in passages for fact in _facts_of(source, document, title, written)]
        facts = [fact for fact in facts if _would_be_asked(fact, passages)]
        found.extend(_of_one_answer(facts))
    return found


def title_of(document: str, passages: Sequence[Source]) -> str:
    """Name a document for people: its title, else its id without the folder, the ending, and the marks between words."""
    title = next((source.title.strip() for source in passages if source.title and source.title.strip()), None)
    stem = re.sub(r"\.\w{1,5}$", "", document.rsplit("/", 1)[-1])
    return " ".join((title or re.sub(r"[_-]+", " ", stem)).replace("“", "").replace("”", "").replace('"', "").split())


def _facts_of(source: Source, document: str, title: str, written: _Written) -> Iterator[Fact]:
    text = source.text or ""
    for sentence in split_sentences(text):
        said = _WRAP.sub(lambda m: " " * len(m.group()), text[sentence.start : sentence.end])
        if sentence.kind not in {"prose", "list_item"} or not said.rstrip('”") ').endswith("."):
            continue
        span = sentence.start, sentence.end
        whole = " ".join(said.split())
        for start, part in _parts(said):
            for asking in _questions(part, written):
                at = sentence.start + start
                place = at + asking.start, at + asking.end
                yield Fact(source, document, title, whole, asking.asks, asking.kind, *place, span, asking.turned)


def _would_be_asked(fact: Fact, passages: Sequence[Source]) -> bool:
    """Return False for "what is X" where the document says nothing else of X: a name in passing is not asked for.

    Within a longer name (`Adobe` in `Adobe Reader`) nothing is said of it.
    """
    found = _WHAT_IS.match(fact.asks)
    if found is None or fact.kind != "definition":
        return True
    first, rest = found["term"][0], re.escape(found["term"][1:]).replace(r"\ ", r"\s+")
    alone = re.compile(rf"(?<![A-Z]\w )(?<!\w)[{first.lower()}{first.upper()}]{rest}(?:e?s)?(?!\w|\s[A-Z]|[./@]\w)")
    said = _sentences_with(alone, (source.text or "" for source in passages))
    return any(" ".join(sentence.split()) != fact.sentence for sentence in said)


def _sentences_with(pattern: re.Pattern[str], texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        if pattern.search(text):
            yield from (
                said
                for sentence in split_sentences(text)
                if pattern.search(said := text[sentence.start : sentence.end])
            )


def _parts(said: str) -> Iterator[tuple[int, str]]:
    """Yield the statements that semicolons part, each with its offset."""
    start = 0
    for stop in (*(found.start() for found in re.finditer(r";\s", said)), len(said)):
        part = said[start:stop]
        yield start + len(part) - len(part.lstrip("; ")), part.lstrip("; ")
        start = stop


def _questions(said: str, written: _Written) -> Iterator[Asking]:
    if (defined := _DEFINES.search(said)) is not None and "  " not in defined["what"]:
        yield Asking(f"what does “{defined['term']}” mean", "definition", *defined.span("what"))
    if "  " in said.replace(".  ", ". "):
        squeezed = re.sub(r"(?<=\S) {2,}", " ", said)
        if len(squeezed) != len(said):
            return
    first = re.match(r"\w+", said)
    small = None if first is None else _is_small(first.group(), written)
    clause = None if small is None else read_clause(said, lowered=small)
    if clause is None:
        return
    asked = [*askings(clause), *_in_words(clause)]
    yield from asked or _whether(clause)


def _in_words(clause: Clause) -> Iterator[Asking]:
    """Ask what something is, and by whom something is done."""
    start = clause.rest_start
    if _JOINED.search(clause.rest) or _GOES_ON.match(clause.left_out):
        return
    if clause.auxiliary in {"is", "are"} and _IS_A.match(clause.rest) and len(clause.subject.split()) <= _SHORT_TERM:
        yield Asking(f"what {clause.auxiliary} {clause.subject}", "definition", start, start + len(clause.rest))
    by = _BY.match(clause.rest)
    if by is not None and not clause.base and _WHO.search(by["who"]):
        asks = f"by whom {clause.auxiliary} {clause.subject} {by['done']}"
        yield Asking(asks, "person", start + by.start("who"), start + by.end("who"))


def _whether(clause: Clause) -> Iterator[Asking]:
    """Ask whether what is said is so; where a figure is said, another question asks for it."""
    if (
        clause.base not in {"", "have"}
        or not _SHORTEST <= len(clause.rest.split()) <= _LONGEST
        or find_quantities(clause.rest)
    ):
        return
    if _LIMITS.match(clause.left_out):
        return
    if not _JOINED.search(clause.rest) and not _DANGLES.search(clause.rest) and not _VAGUE.search(clause.rest):
        asks = " ".join(f"{clause.auxiliary} {clause.subject} {clause.base} {clause.rest}".split())
        yield Asking(asks, WHETHER, clause.rest_start, clause.rest_start + len(clause.rest))


def _is_small(word: str, written: _Written) -> bool | None:
    """Return whether the first word of a sentence is no name; None where the corpus does not show it."""
    said = word[0].lower() + word[1:]
    if word in _TITLES:
        return False
    if said in written.small or (said.endswith("s") and said[:-1] in written.small):
        return True
    if word in written.names or not word[1:].islower():
        return False
    return True if _COMMON.fullmatch(word) is not None else None


def _small_words(passages: Sequence[Source]) -> frozenset[str]:
    """Return the words that the corpus also writes small: at the head of a sentence they are no names."""
    said = (source.text or "" for source in passages)
    small = {word for text in said for word in re.findall(r"(?<![\w./@:-])[a-z][\w-]*(?![./@]\w)", text)}
    return frozenset(small) | {"the", "a", "an", "each", "every", "all", "any"}


def _names(passages: Sequence[Source]) -> frozenset[str]:
    """Return the words written with a capital in the middle of a sentence."""
    said = (source.text or "" for source in passages)
    return frozenset(word for text in said for word in re.findall(r"(?<=[a-z,] )[A-Z][\w-]*", text))


def _of_one_answer(facts: Sequence[Fact]) -> list[Fact]:
    """Keep the first of the facts that answer one question alike; drop all where the answers differ."""
    same: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        same[normalised(fact.asks)].append(fact)
    return [group[0] for group in same.values() if len({normalised(fact.answer) for fact in group}) == 1]
