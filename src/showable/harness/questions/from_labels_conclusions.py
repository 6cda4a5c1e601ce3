"""Does the conclusion of an abstract say yes or no to the question of its title, without taking it back?"""

from __future__ import annotations

import re

from showable.harness.corpora.corpus import Labelled
from showable.harness.questions.absence import content_stems, sentences_of
from showable.harness.questions.labelled_ground import Ground

_TURNS = re.compile(
    r"\b(?:however|nevertheless|nonetheless|although|though|despite|but|yet|while|whereas|except|unless|provided|in contrast|"
    r"on the other hand|inconclusive|unclear|controvers\w+|conflicting|insufficient|more complex|both advantages)\b",
    re.IGNORECASE,
)
_WEAKENS = re.compile(
    r"\b(?:may|might|could|possibl[ey]|perhaps|potential\w*|trend|borderline|marginal\w*|partial\w*|depend(?:s|ing|ent)?|some|limited|"
    r"suspect\w*|question\w*|only|preliminary|slight\w*|modest\w*|weak\w*|certain|mainly|most|often|promising|if|in part|confounded|in order to|further|needed|requir\w+)\b",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\b(?:not|no|neither|nor|never|none|without|cannot|fail\w*|lack\w*|contrary|unaffected|unchanged|unrelated|unlikely|"
    r"independent(?:ly)? of|similar\w*|equivalent|comparable|nonequivalent|unnecessary|ineffective|unable|absence|little|rul\w+ out)\b",
    re.IGNORECASE,
)
_ON_THE_QUESTION = 0.4
"""The share of a question, its words weighed by how rare they are, that the sentence which answers it must hold."""


def conclusion_of(ground: Ground, label: Labelled) -> str:
    """Return the words of the authors' conclusion."""
    return " ".join(ground.evidence_text(evidence) for evidence in label.gold.evidence)


def answers_plainly(ground: Ground, label: Labelled) -> bool:
    """Check whether a sentence of the conclusion takes up the question, and says what people labelled, without a hedge.

    A "no" needs a word that denies in that sentence; a "yes" must have none there. A conclusion that turns round on itself
    ("however", "although") is not plain, whatever it says.
    """
    conclusion = conclusion_of(ground, label)
    if _TURNS.search(conclusion):
        return False
    weights = ground.words.weights(label.question)
    held = [(share_held(sentence, weights), sentence) for sentence in sentences_of(conclusion)]
    most, answer = max(held, key=lambda one: one[0])
    if most < _ON_THE_QUESTION or _WEAKENS.search(answer):
        return False
    return (_DENIES.search(answer) is None) == (label.kind == "answered")


def share_held(text: str, weights: dict[str, float]) -> float:
    """Return the share of a question's words, weighed by how rare they are, that a text holds."""
    return sum(weights[stem] for stem in content_stems(text) & weights.keys()) / (sum(weights.values()) or 1.0)
