"""Which answers a passage bears out as they are asked for: of the time, the place, the rank and the number that the question means."""

from __future__ import annotations

import re

from showable.harness.corpora.corpus import Labelled
from showable.harness.questions.absence import PassageWords, sentences_of, stems_of
from showable.harness.questions.from_labels_swaps import PLACES, YEAR
from showable.harness.questions.labelled_ground import Ground

_ASKS_OF_NOW = re.compile(
    r"^(?:\w+ )?(?:who|whose|what|which|where|when|why|how)\b(?:(?!\b(?:was|were|did|had|could|would)\b)[^?])*?\b(?:is|are|does|do|has|have|can|may|must)\b"
    r"(?!.*\b(?:was|were|did|had|as of)\b)",
    re.IGNORECASE,
)
_PAST = re.compile(r"\b(?:was|were|had|did|became|currently|now|once|until)\b|\b\d{4}s?\b", re.IGNORECASE)
_RANKS = re.compile(
    r"\b(?:main|mainly|primary|primarily|major|notabl[ey]|famous|final|only|best|most|first|last|second|third|specifically|ultimate|chief|leading|better"
    r"|biggest|largest|smallest|highest|lowest|oldest|greatest|official|original|typical|key|often|always|\w{4,}est)\b",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(
    r"\b(?:such(?: as)?|including|like|e\.g\.|for (?:example|instance)|especially|among them)[\s,:\"“]*(?:the )?$",
    re.IGNORECASE,
)
_ASKS_FOR_ONE = re.compile(
    r"^(?:[Ww]ho (?:was|is|has)\b|(?:(?:[Ii]n|[Oo]n|[Tt]o|[Ff]rom|[Bb]y|[Ff]or|[Oo]f) )?(?:[Ww]hat|[Ww]hich) (?:[A-Z][\w-]* )*(?:was the |is the |[a-z-]+(?<!s)(?<!people) ))"
)
_TWO_NAMES = re.compile(r"[A-Z][\w'’-]*(?: \w+)?(?:,| and| or) (?:the )?[A-Z]")
_WHEN_DID = re.compile(r"^(?:when|(?:in )?(?:what|which) year) did\b", re.IGNORECASE)
_HOW_LONG = re.compile(r"^how long\b", re.IGNORECASE)
_SPAN_OF_TIME = re.compile(
    r"\b(?:years?|months?|weeks?|days?|hours?|minutes?|seconds?|decades?|centur(?:y|ies))\b", re.IGNORECASE
)
_CAPITAL = re.compile(r"\bcapital\b|\bnational income\b|\bpopulation\b", re.IGNORECASE)
"""What changes over the years."""
_IS_SAID = re.compile(
    r"\b(?:it is (?:said|believed|thought)|reportedly|allegedly|supposedly|probably|perhaps|legend|may have|might have)\b",
    re.IGNORECASE,
)
_SINCE = re.compile(r"\b(?:has|have) \w+ .*\bsince\b", re.IGNORECASE)
_NAME_GOES_ON = re.compile(r" [A-Z]\w")
_LEAST_HELD = 0.8
"""The share of a question's words that three sentences in a row of its passage must hold."""


def borne_out(ground: Ground, label: Labelled) -> bool:
    """Check whether the passage says of its answer what the question asks, as far as its wording shows."""
    evidence = label.gold.evidence[0]
    text = ground.corpus.by_id[evidence.source_id].text or ""
    before, after = sentences_of(text[: evidence.start])[-1], sentences_of(text[evidence.end :])[0]
    sentence = before + (label.gold.answer or "") + after
    passage = PassageWords([ground.corpus.by_id[evidence.source_id]])
    return (
        passage.most_covered(label.question)[0] >= _LEAST_HELD
        and _EXAMPLE.search(before) is None
        and _IS_SAID.search(sentence) is None
        and _NAME_GOES_ON.match(after) is None
        and not out_of_date(label.question, sentence)
        and not _place_left_out(ground, label, sentence)
        and _ranked_so(label.question, sentence)
        and _when_of_just_that(label, passage)
        and all(_stands_whole(answer, text) for answer in (label.gold.answer or "", *label.gold.aliases))
        and not _several_for_one(label)
        and (_HOW_LONG.match(label.question) is None or _SPAN_OF_TIME.search(label.gold.answer or "") is not None)
    )


def out_of_date(question: str, sentence: str) -> bool:
    """Check whether a question of the present rests on a sentence of the past or of some year; or one of what changes names no year."""
    if _SINCE.search(question):
        return _PAST.search(sentence) is not None
    if YEAR.search(question):
        return False
    return bool((_ASKS_OF_NOW.match(question) and _PAST.search(sentence)) or _CAPITAL.search(question))


def _place_left_out(ground: Ground, label: Labelled, sentence: str) -> bool:
    """Check whether the sentence is of a country or city that the question leaves out, in an article that is of several."""
    article = " ".join(source.text or "" for source in ground.corpus.by_document[label.document])
    known = f"{label.question} {label.gold.answer} {label.document.replace('_', ' ')}"
    for kind in PLACES:
        said = [place for place in kind if re.search(rf"\b(?:in|of|as|across|for) (?:the )?{place}\b", sentence)]
        if said and not any(_of_place(place, known) for place in kind):
            return sum(place in article for place in kind) > 1
    return False


def _of_place(place: str, text: str) -> bool:
    return set(stems_of(place)) <= set(stems_of(text))


def _ranked_so(question: str, sentence: str) -> bool:
    """Check whether what the question calls first, main or largest is called so in the sentence."""
    return all(re.search(rf"\b{rank}\b", sentence, re.IGNORECASE) for rank in _RANKS.findall(question))


def _when_of_just_that(label: Labelled, passage: PassageWords) -> bool:
    """Check whether the passage has every common word of a question "when did …": to ask for a right is not yet to have it."""
    if not _WHEN_DID.match(label.question):
        return True
    return passage.most_covered(" ".join(word for word in label.question.rstrip("?").split()[2:] if word.islower()))[
        0
    ] in {0.0, 1.0}


def _stands_whole(answer: str, text: str) -> bool:
    """Check whether an answer is cut from the text between words, not within one."""
    bare = answer.strip(" ,.;:")
    return re.search(rf"(?<!\w){re.escape(bare)}(?!\w)", text) is not None


def _several_for_one(label: Labelled) -> bool:
    """Check whether one person or thing is asked for, and several are the answer."""
    answers = (label.gold.answer or "", *label.gold.aliases)
    return bool(_ASKS_FOR_ONE.match(label.question)) and any(_TWO_NAMES.search(answer) for answer in answers)
