"""SQuAD 2.0 (Rajpurkar, Jia & Liang 2018, ACL): questions on Wikipedia paragraphs, half of them without an answer."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

from pydantic import Field

from showable.errors import InputError
from showable.harness.corpora.corpus import Corpus, Labelled
from showable.harness.corpora.labelled_rows import (
    PassageRow,
    Published,
    evidence_in,
    holds_rows,
    read_published,
    read_rows,
)
from showable.records.record import Gold, GoldEvidence, Source

ADDRESS = "https://rajpurkar.github.io/SQuAD-explorer/dataset/dev-v2.0.json"
LICENCE = "CC BY-SA 4.0"

_BETWEEN = "\n\n"
_NUMBER = re.compile(r"(\d+)$")


class _Answer(Published):
    text: str
    answer_start: int | None = None


class _Asked(Published):
    id: str
    question: str
    is_impossible: bool = False
    answers: list[_Answer] = Field(default_factory=list)


class _Paragraph(Published):
    context: str
    qas: list[_Asked]


class _Article(Published):
    title: str
    paragraphs: list[_Paragraph]


class _File(Published):
    data: list[_Article]


class _Row(Published):
    id: str
    question: str
    passages: list[PassageRow] = Field(min_length=1)
    answers: list[str]
    answerable: bool


def read_squad2(path: Path) -> Corpus:
    """Read ``dev-v2.0.json`` (or ``train-v2.0.json``), or rows of question, passages, answers and answerable.

    An article is a document, a paragraph a passage. Raises InputError where the file is neither.
    """
    articles = _from_rows(path) if holds_rows(path) else read_published(path, _File).data
    if not articles:
        raise InputError("holds no articles", path=str(path))
    sources, labelled, lost = [], [], 0
    for article in articles:
        passages = _passages(article)
        sources += passages
        for passage, paragraph in zip(passages, article.paragraphs, strict=True):
            for asked in paragraph.qas:
                found = _labelled(asked, passage, article.title)
                lost += found is None
                labelled += [found] if found else []
    notes = (f"{lost} questions left out: their answer does not stand in the paragraph",) if lost else ()
    return Corpus(
        name="squad2", origin=str(path), licence=LICENCE, sources=tuple(sources), labelled=tuple(labelled), notes=notes
    )


def _from_rows(path: Path) -> list[_Article]:
    """Put rows together as articles; paragraphs come in the order of the number that their id ends with."""
    texts: dict[str, dict[str, str]] = defaultdict(dict)
    asked: dict[str, list[_Asked]] = defaultdict(list)
    for row in read_rows(path, _Row):
        passage = row.passages[0]
        texts[passage.title or passage.id][passage.id] = passage.text
        answers = [_Answer(text=answer) for answer in row.answers]
        asked[passage.id].append(
            _Asked(id=row.id, question=row.question, is_impossible=not row.answerable, answers=answers)
        )
    return [
        _Article(
            title=title, paragraphs=[_Paragraph(context=held[key], qas=asked[key]) for key in sorted(held, key=_order)]
        )
        for title, held in texts.items()
    ]


def _order(passage_id: str) -> tuple[int, str]:
    number = _NUMBER.search(passage_id)
    return (int(number[1]) if number else 0, passage_id)


def _passages(article: _Article) -> list[Source]:
    sources, start = [], 0
    for number, paragraph in enumerate(article.paragraphs):
        sources.append(
            Source(
                source_id=f"{article.title}#{number + 1}",
                text=paragraph.context,
                title=article.title.replace("_", " "),
                metadata={"document": article.title, "start": start},
            )
        )
        start += len(paragraph.context) + len(_BETWEEN)
    return sources


def _labelled(asked: _Asked, passage: Source, document: str) -> Labelled | None:
    """Make a labelled question, or None where the label's answer is not in the paragraph."""
    question = " ".join(asked.question.split())
    if asked.is_impossible:
        gold = Gold(answerable=False)
        return Labelled(id=asked.id, document=document, question=question, kind="absent", gold=gold)
    placed = [(answer.text, span) for answer in asked.answers if (span := _span(answer, passage, question))]
    if not placed:
        return None
    texts = list(dict.fromkeys(text for text, _ in placed))
    gold = Gold(answer=texts[0], aliases=tuple(texts[1:]), answerable=True, evidence=(placed[0][1],))
    return Labelled(id=asked.id, document=document, question=question, kind="answered", gold=gold)


def _span(answer: _Answer, passage: Source, question: str) -> GoldEvidence | None:
    """Find the answer in its paragraph: at the published offset, else where its sentence shares most words with the question."""
    text = passage.text or ""
    start = answer.answer_start
    if start is None or text[start : start + len(answer.text)] != answer.text:
        start = _likeliest(answer.text, text, question)
    if start is None or not answer.text.strip():
        return None
    offset = passage.metadata["start"]
    return next(iter(evidence_in([passage], offset + start, offset + start + len(answer.text))), None)


def _likeliest(answer: str, text: str, question: str) -> int | None:
    wanted = set(re.findall(r"\w{4,}", question.casefold()))

    def shared(start: int) -> int:
        around = text[max(text.rfind(". ", 0, start), 0) : (text.find(". ", start) + 1) or len(text)]
        return len(wanted & set(re.findall(r"\w{4,}", around.casefold())))

    places = [match.start() for match in re.finditer(rf"(?<!\w){re.escape(answer)}(?!\w)", text)]
    places = places or [match.start() for match in re.finditer(re.escape(answer), text)]
    return max(places, key=shared, default=None)
