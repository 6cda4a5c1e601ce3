"""Questions from people's questions on the paragraphs of articles, some without an answer (SQuAD 2.0 and the like)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

from probative.harness.corpora.corpus import Labelled
from probative.harness.questions.absence import content_stems, content_words, sentences_of, stems_of
from probative.harness.questions.candidates import Candidate
from probative.harness.questions.from_labels_swaps import YEAR, name_swapped, year_swapped
from probative.harness.questions.labelled_ground import Ground, answered, share_of, unanswered
from probative.records.record import Category
from probative.search.bm25 import words_of

_OPENS = re.compile(
    r"^(?:(?:in|by|at|on|of|for|from|to|with|during|under|after|before) )?(?:who|whom|whose|what|which|when|where|why|how)\b",
    re.IGNORECASE,
)
_LEANS_ON_TEXT = re.compile(
    r"\b(?:he|she|it|its|they|them|their|his|her|him|this|that|these|those|here|there|the (?:author|passage|text|article|paragraph|writer|following|other|former|latter|group"
    r"|country|city|man|battle|war|crisis|law|treaty|university|school|company|act|theory|court|party|government|bill|study|report|agreement|committee|church|region|area|state|town|building|king|river"
    r"|island|empire|movement|organization|book|people|population|person|event|term|name|problem|machine|engine|process|system|program|network|project|case))\b(?! (?:of|in|for|to|that|which|between|known|called|used)\b)",
    re.IGNORECASE,
)
_VAGUE = re.compile(r"\d['’]s\b|^what (?:is|was|are|were) (?:a|an|one|some|(?!the)[a-z]+ed)\b", re.IGNORECASE)
_BROKEN = re.compile(
    r"\bdid\b[^?]*[A-Z]\w+ \w+ed\b|\b(?:was|is|were|are) (?:result|name|purpose|reason|objective|role|capital)\b| s\b|\b(?:is|was|are|were) (?:know|call|use|make|base)\b|^(?:By|In|At|On|From|With|For|To) [^?]* (?:by|in|at|on|from|with|for|to)\?$|^What [A-Z]\w+ in charge|^What part of [A-Z]\w+ (?:was|were)\b|^How (?:long|much|many) as\b| - "
)
_NEGATED = re.compile(
    r"\b(?:not|no|never|none|neither|nor|without|except|other than|rather than|besides|least|\w+n['’]t|isnt|doesnt|wasnt|didnt)\b",
    re.IGNORECASE,
)
_ODD = re.compile(
    r"\b(?:what|who|where|when|which|how)\b.*\b(?:what|who|where|when|which)\b|\s\?|\?\?|[^\x20-\x7e’‘“”é–—äöüńśłąęóżźćèàçñâêîôû]|\b(\w+) \1\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<!^)(?<=\s)[\"“(]?[A-Z][\w'’-]+")
_FIGURE = re.compile(r"(?<![\w.,])\d[\d.,]*\d%?|(?<![\w.,])\d%?(?![\w.,])")
_ASKS_WHEN = re.compile(r"^(?:when|(?:in |by )?(?:what|which) year)\b", re.IGNORECASE)
_ASKS_HOW_MANY = re.compile(
    r"^(?:how (?:many|much|large|far)|what (?:percentage|percent|share|number)|what (?:is|was) the (?:\w+ )?(?:number|percentage|amount|population|ratio|total))\b",
    re.IGNORECASE,
)
_REGULAR = re.compile(
    r"^(?:who|when|where) (?:is|was|were|are|did|does|do|became|led|won|founded|built|wrote|discovered|invented|proposed|defeated|signed|designed|created|ruled|succeeded|attacked|created|introduced|\w+ed)\b"
    r"|^(?:in )?(?:what|which) (?:year|century|city|country|decade|month|century|state|river|university|street|king|dynasty|religion|language|type|kind|percentage|party|act|treaty) "
    r"(?:is|was|were|are|did|does|do|of|had|has)\b"
    r"|^how (?:many|much|long|old|large|far|often) \w+|^what (?:is|was|were|are|did|does|do) (?:the|a|an|[A-Z])|^why (?:did|does|do|is|was|were|are)\b",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    r"[\"“(]?(?:January|February|March|April|May|June|July|August|September|October|November|December|I|II"
    r"|Robert|Richards?|William|Henry|John|Charles|Roger|Louis|George|James|Thomas|Edward|Philip|Peter|Paul|David|Conservatives|Labour|Parliament|Bishop)(?:['’]s?)?"
)
_FEWEST_STEMS, _FEWEST_WORDS, _MOST_WORDS = 3, 6, 26
_ANSWERABLE, _NULL = 3, 4
_LIKE, _ALIKE, _SAME, _SAID = 0.5, 0.34, 0.8, 0.72
_NAMED_BY = 2
"""Words of an article's title that name it in a question."""
_ARTICLES = {"the", "a", "an", "of", "in", "to"}
_SHARED, _SHORT, _MISSPELT, _MISSPELT_ANYWHERE, _LONG = 2, 4, 80, 86, 5
_LONGEST_ANSWER = 16


_SWAPPED: tuple[Category, ...] = ("tempt_wrong", "adversarial", "unanswerable")
"""What a question becomes in which something was put for something else, in turn."""


def article_candidates(ground: Ground) -> Iterator[Candidate]:
    """Make candidates of all categories but `tempt_unsupported` and `refusal_due`, which need no labels."""
    by_document: dict[str, list[Labelled]] = defaultdict(list)
    for label in ground.corpus.labelled:
        if stands_alone(label.question, label.document):
            by_document[label.document].append(label)
    for labels in by_document.values():
        spelt = [
            label
            for label in labels
            if not any(_misspelt(ground, word, label.document) for word in content_words(label.question))
        ]
        for label in spelt:
            yield from _of_answered(ground, label) if label.kind == "answered" else _of_absent(ground, label, labels)


def stands_alone(question: str, document: str) -> bool:
    """Tell whether a question can be read without the paragraph it was asked on.

    It names something (a proper name, a year, its article), points back to nothing, denies nothing and is of a
    usual length. What people wrote carelessly is left out with it.
    """
    words = question.split()
    if not question.endswith("?") or not _FEWEST_WORDS <= len(words) <= _MOST_WORDS or not _OPENS.match(question):
        return False
    if (
        not question[0].isupper()
        or _VAGUE.search(question)
        or _BROKEN.search(question)
        or _LEANS_ON_TEXT.search(question)
        or _NEGATED.search(question)
        or _ODD.search(question)
    ):
        return False
    subject = content_stems(document.replace("_", " "))
    names = bool(_names(question)) or len(content_stems(question) & subject) >= min(len(subject), _NAMED_BY)
    return names and len(content_stems(question)) >= _FEWEST_STEMS


def _names(question: str) -> list[str]:
    """Give the proper names of a question; a month names nothing, nor does a first name alone."""
    return [name for name in _NAME.findall(question) if not _NO_NAME.fullmatch(name)]


def _of_answered(ground: Ground, label: Labelled) -> Iterator[Candidate]:
    if not agreed(label):
        return
    share = share_of(label.id)
    if share < _ANSWERABLE:
        yield answered("answerable", label, label.question, "labels:answered", "people's label")
    elif share < _NULL:
        why = "the corpus answers it; nothing is retrieved"
        yield answered("null_retrieval", label, label.question, "labels:answered", why)
    else:
        yield from _swapped(ground, label)
        yield from _near_miss(ground, label)


def agreed(label: Labelled) -> bool:
    """Tell whether people gave one answer: every two of theirs share a word, and none is a letter or a paragraph."""
    answers = [label.gold.answer or "", *label.gold.aliases]
    words = [set(re.findall(r"\w+", answer.casefold())) - _ARTICLES for answer in answers]
    short = all(len(answer.split()) <= _LONGEST_ANSWER and (len(answer) > 1 or answer.isdigit()) for answer in answers)
    return short and all(one & other for one, other in combinations(words, 2))


def _swapped(ground: Ground, label: Labelled) -> Iterator[Candidate]:
    """Ask about another year, or another of the kind: tempting beside the passage that answers the question as it was."""
    evidence = label.gold.evidence[0].source_id
    by_name = next(name_swapped(ground, label), None)
    by_year = year_swapped(ground, label)
    for made_by, swapped in (("template:another_name", by_name), ("template:another_year", by_year)):
        if swapped is not None:
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


def _near_miss(ground: Ground, label: Labelled) -> Iterator[Candidate]:
    """Ask for a year or a number where the article has another one in a sentence that shares words with the question."""
    answer = label.gold.answer or ""
    kind = YEAR if _ASKS_WHEN.match(label.question) else _FIGURE if _ASKS_HOW_MANY.match(label.question) else None
    wanted = content_stems(label.question) - content_stems(label.document.replace("_", " "))
    if kind is None or not kind.search(answer) or len(answer.split()) > _SHORT or len(wanted) < _SHARED:
        return
    own = {said for text in (answer, *label.gold.aliases) for said in kind.findall(text)}
    evidence = label.gold.evidence[0].source_id
    for source in ground.corpus.by_document[label.document]:
        for sentence in sentences_of(source.text or ""):
            values = {value for value in kind.findall(sentence) if kind is YEAR or not YEAR.fullmatch(value)}
            shared = len(wanted & content_stems(sentence))
            if values and not own & values and shared >= max(_SHARED, _ALIKE * len(wanted)):
                where = "the same passage" if source.source_id == evidence else source.source_id
                why = f"near miss: {where} has another value ({', '.join(sorted(values))}) in words like these"
                yield answered("tempt_wrong", label, label.question, "labels:near_miss", why)
                return


def _likeness(label: Labelled, rival: Labelled) -> float:
    one, other = content_stems(label.question), content_stems(rival.question)
    return len(one & other) / len(one | other)


def _of_absent(ground: Ground, label: Labelled, labels: list[Labelled]) -> Iterator[Candidate]:
    """Keep what people found unanswerable on its paragraph, where no other passage says it either."""
    if said_elsewhere(ground, label):
        return
    rival = max((one for one in labels if one.kind == "answered"), key=lambda one: _likeness(label, one), default=None)
    likeness = _likeness(label, rival) if rival else 0.0
    foreign = _foreign_words(ground, label)
    if likeness >= _SAME or not _regular(label.question) or not foreign:
        return
    facts = {"document": label.document, "absent_from": label.document}
    if rival and likeness >= _LIKE:
        why = f"near miss: {rival.gold.evidence[0].source_id} answers “{rival.question}” with {rival.gold.answer!r}; this is asked of something else"
        made_by = "labels:absent_near_miss"
        yield unanswered("tempt_wrong", label.id, label.question, made_by, why, absent=foreign, **facts)
        return
    why = "people found no answer where one would stand, and no other passage holds what it asks about together"
    yield unanswered("unanswerable", label.id, label.question, "labels:absent", why, absent=foreign, **facts)


def _foreign_words(ground: Ground, label: Labelled) -> list[str]:
    """Give the names and numbers of a question that its article lacks; none where another word stands nowhere in the corpus."""
    article, corpus = ground.words_of_document[label.document].vocabulary, ground.words.vocabulary
    missing = [word for word in content_words(label.question) if stems_of(word)[0] not in article]
    odd = any(word.islower() and stems_of(word)[0] not in corpus for word in missing)
    named = [word for word in missing if not word.islower()]
    return [] if odd else named


def _misspelt(ground: Ground, word: str, document: str) -> bool:
    """Tell whether a word is nearly one of its article, or of the corpus, and no form of it; or is no word of the corpus at all."""
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - only where a label is of this kind

    plain = word.casefold()
    if plain in ground.spelt() or not plain.isalpha():
        return False
    for known, cutoff in ((ground.spelt(document), _MISSPELT), (ground.spelt(), _MISSPELT_ANYWHERE)):
        near = process.extractOne(plain, known.keys(), scorer=fuzz.ratio, score_cutoff=cutoff)
        if near is not None and words_of(near[0]) != words_of(plain):
            return True
    return word.islower() and len(word) >= _LONG and stems_of(word)[0] not in ground.words.vocabulary


def _regular(question: str) -> bool:
    """Tell whether a question that has no answer is put plainly: people made many of these up in haste."""
    return bool(_REGULAR.match(question))


def said_elsewhere(ground: Ground, label: Labelled) -> bool:
    """Tell whether some passage holds nearly all of a question's words together, so that it may answer it."""
    return ground.words.most_covered(label.question)[0] >= _SAID


def _asked_with_answer(label: Labelled, labels: list[Labelled]) -> bool:
    """Tell whether people answered a question in nearly the same words."""
    return any(other.kind == "answered" and _likeness(label, other) >= 1 - (1 - _LIKE) / 2 for other in labels)
