"""The pipeline inside: BM25, then the sentence that answers, quoted and cited, or a refusal. No model is needed."""

from __future__ import annotations

from collections.abc import Sequence

from showable.errors import SettingError
from showable.harness.pipelines.extractive import Extractive
from showable.harness.pipelines.pipeline import Asked, Reply
from showable.harness.pipelines.reference_wording import in_words
from showable.records.evidence import Cost
from showable.records.record import Source
from showable.search.bm25 import Bm25

K = 5
"""Passages that are read where nobody says otherwise."""


class ReferencePipeline:
    """A baseline that answers with sentences of the passages it found, word for word, or says why it does not.

    Its rules are general and know no corpus. They share nothing with the judges, so that a judge's score of it is not
    the judge's own opinion come back. A sentence is given where it has the question's names, years and figures, enough of its rare
    words, and a value of the kind asked for; what is superseded or retracted is not read; where documents answer
    otherwise and the question names none, it asks back. Takes milliseconds a question.
    """

    name = "reference"

    def __init__(self, sources: Sequence[Source], *, k: int = K) -> None:
        """Index the passages. Raises SettingError unless `k` is at least 1."""
        if k < 1:
            raise SettingError(f"k: expected at least 1 passage, got {k}")
        self._search, self._extractive, self._k = Bm25(sources), Extractive(sources), k

    async def ask(self, asked: Asked) -> Reply:
        """Answer one question. With `force_null` nothing is retrieved, and it refuses."""
        retrieved = () if asked.force_null else tuple(self._search.search(asked.question, self._k))
        found = self._extractive.find(asked.question, retrieved)
        answer = in_words(found, searched=bool(retrieved))
        shown = tuple(source.source_id for source in retrieved)
        return Reply(answer=answer, retrieved=retrieved, shown=shown, cost=Cost())

    async def aclose(self) -> None:
        """Nothing is held open."""
