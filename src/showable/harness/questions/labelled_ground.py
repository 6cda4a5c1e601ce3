"""What questions are made from labels with: the corpus, its words, and a search over it."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from showable.harness.corpora.corpus import Corpus, Labelled
from showable.harness.questions.absence import PassageWords, content_words
from showable.harness.questions.candidates import Candidate
from showable.harness.questions.shape import PROTOCOL
from showable.records.record import BucketName, Category, Gold, GoldEvidence, Question
from showable.search.bm25 import Bm25

_EXPECTED: dict[Category, tuple[BucketName, ...]] = {part.category: part.expected for part in PROTOCOL}
_SHARES = 10


@dataclass(frozen=True)
class Ground:
    """A corpus with what is looked up in it."""

    corpus: Corpus

    @cached_property
    def words(self) -> PassageWords:
        """The words of all passages."""
        return PassageWords(self.corpus.sources)

    @cached_property
    def search(self) -> Bm25:
        """A search over all passages."""
        return Bm25(self.corpus.sources, self.corpus.name)

    @cached_property
    def words_of_document(self) -> dict[str, PassageWords]:
        """The words of each document alone."""
        return {document: PassageWords(sources) for document, sources in self.corpus.by_document.items()}

    def spelt(self, document: str | None = None) -> dict[str, None]:
        """Return the words of a document, or of all, as they are written, case folded."""
        key = document or ""
        if key not in self._spelt:
            sources = self.corpus.by_document[document] if document else self.corpus.sources
            text = " ".join(source.text or "" for source in sources).casefold()
            self._spelt[key] = dict.fromkeys(sorted(set(content_words(text))))
        return self._spelt[key]

    @cached_property
    def _spelt(self) -> dict[str, dict[str, None]]:
        return {}

    def evidence_text(self, evidence: GoldEvidence) -> str:
        """Return the words that a piece of evidence points to."""
        return (self.corpus.by_id[evidence.source_id].text or "")[evidence.start : evidence.end]


def share_of(key: str) -> int:
    """Cut labels into tenths by their id, so that each is used for one thing and always for the same."""
    return zlib.crc32(key.encode()) % _SHARES


def answered(
    category: Category, label: Labelled, question: str, made_by: str, why: str, *, others: Sequence[str] = ()
) -> Candidate:
    """Make a candidate with the answer and the evidence of a label. `others` are documents that it touches besides."""
    gold = label.gold.model_copy(update={"category": category, "expected": _EXPECTED[category], "why": why})
    metadata = {"other_documents": list(others)} if others else {}
    return _candidate(label.id, question, gold, made_by, document=label.document, metadata=metadata)


def unanswered(
    category: Category,
    key: str,
    question: str,
    made_by: str,
    why: str,
    *,
    document: str = "",
    others: Sequence[str] = (),
    absent: Sequence[str] = (),
    absent_from: str | None = None,
) -> Candidate:
    """Make a candidate that nothing in the corpus answers. `absent` are terms that no passage holds together.

    With `absent_from` it is no passage of this document. Both are kept with the question, so that whoever checks the set
    can look for them again.
    """
    expected = tuple(bucket for bucket in _EXPECTED[category] if bucket == "refused")
    gold = Gold(answerable=False, category=category, expected=expected, why=why)
    metadata: dict[str, Any] = {"other_documents": list(others)} if others else {}
    if absent:
        metadata["absent"] = list(absent)
    if absent and absent_from is not None:
        metadata["absent_from"] = absent_from
    return _candidate(key, question, gold, made_by, document=document, metadata=metadata)


def _candidate(
    key: str, question: str, gold: Gold, made_by: str, *, document: str, metadata: dict[str, Any]
) -> Candidate:
    asked = Question(
        id=f"{made_by}:{key}",
        question=question,
        gold=gold,
        force_null=gold.category == "null_retrieval",
        metadata=metadata,
    )
    return Candidate(question=asked, document=document, made_by=made_by)
