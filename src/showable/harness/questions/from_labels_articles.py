"""Questions from people's questions on the paragraphs of articles, some without an answer (SQuAD 2.0 and the like)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from showable.harness.corpora.corpus import Labelled
from showable.harness.questions.absence import PassageWords, content_stems, sentences_of
from showable.harness.questions.article_answers import borne_out
from showable.harness.questions.article_wording import (
    ASKS_HOW_MANY,
    ASKS_WHEN,
    FIGURE,
    agreed,
    misspelt,
    stands_alone,
    tells,
)
from showable.harness.questions.candidates import Candidate
from showable.harness.questions.from_labels_swaps import YEAR, name_swapped, year_swapped
from showable.harness.questions.from_labels_unsaid import brought_up, likeness, unsaid
from showable.harness.questions.labelled_ground import Ground, answered, share_of, unanswered
from showable.records.record import Category

_NULL = 2
"""Of ten labels, the first two are asked with nothing retrieved."""
_ALIKE, _ALIKE_ELSEWHERE, _ALIKE_BESIDE, _HELD = 0.5, 0.6, 0.4, 0.65
_SHARED, _SHORT, _FEW = 2, 4, 3
_ORDINAL = re.compile(r"\b(?:first|second|third|fourth|another|again|last|final)\b", re.IGNORECASE)
_YEARS_NEAR = 150
_PERCENT = re.compile(r"\d[\d.,]*(?=\s?%| per ?cent)")
_MONEY = re.compile(r"(?<=[$£€])\d[\d.,]*(?: (?:m|b|tr)illion)?")
_SCALE = re.compile(r"(?:m|b|tr)illion")
_NO_COUNT = re.compile(r"\s?%| per ?cent|['’]s\b|-\w|(?:st|nd|rd|th)\b")

_SWAPPED: tuple[Category, ...] = ("tempt_wrong", "adversarial")
"""What a question becomes in which something was put for something else, in turn."""


def article_candidates(ground: Ground) -> Iterator[Candidate]:
    """Make candidates of all categories but `tempt_unsupported` and `refusal_due`, which need no labels."""
    by_document: dict[str, list[Labelled]] = defaultdict(list)
    for label in ground.corpus.labelled:
        if stands_alone(label.question, label.document) and not misspelt(ground, label.question, label.document):
            by_document[label.document].append(label)
    asked: dict[str, list[Labelled]] = defaultdict(list)
    for label in ground.corpus.labelled:
        asked[label.document].append(label)
    for document, labels in by_document.items():
        for label in labels:
            make = _of_answered if label.kind == "answered" else unsaid
            yield from make(ground, label, asked[document])


def _of_answered(ground: Ground, label: Labelled, labels: list[Labelled]) -> Iterator[Candidate]:
    """Ask what people answered: as it is where the answer holds, beside a near miss where there is one, or of something else."""
    if not _says_enough(label) or not _answered_there_alone(ground, label):
        return
    holds = agreed(label) and tells(label) and borne_out(ground, label)
    near = (_near_miss(ground, label) or _beside(ground, label, labels)) if holds else None
    traps = [*_swapped(ground, label), *([near] if near is not None else [])]
    yield from traps
    if holds and not traps and share_of(label.id) < _NULL:
        why = "the corpus answers it; nothing is retrieved"
        yield answered("null_retrieval", label, label.question, "labels:answered", why)
    elif holds and not traps:
        yield answered("answerable", label, label.question, "labels:answered", "people's label")


def _says_enough(label: Labelled) -> bool:
    """Check whether a question has words enough, or one of its article's title: else it may be asked of many things."""
    asked = content_stems(label.question)
    return len(asked) > _FEW or bool(asked & content_stems(label.document.replace("_", " ")))


def _answered_there_alone(ground: Ground, label: Labelled) -> bool:
    """Check whether the passage of the answer holds most of the question's words together, and no other holds more.

    Else the answer may be to something that the passage only hints at, or another passage may answer otherwise.
    """
    own = {evidence.source_id for evidence in label.gold.evidence}
    here = PassageWords([ground.corpus.by_id[one] for one in own]).most_covered(label.question)[0]
    if _one_of_several(ground, label):
        return False
    return here >= _HELD and ground.words.most_covered(label.question, beside=own)[0] <= here


def _one_of_several(ground: Ground, label: Labelled) -> bool:
    """Check whether a time is that of one event among several of its kind, of which the question does not say which."""
    if not ASKS_WHEN.match(label.question) or _ORDINAL.search(label.question):
        return False
    evidence = label.gold.evidence[0]
    before = (ground.corpus.by_id[evidence.source_id].text or "")[: evidence.start]
    return bool(_ORDINAL.search(sentences_of(before)[-1]))


def _swapped(ground: Ground, label: Labelled) -> Iterator[Candidate]:
    """Ask about another year, or another of the kind: tempting beside the passage that answers the question as it was."""
    evidence = label.gold.evidence[0].source_id
    by_name = next(name_swapped(ground, label), None)
    by_year = year_swapped(ground, label)
    for made_by, swapped in (("template:another_name", by_name), ("template:another_year", by_year)):
        if swapped is not None and brought_up(ground, swapped[0], evidence):
            question, was, now = swapped
            category = _SWAPPED[share_of(label.id) % len(_SWAPPED)]
            why = f"near miss: {evidence} answers it of {was} ({label.gold.answer}); the article says nothing of {now}"
            yield unanswered(
                category,
                label.id,
                question,
                made_by,
                why,
                document=label.document,
                absent=[now],
                absent_from=label.document,
            )


def _near_miss(ground: Ground, label: Labelled) -> Candidate | None:
    """Ask for a year or a number, where the article has another one of the same unit.

    It stands in a sentence that shares half of the question's words or more, without the answer.
    """
    answer = label.gold.answer or ""
    wanted = content_stems(label.question) - content_stems(label.document.replace("_", " "))
    if len(answer.split()) > _SHORT or len(wanted) < _SHARED:
        return None
    own = set(FIGURE.findall(" ".join((answer, *label.gold.aliases))))
    evidence = label.gold.evidence[0].source_id
    for source in ground.corpus.by_document[label.document]:
        if not brought_up(ground, label.question, source.source_id):
            continue
        for sentence in sentences_of(source.text or ""):
            shared = len(wanted & content_stems(sentence))
            alike = _ALIKE if source.source_id == evidence else _ALIKE_ELSEWHERE
            if shared < max(_SHARED, alike * len(wanted)) or own & set(FIGURE.findall(sentence)):
                continue
            values = _rival_values(label, sentence)
            if values and not content_stems(answer) <= content_stems(sentence):
                where = "the same passage" if source.source_id == evidence else source.source_id
                why = f"near miss: {where} has another value ({', '.join(sorted(values))}) in words like these"
                return answered("tempt_wrong", label, label.question, "labels:near_miss", why)
    return None


def _beside(ground: Ground, label: Labelled, labels: list[Labelled]) -> Candidate | None:
    """Ask what people answered otherwise of something else, in nearly the same words: "which part was ranked lower?"."""
    asked = content_stems(label.question)
    own = content_stems(" ".join((label.gold.answer or "", *label.gold.aliases))) - asked
    opening = label.question.split()[0]
    rivals = [
        one
        for one in labels
        if one.kind == "answered"
        and one.question.split()[0] == opening
        and len(asked & content_stems(one.question)) > _SHARED
        and not own & content_stems(" ".join((one.gold.answer or "", *one.gold.aliases)))
        and brought_up(ground, label.question, one.gold.evidence[0].source_id)
    ]
    rival = max(rivals, key=lambda one: likeness(label, one), default=None)
    if rival is None or not _ALIKE_BESIDE <= likeness(label, rival) < 1:
        return None
    why = f"near miss: {rival.gold.evidence[0].source_id} answers “{rival.question}” with {rival.gold.answer!r}"
    return answered("tempt_wrong", label, label.question, "labels:near_miss", why)


def _rival_values(label: Labelled, sentence: str) -> set[str]:
    """Return the years or numbers that a sentence has, whichever was asked for."""
    answer = label.gold.answer or ""
    if ASKS_WHEN.match(label.question):
        asked = YEAR.search(answer)
        years = set(YEAR.findall(sentence)) if asked else set()
        return {year for year in years if asked and abs(int(year) - int(asked[0])) <= _YEARS_NEAR}
    if ASKS_HOW_MANY.match(label.question):
        return _of_unit(label, sentence) if FIGURE.search(answer) else set()
    return set()


def _of_unit(label: Labelled, sentence: str) -> set[str]:
    """Return the numbers of a sentence in the unit asked for: shares, sums of money, or counts, which no year is."""
    answer = label.gold.answer or ""
    if "%" in answer or re.search(r"\bper ?cent", f"{label.question} {answer}", re.IGNORECASE):
        return set(_PERCENT.findall(sentence))
    if re.search(r"[$£€]", answer):
        return {sum_ for sum_ in _MONEY.findall(sentence) if _SCALE.findall(sum_) == _SCALE.findall(answer)}
    found = (match for match in FIGURE.finditer(sentence) if not _NO_COUNT.match(sentence, match.end()))
    counts = {match[0] for match in found if not match[0].endswith("%") and sentence[match.start() - 1] not in "$£€#"}
    return {count for count in counts if not YEAR.fullmatch(count) and abs(_digits(count) - _digits(answer)) <= 1}


def _digits(number: str) -> int:
    return sum(sign.isdigit() for sign in number)
