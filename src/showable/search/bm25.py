"""BM25 over passages held in memory (Robertson & Zaragoza 2009, Found. Trends Inf. Retr. 3: 333; scored by `bm25s`)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from showable.records.record import Source

_WORD = re.compile(r"\w+(?:[.,]\d+)*")
_ENDINGS = re.compile(r"(?<=\w{3})(?:ies|es|ing|ed|s|e|y)$")


class Bm25:
    """Finds passages by their words; `name` carries a digest of what they hold.

    The index is made at the first search. Of passages that score the same, the earlier comes first.
    Passages without text are never found.
    """

    def __init__(self, sources: Sequence[Source], name: str = "corpus") -> None:
        self.sources = [source for source in sources if source.text]
        digest = hashlib.blake2b(digest_size=4)
        for source in self.sources:
            digest.update(f"{source.source_id}\0{source.title or ''}\0{source.text}\0".encode("utf-8", "replace"))
        self.name = f"{name}@{digest.hexdigest()}"

    def search(self, query: str, k: int) -> list[Source]:
        """Return at most `k` passages that share words with the query, the best first, `score` set on each."""
        words = [word for word in dict.fromkeys(words_of(query)) if word in self._vocabulary]
        if not words or k < 1:
            return []
        scores = self._index.get_scores(words)
        best = (-scores).argsort(kind="stable")[:k]
        return [self._found(i, float(scores[i])) for i in best if scores[i] > 0]

    def _found(self, index: int, score: float) -> Source:
        return self.sources[index].model_copy(update={"score": round(score, 4)})

    @cached_property
    def _index(self) -> Any:
        import bm25s  # noqa: PLC0415 - a third of a second to import

        index = bm25s.BM25(method="lucene")
        index.index(
            [words_of(f"{source.title or ''} {source.text}") or ["\0"] for source in self.sources], show_progress=False
        )
        return index

    @property
    def _vocabulary(self) -> dict[str, int]:
        return self._index.vocab_dict if self.sources else {}


def words_of(text: str) -> list[str]:
    """Return the words of a text, case folded and with the commonest endings of English taken off."""
    return [_ENDINGS.sub("", word) for word in _WORD.findall(text.casefold())]
