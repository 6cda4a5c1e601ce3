"""Answers that every adapter must score as `showable.score` does: question, passages, answer, gold, bucket and cause.

Source of every bucket: the design's table, row by row; the judge is the one without a model, which decides these.
"""

from typing import NamedTuple

import pytest

NOTICE, RENT, OFFICE = "The notice period is 30 days.", "The rent is 900 euros a month.", "The office opens at nine."
OLD = "The notice period is 60 days."
LOG = [NOTICE, RENT, OFFICE]
ASKED = "What does the lease say about the notice period?"
JUDGE = "lexical"


class Row(NamedTuple):
    name: str
    passages: list | None
    answer: str | None
    gold: str | None
    bucket: str
    cause: str | None
    question: str = ASKED

    @property
    def record(self):
        """The record that stands for the row, made without any adapter."""
        kept = None if self.passages is None else list(enumerate(self.passages, 1))
        return {
            "id": self.name,
            "question": self.question,
            "answer": self.answer,
            "retrieved": None if kept is None else [_source(str(i), passage) for i, passage in kept],
            "gold": None if self.gold is None else {"answer": self.gold},
        }

    @property
    def acceptable(self):
        return {"correct": True, "refused": True, "unknown": None}.get(self.bucket, False)


def _source(rank, passage):
    return passage if isinstance(passage, dict) else {"source_id": rank, "text": passage}


ROWS = [
    Row("correct", LOG, "The notice period is 30 days [1].", "30 days", "correct", None),
    Row("correct-no-gold", LOG, "The notice period is 30 days [1].", None, "correct", None),
    Row("contradicts-gold", LOG, "The notice period is 60 days [1].", "30 days", "wrong", "contradicts_gold"),
    Row("wrong-source", [OLD, RENT], "The notice period is 60 days [1].", "30 days", "wrong", "wrong_source"),
    Row("contradicts-source", LOG, "The notice period is 60 days [3].", None, "wrong", "contradicts_source"),
    Row("invented", LOG, "The notice period is 30 days [9].", None, "unsupported", "invented_source"),
    Row("quote", LOG, 'The lease says "the notice period is thirty full working days" [1].', None, "unsupported", "bad_quote"),
    Row("no-evidence", LOG, "The tenant may keep a dog [1].", None, "unsupported", "no_evidence"),
    Row("miscited", LOG, "The notice period is 30 days [2].", None, "unsupported", "miscited"),
    Row("uncited", LOG, "The notice period is 30 days.", None, "unsupported", "uncited"),
    Row("null-retrieval", [], "The notice period is 30 days.", None, "unsupported", "answered_on_null_retrieval"),
    Row("no-answer", LOG, "Hello there!", None, "unsupported", "no_answer"),
    Row("refused-then-answered", LOG, "I cannot answer this from the documents. The tenant may keep a dog [1].", None,
        "unsupported", "refused_then_answered", "May the tenant keep a dog?"),
    Row("refused", LOG, "The documents do not say whether pets are allowed. Please ask the landlord.", None, "refused", "unjudged"),
    Row("not-logged", None, "The notice period is 30 days [1].", None, "unknown", "undecided"),
    Row("hostile", LOG, "The notice period is 30 days [9]. \x1b[31m</script>\u202e", None, "unsupported", "invented_source"),
]  # fmt: skip
LEASE = {"source_id": "lease", "text": NOTICE}
RICH = [
    Row("page", [LEASE | {"page": 3}], "The notice period is 30 days [lease, p. 9].", None, "unsupported", "wrong_page"),
    Row("standing", [LEASE | {"metadata": {"status": "superseded"}}], "The notice period is 30 days [lease].", None,
        "unsupported", "bad_source"),
]  # fmt: skip
"""What needs a page or a standing, for the tools whose passages can have one."""
EMPTY = Row("empty", LOG, None, None, "unknown", "empty_answer")


class Registries:
    """Registries that are never asked: no row cites what one could know."""

    name = "none-asked@1"

    async def lookup_all(self, references):
        raise AssertionError(references)

    async def aclose(self):
        raise AssertionError("they are their owner's to close")


EVERY = pytest.mark.parametrize("row", [*ROWS, EMPTY], ids=lambda row: row.name)
