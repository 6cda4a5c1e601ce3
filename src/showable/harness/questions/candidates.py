"""A question that may go into a set: the question itself, the document it is about, and how it was made."""

from __future__ import annotations

from showable.records.record import Category, Question
from showable.records.wire import Wire


class Candidate(Wire):
    """A question with its gold, before it is chosen for a set.

    `document` is the `metadata.document` of the passages that it is about; a question about nothing in the corpus has
    the empty string. `made_by` says how it was made, in a word or two (``labels:contradicted``, ``sentence:duration``,
    ``model``). The id of the question is a name while it is a candidate; a set gives its own.
    """

    question: Question
    document: str
    made_by: str

    @property
    def category(self) -> Category:
        """Return the category of the gold. Raises ValueError where a candidate has none, which is a fault of its maker."""
        if self.question.gold is None or self.question.gold.category is None:
            raise ValueError(f"the candidate {self.question.id!r} has no category")
        return self.question.gold.category
