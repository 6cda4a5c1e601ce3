"""What people found unanswerable on a paragraph, where no other passage of the corpus says it either."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from showable.harness.corpora.corpus import Labelled
from showable.harness.questions.absence import content_stems, content_words, sentences_of, stems_of
from showable.harness.questions.article_wording import ASKS_WHEN, FIGURE, names_of
from showable.harness.questions.candidates import Candidate
from showable.harness.questions.from_labels_swaps import YEAR, names_in
from showable.harness.questions.labelled_ground import Ground, unanswered

_ASKS_DETAIL = re.compile(
    r"^(?:when (?:was|did|were)|in (?:what|which) (?:year|century|month)|how (?:many|much|far|old|large|high|tall)|on what date)\b",
    re.IGNORECASE,
)
_GENERIC = re.compile(r"^(?:how many (?:people|times)|when did the \w+ (?:movement|age|era))\b", re.IGNORECASE)
_OF_TIME = content_stems("year century month day date first people times")
_FOUND = 10
"""A near miss must be among the first passages that a search for the question brings up."""
_LIKE, _TOO_LIKE, _SAID, _SAID_OF_DETAIL, _SHARED = 0.5, 0.6, 0.72, 0.75, 0.4


def unsaid(ground: Ground, label: Labelled, labels: list[Labelled]) -> Iterator[Candidate]:
    """Keep a question about what its article does not mention, or one for a date or a number that no sentence gives.

    `labels` are those of the same document.
    """
    foreign = _foreign_words(ground, label)
    rival = max((one for one in labels if one.kind == "answered"), key=lambda one: likeness(label, one), default=None)
    alike = likeness(label, rival) if rival else 0.0
    if foreign:
        near = (
            rival is not None
            and alike >= _LIKE
            and brought_up(ground, label.question, rival.gold.evidence[0].source_id)
        )
        yield from _about_another(ground, label, rival if near else None, foreign)
    elif alike < _TOO_LIKE and _asks_detail(label.question) and _no_detail(ground, label):
        why = (
            "people found no answer where one would stand, and no sentence of the corpus that speaks of it has a figure"
        )
        yield unanswered(
            "unanswerable",
            label.id,
            label.question,
            "labels:absent_detail",
            why,
            document=label.document,
            absent=content_words(label.question),
        )


def _asks_detail(question: str) -> bool:
    return bool(_ASKS_DETAIL.match(question)) and not _GENERIC.match(question)


def _about_another(ground: Ground, label: Labelled, rival: Labelled | None, foreign: list[str]) -> Iterator[Candidate]:
    """Ask about what the article does not mention; `rival` is what people answered of something else in like words."""
    own = {source.source_id for source in ground.corpus.by_document[label.document]}
    if ground.words.most_covered(label.question, beside=own)[0] >= _SAID:
        return
    facts: dict[str, Any] = {"document": label.document, "absent": foreign, "absent_from": label.document}
    if rival is not None:
        why = f"near miss: {rival.gold.evidence[0].source_id} answers “{rival.question}” with {rival.gold.answer!r}; this is asked of something else"
        yield unanswered("tempt_wrong", label.id, label.question, "labels:absent_near_miss", why, **facts)
        return
    why = f"people found no answer where one would stand, and the article says nothing of {', '.join(foreign)}"
    yield unanswered("unanswerable", label.id, label.question, "labels:absent", why, **facts)


def brought_up(ground: Ground, question: str, source_id: str) -> bool:
    """Check whether a search for the question brings up this passage among the first."""
    return any(found.source_id == source_id for found in ground.search.search(question, _FOUND))


def likeness(label: Labelled, rival: Labelled) -> float:
    """Return the share of the content words of two questions on one article that both have, its title's left out."""
    subject = content_stems(label.document.replace("_", " "))
    one, other = content_stems(label.question) - subject, content_stems(rival.question) - subject
    return len(one & other) / max(len(one | other), 1)


def _foreign_words(ground: Ground, label: Labelled) -> list[str]:
    """Return the well-known names and the numbers of a question that its article lacks.

    None where it lacks another word: a name that no list has may be misspelt, and a word that stands nowhere is odd.
    """
    article, corpus = ground.words_of_document[label.document].vocabulary, ground.words.vocabulary
    missing = [word for word in content_words(label.question) if stems_of(word)[0] not in article]
    if any(f"{word}-" in label.question or (word.islower() and stems_of(word)[0] not in corpus) for word in missing):
        return []
    named = [word for word in missing if not word.islower()]
    return named if all(names_in(word) or FIGURE.fullmatch(word) for word in named) else []


def _no_detail(ground: Ground, label: Labelled) -> bool:
    """Check whether no sentence with nearly half of the question's words has a year or a number that could be the answer."""
    wanted = content_stems(label.question) - _OF_TIME
    if not names_of(label.question) or ground.words.most_covered(label.question)[0] >= _SAID_OF_DETAIL:
        return False
    article = ground.words_of_document[label.document].vocabulary
    if any(stems_of(word)[0] not in article for word in content_words(label.question) if not word.islower()):
        return False
    kind = YEAR if ASKS_WHEN.match(label.question) else FIGURE
    asked = set(kind.findall(label.question))
    return not any(
        len(wanted & content_stems(sentence)) >= _SHARED * len(wanted) and set(kind.findall(sentence)) - asked
        for source in ground.corpus.sources
        for sentence in sentences_of(source.text or "")
    )
