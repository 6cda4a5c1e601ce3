"""Where a question's subject ends and what is said of it begins."""

from __future__ import annotations

from statements.lexicon import (
    ADVERBS,
    DETERMINERS,
    NOUN_VERBS,
    PREDICATES,
    PREPOSITIONS,
    PRONOUNS,
    VERBS,
    bare,
    blocks,
    qualifies,
)
from statements.verbs import is_participle

_LONGEST = 14


def base_verb_at(words: list[str]) -> int | None:
    """Index of the base verb after do-support or a modal, counted in the words after the auxiliary; None when unsure."""
    if not words:
        return None
    if words[0].lower() in PRONOUNS:
        at = 1
        while at < len(words) and (words[at].lower() in ADVERBS or words[at].lower().endswith("ly")):
            at += 1
        return at if at < len(words) and bare(words[at]) in VERBS else None
    found = [i for i in range(1, min(len(words), _LONGEST)) if _may_be_verb(words, i)]
    if not found:
        return None
    best = found[0]
    for later in found[1:]:
        between = [bare(word).lower() for word in words[best + 1 : later]]
        noun = bare(words[best]) in NOUN_VERBS
        if (
            not noun
            or len(between) > 1
            or any(word in DETERMINERS | PREPOSITIONS or word.endswith("ly") for word in between)
        ):
            break
        best = later
    return best


def _may_be_verb(words: list[str], at: int) -> bool:
    core = bare(words[at])
    if core not in VERBS or blocks(words[at - 1]) or words[at].endswith("'s"):
        return False
    return core not in NOUN_VERBS or not qualifies(words[at - 1])


def subject_end(words: list[str], *, at: int) -> int:
    """The index where adverbs before the verb begin: they stay with the verb."""
    while at > 1 and (
        words[at - 1].lower() in ADVERBS
        or (words[at - 1].endswith("ly") and words[at - 1].islower() and words[at - 1] != "family")
    ):
        at -= 1
    return at


def _names_only(words: list[str]) -> bool:
    return all(word[:1].isupper() or word.lower() in {"of", "the", "de", "la", "and"} for word in words)


def _starts_predicate(words: list[str], at: int) -> bool:
    word, previous = words[at], words[at - 1]
    core, low = bare(word), bare(previous).lower()
    if low in DETERMINERS | PREPOSITIONS or low in {"and", "or", "who", "that", "which", "to"} or blocks(previous):
        return False
    verbal = core.islower() and (is_participle(core) or (core.endswith("ing") and len(core) > 5))
    article = core in {"a", "an", "the", "his", "her", "their", "its", "one", "any", "some"}
    return verbal or article or core in PREDICATES


def predicate_at(words: list[str]) -> int | None:
    """Index where what is said of the subject begins after a form of `be` or `have`; None when unsure."""
    if not words:
        return None
    if words[0].lower() in PRONOUNS - {"this", "one"}:
        return 1 if len(words) > 1 else None
    for at in range(1, min(len(words), _LONGEST)):
        if not _starts_predicate(words, at):
            continue
        inner = {bare(word).lower() for word in words[1:at]} & (PREPOSITIONS - {"of"} | {"that", "who", "which"})
        reduced = is_participle(bare(words[at])) and bare(words[-1]) in PREDICATES and at < len(words) - 2
        if reduced or words[at - 1].endswith(",") or (inner and bare(words[at]) in DETERMINERS):
            return None
        return subject_end(words, at=at)
    if len(words) > 1 and words[0][:1].isupper() and _names_only(words[:1]):
        end = next((i for i, word in enumerate(words) if not _names_only([word])), None)
        if end and (bare(words[end]) in PREPOSITIONS or end == len(words) - 1):
            return end
    return None


def participle_at(words: list[str]) -> int | None:
    """Index of the participle after a form of `be` in a wh-question; the last word wins where it is one."""
    fits = [
        i
        for i in range(1, len(words))
        if bare(words[i]).islower()
        and is_participle(bare(words[i]))
        and not blocks(words[i - 1])
        and words[i - 1] not in {"being", "been", "was", "were", "is", "are", "had", "has"}
    ]
    if not fits:
        return None
    return fits[-1] if fits[-1] == len(words) - 1 else fits[0]
