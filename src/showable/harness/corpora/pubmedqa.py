"""PubMedQA (Jin et al. 2019, EMNLP): questions that titles of abstracts ask, with the answer that each abstract comes to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import Field

from showable.errors import InputError
from showable.harness.corpora.corpus import Corpus, Labelled
from showable.harness.corpora.labelled_rows import (
    PassageRow,
    Published,
    evidence_in,
    holds_rows,
    parsed,
    read_bytes,
    read_rows,
    shaped,
)
from showable.records.record import Gold, Source

ADDRESS = "https://raw.githubusercontent.com/pubmedqa/pubmedqa/master/data/ori_pqal.json"
LICENCE = "MIT"

_CONCLUSION = "conclusion"
_BETWEEN = "\n"


class _Abstract(Published):
    """One abstract as it is published, under its PubMed id."""

    QUESTION: str
    CONTEXTS: list[str] = Field(min_length=1)
    LABELS: list[str] = Field(default_factory=list)
    LONG_ANSWER: str = Field(pattern=r"\S")
    YEAR: str | None = None
    final_decision: str


class _Row(Published):
    id: str
    question: str
    passages: list[PassageRow] = Field(min_length=1)
    answers: list[str] = Field(min_length=1)
    long_answer: str
    year: str | None = None


def read_pubmedqa(path: Path) -> Corpus:
    """Read ``ori_pqal.json``, or rows of question, passages, answers and long_answer.

    An abstract is a document; its sections are its passages, and the authors' conclusion (the long answer) is the last
    of them. ``yes`` is a label ``answered``, ``no`` one ``contradicted``; ``maybe`` is left out, and counted.
    Raises InputError where the file is neither.
    """
    abstracts = _from_rows(path) if holds_rows(path) else _from_published(path)
    if not abstracts:
        raise InputError("holds no abstracts", path=str(path))
    sources, labelled, undecided = [], [], 0
    for pmid, abstract in abstracts.items():
        passages = _passages(pmid, abstract)
        sources += passages
        decision = abstract.final_decision.strip().lower()
        if decision not in {"yes", "no", "maybe"}:
            said = f"expected yes, no or maybe, got {decision!r}"
            raise InputError(said, path=str(path), field=f"{pmid}.final_decision")
        undecided += decision == "maybe"
        labelled += [] if decision == "maybe" else [_labelled(pmid, abstract, passages, decision)]
    notes = (f"{undecided} questions left out: people answered them with maybe",) if undecided else ()
    return Corpus(
        name="pubmedqa",
        origin=str(path),
        licence=LICENCE,
        sources=tuple(sources),
        labelled=tuple(labelled),
        notes=notes,
    )


def _from_published(path: Path) -> dict[str, _Abstract]:
    held: Any = parsed(read_bytes(path), str(path))
    if not isinstance(held, dict):
        raise InputError("expected an object of PubMed ids", path=str(path))
    return {str(pmid): _abstract(value, f"{pmid}", path) for pmid, value in held.items()}


def _abstract(value: Any, pmid: str, path: Path) -> _Abstract:
    try:
        return shaped(value, _Abstract, str(path))
    except InputError as error:
        raise InputError(error.message, path=str(path), field=f"{pmid}.{error.field}".rstrip(".")) from None


def _from_rows(path: Path) -> dict[str, _Abstract]:
    return {
        row.id: _Abstract(
            QUESTION=row.question,
            CONTEXTS=[passage.text for passage in row.passages],
            LABELS=[passage.title or "" for passage in row.passages],
            LONG_ANSWER=row.long_answer,
            YEAR=row.year,
            final_decision=row.answers[0],
        )
        for row in read_rows(path, _Row)
    }


def _passages(pmid: str, abstract: _Abstract) -> list[Source]:
    """Return the sections in order. The title asks the question, so that it is not put on them: it would give the passage away."""
    labels = [*abstract.LABELS, *[""] * len(abstract.CONTEXTS)][: len(abstract.CONTEXTS)]
    sections = [*zip(labels, abstract.CONTEXTS, strict=True), (_CONCLUSION, abstract.LONG_ANSWER)]
    sources, start = [], 0
    for number, (label, text) in enumerate(sections, 1):
        if text.strip():
            sources.append(
                Source(
                    source_id=f"{pmid}#{number}",
                    text=text,
                    title=f"PMID {pmid}{', ' if label else ''}{label.lower()}",
                    metadata={
                        "document": pmid,
                        "start": start,
                        **({"year": abstract.YEAR} if abstract.YEAR else {}),
                    },
                )
            )
        start += len(text) + len(_BETWEEN)
    return sources


def _labelled(pmid: str, abstract: _Abstract, passages: list[Source], decision: str) -> Labelled:
    last = passages[-1]
    offset = last.metadata["start"]
    evidence = evidence_in([last], offset, offset + len(last.text or ""))
    gold = Gold(answer=decision.capitalize(), answerable=True, evidence=tuple(evidence))
    return Labelled(
        id=pmid,
        document=pmid,
        question=" ".join(abstract.QUESTION.split()).replace(" ?", "?"),
        kind="answered" if decision == "yes" else "contradicted",
        gold=gold,
    )
