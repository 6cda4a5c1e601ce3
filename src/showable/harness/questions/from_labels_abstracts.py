"""Questions from abstracts whose titles ask one, answered yes or no by people (PubMedQA)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from showable.harness.corpora.corpus import Labelled
from showable.harness.questions.absence import absent
from showable.harness.questions.candidates import Candidate
from showable.harness.questions.from_labels_abbreviations import holds_one_of, with_two_meanings
from showable.harness.questions.from_labels_conclusions import answers_plainly, conclusion_of
from showable.harness.questions.from_labels_near_misses import asked_twice, near_study, supposed
from showable.harness.questions.from_labels_other_groups import for_another_group
from showable.harness.questions.labelled_ground import Ground, answered, share_of, unanswered
from showable.records.record import Category

_AUXILIARY = r"(?:is|are|was|were|do|does|did|can|could|has|have|should|will|would)"
_PLAIN = re.compile(rf"^{_AUXILIARY}\b[^:?;]+\?$", re.IGNORECASE)
_AFTER_TOPIC = re.compile(rf"^[^:?;]{{15,}}: {_AUXILIARY}\b [^:?;]+\?$", re.IGNORECASE)
_NOT_ALONE = re.compile(
    r"^(?:is|are|was|were|do|does|did|can) (?:it|they|this|that|these|there)\b|\b(?:or not|a place for|a role for|role in|vs|versus|our|we|us|this|these)\b|\bor\b|[\"“]",
    re.IGNORECASE,
)
_FEWEST_WORDS, _LONGER = 6, 5
_ANSWERABLE, _NULL, _TEMPT, _PREMISE = 3, 4, 5, 9
_SHOUTED, _HEADLINE = 0.4, 0.4
"""Shares of capitals among letters, and of capitalised words among the longer ones, of titles that are set as such."""
_WHY = re.compile(r"^(?P<aux>is|are|does|do|did|was|were|has|have) (?!there\b)(?P<rest>.+\?)$", re.IGNORECASE)
_NO_PREMISE = re.compile(
    r"\b(?:any|still|really|always|all|only|ever|necessary|needed|worth|justified|enough|adequate|sufficient|possible|feasible|"
    r"exist|role|place|aware|want|cause for|reliable|identifiable|required|equal|the same|matter)\b",
    re.IGNORECASE,
)
"""What nobody would ask the reason of, or what a "why" before it would make sound odd."""
_NEEDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("participants", re.compile(r"\b(?:patients|participants|subjects|volunteers|respondents)\b", re.IGNORECASE)),
    ("questionnaire", re.compile(r"\b(?:questionnaires?|surveys?|interviews?)\b", re.IGNORECASE)),
    ("dropped out", re.compile(r"\b(?:random\w+|trial|prospective\w*|program(?:me)?)\b", re.IGNORECASE)),
)
"""What a study must speak of, for a question with these words to be asked of it."""

ATTRIBUTES: tuple[tuple[str, str, str], ...] = (
    ("funding", "who paid for the work", "fund|funded|funding|grant|sponsor|sponsored|financed|financial|donated|paid|support by|supported by"),
    ("software", "which statistical software was used", "software|SPSS|SAS|Stata|package|program|programme|Matlab|Excel|JMP|Minitab|Statistica|version"),
    ("smoking", "how many of the participants were smokers", "smoke|smoking|smoker|smokers|tobacco|cigarette|nicotine"),
    ("dropout", "how many participants dropped out before the end",
     "drop|dropped|dropout|withdrew|withdrawn|withdrawal|lost|completed|complete|attrition|discontinued|remained|excluded|retention|refused|missing"),
    ("women", "how many of the participants were female",
     "women|woman|female|females|male|males|men|man|girls|boys|sex|gender|mothers|maternal|pregnant|pregnancy|F|M"),
    ("ethics", "which ethics committee gave its approval", "ethics|ethical|ethically|institutional review|review board|IRB|approve|approved|approval|committee"),
    ("language", "in which language was the questionnaire given to the participants", "language|translated|translation|version|English|Spanish|French|German|Chinese"),
    ("investigators", "who was the lead investigator", "author|authors|led|investigator|investigators|Dr|professor|colleagues|et al"),
)  # fmt: skip
"""What a reader may want to know of a study, and the words of which an abstract that says it has one."""


def abstract_candidates(ground: Ground) -> Iterator[Candidate]:
    """Make candidates of all categories but `tempt_unsupported`, which needs no labels.

    What is to be answered with yes or no is asked only where the conclusion says so plainly, and no other study may answer
    it the other way.
    """
    labels = {label.document: label for label in ground.corpus.labelled}
    unclear = with_two_meanings(ground.corpus.sources)
    for label in ground.corpus.labelled:
        if not stands_alone(label.question) or holds_one_of(label.question, unclear):
            continue
        plain = answers_plainly(ground, label) and not asked_twice(ground, label, labels)
        near = list(_near_miss(ground, label, labels)) if plain else []
        made = near or list(_by_share(ground, label, plain=plain))
        yield from made or _of_another_group(ground, label)


def _by_share(ground: Ground, label: Labelled, *, plain: bool) -> Iterator[Candidate]:
    share = share_of(label.id)
    if share < _NULL and plain:
        null = share >= _ANSWERABLE
        why = "the corpus answers it; nothing is retrieved" if null else "people's label, and the authors' conclusion"
        category: Category = "null_retrieval" if null else "answerable"
        yield answered(category, label, label.question, f"labels:{label.kind}", why)
    elif _NULL <= share < _TEMPT:
        yield from _of_another_group(ground, label)
    elif _TEMPT <= share < _PREMISE and plain:
        yield from _false_premise(ground, label)
    elif share >= _PREMISE:
        yield from _not_said(ground, label)


def stands_alone(question: str) -> bool:
    """Tell whether a title is a yes-or-no question that needs nothing beside it."""
    plain = _PLAIN.match(question) or _AFTER_TOPIC.match(question)
    if sum(letter.isupper() for letter in question) > _SHOUTED * len(question):
        return False
    longer = [word for word in question.split()[1:] if len(word) >= _LONGER]
    if sum(word[0].isupper() for word in longer) > _HEADLINE * len(longer):
        return False
    return bool(plain) and _NOT_ALONE.search(question) is None and len(question.split()) >= _FEWEST_WORDS


def _near_miss(ground: Ground, label: Labelled, labels: dict[str, Labelled]) -> Iterator[Candidate]:
    """Ask what comes out the other way in a study of something near, or what the abstract itself says was believed before."""
    if (believed := supposed(ground, label)) is not None:
        why = f"near miss: {believed} says what was believed before the study, which found that it is not so"
        yield answered("tempt_wrong", label, label.question, "labels:believed_before", why)
    elif (near := near_study(ground, label, labels)) is not None:
        found, rival = near
        why = f"near miss: {found.source_id} is of another study ({rival.gold.answer} to: {rival.question})"
        yield answered("tempt_wrong", label, label.question, "labels:near_miss", why, others=[rival.document])


def _of_another_group(ground: Ground, label: Labelled) -> Iterator[Candidate]:
    """Ask of another group, disease or place what the study answers for its own."""
    swapped = for_another_group(ground, label)
    if swapped is not None:
        question, old, new, words = swapped
        why = f"near miss: the study ({label.document}) is of {old}; nothing in the corpus answers it for {new}"
        yield unanswered(
            "tempt_wrong",
            label.id,
            question,
            "labels:another_group",
            why,
            document=label.document,
            absent=[words],
            absent_from=label.document,
        )


def _false_premise(ground: Ground, label: Labelled) -> Iterator[Candidate]:
    """Ask why something is so that the study found not to be so."""
    match = _WHY.match(label.question)
    if label.kind != "contradicted" or match is None or _NO_PREMISE.search(label.question):
        return
    answer = f"It is not so: {conclusion_of(ground, label)}"
    right = label.model_copy(update={"gold": label.gold.model_copy(update={"answer": answer})})
    question = f"Why {match['aux'].lower()} {match['rest']}"
    why = "false premise: people answered the question whether it is so with no"
    yield answered("adversarial", right, question, "labels:false_premise", why)


def _not_said(ground: Ground, label: Labelled) -> Iterator[Candidate]:
    """Ask for something about a study that neither its abstract nor its title gives."""
    text = " ".join(source.text or "" for source in ground.corpus.by_document[label.document])
    in_title = set(label.question.casefold().split())
    first = len(text) % len(ATTRIBUTES)
    for name, asked, words in (*ATTRIBUTES[first:], *ATTRIBUTES[:first]):
        fits = all(needed.search(text) for word, needed in _NEEDS if word in asked)
        said = in_title & set(words.casefold().split("|")) or absent([words], ground.words_of_document[label.document])
        if not fits or said:
            continue
        question = f"In the study that asked “{label.question}”, {asked}?"
        why = f"the abstract ({label.document}) has no word on it: {name}"
        yield unanswered(
            "unanswerable",
            label.id,
            question,
            f"template:{name}",
            why,
            document=label.document,
            absent=[words],
            absent_from=label.document,
        )
        return
