"""FinanceBench (Islam et al. 2023, arXiv:2311.11944): questions on pages of companies' filings, answered by analysts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from pydantic import AliasChoices, Field

from showable.errors import InputError
from showable.harness.corpora.archive import Member, members
from showable.harness.corpora.corpus import Corpus, Labelled
from showable.harness.corpora.labelled_rows import PassageRow, Published, parsed, shaped
from showable.harness.corpora.passage_rows import placed
from showable.records.record import Gold, GoldEvidence, Source

ADDRESS = "https://raw.githubusercontent.com/patronus-ai/financebench/main/data/financebench_open_source.jsonl"
DOCUMENTS = (
    "https://raw.githubusercontent.com/patronus-ai/financebench/main/data/financebench_document_information.jsonl"
)
LICENCE = "CC BY-NC 4.0"

_PAGE = re.compile(r"(.+)-p(\d+)")


class _Evidence(Published):
    """A page of a filing; its number counts from 0, as published."""

    evidence_text: str
    document: str = Field(validation_alias=AliasChoices("doc_name", "evidence_doc_name"))
    evidence_page_num: int
    evidence_text_full_page: str | None = None


class _Asked(Published):
    financebench_id: str
    question: str = Field(min_length=1)
    answer: str
    justification: str | None = None
    evidence: list[_Evidence] = Field(min_length=1)


class _Passage(PassageRow):
    evidence: list[str] | str | None = None


class _Row(Published):
    """A question with its pages, each under the id ``DOCUMENT-pNUMBER``."""

    id: str
    question: str = Field(min_length=1)
    passages: list[_Passage] = Field(min_length=1)
    answers: list[str] = Field(min_length=1)
    justification: str | None = None


class _About(Published):
    """A line of the published list of documents."""

    doc_name: str
    company: str | None = None
    doc_type: str | None = None
    doc_period: str | None = None
    doc_link: str | None = None


def read_financebench(path: Path) -> Corpus:
    """Read ``financebench_open_source.jsonl`` (with the list of documents beside it), or rows of question, passages and answers.

    A page is a passage, ``DOCUMENT-pNUMBER`` with the number as published (from 0), and `page` counts from 1. All
    questions are labelled ``answered``. Raises InputError with the line and field that is not as published.
    """
    asked: list[_Asked] = []
    about: dict[str, _About] = {}
    for file in members(path, lambda name: name.endswith((".jsonl", ".jsonl.gz"))):
        for value, line in _values(file):
            if isinstance(value, dict) and "doc_name" in value and "question" not in value:
                known = shaped(value, _About, file.shown, line)
                about[known.doc_name] = known
            else:
                asked.append(_asked(value, file.shown, line))
    if not asked:
        raise InputError("holds no questions", path=str(path))
    pages = _pages(asked)
    sources = tuple(placed(_source(key, text, about.get(key[0])) for key, text in sorted(pages.items())))
    labelled = tuple(_labelled(one, pages) for one in asked)
    return Corpus(name="financebench", origin=str(path), licence=LICENCE, sources=sources, labelled=labelled)


def _values(file: Member) -> Iterator[tuple[object, int]]:
    for number, line in enumerate(file.data.split(b"\n"), start=1):
        if line.strip():
            yield parsed(line, file.shown, number), number


def _asked(value: object, path: str, line: int) -> _Asked:
    """Read a question in either shape."""
    if not isinstance(value, dict) or "passages" not in value:
        return shaped(value, _Asked, path, line)
    row = shaped(value, _Row, path, line)
    evidence = []
    for number, passage in enumerate(row.passages):
        named = _PAGE.fullmatch(passage.id)
        if named is None:
            said = f"expected DOCUMENT-pNUMBER, got {passage.id[:40]!r}"
            raise InputError(said, path=path, line=line, field=f"passages.{number}.id")
        spans = [passage.evidence] if isinstance(passage.evidence, str) else passage.evidence or [passage.text]
        evidence += [
            _Evidence(
                doc_name=named[1],
                evidence_page_num=int(named[2]),
                evidence_text=span,
                evidence_text_full_page=passage.text,
            )
            for span in spans
        ]
    return _Asked(
        financebench_id=row.id,
        question=row.question,
        answer=row.answers[0],
        justification=row.justification,
        evidence=evidence,
    )


def _pages(asked: Iterable[_Asked]) -> dict[tuple[str, int], str]:
    """Return each page's text: all of it where it is published, else its pieces of evidence one after another."""
    whole: dict[tuple[str, int], str] = {}
    pieces: dict[tuple[str, int], dict[str, None]] = {}
    for item in (item for one in asked for item in one.evidence):
        key = item.document, item.evidence_page_num
        full = item.evidence_text_full_page or ""
        if len(full.strip()) > len(whole.get(key, "")):
            whole[key] = full.strip()
        pieces.setdefault(key, {})[item.evidence_text.strip()] = None
    return {key: whole.get(key) or "\n\n".join(texts) for key, texts in pieces.items()}


def _source(key: tuple[str, int], text: str, about: _About | None) -> Source:
    document, number = key
    told = about.model_dump(exclude_none=True, exclude={"doc_name", "doc_link"}) if about else {}
    return Source(
        source_id=f"{document}-p{number}",
        text=text,
        title=document.replace("_", " "),
        page=number + 1,
        url=about.doc_link if about else None,
        metadata={**told, "document": document},
    )


def _labelled(asked: _Asked, pages: dict[tuple[str, int], str]) -> Labelled:
    found = dict.fromkeys(
        _span(f"{item.document}-p{item.evidence_page_num}", pages[item.document, item.evidence_page_num], item)
        for item in asked.evidence
    )
    gold = Gold(answer=asked.answer, answerable=True, evidence=tuple(found), why=asked.justification or None)
    document = asked.evidence[0].document
    question = " ".join(asked.question.split())
    return Labelled(id=asked.financebench_id, document=document, question=question, kind="answered", gold=gold)


def _span(source_id: str, page: str, item: _Evidence) -> GoldEvidence:
    """Find a piece of evidence on its page, however it was spaced; the page alone where it is not found as it stands."""
    words = item.evidence_text.split()
    found = re.search(r"\s+".join(map(re.escape, words)), page) if words else None
    return (
        GoldEvidence(source_id=source_id, start=found.start(), end=found.end())
        if found
        else GoldEvidence(source_id=source_id)
    )
