"""Answers of the same kind elsewhere in a passage: what a wrong answer looks like."""

from __future__ import annotations

import re

from statements.answers import kind
from statements.lexicon import NOUN_VERBS, VERBS
from statements.words import word_set

_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_PATTERNS = {
    "year": r"\b(?:1[0-9]{3}|20[0-2][0-9])\b(?!s)",
    "day": rf"\b(?:{_MONTH} \d{{1,2}}(?:, \d{{4}})?|\d{{1,2}} {_MONTH}(?: \d{{4}})?)\b",
    "month": rf"\b{_MONTH} \d{{4}}\b",
    "century": r"\b(?:\d{1,2}(?:st|nd|rd|th)|[a-z]+th) century\b",
    "decade": r"\b\d{3}0s\b",
}
_UNIT = r"(?: (?:million|billion|trillion|thousand|hundred))?"
_NUMBER = re.compile(
    rf"(?<![\w.,])(?:[$£€])?(?:\d{{1,3}}(?:,\d{{3}})+|\d+)(?:\.\d+)?{_UNIT}(?:%| percent| per cent)?(?![\w]|[.,]\d)"
)
_NAME = re.compile(r"(?:[A-Z][\w'’-]+)(?: (?:of |de |von |the |van |and the )?[A-Z][\w'’-]+)*")
_CHUNK = re.compile(
    r"\b(?:the|a|an|its|their|his|her) (?:[a-z][a-z-]+ ){0,2}[a-z][a-z-]+(?=[,.;)]| (?:of|in|on|at|by|for|from|with|to|and|or|is|are|was|were|had|has|that|which|who|when|as)\b)"
)
_ORIGIN = re.compile(r"(?:ish|ian|ese|ean|can|rab|man|ench|ians|ans|ic)$")
_ACTIONS = (VERBS - NOUN_VERBS) | {"to", "by", "because", "when", "if"}
_NOT_NAMES = word_set(
    "The A An In On At By For From With To And Or But It Its He She They This That These Those There When While After Before During Since As If "
    "Although However Many Most Some Several Other Another Such One Two Both Each All His Her Their Because Also Then Thus First Second Later "
    "Under Over Between According Among Due Despite Until Where Which Who What How Not No More Only Today Once Even Unlike Like"
)


def _shape(number: str) -> tuple[bool, bool, bool]:
    return (
        bool(re.search(r"[$£€]", number)),
        bool(re.search(r"%|per ?cent", number)),
        bool(re.search(r"illion|thousand|hundred", number)),
    )


def _words(text: str) -> set[str]:
    return {
        word
        for word in re.findall(r"\w+", text.lower())
        if len(word) > 2 and word not in {"the", "and", "its", "his", "her", "their"}
    }


def _surely_name(passage: str, name: str) -> bool:
    """Whether a capital surely marks a name: several words, or one that stands within a sentence and is no origin or month."""
    if " " in name:
        return True
    month = re.fullmatch(_MONTH, name)
    return not _ORIGIN.search(name) and not month and bool(re.search(rf"[a-z,] {re.escape(name)}\b(?! [A-Z])", passage))


_LOCATIVE = frozenset({"in", "at", "from", "near", "to", "into", "of", "across"})


def same_setting(passage: str, first: str, second: str) -> bool:
    """Whether two spans follow alike words, a sign that they name the same kind of thing."""
    before = []
    for span in (first, second):
        match = re.search(rf"(\w+[,.;]?(?: the)?) {re.escape(span)}(?!\w)", passage)
        before.append(match[1].lower() if match else "")
    return before[0] == before[1] or set(before) <= _LOCATIVE


def pure_number(text: str) -> bool:
    """Whether a span is one number with at most a unit sign and a magnitude."""
    return bool(_NUMBER.fullmatch(text))


def _listed(passage: str, first: str, second: str) -> bool:
    """Whether two spans stand in one enumeration or apposition, where the second may be right as well."""
    for match in re.finditer(re.escape(first), passage):
        for other in re.finditer(re.escape(second), passage):
            low, high = sorted([match.span(), other.span()])
            between = passage[low[1] : high[0]]
            if len(between) < 120 and not re.search(r"[.;:]", between):
                plain = re.findall(r"\b[a-z]\w+\b", between)
                if all(
                    word
                    in {
                        "and",
                        "or",
                        "of",
                        "the",
                        "as",
                        "well",
                        "also",
                        "known",
                        "called",
                        "a",
                        "an",
                        "in",
                        "his",
                    }
                    for word in plain
                ):
                    return True
    return False


def spans(passage: str, label: str) -> list[str]:
    """Every span of one kind in a passage, in order, without repeats."""
    if label == "number":
        found = [match[0] for match in _NUMBER.finditer(passage) if not re.fullmatch(r"(?:1[5-9]|20)\d\d", match[0])]
    elif label == "name":
        found = [
            match[0] for match in _NAME.finditer(passage) if match[0].split()[0] not in _NOT_NAMES and len(match[0]) > 2
        ]
        found = [re.sub(r"(?:'s|’s|')$", "", name) for name in found if _surely_name(passage, name)]
    elif label == "phrase":
        found = [match[0] for match in _CHUNK.finditer(passage)]
    else:
        found = [match[0] for match in re.finditer(_PATTERNS[label], passage)]
    return list(dict.fromkeys(found))


def wrong_spans(passage: str, answers: list[str], question: str, others: list[str]) -> list[str]:
    """Spans of the answer's kind which are surely another thing: no shared word, not in one list with it, not named by the question."""
    answer = answers[0]
    label = kind(answer)
    candidates = [other for other in others if kind(other) == label]
    if label != "phrase" or not candidates:
        candidates += spans(passage, label)
    taken = set().union(*(_words(text) for text in answers)) | {text.lower() for text in answers}
    asked = _words(question)
    kept = []
    for candidate in dict.fromkeys(candidates):
        words = _words(candidate) or {candidate.lower()}
        clash = words & taken or (words & asked and label in {"name", "phrase", "year"}) or candidate.lower() in taken
        same_shape = label != "number" or _shape(candidate) == _shape(answer)
        counted = question.lower().startswith("how many") and re.fullmatch(r"(?:1[5-9]|20)\d\d", candidate)
        unlike = label == "phrase" and (
            candidate.split()[0] in _ACTIONS
            or candidate.endswith("s") != answer.endswith("s")
            or len(candidate.split()) > len(answer.split()) + 3
        )
        if (
            not clash
            and not counted
            and not unlike
            and same_shape
            and candidate in passage
            and not any(_listed(passage, text, candidate) for text in answers)
        ):
            kept.append(candidate)
    return kept


def with_article(passage: str, answer: str) -> str:
    """The answer with the article it has in the passage, so that a bare noun reads well."""
    if kind(answer) not in {"phrase", "name"} or re.match(r"(?:the|a|an|its|their|his|her) ", answer, re.IGNORECASE):
        return answer
    match = re.search(rf"\b(the|an?) (?:{re.escape(answer)})(?![\w-]| (?-i:[A-Z]))", passage, re.IGNORECASE)
    return f"{match[1].lower()} {answer}" if match else answer
