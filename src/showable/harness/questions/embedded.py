"""The question set that ships with the package, over the embedded corpus."""

from __future__ import annotations

from importlib.resources import as_file, files

from showable.errors import InputError
from showable.harness.corpora.open import open_corpus
from showable.harness.questions.question_set import QUESTIONS, QuestionSet, read_questions

NAME = "embedded"


def embedded_set() -> QuestionSet:
    """Read the reviewed questions and the corpus they are asked about. Raises InputError where the package lacks them."""
    place = files("showable.harness") / "embedded" / QUESTIONS
    if not place.is_file():
        raise InputError("this installation holds no embedded questions; install the package again", path=str(place))
    with as_file(place) as path:
        questions = read_questions(path)
    return QuestionSet(name=NAME, questions=questions, corpus=open_corpus(NAME).sources)
