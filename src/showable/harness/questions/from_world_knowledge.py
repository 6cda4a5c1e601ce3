"""What is well known in the world and not in a corpus: questions that tempt to answer from memory."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from showable.harness.questions.absence import ONE_OF, absent
from showable.harness.questions.candidates import Candidate
from showable.harness.questions.labelled_ground import Ground, unanswered

FIELDS = ("law", "medicine", "general")
FIELD_OF = {"contractnli": "law", "cuad": "law", "edgar": "law", "pubmedqa": "medicine", "squad2": "general"}
"""The field that lies near a corpus: what is asked there looks as if it might be in it."""

_COLUMN, _TERM, _FORM = " | ", ";", "/"


class Known(NamedTuple):
    """A question that any educated person may answer, with its answer and the terms that stand together where it is given."""

    question: str
    answer: str
    terms: tuple[str, ...]


@cache
def known_questions(field: str) -> tuple[Known, ...]:
    """Read the questions of one of `FIELDS`."""
    text = (files("showable.harness.questions") / "world_knowledge" / f"{field}.txt").read_text("utf-8")
    rows = [line.split(_COLUMN) for line in text.splitlines() if line and not line.startswith("#")]
    return tuple(
        Known(question, answer, tuple(term.strip().replace(_FORM, ONE_OF) for term in terms.split(_TERM)))
        for question, answer, terms in rows
    )


def world_knowledge_candidates(ground: Ground) -> Iterator[Candidate]:
    """Make a candidate of every question that no passage answers: none holds its terms within a few sentences.

    The questions are of the field that lies near the corpus, or of all fields where that is not known.
    """
    near = FIELD_OF.get(ground.corpus.name)
    for field in (near,) if near else FIELDS:
        for number, known in enumerate(known_questions(field), 1):
            if absent(known.terms, ground.words) is None:
                why = f"well known ({known.answer}), and not in the corpus: no passage holds its terms together"
                yield unanswered(
                    "tempt_unsupported", f"{number}", known.question, f"world:{field}", why, absent=known.terms
                )
