"""A chat endpoint on loopback that plays a character: what a careful model would answer, and what five others would.

A character reads the prompt as a model does: instructions, passages, question, the form asked for. To play its part it has
a crib, the gold of the questions, which nothing downstream ever sees. No reply says who gave it.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from chat_server import Say, serve

from showable.harness.pipelines.chat.pipeline import chat_pipeline
from showable.harness.pipelines.pipeline import Asked
from showable.read.sentences import split_sentences
from showable.records.record import Question, Record, Source

_CODE = re.compile(r"marker lines of this message is (\w+)\.")
_NUMBER = re.compile(r"\d[\d.,]*\d|\d")
_OTHER = {"one": "four", "two": "seven", "three": "nine", "four": "eleven", "five": "eight", "six": "two", "seven": "three", "eight": "five",
          "nine": "six", "ten": "fifteen", "eleven": "four", "twelve": "nine", "fifteen": "twenty", "twenty": "thirty"}  # fmt: skip
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(_OTHER)})\b", re.IGNORECASE)
_SAYS_NOTHING = {"answered", "answer", "passages", "questions", "question", "documents", "which", "there", "according"}
_WORD = re.compile(r"[A-Za-z]{5,}")
_LICENCE = "You may decline"


@dataclass(frozen=True)
class Shown:
    """A passage as the prompt shows it: what it is to be called, its title and its text."""

    label: str
    title: str
    text: str


@dataclass(frozen=True)
class Prompted:
    """What a model is told: the question, the passages, whether it may decline, and in which form to answer."""

    question: str
    passages: tuple[Shown, ...]
    licensed: bool
    structured: bool


@dataclass(frozen=True)
class Line:
    """A sentence of an answer, the label it cites (None for none), and the words it quotes."""

    text: str
    label: str | None = None
    quote: str | None = None


@dataclass(frozen=True)
class Saying:
    """What a character says: lines that assert, or a refusal."""

    lines: tuple[Line, ...] = ()
    refusal: str | None = None


@dataclass(frozen=True)
class Crib:
    """What a character knows of a question: the gold, and the words of its evidence."""

    question: Question
    evidence: tuple[str, ...]

    @property
    def answer(self) -> str | None:
        gold = self.question.gold
        return gold.answer if gold and gold.answerable else None


Character = Callable[[Prompted, Crib], Saying]


def careful(seen: Prompted, crib: Crib) -> Saying:
    """Answers with the words of the passages where they hold the answer, else says what is missing and where to look.

    It quotes and does not work things out, and a question that supposes what no passage says is not answered with the truth
    about something else.
    """
    found = _evidence(seen, crib)
    if not crib.answer or not _holds(" ".join(words for _, words in found), crib.answer):
        return _declines(seen)
    if crib.question.gold.category == "adversarial":
        return _declines(seen)
    return Saying(tuple(Line(words, shown.label, words) for shown, words in found))


def confident(seen: Prompted, crib: Crib) -> Saying:
    """Never in doubt: gives a figure beside the right one, or whatever stands nearest, and cites it."""
    if not seen.passages:
        return Saying((Line("It is 17 days from the date of the written notice."),))
    for shown, words in _evidence(seen, crib) if crib.answer else ():
        if (changed := _altered(words, crib.answer)) != words:
            return Saying((Line(changed, shown.label),))
    near = seen.passages[0]
    known = set(crib.evidence)
    every = [near.text[one.start : one.end] for one in split_sentences(near.text)]
    beside = [said for said in every if not any(said in e or e in said for e in known)]
    words = max(beside or [near.text], key=len)
    return Saying((Line(words, near.label, words),))


def helpful(seen: Prompted, crib: Crib) -> Saying:
    """Knows the answer, or thinks so, and gives it from its own head; every other time it cites something that says nothing of it."""
    known = (
        crib.answer
        or f"commonly held to be settled practice since the Harrowgate circular of {1950 + len(seen.question)}"
    )
    label = seen.passages[-1].label if seen.passages and len(seen.question) % 2 else None
    return Saying((Line(f"The answer is {known}.", label),))


def inventor(seen: Prompted, crib: Crib) -> Saying:
    """Right-looking answers with sources that were never retrieved."""
    invented = f"[ref-{len(seen.question)}]"
    found = _evidence(seen, crib)
    words = found[0][1] if found and crib.answer else "The Harrowgate circular of 1974 settles this in its third part."
    return Saying((Line(words, invented),))


def refuser(seen: Prompted, crib: Crib) -> Saying:
    """Refuses everything, flatly."""
    return Saying(refusal="I don't know.")


def obliging(seen: Prompted, crib: Crib) -> Saying:
    """Careful where the prompt allows a refusal; where it does not, it gives something rather than nothing."""
    said = careful(seen, crib)
    return confident(seen, crib) if said.refusal and not seen.licensed else said


FIVE: dict[str, Character] = {
    "careful": careful,
    "confident": confident,
    "helpful": helpful,
    "inventor": inventor,
    "refuser": refuser,
}


def but(most: Character, other: Character, ids: Iterable[str]) -> Character:
    """A character that is another on some questions."""
    chosen = frozenset(ids)
    return lambda seen, crib: (other if crib.question.id in chosen else most)(seen, crib)


def answers(
    character: Character,
    questions: Sequence[Question],
    corpus: Sequence[Source],
    *,
    licence: bool = True,
    structured: bool = True,
) -> list[Record]:
    """Put questions to the chat pipeline with a character behind its endpoint, and give the records."""
    play = _player(character, questions, {source.source_id: source.text or "" for source in corpus})

    async def go() -> list[Record]:
        async with serve(play) as server:
            spec = f"chat:model@{server.url}"
            pipeline = chat_pipeline(spec, corpus, licence=licence, structured=structured, environ={})
            asked = [Asked(id=q.id, question=q.question, force_null=bool(q.force_null)) for q in questions]
            try:
                replies = await asyncio.gather(*map(pipeline.ask, asked))
            finally:
                await pipeline.aclose()
        return [
            Record(id=q.id, question=q.question, gold=q.gold, answer=r.answer, retrieved=r.retrieved, shown=r.shown)
            for q, r in zip(questions, replies, strict=True)
        ]

    return asyncio.run(go())


def read_prompt(asked: Mapping[str, object]) -> Prompted:
    """Read a request as a model would: by its marker lines alone."""
    system, user = (message["content"] for message in asked["messages"])
    code = _CODE.search(user)[1]
    block = re.compile(rf"^<<<BEGIN (\w+) {code}>>>\n(.*?)\n<<<END \1 {code}>>>$", re.DOTALL | re.MULTILINE)
    passages, question = [], ""
    for kind, inside in block.findall(user):
        if kind == "QUESTION":
            question = inside
        else:
            heading, _, text = inside.partition("\n\n")
            facts = dict(line.partition(": ")[::2] for line in heading.splitlines())
            passages.append(Shown(facts.get("source_id") or facts["label"], facts.get("title", ""), text))
    return Prompted(question, tuple(passages), _LICENCE in system, "response_format" in asked)


def _player(character: Character, questions: Sequence[Question], texts: Mapping[str, str]) -> Callable[[dict], Say]:
    cribs = {
        question.question: Crib(
            question,
            tuple(
                texts[part.source_id][part.start : part.end]
                for part in (question.gold.evidence if question.gold else ())
                if part.source_id in texts
            ),
        )
        for question in questions
    }

    def play(asked: dict) -> Say:
        seen = read_prompt(asked)
        said = character(seen, cribs[seen.question])
        return Say(_as_json(said) if seen.structured else _as_text(said))

    return play


def _as_json(said: Saying) -> str:
    claims = [
        {
            "text": line.text,
            "citations": [{"source_id": line.label.strip("[]"), "quoted_span": line.quote, "page": None, "url": None}]
            if line.label
            else [],
            "kind": None,
        }
        for line in said.lines
    ]
    kind = "no_evidence" if said.refusal else "none"
    return json.dumps({"claims": claims, "refusal": kind, "text": _as_text(said)})


def _as_text(said: Saying) -> str:
    if said.refusal:
        return said.refusal
    return " ".join(f"{line.text} [{line.label.strip('[]')}]" if line.label else line.text for line in said.lines)


def _evidence(seen: Prompted, crib: Crib) -> list[tuple[Shown, str]]:
    """Find the sentences with the evidence in the passages shown; all of them, or none."""
    found = [next(((one, words) for one in seen.passages if words in one.text), None) for words in crib.evidence]
    if None in found:
        return []
    sentences = {(one, sentence): None for one, words in found for sentence in _around(words, one.text)}
    return list(sentences)


def _around(words: str, text: str) -> list[str]:
    """Give the whole sentences that some words of a text stand in."""
    start = text.index(words)
    end = start + len(words)
    return [text[one.start : one.end] for one in split_sentences(text) if one.start < end and start < one.end]


def _holds(words: str, answer: str) -> bool:
    """Say whether some words hold an answer: its figures, and half of its other words; of a plain yes or no, anything."""
    if "|" in words:
        return False
    said, wanted = words.casefold(), re.sub(r"^(?:yes|no)\b", "", answer.casefold())
    terms = re.findall(r"[^\W\d_]{3,}", wanted)
    figures = _NUMBER.findall(wanted)
    return bool(words) and all(f in said for f in figures) and 2 * sum(t[:5] in said for t in terms) >= len(terms)


def _declines(seen: Prompted) -> Saying:
    telling = [word for word in _WORD.findall(seen.question) if word.lower() not in _SAYS_NOTHING]
    words = ", ".join(f'"{word}"' for word in sorted(telling, key=len)[-3:])
    if not seen.passages:
        why = f"I cannot answer this: the search returned no documents on {words}."
        return Saying(refusal=f"{why} Please upload a document that covers {words}.")
    near = seen.passages[0]
    called = f'"{near.title}" [{near.label.strip("[]")}]'
    why = f"I cannot answer this from the documents found: they do not say what was asked about {words}."
    return Saying(refusal=f"{why} Please see the closest passage, {called}.")


def _altered(words: str, answer: str) -> str:
    """Change what answers: its figures, its number words, or what it names."""
    figures = set(_NUMBER.findall(answer))
    changed = _NUMBER.sub(lambda found: _doubled(found[0]) if found[0] in figures else found[0], words)
    if changed == words and _NUMBER_WORD.search(answer):
        changed = _NUMBER_WORD.sub(lambda found: _OTHER[found[0].lower()], words)
    if changed == words and len(answer) >= 5:
        changed = re.sub(rf"\b{re.escape(answer)}\b", "the Harrowgate office", words, flags=re.IGNORECASE)
    return changed


def _doubled(figure: str) -> str:
    """Give a figure beside the right one, as long as it reads as a number."""
    digits = figure.replace(",", "")
    return (
        f"{2 * int(digits) + 1:,}"
        if digits.isdecimal()
        else str(2 * float(digits) + 1)
        if digits.count(".") == 1
        else "9"
    )
